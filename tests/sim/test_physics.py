"""The simulated robot with weight: MuJoCo behind the same devices. Needs the extra `sim`."""

import struct
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from hw.description import load_description
from hw.protocol import sts
from hw.state import HardwareError
from sim.devices import SimulatedRobot
from sim.limbs import SimulatedArm
from sim.scene import FLOOR, Scene
from sim.scene_things import DISH_RADIUS

pytestmark = pytest.mark.skipif(find_spec("mujoco") is None, reason="the extra `sim` is not installed")

ROOT = Path(__file__).parents[2]
TICK = 0.005


class Room:
    """A robot whose time the test lets pass; nothing runs by itself."""

    def __init__(self, folder: Path, scene: str = "kitchen") -> None:
        self.scene = Scene.load(ROOT / f"sim/scenes/{scene}.toml")
        description = load_description(ROOT / "hw/robots/sim.toml", folder)
        self.robot = SimulatedRobot(folder, self.scene, description, physics=True)
        assert self.robot.physics
        self.physics = self.robot.physics
        self.left: SimulatedArm = self.robot.arms["left"]

    def advance(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            for arm in self.robot.arms.values():
                arm.chain.step(TICK)
            self.physics.step(TICK, self.scene)

    def power(self) -> None:
        for servo in self.left.chain.servos.values():
            servo.write(sts.GOAL_POSITION.address, round(servo.position).to_bytes(2, "little"))
            servo.write(sts.TORQUE_ENABLE.address, b"\1")

    def grip(self, opening: float) -> None:
        steps = round(self.left.description.gripper.to_steps(opening))
        self.left.gripper.write(sts.GOAL_POSITION.address, steps.to_bytes(2, "little"))
        self.advance(0.8)

    def held_cup(self) -> "Room":
        return self.held_thing("cup")

    def held_thing(self, name: str) -> "Room":
        """The left gripper has closed on the thing, which somebody held there meanwhile."""
        self.power()
        self.grip(0.08)
        self.left.gripper.write(sts.GOAL_POSITION.address, (2048).to_bytes(2, "little"))
        for _ in range(100):
            self.scene.found(name, self.scene.tip("left"))
            self.advance(TICK)
        self.advance(0.5)
        return self


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.physics.close()


def test_what_stands_stays_where_it_stands(room: Room) -> None:
    before = {thing.name: thing for thing in room.scene.things()}
    room.advance(1.0)
    for thing in room.scene.things():
        assert thing.position == pytest.approx(before[thing.name].position, abs=0.002)
        assert (thing.location, thing.held_by) == (before[thing.name].location, None)


def test_a_joint_with_torque_follows_its_servo(room: Room) -> None:
    room.power()
    elbow = room.left.joints[2]
    elbow.write(sts.GOAL_POSITION.address, round(elbow.position + 300).to_bytes(2, "little"))
    goal = elbow.position + 300
    room.advance(1.0)
    assert elbow.position == pytest.approx(goal, abs=3)
    assert room.scene.tip("left")[2] != pytest.approx(room.scene.tip("right")[2], abs=0.01)


def test_fingers_hold_by_friction_and_let_fall_when_torque_goes(room: Room) -> None:
    room.held_cup()
    assert room.scene.thing("cup").held_by == "left"
    assert room.left.opening == pytest.approx(0.05, abs=0.006)
    room.left.gripper.write(sts.TORQUE_ENABLE.address, b"\0")
    room.advance(1.0)
    cup = room.scene.thing("cup")
    assert (cup.held_by, cup.location) == (None, FLOOR)
    assert cup.position[2] < 0.2


def test_a_servo_feels_what_is_between_the_fingers(room: Room) -> None:
    room.held_cup()
    state = sts.ServoState.decode(room.left.gripper.read(sts.STATE_ADDRESS, sts.STATE_SIZE))
    assert state
    assert abs(state.load) > 300


def test_the_base_takes_along_what_is_held(room: Room) -> None:
    room.held_cup()
    before = room.scene.thing("cup").position
    for step in range(100):
        room.scene.set_base(type(room.scene.base)(step * 0.003, 0.0, 0.0))
        room.advance(0.01)
    room.advance(0.5)
    cup = room.scene.thing("cup")
    assert cup.held_by == "left"
    assert cup.position[0] - before[0] == pytest.approx(0.297, abs=0.02)


def test_somebody_else_may_move_things(room: Room) -> None:
    room.scene.place("cup", "table")
    room.advance(0.5)
    assert room.scene.thing("cup").location == "table"
    assert room.scene.thing("cup").position[1] < -1


def rendered(room: Room, camera: str) -> bytes:
    try:
        return room.physics.camera.picture(room.physics.snapshot(), camera, 320, 240)
    except HardwareError as error:
        pytest.skip(str(error))


def test_pictures_are_png(room: Room) -> None:
    picture = rendered(room, "room")
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (320, 240)


def test_the_head_sees_what_is_before_it_and_nothing_behind_it(room: Room) -> None:
    rendered(room, "head")
    assert "cup" not in room.physics.camera.visible(room.physics.snapshot())
    room.scene.set_base(type(room.scene.base)(0.5, 0.8, 1.5708))
    room.advance(2.0)
    seen = room.physics.camera.visible(room.physics.snapshot())
    assert {"cup", "water"} <= set(seen)
    assert "apple" not in seen


def test_what_is_let_go_above_a_bowl_lies_in_it_and_travels_with_it(room: Room) -> None:
    room.held_thing("bowl")
    x, y, z = room.scene.thing("bowl").position
    room.scene.found("apple", (x, y, z + 0.07))
    room.advance(1.0)
    before = room.scene.thing("apple")
    assert before.location == "bowl"
    for step in range(100):
        room.scene.set_base(type(room.scene.base)(step * 0.003, 0.0, 0.0))
        room.advance(0.01)
    room.advance(0.5)
    bowl, apple = room.scene.thing("bowl"), room.scene.thing("apple")
    assert (bowl.held_by, apple.held_by, apple.location) == ("left", None, "bowl")
    assert apple.position[0] - before.position[0] == pytest.approx(0.297, abs=DISH_RADIUS)


def test_a_bowl_takes_one_thing_where_things_have_weight(room: Room) -> None:
    (bowl,) = (seen for seen in room.scene.observe()["objects"] if seen["name"] == "bowl")
    assert bowl["holds"] == 1


def test_what_is_taken_out_of_a_bowl_is_not_in_it_any_more(room: Room) -> None:
    x, y, z = room.scene.thing("bowl").position
    room.scene.found("apple", (x, y, z + 0.07))
    room.advance(0.5)
    assert room.scene.thing("apple").location == "bowl"
    room.scene.found("apple", (-0.6, -1.52, 0.81))
    room.advance(0.5)
    assert room.scene.thing("apple").location == "table"
