"""What went over the simulated wire."""

from collections.abc import Iterable

from hw.protocol import cansimple
from hw.protocol.can import Frame
from sim.devices import SimulatedRobot
from sim.perception import SimCamera


def velocities(devices: SimulatedRobot) -> list[tuple[int, float]]:
    """Node and wheel velocity (turns/s) of each command that the simulated axes got, in order."""
    return _velocities(seen.content for seen in list(devices.frames) if seen.device == "base")


def velocities_seen_by(camera: SimCamera) -> list[tuple[int, float]]:
    """The same, of a simulation in another process."""
    return _velocities(Frame(id, bytes.fromhex(data)) for id, data in camera.request("frames"))


def _velocities(frames: Iterable[object]) -> list[tuple[int, float]]:
    messages = [cansimple.decode(frame) for frame in frames if isinstance(frame, Frame)]
    return [
        (message[0], message[1].velocity)
        for message in messages
        if message and isinstance(message[1], cansimple.SetInputVelocity)
    ]
