"""A brain is let into the worlds of the corpus, and what it gets wrong is kept with the author's answer."""

from collections.abc import Sequence

import pytest

from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt
from tests.support.fakes import WordEmbedder
from training.brain.roll_outs import MISSED, rolled_out
from training.brain.samples import Sample
from training.corpus.dialogues import Dialogue, Turn

WORLD = {
    "robot": {"location": "hall"},
    "locations": ["hall", "table", {"name": "person", "kind": "person"}],
    "objects": {"cup": {"category": "cup", "location": "table"}, "plate": {"category": "dish", "location": "table"}},
}
TWO = (
    Turn("the cup, please", "bring('cup')\nsay('Here is the cup.')"),
    Turn("and the plate", "bring('plate')\nsay('Here is the plate.')"),
)


class Brain:
    """Writes what it is given, one answer after the other, and keeps what it read."""

    name = "brain"
    context_tokens = 4096
    follows_instructions = leads = True

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.read: list[str] = []

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.read.append(prompt.history)
        if not self.answers:
            raise ModelError("the worker has ended")
        return self.answers.pop(0)

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


def missed(brain: Brain, dialogue: Dialogue) -> list[Sample]:
    """What it missed of a dialogue that holds."""
    [(asked, samples)] = rolled_out(brain, [dialogue], WordEmbedder())
    assert asked == len(brain.read)
    assert {sample.voice for sample in samples} <= {MISSED}
    return list(samples)


def two(*turns: Turn, **expected: object) -> Dialogue:
    return Dialogue("ann-1", "ann", "order", WORLD, turns or TWO, expected=expected)


CUP, PLATE = "bring('cup')\nsay('A cup.')", "bring('plate')\nsay('A plate.')"


@pytest.mark.parametrize(
    ("answers", "wrong"),
    [
        ([CUP, PLATE], []),
        ([PLATE, PLATE], [0]),
        ([CUP, "put('plate', 'hall')"], [1]),
        (["", "say('Which plate?')"], [0, 1]),
        ([CUP, "say('Here you go.')"], [1]),
        ([CUP, "bring('plate')\nsay('The plate. And a spoon?')"], [1]),
    ],
    ids=["all right", "another thing", "another place", "nothing", "only talk", "a question the author has not"],
)
def test_what_does_something_else_is_kept_with_what_the_author_wrote(answers: list[str], wrong: list[int]) -> None:
    assert [sample.answer for sample in missed(Brain(*answers), two())] == [TWO[at].write for at in wrong]


@pytest.mark.parametrize(
    ("own", "is_right"),
    [
        ("put('plate', 'hall')\nput('cup', 'table')", True),
        ("put('cup', 'hall')\nput('plate', 'table')", False),
        ("put('plate', 'hall')", False),
    ],
)
def test_things_are_held_against_their_places_in_any_order(own: str, is_right: bool) -> None:
    turn = Turn("both, you know where", "put('cup', 'table')\nput('plate', 'hall')\nsay('There.')")
    assert (missed(Brain(own), two(turn)) == []) is is_right


def test_a_lesson_is_held_against_the_authors_word_for_word() -> None:
    rule = "remember('When you ask for a drink, I also bring a cup.')"
    for own, is_right in ((rule, True), (rule.replace("drink", "tool"), False)):
        assert (missed(Brain(own), two(Turn("always", rule), Turn("yes", ""), rule="cup")) == []) is is_right


def test_what_was_right_stands_in_its_own_words_in_what_is_read_next() -> None:
    [sample] = missed(Brain("bring('cup')\nsay('Your cup, there you go.')", "bring('cup')"), two())
    assert "there you go" in sample.prompt


def test_where_it_went_wrong_the_author_goes_on_and_where_it_only_talks_the_author_does() -> None:
    brain = Brain("bring('plate')", "say('Fine day.')", "bring('cup')")
    missed(brain, two(TWO[0], Turn("lovely weather", "say('It is, dear.')"), TWO[1]))
    assert "Here is the cup." in brain.read[-1]
    assert "It is, dear." in brain.read[-1]
    assert "handover('plate')" not in brain.read[-1]


def test_a_dialogue_that_does_not_hold_gives_nothing() -> None:
    assert list(rolled_out(Brain(CUP, CUP), [two(moved={})], WordEmbedder())) == []


def test_a_brain_that_writes_no_more_ends_it() -> None:
    with pytest.raises(ModelError, match="the worker has ended"):
        list(rolled_out(Brain(CUP), [two()], WordEmbedder()))
