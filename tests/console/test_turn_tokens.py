"""What an utterance costs a mind that leads: the tokens of its turn that are new, the situation read ahead included."""

from collections.abc import Callable
from datetime import UTC, datetime

import llama_cpp
import pytest

from bench.mind.console import KITCHEN
from daemon.console.situation import RULES, Situation
from daemon.llm.model import PROMPT_SIGN
from daemon.memory.lesson import Lesson
from daemon.memory.rules import Rule
from daemon.transcript import Step, render_answers
from sim.scene import Scene as World
from skills.scene import Scene
from tests.support.brain import HEED_BRAIN, needs_brain

MOST_NEW = 350
"""Tokens per utterance in the default kitchen."""
WITHIN = 2
"""Learned rules with which a turn stays below that; with more it does not, and is bounded by RULES."""
MOST_OF_A_RULE = 25
TAUGHT = (
    "When you ask for tea, I also bring the honey.",
    "I never bring the knife to Mia.",
    "I drive at half speed with the soup in the hand.",
    "The blue cup belongs to grandpa and stays on the shelf.",
    "In the evening I close the window before I go to the sofa.",
    "Breakfast is: put the bowl, the spoon and the milk on the table.",
)
WORDS = "and put the sponge on the counter while you are at it please"
"""As long as people's words are."""


@pytest.fixture(scope="module")
def count() -> Callable[[str], int]:
    """heed's own tokenizer."""
    vocabulary = llama_cpp.Llama(str(HEED_BRAIN), vocab_only=True, verbose=False)
    return lambda text: len(vocabulary.tokenize(text.encode(), add_bos=False))


def turn(rules: int) -> str:
    """Everything of a turn that no earlier turn has, with the number of learned rules."""
    seen = Scene.from_observation(World.load(KITCHEN).observe())
    learned = tuple(
        Lesson(number, Rule(TAUGHT[number % len(TAUGHT)]), "", datetime.now(UTC), "Anna", ())
        for number in range(1, rules + 1)
    )
    told = Situation(WORDS, seen, "room_center", "Anna", datetime(2026, 1, 14, 12, 0), learned).told
    heard = Step("wait_for_trigger()", repr({"type": "dialog", "text": WORDS}))
    return render_answers([heard], told.before, told.after) + PROMPT_SIGN


@needs_brain
@pytest.mark.parametrize("rules", range(WITHIN + 1))
def test_an_utterance_in_the_default_kitchen_has_350_new_tokens_at_most(
    count: Callable[[str], int], rules: int
) -> None:
    assert count(turn(rules)) <= MOST_NEW


@needs_brain
def test_what_rules_add_ends_with_those_that_are_shown(count: Callable[[str], int]) -> None:
    """Beyond, a line tells how many are not shown; nothing else is added."""
    assert turn(RULES).count("# learned") == turn(10 * RULES).count("# learned") == RULES
    assert count(turn(RULES)) <= MOST_NEW + (RULES - WITHIN) * MOST_OF_A_RULE
    assert count(turn(10 * RULES)) - count(turn(RULES)) <= 2 * MOST_OF_A_RULE
