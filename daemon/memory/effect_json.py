"""Effects as JSON, which memory.sqlite keeps and heed exports."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from daemon.memory.effects import (
    Alone,
    Also,
    Belongs,
    Choice,
    Closing,
    Effect,
    Fact,
    FurtherStep,
    Manner,
    Meaning,
    Routine,
    Target,
    Together,
)
from daemon.memory.number_rules import Carry, Hold, Pace, Pull, Speed
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.rules import Does, Scope

_DOES = {
    kind.__name__: kind
    for kind in (
        *(Also, FurtherStep, Target, Meaning, Belongs, Choice, Fact, Routine, OnlyWhenAsked, Never, KeptOff),
        *(Untouched, Forbidden, Together, Alone, Manner, Closing, Speed, Carry, Hold, Pull, Pace),
    )
}


def to_json(effect: Does) -> dict[str, Any]:
    """Return an effect as a value that JSON can write: the name of what it does, and its fields."""
    return {"does": type(effect).__name__, **asdict(effect)}  # type: ignore[call-overload]


def from_json(value: Mapping[str, Any]) -> Effect:
    """Return the effect that to_json() wrote. Raises ValueError for what is none."""
    fields = dict(value)
    try:
        kind = _DOES[fields.pop("does")]
        if isinstance(fields.get("scope"), Mapping):
            fields["scope"] = Scope(**fields["scope"])
        return kind(**fields)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"this is nothing that a rule does: {error}") from error
