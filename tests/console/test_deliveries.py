"""What was brought where, however the statements were written."""

import pytest

from daemon.console.deliveries import deliveries_in
from daemon.console.history import Turn
from daemon.transcript import Step


def turn(*statements: str) -> Turn:
    heard = Step("wait_for_trigger()", "{'type': 'dialog', 'text': 'put the cup on the table'}")
    return Turn("put the cup on the table", (heard, *(Step(statement, "'success'") for statement in statements)))


@pytest.mark.parametrize(
    "put", ["place('cup', 'table')", "place('cup', location='table')", "place(location='table', object='cup')"]
)
def test_a_place_may_be_named_by_keyword(put: str) -> None:
    (made,) = deliveries_in(turn("move_to(location='sink')", "grasp(object='cup')", "move_to('table')", put))
    assert (made.object, made.source, made.target, made.handed_over) == ("cup", "sink", "table", False)


@pytest.mark.parametrize(
    "put", ["place('cup', nearest('table'))", "place('cup')", "place()", "handover()", "move_to()"]
)
def test_what_cannot_be_read_from_a_statement_is_no_delivery(put: str) -> None:
    assert deliveries_in(turn("move_to('sink')", "grasp('cup')", put)) == []
