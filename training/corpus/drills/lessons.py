"""What is taught, kept for later, or was taught before."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from daemon.names import spoken
from training.corpus.dialogues import Turn
from training.corpus.drills.day import SAID, Day, Unfit

PREFERENCES: Mapping[str, Sequence[str]] = tomllib.loads(
    Path(__file__).with_name("preferences.toml").read_text(encoding="utf-8")
)
BESIDES = 0.3
"""Share of the preferences that somebody tells behind another wish."""


def rule(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    said, rule = day.chance.choice(SAID["rules"])
    the = {"x": f"the {spoken(x)}", "y": f"the {spoken(y)}"}
    day.say([said.format(**the)], f"remember({rule.format(**the)!r})")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.expected["rule"] = f"{spoken(x)}.*{spoken(y)}"


def kind_rule(day: Day) -> None:
    """A rule about all things of a kind; then one of them is asked for."""
    x, kind = day.of_a_kind()
    y = day.thing(x)
    if day.world["objects"][y].get("category") == kind:
        raise Unfit
    said, rule = day.chance.choice(SAID["rules"])
    named = {"x": f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}", "y": f"the {spoken(y)}"}
    day.say([said.format(**named)], f"remember({rule.format(**named)!r})")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.expected["rule"] = f"{kind}.*{spoken(y)}"
    both = f"Here are the {spoken(x)} and the {spoken(y)}."
    day.say(SAID["bring"], f"bring({x!r})", f"bring({y!r})", f"say({both!r})", x=x)
    day.moved |= {x: "person", y: "person"}


def prefers(day: Day) -> None:
    """Tell which of two of a kind one likes, also behind another wish; then any of them is asked for."""
    x, z = day.pair()
    kind = day.world["objects"][x]["category"]
    if not kind.isalpha() or kind in (spoken(x), spoken(z)):
        raise Unfit
    a_kind = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    liked = day.chance.choice(PREFERENCES["prefers"]).format(
        x=f"the {spoken(x)}", z=f"the {spoken(z)}", kind=kind, a_kind=a_kind
    )
    rule = f"remember({f'When you ask for {a_kind}, I bring the {spoken(x)}.'!r})"
    day.reserved |= {x, z}
    if day.chance.random() < BESIDES:
        y = day.thing()
        wish = day.chance.choice(SAID["bring"]).format(x=day.called(y))
        day.say(PREFERENCES["and_besides"], f"bring({y!r})", rule, wish_=wish, liked_=liked)
        day.moved[y] = "person"
    else:
        day.say([liked], rule)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.expected["rule"] = f"{kind}.*{spoken(x)}"
    day.say(PREFERENCES["any_of_them"], f"bring({x!r})", day.there(x), a_kind_=a_kind)
    day.moved[x] = "person"


def apply(day: Day) -> None:
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


def name(day: Day) -> None:
    x, new = day.thing(), day.chance.choice(SAID["nicknames"])
    day.say(SAID["names"], f"call_it({new!r}, {x!r})", x_=f"the {spoken(x)}", new_=new)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.say(SAID["bring"][:8], f"bring({x!r})", day.there(x), x_=new)
    day.moved[x] = "person"


def forbid(day: Day) -> None:
    """Something is forbidden; half of the time somebody asks for it then."""
    x = day.thing()
    day.say(SAID["forbidden"], f"forbid({x!r})", x_=f"the {spoken(x)}")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    if day.chance.random() < 0.5:
        day.say(SAID["forbidden_asked"], f"say({f'No, I am not to bring the {spoken(x)}.'!r})", x=x)


def forbid_to(day: Day) -> None:
    x, who = day.thing(), day.person()
    day.say(SAID["forbidden_to"], f"forbid({x!r}, who={who!r})", x_=f"the {spoken(x)}", who_=who)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))


def later(day: Day) -> None:
    x = day.thing()
    said, when = day.chance.choice(SAID["later"])
    day.say((said,), f"say(remember_later({when!r}, {f'bring me the {spoken(x)}'!r}))", x_=f"the {spoken(x)}")
    day.expected["waiting"] = 1


def routine(day: Day) -> None:
    x = day.thing()
    y = day.thing(x)
    new = day.chance.choice(SAID["routine_names"])
    steps = f"{spoken(x)}, then the {spoken(y)}"
    day.say(SAID["routine"], f"routine({new!r}, {steps!r})", x=x, y=y, new_=new)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    both = f"Here are the {spoken(x)} and the {spoken(y)}."
    day.say(SAID["routine_now"], f"bring({x!r})", f"bring({y!r})", f"say({both!r})", new_=new)
    day.moved |= {x: "person", y: "person"}


def slower(day: Day) -> None:
    p = day.place()
    day.say(SAID["slower"], f"prefer('move_to', 0.5, end={p!r})", p=p)
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))


def unlearn(day: Day) -> None:
    """One of some rules is to be forgotten."""
    number, x, _ = _taught(day)
    day.say(SAID["unlearn"], f"forget({number})", x_=f"the {spoken(x)}")
    day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))


def told(day: Day) -> None:
    """A question about a rule."""
    number, x, _ = _taught(day)
    day.say(SAID["told"], f"say({day.learned[number - 1]!r})", x_=f"the {spoken(x)}")


def listed(day: Day) -> None:
    """A question about all that was learned, or about nothing."""
    if day.chance.random() < 0.3:
        day.say(SAID["all_learned"], "say('Nothing yet.')")
        return
    _taught(day)
    day.say(SAID["all_learned"], f"say({' '.join(day.learned)!r})")


def _taught(day: Day) -> tuple[int, str, str]:
    """Teach some rules; returns the number of one of them, and its things."""
    pairs: list[tuple[str, str]] = []
    for _ in range(day.chance.randint(1, 3)):
        x = day.thing(*(name for pair in pairs for name in pair))
        y = day.thing(x, *(name for pair in pairs for name in pair))
        pairs.append((x, y))
        day.learned.append(f"When you ask for the {spoken(x)}, I also bring the {spoken(y)}.")
    number = day.chance.randint(1, len(pairs))
    return number, *pairs[number - 1]
