"""What follows a wish that was granted: back with it, the other one, not that, there instead, the same with this."""

from daemon.names import spoken
from training.corpus.drills.day import SAID, Day, Unfit
from training.corpus.drills.wishes import bring_to, give, put


def back(day: Day) -> None:
    x = day.thing()
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x=x)
    day.say(SAID["back"], *put_back(day, x))


def put_back(day: Day, x: str) -> tuple[str, str]:
    p = day.origin(x)
    return f"put({x!r}, {p!r})", f"say({f'The {spoken(x)} is back {day.inside(p)} the {spoken(p)}.'!r})"


def other_one(day: Day) -> None:
    x, y = day.pair()
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x_=f"the {spoken(x)}")
    if day.chance.random() < 0.5:
        day.say(SAID["other_one"], f"bring({y!r})", day.there(y))
        day.moved[x] = "person"
    else:
        day.say(SAID["swapped"], put_back(day, x)[0], f"bring({y!r})", day.there(y), y_="the other one")
    day.moved[y] = "person"


def meant(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x=x)
    if day.chance.random() < 0.5:
        day.say(SAID["meant"], f"bring({y!r})", day.there(y), x=x, y=y)
        day.moved[x] = "person"
    else:
        day.say(SAID["swapped"], put_back(day, x)[0], f"bring({y!r})", day.there(y), y=y)
    day.moved[y] = "person"


def passed_on(day: Day) -> None:
    x, who = day.thing(), day.person()
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x=x)
    day.say(SAID["passed_on"], f"bring({x!r}, {who!r})", f"say({f'{spoken(who).title()} has it now.'!r})", who_=who)
    day.moved[x] = who


def moved_on(day: Day) -> None:
    put(day)
    x = list(day.moved)[-1]
    q = day.place(day.moved[x], day.origin(x))
    inside = day.inside(q)
    day.say(SAID["moved_on"], f"put({x!r}, {q!r})", f"say({f'Now it is {inside} the {spoken(q)}.'!r})",
            p=q, in_=inside)  # fmt: skip
    day.moved[x] = q


def also(day: Day) -> None:
    day.chance.choice((bring_to, give, put))(day)
    x, to = list(day.moved.items())[-1]
    y = day.thing(x)
    told, deed = day.turns[-1], day.turns[-1].write.split("\n")[0].replace(repr(x), repr(y))
    if day.at(y) == to:
        raise Unfit
    day.say(SAID["also"], deed, f"say({f'And the {spoken(y)}.'!r})", y=y, speaker=told.speaker)
    day.moved[y] = to
