"""The voice that sounds best: Piper, with a voice file that people put into models/."""

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import IO

import numpy as np

from daemon.speech.synthesis import Sound, SynthesisError
from daemon.speech.voices.program import printable

log = logging.getLogger(__name__)


class PiperSynthesizer:
    """A Piper voice, in a process of its own since Piper is GPL-3.0-or-later; a dead one is started again once."""

    def __init__(self, voice: Path) -> None:
        self.name = f"piper:{voice.name}"
        self._voice = voice.resolve()
        self._worker = self._start()

    def synthesize(self, sentence: str) -> Sound:
        if self._worker.poll() is not None:
            log.warning("the Piper process ended (%s): starting it again", self._worker.returncode)
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
            [sys.executable, "-m", "daemon.speech.voices.piper_worker", str(self._voice)],
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
            raise SynthesisError(f"the Piper process for {self._voice} ended with {self._worker.wait()}; see the log")
        answer = json.loads(line)
        if error := answer.get("error"):
            raise SynthesisError(f"Piper cannot use {self._voice}: {error}")
        return dict(answer)


def _send(worker: subprocess.Popen[bytes], message: dict[str, str]) -> None:
    try:
        _stream(worker.stdin).write(json.dumps(message).encode() + b"\n")
        _stream(worker.stdin).flush()
    except BrokenPipeError as error:
        raise SynthesisError(f"the Piper process ended with {worker.wait()}; see the log") from error


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
