"""Tagged things before a robot's camera, for tests: no camera is needed."""

from bench.body.drawn_pictures import Conditions, Painter, Standing
from bench.body.drawn_room import LENS
from camera.description import CameraDescription
from camera.lens import Lens
from camera.printed_tags import TaggedThing


def painter(described: CameraDescription, lens: Lens = LENS, conditions: Conditions | None = None) -> Painter:
    assert described.mount is not None
    return Painter(lens, described.mount, conditions or Conditions())


def standing(thing: TaggedThing, x: float, y: float, z: float = 0.75, yaw: float = 0.3) -> Standing:
    return Standing(thing, (x, y, z), yaw)
