"""A heed that a model on the network leads, and that is killed between two statements of an answer."""

import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.service.control import request
from tests.llm.test_remote import Server, events
from tests.story.test_swap import Running
from tests.support.waiting import until

ANSWER = " remember('I knock before I come in.')\nmove_to('table')\n"


RULES = "select rule from lesson where status = 'active'"


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        yield Path(folder)


@pytest.mark.whole
def test_killed_in_the_middle_of_an_answer_it_has_kept_what_was_agreed_to_and_asks_about_the_rest(folder: Path) -> None:
    never = threading.Event()

    def lines() -> Iterator[bytes]:
        yield next(events([ANSWER]))
        never.wait(60)

    server = Server({"/v1/models": {"data": [{"id": "big"}]}}, lines)
    settings = f'[llm]\nbrain = "remote:{server.address}"\n'
    heed = Running(folder, settings)
    try:
        heed.answers("Shall I remember that?", "always knock before you come in, and go to the table")
        request(heed.runtime, "say", text="yes")
        until(lambda: in_memory(folder, "select what from action where ended_at is null") == ["move_to('table')"])
    finally:
        heed.process.kill()
        heed.process.wait()
    assert in_memory(folder, RULES) == ["I knock before I come in."]
    again = Running(folder, settings)
    try:
        until(lambda: "Shall I go on?" in again.output)
        assert "move_to" not in again.output
        assert in_memory(folder, RULES) == ["I knock before I come in."]
    finally:
        again.close()
        never.set()
        server.shutdown()
        server.server_close()


def in_memory(folder: Path, question: str) -> list[str]:
    with sqlite3.connect(folder / "memory.sqlite") as database:
        return [value for (value,) in database.execute(question)]
