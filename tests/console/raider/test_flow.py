"""The flow manager: four warnings, a time limit, and nothing else between an answerer and the tools."""

from collections.abc import Sequence
from itertools import count

import pytest

from daemon.console.raider.flow import Call, Final, Finding, Message, examine, read_reply
from daemon.console.raider.model_answerer import ModelAnswerer, instructions
from daemon.console.raider.surroundings import Item, Surroundings
from daemon.console.raider.tools import HOUSEHOLD
from tests.support.fakes import ScriptedModel

AROUND = Surroundings((Item("Mug", 0.6, frozenset(["pickupable"]), {"dirty": True}),))
NONE = '{"final_response": "none", "explanation": "fine", "grounded": ["Mug"]}'


class Scripted:
    """An Answerer that says one thing after the other, the last again and again."""

    def __init__(self, *replies: str) -> None:
        self._replies = list(replies)
        self.seen: list[Message] = []

    def reply(self, messages: Sequence[Message]) -> str:
        self.seen = list(messages)
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


def found(*replies: str) -> Finding:
    return examine("pick(Mug)", AROUND, HOUSEHOLD, Scripted(*replies))


def test_a_call_is_answered_and_a_final_response_ends_it() -> None:
    finding = found(str(Call("get_obj_state", ("Mug",))), NONE)
    assert [message.text for message in finding.messages if message.role == "tool"] == ['{"dirty": true}']
    assert (finding.final, finding.explanation, finding.grounded, finding.warnings) == (
        Final.NONE,
        "fine",
        ("Mug",),
        (),
    )


@pytest.mark.parametrize(
    ("reply", "warning", "answered"),
    [
        ('call_tool{"tool": "get_obj_state", "args": ["Mug"]} ' + NONE, "made_up_answer", True),
        ('call_tool{"tool": "is_reachable", "args": ["Mug"]}', "made_up_tool", False),
        ('call_tool{"tool": "dist_to_target", "args": ["Unicorn"]}', "failed_call", False),
        ('call_tool{"tool": "dist_to_target", "args": []}', "failed_call", False),
        ("I think I should look around first.", "neither", False),
        ('{"final_response": "maybe"}', "neither", False),
        ("call_tool{broken", "neither", False),
    ],
)
def test_each_mistake_has_its_warning(reply: str, warning: str, answered: bool) -> None:
    finding = found(reply, NONE)
    assert finding.warnings == (warning,)
    assert any(message.role == "tool" for message in finding.messages) is answered
    assert finding.final is Final.NONE


def test_endless_calls_end_in_time() -> None:
    ticks = count()
    answerer = Scripted(str(Call("robot_holding")))
    finding = examine("pick(Mug)", AROUND, HOUSEHOLD, answerer, seconds=20, clock=lambda: float(next(ticks)))
    assert finding.final is None
    assert "in time" in finding.explanation
    assert len(finding.messages) > 2


def test_a_name_may_be_said_a_little_wrongly() -> None:
    finding = found('call_tool{"tool": "get_obj_state", "args": ["the mugg"]}', NONE)
    assert not finding.warnings or finding.warnings == ("failed_call",)
    assert read_reply('call_tool{"tool": "get_obj_state", "args": ["mugs"]}')[0] == [Call("get_obj_state", ("mugs",))]


def test_a_model_is_asked_through_the_same_flow() -> None:
    model = ScriptedModel('call_tool{"tool": "dist_to_target", "args": ["mug"]}', NONE)
    finding = examine("take the mug", AROUND, HOUSEHOLD, ModelAnswerer(model, instructions(HOUSEHOLD)))
    assert finding.final is Final.NONE
    assert "dist_to_target(target): Metres" in model.prompts[0].base
    assert model.prompts[1].history.endswith("RESULT: 0.6\nYOU:")
