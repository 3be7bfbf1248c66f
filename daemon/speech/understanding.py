"""The recognisers at work: orders in, answers out, each ear in a thread of its own.

A stop is looked for by the first ear alone, which is free while the second one listens.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_events import Event, Understood, Unsure
from daemon.speech.judgement import Judgement
from daemon.speech.lasting_thread import Worker
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import (
    Opinion,
    Order,
    Orders,
    both_ears,
    first_opinion,
    is_wanted,
    second_opinion,
)
from daemon.speech.recognizers.two_ears import TwoEars

log = logging.getLogger(__name__)


class Understanding:
    """Understanding: one ear or two, and what they have to hear next."""

    def __init__(
        self,
        recognizer: Recognizer,
        sense: Callable[[], Sense],
        wanted: Callable[[], Collection[int]],
        tell: Callable[[Event], None],
    ) -> None:
        """`sense()` is what makes sense to say now, `wanted()` are the tickets of what is over, or seems to be.

        Answers are told from the ears' own threads.
        """
        self._recognizer, self._sense, self._wanted, self._tell = recognizer, sense, wanted, tell
        self._orders, self._doubtful = Orders(), Orders()
        self._first_ear = Worker("recogniser", self._hear, nice=-5)
        self.threads: tuple[Worker, ...] = (self._first_ear,)
        if isinstance(recognizer, TwoEars):
            self.threads += (Worker("second ear", partial(self._hear_again, recognizer)),)

    def put(self, order: Order) -> None:
        """Understand this, too; of what waits, guesses are kept only if they are wanted."""
        self._orders.put(order, self._wanted())

    def close(self) -> None:
        """Understand what waits, then end."""
        self._orders.close()

    @property
    def works(self) -> bool:
        """Return whether the ear that looks for stops has not ended."""
        return self._first_ear.is_alive()

    def _hear(self) -> None:
        try:
            while (order := self._orders.get()) is not None:
                self._answer(order, first_opinion(self._recognizer, order, self._sense()))
        finally:
            self._doubtful.close()

    def _answer(self, order: Order, first: Opinion) -> None:
        ticket, judgement = order.recognize.ticket, first.judgement
        if both_ears(self._recognizer, order, judgement) is None:
            self._tell(Understood(ticket, judgement))
        else:
            self._tell(Unsure(ticket, judgement))
            wanted = self._wanted()
            if is_wanted(order, wanted):  # somebody who went on meanwhile is not listened to twice
                self._doubtful.put(replace(order, first=first), wanted)

    def _hear_again(self, ears: TwoEars) -> None:
        while (order := self._doubtful.get()) is not None:
            self._tell(Understood(order.recognize.ticket, self._opinion(ears, order)))

    def _opinion(self, ears: TwoEars, order: Order) -> Judgement:
        """Return what both ears make of it; what the first one did where the second one fails."""
        try:
            return second_opinion(ears, order, self._sense())
        except Exception:
            log.exception("the second ear failed; what the first one heard counts")
            return order.first.judgement
