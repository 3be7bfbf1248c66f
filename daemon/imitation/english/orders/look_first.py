"""Look at an order before it is done: is it unclear, can it work, what would have to be put right first?

First stage, free: an order whose things are plainly named is held against what can never work, or is so already. Second
stage: one that describes a thing ("the clean cup", "the one left of the bowl") is examined (scene_answerer.py): put
in plain names, asked about, recovered from together with the person, or explained. The rest is the model's, and its
skills' preconditions'.
"""

import ast
import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Sequence

from daemon.console.executor import Outcome
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.model_answerer import ModelAnswerer, instructions, plan_by_model
from daemon.console.raider.precondition_questions import DONE_BY, QUESTIONS
from daemon.console.raider.surroundings import Surroundings, seen_by
from daemon.console.raider.tools import ASSISTIVE
from daemon.console.reading import Again, Script
from daemon.imitation.english.orders.clarification import one_that_will_do, which
from daemon.imitation.english.orders.first_stage import settle
from daemon.imitation.english.orders.order_reader import Order, in_names, read_order
from daemon.imitation.english.orders.recovery import RecoveryError, plan_from, recovering, with_answer
from daemon.imitation.english.orders.recovery_steps import statements_for
from daemon.imitation.english.orders.scene_answerer import SceneAnswerer
from daemon.imitation.english.orders.stage_choice import is_examined, is_looked_at
from daemon.imitation.english.teaching.consent_answers import plainly_asks
from daemon.imitation.english.teaching.corrections import TEACHING
from daemon.imitation.english.teaching.lesson_reader import names_in
from daemon.lexicon.thing_knowledge import spoken_name
from daemon.llm.model import LanguageModel
from skills.needs import Moment, Needs
from skills.scene import Scene
from skills.skill import SKILLS, SkillContext

log = logging.getLogger(__name__)


QUESTIONS_PER_ORDER = 2
"""How often heed asks what is meant before it leaves the order to the model."""


class LookFirst:
    """Looks at an order before the mind does: one that cannot work, or describes what it is about."""

    def __init__(
        self,
        policy: str,
        robot: SkillContext,
        timed: Callable[[int, float], None] = lambda stage, seconds: None,
        model: Callable[[], LanguageModel | None] = lambda: None,
    ) -> None:
        """`policy` is [console] look_first of config.toml; `timed` is told the stage, 1 or 2, and its seconds.

        `model` is asked, where there is one that follows instructions, about words that the scene does not explain.
        """
        self._model = model
        self._policy = policy
        self._robot = robot
        self._timed = timed

    def look(self, text: str) -> Script:
        """Find what an order means here; asked about where unclear, recovered from or explained where it cannot
        work.
        """
        return text if self._policy == "never" else (yield from self._examined(text))

    def _examined(self, text: str) -> Script:
        for _ in range(QUESTIONS_PER_ORDER):
            order = read_order(text)
            if not is_looked_at(order, names_in(self._scene())):
                return text
            finding, around = self._find_out(order)
            if finding is None:
                return text
            if finding.order and finding.order != text:
                text, order = finding.order, read_order(finding.order)
                yield f"say({f'I take it that I am to {text}.'!r})"
            if finding.final is Final.NONE:
                refused = self._never_works(order, finding.grounded)
                return (yield from _told(refused)) if refused else in_names(text, finding.grounded)
            if finding.final is not Final.AMBIGUITY:
                return (yield from self._recovered(text, order, finding))
            if chosen := one_that_will_do(order, finding.grounded, self._scene(), self._standing()):
                meant = f"the {spoken_name(chosen)}"
            else:
                meant = value((yield f"ask({which(order, finding.grounded, around)!r})"))
                if _is_no_answer(meant):
                    return Again(meant)
            text = with_answer(text, meant, finding.grounded)
        return text

    def _find_out(self, order: Order) -> tuple[Finding | None, Surroundings]:
        """Return what the first stage finds, or else the second; None for an order that is the model's."""
        around = seen_by(self._robot)
        finding = settle(order, around, ASSISTIVE, QUESTIONS)
        if finding is not None:
            self._timed(1, finding.seconds)
        elif is_examined(order, around, self._policy):
            finding = self._examine(order.text, around)
        return finding, around

    def _examine(self, text: str, around: Surroundings) -> Finding:
        finding = examine(text, around, ASSISTIVE, SceneAnswerer(ASSISTIVE, QUESTIONS))
        self._timed(2, finding.seconds)
        model = self._model()
        if finding.final is Final.UNFEASIBILITY and not finding.grounded and model and model.follows_instructions:
            by_model = examine(text, around, ASSISTIVE, ModelAnswerer(model, instructions(ASSISTIVE)))
            self._timed(2, by_model.seconds)
            finding = by_model if by_model.final is not None else finding
        log.info("looked first, %.1f ms: %s", 1000 * finding.seconds, finding.final)
        return finding

    def _never_works(self, order: Order, names: Sequence[str]) -> str:
        """Return what no step of the robot's could change, by the preconditions of the skill that the order ends in."""
        skill, parameters = DONE_BY[order.action]
        needs = SKILLS[skill].needs
        if not isinstance(needs, Needs) or len(names) < len(parameters):
            return ""
        now = Moment(self._scene(), self._robot.body.state(), dict(zip(parameters, names, strict=False)))
        began = time.perf_counter()
        refusal = needs.refusal(now, lasting=True)
        self._timed(1, time.perf_counter() - began)
        return f"I cannot do that: {refusal.message}." if refusal else ""

    def _recovered(self, text: str, order: Order, finding: Finding) -> Script:
        """Put right, with the person's help, what the explanation tells of; what only the model may know is its own."""
        if not finding.grounded and order.target is not None and order.target.purpose:
            return text
        began_at = self._here()
        steps = recovering(text, finding, self._plan(text, finding), self._examine_again, self._plan)
        try:
            do = next(steps)
            while not do.order:
                try:
                    outcome = yield from _done(statements_for(do, self._scene(), began_at))
                except RecoveryError as error:
                    do = steps.throw(error)
                else:
                    answer = value(outcome) if do.name == "ask" and outcome else ""
                    if _is_no_answer(answer):
                        return Again(answer)
                    do = steps.send(answer)
        except StopIteration:
            return None
        return in_names(do.order, do.arguments)

    def _plan(self, text: str, finding: Finding) -> list[str]:
        """From the explanation alone; by the model where that is in its own words."""
        model = self._model()
        if model is not None and model.follows_instructions and not finding.troubles:
            return plan_by_model(model, text, finding.final or Final.NONE, finding.explanation, ())
        return plan_from(text, finding)

    def _examine_again(self, text: str) -> Finding:
        return self._examine(text, seen_by(self._robot))

    def _scene(self) -> Scene:
        return Scene.from_observation(self._robot.observe())

    def _here(self) -> str:
        place = self._scene().location_at(*self._standing())
        return place.name if place else ""

    def _standing(self) -> tuple[float, float]:
        base = self._robot.body.state().base
        return base.x, base.y


def _told(words: str) -> Script:
    yield f"say({words!r})"
    return None


def _done(statements: Iterable[str]) -> Generator[str, Outcome, Outcome | None]:
    """Do these; returns how the last one ended. Raises RecoveryError for one that failed."""
    outcome = None
    for statement in statements:
        outcome = yield statement
        if not outcome.ok:
            raise RecoveryError(re.sub(r"^\w+: |\.? Hint: .*$", "", outcome.result))
    return outcome


def value(outcome: Outcome) -> str:
    """Return what ask() returned."""
    try:
        return str(ast.literal_eval(outcome.result)) if outcome.ok else ""
    except (ValueError, SyntaxError):
        return ""


def _is_no_answer(answer: str) -> bool:
    """Return whether somebody asks for something else, or teaches something, instead of answering."""
    return bool(TEACHING.search(answer)) or (plainly_asks(answer) and not _POINTS.search(answer))


_POINTS = re.compile(r"\b(?:one|ones|it|them|that)\b", re.IGNORECASE)
