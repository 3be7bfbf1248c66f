"""A thousand replies that no model should give, through the real console, and more by dice.

After each of them, whatever it was, the robot can be spoken to, nothing ran outside the console's worker, and nothing
moved that had not passed the checks. A console that hangs runs into the time limit of the test.
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.llm.model import PROMPT_SIGN, Prompt, SoFar
from daemon.memory.store import Memory
from daemon.trigger import TriggerQueue, Utterance
from tests.console.hostile import CANARY, COUNT, SLOW, mutated, replies
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen

STILL_HERE = "I am still here."
UTTERANCES = 60
"""So many times a person speaks before the robot counts as deaf."""
DONE_NOTHING = "Nothing was done."
MUTATIONS = 90
ANSWER_LINES = 100
PART = 20
"""Replies in one test: 2 s on an idle machine, and within its time limit on the busiest."""
FORBIDDEN = (
    "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.putenv", "os.remove", "os.rename", "os.kill",
    "subprocess.Popen", "shutil.rmtree", "builtins.input", "builtins.breakpoint", "cpython.run_",
    "socket.connect", "socket.bind", "ctypes.dlopen",
)  # fmt: skip
"""Audit events of Python, by their beginnings; `exec` of what was compiled from text is looked for besides."""


class Model:
    """Gives one bad reply to the first order, and afterwards does what it should."""

    name = "hostile"
    context_tokens = 8192
    follows_instructions = False

    def __init__(self, reply: str, leads: bool) -> None:
        self._reply: str | None = reply
        self.leads = leads

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        """As a model that leads writes: line by line, as far as an answer may be long."""
        text = self.complete(prompt)
        lines = text.splitlines(keepends=True)[:ANSWER_LINES]
        for count in range(1, len(lines)):
            so_far("".join(lines[:count]))
        return text

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        if self._reply is not None:
            reply, self._reply = self._reply, None
            return reply
        last = prompt.history[-200:]
        return f" say({STILL_HERE!r})\n" if "'hello?'" in last and STILL_HERE not in last else " wait_for_trigger()\n"

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


class Insisting(TriggerQueue):
    """Gives an order, then says "hello?" until the robot answers."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: Callable[[], bool] = lambda: False
        self.said = 0

    def get(self, timeout: float | None = None, since: float = 0.0) -> Utterance | None:
        if self.answered() or self.said == UTTERANCES:
            return None
        self.said += 1
        return Utterance("bring me the juice" if self.said == 1 else "hello?")

    def next_errand(self) -> Callable[[], None] | None:
        return None  # there is always somebody who speaks


class Watch:
    """Notes what Python does in this process while a reply is worked on. Hooks stay, so there is one for all."""

    def __init__(self) -> None:
        self.seen: list[str] | None = None
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.seen is None:
            return
        if event == "exec":
            origin = getattr(arguments[0], "co_filename", "")
            if origin.startswith("<") and not origin.startswith(("<frozen", "<attrs", "<string>")):
                self.seen.append(f"exec of {origin}")
        elif event.startswith(FORBIDDEN):
            self.seen.append(f"{event} {arguments}")


WATCH = Watch()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig()) as memory:
        yield memory


def withstand(reply: str, memory: Memory, leads: bool = False) -> None:
    kitchen = Kitchen(Model(reply, leads), memory, ConsoleConfig(max_statements=12, statement_seconds=0.1))
    person = Insisting()
    person.answered = lambda: STILL_HERE in kitchen.seen.speech
    kitchen.console._conversation._triggers = person
    moved = _note_calls(kitchen)
    WATCH.seen = []
    try:
        kitchen.console.run()
        seen = WATCH.seen
    finally:
        WATCH.seen = None
        kitchen.executor.close()
    assert kitchen.seen.speech[-1] == STILL_HERE, "the robot does not answer any more"
    assert not seen, "something ran outside the worker"
    assert not CANARY.exists()
    for statement, result in zip(kitchen.seen.statements, kitchen.seen.results, strict=False):
        assert not (result.endswith(DONE_NOTHING) and statement in moved), f"{statement!r} moved before the checks"
    assert len(kitchen.seen.statements) < 12 * (person.said + 1)


def _note_calls(kitchen: Kitchen) -> set[str]:
    """The statements in which a skill was called."""
    moved: set[str] = set()
    for name, function in kitchen.executor._functions.items():
        if name in ("grasp", "place", "handover", "move_to", "open_door", "close_door", "point_at"):

            def noted(*arguments: Any, _function: Callable[..., Any] = function, **named: Any) -> Any:
                moved.add(kitchen.seen.statements[-1])
                return _function(*arguments, **named)

            kitchen.executor._functions[name] = noted
    return moved


HOSTILE = replies()
PARTS = [
    pytest.param(kind, start, marks=() if start == 0 and kind not in SLOW else pytest.mark.whole)
    for kind, texts in HOSTILE.items()
    for start in range(0, len(texts), PART)
]
"""The first of each quick kind at each `make test`, all of them at `make test-all`."""


@pytest.mark.parametrize(("kind", "start"), PARTS)
def test_the_robot_withstands(kind: str, start: int, memory: Memory) -> None:
    all_withstood(kind, start, memory)


@pytest.mark.whole
@pytest.mark.parametrize(("kind", "start"), PARTS)
def test_the_robot_withstands_them_of_a_model_that_leads(kind: str, start: int, memory: Memory) -> None:
    all_withstood(kind, start, memory, leads=True)


def all_withstood(kind: str, start: int, memory: Memory, leads: bool = False) -> None:
    failures = []
    part = HOSTILE[kind][start : start + PART]
    for reply in part:
        try:
            withstand(reply, memory, leads)
        except Exception as error:
            failures.append(f"{reply[:200]!r}: {error!r}"[:500])
        except AssertionError as error:
            failures.append(f"{reply[:200]!r}: {error}"[:500])
    assert not failures, "\n".join([f"{len(failures)} of {len(part)}:", *failures])


def test_there_are_a_thousand() -> None:
    assert sum(map(len, HOSTILE.values())) == COUNT


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.whole) for seed in (1, 2))])
def test_the_robot_withstands_what_dice_make_of_them(seed: int, memory: Memory) -> None:
    dice = random.Random(seed)
    for _ in range(MUTATIONS // 3):
        withstand(mutated(dice), memory)
