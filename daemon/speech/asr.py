"""Sound into words. Knows nothing of robots: what may be said comes in as sentences."""

import logging
import math
import os
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.common import COMMON_WORDS
from daemon.speech.judgement import Limits
from daemon.speech.pronunciation import dictionary
from daemon.speech.trigram import trigram_arpa
from daemon.speech.vad import BLOCK, RATE
from daemon.speech.words import content_words, spoken_words, written

log = logging.getLogger(__name__)


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
    if kind not in ("auto", "whisper", "pocketsphinx"):
        raise ConfigError(
            f'recognizer in [speech] is {config.recognizer!r}; known are "auto", "whisper", "pocketsphinx" '
            'and "wyoming:HOST:PORT"'
        )
    folder = models_directory / name if name else _whisper_folder(models_directory)
    if kind == "pocketsphinx" or (kind == "auto" and folder is None):
        from daemon.speech.apart import PocketsphinxApart

        return PocketsphinxApart()
    if folder is None:
        raise RecognitionError(
            f"no Whisper model lies in {models_directory}: put a folder there that holds {', '.join(_WHISPER_FILES)}"
        )
    return WhisperRecognizer(folder, config.language)


def _whisper_folder(models_directory: Path) -> Path | None:
    return next((file.parent for file in sorted(models_directory.glob("*/model.bin"))), None)


class PocketsphinxRecognizer:
    """CMU Sphinx (BSD) with its bundled American English sounds, and a language model made of the expected sentences.

    It hears only words of those sentences and common ones (common.py), into which nonsense falls. Measured with 144
    household sentences: spoken by flite, known ones 99 % right; sentences left out of the model, with all words that
    only they have, half of the time.
    """

    name = "pocketsphinx"
    lead = 5 * BLOCK
    """160 ms: the s of "stop" comes before the voice does. With much more, noise becomes words."""
    trail = 3 * BLOCK
    limits = Limits(
        possible=0.12, stop=0.3, sentence=0.4, word=0.5, anything=0.9, worth_asking=0.55, ahead=0.02, far_ahead=0.045
    )
    """Chosen on 143 household sentences of flite and espeak-ng that the model had not been told, on 68 commands, and on
    100 stretches of speech that were none. Where it is wrong, it is nearly always less than `ahead` of another text."""

    def __init__(self, sentences: Iterable[str] = ("yes", "no", "stop")) -> None:
        self._expected: frozenset[tuple[str, ...]] = frozenset()
        self._decoder: Any = None
        self.set_vocabulary(sentences)

    def set_vocabulary(self, sentences: Iterable[str]) -> None:
        """Build a model of these sentences: 0.2 s for hundreds. An utterance in work is finished with the old one."""
        expected = frozenset(words for s in sentences if (words := tuple(spoken_words(s))))
        if expected and expected != self._expected:
            self._decoder, self._expected = _decoder(sorted(expected)), expected

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        if not len(samples):
            return Recognition("", 0.0)
        decoder = self._decoder
        decoder.start_utt()
        decoder.process_raw(samples.tobytes(), full_utt=True)
        decoder.end_utt()
        best = decoder.hyp()
        if best is None or not best.hypstr:
            return Recognition("", 0.0)
        text, found = _text(best.hypstr), _other_texts(decoder)
        alternatives = tuple(dict.fromkeys(other for other, _ in found if other != text))[:5]
        return Recognition(text, _confidence(best.score, decoder.n_frames()), alternatives, _margin(text, found))


_DECODING = {
    "lw": 6.5, "fwdflatlw": 6.0, "bestpathlw": 6.5,  # weight of the language model in each pass: people vary sentences
    "wip": 0.1,  # cost of a word
    "silprob": 0.1,  # the lead often holds a little room noise
    "topn": 8, "fwdflatefwid": 8, "fwdflatsfwin": 50,  # a second pass that looks at more words, and at more sounds
    "beam": 1e-60, "pbeam": 1e-60, "wbeam": 1e-40, "lpbeam": 1e-50, "lponlybeam": 1e-40,  # wide: few words, fast anyway
}  # fmt: skip
"""Chosen on flite's slt and awb and on 20 recorded people."""


def _decoder(sentences: list[tuple[str, ...]]) -> Any:
    import pocketsphinx

    cmudict = Path(pocketsphinx.get_model_path("en-us/cmudict-en-us.dict"))
    pronunciations = dictionary({word for words in sentences for word in words} | COMMON_WORDS, cmudict)
    audible = {line.split(" ", 1)[0] for line in pronunciations.splitlines()}
    with tempfile.TemporaryDirectory(prefix="heed-words-") as folder:
        arpa, words_file = Path(folder, "words.arpa"), Path(folder, "words.dict")
        expected = [sentence for sentence in sentences if audible.issuperset(sentence)]
        arpa.write_text(trigram_arpa(expected, COMMON_WORDS & audible), encoding="utf-8")
        words_file.write_text(pronunciations, encoding="utf-8")
        return pocketsphinx.Decoder(lm=str(arpa), dict=str(words_file), loglevel="FATAL", **_DECODING)


def _text(hypothesis: str) -> str:
    """Words without pronunciation numbers, as in "the(2)", and without noises, as in "[SPEECH]"."""
    words = [word.split("(", 1)[0] for word in hypothesis.split()]
    return written([word for word in words if word and word[0] not in "<["])


def _other_texts(decoder: Any) -> list[tuple[str, float]]:
    """The best texts and their scores, on a scale of their own, the best first; one may come several times."""
    found = (other for _, other in zip(range(40), decoder.nbest(), strict=False) if other is not None)
    return [(text, other.score) for other in found if other.score > 0 and (text := _text(other.hypstr))]


def _margin(text: str, found: list[tuple[str, float]]) -> float:
    """How far `text` is ahead of those that differ in more than articles and plurals; below 0 where it is behind."""
    meaning = content_words(text)
    same = [score for other, score in found if content_words(other) == meaning]
    different = [score for other, score in found if content_words(other) != meaning]
    if not different:
        return math.inf
    return math.log((same or [found[0][1]])[0] / different[0])


def _confidence(score: float, frames: int) -> float:
    """Logistic in the score per frame; the two numbers are fitted to right and wrong results of flite and of people."""
    per_frame = math.log(max(score, 1e-300)) / max(frames, 1)
    return 1.0 / (1.0 + math.exp(-(per_frame + 4.35e-3) / 0.54e-3))


_WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json")


class WhisperRecognizer:
    """A Whisper model in CTranslate2's format. Reads its folder only, never the network.

    Whisper was trained on windows of 30 s, and that is what faster-whisper encodes, however short the command. Here
    the window is as short as the sound allows, 9 times cheaper for a command; what then looks wrong is done again with
    the full window.
    """

    lead = 25 * BLOCK
    """800 ms: Whisper likes some room before the first word."""
    trail = 10 * BLOCK
    limits = Limits(possible=0.15, stop=0.3, sentence=0.3, word=0.4, anything=0.55, worth_asking=0.35)
    """By its makers' threshold: a mean log probability of -1 is 0.37. Not tried on real speech yet."""

    def __init__(
        self, folder: Path, language: str = "en", windows: tuple[int, ...] = (5, 10, 30), threads: int = 0
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
        if heard.confidence < self.limits.sentence and window != self._windows[-1]:
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
            return_no_speech_prob=True, max_length=len(prompt) + _longest(len(samples) / RATE),
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
TOKENS_PER_SECOND = 8
"""Nobody speaks faster; without a bound noise is decoded into endless text."""


def _longest(seconds: float) -> int:
    """Tokens that so much sound may hold."""
    return 4 + math.ceil(TOKENS_PER_SECOND * seconds)


def _loops(text: str) -> bool:
    """Whether it says the same again and again: compresses by more than 2.4, as Whisper's makers measure it."""
    data = text.encode()
    return len(data) > 2.4 * len(zlib.compress(data)) if data else False
