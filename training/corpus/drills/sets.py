"""All that lies somewhere, or all of a kind, but for one or two, and something else in the same breath."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

from daemon.names import spoken
from training.corpus.dialogues import Turn
from training.corpus.drills.day import DESCRIBED, SAID, Day, Unfit
from training.corpus.drills.descriptions import plural

SETS: Mapping[str, Sequence[str]] = tomllib.loads(Path(__file__).with_name("sets.toml").read_text(encoding="utf-8"))
"""How people say it, by what is wanted: four strangers in twelve voices, and we. Placeholders as in said.toml; {z}
stays as {x} does, {r} is where what is left out goes.
"""
LYING = (3, 5)
"""Things of the set, those that stay included."""
ALIKE = (3, 4)
"""Things of a kind."""
UNNAMED = 0.15
"""Share of what stays that is only described."""
TAUGHT = 0.3
"""Share of the sets of which nothing is to stay, before which a lesson keeps one where it is: code sees to that."""


def many(day: Day) -> None:
    """All of a place or a kind is wanted elsewhere, in one of the ways of SETS."""
    wanted = day.one(sorted(SETS))
    slots = SETS[wanted][0]
    target = day.place() if "{q}" in slots else "person"
    if "close" in wanted and not day.has_door(target):
        raise Unfit
    which, those, named = _of_a_kind(day, target) if "{kinds}" in slots else _lying(day, target)
    staying = those[: sum(slot in slots for slot in ("{x}", "{z}"))]
    _move(day, those[len(staying) :], target, may_be_taught=not staying)
    names = {**named, **dict(zip(("x", "z"), staying, strict=False)), "in_": day.inside(target)}
    if target != "person":
        names["q"] = target
    goals = [f"put_all({', '.join(map(repr, (which, target, *sorted(staying))))})"]
    goals += _of_what_stays(day, wanted, staying, names, {target, *map(day.at, those)})
    if "close" in wanted:
        goals.append(f"close({target!r})")
        day.expected["doors"] = {target: "closed"}
    if "{y}" in slots:
        other = _something_else(day, slots, those, names)
        goals = [other, *goals] if wanted == "set_bring_first" else [*goals, other]
    if staying and staying[0] in DESCRIBED and day.chance.random() < UNNAMED:
        names["x_"] = day.chance.choice(DESCRIBED[names.pop("x")])
    day.say(SETS[wanted], *goals, f"say({_told(day, target, staying)!r})", **names)


def _of_what_stays(
    day: Day, wanted: str, staying: Sequence[str], names: dict[str, str], taken: Set[str]
) -> Iterator[str]:
    """Yield the goal for what is left out, where it goes elsewhere or is brought."""
    if "moved" in wanted:
        names["r"] = day.place(*taken)
        names["in_r_"] = day.inside(names["r"])
        yield f"put({staying[0]!r}, {names['r']!r})"
        day.moved[staying[0]] = names["r"]
    if "excepted_brought" in wanted:
        yield f"bring({staying[0]!r})"
        day.moved[staying[0]] = "person"


def _something_else(day: Day, slots: str, those: Sequence[str], names: dict[str, str]) -> str:
    """Return the goal for another thing, which somebody is brought as well."""
    names["y"], whom = day.thing(*those), day.person() if "{who}" in slots else "person"
    names["who_"] = whom
    day.moved[names["y"]] = whom
    return f"bring({names['y']!r}{f', {whom!r}' if whom != 'person' else ''})"


def _told(day: Day, target: str, staying: Sequence[str]) -> str:
    """Return what is said once it is done."""
    done = "Here is all of it" if target == "person" else f"All of it is {day.inside(target)} the {spoken(target)}"
    return f"{done}, without the {spoken(staying[0])}." if staying else f"{done}."


def _move(day: Day, those: Sequence[str], q: str, *, may_be_taught: bool) -> None:
    """Expect them there; now and then somebody has just said that one is not to be touched."""
    moving = list(those)
    if may_be_taught and len(moving) > 1 and day.chance.random() < TAUGHT:
        kept = moving.pop()
        day.say(SAID["untouched"], f"forbid({kept!r}, touch=True)", x_=f"the {spoken(kept)}")
        day.turns.append(Turn(day.chance.choice(SAID["agreed"]), ""))
    day.moved |= dict.fromkeys(moving, q)


def _lying(day: Day, q: str) -> tuple[str, list[str], dict[str, str]]:
    """A place with some things, in any order, and how it is spoken of; if there is none, more are put to one."""
    full = [place for place in day.places if place != q and len(_free_at(day, place)) >= LYING[0]]
    p = day.chance.choice(full) if full else day.place(q)
    there = _free_at(day, p)
    elsewhere = [name for place in day.places if place != p for name in _free_at(day, place)]
    if not full and elsewhere:
        more = day.chance.randint(*LYING) - len(there)
        there += _put_there(day, day.chance.sample(elsewhere, min(more, len(elsewhere) - 1)), [p])
    if len(there) < LYING[0]:
        raise Unfit
    day.chance.shuffle(there)
    return p, there, {"p": p, "in_p_": day.inside(p)}


def _of_a_kind(day: Day, q: str) -> tuple[str, list[str], dict[str, str]]:
    """A kind with some things of it, in any order, none of them where they shall go, and how it is spoken of."""
    kinds: dict[str, list[str]] = {}
    for name, about in sorted(day.pool.things.items()):
        kinds.setdefault(str(about.get("category", "")), []).append(name)
    kind = day.one([kind for kind, names in kinds.items() if kind.isalpha() and len(names) >= ALIKE[0]])
    those = day.chance.sample(kinds[kind], min(len(kinds[kind]), day.chance.randint(*ALIKE)))
    those += [name for name, about in day.world["objects"].items() if about.get("category") == kind]
    those = _put_there(day, list(dict.fromkeys(those)), [place for place in day.places if place != q])
    day.chance.shuffle(those)
    return plural(kind), those, {"kinds_": plural(kind)}


def _free_at(day: Day, place: str) -> list[str]:
    names = [name for name in day.world["objects"] if day.at(name) == place]
    return [name for name in names if name not in {*day.moved, *day.reserved}]


def _put_there(day: Day, names: Sequence[str], places: Sequence[str]) -> list[str]:
    """Change the world so that these lie at some of the places."""
    objects = {
        name: {**day.world["objects"].get(name, day.pool.things.get(name, {})), "location": day.one(places)}
        for name in names
    }
    day.world = {**day.world, "objects": {**day.world["objects"], **objects}}
    return list(names)
