"""One set-up at a time, and one that Ctrl-C always ends."""

import os
import signal
import time
from pathlib import Path

import pytest

from daemon.cli.one_set_up import alone, ended_by_ctrl_c
from daemon.service.control import CommandError


def test_the_second_is_told_and_the_next_one_begins(tmp_path: Path) -> None:
    with alone(tmp_path / "run"):
        with pytest.raises(CommandError, match="another set-up is under way, on the page or in a terminal"):
            alone(tmp_path / "run").__enter__()
        with alone(tmp_path / "of another robot"):
            pass
    with alone(tmp_path / "run"):
        pass


def test_where_nobody_may_set_up_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("no folder")
    with pytest.raises(CommandError, match="nothing can be set up"):
        alone(tmp_path / "run").__enter__()


class Gone:
    """Goes away while somebody presses Ctrl-C."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)  # where Python looks for signals


def let_go() -> None:
    Gone()
    time.sleep(60)


def test_ctrl_c_is_not_dropped_with_an_object_that_goes_away_just_then() -> None:
    with ended_by_ctrl_c(), pytest.raises(KeyboardInterrupt):
        let_go()


def test_what_else_goes_wrong_there_is_shown_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError("of its own")

    with ended_by_ctrl_c():
        Broken()
    assert "of its own" in capsys.readouterr().err
