"""What a mind knows when a person speaks, as comment lines around their words: the situation.

Made by code from the scene, the body and the memory, so that nobody has to look before thinking, and so that nothing
that reads English stands between a person and the mind. What holds whatever is said stands above the words, so that a
model reads it while nobody speaks; below them stand who speaks, and what the words name of a scene that is too long
to be shown whole: a line says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from daemon.console.plain_names import PlainNames
from daemon.memory.lesson import Lesson
from daemon.names import called, forms, mention, spoken
from skills.scene import Location, Scene, Thing, ago

SHOWN = 40
"""Things of a long scene that are shown above the words; below them, those that they name."""
RULES = 12
"""Learned rules that are shown above the words, the last ones; below them, those about what they name."""
NEAREST_RULES = 4
"""Older rules that are shown below the words since they are nearest to them in meaning."""
NEAREST = 4
"""Things that are told to be near to the words."""
OTHER_NAMES = 3
"""Of each thing and place, at most, above the words; below them, those that they use."""


SOMEBODY = "person"
"""The place of whoever speaks; its other names (human, user) tell nothing."""


@dataclass(frozen=True)
class Told:
    """What a mind reads around words; each part is lines of a prompt."""

    before: str = ""
    after: str = ""


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
    order: Callable[[str, Sequence[str]], Sequence[int]] = lambda said, texts: ()
    """Positions of texts, the nearest in meaning to what was said first."""
    language: str = ""
    """What people speak here, by its English name; "" for English."""
    told_lately: tuple[str, ...] = ()
    """What heed itself has told meanwhile, without the mind: that something is due, or a question."""

    @property
    def told(self) -> Told:
        """Return it as it stands in a prompt."""
        above = [*self.before, *self._unseen(), *self._moment()]
        return Told(_commented(above), _commented([*self.after, *self._who()]))

    @property
    def told_as_taught(self) -> Told:
        """Return it as a taught mind learned to read it: in plain names; below stand who speaks, and when, and what
        words may mean.

        It never read what heed told meanwhile: with that beside the words it is unsure, and takes it for theirs.
        """
        names = PlainNames.of(self.scene)
        plain = replace(self, scene=names.scene(self.scene), here=names.name(self.here))
        told = "; ".join([*self._who(), *self._moment()])
        below = [*plain._besides, *([told] if told else []), *plain._near()]
        return Told(_commented(plain.before), _commented(below))

    @property
    def before(self) -> list[str]:
        """Return what holds whatever is said."""
        around = [place for place in self.scene.locations if place.kind == "person" and place.present]
        people = [name for place in around for name in self._person(place)]
        return [
            *self._places(),
            *self._left_out(),
            self._robot(),
            f"people: {', '.join(people)}" if people else "nobody is seen",
            *([f"people speak {self.language}; answer them in it"] if self.language else []),
            *(f"learned {lesson.id}: {lesson.rule.text}" for lesson in self._last_rules),
            *self._rules_left_out(),
            *(f"under way: {line}" for line in self.under_way),
            *self.waiting,
        ]

    @property
    def after(self) -> list[str]:
        """Return what depends on the words."""
        return [*self._besides, *(f'you told them: "{said}"' for said in self.told_lately)]

    @property
    def _besides(self) -> list[str]:
        return [*self._named_besides(), *self._rules_besides()]

    @property
    def scene_alone(self) -> str:
        """Return what is where, and nothing of the robot, people and rules."""
        return _commented([*self._places(), *self._left_out()])

    # --- the scene ---

    def _places(self) -> list[str]:
        shown = self._first_things
        places = [place for place in self.scene.locations if place.kind != "person" or self._is_around(place, shown)]
        return [*(self._place(place, shown) for place in places), *self._elsewhere(shown)]

    def _elsewhere(self, shown: Sequence[Thing]) -> list[str]:
        """Things of which nobody knows at which place, or on which thing, they are."""
        known = {place.name for place in self.scene.locations} | {thing.name for thing in self.scene.objects}
        lost = [self._thing(thing, shown) for thing in shown if thing.location not in known and not thing.held_by]
        return [f"elsewhere: {', '.join(lost)}"] if lost else []

    def _place(self, place: Location, shown: Sequence[Thing]) -> str:
        about = [place.door] if place.door else []
        about += [f"also {name}" for name in _other_names(place)[:OTHER_NAMES]]
        about += _states(place.state)
        inside = [self._thing(thing, shown) for thing in shown if thing.location == place.name and not thing.held_by]
        described = f"{place.name} ({', '.join(about)})" if about else place.name
        return f"{described}: {', '.join(inside)}" if inside else described

    def _thing(self, thing: Thing, shown: Sequence[Thing]) -> str:
        about = [*([thing.category] if thing.category not in ("", thing.name) else []), *_states(thing.state)]
        about += [f"also {name}" for name in _other_names(thing)[:OTHER_NAMES]]
        about += [] if thing.present else [f"out of sight, seen {ago(thing.age)}"]
        about += self._contents(thing, shown)
        return f"{thing.name} ({', '.join(about)})" if about else thing.name

    def _contents(self, thing: Thing, shown: Sequence[Thing], within: tuple[str, ...] = ()) -> list[str]:
        """Return what lies in or on a thing, and in that again."""
        around = (*within, thing.name)
        named = [
            f"{other.name} ({', '.join(more)})" if (more := self._contents(other, shown, around)) else other.name
            for other in shown
            if other.location == thing.name and other.name not in around and not other.held_by
        ]
        return [f"in or on it: {', '.join(named)}"] if named else []

    def _person(self, place: Location) -> list[str]:
        """Who stands there; of somebody, whoever speaks beside them, if that is known."""
        names = _other_names(place)
        if place.name == SOMEBODY:
            return [place.name, *(name for name in names if self.speaker and called(name, self.speaker))]
        about = ", ".join(f"also {name}" for name in names[:OTHER_NAMES])
        return [f"{place.name} ({about})" if about else place.name]

    def _is_around(self, place: Location, shown: Sequence[Thing]) -> bool:
        """Return whether there is more to say of a person than who it is, which the line on people tells."""
        return bool(place.state) or any(thing.location == place.name for thing in shown)

    @property
    def _first_things(self) -> list[Thing]:
        """Those in a hand and where the robot stands, then as they come."""
        near = sorted(self.scene.objects, key=lambda thing: not (thing.held_by or thing.location == self.here))
        kept = {thing.name for thing in near[:SHOWN]}
        return [thing for thing in self.scene.objects if thing.name in kept]

    def _named_besides(self) -> list[str]:
        """Return what the words name or nearly mean, and is not told above: things, and other names of things and
        places.
        """
        shown = self._first_things
        hidden = [thing for thing in self.scene.objects if thing not in shown]
        described = [f"{spoken(thing.name)}, {thing.category}" for thing in hidden]
        near = [hidden[position] for position in self._nearest(described, NEAREST)]
        told = [
            f"{thing.location or thing.held_by}: {self._thing(thing, shown)}"
            for thing in hidden
            if thing in near or self._is_named(thing)
        ]
        ones: list[Thing | Location] = [*shown, *self.scene.locations]
        for one in ones:
            more = _other_names(one)[OTHER_NAMES:]
            told += [f"{one.name} (also {alias})" for alias in more if mention(alias, self.words)]
        return told

    def _nearest(self, texts: Sequence[str], most: int) -> Sequence[int]:
        """Return the positions of texts that are nearest in meaning to the words; none where nothing was said."""
        return self.order(self.words, texts)[:most] if texts and self.words else ()

    def _is_named(self, thing: Thing) -> bool:
        """Return whether the words name a thing, its kind, or a state of it."""
        names = (*forms(thing.name), *thing.aliases, thing.category, *thing.state.values())
        return any(mention(str(name), self.words) for name in names if str(name))

    def _near(self) -> list[str]:
        """What the words may mean, as far as sentence vectors tell, for a mind that knows less of the world."""
        shown = self._first_things
        things = [thing for thing in self.scene.objects if not thing.held_by]
        near = self._nearest([self._thing(thing, shown).replace("_", " ") for thing in things], NEAREST)
        names = ", ".join(things[position].name for position in near)
        return [f"near: {names}"] if names else []

    def _unseen(self) -> list[str]:
        """How to find what nobody has seen yet."""
        how = "what is not told here may be out of sight: move_to() a place, then get_objects_in_sight()"
        return [how] if self.scene.partial else []

    def _left_out(self) -> list[str]:
        hidden = len(self.scene.objects) - len(self._first_things)
        return [f"{hidden} more things are not shown: list_objects() tells of all"] if hidden > 0 else []

    # --- the robot, the moment, what it learned ---

    def _robot(self) -> str:
        held = [(hand, self.scene.in_hand(hand)) for hand in self.scene.hands]
        shown = self._first_things
        hands = ", ".join(f"{hand} hand: {self._thing(thing, shown) if thing else 'empty'}" for hand, thing in held)
        if not self.scene.drives:
            return f"you stand still and cannot drive; {hands}"
        return f"you are at {self.here or 'no place that has a name'}; {hands}"

    def _who(self) -> list[str]:
        return [f"{self.speaker} speaks"] if self.speaker else []

    def _moment(self) -> list[str]:
        return [f"{self.now:%A %d %B, %H:%M}"] if self.now else []

    @property
    def _last_rules(self) -> Sequence[Lesson]:
        return self.rules[-RULES:]

    def _rules_besides(self) -> list[str]:
        """Older rules about what the words name, and those that are nearest to them in meaning."""
        older = self.rules[:-RULES]
        about = [lesson for lesson in older if self._is_about(lesson)][-RULES:]
        near = [older[position] for position in self._nearest([lesson.rule.text for lesson in older], NEAREST_RULES)]
        return [f"learned {lesson.id}: {lesson.rule.text}" for lesson in older if lesson in (*about, *near)]

    def _is_about(self, lesson: Lesson) -> bool:
        """Return whether a rule's sentence names what the words name, or a kind of it."""
        named = [thing for thing in self.scene.objects if self._is_named(thing)]
        names = {name for thing in named for name in (spoken(thing.name), thing.category) if name}
        return any(mention(name, lesson.rule.text) for name in names)

    def _rules_left_out(self) -> list[str]:
        hidden = len(self.rules) - len(self._last_rules)
        if hidden <= 0:
            return []
        return [f"not shown: {hidden} older learned rules; list_lessons('all') tells every one"]


Survey = Callable[[str, str], Situation]
"""Tells the situation around words, and who speaks them."""


class Known(Protocol):
    """What the situation needs of the memory; see Recall."""

    @property
    def scene(self) -> Scene: ...

    @property
    def rules(self) -> list[Lesson]:
        """Return those that hold now, for whomever."""
        ...

    @property
    def here(self) -> str: ...

    @property
    def now(self) -> datetime: ...

    def nearest(self, said: str, texts: Sequence[str]) -> Sequence[int]:
        """Positions of the texts, the nearest in meaning to what was said first."""
        ...


def surveyed(
    known: Known,
    under_way: Callable[[], Sequence[str]] = tuple,
    waiting: Callable[[], Sequence[str]] = tuple,
    told_lately: Callable[[], Sequence[str]] = tuple,
    language: str = "",
) -> Survey:
    """Return a Survey of what is seen and known; `under_way` and `waiting` give lines on tasks and on what is later.

    `told_lately` gives what heed itself has told meanwhile.

    `language` is what people speak here, by its English name; "" for English.
    """

    def survey(words: str, speaker: str) -> Situation:
        rules, tasks, later = tuple(known.rules), tuple(under_way()), tuple(waiting())
        return Situation(
            words, known.scene, known.here, speaker, known.now, rules, tasks, later, known.nearest, language,
            tuple(told_lately()),
        )  # fmt: skip

    return survey


def _other_names(one: Thing | Location) -> list[str]:
    """Those with a word that its name has not: whose it is, what it looks like, or quite another word."""
    known = set(spoken(one.name).split())
    return list({spoken(alias): alias for alias in one.aliases if set(spoken(alias).split()) - known}.values())


def _states(state: Mapping[str, object]) -> list[str]:
    """States in words: {"dirty": True, "colour": "red"} is "dirty", "red"."""
    told = []
    for name, value in state.items():
        told += [name] if value is True else [f"not {name}"] if value is False else [str(value)]
    return told


def _commented(lines: Sequence[str]) -> str:
    return "".join(f"# {line}\n" for line in lines)
