"""Which sentences are about what was learned, and which only sound like it."""

import pytest

from daemon.imitation.english.memory_questions import read_care
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("why did you bring the cup?", "why did you do that?"),
        ("how come you brought the cup?", "why did you do that?"),
        ("why are you bringing the cup?", "why did you do that?"),
        ("who told you that?", "why did you do that?"),
        ("who taught you to bring the cup?", "why did you do that?"),
        ("forget what I said about the tea", "forget what I said about that"),
        ("thanks. what have you learned?", "what have you learned?"),
        ("tell me the rules, all of them", "what have you learned?"),
    ],
)
def test_what_is_about_lessons_has_a_plain_sentence(said: str, plain: str) -> None:
    assert read_care(said) == plain


@pytest.mark.parametrize(
    "said",
    [
        "how come you are so slow?",
        "why are you here?",
        "who told you that joke?",
        "forget it, what time is it?",
        "never mind, forget that. where is the tea?",
    ],
)
def test_what_only_sounds_like_it_is_left_to_the_mind(said: str) -> None:
    assert read_care(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "tell me a story, what rules do you have?",
        "forget it, bring me the milk",
        "forget what I said about the tea. Bring me the juice",
    ],
)
def test_what_asks_for_something_else_too_is_more_than_care(said: str) -> None:
    assert read_care(said) is None


def test_a_lesson_is_forgotten_and_the_order_beside_it_is_done(memory: Memory, kitchen: Kitchen) -> None:
    forget = "forget what I said about the tea. Bring me the juice"
    kitchen.talk("when I ask for tea, bring a cup too", "yes", forget, "yes")
    assert memory.lessons() == []
    assert kitchen.where("juice") == "person"


def test_forget_it_teaches_nothing(memory: Memory, kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "forget it, bring me the milk")
    assert kitchen.where("milk") == "person"
    assert memory.lessons() == []
