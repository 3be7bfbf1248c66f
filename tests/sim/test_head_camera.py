"""The head's camera of the simulated robot: what is read from MuJoCo's pixels is where things and the base are."""

import ctypes.util
import json
import math
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import numpy as np
import pytest

from camera.camera import PictureFiles
from camera.labels import can_read_labels
from sim.head_camera import read_eyes, write_pgm
from sim.layout import GRIP_HEIGHT
from sim.scene import Scene
from sim.tag_plates import read_labels, with_plates

ROOT = Path(__file__).parents[2]
EYES = read_eyes(ROOT / "sim" / "eyes" / "kitchen.toml")
renders = pytest.mark.skipif(
    find_spec("mujoco") is None or ctypes.util.find_library("EGL") is None,
    reason="the extra `sim` is not installed, or nothing renders here",
)
RENDERED = """
import json, sys
from pathlib import Path
from camera.camera import Frame
from camera.lens import load_lens
from camera.look import Looker
from camera.tags import TagDetector
from hw.description import load_description
from sim import model
from sim.head_camera import HeadCamera, read_eyes
from sim.scene import Scene
from sim.tag_plates import read_labels, with_plates

labels = read_labels(Path("sim/eyes/labels/kitchen.toml"))
eyes, scene = read_eyes(Path("sim/eyes/kitchen.toml")), Scene.load(Path("sim/scenes/kitchen.toml"))
robot = load_description(Path("hw/robots/sim.toml"), Path("."), simulated=True)
room = with_plates(model.build(robot, scene), eyes, scene.geometry.grip_height, labels)
camera = HeadCamera(*room, eyes.width, eyes.height)
at = scene.location(sys.argv[1]).approach
joints = {"base x": at.x, "base y": at.y, "base theta": at.theta}
for arm in robot.arms:  # folded: an arm before a tag hides its edge
    joints |= {f"{arm.name} {joint.name}": angle for joint, angle in zip(arm.joints, arm.kinematics.home)}
picture = camera.picture({"joints": joints, "things": {thing.name: thing.position for thing in scene.things()}})
look = Looker(eyes, load_lens(eyes.lens), TagDetector()).look(Frame(picture, 1.0))
"""
LOOK = """
base = [look.base.x, look.base.y, look.base.theta]
print(json.dumps({"things": {thing.name: thing.position for thing in look.things}, "base": base}))
"""
READ = """
from camera.labels import read_words
from camera.placed_labels import placed_labels
words = placed_labels(read_words(picture), look.things, load_lens(eyes.lens), eyes.mount, 0.8)
print(json.dumps([[label.text, label.on] for label in words]))
"""


def rendered(place: str, then: str) -> Any:
    """Return what a program tells of a picture that was rendered at a place.

    In a process of its own: MuJoCo asks for its renderer when it is imported.
    """
    environment = {key: value for key, value in os.environ.items() if key != "MUJOCO_GL"}
    program = [sys.executable, "-c", RENDERED + then, place]
    told = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


@renders
@pytest.mark.parametrize(("place", "things"), [("counter", 3), ("table", 2)])
def test_pixels_tell_the_truth_to_a_centimetre(place: str, things: int) -> None:
    seen = rendered(place, LOOK)
    scene = Scene.load(ROOT / "sim" / "scenes" / "kitchen.toml")
    stands = scene.location(place).approach
    assert math.dist(seen["base"][:2], (stands.x, stands.y)) < 0.01
    assert len(seen["things"]) == things
    for name, (x, y, z) in seen["things"].items():
        assert math.dist((*stands.to_map(x, y), z), scene.thing(name).position) < 0.01


@renders
@pytest.mark.skipif(not can_read_labels(), reason='the extra "labels" is not installed')
def test_what_is_printed_on_things_is_read_from_pixels_and_is_on_the_right_one() -> None:
    printed = read_labels(ROOT / "sim" / "eyes" / "labels" / "kitchen.toml")
    read = rendered("counter", READ)
    assert printed["water"] == "WATER"
    assert read == [["water", "water"]]  # beside it stand a cup and a spoon, on which nothing is printed


def test_words_are_printed_above_each_tag_of_a_thing_that_has_some() -> None:
    model = "<mujoco><asset/><worldbody><body name='juice'/><body name='milk'/></worldbody></mujoco>"
    text, pictures = with_plates(model, EYES, GRIP_HEIGHT, {"juice": "JUICE"})
    root = xml.fromstring(text)
    assert [len(body.findall("geom")) for body in root.iter("body")] == [8, 4]
    heights = [float(str(geom.get("pos")).split()[2]) for geom in root.findall("worldbody/body[@name='juice']/geom")]
    assert min(heights[4:]) > max(heights[:4])
    assert pictures["label0.png"].startswith(b"\x89PNG")


def test_every_tag_of_a_thing_moves_with_it_and_those_on_walls_with_nothing() -> None:
    model = "<mujoco><asset/><worldbody><body name='juice'/><body name='milk'/></worldbody></mujoco>"
    text, pictures = with_plates(model, EYES, GRIP_HEIGHT)
    root = xml.fromstring(text)
    assert [len(body.findall("geom")) for body in root.iter("body")] == [4, 4]
    assert len(root.findall("worldbody/geom")) == len(EYES.walls)
    assert len(pictures) == 8 + len(EYES.walls)
    plate = root.find("worldbody/body/geom")
    assert plate is not None
    assert [float(value) for value in str(plate.get("pos")).split()] == pytest.approx([0.032, 0.0, -0.04])


def test_a_picture_is_as_old_as_what_it_shows(tmp_path: Path) -> None:
    shown = time.time() - 3.0
    write_pgm(tmp_path / "head.pgm", np.full((48, 64), 90, dtype=np.uint8), shown)
    shot = PictureFiles(tmp_path / "head.pgm", 100.0).read()
    assert shot is not None
    assert shot.at == pytest.approx(shown, abs=0.01)
    assert shot.picture.shape == (48, 64)
