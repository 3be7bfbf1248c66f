"""`heed bench robots`, as far as it goes without MuJoCo, and the drawing of where an arm reaches."""

import argparse
from dataclasses import replace
from pathlib import Path
from xml.dom import minidom

import pytest

from bench.body import bridge_trials, reach_map, robots
from bench.report import BenchError, Options
from daemon.config import ROBOTS
from hw.description import load_description

MEASURED_BY_PYTEST = """<testsuites><testsuite tests="2">
<testcase name="test_goals"><properties><property name="ros2_goals" value="19"/></properties><failure/></testcase>
<testcase name="test_stop"><properties><property name="ros2_stop_ms_p99" value="3.25"/></properties></testcase>
</testsuite></testsuites>
"""


@pytest.mark.whole
def test_every_robot_is_as_published_and_every_calibration_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(robots, "find_spec", lambda name: None)
    monkeypatch.setattr(bridge_trials, "ROOT", tmp_path)
    figures = robots.run(Options(quiet=True, own=argparse.Namespace(seeds=1))).figures
    assert figures["robots"] == 7
    assert figures["calibrations_read"] == 3
    assert (
        {figures[f"{robot}.brings_the_cup"] for robot in robots.TABLES} == {figures["so101.pick_and_place"]} == {None}
    )
    assert all(figures[f"{robot}.reach_off_cm"] < 2.1 for robot in robots.REACHING)
    assert 0 < figures["lekiwi.rolls_on_mm_killed"] < 25
    assert all(figures[name] < 25 for name in figures if ".rolls_on_mm_" in name)
    assert figures["wheel_deadman_ms_max"] > 0
    assert {figures[name] for name in bridge_trials.MEASURED} == {None}


def test_what_the_tests_of_the_bridge_measured_is_read_out_of_their_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".cache/ros2/venv").mkdir(parents=True)
    (tmp_path / "script").mkdir()
    script = tmp_path / "script" / "test-ros2"
    script.write_text(f"#!/bin/sh\ncat > \"$6\" <<'END'\n{MEASURED_BY_PYTEST}END\necho said; exit 1\n")
    script.chmod(0o755)
    monkeypatch.setattr(bridge_trials, "ROOT", tmp_path)
    assert bridge_trials.through_ros2(2) == {"ros2_goals": 19, "ros2_skills": None, "ros2_stop_ms_p99": 3.25}
    script.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(BenchError, match="make test-ros2"):
        bridge_trials.through_ros2(2)


@pytest.mark.whole
def test_a_reach_map_is_a_picture_with_a_cell_for_each_place(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = load_description(ROBOTS / "so101.toml", Path("."), simulated=True).arms[0].kinematics
    monkeypatch.setattr(reach_map, "HIGHEST", -0.02)
    drawn = minidom.parseString(reach_map.reach_map(replace(arm, pitches=arm.pitches[:1])))
    cells = [cell for cell in drawn.getElementsByTagName("rect") if cell.getAttribute("width") == "15"]
    assert 20 < len(cells) < 50
