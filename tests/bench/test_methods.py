"""The papers' ways to use a model, with models that follow a script: what they are asked, and what comes of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.baselines.cap import CodeAsPolicies, DynamicCap
from bench.baselines.heeds_way import ConsoleMethod, improved_lessons, raw_history
from bench.baselines.helper_method import Helper
from bench.baselines.method import Brain, Method, World
from bench.baselines.programs import ProgramFailed, as_program
from bench.baselines.table import METHODS
from bench.suites.tabletop import SEEDS
from bench.support.blocks_and_bowls import TABLETOP_SKILLS, Table, imagine
from bench.support.rehearsed import Person
from daemon.config import MemoryConfig
from daemon.imitation import Imitation
from daemon.llm.model import LanguageModel
from daemon.memory.store import Memory
from skills.skill import SkillContext
from tests.support.fakes import ScriptedModel, WordEmbedder

COMMAND = "put the red block on the blue block"
PUT = "put_first_on_second('red block', 'blue block')\n"


class Bench:
    """One table, and what is said at it."""

    def __init__(self, memory: Memory) -> None:
        self.table = Table(
            {"middle": (0.0, -0.5)}, {"red block": (0.1, -0.4), "blue block": (-0.1, -0.6), "red bowl": (0.0, -0.4)}
        )
        self.memory = memory

    def brain(self, model: LanguageModel) -> Brain:
        return Brain(model, WordEmbedder(), self.memory)

    def talk(self, method: Method, *commands: str, success: bool = True) -> list[tuple[str, str]]:
        """Say this; returns the statements that were run, with their results."""
        script = iter(commands)
        context = SkillContext(self.table, self.table.observe)  # type: ignore[arg-type]
        agent = method.agent(
            Person(lambda: next(script, None), lambda _: "yes"), World(TABLETOP_SKILLS, context, imagine)
        )
        agent.run()
        method.ended(agent, success)
        return agent.notes.statements

    @property
    def stacked(self) -> bool:
        return self.table.objects["red block"] == self.table.objects["blue block"]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig(), SEEDS) as memory:
        yield Bench(memory)


def test_cap_writes_all_code_at_once_after_the_command_as_a_comment(bench: Bench) -> None:
    model = ScriptedModel(PUT + "put_first_on_second('blue block', 'red bowl')\n")
    bench.talk(CodeAsPolicies(bench.brain(model)), COMMAND)
    assert len(model.prompts) == 1
    assert model.prompts[0].history.startswith("objects = [('red block', 'block', 'table')")
    assert model.prompts[0].history.endswith(f"# {COMMAND}\n")
    assert "put_first_on_second(obj_name: str" in model.prompts[0].base
    assert bench.table.objects["blue block"] == bench.table.objects["red bowl"]


def test_cap_is_shown_all_examples_as_programs(bench: Bench) -> None:
    model = ScriptedModel(PUT)
    bench.talk(CodeAsPolicies(bench.brain(model)), COMMAND)
    assert len(model.prompts[0].examples) == len(bench.memory.examples())
    assert all(">>>" not in example for example in model.prompts[0].examples)


def test_cap_ends_at_the_first_error_and_the_model_never_sees_it(bench: Bench) -> None:
    model = ScriptedModel("put_first_on_second('unicorn', 'middle')\n" + PUT)
    with pytest.raises(ProgramFailed, match="unicorn"):
        bench.talk(CodeAsPolicies(bench.brain(model)), COMMAND)
    assert len(model.prompts) == 1
    assert not bench.stacked


def test_cap_writes_undefined_functions_recursively(bench: Bench) -> None:
    model = ScriptedModel(
        "put_first_on_second(reddest(get_obj_names()), 'blue block')\n",
        "names):\n    return [name for name in names if is_red(name)][0]\n",
        "name):\n    return name.startswith('red')\n",
    )
    bench.talk(CodeAsPolicies(bench.brain(model)), COMMAND)
    assert bench.stacked


def test_in_a_session_cap_sees_its_earlier_code(bench: Bench) -> None:
    model = ScriptedModel(PUT, "put_first_on_second('red block', 'red bowl')\n")
    bench.talk(CodeAsPolicies(bench.brain(model)), COMMAND, "now into the red bowl")
    assert f"# {COMMAND}\n{PUT}" in model.prompts[1].history


def test_dynamic_cap_keeps_what_ended_well_and_nothing_else(bench: Bench) -> None:
    method = DynamicCap(bench.brain(ScriptedModel(PUT, "x = 1\n", PUT)))
    bench.talk(method, COMMAND, success=False)
    assert bench.memory.lessons() == []
    bench.talk(method, "do something useless")
    bench.talk(method, COMMAND)
    kept = [lesson.transcript for lesson in bench.memory.lessons()]
    assert len(kept) == 2
    assert PUT in as_program(kept[1])


def test_dynamic_cap_is_shown_the_nearest_examples_the_nearest_last(bench: Bench, tmp_path: Path) -> None:
    with Memory(tmp_path / "few.sqlite", WordEmbedder(), MemoryConfig(examples=2), SEEDS) as memory:
        bench.memory = memory
        model = ScriptedModel(PUT, PUT)
        method = DynamicCap(bench.brain(model))
        bench.talk(method, COMMAND)
        bench.talk(method, COMMAND)
    assert len(model.prompts[1].examples) == 2
    assert COMMAND in model.prompts[1].examples[-1]


def test_helper_explains_an_error_and_plans_anew_from_there(bench: Bench) -> None:
    model = ScriptedModel(
        "put_first_on_second('blue block', 'red bowl')\nput_first_on_second('read block', 'blue block')\n",
        " There is no read block, but a red one.\n# Plan:\n" + PUT,
    )
    ran = bench.talk(Helper(bench.brain(model)), COMMAND)
    asked = model.prompts[1].history
    assert "# Failed: put_first_on_second('read block', 'blue block')\n# Error: RuntimeError" in asked
    assert asked.endswith("# Explain:")
    assert f"# {COMMAND}\nput_first_on_second('blue block', 'red bowl')\n# Failed" in asked
    assert [statement for statement, _ in ran].count("put_first_on_second('blue block', 'red bowl')") == 1
    assert bench.stacked


def test_helper_corrects_three_times_and_no_more(bench: Bench) -> None:
    wrong = "put_first_on_second('unicorn', 'middle')\n"
    model = ScriptedModel(wrong, *[f" Still wrong.\n# Plan:\n{wrong}"] * 9)
    with pytest.raises(ProgramFailed, match="unicorn"):
        bench.talk(Helper(bench.brain(model)), COMMAND)
    assert len(model.prompts) == 4


def test_helper_plans_a_further_command_without_its_earlier_code(bench: Bench) -> None:
    model = ScriptedModel(PUT, "put_first_on_second('red block', 'red bowl')\n")
    bench.talk(Helper(bench.brain(model)), COMMAND, "now into the red bowl")
    assert COMMAND not in model.prompts[1].history


def test_helper_keeps_what_ended_well_without_its_errors(bench: Bench) -> None:
    model = ScriptedModel("put_first_on_second('unicorn', 'middle')\n", " Wrong.\n# Plan:\n" + PUT)
    bench.talk(Helper(bench.brain(model)), COMMAND)
    (lesson,) = bench.memory.lessons()
    assert "unicorn" not in lesson.transcript
    assert "put_first_on_second('red block', 'blue block')" in lesson.transcript


def test_helper_is_shown_errors_of_examples_and_what_helped(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig()) as memory:
        bench = Bench(memory)
        model = ScriptedModel("put_first_on_second('unicorn', 'middle')\n", " Wrong.\n# Plan:\n" + PUT)
        bench.talk(Helper(bench.brain(model)), COMMAND)
    assert "# Plan:\nopen_door('fridge')" in model.prompts[1].history


def test_a_raw_history_is_kept_with_its_mistakes(bench: Bench) -> None:
    model = ScriptedModel(
        " put_first_on_second('unicorn', 'middle')\n", f" {PUT}", " wait_for_trigger()\n", " learn_from_interaction()\n"
    )
    bench.talk(ConsoleMethod(bench.brain(model), raw_history), COMMAND, "remember that")
    (lesson,) = bench.memory.lessons()
    assert "unicorn" in lesson.transcript


def test_heed_improves_before_it_keeps_and_rehearses_on_a_copy_of_the_table(bench: Bench) -> None:
    model = ScriptedModel(
        " put_first_on_second('red block', 'middle')\n",
        " wait_for_trigger()\n",
        f" {PUT}",
        " wait_for_trigger()\n",
        " learn_from_interaction()\n",
        "It was put in the middle.",
        "When you say so, I will put it on the blue block.",
        f" {PUT}",
    )
    bench.talk(ConsoleMethod(bench.brain(model), improved_lessons), COMMAND, "no, on the blue block", "remember that")
    (lesson,) = bench.memory.lessons()
    assert "'middle'" not in lesson.transcript
    assert lesson.rule.text == "When you say so, I will put it on the blue block."


@pytest.mark.parametrize("name", METHODS)
def test_every_method_works_without_weights(bench: Bench, name: str) -> None:
    bench.talk(METHODS[name](bench.brain(Imitation(WordEmbedder()))), "take the red block and set it on the blue block")
    assert bench.stacked


def test_a_transcript_reads_as_a_program() -> None:
    transcript = (
        ">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'get the cheese'}\n>>> list_objects()\n['cheese']\n"
        ">>> grasp('cheese')\nRuntimeError: closed\n>>> open_door('fridge')\n'success'\n>>> grasp('cheese')\n"
    )
    assert as_program(transcript) == "objects = ['cheese']\n# get the cheese\nopen_door('fridge')\ngrasp('cheese')\n\n"
