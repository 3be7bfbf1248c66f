"""Learning from interaction: from a correction to a lesson that the person agreed to.

What happened -> what would be better -> rehearsal on a copy of the scene -> "Shall I remember that?" -> one
transaction in memory (Baermann et al. 2024, sec. 3.5; consent, rehearsal and scope are ours).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from daemon.console.consent import Consent, consent_in
from daemon.console.history import InteractionHistory, Turn
from daemon.memory.rules import Rule
from daemon.transcript import Step, render


class NoLesson(Exception):
    """There is nothing to learn here; the message says so to the person."""


@dataclass(frozen=True)
class Candidate:
    """A lesson that might be kept."""

    steps: tuple[Step, ...]
    """The improved transcript: the trigger first; results may be missing until it was rehearsed."""
    rule: Rule
    """The same in one plain sentence, with its scope."""


class Improver(Protocol):
    """Works out how it should have been done (L_improve)."""

    def improve(self, turns: Sequence[Turn]) -> Candidate:
        """A better way to do what the turns since the last lesson did; raises NoLesson."""
        ...


class Rehearsal(Protocol):
    """Tries a transcript on a copy of the scene as it was."""

    def __call__(self, steps: Sequence[Step], turn: Turn) -> tuple[Step, ...]:
        """Run the statements as if `turn` had just begun; returns them with results. Raises NoLesson if one fails."""
        ...


class Keep(Protocol):
    """Stores a lesson in one transaction."""

    def __call__(self, transcript: str, rule: Rule, heard: Sequence[str]) -> object: ...


class Lessons:
    """Draws lessons; the Learner of the conversation."""

    def __init__(self, improver: Improver, rehearse: Rehearsal, keep: Keep, confirm: bool) -> None:
        self._improver = improver
        self._rehearse = rehearse
        self._keep = keep
        self._confirm = confirm

    def use_improver(self, improver: Improver) -> None:
        """Work out improvements in another way from now on, since the model has changed."""
        self._improver = improver

    def learn(self, history: InteractionHistory, ask: Callable[[str], str], say: Callable[[str], None]) -> str:
        """Draw a lesson from the turns since the last one; nothing is kept without a yes."""
        turns = history.turns_since_lesson()
        try:
            if not turns:
                raise NoLesson("Nothing has happened since the last lesson.")
            candidate = self._improver.improve(turns)
            steps = self._rehearse(candidate.steps, turns[0])
        except NoLesson as reason:
            say(str(reason))
            return f"nothing learned: {reason}"
        heard = [turn.utterance for turn in turns]
        if self._confirm and not self._agreed(candidate.rule, ask, say):
            history.mark_learned()
            return "nothing learned: the person did not agree"
        self._keep(render(steps), candidate.rule, heard)
        history.mark_learned()
        say("Thank you, I will remember that.")
        return "learned"

    def _agreed(self, rule: Rule, ask: Callable[[str], str], say: Callable[[str], None]) -> bool:
        answer = consent_in(ask(f"{rule.text} Shall I remember that?"))
        if answer is Consent.UNCLEAR:
            answer = consent_in(ask("I did not understand. Shall I remember it, yes or no?"))
        if answer is not Consent.YES:
            say("All right, I will not remember it.")
        return answer is Consent.YES
