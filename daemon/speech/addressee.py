"""Said to the robot, or between people? Decided by the words, by what they name here, and by what they would come to.

How likely words are such as people say to robots tells a network (daemon/llm/directed.py), which learned it from what
strangers said to robots, and from talk that a microphone overhears. Where that leaves a doubt, whoever reads beside the
mind tells whether they ask for anything here.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from daemon.speech.spoken_words import spoken_words

NAMED, MOST = 1.5, 3
"""Odds (logarithmic) that a sentence gains by each word that names something here, up to so many: people talk to a
robot about that. Of requests by held-out voices 0.62 have two such words or more, of overheard lines 0.034 have, were
they said in the default kitchen."""


DOUBT = (-6.0, 1.0)
"""Odds between which it is asked what the words would come to."""
ASKS_NOTHING, ASKS, PRIOR = -2.0, 2.0, 0.5
"""That adds the logarithmic odds that they ask for anything, within these bounds, and so much beside. Of how dialogues
of held-out voices begin, in their own worlds, 0.92 pass with it and 0.89 without (of refusals 0.91 and 0.89), of 1,350
overheard lines, in the default kitchen, 0.030 and 0.040."""
SUREST = 0.9999
"""Nobody is surer than that."""


@dataclass(frozen=True)
class Addressee:
    """Tells whether words are such as people say to a robot."""

    odds_of: Callable[[Sequence[str]], NDArray[np.float32]]
    """The logarithmic odds of sentences that name nothing that is here."""
    asks: Callable[[str], float | None] = lambda sentence: None
    """How likely a sentence asks for anything here and now; None where nobody can tell."""

    def odds(self, sentence: str, named: int) -> float:
        """Return the logarithmic odds that a sentence was said to the robot; so many of its words name something here.

        Above 0 it is acted on.
        """
        odds = self.odds_of_words(sentence, named)
        asks = self.asks(sentence) if DOUBT[0] <= odds <= DOUBT[1] else None
        return odds if asks is None else odds + min(max(_logit(asks), ASKS_NOTHING), ASKS) + PRIOR

    def odds_of_words(self, sentence: str, named: int) -> float:
        """Return the same by words and names alone, for who has no time to ask."""
        return float(self.odds_of([as_heard(sentence)])[0]) + NAMED * min(named, MOST)


def _logit(chance: float) -> float:
    chance = min(max(chance, 1 - SUREST), SUREST)
    return math.log(chance / (1 - chance))


def as_heard(sentence: str) -> str:
    """Return its words alone, small and without signs, as recognisers write them."""
    return " ".join(spoken_words(sentence))
