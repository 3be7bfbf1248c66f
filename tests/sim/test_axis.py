"""A simulated ODrive axis arms, follows, disarms and coasts; its adapter speaks SLCAN."""

import pytest

from hw.protocol import cansimple, slcan
from hw.protocol.can import Frame
from hw.protocol.cansimple import AxisState, EncoderEstimates, Heartbeat
from sim.axis import SimulatedAxis, SlcanAdapter

DT = 0.005
ARM = cansimple.SetAxisState(AxisState.CLOSED_LOOP_CONTROL)


def run(axis: SimulatedAxis, seconds: float, velocity: float | None = None) -> list[cansimple.Message]:
    """What the axis says meanwhile; a velocity is sent again at every step."""
    said = []
    for _ in range(round(seconds / DT)):
        if velocity is not None:
            axis.receive(cansimple.SetInputVelocity(velocity))
        said += axis.step(DT)
    return said


@pytest.fixture
def axis() -> SimulatedAxis:
    axis = SimulatedAxis(0, watchdog=0.25)
    axis.receive(ARM)
    return axis


def test_an_armed_axis_follows_its_velocity(axis: SimulatedAxis) -> None:
    run(axis, 1.0, velocity=0.8)
    assert axis.velocity == pytest.approx(0.8, rel=0.01)
    assert axis.position == pytest.approx(0.8 * (1.0 - 0.05), rel=0.02)


def test_an_idle_axis_does_not_move() -> None:
    axis = SimulatedAxis(0, watchdog=0.25)
    run(axis, 0.5, velocity=0.8)
    assert axis.position == 0.0


def test_the_velocity_limit_holds(axis: SimulatedAxis) -> None:
    axis.receive(cansimple.SetLimits(velocity=0.5, current=10.0))
    run(axis, 1.0, velocity=-3.0)
    assert axis.velocity == pytest.approx(-0.5, rel=0.01)


def test_zero_brings_an_armed_axis_to_a_standstill(axis: SimulatedAxis) -> None:
    run(axis, 1.0, velocity=0.8)
    run(axis, 0.3, velocity=0.0)
    assert abs(axis.velocity) < 0.01
    assert axis.state is AxisState.CLOSED_LOOP_CONTROL


def test_when_frames_cease_the_watchdog_disarms_and_the_wheel_coasts(axis: SimulatedAxis) -> None:
    run(axis, 1.0, velocity=0.8)
    run(axis, 0.24)
    assert axis.error == 0
    said = run(axis, 0.2)
    assert axis.error == cansimple.WATCHDOG_EXPIRED
    assert Heartbeat(cansimple.WATCHDOG_EXPIRED, AxisState.IDLE) in said
    assert axis.velocity > 0.3
    run(axis, 6.0)
    assert axis.velocity == 0.0


def test_any_frame_feeds_the_watchdog(axis: SimulatedAxis) -> None:
    for _ in range(10):
        run(axis, 0.2)
        axis.receive(None)
    assert axis.error == 0


def test_an_axis_with_an_error_arms_only_after_it_is_cleared(axis: SimulatedAxis) -> None:
    axis.receive(cansimple.Estop())
    assert axis.error == cansimple.ESTOP_REQUESTED
    axis.receive(ARM)
    assert axis.state is AxisState.IDLE
    axis.receive(cansimple.ClearErrors())
    assert axis.state is AxisState.IDLE
    axis.receive(ARM)
    assert axis.state is AxisState.CLOSED_LOOP_CONTROL


def test_estimates_come_a_hundred_times_a_second_and_heartbeats_ten_times(axis: SimulatedAxis) -> None:
    said = run(axis, 1.0, velocity=0.0)
    assert 95 <= sum(isinstance(message, EncoderEstimates) for message in said) <= 101
    assert 9 <= sum(isinstance(message, Heartbeat) for message in said) <= 11


@pytest.fixture
def adapter() -> SlcanAdapter:
    return SlcanAdapter([SimulatedAxis(0, 0.25), SimulatedAxis(1, 0.25)])


def frame_to(node: int, message: cansimple.Message) -> bytes:
    return slcan.encode(cansimple.encode(node, message))


def test_a_closed_channel_is_silent_and_deaf(adapter: SlcanAdapter) -> None:
    assert adapter.receive(frame_to(0, ARM)) == (b"\a", [])
    assert adapter.step(0.1) == b""
    assert adapter.axes[0].state is AxisState.IDLE


def test_an_open_channel_carries_frames_both_ways(adapter: SlcanAdapter) -> None:
    answer, frames = adapter.receive(slcan.set_bitrate(500_000) + slcan.OPEN + frame_to(1, ARM))
    assert answer == b"\r\rz\r"
    assert frames == [cansimple.encode(1, ARM)]
    assert adapter.axes[1].state is AxisState.CLOSED_LOOP_CONTROL
    assert adapter.axes[0].state is AxisState.IDLE
    heard = [cansimple.decode(frame) for frame in slcan.Parser().feed(adapter.step(0.1))]
    assert {(node, type(message)) for node, message in filter(None, heard)} == {
        (node, kind) for node in (0, 1) for kind in (Heartbeat, EncoderEstimates)
    }


def test_the_channel_closes_with_the_client(adapter: SlcanAdapter) -> None:
    adapter.receive(slcan.OPEN)
    adapter.disconnect()
    assert adapter.step(0.1) == b""


@pytest.mark.parametrize("line", [b"\r", b"hello\r", b"t1\r", b"tZZZ0\r", b"S6\r", slcan.encode(Frame(0x7FF))])
def test_nonsense_breaks_nothing(adapter: SlcanAdapter, line: bytes) -> None:
    adapter.receive(slcan.OPEN + line)
    assert adapter.step(0.1) != b""
