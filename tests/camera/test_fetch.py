"""A robot that sees nothing but drawn pictures, over the whole way: pixels, tags, heed-eyes, socket, skills, motors."""

import math
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.body.drawn_room import House, house
from hw.state import HardwareError
from skills.skill import SkillError
from tests.support.waiting import until

pytestmark = pytest.mark.whole

THINGS = ("water", "cup")
"""Two that stand at one place, and carry tags."""


@pytest.fixture
def robot() -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, house(Path(folder), *THINGS) as started:
        yield started


def looks(robot: House) -> bool:
    """Whether a look came in time; on a machine under load it may not."""
    try:
        robot.body.look()
    except HardwareError:
        return False
    return True


def is_seen(robot: House, thing: str) -> bool:
    return any(seen["name"] == thing and seen["present"] for seen in robot.body.observe()["objects"])


@pytest.mark.timeout(300)
def test_what_only_a_camera_sees_is_fetched_and_handed_over_and_what_is_hidden_is_not_reached_for(robot: House) -> None:
    body, room, do = robot.body, robot.room, robot.do
    thing = THINGS[0]
    until(lambda: body.trouble() == "")
    do("move_to", "counter")
    until(lambda: looks(robot))
    assert do("get_object_location", thing) == "counter"

    room.hidden.add(thing)
    until(lambda: not is_seen(robot, thing))
    before = robot.joints()
    with pytest.raises(SkillError, match="cannot see"):
        do("grasp", thing)
    assert robot.joints() == before
    room.hidden.clear()
    until(lambda: is_seen(robot, thing))

    do("grasp", thing)
    hand = next(hand for hand in ("left", "right") if do("get_object_in_hand", hand) == thing)
    do("move_to", "ada")
    do("handover", thing)
    assert do("get_object_in_hand", hand) is None


@pytest.mark.timeout(300)
def test_a_base_whose_wheels_have_slipped_is_corrected_by_tags_on_the_wall(robot: House) -> None:
    body, room, do = robot.body, robot.room, robot.do
    until(lambda: body.trouble() == "")
    do("move_to", "counter")
    x, y, theta = room.scene.request("base")
    body.stands_at((x + 0.08, y - 0.06, theta + 0.03), by="a test")

    def is_corrected() -> bool:
        body.localise()
        base = body.state().base
        return math.dist((base.x, base.y), (x, y)) < 0.01 and abs(base.theta - theta) < math.radians(0.5)

    until(is_corrected)
    body.stands_at((x + 0.4, y, theta), by="a test")  # so far no eyes may move it
    for _ in range(3):
        until(lambda: looks(robot))
        assert not is_corrected()


@pytest.mark.timeout(300)
def test_without_pictures_and_without_heed_eyes_it_goes_on_blind_and_says_so(robot: House) -> None:
    body, room = robot.body, robot.room
    until(lambda: body.trouble() == "")
    room.stopped.set()
    until(lambda: "no picture" in body.trouble())
    with pytest.raises(HardwareError, match="cannot see now: no picture"):
        body.look()
    room.stopped.clear()
    until(lambda: body.trouble() == "")

    assert body.camera is not None
    assert body.camera.pid is not None
    os.kill(body.camera.pid, signal.SIGKILL)
    until(lambda: "heed-eyes has ended" in body.trouble())
    with pytest.raises(HardwareError, match="cannot see now"):
        body.look()
    assert body.answers()
    body.stop("a test")  # the body is its own master
    until(lambda: body.restart_what_died() == [] and body.trouble() == "")
    until(lambda: looks(robot))
