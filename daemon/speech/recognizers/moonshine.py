"""Speech recognition that heed brings along: Moonshine Tiny (Jeffries et al. 2024) with what a robot expects to hear.

The network hears any English, and is small: people with an accent, or with noise around them, become other words. So
texts grow in a beam, in which each word also counts by how well it goes with the sentences that the robot expects
(shallow fusion: Kannan et al. 2018). What was never expected is still understood, if it was said clearly.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from daemon.speech.recognition import Hypothesis, Limits, Recognition, RecognitionError
from daemon.speech.recognizers.byte_pairs import joined
from daemon.speech.recognizers.decoding import longest_text, margin
from daemon.speech.recognizers.expectation import Expectation
from daemon.speech.recognizers.trigram import END
from daemon.speech.spoken_words import spoken_words, written
from daemon.speech.vad import BLOCK, RATE

EXPECTATION = 0.35
"""Weight of a word's logarithmic probability among the expected sentences ..."""
PER_WORD = 1.5
"""... and what each word gains, or texts would become too short. Chosen on recorded people and four synthetic voices,
for all of whom anything from 0.3 and 1 to 0.45 and 2 does nearly as well (docs/benchmarks.md)."""
BEAM = 8
"""Texts that grow side by side ..."""
BRANCHES = 12
"""... and tokens with which each one may go on."""
POSSIBLE_END = math.log(0.05)
"""Where the network finds an end less likely there is none: sentences that nobody expected would be cut short."""
SHORTEST = RATE // 2
"""Samples: shorter sounds are filled up with silence."""


class MoonshineRecognizer:
    """A Moonshine model for English, from its folder. Reads that folder only, never the network."""

    lead = 12 * BLOCK
    """384 ms: with less, soft beginnings become other words."""
    trail = 10 * BLOCK
    limits = Limits(
        possible=0.15, stop=0.3, sentence=0.25, word=0.3, anything=0.8, worth_asking=0.45, fewest=2, ahead=0.3,
        far_ahead=4.0,
    )  # fmt: skip
    """Chosen on 68 commands and on 143 household sentences of flite and espeak-ng, each also with sentences expected
    that have nothing to do with it, and on 104 stretches of speech that were no commands. Where it hears a sentence
    that makes sense, that was said; of 137 others above `anything` and `far_ahead` a word was wrong in 2."""

    def __init__(self, folder: Path) -> None:
        """Raises RecognitionError for files that are missing or broken."""
        self.name = f"moonshine:{folder.name.removeprefix('moonshine-')}"
        self._network = Network(folder)
        self._told: tuple[frozenset[tuple[str, ...]], frozenset[str]] = frozenset(), frozenset()
        self.set_vocabulary(("yes", "no", "stop"))

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        told = frozenset(words for s in sentences if (words := tuple(spoken_words(s)))), frozenset(names)
        if told[0] and told != self._told:
            self._language, self._told = Expectation(sorted(told[0]), told[1]), told

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        if not len(samples):
            return Recognition("", 0.0)
        ended = self._search(samples)
        scores: dict[str, float] = {}
        sure: dict[str, float] = {}
        for text in ended:  # "fifty" and "50", "stop" and "Stop." are the same words
            words = written(list(text.words))
            scores[words] = float(np.logaddexp(scores.get(words, -math.inf), text.score))
            sure[words] = max(sure.get(words, 0.0), text.heard.confidence)
        found = sorted(scores.items(), key=lambda entry: -entry[1])
        if not found or not found[0][0]:
            return Recognition("", 0.0)
        best = found[0][0]
        others = tuple(text for text, _ in found[1:6] if text)
        return Recognition(best, sure[best], others, margin(best, found), _different(ended))

    def likelihoods(self, samples: NDArray[np.int16], texts: Sequence[str]) -> list[float]:
        """Return the logarithmic probability after the sound of each text, written as recognisers do; -inf for one that
        has letters which this model does not know."""
        return self._network.likelihoods(samples, texts) if texts else []

    def expected(self, words: Sequence[str]) -> float:
        """Return the logarithmic probability of words, as they are spoken, by what is expected."""
        return self._language.sentence(words)

    def _search(self, samples: NDArray[np.int16]) -> list["_Text"]:
        """The texts that came to an end in a beam."""
        language, network = self._language, self._network
        decoding = network.listen(samples)
        growing, ended = [_Text()], list[_Text]()
        chances = decoding.begin()
        for _ in range(longest_text(len(samples) / RATE)):
            branches: list[_Branch] = []
            for parent, (text, row) in enumerate(zip(growing, chances, strict=True)):
                completed = text.completed(language)
                for token in likeliest(row, BRANCHES).tolist():
                    chance = float(row[token])
                    if token != network.end:
                        before = completed if network.tokens[token].startswith(_NEW_WORD) else text
                        branches.append(_Branch(before.score + chance, before, parent, token, chance))
                    elif chance > POSSIBLE_END:
                        ended.append(completed.ended(chance, language))
            branches.sort(key=lambda branch: -branch.score)
            if any(text.score >= branches[0].score for text in ended):
                break
            branches = branches[:BEAM]
            growing = [branch.before.with_token(network.tokens[branch.token], branch.chance) for branch in branches]
            chances = decoding.go_on([branch.parent for branch in branches], [branch.token for branch in branches])
        return ended


@dataclass(frozen=True)
class _Text:
    """A text that grows token by token."""

    words: tuple[str, ...] = ()
    """Those that are complete, as they are spoken."""
    written: str = ""
    """The same as they are written."""
    begun: str = ""
    """The last one, as it is written: complete when another one begins."""
    sound: float = 0.0
    """Logarithmic probability of its tokens after the sound."""
    tokens: int = 0
    expected: float = 0.0
    """What its words gain and lose by what is expected."""

    @property
    def score(self) -> float:
        return self.sound + self.expected

    @property
    def heard(self) -> Hypothesis:
        return Hypothesis(self.written.strip(), self.sound, self.tokens)

    def with_token(self, token: str, chance: float) -> "_Text":
        """Return this and one more token; what begins a word goes behind a text that is completed."""
        begun = self.begun + token.removeprefix(_NEW_WORD)
        return replace(self, begun=begun, sound=self.sound + chance, tokens=self.tokens + 1)

    def ended(self, chance: float, language: Expectation) -> "_Text":
        """Return a completed text with its end."""
        expected = self.expected + EXPECTATION * language.chance(self.words, END)
        return replace(self, expected=expected, sound=self.sound + chance, tokens=self.tokens + 1)

    def completed(self, language: Expectation) -> "_Text":
        """Return this, and its last word is complete."""
        words, expected = self.words, self.expected
        for word in spoken_words(self.begun):
            expected += EXPECTATION * language.chance(words, word) + PER_WORD * (words[-1:] != (word,))
            words = (*words, word)
        return replace(self, words=words, written=f"{self.written} {self.begun}", begun="", expected=expected)


class _Branch(NamedTuple):
    """One more token for a text: `before` is that text, completed where the token begins a word."""

    score: float
    before: _Text
    parent: int
    token: int
    chance: float


def _different(ended: Iterable[_Text]) -> tuple[Hypothesis, ...]:
    """Return what the likeliest texts were heard as, each once."""
    best = sorted(ended, key=lambda text: -text.score)
    once = {text.heard.text: text.heard for text in reversed(best) if text.heard.text}
    return tuple(reversed(once.values()))[:BEAM]


_NEW_WORD = "▁"


class Network:
    """The two networks of a Moonshine model in ONNX Runtime's format, and its tokens."""

    begin, end = 1, 2

    def __init__(self, folder: Path) -> None:
        for file in _FILES:
            if not (folder / file).is_file():
                raise RecognitionError(f"the Moonshine model {folder} lacks {file}; delete it, run script/setup")
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it never gives back what one long sound took: 250 MB instead of 160
        encoder, decoder, tokens = (folder / file for file in _FILES)
        try:
            self.encoder = onnxruntime.InferenceSession(str(encoder), options, providers=["CPUExecutionProvider"])
            self.decoder = onnxruntime.InferenceSession(str(decoder), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has a class per status code
            raise RecognitionError(
                f"the Moonshine model {folder} is broken ({error}); delete it, run script/setup"
            ) from error
        self.tokens = read_tokens(tokens.read_bytes())
        self._numbers = {token: number for number, token in enumerate(self.tokens)}

    def listen(self, samples: NDArray[np.int16]) -> "Decoding":
        """Hear samples, mono at 16 kHz, to be decoded then."""
        sound = np.zeros((1, max(len(samples), SHORTEST)), np.float32)
        sound[0, : len(samples)] = samples / np.float32(32768.0)
        (frames,) = self.encoder.run(None, {"input_values": sound, "attention_mask": np.ones(sound.shape, np.int64)})
        return Decoding(self.decoder, frames)

    def likelihoods(self, samples: NDArray[np.int16], texts: Sequence[str]) -> list[float]:
        """Return the logarithmic probability of each text after the sound; -inf where no tokens make it."""
        written = [self._tokens_of(text) for text in texts]
        known = [tokens for tokens in written if tokens]
        found = iter(self.listen(samples).likelihoods(known) if known else [])
        return [next(found) if tokens else -math.inf for tokens in written]

    def _tokens_of(self, text: str) -> list[int]:
        """The tokens of a text; none where it has letters that no token has."""
        try:
            return joined(_NEW_WORD + text.replace(" ", _NEW_WORD), self._numbers.get)
        except KeyError:
            return []


_FILES = ("encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin")


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return logarithmic probabilities along the last axis, same shape."""
    chances = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(chances - np.log(np.exp(chances).sum(axis=-1, keepdims=True)))


def likeliest(chances: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return the numbers of the `count` greatest, in no order.

    All are cut into parts. So many parts have something as great as the `count`-th of their maxima that what is smaller
    cannot be meant; few are left to sort, which takes a sixth of the time.
    """
    size = max(1, len(chances) // (16 * count))
    parts = np.maximum.reduceat(chances, np.arange(0, len(chances), size))
    among = np.flatnonzero(chances >= np.partition(parts, -count)[-count])
    return among[np.argpartition(-chances[among], count - 1)[:count]]


def of_the_sound(name: str) -> bool:
    """Return whether what is kept under that name comes from the sound alone: then it is the same for all texts."""
    return ".encoder." in name


def read_tokens(data: bytes) -> list[str]:
    """The texts of all tokens, from the format of Moonshine's tokenizer.bin.

    Each is preceded by its length: one byte below 128, else two, the second of which counts 128 each.
    """
    tokens, at = list[str](), 0
    while at < len(data):
        length, at = data[at], at + 1
        if length >= 128:
            length, at = length - 128 + 128 * data[at], at + 1
        tokens.append(data[at : at + length].decode(errors="replace"))
        at += length
    return tokens


class Decoding:
    """The decoder over one sound; keeps what it computed of each text so far."""

    def __init__(self, decoder: Any, frames: NDArray[np.float32]) -> None:
        """`decoder` is a session of ONNX Runtime, `frames` are the encoder's, shape (1, frames, width)."""
        self._decoder, self._frames = decoder, frames
        self._kept = {i.name: i.shape for i in decoder.get_inputs() if i.name.startswith("past_key_values")}
        self._past: dict[str, NDArray[np.float32]] = {}

    def begin(self) -> NDArray[np.float32]:
        """Logarithmic probabilities of all tokens as the first one, shape (1, tokens)."""
        return self._run([Network.begin], self._nothing(), first=True)

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[np.float32]:
        """The same for the next token of each text, shape (texts, tokens).

        A text is one of those before, given by its number there, with one more token.
        """
        rows_of = list(parents)
        past = {name: rows if of_the_sound(name) else rows[rows_of] for name, rows in self._past.items()}
        return self._run(tokens, past, first=False)

    def likelihoods(self, texts: Sequence[Sequence[int]]) -> list[float]:
        """Return the logarithmic probability of each text, given as its tokens, with its end."""
        tokens = np.full((len(texts), 1 + max(map(len, texts))), Network.end, np.int64)
        for row, text in zip(tokens, texts, strict=True):
            row[: len(text) + 1] = [Network.begin, *text]
        (logits,) = self._decoder.run(["logits"], self._inputs(tokens, self._nothing(), first=True))
        said = zip(log_softmax(logits), texts, strict=True)
        return [float(row[np.arange(len(text) + 1), [*text, Network.end]].sum()) for row, text in said]

    def _run(self, tokens: Sequence[int], past: dict[str, NDArray[np.float32]], first: bool) -> NDArray[np.float32]:
        inputs = self._inputs(np.array(tokens, np.int64)[:, None], past, first)
        names = [name.replace("past_key_values", "present") for name in self._kept]
        logits, *present = self._decoder.run(["logits", *names], inputs)
        kept = zip(self._kept, present, strict=True)
        # what the encoder gave is computed once, and not given back later
        self._past = {name: rows if first or not of_the_sound(name) else past[name] for name, rows in kept}
        return log_softmax(logits[:, -1])

    def _inputs(
        self, tokens: NDArray[np.int64], past: dict[str, NDArray[np.float32]], first: bool
    ) -> dict[str, NDArray[Any]]:
        heard = len(tokens) if first else 1  # what was kept of the sound is one row for all texts
        return {
            "input_ids": tokens,
            "encoder_hidden_states": np.repeat(self._frames, heard, axis=0),
            "encoder_attention_mask": np.ones((heard, 1), np.int64),  # one for all samples: nothing is masked
            "use_cache_branch": np.array([not first]),
            **past,
        }

    def _nothing(self) -> dict[str, NDArray[np.float32]]:
        return {name: np.zeros((1, shape[1], 0, shape[3]), np.float32) for name, shape in self._kept.items()}
