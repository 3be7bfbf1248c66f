"""What is said while heed works, as a model that leads reads it."""

import pytest

from daemon.console.history import InteractionHistory
from daemon.console.meanwhile import Meanwhile, meanwhile
from daemon.console.prompt import InteractPrompts
from daemon.console.reading import Interjection
from daemon.console.situation import Told
from daemon.reflex import begins_with_no
from daemon.transcript import Step
from tests.console.test_leading import Leader, told

DOING = ["move_to('counter')", "grasp('apple')"]


def at_work() -> InteractionHistory:
    history = InteractionHistory()
    history.begin_turn(None)
    history.add(Step("wait_for_trigger()", repr({"type": "dialog", "text": "an apple please"})))
    return history


@pytest.mark.parametrize(
    ("reply", "means"),
    [
        ("say('Half a minute.')", Meanwhile(Interjection.TALK, "Half a minute.")),
        ("pass", Meanwhile(Interjection.TALK)),
        ("carry_on()", Meanwhile(Interjection.NEXT)),
        ("say('I will, right after this.')\ncarry_on()", Meanwhile(Interjection.NEXT, "I will, right after this.")),
        ("carry_on()\nmove_to('table')", Meanwhile(Interjection.CHANGE)),
        ("", Meanwhile(Interjection.NEXT)),
        ("say('All right.')\nmove_to('table')", Meanwhile(Interjection.CHANGE)),
        ("say(list_lessons())", Meanwhile(Interjection.CHANGE)),
    ],
)
def test_an_answer_only_talks_queues_or_changes(reply: str, means: Meanwhile) -> None:
    model = Leader([reply])
    assert meanwhile(model, InteractPrompts((), model), at_work(), DOING, "how long still?", Told()) == means


def test_the_model_sees_what_is_under_way() -> None:
    model = Leader(["carry_on()"])
    meanwhile(model, InteractPrompts((), model), at_work(), DOING, "and a spoon", Told("# table\n"))
    above, below = told(model.prompts[0])
    assert above.endswith("# table\n")
    assert below == (
        "{'type': 'dialog', 'text': 'and a spoon'}\n# under way: move_to('counter')\n# under way: grasp('apple')\n>>>"
    )


@pytest.mark.parametrize("said", ["No, the other one", "not that", "don't", "wait, the green one", "oops wrong"])
def test_words_that_begin_with_a_no_hold_the_motion(said: str) -> None:
    assert begins_with_no(said)


@pytest.mark.parametrize("said", ["and a spoon", "how long still?", "nobody told me", ""])
def test_others_do_not(said: str) -> None:
    assert not begins_with_no(said)
