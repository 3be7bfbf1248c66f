"""Pictures of the room in MuJoCo, without a display (extra `sim`).

Without a graphics card, rendering keeps a processor and Python's lock for up to seconds, and motors cannot wait: it
is done on a copy of the room, in a process of its own that has no priority.
"""

import contextlib
import multiprocessing
import os
import threading
from multiprocessing.connection import Connection
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from hw.state import HardwareError
from sim.png import png

STATE = mujoco.mjtState.mjSTATE_FULLPHYSICS
SECONDS = 30.0
"""The first picture takes some, on a machine that has other things to do."""


def state_of(model: mujoco.MjModel, data: mujoco.MjData) -> NDArray[np.float64]:
    """All that a camera needs to know of a room now."""
    state = np.empty(mujoco.mj_stateSize(model, STATE))
    mujoco.mj_getState(model, data, state, STATE)
    return state


class Camera:
    """Looks at the states of one room, from any thread."""

    def __init__(self, model: str) -> None:
        """`model` is the room in MuJoCo's XML."""
        self._model = model
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None

    def picture(self, state: NDArray[np.float64], camera: str = "room", width: int = 960, height: int = 640) -> bytes:
        """A PNG of what a camera of the model ("room", "head") sees. HardwareError where nothing can be rendered."""
        return png(self._ask(state, camera, width, height, False))

    def visible(
        self, state: NDArray[np.float64], camera: str = "head", width: int = 320, height: int = 240
    ) -> dict[str, int]:
        """The bodies that a camera sees, and how many pixels of each. HardwareError as above."""
        seen: dict[str, int] = self._ask(state, camera, width, height, True)
        return seen

    def close(self) -> None:
        with self._lock:
            self._end()

    def _ask(self, *question: Any) -> Any:
        if os.environ["MUJOCO_GL"] == "disabled":
            raise HardwareError("nothing can be rendered here", "install libegl1 and libgl1-mesa-dri")
        with self._lock:
            pipe = self._pipe or self._begin()
            try:
                pipe.send(question)
                if not pipe.poll(SECONDS):
                    raise EOFError
                answer = pipe.recv()
            except (OSError, EOFError) as error:
                self._end()
                raise HardwareError("the picture could not be rendered", "try again") from error
        if isinstance(answer, Exception):
            raise HardwareError(f"nothing can be rendered: {answer}", "install libegl1 and libgl1-mesa-dri")
        return answer

    def _begin(self) -> Connection:
        fresh = multiprocessing.get_context("spawn")
        self._pipe, other = fresh.Pipe()
        self._process = fresh.Process(target=_render, args=(other, self._model), name="pictures", daemon=True)
        self._process.start()
        other.close()  # so that it notices when we are gone, however that happened
        return self._pipe

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()
        self._pipe = None


def _render(pipe: Connection, xml: str) -> None:
    """In the process of its own: answer until nobody asks any more."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    renderer: Any = None
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            state, camera, width, height, segmented = pipe.recv()
            try:
                mujoco.mj_setState(model, data, state, STATE)
                mujoco.mj_forward(model, data)
                if renderer is None or (renderer.width, renderer.height) != (width, height):
                    renderer = mujoco.Renderer(model, height, width)
                renderer.update_scene(data, camera=camera)
                pipe.send(_bodies(model, renderer) if segmented else renderer.render())
            except (ValueError, RuntimeError, mujoco.FatalError) as error:
                pipe.send(error)


def _bodies(model: mujoco.MjModel, renderer: Any) -> dict[str, int]:
    renderer.enable_segmentation_rendering()
    seen = renderer.render()
    renderer.disable_segmentation_rendering()
    geoms = seen[:, :, 0][seen[:, :, 1] == mujoco.mjtObj.mjOBJ_GEOM]
    bodies, pixels = np.unique(model.geom_bodyid[geoms[geoms >= 0]], return_counts=True)
    return {model.body(body).name: int(count) for body, count in zip(bodies, pixels, strict=True)}
