"""Things that are told from others by how they are, where they are, or of which kind."""

from daemon.names import spoken
from training.corpus.drills.day import DESCRIBED, SAID, Day, Unfit

PUT = 0.25
"""Share of the things that are put somewhere."""


def by_use(day: Day) -> None:
    """A thing that nobody names."""
    things = day.world["objects"]
    kinds = [str(about.get("category", "")) for about in things.values()]
    lying = [name for name in things if name in DESCRIBED and name not in day.moved]
    x = day.one([name for name in lying if kinds.count(str(things[name].get("category", ""))) == 1])
    told = day.chance.choice(DESCRIBED[x])
    if day.chance.random() < PUT:
        p = day.place(day.at(x))
        day.say(SAID["put"], f"put({x!r}, {p!r})", f"say({f'The {spoken(x)} is {day.inside(p)} the {spoken(p)}.'!r})",
                x_=told, p=p, in_=day.inside(p))  # fmt: skip
        day.moved[x] = p
    else:
        day.say(SAID["bring"], f"bring({x!r})", day.there(x), x_=told)
        day.moved[x] = "person"


def by_state(day: Day) -> None:
    """One of two is dirty, or new, or broken: that one, or the other."""
    things, pair = day.world["objects"], day.pair()
    states = [{state for state, so in things[name].get("state", {}).items() if so is True} for name in pair]
    state = day.one(sorted(states[0] ^ states[1]))
    so, other = pair if state in states[0] else pair[::-1]
    told, x = day.chance.choice((("by_state", so), ("by_other_state", other)))
    day.say(SAID[told], f"bring({x!r})", day.there(x), state_=state, kind_=things[x]["category"])
    day.moved[x] = "person"


def by_place(day: Day) -> None:
    x, y = day.pair()
    p = day.at(x)
    if p == day.at(y):
        raise Unfit
    kind = day.world["objects"][x]["category"]
    day.say(SAID["by_place"], f"bring({x!r})", day.there(x), kind_=kind, p=p, in_=day.inside(p))
    day.moved[x] = "person"


def all_of_a_kind(day: Day) -> None:
    """Bring them all, or put them somewhere."""
    x, y = day.pair(in_order=True)
    kinds = plural(str(day.world["objects"][x]["category"]))
    if day.chance.random() < 0.5:
        both = f"Here are the {spoken(x)} and the {spoken(y)}."
        day.say(SAID["all_of_a_kind"], f"bring({x!r})", f"bring({y!r})", f"say({both!r})", kinds_=kinds)
        day.moved |= {x: "person", y: "person"}
        return
    p = day.place(day.at(x), day.at(y))
    answer = f"The {kinds} are {day.inside(p)} the {spoken(p)}."
    day.say(SAID["put_all_of_a_kind"], f"put({x!r}, {p!r})", f"put({y!r}, {p!r})", f"say({answer!r})",
            kinds_=kinds, p=p, in_=day.inside(p))  # fmt: skip
    day.moved |= {x: p, y: p}


def plural(kind: str) -> str:
    """ "knife set" -> "knife sets"; good enough for drills."""
    if kind.endswith("s") and not kind.endswith("ss"):
        return kind
    if kind.endswith(("s", "x", "ch", "sh")):
        return f"{kind}es"
    return f"{kind[:-1]}ies" if kind.endswith("y") and kind[-2] not in "aeiou" else f"{kind}s"
