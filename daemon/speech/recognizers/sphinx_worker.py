"""The process of pocketsphinx: `python -m daemon.speech.recognizers.sphinx_worker`. Started by sphinx_process.py.

Pocketsphinx holds Python's lock while it decodes, seconds on a busy machine: in the process of the ear nobody would
hear a stop meanwhile. First one line with the expected sentences comes in, and {} goes out; then, for each line
{"samples"} and so many 16-bit samples at 16 kHz, one line with the fields of a Recognition. The end of stdin ends it.
"""

import dataclasses
import json
import os
import sys
from contextlib import suppress
from typing import IO, Any

import numpy as np

from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer


def main(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Serve until `requests` ends."""
    recognizer = PocketsphinxRecognizer(json.loads(requests.readline()))
    _answer(answers, {})
    for line in requests:
        sound = requests.read(2 * json.loads(line)["samples"])
        _answer(answers, dataclasses.asdict(recognizer.recognize(np.frombuffer(sound, np.int16))))


def _answer(answers: IO[bytes], answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    pipe, sys.stdout = sys.stdout, sys.stderr  # nothing but answers may enter the pipe
    with suppress(OSError):
        os.nice(-5)  # people wait for it
    main(sys.stdin.buffer, pipe.buffer)
