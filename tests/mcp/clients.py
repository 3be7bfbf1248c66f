"""MCP clients of the SDK, over both transports and both eras of the protocol, in front of a whole heed."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from daemon.mcp.mcp_transports import TOKEN_FILE
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
WAYS = [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto"), ("http", "legacy")]


def settings_for(runtime: Path) -> Path:
    """A config.toml for `heed mcp` that leads to the heed of these tests."""
    file = runtime / "config.toml"
    file.write_text(f'[service]\nruntime_directory = "{runtime}"\nstate_directory = "{runtime}"\n')
    return file


def command(settings: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "daemon", "--config", str(settings), "mcp", *more]


@asynccontextmanager
async def client(way: tuple[str, str], runtime: Path) -> AsyncIterator[Client]:
    """Connected to a `heed mcp` of its own."""
    transport, mode = way
    settings = settings_for(runtime)
    if transport == "stdio":
        program, *arguments = command(settings)
        parameters = StdioServerParameters(command=program, args=arguments, cwd=str(ROOT), env=dict(os.environ))
        async with Client(stdio_client(parameters), mode=mode) as connected:
            yield connected
        return
    with subprocess.Popen(command(settings, "--http", "127.0.0.1:0"), cwd=ROOT, stdout=subprocess.PIPE) as server:
        try:
            url = await asyncio.to_thread(url_of, server)
            async with (
                httpx2.AsyncClient(headers=token_header(runtime), timeout=60) as web,
                Client(streamable_http_client(url, http_client=web), mode=mode) as connected,
            ):
                yield connected
        finally:
            server.kill()


def url_of(server: "subprocess.Popen[bytes]") -> str:
    assert server.stdout is not None
    return server.stdout.readline().decode().split()[2].rstrip(",")


def token_header(runtime: Path) -> dict[str, str]:
    return {"Authorization": f"Bearer {(runtime / TOKEN_FILE).read_text().strip()}"}


async def becomes(condition: Callable[[], object]) -> None:
    """until(), without holding up the client."""
    await asyncio.to_thread(until, condition)


def carry_out(story: Coroutine[Any, Any, None]) -> None:
    """Run it, but not for ever."""
    asyncio.run(asyncio.wait_for(story, 100))


def text_of(result: Any) -> str:
    return str(result.content[0].text)
