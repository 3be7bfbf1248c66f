"""What is asked of the robot and how it is done: a family draws a request that fits the world, and carries it out."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from daemon.names import forms, spoken
from training import phrases
from training.phrases import Phrasings, sentence
from training.words import BINS, made_up, plural
from training.world import HELD, Console, World, draw_world


class Unfit(Exception):
    """The world as it is has no such request."""


@dataclass
class Asker:
    """A person in a world, who asks a robot for one thing after another."""

    dice: random.Random
    world: World
    console: Console
    live: bool = True
    """Look at everything first, as heed does in earnest; else only at what matters, as its shipped examples show."""
    unseen: bool = False
    """Use held-out phrasings."""
    comments: list[str] = field(default_factory=list)
    """Lines to stand below the next utterance."""
    handled: str = ""
    """What was handled last."""

    def pick(self, phrasings: Phrasings) -> str:
        return self.dice.choice(phrasings.unseen if self.unseen and phrasings.unseen else phrasings.seen)

    def say(self, phrasings: Phrasings, **names: str) -> None:
        """Ask for it, with the names as people call them."""
        called = {key: self.call(name) for key, name in names.items()}
        self.hear(sentence(self.dice, self.pick(phrasings), **called))

    def hear(self, text: str, looks: str = "objects") -> None:
        """The words, and what the robot looks at before it acts on them; for places only it need not see the things."""
        first = not any(step.called == "list_locations" for step in self.console.steps)
        self.console.hear(text, self.comments)
        self.comments = []
        if self.live or looks == "objects":
            self.console.do("list_objects()")
        if (self.live and first) or (not self.live and looks == "places"):
            self.console.do("list_locations()")
        if self.live and first:
            self.console.do("other_names()")

    def call(self, name: str) -> str:
        """A way to say a name here: in full, shorter where that is clear, or another name."""
        aliases = self.world.aliases(name)
        if aliases and self.dice.random() < 0.6 and self.live:
            return self.dice.choice(aliases)
        everything = [*self.world.things, *self.world.places]
        short = forms(name)[-1]
        clear = sum(short in other.replace("_", " ") for other in everything) == 1
        return short if clear and self.dice.random() < 0.4 else spoken(name)

    # --- what there is ---

    def thing(self, *but: str) -> str:
        """A thing that lies somewhere, not with the person."""
        return self._one([name for name in self.world.things if self._lies(name) and name not in but])

    def open_thing(self, *but: str) -> str:
        """A thing that is not behind a closed door."""
        return self._one(
            [n for n in self.world.things if self._lies(n) and n not in but and not self._shut(self.at(n))]
        )

    def place(self, *but: str) -> str:
        return self._one([name for name in self.world.places if name not in but])

    def open_place(self, *but: str) -> str:
        return self._one([name for name in self.world.places if name not in but and not self._shut(name)])

    def at(self, name: str) -> str:
        return self.console.where(name)

    def free_hands(self) -> None:
        """Raises Unfit where something is held."""
        if self.console.held():
            raise Unfit

    def _lies(self, name: str) -> bool:
        where = self.at(name)
        return where != "person" and not where.endswith(HELD)

    def _shut(self, place: str) -> bool:
        return place in self.world.containers and not self.console.scene.is_open(place)

    def _one(self, options: list[str]) -> str:
        if not options:
            raise Unfit
        return self.dice.choice(options)

    # --- what is done ---

    def take(self, name: str, hand: str = "") -> bool:
        """Go there and take it; a door that had to be opened is closed again."""
        where = self.at(name)
        if where.endswith(HELD):
            return True
        self.console.do(f"move_to({where!r})")
        before = self._shut(where)
        if not self.console.attempt(f"grasp({name!r}, hand={hand!r})" if hand else f"grasp({name!r})"):
            return False
        if before and not self._shut(where) and len(self.console.held()) < 2:
            self.console.do(f"close_door({where!r})")
        self.handled = name
        return True

    def give(self, *names: str) -> None:
        self.console.do("move_to('person')")
        if all(self.console.attempt(f"handover({name!r})") for name in names):
            self.console.say(f"Here {_are(names)} {_listed(names)}.")

    def lay(self, place: str, *names: str) -> None:
        self.console.do(f"move_to({place!r})")
        before = self._shut(place)
        if not all(self.console.attempt(f"place({name!r}, {place!r})") for name in names):
            return
        if before and not self._shut(place):
            self.console.do(f"close_door({place!r})")
        self.console.say(f"{_listed(names).capitalize()} {_are(names)} at the {spoken(place)} now.")

    def bring(self, name: str) -> None:
        if self.take(name):
            self.give(name)

    def put(self, name: str, place: str) -> None:
        if self.take(name):
            self.lay(place, name)

    def bring_two(self, one: str, other: str) -> None:
        if self.take(one, "left") and self.take(other, "right"):
            self.give(one, other)

    def put_two(self, one: str, other: str, place: str) -> None:
        if self.take(one, "left") and self.take(other, "right"):
            self.lay(place, one, other)


def fetch(a: Asker) -> None:
    x = a.thing()
    a.free_hands()
    a.say(phrases.FETCH, x=x, p=a.at(x))
    a.bring(x)


def put(a: Asker) -> None:
    x = a.thing()
    p = a.place(a.at(x))
    a.free_hands()
    a.say(phrases.PUT, x=x, p=p, q=a.at(x))
    a.put(x, p)


def throw(a: Asker) -> None:
    x = a.thing()
    a.free_hands()
    if a.at(x) in BINS or not a.world.bin:
        raise Unfit
    a.say(phrases.THROW, x=x, b=a.world.bin, q=a.at(x))
    a.put(x, a.world.bin)


def go(a: Asker) -> None:
    p = a.place()
    text = sentence(a.dice, a.pick(phrases.GO), p=a.call(p))
    a.hear(text, looks="places")
    a.console.do(f"move_to({p!r})")
    a.console.say(f"I am at the {spoken(p)}.")


def come(a: Asker) -> None:
    a.hear(sentence(a.dice, a.pick(phrases.COME)), looks="nothing")
    a.console.do("move_to('person')")
    a.console.say("Here I am.")


def pick(a: Asker) -> None:
    x = a.thing()
    a.free_hands()
    a.say(phrases.PICK, x=x, p=a.at(x))
    if a.take(x):
        a.console.say(f"I have the {spoken(x)} in my hand.")


def put_down(a: Asker) -> None:
    """Also "put it on the table", of what is in a hand."""
    held = a.console.held()
    if not held:
        raise Unfit
    x = a.dice.choice(held)
    if a.dice.random() < 0.5:
        p = a.place()
        template = a.dice.choice(
            ("put it on {p}", "put it in {p}", "bring it to {p}", "place it on {p}", "take it to {p}")
        )
        a.hear(sentence(a.dice, template, p=a.call(p)))
        a.lay(p, x)
    elif a.dice.random() < 0.5:
        a.hear(sentence(a.dice, a.dice.choice(("give it to me", "hand it to me", "give me that", "bring it to me"))))
        a.give(x)
    else:
        a.say(phrases.PUT_DOWN, x=x)
        if a.console.attempt(f"place({x!r}, get_robot_location())"):
            a.console.say(f"I have put down the {spoken(x)}.")


def door(a: Asker) -> None:
    p = a._one(a.world.containers)
    a.free_hands()
    opens = a.dice.random() < 0.5
    text = sentence(a.dice, a.pick(phrases.OPEN if opens else phrases.CLOSE), p=a.call(p))
    a.hear(text, looks="places")
    a.console.do(f"move_to({p!r})")
    if a.console.attempt(f"{'open' if opens else 'close'}_door({p!r})"):
        a.console.say(f"The {spoken(p)} is {'open' if opens else 'closed'}.")


def fetch_two(a: Asker) -> None:
    x = a.thing()
    y = a.open_thing(x)
    a.free_hands()
    a.say(phrases.FETCH_TWO, x=x, y=y)
    a.bring_two(x, y)


def put_two(a: Asker) -> None:
    x, p = a.open_thing(), a.open_place()
    y = a.open_thing(x)
    a.free_hands()
    if p in (a.at(x), a.at(y)):
        raise Unfit
    a.say(phrases.PUT_TWO, x=x, y=y, p=p)
    a.put_two(x, y, p)


def move_all(a: Asker) -> None:
    q = a.open_place()
    there = [name for name in a.world.things if a.at(name) == q]
    p = a.open_place(q)
    a.free_hands()
    if not 2 <= len(there) <= 3:
        raise Unfit
    a.say(phrases.MOVE_ALL, q=q, p=p)
    for name in there:
        a.put(name, p)


def two_tasks(a: Asker) -> None:
    """One thing, and then another."""
    _tasks_in_a_row(a, 2)


def three_tasks(a: Asker) -> None:
    """More in one sentence than training ever asks for."""
    _tasks_in_a_row(a, 3)


def _tasks_in_a_row(a: Asker, count: int) -> None:
    a.free_hands()
    tasks: list[tuple[str, Callable[[], None]]] = []
    for _ in range(count):
        x = a.thing(*(handled for handled, _ in tasks))
        p = a.place(a.at(x))
        if a.dice.random() < 0.5:
            text = a.dice.choice(("bring me {x}", "get me {x}", "give me {x}", "bring {x} to me", "fetch {x}"))
            do: Callable[[], None] = partial(a.bring, x)
        else:
            text = a.dice.choice(("put {x} on {p}", "move {x} to {p}", "put {x} in {p}", "take {x} to {p}"))
            do = partial(a.put, x, p)
        said = sentence(random.Random(1), text, x=a.call(x), p=a.call(p)).rstrip(".!?")
        tasks.append((x, do))
        a.comments += [said]
    (one, *others), a.comments = a.comments, []
    text = a.dice.choice(("", "please ")) + one
    for other in others:
        text += a.dice.choice(phrases.AND_THEN) + other
    a.hear(phrases.carelessly(a.dice, text))
    for _, do in tasks:
        do()


def where(a: Asker) -> None:
    x = a._one(a.world.things)
    a.say(phrases.WHERE, x=x)
    a.console.do(f"say('The {spoken(x)} is at: ' + get_object_location({x!r}))")


def find(a: Asker) -> None:
    x = a.thing()
    a.say(phrases.FIND, x=x)
    a.console.do(f"move_to({a.at(x)!r})")
    a.console.say(f"I have found the {spoken(x)} at the {spoken(a.at(x))}.")


def point(a: Asker) -> None:
    x = a.open_thing()
    a.free_hands()
    a.say(phrases.POINT, x=x, p=a.at(x))
    a.console.do(f"move_to({a.at(x)!r})")
    if a.console.attempt(f"point_at({x!r})"):
        a.console.say(f"There is the {spoken(x)}.")


def by_class(a: Asker) -> None:
    """Something of a kind: the first in the list that is somewhere."""
    a.free_hands()
    kinds = sorted({a.world.category(name) for name in a.world.things if a._lies(name)} - {"thing"})
    kind = a._one(kinds)
    x = next(name for name in a.world.things if a.world.category(name) == kind and a._lies(name))
    table = {"drink": phrases.THIRSTY, "food": phrases.HUNGRY, "fruit": phrases.HUNGRY}
    if kind in table and a.dice.random() < 0.6:
        if kind == "fruit" and any(a.world.category(n) == "food" and a._lies(n) for n in a.world.things):
            raise Unfit
        a.hear(sentence(a.dice, a.pick(table[kind])))
    else:
        some = a.dice.choice(("a {}", "some {}", "any {}", "a piece of {}", "one {}")).format(kind)
        a.hear(sentence(a.dice, a.pick(phrases.CLASS).replace("{c}", some)))
    a.bring(x)


def spill(a: Asker) -> None:
    """Something to clean with."""
    a.free_hands()
    cleaners = ("sponge", "towel", "paper_towels", "cleaning_cloth", "rag")
    x = a._one([name for name in a.world.things if name in cleaners and a._lies(name)][:1])
    a.hear(sentence(a.dice, a.pick(phrases.SPILL), p=a.call(a.place())))
    a.bring(x)


def absent(a: Asker) -> None:
    """What is asked for is not here."""
    other = draw_world(a.dice)
    x = a._one([n for n in other.things if not any(w in " ".join(a.world.things) for w in n.split("_"))])
    said = spoken(x)
    a.hear(
        sentence(
            a.dice, a.pick(phrases.FETCH if a.dice.random() < 0.7 else phrases.PUT), x=said, p=a.call(a.place()), q="x"
        )
    )
    a.console.say(f"I do not see any {said} here.")


def which(a: Asker) -> None:
    """Two things of that name: the robot asks, and is told, or told that it does not matter."""
    a.free_hands()
    options = [n for n in a.world.things if a._lies(n)]
    noun = a._one([forms(n)[-1] for n in options if sum(forms(o)[-1] == forms(n)[-1] for o in options) == 2])
    one, other = [name for name in options if forms(name)[-1] == noun]
    a.hear(sentence(a.dice, a.dice.choice([t for t in phrases.FETCH.seen if "{p}" not in t]), x=noun))
    chosen = a.dice.choice((one, other))
    full = spoken(chosen)
    answer = a.dice.choice((f"the {full}", full, f"{full} please", full.split(" ")[0], f"the {full.split(' ')[0]} one"))
    if a.dice.random() < 0.2:
        chosen, answer = one, a.dice.choice(("I do not care", "any", "you choose", "either one"))
    a.console.ask(f"Which one do you mean: the {spoken(one)} or the {spoken(other)}?", answer)
    a.bring(chosen)


def talk(a: Asker) -> None:
    answer, said = a.dice.choice(list(phrases.HELLO.items()))
    a.hear(phrases.carelessly(a.dice, a.dice.choice(said)), looks="nothing")
    a.console.say(answer)


def told(a: Asker) -> None:
    statement, said = a.dice.choice(list(phrases.TOLD.items()))
    a.hear(phrases.carelessly(a.dice, a.dice.choice(said)), looks="nothing")
    a.console.do(statement)


def remember(a: Asker) -> None:
    a.hear(sentence(a.dice, a.pick(phrases.REMEMBER)), looks="nothing")
    a.console.do("learn_from_interaction()")


def unknown(a: Asker) -> None:
    """A deed that nobody has shown."""
    a.free_hands()
    a.hear(sentence(a.dice, f"{made_up(a.dice)} {{x}}", x=a.call(a.thing())))
    a.console.say("I have not learned how to do that yet.")


def wrong_thing(a: Asker) -> None:
    """Another thing was meant than the one that was brought."""
    if not a.handled or a.at(a.handled) != "person":
        raise Unfit
    y = a.thing()
    a.say(phrases.WRONG_THING, x=a.handled, y=y)
    a.bring(y)


def wrong_place(a: Asker) -> None:
    """Another place was meant than where it was put."""
    if not a.handled or not a._lies(a.handled):
        raise Unfit
    p = a.place(a.at(a.handled))
    a.say(phrases.WRONG_PLACE, p=p)
    a.put(a.handled, p)


FAMILIES: dict[str, tuple[Callable[[Asker], None], float]] = {
    "fetch": (fetch, 5),
    "put": (put, 5),
    "throw": (throw, 2),
    "go": (go, 1.5),
    "come": (come, 0.3),
    "pick": (pick, 1.2),
    "put_down": (put_down, 3),
    "door": (door, 1),
    "fetch_two": (fetch_two, 2),
    "put_two": (put_two, 1.5),
    "move_all": (move_all, 3),
    "two_tasks": (two_tasks, 2),
    "three_tasks": (three_tasks, 0),
    "where": (where, 0.7),
    "find": (find, 0.5),
    "point": (point, 0.4),
    "by_class": (by_class, 1.5),
    "spill": (spill, 1),
    "absent": (absent, 0.7),
    "which": (which, 4),
    "talk": (talk, 0.4),
    "told": (told, 0.5),
    "remember": (remember, 0.5),
    "unknown": (unknown, 0.4),
    "wrong_thing": (wrong_thing, 2),
    "wrong_place": (wrong_place, 2),
}
"""Family -> what does it, and how often it is drawn compared to the others; 0 for one that is held out."""


def _are(names: tuple[str, ...]) -> str:
    return "are" if len(names) > 1 or plural(names[0]) else "is"


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"the {spoken(name)}" for name in names)
