"""heed as an MCP server: every skill is a tool, and so are stop and status.

Runs in a process of its own and only passes on: a call lives as long as the connection to the daemon, so one that is
cancelled, or whose client vanishes, ends the motion. Where a skill asks first, heed asks the person beside the robot.
The tools come from the same registry as the prompt; a client is told which of them only look.
"""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import mcp_types as types
from mcp import MCPError
from mcp.server import Server
from mcp.server.context import ServerRequestContext

from daemon.mcp.daemon_link import ask
from daemon.service.control import CommandError, NoDaemonError
from hw.client import send_stop
from hw.state import HardwareError
from skills.schema import input_schema, result_schema
from skills.skill import Skill

NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
INSTRUCTIONS = """\
A robot that listens to the people around it. Tools that are not read-only move it: one call at a time, after what
people ask for, and a person's "stop" or "never mind" ends yours. Errors end with a hint; follow it. After a stop only a
person lets it move again. Cancelling a call cancels the motion."""
STOP = types.Tool(
    name="stop",
    title="Stop the robot",
    description="Stop every motion at once. The robot stays stopped until a person beside it says otherwise.",
    input_schema=NOTHING,
    annotations=types.ToolAnnotations(
        read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
)
STATUS = types.Tool(
    name="status",
    title="What the robot is doing",
    description="What the robot is doing, whether it is stopped, and what is wrong with it.",
    input_schema=NOTHING,
    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
)


def tool_of(skill: Skill) -> types.Tool:
    """A skill as a tool."""
    asks = " A person beside the robot is asked first." if skill.confirm else ""
    result = {"type": "object", "properties": {"result": result_schema(skill)}, "required": ["result"]}
    return types.Tool(
        name=skill.name,
        title=skill.name.replace("_", " "),
        description=skill.summary + asks,
        input_schema=input_schema(skill),
        output_schema=result,
        annotations=types.ToolAnnotations(
            read_only_hint=skill.read_only,
            destructive_hint=not skill.read_only,
            idempotent_hint=skill.read_only,
            open_world_hint=False,
        ),
    )


class Tools:
    """What an MCP client may list and call."""

    def __init__(self, runtime: Path, skills: dict[str, Skill]) -> None:
        self._runtime = runtime
        self._skills = {name: skill for name, skill in skills.items() if name not in (STOP.name, STATUS.name)}
        self._listed = [STOP, STATUS, *(tool_of(self._skills[name]) for name in sorted(self._skills))]

    def server(self) -> Server[Any]:
        return Server(
            "heed",
            version=version("heed"),
            title="heed, a robot",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(self, context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._listed)

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in (STOP.name, STATUS.name, *self._skills):
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name[:100]!r}. Hint: list the tools")
        outcome = _refused(CommandError("the client has gone"))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_end_with_client, context, tasks.cancel_scope)
            try:
                outcome = _said(await self._answer(context, params.name, params.arguments or {}))
            except CommandError as error:
                outcome = _refused(error)
            tasks.cancel_scope.cancel()
        return outcome

    async def _answer(self, context: ServerRequestContext[Any], name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == STOP.name:
            return await self._stop()
        if name == STATUS.name:
            return await ask(self._runtime, "status")
        skill = self._skills[name]
        try:
            jsonschema.validate(arguments, input_schema(skill))
        except jsonschema.ValidationError as error:
            raise CommandError(
                f"{name} does not take this: {error.message}", f"call it as {skill.signature}"
            ) from error
        progress = _Progress(context)
        fields: dict[str, Any] = {"skill": name, "arguments": arguments, "client": _client_name(context)}
        if skill.read_only and not skill.confirm:
            return await ask(self._runtime, "look", **fields)
        return await ask(self._runtime, "call", progress.tell, **fields)

    async def _stop(self) -> dict[str, Any]:
        """By the daemon, which also tells people; by heed-hw itself where there is none."""
        try:
            return await ask(self._runtime, "stop", reason="an MCP client said stop")
        except NoDaemonError:
            report = await anyio.to_thread.run_sync(_stop_hardware, self._runtime)
            return {"standstill": report}


class _Progress:
    """Tells the client how far a motion is; the numbers only rise, as the protocol wants it."""

    def __init__(self, context: ServerRequestContext[Any]) -> None:
        self._context = context
        self._progress = 0.0
        self._motions = 0
        self._goal: Any = None
        self._whole = 0.0

    async def tell(self, now: dict[str, Any]) -> None:
        """One motion counts as 1; how many a skill takes is not known before."""
        remaining = float(now.get("remaining", 0.0))
        if "goal" in now and now["goal"] != self._goal:
            self._goal, self._whole = now["goal"], max(remaining, 1e-6)
            self._motions += 1
        done = self._motions - 1 + min(1.0, max(0.0, 1 - remaining / self._whole)) if self._motions else 0.0
        self._progress = max(done, self._progress + 1e-6)
        message = str(now.get("doing") or f"motion {self._motions}: {remaining:.2f} left")
        await self._context.session.report_progress(self._progress, message=message)


async def _end_with_client(context: ServerRequestContext[Any], scope: anyio.CancelScope) -> None:
    """Over HTTP of the handshake era, a request outlives its connection unless somebody looks."""
    gone = context.request.scope.get("heed.gone") if context.request is not None else None
    if gone is not None:
        await gone.wait()
        scope.cancel()


def _client_name(context: ServerRequestContext[Any]) -> str:
    params = context.session.client_params
    return f"mcp:{params.client_info.name}" if params else "mcp"


def _stop_hardware(runtime: Path) -> str:
    try:
        return send_stop(runtime, "an MCP client said stop").standstill.value
    except HardwareError as error:
        raise CommandError(str(error), error.hint) from error


def _said(answer: dict[str, Any]) -> types.CallToolResult:
    text = json.dumps(answer.get("result", answer), ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=answer)


def _refused(error: CommandError) -> types.CallToolResult:
    text = f"{str(error).rstrip('.')}. Hint: {error.hint}" if error.hint else str(error)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
