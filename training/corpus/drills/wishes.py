"""Wishes that one sentence tells: a thing, two, all but one, for somebody, on a condition, or nothing at all."""

from daemon.names import spoken
from training.corpus.dialogues import Turn
from training.corpus.drills.day import BINS, SAID, Day, Unfit

NAMED = 0.3
"""Share of the wishes that somebody has whom the robot knows by name."""
IN_ONE_BREATH = 0.3
"""Share of the bare commands that want two things at once."""


def bring(day: Day) -> None:
    named = len(day.people) > 1 and day.chance.random() < NAMED
    bring_to(day, day.person() if named else "")


def bring_to(day: Day, speaker: str = "") -> None:
    x = day.thing()
    to = f", {speaker!r}" if speaker else ""
    day.say(SAID["bring"], f"bring({x!r}{to})", day.there(x), speaker=speaker, x=x)
    day.moved[x] = speaker or "person"


def bring_two(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    day.say(SAID["bring_two"], f"bring({x!r})", f"bring({y!r})",
            f"say({f'Here are the {spoken(x)} and the {spoken(y)}.'!r})", x=x, y=y)  # fmt: skip
    day.moved |= {x: "person", y: "person"}


def give(day: Day) -> None:
    x, who = day.thing(), day.person()
    day.say(SAID["give"], f"bring({x!r}, {who!r})", f"say({f'Here is the {spoken(x)}, {spoken(who).title()}.'!r})",
            x=x, who_=who)  # fmt: skip
    day.moved[x] = who


def put(day: Day) -> None:
    x = day.thing()
    p = day.place(day.at(x))
    inside = day.inside(p)
    day.say(SAID["put"], f"put({x!r}, {p!r})", f"say({f'The {spoken(x)} is {inside} the {spoken(p)} now.'!r})",
            x=x, p=p, in_=inside)  # fmt: skip
    day.moved[x] = p


def repaired(day: Day) -> None:
    x = day.thing()
    day.say(SAID["repaired"], f"bring({x!r})", day.there(x), x=x, y=day.thing(x))
    day.moved[x] = "person"


def go(day: Day) -> None:
    p = day.place(day.world["robot"]["location"])
    day.say(SAID["go"], f"go({p!r})", f"say({f'I am at the {spoken(p)}.'!r})", p=p)
    day.expected["at"] = p


def pick_up(day: Day) -> None:
    """Taken up and held, then put down where it was, elsewhere, or given to who asked; or elsewhere in one breath."""
    x = day.thing()
    p, q = day.origin(x), day.place(day.origin(x))
    inside = day.inside(q)
    there = f"say({f'The {spoken(x)} is {inside} the {spoken(q)}.'!r})"
    if day.chance.random() < IN_ONE_BREATH:
        day.say(SAID["pick_up_and"], f"put({x!r}, {q!r})", there, x=x, q=q, in_=inside)
        day.moved[x] = q
        return
    day.say(SAID["pick_up"], f"take({x!r})", f"say({f'I have the {spoken(x)}.'!r})", x=x, p=p)
    match day.chance.choice(("down", "give", "place")):
        case "down":
            back = f"The {spoken(x)} is {day.inside(p)} the {spoken(p)} again."
            day.say(SAID["put_down"], f"put({x!r}, {p!r})", f"say({back!r})", x=x)
        case "give":
            day.say(SAID["now_give"], f"bring({x!r})", day.there(x))
            day.moved[x] = "person"
        case _:
            day.say(SAID["now_place"], f"put({x!r}, {q!r})", there, q=q, in_=inside)
            day.moved[x] = q


def throw_away(day: Day) -> None:
    """Throw something into the bin; sometimes something else is wanted, too."""
    b = day.one([name for name in day.places if name in BINS])
    x = day.thing(*(name for name in day.world["objects"] if day.origin(name) == b))
    gone = f"The {spoken(x)} is in the {spoken(b)}"
    if day.chance.random() < IN_ONE_BREATH:
        y = day.thing(x)
        day.say(SAID["throw_two"], f"put({x!r}, {b!r})", f"bring({y!r})",
                f"say({f'{gone}, and here is the {spoken(y)}.'!r})", x=x, y=y, b=b)  # fmt: skip
        day.moved[y] = "person"
    else:
        day.say(SAID["throw_away"], f"put({x!r}, {b!r})", f"say({f'{gone}.'!r})", x=x, b=b)
    day.moved[x] = b


def door(day: Day) -> None:
    deed, templates, before = day.chance.choice(
        (("open", SAID["open_it"], "closed"), ("close", SAID["close_it"], "open"))
    )
    p, state = day.door(before), "open" if deed == "open" else "closed"
    day.say(templates, f"{deed}({p!r})", f"say({f'The {spoken(p)} is {state}.'!r})", p=p)
    day.expected["doors"] = {p: state}


def which(day: Day) -> None:
    """Two of a kind: one question, then the answer."""
    one, other = day.pair()
    kind = day.world["objects"][one]["category"]
    x = day.chance.choice((one, other))
    said = {word for name in day.world["objects"] for word in spoken(name).split()}
    if kind in said - set(spoken(one).split()):
        raise Unfit
    day.say(SAID["bring"][:12], f"ask({f'The {spoken(one)} or the {spoken(other)}?'!r})", x_=f"the {kind}")
    day.say(SAID["which_one"], f"bring({x!r})", day.there(x), x_=_short(x, other if x == one else one))
    day.moved[x] = "person"


def all_but(day: Day) -> None:
    p = day.place()
    there = [name for name in day.world["objects"] if day.at(name) == p and name not in day.moved]
    if not 2 <= len(there) <= 4:
        raise Unfit
    x, to = day.chance.choice(there), day.place(p)
    inside, from_ = day.inside(to), day.inside(p)
    rest = [name for name in there if name != x]
    day.say(SAID["all_but"], *(f"put({name!r}, {to!r})" for name in rest),
            f"say({f'Only the {spoken(x)} is left {from_} the {spoken(p)}.'!r})",
            p=p, q=to, x=x, in_=inside, of_=from_)  # fmt: skip
    day.moved |= dict.fromkeys(rest, to)


def several(day: Day) -> None:
    """Two or three wishes in one breath, for one person or more."""
    before = len(day.turns)
    for _ in range(day.chance.choice((2, 2, 3))):
        day.chance.choice((bring_to, give, give, put))(day)
    parts, day.turns[before:] = day.turns[before:], []
    said = parts[0].say
    for part in parts[1:]:
        said += day.chance.choice(SAID["and_then"]) + part.say
    deeds = [part.write.split("\n")[0] for part in parts]
    day.turns.append(Turn(said, "\n".join([*deeds, f"say({day.chance.choice(SAID['all_done'])!r})"])))


def if_open(day: Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    templates = SAID["if_open"]
    if state == "open":
        day.say(templates, f"close({p!r})", f"say({f'The {spoken(p)} was open. I closed it.'!r})", p=p)
        day.expected["doors"] = {p: "closed"}
    else:
        day.say(templates, f"say({f'The {spoken(p)} is closed already.'!r})", p=p)


def if_there(day: Day) -> None:
    y = day.thing()
    if day.chance.random() < 0.5:
        x = day.thing(y)
        day.say(SAID["if_there"], f"bring({x!r})", day.there(x), x_=spoken(x), y=y)
        day.moved[x] = "person"
        return
    name = day.absent()
    day.say(
        SAID["if_there"], f"bring({y!r})", f"say({f'I see no {name}, so here is the {spoken(y)}.'!r})", x_=name, y=y
    )
    day.moved[y] = "person"


def if_at(day: Day) -> None:
    x = day.thing()
    at = day.at(x)
    p = at if day.chance.random() < 0.5 else day.place(at)
    if p == at:
        day.say(SAID["if_at"], f"bring({x!r})", day.there(x), x=x, p=p, in_=day.inside(p))
        day.moved[x] = "person"
        return
    answer = f"The {spoken(x)} is {day.inside(at)} the {spoken(at)}, so I leave it."
    day.say(SAID["if_at"], f"say({answer!r})", x=x, p=p, in_=day.inside(p))


def nothing(day: Day) -> None:
    """A thing is spoken of, and nothing is wanted."""
    day.say(SAID["not_wanted"], f"say({day.chance.choice(SAID['left_alone'])!r})", x=day.thing())


def for_others(day: Day) -> None:
    day.say(SAID["for_others"], "pass", x=day.thing(), who_=day.person())


def _short(x: str, y: str) -> str:
    """Return how x is told from y: "the red one"."""
    first, *more = spoken(x).split()
    return f"the {first} one" if more and first not in spoken(y).split() else f"the {spoken(x)}"
