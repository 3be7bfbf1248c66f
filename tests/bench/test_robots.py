"""`heed bench robots`, as far as it goes without MuJoCo, and the drawing of where an arm reaches."""

import argparse
from dataclasses import replace
from pathlib import Path
from xml.dom import minidom

import pytest

from bench.body import reach_map, robots
from bench.report import Options
from daemon.config import ROBOTS
from hw.description import load_description


@pytest.mark.whole
def test_every_robot_is_as_published_and_every_calibration_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "find_spec", lambda name: None)
    figures = robots.run(Options(quiet=True, own=argparse.Namespace(seeds=1))).figures
    assert figures["robots"] == 7
    assert figures["calibrations_read"] == 3
    assert (
        {figures[f"{robot}.brings_the_cup"] for robot in robots.TABLES} == {figures["so101.pick_and_place"]} == {None}
    )
    assert all(figures[f"{robot}.reach_off_cm"] < 2.1 for robot in robots.REACHING)
    assert 0 < figures["lekiwi.rolls_on_mm_killed"] < 25


def test_a_reach_map_is_a_picture_with_a_cell_for_each_place(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = load_description(ROBOTS / "so101.toml", Path("."), simulated=True).arms[0].kinematics
    monkeypatch.setattr(reach_map, "HIGHEST", -0.02)
    drawn = minidom.parseString(reach_map.reach_map(replace(arm, pitches=arm.pitches[:1])))
    cells = [cell for cell in drawn.getElementsByTagName("rect") if cell.getAttribute("width") == "15"]
    assert 20 < len(cells) < 50
