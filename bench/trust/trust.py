"""Whether one can leave heed alone: what faults, hostile requests, a long day and an idle night do to it.

faults   One fault at a random moment of a task, many times each: kill -9 of every process, all asleep for a while,
         files that cannot grow, a full or read-only disk, memory.sqlite locked or spoiled, the model's file or the
         sound server gone, a wall clock that jumps. After each: nothing moves that was not asked for, every confirmed
         lesson is there, and somebody who says "hello" is answered, also while the fault lasts. recovery_s: from the
         fault until then, the longest; a restart by the service manager (2 s) is in it. Some faults need root or a
         Debian package; without, they are left out (left_out_...). --fault NAME: only that one.
hostile  Fuzzed requests to socket and page, and sentences that try to be instructions, code or commands. Nothing
         moves, no file appears, no limit is exceeded on the simulated wire, and heed still talks. The same by the
         names of things in the scene, and by voice where there is a PulseAudio.
idle     Nobody speaks, with sound where there can be any: CPU of all processes in shares of one core, bytes written,
         memory by process.
start    From the start of the process until "hello" is answered, the first time and again.
soak     (only with --part soak, or make soak) As many requests, stops, forgettings and killed parts as fit into
         --minutes; then what grew.
"""

import argparse
import math
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from bench.report import BenchError, Options, Report
from bench.trust.fault_drills import measure_faults
from bench.trust.hostile import measure_hostile, measure_names, measure_spoken, write_scene
from bench.trust.machines import Sound, Unavailable
from bench.trust.probes import answers, teach
from bench.trust.service import Service, wait_for
from bench.trust.soak import measure_soak
from daemon.service.body_setup import SCENES

PARTS = ("faults", "hostile", "idle", "start", "soak")
FAULT_ROUNDS, QUICK_FAULT_ROUNDS = 20, 2
REQUESTS, QUICK_REQUESTS = 10_000, 500
SETTLE_SECONDS = 15.0
"""After the start, until what is got ready in the background is ready."""
IDLE_SECONDS, QUICK_IDLE_SECONDS = 60.0, 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    parser.add_argument("--fault", action="append", default=[], help="of the faults only this one; may be given again")
    parser.add_argument("--rounds", type=int, help="how often each fault strikes (default: 20)")
    parser.add_argument("--limit", type=float, default=math.inf, help="minutes of faults; the rest is left out")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds or less")
    parser.add_argument("--minutes", type=float, default=30.0, help="of soaking (default: 30)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and the fuzz (default: 1)")


def run(options: Options) -> Report:
    own = options.own
    parts = own.part or [part for part in PARTS if part != "soak"]
    chance = random.Random(own.seed)
    figures: dict[str, float | int | None] = {}
    cases = 0
    if "start" in parts or "idle" in parts:
        with tempfile.TemporaryDirectory(prefix="heed-") as folder, listening(Path(folder), options) as service:
            if "start" in parts:
                figures |= measure_start(service)
            if "idle" in parts:
                figures |= measure_idle(service, QUICK_IDLE_SECONDS if own.quick else IDLE_SECONDS)
    if "hostile" in parts or "soak" in parts:
        with tempfile.TemporaryDirectory(prefix="heed-") as folder, running(Path(folder), options) as service:
            if "hostile" in parts:
                count = QUICK_REQUESTS if own.quick else REQUESTS
                cases += count
                figures |= measure_hostile(service, count, chance, Path(folder) / "canary")
            if "soak" in parts:
                figures |= measure_soak(service, own.minutes, chance, options)
            figures["beyond_limits"] = service.log().count("sim.inspector:")
    if "hostile" in parts:
        figures |= measure_more_hostility(options)
    if "faults" in parts:
        rounds = own.rounds or (QUICK_FAULT_ROUNDS if own.quick else FAULT_ROUNDS)
        found = measure_faults(options, rounds, chance, own.fault, time.monotonic() + 60 * own.limit)
        found["beyond_limits"] = found.get("beyond_limits", 0) + (figures.get("beyond_limits") or 0)
        cases += int(sum(value for name, value in found.items() if name.startswith("rounds_")))
        figures |= found
    return Report("trust", cases, figures)


def measure_more_hostility(options: Options) -> dict[str, float]:
    """Measure by the names of things, and by voice where there can be any."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        canary, scene = Path(folder) / "canary", Path(folder) / "hostile.toml"
        write_scene(scene, canary)
        name = os.path.relpath(scene.with_suffix(""), SCENES)  # a scene is named by its file below sim/scenes
        with running(Path(folder), options, settings=f'[body]\nscene = "{name}"\n') as service:
            figures |= measure_names(service, canary)
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, ExitStack() as opened:
        try:
            sound = opened.enter_context(closing(Sound(Path(folder) / "sound")))
        except Unavailable as reason:
            options.note(f"nobody speaks: {reason}")
            return figures
        with running(Path(folder), options, environment=sound.environment) as service:
            return figures | measure_spoken(service, sound, Path(folder) / "canary")


@contextmanager
def running(folder: Path, options: Options, **more: object) -> Iterator[Service]:
    teach(folder / "state" / "memory.sqlite")
    with Service(folder, options.config.models_directory, **more) as service:  # type: ignore[arg-type]
        try:
            wait_for(service.waits, "heed starts", 120.0)
            yield service
        except BenchError:
            options.note("\n".join(service.log().splitlines()[-30:]))
            raise


@contextmanager
def listening(folder: Path, options: Options) -> Iterator[Service]:
    """One that hears and speaks, in a silent room; where there can be no sound, one that is typed to."""
    try:
        sound = Sound(folder / "sound")
    except Unavailable as reason:
        options.note(f"without an ear: {reason}")
        with running(folder, options) as service:
            yield service
        return
    try:
        with running(folder, options, environment=sound.environment) as service:
            yield service
    finally:
        sound.close()


def measure_start(service: Service) -> dict[str, float]:
    cold = wait_for(lambda: answers(service), "hello is answered after the first start")
    began = time.monotonic()
    os.kill(service.pid, signal.SIGKILL)
    wait_for(lambda: service.starts == 2 and service.waits(), "heed starts again")
    wait_for(lambda: answers(service), "hello is answered after a restart")
    return {"answer_when_up_s": cold, "answer_after_kill_s": time.monotonic() - began}


def measure_idle(service: Service, seconds: float) -> dict[str, float]:
    time.sleep(SETTLE_SECONDS)
    before, written = service.figures(), bytes_written(service)
    time.sleep(seconds)
    after = service.figures()
    cpu = sum(after[name] - before.get(name, after[name]) for name in after if name.endswith("_cpu_seconds"))
    memory = {f"{name}_mb": value / 1e6 for name, value in after.items() if name.endswith("_memory_bytes")}
    shares = {
        name.replace("_seconds", "_share"): (after[name] - before[name]) / seconds
        for name in after
        if name.endswith("_cpu_seconds") and name in before
    }
    return {
        "idle_cpu_share": cpu / seconds,
        **{f"idle_{name}": value for name, value in shares.items()},
        "idle_written_bytes_per_s": (bytes_written(service) - written) / seconds,
        **memory,
    }


def bytes_written(service: Service) -> int:
    total = 0
    for pid in service.processes().values():
        for line in Path(f"/proc/{pid}/io").read_text().splitlines():
            if line.startswith("write_bytes"):
                total += int(line.split()[1])
    return total
