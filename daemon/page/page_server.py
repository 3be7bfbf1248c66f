"""Serves the page: three files, the commands of the socket, what happens as it happens, and figures for Prometheus.

    GET  /  /page.js  /page.css       the page itself; no secrets in it
    GET  /api/events?after=RUN-N      server-sent events without end: hello, step, hearing, state, scene
    GET  /api/picture?of=THING        the room, or a thing in it, as a PNG; 204 where the robot has none to show now
    POST /api/COMMAND                 the commands of daemon/service/control.py, with their fields as JSON
    POST /api/speech                  a recording: mono, 16 kHz, 16 bit; answered with what was understood
    GET  /metrics                     text that Prometheus reads

All but the first line needs the token (permit.py). An error is {"error": ..., "hint": ...}, as on the socket.
"""

import asyncio
import ipaddress
import json
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import uvicorn
from numpy.typing import NDArray
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daemon.page.live import Live
from daemon.page.permit import Permit
from daemon.service.control import REQUEST_BYTES, CommandError, Handler
from daemon.service.control import Message as Command
from hw.state import HardwareError

FOLDER = Path(__file__).parent
FILES = {
    "/": ("index.html", "text/html"),
    "/page.js": ("page.js", "text/javascript"),
    "/page.css": ("page.css", "text/css"),
}
LOOK_SECONDS = 0.25
"""Between two looks at the body while somebody watches; nobody looks when nobody watches."""
QUIET_SECONDS = 10.0
"""After so long without news a comment is sent, so that both sides notice a connection that is gone."""
WATCHERS = 16
CONNECTIONS = 256
RECORDING_BYTES = 2 * 16000 * 20
"""Twenty seconds, longer than anything that the ear takes in one piece."""
SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

T = TypeVar("T")
View = Callable[[], dict[str, Any]]
"""{"state": {...}, "scene": {...}}: what is so now; sent when it has changed."""
Hear = Callable[[NDArray[np.int16]], str]
"""Takes a recording at 16 kHz; returns what was understood."""
Picture = Callable[[str], bytes]
"""A PNG of the room, or of the thing that is named. Raises HardwareError where there is none."""

log = logging.getLogger(__name__)


class PageServer:
    """The page at one address, in threads of its own, until closed."""

    def __init__(
        self,
        address: str,
        permit: Permit,
        handlers: Mapping[str, Handler],
        live: Live,
        view: View,
        figures: Callable[[], str],
        hear: Hear,
        picture: Picture,
    ) -> None:
        """Take the address, "HOST:PORT"; port 0 takes any that is free. Raises CommandError when it cannot be had."""
        self._permit = permit
        app = build(permit, {**handlers, **page_handlers(self)}, live, view, figures, hear, picture)
        settings = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="off",
            loop="asyncio",
            http="h11",
            ws="none",
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(settings)
        self._socket = _listen(address)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def address(self) -> str:
        """HOST:PORT, with the port that it got."""
        host, port = self._socket.getsockname()[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    @property
    def link(self) -> str:
        """Return the link for a person's browser; it holds the token."""
        host, port = self._socket.getsockname()[:2]
        everywhere = ipaddress.ip_address(host).is_unspecified
        place = f"{socket.gethostname()}:{port}" if everywhere else self.address
        return f"http://{place}/#token={self._permit.token}"

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        self._socket.listen(CONNECTIONS)
        self._thread.start()

    def close(self) -> None:
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=3)
        self._socket.close()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        except Exception:
            log.exception("the page has ended; heed goes on without it")


def page_handlers(page: PageServer | None) -> dict[str, Handler]:
    """Return the command "page", which tells the link; None is a heed without a page."""

    def tell(request: Command) -> Command:
        if page is None:
            advice = 'start heed with --page, or set page = "127.0.0.1:8642" below [service] in config.toml'
            raise CommandError("there is no page", advice)
        return {"link": page.link}

    return {"page": tell}


def build(
    permit: Permit,
    handlers: Mapping[str, Handler],
    live: Live,
    view: View,
    figures: Callable[[], str],
    hear: Hear,
    picture: Picture,
) -> ASGIApp:
    """The page as an ASGI application."""

    async def page(request: Request) -> Response:
        name, kind = FILES[request.url.path]
        return Response((FOLDER / name).read_bytes(), media_type=kind)

    async def events(request: Request) -> Response:
        if live.watchers >= WATCHERS:
            return _refused("too many watch this page already", "close some of them", 503)
        run, _, number = request.query_params.get("after", "").partition("-")
        after = int(number) if run == live.run and number.isdecimal() and len(number) < 18 else 0
        return StreamingResponse(_told(live, view, after), media_type="text/event-stream")

    async def command(request: Request) -> Response:
        handler = handlers.get(request.path_params["command"])
        if handler is None:
            return _refused("there is no such command", f"known are {', '.join(handlers)}", 404)
        try:
            fields = json.loads(await _body(request, REQUEST_BYTES) or b"{}")
            if not isinstance(fields, dict):
                raise ValueError("no object")
            json.dumps(fields, ensure_ascii=False).encode()  # fails for half a surrogate pair, which is no text
        except (ValueError, RecursionError) as error:
            return _refused(f"the request is not JSON: {str(error)[:200]}", "send an object", 400)
        return await _answer(handler, {**fields, "source": "page"})

    async def speech(request: Request) -> Response:
        recording = await _body(request, RECORDING_BYTES)
        samples = np.frombuffer(recording[: len(recording) // 2 * 2], "<i2").astype(np.int16)
        return await _answer(lambda sound: {"text": hear(sound)}, samples)

    async def room(request: Request) -> Response:
        try:
            shown = await run_in_threadpool(picture, request.query_params.get("of", ""))
            return Response(shown, media_type="image/png")
        except HardwareError:  # no fault of whoever asks: a camera may come back, and a simple room has none
            return Response(status_code=204)

    async def metrics(request: Request) -> Response:
        return PlainTextResponse(await run_in_threadpool(figures))

    routes = [
        *(Route(path, page) for path in FILES),
        Route("/api/events", events),
        Route("/api/picture", room),
        Route("/api/speech", speech, methods=["POST"]),
        Route("/api/{command}", command, methods=["POST"]),
        Route("/metrics", metrics),
    ]
    return Guard(Starlette(routes=routes), permit)


class Guard:
    """Lets through what is permitted, and gives every answer the headers that keep browsers strict."""

    def __init__(self, app: ASGIApp, permit: Permit) -> None:
        self._app = app
        self._permit = permit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                strict = [(name.lower().encode(), value.encode()) for name, value in SECURITY.items()]
                message["headers"] = [*message.get("headers", []), *strict]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope.get("headers", [])}
        public = scope["path"] in FILES
        refusal = self._permit.refusal_of_strangers(headers) if public else self._permit.refusal(headers)
        app = _refused(refusal, "", 403) if refusal else self._app
        await app(scope, receive, send_strictly)


async def _told(live: Live, view: View, after: int) -> AsyncIterator[str]:
    """Yield what one watcher is told: first what was missed, then what comes."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()
    shown: dict[str, Any] = {}
    quiet = 0.0

    def wake() -> None:
        with suppress(RuntimeError):  # the server is closing, and its loop is gone already
            loop.call_soon_threadsafe(news.set)

    with live.watched(wake):
        yield _event("hello", {"run": live.run})
        while True:
            news.clear()
            steps = live.since(after)
            after = steps[-1]["number"] if steps else after
            told = [_event("step", step, f"{live.run}-{step['number']}") for step in steps]
            told += await _changes(view, live, shown)
            quiet = 0.0 if told else quiet + LOOK_SECONDS
            if quiet >= QUIET_SECONDS:
                told, quiet = [": still here\n\n"], 0.0
            for text in told:
                yield text
            await _wait(news)


async def _changes(view: View, live: Live, shown: dict[str, Any]) -> list[str]:
    now = {"hearing": live.hearing, **await run_in_threadpool(view)}
    changed = [name for name in now if now[name] != shown.get(name)]
    shown.update(now)
    return [_event(name, now[name]) for name in changed]


async def _wait(news: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), LOOK_SECONDS)


def _event(name: str, data: Any, id: str = "") -> str:
    return (f"id: {id}\n" if id else "") + f"event: {name}\ndata: {json.dumps(data)}\n\n"


async def _answer(handler: Callable[[T], dict[str, Any]], asked: T) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(handler, asked))
    except CommandError as error:
        return _refused(str(error), error.hint, 409)
    except Exception as error:
        log.exception("a request of the page failed")
        return _refused(f"heed had an error of its own: {error!r}", "see `journalctl -u heed`", 500)


async def _body(request: Request, limit: int) -> bytes:
    """Raises HTTPException for one that is too long; the rest of it is not read."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise HTTPException(413, f"longer than {limit} bytes")
    return body


def _refused(error: str, hint: str, status: int) -> Response:
    return JSONResponse({"error": error, "hint": hint}, status)


def _listen(address: str) -> socket.socket:
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    try:
        if not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError("it is not of the form HOST:PORT")
        family, kind, _, _, place = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
    except (OSError, ValueError) as error:
        raise CommandError(
            f"the page cannot be offered at {address!r}: {error}",
            'give another page below [service] in config.toml, for example "127.0.0.1:8642"',
        ) from error
    return listener
