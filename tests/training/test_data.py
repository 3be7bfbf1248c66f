"""The training data: the same for the same seed, true, and without the words that are held out."""

import re
from itertools import islice
from pathlib import Path

import pytest

from daemon.console.builtins import TALK
from daemon.console.executor import Executor
from daemon.transcript import parse_transcript
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import SkillContext, load_skills, stubs
from training import phrases, words
from training.phrases import Phrasings
from training.prompts import training_prompts
from training.suites import SUITES, cases_of, prompts_of
from training.world import BODY

BENCH_FILES = sorted((Path(__file__).parents[1] / "bench" / "data").glob("*.json"))


def test_the_same_seed_gives_the_same_prompts() -> None:
    assert list(islice(training_prompts(3), 5)) == list(islice(training_prompts(3), 5))
    assert list(islice(training_prompts(3), 5)) != list(islice(training_prompts(4), 5))


@pytest.mark.parametrize("suite", SUITES)
def test_a_transcript_is_what_the_real_console_returns_with_real_arms(suite: str) -> None:
    _, asker = cases_of(suite, 2)[1]
    robot = RehearsalRobot(Scene.from_description(asker.world.description), BODY)
    context = SkillContext(robot, robot.observe)
    skills = load_skills()
    functions = {name: skill.bind(context) for name, skill in skills.items()} | {"say": lambda text: None}
    executor = Executor(functions, stubs([*skills.values(), *TALK]), 5.0)
    try:
        for step in asker.console.steps:
            if step.called not in ("wait_for_trigger", "ask"):
                assert executor.run(step.statement).result == step.result, step.statement
    finally:
        executor.close()


def test_every_transcript_can_be_read_back() -> None:
    for prompt in islice(training_prompts(5), 20):
        for text in (*prompt.examples, prompt.conversation):
            assert parse_transcript(text.rstrip().removesuffix(">>> wait_for_trigger()"))


def test_held_out_words_are_never_in_training_prompts() -> None:
    held_out = words.held_out_words()
    assert len(held_out) > 25
    for prompt in islice(training_prompts(6), 60):
        said = set(re.findall(r"[a-z]+", "".join((*prompt.examples, prompt.conversation))))
        assert not said & held_out


def test_held_out_phrasings_are_no_training_phrasings() -> None:
    tables = [table for table in vars(phrases).values() if isinstance(table, Phrasings)]
    seen = {template for table in tables for template in table.seen}
    assert not seen & {template for table in tables for template in table.unseen}


def test_the_suite_of_unseen_names_uses_them() -> None:
    held_out = words.held_out_words()
    prompts = prompts_of("unseen_names", 8)
    assert all(set(re.findall(r"[a-z]+", prompt.conversation)) & held_out for prompt in prompts)


def test_no_sentence_of_a_bench_is_a_phrasing() -> None:
    """Longer ones only: "come here" is anybody's."""
    benches = " ".join(path.read_text(encoding="utf-8").lower() for path in BENCH_FILES)
    tables = [table for table in vars(phrases).values() if isinstance(table, Phrasings)]
    fixed = [t.lower() for table in tables for t in (*table.seen, *table.unseen) if "{" not in t and t.count(" ") > 4]
    assert not [text for text in fixed if f'"{text}' in benches]


@pytest.mark.parametrize("case", ["shown", "shown_other"])
def test_a_habit_is_shown_in_the_examples(case: str) -> None:
    for prompt in prompts_of(case, 3):
        assert len(prompt.examples) >= 3
