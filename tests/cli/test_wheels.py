"""`heed hw test wheels` and `heed setup robot` on a LeKiwi: what is asked, what is reported, what is written."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.cli.hardware import Options, inspect_hw
from daemon.cli.wheels import WheelReport, told, write_findings
from daemon.config import ROBOTS, Config
from daemon.service.control import CommandError
from hw.bus_survey import ServoFound
from hw.description import load_description
from hw.servo import Memory
from hw.wheel_trial import WheelFindings
from tests.cli.test_setup_robot import _setup, config, plugged_in

__all__ = ["config"]
SERVO = ServoFound(7, 777, "3.10", 7.4, Memory(0, 0, 0))
GOOD = WheelFindings(
    phase=12,
    in_steps=True,
    zero_is_full=True,
    unevenness=0.04,
    rolled_on=70,
    allowed=170,
    counted_on=True,
    counted_anew=True,
)


def reports(findings: WheelFindings = GOOD, direction: int = 1) -> list[WheelReport]:
    return [WheelReport(name, SERVO, direction, findings) for name in ("left", "back", "right")]


def test_what_was_found_is_written_into_the_robots_file(tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text((ROBOTS / "lekiwi.toml").read_text())
    write_findings(file, [*reports(direction=-1)[:1], *reports()[1:]])
    write_findings(file, reports())
    base = tomllib.loads(file.read_text())["base"]
    assert base["phase"] == 12
    assert [wheel["direction"] for wheel in base["wheels"].values()] == [-1, 1, 1]
    assert file.read_text().count("phase =") == 1
    load_description(file, tmp_path)


def test_a_wheel_that_may_not_be_driven_is_not_written_down(tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text((ROBOTS / "lekiwi.toml").read_text())
    bad = replace(GOOD, in_steps=False)
    with pytest.raises(CommandError, match="bit 2 of Phase"):
        write_findings(file, reports(bad))
    assert file.read_text() == (ROBOTS / "lekiwi.toml").read_text()
    assert "FAIL left wheel" in next(told(reports(bad)))


def test_nothing_moves_before_somebody_has_lifted_the_robot(config: Config, tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    file.write_text((ROBOTS / "lekiwi.toml").read_text())
    mine = replace(config, body=replace(config.body, robot="robot.toml"))
    with pytest.raises(CommandError, match="nothing was moved"):
        inspect_hw("test", Options(what="wheels"), mine, lambda question: "n")


def test_wheels_that_a_dead_man_holds_without_supply_are_not_tried(config: Config, tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    mode = 'mode = "velocity"\ndead_man = { device = "/dev/board", within = 0.1 }\nrim_velocity = 0.19'
    file.write_text((ROBOTS / "lekiwi.toml").read_text().replace("rim_velocity = 0.23 ", f"{mode} "))
    mine = replace(config, body=replace(config.body, robot="robot.toml"))
    with pytest.raises(CommandError, match="without supply while heed-hw does not run"):
        inspect_hw("test", Options(what="wheels"), mine, lambda question: "y")


def test_simulated_wheels_tell_nothing(config: Config) -> None:
    with pytest.raises(CommandError, match="simulated"):
        inspect_hw("test", Options(what="wheels"), config, lambda question: "y")


@pytest.mark.whole
def test_a_lekiwi_becomes_a_robot_in_one_conversation(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str], violations: list[str]
) -> None:
    with plugged_in(tmp_path, "lekiwi") as devices:
        answers = {"101/100": AssertionError, "The back wheel": "n", "Y/n": "", "y/N": "y"}
        assert _setup(config, devices, answers).run() == 0
    out = capsys.readouterr().out
    assert "Wheels hang on the bus" in out
    assert "Ready: heed run" in out
    base = tomllib.loads((tmp_path / "robot.toml").read_text())["base"]
    assert (base["phase"], base["wheels"]["back"]["direction"]) == (4, -1)
    violations.clear()  # the inspector minds the speed of 0 that is tried


@pytest.mark.whole
def test_what_the_wheels_really_do_is_written_into_a_report(
    config: Config, tmp_path: Path, violations: list[str]
) -> None:
    described = (ROBOTS / "lekiwi.toml").read_text()
    (tmp_path / "robot.toml").write_text(described.replace("/dev/ttyACM0", f"{tmp_path}/dev/right_arm"))
    mine = replace(config, body=replace(config.body, robot="robot.toml"))
    with plugged_in(tmp_path, "lekiwi"):
        assert inspect_hw("test", Options(what="wheels"), mine, lambda question: "y") == 0
    report = json.loads((tmp_path / "wheels-report.json").read_text())
    assert [(wheel["name"], wheel["direction"], wheel["findings"]["phase"]) for wheel in report] == [
        ("left", 1, 4),
        ("back", 1, 4),
        ("right", 1, 4),
    ]
    assert all(wheel["findings"]["rolled_on"] <= wheel["findings"]["allowed"] for wheel in report)
    violations.clear()  # the inspector minds the speed of 0 that is tried


def test_lerobots_names_of_a_lekiwis_joints_are_known(tmp_path: Path) -> None:
    from daemon.cli.lerobot import LeRobotFile

    theirs = json.loads(Path("bench/body/lerobot/laundry.json").read_text())
    file = tmp_path / "my_kiwi.json"
    file.write_text(json.dumps({f"arm_{name}": joint for name, joint in theirs.items()}))
    arm = load_description(ROBOTS / "lekiwi.toml", tmp_path).arms[0]
    assert LeRobotFile(file).memories(arm).keys() == theirs.keys()
