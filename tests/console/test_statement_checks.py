"""What a statement may not do to the console itself."""

import ast

import pytest

from daemon.console.builtins import TALK
from daemon.console.statement_checks import refusal
from daemon.memory.store import SEED_FOLDER, read_seeds
from daemon.transcript import parse_transcript
from skills.skill import load_skills

OFFERED = {"say", "place", "wait_for_trigger"}


def refused(statement: str) -> str | None:
    return refusal(ast.parse(statement), OFFERED)


@pytest.mark.parametrize(
    "statement",
    [
        "say = 1",
        "x, (say, *place) = f()",
        "say += 1",
        "say: int = 1",
        "(say := 1)",
        "[say := x for x in y]",
        "del say",
        "def say(text): pass",
        "class say: pass",
        "for place in places: pass",
        "with f() as say: pass",
        "import os as say",
        "try:\n    f()\nexcept ValueError as say:\n    pass",
        "match x:\n    case [say, *place]: pass",
        "if x:\n    while y:\n        say = 1",
        "def f():\n    global say\n    say = 1",
    ],
)
def test_the_robot_s_own_functions_stay_what_they_are(statement: str) -> None:
    assert "use another name" in (refused(statement) or "")


@pytest.mark.parametrize(
    "statement",
    [
        "[place for place in list_locations()]",
        "{place: 1 for place in list_locations()}",
        "sorted(x, key=lambda place: place)",
        "def tidy(place):\n    say = 1\n    return place",
        "say(place)",
        "f(place=1)",
        "x.say = 1",
        "y = say",
    ],
)
def test_names_that_only_a_part_can_see_are_free(statement: str) -> None:
    assert refused(statement) is None


@pytest.mark.parametrize(
    "statement",
    [
        "while True: wait_for_trigger()",
        "[wait_for_trigger() for _ in range(9)]",
        "w = wait_for_trigger",
        "def f(): return wait_for_trigger()",
        "say(wait_for_trigger())",
        "wait_for_trigger() or 1",
        "wait_for_trigger()\nwait_for_trigger()",
        "say(f'{wait_for_trigger()}')",
    ],
)
def test_listening_is_a_statement_of_its_own(statement: str) -> None:
    assert "of its own" in (refused(statement) or "")


def test_listening_alone_is_what_it_is_for() -> None:
    assert refused("wait_for_trigger()") is None
    assert refused("x = wait_for_trigger()") is None


def test_nothing_that_the_seeds_show_is_refused() -> None:
    offered = {*load_skills(), *(function.name for function in TALK)}
    for seed in read_seeds(SEED_FOLDER):
        for step in parse_transcript(seed):
            assert refusal(ast.parse(step.statement), offered) is None, step.statement
