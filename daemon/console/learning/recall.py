"""What was learned, brought to where it is needed: examples for a request, guards and numbers for skills.

A lesson counts where its rule applies, and nowhere else: for the examples that the model is shown, for what must not
be done, and for a skill's parameter, which is set by exact scope. What was applied is named in the history.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from daemon.console.learning.learned_names import learned_names, name_of_speaker, with_names
from daemon.console.learning.scope import is_in, is_of_kind
from daemon.console.reading import Reader, Verbatim, naming
from daemon.memory.effect_rules import overrules, supersedes
from daemon.memory.effects import Also, Choice
from daemon.memory.example import InteractionExample
from daemon.memory.lesson import Lesson
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.number_rules import Carry, Hold, Pace, Pull, Speed
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, Untouched
from daemon.memory.recurring_times import holds
from daemon.memory.rules import Does, Scope
from daemon.memory.store import Memory
from daemon.names import called, mention, spoken, without_article
from daemon.transcript import PARTS, parse_transcript
from skills.scene import Scene, Thing
from skills.skill import SKILLS, Observation, Skill, SkillError

log = logging.getLogger(__name__)

LEARNABLE = {
    "move_to": {"speed": 2},
    "grasp": {"higher": 3},
    "open_door": {"further": 2, "speed": 3},
    "close_door": {"speed": 2},
}
"""Skill -> its parameters that can be taught, and with how many arguments in a row the model names each itself."""


class Recall:
    """The loop's view of the memory, in front of one scene."""

    def __init__(
        self,
        memory: Memory,
        observe: Callable[[], Observation],
        here: Callable[[], str | None],
        supposed: Sequence[Lesson] = (),
        clock: Callable[[], datetime] = datetime.now,
        reader: Reader | None = None,
    ) -> None:
        """`here` tells where the robot stands; `supposed` lessons count as if they were kept already, at any time.

        `clock` is that of the house, for lessons which hold at some times only; `reader` tells whom a request is for,
        and which examples fit it.
        """
        self._memory = memory
        self._observe = observe
        self._here = here
        self._supposed = tuple(supposed)
        self._clock = clock
        self._reader = reader or Verbatim()
        self._fitting: tuple[Lesson, ...] = ()
        """The lessons that changed what was said last."""
        self._speaker = ""
        """Who spoke last."""
        self._said = ""
        """What was said last: it may tell what time it is."""
        self._applied: list[Lesson] = []
        self._named: Mapping[str, str] = {}
        self._named_at: tuple[tuple[int, int], str, str] | None = None

    def hear(self, text: str, speaker: str = "") -> None:
        """Take note of what is said, and by whom: whose lessons hold, and at what time, may depend on it."""
        self._said, self._speaker, self._fitting = text, speaker, ()

    def apply(self, lessons: Sequence[Lesson]) -> None:
        """Take note that these lessons changed what was said last: it is counted, and their examples fit it."""
        self._fitting = tuple(lessons)
        self._note_use(lessons)

    def nearest(self, said: str, texts: Sequence[str]) -> list[int]:
        """Positions of the texts, the nearest in meaning to what was said first."""
        return self._memory.nearness.order(said, texts)

    def examples_for(self, utterances: list[str]) -> list[str]:
        """Transcripts, the nearest last; a learned one begins with its rule as a comment, so that it can be named."""
        last = utterances[-1] if utterances else ""
        scene = self.scene
        fitting = {lesson.id: lesson for lesson in self._fitting}
        fitting |= {
            lesson.id: lesson for lesson in self.lessons if self._reader.applies(lesson, last, scene, self._speaker)
        }
        fitting = {id: lesson for id, lesson in fitting.items() if not _of_several_parts(lesson)}
        found = self._memory.retrieve(utterances, lessons=fitting)
        return [_shown(retrieved.example, fitting) for retrieved in found]

    def every_example(self) -> list[str]:
        """All transcripts that may ever be shown, as examples_for() shows them, the newest lessons first."""
        known = {lesson.id: lesson for lesson in self.lessons}
        return [_shown(example, known) for example in self._memory.examples()]

    def with_parameters(self, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
        """The skills, which take a learned number where the model names none: a speed, a hold, a pull; and which do
        nothing that was forbidden, whatever a model thinks.
        """
        learned = {name: self._with(name, functions[name]) for name in LEARNABLE if name in functions}
        moving = {name: skill for name, skill in SKILLS.items() if skill.uses and name in functions}
        known = {**functions, **learned}
        return {**known, **{name: self._unless_forbidden(skill, known[name]) for name, skill in moving.items()}}

    def _unless_forbidden(self, skill: Skill, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named_so: Any) -> Any:
            arguments = [self._own(value) for value in given]
            named = {parameter: self._own(value) for parameter, value in named_so.items()}
            lessons = [*self.lessons, *self._of_those_here()]
            for lesson, objection in self._objections(skill.name, skill.given(arguments, named), lessons):
                self._applied.append(lesson)
                raise objection
            return function(*arguments, **named)

        return call

    def _own(self, value: Any) -> Any:
        """Return a thing's own name where a skill is given one that was taught."""
        names = self._names.items() if isinstance(value, str) else ()
        return next((own for name, own in names if called(name, spoken(value))), value)

    def forbids(self, skill: str, given: Mapping[str, str]) -> bool:
        """Return whether a lesson would refuse this call of a skill, wherever the robot stands."""
        return any(self._objections(skill, given, self.lessons))

    def instead_of(self, thing: str) -> list[str]:
        """Return what else is of the kind that somebody asked for; nothing where they asked for this very thing."""
        one = self._unnamed(thing)
        if one is None:
            return []
        alike = [other for other in self.scene.objects if other.category == one.category and other.name != thing]
        return [other.name for other in alike if mention(other.category, self._said)]

    def liked(self, thing: str) -> str:
        """Return what a lesson takes where somebody asked for any of a kind, this thing being one; "" for none."""
        one = self._unnamed(thing)
        if one is None:
            return ""
        for lesson in reversed(self.lessons):
            match lesson.rule.effect:
                case Choice(kind, name) if is_of_kind(one, kind) and _asks_for_any(kind, self._said):
                    liked = next((other.name for other in self.scene.objects if called(other.name, name)), "")
                    if liked not in ("", thing):
                        self._applied.append(lesson)
                    return liked
        return ""

    def comes_along(self, thing: str) -> list[list[str]]:
        """Return what lessons bring along with a thing that somebody asked for.

        For each lesson the names of the things here that would do, the one that is called just so first. What the words
        speak of themselves is left to who reads them: "tea, but no honey".
        """
        found = []
        for lesson in self.lessons:
            match lesson.rule.effect:
                case Also(Scope(place="") as scope, along) if self._is_meant(scope, thing):
                    names = [other.name for other in self.scene.objects if called(other.name, along)]
                    names.sort(key=lambda name: spoken(name) != without_article(along))
                    if names and thing not in names and not mention(along, self._said):
                        self._applied.append(lesson)
                        found.append(names)
        return found

    def _unnamed(self, thing: str) -> Thing | None:
        """Return a thing that is here, and that nobody asked for by its name."""
        one = next((other for other in self.scene.objects if other.name == thing), None)
        named = one and any(mention(spoken(name), self._said) for name in (one.name, *one.aliases))
        return None if named else one

    def _objections(
        self, skill: str, given: Mapping[str, Any], lessons: Sequence[Lesson]
    ) -> Iterator[tuple[Lesson, SkillError]]:
        for lesson in lessons:
            if (against := self._objection(lesson.rule.effect, skill, given)) is not None:
                yield lesson, against

    def _objection(self, effect: Does | None, skill: str, given: Mapping[str, Any]) -> SkillError | None:
        """What an effect has against the call of a skill with these arguments."""
        about, where = str(given.get("object", "")), self._where(given)
        match skill, effect:
            case "handover", Never(thing) as never if self._is_named(thing, about):
                is_held = any(about == thing.name and thing.held_by for thing in self.scene.objects)
                instead = "put it back" if is_held else "leave it"
                return SkillError(f"I was told never to {never.deed}", f"{instead}, and tell the person why")
            case "grasp" | "shift", Untouched(scope) as never if self._is_meant(scope, about):
                return SkillError(f"I was told never to {never.deed}", "leave it, and tell the person why")
            case "place", KeptOff(scope, place) if self._is_thing(scope, about) and called(where, place):
                return SkillError(f"I was told never to put {scope.which} on the {place}", "ask where else it may go")
            case _, Forbidden(other, place) as never if other == skill and (not place or self._is_place(where, place)):
                return SkillError(f"I was told: {never.sentence}", "do nothing about it, and tell the person why")
        return None

    def _where(self, given: Mapping[str, Any]) -> str:
        """The place that a call names, else the one where the robot stands."""
        named = next((str(given[parameter]) for parameter in _PLACE_PARAMETERS if parameter in given), "")
        return self._name_of(named) if named else self.here

    def _with(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            numbers = self._numbers(name, arguments, named) if arguments or named else {}
            result = function(*arguments, **named, **{parameter: value for parameter, (_, value) in numbers.items()})
            lessons = [lesson for lesson, _ in numbers.values()]
            self._applied += lessons
            self._note_use(lessons)
            return result

        return call

    def take_comments(self) -> list[str]:
        """Comments on the lessons that were applied since the last call, for the history."""
        applied, self._applied = self._applied, []
        return list(dict.fromkeys(naming(lesson) for lesson in applied))

    def _numbers(
        self, name: str, arguments: Sequence[Any], named: Mapping[str, Any]
    ) -> dict[str, tuple[Lesson, float]]:
        """The numbers that lessons, the newest of each, set for what a call does not name, by exact scope."""
        about = str(arguments[0] if arguments else next(iter(named.values())))
        found: dict[str, tuple[Lesson, float]] = {}
        for lesson in self.lessons:
            match lesson.rule.effect:
                case Speed() as speed if name == "move_to" and self._is_way(speed, self._name_of(about)):
                    found["speed"] = lesson, speed.factor
                case Carry() as carry if name == "move_to" and self._carries(carry.scope):
                    care = lesson, carry.factor  # of two speeds the slower one counts
                    found["speed"] = min(found.get("speed", care), care, key=lambda number: number[1])
                case Hold() as hold if name == "grasp" and self._is_thing(hold.scope, about):
                    found["higher"] = lesson, hold.higher
                case Pull() as pull if name == "open_door" and self._is_place(self._name_of(about), pull.place):
                    found["further"] = lesson, pull.further
                case Pace() as pace if name == f"{pace.deed}_door" and self._is_place(self._name_of(about), pace.place):
                    found["speed"] = lesson, pace.factor
        open_to = LEARNABLE[name]
        return {p: number for p, number in found.items() if p not in named and len(arguments) < open_to[p]}

    def _is_way(self, speed: Speed, end: str) -> bool:
        start = self.here
        there = (not speed.start or self._is_place(start, speed.start)) and self._is_place(end, speed.end)
        back = speed.both_ways and self._is_place(start, speed.end) and self._is_place(end, speed.start)
        return there or back

    def _is_place(self, name: str, taught: str) -> bool:
        """Whether a number was taught for this place: by its own name for this one alone, else by what it is called."""
        if any(place.name == taught for place in self.scene.locations):
            return name == taught
        return bool(name) and called(name, taught)

    def _carries(self, scope: Scope) -> bool:
        return any(is_in(thing, scope) for thing in self.scene.objects if thing.held_by)

    def _is_thing(self, scope: Scope, name: str) -> bool:
        thing = next((t for t in self.scene.objects if name in (t.name, *t.aliases)), None)
        return thing is not None and is_in(thing, scope)

    def _of_those_here(self) -> list[Lesson]:
        """What is for the person alone at whom the robot stands, whoever speaks."""
        here = next((place for place in self.scene.locations if place.name == self.here), None)
        names = [self.here, *(here.aliases if here else ())]
        whose = [(lesson, lesson.rule.scope.person) for lesson in self.rules]
        return [lesson for lesson, person in whose if person and any(called(name, person) for name in names)]

    def _is_meant(self, scope: Scope, name: str) -> bool:
        return self._is_thing(scope, name) or (bool(scope.object) and self._is_named(scope.object, name))

    def _is_named(self, words: str, name: str) -> bool:
        """Whether words for a thing, or for a kind of things, mean the thing of this name."""
        if self._is_thing(Scope(object=words), name):
            return True
        is_name = any(called(thing.name, words) for thing in self.scene.objects)
        return not is_name and self._is_thing(Scope(object_class=words), name)

    def _name_of(self, place: str) -> str:
        """The place's own name, where the model used another."""
        for location in self.scene.locations:
            if place in (location.name, *location.aliases):
                return location.name
        return place

    @property
    def here(self) -> str:
        """The place where the robot stands; "" between places."""
        return self._here() or ""

    @property
    def now(self) -> datetime:
        """The time, by the clock of the house."""
        return self._clock()

    @property
    def scene(self) -> Scene:
        """Return what is seen now, with the names that were taught to whoever speaks, and their own."""
        return with_names(Scene.from_observation(self._observe()), self._names)

    @property
    def _names(self) -> Mapping[str, str]:
        """Return the own names of what was given names, and of who speaks.

        Looked up once for each utterance, and when a lesson comes.
        """
        moment = self._memory.state, self._speaker, self._said
        if self._named_at != moment:
            mine = [lesson.rule for lesson in self.rules if self._is_mine(lesson.rule.scope.person)]
            scene = Scene.from_observation(self._observe())
            self._named = {**learned_names(scene, mine), **name_of_speaker(scene, self._speaker)}
            self._named_at = moment
        return self._named

    @property
    def rules(self) -> list[Lesson]:
        """Return those that hold now, for whomever, the newest last."""
        kept = [*self._memory.lessons(), *self._supposed]
        return [lesson for lesson in kept if holds(lesson.rule.scope.time, self._clock(), self._said)]

    @property
    def lessons(self) -> list[Lesson]:
        """Return those that hold now for who speaks, the newest last.

        What is said for them alone, or for this time alone, goes before what is for all.
        """
        kept = self._memory.lessons()
        kept = [lesson for lesson in kept if not any(supersedes(new.rule, lesson.rule) for new in self._supposed)]
        kept = [lesson for lesson in kept if holds(lesson.rule.scope.time, self._clock(), self._said)]
        mine = [lesson for lesson in [*kept, *self._supposed] if self._is_mine(lesson.rule.scope.person)]
        close = [lesson.rule for lesson in mine if lesson.rule.scope.person or lesson.rule.scope.time]
        return [
            lesson
            for lesson in mine
            if not any(_is_closer(rule.scope, lesson.rule.scope) and overrules(rule, lesson.rule) for rule in close)
        ]

    @property
    def sentences(self) -> list[str]:
        """Return what holds now for who speaks, in words."""
        return [lesson.rule.text for lesson in self.lessons]

    def _is_mine(self, person: str) -> bool:
        """Whether what is for a person alone, or for everybody (""), holds for who speaks, or for whom they ask."""
        return person.casefold() in ("", self._speaker.casefold()) or self._reader.is_for(person, self._said)

    def _note_use(self, lessons: Sequence[Lesson]) -> None:
        """A full disk costs the count, not the deed."""
        try:
            for lesson in lessons:
                if lesson not in self._supposed:
                    self._memory.note_use(lesson.id)
        except MemoryFileError as error:
            log.error("that a lesson was used is not written down: %s", error)


def _is_closer(one: Scope, other: Scope) -> bool:
    """Whether a scope is for one person, else for some time, where the other is for all."""
    return (bool(one.person), bool(one.time)) > (bool(other.person), bool(other.time))


def _asks_for_any(kind: str, said: str) -> bool:
    """Return whether words leave open which one of a kind is meant: "a mug, please"."""
    found = mention(kind, said)
    return found is not None and _OPEN.search(said[: found.start()]) is not None


_OPEN = re.compile(r"\b(?:an?|any|some) $", re.IGNORECASE)


def _shown(example: InteractionExample, lessons: Mapping[int, Lesson]) -> str:
    """A transcript for the prompt; a learned one begins with its rule as a comment."""
    lesson = lessons.get(example.lesson_id or 0)
    return f"{naming(lesson)}\n{example.transcript}" if lesson else example.transcript


_PLACE_PARAMETERS = ("location", "container")
"""By which a call names the place where something is done."""


def _of_several_parts(lesson: Lesson) -> bool:
    """Whether its example shows a request that is done part by part: each part finds examples of its own."""
    first = next(iter(parse_transcript(lesson.transcript)), None) if lesson.transcript else None
    return first is not None and PARTS in (first.reworded or "")
