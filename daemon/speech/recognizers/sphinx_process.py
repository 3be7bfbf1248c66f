"""Pocketsphinx in a process of its own (sphinx_worker.py), so that the ear hears while it works."""

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Recognition, RecognitionError
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer

log = logging.getLogger(__name__)


class PocketsphinxApart:
    """Starts another process when other sentences are expected, and when one has died."""

    name = PocketsphinxRecognizer.name
    lead, trail = PocketsphinxRecognizer.lead, PocketsphinxRecognizer.trail
    limits = PocketsphinxRecognizer.limits

    def __init__(self, sentences: Iterable[str] = ("yes", "no", "stop")) -> None:
        self._sentences = sorted(set(sentences))
        self._process = _Process(self._sentences)
        self._lock = threading.Lock()

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        """Recognise it. Raises RecognitionError where two processes after each other died over it."""
        with self._lock:
            try:
                return self._process.recognize(samples)
            except RecognitionError as error:
                log.warning("%s; another one is started", error)
                self._process.close()
                self._process = _Process(self._sentences)
                return self._process.recognize(samples)

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        """Begin a process that knows them; what is said meanwhile is understood by the old one."""
        expected = sorted(set(sentences))
        if not expected or expected == self._sentences:
            return
        process = _Process(expected)
        with self._lock:
            old, self._process, self._sentences = self._process, process, expected
        old.close()

    def close(self) -> None:
        with self._lock:
            self._process.close()


class _Process:
    """One process, which expects the same sentences as long as it lives."""

    def __init__(self, sentences: list[str]) -> None:
        self._worker = subprocess.Popen(
            [sys.executable, "-m", "daemon.speech.recognizers.sphinx_worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3], start_new_session=True,
        )  # fmt: skip
        try:
            self._ask(json.dumps(sentences).encode() + b"\n")
        except RecognitionError:
            self.close()
            raise

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        head = json.dumps({"samples": len(samples)}).encode() + b"\n"
        answer = json.loads(self._ask(head + samples.astype(np.int16).tobytes()))
        return Recognition(answer["text"], answer["confidence"], tuple(answer["alternatives"]), answer["margin"])

    def close(self) -> None:
        for pipe in (self._worker.stdin, self._worker.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        try:
            self._worker.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()

    def _ask(self, request: bytes) -> bytes:
        requests, answers = self._worker.stdin, self._worker.stdout
        assert requests is not None
        assert answers is not None
        try:
            requests.write(request)
            requests.flush()
            answer = answers.readline()
        except (OSError, ValueError) as error:
            raise RecognitionError(f"the process of the recogniser is gone: {error}") from error
        if not answer:
            raise RecognitionError(f"the process of the recogniser ended with {self._worker.wait()}; see the log")
        return answer
