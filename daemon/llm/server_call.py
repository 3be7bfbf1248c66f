"""HTTP with a language model's server: what is asked, one exchange after the other, and answers line by line.

Closing the connection is how these servers are told to stop, so that a call can be hung up from any thread.
"""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from daemon.llm.model import ModelError

CONNECT_SECONDS = 2.0
READ_SECONDS = 60.0
"""Until the first token: a long prompt on a slow server."""
TOKEN_SECONDS = 10.0
"""Between two tokens."""
ANSWER_SECONDS = 180.0
"""For all of them."""
LONGEST_LINE = 1 << 20


class RemoteError(ModelError):
    """The server cannot be reached, or does not answer as it should."""


class Refused(OSError):
    """The server answered with an error."""

    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"the server answered {status}: {content.decode('utf-8', 'replace').strip()[:200]}")


@dataclass(frozen=True)
class ServerAddress:
    """Where a server is."""

    host: str
    port: int | None
    """None for the usual one."""
    secure: bool
    path: str
    """What all its paths begin with."""


class ServerCall:
    """ServerCall: the exchanges that one completion needs, with a connection that no other one closes."""

    def __init__(self, address: ServerAddress, clock: Callable[[], float] = time.monotonic) -> None:
        self._address = address
        self._clock = clock
        self._changing = threading.Lock()
        self._socket: socket.socket | None = None
        self.hung_up = False

    def hang_up(self) -> None:
        """End the exchange under way, and any that would follow; may be called from any thread, and takes no time."""
        with self._changing:
            self.hung_up = True
            _shut(self._socket)

    def get(self, where: str) -> Any:
        """Return the JSON that lies at a path; None when the server does not know the path. Raises OSError."""
        try:
            with self.exchange("GET", where) as lines:
                return json.loads(b"".join(lines))
        except Refused:
            return None

    @contextlib.contextmanager
    def exchange(self, method: str, where: str, content: dict[str, Any] | None = None) -> Iterator[Iterator[bytes]]:
        """Send a request; yields the answer's lines as they come, and closes the connection afterwards.

        Raises OSError and http.client.HTTPException, also in the middle of the lines and where it was hung up.
        """
        kind = http.client.HTTPSConnection if self._address.secure else http.client.HTTPConnection
        connection = kind(self._address.host, self._address.port, timeout=CONNECT_SECONDS)
        try:
            connection.connect()
            sock = self._take(connection.sock)
            sock.settimeout(READ_SECONDS)
            body = json.dumps(content) if content is not None else None
            connection.request(method, self._address.path + where, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            if response.status != http.client.OK:
                raise Refused(response.status, response.read(1000))
            yield self._lines(response, sock)
        finally:
            self._let_go()
            connection.close()

    def _take(self, sock: socket.socket) -> socket.socket:
        with self._changing:
            if self.hung_up:
                raise OSError("cancelled")
            self._socket = sock
        return sock

    def _let_go(self) -> None:
        with self._changing:
            _shut(self._socket)
            self._socket = None

    def _lines(self, response: http.client.HTTPResponse, sock: socket.socket) -> Iterator[bytes]:
        ends = self._clock() + ANSWER_SECONDS
        while line := response.readline(LONGEST_LINE):
            if self._clock() > ends:
                raise TimeoutError(f"the answer took longer than {ANSWER_SECONDS:g} s")
            sock.settimeout(TOKEN_SECONDS)
            yield line


class Line(NamedTuple):
    """Line: what one line of a streamed answer tells."""

    text: str = ""
    whole: bool = False
    """No more text follows; the tokens may."""
    last: bool = False
    """Nothing follows."""
    tokens: int | None = None
    """Of the prompt, where they are told."""


def read_line(line: bytes) -> Line:
    """Return what a line tells.

    Of either kind: server-sent events, or, from Ollama, a JSON object per line; completion or chat. Raises RemoteError
    for what the server says of itself, and whatever an answer of any other shape can raise.
    """
    content = line.strip().removeprefix(b"data:").strip()
    if not content or content.startswith((b":", b"event:")):
        return Line()
    if content == b"[DONE]":
        return Line(whole=True, last=True)
    answer = json.loads(content)
    if "error" in answer:
        raise RemoteError(str(answer["error"]))
    tokens = (answer.get("usage") or {}).get("prompt_tokens") or answer.get("prompt_eval_count")
    if "response" in answer or "message" in answer:
        text = answer.get("response") or (answer.get("message") or {}).get("content")
        done = bool(answer.get("done"))
        return Line(str(text or ""), done, done, tokens)
    choices = answer.get("choices", ())
    texts = [choice.get("text") or (choice.get("delta") or {}).get("content") or "" for choice in choices]
    return Line("".join(map(str, texts)), any(choice.get("finish_reason") for choice in choices), tokens=tokens)


def _shut(sock: socket.socket | None) -> None:
    """End what any thread waits for."""
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
