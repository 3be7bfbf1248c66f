"""What `heed doctor` finds of a robot, on simulated devices that speak the real bytes; none of them moves."""

import dataclasses
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daemon.cli import doctor_body as doctor
from daemon.cli.doctor import diagnose
from daemon.cli.finding import Verdict
from daemon.config import BodyConfig, Config, LlmConfig, ServiceConfig, SpeechConfig
from hw.calibration import save_calibration
from hw.description import load_description
from hw.servo import Memory
from sim.devices import SimulatedRobot
from sim.scene import Scene
from tests.hw.test_server import KITCHEN, ROBOT
from tests.llm.tiny_gguf import make_tiny_gguf

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def metal(tmp_path: Path) -> Config:
    """A robot whose description is its own, as one of metal has."""
    (tmp_path / "robot.toml").write_text(ROBOT.read_text())
    service = ServiceConfig(state_directory=".", runtime_directory=".")
    return Config(folder=tmp_path, body=BodyConfig(robot="robot.toml"), service=service)


@pytest.fixture
def plugged_in(metal: Config) -> Iterator[SimulatedRobot]:
    folder = metal.folder
    robot = SimulatedRobot(folder, Scene.load(KITCHEN), load_description(folder / "robot.toml", folder))
    robot.start()
    yield robot
    robot.close()


def rewrite(config: Config, old: str, new: str) -> None:
    file = config.folder / config.body.robot
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))


def test_every_servo_on_the_buses_is_asked(metal: Config, plugged_in: SimulatedRobot) -> None:
    check = doctor.buses(metal)
    assert check.verdict is Verdict.OK
    assert check.what.startswith("left: 7 servos answer; right: 7 servos answer")


def test_a_servo_that_does_not_answer_is_named(metal: Config, plugged_in: SimulatedRobot) -> None:
    rewrite(metal, "servo = 3", "servo = 33")
    check = doctor.buses(metal)
    assert check.verdict is Verdict.FAIL
    assert check.what == "left: no answer from elbow_pitch (servo 33)"
    assert "heed hw scan" in check.to_do


def test_without_its_adapter_the_bus_is_named(metal: Config) -> None:
    check = doctor.buses(metal)
    assert check.verdict is Verdict.FAIL
    assert "left_arm" in check.what


def test_a_limit_that_is_missing_is_named(metal: Config) -> None:
    rewrite(metal, "velocity = 2.5, acceleration = 8.0 }", "velocity = 2.5 }")
    check = doctor.limits(metal)
    assert check.verdict is Verdict.FAIL
    assert "'acceleration'" in check.what


def test_limits_that_may_be_left_out_are_a_warning(metal: Config) -> None:
    table = tomllib.loads(ROBOT.read_text())["arms"]["left"]
    check = doctor.limits(metal)
    missing = {what for what in ("payload", "voltage", "models") if what not in table}
    assert check.verdict is (Verdict.WARN if missing else Verdict.OK)
    assert all(what in check.what for what in missing)


def test_joints_without_calibration_are_named_with_the_command(metal: Config) -> None:
    check = doctor.calibration(metal)
    assert check.verdict is Verdict.WARN
    assert "left: shoulder_yaw" in check.what
    assert check.to_do == "heed hw calibrate --arm left"


def test_a_robot_whose_every_joint_was_calibrated_is_fine(metal: Config) -> None:
    description = load_description(metal.folder / "robot.toml", metal.folder)
    whole = {
        arm.name: {joint.name: Memory(0, *joint.step_range) for joint in (*arm.joints, arm.gripper)}
        for arm in description.arms
    }
    whole = {
        arm: {name: Memory(0, min(m.low, m.high) - 1, max(m.low, m.high) + 1) for name, m in joints.items()}
        for arm, joints in whole.items()
    }
    save_calibration(metal.folder / "robot.calibration.json", whole)
    assert doctor.calibration(metal).verdict is Verdict.OK


def test_a_calibration_that_is_none_is_found(metal: Config) -> None:
    (metal.folder / "robot.calibration.json").write_text("{broken")
    check = doctor.limits(metal)
    assert check.verdict is Verdict.FAIL
    assert "calibrate" in check.to_do


def test_a_simulated_robot_needs_none_of_this(metal: Config) -> None:
    simulated = dataclasses.replace(metal, body=BodyConfig(robot="sim"))
    for check in (doctor.devices, doctor.limits, doctor.buses, doctor.calibration):
        assert check(simulated).verdict is Verdict.OK


# --- whole machines: one that is well, and six that are not ---


def half_a_model(config: Config) -> Config:
    whole = make_tiny_gguf(config.folder / "half.gguf").read_bytes()
    (config.models_directory / "half.gguf").write_bytes(whole[: len(whole) // 2])
    return dataclasses.replace(config, llm=LlmConfig(brain="llama:half.gguf"))


def noise_for_a_memory(config: Config) -> Config:
    config.memory_file.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    return config


def a_voice_that_is_gone(config: Config) -> Config:
    return dataclasses.replace(config, speech=SpeechConfig(voice="piper:gone.onnx"))


def a_servo_unplugged(config: Config) -> Config:
    rewrite(config, "servo = 3", "servo = 33")
    return config


def an_adapter_unplugged(config: Config) -> Config:
    (config.folder / "dev" / "right_arm").unlink()
    return config


def a_limit_forgotten(config: Config) -> Config:
    rewrite(config, "velocity = 2.5, acceleration = 8.0 }", "velocity = 2.5 }")
    return config


@pytest.mark.parametrize(
    ("harm", "fails"),
    [
        (lambda config: config, set()),
        pytest.param(half_a_model, {"brain"}, marks=pytest.mark.whole),
        pytest.param(noise_for_a_memory, {"memory"}, marks=pytest.mark.whole),
        pytest.param(a_voice_that_is_gone, {"voice"}, marks=pytest.mark.whole),
        (a_servo_unplugged, {"buses"}),
        pytest.param(an_adapter_unplugged, {"robot", "buses"}, marks=pytest.mark.whole),
        pytest.param(a_limit_forgotten, {"limits"}, marks=pytest.mark.whole),
    ],
)
def test_a_broken_machine_fails_in_what_is_broken_and_in_nothing_else(
    metal: Config,
    plugged_in: SimulatedRobot,
    capsys: pytest.CaptureFixture[str],
    harm: Callable[[Config], Config],
    fails: set[str],
) -> None:
    (metal.folder / "models").mkdir()
    (metal.folder / "models" / "minilm").symlink_to(CHECKOUT / "models" / "minilm")
    assert diagnose(harm(metal), as_json=True) == int(bool(fails))
    checks = json.loads(capsys.readouterr().out)
    assert {check["name"] for check in checks if check["verdict"] == "fail"} == fails
    assert all(check["to_do"] for check in checks if check["verdict"] != "ok")
