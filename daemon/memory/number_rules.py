"""Rules about a number of a skill: how fast on a way, where to take hold of a thing, how to pull a door."""

from dataclasses import dataclass

from daemon.memory.rules import RuleKind, Scope
from daemon.names import spoken


@dataclass(frozen=True)
class Speed:
    """How fast to drive on one way, in that direction only unless said for both."""

    start: str
    """"" for anywhere."""
    end: str
    factor: float
    """1 is the normal speed."""
    both_ways: bool = False
    kind = RuleKind.PARAMETER

    @property
    def scope(self) -> Scope:
        start = spoken(self.start) if self.start else "anywhere"
        return Scope(route=f"{start} to {spoken(self.end)}{' and back' if self.both_ways else ''}")

    @property
    def sentence(self) -> str:
        begin = f" from the {spoken(self.start)}" if self.start else ""
        back = " and back" if self.both_ways else ""
        return f"On the way{begin} to the {spoken(self.end)}{back}, I drive at {self.factor:g} times my normal speed."

    @property
    def about(self) -> tuple[str, ...]:
        return ("speed", self.start, self.end)


@dataclass(frozen=True)
class Carry:
    """How fast to drive with a thing in the hand."""

    scope: Scope
    """One thing, or a class of things."""
    factor: float
    """1 is the normal speed."""
    example: str = ""
    kind = RuleKind.PARAMETER

    @property
    def sentence(self) -> str:
        return f"When I carry {self.scope.which}, I drive at {self.factor:g} times my normal speed."

    @property
    def about(self) -> tuple[str, ...]:
        return ("carry", *self.scope.things)


@dataclass(frozen=True)
class Hold:
    """Where to take hold of a thing, above (positive) or below the usual point."""

    scope: Scope
    """One thing, or a class of things."""
    higher: float
    """Metres."""
    example: str = ""
    kind = RuleKind.PARAMETER

    @property
    def sentence(self) -> str:
        way = "higher" if self.higher > 0 else "lower"
        return f"When I grasp {self.scope.which}, I take hold {100 * abs(self.higher):g} cm {way} than usual."

    @property
    def about(self) -> tuple[str, ...]:
        return ("hold", *self.scope.things)


@dataclass(frozen=True)
class Pull:
    """How far to pull a door or drawer, beyond (positive) or short of the usual distance."""

    place: str
    further: float
    """Metres."""
    kind = RuleKind.PARAMETER

    @property
    def scope(self) -> Scope:
        return Scope(place=spoken(self.place))

    @property
    def sentence(self) -> str:
        way = "further" if self.further > 0 else "less far"
        return f"When I open the {spoken(self.place)}, I pull it {100 * abs(self.further):g} cm {way} than usual."

    @property
    def about(self) -> tuple[str, ...]:
        return ("pull", self.place.lower())


@dataclass(frozen=True)
class Pace:
    """How fast the hand moves that opens or closes a door or drawer."""

    deed: str
    """open or close."""
    place: str
    factor: float
    """1 is the normal speed, and the most there is."""
    kind = RuleKind.PARAMETER

    @property
    def scope(self) -> Scope:
        return Scope(place=spoken(self.place))

    @property
    def sentence(self) -> str:
        return f"When I {self.deed} the {spoken(self.place)}, my hand moves at {self.factor:g} times its normal speed."

    @property
    def about(self) -> tuple[str, ...]:
        return ("pace", self.deed, self.place.lower())


Parameter = Speed | Carry | Hold | Pull | Pace
