"""The bridge to ROS 2, measured by its own tests where `make test-ros2` has set ROS 2 up: script/test-ros2.

They run in the interpreter that has rclpy, and write what they measured into a report in JUnit's format.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from bench.report import BenchError

ROOT = Path(__file__).parents[2]
MEASURED = {
    "ros2_goals": "test_goals_in_words_are_carried_out",
    "ros2_skills": "test_skills_are_carried_out",
    "ros2_stop_ms_p99": "test_a_stop_by_service_is_measured_to_the_bus",
}
"""Which test of tests/ros2 measures each figure: how many of ten goals a round, and until the frame is on the bus."""


def through_ros2(rounds: int) -> dict[str, float | None]:
    """The figures of MEASURED, None where ROS 2 is not set up. BenchError when the tests cannot be run."""
    if not (ROOT / ".cache" / "ros2" / "venv").is_dir():
        print('ROS 2 is not set up: run "make test-ros2" once', file=sys.stderr)
        return dict.fromkeys(MEASURED)
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        report = Path(folder) / "report.xml"
        command = ["script/test-ros2", "--rounds", str(rounds), "-k", " or ".join(MEASURED.values())]
        subprocess.run([*command, "--junitxml", str(report)], cwd=ROOT, stdout=sys.stderr, check=False)
        if not report.exists():
            raise BenchError('the tests of the bridge cannot be run: "make test-ros2" says why')
        return _told(report)


def _told(report: Path) -> dict[str, float | None]:
    """The properties of that report by their names; None for a test that ended before it had measured."""
    properties = {one.get("name"): float(one.get("value", "nan")) for one in ElementTree.parse(report).iter("property")}
    return {name: properties.get(name) for name in MEASURED}
