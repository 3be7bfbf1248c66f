"""Words into sound, one sentence at a time."""

import json
import logging
import re
import shutil
import struct
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig

log = logging.getLogger(__name__)

Sound = tuple[NDArray[np.int16], int]
"""Mono samples and their rate in Hertz."""


class SynthesisError(RuntimeError):
    """A sentence cannot be spoken; the message says what to do next."""


class Synthesizer(Protocol):
    """Knows nothing of loudspeakers."""

    @property
    def name(self) -> str: ...

    def synthesize(self, sentence: str) -> Sound:
        """The sound of one sentence; no samples where there is nothing to say. Raises SynthesisError."""
        ...

    def close(self) -> None: ...


def open_synthesizer(config: SpeechConfig, models_directory: Path) -> Synthesizer:
    """The voice that `config` asks for. Raises ConfigError for an unknown name, SynthesisError where it is missing."""
    kind, _, file = config.voice.partition(":")
    if kind == "espeak-ng":
        return EspeakSynthesizer(config.language)
    if kind == "flite":
        return FliteSynthesizer(file or "slt")
    if kind == "wyoming":
        from daemon.speech.wyoming_client import RemoteSynthesizer, Server

        local = open_synthesizer(replace(config, voice="auto"), models_directory)
        return RemoteSynthesizer(Server(file), local, config.voice)
    if kind not in ("auto", "piper"):
        raise ConfigError(
            f'voice in [speech] is {config.voice!r}; known are "auto", "piper", "espeak-ng", "flite" '
            'and "wyoming:HOST:PORT"'
        )
    voice = models_directory / file if file else _piper_voice(models_directory)
    if voice is not None:
        return PiperSynthesizer(voice)
    if kind == "piper":
        raise SynthesisError(f"no Piper voice lies in {models_directory}: put NAME.onnx and NAME.onnx.json there")
    return EspeakSynthesizer(config.language)


def _piper_voice(models_directory: Path) -> Path | None:
    voices = sorted(Path(str(card).removesuffix(".json")) for card in models_directory.glob("**/*.onnx.json"))
    return next((voice for voice in voices if voice.is_file()), None)


class EspeakSynthesizer:
    """espeak-ng (GPL-3.0-or-later), run as a command: 16 ms to the first sound, in a hundred languages."""

    name = "espeak-ng"

    def __init__(self, language: str = "en", words_per_minute: int = 165) -> None:
        self._command = [_program("espeak-ng"), "-v", language, "-s", str(words_per_minute), "--stdin", "--stdout"]

    def synthesize(self, sentence: str) -> Sound:
        return _wav_sound(_output_of(self._command, _printable(sentence)))

    def close(self) -> None:
        """Nothing stays open between sentences."""


class FliteSynthesizer:
    """flite, whose voices the recogniser understands better than espeak-ng's: to simulate users."""

    def __init__(self, voice: str = "slt") -> None:
        self.name = f"flite:{voice}"
        self._command = [_program("flite"), "-voice", voice, "-o", "/dev/stdout", "-t"]

    def synthesize(self, sentence: str) -> Sound:
        text = _printable(sentence).strip()
        if not any(c.isalnum() for c in text):
            return np.zeros(0, np.int16), 16000
        return _wav_sound(_output_of([*self._command, text], ""))

    def close(self) -> None:
        """Nothing stays open between sentences."""


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
        _send(self._worker, {"text": _printable(sentence)})
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
            [sys.executable, "-m", "daemon.speech.piper_worker", str(self._voice)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2],
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


_ABBREVIATION = re.compile(r"\b(?:mr|mrs|ms|dr|st|prof|vs|etc|approx|e\.g|i\.e|no)\.$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+|(?<=[。！？])")
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+")
_LONG = 60
"""Characters: 4 s, of which a Piper voice on a small computer needs one to be made."""
_SHORTEST_CLAUSE = 12
_LONGEST = 240
"""Characters: what a person hears in about 15 s; longer sentences are cut, so that the first sound comes soon."""


def sentences(text: str) -> list[str]:
    """Cut text where a speaker would breathe. Nothing but white space gets lost.

    A long first sentence is cut after its first clause, too, so that something sounds soon.

    >>> sentences("Dr. Who has 3.5 apples. Nice! ")
    ['Dr. Who has 3.5 apples.', 'Nice!']
    """
    parts: list[str] = []
    for part in _split_keeping(_SENTENCE_END, text):
        if parts and _ABBREVIATION.search(parts[-1].strip()):
            parts[-1] += part
        else:
            parts.append(part)
    pieces = [piece for part in parts for piece in _pieces(" ".join(part.split()))]
    return [*_first_clause(pieces[0]), *pieces[1:]] if pieces else []


def _first_clause(sentence: str) -> list[str]:
    """The sentence, or where it is long its first clause and the rest."""
    clause = _CLAUSE_END.search(sentence, _SHORTEST_CLAUSE) if len(sentence) > _LONG else None
    return [sentence[: clause.start()], sentence[clause.end() :]] if clause else [sentence]


def _split_keeping(separator: re.Pattern[str], text: str) -> list[str]:
    cuts = [0, *(match.end() for match in separator.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if text[a:b].strip()]


def _pieces(sentence: str) -> list[str]:
    pieces = []
    while len(sentence) > _LONGEST:
        cut = max(sentence.rfind(mark, 1, _LONGEST) for mark in (", ", "; ", ": ", " - "))
        cut = cut + 1 if cut > 0 else sentence.rfind(" ", 1, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        pieces.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if sentence else pieces


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SynthesisError(f"{name} is not installed: apt install {name}")
    return path


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _output_of(command: list[str], text: str) -> bytes:
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=False)
    if done.returncode != 0 or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode} and no sound"
        raise SynthesisError(f"{Path(command[0]).name} failed: {reason}")
    return done.stdout


def _wav_sound(wav: bytes) -> Sound:
    """Samples of a WAV that came through a pipe; its length fields are not to be believed there."""
    rate = struct.unpack_from("<I", wav, 24)[0]
    data = wav[44:]
    return np.frombuffer(data[: len(data) // 2 * 2], np.int16), rate


def _send(worker: subprocess.Popen[bytes], message: dict[str, str]) -> None:
    try:
        _stream(worker.stdin).write(json.dumps(message).encode() + b"\n")
        _stream(worker.stdin).flush()
    except BrokenPipeError as error:
        raise SynthesisError(f"the Piper process ended with {worker.wait()}; see the log") from error


def _stream(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
