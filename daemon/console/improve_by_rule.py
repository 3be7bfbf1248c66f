"""The Improver that needs no model: it rearranges what was done, for corrections of the forms people use most.

"both at once", "in one go", "you have two hands"  -> the deliveries of the last turns become one trip
"also", "always", "without me having to ask", "remember that"  -> later deliveries join the first request
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from daemon.console.history import Turn
from daemon.console.lesson import Candidate, NoLesson
from daemon.memory.rules import Rule, RuleKind, Scope
from daemon.transcript import Step

AT_ONCE = re.compile(
    r"\b(at once|at the same time|together|both|two hands|both hands|one trip|one go|single trip)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Delivery:
    """One object brought from one place to another."""

    object: str
    category: str
    source: str
    behind_door: bool
    target: str
    handed_over: bool


class RuleImprover:
    """Improves what was done by rule; honest where it cannot."""

    def improve(self, turns: Sequence[Turn]) -> Candidate:
        """A better way for the first request; raises NoLesson where nothing that was done explains the correction."""
        correction = turns[-1].utterance
        deliveries = _last_of_each(delivery for turn in turns for delivery in deliveries_in(turn))
        if len(deliveries) < 2:
            raise NoLesson(
                "I am not sure what I should do differently. Ask me to do it as you like it, and then to remember it."
            )
        first = next(turn for turn in turns if deliveries_in(turn))
        at_once = bool(AT_ONCE.search(correction)) and len({d.target for d in deliveries}) == 1
        program = _in_one_trip(deliveries[:2]) if at_once else []
        rest = deliveries[2:] if at_once else deliveries
        program += [statement for delivery in rest for statement in _one_by_one(delivery)]
        trigger = f"{{'type': 'dialog', 'text': {first.utterance!r}}}"
        steps = [Step("wait_for_trigger()", trigger), Step("list_objects()"), *map(Step, program)]
        steps.append(Step(f"say({_announcement(deliveries)!r})"))
        return Candidate(tuple(steps), _rule(first.utterance, deliveries, at_once))


def deliveries_in(turn: Turn) -> list[Delivery]:
    """What was brought where in a turn, read from its successful statements."""
    found: list[Delivery] = []
    here, opened = "", set()
    taken: dict[str, tuple[str, bool]] = {}
    categories = _categories(turn.steps)
    for name, arguments in _calls(turn.steps):
        if name == "move_to":
            here = arguments[0]
        elif name == "open_door":
            opened.add(arguments[0])
        elif name == "grasp":
            taken[arguments[0]] = (here, here in opened)
        elif name in ("handover", "place") and arguments[0] in taken:
            source, behind_door = taken.pop(arguments[0])
            target = here if name == "handover" else arguments[1]
            category = categories.get(arguments[0], "")
            found.append(Delivery(arguments[0], category, source, behind_door, target, name == "handover"))
    return found


def _last_of_each(deliveries: Iterable[Delivery]) -> list[Delivery]:
    """One delivery per object, the last one: what was put elsewhere afterwards was a correction."""
    by_object: dict[str, Delivery] = {}
    for delivery in deliveries:
        earlier = by_object.get(delivery.object)
        source = earlier or delivery
        by_object[delivery.object] = Delivery(
            delivery.object,
            delivery.category,
            source.source,
            source.behind_door,
            delivery.target,
            delivery.handed_over,
        )
    return list(by_object.values())


def _in_one_trip(deliveries: Sequence[Delivery]) -> list[str]:
    program: list[str] = []
    for delivery, hand in zip(deliveries, ("left", "right"), strict=False):
        program += _fetch(delivery, f", hand={hand!r}")
    program.append(f"move_to({deliveries[0].target!r})")
    return program + [_release(delivery) for delivery in deliveries]


def _one_by_one(delivery: Delivery) -> list[str]:
    return [*_fetch(delivery, ""), f"move_to({delivery.target!r})", _release(delivery)]


def _fetch(delivery: Delivery, hand: str) -> list[str]:
    grasp = f"grasp({delivery.object!r}{hand})"
    if not delivery.behind_door:
        return [f"move_to({delivery.source!r})", grasp]
    door = repr(delivery.source)
    return [f"move_to({door})", f"open_door({door})", grasp, f"close_door({door})"]


def _release(delivery: Delivery) -> str:
    if delivery.handed_over:
        return f"handover({delivery.object!r})"
    return f"place({delivery.object!r}, {delivery.target!r})"


def _rule(request: str, deliveries: Sequence[Delivery], at_once: bool) -> Rule:
    first, *others = deliveries
    asked = re.search(rf"\b{re.escape(first.object)}\b", request, re.IGNORECASE)
    if asked and first.category:
        when = f"When you ask for {first.object} or another {first.category}"
        scope = Scope(object_class=first.category)
    else:
        when = f"When you say something like {request.strip().rstrip('.?!')!r}"
        scope = Scope()
    added = " and ".join(f"the {delivery.object}" for delivery in others)
    how = "bring {} along at once, one thing in each hand" if at_once else "also bring {}, without being asked"
    return Rule(f"{when}, I will {how.format(added)}.", RuleKind.TASK, scope)


def _announcement(deliveries: Sequence[Delivery]) -> str:
    names = " and ".join(f"the {delivery.object}" for delivery in deliveries)
    return f"Here are {names}."


def _calls(steps: Iterable[Step]) -> Iterator[tuple[str, list[str]]]:
    """Successful single calls with their plain string arguments, keyword ones left out."""
    for step in steps:
        if step.called and not step.error:
            match ast.parse(step.statement).body:
                case [ast.Expr(value=ast.Call(args=arguments))]:
                    yield step.called, [a.value for a in arguments if isinstance(a, ast.Constant)]  # type: ignore[misc]


def _categories(steps: Iterable[Step]) -> dict[str, str]:
    for step in steps:
        if step.called == "list_objects" and not step.error:
            return {name: category for name, category, _ in ast.literal_eval(step.result)}
    return {}
