"""Makes long conversations in plain words: wishes, and lessons that apply, do not, and are forgotten again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from daemon.names import spoken
from training.corpus.dialogues import Turn
from training.corpus.drills.day import SAID, Day, Unfit
from training.corpus.drills.follow_ups import also, back, meant, moved_on, passed_on
from training.corpus.drills.questions import where
from training.corpus.drills.wishes import bring, bring_to, give, put

STEPS = (5, 9)
"""In a day; most are two turns."""
BETWEEN = (bring, bring, give, put, where, also, back, meant, passed_on, moved_on)
"""What is wished for between lessons."""


@dataclass
class Lessons:
    """What was taught so far that day, by the numbers of the rules: the things that each is about."""

    kept: dict[int, tuple[str, ...]]
    given: int = 0
    just_taught: bool = False

    def keep(self, *things: str) -> None:
        self.given += 1
        self.kept[self.given] = things
        self.just_taught = True


def long_day(day: Day) -> None:
    """Speak with the robot for a while: each next thing is drawn, and what was taught holds until it is forgotten."""
    lessons = Lessons({})
    for chosen in day.chance.choices(list(COMES), list(COMES.values()), k=day.chance.randint(*STEPS)):
        turns, moved = len(day.turns), dict(day.moved)
        try:
            chosen(day, lessons)
        except Unfit:  # the next one then
            del day.turns[turns:]
            day.moved = moved
    if len(day.turns) < STEPS[0]:
        raise Unfit


def _something_else(day: Day, lessons: Lessons) -> None:
    day.chance.choice(BETWEEN)(day)
    lessons.just_taught = False


def _forbid(day: Day, lessons: Lessons) -> None:
    x = day.thing()
    day.say(SAID["forbidden"], f"forbid({x!r})", x_=f"the {spoken(x)}")
    _agreed(day)
    day.reserved.add(x)
    lessons.keep(x)


def _bring_along(day: Day, lessons: Lessons) -> None:
    x = day.thing()
    y = day.thing(x)
    said, rule = day.chance.choice(SAID["rules"])
    the = {"x": f"the {spoken(x)}", "y": f"the {spoken(y)}"}
    day.say([said.format(**the)], f"remember({rule.format(**the)!r})")
    _agreed(day)
    day.reserved.update((x, y))
    lessons.keep(x, y)


def _belong(day: Day, lessons: Lessons) -> None:
    """Have two things brought one after the other, and say that from now on both come together."""
    bring_to(day)
    x = list(day.moved)[-1]
    y = day.thing(x)
    day.say(SAID["also"], f"bring({y!r})", f"say({f'And the {spoken(y)}.'!r})", y=y)
    day.moved[y] = "person"
    rule = f"When you ask for the {spoken(x)}, I also bring the {spoken(y)}."
    day.say(SAID["belong"], f"remember({rule!r})", x_=f"the {spoken(x)}", y_=f"the {spoken(y)}")
    _agreed(day)
    lessons.keep(x, y)


def _its_place(day: Day, lessons: Lessons) -> None:
    """Have something put somewhere, and say that it always goes there."""
    put(day)
    x, p = list(day.moved.items())[-1]
    inside, the_x, the_p = day.inside(p), f"the {spoken(x)}", f"the {spoken(p)}"
    rule = f"The {spoken(x)} goes {inside} {the_p}."
    day.say(SAID["its_place"], f"remember({rule!r})", x_=the_x, in_=inside, p_=the_p)
    _agreed(day)
    lessons.keep(x)


def _never_again(day: Day, lessons: Lessons) -> None:
    """Have something brought, and want it never again."""
    bring_to(day)
    x = list(day.moved)[-1]
    day.say(SAID["never_again"], f"forbid({x!r})", x_=f"the {spoken(x)}")
    _agreed(day)
    lessons.keep(x)


def _asked(day: Day, lessons: Lessons) -> None:
    """Ask for what a lesson is about: it is refused, or the other thing comes along and both rest from then on."""
    lasting = [things for things in lessons.kept.values() if not set(things) & set(day.moved)]
    if not lasting:
        raise Unfit
    things = day.chance.choice(lasting)
    x = things[0]
    lessons.just_taught = False
    if len(things) == 1:
        day.say(SAID["forbidden_asked"], f"say({day.chance.choice(SAID['forbidden_told']).format(x=spoken(x))!r})", x=x)
        return
    y = things[1]
    both = f"Here are the {spoken(x)} and the {spoken(y)}."
    day.say(SAID["bring"], f"bring({x!r})", f"bring({y!r})", f"say({both!r})", x=x)
    day.moved |= {x: "person", y: "person"}


def _forgotten(day: Day, lessons: Lessons) -> None:
    """Forget one, "that" where it was taught just now; what it was about may be asked for like anything else."""
    if not lessons.kept:
        raise Unfit
    number = lessons.given if lessons.just_taught else day.chance.choice(list(lessons.kept))
    things = lessons.kept.pop(number)
    if lessons.just_taught and day.chance.random() < 0.6:
        day.say(SAID["unlearn_that"], f"forget({number})")
    else:
        day.say(SAID["unlearn"], f"forget({number})", x_=f"the {spoken(day.chance.choice(things))}")
    _agreed(day)
    day.reserved.difference_update(things)
    lessons.just_taught = False


def _listed(day: Day, lessons: Lessons) -> None:
    day.say(SAID["all_learned"], "say(list_lessons())")
    lessons.just_taught = False


def _thanked(day: Day, lessons: Lessons) -> None:
    said, answer = day.chance.choice(SAID["thanks"])
    day.say([said], f"say({answer!r})")


COMES: Mapping[Callable[[Day, Lessons], None], float] = {
    _something_else: 5, _forbid: 2, _bring_along: 1.5, _belong: 3, _its_place: 1, _never_again: 1, _asked: 3,
    _forgotten: 1.5, _listed: 0.7, _thanked: 0.7,
}  # fmt: skip
"""Each with how often it comes."""


def _agreed(day: Day) -> None:
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
