"""What a mind calls to keep, change and forget what it is taught: memory by typed calls.

The mind reads the person's words; what code must obey later (a prohibition, a number, a name) is typed here, so that
nobody has to read English to obey it, and what only the mind must know is a sentence. The person hears the sentence,
made from both, and nothing is kept without a yes. An answer that is neither yes nor no goes back to the mind;
asked whether to forget, it is the next wish.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from daemon.console.builtins import Conversation
from daemon.console.learning.consent import Consent, consent_in, declines
from daemon.console.learning.learn_from_interaction import Keep
from daemon.console.learning.number_trial import Trial
from daemon.console.learning.told_routine import as_told
from daemon.console.learning.typed_rules import TypedRules
from daemon.memory.lesson import Lesson, LessonStatus
from daemon.memory.lesson_table import UnknownLessonError
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.rules import Rule
from daemon.memory.sentence_to_effect import routine_name
from daemon.names import forms, joined, mention, without_article
from daemon.transcript import Step, render
from skills.scene import Scene
from skills.skill import Observation, Skill, SkillError

NOT_KEPT = "nothing was kept"
ANSWERED = f"{NOT_KEPT}: the person answered"
"""How an error begins that tells what was said instead of yes or no."""
NOT_REMEMBERED = "All right, I will not remember it."
KEPT = "All right, I keep it."
"""Said where nothing is forgotten."""


class Book(Protocol):
    """Where lessons are kept."""

    def lesson(self, id: int) -> Lesson: ...
    def lessons(self) -> list[Lesson]: ...
    def forget(self, id: int) -> Lesson: ...


class Teaching:
    """Functions for the console; each asks the person before anything is kept or forgotten."""

    def __init__(
        self,
        conversation: Conversation,
        keep: Keep,
        book: Book,
        observe: Callable[[], Observation],
        trial: Trial,
        confirm: bool = True,
    ) -> None:
        """`keep` stores a lesson, `book` holds what was kept, and `trial` tries a number first.

        Without `confirm` nobody is asked (config.toml).
        """
        self._conversation = conversation
        self._keep = keep
        self._book = book
        self._observe = observe
        self._trial = trial
        self._confirm = confirm

    def remember(self, rule: str, applies_to: str = "", who: str = "", when: str = "") -> str:
        """Keep a rule for the next time; who='me' or a name, else for all."""
        return self._offer(self._typed.remember(rule, applies_to, who, when))

    def forbid(self, thing: str, place: str = "", who: str = "", why: str = "", touch: bool = False) -> str:
        """Never bring, touch or use it. A thing is never brought, with touch=True not even touched; a skill is never
        used. A place tells where a thing is never put, or a skill never used: forbid('open_door', place='oven').
        """
        return self._offer(self._typed.forbid(thing, place, who, why, touch))

    def prefer(self, skill: str, value: float, thing: str = "", start: str = "", end: str = "") -> str:
        """Keep a number, such as prefer('move_to', 0.5, end='sink'): the speed of move_to() with a
        thing or from start to end, of open_door() or close_door() at end; grasp() by so many metres higher on a thing;
        'pull' by so many metres further at end.
        """
        rule = self._typed.prefer(skill, value, thing, start, end)
        self._trial.require(skill, value, thing, end)
        return self._offer(rule)

    def call_it(self, name: str, meaning: str) -> str:
        """Keep another name."""
        return self._offer(self._typed.call_it(name, meaning))

    def routine(self, name: str, steps: str) -> str:
        """Keep steps in words; the same name replaces."""
        rule = self._typed.routine(name, steps)
        known = {routine_name(lesson.rule.text).casefold() for lesson in self._book.lessons()}
        if routine_name(rule.text).casefold() in known or self._was_corrected:
            return self._offer(rule)  # what was said is perhaps only what changes
        scene = Scene.from_observation(self._observe())
        told = as_told(without_article(name), steps, self._conversation.history.words, scene)
        return self._offer(self._typed.routine(name, told))

    def forget(self, lesson: int) -> str:
        """Forget that rule."""
        known = self._named(self._known(lesson))
        require_yes_to_forget(self._conversation, f"{known.rule.text} Shall I forget that?")
        self._written(lambda: self._book.forget(known.id))
        self._conversation.say("I have forgotten it.")
        return "success"

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return what the console offers."""
        return {skill.name: getattr(self, skill.name) for skill in TEACHING}

    @property
    def _was_corrected(self) -> bool:
        """Return whether a lesson was offered since the words, and the person said more than yes or no."""
        turn = self._conversation.history.current_turn
        return turn is not None and any(ANSWERED in step.result for step in turn.steps)

    @property
    def _typed(self) -> TypedRules:
        return TypedRules(Scene.from_observation(self._observe()), self._conversation.speaker)

    def _known(self, number: int) -> Lesson:
        """Return a rule that holds. Raises SkillError for one that was forgotten, or replaced, and for none."""
        try:
            known = self._book.lesson(int(number))
        except UnknownLessonError as error:
            raise SkillError(f"there is no learned rule {number}", "the comments tell the numbers") from error
        if known.superseded_by is not None:
            newer = known.superseded_by
            raise SkillError(f"rule {number} holds no more: rule {newer} took its place", f"forget({newer})")
        if known.status is not LessonStatus.ACTIVE:
            raise SkillError(f"rule {number} is forgotten already", "the comments tell the numbers")
        return known

    def _named(self, known: Lesson) -> Lesson:
        """Return the rule itself, or the only other one that speaks of what the person names; the question tells which.

        Raises SkillError where several others do.
        """
        scene = Scene.from_observation(self._observe())
        named = _spoken_of(self._conversation.history.words, scene)
        telling = [lesson for lesson in self._book.lessons() if _spoken_of(lesson.rule.text, scene) & named]
        if not telling or known.id in (lesson.id for lesson in telling):
            return known
        if len(telling) == 1:
            return telling[0]
        numbers = joined([str(lesson.id) for lesson in telling])
        raise SkillError(f"rule {known.id} says nothing of that, rules {numbers} do", "ask which one, by its words")

    def _offer(self, rule: Rule) -> str:
        if any(_say_the_same(rule, known.rule) for known in self._book.lessons()):
            self._conversation.say("I know that already.")
            return "success"
        if self._confirm:
            require_yes(self._conversation, f"{rule.text} Shall I remember that?", NOT_REMEMBERED)
        self._written(lambda: self._keep(self._shown(), rule, [turn.utterance for turn in self._turns()]))
        self._conversation.history.mark_learned()
        self._conversation.say("Thank you, I will remember that.")
        return "success"

    def _written(self, change: Callable[[], object]) -> None:
        """Change what is kept. Raises SkillError where the disk takes nothing."""
        try:
            change()
        except MemoryFileError as error:
            raise SkillError(
                f"I could not write that down: {error}", "tell the person that my disk may be full"
            ) from error

    def _turns(self) -> Sequence[Any]:
        history = self._conversation.history
        return history.turns_since_lesson() or history.turns[-1:]

    def _shown(self) -> str:
        """The transcript of how it was taught, by which the lesson is found again."""
        return render([self._turns()[0].steps[0], Step("learn_from_interaction()", "'learned'")])


def _spoken_of(text: str, scene: Scene) -> set[str]:
    """Return the names of the things and places of a scene that a text speaks of."""
    ways = {thing.name: (thing.name, *thing.aliases) for thing in scene.objects}
    ways |= {place.name: (place.name, *place.aliases) for place in scene.locations}
    return {name for name, called in ways.items() if any(mention(form, text) for way in called for form in forms(way))}


def _say_the_same(one: Rule, other: Rule) -> bool:
    """Return whether two rules are one: of two places with one name each has its own, in the same words."""
    return one.text.casefold() == other.text.casefold() and one.effect == other.effect


def require_yes(conversation: Conversation, question: str, declined: str) -> None:
    """Ask the person, and return after a yes. Raises SkillError for anything else, with an answer that says more."""
    answer = _answer_but_yes(conversation, question, declined)
    if answer:
        raise SkillError(f"{ANSWERED} {answer!r}", "call it again as they want it, or answer them")


def require_yes_to_forget(conversation: Conversation, question: str) -> None:
    """Ask as require_yes() does; what is neither yes nor no is another wish, which is heard next."""
    answer = _answer_but_yes(conversation, question, KEPT, to_forget=True)
    if not answer:
        return
    if consent_in(answer, to_forget=True) is Consent.NO or consent_in(answer.split()[0]) is Consent.YES:
        raise SkillError(
            f"the rule stays: the person answered {answer!r}", "call it again as they want it, or answer them"
        )
    conversation.say(KEPT)
    conversation.hear_again(answer)
    raise SkillError("the rule stays: the person wants something else, and says so next", "wait for that")


def _answer_but_yes(conversation: Conversation, question: str, declined: str, to_forget: bool = False) -> str:
    """Return an answer that says more than yes or no; "" for a yes. Raises SkillError for a no, and for none."""
    answer = conversation.ask_for_a_while(question)
    freely = not to_forget
    if consent_in(answer, to_forget, freely) is Consent.YES:
        return ""
    if declines(answer, to_forget, freely) or not answer.strip():
        conversation.say(declined)
        raise SkillError(
            f"{NOT_KEPT}: the person said {answer or 'nothing'!r}", "go on with what else was wanted, if anything"
        )
    return answer


TEACHING = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (
        Teaching.remember,
        Teaching.forbid,
        Teaching.prefer,
        Teaching.call_it,
        Teaching.routine,
        Teaching.forget,
    )
)
"""The same in the form of skills, for the API text, the stubs and the executor."""
