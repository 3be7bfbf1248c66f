"""Makes simple dialogues by program: plain wishes in worlds drawn at random, so that names are read, not known.

People's dialogues teach how people talk; these teach to find a thing among others by what it is called, for which a
small model needs many examples. Several stand in one world, so that one reading of it answers many wishes. Like all
dialogues they are run before they count.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daemon.names import forms, spoken
from training.corpus.dialogues import Dialogue, Turn
from training.corpus.vary import FILLERS, FIRST_NAMES, Pool

IN_A_WORLD = 8
"""Dialogues."""
THINGS = (5, 13)
OPEN, FILLED, CLOSED_AT = 0.25, 0.2, 0.6

BRING = (
    *("bring me {x}", "get me {x}", "fetch {x}", "{x} please", "{x}", "can i have {x}", "could you bring {x} over"),
    *("i need {x}", "i'd like {x}", "hand me {x}", "pass me {x}", "where did {x} go, i need it", "go get {x} for me"),
    *("i could do with {x}", "would you mind fetching {x}", "have you got {x} for me", "give me {x} will you"),
    *("time for {x}, bring it", "i can't reach {x}", "i left {x} somewhere, bring it here", "let me have {x}"),
)
BRING_TWO = (
    *("bring me {x} and {y}", "{x} and {y} please", "i need {x} and also {y}", "get {x}, and while you're at it {y}"),
    *("could i have {x} plus {y}", "fetch {x}. oh and {y} too", "{y} goes well with {x}, bring both of them"),
)
GIVE = (
    *("bring {x} to {who}", "take {who} {x}", "{who} wants {x}", "{x} is for {who}", "give {x} to {who}"),
    *("{who} asked for {x}", "could you hand {who} {x}", "{x} to {who} please", "{who} needs {x} over there"),
)
PUT = (
    *("put {x} {in} {p}", "{x} goes {in} {p}", "place {x} {in} {p}", "{x} belongs {in} {p}", "move {x} to {p}"),
    *("can you take {x} to {p}", "{x} {in} {p} please", "leave {x} {in} {p}", "i want {x} {in} {p}"),
    *("tidy {x} away, {in} {p}", "set {x} down {in} {p}", "carry {x} over to {p}"),
)
REPAIRED = (
    *("{y}, no sorry, {x}", "bring me {y}. wait, i mean {x}", "{y}... no, {x} please", "not {y}, {x}"),
    *("get {y}, ah no, make that {x}", "i said {y} but i want {x}", "{x}, not {y}", "anything but {y}. {x} then"),
    *("i was going to ask for {y} but bring {x}", "leave {y} where it is and give me {x}"),
)
WHERE = ("where is {x}", "have you seen {x}", "where did i put {x}", "{x}, where is it", "do you know where {x} is")
WHAT_IS_AT = ("what is {in} {p}", "what's {in} {p}", "tell me what you see {in} {p}", "is there anything {in} {p}")
IS_OPEN = ("is {p} open", "is {p} shut", "did someone leave {p} open", "is {p} closed")
GO = ("go to {p}", "drive over to {p}", "wait by {p}", "come to {p}", "stand next to {p}", "off to {p} with you")
OPEN_IT = ("open {p}", "open {p} for me", "can you open up {p}", "{p} should be open", "i want {p} open")
CLOSE_IT = ("close {p}", "shut {p}", "{p} is open, close it", "{p} should be shut", "don't leave {p} open")
RULES = (
    ("when i ask for {x} bring {y} too", "When you ask for {x}, I also bring {y}."),
    ("whenever i want {x} i also want {y}", "When you ask for {x}, I also bring {y}."),
    ("{x} always comes with {y}, remember that", "When you ask for {x}, I also bring {y}."),
    ("from now on {y} comes along when i ask for {x}", "When you ask for {x}, I also bring {y}."),
)
NAMES = ("we call {x} {new}", "{x} is called {new} here", "when i say {new} i mean {x}", "{new}, that is {x}")
NICKNAMES = ("old faithful", "the boss", "bertha", "number one", "the good one", "sparky", "the beast", "goldie")
FORBIDDEN = ("never touch {x}", "don't ever bring me {x}", "{x} is off limits", "keep your hands off {x}, always")
LATER = (
    ("when i come back", "when i'm back bring me {x}"),
    ("when i come back", "bring {x} as soon as i return"),
    ("when i say it is time", "once i say it is time, bring {x}"),
)
THERE = ("Here is the {x}.", "Here you are, the {x}.", "The {x}.", "Here is your {x}.")


class _Unfit(Exception):
    """This world has no such wish."""


@dataclass
class _Day:
    """A world, and what is done in it."""

    chance: random.Random
    world: Mapping[str, Any]
    pool: Pool
    learned: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    expected: dict[str, Any] = field(default_factory=dict)

    # --- what there is ---

    def thing(self, *but: str) -> str:
        lying = [name for name, about in self.world["objects"].items() if about["location"] not in self.people]
        return self._one([name for name in lying if name not in but and name not in self.moved])

    def place(self, *but: str) -> str:
        return self._one([name for name in self.places if name not in but])

    def door(self, state: str) -> str:
        return self._one([place["name"] for place in self._described if place.get("door") == state])

    def person(self) -> str:
        return self._one([name for name in self.people if name != "person"])

    def at(self, thing: str) -> str:
        return self.moved.get(thing) or str(self.world["objects"][thing]["location"])

    def has_door(self, place: str) -> bool:
        return any(other["name"] == place and "door" in other for other in self._described)

    @property
    def places(self) -> list[str]:
        return [place["name"] for place in self._described if place.get("kind") != "person"]

    @property
    def people(self) -> list[str]:
        return [place["name"] for place in self._described if place.get("kind") == "person"]

    @property
    def _described(self) -> list[Mapping[str, Any]]:
        return [place for place in self.world["locations"] if isinstance(place, Mapping)]

    def _one(self, names: Sequence[str]) -> str:
        if not names:
            raise _Unfit
        return self.chance.choice(names)

    # --- how it is said ---

    def called(self, name: str) -> str:
        """What somebody calls a thing or a place, so that it is clear which one is meant."""
        about = self.world["objects"].get(name, {})
        ways = [spoken(name), spoken(name), *about.get("aliases", ())]
        others = [other for other in (*self.world["objects"], *self.places) if other != name]
        short = forms(name)[-1]
        if not any(short in f" {spoken(other)} " for other in others):
            ways += [short, short]
        kind = str(about.get("category", ""))
        if kind and sum(kind == other.get("category") for other in self.world["objects"].values()) == 1:
            ways.append(kind)
            ways += [f"{state} {kind}" for state, so in about.get("state", {}).items() if so is True]
        way = self.chance.choice(ways)
        article = (
            "" if way.startswith(("the ", "my ")) or "'" in way else self.chance.choice(("the ", "the ", "my ", ""))
        )
        return article + way

    def say(self, templates: Sequence[str], *write: str, speaker: str = "", **names: str) -> None:
        """`names` are told by their own; those that end with "_" are put in as they are."""
        told = {key.rstrip("_"): name if key.endswith("_") else self.called(name) for key, name in names.items()}
        text = self.chance.choice(templates).format(**told)
        if self.chance.random() < FILLED:
            text = f"{self.chance.choice(FILLERS)} {text}"
        self.turns.append(Turn(text, "\n".join(write), speaker))

    def there(self, thing: str) -> str:
        return f"say({self.chance.choice(THERE).format(x=spoken(thing))!r})"


def _bring(day: _Day) -> None:
    x, speaker = day.thing(), ""
    if len(day.people) > 1 and day.chance.random() < 0.3:
        speaker = day.person()
    to = f", {speaker!r}" if speaker else ""
    day.say(BRING, f"bring({x!r}{to})", day.there(x), speaker=speaker, x=x)
    day.moved[x] = speaker or "person"


def _bring_two(day: _Day) -> None:
    x = day.thing()
    y = day.thing(x)
    day.say(BRING_TWO, f"bring({x!r})", f"bring({y!r})",
            f"say({f'Here are the {spoken(x)} and the {spoken(y)}.'!r})", x=x, y=y)  # fmt: skip
    day.moved |= {x: "person", y: "person"}


def _give(day: _Day) -> None:
    x, who = day.thing(), day.person()
    day.say(GIVE, f"bring({x!r}, {who!r})", f"say({f'Here is the {spoken(x)}, {spoken(who).title()}.'!r})",
            x=x, who_=who)  # fmt: skip
    day.moved[x] = who


def _put(day: _Day) -> None:
    x = day.thing()
    p = day.place(day.at(x))
    inside = "in" if day.has_door(p) else "on"
    day.say(PUT, f"put({x!r}, {p!r})", f"say({f'The {spoken(x)} is {inside} the {spoken(p)} now.'!r})",
            x=x, p=p, in_=inside)  # fmt: skip
    day.moved[x] = p


def _repaired(day: _Day) -> None:
    x = day.thing()
    day.say(REPAIRED, f"bring({x!r})", day.there(x), x=x, y=day.thing(x))
    day.moved[x] = "person"


def _absent(day: _Day) -> None:
    words = {word for name in (*day.world["objects"], *day.places) for word in spoken(name).split()}
    words |= {word for about in day.world["objects"].values() for word in _told(about)}
    away = [name for name in day.pool.things
            if not set(spoken(name).split()) & words and not set(_told(day.pool.things[name])) & words]  # fmt: skip
    name = spoken(day._one(away))
    day.say(BRING[:18], f"say({f'I see no {name} here.'!r})", x_=f"the {name}")


def _where(day: _Day) -> None:
    x = day.thing()
    p = day.at(x)
    inside = "in" if day.has_door(p) else "on"
    day.say(WHERE, f"say({f'The {spoken(x)} is {inside} the {spoken(p)}.'!r})", x=x)


def _what_is_at(day: _Day) -> None:
    p = day.place()
    there = [f"the {spoken(name)}" for name in day.world["objects"] if day.at(name) == p]
    listed = " and ".join((", ".join(there[:-1]), there[-1])) if len(there) > 1 else (there or ["nothing"])[0]
    inside = "in" if day.has_door(p) else "on"
    answer = f"There is {listed} {inside} the {spoken(p)}." if there else f"The {spoken(p)} is empty."
    day.say(WHAT_IS_AT, f"say({answer!r})", p=p, in_=inside)


def _is_open(day: _Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    day.say(IS_OPEN, f"say({f'The {spoken(p)} is {state}.'!r})", p=p)


def _go(day: _Day) -> None:
    p = day.place(day.world["robot"]["location"])
    day.say(GO, f"go({p!r})", f"say({f'I am at the {spoken(p)}.'!r})", p=p)
    day.expected["at"] = p


def _door(day: _Day) -> None:
    deed, templates, before = day.chance.choice((("open", OPEN_IT, "closed"), ("close", CLOSE_IT, "open")))
    p, state = day.door(before), "open" if deed == "open" else "closed"
    day.say(templates, f"{deed}({p!r})", f"say({f'The {spoken(p)} is {state}.'!r})", p=p)
    day.expected["doors"] = {p: state}


def _which(day: _Day) -> None:
    """Two of a kind: one question, then the answer."""
    things = day.world["objects"]
    kinds = [str(about["category"]) for about in things.values() if "category" in about]
    kind = day._one([kind for kind in kinds if kinds.count(kind) == 2])
    one, other = (name for name, about in things.items() if about.get("category") == kind)
    x = day.chance.choice((one, other))
    said = {word for name in things for word in spoken(name).split()}
    if kind in said - set(spoken(one).split()) or one in day.moved or other in day.moved:
        raise _Unfit
    day.say(BRING[:12], f"ask({f'The {spoken(one)} or the {spoken(other)}?'!r})", x_=f"the {kind}")
    day.say(("{x}", "{x} please", "oh, {x}", "i mean {x}"), f"bring({x!r})", day.there(x), x_=f"the {spoken(x)}")
    day.moved[x] = "person"


def _rule(day: _Day) -> None:
    x = day.thing()
    y = day.thing(x)
    said, rule = day.chance.choice(RULES)
    kept = rule.format(x=f"the {spoken(x)}", y=f"the {spoken(y)}")
    day.say((said,), f"remember({kept!r})", x_=f"the {spoken(x)}", y_=f"the {spoken(y)}")
    day.turns[-1] = Turn(said.format(x=f"the {spoken(x)}", y=f"the {spoken(y)}"), day.turns[-1].write)
    day.turns.append(Turn(day.chance.choice(("yes", "yes please", "yeah", "sure")), ""))
    day.expected["rule"] = f"{spoken(x)}.*{spoken(y)}"


def _apply(day: _Day) -> None:
    """A rule that was taught before: it applies, or it does not."""
    x = day.thing()
    y = day.thing(x)
    day.learned.append(f"When you ask for the {spoken(x)}, I also bring the {spoken(y)}.")
    if day.chance.random() < 0.5:
        z = day.thing(x, y)
        day.say(BRING, f"bring({z!r})", day.there(z), x=z)
        day.moved[z] = "person"
        return
    both = f"Here are the {spoken(x)} and the {spoken(y)}."
    day.say(BRING, f"bring({x!r})", f"bring({y!r})", f"say({both!r})", x=x)
    day.moved |= {x: "person", y: "person"}


def _name(day: _Day) -> None:
    x, new = day.thing(), day.chance.choice(NICKNAMES)
    day.say(NAMES, f"call_it({new!r}, {x!r})", x_=f"the {spoken(x)}", new_=new)
    day.turns.append(Turn("yes", ""))
    day.say(BRING[:8], f"bring({x!r})", day.there(x), x_=new)
    day.moved[x] = "person"


def _forbid(day: _Day) -> None:
    x = day.thing()
    day.say(FORBIDDEN, f"forbid({x!r})", x_=f"the {spoken(x)}")
    day.turns.append(Turn("yes", ""))


def _later(day: _Day) -> None:
    x = day.thing()
    when, said = day.chance.choice(LATER)
    day.say((said,), f"say(remember_later({when!r}, {f'bring me the {spoken(x)}'!r}))", x_=f"the {spoken(x)}")
    day.expected["waiting"] = 1


def _if_open(day: _Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    templates = ("if {p} is open close it", "{p}, close it in case it's open", "check {p} and shut it if it is open")
    if state == "open":
        day.say(templates, f"close({p!r})", f"say({f'The {spoken(p)} was open. I closed it.'!r})", p=p)
        day.expected["doors"] = {p: "closed"}
    else:
        day.say(templates, f"say({f'The {spoken(p)} is closed already.'!r})", p=p)


def _all_but(day: _Day) -> None:
    p = day.place()
    there = [name for name in day.world["objects"] if day.at(name) == p and name not in day.moved]
    if not 2 <= len(there) <= 4:
        raise _Unfit
    x, to = day.chance.choice(there), day.place(p)
    inside, from_ = ("in" if day.has_door(place) else "on" for place in (to, p))
    rest = [name for name in there if name != x]
    said = ("everything {of} {p} goes {in} {q}, except {x}", "put all that is {of} {p} {in} {q}, but not {x}")
    day.say(said, *(f"put({name!r}, {to!r})" for name in rest),
            f"say({f'Only the {spoken(x)} is left {from_} the {spoken(p)}.'!r})",
            p=p, q=to, x=x, in_=inside, of_=from_)  # fmt: skip
    day.moved |= dict.fromkeys(rest, to)


def _told(about: Mapping[str, Any]) -> list[str]:
    return " ".join([str(about.get("category", "")), *about.get("aliases", ()), *about.get("state", {})]).split()


WISHES: Mapping[Callable[[_Day], None], tuple[str, float]] = {
    _bring: ("order", 5), _bring_two: ("steps", 2), _give: ("people", 2), _put: ("order", 3), _go: ("order", 0.7),
    _repaired: ("correction", 2), _absent: ("refusal", 1.5), _where: ("question", 1), _what_is_at: ("question", 0.7),
    _is_open: ("question", 0.6), _door: ("order", 1), _which: ("ambiguity", 5), _rule: ("teaching", 1),
    _apply: ("teaching", 2), _name: ("teaching", 0.7), _forbid: ("teaching", 0.5), _later: ("later", 0.7),
    _if_open: ("condition", 1), _all_but: ("steps", 1),
}  # fmt: skip
"""Each with its kind, and how often it comes."""
GO_ON = (_bring, _give, _put, _where, _repaired)
"""What may be wished for afterwards."""


def drills(worlds: Sequence[Mapping[str, Any]], pool: Pool, chance: random.Random) -> Iterator[Dialogue]:
    """Dialogues without end, in worlds that have the places of these and things of the pool."""
    while True:
        world = _drawn(chance.choice(worlds), pool, chance)
        for _ in range(IN_A_WORLD):
            if drill := _drill(world, pool, chance):
                yield drill


def _drill(world: Mapping[str, Any], pool: Pool, chance: random.Random) -> Dialogue | None:
    day = _Day(chance, world, pool)
    wish = chance.choices(list(WISHES), [weight for _, weight in WISHES.values()])[0]
    try:
        wish(day)
        if chance.random() < 0.3 and wish not in (_later, _forbid, _rule, _go):
            chance.choice(GO_ON)(day)
    except _Unfit:
        return None if not day.turns or wish is _which else _finished(day, wish)
    return _finished(day, wish)


def _finished(day: _Day, wish: Callable[[_Day], None]) -> Dialogue:
    name = f"{wish.__name__.strip('_')}-{day.chance.randrange(10**8):08}"
    expected = {"moved": dict(day.moved), **day.expected}
    return Dialogue(name, "drills", WISHES[wish][0], day.world, tuple(day.turns), tuple(day.learned), expected)


def _drawn(world: Mapping[str, Any], pool: Pool, chance: random.Random) -> dict[str, Any]:
    """The places of a world, other people, other things at other places, other doors."""
    first, *others = world["locations"]
    places = [dict(place) if isinstance(place, Mapping) else {"name": place} for place in others]
    for place in places:
        if place.get("kind") == "person" and place["name"] != "person":
            place["name"] = chance.choice(FIRST_NAMES)
        if "door" in place:
            place["door"] = "open" if chance.random() < OPEN else "closed"
    places = list({place["name"]: place for place in places}.values())
    chance.shuffle(places)
    lie = [place["name"] for place in places if place.get("kind") != "person"] or ["table"]
    names = chance.sample(sorted(pool.things), min(len(pool.things), chance.randint(*THINGS)))
    objects = {name: {**pool.things[name], "location": chance.choice(lie)} for name in names}
    plain = first if isinstance(first, str) else first["name"]
    robot = {"location": chance.choice([plain, *lie])}
    return {"robot": robot, "locations": [first, *places], "objects": objects}
