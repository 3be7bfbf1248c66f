"""Speech recognition by a Whisper model (Radford et al. 2022): the one that heed brings along, or one in models/.

Of the texts that it thinks possible the one is taken that also goes well with what the robot expects: log P(text) from
the sound, and a trigram of the expected sentences (n-best rescoring: Ostendorf et al. 1991). A prompt of rare words, as
Whisper's makers suggest, was no gain, and came back out of noise (docs/decisions/recognition.md).
"""

import math
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Limits, Recognition, RecognitionError
from daemon.speech.recognizers.decoding import longest_text, margin
from daemon.speech.recognizers.expectation import Expectation
from daemon.speech.recognizers.trigram import END
from daemon.speech.spoken_words import spoken_words, written
from daemon.speech.vad import BLOCK, RATE

EXPECTATION = 0.25
"""Weight of a word's logarithmic probability among the expected sentences ..."""
PER_WORD = 1.0
"""... and what each word gains. Chosen on 20 recorded people and two synthetic voices."""
BEAM = 8
"""Texts that are held against what is expected."""
ENGLISH = "en"
ENGLISH_LIMITS = Limits(
    possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.75, worth_asking=0.35, ahead=0.3, far_ahead=2.0
)
"""By its makers' threshold: a mean log probability of -1 is 0.37. The last four: chosen as the weights above."""
OTHER_LIMITS = Limits(possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.55, worth_asking=0.35)
"""The same where nothing is known of what is expected: heed's own sentences are English."""
_WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json")


class WhisperRecognizer:
    """A Whisper model in CTranslate2's format. Reads its folder only, never the network.

    Whisper was trained on windows of 30 s. Here the window is as short as the sound allows, but not below 10 s: with
    5 s it repeats itself (0.864 word errors on recorded people, 0.173 with 10 s). What then repeats itself is heard
    again with the next window.
    """

    lead = 25 * BLOCK
    """800 ms: Whisper likes some room before the first word."""
    trail = 10 * BLOCK

    def __init__(
        self, folder: Path, language: str = "en", windows: tuple[int, ...] = (10, 20, 30), threads: int = 0
    ) -> None:
        """`windows` are the seconds that may be encoded, the shortest first; what is longer than the last is cut.

        Raises RecognitionError for a folder that is broken, or does not know the language.
        """
        missing = [name for name in _WHISPER_FILES if not (folder / name).is_file()]
        if missing:
            raise RecognitionError(
                f"the Whisper model {folder} lacks {', '.join(missing)}; fetch the whole folder again"
            )
        from faster_whisper import WhisperModel
        from faster_whisper.tokenizer import Tokenizer

        self.name = f"whisper:{folder.name}"
        self._windows = windows
        self._language: Expectation | None = None
        try:
            self._model = WhisperModel(
                str(folder), device="cpu", compute_type="int8", local_files_only=True,
                cpu_threads=threads or max(1, (os.cpu_count() or 2) - 1),
            )  # fmt: skip
        except (RuntimeError, ValueError) as error:
            raise RecognitionError(f"the Whisper model {folder} cannot be loaded: {error}") from error
        multilingual = self._model.model.is_multilingual
        if language != ENGLISH and not (multilingual and language in self._model.supported_languages):
            raise RecognitionError(
                f'the Whisper model {folder} does not know language = "{language}"; put a multilingual one '
                "into models/, or correct the language"
            )
        self._tokenizer = Tokenizer(self._model.hf_tokenizer, multilingual, task="transcribe", language=language)
        self._is_english = language == ENGLISH
        self.limits = ENGLISH_LIMITS if self._is_english else OTHER_LIMITS

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        expected = {tuple(words) for sentence in sentences if self._is_english and (words := spoken_words(sentence))}
        self._language = Expectation(sorted(expected), names) if expected else None

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        long_enough = [window for window in self._windows if len(samples) <= window * RATE] or self._windows[-1:]
        for window in long_enough:
            heard = self._decode(samples, window)
            if not repeats_itself(heard.text):
                break
        return heard

    def _decode(self, samples: NDArray[np.int16], window: int) -> Recognition:
        padded = np.zeros(window * RATE, np.float32)
        padded[: len(samples)] = samples[: len(padded)] / 32768.0
        features = self._model.feature_extractor(padded)[:, : window * 100]
        prompt = [*self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        (result,) = self._model.model.generate(
            self._model.encode(features), [prompt], beam_size=BEAM, num_hypotheses=BEAM, return_scores=True,
            return_no_speech_prob=True, max_length=len(prompt) + longest_text(len(samples) / RATE),
        )  # fmt: skip
        return self._likeliest(result, 1.0 - result.no_speech_prob)

    def _likeliest(self, result: Any, speech: float) -> Recognition:
        """Of CTranslate2's hypotheses the one that sound and expectation together find likeliest; `speech` is how
        likely there was any."""
        scores: dict[str, float] = {}
        sure: dict[str, float] = {}
        for tokens, score in zip(result.sequences_ids, result.scores, strict=True):
            text = self._tokenizer.decode(tokens).strip()
            if _loops(text):
                continue
            words = spoken_words(text)
            said = written(words) if self._is_english else text
            scores[said] = max(scores.get(said, -math.inf), score * (len(tokens) + 1) + self._expected(words))
            sure[said] = max(sure.get(said, 0.0), math.exp(min(0.0, score)) * speech)
        found = sorted(scores.items(), key=lambda entry: -entry[1])
        if not found or not found[0][0]:
            return Recognition("", 0.0)
        best = found[0][0]
        return Recognition(best, sure[best], tuple(text for text, _ in found[1:6] if text), margin(best, found))

    def _expected(self, words: list[str]) -> float:
        """Return what a text gains and loses by what is expected; 0 where nothing is."""
        if self._language is None:
            return 0.0
        chances = (self._language.chance(words[:at], word) for at, word in enumerate([*words, END]))
        return EXPECTATION * sum(chances) + PER_WORD * len(words)


def repeats_itself(text: str) -> bool:
    """Return whether it is two words or more, and the same again: "what's the date? what's the date?"."""
    words = spoken_words(text)
    halves = (size for size in range(2, len(words) // 2 + 1) if len(words) % size == 0)
    return any(words == words[:size] * (len(words) // size) for size in halves)


def _loops(text: str) -> bool:
    """Return whether it says the same again and again: compresses by more than 2.4, as Whisper's makers measure it."""
    data = text.encode()
    return len(data) > 2.4 * len(zlib.compress(data)) if data else False
