"""The body that a description names: its arms, its base and its emergency stop, each of the right kind."""

from collections.abc import Mapping
from pathlib import Path

from hw.arm import ServoArm
from hw.axis_base import AxisBase
from hw.base import Base
from hw.base_description import AxisBaseDescription, BaseDescription, ServoBaseDescription
from hw.body import Body
from hw.dead_man import Heartbeat
from hw.description import ArmDescription, RobotDescription
from hw.estop import EmergencyStop
from hw.head import Head
from hw.motions import AnyArm
from hw.ros2.arm import ActionArm
from hw.ros2.base import ActionBase
from hw.ros2.description import ActionBaseDescription
from hw.ros2.wire import SOCKET as BRIDGE
from hw.servo_port import ServoPort
from hw.spinning_base import SpinningBase
from hw.transport import FrameTransport, SerialTransport, SlcanTransport
from hw.travelling_base import TravellingBase


def build_body(description: RobotDescription, runtime: Path) -> Body:
    """Components for everything that the description names, with their ports still closed.

    Raises HardwareError when the contact of the emergency stop cannot be watched.
    """
    base = description.base
    ports = {arm.name: _port(arm) for arm in description.servo_arms}
    silence = description.feedback_timeout
    return Body(
        arms={arm.name: _arm(arm, ports, silence, runtime) for arm in description.arms},
        base=_base(base, ports, silence, runtime) if base else None,
        head=Head(description.head, ports[description.head.bus], silence) if description.head else None,
        description=description.table,
        client_timeout=description.client_timeout,
        estop=EmergencyStop.from_description(description.estop, runtime),
    )


def _port(arm: ArmDescription) -> ServoPort:
    return ServoPort(lambda: SerialTransport(arm.device, arm.baud), arm.family)


def _arm(arm: ArmDescription, ports: Mapping[str, ServoPort], feedback_timeout: float, runtime: Path) -> AnyArm:
    if arm.actions:
        return ActionArm(arm, arm.actions, runtime / BRIDGE, feedback_timeout)
    return ServoArm(arm, ports[arm.name], feedback_timeout)


def _base(base: BaseDescription, ports: Mapping[str, ServoPort], feedback_timeout: float, runtime: Path) -> Base:
    if isinstance(base, ActionBaseDescription):
        return ActionBase(base, runtime / BRIDGE, feedback_timeout)
    note = runtime / "odometry.json"
    if isinstance(base, ServoBaseDescription):
        return _on_servos(base, ports[base.bus], feedback_timeout, note)
    assert isinstance(base, AxisBaseDescription)

    def open_port() -> FrameTransport:
        if base.interface:
            from hw.socketcan import SocketCanTransport  # python-can takes a third of a second, and few need it

            return SocketCanTransport(base.interface)
        return SlcanTransport(base.device, base.baud, base.bitrate)

    return AxisBase(base, open_port, feedback_timeout, note)


def _on_servos(base: ServoBaseDescription, port: ServoPort, feedback_timeout: float, note: Path) -> Base:
    if (dead_man := base.dead_man) is None:
        return TravellingBase(base, port, feedback_timeout, note)
    heartbeat = Heartbeat(lambda: SerialTransport(dead_man.device, dead_man.baud))
    return SpinningBase(base, dead_man, heartbeat, port, feedback_timeout, note)
