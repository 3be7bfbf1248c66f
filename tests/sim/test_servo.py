"""A simulated servo moves as its registers say, and answers in Feetech's bytes."""

import itertools

import pytest

from hw.protocol import sts
from hw.protocol.sts import ErrorBits, Instruction, Packet
from sim.servo import ServoChain, SimulatedServo

DT = 0.005


def powered(position: float = 2048) -> SimulatedServo:
    servo = SimulatedServo(1, position)
    servo.write(sts.TORQUE_ENABLE.address, b"\1")
    return servo


def send_to(servo: SimulatedServo, goal: sts.Goal) -> None:
    servo.write(sts.ACCELERATION.address, goal.encode()[0])


def run(servo: SimulatedServo, seconds: float) -> list[float]:
    """Positions after each step."""
    positions = []
    for _ in range(round(seconds / DT)):
        servo.step(DT)
        positions.append(servo.position)
    return positions


def state(servo: SimulatedServo) -> sts.ServoState:
    measured = sts.ServoState.decode(servo.read(sts.STATE_ADDRESS, sts.STATE_SIZE))
    assert measured is not None
    return measured


def test_it_arrives_at_its_goal_and_stands() -> None:
    servo = powered()
    send_to(servo, sts.Goal(3000, speed=1500, acceleration=5000))
    run(servo, 2.0)
    assert servo.position == 3000
    assert not state(servo).moving


def test_it_is_never_faster_than_its_goal_speed() -> None:
    servo = powered()
    send_to(servo, sts.Goal(3000, speed=800))
    positions = [2048, *run(servo, 2.0)]
    assert max(b - a for a, b in itertools.pairwise(positions)) <= 800 * DT + 1e-6


def test_it_takes_up_speed_as_its_acceleration_says() -> None:
    servo = powered()
    send_to(servo, sts.Goal(3500, speed=3000, acceleration=2000))
    run(servo, 0.25)
    assert servo.velocity == pytest.approx(500, rel=0.05)


@pytest.mark.parametrize("acceleration", [0, 1000, 20000])
def test_it_does_not_overshoot(acceleration: int) -> None:
    servo = powered(1000)
    send_to(servo, sts.Goal(3000, acceleration=acceleration))
    assert max(run(servo, 5.0)) <= 3000 + 2


def test_without_torque_it_stays() -> None:
    servo = SimulatedServo(1, 2048)
    send_to(servo, sts.Goal(3000))
    run(servo, 0.5)
    assert servo.position == 2048


def test_it_stays_within_its_own_limits() -> None:
    servo = powered()
    servo.write(sts.MAX_POSITION.address, sts.encode_value(sts.MAX_POSITION, 2500)[0])
    send_to(servo, sts.Goal(4000))
    run(servo, 2.0)
    assert servo.position == 2500


def test_an_obstacle_stops_it_and_shows_as_load_within_the_torque_limit() -> None:
    servo = powered()
    servo.obstacle = (2000, 4095)
    servo.write(sts.TORQUE_LIMIT.address, sts.encode_value(sts.TORQUE_LIMIT, 400)[0])
    send_to(servo, sts.Goal(1500))
    run(servo, 1.0)
    assert state(servo).position == 2000
    assert state(servo).load == -400
    assert not state(servo).moving


def test_error_bits_travel_with_every_answer() -> None:
    servo = SimulatedServo(3, 2048)
    servo.errors = ErrorBits.OVERHEAT
    answer, _ = ServoChain([servo]).receive(sts.ping(3))
    assert sts.Parser().feed(answer) == [Packet(3, ErrorBits.OVERHEAT)]
    assert state(servo).errors == ErrorBits.OVERHEAT


@pytest.fixture
def chain() -> ServoChain:
    return ServoChain([SimulatedServo(number, 2000 + number) for number in range(1, 8)])


def ask(chain: ServoChain, data: bytes) -> list[Packet]:
    return sts.Parser().feed(chain.receive(data)[0])


def test_only_servos_that_are_there_answer(chain: ServoChain) -> None:
    assert [packet.id for packet in ask(chain, sts.ping(7) + sts.ping(8))] == [7]


def test_a_written_register_reads_back(chain: ServoChain) -> None:
    assert ask(chain, sts.write(2, sts.MIN_POSITION, 700)) == [Packet(2, 0)]
    (answer,) = ask(chain, sts.read(2, sts.MIN_POSITION))
    assert sts.decode_value(sts.MIN_POSITION, answer.parameters) == 700


def test_a_sync_read_is_answered_by_each_servo_in_turn(chain: ServoChain) -> None:
    answers = ask(chain, sts.sync_read_states([3, 1, 9]))
    assert [packet.id for packet in answers] == [3, 1]
    first = sts.ServoState.decode(answers[0].parameters)
    assert first is not None
    assert first.position == 2003


def test_a_sync_write_moves_several_and_is_answered_by_nobody(chain: ServoChain) -> None:
    torque = sts.sync_write(sts.TORQUE_ENABLE, {1: 1, 2: 1})
    goals, _ = sts.sync_write_goals({1: sts.Goal(2100), 2: sts.Goal(2200)})
    assert ask(chain, torque + goals) == []
    for _ in range(200):
        chain.step(DT)
    assert (chain.servos[1].position, chain.servos[2].position) == (2100, 2200)


def test_half_a_packet_waits_for_its_other_half_unless_the_client_goes(chain: ServoChain) -> None:
    packet = sts.ping(1)
    assert ask(chain, packet[:4]) == []
    assert [answer.id for answer in ask(chain, packet[4:])] == [1]
    ask(chain, packet[:4])
    chain.disconnect()
    assert ask(chain, packet[4:]) == []


@pytest.mark.parametrize(
    "packet",
    [
        Packet(1, Instruction.READ),
        Packet(1, Instruction.READ, b"\x38\xff"),
        Packet(1, Instruction.WRITE),
        Packet(1, Instruction.WRITE, b"\x7f123456"),
        Packet(1, 0x77),
        Packet(sts.BROADCAST, Instruction.SYNC_READ),
    ],
)
def test_nonsense_breaks_nothing(chain: ServoChain, packet: Packet) -> None:
    chain.receive(sts.encode(packet))
    assert [answer.id for answer in ask(chain, sts.ping(1))] == [1]
