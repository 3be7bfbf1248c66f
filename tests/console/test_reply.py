"""A whole answer is run while the model still writes it."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.config import MemoryConfig
from daemon.console.reply import Reply
from daemon.llm.model import ModelCancelled, ModelError, Prompt, SoFar
from daemon.memory.store import Memory
from tests.console.test_leading import Leader
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen

PROMPT = Prompt("", (), ">>>", answer=True)


class Writer(Leader):
    """Writes line by line, the next one when it is let."""

    def __init__(self, replies: Sequence[str], fails: bool = False) -> None:
        super().__init__(replies)
        self.may_go_on = threading.Semaphore(0)
        self.cancelled = threading.Event()
        self.written = ""
        self._fails = fails

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        self.written = ""
        self.cancelled.clear()
        for line in self.complete(prompt).splitlines(keepends=True):
            while not self.may_go_on.acquire(timeout=0.01):
                if self.cancelled.is_set():
                    raise ModelCancelled("cancelled")
            self.written += line
            so_far(self.written)
        if self._fails:
            raise ModelError("the server is gone")
        return self.written

    def cancel(self) -> None:
        self.cancelled.set()


def test_a_statement_is_given_as_soon_as_it_is_complete() -> None:
    writer = Writer(["move_to('sink')\nsay('There.')\n"])
    statements = iter(Reply(writer, PROMPT))
    writer.may_go_on.release()
    assert next(statements) == "move_to('sink')"
    assert writer.written == "move_to('sink')\n"
    writer.may_go_on.release()
    assert list(statements) == ["say('There.')"]


def test_a_block_is_given_when_it_has_ended() -> None:
    writer = Writer(["for name in ['a']:\n    say(name)\nelse:\n    say('b')\nsay('c')\n"])
    for _ in range(5):
        writer.may_go_on.release()
    block, last = list(Reply(writer, PROMPT))
    assert block.endswith("else:\n    say('b')")
    assert last == "say('c')"


def test_what_was_not_written_when_it_ended_is_void() -> None:
    writer = Writer(["move_to('sink')\nsay('There.')\n"])
    reply = Reply(writer, PROMPT)
    writer.may_go_on.release()
    for statement in reply:
        assert statement == "move_to('sink')"
        reply.end()
    assert writer.cancelled.is_set()


def test_a_model_that_does_not_answer_at_all_is_an_error() -> None:
    with pytest.raises(ModelError, match="gone"):
        list(Reply(Writer([""], fails=True), PROMPT))


def test_a_model_that_breaks_off_leaves_what_it_wrote() -> None:
    writer = Writer(["say('a')\nsay('b')\n"], fails=True)
    writer.may_go_on.release()
    writer.may_go_on.release()
    reply = Reply(writer, PROMPT)
    assert list(reply) == ["say('a')", "say('b')"]
    assert reply.broken


def test_the_robot_moves_while_the_model_writes_on(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())
    writer = Writer(["move_to('sink')\nsay('There.')\n"])
    kitchen = Kitchen(writer, memory)
    seen: list[str] = []
    drives = kitchen.robot.drive_to

    def drive(*pose: float, **speed: float) -> object:
        seen.append(writer.written)
        writer.may_go_on.release()
        return drives(*pose, **speed)

    kitchen.robot.drive_to = drive  # type: ignore[method-assign, assignment]
    writer.may_go_on.release()
    kitchen.talk("go to the sink")
    assert seen == ["move_to('sink')\n"]
    assert kitchen.seen.speech == ["There."]


def test_after_an_error_the_rest_is_not_waited_for(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())
    writer = Writer(["grasp('juice')\nsay('I have it.')\n", "say('No.')\n"])
    kitchen = Kitchen(writer, memory)
    writer.may_go_on.release()
    asked = writer.complete

    def complete(prompt: Prompt, **limits: Any) -> str:
        if len(writer.prompts):  # the second answer may be written
            writer.may_go_on.release()
        return asked(prompt, **limits)

    writer.complete = complete  # type: ignore[method-assign, assignment]
    kitchen.talk("take the juice")
    assert kitchen.seen.speech[-1] == "No."


def test_a_mind_that_predicted_a_result_is_asked_again_with_the_real_one(tmp_path: Path) -> None:
    writer = Writer(["move_to('sink')\n'success'\nmove_to('table')\nsay('There.')", "say('I am at the sink.')"])
    writer.may_go_on = threading.Semaphore(100)
    kitchen = Kitchen(writer, Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig()))
    kitchen.talk("go to the sink, then to the table")
    assert kitchen.seen.speech == ["I am at the sink."]
    assert "move_to('table')" not in writer.prompts[1].history


class Mistaken(Leader):
    """A model of which something in heed's own code fails, after this many lines."""

    def __init__(self, lines: int) -> None:
        super().__init__([])
        self._lines = lines

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        if self._lines:
            so_far("say('one')\n")
        raise KeyError("nobody thought of that")


def test_a_mistake_of_heed_itself_keeps_nobody_waiting() -> None:
    with pytest.raises(ModelError, match="nobody thought of that"):
        list(Reply(Mistaken(0), PROMPT))
    reply = Reply(Mistaken(1), PROMPT)
    assert list(reply) == ["say('one')"]
    assert reply.broken
