"""What a prompt holds, what gives way in it, and what is gathered only for those who ask."""

import re

import llama_cpp
import pytest

from daemon.console.builtins import TALK
from daemon.console.history import InteractionHistory, Turn
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.place_functions import PLACES
from daemon.console.prompt import STATEMENT_TOKENS, InteractPrompts, base_prompt, role_text
from daemon.console.reminders import REMINDERS
from daemon.console.tasks import TASKS
from daemon.transcript import Step
from skills.skill import Skill, load_skills
from tests.support.brain import HEED_BRAIN, needs_brain
from tests.support.fakes import ScriptedModel

SCENE = {"objects": [{"name": "cup"}], "locations": [{"name": "table"}]}
EXAMPLES = [f">>> say('{number}{'x' * 400}')\n" for number in range(6)]
CONSOLE = [*TALK, *TEACHING, *TASKS, *REMINDERS, *PLACES]
ALL = [*load_skills().values(), *CONSOLE]
SHIPPED = [skill for skill in load_skills().values() if skill.function.__module__.startswith("skills.")]
"""Without those of packages that somebody has installed beside heed."""


class Counting(InteractionHistory):
    """Notes how often somebody looked at its turns."""

    looked = 0

    @property
    def turns(self) -> list[Turn]:
        self.looked += 1
        return super().turns


def heard(text: str) -> Counting:
    history = Counting()
    history.begin_turn(SCENE)
    history.add(Step("wait_for_trigger()", repr({"type": "dialog", "text": text})))
    return history


def prompts(context_tokens: int) -> InteractPrompts:
    model = ScriptedModel()
    model.context_tokens = context_tokens + model.count_tokens(role_text("interact"))
    return InteractPrompts((), model)


def test_names_are_gathered_for_those_who_ask_alone() -> None:
    history = heard("hello")
    prompt = prompts(8192).prompt(EXAMPLES, history)
    assert not history.looked
    scope = prompt.scope()
    assert scope is not None
    assert "cup" in scope.names["object"]
    assert history.looked


def test_prompts_with_the_same_text_are_the_same() -> None:
    """Else nothing that the model wrote while the robot still moved could be used."""
    assert prompts(8192).prompt(EXAMPLES, heard("hello")) == prompts(8192).prompt(EXAMPLES, heard("hello"))


def test_whoever_has_more_room_gets_all_examples() -> None:
    prompt = prompts(900).prompt(EXAMPLES, heard("hello"))
    assert 0 < len(prompt.examples) < len(EXAMPLES)
    assert prompt.whole is not None
    whole = prompt.whole()
    assert len(whole.examples) == len(EXAMPLES)
    assert whole.history == prompt.history


def test_examples_give_way_to_what_was_just_said() -> None:
    prompt = prompts(900).prompt(EXAMPLES, heard("so " * 600))
    assert "so so so" in prompt.history
    assert len(prompt.text) // 4 <= 900 + len(role_text("interact")) // 4 - STATEMENT_TOKENS


@needs_brain
def test_what_heed_ships_and_never_changes_has_1500_real_tokens_at_most() -> None:
    vocabulary = llama_cpp.Llama(str(HEED_BRAIN), vocab_only=True, verbose=False)
    tokens = len(vocabulary.tokenize(base_prompt([*SHIPPED, *CONSOLE], leads=True).encode(), add_bos=False))
    assert tokens <= 1500, f"{tokens} tokens: shorten the first line of a skill's docstring, or a rule in lead.txt"


def test_no_function_is_told_in_half_a_bracket() -> None:
    """Those of which a leader need not read, such as list_objects(), included."""
    assert [skill.brief for skill in ALL if skill.brief.count("(") != skill.brief.count(")")] == []


@pytest.mark.parametrize(
    "offered", [ALL, [*load_skills().values(), *TALK], [*load_skills().values(), *TALK, *TEACHING]]
)
def test_rules_and_seeds_name_only_functions_of_the_list(offered: list[Skill]) -> None:
    text = base_prompt(offered, leads=True)
    listed = set(re.findall(r"(?m)^(\w+)\(.*\)  # ", text))
    assert set(re.findall(r"\b([a-z_]+)\(", text)) - listed <= {"wait_for_trigger"}
    assert ("remember_later(" in text) == (offered is ALL)


def test_nothing_of_rules_and_seeds_is_lost_where_all_functions_are_there() -> None:
    text = base_prompt(ALL, leads=True)
    assert text.startswith(role_text("lead"))
    assert text.endswith(f"{role_text('lead_examples')}\n")


def test_a_leader_is_shown_at_most_14_short_dialogues_and_only_what_it_can_call() -> None:
    shown = role_text("lead_examples")
    known = {skill.name for skill in ALL}
    called = set(re.findall(r"(?:>>> |^)(?:say\()?([a-z_]+)\(", shown, re.MULTILINE))
    assert shown.count("wait_for_trigger()") <= 14
    assert called <= known
    assert {"ask", "remember", "remember_later", "forbid", "begin_later"} <= called
