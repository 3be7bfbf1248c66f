"""What is settled before the model is asked: tasks that have a name, and orders that are unclear or cannot work.

An order whose things are plainly named is the model's, and its skills' preconditions', at no cost. One that describes a
thing ("the clean cup", "the one left of the bowl") is examined (daemon/console/raider): it is put in plain names, asked
about, or explained.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from daemon.console.raider.by_scene import SceneAnswerer
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.order import Order, Phrase, read_order
from daemon.console.raider.questions import Question, can_be, condition_holds, is_not_yet, is_sensible
from daemon.console.raider.reasons import Because
from daemon.console.raider.recovery import with_answer
from daemon.console.raider.surroundings import Surroundings, of_scene
from daemon.console.raider.things import knowledge, spoken_name, words_of
from daemon.console.raider.tools import HOUSEHOLD
from daemon.console.tasks import Tasks
from skills.scene import Scene
from skills.skill import Observation

log = logging.getLogger(__name__)

WAIT = "wait_for_trigger()"
QUESTIONS_PER_ORDER = 2
"""How often heed asks what is meant before it leaves the order to the model."""
MOBILE: dict[str, Sequence[Question]] = {
    "pick": (condition_holds, can_be("pickupable", Because.CANNOT_PICK)),
    "place": (condition_holds, can_be("receptacle", Because.CANNOT_HOLD), is_sensible),
    "open": (condition_holds, can_be("openable", Because.CANNOT_OPEN), is_not_yet("open", True)),
    "close": (condition_holds, can_be("openable", Because.CANNOT_OPEN), is_not_yet("open", False)),
}
"""What is asked for a robot that drives and opens doors by itself: reach and doors are its skills' concern."""


@dataclass(frozen=True)
class FirstLook:
    """What came of it."""

    meaning: str
    """The order, as it is to be understood."""
    statements: tuple[str, ...] = ()
    """What to do instead of asking the model; empty where the model is to think."""


class First(Protocol):
    """Looks at what was said before the model does."""

    def look(self, text: str) -> FirstLook: ...


class ThinkAtOnce:
    """The First of a console in which the model decides everything."""

    def look(self, text: str) -> FirstLook:
        return FirstLook(text)


class LookFirst:
    """Tasks by name, and orders that describe what they are about."""

    def __init__(
        self,
        policy: str,
        observe: Callable[[], Observation],
        ask: Callable[[str], str],
        tasks: Tasks | None = None,
    ) -> None:
        """`policy` is [console] look_first of config.toml."""
        self._policy = policy
        self._observe = observe
        self._ask = ask
        self._tasks = tasks

    def look(self, text: str) -> FirstLook:
        """What an utterance means here, asked about where it is unclear."""
        if self._tasks is not None and (statements := self._tasks.statements(text)) is not None:
            return FirstLook(text, (*statements, WAIT))
        if self._policy == "never":
            return FirstLook(text)
        for _ in range(QUESTIONS_PER_ORDER):
            order = read_order(text)
            if not self._is_to_examine(order):
                return FirstLook(text)
            around = of_scene(Scene.from_observation(self._observe()))
            if self._policy != "always" and _is_clear(order, around):
                return FirstLook(text)
            finding = examine(text, around, HOUSEHOLD, SceneAnswerer(HOUSEHOLD, MOBILE))
            log.info("looked first, %.1f ms: %s", 1000 * finding.seconds, finding.final)
            if finding.final is Final.NONE:
                return FirstLook(_in_names(text, order, finding))
            if finding.final is not Final.AMBIGUITY:
                return FirstLook(text, self._explained(finding, order))
            answer = self._ask(which(order, finding.grounded, around))
            text = with_answer(text, answer)
        return FirstLook(text)

    def _is_to_examine(self, order: Order) -> bool:
        phrases = [phrase for phrase in (order.target, order.place) if phrase is not None]
        if order.action not in MOBILE or not phrases or any(_SEVERAL.search(phrase.text) for phrase in phrases):
            return False
        return self._policy == "always" or any(_describes(phrase) for phrase in phrases)

    def _explained(self, finding: Finding, order: Order) -> tuple[str, ...]:
        """An explanation to be said; nothing where the order may be about something that only the model knows."""
        words = finding.explanation
        unknown = not finding.grounded and order.target is not None and order.target.purpose
        return () if unknown else (f"say({words!r})", WAIT)


def which(order: Order, options: Sequence[str], around: Surroundings) -> str:
    """The question which of the options is meant, by what tells them apart: "the clean one or the dirty one"."""
    noun = order.target.noun.split()[-1] if order.target and order.target.noun else "one"
    told = [_told_apart(name, options, around) for name in options]
    listed = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} or {told[-1]}"
    return f"Which {noun} do you mean, {listed}?"


def _told_apart(name: str, options: Sequence[str], around: Surroundings) -> str:
    """By its kind, else by a state, else by its place, that no other option has; else by its name."""
    items = {option: around.item(option) for option in options}
    own = items[name]
    others = [item for option, item in items.items() if option != name and item is not None]
    if own is None:
        return f"the {spoken_name(name)}"
    kinds = [_without_number(option) for option in options]
    if len(set(kinds)) == len(kinds):
        return f"the {spoken_name(name)}"
    for key, value in own.state.items():
        if all(other.state.get(key) != value for other in others):
            return f"the {_state_word(key, value)} one"
    for relation, place in own.relations:
        if relation in ("inside", "on_top_of") and all((relation, place) not in other.relations for other in others):
            return f"the one {'in' if relation == 'inside' else 'on'} the {spoken_name(place)}"
    return f"the {spoken_name(name)}"


def _describes(phrase: Phrase) -> bool:
    """Whether words say more of a thing than its name."""
    return bool(phrase.demands or phrase.relations or phrase.number or phrase.nearest is not None)


def _is_clear(order: Order, around: Surroundings) -> bool:
    """Whether a description adds nothing but where the only thing of that name is: that is the model's to check."""
    for phrase in (order.target, order.place):
        if phrase is None or not _describes(phrase):
            continue
        called = [item for item in around.items if knowledge().is_called(phrase.noun, item.name)]
        only_where = all(relation == "from" for relation, _ in phrase.relations)
        if not only_where or len(called) != 1 or phrase.demands or phrase.number or phrase.nearest is not None:
            return False
    return True


def _in_names(text: str, order: Order, finding: Finding) -> str:
    """The order with names in the place of descriptions."""
    for phrase, name in zip((order.target, order.place), finding.grounded, strict=False):
        if phrase is not None and _describes(phrase):
            text = text.replace(phrase.text, f"the {spoken_name(name)}", 1)
    return text


def _without_number(name: str) -> tuple[str, ...]:
    words = words_of(name)
    return words[:-1] if len(words) > 1 and words[-1].isdigit() else words


def _state_word(key: str, value: object) -> str:
    if isinstance(value, bool):
        words = {"dirty": ("dirty", "clean"), "filled": ("full", "empty"), "open": ("open", "closed"),
                 "sliced": ("sliced", "whole"), "on": ("lit", "dark")}.get(key, (key, f"not {key}"))  # fmt: skip
        return words[0] if value else words[1]
    return str(value)


_SEVERAL = re.compile(r"\b(?:and|then|all|both|every|each|some of|two|three|four)\b|[,;]", re.IGNORECASE)
"""Orders about several things, or of several parts, are the model's."""
