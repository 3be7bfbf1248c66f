"""The troubles that an order may have: to which issue they belong, how they are said, and what remedies them.

A table. A remedy is a plan of calls; {order} stands for the order itself. A trouble without one can only be told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from daemon.lexicon.thing_knowledge import spoken_name

Words = Mapping[str, str]

CARRY_AWAY = (
    "{put_away}",
    "pick({obstacle})",
    "move_to(free_table)",
    "place({obstacle}, free_table)",
    "move_to(current_loc)",
    "{take_again}",
    "{order}",
)
PUT_AWAY = ("move_to(free_table)", "place({thing}, free_table)", "move_to(current_loc)")


@dataclass(frozen=True)
class Reason:
    """One kind of trouble."""

    issue: str
    """IA, IU1 to IU6; see the data of the bench for what they are."""
    words: str
    remedy: tuple[str, ...] = ()
    first: int = 5
    """Remedies with a smaller number come first: a hand must be free before anything else."""

    def said(self, **slots: str) -> str:
        """Return the explanation, as a sentence."""
        text = self.words.format(**slots)
        return f"{text[0].upper()}{text[1:]}."


class Because(Enum):
    """Every reason, by name."""

    AMBIGUOUS = Reason(
        "IA",
        "several things may be meant by {phrase}: {options}",
        ("answer = ask('Which one do you mean: {options}?')", "{order:answer}"),
    )
    FAR = Reason(
        "IU1", "the {thing} is {metres} m away, out of my reach of {reach} m", ("move_to({thing})", "{order}"), 4
    )
    A_LITTLE_FAR = Reason(
        "IU1",
        "the {thing} is {metres} m away, just out of my reach of {reach} m",
        ("ask('Could you put the {thing} a little closer to me, please?')", "{order}"),
        4,
    )
    BLOCKED_FOR_GOOD = Reason(
        "IU2",
        "the {obstacle} is blocking the {thing}, and is nothing that I can carry away",
        ("ask('The {obstacle} is in my way. Could you move it away, please?')", "{order}"),
        3,
    )
    BLOCKED = Reason(
        "IU2",
        "the {obstacle} is blocking the {thing}",
        CARRY_AWAY,
        3,
    )
    COVERED = Reason(
        "IU2",
        "the {obstacle} lies on top of the {thing} and obstructs it",
        ("pick({obstacle})", "move_to(free_table)", "place({obstacle}, free_table)", "move_to(current_loc)", "{order}"),
        3,
    )
    OCCUPIED = Reason(
        "IU2",
        "the {obstacle} is already in the {thing} and takes its space: it is occupied",
        CARRY_AWAY,
        3,
    )
    CONTAINS = Reason(
        "IU2",
        "the {thing} is not empty: it contains the {obstacle}, which is inside",
        (
            "ask('The {thing} contains the {obstacle}. Shall I take it out first?')",
            "pick({obstacle})",
            "move_to(free_table)",
            "place({obstacle}, free_table)",
            "move_to(current_loc)",
            "{order}",
        ),
        6,
    )
    ABSENT = Reason(
        "IU3",
        "I do not see the {thing} here",
        ("{thing_}_loc = ask('Where is the {thing}?')", "move_to({thing_}_loc)", "{order}"),
        4,
    )
    NONE_SUCH = Reason(
        "IU3",
        "I do not see any {thing} {where}",
        ("answer = ask('I do not see any {thing} {where}. What do you mean instead?')", "{order:answer}"),
        4,
    )
    ALREADY = Reason("IU4", "the {thing} is already {state}", ("say('The {thing} is already {state}.')",))
    NOT_SO = Reason("IU4", "the {thing} is {state}, not {wanted}", ("say('The {thing} is {state}, not {wanted}.')",), 6)
    SHUT = Reason("IU4", "the {thing} is closed", ("{put_away}", "open({thing})", "{take_again}", "{order}"), 2)
    LOCKED = Reason(
        "IU4", "the {thing} is locked", ("ask('The {thing} is locked. Could you unlock it, please?')", "{order}"), 2
    )
    STANDS_OPEN = Reason("IU4", "the {thing} is open", ("{put_away}", "close({thing})", "{take_again}", "{order}"), 2)
    RUNNING = Reason(
        "IU4", "the {thing} is on and still running", ("{put_away}", "turnoff({thing})", "{take_again}", "{order}"), 2
    )
    EMPTY = Reason(
        "IU4",
        "the {thing} is empty, and needs water",
        ("ask('The {thing} is empty. Could you fill it, please?')", "{order}"),
        2,
    )
    TOO_HEAVY = Reason("IU5", "I cannot pick up the {thing}: it is not something I can carry, it is too heavy")
    CANNOT_PICK = Reason("IU5", "I cannot pick up the {thing}: it is not pickupable")
    CANNOT_OPEN = Reason("IU5", "the {thing} cannot be opened or closed: it is not openable")
    CANNOT_TURN_ON = Reason("IU5", "the {thing} cannot be turned on or off: it is not toggleable")
    CANNOT_SLICE = Reason("IU5", "the {thing} cannot be sliced: it is not sliceable")
    CANNOT_HOLD = Reason("IU5", "nothing can be put on or in the {thing}: it is not a receptacle")
    UNSAFE = Reason("IU5", "the {thing} must not go into the {place}: {why}")
    UNSAFE_TO_RUN = Reason("IU5", "the {place} must not be turned on with the {thing} there: {why}")
    UNKNOWN_ACTION = Reason("IU5", "I have not learned how to do that: {order}")
    HANDS_FULL = Reason("IU6", "I am holding the {thing}, so that no hand is free", (*PUT_AWAY, "{order}"), 0)
    HELD_ALREADY = Reason("IU6", "I am already holding the {thing}", ("say('I am already holding the {thing}.')",))
    NOT_HELD = Reason(
        "IU6", "I am not holding the {thing}: my hand is empty, there is nothing in it", ("pick({thing})", "{order}"), 4
    )
    HOLDS_OTHER = Reason(
        "IU6",
        "I am not holding the {thing} but the {other}",
        ("move_to(free_table)", "place({other}, free_table)", "move_to(current_loc)", "pick({thing})", "{order}"),
        0,
    )
    NO_BLADE = Reason(
        "IU6",
        "I need the {blade} to slice the {thing}, and am not holding one",
        (
            "blade_loc = ask('Where is the {blade}?')",
            "move_to(blade_loc)",
            "pick({blade})",
            "move_to(current_loc)",
            "{order}",
        ),
        4,
    )
    BLADE_SEEN = Reason(
        "IU6",
        "I need the {blade} to slice the {thing}, and am not holding one, but I see the {seen}",
        ("pick({seen})", "{order}"),
        4,
    )
    NO_BLADE_BUT = Reason(
        "IU6",
        "I need the {blade} to slice the {thing}, and am holding the {other} instead",
        (
            "move_to(free_table)",
            "place({other}, free_table)",
            "blade_loc = ask('Where is the {blade}?')",
            "move_to(blade_loc)",
            "pick({blade})",
            "move_to(current_loc)",
            "{order}",
        ),
        0,
    )


_WORDS = ("metres", "reach", "state", "wanted", "why", "person")
"""Slots that hold words, and no name of a thing."""
NO_ISSUE = "No issue: I can {do} without any issues."


@dataclass(frozen=True)
class Trouble:
    """A reason with what it is about."""

    because: Because
    slots: Words

    @staticmethod
    def about(because: Because, **slots: str) -> "Trouble":
        """Return the trouble with these things, whose names are put as they are spoken."""
        return Trouble(because, {slot: text if slot in _WORDS else spoken_name(text) for slot, text in slots.items()})

    @property
    def issue(self) -> str:
        return self.because.value.issue

    @property
    def text(self) -> str:
        return self.because.value.said(**self.slots)

    def to_json(self) -> list[Any]:
        """Return it as a value that JSON can write."""
        return [self.because.name, dict(self.slots)]

    @staticmethod
    def from_json(value: Sequence[Any]) -> "Trouble":
        """Return the trouble that to_json() wrote."""
        name, slots = value
        return Trouble(Because[name], slots)
