"""python -m sim: says when it is ready, ends when told to, or when nobody is left to simulate for."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.perception import SimCamera

DEADLINE = 30.0


@pytest.fixture
def runtime() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def start(runtime: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "sim", "--runtime", str(runtime), *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )


def test_it_says_when_it_is_ready_and_ends_on_sigterm(runtime: Path) -> None:
    process = start(runtime, "--scene", "kitchen")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("ready: ")
    camera = SimCamera(runtime)
    assert len(camera.observe()["locations"]) == 8
    assert (runtime / "dev/left_arm").exists()
    process.send_signal(signal.SIGTERM)
    assert process.wait(DEADLINE) == 0
    assert not (runtime / "dev/left_arm").is_symlink()


def test_an_unknown_scene_is_answered_with_the_known_ones(runtime: Path) -> None:
    process = start(runtime, "--scene", "bathroom")
    _, complaint = process.communicate(timeout=DEADLINE)
    assert process.returncode == 2
    assert "kitchen" in complaint


def test_it_ends_with_the_process_that_started_it(runtime: Path) -> None:
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-m', 'sim', '--runtime', {str(runtime)!r}])\n"
        "input()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env=os.environ,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline().startswith(b"ready: ")
    parent.kill()
    assert parent.stdout.read() == b""  # the simulation held the other end until it ended
    parent.wait(DEADLINE)
