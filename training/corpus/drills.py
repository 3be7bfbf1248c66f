"""Makes simple dialogues by program: plain wishes in worlds drawn at random, so that names are read, not known.

People's dialogues teach how people talk; these teach to find a thing among others by what it is called, for which a
small model needs many examples. Several stand in one world, so that one reading of it answers many wishes. Like all
dialogues they are run before they count.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from daemon.names import spoken
from training.corpus.dialogues import Dialogue, Turn
from training.corpus.drill_day import SAID, Day, Unfit, drawn_world
from training.corpus.vary import Pool

IN_A_WORLD = 8
"""Dialogues."""
NAMED = 0.3
"""Share of the wishes that somebody has whom the robot knows by name."""
GOES_ON = 0.3
"""Share of the dialogues in which something else is wished for afterwards."""


def _bring(day: Day) -> None:
    named = len(day.people) > 1 and day.chance.random() < NAMED
    _bring_to(day, day.person() if named else "")


def _bring_to(day: Day, speaker: str = "") -> None:
    x = day.thing()
    to = f", {speaker!r}" if speaker else ""
    day.say(SAID["bring"], f"bring({x!r}{to})", day.there(x), speaker=speaker, x=x)
    day.moved[x] = speaker or "person"


def _bring_two(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    day.say(SAID["bring_two"], f"bring({x!r})", f"bring({y!r})",
            f"say({f'Here are the {spoken(x)} and the {spoken(y)}.'!r})", x=x, y=y)  # fmt: skip
    day.moved |= {x: "person", y: "person"}


def _give(day: Day) -> None:
    x, who = day.thing(), day.person()
    day.say(SAID["give"], f"bring({x!r}, {who!r})", f"say({f'Here is the {spoken(x)}, {spoken(who).title()}.'!r})",
            x=x, who_=who)  # fmt: skip
    day.moved[x] = who


def _put(day: Day) -> None:
    x = day.thing()
    p = day.place(day.at(x))
    inside = "in" if day.has_door(p) else "on"
    day.say(SAID["put"], f"put({x!r}, {p!r})", f"say({f'The {spoken(x)} is {inside} the {spoken(p)} now.'!r})",
            x=x, p=p, in_=inside)  # fmt: skip
    day.moved[x] = p


def _repaired(day: Day) -> None:
    x = day.thing()
    day.say(SAID["repaired"], f"bring({x!r})", day.there(x), x=x, y=day.thing(x))
    day.moved[x] = "person"


def _absent(day: Day) -> None:
    words = {word for name in (*day.world["objects"], *day.places) for word in spoken(name).split()}
    words |= {word for about in day.world["objects"].values() for word in _told(about)}
    away = [name for name in day.pool.things
            if not set(spoken(name).split()) & words and not set(_told(day.pool.things[name])) & words]  # fmt: skip
    name = spoken(day.one(away))
    day.say(SAID["bring"][:18], f"say({f'I see no {name} here.'!r})", x_=f"the {name}")


def _where(day: Day) -> None:
    x = day.thing()
    p = day.at(x)
    inside = "in" if day.has_door(p) else "on"
    day.say(SAID["where"], f"say({f'The {spoken(x)} is {inside} the {spoken(p)}.'!r})", x=x)


def _what_is_at(day: Day) -> None:
    p = day.place()
    there = [f"the {spoken(name)}" for name in day.world["objects"] if day.at(name) == p]
    listed = " and ".join((", ".join(there[:-1]), there[-1])) if len(there) > 1 else (there or ["nothing"])[0]
    inside = "in" if day.has_door(p) else "on"
    answer = f"There is {listed} {inside} the {spoken(p)}." if there else f"The {spoken(p)} is empty."
    day.say(SAID["what_is_at"], f"say({answer!r})", p=p, in_=inside)


def _is_open(day: Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    day.say(SAID["is_open"], f"say({f'The {spoken(p)} is {state}.'!r})", p=p)


def _go(day: Day) -> None:
    p = day.place(day.world["robot"]["location"])
    day.say(SAID["go"], f"go({p!r})", f"say({f'I am at the {spoken(p)}.'!r})", p=p)
    day.expected["at"] = p


def _door(day: Day) -> None:
    deed, templates, before = day.chance.choice(
        (("open", SAID["open_it"], "closed"), ("close", SAID["close_it"], "open"))
    )
    p, state = day.door(before), "open" if deed == "open" else "closed"
    day.say(templates, f"{deed}({p!r})", f"say({f'The {spoken(p)} is {state}.'!r})", p=p)
    day.expected["doors"] = {p: state}


def _which(day: Day) -> None:
    """Two of a kind: one question, then the answer."""
    things = day.world["objects"]
    kinds = [str(about["category"]) for about in things.values() if "category" in about]
    kind = day.one([kind for kind in kinds if kinds.count(kind) == 2])
    one, other = (name for name, about in things.items() if about.get("category") == kind)
    x = day.chance.choice((one, other))
    said = {word for name in things for word in spoken(name).split()}
    if kind in said - set(spoken(one).split()) or one in day.moved or other in day.moved:
        raise Unfit
    day.say(SAID["bring"][:12], f"ask({f'The {spoken(one)} or the {spoken(other)}?'!r})", x_=f"the {kind}")
    day.say(SAID["which_one"], f"bring({x!r})", day.there(x), x_=f"the {spoken(x)}")
    day.moved[x] = "person"


def _rule(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    said, rule = day.chance.choice(SAID["rules"])
    the = {"x": f"the {spoken(x)}", "y": f"the {spoken(y)}"}
    day.say([said.format(**the)], f"remember({rule.format(**the)!r})")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.expected["rule"] = f"{spoken(x)}.*{spoken(y)}"


def _apply(day: Day) -> None:
    """A rule that was taught before: it applies, or it does not."""
    x = day.thing()
    y = day.thing(x)
    day.learned.append(f"When you ask for the {spoken(x)}, I also bring the {spoken(y)}.")
    if day.chance.random() < 0.5:
        z = day.thing(x, y)
        day.say(SAID["bring"], f"bring({z!r})", day.there(z), x=z)
        day.moved[z] = "person"
        return
    both = f"Here are the {spoken(x)} and the {spoken(y)}."
    day.say(SAID["bring"], f"bring({x!r})", f"bring({y!r})", f"say({both!r})", x=x)
    day.moved |= {x: "person", y: "person"}


def _name(day: Day) -> None:
    x, new = day.thing(), day.chance.choice(SAID["nicknames"])
    day.say(SAID["names"], f"call_it({new!r}, {x!r})", x_=f"the {spoken(x)}", new_=new)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.say(SAID["bring"][:8], f"bring({x!r})", day.there(x), x_=new)
    day.moved[x] = "person"


def _forbid(day: Day) -> None:
    x = day.thing()
    day.say(SAID["forbidden"], f"forbid({x!r})", x_=f"the {spoken(x)}")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))


def _later(day: Day) -> None:
    x = day.thing()
    said, when = day.chance.choice(SAID["later"])
    day.say((said,), f"say(remember_later({when!r}, {f'bring me the {spoken(x)}'!r}))", x_=f"the {spoken(x)}")
    day.expected["waiting"] = 1


def _if_open(day: Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    templates = SAID["if_open"]
    if state == "open":
        day.say(templates, f"close({p!r})", f"say({f'The {spoken(p)} was open. I closed it.'!r})", p=p)
        day.expected["doors"] = {p: "closed"}
    else:
        day.say(templates, f"say({f'The {spoken(p)} is closed already.'!r})", p=p)


def _all_but(day: Day) -> None:
    p = day.place()
    there = [name for name in day.world["objects"] if day.at(name) == p and name not in day.moved]
    if not 2 <= len(there) <= 4:
        raise Unfit
    x, to = day.chance.choice(there), day.place(p)
    inside, from_ = ("in" if day.has_door(place) else "on" for place in (to, p))
    rest = [name for name in there if name != x]
    day.say(SAID["all_but"], *(f"put({name!r}, {to!r})" for name in rest),
            f"say({f'Only the {spoken(x)} is left {from_} the {spoken(p)}.'!r})",
            p=p, q=to, x=x, in_=inside, of_=from_)  # fmt: skip
    day.moved |= dict.fromkeys(rest, to)


def _several(day: Day) -> None:
    """Two or three wishes in one breath, for one person or more."""
    before = len(day.turns)
    for _ in range(day.chance.choice((2, 2, 3))):
        day.chance.choice((_bring_to, _give, _give, _put))(day)
    parts, day.turns[before:] = day.turns[before:], []
    said = parts[0].say
    for part in parts[1:]:
        said += day.chance.choice(SAID["and_then"]) + part.say
    deeds = [part.write.split("\n")[0] for part in parts]
    day.turns.append(Turn(said, "\n".join([*deeds, f"say({day.chance.choice(SAID['all_done'])!r})"])))


def _told(about: Mapping[str, Any]) -> list[str]:
    return " ".join([str(about.get("category", "")), *about.get("aliases", ()), *about.get("state", {})]).split()


WISHES: Mapping[Callable[[Day], None], tuple[str, float]] = {
    _bring: ("order", 5), _bring_two: ("steps", 2), _give: ("people", 2), _put: ("order", 3), _go: ("order", 0.7),
    _repaired: ("correction", 2), _absent: ("refusal", 1.5), _where: ("question", 1), _what_is_at: ("question", 0.7),
    _is_open: ("question", 0.6), _door: ("order", 1), _which: ("ambiguity", 5), _rule: ("teaching", 1),
    _apply: ("teaching", 2), _name: ("teaching", 0.7), _forbid: ("teaching", 0.5), _later: ("later", 0.7),
    _if_open: ("condition", 1), _all_but: ("steps", 3), _several: ("people", 6),
}  # fmt: skip
"""Each with its kind, and how often it comes."""
ONCE = (_later, _forbid, _rule, _go, _several)
"""After these nothing else is wished for."""
GO_ON = (_bring, _give, _put, _where, _repaired)
"""What may be wished for afterwards."""


def drills(worlds: Sequence[Mapping[str, Any]], pool: Pool, chance: random.Random) -> Iterator[Dialogue]:
    """Dialogues without end, in worlds that have the places of these and things of the pool."""
    while True:
        world = drawn_world(chance.choice(worlds), pool, chance)
        for _ in range(IN_A_WORLD):
            if drill := _drill(world, pool, chance):
                yield drill


def _drill(world: Mapping[str, Any], pool: Pool, chance: random.Random) -> Dialogue | None:
    day = Day(chance, world, pool)
    wish = chance.choices(list(WISHES), [weight for _, weight in WISHES.values()])[0]
    try:
        wish(day)
        if chance.random() < GOES_ON and wish not in ONCE:
            chance.choice(GO_ON)(day)
    except Unfit:
        return None if not day.turns or wish in (_which, _several) else _finished(day, wish)
    return _finished(day, wish)


def _finished(day: Day, wish: Callable[[Day], None]) -> Dialogue:
    name = f"{wish.__name__.strip('_')}-{day.chance.randrange(10**8):08}"
    expected = {"moved": dict(day.moved), **day.expected}
    return Dialogue(name, "drills", WISHES[wish][0], day.world, tuple(day.turns), tuple(day.learned), expected)
