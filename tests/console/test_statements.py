"""From what a model wrote to the statements that it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.console.statements import statements_in


@pytest.mark.parametrize(
    ("reply", "statements"),
    [
        (" say('hi')\n", ["say('hi')"]),
        ("say('hi')", ["say('hi')"]),
        (" grasp('cup')\n'success'\n", ["grasp('cup')"]),
        (" list_objects()\n[('cup', 'dishes', 'sink')]\n", ["list_objects()"]),
        ("```python\nsay('hi')\n```", ["say('hi')"]),
        ("```\n>>> say('hi')\n```\nThat greets the person.", ["say('hi')"]),
        (">>> say('hi')", ["say('hi')"]),
        (">>> say('hi')\n>>> say('ho')", ["say('hi')"]),
        (" for x in y:\n...     grasp(x)\n", ["for x in y:\n    grasp(x)"]),
        (" a = 1\nmove_to('sink')\n", ["a = 1", "move_to('sink')"]),
        (" say('hi')\nNow I will wait for the person.", ["say('hi')"]),
        (" say('hi')\nmove_to('si", ["say('hi')"]),
        ('say("it\'s an import")', ['say("it\'s an import")']),
        (" say('I can't move it.')\ngrasp('cup')\n", ['say("I can\'t move it.")', "grasp('cup')"]),
        ("say('one', 'it's two')", ["say('one', 'it\\'s two')"]),
        ("say('that's it'); grasp('cup')", ["say('that\\'s it'); grasp('cup')"]),
        ("  routine('Mia's tray', 'two cups')", ["routine('Mia\\'s tray', 'two cups')"]),
        ("routine('the boys' tray', 'two cups')", []),
        ("", []),
        ("\n\n", []),
        ("I will bring you the juice.", []),
        ("Sure! Here is the code:\n```python\nsay('hi')\n```\nThat greets the person.", ["say('hi')"]),
        ("Of course.\nsay('hi')", ["say('hi')"]),
        ("Sure:\n\n>>> say('hi')\n", ["say('hi')"]),
        ("<think>\nThe person wants a greeting: say('ho')\n</think>\n\nsay('hi')", ["say('hi')"]),
        ("<think>\nThis thought has no end, say('ho')", []),
        (">>> >>> say('hi')", ["say('hi')"]),
        (">>>>>> say('hi')", ["say('hi')"]),
        ("x = place(\ngrasp('cup')", []),
        ("if ready(:\n    grasp('cup')", []),
        ("grasp('cup'\nmove_to('sink')", []),
        ("for name in ['cup']:\n    grasp(name)\n    place(name, ", ["for name in ['cup']:\n    grasp(name)"]),
        ("```\n```", []),
        ("```", []),
        ("say('unfinished", []),
    ],
)
def test_a_reply_means_these_statements(reply: str, statements: list[str]) -> None:
    assert statements_in(reply) == statements


@given(st.text())
def test_no_reply_breaks_it(reply: str) -> None:
    assert all(isinstance(statement, str) for statement in statements_in(reply))
