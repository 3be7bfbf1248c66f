"""The simulated robot over its real ports: bytes in, motion in the room, bytes out."""

import math
import select
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hw.description import RobotDescription, load_description
from hw.protocol import cansimple, sts
from hw.protocol.cansimple import AxisState, EncoderEstimates, SetInputVelocity
from hw.state import HardwareError
from hw.transport import SerialTransport, SlcanTransport, TransportError
from sim.devices import SimulatedRobot
from sim.perception import SimCamera
from sim.scene import Scene

ROOT = Path(__file__).parents[2]
DEADLINE = 10.0
"""Seconds; only a failing test waits that long."""


@pytest.fixture
def runtime() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own path may be too long for a socket
        yield Path(folder)


@pytest.fixture
def description(runtime: Path) -> RobotDescription:
    return load_description(ROOT / "hw/robots/sim.toml", runtime)


@pytest.fixture
def robot(runtime: Path, description: RobotDescription) -> Iterator[SimulatedRobot]:
    robot = SimulatedRobot(runtime, Scene.load(ROOT / "sim/scenes/kitchen.toml"), description)
    robot.start()
    yield robot
    robot.close()


class Servos:
    """A client of an arm's bus."""

    def __init__(self, path: Path) -> None:
        self.port = SerialTransport(path, 1_000_000)
        self.parser = sts.Parser()

    def ask(self, packet: bytes, answers: int) -> list[sts.Packet]:
        self.port.send(packet)
        heard: list[sts.Packet] = []
        while len(heard) < answers:
            assert select.select([self.port], [], [], DEADLINE)[0], "no answer"
            heard += self.parser.feed(self.port.receive())
        return heard

    def state(self, servo: int) -> sts.ServoState:
        (answer,) = self.ask(sts.sync_read_states([servo]), 1)
        state = sts.ServoState.decode(answer.parameters)
        assert state is not None
        return state

    def power(self, *servos: int) -> None:
        for servo in servos:
            self.ask(sts.write(servo, sts.TORQUE_ENABLE, 1), 1)

    def go(self, goals: dict[int, float], speed: float = 0) -> None:
        """Move there, and return when everybody has arrived."""
        packet, _ = sts.sync_write_goals({servo: sts.Goal(at, speed) for servo, at in goals.items()})
        self.port.send(packet)
        until(lambda: all(abs(self.state(servo).position - at) <= 1 for servo, at in goals.items()))


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"


@pytest.fixture
def left(robot: SimulatedRobot, description: RobotDescription) -> Iterator[Servos]:
    servos = Servos(description.arms[0].device)
    yield servos
    servos.port.close()


def test_joints_start_folded_and_go_where_they_are_told(left: Servos, description: RobotDescription) -> None:
    elbow = description.arms[0].joints[2]
    assert elbow.from_steps(left.state(3).position) == pytest.approx(-2.7, abs=0.01)
    left.power(3)
    left.go({3: elbow.to_steps(-1.0)})
    assert left.state(3).errors == 0


def test_the_hand_of_the_scene_is_where_the_joints_bring_it(
    left: Servos, robot: SimulatedRobot, description: RobotDescription
) -> None:
    arm = description.arms[0]
    angles = arm.kinematics.ik(0.5, 0.1, 0.9)
    left.power(*range(1, 7))
    left.go({j.servo: round(j.to_steps(angle)) for j, angle in zip(arm.joints, angles, strict=True)})
    tip = robot.scene().tip("left")
    assert math.dist(tip, (0.5, 0.1, 0.9)) < 0.005


def test_a_gripper_takes_what_is_between_its_fingers_and_feels_it(
    left: Servos, robot: SimulatedRobot, runtime: Path, description: RobotDescription
) -> None:
    gripper = description.arms[0].gripper
    camera = SimCamera(runtime)
    left.power(7)
    left.go({7: gripper.to_steps(0.09)})
    camera.request("give", object="apple", arm="left")
    left.port.send(sts.sync_write_goals({7: sts.Goal(gripper.to_steps(0.0))})[0])
    until(lambda: left.state(7).load < 0)
    assert gripper.from_steps(left.state(7).position) == pytest.approx(0.05, abs=0.001)
    held = {thing["name"]: thing["held_by"] for thing in camera.observe()["objects"]}
    assert held["apple"] == "left"
    left.go({7: gripper.to_steps(0.09)})
    assert robot.scene().held("left") is None
    camera.close()


@pytest.fixture
def wheels(robot: SimulatedRobot, description: RobotDescription) -> Iterator[SlcanTransport]:
    assert description.base is not None
    port = SlcanTransport(description.base.device, 1_000_000, 500_000)
    yield port
    port.close()


def hear(port: SlcanTransport, kind: type) -> tuple[int, cansimple.Message]:
    """The next message of a kind."""
    while True:
        assert select.select([port], [], [], DEADLINE)[0], "the axes are silent"
        for frame in port.receive():
            decoded = cansimple.decode(frame)
            if decoded and isinstance(decoded[1], kind):
                return decoded


def drive(port: SlcanTransport, left: float, right: float) -> None:
    """Turns per second of the motors, which are mounted mirrored."""
    port.send(cansimple.encode(0, SetInputVelocity(left)), cansimple.encode(1, SetInputVelocity(-right)))


def arm_axes(port: SlcanTransport) -> None:
    for node in (0, 1):
        port.send(cansimple.encode(node, cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL)))


def test_wheels_turn_the_base_and_the_scene_with_it(wheels: SlcanTransport, robot: SimulatedRobot) -> None:
    arm_axes(wheels)
    while robot.scene().base.x < 0.1:
        drive(wheels, 1.0, 1.0)
        hear(wheels, EncoderEstimates)
    assert robot.scene().base.y == pytest.approx(0.0, abs=0.01)
    while robot.scene().base.theta < 0.2:
        drive(wheels, -0.5, 0.5)
        hear(wheels, EncoderEstimates)


def test_wheels_whose_commander_falls_silent_trip_their_watchdog(wheels: SlcanTransport, robot: SimulatedRobot) -> None:
    arm_axes(wheels)
    drive(wheels, 1.0, 1.0)
    until(lambda: robot.base.motors[0].error == cansimple.WATCHDOG_EXPIRED)
    assert robot.base.motors[0].state is AxisState.IDLE


def test_everything_that_arrives_is_kept_for_tests(wheels: SlcanTransport, left: Servos, robot: SimulatedRobot) -> None:
    drive(wheels, 0.0, 0.0)
    left.ask(sts.ping(4), 1)
    until(lambda: any(received.device == "base" for received in list(robot.frames)))
    contents = [received.content for received in list(robot.frames)]
    assert cansimple.encode(0, SetInputVelocity(0.0)) in contents
    assert sts.Packet(4, sts.Instruction.PING) in contents


def test_a_client_may_go_and_another_come(robot: SimulatedRobot, description: RobotDescription) -> None:
    for _ in range(5):
        servos = Servos(description.arms[1].device)
        assert [answer.id for answer in servos.ask(sts.ping(1), 1)] == [1]
        servos.port.send(sts.sync_read_states([1, 2])[:5])
        servos.port.close()


def test_an_unplugged_port_is_gone_until_it_is_plugged_in_again(
    left: Servos, robot: SimulatedRobot, description: RobotDescription
) -> None:
    robot.unplug("left")
    assert select.select([left.port], [], [], DEADLINE)[0]
    with pytest.raises(TransportError):
        left.port.receive()
    with pytest.raises(TransportError):
        Servos(description.arms[0].device)
    robot.plug("left")
    again = Servos(description.arms[0].device)
    assert [answer.id for answer in again.ask(sts.ping(1), 1)] == [1]
    again.port.close()


def test_others_can_move_things_and_put_everything_back(robot: SimulatedRobot, runtime: Path) -> None:
    camera = SimCamera(runtime)
    before = camera.observe()
    camera.request("place", object="cup", location="person")
    camera.request("door", location="fridge", open=True)
    assert robot.scene().thing("cup").location == "person"
    assert robot.scene().is_open("fridge")
    camera.request("reset")
    assert camera.observe() == before
    camera.close()


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"op": "place", "object": "cup", "location": "moon"}, "no location 'moon'"),
        ({"op": "place", "object": "cup"}, "lacks 'location'"),
        ({"op": "fly"}, "no op 'fly'"),
    ],
)
def test_a_wrong_request_is_answered_with_what_is_wrong(
    robot: SimulatedRobot, runtime: Path, request_: dict, says: str
) -> None:
    camera = SimCamera(runtime)
    with pytest.raises(ValueError, match=says):
        camera.request(**request_)
    assert camera.observe()["locations"]
    camera.close()


def test_without_a_simulation_the_camera_says_what_to_start(runtime: Path) -> None:
    with pytest.raises(HardwareError, match="python -m sim"):
        SimCamera(runtime).observe()


def test_a_camera_survives_a_restart_of_the_simulation(runtime: Path, description: RobotDescription) -> None:
    camera = SimCamera(runtime)
    for _ in range(2):
        robot = SimulatedRobot(runtime, Scene.load(ROOT / "sim/scenes/kitchen.toml"), description)
        robot.start()
        assert camera.observe()["objects"]
        robot.close()
    camera.close()


def test_nothing_is_left_behind(robot: SimulatedRobot, runtime: Path) -> None:
    robot.close()
    assert [path for path in runtime.rglob("*") if not path.is_dir()] == []


def test_faults_come_over_the_scenes_socket(
    left: Servos, robot: SimulatedRobot, runtime: Path, description: RobotDescription
) -> None:
    camera = SimCamera(runtime)
    camera.request("fault", device="left", kind="overheat", motor=3)
    assert left.state(3).errors == sts.ErrorBits.OVERHEAT
    assert not left.state(2).errors
    camera.request("heal", device="left")
    assert not left.state(3).errors
    camera.request("fault", device="left", kind="unplug")
    assert not description.arms[0].device.exists()
    camera.request("heal", device="left")
    assert description.arms[0].device.exists()
    for wrong in ({"device": "tail", "kind": "stall"}, {"device": "base", "kind": "stall", "motor": 9}):
        with pytest.raises(ValueError, match=r"tail|no motor 9"):
            camera.request("fault", **wrong)
    camera.close()


def test_a_noisy_wire_loses_answers_but_not_the_robot(left: Servos, robot: SimulatedRobot, runtime: Path) -> None:
    camera = SimCamera(runtime)
    camera.request("fault", device="left", kind="noise", noise={"drop": 1.0})
    left.port.send(sts.write(1, sts.TORQUE_ENABLE, 1))
    camera.request("fault", device="left", kind="noise", noise={"delay": 0.03, "corrupt": 0.001})
    while not select.select([left.port], [], [], 0.1)[0]:
        left.port.send(sts.ping(1))
    camera.request("heal", device="left")
    assert not robot.arms["left"].joints[0].powered
    camera.close()


def test_what_goes_beyond_the_limits_is_told(left: Servos, robot: SimulatedRobot, runtime: Path) -> None:
    camera = SimCamera(runtime)
    assert camera.request("violations") == []
    left.ask(sts.write(1, sts.GOAL_POSITION, 4095), 1)
    assert "left: shoulder_yaw was sent to step 4095" in camera.request("violations")[0]
    assert robot.goals == 1
    camera.close()
