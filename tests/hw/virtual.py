"""A Body on simulated devices, in one thread, with a clock that the test turns: no ports, no waiting, no luck."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hw.arm import ServoArm
from hw.axis_base import AxisBase
from hw.base import Base
from hw.base_description import AxisBaseDescription, ServoBaseDescription
from hw.body import Body
from hw.dead_man import Heartbeat
from hw.description import ArmDescription, RobotDescription, load_description
from hw.device import Component
from hw.estop import EmergencyStop
from hw.head import Head
from hw.protocol import cansimple, slcan, sts
from hw.protocol.can import Frame
from hw.requests import Requests
from hw.servo_port import ServoPort
from hw.spinning_base import SpinningBase
from hw.transport import TransportError
from hw.travelling_base import TravellingBase
from sim.axis import SimulatedAxis, SlcanAdapter
from sim.dead_man import SimulatedDeadMan
from sim.dynamixel_servo import DynamixelChain
from sim.limbs import SimulatedHead, SimulatedServoBase, chain_of
from sim.servo import ServoChain, SimulatedServo

ROBOT = Path(__file__).parents[2] / "hw" / "robots" / "sim.toml"
TICK = 0.01


class ByteWire:
    """Between a driver and a simulated device: what one sends, the other has at once."""

    def __init__(self, device: ServoChain | DynamixelChain | SlcanAdapter | SimulatedDeadMan) -> None:
        self.device = device
        self.cut = False
        self.mute = False
        """The device hears, but its answers are lost."""
        self.slow = False
        """Answers are read once a tick: a procedure of many questions takes many ticks."""
        self.sent: list[Any] = []
        """Packets or frames that the device understood."""
        self.waiting = b""

    def fileno(self) -> int:
        return 0

    def send(self, data: bytes) -> None:
        if self.cut:
            raise TransportError("cut")
        answer, understood = self.device.receive(data)
        self.sent += understood
        self.waiting += answer

    def receive(self) -> bytes:
        if self.cut:
            raise TransportError("cut")
        data, self.waiting = self.waiting, b""
        return b"" if self.mute else data

    def close(self) -> None:
        self.waiting = b""

    def reopened(self) -> "ByteWire":
        if self.cut:
            raise TransportError("still cut")
        return self


class FrameWire(ByteWire):
    """The same for CAN frames."""

    def __init__(self, device: SlcanAdapter) -> None:
        super().__init__(device)
        self._parser = slcan.Parser()

    def send(self, *frames: Frame) -> None:  # type: ignore[override]
        super().send(b"".join(slcan.encode(frame) for frame in frames))

    def receive(self) -> list[Frame]:  # type: ignore[override]
        return self._parser.feed(super().receive())

    def reopened(self) -> "FrameWire":
        super().reopened()
        self.device.receive(slcan.OPEN)
        return self


class VirtualRobot:
    """hw/robots/sim.toml, its devices, and a Body that drives them."""

    def __init__(
        self,
        note: Path | None = None,
        estop: EmergencyStop | None = None,
        description: RobotDescription | None = None,
    ) -> None:
        self.now = 100.0
        self.description = description or load_description(ROBOT, Path("/nowhere"))
        self.wires: dict[str, Any] = {arm.name: ByteWire(_chain(arm)) for arm in self.description.arms}
        base = self.description.base
        timeout = self.description.feedback_timeout
        ports = {arm.name: ServoPort(self.wires[arm.name].reopened, arm.family) for arm in self.description.arms}
        self.axes: list[SimulatedAxis] = []
        self.drive: Base | None = None
        if isinstance(base, ServoBaseDescription):
            self.wheels = SimulatedServoBase(base, self.wires[base.bus].device)
            self.drive = self._on_servos(base, ports[base.bus], timeout, note)
        elif isinstance(base, AxisBaseDescription):
            self.axes = [SimulatedAxis(wheel.id, base.watchdog, base.endpoints) for wheel in base.wheels]
            self.wires["base"] = FrameWire(SlcanAdapter(self.axes))
            self.drive = AxisBase(base, self.wires["base"].reopened, timeout, note)
        self.body = Body(
            {arm.name: ServoArm(arm, ports[arm.name], timeout) for arm in self.description.arms},
            self.drive,
            self.description.table,
            self.description.client_timeout,
            estop,
            self._head(ports, timeout),
            clock=lambda: self.now,
        )
        self.requests = Requests(self.body)
        self.request = self.requests.carry_out
        self.news: dict[int, dict[str, Any]] = {}
        """The last thing said about each goal."""

    def _on_servos(self, base: ServoBaseDescription, port: ServoPort, timeout: float, note: Path | None) -> Base:
        if base.dead_man is None:
            return TravellingBase(base, port, timeout, note)
        self.board = SimulatedDeadMan(self.wheels.wheels, base.dead_man.within)
        self.wires["dead man"] = ByteWire(self.board)
        return SpinningBase(base, base.dead_man, Heartbeat(self.wires["dead man"].reopened), port, timeout, note)

    def _head(self, ports: Mapping[str, ServoPort], timeout: float) -> Head | None:
        """Pan and tilt, where the description has them."""
        if (described := self.description.head) is None:
            return None
        self.neck = SimulatedHead(described, self.wires[described.bus].device)
        return Head(described, ports[described.bus], timeout)

    def advance(self, seconds: float) -> None:
        """Let devices and body live on."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            for name, wire in self.wires.items():
                wire.waiting += wire.device.step(TICK)
                if wire.waiting and self._listeners(name):
                    self._read(name)
                    self._talk(name)
            self.body.take_troubles()
            for _, event in self.body.tick(self.now):
                self.news[event["goal"]] = event
            for name in self.wires:
                self._talk(name)

    def ask(self, op: str, **parameters: Any) -> dict[str, Any]:
        """A request whose answer comes at once, or within six seconds; from an owner who is alive."""
        answers: list[dict[str, Any]] = []
        self.request({"op": op} | parameters, self, answers.append)
        for _ in range(600):
            if answers:
                return answers[0]
            self.advance(TICK)
        raise AssertionError(f"{op} was not answered")

    def activated(self) -> "VirtualRobot":
        assert self.ask("activate") == {"ok": True}
        return self

    def goal(self, op: str, **parameters: Any) -> int:
        answer = self.ask(op, **parameters)
        assert answer["ok"], answer
        return int(answer["goal"])

    def finish(self, goal: int, seconds: float = 20.0) -> dict[str, Any]:
        """Let time pass until a goal has ended; its result."""
        for _ in range(round(seconds / TICK)):
            self.advance(TICK)
            self.ask("alive")
            if result := self.news.get(goal, {}).get("result"):
                return dict(result)
        raise AssertionError(f"goal {goal} has not ended: {self.news.get(goal)}")

    def servos(self, arm: str) -> dict[int, SimulatedServo]:
        return dict(self.wires[arm].device.servos)

    def goals_sent(self, arm: str) -> list[dict[int, sts.Goal]]:
        """Every goal packet on an arm's bus, in order."""
        decoded = []
        for packet in self.wires[arm].sent:
            if packet.code == sts.Instruction.SYNC_WRITE:
                _, blocks = sts.decode_sync_write(packet)
                decoded.append({servo: goal for servo, b in blocks.items() if (goal := sts.Goal.decode(b))})
        return decoded

    def velocities_sent(self) -> list[tuple[int, float]]:
        """Node and turns per second of every velocity on the base's bus, in order."""
        messages = [cansimple.decode(frame) for frame in self.wires["base"].sent]
        return [
            (message[0], message[1].velocity)
            for message in messages
            if message and isinstance(message[1], cansimple.SetInputVelocity)
        ]

    def _talk(self, name: str) -> None:
        """Questions of a procedure are asked one by one; let it get its answers within the tick."""
        wire = self.wires[name]
        for _ in range(400):
            if not wire.waiting or wire.slow or not self._listeners(name):
                return
            self._read(name)

    def _read(self, name: str) -> None:
        for component in self._listeners(name):
            component.receive(self.now)

    def _listeners(self, name: str) -> list[Component]:
        """The components that have the port open: its own, and wheels or a head that share it."""
        sharing = [self.body.components[name]] if name in self.body.components else []
        base = self.description.base
        if self.drive and isinstance(base, ServoBaseDescription) and base.bus == name:
            sharing.append(self.drive)
        if self.body.head and self.body.head.description.bus == name:
            sharing.append(self.body.head)
        return [component for component in sharing if component.fileno() is not None]


def _chain(arm: ArmDescription) -> ServoChain | DynamixelChain:
    joints = zip(arm.joints, arm.kinematics.home, strict=True)
    return chain_of(arm, {joint: joint.to_steps(value) for joint, value in (*joints, (arm.gripper, 0.0))})


def lifecycles(robot: VirtualRobot) -> Mapping[str, str]:
    return {name: str(state) for name, state in robot.ask("state")["lifecycle"].items()}
