"""docs/ros2.md: what it says of goal states and of names is what the code has."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hw.state import GoalState

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ros2.md").read_text(encoding="utf-8")
NODES = "".join(
    (ROOT / "bridge" / "ros2" / name).read_text(encoding="utf-8") for name in ("node.py", "asking_nodes.py")
)


def test_every_state_of_a_goal_has_one_of_ros() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `STATUS_(\w+)` \| (\d) \|", PAGE, re.MULTILINE)
    assert {state for state, _, _ in rows} == set(GoalState)
    assert all(state.upper() == ros for state, ros, _ in rows)
    assert sorted(int(number) for *_, number in rows) == [1, 2, 3, 4, 5, 6]


def test_every_topic_on_the_page_is_one_of_the_nodes() -> None:
    named = set(re.findall(r"`/heed/([\w/]+)`", PAGE))
    made = {*re.findall(r'"([a-z_/]+)"', NODES), "see/objects", "see/people"}
    assert named >= {"joint_states", "request", "stop", "cmd_vel", "see/line"}
    assert named <= made


@pytest.mark.parametrize(("action", "count"), [("Request", 9), ("CallSkill", 9)])
def test_every_field_of_an_action_is_told(action: str, count: int) -> None:
    told = (ROOT / "bridge" / "ros2" / "heed_interfaces" / "action" / f"{action}.action").read_text(encoding="utf-8")
    fields = re.findall(r"^[a-z]+[0-9]*(?:\[\])? (\w+)$", told, re.MULTILINE)
    assert len(fields) == count
    assert [field for field in fields if f"`{field}`" not in PAGE] == []


@pytest.mark.parametrize("unit", sorted((ROOT / "systemd").glob("heed-ros2*.service")), ids=lambda unit: unit.stem)
def test_every_service_of_ros_is_on_the_page_and_starts_what_is_there(unit: Path) -> None:
    assert f"systemd/{unit.name}" in PAGE
    (module,) = re.findall(r"python3 -m ([a-z0-9.]+) --runtime /run/heed", unit.read_text(encoding="utf-8"))
    assert (ROOT / module.replace(".", "/") / "__main__.py").is_file()
    if verify := shutil.which("systemd-analyze"):
        found = subprocess.run([verify, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
        assert unit.name not in found.stderr
