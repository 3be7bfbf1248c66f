"""Voices in processes of their own: hibari's, which comes along, and Piper's, for files in models/."""

import json
import logging
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import numpy as np

from daemon.speech.synthesis import Sound, SynthesisError
from daemon.speech.voices.program import printable

log = logging.getLogger(__name__)


class WorkerSynthesizer:
    """A voice that worker_loop.py speaks with; a process that died is started again once."""

    def __init__(self, name: str, *arguments: str) -> None:
        """`arguments` are worker_loop.py's. Raises SynthesisError where it cannot be used."""
        self.name = name
        self._arguments = arguments
        self._worker = self._start()

    def synthesize(self, sentence: str) -> Sound:
        if self._worker.poll() is not None:
            log.warning("the process of %s ended (%s): starting it again", self.name, self._worker.returncode)
            self._worker = self._start()
        _send(self._worker, {"text": printable(sentence)})
        answer = self._receive()
        data = _stream(self._worker.stdout).read(2 * answer["samples"])
        return np.frombuffer(data, np.int16), answer["rate"]

    def close(self) -> None:
        """End the child; it also ends by itself when we are gone."""
        for pipe in (self._worker.stdin, self._worker.stdout):
            _stream(pipe).close()
        try:
            self._worker.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "daemon.speech.voices.worker_loop", *self._arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3],
        )  # fmt: skip
        try:
            self._receive()
        except SynthesisError:
            self.close()
            raise
        return self._worker

    def _receive(self) -> dict[str, int]:
        line = _stream(self._worker.stdout).readline()
        if not line:
            raise SynthesisError(f"the process of {self.name} ended with {self._worker.wait()}; see the log")
        answer = json.loads(line)
        if error := answer.get("error"):
            raise SynthesisError(f"{self.name} cannot be used: {error}")
        return dict(answer)


def piper_voice(file: Path) -> WorkerSynthesizer:
    """Return a Piper voice. Raises SynthesisError where its file is none."""
    return WorkerSynthesizer(f"piper:{file.name}", "piper", str(file.resolve()))


def hibari_voice() -> WorkerSynthesizer:
    """Return the English voice that comes along. Raises SynthesisError where its package is missing."""
    if find_spec("hibari") is None:
        raise SynthesisError("the package hibari-tts is not installed: make setup")
    return WorkerSynthesizer("hibari", "hibari")


def _send(worker: subprocess.Popen[bytes], message: dict[str, str]) -> None:
    try:
        _stream(worker.stdin).write(json.dumps(message).encode() + b"\n")
        _stream(worker.stdin).flush()
    except BrokenPipeError as error:
        raise SynthesisError(f"the voice's process ended with {worker.wait()}; see the log") from error


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
