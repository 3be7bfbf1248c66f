"""The model's tokens: nothing is lost, no piece is too long, and llama.cpp cuts text in the same way."""

from itertools import islice
from pathlib import Path

import pytest

from daemon.llm.native import NativeModel
from training.prompts import training_prompts, whole_base
from training.tokenizer import LONGEST, Tokenizer, line_pieces

MODEL = Path(__file__).parents[2] / "models" / "heed-small"


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.load(MODEL / "tokenizer.json")


def test_a_text_comes_back(tokenizer: Tokenizer) -> None:
    text = ">>> say('Zwölf  Käse, __x 3.5')\n"
    tokens = tokenizer.encode(text)
    assert "".join(map(tokenizer.text, tokens)).encode("latin-1").decode() == text


def test_no_piece_is_longer_than_a_detokenizer_takes(tokenizer: Tokenizer) -> None:
    assert max(len(text.encode()) for text in tokenizer.texts) <= LONGEST


def test_words_are_the_same_in_speech_and_in_code(tokenizer: Tokenizer) -> None:
    spoken, written = tokenizer.encode("coffee cup"), tokenizer.encode("coffee_cup")
    assert [token for token in spoken if token in written] == [token for token in written if token in spoken]
    assert len(spoken) == len(written)


def test_the_base_prompt_costs_few_tokens_even_where_it_has_changed(tokenizer: Tokenizer) -> None:
    base = whole_base()
    assert len(tokenizer.encode(base)) < 400
    assert len(tokenizer.encode(base.replace("robot", "machine"))) < 900


def test_lines_are_cut_between_words() -> None:
    assert line_pieces("one two three four five six seven eight\n") == [
        "one two three four five six",
        " seven eight\n",
    ]


def test_learning_merges_what_is_frequent() -> None:
    learned = Tokenizer.learn([">>>"], ["aab aab aab aab"] * 3, 380)
    assert learned.merged[0] in ("aa", "ab")
    assert [learned.text(token) for token in learned.encode("aab>>>")] == ["aab", ">>>"]


def test_llama_cpp_cuts_text_in_the_same_way(tokenizer: Tokenizer) -> None:
    model = NativeModel(MODEL / "heed-small.gguf", 2048, 1)
    for prompt in islice(training_prompts(11), 12):
        for text in (*prompt.examples, prompt.conversation):
            assert model.tokenize(text) == tokenizer.encode(text)


def test_llama_cpp_cuts_the_base_prompt_in_nearly_the_same_way(tokenizer: Tokenizer) -> None:
    """Of pieces that are equally long and overlap, it may find another one first."""
    model = NativeModel(MODEL / "heed-small.gguf", 2048, 1)
    ours, theirs = tokenizer.encode(whole_base()), model.tokenize(whole_base())
    assert abs(len(ours) - len(theirs)) < 20
