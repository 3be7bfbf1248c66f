"""Other samples of one, as text: said in other words, with other things around, other people, in another order, later
in a day.

Nothing is run again: what a sample is about stays as it is, and so does its answer. It takes a twentieth of the time
of a variation that is run (training/corpus/vary.py), and goes by the same rules.
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from daemon.console.prompt import TAUGHT_TURNS
from daemon.console.prompt_parts import RULE, SAID, name_of, rule_of
from daemon.console.situation import NEAREST, SOMEBODY
from daemon.memory.nearness import Nearness
from training.brain.samples import Sample
from training.brain.told import NEAR, Told
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
            told = _Changed.by(sample.prompt)
            if told.turns and not any(map(_KEPT.search, told.turns)):
                turns.setdefault(told.rooms, {})[tuple(told.turns)] = None
            things.update((name_of(thing), thing) for _, inside in told.places for thing in inside)
            rules |= dict.fromkeys(map(rule_of, told.rules))
        usual = [thing for thing in things.values() if ": " not in thing]
        return cls(usual, list(rules), {rooms: list(known) for rooms, known in turns.items()})


@dataclass(frozen=True)
class Reworder:
    """Makes the others."""

    nearness: Nearness
    around: Around
    otherwise: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    """By dialogue: what was said -> how another person says it."""

    def reworded(self, samples: Sequence[Sample], chance: random.Random) -> Sequence[Sample]:
        """Return others of samples that begin alike (those of a group of alike()), with the same answers but for names.

        They begin alike, too: a processor that teaches reads that once.
        """
        told = [_Changed.by(sample.prompt) for sample in samples]
        if not all(one.places and one.said for one in told):
            return samples
        before = self._wording(samples[0], chance)
        for one, sample in zip(told, samples, strict=True):
            said = [*(before.get(text, text) for text in one.said[:-1]), one.said[-1]]
            last = self._wording(sample, chance).get(said[-1], said[-1])
            one.say_otherwise([*said[:-1], said_as(last, chance.random() < TYPED, chance)])
        around = replace(told[0], after=[line for one in told for line in one.after])
        answers = "\n".join(sample.answer for sample in samples)
        if chance.random() < LATER:
            around.come_later(self.around.turns.get(around.rooms, []), answers, chance)
        around.exchange_things(self.around.things, around.spoken_of(answers), chance)
        around.add_rules(self.around.rules, around.spoken_of(answers), answers, chance)
        around.shuffle(chance)
        things = [thing for _, inside in around.places for thing in inside]
        spoken = [thing.replace("_", " ") for thing in things]
        for one in told:
            order = self.nearness.order(one.said[-1], spoken)
            one.near = [name_of(things[position]) for position in order[:NEAREST]]
        others = [
            replace(sample, prompt=replace(around, after=one.after).text)
            for one, sample in zip(told, samples, strict=True)
        ]
        return _with_other_people(others, around.people, chance)

    def _wording(self, sample: Sample, chance: random.Random) -> Mapping[str, str]:
        return chance.choice([{}, *self.otherwise.get(sample.dialogue, [])])


def alike(samples: Iterable[Sample], most: int) -> Iterator[Sequence[Sample]]:
    """Yield groups of so many samples at most, which are the same up to the last words.

    What speaks of all there is stands with its like, and so does what looks back: less may change around them.
    """
    groups: dict[tuple[str, bool, bool], list[Sample]] = {}
    for sample in samples:
        told = _Changed.by(sample.prompt)
        kind = told.speaks_of_all, told.looks_back(sample.answer)
        groups.setdefault((replace(told, after=[]).text, *kind), []).append(sample)
    for group in groups.values():
        yield from (group[begin : begin + most] for begin in range(0, len(group), most))


class _Changed(Told):
    """A prompt that becomes another one."""

    @property
    def speaks_of_all(self) -> bool:
        """Return whether somebody said what changes with the things around: "all", "the other"."""
        return bool(_stems("\n".join(self.said)) & ABOUT_ALL)

    def looks_back(self, answer: str) -> bool:
        """Return whether the last words or their answer are about something before."""
        last = [line for line in self.after if line.startswith(SAID)]
        return bool(_LOOKS_BACK.search("\n".join([*last, answer])))

    def come_later(self, known: Sequence[Sequence[str]], answer: str, chance: random.Random) -> None:
        """Put turns before its own which have nothing to do with it, if there are any."""
        room = TAUGHT_TURNS - 1 - len(self.turns)
        if not known or room < 1 or (not self.turns and self.looks_back(answer)):
            return
        others = chance.choice(known)[:room]
        text = "\n".join(others)
        spoken_of = "\n".join([*self.before, *self.after, answer])
        if others and not any(re.search(rf"\b{thing}\b", spoken_of) for thing in _TAKEN.findall(text)):
            self.before[1:1] = text.split("\n")

    def spoken_of(self, answer: str) -> set[str]:
        """Stems of all words but those that only tell what is where."""
        after = [line for line in self.after if not line.startswith(NEAR)]
        return _stems("\n".join([*self.before, *self.people, *self.rules, *after, answer]))

    def exchange_things(self, pool: Sequence[str], spoken_of: set[str], chance: random.Random) -> None:
        """Leave out, exchange and add things that nobody speaks of."""
        if self.speaks_of_all or not pool:
            return
        names = {name_of(thing) for _, inside in self.places for thing in inside}

        def another() -> list[str]:
            thing = chance.choice(pool)
            if name_of(thing) in names or _stems(thing) & spoken_of:
                return []
            names.add(name_of(thing))
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
        rules = [*map(rule_of, self.rules)]
        for rule in chance.sample(list(pool), min(len(pool), chance.randint(0, RULES_ADDED))):
            if not content(rule) & (spoken_of | things) and rule not in rules:
                rules.insert(chance.randint(0, len(rules)), rule)
        if len(rules) > len(self.rules):
            self.rules = [f"{RULE}{number}: {rule}" for number, rule in enumerate(rules, start=1)]

    def shuffle(self, chance: random.Random) -> None:
        """Tell everything in another order."""
        chance.shuffle(self.places)
        for _, inside in self.places:
            chance.shuffle(inside)
        chance.shuffle(self.people)


def _with_other_people(samples: Sequence[Sample], people: Sequence[str], chance: random.Random) -> Sequence[Sample]:
    known = "\n".join(sample.prompt for sample in samples)
    others = [name for name in FIRST_NAMES if not re.search(rf"\b{name}\b", known, re.IGNORECASE)]
    chance.shuffle(others)
    for one, other in zip(map(name_of, people), others, strict=False):
        if one.isalpha() and one != SOMEBODY and chance.random() < RENAMED:
            for name, new in ((one, other), (one.capitalize(), other.capitalize())):
                again = re.compile(rf"\b{name}\b")
                samples = [
                    replace(sample, prompt=again.sub(new, sample.prompt), answer=again.sub(new, sample.answer))
                    for sample in samples
                ]
    return samples


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.lower())}
