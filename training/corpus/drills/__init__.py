"""Makes simple dialogues by program: plain wishes in worlds drawn at random, so that names are read, not known.

People's dialogues teach how people talk; these teach to find a thing among others by what it is called, for which a
small model needs many examples. Several stand in one world, so that one reading of it answers many wishes. Like all
dialogues they are run before they count.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from training.corpus.dialogues import Dialogue
from training.corpus.drills.day import Day, Unfit, drawn_world
from training.corpus.drills.descriptions import all_of_a_kind, by_place, by_state, by_use
from training.corpus.drills.follow_ups import also, back, meant, moved_on, other_one, passed_on
from training.corpus.drills.lessons import (
    apply,
    forbid,
    forbid_to,
    kind_rule,
    later,
    listed,
    name,
    prefers,
    routine,
    rule,
    slower,
    told,
    unlearn,
)
from training.corpus.drills.long_days import long_day
from training.corpus.drills.questions import is_open, past, what_is_at, where, where_are_you, who_has
from training.corpus.drills.refusals import absent, harm, heavy
from training.corpus.drills.sets import many
from training.corpus.drills.wishes import (
    all_but,
    bring,
    bring_two,
    door,
    for_others,
    give,
    go,
    if_at,
    if_open,
    if_there,
    nothing,
    pick_up,
    put,
    repaired,
    several,
    throw_away,
    which,
)
from training.corpus.vary import Pool

IN_A_WORLD = 8
"""Dialogues."""
GOES_ON = 0.3
"""Share of the dialogues in which something else is wished for afterwards."""


WISHES: Mapping[Callable[[Day], None], tuple[str, float]] = {
    bring: ("order", 5), bring_two: ("steps", 2), give: ("people", 2), put: ("order", 3), go: ("order", 2),
    repaired: ("correction", 2), absent: ("refusal", 1.5), where: ("question", 1), what_is_at: ("question", 0.7),
    is_open: ("question", 0.6), door: ("order", 1), which: ("ambiguity", 5), rule: ("teaching", 2),
    apply: ("teaching", 2), name: ("teaching", 0.7), forbid: ("teaching", 2), later: ("later", 0.7),
    if_open: ("condition", 1), all_but: ("steps", 3), several: ("people", 6),
    back: ("follow-up", 3), other_one: ("follow-up", 4), meant: ("correction", 3), passed_on: ("people", 2),
    moved_on: ("correction", 2), also: ("follow-up", 3), if_there: ("condition", 2), if_at: ("condition", 2),
    by_use: ("described", 6), by_state: ("described", 3), by_place: ("described", 3), all_of_a_kind: ("steps", 3),
    routine: ("teaching", 1), kind_rule: ("teaching", 2), forbid_to: ("teaching", 1), listed: ("question", 1.5),
    slower: ("teaching", 0.4), unlearn: ("teaching", 1.2), told: ("question", 0.6), who_has: ("question", 0.6),
    where_are_you: ("question", 0.3), heavy: ("error", 1.5), harm: ("refusal", 0.8),
    past: ("question", 1), nothing: ("talk", 1.5), for_others: ("talk", 1.5), long_day: ("teaching", 2),
    many: ("steps", 6), prefers: ("teaching", 3), pick_up: ("order", 3), throw_away: ("order", 3),
}  # fmt: skip
"""Each with its kind, and how often it comes."""
BEFORE = 0.5
"""Share of the dialogues with a lesson in which something is wished for before it: people teach in passing."""
LESSONS = (rule, kind_rule, prefers, forbid, forbid_to, listed, unlearn, told, later, name, routine)
ONCE = (long_day, later, prefers, forbid, forbid_to, rule, kind_rule, go, several, slower, unlearn, listed)
"""After these nothing else is wished for."""
WHOLE = (
    *(which, several, back, other_one, meant, passed_on, moved_on, also, past, routine, who_has, unlearn, told),
    *(kind_rule, prefers, forbid, forbid_to, listed, long_day, many, pick_up),
)
"""These are nothing by halves."""
GO_ON = (bring, give, put, where, repaired)
"""What may be wished for afterwards."""


def drills(
    worlds: Sequence[Mapping[str, Any]], pool: Pool, chance: random.Random, only: Sequence[str] = ()
) -> Iterator[Dialogue]:
    """Dialogues without end, in worlds that have the places of these and things of the pool; `only` with these wishes,
    by their names.
    """
    wishes = {wish: weight for wish, (_, weight) in WISHES.items() if not only or wish.__name__ in only}
    while True:
        world = drawn_world(chance.choice(worlds), pool, chance)
        for _ in range(IN_A_WORLD):
            wish = chance.choices(list(wishes), list(wishes.values()))[0]
            if drill := _drill(wish, world, pool, chance):
                yield drill


def _drill(wish: Callable[[Day], None], world: Mapping[str, Any], pool: Pool, chance: random.Random) -> Dialogue | None:
    day = Day(chance, world, pool)
    try:
        if wish in LESSONS and chance.random() < BEFORE:
            chance.choice(GO_ON)(day)
        wish(day)
        if chance.random() < GOES_ON and wish not in ONCE:
            chance.choice(GO_ON)(day)
    except Unfit:
        return None if not day.turns or wish in WHOLE else _finished(day, wish)
    return _finished(day, wish)


def _finished(day: Day, wish: Callable[[Day], None]) -> Dialogue:
    name = f"{wish.__name__}-{day.chance.randrange(10**8):08}"
    expected = {"moved": dict(day.moved), **day.expected}
    return Dialogue(name, "drills", WISHES[wish][0], day.world, tuple(day.turns), tuple(day.learned), expected)
