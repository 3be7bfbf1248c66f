"""The page as an ASGI application: files, the commands of the socket, what happens as it happens, and figures.

    GET  /  /page.js  /page.css       the page itself; no secrets in it
    GET  /api/events?after=RUN-N      server-sent events without end: hello, step, hearing, state, scene
    GET  /api/picture?of=THING        the room, or a thing in it, as a PNG; 204 where the robot has none to show now
    POST /api/COMMAND                 the commands of daemon/service/control.py, with their fields as JSON
    POST /api/speech                  a recording: mono, 16 kHz, 16 bit; answered with what was understood
    GET  /metrics                     text that Prometheus reads

All but the first line needs the token (permit.py). An error is {"error": ..., "hint": ...}, as on the socket.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
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
from daemon.service.control import REQUEST_BYTES, CommandError, Handler, handler_of, object_in, own_error
from hw.state import HardwareError

log = logging.getLogger(__name__)
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
            return _refused(CommandError("too many watch this page already", "close some of them"), 503)
        run, _, number = request.query_params.get("after", "").partition("-")
        after = int(number) if run == live.run and number.isdecimal() and len(number) < 18 else 0
        return StreamingResponse(_told(live, view, after), media_type="text/event-stream")

    async def command(request: Request) -> Response:
        try:
            handler = handler_of(request.path_params["command"], handlers)
        except CommandError as error:
            return _refused(error, 404)
        try:
            fields = object_in(await _body(request, REQUEST_BYTES) or b"{}")
        except CommandError as error:
            return _refused(error, 400)
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
        app = _refused(CommandError(refusal), 403) if refusal else self._app
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
        return _refused(error, 409)
    except Exception as error:
        log.exception("a request of the page failed")
        return _refused(own_error(error), 500)


async def _body(request: Request, limit: int) -> bytes:
    """Raises HTTPException for one that is too long; the rest of it is not read."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise HTTPException(413, f"longer than {limit} bytes")
    return body


def _refused(error: CommandError, status: int) -> Response:
    return JSONResponse({"error": str(error), "hint": error.hint}, status)
