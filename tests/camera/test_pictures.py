"""Forty pictures that MuJoCo rendered of its kitchen: what is read from them is where things and the base were.

Nothing renders here. A sensor's noise and a little blur are added, since neither can be kept small. truth.json has, for
each picture, where the base stood (map frame) and where the things are taken that can be seen (robot frame).
"""

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

from camera.camera import Frame
from camera.lens import load_lens
from camera.look import Looker
from camera.tags import TagDetector
from sim.head_camera import read_eyes

PICTURES = Path(__file__).parent / "pictures"
TRUTH = json.loads((PICTURES / "truth.json").read_text(encoding="utf-8"))
EYES = read_eyes(Path(__file__).parents[2] / "sim" / "eyes" / "kitchen.toml")
LENS = load_lens(EYES.lens)
BLUR, NOISE = 0.7, 4.0
"""Pixels and grey, standard deviations."""


@pytest.mark.parametrize("name", TRUTH)
def test_a_rendered_picture_tells_where_things_and_the_base_were(name: str) -> None:
    truth = TRUTH[name]
    clean = cv2.GaussianBlur(cv2.imread(str(PICTURES / name), cv2.IMREAD_GRAYSCALE), (0, 0), BLUR).astype(float)
    noise = np.random.default_rng(int(name[:2])).normal(0, NOISE, clean.shape)
    look = Looker(EYES, LENS, TagDetector()).look(Frame((clean + noise).clip(0, 255).astype(np.uint8), 1.0))
    assert look.trouble == ""
    assert look.base is not None
    assert math.dist((look.base.x, look.base.y), truth["base"][:2]) < 0.01
    assert abs(math.remainder(look.base.theta - truth["base"][2], 2 * math.pi)) < math.radians(0.3)
    assert {thing.name for thing in look.things} == set(truth["things"])
    for thing in look.things:
        assert math.dist(thing.position, truth["things"][thing.name]) < 0.015
