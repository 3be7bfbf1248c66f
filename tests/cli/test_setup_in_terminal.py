"""`heed setup robot` itself in a terminal: a person reads what is asked, and types."""

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from daemon.config import Config
from tests.cli.test_setup_robot import _servo, config, plugged_in
from tests.support.waiting import until

__all__ = ["config"]
ARM = (("101/100", "101"), ("Use that", ""), ("use it from now on", ""), ("reach", "y"))
WHEELS = (
    ("Use that", ""),
    ("lifted", "y"),
    ("left wheel", ""),
    ("back wheel", "n"),
    ("right wheel", ""),
    ("use it from now on", ""),
    ("reach", "y"),
)


class Terminal:
    """A pseudo-terminal with a program in it, and what it has shown."""

    def __init__(self, command: Sequence[str]) -> None:
        self._ours, theirs = pty.openpty()
        self.program = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.shown = ""
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def answer(self, question: str, line: str) -> None:
        """Wait until a question stands last, and type an answer."""
        until(lambda: question in self.shown.rpartition("\n")[2] and self.program.poll() is None)
        self.type(line)

    def ended(self) -> str:
        """Wait for its end, and return all that it has shown."""
        self.program.wait(60)
        self._reading.join(5)
        return self.shown

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._ours)

    def _read(self) -> None:
        try:
            while part := os.read(self._ours, 4096):
                self.shown += part.decode(errors="replace").replace("\r\n", "\n")
        except OSError:  # the program has ended
            return


@contextmanager
def terminal(folder: Path, *robot: str) -> Iterator[Terminal]:
    ports = [argument for name in robot for argument in ("--port", str(folder / "dev" / f"{name}_arm"))]
    opened = Terminal(
        [sys.executable, "-m", "daemon", "--config", str(folder / "config.toml"), "setup", "robot", *ports]
    )
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture(autouse=True)
def settings(config: Config, tmp_path: Path) -> None:
    """A config.toml of a first evening: nothing else is named."""
    (tmp_path / "config.toml").write_text(f'[service]\nruntime_directory = "{tmp_path}/run"\n[body]\n')


@pytest.mark.whole
@pytest.mark.parametrize(("twin", "questions"), [("so101", ARM), ("lekiwi", WHEELS)])
def test_a_person_at_a_terminal_gets_to_ready(
    twin: str, questions: Sequence[tuple[str, str]], tmp_path: Path, violations: list[str]
) -> None:
    with plugged_in(tmp_path, twin), terminal(tmp_path, "right") as opened:
        for question, line in questions:
            opened.answer(question, line)
        assert "Ready: heed run" in opened.ended()
    violations.clear()  # the inspector minds the speed of 0 that is tried on wheels


def test_a_servo_that_is_missing_is_told_in_one_sentence(tmp_path: Path) -> None:
    with plugged_in(tmp_path) as devices:
        _servo(devices, 4, mute=True)
        with terminal(tmp_path, "right") as opened:
            told = opened.ended()
    assert "servo 4 (wrist_flex) does not answer: look at the cable from servo 3" in told
    assert opened.program.returncode == 1


def test_whoever_hangs_up_begins_where_they_were(tmp_path: Path) -> None:
    with plugged_in(tmp_path):
        with terminal(tmp_path, "right") as opened:
            opened.answer("101/100", "100")
            until(lambda: "Use that" in opened.shown.rpartition("\n")[2])
        with terminal(tmp_path, "right") as opened:
            until(lambda: "Use that" in opened.shown.rpartition("\n")[2])
            assert "describes it already" in opened.shown
