"""The tests of the stop can fail: without the write in stop(), they do. They run on a copy of hw/ without it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ALL_PASSED, SOME_FAILED = 0, 1
"""How pytest ends."""
ROOT = Path(__file__).parents[2]
WRITES = {
    "hw/servo_component.py": ("self._guard(lambda: self._servos.bus.send_goals(self._come_to_rest()))", "pass"),
    "hw/servo_limb.py": ("return self._goals(LOOK_AHEAD)", "return {}"),
    "hw/servo_base.py": ("return self.wheels.brake()", "return {}"),
    "hw/axis_base.py": ("self._guard(self._send_twist)", "pass"),
}
"""What stop() writes, and the same without it."""


@pytest.mark.whole
@pytest.mark.parametrize("file", [None, *WRITES])
def test_without_the_write_in_stop_its_tests_fail(tmp_path: Path, file: str | None) -> None:
    for folder in ("hw", "sim", "tests/hw"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests/__init__.py", tmp_path / "tests")
    if file:
        text = (tmp_path / file).read_text(encoding="utf-8")
        write, nothing = WRITES[file]
        assert text.count(write) == 1, f"{file} has changed: name its write in stop() here"
        (tmp_path / file).write_text(text.replace(write, nothing), encoding="utf-8")
    wanted = ["tests/hw/test_body.py", "tests/hw/test_servo_base.py", "-k", "on_the_bus_before_the_next_tick"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *wanted]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == (SOME_FAILED if file else ALL_PASSED), done.stdout
