"""What went over the simulated wire."""

from hw.protocol import cansimple
from sim.devices import SimulatedRobot


def velocities(devices: SimulatedRobot) -> list[tuple[int, float]]:
    """Node and wheel velocity (turns/s) of each command that the simulated axes got, in order."""
    frames = [received.content for received in devices.call(lambda: list(devices.frames)) if received.device == "base"]
    messages = [cansimple.decode(frame) for frame in frames]
    return [
        (message[0], message[1].velocity)
        for message in messages
        if message and isinstance(message[1], cansimple.SetInputVelocity)
    ]
