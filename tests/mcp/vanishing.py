"""Calls move_to() over HTTP, to be killed in the middle: python -m tests.mcp.vanishing RUNTIME URL MODE."""

import asyncio
import sys
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp.clients import token_header


async def main(runtime: Path, url: str, mode: str) -> None:
    async with (
        httpx2.AsyncClient(headers=token_header(runtime), timeout=60) as web,
        Client(streamable_http_client(url, http_client=web), mode=mode) as client,
    ):
        await client.call_tool("move_to", {"location": "person"})


asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
