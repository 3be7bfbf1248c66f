"""heed as an MCP server, asked by the SDK's own client; the robot is simulated, its bus has real bytes."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import INVALID_PARAMS

from daemon.config import LlmConfig, PermissionConfig
from daemon.mcp.mcp_transports import listen
from daemon.service.control import CommandError
from skills.schema import input_schema
from skills.skill import load_skills
from tests.mcp.clients import (
    ROOT,
    WAYS,
    becomes,
    carry_out,
    client,
    command,
    settings_for,
    text_of,
    token_header,
    url_of,
)
from tests.story.test_app import Running, config_in, drives, heed, rests, runtime
from tests.support.waiting import until

__all__ = ["heed", "runtime"]  # fixtures
STDIO = WAYS[0]


@pytest.mark.whole
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_client_lists_looks_moves_and_follows_hints(way: tuple[str, str], heed: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(way, runtime) as program:
            tools = {tool.name: tool for tool in (await program.list_tools()).tools}
            assert set(tools) == {*load_skills(), "stop", "status"}
            assert tools["grasp"].input_schema == input_schema(load_skills()["grasp"])
            looking = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
            assert looking == {"status", *(name for name, skill in load_skills().items() if skill.read_only)}
            assert tools["grasp"].annotations
            assert tools["grasp"].annotations.destructive_hint
            seen = await program.call_tool("get_object_location", {"object": "cup"})
            assert seen.structured_content == {"result": "counter"}
            unknown = await program.call_tool("move_to", {"location": "attic"})
            assert unknown.is_error
            assert text_of(unknown).endswith("Hint: list_locations() tells which there are")
            told: list[float] = []

            async def note(progress: float, total: float | None, message: str | None) -> None:
                told.append(progress)

            arrived = await program.call_tool("move_to", {"location": "table"}, progress_callback=note)
            assert arrived.structured_content == {"result": "success"}
            assert len(told) > 1
            assert told == sorted(set(told)), "progress has to rise"

    carry_out(story())
    assert heed.app.status.now()["doing"] == "waiting"


@pytest.mark.whole
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_cancelled_call_leaves_zero_velocity_on_the_bus(way: tuple[str, str], heed: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(way, runtime) as program:
            call = asyncio.create_task(program.call_tool("move_to", {"location": "person"}))
            await becomes(drives(heed))
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await becomes(lambda: rests(heed))
            again = await program.call_tool("move_to", {"location": "table"})
            assert again.structured_content == {"result": "success"}

    carry_out(story())
    assert heed.app.body.state().stopped is None


@pytest.mark.whole
def test_a_client_whose_server_is_killed_leaves_the_robot_at_rest(heed: Running, runtime: Path) -> None:
    """The last that anybody can do: the connection to the daemon ends, and with it the motion."""
    program, *arguments = command(settings_for(runtime))
    pid_file = runtime / "pid"
    script = f"echo $$ > {pid_file}; exec {program} {' '.join(arguments)}"

    async def story() -> None:
        parameters = StdioServerParameters(command="bash", args=["-c", script], cwd=str(ROOT))
        async with Client(stdio_client(parameters)) as connected:
            call = asyncio.create_task(connected.call_tool("move_to", {"location": "person"}))
            await becomes(drives(heed))
            os.kill(int(pid_file.read_text()), signal.SIGKILL)
            await becomes(lambda: rests(heed))
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

    carry_out(story())
    until(lambda: heed.app.status.now()["doing"] == "waiting")


@pytest.mark.whole
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_http_client_that_vanishes_leaves_the_robot_at_rest(mode: str, heed: Running, runtime: Path) -> None:
    with subprocess.Popen(
        command(settings_for(runtime), "--http", "127.0.0.1:0"), cwd=ROOT, stdout=subprocess.PIPE
    ) as server:
        try:
            vanishing = [sys.executable, "-m", "tests.mcp.vanishing", str(runtime), url_of(server), mode]
            with subprocess.Popen(vanishing, cwd=ROOT) as program:
                until(drives(heed))
                program.kill()
            until(lambda: rests(heed))
            until(lambda: heed.app.status.now()["doing"] == "waiting")
        finally:
            server.kill()


@pytest.mark.whole
def test_stop_reaches_past_a_running_call_and_only_a_person_ends_it(heed: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(STDIO, runtime) as program:
            moving = asyncio.create_task(program.call_tool("move_to", {"location": "person"}))
            await becomes(drives(heed))
            waiting = asyncio.create_task(program.call_tool("move_to", {"location": "sink"}))
            await becomes(lambda: len(heed.app.mind.outside._open) == 2)
            stopped = await program.call_tool("stop", {})
            assert stopped.structured_content
            assert stopped.structured_content["standstill"] in ("true", "uncertain", "false")
            assert text_of(await moving).startswith("cancelled:")
            assert "a person must let the robot move again" in text_of(await waiting)
            refused = await program.call_tool("move_to", {"location": "sink"})
            assert refused.is_error
            heed.say("go on")
            await becomes(lambda: heed.app.body.state().stopped is None)
            assert not (await program.call_tool("move_to", {"location": "table"})).is_error

    carry_out(story())


@pytest.mark.whole
def test_a_persons_never_mind_ends_a_call_and_what_people_say_comes_first(heed: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(STDIO, runtime) as program:
            moving = asyncio.create_task(program.call_tool("move_to", {"location": "person"}))
            await becomes(drives(heed))
            heed.say("go to the sink")
            heed.say("never mind")
            assert "never mind" in text_of(await moving) or text_of(await moving).startswith("cancelled:")
            await becomes(lambda: heed.app.console.history.utterances == ["go to the sink"])

    carry_out(story())
    heed.wait()


@pytest.fixture
def careful(runtime: Path) -> Iterator[Running]:
    """A heed whose owner wants to be asked before it opens a door."""
    config = config_in(runtime, llm=LlmConfig(brain="imitation"), permission=PermissionConfig(confirm="move_to"))
    running = Running(config)
    running.wait()
    yield running
    running.app.shut_down("the test is over")
    running.end()


def asks(heed: Running) -> bool:
    return heed.app.conversation.asking and heed.app.conversation.waiting


@pytest.mark.whole
def test_the_person_beside_the_robot_is_asked_and_a_no_is_a_no(careful: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(STDIO, runtime) as program:
            for answer, refused in (("no", True), ("yes", False)):
                call = asyncio.create_task(program.call_tool("move_to", {"location": "table"}))
                await becomes(lambda: asks(careful))
                careful.say(answer)
                assert (await call).is_error is refused

    carry_out(story())
    assert careful.terminal.speech == ["Shall I move to table?"] * 2


@pytest.mark.whole
def test_a_question_whose_client_has_gone_is_withdrawn(careful: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(STDIO, runtime) as program:
            call = asyncio.create_task(program.call_tool("move_to", {"location": "table"}))
            await becomes(lambda: asks(careful))
            call.cancel()
            await becomes(lambda: not careful.app.conversation.asking)

    carry_out(story())
    careful.say("where is the cup?")
    until(lambda: careful.app.console.history.utterances == ["where is the cup?"])


@pytest.mark.whole
def test_what_is_done_for_a_program_is_written_down_with_its_name(heed: Running, runtime: Path) -> None:
    async def story() -> None:
        async with client(STDIO, runtime) as program:
            await program.call_tool("move_to", {"location": "table"})

    carry_out(story())
    actions = heed.app.memory._rows("SELECT * FROM action")
    assert [row for row in actions if "move_to" in str(row) and "mcp:" in str(row)]


@pytest.mark.whole
def test_without_a_daemon_a_call_says_so_and_stop_goes_to_heed_hw(tmp_path: Path) -> None:
    from daemon.cli.skill_trial import simulated_robot

    async def story(runtime: Path) -> None:
        async with client(STDIO, runtime) as program:
            assert "no heed is running. Hint: start it" in text_of(await program.call_tool("list_objects", {}))
            stopped = await program.call_tool("stop", {})
            assert stopped.structured_content == {"standstill": "true"}

    with simulated_robot() as body:
        carry_out(story(body._runtime))
        assert body.state().stopped
    settings_for(tmp_path)

    async def no_body() -> None:
        async with client(STDIO, tmp_path) as program:
            assert "use the emergency stop if anything moves" in text_of(await program.call_tool("stop", {}))

    carry_out(no_body())


@pytest.mark.parametrize(
    ("tool", "arguments", "answer"),
    [
        ("grasp", {"object": 7}, "7 is not of type 'string'"),
        pytest.param(
            "grasp",
            {"object": "cup", "force": 9},
            "Additional properties are not allowed ('force' was unexpected)",
            marks=pytest.mark.whole,
        ),
        pytest.param("grasp", {}, "'object' is a required property", marks=pytest.mark.whole),
    ],
)
def test_what_does_not_fit_the_schema_does_not_reach_the_robot(
    tool: str, arguments: dict[str, object], answer: str, tmp_path: Path
) -> None:
    async def story() -> None:
        async with client(STDIO, tmp_path) as program:
            refused = await program.call_tool(tool, arguments)
            assert refused.is_error
            assert answer in text_of(refused)

    carry_out(story())


def test_an_unknown_tool_is_an_error_of_the_protocol(tmp_path: Path) -> None:
    """Specification, server/tools, error handling."""

    async def story() -> None:
        async with client(STDIO, tmp_path) as program:
            with pytest.raises(MCPError, match=r"there is no tool 'dance'\. Hint: list the tools") as refused:
                await program.call_tool("dance", {})
            assert refused.value.error.code == INVALID_PARAMS

    settings_for(tmp_path)
    carry_out(story())


@pytest.mark.whole
def test_clients_that_left_without_a_word_keep_nobody_out(tmp_path: Path) -> None:
    opening = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }
    with subprocess.Popen(
        command(settings_for(tmp_path), "--http", "127.0.0.1:0"), cwd=ROOT, stdout=subprocess.PIPE
    ) as server:
        try:
            url = url_of(server)
            headers = token_header(tmp_path) | {"Accept": "application/json, text/event-stream"}
            answers = [httpx2.post(url, json=opening, headers=headers).status_code for _ in range(50)]
            assert answers == [200] * 50
        finally:
            server.kill()


def test_over_http_nobody_gets_in_without_the_token_or_under_a_foreign_name(tmp_path: Path) -> None:
    with subprocess.Popen(
        command(settings_for(tmp_path), "--http", "127.0.0.1:0"), cwd=ROOT, stdout=subprocess.PIPE
    ) as server:
        try:
            url = url_of(server)
            right = token_header(tmp_path)
            assert httpx2.post(url, json={}).status_code == 401
            assert httpx2.post(url, json={}, headers={"Authorization": "Bearer guess"}).status_code == 401
            assert httpx2.post(url, json={}, headers=right | {"Host": "evil.example"}).status_code == 421
            assert httpx2.post(url, json={}, headers=right | {"Origin": "http://evil.example"}).status_code == 403
            assert (tmp_path / "mcp-token").stat().st_mode & 0o777 == 0o600
        finally:
            server.kill()


@pytest.mark.parametrize(
    "address", ["0.0.0.0:8643", "192.168.0.7:1", "[::]:0", "example.org:80", "8643", "127.0.0.1:x"]
)
def test_it_is_offered_on_this_machine_only(address: str) -> None:
    with pytest.raises(CommandError, match="MCP cannot be offered"):
        listen(address)


def test_without_the_extra_heed_says_what_to_install() -> None:
    script = "import sys; sys.modules['mcp'] = None; from daemon.__main__ import main; sys.exit(main(['mcp']))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "install it: .venv/bin/python -m pip install mcp" in done.stderr


def test_a_skill_that_is_called_stop_does_not_hide_the_stop() -> None:
    from daemon.mcp.mcp_server import Tools

    impostor = replace(load_skills()["is_open"], name="stop")
    listed = Tools(Path("."), {"stop": impostor})._listed
    assert [tool.title for tool in listed] == ["Stop the robot", "What the robot is doing"]
