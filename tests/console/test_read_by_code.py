"""What code reads of a person's words, before a model that leads has read them itself."""

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import daemon.imitation
from daemon.config import MemoryConfig
from daemon.llm.model import PROMPT_SIGN, Prompt
from daemon.memory.rules import Rule, Scope
from daemon.memory.store import Memory
from tests.console.test_leading import Leader
from tests.support.fakes import ScriptedModel, WordEmbedder
from tests.support.worlds import Kitchen

ENGLISH = str(Path(daemon.imitation.__file__).parent)
WHO_SPEAKS = {"introduced", "leaves", "asks", "for_speaker_alone"}
"""Whether somebody gives a name, goes, or wants something that is done otherwise for others."""
FOR_WHOM = {"is_for"}
"""For which person something is wanted, where a rule was learned for that person."""
TAUGHT = ">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'no nuts for ida'}\n"
SAID = [
    "bring me the juice",
    "no, the milk i meant, and remember that for next time",
    "in ten minutes close the fridge",
    "forget what i said about tea",
    "did you see the oil, no, the water?",
    "why did you take that one",
    "the task clearing means: the apple goes on the counter",
]


class Reading:
    """Notes what of the room that reads English is called from outside it, while it is watched."""

    def __init__(self) -> None:
        self.watched = False
        self.called: set[str] = set()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        before = sys.getprofile(), threading.getprofile()
        sys.setprofile(self._note)
        threading.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before[0])
            threading.setprofile(before[1])  # type: ignore[arg-type]

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if frame.f_code.co_name == "wait_for_trigger":
            self.watched = True
        if self.watched and event == "call" and _is_english(frame) and not _is_english(frame.f_back):
            self.called.add(frame.f_code.co_name)


def _is_english(frame: FrameType | None) -> bool:
    return frame is not None and frame.f_code.co_filename.startswith(ENGLISH)


@pytest.fixture
def reading() -> Reading:
    return Reading()


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def talked(model: type[ScriptedModel], memory: Memory, reading: Reading) -> set[str]:
    """Return what was called until the model was asked, each time that somebody had said something."""

    class Asked(model):  # type: ignore[valid-type, misc]
        def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
            reading.watched = False
            return str(super().complete(prompt, stop=stop, max_tokens=max_tokens))

    memory.keep_lesson(TAUGHT, Rule("Only for Ida: I never bring the nuts.", scope=Scope(person="Ida")))
    kitchen = Kitchen(Asked(["say('Read.')"] * len(SAID)) if model is Leader else Asked(), memory)
    with reading():
        kitchen.talk(*SAID)
    return reading.called


def test_before_a_model_that_leads_code_reads_only_who_speaks_and_for_whom(memory: Memory, reading: Reading) -> None:
    assert talked(Leader, memory, reading) == WHO_SPEAKS | FOR_WHOM


def test_before_one_that_does_not_it_reads_what_is_said(memory: Memory, reading: Reading) -> None:
    """So the test above would see it."""
    assert "understand" in talked(ScriptedModel, memory, reading)
