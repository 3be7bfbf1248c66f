"""The bench of what people say in a kitchen judges what came of it."""

import pytest

from bench.suites.talk import Came

RULES = ("When you ask for tea, I also bring the cup.",)
CAME = Came({"tea": "person"}, True, "Here is the tea.", RULES, 0, {"fridge": "closed"}, "table")


@pytest.mark.parametrize(
    "case",
    [
        {"one": [["tea", "juice"], "person"], "waiting": 0},
        {"moved": {"tea": "person"}, "said": "here is"},
        {"rule": "tea.*cup", "unsaid": "sorry"},
        {"doors": {"fridge": "closed"}, "at": "table"},
    ],
)
def test_what_came_as_expected_is_right(case: dict[str, object]) -> None:
    assert CAME.against(case) == []


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        ({"one": [["juice"], "person"]}, ["one"]),
        ({"one": [["tea"], "table"]}, ["one"]),
        ({"still": True}, ["still"]),
        ({"no_rule": True, "waiting": 1}, ["no_rule", "waiting"]),
        ({"said": "sorry", "unsaid": "tea"}, ["said", "unsaid"]),
        ({"doors": {"fridge": "open"}, "at": "sink"}, ["doors", "at"]),
        ({"doors": {"cupboard": "closed"}}, ["doors"]),
    ],
)
def test_what_came_otherwise_is_named(case: dict[str, object], wrong: list[str]) -> None:
    assert CAME.against(case) == wrong


def test_nothing_moved_is_not_one_that_will_do() -> None:
    assert Came({}, False, "", (), 0).against({"one": [["tea"], "person"]}) == ["one"]
    assert Came({}, False, "", (), 0).against({"still": True}) == []
