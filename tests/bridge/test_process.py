"""What keeps the bridge harmless: it ends itself when it hangs, and ROS is imported in its own files alone."""

import ast
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROS = ("rclpy", "std_msgs", "std_srvs", "geometry_msgs", "nav_msgs", "sensor_msgs", "diagnostic_msgs", "tf2_msgs",
       "visualization_msgs", "action_msgs", "trajectory_msgs", "control_msgs", "nav2_msgs",
       "heed_interfaces")  # fmt: skip
MAY = {"bridge/ros2/__main__.py", "bridge/ros2/node.py", "bridge/ros2/asking_nodes.py",
       "bridge/ros2/robot/__main__.py", "bridge/ros2/robot/action.py", "bridge/ros2/robot/guard.py",
       "bridge/ros2/robot/parts.py"}  # fmt: skip
ROOMS = ("bridge", "daemon", "hw", "sim", "skills", "bench", "training")
HANGS = """
import time
from bridge.ros2.watchdog import Watchdog
watchdog = Watchdog(2, 0.5)
for _ in range({times}):
    time.sleep(0.2)
    {beats}
{hang}
"""


def run(times: int, beats: str, hang: str) -> tuple[int, float, str]:
    """Return the exit status, how long it took, and what was printed."""
    began = time.monotonic()
    code = HANGS.format(times=times, beats=beats, hang=hang)
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    return ended.returncode, time.monotonic() - began, ended.stderr


def test_who_lives_is_left_alone() -> None:
    assert run(5, "[beat() for beat in watchdog.beats]", "watchdog.close()")[0] == 0


def test_one_thread_that_hangs_ends_the_process_and_is_named() -> None:
    code, _, told = run(20, "watchdog.beats[0]()", "")
    assert code == 1
    assert "Timeout" in told
    assert "Thread" in told


def test_who_holds_pythons_lock_for_good_is_ended() -> None:
    code, took, _ = run(1, "pass", "import re; re.match('(a+)+b', 'a' * 60)")
    assert code == 1
    assert took < 30


def test_ros_is_imported_nowhere_else() -> None:
    importing = {
        str(path.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if any(name.split(".")[0] in ROS for name in imported(path))
    }
    assert importing == MAY


def imported(path: Path) -> list[str]:
    """Return the modules that a file imports, wherever it does."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return plain + [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
