"""What a servo bus believes: one corrupt answer in 256 has a checksum that fits by chance."""

from hw.axis_base import Axis
from hw.base_description import Wheel
from hw.bus import ServoBus
from hw.protocol import cansimple, sts
from hw.protocol.sts import ErrorBits, ServoState

STATE = ServoState(2000, 0, 0, 12.0, 30, ErrorBits(0), False, 0.0)


class Answers:
    """A wire on which a servo says what the test wants."""

    def __init__(self) -> None:
        self.waiting = b""

    def say(self, state: ServoState) -> None:
        self.waiting += sts.encode(sts.Packet(1, int(state.errors), state.encode()))

    def fileno(self) -> int:
        return 0

    def send(self, data: bytes) -> None:
        """Nobody listens."""

    def receive(self) -> bytes:
        data, self.waiting = self.waiting, b""
        return data

    def close(self) -> None:
        """Nothing is open."""


def believed(*states: ServoState) -> ServoState:
    """What the bus holds to be true after these answers, a hundredth of a second apart."""
    wire = Answers()
    bus = ServoBus(wire, [1])
    for number, state in enumerate(states):
        wire.say(state)
        bus.receive(10.0 + number / 100)
    return bus.readings[1].state


def test_a_shaft_that_turns_is_followed() -> None:
    states = [STATE._replace(position=2000 + 30 * step) for step in range(10)]
    assert believed(*states) == states[-1]


def test_a_leap_that_no_shaft_can_make_is_doubted() -> None:
    assert believed(STATE, STATE._replace(position=100)) == STATE
    assert believed(STATE, STATE._replace(position=100), STATE._replace(position=2010)).position == 2010
    assert believed(STATE, STATE._replace(position=100), STATE._replace(position=3900)) == STATE


def test_how_far_a_shaft_may_have_come_follows_from_its_speed() -> None:
    fast = STATE._replace(position=2060, speed=3000)
    assert believed(STATE._replace(speed=3000), fast) == fast
    assert believed(STATE, STATE._replace(position=2060)) == STATE


def test_a_leap_is_not_explained_by_a_speed_that_no_shaft_can_gain() -> None:
    """A damaged answer may be false about both, and was believed once in a million goals."""
    assert believed(STATE, STATE._replace(position=2090, speed=4000)) == STATE


def test_nothing_becomes_hot_or_loses_its_voltage_within_a_hundredth_of_a_second() -> None:
    """What one damaged answer with a fitting checksum said, and stopped the robot by."""
    shifted = STATE._replace(temperature=120, voltage=0.0)
    assert believed(STATE, shifted) == STATE
    assert believed(STATE, shifted, shifted) == shifted


def test_what_is_said_twice_is_believed() -> None:
    leapt, complaining = STATE._replace(position=100), STATE._replace(errors=ErrorBits.OVERLOAD)
    assert believed(STATE, leapt, leapt) == leapt
    assert believed(STATE, complaining) == STATE
    assert believed(STATE, complaining, complaining) == complaining


def test_an_axis_error_counts_once_two_heartbeats_agree() -> None:
    axis = Axis(Wheel("left", 0, 1))
    fine, broken = cansimple.Heartbeat(0, 8), cansimple.Heartbeat(0x40, 8)
    for number, message in enumerate((fine, fine, broken, fine, fine)):
        axis.hear(message, float(number))
        assert axis.error == 0
    axis.hear(broken, 5.0)
    axis.hear(broken, 6.0)
    assert (axis.error, axis.beat_at) == (0x40, 6.0)
