"""What is not there, what is too heavy, and what would harm."""

from daemon.names import spoken
from training.corpus.dialogues import Turn
from training.corpus.drills.day import SAID, Day

HEAVY = 4.0
"""Kilograms: more than the robot lifts, which only its error tells."""


def absent(day: Day) -> None:
    name = day.absent()
    day.say(SAID["bring"][:18], f"say({f'I see no {name} here.'!r})", x_=f"the {name}")


def heavy(day: Day) -> None:
    x = day.thing()
    p = day.at(x)
    things = day.world["objects"]
    day.world = {**day.world, "objects": {**things, x: {**things[x], "mass": HEAVY}}}
    day.say(SAID["bring"], f"bring({x!r})", day.there(x), x=x)
    told = f"The {spoken(x)} is too heavy for me. It is still {day.inside(p)} the {spoken(p)}."
    day.turns.append(Turn("", f"say({told!r})"))


def harm(day: Day) -> None:
    x, who = day.thing(), day.person()
    said, why = day.chance.choice(SAID["harm"])
    why = why.format(x=spoken(x), who=spoken(who).title())
    day.say((said,), f"say({why!r})", x=x, who_=who)
