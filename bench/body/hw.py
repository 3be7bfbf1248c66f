"""`heed bench hw`: how well the body obeys and stops, on simulated devices, over real bytes, with a real heed-hw.

Everything is measured from outside, at the devices: when commands arrived, what they said, how the motors moved.
Ratios, counts and bounds mean something on any machine; rates and milliseconds are this machine's.
"""

import argparse
import contextlib
import functools
import itertools
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path

from bench.body import stops_and_pulls
from bench.body.body_lab import (
    Lab,
    burning,
    child,
    core_share,
    cpu_seconds,
    end,
    held,
    may_prefer,
    percentile,
    running,
)
from bench.report import Figures, Options, Report
from daemon.config import BodyConfig
from daemon.service.body import RobotBody
from hw.client import send_stop
from sim.fault_injection import Noise

WIRE = Noise(delay=0.0015)
"""Of 7 answers with 21 bytes at 1 Mbit/s: a pseudo-terminal is quicker than a wire, and flatters who waits busily."""
PERIOD = 0.01


@dataclass(frozen=True)
class Lengths:
    """How long and how often each thing is measured."""

    rate_s: float = 600.0
    jitter_s: float = 30.0
    stops: int = 100
    daemon_stops: int = 30
    losses: int = 10
    """Times that the client is suspended or killed, and that heed-hw is killed."""
    pulls: int = 100
    faults_s: float = 600.0
    activations: int = 20
    places: int = 10
    """Seeds of the pick and place."""


QUICK = Lengths(
    rate_s=5.0,
    jitter_s=3.0,
    stops=8,
    daemon_stops=3,
    losses=1,
    pulls=5,
    faults_s=8.0,
    activations=2,
    places=1,
)
"""A minute, for every change; the figures are there, but the worst cases are not."""


def rate(folder: Path, lengths: Lengths) -> Figures:
    """Two arms and a base, holding and moving: cycles per second, how many were complete, what they cost."""
    with running(folder, {}) as lab:
        lab.activate()
        lab.move()
        before, began, used = stops_and_pulls.counters(lab), time.monotonic(), cpu_seconds(lab.pid)
        stops_and_pulls.keep_moving(lab, lengths.rate_s)
        seconds = time.monotonic() - began
        share = (cpu_seconds(lab.pid) - used) / seconds
        cycles, complete = (now - then for now, then in zip(stops_and_pulls.counters(lab), before, strict=True))
    return {"rate_hz": cycles / 2 / seconds, "complete": complete / cycles, "core_share": share}


def idle(folder: Path, lengths: Lengths) -> Figures:
    """The same standing ready, with power, and nobody asking for anything: heed-hw and the simulated robot."""
    seconds = min(max(lengths.rate_s / 10, 5.0), 60.0)
    body = RobotBody(BodyConfig(), folder, folder / "run")
    try:
        body.start()
        time.sleep(1.0)
        began, used = time.monotonic(), [cpu_seconds(process.pid or 0) for process in body.processes]
        time.sleep(seconds)
        elapsed = time.monotonic() - began
        shares = [
            (cpu_seconds(process.pid or 0) - before) / elapsed
            for process, before in zip(body.processes, used, strict=True)
        ]
    finally:
        body.close()
    return {"idle_core_share": shares[-1], "idle_sim_core_share": shares[0]}


def vendor(folder: Path, lengths: Lengths) -> Figures:
    """The same servos, moving, with time on the wire: heed-hw's loop, base included, beside that of Feetech's SDK."""
    if find_spec("scservo_sdk") is None:
        return {"vendor_core_share": None, "vendor_rate_hz": None}
    seconds = min(max(lengths.rate_s / 20, 3.0), 30.0)
    with Lab(folder, {}) as lab:
        for device in ("left", "right"):
            lab.devices.disturb(device, WIRE)
        lab.start().activate()
        began, used = time.monotonic(), cpu_seconds(lab.pid)
        stops_and_pulls.keep_moving(lab, seconds)
        ours = (cpu_seconds(lab.pid) - used) / (time.monotonic() - began)
        lab.leave()
        end(lab.hardware)  # type: ignore[arg-type]
        lab.hardware = None
        lab.frames()
        ports = [str(arm.device) for arm in lab.arms.values()]
        theirs = child("-m", "bench.body.vendor_loop", *ports)
        lab.wait_until(lambda: bool(lab.frames()), "the vendor's loop runs")
        share = core_share(theirs.pid, seconds)
        asked = [frame for frame in lab.frames() if stops_and_pulls.is_question(frame, "left")]
        end(theirs)
    return {
        "wire_core_share": ours,
        "vendor_core_share": share,
        "vendor_rate_hz": len(asked) / (asked[-1].at - asked[0].at),
    }


def jitter(folder: Path, lengths: Lengths) -> Figures:
    """Measure how far ticks are from a hundredth of a second apart while it moves, on busy cores, with real-time
    priority and without: by heed-hw's own clock over the last ten seconds, and where the packets are read, by a
    simulation that is late itself.
    """
    figures: dict[str, float | None] = {}
    for name, fifo in (("fifo", True), ("other", False)):
        if fifo and not may_prefer():
            figures["jitter_fifo_p99_ms"] = None
            continue
        with running(folder, fifo=fifo) as lab, burning():
            lab.activate()
            lab.move()
            lab.frames()
            stops_and_pulls.keep_moving(lab, lengths.jitter_s)
            own = lab.ask("state")["loop"]
            at = [frame.at for frame in lab.frames() if stops_and_pulls.is_question(frame, "left")]
        off = [abs(b - a - PERIOD) * 1000 for a, b in itertools.pairwise(at)]
        figures[f"jitter_{name}_p99_ms"] = own["off_p99_ms"]
        figures[f"jitter_{name}_max_ms"] = own["off_max_ms"]
        figures[f"jitter_{name}_read_p99_ms"] = percentile(off, 0.99)
    return figures


def stop(folder: Path, lengths: Lengths) -> Figures:
    """Measure from the stop datagram to the command to stand at every device, all cores busy; and to standstill."""
    with running(folder) as lab, burning():
        sent, stood = zip(*(stops_and_pulls.stop(lab) for _ in range(lengths.stops)), strict=True)
    return {
        "stop_p50_ms": percentile(sent, 0.5),
        "stop_p99_ms": percentile(sent, 0.99),
        "stop_max_ms": max(sent),
        "standstill_max_ms": max(stood),
        "stops": lengths.stops,
    }


def stop_in_daemon(folder: Path, lengths: Lengths) -> Figures:
    """The same stop when it is handled inside a Python process that generates text: why heed-hw is one of its own."""
    with running(folder, {}, module="bench.body.busy_daemon") as lab:
        sent = [stops_and_pulls.stop(lab)[0] for _ in range(lengths.daemon_stops)]
    return {"stop_in_daemon_p50_ms": percentile(sent, 0.5), "stop_in_daemon_max_ms": max(sent)}


def losses(folder: Path, lengths: Lengths) -> Figures:
    """A command that nobody repeats, a client that hangs, one that dies, a heed-hw that dies while all moves."""
    stale, hung, died, back, moved = [], [], [], [], []
    ends: list[tuple[float, float]] = []
    for _ in range(lengths.losses):
        with running(folder) as lab:
            stale.append(stops_and_pulls.let_expire(lab))
            hung.append(stops_and_pulls.lose_client(lab, signal.SIGSTOP))
            died.append(stops_and_pulls.lose_client(lab, signal.SIGKILL))
            ends.append(stops_and_pulls.lose_hardware(lab))
            rest = lab.positions()
            began = time.monotonic()
            lab.start()
            back.append(time.monotonic() - began)
            time.sleep(0.5)
            moved.append(max(abs(a - b) for a, b in zip(lab.positions(), rest, strict=True)))
    return {
        "command_ttl_max_ms": max(stale),
        "client_hung_max_ms": max(hung),
        "client_killed_max_ms": max(died),
        "hw_killed_disarmed_max_ms": max(disarmed for disarmed, _ in ends),
        "hw_killed_rolled_out_max_ms": max(rolled_out for _, rolled_out in ends),
        "respawn_max_s": max(back),
        "respawn_moved_max_deg": max(moved),
    }


def busy_client(folder: Path, lengths: Lengths) -> Figures:
    """The other side of a short time-out: a client that generates text while every core is busy is not lost."""
    with running(folder) as lab, burning():
        lab.activate()
        client = child("-c", stops_and_pulls.BUSY_CLIENT, str(lab.runtime))
        lab.wait_until(
            lambda: lab.devices.call(lambda: abs(lab.devices.base.motors[0].velocity) > 0.1), "the client moves"
        )
        until = time.monotonic() + lengths.jitter_s
        while time.monotonic() < until and lab.body.state().stopped is None:
            time.sleep(0.2)
        lost = lab.body.state().stopped is not None
        end(client)
    return {"busy_client_lost": int(lost)}


def cable_pulls(folder: Path, lengths: Lengths) -> Figures:
    """Any cable, in any state: noticed, everything else stopped, back to inactive, nothing leaked, nothing spinning."""
    detected, back, shares = [], [], []
    with running(folder) as lab:
        lab.activate()
        before = held(lab.pid)
        for _ in range(lengths.pulls):
            found, returned, share = stops_and_pulls.pull(lab)
            detected.append(found)
            back.append(returned)
            shares.append(share)
        after = held(lab.pid)
    return {
        "cable_pulls": lengths.pulls,
        "cable_detect_max_ms": max(detected),
        "cable_back_max_ms": max(back),
        "cable_out_core_share_max": max(shares),
        "leaks": sum(max(b - a, 0) for a, b in zip(before, after, strict=True)),
    }


def byte_faults(folder: Path, lengths: Lengths) -> Figures:
    """One byte in a hundred spoiled on every wire, both ways: no crash, and no goal that is beyond a limit."""
    stops = 0
    with running(folder, {}) as lab:
        lab.activate()
        for seed, device in enumerate(stops_and_pulls.DEVICES):
            lab.devices.disturb(device, Noise.evenly(0.01, seed=10 * seed))
        until = time.monotonic() + lengths.faults_s
        while time.monotonic() < until:
            stops += stops_and_pulls.go_on(lab)
            time.sleep(0.3)
        crashed = lab.hardware is None or lab.hardware.poll() is not None
        return {
            "faulty_seconds": lengths.faults_s,
            "crashes": int(crashed),
            "stops_by_faults": stops,
            "goals_checked": lab.devices.goals,
            "bad_goals": len(lab.devices.violations),
        }


def activation(folder: Path, lengths: Lengths) -> Figures:
    """Limp arms in any pose, whose servos still remember old goals: how far does activating move a joint?"""
    moved = []
    with running(folder) as lab:
        for _ in range(lengths.activations):
            lab.activate()
            send_stop(lab.runtime, "the bench goes limp")
            lab.devices.call(functools.partial(stops_and_pulls.go_limp, lab))
            time.sleep(0.1)
            before = lab.positions()
            lab.activate()
            time.sleep(0.2)
            moved.append(max(abs(a - b) for a, b in zip(lab.positions(), before, strict=True)))
    return {"activation_max_deg": max(moved), "activations": lengths.activations}


def pick_and_place(folder: Path, lengths: Lengths) -> Figures:
    """Take the cup from anywhere on the counter, put it into the bowl; in MuJoCo, where things have weight."""
    if find_spec("mujoco") is None:
        return {"pick_and_place": None}
    outcomes = []
    for seed in range(lengths.places):
        with Lab(folder, {}, scene="breakfast", physics=True) as lab:
            lab.start()
            outcomes.append(stops_and_pulls.pick_and_place(lab, seed))
    return {"pick_and_place": sum(outcomes) / len(outcomes), "places": lengths.places}


MEASUREMENTS: tuple[Callable[[Path, Lengths], Figures], ...] = (
    rate,
    idle,
    vendor,
    jitter,
    stop,
    stop_in_daemon,
    losses,
    busy_client,
    cable_pulls,
    byte_faults,
    activation,
    pick_and_place,
)
_NAMES = [measurement.__name__ for measurement in MEASUREMENTS]


def run(options: Options) -> Report:
    """All of MEASUREMENTS, or those that --only names."""
    lengths = QUICK if options.own.quick else Lengths()
    given = {f.name: value for f in fields(Lengths) if (value := getattr(options.own, f.name)) is not None}
    wanted = [m for m in MEASUREMENTS if m.__name__ in (options.own.only or _NAMES)]
    figures: dict[str, float | int | None] = {}
    violations = failed = 0
    load = round(os.getloadavg()[0], 2)
    for measurement in options.progress(wanted):
        options.note(f"{measurement.__name__.replace('_', ' ')}: {measurement.__doc__}")
        with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder, _counting() as found:
            try:
                figures |= measurement(Path(folder), replace(lengths, **given))
            except RuntimeError as error:
                failed += 1
                options.note(f"not measured: {error}")
        violations += len(found)
    return Report("hw", len(wanted), figures | {"limit_violations": violations, "not_measured": failed}, load=load)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="a minute for everything")
    parser.add_argument("--only", nargs="+", default=[], choices=_NAMES, help="measure these alone")
    for field in fields(Lengths):
        flag, kind = f"--{field.name.replace('_', '-')}", type(field.default)
        says = f"instead of {field.default} (quick: {getattr(QUICK, field.name)})"
        parser.add_argument(flag, type=kind, metavar="N", help=says)


@contextlib.contextmanager
def _counting() -> Iterator[list[str]]:
    """Everything that goes beyond a limit on any wire meanwhile."""
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    inspector = logging.getLogger("sim.inspector")
    inspector.addHandler(handler)
    try:
        yield seen
    finally:
        inspector.removeHandler(handler)
        for violation in seen[:5]:
            print(f"beyond a limit: {violation}", file=sys.stderr)
