"""Learning from interaction: from a correction to a lesson that the person agreed to.

What happened -> what would be better -> rehearsal on a copy of the scene -> "Shall I remember that?" -> one
transaction in memory (Baermann et al. 2024, sec. 3.5; consent, rehearsal and scope are ours).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from daemon.console.history import InteractionHistory, Turn
from daemon.console.learning.consent import Consent, consent_in
from daemon.console.learning.no_lesson import Interrupted, NoLesson, Unclear
from daemon.console.reading import Reader, Verbatim
from daemon.memory.effect_rules import only_at, only_for, rule_of
from daemon.memory.effects import Closing, Effect
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.number_rules import Parameter
from daemon.memory.rules import Rule
from daemon.transcript import Step, render
from skills.scene import Scene

Ask = Callable[[str], str]
Say = Callable[[str], None]
LEARNED = "learned"


@dataclass(frozen=True)
class Candidate:
    """A lesson that might be kept."""

    effect: Effect | Rule
    """What changes; a rule of no known form where a model worked it out."""
    turn: Turn | None
    """The request that would have been done otherwise; None where nothing of that kind was asked yet."""
    scene: Scene = field(default_factory=lambda: Scene((), ()))
    """As it is now, for the names in it."""
    steps: tuple[Step, ...] = ()
    """The improved transcript, the trigger first, where it is known; else it is found by imagining the request."""
    person: str = ""
    """For whom alone it is meant; "" for everybody."""
    time: str = ""
    """At what time alone it is meant, "in the evening"; "" for always."""

    @property
    def rule(self) -> Rule:
        rule = only_at(self.time, self.effect if isinstance(self.effect, Rule) else rule_of(self.effect))
        return only_for(self.person, rule) if self.person else rule


class Improver(Protocol):
    """Works out how it should have been done (L_improve)."""

    def improve(self, turns: Sequence[Turn], correction: str | None = None) -> Sequence[Candidate]:
        """Return better ways to do what was done since the last lesson: one for each that was said, at least one.

        Raises NoLesson, Unclear to be told more.
        """
        ...


class Rehearsal(Protocol):
    """Tries a lesson on a copy of the scene as it was."""

    def __call__(self, steps: Sequence[Step], turn: Turn) -> tuple[Step, ...]:
        """Run the statements as if `turn` had just begun; returns them with results. Raises NoLesson if one fails."""
        ...

    def perform(self, turn: Turn, rule: Rule) -> tuple[Step, ...]:
        """Return what the brain would do about the turn's request if it knew the rule.

        Raises NoLesson if that fails.
        """
        ...


class Keep(Protocol):
    """Stores a lesson in one transaction, and retires those that it replaces. Raises MemoryFileError."""

    def __call__(self, transcript: str, rule: Rule, heard: Sequence[str]) -> object: ...


class Lessons:
    """Draws lessons; the Learner of the conversation."""

    def __init__(
        self,
        improver: Improver,
        rehearse: Rehearsal,
        keep: Keep,
        confirm: bool,
        reader: Reader | None = None,
        who: Callable[[], str] = lambda: "",
    ) -> None:
        """`reader` reads answers that are neither yes nor no; `who` finds out who speaks, "" for nobody known."""
        self._improver = improver
        self._rehearse = rehearse
        self._keep = keep
        self._confirm = confirm
        self._reader = reader or Verbatim()
        self._who = who

    def learn(self, history: InteractionHistory, ask: Ask, say: Say) -> str:
        """Draw the lessons of the turns since the last one; nothing is kept without a yes to each.

        Raises Interrupted where somebody asks for something else instead of answering.
        """
        turns = history.turns_since_lesson()
        try:
            if not turns:
                raise NoLesson("Nothing has happened since the last lesson.")
            outcomes = [self._agree_on(candidate, turns, ask, say) for candidate in self._work_out(turns, ask)]
        except Interrupted as another:
            say(str(another))
            history.mark_learned()
            raise
        except NoLesson as reason:
            outcomes = [_refused(reason, say)]
        except MemoryFileError as error:  # what was said stays open: it can be asked for again
            say("I could not write that down, so I will not remember it. My disk may be full.")
            return f"nothing learned: {error}"
        history.mark_learned()
        return next((outcome for outcome in outcomes if outcome == LEARNED), outcomes[0])

    def _agree_on(self, candidate: Candidate, turns: Sequence[Turn], ask: Ask, say: Say) -> str:
        """Try a lesson, ask about it, keep it; returns what came of it. Raises Interrupted, MemoryFileError."""
        try:
            if self._reader.for_speaker_alone(turns[-1].utterance):
                candidate = self._for_teacher_alone(candidate, turns[-1])
            steps = self._try(candidate, turns[-1])
            while self._confirm and (change := self._answer(candidate, turns[-1], ask)) is not None:
                candidate = change
                steps = self._try(candidate, turns[-1])
        except Interrupted:
            raise
        except NoLesson as reason:
            return _refused(reason, say)
        self._keep(render(steps), candidate.rule, [turn.utterance for turn in turns])
        say("Thank you, I will remember that.")
        return LEARNED

    def _work_out(self, turns: Sequence[Turn], ask: Ask) -> Sequence[Candidate]:
        """Return what to learn; where it is unclear, the person is asked once, and "never the milk" is an answer."""
        try:
            return self._improver.improve(turns)
        except Unclear as question:
            answer = ask(str(question))
        try:
            return self._improver.improve(turns, answer)
        except Unclear as still:
            if consent_in(answer) is Consent.NO:
                raise NoLesson("All right, I will not remember anything.") from still
            raise NoLesson(
                "I am not sure what I should do differently. Ask me to do it as you like it, and then to remember it."
            ) from still

    def _try(self, candidate: Candidate, teaching: Turn) -> tuple[Step, ...]:
        """The transcript to keep; what was worked out is rehearsed, and repaired once by imagining the request."""
        as_taught = (teaching.steps[0], Step("learn_from_interaction()", "'learned'"))
        if candidate.turn is None:
            return as_taught
        if candidate.steps:
            try:
                return self._rehearse(candidate.steps, candidate.turn)
            except NoLesson:
                if isinstance(candidate.effect, Rule):
                    raise
        steps = self._rehearse.perform(candidate.turn, candidate.rule)
        if steps[1:] == candidate.turn.steps[1:] and steps[0].meaning == candidate.turn.steps[0].meaning:
            if isinstance(candidate.effect, Parameter | Closing):  # it was not needed in that turn; nobody complained
                return as_taught
            raise NoLesson("I imagined that, and it would not change what I do. Tell me what should be different.")
        return steps

    def _answer(self, candidate: Candidate, teaching: Turn, ask: Ask) -> Candidate | None:
        """None for a yes, another candidate for a change in words; anything else is NoLesson."""
        question = f"{candidate.rule.text} Shall I remember that?"
        for _ in range(2):
            answer = ask(question)
            consent = consent_in(answer)
            if consent is Consent.YES:
                return None
            if consent is Consent.UNCLEAR and self._reader.asks_otherwise(answer):
                raise Interrupted(answer)
            if self._reader.for_speaker_alone(answer) and not candidate.person:
                return self._for_teacher_alone(candidate, teaching)
            if (time := self._reader.narrowed_to(answer)) and not candidate.time:
                return replace(candidate, time=time)
            if isinstance(candidate.effect, Rule) is False and (
                other := self._reader.changed(candidate.effect, answer, candidate.scene)
            ):
                return replace(candidate, effect=other, steps=())
            if consent is Consent.NO or not answer.strip():
                break
            if consent_in(answer, freely=True) is Consent.YES:
                return None
            question = "I did not understand. Shall I remember it, yes or no?"
        raise NoLesson("All right, I will not remember it.")

    def _for_teacher_alone(self, candidate: Candidate, teaching: Turn) -> Candidate:
        """The same for nobody but who teaches it. Raises NoLesson where they give no name."""
        who = teaching.steps[0].speaker or self._who()
        if not who:
            raise NoLesson(
                "I do not know who you are, so I cannot keep that for you alone. Say my name is, and your name."
            )
        return replace(candidate, person=who)


def _refused(reason: NoLesson, say: Say) -> str:
    say(str(reason))
    return f"nothing learned: {reason}"
