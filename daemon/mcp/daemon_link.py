"""The way of `heed mcp` to the running daemon: its control socket, without threads."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream

from daemon.service.control import REQUEST_BYTES, SOCKET, CommandError, NoDaemonError, running_in

ANSWER_BYTES = 1 << 20

Told = Callable[[dict[str, Any]], Awaitable[None]]


async def ask(configured: Path, command: str, told: Told | None = None, **fields: Any) -> dict[str, Any]:
    """One request and its answer; `told` gets what is said on the way.

    Cancelled in the middle, it hangs up, and the daemon ends what it does for us. Raises CommandError.
    """
    line = json.dumps({"command": command, **fields}).encode() + b"\n"
    if len(line) > REQUEST_BYTES:
        raise CommandError("the request is too long", "say it in fewer words")
    try:
        async with await anyio.connect_unix(str(running_in(configured) / SOCKET)) as connection:
            await connection.send(line)
            answers = BufferedByteReceiveStream(connection)
            while True:
                message = json.loads(await answers.receive_until(b"\n", ANSWER_BYTES))
                if "ok" in message:
                    break
                if told is not None:
                    await told(message["progress"])
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NoDaemonError from error
    except (OSError, anyio.IncompleteRead, anyio.EndOfStream, anyio.BrokenResourceError) as error:
        raise CommandError(f"heed hung up: {error or 'it ended'}", "see `journalctl -u heed`") from error
    if not message.pop("ok"):
        raise CommandError(message["error"], message["hint"])
    return dict(message)
