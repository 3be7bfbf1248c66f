"""`python3 -m bridge.ros2.robot`: a robot that runs ROS 2 as heed's body, until a signal ends it.

Two processes: a guard, which is this one, and a worker that it starts. Whichever dies, the other cancels what the robot
does and ends, with status 1.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from bridge.ros2.robot import guard
from bridge.ros2.robot.connections import Connections, Tell
from bridge.ros2.robot.parts import RosPart, actions_of, part_of
from daemon.service.control import SERVICE_DIRECTORY
from hw.notify import READY, STOPPING, notify

BEAT = 0.1
"""Seconds between the worker's signs of life."""
PATIENCE = 1.0
FAREWELL = 0.5
"""Seconds that cancels have to leave before the process ends."""


def main() -> int:
    options = _parser().parse_args(remove_ros_args(sys.argv)[1:])
    rclpy.init(args=sys.argv, signal_handler_options=SignalHandlerOptions.NO)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    if options.worker:
        return Worker(options.runtime).run(ended)
    worker = subprocess.Popen(
        [sys.executable, "-m", "bridge.ros2.robot", "--worker", *sys.argv[1:]], stdout=subprocess.PIPE
    )
    notify(READY)
    print(f"heed-ros2-robot: a robot of ROS 2 for {options.runtime}", file=sys.stderr, flush=True)
    try:
        return guard.watch(worker, options.patience, ended)
    finally:
        notify(STOPPING)


class Worker:
    """Serves heed-hw, and tells its guard that it lives, and what would have to be cancelled."""

    def __init__(self, runtime: Path) -> None:
        self._node = rclpy.create_node("heed_robot")
        self._parts: list[RosPart] = []
        self._used: dict[str, list[str]] = {"actions": [], "velocities": []}
        self._guard = os.getppid()
        self._connections = Connections(runtime, self._join)
        self._node.create_timer(BEAT, self._beat)

    def run(self, ended: threading.Event) -> int:
        executor = MultiThreadedExecutor(4)
        executor.add_node(self._node)
        threading.Thread(target=self._spin, args=(executor,), daemon=True).start()
        while not ended.wait(BEAT):
            if os.getppid() != self._guard:
                return self._end(1)
        return self._end(0)

    def _join(self, join: Mapping[str, Any], tell: Tell) -> RosPart:
        part = part_of(self._node, join, tell)
        self._used["actions"] += actions_of(join)
        self._used["velocities"] += [join["velocity"]] if join.get("velocity") else []
        self._parts.append(part)
        return part

    def _beat(self) -> None:
        try:
            sys.stdout.write(json.dumps(self._used) + "\n")
            sys.stdout.flush()
        except OSError:
            os._exit(self._end(1))

    def _end(self, status: int) -> int:
        """End what the robot does, and this process at once: heed-hw takes it for a fault."""
        self._connections.close()
        for part in self._parts:
            part.cancel_all()
        time.sleep(FAREWELL)
        os._exit(status)

    def _spin(self, executor: MultiThreadedExecutor) -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            pass
        finally:
            os._exit(1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed-ros2-robot", description="A robot of ROS 2 for heed; see docs/ros2.md.")
    parser.add_argument("--runtime", type=Path, default=SERVICE_DIRECTORY, help="directory of heed's sockets")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds of a hang before it is ended (1)")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
