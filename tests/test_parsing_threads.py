"""Two threads that parse at once: Python 3.11 mixes up how deep they are, and heed must not end by that."""

import subprocess
import sys

TWO_THREADS = """
import ast, gc, sys, threading
from daemon.parsing_threads import parse_one_at_a_time

class Garbage:
    def __init__(self):
        self.itself = self
    def __del__(self):
        sum(range(50))  # Python code, in which another thread may be let in

def parse(depth):
    return parse(depth - 1) if depth else ast.literal_eval(str([("cup", 1, ["x", "y"])] * 60))

def work(depth):
    for _ in range(300):
        Garbage(), Garbage(), Garbage()
        try:
            parse(depth)
        except SystemError:
            failed.append(depth)

failed = []
if sys.argv[1] == "in turn":
    parse_one_at_a_time()
    parse_one_at_a_time()
sys.setswitchinterval(1e-6)
gc.set_threshold(10)
threads = [threading.Thread(target=work, args=(depth,)) for depth in (1, 30)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(failed))
"""


def failures(how: str) -> int:
    """How often parsing fails in a Python of its own."""
    return int(subprocess.check_output([sys.executable, "-c", TWO_THREADS, how], text=True, timeout=120))


def test_threads_that_parse_at_once_do_not_fail() -> None:
    assert failures("in turn") == 0


def test_without_it_they_do_where_python_has_the_fault() -> None:
    assert bool(failures("as it comes")) == (sys.version_info < (3, 12))
