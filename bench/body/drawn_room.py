"""The simulated robot's kitchen as a camera on the robot's head would see it, drawn into a file again and again.

Everything behind that file is what runs with a camera: heed-eyes, its socket, the daemon's body, skills, heed-hw, and
devices that speak the real bytes.
"""

import json
import math
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from bench.body.drawn_pictures import Conditions, Painter, Standing
from camera.description import CameraDescription, describe_camera
from camera.lens import from_view, save_lens
from camera.printed_tags import Tag, TaggedThing
from camera.tags import Picture
from daemon.config import BodyConfig
from daemon.memory.place_book import Place, PlaceBook
from daemon.service.body import RobotBody
from hw.state import Pose2D
from sim.layout import GRIP_HEIGHT
from sim.perception import SimCamera
from skills.skill import SkillContext, load_skills

ROOT = Path(__file__).parents[2]
SIMULATED = ROOT / "hw" / "robots" / "sim.toml"
LENS = from_view(1280, 960, math.radians(70))
MOUNT = {"position": [0.12, 0.0, 1.28], "pitch": 0.6435}
RADIUS, TAG_HEIGHT = 0.03, 0.06
"""Metres: of a thing, and up to the middle of its tags."""
SIDES = (("front", 1, 0), ("left", 0, 1), ("back", -1, 0), ("right", 0, -1))
PLACES = (
    Place("counter", "surface", 0.5, 1.1, 1.5708, 0.8),
    Place("table", "surface", -0.6, -1.1, -1.5708, 0.7),
    Place("ada", "person", -1.1, 0.0, 3.1416, 0.9),
)
"""As somebody taught them."""
WALLS = [
    {"id": 200 + n, "size": 0.15, "at": at, "facing": facing}
    for n, (at, facing) in enumerate(
        [
            ([0.1, 2.0, 1.0], -1.5708),
            ([0.9, 2.0, 1.0], -1.5708),
            ([-1.0, -2.0, 1.0], 1.5708),
            ([-0.2, -2.0, 1.0], 1.5708),
        ]
    )
]
"""Two tags behind the counter, and two behind the table, map frame."""
PERIOD = 0.15
"""Seconds between two pictures."""
START_SECONDS = 20.0


def tags_of(name: str, first: int, size: float = 0.03) -> list[dict[str, Any]]:
    """Return four tags around a thing, as [[eyes.tag]] has them."""
    return [
        {
            "id": first + side,
            "size": size,
            "on": name,
            "at": [x * RADIUS, y * RADIUS, TAG_HEIGHT],
            "facing": facing,
            "grip": GRIP_HEIGHT,
        }
        for side, (facing, x, y) in enumerate(SIDES)
    ]


def camera(*names: str, size: float = 0.03, **keys: Any) -> CameraDescription:
    """Return a camera that knows these things, with tags 0 to 3, 4 to 7, and so on; `keys` are other keys of [eyes]."""
    tags = [tag for number, name in enumerate(names) for tag in tags_of(name, 4 * number, size)]
    table = {"eyes": {"device": "file:none", "mount": MOUNT, "tag": tags} | keys}
    return describe_camera(table, Path("robot.toml"))


def robot_with_eyes(folder: Path, *names: str) -> Path:
    """Write the simulated robot's description with a camera that reads a file, and its lens; return the path."""
    lines = [
        "[eyes]",
        'source = "camera"',
        f'device = "file:{folder / "picture.png"}"',
        "fps = 20",
        f"mount = {{ position = {MOUNT['position']}, pitch = {MOUNT['pitch']} }}",
    ]
    for number, name in enumerate(names):
        for tag in tags_of(name, 4 * number):
            lines += ["[[eyes.tag]]", *_as_toml(tag)]
    for tag in WALLS:
        lines += ["[[eyes.wall]]", *_as_toml(tag)]
    file = folder / "robot.toml"
    file.write_text(SIMULATED.read_text(encoding="utf-8") + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    save_lens(folder / "robot.lens.json", LENS)
    return file


class DrawnRoom:
    """Draws what the robot would see from where it stands: all tagged things that are in no hand and not hidden."""

    def __init__(self, folder: Path, *names: str) -> None:
        """The simulation runs in `folder`; picture.png is written there."""
        self.hidden: set[str] = set()
        self.stopped = threading.Event()
        """No pictures come: the camera is unplugged."""
        self.frozen = threading.Event()
        """The same picture comes again and again."""
        self.spoilt: Callable[[Picture], Picture] = lambda picture: picture
        """What becomes of each picture: see bench/body/spoilt_pictures.py."""
        self.late = 0.0
        """Seconds from when a picture is taken until it is there."""
        self._on_the_way: deque[tuple[float, Picture]] = deque()
        """Pictures, and when each was taken, Unix seconds."""
        self._picture = folder / "picture.png"
        self._camera = camera(*names, wall=WALLS)
        assert self._camera.mount is not None
        self._painter = Painter(LENS, self._camera.mount, Conditions())
        self._room = self._painter.room()
        self.scene = SimCamera(folder)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw, name="drawn room")
        self._thread.start()

    def _draw(self) -> None:
        last: Picture | None = None
        while not self._ended.wait(PERIOD):
            if self.stopped.is_set():
                continue
            taken, before = time.time(), self._mark()
            if last is None or not self.frozen.is_set():
                last = self.spoilt(self._seen())
            if self._mark() == before:  # nothing has moved while it was drawn: it shows what is there now
                taken = time.time()
            self._on_the_way.append((taken, last))
            while self._on_the_way and self._on_the_way[0][0] + self.late <= time.time():
                self._show(*self._on_the_way.popleft())

    def _show(self, taken: float, picture: Picture) -> None:
        fresh = self._picture.with_suffix(".new.png")
        cv2.imwrite(str(fresh), picture, [cv2.IMWRITE_PNG_COMPRESSION, 0])
        os.utime(fresh, (taken, taken))
        os.replace(fresh, self._picture)

    def _mark(self) -> tuple[Any, ...]:
        return (self.scene.request("base"), self.scene.observe()["objects"], set(self.hidden))

    def _seen(self) -> Picture:
        base = Pose2D(*self.scene.request("base"))
        there = {thing["name"]: thing for thing in self.scene.observe()["objects"]}
        things = [
            _standing(thing, there[thing.name], base)
            for thing in self._camera.things
            if thing.name not in self.hidden and not there[thing.name]["held_by"]
        ]
        return self._painter.picture([walls_before(self._camera.walls, base), *things], self._room)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self.scene.close()


@dataclass(frozen=True)
class House:
    """A robot, and what its camera sees."""

    body: RobotBody
    room: DrawnRoom

    def do(self, skill: str, *arguments: str) -> object:
        """Call a skill. Raises SkillError."""
        robot = SkillContext(self.body, self.body.observe, look=self.body.look, trouble=self.body.trouble)
        return load_skills()[skill].bind(robot)(*arguments)

    def joints(self) -> dict[str, tuple[float, ...]]:
        """Return the angles of every arm, radians."""
        return {name: arm.joints for name, arm in self.body.state().arms.items()}


@contextmanager
def house(folder: Path, *things: str) -> Iterator[House]:
    """Start the kitchen's simulated robot in an empty folder, with a camera before which these things are drawn."""
    robot = robot_with_eyes(folder, *things)
    command = [sys.executable, "-m", "sim", "--robot", str(robot), "--runtime", str(folder), "--scene", "kitchen"]
    simulated = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    until = time.monotonic() + START_SECONDS
    while not (folder / "scene.sock").exists() and time.monotonic() < until:
        time.sleep(0.05)
    body, room = RobotBody(BodyConfig(robot=str(robot)), folder, folder), DrawnRoom(folder, *things)
    with closing(PlaceBook(folder / "m.sqlite")) as book:
        try:
            for place in PLACES:
                book.keep(place)
            body.use_places(book)
            body.start()
            yield House(body, room)
        finally:
            room.close()
            body.close()
            simulated.terminate()
            simulated.wait()


def _as_toml(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {json.dumps(value)}" for key, value in table.items()]


def _standing(thing: Any, seen: dict[str, Any], base: Pose2D) -> Standing:
    """A thing of the simulated room, in the robot frame."""
    x, y = base.to_local(*seen["position"][:2])
    return Standing(thing, (x, y, seen["position"][2] - GRIP_HEIGHT), 0.3 - base.theta)


def walls_before(walls: tuple[Tag, ...], base: Pose2D) -> Standing:
    """Return what hangs on the walls as something to be drawn, in the frame of a robot that stands there."""
    origin = base.to_local(0.0, 0.0)
    return Standing(TaggedThing("walls", "walls", walls, (0.0, 0.0, 0.0)), (*origin, 0.0), -base.theta)
