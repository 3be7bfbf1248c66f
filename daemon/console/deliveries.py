"""What was brought where, read from a transcript: the matter of most corrections."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from daemon.console.history import Turn
from daemon.transcript import Step


@dataclass(frozen=True)
class Delivery:
    """One object brought from one place to another."""

    object: str
    category: str
    source: str
    behind_door: bool
    target: str
    handed_over: bool


def deliveries_in(turn: Turn) -> list[Delivery]:
    """Return what was brought where in a turn, read from its successful statements."""
    found: list[Delivery] = []
    here, opened = "", set()
    taken: dict[str, tuple[str, bool]] = {}
    categories = _categories(turn.steps)
    for call in calls(turn.steps):
        match call:
            case "move_to", [place, *_]:
                here = place
            case "open_door", [door, *_]:
                opened.add(door)
            case "grasp", [thing, *_]:
                taken[thing] = (here, here in opened)
            case "handover", [thing, *_] if thing in taken:
                found.append(Delivery(thing, categories.get(thing, ""), *taken.pop(thing), here, True))
            case "place", [thing, target, *_] if thing in taken:
                found.append(Delivery(thing, categories.get(thing, ""), *taken.pop(thing), target, False))
    return found


def last_of_each(deliveries: Iterable[Delivery]) -> list[Delivery]:
    """One delivery per object, to where it came last: what was put elsewhere afterwards was a correction."""
    by_object: dict[str, Delivery] = {}
    for delivery in deliveries:
        first = by_object.get(delivery.object, delivery)
        by_object[delivery.object] = replace(delivery, source=first.source, behind_door=first.behind_door)
    return list(by_object.values())


def program_of(deliveries: list[Delivery], at_once: bool) -> list[str]:
    """Statements that make these deliveries; at once, the first two travel together, one in each hand."""
    together = deliveries[:2] if at_once and len({delivery.target for delivery in deliveries[:2]}) == 1 else []
    program: list[str] = []
    for delivery, hand in zip(together, ("left", "right"), strict=False):
        program += _fetch(delivery, f", hand={hand!r}")
    if together:
        program += [f"move_to({together[0].target!r})", *map(_release, together)]
    for delivery in deliveries[len(together) :]:
        program += [*_fetch(delivery, ""), f"move_to({delivery.target!r})", _release(delivery)]
    return program


def calls(steps: Iterable[Step]) -> Iterator[tuple[str, list[str]]]:
    """Successful single calls with their plain arguments: what is handled first, then where."""
    for step in steps:
        if step.called and not step.error:
            match ast.parse(step.statement).body:
                case [ast.Expr(value=ast.Call(args=arguments, keywords=named))]:
                    values = [*arguments, *(k.value for name in ("object", "location") for k in named if k.arg == name)]
                    yield step.called, [value.value for value in values if isinstance(value, ast.Constant)]  # type: ignore[misc]


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


def _categories(steps: Iterable[Step]) -> dict[str, str]:
    for step in steps:
        if step.called == "list_objects" and not step.error:
            return {name: category for name, category, _ in ast.literal_eval(step.result)}
    return {}
