"""Where everything is, by what a robot observes; and what of that nobody wanted."""

from collections.abc import Iterable, Mapping
from typing import Any

Places = Mapping[str, str | None]
"""Thing -> where it is."""


def places(observation: Mapping[str, Any]) -> dict[str, str | None]:
    """Return where each thing is."""
    return {seen["name"]: seen["location"] for seen in observation["objects"]}


def doors_of(observation: Mapping[str, Any]) -> dict[str, str]:
    """Return "open" or "closed" for each place that has a door."""
    return {place["name"]: place["door"] for place in observation["locations"] if place["door"]}


def moved(before: Places, now: Places) -> dict[str, str | None]:
    """Return where each thing is that is elsewhere than before."""
    return {name: at for name, at in now.items() if at != before[name]}


def unwanted(case: Mapping[str, Any], elsewhere: Places) -> dict[str, str | None]:
    """Return which of the things that have moved are where a case wants none; {} where it tells of no places."""
    if not {"moved", "one", "still", "count"} & set(case):
        return {}
    wanted = dict(case.get("moved", {}))
    fitting, place = case.get("one", ((), ""))
    wrong = {name: at for name, at in elsewhere.items() if at != wanted.get(name)}
    wrong = {name: at for name, at in wrong.items() if not (name in fitting and at == place)}
    left = {kind: (place, number) for kind, (place, number) in case.get("count", {}).items()}
    for name, at in sorted(wrong.items()):
        for kind in _kinds(name, left):
            place, number = left[kind]
            if at == place and number > 0:
                left[kind] = place, number - 1
                del wrong[name]
    return wrong


def are_counted(counted: Mapping[str, tuple[str, int]], elsewhere: Places) -> bool:
    """Return whether just so many things of each kind have come to its place, and nothing else has moved.

    A kind is how the names of its things begin: `cup` for `cup_1`.
    """
    come = [(kind, at) for name, at in elsewhere.items() for kind in _kinds(name, counted)]
    return len(come) == len(elsewhere) and all(
        come.count((kind, place)) == number for kind, (place, number) in counted.items()
    )


def _kinds(name: str, counted: Iterable[str]) -> list[str]:
    """The longest of these with which a name begins; none where it begins with none."""
    return sorted((kind for kind in counted if f"{name}_".startswith(f"{kind}_")), key=len)[-1:]
