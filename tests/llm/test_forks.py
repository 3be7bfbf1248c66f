"""Other ways that an answer might have gone: the arithmetic, then the real llama.cpp on a model of noise."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.config import LlmConfig
from daemon.llm.forks import Forks
from daemon.llm.kv_files import KvFiles
from daemon.llm.llama import LlamaModel
from daemon.llm.model import PROMPT_SIGN, NameScope, Prompt
from daemon.llm.name_mask import NameMask, Vocabulary
from daemon.llm.session import Session
from tests.llm.tiny_gguf import make_tiny_gguf
from tests.support.brain import HEED_BRAIN, Counting, needs_brain

PIECES = (b"grasp('", b"say('", b"cup", b"cap", b"can", b"')", b"\n")


def choose(forks: Forks, *chances: Sequence[int]) -> list[int]:
    """Choose a token for each row of chances."""
    return [forks.choose(_logits(row)) for row in chances]


def _logits(chances: Sequence[int]) -> NDArray[np.float32]:
    return np.log(np.array(chances, np.float32) + 1e-6)


def test_the_second_token_is_a_fork_and_the_likeliest_comes_first() -> None:
    forks = Forks(None, PIECES.__getitem__)
    assert choose(forks, [80, 20, 0, 0, 0, 0, 0], [0, 0, 60, 30, 10, 0, 0], [0, 0, 0, 0, 0, 100, 0]) == [0, 2, 5]
    first, second = forks.likeliest(2)
    assert (first.written, first.token, round(first.likely, 3)) == ((0,), 3, 0.3)
    assert (second.written, second.token, round(second.likely, 3)) == ((), 1, 0.2)
    assert math.isclose(first.confidence.least, 0.3, rel_tol=1e-4)
    assert len(forks.likeliest(9)) == 3
    assert [round(forks.sure_of_both(fork), 3) for fork in (first, second)] == [0.8, 0.6]


def test_how_a_thing_is_put_into_words_is_no_fork() -> None:
    forks = Forks(None, PIECES.__getitem__)
    choose(forks, [20, 80, 0, 0, 0, 0, 0], [0, 0, 60, 30, 10, 0, 0])
    assert [fork.token for fork in forks.likeliest(9)] == [0]


def test_a_fork_names_nothing_that_is_not_here() -> None:
    scope = NameScope(frozenset({("grasp", 0, "thing")}), {"thing": ("cup", "can")})
    forks = Forks(NameMask(scope, Vocabulary(len(PIECES), PIECES.__getitem__)), PIECES.__getitem__)
    assert choose(forks, [80, 20, 0, 0, 0, 0, 0], [0, 0, 60, 30, 10, 0, 0]) == [0, 2]
    assert forks.likeliest(2)[0].token == 1
    assert forks.likeliest(2)[1].token == 4


def test_others_are_other_answers_and_change_nothing(tmp_path: Path) -> None:
    prompt = Prompt("You write Python for a robot.\n", (), ">>> wait_for_trigger()\n{'text': 'hi'}\n>>>", answer=True)
    model = LlamaModel(make_tiny_gguf(tmp_path / "tiny.gguf", context=256), LlmConfig())
    try:
        answer = model.complete(prompt)
        others = model.others(prompt, 3)
        assert len({answer, *(other.text for other in others)}) == 4
        assert all(0 <= other.confidence <= 1 for other in others)
        assert all(other.of_both >= (model.confidence or 0.0) for other in others)
        assert model.others(prompt, 3) == others
        assert model.complete(prompt) == answer
    finally:
        model.close()


def test_others_are_the_same_whether_the_answer_was_written_before_or_not(tmp_path: Path) -> None:
    file = make_tiny_gguf(tmp_path / "tiny.gguf", context=256)
    scope = NameScope(frozenset({("bring", 0, "object")}), {"object": ("cup",)})
    prompt = Prompt(
        "You write Python for a robot.\n",
        (),
        ">>> wait_for_trigger()\n{'text': 'hi'}\n>>>",
        scope=lambda: scope,
        answer=True,
    )
    told = []
    for answered in (prompt, replace(prompt, history=f"{prompt.history} hi\n>>>")):
        model = LlamaModel(file, LlmConfig(confidence=0.5))
        try:
            model.complete(answered)
            told.append(model.others(prompt, 3))
        finally:
            model.close()
    assert told[0] == told[1]
    assert len(told[0]) == 3


KITCHEN = """# A new conversation begins.
# counter: cup (dish), plate (dish)
# shelf: tea (drink), oil (food)
# you are at counter; left hand: empty, right hand: empty
# people: person
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'the cup and the plate on the shelf'}
# near: cup, plate, tea, oil
>>>"""


@needs_brain
def test_an_answer_is_not_written_again_and_who_asks_twice_hears_the_same() -> None:
    steps, told = [], []
    for answers_before in (False, True):
        model = Counting(HEED_BRAIN, 2048, 1)
        session = Session(model, KvFiles(None, 0), "never")
        if answers_before:
            session.complete("", (), KITCHEN, stop=(PROMPT_SIGN,), statement=False, max_tokens=200, weigh=True)
        before = model.steps
        told += [session.others("", (), KITCHEN, scope=None, count=3, max_tokens=200) for _ in range(2)]
        steps.append(model.steps - before)
    assert told == [told[0]] * 4
    assert any("\n" in text for text, _, _ in told[0])
    assert steps[1] < steps[0]
