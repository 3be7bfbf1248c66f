"""A language model looks before the robot leaps, through the same flow: over HTTP, and in llama.cpp."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.config import LlmConfig
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.model_answerer import ModelAnswerer, instructions, plan_by_model
from daemon.console.raider.surroundings import Item, Surroundings
from daemon.console.raider.tools import HOUSEHOLD
from daemon.llm.llama import LlamaModel
from daemon.llm.model import LanguageModel
from daemon.llm.remote_model import RemoteModel
from tests.llm.test_remote import Local, Server, events
from tests.llm.tiny_gguf import make_scripted_gguf

AROUND = Surroundings((Item("Chalice", 1.8, frozenset(["pickupable"])),))
CALL = 'call_tool{"tool": "dist_to_target", "args": ["Chalice"]}'
FAR = json.dumps(
    {"final_response": "unfeasibility", "explanation": "The goblet is too far away.", "grounded": ["Chalice"]}
)
PLAN = "move_to(chalice); pick(chalice)"
MISTAKES = (
    ("made_up_answer", f"{CALL} {FAR}"),
    ("made_up_tool", 'call_tool{"tool": "weigh", "args": []}'),
    ("failed_call", 'call_tool{"tool": "dist_to_target", "args": ["Moon"]}'),
    ("neither", "Let me think about that."),
)


class Replies:
    """An OpenAI-compatible server on loopback that gives one reply after the other."""

    def __init__(self, *replies: str) -> None:
        left = iter(replies)
        self.server = Server({"/v1/models": {"data": [{"id": "scripted"}]}}, lambda: events([f" {next(left)}"]))
        self.model = RemoteModel(self.server.address, Local(), LlmConfig(), lambda sentence: None)

    @property
    def prompts(self) -> list[str]:
        return [content["prompt"] for path, content in self.server.requests]


@pytest.fixture
def close() -> Iterator[list[Replies]]:
    opened: list[Replies] = []
    yield opened
    for replies in opened:
        replies.model.close()
        replies.server.shutdown()
        replies.server.server_close()


def look(model: LanguageModel) -> Finding:
    return examine("take the goblet", AROUND, HOUSEHOLD, ModelAnswerer(model, instructions(HOUSEHOLD)))


def test_a_server_grounds_asks_and_answers(close: list[Replies]) -> None:
    close.append(served := Replies(CALL, FAR, PLAN))
    finding = look(served.model)
    assert (finding.final, finding.grounded, finding.warnings) == (Final.UNFEASIBILITY, ("Chalice",), ())
    assert "GROUND first" in served.prompts[0]
    assert served.prompts[1].endswith(f"YOU: {CALL}\nRESULT: 1.8\nYOU:")
    plan = plan_by_model(served.model, "take the goblet", Final.UNFEASIBILITY, finding.explanation, ())
    assert plan == ["move_to(chalice)", "pick(chalice)"]
    assert "1.8" not in served.prompts[2]


@pytest.mark.parametrize(("warning", "reply"), MISTAKES)
def test_a_server_that_errs_is_warned_and_may_correct_itself(close: list[Replies], warning: str, reply: str) -> None:
    close.append(served := Replies(reply, FAR))
    finding = look(served.model)
    assert (finding.final, finding.warnings) == (Final.UNFEASIBILITY, (warning,))
    assert "WARNING: " in served.prompts[1]


def test_llama_cpp_answers_through_the_same_flow(tmp_path: Path) -> None:
    """The real library, with made weights that follow a script: they err once, and answer after the warning."""
    file = tmp_path / "tiny.gguf"
    replies = {"take the goblet\nYOU:": " hm\nORDER:", '{"final_response": ...}.\nYOU:': f" {FAR}\nORDER:"}
    make_scripted_gguf(file, replies, context=8192)
    model = LlamaModel(file, LlmConfig(), tmp_path)
    try:
        finding = look(model)
    finally:
        model.close()
    assert (finding.final, finding.warnings, finding.grounded) == (Final.UNFEASIBILITY, ("neither",), ("Chalice",))
