"""A promise for later that is changed with the next words."""

import pytest

from daemon.console.changed_mind import promised_anew
from daemon.llm.model import Other, Prompt

SITUATION = """\
# shelf: tea, cup
# you are at shelf; left hand: empty, right hand: empty
# people: person, claire
"""
FIRST = """\
# A new conversation begins.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'hello'}
>>> say('Hello.')
"""
PROMISED = """\
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'at six bring me the tea', 'speaker': 'anna'}
>>> say(remember_later('at six', 'bring me the tea'))
"""
WAITS = "# later 3: at six: bring me the tea\n"
NOW = """\
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'hmm make that seven', 'speaker': 'anna'}
# near: tea
>>>"""
AGAIN = "say(remember_later('at seven', 'bring me the tea'))\n"


class Mind:
    """Answers all in the same way; keeps what it read."""

    def __init__(self, text: str = AGAIN) -> None:
        self.text = text
        self.read = ""

    def __call__(self, prompt: Prompt) -> tuple[str, float]:
        self.read = prompt.history
        return self.text, 0.8


def test_both_are_read_as_one_and_what_was_promised_is_forgotten() -> None:
    mind = Mind()
    found = promised_anew(Prompt("", (), f"{FIRST}{PROMISED}{SITUATION}{WAITS}{NOW}"), mind)
    assert found == Other(f"{AGAIN}forget_later('3')\n", 0.8, 0.8)
    assert mind.read == (
        f"{FIRST}{SITUATION}>>> wait_for_trigger()\n"
        "{'type': 'dialog', 'text': 'at six bring me the tea hmm make that seven', 'speaker': 'anna'}\n"
        "# near: tea\n>>>"
    )


def test_what_waited_before_still_waits() -> None:
    older = "# later 2: at nine: bring the cup\n"
    mind = Mind()
    promised_anew(Prompt("", (), f"{FIRST}{PROMISED}{SITUATION}{older}{WAITS}{NOW}"), mind)
    assert f"{SITUATION}{older}>>> wait_for_trigger()" in mind.read


@pytest.mark.parametrize(
    "history",
    [
        f"{FIRST}{SITUATION}{WAITS}{NOW}",
        f"{FIRST}{PROMISED}{SITUATION}{NOW}",
        f"{FIRST}{PROMISED}{SITUATION}{WAITS}{NOW} bring('tea')\n>>>",
        f"{FIRST}{PROMISED}{WAITS}{NOW}",
        f"{FIRST}{PROMISED.replace('at six', 'at six thirty')}{SITUATION}{WAITS}{NOW}",
        f"{FIRST}{PROMISED}{SITUATION}# later 1: at nine: give Anna her pills\n{NOW}",
    ],
)
def test_without_a_promise_just_before_nothing_is_read_as_one(history: str) -> None:
    assert promised_anew(Prompt("", (), history), Mind()) is None


def test_half_an_hour_later_is_another_time() -> None:
    anew = AGAIN.replace("seven", "six thirty")
    found = promised_anew(Prompt("", (), f"{FIRST}{PROMISED}{SITUATION}{WAITS}{NOW}"), Mind(anew))
    assert found == Other(f"{anew}forget_later('3')\n", 0.8, 0.8)


@pytest.mark.parametrize("text", ["say('Gladly.')\n", AGAIN.replace("seven", "six")])
def test_who_promises_nothing_else_changes_nothing(text: str) -> None:
    history = f"{FIRST}{PROMISED}{SITUATION}{WAITS}{NOW}"
    assert promised_anew(Prompt("", (), history), Mind(text)) is None
