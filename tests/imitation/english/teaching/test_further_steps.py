"""A further step before or after what was asked for: taught in many words, and done where it was meant."""

import pytest

from daemon.imitation.english.rewording import reword
from daemon.imitation.english.scene_mentions import Situation
from daemon.imitation.english.teaching.lesson_reader import taught
from daemon.memory.effects import Effect, FurtherStep
from daemon.memory.rules import Scope
from tests.imitation.english.teaching.test_reader import SCENE

SPOON_THEN = FurtherStep(Scope(object="soup"), "put the spoon on the window table")


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "once you've brought me the soup, lay the spoon out on the window table, every time",
            "When you ask for soup, I then put the spoon on the window table.",
        ),
        (
            "Look, when you bring me the soup, put the spoon on the window table right afterwards. Each time.",
            "When you ask for soup, I then put the spoon on the window table.",
        ),
        (
            "always put the spoon on the window table after you have brought me the soup",
            "When you ask for soup, I then put the spoon on the window table.",
        ),
        (
            "before you fetch a drink, always take the ladder to the workbench",
            "When you ask for cola or another drink, I first put the ladder on the workbench.",
        ),
        (
            "before you hand me the soup, give me the spoon, from now on",
            "When you ask for soup, I first bring you the spoon.",
        ),
        (
            "from now on, before you go to the workbench, bring me the ladder",
            "When you need to do something at the workbench, I first bring you the ladder.",
        ),
        (
            "every time you have brought me the soup, bring me the spoon as well",
            "When you ask for soup, I also bring the spoon.",
        ),
    ],
)
def test_what_comes_before_or_after_is_told_by_its_small_words(said: str, rule: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect.sentence == rule


@pytest.mark.parametrize(
    "said",
    [
        "once you've brought me the soup, put the spoon on the window table",
        "after that always be careful",
        "every time you bring me the soup, I am happy",
    ],
)
def test_what_is_asked_for_once_or_is_no_step_teaches_none(said: str) -> None:
    assert not isinstance(taught(said, SCENE), FurtherStep)


@pytest.mark.parametrize(
    ("effect", "request_", "meaning"),
    [
        (SPOON_THEN, "bring me the soup", "bring me the soup; put the spoon on the window table"),
        (SPOON_THEN, "the soup, please", "the soup, please; put the spoon on the window table"),
        (SPOON_THEN, "put the soup on the bar", ""),
        (SPOON_THEN, "bring the soup to the workbench", ""),
        (SPOON_THEN, "only the soup, please", ""),
        (SPOON_THEN, "bring me the soup and the spoon", ""),
        (SPOON_THEN, "bring me the cola", ""),
        (
            FurtherStep(Scope(object="soup"), "put the spoon on the corner table"),  # it is there already
            "bring me the soup",
            "",
        ),
        (
            FurtherStep(Scope(object_class="drink"), "bring me the glass", first=True),
            "a cola, please",
            "bring me the glass; a cola, please",
        ),
        (
            FurtherStep(Scope(place="workbench"), "bring me the ladder", first=True),
            "put the spoon on the workbench",
            "bring me the ladder; put the spoon on the workbench",
        ),
    ],
)
def test_a_further_step_is_done_where_it_was_meant(effect: Effect, request_: str, meaning: str) -> None:
    assert reword(request_, effect, Situation(SCENE))[0] == (meaning or request_)
