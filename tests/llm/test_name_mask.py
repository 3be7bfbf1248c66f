"""Constrained decoding: names out of scope never come out; all else is as without the mask.

First the mask alone on logits that are written down, then the real llama.cpp with made models and with ours.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from daemon.config import LlmConfig
from daemon.llm.kv_files import KvFiles
from daemon.llm.llama import LlamaModel
from daemon.llm.model import NameScope, Prompt
from daemon.llm.name_mask import NameMask, Vocabulary
from daemon.llm.native import NativeModel
from daemon.llm.session import Session
from tests.llm.tiny_gguf import make_scripted_gguf, make_tiny_gguf
from tests.support.brain import HEED_BRAIN, Counting, needs_brain

PARAMETERS = {
    "grasp": ("object", "hand"),
    "place": ("object", "location"),
    "move_to": ("location",),
    "bring": ("object", "location"),
}
ARGUMENTS = frozenset(
    (function, argument, "hand" if name == "hand" else "thing")
    for function, names in PARAMETERS.items()
    for position, name in enumerate(names)
    for argument in (position, name)
)


def scope_of(*names: str) -> NameScope:
    return NameScope(ARGUMENTS, {"thing": names, "hand": ("left", "right")})


def written(pieces: Sequence[str], wishes: Sequence[str], *names: str) -> str:
    """What a model writes that would like these tokens one after the other, and else the first that there is."""
    vocabulary = Vocabulary(len(pieces), lambda token: pieces[token].encode())
    mask = NameMask(scope_of(*names), vocabulary)
    text = ""
    for wish in wishes:
        logits = -np.arange(len(pieces), dtype=np.float32)
        logits[pieces.index(wish)] = 1
        text += pieces[mask.choose(logits)]
    return text


BYTES = [chr(code) for code in range(32, 127)]


def by_letters(text: str, *names: str) -> str:
    return written(BYTES, list(text), *names)


def test_a_name_that_is_not_in_scope_is_not_written() -> None:
    assert by_letters("grasp('cupboad')", "cup", "cupboard").startswith("grasp('cupboar")
    assert by_letters("grasp('x')", "cup") == "grasp('cup"


def test_a_quote_comes_only_after_a_whole_name() -> None:
    assert by_letters("grasp('cu')", "cup") == "grasp('cup'"
    assert by_letters("grasp('')", "cup") == "grasp('cu"


@pytest.mark.parametrize(
    "text",
    [
        "say('anything at all')",
        "say('grasp(\"x\")')",
        "grasp(names['x'])",
        "grasp('cup', 'left')",
        "robot.grasp('x')",
        "grasp(f'x')",
        "for name in ['x', 'y']: grasp(name)",
        "place(grasp('cup'), location=\"cup\")  # grasp('x')",
        "a == grasp(hand='left', object='cup')",
    ],
)
def test_what_names_nothing_is_free(text: str) -> None:
    assert by_letters(text, "cup") == text


@pytest.mark.parametrize("text", ["place('cup', 'x", 'place("cup", location="x', "say('x'); grasp( object = 'x"])
def test_each_argument_that_names_something_is_kept_to_names(text: str) -> None:
    assert by_letters(text, "cup") == f"{text[:-1]}c"


def test_a_name_is_the_whole_of_its_argument() -> None:
    assert by_letters("grasp('cup'.upper())", "cup").startswith("grasp('cup' ")
    assert by_letters("grasp('cup'+'x')", "cup").startswith("grasp('cup' ")
    assert by_letters("grasp('cup' if a else b)", "cup") == "grasp('cup' if a else b)"


def test_each_kind_has_its_own_names() -> None:
    assert by_letters("grasp('cup', 'lower')", "cup").startswith("grasp('cup', 'left'")
    assert by_letters("grasp('left')", "cup").startswith("grasp('c")


def test_quotes_in_names_are_escaped() -> None:
    assert by_letters("grasp('Anna\\'s cup')", "Anna's cup") == "grasp('Anna\\'s cup')"
    assert by_letters('grasp("Anna\'s cup")', "Anna's cup") == 'grasp("Anna\'s cup")'


def test_tokens_may_reach_over_quotes_and_names() -> None:
    pieces = ["grasp('cu", "p', ", "grasp('cupb", "', 'left'", "place('", "cup', 'ta", "cup', 'tu", "b')", "ble')"]
    assert written(pieces, ["grasp('cupb", "p', "], "cup") == "grasp('cup', "
    assert written(pieces, ["place('", "cup', 'tu", "b')"], "cup", "table") == "place('cup', 'table')"


def test_where_no_token_fits_the_mask_is_dropped_for_that_name_alone() -> None:
    pieces = ["zz", "grasp('", "')\n"]
    assert written(pieces, ["grasp('", "zz", "')\n"], "cup") == "grasp('zz')\n"
    text = written(["q", *BYTES], ["g", "r", "a", "s", "p", "(", "'", "x"], "ü")
    assert text == "grasp('x"


def test_a_model_does_not_end_within_a_name() -> None:
    assert written(["", "grasp('", "cup", "'"], ["grasp('", "", ""], "cup") == "grasp('cup'"


@pytest.fixture
def start() -> Iterator[Callable[..., LlamaModel]]:
    """Starts models and closes them after the test."""
    models: list[LlamaModel] = []

    def start(file: Path, **settings: bool) -> LlamaModel:
        models.append(LlamaModel(file, LlmConfig(threads=1, **settings)))
        return models[-1]

    yield start
    for model in models:
        model.close()


def prompt(*names: str, text: str = ">>>") -> Prompt:
    return Prompt("You write Python for a robot.\n", (), text, lambda: scope_of(*names))


def test_a_name_out_of_scope_never_comes_out_of_llama_cpp(start, tmp_path) -> None:
    file = make_scripted_gguf(tmp_path / "scripted.gguf", {">>>": " grasp('", " grasp('": "cupboad", "cupboad": "')\n"})
    model, free = start(file), start(file, name_mask=False)
    assert free.complete(prompt("cup")) == " grasp('cupboad')\n"
    assert model.complete(prompt("cup")) == " grasp('cup'"  # behind which this model knows nothing, and ends
    assert model.complete(prompt("cupboad", "cup")) == " grasp('cupboad')\n"
    assert model.complete(replace(prompt(), scope=lambda: None)) == " grasp('cupboad')\n"


def test_free_strings_are_untouched(start, tmp_path) -> None:
    model = start(make_scripted_gguf(tmp_path / "scripted.gguf", {">>>": " say('cupboad')\n"}))
    assert model.complete(prompt("cup")) == " say('cupboad')\n"


def test_noise_that_calls_nothing_is_the_same(start, tmp_path) -> None:
    model = start(make_tiny_gguf(tmp_path / "tiny.gguf"))
    free = model.complete(replace(prompt("cup"), scope=lambda: None), stop=[], max_tokens=80)
    assert model.complete(prompt("cup"), stop=[], max_tokens=80) == free


KITCHEN = """# A new conversation begins.
# table: %s, plate, bread
# shelf: sponge, spoon
# you are at shelf; left hand: empty, right hand: empty
# people: person
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'bring me the %s'}
# Wednesday 14 January, 12:00
>>>"""


def in_kitchen(thing: str, *names: str) -> Prompt:
    return Prompt("", (), KITCHEN % (thing, thing), lambda: scope_of(*names))


@needs_brain
def test_our_brain_is_the_same_where_all_names_are_in_scope(start) -> None:
    model = start(HEED_BRAIN)
    for thing in ("cup", "tea", "sponge"):
        masked = in_kitchen(thing, thing, "plate", "table", "person")
        free = model.complete(replace(masked, scope=lambda: None))
        assert "'" in free
        assert model.complete(masked) == free


@needs_brain
def test_our_brain_names_only_what_is_in_scope_and_every_time_the_same(start) -> None:
    model = start(HEED_BRAIN)
    masked = in_kitchen("cup", "zorb", "quil")
    free = model.complete(replace(masked, scope=lambda: None))
    text = model.complete(masked)
    assert free.split("'")[1] not in ("zorb", "quil")
    assert text.split("'")[1] in ("zorb", "quil")
    assert text.split("'")[0] == free.split("'")[0]
    assert model.complete(masked) == text


class Unguessing(NativeModel):
    """Writes each token by itself, since what it was told cannot be taken back."""

    can_rewind = False


@pytest.mark.whole
@needs_brain
def test_guesses_from_the_prompt_change_nothing_under_the_mask() -> None:
    """The prompt has move_to('table'), so "table" is guessed, and must be taken back where it may not be named."""
    sessions = [Session(kind(HEED_BRAIN, 2048, 1), KvFiles(None, 0), "never") for kind in (NativeModel, Unguessing)]
    for names in (("zorb",), ("tabby", "tree"), ("table", "cup")):
        begun = in_kitchen("cup", *names)
        answers = [
            session.complete("", (), begun.history, stop=(">>>",), statement=False, max_tokens=60, scope=begun.scope())
            for session in sessions
        ]
        assert answers[0].text == answers[1].text
        named = re.findall(r"(?:bring|put|take)\('(\w*)'", answers[0].text)
        assert named
        assert set(named) <= set(names)


@needs_brain
def test_the_rest_of_the_only_name_is_read_in_one_step() -> None:
    begun = in_kitchen("cup", "zorb_washing_liquid")
    model = Counting(HEED_BRAIN, 2048, 1)
    session = Session(model, KvFiles(None, 0), "never")
    session.read("", (), begun.history)
    read = model.steps
    said = session.complete("", (), begun.history, stop=("')",), statement=False, max_tokens=60, scope=begun.scope())
    assert said.text.endswith("('zorb_washing_liquid")
    assert model.steps - read <= said.new_tokens - len(model.tokenize("washing_liquid"))
