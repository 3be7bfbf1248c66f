"""Tools of other MCP servers as functions of the console: only those that config.toml names, under the server's prefix.

[mcp.servers.weather] with tools = ["forecast"] becomes weather_forecast(city: str). What a server says about a tool,
and what it returns, is text from outside: it is shortened, and it is data. One that does not call itself read-only is
confirmed by a person each time. A server that is not there is left out; one that goes away costs an error line.
"""

import asyncio
import concurrent.futures
import inspect
import logging
import re
import shlex
import threading
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from daemon.config import ConfigError, McpConfig
from skills.skill import Cancelled, Skill, SkillContext, SkillError

CONNECT_SECONDS = 10.0
CALL_SECONDS = 30.0
SUMMARY_LIMIT = 200
"""Characters of a tool's description that the model sees: a sentence or two."""
KEYS = {"command", "url", "tools"}
TYPES: Mapping[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}

log = logging.getLogger(__name__)


def tool_names(config: McpConfig) -> list[str]:
    """Return the names of all tools that the settings name, whether their servers are there or not."""
    return [f"{name}_{_as_name(tool)}" for name, server in config.servers.items() for tool in server["tools"]]


class OtherTools:
    """Connections to other servers, in a thread of their own, until closed."""

    def __init__(self, config: McpConfig) -> None:
        """Connect to every server of the settings. Raises ConfigError for settings that cannot be meant."""
        self.left_out: dict[str, str] = {}
        """Servers and tools that cannot be had, and why."""
        self.skills: dict[str, Skill] = {}
        """The tools, ready to be offered to the model."""
        for name, server in config.servers.items():
            _check(name, server)
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._calls: set[concurrent.futures.Future[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="mcp", daemon=True)
        if config.servers:
            self._thread.start()
        self._keepers = [self._open(name, server) for name, server in config.servers.items()]

    def cancel(self) -> None:
        """Give up on calls that are under way; their servers are told."""
        for call in list(self._calls):
            call.cancel()

    def close(self) -> None:
        """End every connection; safe to call twice."""
        if not self._thread.is_alive():
            return
        self.cancel()
        self._loop.call_soon_threadsafe(self._ended.set)
        concurrent.futures.wait(self._keepers, timeout=CONNECT_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=CONNECT_SECONDS)

    def _open(self, name: str, server: Mapping[str, Any]) -> "concurrent.futures.Future[None]":
        ready: concurrent.futures.Future[Any] = concurrent.futures.Future()
        keeper = asyncio.run_coroutine_threadsafe(self._keep(server, ready), self._loop)
        try:
            client, tools = ready.result(CONNECT_SECONDS)
        except Exception as error:
            self.left_out[name] = f"it does not answer: {_first_words(error) or type(error).__name__}"
            log.warning("the MCP server %s is left out", name, exc_info=error)
            keeper.cancel()
            return keeper
        offered = {tool.name: tool for tool in tools}
        for wanted in server["tools"]:
            if wanted in offered:
                skill = self._skill(f"{name}_{_as_name(wanted)}", client, offered[wanted])
                self.skills[skill.name] = skill
            else:
                self.left_out[f"{name}: {wanted}"] = f"the server has only {', '.join(sorted(offered)) or 'nothing'}"
        return keeper

    async def _keep(self, server: Mapping[str, Any], ready: "concurrent.futures.Future[Any]") -> None:
        """Hold one connection from its beginning to its end, in one task, as the SDK wants it."""
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(_connection(server))
                ready.set_result((client, (await client.list_tools()).tools))
                await self._ended.wait()
        except BaseException as error:  # the SDK raises groups
            if not ready.done():
                ready.set_exception(RuntimeError(_first_words(_innermost(error))))
            if isinstance(error, asyncio.CancelledError):
                raise
            log.warning("an MCP server has gone", exc_info=error)

    def _skill(self, name: str, client: Any, tool: Any) -> Skill:
        """The tool as a skill that moves nothing."""

        def call(robot: SkillContext, *args: Any, **kwargs: Any) -> str:
            try:
                given = signature.bind(robot, *args, **kwargs).arguments
            except TypeError as error:
                raise SkillError(f"{name}() {error}", f"call it as {name}{signature}") from error
            return self._ask(
                name, client, tool.name, {k: v for k, v in given.items() if k != "robot" and v is not None}
            )

        signature = _signature(tool.input_schema)
        call.__name__ = name
        call.__doc__ = _first_words(tool.description or tool.title or tool.name)
        call.__signature__ = signature  # type: ignore[attr-defined]
        harmless = bool(tool.annotations and tool.annotations.read_only_hint)
        return Skill(name, call, uses=(), confirm=not harmless)

    def _ask(self, name: str, client: Any, tool: str, arguments: dict[str, Any]) -> str:
        waiting = asyncio.run_coroutine_threadsafe(client.call_tool(tool, arguments), self._loop)
        self._calls.add(waiting)
        try:
            result = waiting.result(CALL_SECONDS)
        except concurrent.futures.CancelledError as error:
            raise Cancelled(f"{name}() was cancelled") from error
        except TimeoutError as error:
            waiting.cancel()
            raise SkillError(f"{name}() has not answered in {CALL_SECONDS:.0f} s", "do it without") from error
        except Exception as error:
            raise SkillError(f"{name}() does not work: {_first_words(error)}", "do it without") from error
        finally:
            self._calls.discard(waiting)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise SkillError(_first_words(text) or f"{name}() failed", "ask with other words, or do it without")
        return text


def _connection(server: Mapping[str, Any]) -> Any:
    """A client of the SDK that is not connected yet. Imported late: it is an optional extra."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    if "url" in server:
        return Client(server["url"])
    program, *arguments = shlex.split(server["command"])
    return Client(stdio_client(StdioServerParameters(command=program, args=arguments)))


def _check(name: str, server: Any) -> None:
    where = f"[mcp.servers.{name}]"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ConfigError(f"{where}: the name becomes a prefix; use small letters, digits and _, such as weather")
    if not isinstance(server, dict) or set(server) - KEYS:
        raise ConfigError(f"{where} takes command or url, and tools; nothing else")
    if ("command" in server) == ("url" in server) or not all(
        isinstance(server.get(k, ""), str) for k in KEYS - {"tools"}
    ):
        raise ConfigError(f'{where} needs either command = "PROGRAM ..." or url = "http://HOST:PORT/mcp"')
    tools = server.get("tools")
    if not isinstance(tools, list) or not tools or not all(isinstance(tool, str) for tool in tools):
        raise ConfigError(f'{where} needs the names of the tools that the model may call: tools = ["forecast"]')
    try:
        import mcp  # noqa: F401
    except ModuleNotFoundError as error:
        raise ConfigError(f"{where} needs a package: .venv/bin/python -m pip install mcp") from error


def _signature(schema: Mapping[str, Any]) -> inspect.Signature:
    """Of a function with the schema's properties, required ones first; a kind that Python has no word for is Any."""
    required = schema.get("required", [])
    properties: Mapping[str, Any] = schema.get("properties", {})
    ordered = sorted((name for name in properties if name.isidentifier()), key=lambda name: name not in required)
    parameters = [inspect.Parameter("robot", inspect.Parameter.POSITIONAL_ONLY)]
    for name in ordered:
        kind: Any = TYPES.get(str(properties[name].get("type")), Any)
        optional = name not in required
        parameters.append(
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=None if optional else inspect.Parameter.empty,
                annotation=kind | None if optional and kind is not Any else kind,
            )
        )
    return inspect.Signature(parameters, return_annotation=str)


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _as_name(tool: str) -> str:
    return re.sub(r"\W", "_", tool)


def _first_words(text: object) -> str:
    return " ".join(str(text).split())[:SUMMARY_LIMIT]
