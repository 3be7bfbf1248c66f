"""Questions about what is where, and about what was just done."""

from daemon.names import spoken
from training.corpus.drills.day import SAID, Day


def where(day: Day) -> None:
    x = day.thing()
    p = day.at(x)
    inside = day.inside(p)
    day.say(SAID["where"], f"say({f'The {spoken(x)} is {inside} the {spoken(p)}.'!r})", x=x)


def what_is_at(day: Day) -> None:
    p = day.place()
    there = [f"the {spoken(name)}" for name in day.world["objects"] if day.at(name) == p]
    listed = " and ".join((", ".join(there[:-1]), there[-1])) if len(there) > 1 else (there or ["nothing"])[0]
    inside = day.inside(p)
    answer = f"There is {listed} {inside} the {spoken(p)}." if there else f"The {spoken(p)} is empty."
    day.say(SAID["what_is_at"], f"say({answer!r})", p=p, in_=inside)


def is_open(day: Day) -> None:
    state = day.chance.choice(("open", "closed"))
    p = day.door(state)
    day.say(SAID["is_open"], f"say({f'The {spoken(p)} is {state}.'!r})", p=p)


def past(day: Day) -> None:
    x = day.thing()
    p = day.origin(x)
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x=x)
    day.moved[x] = "person"
    if day.chance.random() < 0.5:
        day.say(SAID["what_was_it"], f"say({f'The {spoken(x)}.'!r})")
    else:
        day.say(SAID["where_was_it"], f"say({f'It was {day.inside(p)} the {spoken(p)}.'!r})")


def who_has(day: Day) -> None:
    x, who = day.thing(), day.person()
    day.say(SAID["give"], f"bring({x!r}, {who!r})", f"say({f'Here is the {spoken(x)}, {spoken(who).title()}.'!r})",
            x=x, who_=who)  # fmt: skip
    day.moved[x] = who
    day.say(SAID["who_has"], f"say({f'{spoken(who).title()} has it.'!r})", x=x)


def where_are_you(day: Day) -> None:
    here = spoken(day.world["robot"]["location"])
    day.say(SAID["where_are_you"], f"say({f'I am at the {here}.'!r})")
