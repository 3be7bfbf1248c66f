"""The faults of `heed bench trust`: what is done to heed at a random moment of a task, and how it stands that.

A fault lasts while heed is asked something, and is healed afterwards as a person would. Each machine is a heed of its
own; one that cannot be had here is left out, and said to be.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.mind.random_model import TOY, make_random_model
from bench.report import BenchError, Options
from bench.trust.machines import Clock, Disk, Sound, Unavailable
from bench.trust.probes import (
    REST_SECONDS,
    answers,
    comes_to_rest,
    is_heard,
    known_lessons,
    listens,
    make_ready,
    restart,
    teach,
)
from bench.trust.sabotage import (
    Harm,
    break_disk,
    fill,
    freeze,
    kill,
    limit_files,
    lock,
    lose_model,
    shift,
    silence,
    spoil,
)
from bench.trust.service import Service, wait_for

TASKS = ("bring me the juice", "go to the sink", "go to the table", "bring me the cup", "go to the counter")
TALKABLE_SECONDS = 10.0
PATIENCE_SECONDS = 180.0
"""After so long a round counts as failed; on a machine under load an errand takes two minutes."""
FROZEN_SECONDS = 2.0
"""Of heed-hw: a hundred times what its loop may take."""
ASLEEP_SECONDS = 5.0


@dataclass(frozen=True)
class Fault:
    """One way to harm a heed."""

    harm: Harm
    """In effect while the context lasts; leaving it heals."""
    ends_motion: bool = False
    """What was under way may not go on unless a person says so."""
    back: Callable[[], bool] = lambda: True
    """What must hold besides an answer to "hello", for heed to count as talkable again."""


@dataclass(frozen=True)
class Machine:
    """A heed, what can be done to it, and how people speak to it."""

    service: Service
    faults: Mapping[str, Fault]
    say: Callable[[str], object]


class Tally:
    """What came of the rounds."""

    def __init__(self) -> None:
        self.figures: dict[str, float] = {"moved_unasked": 0, "lessons_lost": 0, "not_talkable_in_10_s": 0}

    def add(self, name: str, recovery: float, moved: bool, lost: bool) -> None:
        self.figures["moved_unasked"] += moved
        self.figures["lessons_lost"] += lost
        self.figures["not_talkable_in_10_s"] += recovery > TALKABLE_SECONDS
        self.count(f"rounds_{name}", 1)
        self.figures[f"recovery_s_{name}"] = max(recovery, self.figures.get(f"recovery_s_{name}", 0.0))

    def count(self, figure: str, times: int) -> None:
        self.figures[figure] = self.figures.get(figure, 0) + times


def measure_faults(
    options: Options, rounds: int, chance: random.Random, only: Sequence[str], until: float
) -> dict[str, float]:
    """Every fault (or `only` those) so many times, as far as monotonic time allows."""
    tally = Tally()
    for name, (set_up, possible) in MACHINES.items():
        if only and not set(only) & set(possible):
            continue
        with ExitStack() as opened:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="heed-")))
            try:
                machine = opened.enter_context(set_up(folder, options.config.models_directory))
            except Unavailable as reason:
                options.note(f"{name}: left out, {reason}")
                tally.count(f"left_out_{name}", 1)
                continue
            faults = {name: fault for name, fault in machine.faults.items() if not only or name in only}
            if faults:
                _harm(machine, faults, rounds, chance, options, tally, until)
            tally.count("beyond_limits", machine.service.log().count("sim.inspector:"))
    return tally.figures


def _harm(
    machine: Machine,
    faults: Mapping[str, Fault],
    rounds: int,
    chance: random.Random,
    options: Options,
    tally: Tally,
    until: float,
) -> None:
    service = machine.service
    wait_for(service.waits, "heed starts", PATIENCE_SECONDS)
    lessons = known_lessons(service)
    for name in options.progress([name for _ in range(rounds) for name in faults]):
        if time.monotonic() > until:
            break
        try:
            recovery, moved = strike(machine, faults[name], chance)
        except BenchError as error:
            options.note(f"{name}: {error}\n" + "\n".join(service.log().splitlines()[-40:]))
            recovery, moved = PATIENCE_SECONDS, False
            restart(service)
        lost = known_lessons(service) < lessons
        tally.add(name, recovery, moved, lost)
        options.note(f"{name}: talkable after {recovery:.1f} s{', MOVED' * moved}{', LESSON LOST' * lost}")


def strike(machine: Machine, fault: Fault, chance: random.Random) -> tuple[float, bool]:
    """Return after how many seconds somebody is answered, and whether the robot moved unasked."""
    service = machine.service
    make_ready(service)
    machine.say(chance.choice(TASKS))
    time.sleep(chance.uniform(0.0, 4.0))
    moved = False
    with fault.harm(chance):
        began = time.monotonic()
        wait_for(lambda: listens(service) and fault.back(), "heed can be talked to", PATIENCE_SECONDS)
        recovery = time.monotonic() - began
        if fault.ends_motion:
            time.sleep(max(0.0, began + REST_SECONDS - time.monotonic()))
            moved = not comes_to_rest(service, 0.0)
    wait_for(lambda: answers(service), "heed can be talked to afterwards", PATIENCE_SECONDS)
    wait_for(service.waits, "heed has done what it did", PATIENCE_SECONDS)
    return recovery, moved or not comes_to_rest(service)


# --- the machines ---


@contextmanager
def plain(folder: Path, models: Path) -> Iterator[Machine]:
    """Any user can have this one."""
    teach(folder / "state" / "memory.sqlite")
    with Service(folder, models) as service:
        faults = {
            "heed_killed": Fault(kill(service, "heed"), ends_motion=True),
            "heed_hw_killed": Fault(kill(service, "heed_hw"), ends_motion=True),
            "bus_gone": Fault(kill(service, "sim"), ends_motion=True),
            "console_worker_killed": Fault(kill(service, "console_worker")),
            "heed_hw_frozen": Fault(freeze(service, FROZEN_SECONDS, "heed_hw")),
            "all_asleep": Fault(freeze(service, ASLEEP_SECONDS)),
            "files_cannot_grow": Fault(limit_files(service)),
            "memory_locked": Fault(lock(service)),
            "memory_corrupt": Fault(spoil(service)),
        }
        yield Machine(service, faults, lambda text: service.ask("say", text=text))


@contextmanager
def own_disk(folder: Path, models: Path) -> Iterator[Machine]:
    disk = Disk(folder / "state")
    try:
        teach(folder / "state" / "memory.sqlite")
        with Service(folder, models) as service:
            faults = {
                "disk_full": Fault(fill(disk)),
                "disk_read_only": Fault(break_disk(service, disk, restarted=False)),
                "disk_read_only_at_start": Fault(break_disk(service, disk, restarted=True)),
            }
            yield Machine(service, faults, lambda text: service.ask("say", text=text))
    finally:
        disk.close()


@contextmanager
def own_model(folder: Path, models: Path) -> Iterator[Machine]:
    """Return a model whose weights are noise: it does nothing sensible; the question is what happens without it."""
    own = folder / "models"
    own.mkdir()
    (own / "minilm").symlink_to((models / "minilm").resolve())
    made = make_random_model(folder, TOY, TASKS)
    teach(folder / "state" / "memory.sqlite")
    with Service(folder, own, brain="llama:noise.gguf") as service:  # not there yet

        def imitates() -> bool:
            status = service.status()
            return bool(status) and status["brain"] == "imitation"  # type: ignore[index]

        faults = {"model_vanished": Fault(lose_model(service, made, own / "noise.gguf"), back=imitates)}
        yield Machine(service, faults, lambda text: service.ask("say", text=text))


@contextmanager
def with_sound(folder: Path, models: Path) -> Iterator[Machine]:
    sound = Sound(folder / "sound")
    try:
        settings = '[speech]\nrecognizer = "moonshine"\nvoice = "espeak-ng"\n'
        teach(folder / "state" / "memory.sqlite")
        with Service(folder, models, environment=sound.environment, settings=settings) as service:
            yield Machine(
                service,
                {"audio_server_gone": Fault(silence(sound), back=lambda: is_heard(service, sound))},
                sound.speak,
            )
    finally:
        sound.close()


@contextmanager
def with_clock(folder: Path, models: Path) -> Iterator[Machine]:
    clock = Clock(folder)
    teach(folder / "state" / "memory.sqlite")
    with Service(folder, models, environment=clock.environment) as service:
        yield Machine(service, {"clock_jump": Fault(shift(clock))}, lambda text: service.ask("say", text=text))


MACHINES: Mapping[str, tuple[Callable[[Path, Path], AbstractContextManager[Machine]], tuple[str, ...]]] = {
    "plain": (
        plain,
        (
            "heed_killed", "heed_hw_killed", "bus_gone", "console_worker_killed", "heed_hw_frozen", "all_asleep",
            "files_cannot_grow", "memory_locked", "memory_corrupt",
        ),
    ),
    "own_disk": (own_disk, ("disk_full", "disk_read_only", "disk_read_only_at_start")),
    "own_model": (own_model, ("model_vanished",)),
    "with_sound": (with_sound, ("audio_server_gone",)),
    "with_clock": (with_clock, ("clock_jump",)),
}  # fmt: skip
"""How each is made, and which faults it can have."""
