"""What a routine's steps come to."""

import pytest

from daemon.console.goals.goal import Goal
from daemon.console.goals.routine_parts import routine_asked_for
from sim.scene import Scene as World
from skills.scene import Scene

WORLD = {
    "robot": {"location": "hall"},
    "locations": [
        "hall",
        {"name": "tea_table", "aliases": ["the low table"]},
        {"name": "dresser", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
        {"name": "harold", "kind": "person"},
    ],
    "objects": {
        name: {"category": name.rstrip("_123"), "location": "dresser"}
        for name in ("cup_1", "cup_2", "cup_3", "towel_1", "towel_2", "teapot", "honey", "massage_oil", "arnica_oil")
    },
}
SCENE = Scene.from_observation(World.from_description(WORLD).observe())


@pytest.mark.parametrize(
    ("steps", "goals"),
    [
        ("two cups and the honey on the low table", "put cup_1 tea_table, put cup_2 tea_table, put honey tea_table"),
        ("bring Harold the teapot and a cup", "bring teapot harold, bring cup_1 harold"),
        ("bring Harold two cups, then bring Harold the honey", "bring cup_1 harold, bring cup_2 harold, "
         "bring honey harold"),
        ("2 towels, the arnica oil", "bring towel_1 person, bring towel_2 person, bring arnica_oil person"),
        ("the towels and one cup to you", "bring towel_1 person, bring towel_2 person, bring cup_1 person"),
        ("the honey from the dresser to the low table", ""),
        ("the honey from the dresser", ""),
        ("a cup on the tea table and a cup to Harold", ""),
        ("bring Harold the teapot and Kath a cup", ""),
        ("the honey and a napkin on the tea table", ""),
        ("some cups on the tea table", ""),
        ("two of the cups on the tea table", ""),
        ("two clean cups on the tea table", ""),
        ("bring you the honey and put two cups on the low table", ""),
        ("go to the dresser, get the teapot and a cup", ""),
        ("the teapot in the dresser", ""),
        ("the honey in the cup 1", ""),
        ("the honey to Harold at eight", ""),
        ("0 cups on the tea table", ""),
        ("wipe the tea table with towel 1", ""),
        ("the cup 2 on the tea table", "put cup_2 tea_table"),
        ("the honey, a cup and the honey on the tea table", "put honey tea_table, put cup_1 tea_table"),
        ("the oil on the tea table", ""),
        ("four cups on the tea table", ""),
        ("put the honey on the tea table, then close the dresser", ""),
        ("the cups but not the teapot on the tea table", ""),
        ("what we did last time", ""),
    ],
)  # fmt: skip
def test_steps_come_to_goals(steps: str, goals: str) -> None:
    rules = ["I never bring the honey.", f"The Thursday tray is: {steps}."]
    found = routine_asked_for("time for the thursday tray, please", rules, SCENE)
    told = [Goal.of(statement) for statement in found[:-1]]
    assert [f"{goal.name} {goal.thing} {goal.place}" for goal in told if goal] == [
        goal for goal in goals.split(", ") if goal
    ]
    assert found[-1:] == (["say('That is the Thursday tray.')"] if goals else [])


@pytest.mark.parametrize(
    "words",
    [
        "the tray, please",
        "the thursday tray with one cup",
        "the thursday tray and the honey",
        "the thursday tray for harold",
        "the thursday tray for anna",
        "the thursday tray, but not today",
        "don't do the thursday tray",
        "put the thursday tray back",
        "i already had the thursday tray",
        "if it rains, do the thursday tray",
        "the thursday tray when kathrin comes",
        "forget the thursday tray",
        "the thursday tray if i need it",
        "the thursday tray, i mean the friday tray",
    ],
)
def test_who_asks_for_something_else_is_left_to_the_mind(words: str) -> None:
    rules = ["The Thursday tray is: two cups on the low table.", "The Friday tray is: a cup on the low table."]
    assert routine_asked_for(words, rules, SCENE) == []


def test_of_two_names_the_longest_is_meant() -> None:
    rules = ["The tray is: a cup on the low table.", "The Thursday tray is: the honey on the low table."]
    assert routine_asked_for("the thursday tray", rules, SCENE)[0] == "put('honey', 'tea_table')"


def test_a_routine_for_somebody_alone_is_left_to_the_mind() -> None:
    rules = ["Only for Anna: the Thursday tray is: two cups on the low table."]
    assert routine_asked_for("the thursday tray", rules, SCENE) == []


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        ("The Thursday tray is: the honey on the low table.", ["put('honey', 'tea_table')"]),
        ("The big Thursday tray is: the honey on the low table.", ["put('cup_1', 'tea_table')"]),
        ("Only for Anna: the Thursday tray is: the honey on the low table.", []),
        ("When you ask for the Thursday tray, I also bring the honey.", []),
    ],
)
def test_the_newest_of_its_rules_holds_and_no_other_may_speak_of_it(rule: str, first: list[str]) -> None:
    rules = ["The Thursday tray is: two cups on the low table.", rule]
    assert routine_asked_for("the thursday tray", rules, SCENE)[:1] == first


@pytest.mark.parametrize("name", ["teapot", "massage oil", "towel", "low table"])
def test_a_routine_with_the_name_of_what_is_here_is_left_to_the_mind(name: str) -> None:
    assert routine_asked_for(f"the {name}, please", [f"The {name} is: two cups on the low table."], SCENE) == []


@pytest.mark.parametrize(
    ("where", "steps", "taken"),
    [
        ({"cup_1": "harold"}, "two cups to you", ["cup_2", "cup_3"]),
        ({"cup_1": "harold"}, "the cups to you", []),
        ({"cup_1": "harold", "honey": "harold"}, "a cup and the honey on the low table", []),
        ({"cup_3": "harold"}, "two cups to Harold", ["cup_3", "cup_1"]),
        ({"cup_2": "harold", "cup_3": "harold"}, "two cups to Harold", []),
        ({"cup_3": "tea_table"}, "two cups and the honey on the low table", ["cup_3", "cup_1", "honey"]),
    ],
)
def test_what_is_there_already_counts_and_what_another_has_is_left_to_the_mind(
    where: dict[str, str], steps: str, taken: list[str]
) -> None:
    moved = {name: thing | {"location": where.get(name, "dresser")} for name, thing in WORLD["objects"].items()}
    seen = Scene.from_observation(World.from_description(WORLD | {"objects": moved}).observe())
    goals = map(Goal.of, routine_asked_for("the double, please", [f"The double is: {steps}."], seen))
    assert [goal.thing for goal in goals if goal] == taken
