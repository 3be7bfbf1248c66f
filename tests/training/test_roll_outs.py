"""A brain is let into the worlds of the corpus, and what it gets wrong is kept with the author's answer."""

from collections.abc import Sequence

import pytest

from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt
from tests.support.fakes import WordEmbedder
from training.brain.roll_outs import MISSED, rolled_out
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
        answer = self.answers.pop(0)
        if not answer:
            raise ModelError("round and round")
        return answer

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("answers", "missed"),
    [
        (["bring('cup')\nsay('A cup.')", "bring('plate')\nsay('A plate.')"], []),
        (["bring('plate')\nsay('A plate.')", "bring('plate')\nsay('A plate.')"], [TWO[0].write]),
        (["bring('cup')\nsay('A cup.')", "put('plate', 'hall')"], [TWO[1].write]),
        (["", "say('Which plate?')"], [TWO[0].write, TWO[1].write]),
    ],
)
def test_what_does_something_else_is_kept_with_what_the_author_wrote(answers: list[str], missed: list[str]) -> None:
    dialogue = Dialogue("ann-1", "ann", "order", WORLD, TWO)
    [(asked, samples)] = rolled_out(Brain(*answers), [dialogue], WordEmbedder())
    assert asked == len(TWO)
    assert [(sample.voice, sample.answer) for sample in samples] == [(MISSED, answer) for answer in missed]


def test_what_was_right_stands_in_its_own_words_in_what_is_read_next() -> None:
    brain = Brain("bring('cup')\nsay('Your cup, there you go.')", "bring('cup')")
    [(_, [sample])] = rolled_out(brain, [Dialogue("ann-1", "ann", "order", WORLD, TWO)], WordEmbedder())
    assert "there you go" in sample.prompt
    assert sample.prompt == brain.read[-1]


def test_where_it_went_wrong_the_author_goes_on() -> None:
    brain = Brain("bring('plate')", "bring('plate')")
    list(rolled_out(brain, [Dialogue("ann-1", "ann", "order", WORLD, TWO)], WordEmbedder()))
    assert "Here is the cup." in brain.read[-1]
    assert "handover('plate')" not in brain.read[-1]
