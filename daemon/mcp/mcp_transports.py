"""`heed mcp`: offers the tools over standard input and output, or over HTTP on this machine."""

import hmac
import ipaddress
import socket
from typing import Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daemon.service.control import CommandError

SESSIONS = 256
"""At once; one whose client left without a word counts until it was silent for half an hour (the SDK's default)."""
TOKEN_FILE = "mcp-token"
"""In the state directory; delete it to lock every client out."""


def over_stdio(server: Server[Any]) -> None:
    """Serve until the client closes our input."""

    async def serve() -> None:
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def over_http(server: Server[Any], listener: socket.socket, token: str) -> None:
    """Serve until a signal ends it; the path is /mcp, and every request needs the token."""
    web_server(web_app(server, token)).run(sockets=[listener])


def web_app(server: Server[Any], token: str) -> ASGIApp:
    """Return what answers on /mcp, with everything that keeps strangers out."""
    return Doorkeeper(server.streamable_http_app(max_sessions=SESSIONS), token)


def web_server(app: ASGIApp) -> uvicorn.Server:
    """Return a server that does not listen yet."""
    return uvicorn.Server(
        uvicorn.Config(app, log_config=None, access_log=False, server_header=False, proxy_headers=False)
    )


def listen(address: str) -> socket.socket:
    """A socket at "HOST:PORT", port 0 for any. Raises CommandError, also where other machines could reach it."""
    host, _, port = address.rpartition(":")
    try:
        if not ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]")).is_loopback:
            raise ValueError("others could reach it there")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host.strip("[]"), int(port)))
        listener.listen()  # who reads the address may connect at once
    except (OSError, ValueError, OverflowError) as error:
        raise CommandError(
            f"MCP cannot be offered at {address!r}: {error}",
            "give an address of this machine, such as 127.0.0.1:8643; let others in by a proxy with TLS",
        ) from error
    return listener


class Doorkeeper:
    """A doorkeeper who asks every request for the token, and notices when the client of one has gone."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, self._wanted):
            refusal = PlainTextResponse(
                "heed needs its token: Authorization: Bearer TOKEN (`heed mcp` tells the file)", 401
            )
            await refusal(scope, receive, send)
            return
        gone = anyio.Event()

        async def watched() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        await self._app({**scope, "heed.gone": gone}, watched, send)
