"""Which sentences are about what was learned, and which only sound like it."""

import pytest

from daemon.imitation.english.memory_questions import read_care


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
