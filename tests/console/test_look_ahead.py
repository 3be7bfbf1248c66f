"""Thinking while moving: the next statement is ready when a motion ends as usual, and nobody hears of it otherwise."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.look_ahead import LookAhead, usual_result
from daemon.llm.model import PROMPT_SIGN, ModelCancelled, Prompt
from daemon.memory.store import Memory
from daemon.transcript import Step
from tests.support.fakes import WordEmbedder
from tests.support.waiting import until
from tests.support.worlds import Kitchen

AHEAD = ConsoleConfig(look_ahead=True)


class Planner:
    """Drives to the sink, and then says whether it got there; notes every prompt."""

    name = "planner"
    context_tokens = 100_000
    follows_instructions = False
    leads = False

    def __init__(self) -> None:
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.prompts.append(prompt)
        turn = prompt.history.rpartition("wait_for_trigger()")[2]
        if "move_to" not in turn:
            return " move_to('sink')\n"
        if "say(" in turn:
            return " wait_for_trigger()\n"
        return " say('I am there')\n" if "'success'" in turn else " say('I am not there')\n"

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig()) as memory:
        yield memory


def driving(kitchen: Kitchen, meanwhile: Any, result: str = "success") -> None:
    """Let move_to() call `meanwhile` before it ends, and then return this or raise it."""

    def move_to(location: str, speed: float | None = None) -> str:
        meanwhile()
        if result != "success":
            raise RuntimeError(result)
        return result

    kitchen.executor._functions["move_to"] = move_to


def test_the_next_statement_is_written_while_the_robot_moves_and_run_only_afterwards(memory: Memory) -> None:
    planner = Planner()
    kitchen = Kitchen(planner, memory, AHEAD)
    seen: list[list[str]] = []

    def meanwhile() -> None:
        until(lambda: len(planner.prompts) == 2)
        seen.append(kitchen.seen.statements[-1:])

    driving(kitchen, meanwhile)
    kitchen.talk("go to the sink")
    assert seen == [["move_to('sink')"]]
    assert kitchen.seen.speech == ["I am there"]
    assert len(planner.prompts) == 3  # drive, say, wait: none of them asked for twice


def test_what_was_supposed_wrongly_is_thrown_away(memory: Memory) -> None:
    planner = Planner()
    kitchen = Kitchen(planner, memory, AHEAD)
    driving(kitchen, lambda: until(lambda: len(planner.prompts) == 2), result="the way is blocked")
    kitchen.talk("go to the sink")
    assert "I am there" not in kitchen.seen.speech
    assert kitchen.seen.speech == ["I am not there"]


def test_the_statements_are_the_same_with_and_without(memory: Memory) -> None:
    lists = []
    for config in (ConsoleConfig(), AHEAD):
        kitchen = Kitchen(Planner(), memory, config)
        kitchen.talk("go to the sink", "and again")
        lists.append(kitchen.seen.statements)
    assert lists[0] == lists[1]


def test_it_is_off_unless_asked_for(memory: Memory) -> None:
    planner = Planner()
    kitchen = Kitchen(planner, memory, ConsoleConfig())
    asked: list[int] = []
    driving(kitchen, lambda: asked.append(len(planner.prompts)))
    kitchen.talk("go to the sink")
    assert asked == [1]


class Slow(Planner):
    """Answers when it is cancelled, and not before."""

    def __init__(self) -> None:
        super().__init__()
        self.cancelled = threading.Event()
        self.early = 1

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.prompts.append(prompt)
        assert self.cancelled.wait(60)
        raise ModelCancelled("cancelled")

    def cancel(self) -> None:
        if self.early:  # as a cancel that comes before the request: it is about nothing
            self.early -= 1
        else:
            self.cancelled.set()


PROMPT, OTHER = Prompt("b", (), ">>>"), Prompt("b", (), "x\n>>>")


def test_dropping_ends_the_model_s_work_even_where_it_has_not_begun() -> None:
    slow, ahead = Slow(), LookAhead()
    ahead.begin(slow, PROMPT)
    assert ahead.take(slow, OTHER) is None
    assert slow.cancelled.is_set()
    assert ahead.take(slow, PROMPT) is None  # it was dropped


def test_another_model_s_answer_is_not_taken() -> None:
    one, two, ahead = Planner(), Planner(), LookAhead()
    ahead.begin(one, PROMPT)
    assert ahead.take(two, PROMPT) is None


def test_a_result_is_supposed_where_it_nearly_always_was_that() -> None:
    drive, look = Step("move_to('sink')", "'success'"), Step("get_object_location('cup')", "'table'")
    failed = Step("move_to('moon')", "ValueError: there is no moon")
    assert usual_result("move_to", [drive] * 4 + [failed]) == "'success'"
    assert usual_result("move_to", [drive, failed]) is None
    assert usual_result("get_object_location", [look, Step(look.statement, "'sink'")]) is None
    assert usual_result("grasp", [drive]) is None
