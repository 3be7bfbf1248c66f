"""Said to the robot, or between people? Decided by the words alone, and by whether they name something here.

How likely words are such as people say to robots tells a network (daemon/llm/directed.py), which learned it from what
strangers said to robots, and from talk that a microphone overhears.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.speech.spoken_words import spoken_words

NAMED = 1.8
"""Odds (logarithmic) that a sentence gains by naming something that is here: people talk to a robot about that."""


@dataclass(frozen=True)
class Addressee:
    """Tells whether words are such as people say to a robot."""

    odds_of: Callable[[Sequence[str]], NDArray[np.float32]]
    """The logarithmic odds of sentences that name nothing that is here."""

    def odds(self, sentence: str, named: bool) -> float:
        """Return the logarithmic odds that a sentence was said to the robot; `named`: it names something that is here.

        Above 0 it is acted on.
        """
        return float(self.odds_of([as_heard(sentence)])[0]) + NAMED * named


def as_heard(sentence: str) -> str:
    """Return its words alone, small and without signs, as recognisers write them."""
    return " ".join(spoken_words(sentence))
