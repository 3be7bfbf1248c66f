"""Other samples of one, as text: said in other words, with other things around, other people, in another order, later
in a day.

Nothing is run again: what a sample is about stays as it is, and so does its answer. It takes a twentieth of the time
of a variation that is run (training/corpus/vary.py), and goes by the same rules.
"""

import ast
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from daemon.console.prompt import TAUGHT_TURNS
from daemon.console.situation import NEAREST, SOMEBODY
from daemon.memory.nearness import Nearness
from training.brain.samples import Sample
from training.corpus.vary import (
    ABOUT_ALL,
    ADDED,
    DROPPED,
    EXCHANGED,
    FIRST_NAMES,
    RENAMED,
    RULES_ADDED,
    TYPED,
    content,
    said_as,
    stem,
)

_BEGINNING = "# A new conversation begins."
_ROBOT, _PEOPLE, _NEAR, _RULE = "# you are at ", "# people: ", "# near: ", "# learned "
_SAID = "{'type': 'dialog', "
_TURN = ">>> wait_for_trigger()"
LATER = 0.35
"""Share of those before which something else was said, in the same rooms."""
_KEPT = re.compile(r"\b(remember|forbid|call_it|routine|forget|remember_later|prefer|keep_place|list_lessons)\(")
"""What is known afterwards, so that it cannot stand before another dialogue."""
_LOOKS_BACK = re.compile(
    r"\b(again|before|last|just|first|far|undo|back|earlier|yet|same|too|also|other)\b", re.IGNORECASE
)
_TAKEN = re.compile(r"\bgrasp\('(\w+)'")
_HISTORY_OF_RULES = re.compile(r"forget\(|list_lessons|learn|taught|teach|rule", re.IGNORECASE)


@dataclass(frozen=True)
class Around:
    """What may come into a sample from others."""

    things: Sequence[str]
    """As situations tell them: `burette (glassware, also the long one)`."""
    rules: Sequence[str]
    turns: Mapping[frozenset[str], Sequence[Sequence[str]]]
    """By the places of a situation: what was said and done there, each a few turns in a row."""

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> "Around":
        """All that their situations tell."""
        things: dict[str, str] = {}
        rules: dict[str, None] = {}
        turns: dict[frozenset[str], dict[tuple[str, ...], None]] = {}
        for sample in samples:
            told = _Told.by(sample.prompt)
            if told.turns and not any(map(_KEPT.search, told.turns)):
                turns.setdefault(told.rooms, {})[tuple(told.turns)] = None
            things.update((_name(thing), thing) for _, inside in told.places for thing in inside)
            rules |= dict.fromkeys(map(_rule, told.rules))
        usual = [thing for thing in things.values() if ": " not in thing]
        return cls(usual, list(rules), {rooms: list(known) for rooms, known in turns.items()})


@dataclass(frozen=True)
class Reworder:
    """Makes the others."""

    nearness: Nearness
    around: Around
    otherwise: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    """By dialogue: what was said -> how another person says it."""

    def reworded(self, sample: Sample, chance: random.Random) -> Sample:
        """Return another sample with the same answer, but for names."""
        told = _Told.by(sample.prompt)
        if not told.places or not told.said:
            return sample
        if wordings := self.otherwise.get(sample.dialogue):
            told.say_otherwise(chance.choice([{}, *wordings]))
        if chance.random() < LATER:
            told.come_later(self.around.turns.get(told.rooms, []), sample.answer, chance)
        told.said = [*told.said[:-1], said_as(told.said[-1], chance.random() < TYPED, chance)]
        told.exchange_things(self.around.things, told.spoken_of(sample.answer), chance)
        told.add_rules(self.around.rules, told.spoken_of(sample.answer), sample.answer, chance)
        told.shuffle(chance)
        things = [thing for _, inside in told.places for thing in inside]
        order = self.nearness.order(told.said[-1], [thing.replace("_", " ") for thing in things])
        told.near = [_name(things[position]) for position in order[:NEAREST]]
        return _with_other_people(replace(sample, prompt=told.text), told.people, chance)


@dataclass
class _Told:
    """A prompt in parts."""

    before: list[str]
    """Lines before the last situation."""
    places: list[tuple[str, list[str]]]
    """Each with what is there."""
    robot: str
    people: list[str]
    rules: list[str]
    """Learned ones."""
    after: list[str]
    """Lines from the last words on."""

    @classmethod
    def by(cls, prompt: str) -> "_Told":
        """Read it; without places where there is no situation as it is known here."""
        lines = prompt.split("\n")
        robot = max((number for number, line in enumerate(lines) if line.startswith(_ROBOT)), default=-1)
        people = robot + 1
        if robot < 0 or not lines[people].startswith(_PEOPLE):
            return cls(lines, [], "", [], [], [])
        first = robot
        while lines[first - 1].startswith("# ") and lines[first - 1] != _BEGINNING:
            first -= 1
        rules = [line for line in lines[people + 1 :] if line.startswith(_RULE)]
        end = people + 1 + len(rules)
        if lines[people + 1 : end] != rules:
            return cls(lines, [], "", [], [], [])
        return cls(
            lines[:first],
            [_place(line.removeprefix("# ")) for line in lines[first:robot]],
            lines[robot],
            _parts(lines[people].removeprefix(_PEOPLE)),
            rules,
            lines[end:],
        )

    @property
    def text(self) -> str:
        """The whole prompt."""
        places = [f"# {place}: {', '.join(inside)}" if inside else f"# {place}" for place, inside in self.places]
        people = f"{_PEOPLE}{', '.join(self.people)}"
        return "\n".join([*self.before, *places, self.robot, people, *self.rules, *self.after])

    @property
    def said(self) -> list[str]:
        """What was said so far."""
        return [ast.literal_eval(line)["text"] for line in (*self.before, *self.after) if line.startswith(_SAID)]

    @said.setter
    def said(self, texts: Sequence[str]) -> None:
        left = list(texts)
        for part in (self.before, self.after):
            for number, line in enumerate(part):
                if line.startswith(_SAID):
                    part[number] = repr(ast.literal_eval(line) | {"text": left.pop(0)})

    @property
    def rooms(self) -> frozenset[str]:
        """The places that it tells."""
        return frozenset(_name(place) for place, _ in self.places)

    @property
    def turns(self) -> list[str]:
        """What was said and done before, each turn as one text."""
        text = "\n".join(self.before[1:])
        return [f"{_TURN}{turn}".rstrip("\n") for turn in text.split(_TURN)[1:]]

    def come_later(self, known: Sequence[Sequence[str]], answer: str, chance: random.Random) -> None:
        """Put turns before its own which have nothing to do with it, if there are any."""
        room = TAUGHT_TURNS - 1 - len(self.turns)
        if not known or room < 1 or (not self.turns and _LOOKS_BACK.search(f"{self.said[-1]}\n{answer}")):
            return
        others = chance.choice(known)[:room]
        text = "\n".join(others)
        spoken_of = "\n".join([*self.before, *self.after, answer])
        if others and not any(re.search(rf"\b{thing}\b", spoken_of) for thing in _TAKEN.findall(text)):
            self.before[1:1] = text.split("\n")

    def say_otherwise(self, wording: Mapping[str, str]) -> None:
        """Put other words for what was said."""
        self.said = [wording.get(text, text) for text in self.said]

    @property
    def near(self) -> list[str]:
        """What is told to be near to the words."""
        return next((_parts(line.removeprefix(_NEAR)) for line in self.after if line.startswith(_NEAR)), [])

    @near.setter
    def near(self, names: Sequence[str]) -> None:
        self.after = [_NEAR + ", ".join(names) if line.startswith(_NEAR) else line for line in self.after]

    def spoken_of(self, answer: str) -> set[str]:
        """Stems of all words but those that only tell what is where."""
        after = [line for line in self.after if not line.startswith(_NEAR)]
        return _stems("\n".join([*self.before, *self.people, *self.rules, *after, answer]))

    def exchange_things(self, pool: Sequence[str], spoken_of: set[str], chance: random.Random) -> None:
        """Leave out, exchange and add things that nobody speaks of."""
        if _stems("\n".join(self.said)) & ABOUT_ALL or not pool:
            return
        names = {_name(thing) for _, inside in self.places for thing in inside}

        def another() -> list[str]:
            thing = chance.choice(pool)
            if _name(thing) in names or _stems(thing) & spoken_of:
                return []
            names.add(_name(thing))
            return [thing]

        def kept(thing: str) -> list[str]:
            luck = chance.random()
            if ": " in thing or _stems(thing) & spoken_of or luck > DROPPED + EXCHANGED:
                return [thing]
            return another() if luck > DROPPED else []

        self.places = [(place, [new for thing in inside for new in kept(thing)]) for place, inside in self.places]
        for _ in range(chance.randint(0, ADDED)):
            place, inside = chance.choice(self.places)
            if not _stems(place) & {stem(person) for person in self.people}:
                inside.extend(another())

    def add_rules(self, pool: Sequence[str], spoken_of: set[str], answer: str, chance: random.Random) -> None:
        """Rules about other things, which were learned before."""
        if _HISTORY_OF_RULES.search("\n".join([*self.said, answer])):
            return
        things = _stems(" ".join(thing for _, inside in self.places for thing in inside))
        rules = [*map(_rule, self.rules)]
        for rule in chance.sample(list(pool), min(len(pool), chance.randint(0, RULES_ADDED))):
            if not content(rule) & (spoken_of | things) and rule not in rules:
                rules.insert(chance.randint(0, len(rules)), rule)
        if len(rules) > len(self.rules):
            self.rules = [f"{_RULE}{number}: {rule}" for number, rule in enumerate(rules, start=1)]

    def shuffle(self, chance: random.Random) -> None:
        """Tell everything in another order."""
        chance.shuffle(self.places)
        for _, inside in self.places:
            chance.shuffle(inside)
        chance.shuffle(self.people)


def _with_other_people(sample: Sample, people: Sequence[str], chance: random.Random) -> Sample:
    others = [name for name in FIRST_NAMES if not re.search(rf"\b{name}\b", sample.prompt, re.IGNORECASE)]
    chance.shuffle(others)
    for one, other in zip(map(_name, people), others, strict=False):
        if one.isalpha() and one != SOMEBODY and chance.random() < RENAMED:
            for name, new in ((one, other), (one.capitalize(), other.capitalize())):
                again = re.compile(rf"\b{name}\b")
                sample = replace(sample, prompt=again.sub(new, sample.prompt), answer=again.sub(new, sample.answer))
    return sample


def _place(line: str) -> tuple[str, list[str]]:
    depth = 0
    for number, sign in enumerate(line):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and line.startswith(": ", number):
            return line[:number], _parts(line[number + 2 :])
    return line, []


def _parts(line: str) -> list[str]:
    """What commas part, but not within brackets."""
    parts, depth, begin = [], 0, 0
    for number, sign in enumerate(line):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and line.startswith(", ", number):
            parts.append(line[begin:number])
            begin = number + 2
    return [*parts, line[begin:]]


def _rule(line: str) -> str:
    return line.partition(": ")[2]


def _name(told: str) -> str:
    return told.partition(" (")[0]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.lower())}
