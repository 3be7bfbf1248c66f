"""The body of the robot: its processes, started, watched and restarted; its eyes; the verbs of skills and of people."""

import contextlib
import logging
import math
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from daemon.config import BodyConfig
from daemon.eyes.interface import STALE, Eyes
from daemon.eyes.other_programs import OutsideEyes
from daemon.eyes.taught_places import with_places
from daemon.eyes.truth import Truth
from daemon.memory.place_book import PlaceBook
from daemon.service.body_process import BodyError
from daemon.service.body_setup import TRUTH, body_processes, camera_process, scene_of, who_sees
from hw.arm_manner import Manner
from hw.client import Goal, Robot, send_stop
from hw.description import RobotDescription, load_description
from hw.motion import wrap
from hw.state import HardwareError, Lifecycle, Pose2D, RobotState, StopReport
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.skill import Observation, SkillContext, SkillError

log = logging.getLogger(__name__)

WORTH_CORRECTING, WORTH_TURNING = 0.02, math.radians(1.0)
"""Metres and radians between where the base is seen and where its wheels say that it stands."""
FACING = 3.0
"""Seconds that a head may take to turn to something."""
HOLD_SECONDS = 3.0
"""The ear decides sooner whether a stop was meant."""


class RobotBody:
    """The robot through whichever heed-hw runs now: the Body of the skills, and the verbs of a person."""

    def __init__(self, config: BodyConfig, folder: Path, runtime: Path, models: Path | None = None) -> None:
        """`folder` is where relative paths begin, `models` has an owner's model files.

        Raises ConfigError for a description or scene that is not there.
        """
        self._runtime = runtime
        self._simulated = config.simulated
        file = config.robot_file(folder)
        self.description: RobotDescription = load_description(file, runtime, self._simulated)
        self.sees_by = who_sees(config.eyes, self.description, self._simulated)
        """One of EYES."""
        self.processes = body_processes(config, self.sees_by, self.description, file, runtime)
        scene = scene_of(config, self.description)
        self.camera = camera_process(self.sees_by, scene, self.description, file, runtime, models)
        """heed-eyes; None where it is not the one that sees."""
        self._robot: Robot | None = None
        self._free = threading.Event()
        self._free.set()
        self._hold_ends = math.inf
        self.eyes: Eyes = Truth(runtime) if self.sees_by == TRUTH else OutsideEyes(runtime, self.state, listens=False)
        self._places: PlaceBook | None = None
        self._seen: Observation | None = None
        self._begun: deque[Goal] = deque(maxlen=1)

    def start(self) -> None:
        """Start the processes, connect, and make the robot ready to move. Raises BodyError, HardwareError."""
        self._runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._simulated:
            for process in self.processes:
                process.wait_gone()
            (self._runtime / "odometry.json").unlink(missing_ok=True)  # the simulated base begins at its start
        for process in self.processes:
            if not process.serves():  # else it is heed-hw.service
                process.start()
        self._robot = Robot(self._runtime)
        self._robot.activate()
        if self.camera:
            self.camera.start()

    def restart_what_died(self) -> list[str]:
        """Start dead processes again, and name what was renewed. No part is active then, until a person resumes it.

        Raises BodyError or HardwareError when that fails; calling again tries again. The camera is started again, too,
        and not named: it moves nothing.
        """
        if self.camera:
            self.camera.mend(self.eyes.silent())
        renewed = [process.name for process in self.processes if not process.alive]
        for process in self.processes:
            if not process.alive:
                log.error("%s has ended; it is started again", process.name)
                if not process.serves():
                    process.start()
        if renewed or not self.robot.connected:
            self.robot.close()
            self._robot = Robot(self._runtime)
            renewed = renewed or ["the connection to heed-hw"]
        return renewed

    @property
    def robot(self) -> Robot:
        if self._robot is None:
            raise HardwareError("the robot is not connected", "start the body first")
        return self._robot

    def answers(self) -> bool:
        """Return whether heed-hw still answers."""
        try:
            self.robot.state()
        except HardwareError:
            return False
        return True

    def use_places(self, book: PlaceBook) -> None:
        """Know the places of this book from now on, and note in it what is seen where others see for the robot."""
        self._places = book
        if self.sees_by != TRUTH:
            self.eyes.close()
            stale = float(self.description.table.get("eyes", {}).get("stale", STALE))
            drives, listens = self.description.base is not None, self.sees_by != "none"
            self.eyes = OutsideEyes(self._runtime, self.state, book, stale, listens=listens, drives=drives)

    @property
    def places(self) -> PlaceBook:
        """The book that use_places() was given."""
        if self._places is None:
            raise BodyError("the places are not known yet: use_places() first")
        return self._places

    def observe(self) -> Observation:
        """Return what is seen, and what is remembered, at once."""
        seen = self.eyes.observe(self.state()) | self.description.embodiment
        return with_places(seen, self._places.places()) if self._places and self.sees_by == TRUTH else seen

    def trouble(self) -> str:
        """Return what is wrong with the eyes; "" while they see."""
        return (self.camera.trouble() if self.camera else "") or self.eyes.trouble()

    def look(self) -> None:
        """Return once something was seen that is newer than this call, and the base was corrected by what was seen.

        Raises HardwareError, saying what is wrong.
        """
        if self.camera and (why := self.camera.trouble()):
            raise HardwareError(f"I cannot see now: {why}", "run: heed eyes")
        self.eyes.look()
        self.localise()

    def labels(self, thing: str = "") -> Sequence[tuple[str, str]]:
        """Read the labels in sight: see Eyes.labels(). Raises HardwareError."""
        return self.eyes.labels(thing)

    def face(self, point: tuple[float, float, float]) -> None:
        """Turn the head, where there is one, to a point of the map before somebody looks, or as near as it gets."""
        if self.description.head is None:
            return
        x, y = self.state().base.to_local(point[0], point[1])
        try:
            self.robot.look_at(x, y, point[2]).wait(FACING)
        except (HardwareError, TimeoutError) as error:
            log.info("the head was not turned: %s", error)

    def localise(self) -> None:
        """Take it from the eyes where the base stands, where they know, it stands, and the wheels say otherwise."""
        seen, state = self.eyes.base(), self.state()
        if seen is None or self.under_way():
            return
        away = math.dist((seen.x, seen.y), (state.base.x, state.base.y))
        turned = abs(wrap(seen.theta - state.base.theta))
        if state.localised and away < WORTH_CORRECTING and turned < WORTH_TURNING:
            return
        try:
            self._correct(seen)
        except HardwareError as error:
            log.debug("where the base stands was not corrected: %s", error)

    def _correct(self, pose: Pose2D, by: str = "") -> None:
        before = self.state().base
        self.robot.correct_base(pose, by)
        self.eyes.corrected(before, pose)

    def pose(self) -> tuple[float, float, float] | None:
        """Return where the base stands: x, y in metres, theta in radians, map frame; None while nobody knows."""
        state = self.state()
        return (state.base.x, state.base.y, state.base.theta) if state.localised else None

    def stands_at(self, pose: tuple[float, float, float], by: str) -> None:
        """Take it from a person that the base stands there. Raises SkillError, as while anything moves."""
        try:
            self._correct(Pose2D(*pose), by)
        except HardwareError as error:
            raise SkillError(f"I cannot take that up now: {error}") from error

    def last_seen(self) -> Observation:
        """The same, or, while nobody sees anything, what was seen last: one can talk to a robot that is blind.

        Raises HardwareError where nothing was ever seen.
        """
        try:
            self._seen = self.observe()
        except HardwareError as error:
            if self._seen is None:
                raise
            log.warning("nothing is seen now, so that the last look counts: %s", error)
        return self._seen

    def picture(self, thing: str = "") -> bytes:
        """The room as a PNG, or a thing in it. Raises HardwareError for none: without a camera, without physics."""
        return self.eyes.picture(thing)

    def imagine(self, observation: Observation) -> SkillContext:
        """A body that is only thought of, in a copy of an observed scene, where the robot stands now."""
        scene = Scene.from_observation(observation, self.state().base)
        rehearsal = RehearsalRobot(scene, self.description)
        return SkillContext(rehearsal, rehearsal.observe)

    def state(self) -> RobotState:
        return self.robot.state()

    def hold(self) -> None:
        """Hold still while a stop is suspected, for example by the ear; new motions wait for a moment."""
        state = self.state()
        if not (state.stopped or state.paused):
            self._free.clear()
            self._hold_ends = time.monotonic() + HOLD_SECONDS
            self.robot.pause()

    def release(self) -> None:
        """Go on: it was no stop; not where a person paused or stopped the robot meanwhile."""
        if not self._free.is_set():
            if not self.state().stopped:
                self.robot.resume()
            self._free.set()

    def end_forgotten_hold(self) -> None:
        """Release what was held longer than any suspicion lasts: its release may have failed."""
        if time.monotonic() > self._hold_ends:
            self.release()
            self._hold_ends = math.inf

    def pause(self) -> None:
        """Hold still until a person resumes; a suspicion that ends meanwhile changes nothing."""
        self._free.set()
        self.robot.pause()

    def manner(self, arm: str) -> Manner:
        """Return how that arm goes about its work."""
        return self.robot.manner(arm)

    def move_tip(self, arm: str, x: float, y: float, z: float, pitch: float | None = None, speed: float = 1.0) -> Goal:
        return self._noted(self._free_robot.move_tip(arm, x, y, z, pitch, speed))

    def grip(self, arm: str, opening: float) -> Goal:
        state = self.state()
        tip = state.arms[arm].tip if arm in state.arms else None
        goal = self._noted(self._free_robot.grip(arm, opening))
        if tip:
            self.eyes.grip(arm, (*state.base.to_map(tip.x, tip.y), tip.z), opening)
        return goal

    def drive_to(self, x: float, y: float, theta: float, speed: float = 1.0) -> Goal:
        return self._noted(self._free_robot.drive_to(x, y, theta, speed))

    def under_way(self) -> dict[str, Any]:
        """Number, state, and what remains (radians, metres) of the last motion; empty when it has ended."""
        for goal in list(self._begun):
            with contextlib.suppress(HardwareError):
                if feedback := goal.feedback():
                    return {"goal": goal.id, **feedback}
        return {}

    def _noted(self, goal: Goal) -> Goal:
        self._begun.append(goal)
        return goal

    def stop(self, reason: str) -> StopReport:
        """Protective stop, straight to heed-hw's stop socket."""
        return send_stop(self._runtime, reason)

    @property
    def _free_robot(self) -> Robot:
        self._free.wait(HOLD_SECONDS)
        return self.robot

    def resume(self, by: str) -> str:
        """Let the robot move again in the name of a person; returns what that ended, "" where nothing was."""
        self._free.set()
        state = self.robot.state()
        if state.stopped:
            self.robot.clear_stop(by)
        if state.stopped or any(life is not Lifecycle.ACTIVE for life in state.lifecycle.values()):
            self.robot.activate()
            return "stop"
        if state.paused:
            self.robot.resume()
            return "pause"
        return ""

    def close(self) -> None:
        """End the processes, the last started first; safe to call twice."""
        if self.camera:
            self.camera.close()
        self.eyes.close()
        if self._robot is not None:
            self._robot.close()
        for process in reversed(self.processes):
            process.close()
