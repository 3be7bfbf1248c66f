"""What `heed bench hw` does to the body, once each: a stop, a loss, a pull, a cup that is carried, all in a Lab."""

import contextlib
import functools
import logging
import random
import signal
import socket
import sys
import time
from collections.abc import Callable

from bench.body.body_lab import PATIENCE, Lab, child, core_share, end, stop_frames
from daemon.config import ConsoleConfig
from daemon.console.executor import Executor
from hw.client import send_stop
from hw.protocol import sts
from hw.state import HardwareError, Lifecycle
from sim.axis import SimulatedAxis
from sim.devices import Received
from sim.perception import SimCamera
from skills.skill import SkillContext, load_skills, stubs

log = logging.getLogger(__name__)

DEVICES = ("left", "right", "base")
SKILLS = load_skills()
CARRY = "move_to('counter'); grasp('cup'); move_to('bowl'); place('cup', 'bowl')"
BUSY_CLIENT = """
import pathlib, sys, threading
from bench.body.busy_daemon import generate_text
from hw.client import Robot
for _ in range(2):
    threading.Thread(target=generate_text, daemon=True).start()
robot = Robot(pathlib.Path(sys.argv[1]))
base = robot.state().base
robot.drive_to(base.x + 500, base.y, 0.0).wait()
"""
"""Moves the base and generates text meanwhile; its argument is the runtime directory."""


def pick_and_place(lab: Lab, seed: int) -> bool:
    """Return whether the cup lies in the bowl after one line on the console, as the physics have it."""
    chance = random.Random(seed)
    camera = SimCamera(lab.runtime)
    context = SkillContext(lab.body, camera.observe)
    functions = {skill.name: skill.bind(context) for skill in SKILLS.values()}
    console = Executor(functions, stubs(SKILLS.values()), ConsoleConfig().statement_seconds)
    try:
        lab.activate()
        lab.body.grip("left", 0.08).wait(PATIENCE)
        lab.body.drive_to(chance.uniform(-0.3, 0.3), chance.uniform(-0.3, 0.3), chance.uniform(-3, 3)).wait(PATIENCE)
        ahead, aside = chance.uniform(0.42, 0.58), chance.uniform(-0.3, 0.12)
        camera.request("put", object="cup", position=[0.7 - aside, 1.1 + ahead, 0.9])
        outcome = console.run(CARRY)
        if not outcome.ok:
            print(f"seed {seed}: {outcome.result}", file=sys.stderr)
    except (HardwareError, TimeoutError) as error:
        print(f"seed {seed}: {error}", file=sys.stderr)
    finally:
        console.close()
    time.sleep(0.5)
    bowl, cup = lab.devices.scene().location("bowl"), lab.devices.scene().thing("cup")
    camera.close()
    lies_low = cup.position[2] < bowl.stands()[0][2] + 0.03
    return cup.location == "bowl" and cup.held_by is None and lies_low


def is_question(frame: Received, device: str) -> bool:
    """The packet that begins a cycle's feedback."""
    packet = frame.content
    return frame.device == device and isinstance(packet, sts.Packet) and packet.code == sts.Instruction.SYNC_READ


def counters(lab: Lab) -> tuple[int, int]:
    """Cycles of both arms so far, and how many were complete."""
    buses = lab.ask("state")["buses"].values()
    return sum(bus["cycles"] for bus in buses), sum(bus["complete"] for bus in buses)


def keep_moving(lab: Lab, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.5))
        _move_if_idle(lab)


def _move_if_idle(lab: Lab) -> None:
    """New goals for whatever has reached its last one."""
    base = lab.body.state().base
    wishes: list[Callable[[], object]] = [
        lambda: lab.body.drive_to(lab.random.uniform(-1, 1), lab.random.uniform(-1, 1), base.theta)
    ]
    for name, arm in lab.arms.items():
        wishes.append(functools.partial(lab.body.move_joints, name, lab.pose(arm.kinematics.home)))
        wishes.append(functools.partial(lab.body.grip, name, lab.random.uniform(0.0, 0.09)))
    for wish in wishes:
        with contextlib.suppress(HardwareError):  # busy with the last goal
            wish()


def stop(lab: Lab) -> tuple[float, float]:
    """Milliseconds from a stop datagram to the last device's stop command, and to standstill."""
    lab.activate()
    lab.move()
    time.sleep(lab.random.uniform(0.0, 0.1))
    lab.frames()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sent = time.monotonic()
        sender.sendto(b"the bench says stop", str(lab.runtime / "stop.sock"))
    stood = lab.wait_until(lab.stands, "the robot stands")
    return _told_after(lab, sent), (stood - sent) * 1000


def _told_after(lab: Lab, since: float) -> float:
    """Milliseconds until the last device had the command to stand."""
    time.sleep(0.1)
    told = stop_frames(lab.frames(), since)
    if len(told) < 4:
        raise RuntimeError(f"only {sorted(told)} were told to stand")
    return (max(told.values()) - since) * 1000


def lose_client(lab: Lab, number: signal.Signals) -> float:
    """Milliseconds from the signal to a client whose goals move everything, until all devices are told to stand."""
    lab.activate()
    code = (
        "import sys, pathlib, hw.client\n"
        "robot = hw.client.Robot(pathlib.Path(sys.argv[1]))\n"
        "base = robot.state().base\n"
        "robot.move_joints('left', [1.5, 1.0, -1.5, 0.5, 0.5, 0.5], speed=0.2)\n"
        "robot.move_joints('right', [-1.5, 1.0, -1.5, 0.5, 0.5, 0.5], speed=0.2)\n"
        "robot.drive_to(base.x + 20, base.y, 0.0).wait()\n"
    )
    client = child("-c", code, str(lab.runtime))
    lab.wait_until(lab.moves, "the client moves the robot")
    time.sleep(lab.random.uniform(0.2, 0.5))
    lab.frames()
    lost = time.monotonic()
    client.send_signal(number)
    lab.wait_until(lab.stands, "the robot stands")
    milliseconds = _told_after(lab, lost)
    end(client)
    return milliseconds


def let_expire(lab: Lab) -> float:
    """Milliseconds from the last of some commands to drive, which live for 200 each, until the wheels are told zero."""
    lab.activate()
    for _ in range(5):
        time.sleep(0.1)
        sent = time.monotonic()
        lab.body.drive(0.4, 0.0)
    lab.frames()
    time.sleep(0.5)
    told = stop_frames(lab.frames(), sent)
    return (max(told["wheel 0"], told["wheel 1"]) - sent) * 1000


def lose_hardware(lab: Lab) -> tuple[float, float]:
    """Milliseconds from killing heed-hw until the axes have disarmed themselves, and until everything stands."""
    lab.activate()
    lab.move()
    assert lab.hardware
    killed = time.monotonic()
    end(lab.hardware)
    axes = [motor for motor in lab.devices.base.motors.values() if isinstance(motor, SimulatedAxis)]
    disarmed = lab.wait_until(lambda: all(axis.error for axis in axes), "the axes' watchdogs trip")
    stood = lab.wait_until(lab.stands, "the base has rolled out")
    return (disarmed - killed) * 1000, (stood - killed) * 1000


def pull(lab: Lab) -> tuple[float, float, float]:
    """Milliseconds until it was noticed and the rest stopped, until all is inactive again; core share meanwhile."""
    device = lab.random.choice(DEVICES)
    before = _bring_into_any_state(lab)
    lab.frames()
    pulled = time.monotonic()
    lab.devices.unplug(device)
    noticed = lab.wait_until(lambda: lab.lifecycle()[device] is Lifecycle.UNCONFIGURED, "the pull is noticed")
    if before == "moving":
        lab.wait_until(lab.stands, "the rest stands")
        told = stop_frames(lab.frames(), pulled)
        noticed = max(noticed, *(at for motors, at in told.items() if not motors.startswith(device)))
    share = core_share(lab.pid, 0.3)
    plugged = time.monotonic()
    lab.devices.plug(device)
    back = lab.wait_until(lambda: set(lab.lifecycle().values()) == {Lifecycle.INACTIVE}, "all is inactive again")
    if before != "inactive" and lab.body.state().stopped is None:
        raise RuntimeError(f"pulling {device} while {before} stopped nothing")
    return (noticed - pulled) * 1000, (back - plugged) * 1000, share


def _bring_into_any_state(lab: Lab) -> str:
    state = lab.random.choice(["inactive", "active", "moving", "stopped"])
    if state in ("active", "moving"):
        lab.activate()
    if state == "moving":
        lab.move()
    if state == "stopped":
        send_stop(lab.runtime, "before a cable is pulled")
    if state == "inactive":
        lab.body.clear_stop("the bench")
    return state


def go_on(lab: Lab) -> int:
    """Clear and activate when something has stopped the robot (1), else move (0).

    A joint that damaged packets have carried out of its range is brought back by hand, as heed-hw then asks for.
    """
    reason = lab.body.state().stopped
    if reason is None:
        _move_if_idle(lab)
        return 0
    log.warning("stopped: %s", reason)
    if "OUT_OF_RANGE" in reason:
        lab.devices.call(functools.partial(go_limp, lab))
    with contextlib.suppress(HardwareError):
        lab.body.clear_stop("the bench")
        lab.body.activate()
    return 1


def go_limp(lab: Lab) -> None:
    """Take the arms by the hand: no torque, another pose. In the devices' thread."""
    for name, arm in lab.devices.arms.items():
        pose = lab.pose(lab.arms[name].kinematics.home)
        for servo, joint, angle in zip(arm.joints, lab.arms[name].joints, pose, strict=True):
            servo.write(sts.TORQUE_ENABLE.address, b"\0")
            servo.position = joint.to_steps(joint.limits.clamp(angle))
