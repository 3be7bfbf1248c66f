"""A request of several sentences, answered one after the other."""

from dataclasses import replace

import pytest

from daemon.console.in_parts import in_parts, sentences
from daemon.llm.model import Other, Prompt

SITUATION = """\
# bench: ball (toy), keys
# glue_table: glue
# you are at bench; left hand: empty, right hand: empty
# people: person, claire, owen
"""
BEFORE = """\
# A new conversation begins.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'hello'}
>>> say('Hello.')
"""
SAID = "Hand the ball to Claire. She has practice today. And the keys to Owen!"
PROMPT = Prompt(
    "", (), f"{BEFORE}{SITUATION}>>> wait_for_trigger()\n{{'type': 'dialog', 'text': {SAID!r}}}\n# near: ball\n>>>"
)
ANSWERS = {
    "Hand the ball to Claire.": ("bring('ball', 'claire')\nsay('There.')\n", 0.8),
    "She has practice today.": ("put('ball', 'bench')\nsay('I see.')\n", 0.0),
    "And the keys to Owen!": ("bring('keys', 'owen')\n", 0.7),
}


class Mind:
    """Answers each sentence as it is told to; keeps what it read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, prompt: Prompt) -> tuple[str, float]:
        self.read.append(prompt.history)
        said = prompt.history.rpartition("'text': ")[2].partition("}")[0]
        return ANSWERS[said.strip("'\"")]


def acts(statement: str) -> bool:
    return not statement.startswith("say")


def is_so(statement: str) -> bool:
    return statement == "put('ball', 'bench')"


def test_what_each_sentence_comes_to_is_done_but_for_what_is_so() -> None:
    found = in_parts(replace(PROMPT, is_so=is_so), Mind(), acts)
    assert found == Other("bring('ball', 'claire')\nbring('keys', 'owen')\n", 0.7, 0.7)


def test_a_sentence_is_read_as_if_those_before_it_had_been_turns_of_their_own() -> None:
    mind = Mind()
    in_parts(PROMPT, mind, acts)
    first, *_, last = mind.read
    assert first == PROMPT.history.replace(SAID, "Hand the ball to Claire.")
    assert last.startswith(
        f"{BEFORE}>>> wait_for_trigger()\n{{'type': 'dialog', 'text': 'Hand the ball to Claire.'}}\n"
        ">>> bring('ball', 'claire')\nsay('There.')\n>>> wait_for_trigger()\n"
    )
    assert last.endswith(
        f"{SITUATION}>>> wait_for_trigger()\n{{'type': 'dialog', 'text': 'And the keys to Owen!'}}\n# near: ball\n>>>"
    )


@pytest.mark.parametrize(
    "said",
    [
        "Hand the ball to Claire.",
        "She has practice today. Hand the ball to Claire.",
        "One is one. Two is two. Three is three. Four is four. Five is five.",
    ],
)
def test_one_wish_alone_is_left_as_it_is(said: str) -> None:
    prompt = replace(PROMPT, history=PROMPT.history.replace(SAID, said), is_so=is_so)
    assert in_parts(prompt, Mind(), acts) is None


def test_what_was_begun_is_not_begun_again() -> None:
    begun = replace(PROMPT, history=f"{PROMPT.history} bring('ball', 'claire')\n>>>")
    assert in_parts(begun, Mind(), acts) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bring me the tea", ["bring me the tea"]),
        ("Tea, please. Thanks.", ["Tea, please. Thanks."]),
        ("It is 3.5 litres; put it back. Now.", ["It is 3.5 litres;", "put it back. Now."]),
    ],
)
def test_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found
