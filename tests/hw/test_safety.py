"""What must hold whatever happens: limits on the wire, and no way from a stop to motion but through a person.

The slow ones look at everything: .venv/bin/python -m pytest tests/hw/test_safety.py -m slow
"""

import math
import os
import pickle
import random
from collections import deque
from collections.abc import Callable

import pytest

from hw.estop import EmergencyStop
from hw.protocol import cansimple, sts
from hw.protocol.sts import ErrorBits
from sim.servo import SimulatedServo
from tests.hw.test_estop import FakeContact
from tests.hw.virtual import TICK, VirtualRobot

FOLDED = [0, 1.7, -2.7, 1.0, 0.0, 0.0]
whole = pytest.mark.whole
slow = [pytest.mark.slow, pytest.mark.timeout(3600)]

# --- limits -------------------------------------------------------------------------------------------------------


class WireWatch:
    """Looks at every goal and every velocity that goes out, once."""

    def __init__(self, robot: VirtualRobot) -> None:
        self._robot = robot
        self._joints = {
            arm.name: {joint.servo: joint for joint in (*arm.joints, arm.gripper)} for arm in robot.description.arms
        }
        self._last: dict[tuple[str, int], float] = {}
        self._ways: dict[tuple[str, int], deque[float]] = {}
        """The goals of each servo, a tick apart, since something last came to a sudden stop."""
        self._aborted: set[int] = set()
        self._speeds: dict[int, float] = {}
        self.looked_at = 0

    def look(self) -> None:
        """At what has gone out since the last look: five ticks at most."""
        aborted = {goal for goal, event in self._robot.news.items() if event["state"] == "aborted"}
        if aborted - self._aborted:
            self.forget_ways()
        self._look()
        if aborted - self._aborted:
            self.forget_ways()
        self._aborted = aborted

    def _look(self) -> None:
        for arm, joints in self._joints.items():
            for goals in self._robot.goals_sent(arm):
                for servo, goal in goals.items():
                    self._check_goal(arm, servo, joints[servo], goal)
            self._robot.wires[arm].sent.clear()
        for node, velocity in self._robot.velocities_sent():
            self._check_velocity(node, velocity)
        self._robot.wires["base"].sent.clear()

    def _check_goal(self, arm: str, servo: int, joint, goal: sts.Goal) -> None:  # type: ignore[no-untyped-def]
        self.looked_at += 1
        low, high = joint.step_range
        assert low <= goal.position <= high
        fastest = joint.limits.velocity / abs(joint.scale)
        assert 0 < goal.speed <= fastest + 1
        before = self._last.get((arm, servo), goal.position)
        assert abs(goal.position - before) <= 2 * 0.1 * fastest + 2
        assert abs(goal.position - self._robot.servos(arm)[servo].position) <= 0.1 * fastest * 1.5 + 2
        self._last[arm, servo] = goal.position
        self._check_acceleration((arm, servo), goal.position, joint.limits.acceleration / abs(joint.scale))

    def _check_acceleration(self, servo: tuple[str, int], goal: float, most: float) -> None:
        """Steps per second squared, over twice five ticks, since a step is coarse. Braking may be sudden."""
        way = self._ways.setdefault(servo, deque(maxlen=11))
        way.append(goal)
        if len(way) == 11:
            before, after = (way[5] - way[0]) / (5 * TICK), (way[10] - way[5]) / (5 * TICK)
            gained = abs(after) - max(before * math.copysign(1, after), 0.0)
            assert gained <= 1.1 * most * 5 * TICK + 2 / (5 * TICK), (servo, list(way), gained, most)

    def forget_ways(self) -> None:
        """A stop, or a joint that was pushed, has put goals where no motion leads."""
        self._ways.clear()

    def _check_velocity(self, node: int, velocity: float) -> None:
        self.looked_at += 1
        base = self._robot.drive.description
        assert abs(velocity) <= base.wheel_velocity * 1.0001
        _, _, around = map(abs, base.kinematics.rows[0])
        gain = (base.limits.acceleration + base.limits.angular_acceleration * around) / base.circumference
        before = self._speeds.get(node, 0.0)
        if velocity != 0.0:  # a stop is sudden, everything else is not
            assert abs(velocity - before) <= gain * 0.02 * 1.001
        self._speeds[node] = velocity


def number(chance: random.Random) -> object:
    """Something a caller might send for a number."""
    return chance.choice(
        [
            chance.uniform(-1, 1),
            chance.uniform(-4, 4),
            chance.uniform(-1e9, 1e9),
            *(math.nan, math.inf, -math.inf, 1e308, -0.0, None, "1", True),
        ]
        if chance.random() < 0.2
        else [chance.uniform(-1, 1), chance.uniform(-3, 3)]
    )


def command(chance: random.Random) -> dict[str, object]:
    arm = chance.choice(["left", "right"])
    numbers = [number(chance) for _ in range(6)]
    return chance.choice(
        [
            {"op": "move_joints", "arm": arm, "joints": numbers, "speed": number(chance)},
            {"op": "move_joints", "arm": arm, "joints": FOLDED},
            {"op": "grip", "arm": arm, "opening": number(chance)},
            {"op": "jog", "arm": arm, "velocities": numbers},
            {
                "op": "drive",
                "forward": number(chance),
                "turn": number(chance),
                "ttl": chance.choice([0.2, 1, numbers[0]]),
            },
            {"op": "drive_to", "x": number(chance), "y": number(chance), "theta": number(chance), "speed": numbers[1]},
            *({"op": op} for op in ("cancel_all", "pause", "resume", "alive")),
        ]
    )


@pytest.mark.parametrize("count", [600, pytest.param(100_000, marks=slow)])
def test_no_frame_ever_exceeds_a_limit_whatever_is_asked(count: int) -> None:
    chance = random.Random(7)
    robot = VirtualRobot().activated()
    watch = WireWatch(robot)
    for _ in range(count):
        robot.request(command(chance), robot, lambda answer: None)
        robot.advance(TICK * chance.choice([1, 1, 1, 5]))
        watch.look()
        if chance.random() < 0.01:
            robot.body.stop("test")
            watch.forget_ways()
        if robot.body.stopped is not None or chance.random() < 0.01:
            robot.ask("clear_stop", by="Ada")
            robot.ask("activate")
    assert watch.looked_at > 10 * count


# --- states -------------------------------------------------------------------------------------------------------


class Story:
    """A robot to which things happen, and what a person would say about whether it may move."""

    def __init__(self) -> None:
        self.contact = FakeContact()
        self.robot = VirtualRobot(estop=EmergencyStop(self.contact))
        self.robot.advance(0.6)
        self.may_move = False
        self._at_rest: list[float] = []
        self.driven = False
        """The last event made the wheels turn."""
        self._rest()

    def happen(self, name: str) -> None:
        """One event, and the time in which it shows."""
        was_stopped = self.robot.body.stopped is not None
        comes_to_rest = self.may_move or name in LATCHING
        before = len(self.robot.velocities_sent())
        EVENTS[name](self)
        for _ in range(30):
            self.robot.advance(TICK)
            self.robot.request({"op": "alive"}, self.robot, lambda answer: None)
            if self.robot.body.stopped is not None:
                self.may_move = False
        self.driven = any(v != 0.0 for _, v in self.robot.velocities_sent()[before:])
        if was_stopped and name != "clear_stop":
            assert self.robot.body.stopped is not None, f"{name} has released a stop"
        if self.may_move:
            self._rest()
            return
        if comes_to_rest:
            self.robot.advance(0.6)
            self._rest()
            return
        assert not self.driven, f"the base was driven by {name}"
        moved = max(abs(a - b) for a, b in zip(self._positions(), self._at_rest, strict=True))
        assert moved <= 4096 / 360, f"a joint was moved {moved:.0f} steps by {name}"

    @property
    def abstract(self) -> tuple[object, ...]:
        """Everything that decides what may happen next."""
        body = self.robot.body
        return (
            *(component.lifecycle for component in body.components.values()),
            *(component.powered for component in body.components.values()),
            *(wire.cut for wire in self.robot.wires.values()),
            bool(self.robot.servos("left")[3].errors),
            body.stopped is not None,
            bool(body.emergency),
            self.contact.reads,
            body.paused,
            self.may_move,
        )

    def ask(self, op: str, **parameters: object) -> None:
        self.robot.request({"op": op} | parameters, self.robot, lambda answer: None)

    def activate(self) -> None:
        answers: list[dict] = []
        allowed = self.robot.body.stopped is None and not self.robot.body.emergency
        self.robot.request({"op": "activate"}, self.robot, answers.append)
        assert allowed or not answers[0]["ok"]
        self.may_move = allowed
        self.robot.advance(0.3)

    def _servos(self) -> list[SimulatedServo]:
        return [servo for arm in ("left", "right") for servo in self.robot.servos(arm).values()]

    def _positions(self) -> list[float]:
        return [servo.position for servo in self._servos()]

    def _rest(self) -> None:
        self._at_rest = self._positions()


EVENTS: dict[str, Callable[[Story], None]] = {
    "activate": lambda s: s.activate(),
    "clear_stop": lambda s: s.ask("clear_stop", by="Ada"),
    "clear_fault": lambda s: s.ask("clear_fault", component="left", by="Ada"),
    "stop": lambda s: s.robot.body.stop("test"),
    "pause": lambda s: s.ask("pause"),
    "resume": lambda s: s.ask("resume"),
    "cancel_all": lambda s: s.ask("cancel_all"),
    "move_joints": lambda s: s.ask("move_joints", arm="left", joints=[0.3, 0.4, 0.5, 0.2, 0.1, -0.2]),
    "jog": lambda s: s.ask("jog", arm="right", velocities=[0, 0, 0, 0, 0.5, 0]),
    "drive": lambda s: s.ask("drive", forward=0.3, turn=0.1),
    "drive_to": lambda s: s.ask("drive_to", x=1, y=0, theta=0),
    "pull left": lambda s: setattr(s.robot.wires["left"], "cut", True),
    "plug left": lambda s: setattr(s.robot.wires["left"], "cut", False),
    "pull base": lambda s: setattr(s.robot.wires["base"], "cut", True),
    "plug base": lambda s: setattr(s.robot.wires["base"], "cut", False),
    "overload": lambda s: setattr(s.robot.servos("left")[3], "errors", ErrorBits.OVERLOAD),
    "overload ends": lambda s: setattr(s.robot.servos("left")[3], "errors", ErrorBits(0)),
    "axis error": lambda s: s.robot.axes[0].fail(cansimple.AxisError.DRV_FAULT),
    "press": lambda s: setattr(s.contact, "reads", 1),
    "release": lambda s: setattr(s.contact, "reads", 0),
    "owner gone": lambda s: s.robot.body.owner_gone(s.robot),
}
LATCHING = ("stop", "pull left", "pull base", "overload", "axis error", "press", "owner gone")


def told(events: tuple[str, ...]) -> Story:
    story = Story()
    for event in events:
        story.happen(event)
    return story


def outcomes(way: tuple[str, ...]) -> dict[str, tuple[object, ...]]:
    """Where each event leads after this way; every one is tried in a process of its own, from the same state."""
    story = told(way)
    found = {}
    for event in EVENTS:
        out, into = os.pipe()
        child = os.fork()
        if not child:
            os.write(into, pickle.dumps(_outcome(story, event)))
            os._exit(0)
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            answer = pickle.loads(pipe.read())
        os.waitpid(child, 0)
        assert not isinstance(answer, str), f"{way} and then {event}: {answer}"
        found[event] = answer
    return found


def _outcome(story: Story, event: str) -> tuple[object, ...] | str:
    try:
        story.happen(event)
    except BaseException as error:
        return repr(error)
    return story.abstract


@pytest.mark.parametrize("most", [3, pytest.param(10_000, marks=slow)])
def test_from_every_state_every_event_leaves_a_stopped_robot_at_rest(most: int) -> None:
    """Breadth first through all states that events lead to."""
    seen = {told(()).abstract}
    ahead: deque[tuple[str, ...]] = deque([()])
    looked_at = 0
    while ahead and looked_at < most:
        way = ahead.popleft()
        looked_at += 1
        for event, state in outcomes(way).items():
            if state not in seen:
                seen.add(state)
                ahead.append((*way, event))
    print(f"{looked_at} states, {looked_at * len(EVENTS)} transitions, {len(ahead)} states not looked at")
    assert len(seen) > 10


@pytest.mark.parametrize(
    "latch",
    [
        ("stop",),
        pytest.param(("overload", "overload ends"), marks=whole),
        pytest.param(("pull left", "plug left"), marks=whole),
        ("press", "release"),
        pytest.param(("axis error",), marks=whole),
    ],
)
def test_only_clear_and_then_activate_lead_back_to_motion(latch: tuple[str, ...]) -> None:
    for between in ((), ("clear_stop",), ("activate",), ("activate", "clear_stop"), ("clear_stop", "activate")):
        story = told(("activate", *latch, "resume", *between, "drive"))
        assert story.driven == (between == ("clear_stop", "activate")), between


@pytest.mark.parametrize("count", [15, pytest.param(300, marks=slow)])
def test_activation_moves_no_joint_by_more_than_a_degree_wherever_it_was_left(count: int) -> None:
    chance = random.Random(11)
    for _ in range(count):
        robot = VirtualRobot()
        for arm in robot.description.arms:
            for joint in (*arm.joints, arm.gripper):
                low, high = joint.step_range
                servo = robot.servos(arm.name)[joint.servo]
                servo.position = chance.uniform(low - 8, high + 8)
                stale = chance.uniform(low, high)
                servo.write(sts.GOAL_POSITION.address, sts.encode_value(sts.GOAL_POSITION, stale)[0])
        before = {a: [s.position for s in robot.servos(a).values()] for a in ("left", "right")}
        robot.activated().advance(0.3)
        for arm_name, positions in before.items():
            after = [servo.position for servo in robot.servos(arm_name).values()]
            assert max(abs(a - b) for a, b in zip(after, positions, strict=True)) <= 4096 / 360


class LiesOnce(SimulatedServo):
    """Its first answer to where it is was damaged under way, and the checksum fits."""

    lies_left = 1

    def read(self, address: int, size: int) -> bytes:
        truth = super().read(address, size)
        if (address, size) == (sts.PRESENT_POSITION.address, 2) and self.lies_left:
            self.lies_left -= 1
            return bytes([truth[0], truth[1] ^ 2])
        return truth


def test_one_false_position_moves_nothing_when_the_arm_gets_its_power() -> None:
    robot = VirtualRobot()
    servos = robot.wires["left"].device.servos
    servos[2] = liar = LiesOnce(2, servos[2].position)
    robot.advance(0.6)
    liar.lies_left = 1
    stands = liar.position
    robot.activated().advance(0.3)
    assert liar.lies_left == 0
    assert abs(liar.position - stands) <= 4096 / 360


def test_a_goal_that_was_damaged_on_its_way_is_repaired_while_questions_are_asked() -> None:
    """An activation takes seconds on a bad wire; an arm that holds meanwhile would run after the false goal."""
    robot = VirtualRobot().activated()
    robot.body.stop("test")
    robot.advance(0.1)
    robot.ask("clear_stop", by="Ada")
    robot.wires["left"].mute = True
    robot.request({"op": "activate"}, robot, lambda answer: None)
    robot.advance(0.05)
    servo = robot.servos("left")[2]
    stands = servo.position
    servo.write(sts.GOAL_POSITION.address, sts.encode_value(sts.GOAL_POSITION, stands - 800)[0])
    robot.advance(0.3)
    assert abs(servo.position - stands) <= 4096 / 360


def test_an_arm_that_somebody_moved_while_stopped_stays_where_it_is_when_questions_take_time() -> None:
    """What is repeated to all joints meanwhile must not be where they were sent before."""
    robot = VirtualRobot().activated()
    robot.body.stop("test")
    robot.advance(0.1)
    servos = robot.servos("left")
    stands = {}
    for servo in servos.values():
        servo.write(sts.TORQUE_ENABLE.address, b"\0")
    for joint in robot.description.arms[0].joints:
        low, high = joint.step_range
        servo = servos[joint.servo]
        stands[joint.servo] = servo.position = min(max(servo.position + 300, low), high)
    robot.ask("clear_stop", by="Ada")
    robot.wires["left"].slow = True
    assert robot.ask("activate") == {"ok": True}
    robot.advance(0.2)
    assert all(abs(servos[number].position - steps) <= 4096 / 360 for number, steps in stands.items())


def test_a_range_that_a_damaged_packet_has_changed_is_written_anew_before_the_arm_gets_its_power() -> None:
    robot = VirtualRobot().activated()
    servo = robot.servos("left")[2]
    low, high = next(joint.step_range for joint in robot.description.arms[0].joints if joint.servo == 2)
    stands = servo.position
    servo.write(sts.MIN_POSITION.address, sts.encode_value(sts.MIN_POSITION, 0)[0])
    servo.write(sts.MAX_POSITION.address, sts.encode_value(sts.MAX_POSITION, 7)[0])
    robot.advance(1.0)
    assert servo.position < stands - 100
    robot.body.stop("test")
    robot.advance(0.1)
    servo.write(sts.TORQUE_ENABLE.address, b"\0")
    servo.position = stands
    robot.advance(0.1)
    robot.ask("clear_stop", by="Ada")
    assert robot.ask("activate") == {"ok": True}
    robot.advance(1.0)
    assert abs(servo.position - stands) <= 4096 / 360
    assert robot.ask("state")["stopped"] is None
    kept = [servo._value(register) for register in (sts.MIN_POSITION, sts.MAX_POSITION)]
    assert kept == [low, high]


def test_no_servo_has_torque_before_its_goal_is_where_it_stands() -> None:
    """On a real bus some milliseconds pass between the two, in which an old goal would be run after."""
    robot = VirtualRobot().activated()
    for arm in robot.description.arms:
        for joint in (*arm.joints, arm.gripper):
            orders = [
                (packet.parameters[0], packet.parameters[1:])
                for packet in robot.wires[arm.name].sent
                if packet.id == joint.servo and packet.code == sts.Instruction.WRITE
            ]
            torque = orders.index((sts.TORQUE_ENABLE.address, b"\1"))
            address, goal = orders[torque - 1]
            assert address == sts.GOAL_POSITION.address
            stands = robot.servos(arm.name)[joint.servo].position
            assert abs(sts.decode_value(sts.GOAL_POSITION, goal) - stands) <= 1
