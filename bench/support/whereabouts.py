"""Where everything is, by what a robot observes; and what of that nobody wanted."""

from collections.abc import Mapping
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
    if not {"moved", "one", "still"} & set(case):
        return {}
    wanted = dict(case.get("moved", {}))
    fitting, place = case.get("one", ((), ""))
    wrong = {name: at for name, at in elsewhere.items() if at != wanted.get(name)}
    return {name: at for name, at in wrong.items() if not (name in fitting and at == place)}
