"""RAIDER before a mind that leads: what its calls need is found out before an arm moves.

Such a mind grounds an order by naming what it calls a skill for, so that no English is read here. First stage: the
questions that such a call raises (precondition_questions.py) are asked of the scene, in microseconds; trouble goes back
to the mind as an error line. Second stage, for what that does not settle: which of several is meant, where the words
do not tell and the wrong one does harm. A mind that follows instructions examines the order itself, with grounded tools
(flow.py); for one that does not, the scene tells what may be meant.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from daemon.console.history import InteractionHistory
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.model_answerer import ModelAnswerer, instructions
from daemon.console.raider.precondition_questions import DONE_BY, QUESTIONS, Deed, answered, ask_all
from daemon.console.raider.reasons import Because, Trouble
from daemon.console.raider.surroundings import seen_by
from daemon.console.raider.tools import ASSISTIVE, ToolError
from daemon.lexicon.harm import Known, harms_if_mixed_up
from daemon.lexicon.small_words import small_words
from daemon.lexicon.thing_knowledge import spoken_name
from daemon.llm.model import LanguageModel, is_taught
from daemon.names import SEPARATORS, forms, head, joined, mention, spoken
from daemon.transcript import Step, help_in
from skills.scene import Scene, Thing
from skills.skill import Skill, SkillContext, SkillError

Function = Callable[..., Any]
TELL = "say so, and do nothing else"
"""The hint where no call of the robot's helps."""
HELPS: Mapping[Because, str] = {
    Because.COVERED: "grasp({obstacle!r})",
    Because.OCCUPIED: "grasp({obstacle!r})",
    Because.LOCKED: "ask('The {thing} is locked. Could you unlock it, please?')",
}
"""What to call first where a trouble can be put right."""

LEFT_TO_THE_SKILL = (Because.ALREADY, Because.OCCUPIED)
"""A door that is open already it leaves so, and of room it knows more than the names of things tell."""


RECENT = 4
"""Turns, the last one included, whose things are still spoken of."""


class Examination:
    """Stands before the skills that an order ends in, while a mind leads."""

    def __init__(
        self,
        policy: str,
        robot: SkillContext,
        history: Callable[[], InteractionHistory],
        mind: Callable[[], LanguageModel],
        timed: Callable[[int, float], None] = lambda stage, seconds: None,
        rules: Callable[[], Sequence[str]] = lambda: (),
    ) -> None:
        """`policy` is [console] look_first of config.toml; `timed` is told the seconds of stage 2.

        `history` has the words that are being acted on, and those before them; `rules` are what was learned.
        """
        self._policy = policy
        self._robot = robot
        self._history = history
        self._mind = mind
        self._timed = timed
        self._rules = rules
        self._settled: tuple[str, frozenset[str]] = ("", frozenset())
        """Words, and the things that were found to be meant by them."""

    def guarded(self, functions: Mapping[str, Function], skills: Mapping[str, Skill]) -> dict[str, Function]:
        """Return the functions, those of skills that an order ends in with the examination before them."""
        ends = {skill: action for action, (skill, _) in DONE_BY.items()}
        return {
            name: self._before(ends[name], skills[name], call) if name in ends else call
            for name, call in functions.items()
        }

    def _before(self, action: str, skill: Skill, function: Function) -> Function:
        def call(*arguments: Any, **named: Any) -> Any:
            if self._policy != "never" and self._mind().leads:
                given = skill.given(arguments, named)
                self._examine(action, *(given.get(name, "") for name in DONE_BY[action][1]))
            return function(*arguments, **named)

        return call

    def _examine(self, action: str, target: str, place: str = "") -> None:
        """Raise SkillError for what speaks against a deed; names that nobody knows are left to the skill."""
        scene = Scene.from_observation(self._robot.observe())
        try:
            deed = Deed(action, scene.target(target).name if action != "pick" else scene.object(target).name,
                        scene.target(place).name if place else "")  # fmt: skip
            troubles = answered(ask_all(deed, QUESTIONS[action]), seen_by(self._robot), ASSISTIVE)
        except (SkillError, ToolError):
            return
        for trouble in troubles:
            if trouble.because not in LEFT_TO_THE_SKILL:
                raise SkillError(trouble.text.rstrip("."), _help(trouble))
        if action == "pick":
            self._make_sure(scene, scene.object(deed.target))

    def _make_sure(self, scene: Scene, thing: Thing) -> None:
        """Raise SkillError where another thing may be meant, and taking the wrong one does harm."""
        words = self._history().words
        alike = [other for other in scene.objects if other.name != thing.name and self._may_be_meant(thing, other)]
        if not alike or self._is_settled(words, thing, alike):
            return
        mind = self._mind()
        if mind.follows_instructions and not is_taught(mind):
            self._examined_by(mind, words, thing, alike)
        else:
            _ask_which([thing, *alike])
        known = self._settled[1] if self._settled[0] == words else frozenset[str]()
        self._settled = (words, known | {thing.name})

    def _may_be_meant(self, thing: Thing, other: Thing) -> bool:
        if self._policy == "always" and head(thing.name) == head(other.name):
            return True
        return harms_if_mixed_up(_known(thing), _known(other))

    def _is_settled(self, words: str, thing: Thing, alike: Sequence[Thing]) -> bool:
        """Return whether words name this thing alone, or a person was asked, or it was examined.

        What was spoken of or handled just before is meant by "them", and what a rule names by what it is about.
        """
        turns = self._history().turns[-RECENT:]
        asked = bool(turns) and any(_tells_which(*steps) for steps in pairwise(turns[-1].steps))
        own = _told_of(thing) - {told for other in alike for told in _told_of(other)}
        before = [text for turn in turns[:-1] for text in (turn.utterance, *(step.statement for step in turn.steps))]
        told = [words, *map(spoken, before), *self._rules()]
        named = any(mention(name, text) for name in own for text in told)
        return asked or named or (self._settled[0] == words and thing.name in self._settled[1])

    def _examined_by(self, mind: LanguageModel, words: str, thing: Thing, alike: Sequence[Thing]) -> None:
        around = seen_by(self._robot)
        finding = examine(words, around, ASSISTIVE, ModelAnswerer(mind, instructions(ASSISTIVE)))
        self._timed(2, finding.seconds)
        if finding.final is Final.UNFEASIBILITY:
            raise SkillError(finding.explanation.rstrip("."), TELL)
        if finding.final is not Final.NONE or not _means(finding, thing):
            _ask_which([thing, *alike])


def _tells_which(before: Step, step: Step) -> bool:
    """Return whether a step asks a person for more than the help that the step before it needs."""
    return step.asks and step.statement != help_in(before.error or "")


def _known(thing: Thing) -> Known:
    return Known.from_state((thing.name, *thing.aliases, thing.category), thing.state)


def _told_of(thing: Thing) -> set[str]:
    """Return its names, the parts of them, and the states that hold, in words."""
    states = {name if value is True else str(value) for name, value in thing.state.items() if value is not False}
    told = (*forms(thing.name), *SEPARATORS.split(thing.name), *thing.aliases, *states)
    parts = (word for alias in thing.aliases for word in alias.lower().split())
    return {name.lower() for name in told} | {part for part in parts if part not in small_words("names nothing")}


def _means(finding: Finding, thing: Thing) -> bool:
    return spoken_name(thing.name) in map(spoken_name, finding.grounded)


def _ask_which(things: Sequence[Thing]) -> NoReturn:
    names = joined([f"the {spoken_name(thing.name)}" for thing in things], "or")
    raise SkillError(f"it may be {names}, and the wrong one could do harm", f"ask('Which one do you mean: {names}?')")


def _help(trouble: Trouble) -> str:
    return HELPS.get(trouble.because, TELL).format(**trouble.slots)
