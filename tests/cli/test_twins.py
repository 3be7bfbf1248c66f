"""`heed setup robot` walked through against each simulated twin: well plugged in, and with what goes wrong first.

A Koch, whose zero a person shows, has tests of its own (test_koch.py).
"""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from daemon.cli.setup_robot import Setup
from daemon.config import Config
from daemon.service.control import CommandError
from hw.description import load_description
from hw.protocol import sts
from sim.devices import SimulatedRobot
from tests.cli.test_setup_robot import YES, _register, _servo, _setup, config, plugged_in, turning_by_hand

__all__ = ["config"]
TWO_ARMS = ("so101-pair", "xlerobot", "xlerobot-2wheels")
ON_WHEELS = {"lekiwi": 8, "xlerobot": 8, "xlerobot-2wheels": 10}
"""One of its wheels."""
TWINS = ("so101", "so100", "so101-pair", *ON_WHEELS)
Trouble = Callable[[SimulatedRobot], object]
TROUBLES: dict[str, tuple[Trouble, str]] = {
    "wrong cable": (lambda devices: devices.unplug("right"), r"does not open|no second arm|was not found"),
    "missing servo": (
        lambda devices: _servo(devices, 4, mute=True),
        r"servo 4 \(wrist_flex\) does not answer: look at the cable from servo 3",
    ),
    "doubled id": (lambda devices: _servo(devices, 3, twin=True), "two servos have the id 3: give one of them its own"),
    "another make": (
        lambda devices: _register(devices, 2, sts.MODEL_NUMBER, 1029),
        r"servo 2 .* is model 1029, not an",
    ),
}

WHOLE = ("so101-pair", "wrong cable")
"""Nothing is wrong there: one arm of two is a robot, too."""


@contextmanager
def twin_of(folder: Path, name: str) -> Iterator[SimulatedRobot]:
    """A simulated robot; of an XLeRobot, the head is calibrated like the arms."""
    with plugged_in(folder, name) as devices:
        for servo in devices.head.servos if devices.head else ():
            for register, steps in ((sts.MIN_POSITION, 1000), (sts.MAX_POSITION, 3000)):
                servo.write(register.address, sts.encode_value(register, steps)[0])
        yield devices


def answering(devices: SimulatedRobot, **others: object) -> dict[str, object]:
    """What a person answers, who turns the gripper of the arm that the simulation calls left."""
    return {"LEFT": turning_by_hand(devices, "left"), **others, **YES, **others}


@pytest.mark.parametrize(("twin", "trouble"), [each for each in product(TWINS, TROUBLES) if each != WHOLE])
def test_what_goes_wrong_is_told_in_one_sentence(twin: str, trouble: str, config: Config, tmp_path: Path) -> None:
    cause, told = TROUBLES[trouble]
    with twin_of(tmp_path, twin) as devices:
        cause(devices)
        with pytest.raises(CommandError, match=told):
            _conversation(config, devices).run()
    assert not (tmp_path / "robot.toml").exists()
    assert not (tmp_path / "robot.calibration.json").exists()


@pytest.mark.parametrize(("twin", "wheel"), ON_WHEELS.items())
def test_a_wheel_that_does_not_answer_is_told(twin: str, wheel: int, config: Config, tmp_path: Path) -> None:
    with twin_of(tmp_path, twin) as devices:
        _servo(devices, wheel, mute=True)
        with pytest.raises(CommandError, match="look at the cable and the id of the other"):
            _conversation(config, devices).run()


@pytest.mark.parametrize("twin", TWINS)
def test_another_firmware_is_told_and_keeps_nobody_from_anything(
    twin: str, config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with twin_of(tmp_path, twin) as devices:
        _register(devices, 5, sts.FIRMWARE_MINOR, 9)
        with pytest.raises(KeyboardInterrupt):
            _conversation(config, devices, **{"Use that": KeyboardInterrupt, "lifted": KeyboardInterrupt}).run()
    assert "servo 5 (wrist_roll) has firmware 3.9, the others 3.10: LeRobot minds that" in capsys.readouterr().out
    assert (tmp_path / "robot.toml").exists()


@pytest.mark.parametrize("wheels_on", ["right", "left"])
@pytest.mark.parametrize("twin", ["xlerobot", "xlerobot-2wheels"])
def test_of_an_xlerobot_the_arm_that_shares_its_bus_with_the_wheels_is_found(
    twin: str, wheels_on: str, config: Config, tmp_path: Path
) -> None:
    with twin_of(tmp_path, twin) as devices:
        show = turning_by_hand(devices, "left" if wheels_on == "right" else "right")
        with pytest.raises(KeyboardInterrupt):
            _setup(config, devices, {"LEFT": show, "Use that": KeyboardInterrupt}).run()
    described = load_description(tmp_path / "robot.toml", tmp_path)
    base, head = described.base, described.head
    assert base is not None
    assert head is not None
    assert head.bus != base.bus  # type: ignore[attr-defined]
    assert base.bus == wheels_on  # type: ignore[attr-defined]
    assert len(base.wheels) == (2 if "2wheels" in twin else 3)


def test_a_head_is_taken_over_as_its_servos_are_calibrated_and_left_alone_where_they_are_not(
    config: Config, tmp_path: Path
) -> None:
    answers = {"within reach": "n", "lifted": KeyboardInterrupt}
    with twin_of(tmp_path, "xlerobot") as devices, pytest.raises(KeyboardInterrupt):
        _conversation(config, devices, **answers).run()
    head = load_description(tmp_path / "robot.toml", tmp_path).head
    assert head is not None
    assert not head.uncalibrated
    assert [joint.from_steps(2000) for joint in head.joints] == pytest.approx([0.0, 0.0])
    (tmp_path / "robot.toml").unlink()
    with plugged_in(tmp_path, "xlerobot") as devices, pytest.raises(KeyboardInterrupt):
        _conversation(config, devices, **answers).run()
    assert load_description(tmp_path / "robot.toml", tmp_path).head is None


@pytest.mark.whole
@pytest.mark.parametrize(("twin", "odd"), [("xlerobot", "back"), ("xlerobot-2wheels", "left")])
def test_an_xlerobot_becomes_a_robot_in_one_conversation(
    twin: str, odd: str, config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str], violations: list[str]
) -> None:
    before = _directions(Path(f"hw/robots/{twin}.toml"))
    with twin_of(tmp_path, twin) as devices:
        assert _conversation(config, devices, **{f"The {odd} wheel": "n"}).run() == 0
    assert "Ready: heed run" in capsys.readouterr().out
    after = _directions(tmp_path / "robot.toml")
    assert {name for name, direction in after.items() if direction != before[name]} == {odd}
    assert tomllib.loads((tmp_path / "robot.toml").read_text())["base"]["phase"] == 4
    violations.clear()  # the inspector minds the speed of 0 that is tried


@pytest.mark.whole
@pytest.mark.parametrize("twin", ["so100", "so101-pair"])
def test_arms_become_a_robot_in_one_conversation(
    twin: str, config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with twin_of(tmp_path, twin) as devices:
        assert _conversation(config, devices, **{"101/100": twin.removesuffix("-pair")}).run() == 0
    assert "Ready: heed run" in capsys.readouterr().out
    models = {arm["model"] for arm in tomllib.loads((tmp_path / "robot.toml").read_text())["arms"].values()}
    assert models == {twin.removesuffix("-pair")}


def _conversation(config: Config, devices: SimulatedRobot, **answers: object) -> Setup:
    named = answering(devices, **answers) if len(devices.arms) > 1 else {**answers, **YES, **answers}
    return _setup(config, devices, named)


def _directions(file: Path) -> dict[str, int]:
    base = tomllib.loads(file.read_text())["base"]
    wheels = base.get("wheels", {name: base[name] for name in ("left", "right") if name in base})
    return {name: wheel["direction"] for name, wheel in wheels.items()}
