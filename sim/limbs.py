"""The simulated robot's arms and base: their devices, and what those do to hands and places in a scene."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from hw.base_description import AxisBaseDescription, ServoBaseDescription, WheelBaseDescription
from hw.description import ArmDescription
from hw.head_description import HeadDescription
from hw.protocol import dxl2
from hw.protocol.sts import STEPS_PER_TURN
from hw.servo_joint import ServoJoint
from hw.state import Pose2D
from sim.axis import SimulatedAxis, SlcanAdapter
from sim.dynamixel_servo import XL330, DynamixelChain, SimulatedDynamixel
from sim.layout import OPENED
from sim.scene import Scene
from sim.servo import ServoChain, SimulatedServo
from sim.shaft import Shaft

UNSEEN = 1e-3
"""Steps that a joint may turn before the scene is told."""


class SimulatedArm:
    """Joints and a gripper: servos on one bus, a hand in the scene."""

    def __init__(self, description: ArmDescription, opening: float) -> None:
        self.name = description.name
        self.description = description
        home = zip(description.joints, description.kinematics.home, strict=True)
        places = {joint: joint.to_steps(angle) for joint, angle in home}
        places[description.gripper] = description.gripper.to_steps(opening)
        self.chain = chain_of(description, places)
        self.joints: list[Shaft] = [self.chain.servos[joint.servo] for joint in description.joints]
        self.gripper: Shaft = self.chain.servos[description.gripper.servo]
        self._shown: tuple[float, ...] = ()

    @property
    def shafts(self) -> list[tuple[ServoJoint, Shaft]]:
        """The arm's joints, and the servos that turn them."""
        return list(zip(self.description.joints, self.joints, strict=True))

    @property
    def angles(self) -> dict[str, float]:
        """Return where the joints of sim/model.py are, by name: radians, and metres of each finger."""
        turned = {f"{self.name} {joint.name}": joint.from_steps(servo.position) for joint, servo in self.shafts}
        return turned | dict.fromkeys((f"{self.name} finger a", f"{self.name} finger b"), self.opening / 2)

    @property
    def opening(self) -> float:
        """Metres between the fingers."""
        return self.description.gripper.from_steps(self.gripper.position)

    @property
    def wanted_opening(self) -> float:
        """Metres between the fingers if nothing were between them."""
        return self.description.gripper.from_steps(self.gripper.setpoint)

    def show(self, scene: Scene) -> None:
        """Bring the scene's hand to where the joints are, if they moved."""
        positions = tuple(servo.position for servo in (*self.joints, self.gripper))
        if self._shown and math.dist(positions, self._shown) < UNSEEN:
            return
        self._shown = positions
        angles = [joint.from_steps(servo.position) for joint, servo in self.shafts]
        scene.set_tip(self.name, self.description.kinematics.fk(angles))
        scene.set_gripper(self.name, self.opening)

    def show_again(self, scene: Scene) -> None:
        """The same in a scene that knows nothing of it yet."""
        self._shown = ()
        self.show(scene)

    @property
    def settled(self) -> bool:
        """Return whether nothing turns, and nothing is about to."""
        return all(servo.settled for servo in self.chain.servos.values())

    def act_on(self, scene: Scene) -> None:
        """Bring the scene's hand to where the joints are; feel what is between the fingers."""
        if self._shown and self.settled:
            return
        self.show(scene)
        gripper = self.description.gripper
        ends = (scene.least_opening(self.name), 1.05 * gripper.limits.upper)
        low, high = sorted(gripper.to_steps(end) for end in ends)
        self.gripper.obstacle = (low, high)
        self.gripper.position = min(max(self.gripper.position, low), high)


class SimulatedHead:
    """Pan and tilt: two servos on the bus of an arm, in the middle of their ranges."""

    def __init__(self, description: HeadDescription, chain: ServoChain) -> None:
        self.description = description
        self.servos = [SimulatedServo(joint.servo, joint.to_steps(0.0)) for joint in description.joints]
        chain.servos.update({servo.id: servo for servo in self.servos})

    @property
    def angles(self) -> tuple[float, ...]:
        """Return pan and tilt as they are; radians."""
        turned = zip(self.description.joints, self.servos, strict=True)
        return tuple(joint.from_steps(servo.position) for joint, servo in turned)


def chain_of(description: ArmDescription, places: Mapping[ServoJoint, float]) -> ServoChain | DynamixelChain:
    """An arm's servos of the make that its description names, where they stand (steps). A Dynamixel with a supply of
    its own is an XL330.
    """
    if description.family.name != "dynamixel":
        return ServoChain([SimulatedServo(joint.servo, at) for joint, at in places.items()])
    servos = [SimulatedDynamixel(joint.servo, at) for joint, at in places.items()]
    for servo, joint in zip(servos, places, strict=True):
        if joint.voltage:
            servo.put(dxl2.MODEL_NUMBER, XL330)
            servo.supply = servo.voltage = sum(joint.voltage) / 2
    return DynamixelChain(servos)


class SimulatedBase(ABC):
    """Wheels, and where they have taken the base."""

    def __init__(self, description: WheelBaseDescription) -> None:
        self._description = description
        self._last = (0.0,) * len(description.wheels)

    @property
    @abstractmethod
    def motors(self) -> Mapping[int, SimulatedAxis | SimulatedServo]:
        """Return the motors by their number."""

    @property
    def settled(self) -> bool:
        """The wheels stand, and were told nothing else."""
        return all(motor.settled for motor in self.motors.values())

    def act_on(self, scene: Scene) -> None:
        """Move the scene's robot as far as the wheels have turned since the last time."""
        rolled = tuple(
            turns * wheel.direction * self._description.circumference
            for turns, wheel in zip(self._turns(), self._description.wheels, strict=True)
        )
        ways = [now - before for before, now in zip(self._last, rolled, strict=True)]
        self._last = rolled
        if any(ways):
            forward, left, turn = self._description.kinematics.twist(ways)
            halfway = Pose2D(scene.base.x, scene.base.y, scene.base.theta + turn / 2)
            x, y = halfway.to_map(forward, left)
            scene.set_base(Pose2D(x, y, math.remainder(scene.base.theta + turn, 2 * math.pi)))

    @abstractmethod
    def _turns(self) -> list[float]:
        """Return the turns of each motor's shaft."""


class SimulatedAxisBase(SimulatedBase):
    """A base whose wheels are axes on one CAN bus."""

    def __init__(self, description: AxisBaseDescription) -> None:
        super().__init__(description)
        self.axes = [
            SimulatedAxis(wheel.id, description.watchdog, description.endpoints) for wheel in description.wheels
        ]
        self.adapter = SlcanAdapter(self.axes)

    @property
    def motors(self) -> Mapping[int, SimulatedAxis]:
        return self.adapter.axes

    def _turns(self) -> list[float]:
        return [axis.position for axis in self.axes]


class SimulatedServoBase(SimulatedBase):
    """A base whose wheels are servos, as they come out of LeRobot's hands; they hang on the bus of an arm."""

    def __init__(self, description: ServoBaseDescription, chain: ServoChain) -> None:
        super().__init__(description)
        self.wheels = [simulated_wheel(wheel.id) for wheel in description.wheels]
        self._begun = [servo.position for servo in self.wheels]
        chain.servos.update(self.motors)

    @property
    def motors(self) -> Mapping[int, SimulatedServo]:
        return {servo.id: servo for servo in self.wheels}

    def _turns(self) -> list[float]:
        ways = zip(self.wheels, self._begun, strict=True)
        return [(servo.position - begun) / STEPS_PER_TURN for servo, begun in ways]


def simulated_wheel(servo: int) -> SimulatedServo:
    """A servo that turns on and on; somewhere in its first turn."""
    wheel = SimulatedServo(servo, 100.0 * servo)
    wheel.obstacle = (-math.inf, math.inf)
    return wheel


def pose(scene: Scene, arms: Iterable[SimulatedArm], base: SimulatedBase | None) -> dict[str, Any]:
    """Return where everything is, for whoever renders the room by sim/model.py: joints by name, and things."""
    stands = {"base x": scene.base.x, "base y": scene.base.y, "base theta": scene.base.theta} if base else {}
    turned = {name: value for arm in arms for name, value in arm.angles.items()}
    doors = {f"door {place.name}": OPENED * scene.is_open(place.name) for place in scene.locations() if place.has_door}
    things = {thing.name: thing.position for thing in scene.things()}
    return {"joints": stands | turned | doors, "things": things}
