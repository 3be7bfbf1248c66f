"""What is said while a heed works that a mind on a server leads: a whole heed, and a server as people run them."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from daemon.config import LlmConfig
from skills.scene import Scene
from tests.llm.test_remote import OLLAMA, OPENAI, Server
from tests.story.test_app import Running, config_in, drives, rests
from tests.support.waiting import until

pytestmark = pytest.mark.whole

TOKENS = 321
"""Of every prompt, as the server tells."""
AT_WORK, ALONE = True, False
SINK = "move_to('sink')\nsay('I am at the sink.')\n"
ANSWERS: Mapping[tuple[str, bool], str] = {
    ("over to me", ALONE): "move_to('person')\nsay('I am with you.')\n",
    ("how long still?", AT_WORK): "say('Half a minute.')\n",
    ("and then to the sink", AT_WORK): "say('Right after this.')\ncarry_on()\n",
    ("and then to the sink", ALONE): SINK,
    ("make that the sink", AT_WORK): "say('The sink, then.')\nmove_to('sink')\n",
    ("make that the sink", ALONE): SINK,
    ("no rush", AT_WORK): "say('Good.')\n",
}
"""What was said, and whether something is under way -> what the mind writes."""


class Protocol(NamedTuple):
    """How a kind of server is asked, and how it answers."""

    pages: Mapping[str, Any]
    end: str
    """Of the address in the settings."""
    path: str
    asked: Callable[[Any], str]
    """The prompt in a request."""
    lines: Callable[[str], Iterator[bytes]]
    """An answer, as it is sent."""


def events(choice: Mapping[str, Any]) -> Iterator[bytes]:
    usage = {"choices": [], "usage": {"prompt_tokens": TOKENS}}
    for told in ({"choices": [choice]}, {"choices": [{"finish_reason": "stop"}]}, usage):
        yield b"data: " + json.dumps(told).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def objects(told: Mapping[str, Any]) -> Iterator[bytes]:
    for end in ({"done": False}, {"done": True, "prompt_eval_count": TOKENS}):
        yield json.dumps({**told, **end}).encode() + b"\n"
        told = dict.fromkeys(told, "")


def messages(request: Any) -> str:
    return "".join(message["content"] for message in request["messages"])


PROTOCOLS = {
    "completions": Protocol(
        OPENAI, "", "/v1/completions", lambda request: str(request["prompt"]), lambda text: events({"text": text})
    ),
    "chat": Protocol(
        OPENAI, "/chat", "/v1/chat/completions", messages, lambda text: events({"delta": {"content": text}})
    ),
    "Ollama": Protocol(
        OLLAMA, "", "/api/generate", lambda request: str(request["prompt"]), lambda text: objects({"response": text})
    ),
    "Ollama's chat": Protocol(
        OLLAMA, "/chat", "/api/chat", messages, lambda text: objects({"message": {"content": text}})
    ),
}


class Mind:
    """A server that writes what ANSWERS has for the words that it reads last."""

    def __init__(self, protocol: Protocol) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._protocol = protocol
        self.server = Server(protocol.pages, self._answer)
        self.address = f"{self.server.address}{protocol.end}"

    @property
    def prompts(self) -> list[str]:
        return [self._protocol.asked(request) for _, request in self.server.requests]

    def _answer(self) -> Iterator[bytes]:
        _, _, after = self.prompts[-1].rpartition("{'type': 'dialog', 'text': ")
        said = re.match(r"'(.*)'}", after)
        assert said
        text = ANSWERS[said[1], "# under way: move_to(" in after]
        assert self.may_answer.wait(60)
        yield from self._protocol.lines(text)


@contextmanager
def led(folder: Path, protocol: str) -> Iterator[tuple[Running, Mind]]:
    """A heed on its way to a person, and the mind that leads it."""
    mind = Mind(PROTOCOLS[protocol])
    mind.server.resets = 1
    heed = Running(config_in(folder / "run", llm=LlmConfig(brain=f"remote:{mind.address}")))
    try:
        heed.wait()
        heed.say("over to me")
        until(drives(heed))
        yield heed, mind
    finally:
        mind.may_answer.set()
        heed.app.shut_down("the test is over")
        heed.end()
        mind.server.shutdown()
        mind.server.server_close()


def arrived(heed: Running, turns: int) -> str:
    """Return where the robot is once so many turns are over."""
    until(lambda: len(heed.app.console.history.turns) == turns)
    heed.wait()
    seen, base = Scene.from_observation(heed.app.body.observe()), heed.app.body.state().base
    here = seen.location_at(base.x, base.y) if base else None
    return here.name if here else ""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_question_is_answered_and_a_further_wish_queued_while_the_drive_goes_on(
    tmp_path: Path, protocol: str, caplog: pytest.LogCaptureFixture
) -> None:
    """By every kind of server. The first connection is reset, it is asked once more, and nobody hears of it."""
    with led(tmp_path, protocol) as (heed, mind), caplog.at_level("INFO"):
        heed.say("how long still?")
        until(lambda: heed.terminal.speech == ["Half a minute."])
        heed.say("and then to the sink")
        until(lambda: heed.terminal.speech[1:] == ["Right after this."])
        assert not heed.app.conversation.waiting
        assert arrived(heed, turns=2) == "sink"
        assert heed.terminal.speech[2:] == ["I am with you.", "I am at the sink."]
        assert heed.app.console.history.utterances == ["over to me", "and then to the sink"]
    assert {path for path, _ in mind.server.requests} == {PROTOCOLS[protocol].path}
    assert len(mind.prompts) == 5  # the one that was reset, and one for each time that somebody spoke or was heard
    assert f"completions=1 prompt_tokens={TOKENS}" in caplog.text


def test_another_wish_ends_what_is_under_way_and_is_done_instead(tmp_path: Path) -> None:
    with led(tmp_path, "chat") as (heed, _):
        heed.say("make that the sink")
        assert arrived(heed, turns=2) == "sink"
        assert "I am with you." not in heed.terminal.speech
        assert any(result.startswith("KeyboardInterrupt: ") for result in heed.results)


def test_after_a_no_the_robot_holds_until_the_mind_has_answered_and_then_goes_on(tmp_path: Path) -> None:
    with led(tmp_path, "chat") as (heed, mind):
        mind.may_answer.clear()
        heed.say("no rush")
        until(lambda: rests(heed))
        assert (heed.app.body.state().stopped, heed.terminal.speech) == (None, [])
        mind.may_answer.set()
        assert arrived(heed, turns=1) == "person"
        assert heed.terminal.speech == ["Good.", "I am with you."]
