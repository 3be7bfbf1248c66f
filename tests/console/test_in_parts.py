"""A request of several sentences, answered one after the other."""

from dataclasses import replace

import pytest

from daemon.console.in_parts import clauses, in_parts, sentences
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
SAID = "She has practice today. Hand the ball to Claire. And the keys to Owen!"
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
        return ANSWERS[said_in(prompt)]


def said_in(prompt: Prompt) -> str:
    return prompt.history.rpartition("'text': ")[2].partition("}")[0].strip("'\"")


def acts(statement: str) -> bool:
    return not statement.startswith("say")


def is_so(statement: str) -> bool:
    return statement == "put('ball', 'bench')"


def test_what_each_sentence_comes_to_is_done_but_for_what_is_so() -> None:
    found = in_parts(replace(PROMPT, is_so=is_so), Mind(), acts, set())
    assert found == Other("bring('ball', 'claire')\nbring('keys', 'owen')\n", 0.7, 0.7)


def test_a_sentence_is_read_as_if_those_before_it_had_been_turns_of_their_own() -> None:
    mind = Mind()
    in_parts(PROMPT, mind, acts, set())
    first, *_, last = mind.read
    assert first == PROMPT.history.replace(SAID, "She has practice today.")
    assert last.startswith(
        f"{BEFORE}>>> wait_for_trigger()\n{{'type': 'dialog', 'text': 'She has practice today.'}}\n"
        ">>> put('ball', 'bench')\nsay('I see.')\n>>> wait_for_trigger()\n"
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
    assert in_parts(prompt, Mind(), acts, set()) is None


def test_what_is_so_now_may_not_be_so_then() -> None:
    said = "Hand the ball to Claire. She has practice today. Hand the ball to Claire."
    found = in_parts(replace(PROMPT, history=PROMPT.history.replace(SAID, said), is_so=is_so), Mind(), acts, set())
    assert found == Other("bring('ball', 'claire')\nput('ball', 'bench')\n", 0.0, 0.0)


def test_steps_are_done_as_often_as_they_were_said() -> None:
    steps = {"Go there now.": ("move_to('bench')", 0.9), "Go back then.": ("move_to('glue_table')", 0.9)}
    said = "Go there now. Go back then. Go there now."
    prompt = replace(PROMPT, history=PROMPT.history.replace(SAID, said))
    found = in_parts(
        prompt, lambda part: steps[part.history.rpartition("'text': '")[2].partition("'}")[0]], acts, set()
    )
    assert found is not None
    assert found.text == "move_to('bench')\nmove_to('glue_table')\nmove_to('bench')\n"


def test_one_sentence_is_answered_clause_by_clause() -> None:
    steps = {
        "She has practice today": ("say('I see.')", 0.9),
        "so the ball goes to Claire": ("bring('ball', 'claire')", 0.8),
        "put the keys there.": ("put('keys', 'glue_table')", 0.7),
    }
    said = "She has practice today, so the ball goes to Claire, and then put the keys there."
    prompt = replace(PROMPT, history=PROMPT.history.replace(SAID, said))
    found = in_parts(prompt, lambda part: steps[said_in(part)], acts, set())
    assert found == Other("bring('ball', 'claire')\nput('keys', 'glue_table')\n", 0.7, 0.7)


@pytest.mark.parametrize("condition", ["If it rains, {}", "So when Anna is back, {}", "{}, but only if she is back"])
def test_what_is_said_for_a_condition_is_not_done_without_it(condition: str) -> None:
    said = condition.format("the ball goes to Claire, and then put the keys there")
    prompt = replace(PROMPT, history=PROMPT.history.replace(SAID, said))
    assert in_parts(prompt, lambda part: ("bring('ball', 'claire')", 0.9), acts, set()) is None


def test_what_stands_alone_has_no_place_among_parts() -> None:
    assert in_parts(PROMPT, Mind(), acts, {"put"}) is None


def test_what_waits_does_not_count_as_begun() -> None:
    above, trigger, words = PROMPT.history.rpartition(">>> wait_for_trigger()\n")
    waits = replace(PROMPT, history=f"{above}# later 1: at six: bring the ball\n{trigger}{words}", is_so=is_so)
    assert in_parts(waits, Mind(), acts, set()) is not None


def test_what_was_begun_is_not_begun_again() -> None:
    begun = replace(PROMPT, history=f"{PROMPT.history} bring('ball', 'claire')\n>>>")
    assert in_parts(begun, Mind(), acts, set()) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bring me the tea", ["bring me the tea"]),
        ("Ask Dr. Miller about it.", ["Ask Dr. Miller about it."]),
        ("Tea, please. Thanks.", ["Tea, please. Thanks."]),
        ("It is 3.5 litres; put it back. Now.", ["It is 3.5 litres;", "put it back. Now."]),
    ],
)
def test_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("bring me the tea, please", ["bring me the tea, please"]),
        ("tea to me and the cup to Owen", ["tea to me and the cup to Owen"]),
        ("two things: tea to me, and the cup to Owen", ["two things", "tea to me", "the cup to Owen"]),
        ("close the door and then bring it", ["close the door", "bring it"]),
    ],
)
def test_clauses(text: str, found: list[str]) -> None:
    assert clauses(text) == found
