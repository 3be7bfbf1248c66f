"""Speech recognition by a Whisper model (Radford et al. 2022): the one that heed brings along, or one in models/.

Of the texts that it thinks possible the one is taken that also goes well with what the robot expects: log P(text) from
the sound, and a trigram of the expected sentences (n-best rescoring: Ostendorf et al. 1991). A prompt of rare words, as
Whisper's makers suggest, was no gain, and came back out of noise (docs/decisions/recognition.md).
"""

import math
import os
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Hypothesis, Limits, Recognition, RecognitionError, Search
from daemon.speech.recognizers.byte_pairs import joined
from daemon.speech.recognizers.decoding import longest_text, margin
from daemon.speech.recognizers.expectation import Expectation
from daemon.speech.spoken_words import spelled, spoken_words, written
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
_NEVER = 1e-9
"""Probability of what cannot be: its logarithm has to be a number."""
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
        os.environ.setdefault("CT2_USE_MKL", "0")  # MKL keeps packed copies: 43 MB for 14 % less time
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
        return self.search(samples).heard

    def search(self, samples: NDArray[np.int16]) -> Search:
        """Return all that may have been said."""
        long_enough = [window for window in self._windows if len(samples) <= window * RATE] or self._windows[-1:]
        for window in long_enough:
            found = self._decode(samples, window)
            heard = self._likeliest(found)
            if not repeats_itself(heard.text):
                break
        return Search(heard, found.hypotheses, found.speech, partial(self._judged, found))

    def _decode(self, samples: NDArray[np.int16], window: int) -> "_Found":
        padded = np.zeros(window * RATE, np.float32)
        padded[: len(samples)] = samples[: len(padded)] / 32768.0
        encoded = self._model.encode(self._model.feature_extractor(padded)[:, : window * 100])
        prompt = [*self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        (result,) = self._model.model.generate(
            encoded, [prompt], beam_size=BEAM, num_hypotheses=BEAM, return_scores=True,
            return_no_speech_prob=True, max_length=len(prompt) + longest_text(len(samples) / RATE),
        )  # fmt: skip
        texts = [self._tokenizer.decode(tokens).strip() for tokens in result.sequences_ids]
        sizes = [len(tokens) + 1 for tokens in result.sequences_ids]
        hypotheses = tuple(
            Hypothesis(text, score * size, size)
            for text, score, size in zip(texts, result.scores, sizes, strict=True)
            if not _loops(text)
        )
        return _Found(hypotheses, 1.0 - result.no_speech_prob, encoded, window * 100)

    def _judged(self, found: "_Found", texts: Sequence[str]) -> list[Hypothesis]:
        """Return how likely the texts are after the same sound."""
        if not texts:
            return []
        from ctranslate2 import StorageView

        tokens = [self._tokens_of(text) for text in texts]
        sound = np.repeat(np.asarray(found.encoded), len(tokens), axis=0)
        aligned = self._model.model.align(
            StorageView.from_array(np.ascontiguousarray(sound)), self._tokenizer.sot_sequence, tokens,
            [found.frames] * len(tokens),
        )  # fmt: skip
        return [
            Hypothesis(
                text, sum(math.log(max(chance, _NEVER)) for chance in of.text_token_probs), len(of.text_token_probs)
            )
            for text, of in zip(texts, aligned, strict=True)
        ]

    def _tokens_of(self, text: str) -> list[int]:
        """The tokens of a text. The list of pairs in tokenizer.json is not asked: that of base lacks its first one."""
        number = self._tokenizer.tokenizer.token_to_id
        split = self._tokenizer.tokenizer.pre_tokenizer.pre_tokenize_str(f" {text}")
        return [token for pieces, _ in split for token in joined(pieces, number)]

    def _likeliest(self, found: "_Found") -> Recognition:
        """Of what was found the one that sound and expectation together find likeliest."""
        scores: dict[str, float] = {}
        sure: dict[str, float] = {}
        signs: dict[str, str] = {}
        for hypothesis in found.hypotheses:
            words = spoken_words(hypothesis.text)
            said = signs.setdefault(written(words), self._spelled(hypothesis.text) if words else "")
            scores[said] = max(scores.get(said, -math.inf), hypothesis.sound + self._expected(words))
            sure[said] = max(sure.get(said, 0.0), hypothesis.confidence * found.speech)
        likely = sorted(scores.items(), key=lambda entry: -entry[1])
        if not likely or not likely[0][0]:
            return Recognition("", 0.0)
        best = likely[0][0]
        return Recognition(best, sure[best], tuple(text for text, _ in likely[1:6] if text), margin(best, likely))

    def _spelled(self, text: str) -> str:
        return spelled(text) if self._is_english else text

    def _expected(self, words: list[str]) -> float:
        """Return what a text gains and loses by what is expected; 0 where nothing is."""
        if self._language is None:
            return 0.0
        return EXPECTATION * self._language.sentence(words) + PER_WORD * len(words)


@dataclass(frozen=True)
class _Found:
    """What a search through one sound came to."""

    hypotheses: tuple[Hypothesis, ...]
    speech: float
    """Probability that there was any."""
    encoded: Any
    """The sound, as the decoder reads it."""
    frames: int
    """Of 10 ms, that were encoded."""


def repeats_itself(text: str) -> bool:
    """Return whether it is two words or more, and the same again: "what's the date? what's the date?"."""
    words = spoken_words(text)
    halves = (size for size in range(2, len(words) // 2 + 1) if len(words) % size == 0)
    return any(words == words[:size] * (len(words) // size) for size in halves)


def _loops(text: str) -> bool:
    """Return whether it says the same again and again: compresses by more than 2.4, as Whisper's makers measure it."""
    data = text.encode()
    return len(data) > 2.4 * len(zlib.compress(data)) if data else False
