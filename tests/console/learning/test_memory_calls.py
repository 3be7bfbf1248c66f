"""What is kept by typed calls, and taught again."""

from pathlib import Path

import pytest

from daemon.config import MemoryConfig
from daemon.memory.effects import Meaning, Routine
from daemon.memory.number_rules import Carry, Pace, Speed
from daemon.memory.prohibitions import Never
from daemon.memory.rules import Scope
from daemon.memory.store import Memory
from daemon.transcript import LEARNED
from tests.console.test_leading import Leader, told
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def taught(memory: Memory, *calls: str) -> Kitchen:
    """Return a kitchen in which somebody has agreed to each call."""
    kitchen = Kitchen(Leader(calls), memory)
    kitchen.talk(*(words for number, _ in enumerate(calls) for words in (f"this is lesson {number}", "yes")))
    return kitchen


@pytest.mark.parametrize(
    ("calls", "kept"),
    [
        (["call_it('kit', 'the bowl')", "call_it('kit', 'the plate')"], [Meaning("kit", "the plate")]),
        (["routine('breakfast', 'the bowl')", "routine('breakfast', 'the cup')"], [Routine("breakfast", "the cup")]),
        (
            ["prefer('move_to', 0.5, end='sink')", "prefer('move_to', 0.8, end='sink')"],
            [Speed("", "sink", 0.8)],
        ),
        (
            ["prefer('open_door', 0.5, end='fridge')", "prefer('open_door', 0.8, end='fridge')"],
            [Pace("open", "fridge", 0.8)],
        ),
        (["call_it('kit', 'a bowl')", "call_it('set', 'a cup')"], [Meaning("kit", "a bowl"), Meaning("set", "a cup")]),
        (
            ["prefer('move_to', 0.5, end='sink')", "prefer('move_to', 0.5, thing='cup')"],
            [Speed("", "sink", 0.5), Carry(Scope(object="cup"), 0.5)],
        ),
        (["forbid('milk')", "forbid('milk', who='anna')"], [Never("milk"), Never("milk")]),
    ],
    ids=["a name", "a routine", "a speed", "a pace", "two names", "two speeds", "for all, and for one"],
)  # fmt: skip
def test_what_is_taught_anew_takes_the_place_of_the_same_and_of_nothing_else(
    memory: Memory, calls: list[str], kept: list[object]
) -> None:
    taught(memory, *calls)
    assert [lesson.rule.effect for lesson in memory.lessons()] == kept


def test_what_took_the_place_of_another_is_all_that_the_mind_reads(memory: Memory) -> None:
    taught(memory, "routine('breakfast', 'the bowl goes on the table')", "routine('breakfast', 'the cup does')")
    model = Leader(["say('As you like.')"])
    Kitchen(model, memory).talk("breakfast please")
    above, _ = told(model.prompts[0])
    assert [line for line in above.splitlines() if "breakfast" in line] == [
        "# learned 2: The breakfast is: the cup does."
    ]


def test_a_number_that_was_forgotten_is_not_driven_any_more(memory: Memory) -> None:
    drive = "move_to('sink')"
    kitchen = Kitchen(Leader(["prefer('move_to', 0.5, end='sink')", drive, "forget(1)", drive]), memory)
    kitchen.talk("slowly to the sink", "yes", "go there", "not so slowly any more", "yes", "go there")
    steps = [step for turn in kitchen.console.history.turns for step in turn.steps if step.statement == drive]
    assert [step.result.startswith(LEARNED) for step in steps] == [True, False]


def test_what_was_learned_for_a_deed_needs_no_further_answer(memory: Memory) -> None:
    model = Leader(["prefer('move_to', 0.5, end='sink')", "move_to('sink')", "say('It is not asked for this.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("slowly to the sink", "yes", "go there")
    assert len(model.prompts) == 2
    assert kitchen.seen.speech[-1] == "That is done."
