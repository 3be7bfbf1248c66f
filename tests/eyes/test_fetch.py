"""A robot for which another program sees fetches a thing, over the real bytes; blinded, no arm begins to move."""

import json
import math
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daemon.config import BodyConfig
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.body import RobotBody
from hw.state import HardwareError
from sim.perception import SimCamera
from skills.skill import SkillContext, SkillError, load_skills
from tests.support.waiting import until

pytestmark = pytest.mark.whole


class Watcher:
    """A program that sees what the simulated robot's room holds, ten times a second; not what a hand hides."""

    def __init__(self, runtime: Path, places: Sequence[Mapping[str, Any]] = ()) -> None:
        """`places` are seen by their tags, too."""
        self._places = places
        self.blind = threading.Event()
        self._ended = threading.Event()
        self._room = SimCamera(runtime)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(runtime / "eyes.sock"))
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            if self.blind.is_set():
                continue
            seen = [
                {"name": thing["name"], "class": thing["category"], "position": thing["position"]}
                for thing in self._room.observe()["objects"]
                if not thing["held_by"] and thing["visible"]
            ]
            self._tell("objects", source="tag", objects=seen)
            if self._places:
                self._tell("places", places=self._places)

    def _tell(self, type: str, **fields: Any) -> None:
        told = {"v": 1, "type": type, "at": time.time(), "frame": "map", **fields}
        self._socket.sendall(json.dumps(told).encode() + b"\n")
        self._socket.recv(65536)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()
        self._room.close()


@pytest.fixture
def body() -> Iterator[RobotBody]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        robot = RobotBody(BodyConfig(eyes="socket"), Path(folder), Path(folder))
        with closing(PlaceBook(Path(folder) / "m.sqlite")) as book:
            book.keep(Place("counter", "surface", 0.5, 1.1, 1.5708, 0.8))
            book.keep(Place("table", "surface", -0.6, -1.1, -1.5708, 0.7))
            try:
                robot.start()
                robot.use_places(book)
                yield robot
            finally:
                robot.close()


def test_an_arm_on_a_table_puts_a_thing_at_a_place_that_only_its_tag_tells() -> None:
    with tempfile.TemporaryDirectory(prefix="heed-") as name, closing(PlaceBook(Path(name) / "m.sqlite")) as book:
        folder = Path(name)
        body = RobotBody(BodyConfig(robot="sim:so101", eyes="socket"), folder, folder)
        robot = SkillContext(body, body.observe, look=body.look)
        try:
            body.start()
            body.use_places(book)
            tray = {"name": "dish", "kind": "surface", "position": [0.236, 0.120, 0.0], "yaw": 0.55 + math.pi}
            watcher = Watcher(folder, [tray])
            try:
                body.look()
                skills = load_skills()
                skills["grasp"].bind(robot)("red_cube")
                skills["place"].bind(robot)("red_cube", "dish")
                assert skills["get_object_location"].bind(robot)("red_cube") == "dish"
                with closing(SimCamera(folder)) as room:
                    there = next(thing for thing in room.observe()["objects"] if thing["name"] == "red_cube")
                assert math.dist(there["position"][:2], tray["position"][:2]) < 0.02
            finally:
                watcher.close()
        finally:
            body.close()


def test_what_others_see_is_fetched_and_what_nobody_sees_is_not_reached_for(body: RobotBody) -> None:
    skills = load_skills()
    robot = SkillContext(body, body.observe, look=body.look)

    def do(name: str, *arguments: str) -> object:
        return skills[name].bind(robot)(*arguments)

    with pytest.raises(HardwareError, match="nobody tells me"):
        body.look()
    watcher = Watcher(body._runtime)
    try:
        body.look()
        thing = next(seen["name"] for seen in body.observe()["objects"] if seen["location"] == "counter")
        do("move_to", "counter")
        do("grasp", thing)
        hand = next(hand for hand in ("left", "right") if do("get_object_in_hand", hand) == thing)
        do("move_to", "table")
        do("place", thing, "table")
        assert do("get_object_in_hand", hand) is None
        assert do("get_object_location", thing) == "table"

        watcher.blind.set()
        until(lambda: not any(seen["name"] == thing and seen["present"] for seen in body.observe()["objects"]))
        before = {name: arm.joints for name, arm in body.state().arms.items()}
        with pytest.raises(SkillError, match="cannot see"):
            do("grasp", thing)
        assert {name: arm.joints for name, arm in body.state().arms.items()} == before
        assert "ago" in str(do("get_object_location", thing))

        watcher.blind.clear()
        do("grasp", thing)
    finally:
        watcher.close()
