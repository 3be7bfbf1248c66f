"""Other samples of one, as text: said in other words, with other things around, other people, in another order, later
in a day.

Nothing is run again: what a sample is about stays as it is, and so does its answer. It takes a twentieth of the time
of a variation that is run (training/corpus/vary.py), and goes by the same rules.
"""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from daemon.console.prompt import TAUGHT_TURNS
from daemon.console.situation import NEAREST, SOMEBODY
from daemon.memory.nearness import Nearness
from training.brain.samples import Sample
from training.brain.told import NEAR, RULE, Told, name_of, rule_of
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

    def reworded(self, sample: Sample, chance: random.Random) -> Sample:
        """Return another sample with the same answer, but for names."""
        told = _Changed.by(sample.prompt)
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
        told.near = [name_of(things[position]) for position in order[:NEAREST]]
        return _with_other_people(replace(sample, prompt=told.text), told.people, chance)


class _Changed(Told):
    """A prompt that becomes another one."""

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

    def spoken_of(self, answer: str) -> set[str]:
        """Stems of all words but those that only tell what is where."""
        after = [line for line in self.after if not line.startswith(NEAR)]
        return _stems("\n".join([*self.before, *self.people, *self.rules, *after, answer]))

    def exchange_things(self, pool: Sequence[str], spoken_of: set[str], chance: random.Random) -> None:
        """Leave out, exchange and add things that nobody speaks of."""
        if _stems("\n".join(self.said)) & ABOUT_ALL or not pool:
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


def _with_other_people(sample: Sample, people: Sequence[str], chance: random.Random) -> Sample:
    others = [name for name in FIRST_NAMES if not re.search(rf"\b{name}\b", sample.prompt, re.IGNORECASE)]
    chance.shuffle(others)
    for one, other in zip(map(name_of, people), others, strict=False):
        if one.isalpha() and one != SOMEBODY and chance.random() < RENAMED:
            for name, new in ((one, other), (one.capitalize(), other.capitalize())):
                again = re.compile(rf"\b{name}\b")
                sample = replace(sample, prompt=again.sub(new, sample.prompt), answer=again.sub(new, sample.answer))
    return sample


def _stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[^\W_]+", text.lower())}
