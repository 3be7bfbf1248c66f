"""What the recogniser is to understand next, and what becomes of it: recognised, then judged."""

import math
import threading
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from daemon.reflex import Reflex, reflex_in
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Recognize
from daemon.speech.judgement import Evidence, Judgement, Verdict, judge
from daemon.speech.keywords import STOP
from daemon.speech.recognition import Limits, Recognition, Recognizer
from daemon.speech.recognizers.two_ears import TwoEars
from daemon.speech.second_opinion import decided, doubtful
from daemon.speech.spoken_words import spoken_words, written


@dataclass(frozen=True)
class Opinion:
    """What one ear made of an utterance."""

    heard: Recognition
    judgement: Judgement


ONLY_STOPS = Sense([STOP], odds=lambda heard, named: -math.inf)
"""For a look that is after a stop, or shows words: nobody acts on what else it hears, and it must not take long."""
UNHEARD = Opinion(Recognition("", 0.0), Judgement(Verdict.DROP, ""))


@dataclass(frozen=True)
class Order:
    """One stretch of sound on its way to the recogniser."""

    recognize: Recognize
    samples: NDArray[np.int16]
    evidence: Evidence
    first: Opinion = UNHEARD
    """What the first ear made of it, where a second one is to listen."""


def understood(recognizer: Recognizer, order: Order, sense: Sense) -> Judgement:
    """Recognise with all the ears there are, one after the other, and judge what was recognised."""
    first = first_opinion(recognizer, order, sense)
    ears = both_ears(recognizer, order, first.judgement)
    return second_opinion(ears, replace(order, first=first), sense) if ears else first.judgement


def both_ears(recognizer: Recognizer, order: Order, first: Judgement) -> TwoEars | None:
    """Return the ears that shall hear this together after the first one made `first` of it; None where that is all."""
    if order.recognize.look or order.recognize.partial or not (isinstance(recognizer, TwoEars) and doubtful(first)):
        return None
    return recognizer


def second_opinion(ears: TwoEars, order: Order, sense: Sense) -> Judgement:
    """Let both ears hear together what the first one was unsure of. What the second one takes for a stop is one: it
    does not wait for what either thinks of the other's texts."""
    search = ears.second.search(order.samples)
    alone, limits = search.heard, ears.second.limits
    if reflex_in(alone.text) is Reflex.STOP:
        stop = judge(alone.text, alone.confidence, (), order.evidence, sense, limits)
        if stop.verdict is not Verdict.DROP:
            return stop
    return decided(
        order.first.judgement, ears.together(order.samples, order.first.heard, search), order.evidence, sense
    )


def first_opinion(recognizer: Recognizer, order: Order, sense: Sense) -> Opinion:
    """Recognise with one ear, and judge what was recognised.

    A look for a stop is not about the likeliest words: it was ordered because one word of them sounded like a stop, and
    so a stop among the likely ones is perhaps one. In 11 minutes of other speech there was none (docs/benchmarks.md).
    """
    heard = recognizer.recognize(order.samples)
    if order.recognize.look or order.recognize.partial:
        sense = ONLY_STOPS
    elif isinstance(recognizer, TwoEars):
        sense = sense.at_first()  # what depends on more than words is heard again
    return Opinion(heard, _judged(heard, order, sense, recognizer.limits))


def _judged(heard: Recognition, order: Order, sense: Sense, limits: Limits) -> Judgement:
    if not order.recognize.look:
        return judge(heard.text, heard.confidence, heard.alternatives, order.evidence, sense, limits, heard.margin)
    own = set(spoken_words(order.evidence.own_words))
    texts = (heard.text, *heard.alternatives)
    theirs = [written([word for word in spoken_words(text) if word not in own]) for text in texts]
    evidence = replace(order.evidence, own_words="")
    stop = next((stop for text in theirs if (stop := _stop_in(text))), theirs[0])
    judgement = judge(stop, heard.confidence, (), evidence, sense, limits)
    unsure = stop != theirs[0] and judgement.verdict is Verdict.ACCEPT
    return replace(judgement, verdict=Verdict.ASK, reason="perhaps a stop") if unsure else judgement


def _stop_in(text: str) -> str:
    """The stop that it is, also where its words are divided elsewhere ("robots top"); empty where it is none."""
    divided = "".join(spoken_words(text)).replace(STOP, f" {STOP} ").strip()
    return next((words for words in (text, divided) if reflex_in(words) is Reflex.STOP), "")


class Orders:
    """What the recogniser is to do next: first to look for a stop. A newer order replaces a guess not yet begun."""

    def __init__(self) -> None:
        self._waiting: deque[Order] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, order: Order, wanted: Collection[int]) -> None:
        """Add an order; of what waits, guesses are kept only if their tickets are `wanted`."""
        with self._changed:
            kept = [other for other in self._waiting if is_wanted(other, wanted)]
            self._waiting = deque([order, *kept] if order.recognize.look else [*kept, order])
            self._changed.notify()

    def get(self) -> Order | None:
        """Wait for the next order; None once closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()


def is_wanted(order: Order, wanted: Collection[int]) -> bool:
    """Return whether anybody still waits for it; for a guess only while its ticket is `wanted`."""
    recognize = order.recognize
    return recognize.final or recognize.look or recognize.ticket in wanted
