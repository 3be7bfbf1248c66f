"""What a mind knows when a person speaks, as comment lines below their words: the situation.

Made by code from the scene, the body and the memory, so that nobody has to look before thinking, and so that nothing
that reads English stands between a person and the mind. A long scene is shortened to what is nearest to the words, and
a line says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from daemon.memory.lessons import Lesson
from daemon.names import forms, mention, spoken
from skills.scene import HANDS, Location, Scene, Thing

SHOWN = 40
"""Things of a long scene that are shown, those that the words name first."""
RULES = 12
"""Learned rules that are shown, those about what the words name first."""
OTHER_NAMES = 3
"""Of each thing and place, at most, beside those in the words of the moment."""


@dataclass(frozen=True)
class Situation:
    """Everything around one utterance."""

    words: str
    """What was said."""
    scene: Scene
    here: str = ""
    """The place where the robot stands; "" between places."""
    speaker: str = ""
    now: datetime | None = None
    rules: tuple[Lesson, ...] = ()
    """What was learned and holds at this time, for whomever: each rule tells for whom."""
    under_way: tuple[str, ...] = ()
    """Tasks that were begun, a line each."""
    waiting: tuple[str, ...] = ()
    """What is to be done later, a line each, with its number."""

    @property
    def lines(self) -> list[str]:
        """The comment lines, without the sign before each."""
        return [
            *self._places(),
            *self._left_out(),
            self._robot(),
            self._moment(),
            *(f"learned {lesson.id}: {lesson.rule.text}" for lesson in self._shown_rules()),
            *self._rules_left_out(),
            *(f"under way: {line}" for line in self.under_way),
            *self.waiting,
        ]

    @property
    def text(self) -> str:
        """The lines as they stand in a prompt."""
        return "".join(f"# {line}\n" for line in self.lines)

    # --- the scene ---

    def _places(self) -> list[str]:
        shown = self._shown_things()
        places = [place for place in self.scene.locations if place.kind != "person" or self._is_around(place, shown)]
        return [self._place(place, shown) for place in places]

    def _place(self, place: Location, shown: Sequence[Thing]) -> str:
        about = [place.door] if place.door else []
        about += [f"also {name}" for name in self._other_names(place.aliases, place.name)]
        about += _states(place.state)
        inside = [self._thing(thing, shown) for thing in shown if thing.location == place.name and not thing.held_by]
        described = f"{place.name} ({', '.join(about)})" if about else place.name
        return f"{described}: {', '.join(inside)}" if inside else described

    def _thing(self, thing: Thing, shown: Sequence[Thing]) -> str:
        about = [*([thing.category] if thing.category not in ("", thing.name) else []), *_states(thing.state)]
        about += [f"also {name}" for name in self._other_names(thing.aliases, thing.name)]
        inside = [other.name for other in shown if other.location == thing.name and not other.held_by]
        about += [f"in or on it: {', '.join(inside)}"] if inside else []
        return f"{thing.name} ({', '.join(about)})" if about else thing.name

    def _other_names(self, aliases: Sequence[str], name: str) -> list[str]:
        """The names that the words use, then the first ones."""
        said = [alias for alias in aliases if mention(alias, self.words)]
        others = [
            alias for alias in aliases if alias not in (*forms(name), *said) and forms(name)[-1] not in alias.split()
        ]
        return [*said, *others[:OTHER_NAMES]]

    def _is_around(self, place: Location, shown: Sequence[Thing]) -> bool:
        """Whether there is more to say of a person than who it is, which another line tells."""
        return bool(place.state) or any(thing.location == place.name for thing in shown)

    def _shown_things(self) -> list[Thing]:
        if len(self.scene.objects) <= SHOWN:
            return list(self.scene.objects)
        near = sorted(self.scene.objects, key=lambda thing: not self._is_near(thing))
        kept = {thing.name for thing in near[:SHOWN]}
        return [thing for thing in self.scene.objects if thing.name in kept]

    def _is_near(self, thing: Thing) -> bool:
        """Whether a thing is in a hand, stands where the robot does, or is named by the words, also by its kind."""
        if thing.held_by or thing.location == self.here:
            return True
        names = (*forms(thing.name), *thing.aliases, thing.category, *thing.state.values())
        return any(mention(str(name), self.words) for name in names if str(name))

    def _left_out(self) -> list[str]:
        hidden = len(self.scene.objects) - len(self._shown_things())
        return [f"{hidden} more things are not shown: list_objects() tells of all"] if hidden > 0 else []

    # --- the robot, the moment, what it learned ---

    def _robot(self) -> str:
        held = [(hand, self.scene.in_hand(hand)) for hand in HANDS]
        hands = ", ".join(f"{hand} hand: {thing.name if thing else 'empty'}" for hand, thing in held)
        return f"you are at {self.here or 'no place that has a name'}; {hands}"

    def _moment(self) -> str:
        people = [place.name for place in self.scene.locations if place.kind == "person"]
        told = [f"people: {', '.join(people)}"] if people else []
        told += [f"{self.speaker} speaks"] if self.speaker else []
        told += [f"{self.now:%A %d %B, %H:%M}"] if self.now else []
        return "; ".join(told) or "nobody is seen"

    def _shown_rules(self) -> list[Lesson]:
        if len(self.rules) <= RULES:
            return list(self.rules)
        near = sorted(self.rules, key=lambda lesson: (not self._is_about(lesson), -lesson.id))
        kept = {lesson.id for lesson in near[:RULES]}
        return [lesson for lesson in self.rules if lesson.id in kept]

    def _is_about(self, lesson: Lesson) -> bool:
        """Whether a rule's sentence names what the words name, or a kind of it."""
        named = [thing for thing in self.scene.objects if self._is_near(thing)]
        names = {name for thing in named for name in (spoken(thing.name), thing.category) if name}
        return any(mention(name, lesson.rule.text) for name in names)

    def _rules_left_out(self) -> list[str]:
        hidden = len(self.rules) - len(self._shown_rules())
        return [f"{hidden} more learned rules are not shown: list_lessons() tells of all"] if hidden > 0 else []


Survey = Callable[[str, str], Situation]
"""Tells the situation around words, and who speaks them."""


class Known(Protocol):
    """What the situation needs of the memory; see Recall."""

    @property
    def scene(self) -> Scene: ...

    @property
    def rules(self) -> list[Lesson]:
        """Those that hold now, for whomever."""
        ...

    @property
    def here(self) -> str: ...

    @property
    def now(self) -> datetime: ...


def surveyed(
    known: Known,
    under_way: Callable[[], Sequence[str]] = tuple,
    waiting: Callable[[], Sequence[str]] = tuple,
) -> Survey:
    """Return a Survey of what is seen and known; `under_way` and `waiting` give lines on tasks and on what is later."""

    def survey(words: str, speaker: str) -> Situation:
        rules, tasks, later = tuple(known.rules), tuple(under_way()), tuple(waiting())
        return Situation(words, known.scene, known.here, speaker, known.now, rules, tasks, later)

    return survey


def _states(state: Mapping[str, object]) -> list[str]:
    """States in words: {"dirty": True, "colour": "red"} is "dirty", "red"."""
    told = []
    for name, value in state.items():
        told += [name] if value is True else [f"not {name}"] if value is False else [str(value)]
    return told
