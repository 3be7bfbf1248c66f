"""A language model on another machine, behind the API of llama-server, vLLM or Ollama; and a local one for when
the network goes.

The prompt is a console transcript, so raw completion is what is asked for (Ollama's /v1/completions would put it into a
chat template). An address that ends in /chat asks for chat instead, for servers that have nothing else: what does not
change is the system's message, the rest the person's. Answers are streamed, so that each statement is run as soon as it
is complete. Several may be asked for at once, since people speak while a model writes: each has a call of its own.
"""

import contextlib
import http.client
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from daemon.config import ConfigError, LlmConfig
from daemon.llm.ending import Ending
from daemon.llm.model import (
    ANSWER_TOKENS,
    PROMPT_SIGN,
    Counting,
    LanguageModel,
    ModelCancelled,
    ModelChanged,
    Prompt,
    SoFar,
    form_of,
    is_taught,
)
from daemon.llm.server_call import RemoteError, ServerAddress, ServerCall, read_line

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0
"""How long the local model answers before the server is asked again."""
STOPS = 4
"""How many stop strings these servers take; the rest is found here."""
WENT = "I cannot reach my language model on the network. I go on with the one in here."
CAME = "My language model on the network answers again."


@dataclass(frozen=True)
class Server:
    """What a server said of itself."""

    ollama: bool
    model: str
    """The name that it wants to hear in requests."""


class RemoteModel:
    """A LanguageModel. `address` is http://HOST:PORT, and may end in /chat, and in #MODEL where a server has several.

    A connection that is reset is tried once more; else `local` answers for a while, from the next prompt on where it
    does not lead. `on_switch` is told a sentence for people when that begins and ends. The local model is closed with
    it. Raises ConfigError for no address.
    """

    def __init__(
        self,
        address: str,
        local: LanguageModel,
        config: LlmConfig,
        on_switch: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        url = urlsplit(address)
        try:
            host, port = url.hostname or "", url.port
        except ValueError:  # of the port
            host, port = "", None
        if url.scheme not in ("http", "https") or not host:
            raise ConfigError(f'"{address}" is no address of a server; write remote:http://HOST:PORT')
        path = url.path.rstrip("/")
        self._chat = path.endswith("/chat")
        path = path.removesuffix("/chat").removesuffix("/v1")
        self._where = ServerAddress(host, port, url.scheme == "https", path)
        self._wanted = url.fragment
        self.prompt_tokens: int | None = None
        """Of the last prompt, where the server told."""
        self.reused_tokens = 0
        """Servers do not tell; the local model may."""
        self._address = f"remote:{address}"
        self._config = config
        self._local = local
        self._on_switch = on_switch
        self._clock = clock
        self._server: Server | None = None
        self._away_until: float | None = None
        """Set while the local model answers."""
        self._changing = threading.Lock()
        self._calls: set[ServerCall] = set()
        """Those under way."""
        self.name = self._address
        self.context_tokens = min(config.context_tokens, local.context_tokens)

    @property
    def follows_instructions(self) -> bool:
        """Return whether the one that answers now follows instructions."""
        return self._away_until is None or self._local.follows_instructions

    @property
    def leads(self) -> bool:
        """Return whether the one that answers now leads."""
        return self._away_until is None or self._local.leads

    @property
    def taught(self) -> bool:
        """Return whether the one that answers now was taught by us; nobody knows it of a server."""
        return self._away_until is not None and is_taught(self._local)

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        """Return the text that follows the prompt, up to and without the first `stop` string."""
        return self._completed(prompt, stop, max_tokens)

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        """Return a whole answer; `so_far` is given what is written whenever another line is."""
        return self._completed(prompt, (PROMPT_SIGN,), ANSWER_TOKENS, so_far)

    def _completed(self, prompt: Prompt, stop: Sequence[str], max_tokens: int, so_far: SoFar | None = None) -> str:
        self.prompt_tokens, self.reused_tokens = None, 0
        if self._away_until is not None and self._clock() < self._away_until:
            return self._completed_here(prompt, stop, max_tokens)
        with self._call() as call:
            try:
                if is_taught(self):  # what is asked now tells a server nothing
                    self._server = self._introduce(call)
                    self._come()
                    raise ModelChanged(f"{self.name} answers again, and reads other prompts")
                text = self._ask_twice(call, prompt, stop, max_tokens, so_far)
            except _FAILURES as error:
                if call.hung_up:
                    raise ModelCancelled("the completion was cancelled") from error
                form = form_of(self)
                self._go(error)
                if form != form_of(self):
                    raise ModelChanged(f"{self.name} reads prompts of its own") from error
                return self._completed_here(prompt, stop, max_tokens)
            if call.hung_up:
                raise ModelCancelled("the completion was cancelled")
        self._come()
        return text

    def _completed_here(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> str:
        text = self._local.complete(prompt, stop=stop, max_tokens=max_tokens)
        if isinstance(self._local, Counting):
            self.prompt_tokens, self.reused_tokens = self._local.prompt_tokens, self._local.reused_tokens
        return text

    @contextlib.contextmanager
    def _call(self) -> Iterator[ServerCall]:
        """A call that cancel() can hang up while it lasts."""
        call = ServerCall(self._where, self._clock)
        with self._changing:
            self._calls.add(call)
        try:
            yield call
        finally:
            with self._changing:
                self._calls.discard(call)

    def prepare(self, base: str, examples: Sequence[str]) -> None:
        """Prepare the local model where it reads such prompts; servers keep prompts by themselves."""
        if form_of(self._local) == form_of(self):
            self._local.prepare(base, examples)

    def count_tokens(self, text: str) -> int:
        """Count as the local model does: roughly."""
        return self._local.count_tokens(text)

    def cancel(self) -> None:
        """End every running complete() and stream(): the connections are closed, by which the server knows."""
        with self._changing:
            calls = tuple(self._calls)
        for call in calls:
            call.hang_up()
        self._local.cancel()

    def close(self) -> None:
        """Close the connection and the local model."""
        self.cancel()
        self._local.close()

    def _go(self, error: Exception) -> None:
        log.warning("%s: %s; %s answers instead", self._address, error or repr(error), self._local.name)
        first, self._away_until = self._away_until is None, self._clock() + RETRY_SECONDS
        self._server = None
        self.name = f"{self._local.name}, while {self._address} is away"
        if first:
            self._on_switch(WENT)

    def _come(self) -> None:
        if self._away_until is not None:
            self._away_until = None
            log.info("%s answers again", self._address)
            self.name = self._address
            self._on_switch(CAME)

    def _ask_twice(
        self, call: ServerCall, prompt: Prompt, stop: Sequence[str], max_tokens: int, so_far: SoFar | None
    ) -> str:
        """Ask once more where the connection was reset before anything was told of the answer."""
        told = False

        def tell(text: str) -> None:
            nonlocal told
            told = True
            if so_far:
                so_far(text)

        try:
            return self._ask(call, prompt, stop, max_tokens, tell)
        except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected):
            if told or call.hung_up:
                raise
        log.info("%s has reset the connection; it is asked once more", self._address)
        return self._ask(call, prompt, stop, max_tokens, tell)

    def _ask(self, call: ServerCall, prompt: Prompt, stop: Sequence[str], max_tokens: int, so_far: SoFar | None) -> str:
        server = self._server = self._server or self._introduce(call)
        ending = Ending(stop, statement=PROMPT_SIGN in stop and not prompt.answer)
        where, request = self._request(server, prompt, stop, max_tokens)
        with call.exchange("POST", where, request) as lines:
            return self._read(lines, ending, so_far)

    def _read(self, lines: Iterator[bytes], ending: Ending, so_far: SoFar | None) -> str:
        """Return an answer, and note how many tokens its prompt has: some servers tell them behind the last word."""
        whole = False
        try:
            for told in map(read_line, lines):
                self.prompt_tokens = told.tokens or self.prompt_tokens
                whole = whole or told.whole
                ended = ending.feed(told.text.encode()) or told.last
                if ended or (whole and self.prompt_tokens is not None):
                    return ending.text
                if so_far and "\n" in told.text:
                    so_far(ending.lines)
        except (OSError, http.client.HTTPException):
            if not whole:
                raise
        if not whole:
            raise RemoteError("the answer broke off")
        return ending.text

    def _request(
        self, server: Server, prompt: Prompt, stop: Sequence[str], max_tokens: int
    ) -> tuple[str, dict[str, Any]]:
        """Return where to and what; greedy, and without the penalties for repetition that some servers add."""
        content: dict[str, Any] = {"prompt": prompt.text}
        if self._chat:
            said = "".join(prompt.examples) + prompt.history
            content = {"messages": [{"role": "system", "content": prompt.base}, {"role": "user", "content": said}]}
        stops = self._stops(stop)
        if server.ollama:
            options = {
                "num_ctx": self.context_tokens,  # else it cuts long prompts off without a word
                "num_predict": max_tokens,
                "temperature": 0,
                "repeat_penalty": 1.0,
                **stops,
            }
            about = {"model": server.model, "stream": True, "keep_alive": -1, "options": options}
            if self._chat:
                return "/api/chat", about | content
            return "/api/generate", about | content | {"raw": True}
        return f"/v1/{'chat/' if self._chat else ''}completions", content | {
            "model": server.model,
            "max_tokens": max_tokens,
            "temperature": 0,
            "repeat_penalty": 1.0,  # llama-server's name for it
            "repetition_penalty": 1.0,  # vLLM's
            "cache_prompt": True,
            **stops,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def _stops(self, stop: Sequence[str]) -> dict[str, list[str]]:
        """The stop strings that the server is told, if any; what it is not told, Ending finds.

        A model may begin with the sign that the prompt ends with: it ends an answer only on a further line. In a chat a
        fence may stand above the first one, which only Ending tells from the next.
        """
        if self._chat:
            told = [text for text in stop if text != PROMPT_SIGN]
        else:
            told = [f"\n{text}" if text == PROMPT_SIGN else text for text in stop]
        return {"stop": told[:STOPS]} if told else {}  # some servers refuse an empty list

    def _introduce(self, call: ServerCall) -> Server:
        """Find out what kind of server it is, which model it has, and how long a text that can read."""
        if call.get("/api/version"):
            names = [entry["name"] for entry in call.get("/api/tags")["models"]]
            return Server(ollama=True, model=self._chosen(names))
        listed = call.get("/v1/models")
        if not listed:
            raise RemoteError("it has no /v1/models; it must be llama-server, vLLM or Ollama")
        models = {entry["id"]: entry for entry in listed["data"]}
        model = self._chosen(list(models))
        of_llama_server = (call.get("/props") or {}).get("default_generation_settings", {})
        longest = models.get(model, {}).get("max_model_len") or of_llama_server.get("n_ctx")
        if longest:
            self.context_tokens = min(self.context_tokens, int(longest))
        return Server(ollama=False, model=model)

    def _chosen(self, names: Sequence[str]) -> str:
        if self._wanted:
            return self._wanted
        if not names:
            raise RemoteError("it has no model; load one there")
        return names[0]


_FAILURES = (RemoteError, OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError)
"""All that a network, and an answer of any shape, can raise."""
