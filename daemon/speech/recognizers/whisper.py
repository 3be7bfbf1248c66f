"""Speech recognition by a Whisper model (Radford et al. 2022) that people put into models/."""

import math
import os
import zlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Limits, Recognition, RecognitionError
from daemon.speech.recognizers.common_words import COMMON_WORDS
from daemon.speech.recognizers.decoding import longest_text
from daemon.speech.spoken_words import spoken_words
from daemon.speech.vad import BLOCK, RATE

_WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json")


class WhisperRecognizer:
    """A Whisper model in CTranslate2's format. Reads its folder only, never the network.

    Whisper was trained on windows of 30 s, and that is what faster-whisper encodes, however short the command. Here
    the window is as short as the sound allows, but not below 10 s: with 5 s it repeats itself (0.864 word errors on
    recorded people, 0.173 with 10 s). What then looks wrong is done again with the full window.
    """

    lead = 25 * BLOCK
    """800 ms: Whisper likes some room before the first word."""
    trail = 10 * BLOCK
    limits = Limits(possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.55, worth_asking=0.35)
    """By its makers' threshold: a mean log probability of -1 is 0.37."""

    def __init__(
        self, folder: Path, language: str = "en", windows: tuple[int, ...] = (10, 20, 30), threads: int = 0
    ) -> None:
        """`windows` are the seconds that may be encoded, the shortest first; the last one takes what is doubtful."""
        missing = [name for name in _WHISPER_FILES if not (folder / name).is_file()]
        if missing:
            raise RecognitionError(
                f"the Whisper model {folder} lacks {', '.join(missing)}; fetch the whole folder again"
            )
        from faster_whisper import WhisperModel
        from faster_whisper.tokenizer import Tokenizer

        self.name = f"whisper:{folder.name}"
        self._windows = windows
        self._prompt: list[int] = []
        self._prompted: set[str] = set()
        try:
            self._model = WhisperModel(
                str(folder), device="cpu", compute_type="int8", local_files_only=True,
                cpu_threads=threads or max(1, (os.cpu_count() or 2) - 1),
            )  # fmt: skip
        except (RuntimeError, ValueError) as error:
            raise RecognitionError(f"the Whisper model {folder} cannot be loaded: {error}") from error
        multilingual = self._model.model.is_multilingual
        self._tokenizer = Tokenizer(self._model.hf_tokenizer, multilingual, task="transcribe", language=language)

    def set_vocabulary(self, sentences: Iterable[str]) -> None:
        """Give it the rarest words of these sentences as a prompt; it knows the others."""
        words = Counter(word for sentence in sentences for word in spoken_words(sentence) if word not in COMMON_WORDS)
        rare = " " + ", ".join(word for word, _ in reversed(words.most_common()))
        self._prompt = self._tokenizer.encode(rare)[:PROMPT_TOKENS] if words else []
        self._prompted = set(words)

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        seconds = len(samples) / RATE
        window = next((w for w in self._windows if seconds <= w), self._windows[-1])
        heard = self._decode(samples, window)
        doubtful = heard.confidence < self.limits.sentence or repeats_itself(heard.text)
        if doubtful and window != self._windows[-1]:
            heard = self._decode(samples, self._windows[-1])
        return heard

    def _decode(self, samples: NDArray[np.int16], window: int) -> Recognition:
        padded = np.zeros(window * RATE, np.float32)
        padded[: len(samples)] = samples[: len(padded)] / 32768.0
        features = self._model.feature_extractor(padded)[:, : window * 100]
        tokenizer = self._tokenizer
        prompt = [tokenizer.sot_prev, *self._prompt] if self._prompt else []
        prompt += [*tokenizer.sot_sequence, tokenizer.no_timestamps]
        (result,) = self._model.model.generate(
            self._model.encode(features), [prompt], beam_size=3, num_hypotheses=3, return_scores=True,
            return_no_speech_prob=True, max_length=len(prompt) + longest_text(len(samples) / RATE),
        )  # fmt: skip
        texts = [tokenizer.decode(tokens).strip() for tokens in result.sequences_ids]
        if _loops(texts[0]) or (result.no_speech_prob > 0.3 and self._is_prompt(texts[0])):
            return Recognition(texts[0], 0.0)
        confidence = math.exp(min(0.0, result.scores[0])) * (1.0 - result.no_speech_prob)
        return Recognition(texts[0], confidence, tuple(dict.fromkeys(t for t in texts[1:] if t and t != texts[0])))

    def _is_prompt(self, text: str) -> bool:
        """Whisper repeats its prompt where it hears nothing."""
        return set(spoken_words(text)) <= self._prompted


PROMPT_TOKENS = 50
"""What a prompt costs is little up to here (17 ms with base)."""


def repeats_itself(text: str) -> bool:
    """Whether it is two words or more, and the same again: "what's the date? what's the date?"."""
    words = spoken_words(text)
    halves = (size for size in range(2, len(words) // 2 + 1) if len(words) % size == 0)
    return any(words == words[:size] * (len(words) // size) for size in halves)


def _loops(text: str) -> bool:
    """Whether it says the same again and again: compresses by more than 2.4, as Whisper's makers measure it."""
    data = text.encode()
    return len(data) > 2.4 * len(zlib.compress(data)) if data else False
