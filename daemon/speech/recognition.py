"""Sound into words: what is asked of a recogniser, and what it answers. Knows nothing of robots."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class RecognitionError(RuntimeError):
    """Speech cannot be recognised here; the message says what to do next."""


@dataclass(frozen=True)
class Hypothesis:
    """One text that may have been said."""

    text: str
    """As the recogniser writes it, with capitals and signs."""
    sound: float
    """Logarithmic probability of its tokens after the sound."""
    tokens: int

    @property
    def confidence(self) -> float:
        """Geometric mean of its tokens' probabilities."""
        return math.exp(min(0.0, self.sound / max(1, self.tokens)))


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
    hypotheses: tuple[Hypothesis, ...] = ()
    """What the search came to, the likelier first, for another ear to judge; empty where that is not known."""


@dataclass(frozen=True)
class Search:
    """What a recogniser came to that can also say what it thinks of the texts of another one."""

    heard: Recognition
    """The likeliest text."""
    hypotheses: tuple[Hypothesis, ...]
    """All texts that it may be, the likeliest after the sound first."""
    speech: float
    """How likely anybody spoke, from 0 to 1."""
    judge: Callable[[Sequence[str]], Sequence[Hypothesis]]
    """Tells how likely other texts are after the same sound."""


@dataclass(frozen=True)
class Limits:
    """Confidence from which something is believed; each recogniser has its own scale."""

    possible: float
    """Below it nothing was understood. Words that only make the robot quieter are believed from here on."""
    stop: float
    """A stop that no keyword announced is believed."""
    sentence: float
    """A sentence of three words or more that makes sense, word for word."""
    word: float
    """One or two words that make sense; they are the easier taken for others."""
    anything: float
    """A sentence that nobody expected, too."""
    worth_asking: float
    """A sentence that nobody expected is worth asking, if it has ..."""
    fewest: int = 3
    """... so many words: with fewer it may be a noise."""
    ahead: float = 0.0
    """Margin from which something that makes sense is not taken for something else ..."""
    far_ahead: float = 0.0
    """... and from which a sentence that nobody expected is not."""


class Recognizer(Protocol):
    """Recognizer: understands one utterance after the other; what may be said comes in as sentences."""

    name: str
    lead: int
    """Samples before detected speech that it wants to hear, since a soft beginning is detected late."""
    trail: int
    """Samples after detected speech that it wants to hear."""
    limits: Limits
    """What its confidence means."""

    def recognize(self, samples: NDArray[np.int16]) -> Recognition:
        """Understand one utterance, mono at 16 kHz; from any thread, also while another one is understood."""
        ...

    def set_vocabulary(self, sentences: Iterable[str], names: Iterable[str] = ()) -> None:
        """Expect sentences like these from now on, and others about what has these names; from any thread."""
        ...
