"""Said to the robot, or between people? Decided by the words alone, and by whether they name something here.

How likely words are such as people say to robots tells a network (daemon/llm/directed.py), which learned it from what
strangers said to robots, and from talk that a microphone overhears.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.speech.spoken_words import spoken_words

NAMED, MOST = 1.5, 3
"""Odds (logarithmic) that a sentence gains by each word that names something here, up to so many: people talk to a
robot about that. Of requests by held-out voices 0.62 have two such words or more, of overheard lines 0.034 have, were
they said in the default kitchen."""


@dataclass(frozen=True)
class Addressee:
    """Tells whether words are such as people say to a robot."""

    odds_of: Callable[[Sequence[str]], NDArray[np.float32]]
    """The logarithmic odds of sentences that name nothing that is here."""

    def odds(self, sentence: str, named: int) -> float:
        """Return the logarithmic odds that a sentence was said to the robot; so many of its words name something here.

        Above 0 it is acted on.
        """
        return float(self.odds_of([as_heard(sentence)])[0]) + NAMED * min(named, MOST)


def as_heard(sentence: str) -> str:
    """Return its words alone, small and without signs, as recognisers write them."""
    return " ".join(spoken_words(sentence))
