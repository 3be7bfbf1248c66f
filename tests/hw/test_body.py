"""The body on simulated devices: what moves, what refuses to, and what goes out on the wire."""

import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.body import PERIOD, REST_PERIOD
from hw.protocol.sts import TORQUE_ENABLE, ErrorBits
from sim.servo import SimulatedServo
from tests.hw.virtual import TICK, VirtualRobot, lifecycles

ALL_INACTIVE = {"left": "inactive", "right": "inactive", "base": "inactive"}
STRETCHED = [0.3, 0.4, 0.5, 0.2, 0.1, -0.2]


@pytest.fixture
def robot() -> VirtualRobot:
    return VirtualRobot().activated()


def stop(robot: VirtualRobot, reason: str = "test") -> dict:
    answers: list[dict] = []
    robot.body.stop(reason, answers.append)
    while not answers:
        robot.advance(TICK)
    return answers[0]


def place(robot: VirtualRobot) -> tuple[dict, dict]:
    """Where everything is, as measured."""
    state = robot.ask("state")
    return state["arms"], state["base"]


def has_torque(servo: SimulatedServo) -> bool:
    return servo.read(TORQUE_ENABLE.address, 1) == b"\1"


def test_devices_are_found_and_stay_inactive_until_somebody_activates() -> None:
    robot = VirtualRobot()
    robot.advance(1.0)
    assert lifecycles(robot) == ALL_INACTIVE
    assert not robot.goals_sent("left")
    assert robot.ask("grip", arm="left", opening=0.05)["hint"] == "activate() first"


@given(st.lists(st.floats(-1.5, 1.5), min_size=6, max_size=6))
@settings(max_examples=20, deadline=None)
def test_activation_moves_no_joint(angles: list[float]) -> None:
    robot = VirtualRobot()
    joints = robot.description.arms[0].joints
    for joint, angle in zip(joints, angles, strict=True):
        robot.servos("left")[joint.servo].position = joint.to_steps(angle)
    before = {number: servo.position for number, servo in robot.servos("left").items()}
    robot.activated().advance(0.5)
    for number, servo in robot.servos("left").items():
        assert has_torque(servo)
        assert abs(servo.position - before[number]) <= 4096 / 360


def test_a_joint_outside_its_range_is_not_powered() -> None:
    robot = VirtualRobot()
    joint = robot.description.arms[0].joints[5]
    robot.servos("left")[joint.servo].position = joint.to_steps(joint.limits.upper + 0.3)
    answer = robot.ask("activate")
    assert not answer["ok"]
    assert "OUT_OF_RANGE" in robot.ask("state")["stopped"]
    assert not has_torque(robot.servos("left")[joint.servo])


def test_a_move_brings_all_joints_where_they_should_be(robot: VirtualRobot) -> None:
    assert robot.finish(robot.goal("move_joints", arm="left", joints=STRETCHED))["state"] == "succeeded"
    assert robot.ask("state")["arms"]["left"]["joints"] == pytest.approx(STRETCHED, abs=0.03)


def test_a_drive_ends_at_its_goal_by_the_wheels_themselves(robot: VirtualRobot) -> None:
    assert robot.finish(robot.goal("drive_to", x=1.0, y=-0.6, theta=2.0))["state"] == "succeeded"
    pose = robot.ask("state")["base"]
    assert math.dist((pose["x"], pose["y"]), (1.0, -0.6)) < 0.02
    assert pose["theta"] == pytest.approx(2.0, abs=0.03)


@pytest.mark.whole
@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(-7, 7), st.floats(0.05, 1))
@settings(max_examples=6, deadline=None)
def test_a_drive_ends_at_any_goal(x: float, y: float, theta: float, speed: float) -> None:
    robot = VirtualRobot().activated()
    result = robot.finish(robot.goal("drive_to", x=x, y=y, theta=theta, speed=speed), seconds=200)
    assert result["state"] == "succeeded"
    assert math.dist((robot.drive.pose.x, robot.drive.pose.y), (x, y)) < 0.03


def test_what_the_limits_changed_is_told(robot: VirtualRobot) -> None:
    answer = robot.ask("move_joints", arm="left", joints=[0, 1.7, -2.7, 9, 0, 0], speed=7)
    assert answer["clamped"] == ("wrist_pitch clamped from 9.000 to 2.000", "speed clamped from 7 to 1")
    assert robot.finish(answer["goal"])["clamped"] == answer["clamped"]


@pytest.mark.parametrize("number", [math.nan, math.inf, "1", None, True])
def test_what_is_no_finite_number_is_refused(robot: VirtualRobot, number: object) -> None:
    for request in (
        {"op": "move_joints", "arm": "left", "joints": [0, 0, number, 0, 0, 0]},
        {"op": "move_joints", "arm": "left", "joints": STRETCHED, "speed": number},
        {"op": "grip", "arm": "left", "opening": number},
        {"op": "drive_to", "x": 0, "y": number, "theta": 0},
    ):
        assert robot.ask(**request)["kind"] == "limit"


@pytest.mark.parametrize(
    "request_",
    [{"op": "fly"}, {}, {"op": "grip"}, {"op": "move_joints", "arm": "left", "joints": 3}, {"op": ["grip"]}],
)
def test_a_malformed_request_is_answered(robot: VirtualRobot, request_: dict) -> None:
    answers: list[dict] = []
    robot.request(request_, robot, answers.append)
    assert answers[0]["kind"] == "request"


def test_a_way_out_of_the_workspace_is_refused(robot: VirtualRobot) -> None:
    answer = robot.ask("move_joints", arm="left", joints=[2.4, 0, 0, 0, 0, 0])
    assert answer["kind"] == "limit"
    assert "leave its workspace" in answer["message"]


def test_one_part_has_one_goal_at_a_time_and_other_parts_are_free(robot: VirtualRobot) -> None:
    robot.goal("move_joints", arm="left", joints=STRETCHED)
    assert "busy" in robot.ask("move_joints", arm="left", joints=STRETCHED)["message"]
    for free in (("move_joints", {"arm": "right", "joints": STRETCHED}), ("grip", {"arm": "left", "opening": 0})):
        assert robot.ask(free[0], **free[1])["ok"]


def test_a_stop_sends_zero_velocity_and_holds_the_arms(robot: VirtualRobot) -> None:
    drive = robot.goal("drive_to", x=2, y=0, theta=0)
    move = robot.goal("move_joints", arm="left", joints=STRETCHED)
    robot.advance(0.6)
    assert robot.axes[0].velocity > 0.1
    answer = stop(robot)
    assert answer["frame_sent_at"] is not None
    assert answer["standstill"] == "true"
    assert answer["accepted_at"] <= answer["frame_sent_at"]
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]
    assert {robot.news[goal]["state"] for goal in (drive, move)} == {"aborted"}
    held = [servo.position for servo in robot.servos("left").values()]
    robot.advance(1.0)
    assert [servo.position for servo in robot.servos("left").values()] == held
    assert all(has_torque(servo) for servo in robot.servos("left").values())


def test_the_zero_velocity_of_a_stop_is_on_the_bus_before_the_next_tick(robot: VirtualRobot) -> None:
    robot.goal("drive_to", x=2, y=0, theta=0)
    robot.advance(1.0)
    robot.body.stop("test")
    assert robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]


def test_the_goals_that_hold_an_arm_are_on_the_bus_before_the_next_tick(robot: VirtualRobot) -> None:
    robot.goal("move_joints", arm="left", joints=STRETCHED)
    robot.advance(0.3)
    before = len(robot.goals_sent("left"))
    robot.body.stop("test")
    [held] = robot.goals_sent("left")[before:]
    robot.advance(0.5)
    assert all(goals == held for goals in robot.goals_sent("left")[before:])


def test_a_stop_stays_until_a_person_clears_it_and_somebody_activates(robot: VirtualRobot) -> None:
    stop(robot, "the word stop")
    for op, parameters in (("activate", {}), ("resume", {}), ("drive_to", {"x": 1, "y": 0, "theta": 0})):
        answer = robot.ask(op, **parameters)
        assert (answer["kind"], "the word stop" in answer["message"]) == ("stopped", True)
    assert not robot.ask("clear_stop", by=" ")["ok"]
    assert robot.ask("clear_stop", by="Ada")["ok"]
    assert robot.ask("drive_to", x=1, y=0, theta=0)["kind"] == "refused"
    robot.activated()
    assert robot.finish(robot.goal("drive_to", x=0.3, y=0, theta=0))["state"] == "succeeded"


def test_standstill_is_uncertain_when_nobody_answers(robot: VirtualRobot) -> None:
    robot.wires["left"].mute = True
    assert stop(robot)["standstill"] == "uncertain"


def test_standstill_is_false_while_a_wheel_still_turns(robot: VirtualRobot) -> None:
    robot.goal("drive_to", x=2, y=0, theta=0)
    robot.advance(1.0)
    robot.axes[0].fail(1)
    robot.wires["base"].device.axes.clear()
    robot.wires["base"].device.axes[0] = robot.axes[0]
    assert stop(robot)["standstill"] != "true"


def test_cancel_decelerates_and_leaves_the_robot_ready(robot: VirtualRobot) -> None:
    goal = robot.goal("drive_to", x=2, y=0, theta=0)
    robot.advance(1.0)
    robot.ask("cancel", goal=goal)
    assert robot.finish(goal)["state"] == "canceled"
    assert robot.finish(robot.goal("drive_to", x=0, y=0, theta=0))["state"] == "succeeded"


def test_pause_holds_and_resume_goes_on(robot: VirtualRobot) -> None:
    goals = [
        robot.goal("drive_to", x=1, y=0, theta=0),
        robot.goal("move_joints", arm="right", joints=STRETCHED),
    ]
    robot.advance(0.3)
    robot.ask("pause")
    robot.advance(1.0)
    held = place(robot)
    robot.advance(1.0)
    assert place(robot) == held
    assert robot.ask("grip", arm="left", opening=0)["hint"] == "resume() first"
    robot.ask("resume")
    assert [robot.finish(goal)["state"] for goal in goals] == ["succeeded", "succeeded"]


def test_an_arm_that_was_moved_while_it_paused_does_not_resume(robot: VirtualRobot) -> None:
    goal = robot.goal("move_joints", arm="left", joints=STRETCHED)
    robot.advance(0.3)
    robot.ask("pause")
    robot.advance(0.5)
    servo = robot.servos("left")[1]
    servo.position += 200
    servo.obstacle = (servo.position, 4095)
    robot.advance(0.1)
    robot.ask("resume")
    robot.advance(TICK)
    assert (robot.news[goal]["state"], "moved" in robot.news[goal]["result"]["detail"]) == ("aborted", True)


def test_a_blocked_joint_ends_its_move_with_its_name(robot: VirtualRobot) -> None:
    servo = robot.servos("left")[1]
    servo.obstacle = (servo.position - 10, servo.position + 10)
    result = robot.finish(robot.goal("move_joints", arm="left", joints=[1.0, 1.7, -2.7, 1.0, 0, 0]))
    assert (result["state"], "shoulder_yaw is blocked" in result["detail"]) == ("aborted", True)


def test_a_joint_that_is_held_up_now_and_then_arrives(robot: VirtualRobot) -> None:
    servo = robot.servos("left")[1]
    goal = robot.goal("move_joints", arm="left", joints=[1.0, 1.7, -2.7, 1.0, 0, 0], speed=0.3)
    for _ in range(3):
        robot.advance(0.4)
        robot.ask("state")  # its client lives
        servo.obstacle = (servo.position, servo.position)
        robot.advance(0.8)
        servo.obstacle = (0, 4095)
    assert robot.finish(goal)["state"] == "succeeded"


def test_a_joint_that_stays_short_of_its_goal_ends_its_move(robot: VirtualRobot) -> None:
    servo = robot.servos("left")[1]
    here = robot.ask("state")["arms"]["left"]["joints"]
    servo.obstacle = (servo.position - 130, servo.position + 130)
    result = robot.finish(robot.goal("move_joints", arm="left", joints=[here[0] + 0.25, *here[1:]]))
    assert (result["state"], "shoulder_yaw is blocked" in result["detail"]) == ("aborted", True)


def test_a_blocked_joint_is_a_fault_that_a_person_must_clear(robot: VirtualRobot) -> None:
    servo = robot.servos("left")[1]
    servo.obstacle = (servo.position - 10, servo.position + 10)
    robot.finish(robot.goal("move_joints", arm="left", joints=[1.0, 1.7, -2.7, 1.0, 0, 0]))
    [fault] = robot.ask("state")["faults"]
    assert (fault["component"], fault["code"] in ("STALL", "FOLLOWING_ERROR")) == ("left", True)
    assert robot.ask("grip", arm="left", opening=0.0)["kind"] == "stopped"
    assert lifecycles(robot)["left"] == "fault"


def test_wheels_that_do_not_turn_are_a_fault(robot: VirtualRobot) -> None:
    for axis in robot.axes:
        axis.stalled = True
    goal = robot.goal("drive_to", x=2, y=0, theta=0)
    assert "wheels do not turn" in robot.finish(goal)["detail"]
    assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["STALL"]


def test_a_fault_is_cleared_by_a_person_and_the_stop_by_itself(robot: VirtualRobot) -> None:
    robot.servos("right")[3].errors = ErrorBits.OVERLOAD
    robot.advance(0.05)
    robot.servos("right")[3].errors = ErrorBits(0)
    robot.advance(0.05)
    assert robot.ask("clear_fault", component="right", by="")["kind"] == "request"
    assert robot.ask("clear_fault", component="right", by="Ada")["ok"]
    state = robot.ask("state")
    assert (state["faults"], state["lifecycle"]["right"]) == ([], "inactive")
    assert robot.ask("activate")["kind"] == "stopped"
    robot.ask("clear_stop", by="Ada")
    robot.activated()


def test_a_fault_whose_cause_remains_comes_back(robot: VirtualRobot) -> None:
    robot.servos("right")[3].errors = ErrorBits.OVERLOAD
    robot.advance(0.05)
    robot.ask("clear_stop", by="Ada")
    robot.advance(0.05)
    assert "OVERLOAD" in robot.ask("state")["stopped"]


def test_what_was_clamped_or_refused_is_counted_as_a_warning(robot: VirtualRobot) -> None:
    for opening in (9, 8, math.nan):
        robot.ask("grip", arm="left", opening=opening)
        robot.ask("cancel_all")
        robot.advance(1.0)
    found = {fault["code"]: (fault["severity"], fault["count"]) for fault in robot.ask("state")["faults"]}
    assert found == {"LIMIT_CLAMPED": ("warning", 2), "LIMIT_REJECTED": ("warning", 1)}
    assert robot.ask("state")["stopped"] is None


def test_a_late_tick_is_a_warning(robot: VirtualRobot) -> None:
    robot.now += 0.2
    robot.body.tick(robot.now)
    assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["LOOP_OVERRUN"]


def test_fingers_that_meet_something_hold_it(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("grip", arm="left", opening=0.09))
    fingers = robot.servos("left")[7]
    fingers.obstacle = (robot.description.arms[0].gripper.to_steps(0.04), 4095)
    result = robot.finish(robot.goal("grip", arm="left", opening=0.0))
    assert result == {
        "state": "succeeded",
        "detail": "the fingers hold something 4.0 cm wide",
        "hint": "",
        "clamped": (),
    }


def test_when_its_owner_leaves_a_moving_robot_stops(robot: VirtualRobot) -> None:
    robot.goal("drive_to", x=2, y=0, theta=0)
    robot.advance(0.5)
    robot.body.owner_gone(robot)
    assert "gone" in robot.ask("state")["stopped"]


def test_when_its_owner_falls_silent_a_moving_robot_stops(robot: VirtualRobot) -> None:
    robot.goal("drive_to", x=9, y=0, theta=0)
    robot.advance(robot.description.client_timeout + 0.1)
    assert "silent" in robot.ask("state")["stopped"]


def test_an_owner_whose_goals_have_ended_may_leave(robot: VirtualRobot) -> None:
    robot.finish(robot.goal("grip", arm="left", opening=0.05))
    robot.body.owner_gone(robot)
    robot.advance(5.0)
    assert robot.ask("state")["stopped"] is None


@pytest.mark.parametrize("cable", ["left", "right", "base"])
def test_a_pulled_cable_stops_everything_else_and_ends_inactive_when_it_is_back(
    robot: VirtualRobot, cable: str
) -> None:
    robot.goal("drive_to", x=2, y=0, theta=0)
    robot.advance(1.0)
    robot.wires[cable].cut = True
    robot.advance(TICK)
    state = robot.ask("state")
    assert f"PORT_LOST of {cable}" in state["stopped"]
    assert state["lifecycle"][cable] == "unconfigured"
    assert cable == "base" or robot.velocities_sent()[-2:] == [(0, 0.0), (1, 0.0)]
    robot.wires[cable].cut = False
    robot.advance(1.5)
    assert lifecycles(robot) == ALL_INACTIVE
    assert robot.ask("drive_to", x=1, y=0, theta=0)["kind"] == "stopped"
    assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["PORT_LOST"]
    robot.ask("clear_stop", by="Ada")
    robot.activated()


@pytest.mark.parametrize("bits", list(ErrorBits))
def test_what_a_servo_complains_about_stops_the_robot_and_has_a_hint(robot: VirtualRobot, bits: ErrorBits) -> None:
    robot.servos("right")[3].errors = bits
    robot.advance(0.05)
    state = robot.ask("state")
    [fault] = state["faults"]
    assert (fault["component"], "elbow_pitch" in fault["detail"], bool(fault["hint"])) == ("right", True, True)
    assert state["lifecycle"] == {"left": "inactive", "right": "fault", "base": "inactive"}


def test_an_axis_that_trips_stops_the_robot(robot: VirtualRobot) -> None:
    robot.axes[1].fail(0x40)
    robot.advance(0.3)
    [fault] = robot.ask("state")["faults"]
    assert (fault["code"], "0x40" in fault["detail"]) == ("DEVICE_ERROR", True)
    robot.ask("clear_stop", by="Ada")
    robot.activated()


def test_an_axis_that_goes_idle_without_an_error_stops_the_robot(robot: VirtualRobot) -> None:
    robot.axes[0].state = type(robot.axes[0].state).IDLE
    robot.advance(0.3)
    assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["DEVICE_NOT_ARMED"]


@pytest.mark.parametrize("silent", ["left", "base"])
def test_a_device_that_falls_silent_stops_the_robot(robot: VirtualRobot, silent: str) -> None:
    robot.wires[silent].mute = True
    robot.advance(1.5)
    assert [fault["code"] for fault in robot.ask("state")["faults"]] == ["COMM_TIMEOUT"]


def test_an_armed_axis_is_never_asked_and_hears_from_us_in_every_tick(robot: VirtualRobot) -> None:
    robot.wires["base"].sent.clear()
    robot.advance(1.0)
    assert len(robot.velocities_sent()) == 200
    assert not any(frame.remote for frame in robot.wires["base"].sent)


def test_odometry_survives_the_process(tmp_path: Path) -> None:
    before = VirtualRobot(tmp_path / "odometry.json").activated()
    before.finish(before.goal("drive_to", x=1.0, y=0.5, theta=1.0))
    before.advance(1.0)
    after = VirtualRobot(tmp_path / "odometry.json")
    for old, new in zip(before.axes, after.axes, strict=True):
        new.position = old.position
    after.advance(1.0)
    assert after.drive.pose == before.drive.pose
    restarted = VirtualRobot(tmp_path / "odometry.json")
    restarted.advance(1.0)
    assert restarted.drive.pose == restarted.description.base.start  # type: ignore[union-attr]


numbers = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-4, 4)
requests = st.one_of(
    st.fixed_dictionaries(
        {
            "op": st.just("move_joints"),
            "arm": st.sampled_from(["left", "right"]),
            "joints": st.lists(numbers, min_size=6, max_size=6) | st.lists(st.floats(-1, 1), min_size=6, max_size=6),
            "speed": numbers,
        }
    ),
    st.fixed_dictionaries({"op": st.just("grip"), "arm": st.just("left"), "opening": numbers}),
    st.fixed_dictionaries({"op": st.just("drive_to"), "x": numbers, "y": numbers, "theta": numbers}),
    st.sampled_from([{"op": op} for op in ("cancel_all", "pause", "resume", "activate")]),
    st.just({"op": "clear_stop", "by": "Ada"}),
    st.just({"op": "stop"}),
)


@given(st.lists(st.tuples(requests, st.floats(0, 0.5)), max_size=12))
@settings(max_examples=25, deadline=None)
def test_no_frame_ever_exceeds_a_limit(story: list[tuple[dict, float]]) -> None:
    robot = VirtualRobot().activated()
    for request, pause in story:
        if request["op"] == "stop":
            robot.body.stop("test")
        else:
            robot.request(request, robot, lambda answer: None)
        robot.advance(pause)
        robot.ask("alive")
    for arm in robot.description.arms:
        for joint in (*arm.joints, arm.gripper):
            low, high = joint.step_range
            goals = [goals[joint.servo] for goals in robot.goals_sent(arm.name)]
            assert all(low <= goal.position <= high for goal in goals)
            fastest = joint.limits.velocity / abs(joint.scale)
            assert all(0 < goal.speed <= fastest + 1 for goal in goals)
            look_ahead = 2 * 0.1 * fastest + 2
            assert all(
                abs(after.position - before.position) <= look_ahead for before, after in itertools.pairwise(goals)
            )
    fastest = robot.description.base.wheel_velocity  # type: ignore[union-attr]
    velocities = robot.velocities_sent()
    assert all(abs(velocity) <= fastest * 1.0001 for _, velocity in velocities)


def test_a_robot_at_rest_is_looked_at_less_often_until_somebody_wants_something(robot: VirtualRobot) -> None:
    robot.advance(0.5)
    assert robot.body.period == REST_PERIOD
    goal = robot.goal("move_joints", arm="left", joints=[0.2, 1.7, -2.7, 1.0, 0.0, 0.0])
    assert robot.body.period == PERIOD
    robot.finish(goal)
    robot.advance(0.5)
    assert robot.body.period == REST_PERIOD
    stop(robot)
    robot.advance(0.5)
    assert robot.body.period == REST_PERIOD


@pytest.mark.parametrize("disturb", ["mute", "push", "roll"])
def test_a_robot_at_which_something_is_wrong_is_not_at_rest(robot: VirtualRobot, disturb: str) -> None:
    robot.advance(0.5)
    if disturb == "mute":
        robot.wires["left"].mute = True
    elif disturb == "push":
        robot.servos("left")[2].feel(robot.servos("left")[2].position, 400.0, 100.0)
    else:
        robot.axes[0].velocity = 0.5
    robot.advance(0.03)
    assert robot.body.period == PERIOD
