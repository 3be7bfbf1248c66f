"""What the whole robot does with a camera: things are fetched, hidden ones are left alone, faults are noticed."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bench.body.drawn_room import House
from bench.body.spoilt_pictures import SPOILT
from hw.state import HardwareError
from skills.skill import SkillError

UNSEEN_SECONDS = 1.6
"""After which a thing that was hidden is only remembered; one is heed's limit, the rest the picture's way."""
PATIENCE = 90.0
"""Seconds for a fault to be noticed, or to be over; never reached by a heed that works."""
LATE = 2.0
"""Seconds by which pictures come late."""
HERE, THERE = "counter", "ada"


def fetched(house: House, things: Sequence[str], times: int) -> list[bool]:
    """Fetch things in turn and hand them over, so often; return for each time whether it arrived."""
    until(lambda: not house.body.trouble())
    arrived = []
    for number in range(times):
        thing = things[number % len(things)]
        house.room.scene.request("place", object=thing, location=HERE)
        with contextlib.suppress(SkillError, HardwareError):
            house.do("move_to", HERE)
            house.do("grasp", thing)
            house.do("move_to", THERE)
            house.do("handover", thing)
        there = next(one for one in house.room.scene.observe()["objects"] if one["name"] == thing)
        arrived.append(there["location"] == "person")
    return arrived


def stale_motions(house: House, thing: str, times: int) -> int:
    """Ask for a thing that is out of sight, so often; return how often an arm moved."""
    house.room.scene.request("place", object=thing, location=HERE)
    house.do("move_to", HERE)
    moved = 0
    for _ in range(times):
        until(lambda: any(seen["name"] == thing and seen["present"] for seen in house.body.observe()["objects"]))
        house.room.hidden.add(thing)
        time.sleep(UNSEEN_SECONDS)
        before = house.joints()
        with contextlib.suppress(SkillError):
            house.do("grasp", thing)
        moved += house.joints() != before
        house.room.hidden.discard(thing)
    return moved


@dataclass(frozen=True)
class Failure:
    """What came of one way in which a camera fails."""

    noticed: float
    """Seconds until heed knew."""
    refused: float
    """Seconds until it refused to grasp, once it was asked; it knew by then."""
    moved: bool
    """Whether an arm moved meanwhile."""
    said: str
    """The words of the refusal."""


def failures(house: House, thing: str) -> dict[str, Failure]:
    """Break the camera in each way and ask for a thing; what was broken is mended without a restart."""
    room = house.room
    faults: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "unplugged": (room.stopped.set, room.stopped.clear),
        "frozen": (room.frozen.set, room.frozen.clear),
        "late": (partial(setattr, room, "late", LATE), partial(setattr, room, "late", 0.0)),
        "killed": (lambda: _signal(house, signal.SIGKILL), lambda: house.body.restart_what_died() and None),
        "hung": (lambda: _signal(house, signal.SIGSTOP), lambda: house.body.restart_what_died() and None),
    }
    for name, spoil in SPOILT.items():
        faults[name] = (
            partial(setattr, room, "spoilt", spoil),
            partial(setattr, room, "spoilt", lambda picture: picture),
        )
    return {name: _failure(house, thing, *fault) for name, fault in faults.items()}


def _failure(house: House, thing: str, breaks: Callable[[], object], mends: Callable[[], object]) -> Failure:
    until(lambda: not house.body.trouble())
    before, began, said = house.joints(), time.monotonic(), "it did not refuse"
    breaks()
    until(house.body.trouble)
    noticed = time.monotonic() - began
    try:
        house.do("grasp", thing)
    except SkillError as error:
        said = error.message
    refused = time.monotonic() - began - noticed
    moved = house.joints() != before
    until(lambda: mends() or not house.body.trouble())
    return Failure(noticed, refused, moved, said)


def frozen_on_the_way(house: House, thing: str) -> tuple[float, str]:
    """Freeze the camera once a hand has set out; return the seconds until the grasp had ended, and what it said."""
    until(lambda: not house.body.trouble())
    before, said = house.joints(), ["it did not notice"]

    def grasp() -> None:
        with contextlib.suppress(HardwareError):
            try:
                house.do("grasp", thing)
            except SkillError as error:
                said.append(error.message)

    grasping = threading.Thread(target=grasp)
    grasping.start()
    until(lambda: house.joints() != before)
    house.room.frozen.set()
    began = time.monotonic()
    grasping.join()
    seconds = time.monotonic() - began
    house.room.frozen.clear()
    return seconds, said[-1]


def _signal(house: House, number: signal.Signals) -> None:
    if house.body.camera and house.body.camera.pid:
        os.kill(house.body.camera.pid, number)


def until(is_so: Callable[[], object]) -> None:
    """Wait for something. Raises HardwareError after PATIENCE seconds."""
    ends = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > ends:
            raise HardwareError(f"heed did not notice within {PATIENCE:g} s", "see what heed-eyes said")
        time.sleep(0.02)
