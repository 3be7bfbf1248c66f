"""Blocks and bowls: when a goal is reached, and how interactions are counted."""

from bench.suites.tabletop import Run, interactions
from bench.support.blocks_and_bowls import Table, put_first_on_second, satisfied
from skills.skill import SkillContext

POSITIONS = {"top left corner": (-0.25, -0.25), "top side": (0.0, -0.25)}


def table() -> Table:
    return Table(POSITIONS, {"red block": (0.1, -0.4), "blue block": (-0.1, -0.6), "red bowl": (0.0, -0.5)})


def test_a_block_is_on_what_it_was_put_on() -> None:
    world = table()
    assert put_first_on_second(SkillContext(world, world.observe), "red block", "blue block") == "success"  # type: ignore[arg-type]
    assert satisfied([{"check": "on", "a": "red block", "b": "blue block"}], world)
    assert not satisfied([{"check": "on", "a": "blue block", "b": "red block"}], world)


def test_only_blocks_of_the_same_colour_match() -> None:
    world = table()
    assert not satisfied([{"check": "blocks_in_matching_bowls"}], world)
    world.put("red block", world.objects["red bowl"])
    assert satisfied([{"check": "blocks_in_matching_bowls"}], world)
    assert not satisfied([{"check": "blocks_in_mismatched_bowls"}], world)


def test_a_line_has_its_slope() -> None:
    world = table()
    assert satisfied([{"check": "blocks_in_line", "line": "diagonal"}], world)
    assert not satisfied([{"check": "blocks_in_line", "line": "horizontal"}], world)


def test_a_little_is_a_third_of_the_table_at_most() -> None:
    goal = {"check": "relative", "a": "red block", "ref": "red bowl", "direction": "right", "magnitude": "a little"}
    assert satisfied([goal], table())
    assert not satisfied([goal | {"magnitude": "a lot"}], table())
    assert not satisfied([goal | {"direction": "left"}], table())


def test_interactions_are_averaged_over_templates_of_runs_that_end_well() -> None:
    runs = [
        Run("1", "SA_SI", "SI1", (True,), ""),
        Run("2", "SA_SI", "SI1", (False, True), ""),
        Run("3", "SA_SI", "SI2", (False, False, True), ""),
        Run("4", "SA_SI", "SI3", (True, False), ""),
    ]
    assert interactions(runs) == (0.5 + 2) / 2
    assert [run.kept for run in runs] == [True, True, True, False]
