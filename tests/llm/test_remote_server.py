"""The remote brain against a real server: llama-cpp-python's own, in a process that is killed."""

import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from daemon.config import LlmConfig
from daemon.llm.remote_model import CAME, RETRY_SECONDS, WENT, RemoteModel
from tests.llm.test_remote import PROMPT, Local
from tests.llm.tiny_gguf import make_scripted_gguf
from tests.support.waiting import until

for module in ("fastapi", "pydantic_settings", "starlette_context"):
    pytest.importorskip(module, reason=".venv/bin/python -m pip install 'llama-cpp-python[server]'")

SCRIPT = {">>>": " say('hi')\n"}
ENDLESS = {">>>": " x = [", " x = [": "1, ", "1, ": "1, "}
LINES = 30
"""Into the answer, when the server is killed."""
TOKENS = 1500
"""Of the whole answer: enough that they are never all under way at once."""

Serve = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def serve(tmp_path: Path, port: int) -> Iterator[Serve]:
    with ExitStack() as built:

        def serve(follows: dict[str, str]) -> "subprocess.Popen[bytes]":
            model = make_scripted_gguf(tmp_path / "model.gguf", follows)
            command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--n_threads", "1"]
            server = subprocess.Popen([*command, "--port", str(port)], stderr=subprocess.DEVNULL)
            built.callback(server.wait)
            built.callback(server.kill)
            until(lambda: answers(port))
            return server

        yield serve


def answers(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5):
        return True
    return False


class Clock:
    """Asked at each line of an answer; at one of them it does something."""

    now = 0.0

    def __init__(self) -> None:
        self.lines = 0
        self.act: Callable[[], object] = lambda: None

    def __call__(self) -> float:
        self.lines += 1
        if self.lines == LINES:
            self.act()
        return self.now


def test_killed_in_the_middle_of_an_answer_it_is_replaced_at_once_and_used_again_when_it_is_back(
    serve: Serve, port: int
) -> None:
    said: list[str] = []
    clock = Clock()
    model = RemoteModel(f"http://127.0.0.1:{port}", Local(), LlmConfig(), said.append, clock)
    server = serve(ENDLESS)
    clock.act = lambda: (server.kill(), server.wait())
    assert model.complete(PROMPT, max_tokens=TOKENS) == " say('from here')\n"
    assert clock.lines >= LINES, "it was in the middle of its answer"
    assert said == [WENT]
    serve(SCRIPT)
    assert model.complete(PROMPT) == " say('from here')\n", "not yet"
    clock.now += RETRY_SECONDS
    assert model.complete(PROMPT) == " say('hi')\n"
    assert said == [WENT, CAME]
