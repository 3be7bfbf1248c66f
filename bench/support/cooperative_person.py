"""A person who answers what heed asks before it acts, learns or forgets: yes to what they want, else no.

What they want is where the things of a case are to be in the end. A proposal is agreed to first. The case is said again
from its beginning, and the proposal gets a no, where something that it moved last is then where nobody wants it; or
where the case has not come right, and it changed nothing, or answered the last sentence and left out what was wanted.
Whether a lesson is to be kept or forgotten, the next sentence of the case answers where it is a yes or a no; else they
want the one rule that the case expects, or none where it expects that.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bench.support.whereabouts import moved, places, unwanted
from daemon.console.confidence_guard import ANOTHER, PROPOSAL
from daemon.console.learning.consent import Consent, consent_in

ASKED = tuple(form.split("{}") for form in (PROPOSAL, ANOTHER))
"""What stands before and behind a proposal."""
LESSON = re.compile(r"Shall I (remember|forget) (?:that|it)\?$")
"""How a question about a lesson ends."""


class CooperativePerson:
    """Has one conversation as often as it takes to know which proposals are wanted."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.proposals = 0
        """How many there were in the last conversation."""
        self.refused: set[int] = set()
        """Which of them get a no, by their number from 0."""
        self._case = case

    def begin(self, observe: Callable[[], Mapping[str, Any]]) -> None:
        """Have the conversation once more; `observe` returns what the robot sees, and knows of later, now."""
        self._observe, self.proposals = observe, 0
        self._at_first = self._before = observe()
        self._agreed_to: int | None = None
        self._moved_by: dict[str, int | None] = {}
        """Thing -> the proposal by which it was moved last; None where nobody was asked."""
        self._in_vain: list[int] = []
        """Proposals after which all was as before."""
        self._at_last: int | None = None
        """The proposal that was agreed to when all was said."""

    def answer(self, question: str, next_words: str = "") -> str | None:
        """Return the answer to a proposal, or about a lesson; None where the conversation itself answers.

        `next_words`: what it says next; "" where all is said.
        """
        self.look()
        if not any(question.startswith(before) and question.endswith(behind) for before, behind in ASKED):
            return self._about_lesson(question, next_words)
        number, self.proposals = self.proposals, self.proposals + 1
        if number in self.refused:
            return "no"
        self._agreed_to = number
        self._at_last = None if next_words else number
        return "yes"

    def _about_lesson(self, question: str, next_words: str) -> str | None:
        """The answer to whether a rule is to be remembered, or forgotten; None where the case tells of no rules."""
        asked = LESSON.search(question)
        if asked is None or ("rule" not in self._case and not self._case.get("no_rule")):
            return None
        to_forget = asked[1] == "forget"
        if consent_in(next_words, to_forget, freely=not to_forget) is not Consent.UNCLEAR:
            return None
        is_wanted = "rule" in self._case and bool(re.search(self._case["rule"], question, re.IGNORECASE))
        return "yes" if is_wanted is not to_forget else "no"

    def look(self) -> None:
        """See what was done since the last look."""
        now, agreed_to = self._observe(), self._agreed_to
        self._moved_by |= dict.fromkeys(moved(places(self._before), places(now)), agreed_to)
        self._in_vain += [agreed_to] if agreed_to is not None and now == self._before else []
        self._before, self._agreed_to = now, None

    def regrets(self, right: bool) -> bool:
        """Return whether a yes should have been a no: then the conversation, which is over, is to be had once more.

        `right`: whether all came as it should.
        """
        now = places(self._before)
        wrong = unwanted(self._case, moved(places(self._at_first), now))
        agreed_to = [number for name in wrong if (number := self._moved_by[name]) is not None]
        if not right and not agreed_to:
            left_out = any(now[name] != at for name, at in self._case.get("moved", {}).items())
            agreed_to = self._in_vain or [number for number in (self._at_last,) if number is not None and left_out]
        if agreed_to:
            regretted = min(agreed_to)
            self.refused = {number for number in self.refused if number < regretted} | {regretted}
        return bool(agreed_to)
