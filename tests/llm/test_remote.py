"""A model behind HTTP: small real servers that answer as llama-server, vLLM and Ollama do, or break as networks do."""

import http.server
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from daemon.config import ConfigError, LlmConfig
from daemon.llm.model import ModelCancelled, ModelChanged, Prompt
from daemon.llm.remote_model import CAME, RETRY_SECONDS, WENT, RemoteModel

PROMPT = Prompt("You write Python for a robot.\n", (), ">>> wait_for_trigger()\n{'text': 'hi'}\n>>>")
PIECES = [" say", "('hi", "')", "\n'suc", "cess'\n>>> never"]


class Local:
    """The brain that stays when the network goes."""

    name = "local"
    context_tokens = 4096
    follows_instructions = False
    leads = True

    def __init__(self):
        self.closed = False

    def complete(self, prompt, *, stop=(">>>",), max_tokens=256):
        return " say('from here')\n"

    def prepare(self, base, examples):
        self.prepared = base

    def count_tokens(self, text):
        return len(text)

    def cancel(self): ...

    def close(self):
        self.closed = True


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        answer = self.server.pages.get(self.path)
        self.send_response(200 if answer is not None else 404)
        content = json.dumps(answer or {}).encode()
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, json.loads(content)))
        if self.server.resets:
            self.server.resets -= 1
            self.close_connection = True
            return
        self.send_response(self.server.status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in self.server.lines():
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.server.hung_up.set()

    def log_message(self, *_): ...


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, pages, lines):
        super().__init__(("127.0.0.1", 0), Answers)
        self.pages, self.lines = pages, lines
        self.status = 200
        self.resets = 0
        self.requests = []
        self.hung_up = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


def events(pieces=PIECES):
    for text in pieces:
        yield b"data: " + json.dumps({"choices": [{"text": text, "finish_reason": None}]}).encode() + b"\n\n"
    yield b"data: " + json.dumps({"choices": [{"text": "", "finish_reason": "stop"}]}).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


OPENAI = {
    "/v1/models": {"data": [{"id": "big"}, {"id": "other"}]},
    "/props": {"default_generation_settings": {"n_ctx": 2048}},
}
OLLAMA = {"/api/version": {"version": "1"}, "/api/tags": {"models": [{"name": "big:latest"}]}, **OPENAI}


@pytest.fixture
def serve():
    servers = []

    def serve(pages=OPENAI, lines=events):
        servers.append(Server(pages, lines))
        return servers[-1]

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def said():
    return []


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def connect(said, clock):
    def connect(address, **settings):
        return RemoteModel(address, Local(), LlmConfig(**settings), said.append, clock)

    return connect


def test_a_statement_ends_the_request(serve, connect, said):
    server = serve()
    model = connect(server.address)
    assert model.complete(PROMPT) == " say('hi')\n"
    where, request = server.requests[0]
    assert (where, request["model"], request["prompt"]) == ("/v1/completions", "big", PROMPT.text)
    assert (request["temperature"], request["repeat_penalty"], request["stop"]) == (0, 1, ["\n>>>"])
    assert (model.context_tokens, said) == (2048, [])


def test_other_text_ends_at_its_stop_string(serve, connect):
    assert connect(serve().address).complete(PROMPT, stop=["success"]) == " say('hi')\n'"


def test_a_server_that_cuts_the_stop_string_off_is_understood_too(serve, connect):
    server = serve(lines=lambda: events([" x = [", "1,\n", "2"]))
    assert connect(server.address).complete(PROMPT) == " x = [1,\n2"


def test_one_of_several_models_is_named_in_the_address(serve, connect):
    server = serve()
    connect(server.address + "/v1#other").complete(PROMPT)
    assert server.requests[0][1]["model"] == "other"


def test_ollama_gets_the_prompt_raw_and_the_context_s_size(serve, connect):
    def lines():
        for text in PIECES:
            yield json.dumps({"response": text, "done": False}).encode() + b"\n"
        yield b'{"response": "", "done": true}\n'

    server = serve(OLLAMA, lines)
    assert connect(server.address, context_tokens=3000).complete(PROMPT) == " say('hi')\n"
    where, request = server.requests[0]
    assert (where, request["model"], request["raw"]) == ("/api/generate", "big:latest", True)
    assert request["options"]["num_ctx"] == 3000


def chat_events():
    for text in (" say('a')\nsay(", "'b')\n"):
        yield (
            b"data: "
            + json.dumps({"choices": [{"delta": {"content": text}, "finish_reason": None}]}).encode()
            + b"\n\n"
        )
    yield b"data: " + json.dumps({"choices": [], "usage": {"prompt_tokens": 321}}).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def chat_lines():
    for text in (" say('a')\nsay(", "'b')\n"):
        yield json.dumps({"message": {"role": "assistant", "content": text}, "done": False}).encode() + b"\n"
    yield json.dumps({"message": {"content": ""}, "done": True, "prompt_eval_count": 321}).encode() + b"\n"


@pytest.mark.parametrize(
    ("pages", "lines", "path"),
    [(OPENAI, chat_events, "/v1/chat/completions"), (OLLAMA, chat_lines, "/api/chat")],
)
def test_a_whole_answer_is_had_from_a_chat_server_and_told_line_by_line(serve, connect, pages, lines, path):
    server = serve(pages, lines)
    model = connect(f"{server.address}/chat")
    told = []
    answer = model.stream(Prompt("rules\n", ("example\n",), "heard\n>>>", answer=True), told.append)
    assert answer == " say('a')\nsay('b')\n"
    assert told[0] == " say('a')\n"
    asked, request = server.requests[0]
    assert asked == path
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert request["messages"][1]["content"] == "example\nheard\n>>>"
    assert model.prompt_tokens == 321


WHOLE = Prompt(PROMPT.base, (), PROMPT.history, answer=True)


def with_tokens():
    """As OpenAI has it: the text, that it has ended, and only then how many tokens the prompt had."""
    *said, done = events([" say('a')\n"])
    yield from said
    yield b"data: " + json.dumps({"choices": [], "usage": {"prompt_tokens": 321}}).encode() + b"\n\n"
    yield done


def test_tokens_that_a_server_tells_behind_the_last_word_are_known(serve, connect):
    model = connect(serve(lines=with_tokens).address)
    assert model.stream(WHOLE, lambda text: None) == " say('a')\n"
    assert model.prompt_tokens == 321


def test_an_answer_that_has_ended_needs_nothing_behind_it(serve, connect, said):
    server = serve(lines=lambda: list(events([" say('a')\n"]))[:-1])
    assert connect(server.address).stream(WHOLE, lambda text: None) == " say('a')\n"
    assert said == []


@pytest.mark.parametrize("status", [200, 503], ids=["the server tells none", "the local model answers"])
def test_the_tokens_of_one_prompt_are_not_told_of_the_next(serve, connect, status):
    server = serve(lines=with_tokens)
    model = connect(server.address)
    model.stream(WHOLE, lambda text: None)
    server.lines, server.status = events, status
    model.stream(WHOLE, lambda text: None)
    assert model.prompt_tokens is None


@pytest.mark.parametrize("where", ["", "/chat"])
def test_a_model_that_begins_with_the_sign_of_the_prompt_has_an_answer(serve, connect, where):
    """And the server is not told to end it there."""
    server = serve(lines=lambda: events([">>>", " say('a')\nsay('b')\n", ">>> never"]))
    whole = Prompt(PROMPT.base, (), PROMPT.history, answer=True)
    assert connect(server.address + where).stream(whole, lambda text: None) == " say('a')\nsay('b')\n"
    assert server.requests[0][1].get("stop") == (None if where else ["\n>>>"])


def test_a_chat_server_is_told_the_other_stop_strings(serve, connect):
    server = serve(lines=lambda: events(["yes", "\nbecause"]))
    assert connect(f"{server.address}/chat").complete(PROMPT, stop=["\n", ">>>"]) == "yes"
    assert server.requests[0][1]["stop"] == ["\n"]


def test_a_connection_that_is_reset_is_tried_once_more(serve, connect, said):
    server = serve()
    server.resets = 1
    assert connect(server.address).complete(PROMPT) == " say('hi')\n"
    assert len(server.requests) == 2
    assert said == []


def test_one_that_is_reset_again_is_given_to_the_local_model_after_that_one_retry(serve, connect, said):
    server = serve()
    server.resets = 5
    assert connect(server.address).complete(PROMPT) == " say('from here')\n"
    assert len(server.requests) == 2
    assert said == [WENT]


def test_when_nobody_listens_the_local_model_answers_and_people_are_told_once(connect, said):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = connect(f"http://127.0.0.1:{port}")
    assert model.complete(PROMPT) == " say('from here')\n"
    assert model.complete(PROMPT) == " say('from here')\n"
    assert said == [WENT]
    assert model.name.startswith("local, while remote:http")


@pytest.mark.parametrize(
    "lines",
    [
        lambda: list(events())[:2],
        lambda: [b'data: {"error": {"message": "out of memory"}}\n\n'],
        lambda: [b"<html>gateway</html>\n"],
        lambda: [b'data: {"choices": 7}\n\n'],
        lambda: [],
    ],
    ids=["breaks off", "says error", "no JSON", "strange JSON", "says nothing"],
)
def test_an_answer_that_is_none_is_given_by_the_local_model(serve, connect, said, lines):
    assert connect(serve(lines=lines).address).complete(PROMPT) == " say('from here')\n"
    assert said == [WENT]


def test_an_error_status_is_given_to_the_local_model(serve, connect, said):
    server = serve()
    server.status = 503
    assert connect(server.address).complete(PROMPT) == " say('from here')\n"
    assert said == [WENT]


def test_the_server_is_asked_again_after_a_while_and_its_return_is_told(serve, connect, said, clock):
    server = serve()
    server.status = 503
    model = connect(server.address)
    model.complete(PROMPT)
    server.status = 200
    assert model.complete(PROMPT) == " say('from here')\n"
    assert len(server.requests) == 1
    clock.now += RETRY_SECONDS
    assert model.complete(PROMPT) == " say('hi')\n"
    assert said == [WENT, CAME]
    assert model.name == f"remote:{server.address}"


def test_a_cancel_hangs_up_and_nobody_else_answers(serve, connect, said):
    going, go_on = threading.Event(), threading.Event()

    def lines():
        yield next(events())
        going.set()
        go_on.wait()
        while True:  # until the line is seen to be dead
            yield b": still thinking\n\n"

    server = serve(lines=lines)
    model = connect(server.address)
    outcome = []

    def complete():
        try:
            outcome.append(model.complete(PROMPT))
        except ModelCancelled as error:
            outcome.append(error)

    thread = threading.Thread(target=complete)
    thread.start()
    going.wait()
    model.cancel()
    thread.join()
    go_on.set()
    assert isinstance(outcome[0], ModelCancelled)
    assert server.hung_up.wait(10)
    assert said == []


class TwoAnswers:
    """Two answers at once, each of which goes on when it is told."""

    def __init__(self):
        self.asked = [threading.Event(), threading.Event()]
        self.go_on = [threading.Event(), threading.Event()]
        self.count = iter(range(2))

    def __call__(self):
        number = next(self.count)
        yield next(events([f" say('answer {number}')\n"]))
        self.asked[number].set()
        self.go_on[number].wait(10)
        yield from events([f"say('end {number}')\n"])


@pytest.fixture
def two(serve, connect):
    """A model that writes a whole answer, and is asked something else in the middle: both answers under way."""
    answers = TwoAnswers()
    model = connect(serve(lines=answers).address)
    whole = Prompt(PROMPT.base, (), PROMPT.history, answer=True)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(model.stream, whole, lambda text: None)
        assert answers.asked[0].wait(10)
        second = threads.submit(model.complete, whole)
        assert answers.asked[1].wait(10)
        yield model, answers, first, second
        for event in answers.go_on:
            event.set()


@pytest.mark.parametrize("sooner", [0, 1])
def test_an_answer_ends_no_other_one(two, said, sooner):
    _, answers, *running = two
    for number in (sooner, 1 - sooner):
        answers.go_on[number].set()
        assert running[number].result(10) == f" say('answer {number}')\nsay('end {number}')\n"
    assert said == []


@pytest.mark.parametrize("sooner", [0, 1])
def test_a_cancel_reaches_what_is_still_under_way_when_another_answer_has_ended(two, said, sooner):
    model, answers, *running = two
    answers.go_on[sooner].set()
    running[sooner].result(10)
    model.cancel()
    with pytest.raises(ModelCancelled):
        running[1 - sooner].result(10)
    assert said == []


def test_a_cancel_ends_all_that_is_under_way_and_nothing_that_comes_after(two, said):
    model, answers, *running = two
    model.cancel()
    for one in running:
        with pytest.raises(ModelCancelled):
            one.result(10)
    answers.count = iter([0])
    answers.go_on[0].set()
    assert model.complete(PROMPT) == " say('answer 0')\n"
    assert said == []


def test_a_server_that_says_nothing_more_is_given_up(serve, connect, said, monkeypatch):
    monkeypatch.setattr("daemon.llm.server_call.READ_SECONDS", 0.05)
    monkeypatch.setattr("daemon.llm.server_call.TOKEN_SECONDS", 0.05)
    go_on = threading.Event()

    def lines():
        yield next(events())
        go_on.wait()

    assert connect(serve(lines=lines).address).complete(PROMPT) == " say('from here')\n"
    go_on.set()
    assert said == [WENT]


def test_closing_closes_the_local_model(serve, connect):
    model = connect(serve().address)
    model.close()
    assert model._local.closed


@pytest.mark.parametrize("address", ["", "localhost:8080", "ftp://host", "http://", "http://host:port"])
def test_an_address_that_is_none_is_refused(connect, address):
    with pytest.raises(ConfigError, match="http://HOST:PORT"):
        connect(address)


def test_while_the_local_brain_answers_only_what_it_can_do_is_asked_of_it(serve, connect, clock):
    server = serve()
    model = connect(server.address)
    assert model.follows_instructions
    server.status = 500
    model.complete(PROMPT)
    assert not model.follows_instructions
    server.status = 200
    clock.now += RETRY_SECONDS
    model.complete(PROMPT)
    assert model.follows_instructions


def test_a_local_brain_that_does_not_lead_gets_no_prompt_of_one_that_does(serve, said):
    local = Local()
    local.leads = False
    server = serve()
    server.status = 503
    model = RemoteModel(server.address, local, LlmConfig(), said.append)
    model.prepare("for one that leads", ())
    with pytest.raises(ModelChanged):
        model.complete(PROMPT)
    assert not hasattr(local, "prepared")
    assert not model.leads
    assert said == [WENT]
    assert model.complete(PROMPT) == " say('from here')\n"
    model.prepare("for the local one", ())
    assert local.prepared == "for the local one"
