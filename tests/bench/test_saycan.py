"""Requests in a symbolic room, with our own cases in the schema of the papers' tasks."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.report import BenchError, Options
from bench.suites import saycan
from bench.support.rehearsed import Walker
from sim.scene import Scene

DATA = Path(__file__).parent / "data" / "seen" / "kitchen.json"


@pytest.fixture
def few(tmp_path: Path) -> Iterator[Path]:
    data = json.loads(DATA.read_text())
    data["tasks"] = [task for task in data["tasks"] if task["id"] in ("structured_2", "nl_nouns_12", "drawer_1")]
    file = tmp_path / "few.json"
    file.write_text(json.dumps(data))
    return file


def test_there_is_a_figure_for_each_family_and_one_for_all(few: Path) -> None:
    report = saycan.run(Options(data=few))
    assert report.cases == 3
    assert report.figures == {
        "NL Nouns": 1.0,
        "Structured": 1.0,
        "Drawer": 1.0,
        "all": 1.0,
        "clarifications": 1,
    }


@pytest.mark.whole
def test_the_same_cases_end_the_same_way(few: Path) -> None:
    assert saycan.run(Options(data=few)).figures == saycan.run(Options(data=few)).figures


def test_an_unknown_method_is_answered_with_the_known_ones(few: Path) -> None:
    with pytest.raises(BenchError, match="full"):
        saycan.run(replace(Options(data=few), method="guess"))


def test_goals_are_about_how_things_are_in_the_end() -> None:
    task = {"objects": {"mug": "desk", "pear": "desk"}, "robot_at": "person", "containers": {"locker": "closed"}}
    scene = Scene.from_description(saycan.describe(task, {"locations": ["desk", "bin", "person"]}))
    before = scene.copy()
    robot = Walker(scene)
    scene.place("mug", "person")
    approach = scene.location("bin").approach
    robot.drive_to(approach.x, approach.y, approach.theta)

    def holds(goal: dict[str, object]) -> bool:
        return saycan.reached(goal, before, robot)

    assert holds({"all": [{"at": ["mug", "person"]}, {"unmoved": ["pear"]}, {"closed": "locker"}, {"robot_at": "bin"}]})
    assert holds({"visited": ["person", "bin"]})
    assert not holds({"visited": ["desk"]})
    assert not holds({"any": [{"held": "mug"}, {"unmoved": ["mug"]}]})
    assert holds({"count_kinds_at": {"kinds": [["mug"], ["pear"]], "loc": "person", "exactly": 1}})
