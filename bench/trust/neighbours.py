"""What neighbours cost: an MCP client that cancels, lessons that arrive by the thousand, and a thousand robots.

    --part cancel   from an MCP client's cancel to the last moving frame on the simulated bus; needs the extra mcp
    --part flood    a stop while lessons of another robot arrive, beside one while nothing does; needs the extra fleet
    --part speech   the same of a question by sound: from its end to its text, and to the first sound of the answer
    --part robots   robots that teach each other by chance, in one process: meetings and bytes until all know the same

--data FILE changes the numbers, for example {"rounds": 5, "lessons": 10000, "robots": 1000}. Wire and robot are
simulated; time is real, so run it on a machine with nothing else to do.
"""

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from bench.report import BenchError, Figures, Options, Report
from bench.suites.chart import open_pyplot
from bench.trust.service import Service
from bench.trust.speech_load import QUESTION
from daemon.config import FleetConfig
from daemon.fleet.lesson_ledger import Entry, FleetLesson, Ledger, to_json
from daemon.fleet.message_seal import Seal
from daemon.fleet.net import Net
from daemon.memory.rules import Rule
from hw.protocol import cansimple
from hw.protocol.can import Frame
from sim.perception import SimCamera

USUAL: Mapping[str, int] = {"rounds": 20, "lessons": 10_000, "robots": 1_000, "taught": 200}
PATIENCE = 60.0
KEY = "a key for this bench only"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=("cancel", "flood", "speech", "robots"), default="robots")
    parser.add_argument("--chart", type=Path, help="robots: draw what is known, and its cost, into this PNG")


def run(options: Options) -> Report:
    given = {**USUAL, **(options.read() if options.data else {})}
    part = options.own.part
    figures, cases = {"cancel": cancel, "flood": flood, "speech": speech, "robots": robots}[part](options, given)
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
    settings, address = _fleet_settings()
    with _heed(options, settings) as service:
        idle = [_stop_time(service) for _ in range(given["rounds"])]
        busy: list[float] = []
        arriving = 0.0
        while len(busy) < given["rounds"]:
            arriving += _while_lessons_arrive(service, address, given, lambda: busy.append(_stop_time(service)))
    figures = {**_spread("stop_idle_ms", idle), **_spread("stop_while_lessons_arrive_ms", busy), "arriving_s": arriving}
    return figures, len(busy)


def speech(options: Options, given: Mapping[str, int]) -> tuple[Figures, int]:
    settings, address = _fleet_settings()
    with _heed(options, settings, spoken_to=True) as service:
        _wait(lambda: len(_answers(service)) >= given["rounds"], PATIENCE * given["rounds"])
        idle = _answers(service)
        busy: list[tuple[float, float]] = []
        arriving = 0.0
        while len(busy) < given["rounds"]:
            before = len(_answers(service))
            arriving += _while_lessons_arrive(service, address, given, lambda: time.sleep(0.2))
            busy += _answers(service)[before:]
    figures: dict[str, float] = {"arriving_s": arriving}
    for number, name in enumerate(("to_text_ms", "to_sound_ms")):
        figures |= _spread(f"{name}_idle", [answer[number] for answer in idle])
        figures |= _spread(f"{name}_while_lessons_arrive", [answer[number] for answer in busy])
    return figures, len(busy)


def _answers(service: Service) -> list[tuple[float, float]]:
    """Milliseconds from the end of each question to its text, and to the first sound of the answer."""
    found = re.findall(rf"to_text=(\S+) .*to_sound=(\S+) .*text='{QUESTION}'", service.log())
    return [(1e3 * float(text), 1e3 * float(sound)) for text, sound in found if "-" not in (text, sound)]


def _while_lessons_arrive(service: Service, address: str, given: Mapping[str, int], act: Callable[[], object]) -> float:
    """Act again and again until all lessons of a robot that comes now are here; returns the seconds that it took."""
    known = _known(service)
    with tempfile.TemporaryDirectory() as folder, closing(_Sender(Path(folder), address, known, given["lessons"])):
        began = time.perf_counter()
        while _known(service) < known + given["lessons"]:
            act()
            if time.perf_counter() - began > 10 * PATIENCE:
                raise BenchError(f"after {10 * PATIENCE:.0f} s only {_known(service) - known} lessons had arrived")
        return time.perf_counter() - began


def _known(service: Service) -> int:
    """Return how many lessons of the fleet it knows."""
    return int(service.ask("fleet", what="status")["robots"]["kitchen"]["known"])


def _fleet_settings() -> tuple[str, str]:
    """The end of a config.toml, and the address that it makes a robot listen at."""
    address = f"tcp/127.0.0.1:{random.randrange(20_000, 30_000)}"
    return f'[fleet]\nname = "kitchen"\nlisten = "{address}"\nadopt = "never"\n', address


def _stop_time(service: Service) -> float:
    """Milliseconds from the command to the report of heed-hw; then the robot may move again."""
    began = time.perf_counter()
    service.ask("stop")
    took = 1e3 * (time.perf_counter() - began)
    service.ask("resume")
    return took


class _Sender:
    """A robot that sends all its lessons at once, as fast as the wire takes them."""

    def __init__(self, folder: Path, address: str, first: int, lessons: int) -> None:
        from daemon.fleet.fleet_store import Shelf
        from daemon.fleet.member import Body, Member
        from daemon.memory.lesson_table import LessonBook

        self._shelf = Shelf(folder / "fleet.sqlite")
        self._book = LessonBook(folder / "memory.sqlite")
        member = Member("workshop", Body((), frozenset()), self._book, self._shelf, (), ask=False)
        member.hear([Entry(_lesson(first + n), frozenset({str(first + n)})) for n in range(lessons)])
        config = FleetConfig(name="workshop", connect=address)
        self._net = Net(config, folder, folder, member, Seal(KEY.encode(), "workshop"), dict, lambda verb, fields: {})

    def close(self) -> None:
        self._net.close()
        self._book.close()
        self._shelf.close()


# --- robots ---


def robots(options: Options, given: Mapping[str, int]) -> tuple[Figures, int]:
    """Each meets another one by chance, once a round, and both tell what the other one's sums lack, as on the wire."""
    dice = random.Random(1)
    fleet = [Ledger() for _ in range(given["robots"])]
    for number in range(given["taught"]):
        fleet[dice.randrange(len(fleet))].confirm(_lesson(number), str(number))
    rounds: list[Round] = []
    began = time.process_time()
    while not rounds or rounds[-1].known < 1:
        moved = sum(_meet(one, fleet[dice.randrange(len(fleet))]) for one in fleet)
        known = sum(map(len, fleet)) / len(fleet) / given["taught"]
        rounds.append(Round(known, moved / 1e6))
        options.note(f"round {len(rounds):3}  {'#' * round(60 * known):60}  {known:6.1%} known, {moved / 1e6:6.1f} MB")
    if len({ledger.digest() for ledger in fleet}) != 1:
        raise BenchError("the robots do not know the same: this is a mistake in heed")
    if options.own.chart is not None:
        draw(rounds, options.own.chart, given)
    meetings = len(rounds) * len(fleet)
    figures: Figures = {
        "rounds": len(rounds),
        "meetings": meetings,
        "megabytes_moved": sum(done.megabytes for done in rounds),
        "kilobytes_per_meeting": 1e3 * sum(done.megabytes for done in rounds) / meetings,
        "cpu_s": time.process_time() - began,
        "cpu_ms_per_meeting": 1e3 * (time.process_time() - began) / meetings,
    }
    return figures, given["robots"]


@dataclass(frozen=True)
class Round:
    """All robots met one other each."""

    known: float
    """Share of all that was taught, on average."""
    megabytes: float


def _meet(one: Ledger, other: Ledger) -> int:
    """Returns the bytes that it took; those of the seal and of Zenoh are not counted."""
    if one is other or one.digest() == other.digest():
        return 0
    sums = [dict(ledger.sums()) for ledger in (one, other)]
    told = one.lacking(sums[1]), other.lacking(sums[0])
    other.merge(Ledger(told[0]))
    one.merge(Ledger(told[1]))
    return len(json.dumps(sums)) + sum(map(_size, (*told[0], *told[1])))


def _size(entry: Entry) -> int:
    if entry.lesson.name not in _sizes:
        _sizes[entry.lesson.name] = len(json.dumps(to_json(entry)))
    return _sizes[entry.lesson.name]


_sizes: dict[str, int] = {}
"""By name; nothing is forgotten or confirmed again meanwhile."""


def draw(rounds: Sequence[Round], file: Path, given: Mapping[str, int]) -> None:
    """Draw what is known, and what has moved, by round. Raises BenchError without matplotlib."""
    pyplot = open_pyplot()
    figure, known = pyplot.subplots(figsize=(6, 3.5), dpi=120)
    numbers = range(1, len(rounds) + 1)
    known.plot(numbers, [100 * done.known for done in rounds], marker="o", label="known")
    known.set_xlabel(f"round: each of {given['robots']} robots meets one other")
    known.set_ylabel(f"% of {given['taught']} lessons that a robot knows")
    moved = known.twinx()
    moved.plot(numbers, list(accumulate(done.megabytes for done in rounds)), marker="s", color="tab:orange")
    moved.set_ylabel("megabytes moved so far, all robots")
    figure.legend(["known", "moved"], loc="upper left", bbox_to_anchor=(0.14, 0.93))
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)


def _lesson(number: int) -> FleetLesson:
    said = f"bring me the thing number {number}"
    at = f"2026-01-{1 + number // 86400 % 28:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
    transcript = f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': {said!r}}}\n>>> say('Here is {number}.')\n"
    return FleetLesson("workshop", ("left",), "Anna", at, Rule(f"The thing number {number} is heavy."), transcript)


# --- shared ---


@contextmanager
def _heed(options: Options, settings: str = "", spoken_to: bool = False) -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        state = Path(folder) / "state"
        state.mkdir()
        (state / "fleet.key").write_text(KEY)
        with Service(Path(folder), options.config.models_directory, settings=settings, spoken_to=spoken_to) as service:
            _wait(lambda: service.status() is not None)
            yield service


def _wait(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            raise BenchError(f"nothing happened for {seconds:.0f} s")
        pause.wait(0.002)


def _spread(name: str, values: list[float]) -> dict[str, float]:
    return {f"{name}_median": statistics.median(values), f"{name}_max": max(values)}
