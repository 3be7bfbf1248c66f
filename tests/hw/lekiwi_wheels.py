"""A simulated LeKiwi on its wheels: how they are driven, how far they roll, and what falls silent."""

import math
from pathlib import Path

from hw.protocol import sts
from sim.servo import SimulatedServo
from tests.hw.virtual import VirtualRobot

LEKIWI = Path(__file__).parents[2] / "hw" / "robots" / "lekiwi.toml"
RADIUS = 0.05
"""Metres, of its wheels."""


def wheels(robot: VirtualRobot) -> list[SimulatedServo]:
    return robot.wheels.wheels


def drive(robot: VirtualRobot, seconds: float, **twist: float) -> None:
    for _ in range(round(seconds / 0.1)):
        answer = robot.ask("drive", **({"forward": 0.0, "turn": 0.0} | twist))
        assert answer["ok"], answer
        robot.advance(0.1)


def rolled(robot: VirtualRobot, before: list[float]) -> float:
    """Metres that the wheel rolled that went furthest."""
    ways = [abs(servo.position - at) for servo, at in zip(wheels(robot), before, strict=True)]
    return max(ways) * 2 * math.pi * RADIUS / sts.STEPS_PER_TURN


def cut(robot: VirtualRobot) -> None:
    robot.wires["right"].cut = True


def mute(robot: VirtualRobot) -> None:
    robot.wires["right"].mute = True


def one_wheel_silent(robot: VirtualRobot) -> None:
    wheels(robot)[1].mute = True
