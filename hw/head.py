"""A head that pans and tilts what sees: two servos on the bus of an arm."""

from hw.channel import Channel
from hw.head_description import HeadDescription
from hw.servo_limb import ServoLimb
from hw.servo_port import ServoPort


class Head(ServoLimb):
    """Pan and tilt; holds them where it was told to look."""

    def __init__(self, description: HeadDescription, port: ServoPort, feedback_timeout: float) -> None:
        self.description = description
        self.neck = Channel(description.joints)
        super().__init__(description, (self.neck,), port, feedback_timeout)

    @property
    def angles(self) -> tuple[float, ...]:
        """Pan and tilt as measured; radians."""
        return self.neck.measured
