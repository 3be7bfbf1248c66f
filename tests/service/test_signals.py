"""heed ends when it is asked to, whichever of its threads the kernel tells."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import signal, sys, threading
from daemon.service.signals import on_request_to_end

asked = threading.Semaphore(0)
on_request_to_end(asked.release)
number = int(sys.argv[1])
told = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), number))
told.start()
told.join()
threading.Thread(target=lambda: signal.raise_signal(number)).start()
asked.acquire()
asked.acquire()
print("asked twice")
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_another_thread_took_is_heard(number: signal.Signals) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(int(number))], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "asked twice\n")
