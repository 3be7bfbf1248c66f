"""The recogniser that needs no model file: CMU Sphinx with a language model made of what a robot expects to hear."""

import math
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from daemon.speech.pronunciation import dictionary
from daemon.speech.recognition import Limits, Recognition
from daemon.speech.recognizers.common_words import COMMON_WORDS
from daemon.speech.recognizers.decoding import margin
from daemon.speech.recognizers.trigram import Trigram
from daemon.speech.spoken_words import spoken_words, written
from daemon.speech.vad import BLOCK


class PocketsphinxRecognizer:
    """CMU Sphinx (BSD) with its bundled American English sounds, and a language model made of the expected sentences.

    It hears only words of those sentences and common ones (common_words.py), into which nonsense falls. Measured with
    144 household sentences: spoken by flite, known ones 99 % right; sentences left out of the model, with all words
    that only they have, half of the time.
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

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
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
        return Recognition(text, _confidence(best.score, decoder.n_frames()), alternatives, margin(text, found))


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
        arpa.write_text(Trigram(expected, COMMON_WORDS & audible).arpa(), encoding="utf-8")
        words_file.write_text(pronunciations, encoding="utf-8")
        return pocketsphinx.Decoder(lm=str(arpa), dict=str(words_file), loglevel="FATAL", **_DECODING)


def _text(hypothesis: str) -> str:
    """Words without pronunciation numbers, as in "the(2)", and without noises, as in "[SPEECH]"."""
    words = [word.split("(", 1)[0] for word in hypothesis.split()]
    return written([word for word in words if word and word[0] not in "<["])


def _other_texts(decoder: Any) -> list[tuple[str, float]]:
    """The best texts and the logarithms of their scores, the best first; one may come several times."""
    found = (other for _, other in zip(range(40), decoder.nbest(), strict=False) if other is not None)
    return [(text, math.log(other.score)) for other in found if other.score > 0 and (text := _text(other.hypstr))]


def _confidence(score: float, frames: int) -> float:
    """Logistic in the score per frame; the two numbers are fitted to right and wrong results of flite and of people."""
    per_frame = math.log(max(score, 1e-300)) / max(frames, 1)
    return 1.0 / (1.0 + math.exp(-(per_frame + 4.35e-3) / 0.54e-3))
