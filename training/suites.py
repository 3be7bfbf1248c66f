"""Held-out requests, by construction: names and phrasings that training never uses, lessons shown and not shown."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from training.families import Asker
from training.lessons import BringAlso, NewVerb, ServeAt
from training.prompts import TrainingPrompt, conversation_prompt, habit_prompt, shown_example, whole_base

SUITES = ("seen", "unseen_names", "unseen_phrasing", "unseen_combinations", "shown", "shown_other", "not_shown")
"""Everyday requests in words as in training; about held-out things and places; in held-out words; three tasks in one
sentence, where training has two at most. A household's habit that an example shows; something else asked behind that
example; the habit's request where no example shows it."""
SEED = 987_654_321
EVERYDAY = ("fetch", "put", "throw", "go", "pick", "door", "fetch_two", "put_two", "move_all", "where", "point")
EXAMPLES = 3
CONVERSATIONS = dict.fromkeys(("seen", "unseen_names", "unseen_phrasing"), EVERYDAY) | {
    "unseen_combinations": ("three_tasks",)
}
"""The families of the suites in which somebody asks for something everyday."""


def prompts_of(suite: str, count: int) -> list[TrainingPrompt]:
    """The first prompts of a suite, always the same."""
    return [prompt for prompt, _ in cases_of(suite, count)]


def cases_of(suite: str, count: int) -> list[tuple[TrainingPrompt, Asker]]:
    """The same with who asked: their world as it was, and their console after it was done right."""
    return list(islice(_cases(suite), count))


def _cases(suite: str) -> Iterator[tuple[TrainingPrompt, Asker]]:
    dice = random.Random(f"{SEED} {suite}")
    while True:
        others = [shown_example(dice)[1] for _ in range(EXAMPLES)]
        if suite in CONVERSATIONS:
            prompt, asker = conversation_prompt(
                dice,
                others,
                CONVERSATIONS[suite],
                unseen_names=suite == "unseen_names",
                unseen_phrases=suite == "unseen_phrasing",
            )
        else:
            case = {"shown": "shown", "shown_other": "other", "not_shown": "unshown"}[suite]
            prompt, asker = habit_prompt(dice, others[1:], case, (BringAlso, ServeAt, NewVerb), unseen=True)
        yield replace(prompt, base=whole_base()), asker
