"""What else a mind had in mind."""

import pytest

from daemon.console.other_answers import has_any, has_only

LESSONS = frozenset(["forbid", "forget", "prefer"])


@pytest.mark.parametrize(
    ("answer", "any_of_them", "only_them"),
    [
        ("forbid('milk', touch=True)", True, True),
        ("forget(3)\nsay('Gone.')", True, True),
        ("say(forget(3))", True, True),
        ("forbid('milk')\nmove_to('fridge')", True, False),
        ("forbid('milk')\nhere.look()", True, False),
        ("say('I forbid it.')", False, False),
        ("forbid(", False, False),
        ("", False, False),
    ],
)
def test_which_functions_an_answer_calls(answer: str, any_of_them: bool, only_them: bool) -> None:
    assert (has_any(LESSONS, answer), has_only(LESSONS, answer)) == (any_of_them, only_them)
