"""A model that is cancelled, or does not answer, while it examines an order."""

import pytest

from daemon.console.raider.flow import Final, examine
from daemon.console.raider.model_answerer import ModelAnswerer, instructions, plan_by_model
from daemon.console.raider.surroundings import Item, Surroundings
from daemon.console.raider.tools import ASSISTIVE
from daemon.llm.model import ModelCancelled, ModelError
from tests.support.fakes import ScriptedModel

TABLE = Surroundings((Item("cup"),))


def test_never_mind_is_heard_at_once_while_a_model_examines_an_order() -> None:
    model = ScriptedModel(ModelCancelled("never mind"), ModelCancelled("never mind"))
    with pytest.raises(ModelCancelled):
        examine("bring me the cup", TABLE, ASSISTIVE, ModelAnswerer(model, instructions(ASSISTIVE)))
    with pytest.raises(ModelCancelled):
        plan_by_model(model, "bring me the cup", Final.UNFEASIBILITY, "It is far away.", ())
    assert len(model.prompts) == 2


def test_a_model_that_is_down_is_asked_once_and_not_for_twenty_seconds() -> None:
    model = ScriptedModel(ModelError("it is down"), ModelError("it is down"))
    finding = examine("bring me the cup", TABLE, ASSISTIVE, ModelAnswerer(model, instructions(ASSISTIVE)))
    assert (finding.final, len(model.prompts)) == (None, 1)
