"""The simulated robot: its devices behind pseudo-terminals, wheels and joints that move, hands in a scene.

One thread owns everything: ports, motion and the scene. Whoever wants to know or to change something calls a
method, which runs there. Motion is kinematic: motors follow their commands, nothing weighs or collides.
"""

import base64
import itertools
import logging
import math
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hw.base_description import AxisBaseDescription, BaseDescription, ServoBaseDescription
from hw.description import RobotDescription
from hw.head_description import HeadDescription
from hw.protocol import dxl2, sts
from hw.protocol.can import Frame
from hw.state import HardwareError, Pose2D
from sim.axis import ESTIMATES, SimulatedAxis
from sim.dead_man import SimulatedDeadMan
from sim.fault_injection import Noise, NoisyWire, heal, inflict, noise_from
from sim.inspector import ArmInspector, AxisBaseInspector, Inspector, WheelInspector
from sim.limbs import SimulatedArm, SimulatedAxisBase, SimulatedBase, SimulatedHead, SimulatedServoBase, pose
from sim.perception import SceneServer
from sim.port import Port
from sim.scene import Scene
from sim.servo import ServoChain
from sim.shaft import Shaft

if TYPE_CHECKING:
    from sim.physics import Physics

log = logging.getLogger(__name__)

T = TypeVar("T")

TICK = 0.005
"""Seconds between steps of motion."""
RESTING_TICK = ESTIMATES
"""The same while every motor is settled: only the axes have something to say."""
LONGEST_LAG = 0.25
"""Seconds of motion that are caught up with after a pause; a longer one (a suspended machine) is skipped."""


@dataclass(frozen=True)
class Received:
    """What came over a wire to a device."""

    device: str
    """"left", "right" or "base"."""
    at: float
    """Monotonic seconds."""
    content: sts.Packet | dxl2.Packet | Frame


class Device(Protocol):
    """What hangs on a port."""

    def receive(self, data: bytes) -> tuple[bytes, list[Any]]:
        """The bytes that go back, and what was understood."""

    def step(self, dt: float) -> bytes:
        """Let time pass; the bytes that the device sends unasked."""

    def disconnect(self) -> None:
        """Take note that nobody has the port open any more."""


class SimulatedRobot:
    """All devices of a robot description, and the room they are in.

    The scene is the simulation's own from here on. Its robot stands where the description says that the base
    is first seen.
    """

    def __init__(self, runtime: Path, scene: Scene, description: RobotDescription, physics: bool = False) -> None:
        """physics: things have weight, as sim.physics has it. Raises HardwareError without MuJoCo."""
        scene.set_base(description.base.start if description.base else Pose2D())
        self.frames: deque[Received] = deque(maxlen=50_000)
        """The last things that arrived on any wire."""
        self.arms = {arm.name: SimulatedArm(arm, scene.opening(arm.name)) for arm in description.arms}
        self._base = self._simulate_base(description.base)
        self.head = self._simulate_head(description.head)
        self.physics = _physics(description, scene, self.arms) if physics else None
        self._move = self.physics.step if self.physics else self._move_kinematically
        self._scene = scene
        self._start = scene.copy()
        devices: dict[str, Device] = {name: arm.chain for name, arm in self.arms.items()}
        self._ports = {arm.name: Port(arm.device) for arm in description.arms}
        self._devices = devices
        if isinstance(description.base, AxisBaseDescription) and isinstance(self._base, SimulatedAxisBase):
            self._devices |= {"base": self._base.adapter}
            self._ports["base"] = Port(description.base.device)
        self._add_dead_man(description.base)
        self._bus_of_base = description.base.bus if isinstance(description.base, ServoBaseDescription) else "base"
        """The device whose port the wheels hang on."""
        self._inspectors = self._watch(description)
        self._wires: dict[str, tuple[NoisyWire, NoisyWire]] = {}
        """Of noisy devices: from and to the client."""
        self._listening: set[str] = set()
        """Devices whose port a client has open."""
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="simulated robot", daemon=True)
        self._eyes = SceneServer(runtime / "scene.sock", self._serve)

    def start(self) -> None:
        """Plug everything in, and let time pass."""
        for port in self._ports.values():
            port.plug()
        self._move(0.0, self._scene)
        self._eyes.start()
        self._thread.start()

    def close(self) -> None:
        """End the thread and take the ports and sockets away."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        self._eyes.close()
        for port in self._ports.values():
            port.unplug()

    @property
    def base(self) -> SimulatedBase:
        """The simulated base. Raises HardwareError for a robot without wheels."""
        if self._base is None:
            raise HardwareError("this robot has no base", "take hw/robots/sim.toml")
        return self._base

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def scene(self) -> Scene:
        """A copy of the room as it is now."""
        return self.call(self._scene.copy)

    def unplug(self, device: str) -> None:
        """Pull the cable of "left", "right" or "base"; its motors go on as they were told."""
        self.call(lambda: self._pull(self._port_of(device)))

    def plug(self, device: str) -> None:
        """Put the cable back in."""
        self.call(self._ports[self._port_of(device)].plug)

    @property
    def violations(self) -> list[str]:
        """Return what came over the wires that goes beyond the description's limits."""
        inspectors = itertools.chain.from_iterable(self._inspectors.values())
        return [f"{inspector.device}: {violation}" for inspector in inspectors for violation in inspector.violations]

    @property
    def goals(self) -> int:
        """Commands to move that were checked against the limits."""
        return sum(inspector.goals for inspector in itertools.chain.from_iterable(self._inspectors.values()))

    def disturb(self, device: str, noise: Noise | None) -> None:
        """Spoil what goes over the wire of "left", "right" or "base" from now on; None: a clean wire."""
        self.call(lambda: self._disturb(device, noise))

    def inflict(self, device: str, kind: str) -> None:
        """Let all servos or axes of a device suffer a fault of sim.fault_injection.KINDS."""
        self.call(lambda: self._inflict(device, kind, None))

    def heal(self, device: str) -> None:
        """Take the causes of all faults of a device away, noise included, and plug it in."""
        self.call(lambda: self._heal(device))

    def call(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs between two steps, in the thread that owns the devices."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return function()
        future: Future[T] = Future()
        self._calls.put(lambda: _fulfil(future, function))
        return future.result(timeout=10.0)

    def _serve(self, request: dict[str, Any]) -> Any:
        """Answer a request to the scene's socket; ValueError and KeyError go back as the answer."""
        if request["op"] == "picture":  # devices do not wait for it
            return self._picture(request)
        return self.call(lambda: self._operate(request))

    def _operate(self, request: dict[str, Any]) -> Any:
        operation = self._operations.get(request["op"])
        if operation is None:
            raise ValueError(f"there is no op {request['op']!r}; use one of {', '.join(self._operations)}")
        return operation(request)

    @property
    def _operations(self) -> dict[str, Callable[[dict[str, Any]], Any]]:
        scene = self._scene
        return {
            "observe": lambda _: scene.observe(),
            "base": lambda _: astuple(scene.base),
            "pose": lambda _: self.physics.pose() if self.physics else pose(scene, self.arms.values(), self._base),
            "place": lambda request: scene.place(request["object"], request["location"]),
            "give": lambda request: scene.give(request["object"], request["arm"]),
            "put": lambda request: scene.found(request["object"], (*request["position"],)),
            "state": lambda request: scene.set_state(request["name"], request["state"]),
            "door": lambda request: scene.set_door(request["location"], request["open"]),
            "reset": lambda _: self._reset(),
            "fault": self._suffer,
            "heal": lambda request: self._heal(request["device"]),
            "violations": lambda _: self.violations,
            "frames": lambda _: self._base_frames(),
        }

    def _base_frames(self) -> list[tuple[int, str]]:
        """Id and data (hex) of the last frames that the base got, oldest first."""
        frames = [seen.content for seen in list(self.frames)[-1000:] if isinstance(seen.content, Frame)]
        return [(frame.id, frame.data.hex()) for frame in frames]

    def _suffer(self, request: dict[str, Any]) -> None:
        """{"device", "kind"}: unplug, or noise with {"noise": {...}}, or of fault_injection.KINDS with {"motor"}."""
        device = request["device"]
        self._require(device)
        match request["kind"]:
            case "unplug":
                self._pull(self._port_of(device))
            case "noise":
                self._disturb(device, noise_from(request["noise"]))
            case kind:
                self._inflict(device, kind, request.get("motor"))

    def _picture(self, request: dict[str, Any]) -> str:
        """{"camera", "width", "height"}: a PNG as base64."""
        size = min(int(request.get("width", 960)), 1920), min(int(request.get("height", 640)), 1080)
        if (physics := self.physics) is None:
            raise ValueError("without physics there is nothing to render; start with --physics mujoco")
        try:
            picture = physics.camera.picture(self.call(physics.snapshot), request.get("camera", "room"), *size)
        except HardwareError as error:
            raise ValueError(str(error)) from error
        return base64.b64encode(picture).decode()

    def _disturb(self, device: str, noise: Noise | None) -> None:
        self._require(device)
        device = self._port_of(device)
        self._wires.pop(device, None)
        if noise:
            self._wires[device] = NoisyWire(noise), NoisyWire(replace(noise, seed=noise.seed + 1))

    def _inflict(self, device: str, kind: str, motor: int | None) -> None:
        self._require(device)
        motors = self._motors(device)
        if motor is not None and motor not in motors:
            raise ValueError(f"{device} has no motor {motor}; it has {sorted(motors)}")
        for suffering in motors.values() if motor is None else [motors[motor]]:
            inflict(suffering, kind)

    def _heal(self, device: str) -> None:
        self._require(device)
        for motor in self._motors(device).values():
            heal(motor)
        self._wires.pop(self._port_of(device), None)
        self._ports[self._port_of(device)].plug()

    def _motors(self, device: str) -> Mapping[int, Shaft | SimulatedAxis]:
        return self.base.motors if device == "base" else self.arms[device].chain.servos

    def _port_of(self, device: str) -> str:
        """Wheels may hang on the port of an arm."""
        return self._bus_of_base if device == "base" else device

    def _require(self, device: str) -> None:
        known = [*self.arms, *(["base"] if self._base else [])]
        if device not in known:
            raise ValueError(f"there is no device {device!r}; use {', '.join(known)}")

    def _simulate_base(self, description: BaseDescription | None) -> SimulatedBase | None:
        if isinstance(description, ServoBaseDescription):
            chain = self.arms[description.bus].chain
            if not isinstance(chain, ServoChain):
                raise HardwareError("wheels on the bus of a Dynamixel arm are not simulated", "take motors = odrive")
            return SimulatedServoBase(description, chain)
        return SimulatedAxisBase(description) if isinstance(description, AxisBaseDescription) else None

    def _add_dead_man(self, base: BaseDescription | None) -> None:
        """The board that cuts the wheels off, where the description declares one."""
        if isinstance(base, ServoBaseDescription) and base.dead_man and isinstance(self._base, SimulatedServoBase):
            self.dead_man = SimulatedDeadMan(self._base.wheels, base.dead_man.within)
            self._devices["dead_man"] = self.dead_man
            self._ports["dead_man"] = Port(base.dead_man.device)

    def _simulate_head(self, description: HeadDescription | None) -> SimulatedHead | None:
        if description is None:
            return None
        chain = self.arms[description.bus].chain
        assert isinstance(chain, ServoChain), "a head hangs on Feetech servos: its description was checked"
        return SimulatedHead(description, chain)

    def _watch(self, description: RobotDescription) -> dict[str, list[Inspector]]:
        """Return who reads along on each port."""
        inspectors: dict[str, list[Inspector]] = {
            arm.name: [ArmInspector(arm, self.arms[arm.name].chain.servos)] for arm in description.arms
        }
        if isinstance(description.base, AxisBaseDescription):
            inspectors["base"] = [AxisBaseInspector(description.base)]
        if isinstance(description.base, ServoBaseDescription) and isinstance(self._base, SimulatedServoBase):
            inspectors[description.base.bus].append(WheelInspector(description.base, self._base.motors))
        return inspectors

    def _reset(self) -> None:
        """Put everything but the robot back to where it was in the beginning."""
        base, self._scene = self._scene.base, self._start.copy()
        self._scene.set_base(base)
        for arm in self.arms.values():
            arm.show_again(self._scene)

    def _run(self) -> None:
        try:
            last = time.monotonic()
            while not self._closing.is_set():
                tick = RESTING_TICK if self._settled else TICK
                ready = self._wait(last + tick - time.monotonic())
                now = time.monotonic()
                self._exchange(ready, now)
                if now - last >= tick:
                    self._plug_in()
                    self._pass_time(min(now - last, LONGEST_LAG), tick)
                    last = now
                    while not self._calls.empty():
                        self._calls.get()()
        except Exception:
            log.exception("the simulation has ended")
        finally:
            if self.physics:
                self.physics.close()

    @property
    def _settled(self) -> bool:
        at_rest = self._base is None or self._base.settled
        return self.physics is None and at_rest and all(arm.settled for arm in self.arms.values())

    def _wait(self, seconds: float) -> list[str]:
        """Until bytes arrive, or it is time for the next step; the devices that have something to read."""
        ports = {self._ports[name].fileno(): name for name in self._listening}
        due = min((wire.due for wires in self._wires.values() for wire in wires), default=math.inf)
        ready, _, _ = select.select(ports, (), (), max(min(seconds, due - time.monotonic()), 0.0))
        return [ports[number] for number in ready]

    def _plug_in(self) -> None:
        """Notice clients that have opened a port."""
        for name in self._ports.keys() - self._listening:
            data = self._ports[name].receive()
            if data is not None:
                self._listening.add(name)
                self._read(name, data, time.monotonic())

    def _exchange(self, ready: Iterable[str], now: float) -> None:
        """Take in what has arrived on these wires, and what was under way on noisy ones; answer."""
        for name in {*ready, *(self._wires.keys() & self._listening)}:
            data = self._ports[name].receive()
            if data is None:
                self._hang_up(name)
            else:
                self._read(name, data, now)

    def _read(self, name: str, data: bytes, now: float) -> None:
        if data:
            for inspector in self._inspectors.get(name, ()):
                inspector.read(data, now)
        if data or name in self._wires:
            self._deliver(name, data, now)

    def _deliver(self, name: str, data: bytes, now: float) -> None:
        """Bytes from the client to the device and its answer back, as far as the wire is good."""
        wires = self._wires.get(name)
        if wires:
            data = wires[0].carry(data, now)
        answer, contents = self._devices[name].receive(data)
        self.frames.extend(Received(name, now, content) for content in contents)
        self._answer(name, answer, now)

    def _answer(self, name: str, data: bytes, now: float) -> None:
        wires = self._wires.get(name)
        self._ports[name].send(wires[1].carry(data, now) if wires else data)

    def _pull(self, name: str) -> None:
        self._ports[name].unplug()
        self._hang_up(name)

    def _hang_up(self, name: str) -> None:
        if name in self._listening:
            self._listening.discard(name)
            self._devices[name].disconnect()
            for inspector in self._inspectors.get(name, ()):
                inspector.restart()
            self._ports[name].flush()

    def _pass_time(self, seconds: float, tick: float) -> None:
        """Motion in steps of about a tick, so that a late step is no leap."""
        steps = max(1, round(seconds / tick))
        for _ in range(steps):
            for name, device in self._devices.items():
                said = device.step(seconds / steps)
                if said and name in self._listening:
                    self._answer(name, said, time.monotonic())
            if self._base:
                self._base.act_on(self._scene)
            self._move(seconds / steps, self._scene)

    def _move_kinematically(self, seconds: float, scene: Scene) -> None:
        for arm in self.arms.values():
            arm.act_on(scene)


def _physics(description: RobotDescription, scene: Scene, arms: Mapping[str, SimulatedArm]) -> "Physics":
    from sim.physics import Physics  # MuJoCo is an extra, and takes a while to load

    return Physics(description, scene, arms)


def _fulfil(future: Future[T], function: Callable[[], T]) -> None:
    try:
        future.set_result(function())
    except Exception as error:
        future.set_exception(error)
