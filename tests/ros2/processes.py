"""heed and its bridge as processes of their own, each started and ended here, and a client of ROS 2 in this one."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist
from heed_interfaces.action import CallSkill, Request
from nav_msgs.msg import Odometry
from rclpy.action import ActionClient
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from daemon.service.control import CommandError, request
from hw.client import Robot
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
SECONDS = 60.0
SUCCEEDED, CANCELED, ABORTED = 4, 5, 6
"""States of a goal, as action_msgs numbers them."""
STILL = 0.001
"""Metres and radians in 0.05 s within which a body rests: at 2 cm/s it drives."""
OURS = ("LD_LIBRARY_PATH", "PYTHONPATH", "AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "_ROS_WHEELS_BOOTSTRAP_COMPLETE")
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Process:
    """A process that is ended by its id, and by nothing else."""

    def __init__(self, command: list[str], environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    @property
    def id(self) -> int:
        return self._process.pid

    @property
    def code(self) -> int | None:
        return self._process.poll()

    def child(self, words: str) -> int:
        """Return the id of the process that this one has started with such words in its command."""
        mine = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        return next(int(one) for one in mine if words.encode() in Path(f"/proc/{one}/cmdline").read_bytes())

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(SECONDS)

    def wait(self) -> int:
        return self._process.wait(SECONDS)

    def close(self) -> None:
        if self.code is None:
            self.signal(signal.SIGCONT)
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Heed(Process):
    """heed on the simulated robot, without ear and mouth."""

    def __init__(self, folder: Path, eyes: str = "truth", robot: str = "sim") -> None:
        self.runtime = folder / "run"
        config = folder / "config.toml"
        config.write_text(
            f'[service]\nruntime_directory = "{self.runtime}"\nmodels_directory = "{ROOT / "models"}"\n'
            f'[llm]\nbrain = "imitation"\n[body]\neyes = "{eyes}"\nrobot = "{robot}"\n'
        )
        environment = {name: value for name, value in os.environ.items() if name not in OURS}
        python = os.environ["HEED_PYTHON"]
        super().__init__(
            [python, "-m", "daemon", "--config", str(config), "run", "--service"],
            environment | {"PYTHONPATH": str(ROOT)},
            folder / "heed.log",
        )

    def wait_ready(self) -> None:
        until(self._answers)

    def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        return request(self.runtime, command, **fields)

    @property
    def doing(self) -> str:
        return str(self.ask("status")["doing"])

    def wait_idle(self) -> None:
        until(lambda: self.doing == "waiting" and not self.ask("status")["waiting_utterances"])

    def reset(self) -> None:
        """Let it be ready to move, and do nothing."""
        self.ask("cancel")
        self.ask("resume", by="the test")
        self.wait_idle()

    def _answers(self) -> bool:
        assert self.code is None, self.log.read_text()
        try:
            return bool(self.ask("status"))
        except CommandError:
            return False


class Bridge(Process):
    """The bridge, with the interfaces that were compiled, or without."""

    def __init__(self, folder: Path, *arguments: str, interfaces: bool = True) -> None:
        environment = dict(os.environ)
        if not interfaces:
            paths = environment["PYTHONPATH"].split(":")
            environment["PYTHONPATH"] = ":".join(path for path in paths if "interfaces" not in path)
        command = [sys.executable, "-m", "bridge.ros2", "--runtime", str(folder / "run"), *arguments]
        super().__init__(command, environment, folder / "bridge.log")


class Goal:
    """One goal of the action, sent."""

    def __init__(self, handle: Any, feedback: list[Any]) -> None:
        self._handle, self.feedback = handle, feedback
        self._result = handle.get_result_async()

    def cancel(self) -> None:
        self._handle.cancel_goal_async()

    @property
    def done(self) -> bool:
        return bool(self._result.done())

    def wait(self) -> tuple[int, Any]:
        """Return the number of its state, and its result."""
        until(self._result.done)
        answer = self._result.result()
        return answer.status, answer.result


class Client:
    """A program of somebody's who has ROS, and what it hears of one bridge."""

    def __init__(self, name: str = "heed", node: Any = None) -> None:
        self._own = node is None
        if node is None:
            rclpy.init()
            node = rclpy.create_node("tester")
        self.node, self.name = node, name
        self.got: dict[str, list[Any]] = defaultdict(list)
        topics: list[tuple[str, Any, Any]] = [
            (f"/{name}/joint_states", JointState, 10),
            (f"/{name}/odom", Odometry, 10),
            (f"/{name}/heard", String, 10),
            (f"/{name}/said", String, 10),
            (f"/{name}/result", String, 10),
            (f"/{name}/stopped", Bool, LATCHED),
            ("/diagnostics", DiagnosticArray, 10),
            ("/tf", TFMessage, 100),
        ]
        for topic, kind, quality in topics:
            self.node.create_subscription(kind, topic, self.got[topic].append, quality)
        self._action = ActionClient(self.node, Request, f"/{name}/request")
        self._skill = ActionClient(self.node, CallSkill, f"/{name}/skill")
        self._stop = self.node.create_client(Trigger, f"/{name}/stop")
        self._publishers: dict[str, Any] = {}
        if self._own:
            self._executor = SingleThreadedExecutor()
            self._executor.add_node(self.node)
            self._thread = threading.Thread(target=self._executor.spin, daemon=True)
            self._thread.start()

    def other(self, name: str) -> "Client":
        """Return what is heard of another bridge, by the same node."""
        return Client(name, self.node)

    def listen(self, topic: str, take: Callable[[Any], None]) -> None:
        """Subscribe to a latched topic once more."""
        self.node.create_subscription(Bool, topic, take, LATCHED)

    def stops(self) -> bool:
        """Return whether the service is there."""
        return bool(self._stop.service_is_ready())

    def wait_bridge(self) -> None:
        servers = (self._action.server_is_ready, self._skill.server_is_ready, self._stop.service_is_ready)
        until(lambda: all(ready() for ready in servers))
        self.last(f"/{self.name}/stopped")
        time.sleep(0.5)  # that the bridge has found this client, too, ROS tells nobody: an earlier answer may be lost

    def wait_gone(self) -> None:
        until(lambda: not self._stop.service_is_ready())

    def fresh(self, topic: str) -> Any:
        """Return the next message of a topic."""
        known = len(self.got[topic])
        until(lambda: len(self.got[topic]) > known)
        return self.got[topic][-1]

    def last(self, topic: str) -> Any:
        until(lambda: self.got[topic])
        return self.got[topic][-1]

    def ask(self, words: str, user: str = "") -> Goal | None:
        """Send a request in words; None where it is rejected."""
        return self._send(self._action, Request.Goal(words=words, user=user))

    def call(self, skill: str, **arguments: Any) -> Goal | None:
        """Call a skill; None where it is rejected."""
        return self._send(self._skill, CallSkill.Goal(skill=skill, arguments=json.dumps(arguments)))

    def _send(self, action: Any, goal: Any) -> Goal | None:
        """By the thread that spins: from another one, rclpy 7.1 may hear the answer before it knows of its question."""
        feedback: list[Any] = []
        asked = self.node.executor.create_task(
            lambda: action.send_goal_async(goal, lambda told: feedback.append(told.feedback))
        )
        until(asked.done)
        sent = asked.result()
        until(sent.done)
        handle = sent.result()
        return Goal(handle, feedback) if handle.accepted else None

    def stop(self) -> Any:
        """Call the service, and return its answer."""
        called = self._stop.call_async(Trigger.Request())
        ends = time.monotonic() + SECONDS
        while not called.done():
            assert time.monotonic() < ends, "the stop was not answered"
            time.sleep(0.0002)
        return called.result()

    def publish(self, topic: str, message: Any) -> None:
        if topic not in self._publishers:
            self._publishers[topic] = self.node.create_publisher(type(message), topic, 10)
            until(lambda: self._publishers[topic].get_subscription_count())
        self._publishers[topic].publish(message)

    def drive(self, forward: float) -> None:
        twist = Twist()
        twist.linear.x = forward
        self.publish(f"/{self.name}/cmd_vel", twist)

    def close(self) -> None:
        self._executor.shutdown()
        self._thread.join(5)
        self.node.destroy_node()
        rclpy.try_shutdown()


def set_off(heed: Heed, client: Client, words: str, by: str = "words") -> Goal:
    """Ask for something, or call the skill that drives there, and wait until the robot moves for it."""
    goal = client.ask(words) if by == "words" else client.call("move_to", location=words.split()[-1])
    assert goal is not None
    until(moves(heed.runtime))
    return goal


def elsewhere(client: Client) -> str:
    """Return words that make the robot drive from where it is."""
    x = client.last("/heed/odom").pose.pose.position.x
    return "go to the fridge" if x < 1.0 else "go to the person"


def moves(runtime: Path) -> Callable[[], bool]:
    """Return a question whether anything of the body moves, as measured."""
    return lambda: moved_in(runtime, 0.05) > STILL


def moved_in(runtime: Path, seconds: float) -> float:
    """Return the metres or radians by which any part of the body moved in that time."""
    with Robot(runtime) as robot:
        before = _measured(robot)
        time.sleep(seconds)
        return max(abs(now - then) for now, then in zip(_measured(robot), before, strict=True))


def _measured(robot: Robot) -> list[float]:
    state = robot.state()
    arms = [angle for arm in state.arms.values() for angle in (*arm.joints, arm.gripper)]
    return [state.base.x, state.base.y, state.base.theta, *arms]
