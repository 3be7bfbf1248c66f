"""Requests that only what was learned decides: a line that says what is meant, or an example that shows it."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from daemon.names import spoken
from daemon.transcript import MEANING, render
from training import phrases
from training.families import Asker, Unfit
from training.phrases import Phrasings, sentence
from training.words import made_up
from training.world import World

TIDY = Phrasings(("tidy up {x}", "put {x} away", "clean up {x}", "put {x} where it belongs", "take care of {x}"))
TEACHERS = ("you", "the person", "somebody", "Ann", "Tom", "mother")


def learned(dice: random.Random, rule: str) -> str:
    """The comment by which heed names a lesson."""
    months = ("January", "March", "June", "August", "November", "December")
    date = f"{dice.randint(1, 28)} {dice.choice(months)} {dice.randint(2025, 2027)}"
    return f"# Learned from {dice.choice(TEACHERS)} on {date}: {rule}"


# --- a line below the utterance says what is meant ---


def meant_also(a: Asker) -> None:
    """A thing brings another one along."""
    a.free_hands()
    x = a.thing()
    y = a.open_thing(x)
    said = sentence(a.dice, a.dice.choice([t for t in phrases.FETCH.seen if "{p}" not in t]), x=a.call(x)).rstrip(".?!")
    meaning = a.dice.choice((f"{said} and the {spoken(y)}", f"{said}; bring me the {spoken(y)}"))
    a.comments = [
        learned(a.dice, f"When you ask for {spoken(x)}, I also bring the {spoken(y)}."),
        f"{MEANING}{meaning}",
    ]
    a.hear(said)
    a.bring_two(x, y)


def meant_place(a: Asker) -> None:
    """A verb, or a class of things, means a place."""
    a.free_hands()
    x = a.thing()
    p = a.place(a.at(x))
    meaning = f"put the {spoken(x)} {a.dice.choice(('on', 'in'))} the {spoken(p)}"
    if a.dice.random() < 0.5:
        verb = a.dice.choice(("serve", "prepare", "park", "settle", made_up(a.dice)))
        rule, said = f'When you say "{verb}", you mean "put it on the {spoken(p)}".', f"{verb} {{x}}"
    else:
        rule, said = f"The {spoken(x)} belongs in the {spoken(p)}.", a.pick(TIDY)
    a.comments = [learned(a.dice, rule), f"{MEANING}{meaning}"]
    a.hear(sentence(a.dice, said, x=a.call(x)))
    a.put(x, p)


def meant_plainly(a: Asker) -> None:
    """Many words, and what is left when they are stripped of politeness."""
    a.free_hands()
    x = a.thing()
    meaning = sentence(
        a.dice, a.dice.choice(("bring me {x}", "get me {x}", "can I have {x}", "give me {x}")), x=a.call(x)
    )
    a.comments = [f"{MEANING}{meaning}"]
    a.hear(f"{a.dice.choice(('well I was wondering', 'you know what', 'listen', 'if you have time'))}, {meaning}")
    a.bring(x)


MEANT: tuple[Callable[[Asker], None], ...] = (meant_also, meant_place, meant_plainly)


# --- only an example shows what is meant ---


class Habit(ABC):
    """Something that is done otherwise in this household; show() is a transcript of it, ask() a request for it."""

    def __init__(self, dice: random.Random, world: World) -> None:
        """Raises Unfit where the world has too little for it."""
        if len(world.things) < 4 or len(world.places) < 3:
            raise Unfit
        self._dice = dice
        self._world = world
        self.x, self.y, self.z, *_ = dice.sample(world.things, len(world.things))
        self.p = dice.choice([place for place in world.places if place not in world.containers])
        self.rule = ""

    def show(self) -> str:
        """How it was done on another day; with the rule, most of the time."""
        asker = Asker(self._dice, self._moved(), None, live=False)  # type: ignore[arg-type]
        asker.console = asker.world.console()
        self.do(asker, self._shown_thing)
        text = render(asker.console.steps)
        return f"{learned(self._dice, self.rule)}\n{text}" if self._dice.random() < 0.6 else text

    def ask(self, asker: Asker) -> None:
        """Ask for it, and do it."""
        self.do(asker, self.x)

    def ask_another(self, asker: Asker) -> None:
        """Ask for something that it is not about, and do that."""
        if not asker._lies(self.z):
            raise Unfit
        asker.say(_PLAIN, x=self.z)
        asker.bring(self.z)

    def ask_unshown(self, asker: Asker) -> None:
        """Ask for it where nobody has shown it."""
        asker.say(_PLAIN, x=self.x)
        asker.bring(self.x)

    @abstractmethod
    def do(self, asker: Asker, x: str) -> None:
        """Do with x what is done in this household."""

    @property
    def _shown_thing(self) -> str:
        return self.x

    def _moved(self) -> World:
        """The same household on another day."""
        places = [place for place in self._world.places if place not in (self._world.bin, self.p)]
        objects = {
            name: {**{k: v for k, v in entry.items() if k != "held_by"}, "location": self._dice.choice(places)}
            for name, entry in self._world.description["objects"].items()
        }
        return replace(self._world, description={**self._world.description, "objects": objects})


_PLAIN = Phrasings(tuple(template for template in phrases.FETCH.seen if "{p}" not in template))


class BringAlso(Habit):
    """With x comes y."""

    def do(self, asker: Asker, x: str) -> None:
        if asker._shut(asker.at(self.y)) or not (asker._lies(x) and asker._lies(self.y)):
            raise Unfit
        self.rule = f"When you ask for {spoken(x)}, I also bring the {spoken(self.y)}."
        asker.say(_PLAIN, x=x)
        asker.bring_two(x, self.y)


class ServeAt(Habit):
    """x is not handed over but put somewhere."""

    def do(self, asker: Asker, x: str) -> None:
        if asker.at(x) == self.p or not asker._lies(x):
            raise Unfit
        self.rule = f"I put the {spoken(x)} on the {spoken(self.p)} for you."
        asker.say(_PLAIN, x=x)
        asker.put(x, self.p)


class NewVerb(Habit):
    """A verb that nobody knows; the example is about another thing."""

    def __init__(self, dice: random.Random, world: World) -> None:
        super().__init__(dice, world)
        self.verb = made_up(dice)
        self.deed = dice.choice(("put", "put", "put", "throw", "bring", "pick"))
        if self.deed == "throw" and not world.bin:
            raise Unfit

    @property
    def _shown_thing(self) -> str:
        return self.y

    def do(self, asker: Asker, x: str) -> None:
        goal = {"put": self.p, "throw": self._world.bin}.get(self.deed, "")
        if not asker._lies(x) or asker.at(x) == goal:
            raise Unfit
        told = {
            "put": f"put it on the {spoken(self.p)}",
            "throw": "throw it away",
            "bring": "bring it",
            "pick": "hold it",
        }
        self.rule = f'When you say "{self.verb}", you mean "{told[self.deed]}".'
        asker.hear(sentence(self._dice, f"{self.verb} {{x}}", x=asker.call(x)))
        if goal:
            asker.put(x, goal)
        elif self.deed == "bring":
            asker.bring(x)
        elif asker.take(x):
            asker.console.say(f"I have the {spoken(x)} in my hand.")

    def ask_unshown(self, asker: Asker) -> None:
        asker.hear(sentence(self._dice, f"{self.verb} {{x}}", x=asker.call(self.x)))
        asker.console.say("I have not learned how to do that yet.")


HABITS: tuple[type[Habit], ...] = (BringAlso, ServeAt, NewVerb)
