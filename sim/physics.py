"""Weight, friction and force for the simulated robot: MuJoCo turns the joints and moves the things (extra `sim`).

Devices speak the same bytes as ever; here their setpoints pull at shafts, and what the shafts do is what the
servos measure. Things are held by friction between the fingers, and fall when those lose their force.
"""

import ctypes.util
import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hw.description import RobotDescription
from hw.state import HardwareError
from sim import model
from sim.layout import OPENED, Point
from sim.scene import Scene
from sim.scene_things import Thing

if TYPE_CHECKING:
    from sim.limbs import SimulatedArm

os.environ.setdefault("MUJOCO_GL", "egl" if ctypes.util.find_library("EGL") else "disabled")
try:
    import mujoco
except ImportError as error:
    raise HardwareError(
        "physics needs MuJoCo",
        "install it (.venv/bin/python -m pip install mujoco), or simulate without --physics mujoco",
    ) from error
from sim.pictures import Camera, state_of

HELD_STILL = 1000.0
"""Nm of friction in a shaft that something holds."""
FRICTION = 0.2
SWING = 2.0
"""Radians per second of a door."""
SETTLING = 0.01
"""Metres per second downwards of a thing that was put somewhere: what moves is not asleep."""
SAME = 1e-6
"""Metres: a thing that is further away than physics left it has been moved by somebody else."""


class Physics:
    """The room in MuJoCo. Belongs to the thread that owns the devices, but for its camera."""

    def __init__(self, description: RobotDescription, scene: Scene, arms: Mapping[str, "SimulatedArm"]) -> None:
        scene.weightless = False
        self._description = description
        self._arms = arms
        xml = model.build(description, scene)
        self.model = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.model)
        self._things = {thing.name: self._joint_of(thing.name) for thing in scene.things()}
        self._told: dict[str, tuple[Point, str | None]] = {t.name: (t.position, None) for t in scene.things()}
        """Where physics left each thing, and the arm that held it."""
        self._fingers, self._touched = self._who_touches()
        self._base = np.array([scene.base.x, scene.base.y, scene.base.theta])
        self._left = 0.0
        self.camera = Camera(xml)
        self._begin()

    def step(self, seconds: float, scene: Scene) -> None:
        """Let time pass: setpoints in, measurements and the scene out."""
        self._take_in(scene)
        self._left += seconds
        steps = int(self._left / model.TIMESTEP)
        self._left -= steps * model.TIMESTEP
        if steps:
            self._pull()
            mujoco.mj_step(self.model, self.data, steps)
            self._measure()
            self._swing_doors(scene, steps * model.TIMESTEP)
        self._tell(scene)

    def snapshot(self) -> NDArray[np.float64]:
        """The room as it is now, for its camera."""
        return state_of(self.model, self.data)

    def pose(self) -> dict[str, list[float]]:
        """Return where every joint of the model is, for whoever renders it elsewhere."""
        return {"qpos": self.data.qpos.tolist()}

    def close(self) -> None:
        self.camera.close()

    def _begin(self) -> None:
        """Joints where the servos are, the base where the scene has it."""
        for name, value in self._base_joints():
            self.data.joint(name).qpos = value
        for arm in self._arms.values():
            for servo in (*arm.joints, arm.gripper):
                servo.driven = True
            for joint, servo in arm.shafts:
                self.data.joint(f"{arm.name} {joint.name}").qpos = joint.from_steps(servo.position)
            for finger in self._fingers_of(arm):
                self.data.joint(finger).qpos = arm.opening / 2
        mujoco.mj_forward(self.model, self.data)

    def _take_in(self, scene: Scene) -> None:
        """The base as its wheels have taken it; things that somebody has put elsewhere."""
        pose = np.array([scene.base.x, scene.base.y, scene.base.theta])
        change = pose - self._base
        change[2] = math.remainder(change[2], 2 * math.pi)
        self._base = self._base + change
        for name, value in self._base_joints():
            self.data.actuator(name).ctrl = value
        for thing in scene.things():
            if math.dist(self._told[thing.name][0], thing.position) > SAME:
                self._put(thing)

    def _base_joints(self) -> list[tuple[str, float]]:
        """The joints that stand for wheels, and where they shall be; none for a robot without a base."""
        if self._description.base is None:
            return []
        return [(f"base {name}", float(at)) for name, at in zip(("x", "y", "theta"), self._base, strict=True)]

    def _put(self, thing: Thing) -> None:
        address, speed = self._things[thing.name], self.model.body(thing.name).dofadr[0]
        self.data.qpos[address : address + 7] = [*thing.position, 1, 0, 0, 0]
        self.data.qvel[speed : speed + 6] = 0
        self.data.qvel[speed + 2] = -SETTLING

    def _pull(self) -> None:
        """Every motor towards its servo's setpoint, with the force that the servo may use."""
        for arm in self._arms.values():
            for joint, servo in arm.shafts:
                name = f"{arm.name} {joint.name}"
                self._drive(name, joint.from_steps(servo.setpoint), servo.torque * model.STRENGTH)
                dof = self.model.joint(name).dofadr[0]
                self.model.dof_frictionloss[dof] = HELD_STILL if servo.stalled else FRICTION
            wanted = self._arms[arm.name].wanted_opening / 2
            for finger in self._fingers_of(arm):
                self._drive(finger, wanted, arm.gripper.torque * model.GRIP_STRENGTH)

    def _drive(self, motor: str, target: float, force: float) -> None:
        self.data.actuator(motor).ctrl = target
        self.model.actuator(motor).forcerange = (-force, force)

    def _measure(self) -> None:
        """Measure what the servos' encoders and currents say."""
        for arm in self._arms.values():
            for joint, servo in arm.shafts:
                shaft = self.data.joint(f"{arm.name} {joint.name}")
                force = self.data.actuator(f"{arm.name} {joint.name}").force[0]
                load = 1000 * force / model.STRENGTH * math.copysign(1, joint.scale)
                servo.feel(joint.to_steps(shaft.qpos[0]), shaft.qvel[0] / joint.scale, load)
            self._measure_grip(arm)

    def _measure_grip(self, arm: "SimulatedArm") -> None:
        joint = arm.description.gripper
        fingers = [self.data.joint(name) for name in self._fingers_of(arm)]
        force = sum(self.data.actuator(name).force[0] for name in self._fingers_of(arm)) / 2
        opening, speed = sum(f.qpos[0] for f in fingers), sum(f.qvel[0] for f in fingers)
        load = 1000 * force / model.GRIP_STRENGTH * math.copysign(1, joint.scale)
        arm.gripper.feel(joint.to_steps(opening), speed / joint.scale, load)

    def _swing_doors(self, scene: Scene, seconds: float) -> None:
        """Doors follow the scene: they weigh nothing here."""
        for location in scene.locations():
            if location.has_door:
                door = self.data.joint(f"door {location.name}")
                left = (OPENED if scene.is_open(location.name) else 0.0) - door.qpos[0]
                door.qpos = door.qpos[0] + math.copysign(min(abs(left), SWING * seconds), left)
                door.qvel = 0.0

    def _tell(self, scene: Scene) -> None:
        """The scene learns where hands and things are, and who holds what."""
        for arm in self._arms.values():
            arm.show(scene)
        holders = self._holders()
        for name, address in self._things.items():
            x, y, z = (float(value) for value in self.data.qpos[address : address + 3])
            state = (x, y, z), holders.get(name)
            if self._told[name] != state:
                scene.found(name, *state)
                self._told[name] = state

    def _holders(self) -> dict[str, str]:
        """Things that both fingers of an arm touch, and that arm."""
        fingers: dict[tuple[str, str], set[int]] = {}
        for first, second in self.data.contact.geom[: self.data.ncon]:
            for finger, other in ((first, second), (second, first)):
                if finger in self._fingers and other in self._touched:
                    fingers.setdefault((self._touched[other], self._fingers[finger]), set()).add(finger)
        return {thing: arm for (thing, arm), touching in fingers.items() if len(touching) == 2}

    def _who_touches(self) -> tuple[dict[int, str], dict[int, str]]:
        """Geometries of fingers and their arm, of things and their name."""
        fingers = {self.model.geom(name).id: arm.name for arm in self._arms.values() for name in self._fingers_of(arm)}
        things = {self.model.geom(f"{name} {part}").id: name for name in self._things for part in ("ball", "foot")}
        return fingers, things

    def _fingers_of(self, arm: "SimulatedArm") -> tuple[str, str]:
        return f"{arm.name} finger a", f"{arm.name} finger b"

    def _joint_of(self, thing: str) -> int:
        return int(self.model.jnt_qposadr[self.model.body(thing).jntadr[0]])
