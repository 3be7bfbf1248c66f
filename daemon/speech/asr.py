"""Sound into words. Knows nothing of robots: what may be said comes in as sentences."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.judgement import Limits
from daemon.speech.words import content_words


class RecognitionError(RuntimeError):
    """Speech cannot be recognised here; the message says what to do next."""


@dataclass(frozen=True)
class Recognition:
    """What was understood."""

    text: str
    """Empty where no word was understood."""
    confidence: float
    """0 to 1: how likely `text` is right, word for word; a rough guide."""
    alternatives: tuple[str, ...] = ()
    """Other texts it might have been, the likelier first."""
    margin: float = math.inf
    """How far `text` is ahead of the likeliest one that means something else, as a difference of logarithmic scores;
    near 0 nobody could tell them apart by the sound. Infinite where there is none, or where nobody looked."""


class Recognizer(Protocol):
    name: str
    lead: int
    """Samples before detected speech that it wants to hear, since a soft beginning is detected late."""
    trail: int
    """Samples after detected speech that it wants to hear."""
    limits: Limits
    """What its confidence means."""

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        """Understand one utterance, mono at 16 kHz. One call at a time."""
        ...

    def set_vocabulary(self, sentences: Iterable[str]) -> None:
        """Expect sentences like these from now on; from any thread."""
        ...


def open_recognizer(config: SpeechConfig, models_directory: Path) -> Recognizer:
    """The recogniser that `config` asks for. Raises ConfigError for a wrong name, RecognitionError without a model."""
    kind, _, name = config.recognizer.partition(":")
    if kind == "wyoming":
        from daemon.speech.wyoming_client import RemoteRecognizer, Server

        local = open_recognizer(replace(config, recognizer="auto"), models_directory)
        return RemoteRecognizer(Server(name), local, config.language)
    if kind not in ("auto", "whisper", "moonshine", "pocketsphinx"):
        raise ConfigError(
            f'recognizer in [speech] is {config.recognizer!r}; known are "auto", "whisper", "moonshine", '
            '"pocketsphinx" and "wyoming:HOST:PORT"'
        )
    if kind in ("auto", "whisper"):
        whisper = models_directory / name if name else _folder_with("model.bin", models_directory)
        if whisper:
            from daemon.speech.whisper import WhisperRecognizer

            return WhisperRecognizer(whisper, config.language)
        if kind == "whisper":
            raise RecognitionError(
                f"no Whisper model lies in {models_directory}: put a folder there that holds model.bin, config.json "
                "and tokenizer.json"
            )
    if kind in ("auto", "moonshine"):
        moonshine = models_directory / name if name else _folder_with("encoder_model.ort", models_directory, EMBEDDED)
        if moonshine:
            from daemon.speech.moonshine import MoonshineRecognizer

            return MoonshineRecognizer(moonshine)
        if kind == "moonshine":
            raise RecognitionError(f"no Moonshine model lies in {models_directory} nor in {EMBEDDED}; run script/setup")
    from daemon.speech.apart import PocketsphinxApart

    return PocketsphinxApart()


EMBEDDED = Path(__file__).resolve().parents[2] / "models"
"""Where set-up puts the models that heed brings along."""


def _folder_with(file: str, *places: Path) -> Path | None:
    return next((found.parent for place in places for found in sorted(place.glob(f"*/{file}"))), None)


def longest_text(seconds: float) -> int:
    """Tokens that so much sound may hold, of a vocabulary of tens of thousands."""
    return 4 + math.ceil(TOKENS_PER_SECOND * seconds)


TOKENS_PER_SECOND = 8
"""Nobody speaks faster; without a bound noise is decoded into endless text."""


def margin(text: str, found: Sequence[tuple[str, float]]) -> float:
    """How far `text` is ahead of those of `found` that differ from it in more than articles and plurals.

    `found` are texts with their logarithmic scores, the best first; below 0 where `text` is behind.
    """
    meaning = content_words(text)
    same = [score for other, score in found if content_words(other) == meaning]
    different = [score for other, score in found if content_words(other) != meaning]
    if not different:
        return math.inf
    return (same or [found[0][1]])[0] - different[0]
