"""Function generation: what a statement calls and nobody has written is written then, where all can see it."""

from pathlib import Path

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.function_generation import define_function, missing_function
from daemon.imitation import Imitation
from daemon.llm.model import Prompt
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.transcript import render
from tests.support.fakes import ScriptedModel, WordEmbedder
from tests.support.worlds import Kitchen

UNDEFINED = "NameError: Name `{}` used when not defined. Nothing was done."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def talk(memory: Memory, model: ScriptedModel, *sentences: str) -> Kitchen:
    kitchen = Kitchen(model, memory, ConsoleConfig(statement_seconds=0.5))
    kitchen.talk(*sentences)
    return kitchen


def shown(model: ScriptedModel) -> str:
    return model.prompts[-1].history


def test_an_undefined_function_is_written_shown_and_called(memory: Memory) -> None:
    model = ScriptedModel(" say(greeting('Anna'))\n", "name):\n    return 'Hello ' + name\n")
    kitchen = talk(memory, model, "greet Anna")
    assert kitchen.seen.speech == ["Hello Anna"]
    definition = ">>> def greeting(name):\n...     return 'Hello ' + name\n>>> say(greeting('Anna'))\n"
    assert definition in shown(model)
    assert "NameError" not in shown(model)
    assert "def greeting(" in model.prompts[1].history


def test_a_function_is_there_for_later_statements(memory: Memory) -> None:
    model = ScriptedModel(" x = half(4)\n", "n):\n    return n / 2\n", " say(str(half(x)))\n")
    assert talk(memory, model, "halve it twice").seen.speech == ["1.0"]


def test_a_function_may_need_another_one(memory: Memory) -> None:
    model = ScriptedModel(" say(outer())\n", "):\n    return inner() + '!'\n", "):\n    return 'so'\n")
    assert talk(memory, model, "go").seen.speech == ["so!"]


def test_functions_that_need_ever_more_functions_come_to_an_end(memory: Memory) -> None:
    chain = [f"):\n    return f{n}()\n" for n in range(1, 50)]
    model = ScriptedModel(" f0()\n", *chain[:3], " say('I give up')\n")
    kitchen = talk(memory, model, "go")
    assert kitchen.seen.speech == ["I give up"]
    assert len(model.prompts) <= 8


def test_a_function_may_move_the_robot_and_its_errors_are_told(memory: Memory) -> None:
    model = ScriptedModel(
        " visit_all(['sink', 'nowhere'])\n", "places):\n    for place in places:\n        move_to(place)"
    )
    kitchen = talk(memory, model, "visit the sink and nowhere")
    assert any("nowhere" in result and "Hint" in result for result in kitchen.seen.results)


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("x):\n    return x\n", True),
        ("def f(x):\n    return x\n", True),
        ("x):\n    return x\nprint(f(3))\n", True),
        ("x):\n    return x\n```\nThat was it.", True),
        ("x):\n    return", True),
        ("I cannot do that", False),
        ("", False),
        ("x):\n", False),
    ],
)
def test_one_definition_is_taken_from_what_the_model_writes(reply: str, found: bool) -> None:
    definition = define_function("f", Prompt("", (), "def f("), ScriptedModel(reply))
    assert (definition or "").startswith("def f(x):") is found


def test_what_is_no_call_and_what_is_misspelt_is_left_to_the_model() -> None:
    assert missing_function("f(1)", UNDEFINED.format("f")) == "f"
    assert missing_function("x + 1", UNDEFINED.format("x")) is None
    assert missing_function("g.f()", UNDEFINED.format("g")) is None
    assert missing_function("mve_to('sink')", "NameError: Name `mve_to` used when not defined; did you mean") is None


def test_a_misspelt_function_is_not_written_but_corrected(memory: Memory) -> None:
    model = ScriptedModel(" mve_to('sink')\n", " say('now')\n")
    kitchen = talk(memory, model, "go to the sink")
    assert "did you mean `move_to`? Nothing was done." in shown(model)
    assert kitchen.seen.speech == ["now"]


def test_imitation_writes_no_functions_and_says_so(memory: Memory) -> None:
    assert define_function("f", Prompt("", (), "def f("), Imitation(WordEmbedder())) is None


def test_a_new_heed_does_not_know_the_function_unless_a_lesson_keeps_it(memory: Memory) -> None:
    model = ScriptedModel(" say(shout('so'))\n", "text):\n    return text.upper()\n")
    first = talk(memory, model, "say so aloud")
    assert talk(memory, ScriptedModel(" say(shout('so'))\n", "", " say('?')\n"), "say so aloud").seen.speech == ["?"]
    taught = render(first.console.history.turns[0].steps)
    memory.keep_lesson(taught, Rule("When I say aloud, shout."), "tester", ["say so aloud"])
    again = ScriptedModel(" say(shout('so'))\n")
    assert talk(memory, again, "say so aloud").seen.speech == ["SO"]
    assert len(again.prompts) == 2  # the model was not asked to write it
