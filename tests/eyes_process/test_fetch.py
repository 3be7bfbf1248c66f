"""A robot that sees nothing but drawn pictures, over the whole way: pixels, tags, heed-eyes, socket, skills, motors."""

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon.config import BodyConfig
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.body import RobotBody
from hw.state import HardwareError
from skills.skill import SkillContext, SkillError, load_skills
from tests.eyes_process.room import DrawnRoom, robot_with_eyes, simulation

pytestmark = pytest.mark.whole

THINGS = ("water", "cup")
"""Two that stand at one place, and carry tags."""


@dataclass(frozen=True)
class House:
    """The robot, and what its camera sees."""

    body: RobotBody
    room: DrawnRoom

    def do(self, name: str, *arguments: str) -> object:
        robot = SkillContext(self.body, self.body.observe, look=self.body.look)
        return load_skills()[name].bind(robot)(*arguments)

    def joints(self) -> dict[str, tuple[float, ...]]:
        return {name: arm.joints for name, arm in self.body.state().arms.items()}


@pytest.fixture
def house() -> Iterator[House]:
    with tempfile.TemporaryDirectory(prefix="heed-") as name:
        folder = Path(name)
        robot = robot_with_eyes(folder, *THINGS)
        simulated = simulation(robot, folder)
        body = RobotBody(BodyConfig(robot=str(robot)), folder, folder)
        room = DrawnRoom(folder, folder, *THINGS)
        with closing(PlaceBook(folder / "m.sqlite")) as book:
            book.keep(Place("counter", "surface", 0.5, 1.1, 1.5708, 0.8))
            book.keep(Place("table", "surface", -0.6, -1.1, -1.5708, 0.7))
            book.keep(Place("ada", "person", -1.1, 0.0, 3.1416, 0.9))
            try:
                body.use_places(book)
                body.start()
                yield House(body, room)
            finally:
                room.close()
                body.close()
                simulated.terminate()
                simulated.wait()


def until(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.mark.timeout(300)
def test_what_only_a_camera_sees_is_fetched_and_handed_over_and_what_is_hidden_is_not_reached_for(house: House) -> None:
    body, room, do = house.body, house.room, house.do
    thing = THINGS[0]
    until(lambda: body.trouble() == "")
    do("move_to", "counter")
    body.look()
    assert do("get_object_location", thing) == "counter"

    room.hidden.add(thing)
    time.sleep(1.5)
    before = house.joints()
    with pytest.raises(SkillError, match="cannot see"):
        do("grasp", thing)
    assert house.joints() == before
    room.hidden.clear()

    do("grasp", thing)
    hand = next(hand for hand in ("left", "right") if do("get_object_in_hand", hand) == thing)
    do("move_to", "ada")
    do("handover", thing)
    assert do("get_object_in_hand", hand) is None


@pytest.mark.timeout(300)
def test_without_pictures_and_without_heed_eyes_it_goes_on_blind_and_says_so(house: House) -> None:
    body, room = house.body, house.room
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
    until(lambda: body.restart_what_died() == [] and body.trouble() == "", 60.0)
    body.look()
