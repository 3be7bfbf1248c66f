"""WebRTC's echo canceller in a process of its own: native code whose crash must not take the ear along.

`python -m daemon.speech.canceller_process` is the process. It writes `READY`. Then, again and again, it is sent the
count of samples as 4 bytes, so many recorded and so many played samples of 16 bits, and answers with so many cleaned
ones. The end of its input ends it.
"""

import os
import select
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

import numpy as np

from daemon.speech.audio import Samples
from daemon.speech.vad import RATE

STARTS_WITHIN = 30.0
"""Seconds, on a small and busy board."""
ANSWERS_WITHIN = 1.0
"""Seconds; one that takes longer hangs: 32 ms of sound take it 0.3 ms."""
READY = b"ok"
_COUNT = struct.Struct("<i")


class CancellerError(RuntimeError):
    """The process has ended, or does not answer."""


class CancellerProcess:
    """Takes the echo out, as the library would in this process."""

    def __init__(self) -> None:
        """Start it. Raises CancellerError where the library cannot be had, or OSError."""
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "daemon.speech.canceller_process"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2],
            bufsize=0,
        )  # fmt: skip
        self.pid = self._worker.pid
        self._receive(len(READY), STARTS_WITHIN)

    def __call__(self, near: Samples, far: Samples) -> Samples:
        """Return `near` without the echo of `far`. Raises CancellerError."""
        self._send(_COUNT.pack(len(near)) + near.astype("<i2").tobytes() + far.astype("<i2").tobytes())
        return np.frombuffer(self._receive(2 * len(near)), "<i2").astype(np.int16)

    def close(self) -> None:
        """End it; it also ends by itself when we are gone."""
        if self._worker.poll() is None:
            self._worker.kill()
        self._worker.wait()

    __del__ = close

    def _send(self, request: bytes) -> None:
        try:
            _stream(self._worker.stdin).write(request)
        except OSError as error:
            raise self._failure() from error

    def _receive(self, count: int, within: float = ANSWERS_WITHIN) -> bytes:
        answers, answer = _stream(self._worker.stdout), b""
        while len(answer) < count:
            ready, _, _ = select.select([answers], [], [], within)
            part = answers.read(count - len(answer)) if ready else b""
            if not part:
                raise self._failure()
            answer += part
        return answer

    def _failure(self) -> CancellerError:
        try:
            status: int | None = self._worker.wait(0.2)
        except subprocess.TimeoutExpired:
            status = None
        self.close()
        return CancellerError("its process does not answer" if status is None else f"its process ended ({status})")


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def main(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Serve until `requests` ends."""
    import pywebrtc_audio

    with suppress(OSError):  # as the ear, which waits for it; not everybody may
        os.nice(-11)
    canceller = pywebrtc_audio.EchoCanceller(sample_rate=RATE)
    answers.write(READY)
    answers.flush()
    while header := requests.read(_COUNT.size):
        (count,) = _COUNT.unpack(header)
        near, far = (np.frombuffer(requests.read(2 * count), np.int16) for _ in range(2))
        answers.write(np.asarray(canceller.process(near, far), "<i2").tobytes())
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
