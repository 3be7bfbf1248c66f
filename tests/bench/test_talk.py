"""The bench of what people say in a kitchen judges what came of it."""

import pytest

from bench.mind.recorded import Recorded
from bench.suites.talk import Came, said_to_a_fresh_robot
from daemon.trigger import Utterance
from sim.scene import Scene
from tests.support.fakes import WordEmbedder

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


def test_what_was_refused_before_it_began_has_moved_nothing() -> None:
    world = {
        "robot": {"location": "bench"},
        "locations": ["hall", {"name": "bench"}, {"name": "person", "kind": "person"}],
        "objects": {"anvil": {"location": "bench", "mass": 40}, "rag": {"location": "bench"}},
    }

    def came_of(*answers: str) -> Came:
        mind = Recorded("mind", {"case": answers})
        mind.begin("case")
        return said_to_a_fresh_robot([Utterance("the anvil")], Scene.from_description(world), mind, WordEmbedder())

    refused = came_of("grasp('anvil')", "say('It is too heavy.')")
    assert "too heavy" in refused.speech
    assert "weighs" in " ".join(refused.statements)
    assert refused.against({"still": True}) == []
    assert came_of("grasp('rag')", "say('Here.')").against({"still": True}) == ["still"]
