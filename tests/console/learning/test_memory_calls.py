"""What is kept by typed calls: for whom and when it holds, taught again, taken back, and carried to another robot."""

import io
from pathlib import Path
from typing import Any

import pytest

from daemon.config import MemoryConfig
from daemon.console.who_speaks import WHO
from daemon.memory.effects import Meaning, Routine
from daemon.memory.lesson import LessonStatus
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.number_rules import Carry, Hold, Pace, Pull, Speed
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, Untouched
from daemon.memory.rules import Scope
from daemon.memory.store import Memory
from daemon.transcript import LEARNED
from sim.scene import Scene
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
        (["forbid('milk', who='Anna')", "forbid('milk', who='anna', why='it is hers')"], [Never("milk")]),
        (["forbid('milk', who='anna')", "forbid('milk', who='ben')"], [Never("milk"), Never("milk")]),
        (["forbid('milk', why='it is sour')", "forbid('milk', why='it makes you ill')"], [Never("milk")]),
        (
            ["forbid('cup', place='table')", "forbid('cup', place='sink')", "forbid('cup', place='table', why='wood')"],
            [KeptOff(Scope(object="cup"), "sink"), KeptOff(Scope(object="cup"), "table")],
        ),
        (
            ["forbid('cup')", "forbid('cup', touch=True)"],
            [Never("cup"), Untouched(Scope(object="cup"))],
        ),
        (
            ["forbid('open_door', place='fridge')", "forbid('open_door')"],
            [Forbidden("open_door", "fridge"), Forbidden("open_door")],
        ),
        (
            ["forbid('anything', place='table')", "forbid('anything')", "forbid('anything', touch=True)"],
            [Forbidden("place", "table"), Forbidden("handover"), Forbidden("grasp")],
        ),
        (
            ["prefer('grasp', 0.02, thing='cup')", "prefer('grasp', -0.01, thing='cup')"],
            [Hold(Scope(object="cup"), -0.01)],
        ),
        (["prefer('pull', 0.05, end='fridge')", "prefer('pull', 0.02, end='fridge')"], [Pull("fridge", 0.02)]),
    ],
    ids=[
        "a name", "a routine", "a speed", "a pace", "two names", "two speeds", "for all, and for one",
        "for one, by any letters", "for two people", "another reason", "off two places", "not brought, not touched",
        "at a place, and nowhere", "all things", "a hold", "a pull",
    ],
)  # fmt: skip
def test_what_is_taught_anew_takes_the_place_of_the_same_and_of_nothing_else(
    memory: Memory, calls: list[str], kept: list[object]
) -> None:
    taught(memory, *calls)
    assert [lesson.rule.effect for lesson in memory.lessons()] == kept


def test_a_routine_keeps_what_was_said_of_it_and_what_was_said_instead(memory: Memory) -> None:
    told = "tea time is the cup and the milk on the table"
    Kitchen(Leader(["routine('the tea time', 'put the cup on the table')"]), memory).talk(told, "yes")
    assert [lesson.rule.effect for lesson in memory.lessons()] == [
        Routine("tea time", "the cup and the milk on the table")
    ]
    for lesson in memory.lessons():
        memory.forget(lesson.id)
    calls = ["routine('tea time', 'the cup and the milk')", "routine('tea time', 'the cup')"]
    Kitchen(Leader(calls), memory).talk(told, "no, without the milk", "yes")
    assert [lesson.rule.effect for lesson in memory.lessons()] == [Routine("tea time", "the cup")]


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


def test_two_places_with_one_name_have_a_speed_each(memory: Memory) -> None:
    world = {"locations": ["hall", "workbench_0", "workbench_1"], "objects": {}, "robot": {"location": "hall"}}
    calls = [f"prefer('move_to', 0.5, end='workbench_{number}')" for number in range(2)]
    kitchen = Kitchen(Leader(["\n".join(calls)]), memory, scene=Scene.from_description(world))
    kitchen.talk("slowly to both workbenches", "yes", "yes")
    kept = [lesson.rule.effect for lesson in memory.lessons()]
    assert kept == [Speed("", "workbench_0", 0.5), Speed("", "workbench_1", 0.5)]


# --- for whom, and when ---

MILK = "move_to('fridge')\nopen_door('fridge')\ngrasp('milk')\nmove_to('person')\nhandover('milk')\nsay('Here.')"
HELLO = "say('Hello.')"


@pytest.mark.parametrize("who", ["me", "anna", "Anna"])
def test_what_somebody_forbids_for_themselves_is_refused_to_them_and_given_to_others(memory: Memory, who: str) -> None:
    model = Leader([f"forbid('milk', who={who!r})", MILK, "say('No milk for you.')", "handover('milk')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("I am Anna", "never any milk for me", "yes", "bring me the milk", "I am Ben", "then i have it")
    (lesson,) = memory.lessons()
    assert (lesson.rule.effect, lesson.rule.scope.person) == (Never("milk"), "Anna")
    question = "Only for Anna: I never bring the milk, even when you ask for it. Shall I remember that?"
    assert question in kitchen.seen.speech
    assert "No milk for you." in kitchen.seen.speech
    assert "RuntimeError: I was told never to bring the milk" in model.prompts[2].history
    assert kitchen.where("milk") == "person"


def test_who_wants_what_somebody_forbade_for_themselves_is_asked_who_they_are(memory: Memory) -> None:
    Kitchen(Leader(["forbid('milk', who='me')"]), memory).talk("I am Anna", "never any milk for me", "yes")
    kitchen = Kitchen(Leader([MILK, "say('No milk for you.')"]), memory)
    kitchen.talk("bring me the milk", "Anna")
    assert kitchen.seen.speech == [WHO, "No milk for you."]


def test_a_rule_for_a_speaker_whom_nobody_knows_is_not_kept(memory: Memory) -> None:
    model = Leader(["remember('You like tea.', who='me')", "say('Who are you?')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("i like tea", "yes")
    assert "RuntimeError: I do not know who speaks. Hint: ask their name" in model.prompts[1].history
    assert kitchen.seen.speech[0] == "Who are you?"
    assert memory.lessons() == []


@pytest.mark.parametrize("who", ["me", "you", "speaker"])
def test_what_a_speaker_whom_nobody_knows_forbids_is_forbidden_for_everybody(memory: Memory, who: str) -> None:
    model = Leader([f"forbid('milk', who={who!r})", MILK, "say('No milk.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never bring me milk", "yes", "bring me the milk")
    (lesson,) = memory.lessons()
    assert (lesson.rule.effect, lesson.rule.scope.person) == (Never("milk"), "")
    assert kitchen.where("milk") != "person"


@pytest.mark.parametrize("who", ["table", "cup", "person"])
def test_what_is_forbidden_for_nobody_in_particular_is_forbidden_for_everybody(memory: Memory, who: str) -> None:
    taught(memory, f"forbid('milk', who={who!r})")
    (lesson,) = memory.lessons()
    assert (lesson.rule.text, lesson.rule.scope.person) == ("I never bring the milk, even when you ask for it.", "")


def test_what_is_forbidden_for_somebody_holds_by_each_of_their_names(memory: Memory) -> None:
    people = [{"name": "person", "kind": "person"}, {"name": "mia", "kind": "person", "aliases": ["my daughter"]}]
    world: dict[str, Any] = {
        "locations": ["hall", {"name": "bench"}, *people],
        "objects": {"nuts": {"location": "bench"}},
        "robot": {"location": "hall"},
    }
    fetch = "move_to('bench')\ngrasp('nuts')\nmove_to('mia')\nhandover('nuts')\nsay('Here.')"
    model = Leader(["forbid('nuts', who='my daughter')", fetch, "say('No.')"])
    kitchen = Kitchen(model, memory, scene=Scene.from_description(world))
    kitchen.talk("my daughter must not have nuts", "yes", "take the nuts over there")
    assert kitchen.seen.speech[-1] == "No."
    assert kitchen.where("nuts") != "mia"


def test_a_rule_for_a_time_is_read_by_the_mind_at_that_time_alone(memory: Memory) -> None:
    taught(memory, "remember('I bring the decaf.', when='in the evening')")
    assert memory.lessons()[0].rule.scope.time == "in the evening"
    model = Leader([HELLO, HELLO])
    Kitchen(model, memory).talk("good evening, a coffee please", "good morning, a coffee please")
    assert ["learned 1: In the evening, I bring the decaf." in told(prompt)[0] for prompt in model.prompts] == [
        True,
        False,
    ]


def test_a_time_that_no_clock_tells_is_left_to_the_mind(memory: Memory) -> None:
    taught(memory, "remember('I close the curtain.', when='after the news')")
    model = Leader([HELLO])
    Kitchen(model, memory).talk("the news are over")
    assert "# learned 1: After the news, I close the curtain.\n" in told(model.prompts[0])[0]


# --- taken back ---


def test_what_was_forbidden_and_forgotten_is_done_again_and_told_no_more(memory: Memory) -> None:
    model = Leader(["forbid('milk')", "forget(1)", MILK])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never the milk", "yes", "forget that", "yes", "bring me the milk")
    assert kitchen.where("milk") == "person"
    assert "learned 1" in told(model.prompts[1])[0]
    assert "learned 1" not in told(model.prompts[2])[0]


@pytest.mark.parametrize(
    ("answer", "said", "read"),
    [
        ("no", ["All right, I keep it."], "the person said 'no'"),
        ("only the one about the milk", [], "the person answered 'only the one about the milk'"),
    ],
)
def test_without_a_yes_nothing_is_forgotten(memory: Memory, answer: str, said: list[str], read: str) -> None:
    model = Leader(["forbid('milk')", "forget(1)", "say('As you like.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never the milk", "yes", "forget what i told you", answer)
    assert read in model.prompts[2].history
    question = "I never bring the milk, even when you ask for it. Shall I forget that?"
    assert kitchen.seen.speech[kitchen.seen.speech.index(question) + 1 :] == [*said, "As you like."]
    assert [lesson.rule.effect for lesson in memory.lessons()] == [Never("milk")]


@pytest.mark.parametrize("answer", ["yes, and the one about the cup", "not that one but the other"])
def test_an_answer_that_begins_with_yes_or_no_goes_back_to_the_mind(memory: Memory, answer: str) -> None:
    model = Leader(["forbid('milk')", "forget(1)", "say('As you like.')"])
    Kitchen(model, memory).talk("never the milk", "yes", "forget what i told you", answer)
    assert f"the person answered {answer!r}" in model.prompts[2].history
    assert len(memory.lessons()) == 1


def test_who_wants_something_else_than_to_forget_is_heard(memory: Memory) -> None:
    model = Leader(["forbid('cup')", "forget(1)", "say('All right.')", MILK])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never the cup", "yes", "forget that", "now the milk")
    assert "says so next" in model.prompts[2].history
    assert "now the milk" in kitchen.console.history.utterances
    assert kitchen.where("milk") == "person"
    assert len(memory.lessons()) == 1


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("forget what I said about the milk", "cup"),
        ("forget the thing with the cup", "milk"),
        ("forget that", "milk"),
        ("forget what I said about the honey", "milk"),
    ],
)
def test_what_is_forgotten_is_what_the_person_names(memory: Memory, said: str, kept: str) -> None:
    kitchen = Kitchen(Leader(["forbid('milk')", "forbid('cup')", "forget(2)"]), memory)
    kitchen.talk("never any milk", "yes", "nor a cup", "yes", said, "yes")
    other = "cup" if kept == "milk" else "milk"
    assert f"I never bring the {other}, even when you ask for it. Shall I forget that?" in kitchen.seen.speech
    assert [lesson.rule.effect for lesson in memory.lessons()] == [Never(kept)]


def test_where_several_rules_speak_of_what_is_named_the_mind_asks_which(memory: Memory) -> None:
    model = Leader(
        ["forbid('milk')", "remember('When you ask for milk, I also bring a cup.')", "forbid('honey')", "forget(3)",
         "say('Which?')"]
    )  # fmt: skip
    Kitchen(model, memory).talk(
        "never milk", "yes", "a cup with it", "yes", "no honey", "yes", "not that about the milk"
    )
    told = "RuntimeError: rule 3 says nothing of that, rules 1 and 2 do. Hint: ask which one, by its words"
    assert told in model.prompts[-1].history
    assert len(memory.lessons()) == 3


def test_a_rule_that_another_has_replaced_is_not_forgotten_in_its_place(memory: Memory) -> None:
    slow, fast = (f"prefer('move_to', {factor}, end='sink')" for factor in (0.5, 0.8))
    model = Leader([slow, fast, "forget(1)", "forget(2)", "forget(2)", "say('There is none.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("slowly to the sink", "yes", "a bit faster", "yes", "forget that", "yes", "is it gone")
    assert "RuntimeError: rule 1 holds no more: rule 2 took its place. Hint: forget(2)" in model.prompts[3].history
    assert "RuntimeError: rule 2 is forgotten already" in model.prompts[5].history
    assert memory.lessons() == []


def test_forgetting_the_newer_rule_leaves_the_older_one_where_it_was_and_restoring_brings_it_back(
    memory: Memory,
) -> None:
    drive = "move_to('sink')"
    taught(memory, "prefer('move_to', 0.5, end='sink')", "prefer('move_to', 0.8, end='sink')")

    def driven() -> list[str]:
        kitchen = Kitchen(Leader([drive]), memory)
        kitchen.talk("to the sink")
        return [result for result in kitchen.seen.results if result.startswith(LEARNED)]

    assert "at 0.8 times" in driven()[0]
    memory.forget(2)
    assert driven() == []
    memory.restore(1)
    assert "at 0.5 times" in driven()[0]
    memory.restore(2)
    assert "at 0.8 times" in driven()[0]
    assert memory.lesson(1).status is LessonStatus.SUPERSEDED


class Full(Memory):
    """On a disk that takes nothing."""

    def forget(self, id: int) -> Any:
        raise MemoryFileError("the disk is full")


def test_what_cannot_be_forgotten_since_the_disk_is_full_is_told(tmp_path: Path) -> None:
    memory = Full(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())
    model = Leader(["forbid('milk')", "forget(1)", "say('My disk is full.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never the milk", "yes", "forget that", "yes")
    assert "I could not write that down: the disk is full. Hint: tell the person" in model.prompts[2].history
    assert "I have forgotten it." not in kitchen.seen.speech


# --- carried to another robot ---

EVERY_CALL = (
    "remember('I bring a spoon.', applies_to='tea', who='Anna', when='in the evening')",
    "forbid('milk', why='it makes you ill')",
    "forbid('juice', who='ida')",
    "forbid('cup', place='table')",
    "forbid('banana', touch=True)",
    "forbid('open_door', place='cupboard')",
    "prefer('move_to', 0.5, start='table', end='sink')",
    "prefer('move_to', 0.5, thing='cup')",
    "prefer('grasp', 0.02, thing='cup')",
    "prefer('open_door', 0.5, end='fridge')",
    "prefer('close_door', 0.5, end='fridge')",
    "prefer('pull', 0.05, end='fridge')",
    "call_it('the cold stuff', 'juice')",
    "routine('breakfast', 'the bowl and the spoon go on the table')",
)


def exported(memory: Memory) -> list[str]:
    file = io.StringIO()
    memory.export_jsonl(file)
    return file.getvalue().splitlines()


def another(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "another.sqlite", WordEmbedder(), MemoryConfig())


def test_every_typed_rule_is_the_same_on_another_robot_and_holds_there(memory: Memory, tmp_path: Path) -> None:
    taught(memory, *EVERY_CALL)
    other = another(tmp_path)
    assert other.import_jsonl(exported(memory)) == len(EVERY_CALL)
    here, there = memory.lessons(), other.lessons()
    assert [lesson.rule for lesson in there] == [lesson.rule for lesson in here]
    assert [lesson.heard for lesson in there] == [lesson.heard for lesson in here]
    model = Leader([f"move_to('table')\nmove_to('sink')\n{MILK}", "pass"])
    kitchen = Kitchen(model, other)
    kitchen.talk("bring me the milk")
    assert kitchen.where("milk") != "person"
    assert "# learned 14: The breakfast is: the bowl and the spoon go on the table.\n" in told(model.prompts[0])[0]
    assert "On the way from the table to the sink, I drive at 0.5 times" in "".join(kitchen.seen.results)
    assert "When I open the fridge" in "".join(kitchen.seen.results)
