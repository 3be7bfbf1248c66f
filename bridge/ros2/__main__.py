"""`python3 -m bridge.ros2`: heed as a node of ROS 2, until a signal ends it.

Ends by itself, with status 1, when it hangs; heed goes on without it, and brakes what was done for it alone.
"""

import argparse
import logging
import os
import signal
import sys
import threading
from pathlib import Path

import rclpy
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from bridge.ros2.asking_nodes import GOALS, StopNode, serve_requests
from bridge.ros2.messages import Frames
from bridge.ros2.node import BridgeNode
from bridge.ros2.watchdog import SECONDS, Watchdog
from daemon.service.control import SERVICE_DIRECTORY
from hw.notify import READY, STOPPING, notify

THREADS = 2 * GOALS + 4
"""Of the executor: one for each goal of the two actions, and some for what comes between."""


def main() -> int:
    options = _parser().parse_args(remove_ros_args(sys.argv)[1:])
    logging.basicConfig(level=os.environ.get("HEED_LOG", "WARNING").upper(), format="%(name)s: %(message)s")
    rclpy.init(args=sys.argv, signal_handler_options=SignalHandlerOptions.NO)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    watchdog = Watchdog(2, options.patience)
    frames = Frames(options.map_frame, options.base_frame, published=options.tf)
    node = BridgeNode(options.runtime, options.name, frames, options.drive, watchdog.beats[0])
    stop = StopNode(options.runtime, options.name, watchdog.beats[1])
    serve_requests(node, options.runtime)
    node.start()
    executors = [MultiThreadedExecutor(THREADS), SingleThreadedExecutor()]
    for executor, served in zip(executors, (node, stop), strict=True):
        executor.add_node(served)
        threading.Thread(target=_spin, args=(executor, ended), daemon=True).start()
    notify(READY)
    print(f"heed-ros2: a bridge to {options.runtime}, as /{options.name}", file=sys.stderr, flush=True)
    while not ended.wait(0.5):  # signals are taken in between
        pass
    notify(STOPPING)
    watchdog.close()
    node.close()
    rclpy.try_shutdown()
    sys.stderr.flush()
    os._exit(0)  # goals that are under way hang up with the process, and heed brakes


def _spin(executor: SingleThreadedExecutor | MultiThreadedExecutor, ended: threading.Event) -> None:
    """Serve until the end; an error that nobody foresaw ends the process, not just this thread."""
    try:
        executor.spin()
    except ExternalShutdownException:
        pass
    except Exception:
        logging.exception("the bridge ends")
        os._exit(1)
    ended.set()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed-ros2", description="heed as a node of ROS 2; see docs/ros2.md.")
    parser.add_argument("--runtime", type=Path, default=SERVICE_DIRECTORY, help="directory of heed's sockets")
    parser.add_argument("--name", default="heed", help="namespace of the topics (heed)")
    parser.add_argument("--map-frame", default="odom", help="ROS's name of the frame that is fixed to the room (odom)")
    parser.add_argument("--base-frame", default="base_link", help="ROS's name of the robot's frame (base_link)")
    parser.add_argument("--no-tf", dest="tf", action="store_false", help="publish no transform: the robot's nodes do")
    parser.add_argument("--no-drive", dest="drive", action="store_false", help="pass on no velocities")
    parser.add_argument("--patience", type=float, default=SECONDS, help="seconds of a hang before it ends itself (5)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
