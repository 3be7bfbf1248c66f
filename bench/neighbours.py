"""What neighbours cost: an MCP client that cancels, lessons that arrive by the thousand, and a thousand robots.

    --part cancel   from an MCP client's cancel to the last moving frame on the simulated bus; needs the extra mcp
    --part flood    a stop while lessons of another robot arrive, beside one while nothing does; needs the extra fleet
    --part robots   robots that teach each other by chance, in one process: meetings and bytes until all know the same

--data FILE changes the numbers, for example {"rounds": 5, "lessons": 10000, "robots": 1000}. Wire and robot are
simulated; time is real, so run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.report import BenchError, Figures, Options, Report
from bench.service import Service
from daemon.config import FleetConfig
from daemon.control import CommandError
from daemon.fleet.ledger import Entry, FleetLesson, Ledger, to_json
from daemon.fleet.net import Net
from daemon.fleet.seal import Seal
from daemon.memory.rules import Rule
from hw.protocol import cansimple
from hw.protocol.can import Frame
from sim.perception import SimCamera

USUAL: Mapping[str, int] = {"rounds": 10, "lessons": 10_000, "robots": 1_000, "taught": 200}
PATIENCE = 60.0
FLEET = "tcp/127.0.0.1:{port}"
KEY = "a key for this bench only"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=("cancel", "flood", "robots"), default="robots")


def run(options: Options) -> Report:
    given = {**USUAL, **(options.read() if options.data else {})}
    part = options.own.part
    figures, cases = {"cancel": cancel, "flood": flood, "robots": robots}[part](options, given)
    name = options.data.name if options.data else "-"
    return Report(f"neighbours {part}", cases, figures, brain="-", method="-", data=name)


# --- cancel ---


def cancel(options: Options, given: Mapping[str, int]) -> tuple[Figures, int]:
    with _heed(options) as service:
        times = asyncio.run(_cancel_often(service, given["rounds"], options))
    return _spread("cancel_to_zero_frame_ms", times), len(times)


async def _cancel_often(service: Service, rounds: int, options: Options) -> list[float]:
    try:
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client
    except ModuleNotFoundError as error:
        raise BenchError("this part needs a package: .venv/bin/python -m pip install mcp") from error
    arguments = ["-m", "daemon", "--config", str(service.runtime.parent / "config.toml"), "mcp"]
    bus = Bus(SimCamera(service.runtime))
    times = []
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=arguments))) as client:
        for number in options.progress(range(rounds)):
            place = ("person", "sink")[number % 2]
            call = asyncio.create_task(client.call_tool("move_to", {"location": place}))
            await asyncio.to_thread(_wait, bus.drives)
            began = time.perf_counter()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            await asyncio.to_thread(_wait, bus.rests)
            times.append(1e3 * (time.perf_counter() - began))
    return times


class Bus:
    """The wheels of the simulated robot, as commanded on its bus."""

    def __init__(self, camera: SimCamera) -> None:
        self._camera = camera

    def drives(self) -> bool:
        return any(abs(velocity) > 0.3 for velocity in self._last().values())

    def rests(self) -> bool:
        return not any(self._last().values())

    def _last(self) -> dict[int, float]:
        """Node to the velocity (turns/s) that it was told last."""
        told = {}
        for id, data in self._camera.request("frames"):
            message = cansimple.decode(Frame(id, bytes.fromhex(data)))
            if message and isinstance(message[1], cansimple.SetInputVelocity):
                told[message[0]] = message[1].velocity
        return told


# --- flood ---


def flood(options: Options, given: Mapping[str, int]) -> tuple[Figures, int]:
    port = random.randrange(20_000, 30_000)
    settings = f'[fleet]\nname = "kitchen"\nlisten = "{FLEET.format(port=port)}"\nadopt = "never"\n'
    with _heed(options, settings) as service:
        idle = [_stop_time(service) for _ in range(given["rounds"])]
        with tempfile.TemporaryDirectory() as folder:
            sender = _Sender(Path(folder), FLEET.format(port=port), given["lessons"])
            began = time.perf_counter()
            busy = []
            while sender.arrived(service) < given["lessons"]:
                busy.append(_stop_time(service))
                if time.perf_counter() - began > 10 * PATIENCE:
                    raise BenchError(f"after {10 * PATIENCE:.0f} s only {sender.arrived(service)} lessons had arrived")
            took = time.perf_counter() - began
            sender.close()
    figures = {**_spread("stop_idle_ms", idle), **_spread("stop_while_lessons_arrive_ms", busy), "arriving_s": took}
    return figures, len(busy)


def _stop_time(service: Service) -> float:
    """Milliseconds from the command to the report of heed-hw; then the robot may move again."""
    began = time.perf_counter()
    service.ask("stop")
    took = 1e3 * (time.perf_counter() - began)
    service.ask("resume")
    return took


class _Sender:
    """A robot that sends all its lessons at once, as fast as the wire takes them."""

    def __init__(self, folder: Path, address: str, lessons: int) -> None:
        from daemon.fleet.member import Body, Member
        from daemon.fleet.shelf import Shelf
        from daemon.memory.lessons import LessonBook

        self._shelf = Shelf(folder / "fleet.sqlite")
        self._book = LessonBook(folder / "memory.sqlite")
        member = Member("workshop", Body((), frozenset()), self._book, self._shelf, (), ask=False)
        member.hear([Entry(_lesson(number), frozenset({str(number)})) for number in range(lessons)])
        config = FleetConfig(name="workshop", connect=address)
        self._net = Net(config, folder, member, Seal(KEY.encode(), "workshop"), dict, lambda verb, fields: {})

    def arrived(self, service: Service) -> int:
        try:
            return int(service.ask("fleet", what="status")["robots"]["kitchen"]["known"])
        except (CommandError, KeyError):
            return 0

    def close(self) -> None:
        self._net.close()
        self._book.close()
        self._shelf.close()


# --- robots ---


def robots(options: Options, given: Mapping[str, int]) -> tuple[Figures, int]:
    """Each meets another one by chance, once a round, and both merge; only the digests travel where they are equal."""
    dice = random.Random(1)
    fleet = [Ledger() for _ in range(given["robots"])]
    for number in range(given["taught"]):
        fleet[dice.randrange(len(fleet))].confirm(_lesson(number), str(number))
    size = len(json.dumps(to_json(next(entry for ledger in fleet for entry in ledger))))
    meetings = moved = rounds = 0
    began = time.process_time()
    while min(map(len, fleet)) < given["taught"]:
        rounds += 1
        for one in fleet:
            other = fleet[dice.randrange(len(fleet))]
            meetings += 1
            if len(one) == len(other) == given["taught"]:
                continue
            moved += len(one) + len(other)
            other.merge(one)
            one.merge(other)
        known = sum(map(len, fleet)) / len(fleet) / given["taught"]
        options.note(f"round {rounds:3}  {'#' * round(60 * known):60}  {known:6.1%} known on average")
    if len({ledger.digest() for ledger in fleet}) != 1:
        raise BenchError("the robots do not know the same: this is a mistake in heed")
    figures: Figures = {
        "rounds": rounds,
        "meetings": meetings,
        "megabytes_moved": moved * size / 1e6,
        "cpu_s": time.process_time() - began,
        "cpu_ms_per_meeting": 1e3 * (time.process_time() - began) / meetings,
    }
    return figures, given["robots"]


def _lesson(number: int) -> FleetLesson:
    said = f"bring me the thing number {number}"
    at = f"2026-01-{1 + number // 86400 % 28:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
    transcript = f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': {said!r}}}\n>>> say('Here is {number}.')\n"
    return FleetLesson("workshop", ("left",), "Anna", at, Rule(f"The thing number {number} is heavy."), transcript)


# --- shared ---


@contextmanager
def _heed(options: Options, settings: str = "") -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        state = Path(folder) / "state"
        state.mkdir()
        (state / "fleet.key").write_text(KEY)
        with Service(Path(folder), options.config.models_directory, settings=settings) as service:
            _wait(lambda: service.status() is not None)
            yield service


def _wait(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    pause = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            raise BenchError(f"nothing happened for {PATIENCE:.0f} s")
        pause.wait(0.002)


def _spread(name: str, values: list[float]) -> dict[str, float]:
    return {f"{name}_median": statistics.median(values), f"{name}_max": max(values)}
