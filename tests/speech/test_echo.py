"""heed's own voice, taken out of what it hears: in simulated rooms, with two devices that are never quite in step."""

import os
import signal
from collections.abc import Callable

import numpy as np
import pytest

from bench.voice.echo_room import Room, SpeakingRobot
from daemon.speech.audio import Samples
from daemon.speech.canceller_process import CancellerError, CancellerProcess
from daemon.speech.ear_state import Policy
from daemon.speech.echo import Cancel, EchoCanceller, EchoPath, PlayedSound, open_cancel
from daemon.speech.echo_filter import EchoFilter
from daemon.speech.frames import DELAY, FRAME
from daemon.speech.vad import BLOCK, RATE

OWN = "There are two cups on the counter, a red one and a blue one."


@pytest.fixture
def cancel() -> Cancel:
    pytest.importorskip("pywebrtc_audio")
    return open_cancel()


def own_words(user: Callable[[str], Samples]) -> Samples:
    return user(OWN)[RATE // 2 :]


class Noting:
    """A canceller that keeps what it is given, and takes nothing away."""

    def __init__(self) -> None:
        self.far: list[Samples] = []
        self.near: list[Samples] = []

    def __call__(self, near: Samples, far: Samples) -> Samples:
        self.near.append(near)
        self.far.append(far)
        return near


def ramp(first: int, count: int) -> Samples:
    return (np.arange(first, first + count) % 30000 + 1).astype(np.int16)


def test_without_a_canceller_it_takes_its_own_voice_for_somebody_elses(user: Callable[[str], Samples]) -> None:
    assert SpeakingRobot(Room(), None).says(own_words(user)).held


@pytest.mark.parametrize(
    "room",
    [
        Room(),
        pytest.param(Room(decibels=0.0), marks=pytest.mark.whole),
        pytest.param(Room(jitter=0.03, drift=1e-4), marks=pytest.mark.whole),
        pytest.param(Room(delay=0.3, reverberation=0.6), marks=pytest.mark.whole),
    ],
    ids=["room", "loud", "out of step", "late"],
)
def test_it_does_not_hear_itself(room: Room, user: Callable[[str], Samples], cancel: Cancel) -> None:
    robot = SpeakingRobot(room, cancel)
    robot.says(own_words(user))
    heard = robot.says(own_words(user))
    assert not heard.held
    uncancelled = SpeakingRobot(room, None, Policy()).says(own_words(user))  # one that never falls silent
    assert heard.sound.astype(float).std() < uncancelled.sound.astype(float).std() / 4


def test_who_speaks_over_it_is_heard_and_its_own_voice_gives_way(
    user: Callable[[str], Samples], recording: Callable[[str], Samples], cancel: Cancel
) -> None:
    room, own = Room(), own_words(user)
    robot = SpeakingRobot(room, cancel)
    robot.says(own)
    person = recording("turn_on_standing_light").astype(float)
    person *= 4 * room.echo_level(own) / person[np.abs(person) > 200].std()
    heard = robot.says(own, person, RATE // 2)
    assert heard.ducked
    assert heard.held


def test_while_nothing_is_played_nothing_is_computed_and_sound_passes_a_little_later() -> None:
    canceller, blocks = EchoCanceller(noting := Noting(), PlayedSound()), [ramp(n * BLOCK, BLOCK) for n in range(9)]
    clean = np.concatenate([canceller.clean(block) for block in blocks])
    assert np.array_equal(clean, np.concatenate([np.zeros(DELAY, np.int16), *blocks])[: len(clean)])
    assert not noting.near


def test_the_canceller_is_given_whole_frames_of_what_was_played_in_step() -> None:
    played = PlayedSound()
    canceller = EchoCanceller(noting := Noting(), played)
    for number in range(20):
        played.add(ramp(number * BLOCK, BLOCK), RATE)
        canceller.play(played.take())
        canceller.clean(ramp(number * BLOCK, BLOCK))
    far, near = np.concatenate(noting.far), np.concatenate(noting.near)
    assert len(far) == len(near)
    assert not any(len(frames) % FRAME for frames in noting.far)
    assert np.array_equal(far[2 * BLOCK :], near[: -2 * BLOCK])  # two blocks later, for devices that are not in step


def test_a_late_block_is_silence_and_the_rest_follows() -> None:
    played = PlayedSound()
    canceller = EchoCanceller(noting := Noting(), played)
    for number in range(10):
        played.add(ramp(number * BLOCK, BLOCK), RATE)
        if number not in (4, 5):
            canceller.play(played.take())
        canceller.clean(ramp(0, BLOCK))
    far = np.concatenate(noting.far)
    assert np.array_equal(far[far > 0], ramp(0, np.count_nonzero(far)))


def test_where_nobody_listens_what_is_played_does_not_pile_up() -> None:
    played = PlayedSound()
    for _ in range(1000):
        played.add(ramp(0, 480), RATE)
    assert len(played.take()) <= 100


def test_devices_that_were_named_are_not_the_sound_servers_choice(cancel: Cancel) -> None:
    path = EchoPath(through_server=False)
    assert path.cancelled == "WebRTC's canceller"
    canceller = path.canceller()
    assert canceller is not None
    assert canceller.played is path.played


def test_one_is_started_however_often_a_microphone_is_opened_or_looked_for() -> None:
    started: list[Cancel] = []

    def start() -> Cancel:
        started.append(Noting())
        return started[-1]

    path = EchoPath(False, start)
    assert path.cancelled == "WebRTC's canceller"
    for _ in range(3):
        assert path.canceller() is not None
    assert len(started) == 1


class Breaking(Noting):
    """A canceller that works so many times."""

    def __init__(self, works: int) -> None:
        super().__init__()
        self._left = works

    def __call__(self, near: Samples, far: Samples) -> Samples:
        self._left -= 1
        if self._left < 0:
            raise RuntimeError("AEC3: bad state")
        return super().__call__(near, far)


def unloadable() -> Cancel:
    raise OSError("libstdc++.so.6: version `GLIBCXX_3.4.32' not found")


@pytest.mark.parametrize("opener", [unloadable, lambda: Breaking(0)])
def test_one_that_does_not_load_or_work_is_no_canceller_and_that_is_said_once(
    opener: Callable[[], Cancel], caplog: pytest.LogCaptureFixture
) -> None:
    path = EchoPath(False, opener)
    assert path.canceller() is None
    assert path.cancelled == ""
    assert path.canceller() is None
    assert len(caplog.messages) == 1
    assert path.trouble in caplog.messages[0]


def test_one_that_fails_while_it_works_lets_the_sound_through_and_that_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    path, told = EchoPath(False, lambda: Breaking(5)), list[str]()
    path.on_loss = lambda: told.append(path.trouble)
    canceller = path.canceller()
    assert canceller is not None
    blocks = [ramp(number * BLOCK, BLOCK) for number in range(20)]
    clean = []
    for block in blocks:
        path.played.add(block, RATE)
        canceller.play(path.played.take())
        clean.append(canceller.clean(block))
    heard, spoken = np.concatenate(clean), np.concatenate(blocks)
    assert np.array_equal(heard[DELAY:], spoken[: len(heard) - DELAY])
    assert told == ["AEC3: bad state"]
    assert len(caplog.messages) == 1
    assert (path.cancelled, path.canceller()) == ("", None)


def test_one_whose_native_code_crashes_takes_nothing_with_it() -> None:
    pytest.importorskip("pywebrtc_audio")
    process, told = CancellerProcess(), list[str]()
    path = EchoPath(False, lambda: process)
    path.on_loss = lambda: told.append(path.trouble)
    canceller = path.canceller()
    assert canceller is not None
    for number in range(20):
        if number == 10:
            os.kill(process.pid, signal.SIGSEGV)
        path.played.add(ramp(number * BLOCK, BLOCK), RATE)
        canceller.play(path.played.take())
        assert len(canceller.clean(ramp(number * BLOCK, BLOCK))) == BLOCK
    assert told == [f"its process ended ({-signal.SIGSEGV})"]
    assert path.canceller() is None
    assert len(told) == 1


def test_one_that_hangs_is_given_up() -> None:
    pytest.importorskip("pywebrtc_audio")
    process = CancellerProcess()
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(CancellerError, match="does not answer"):
        process(ramp(0, FRAME), ramp(0, FRAME))


# --- the room, learned ---


@pytest.mark.whole
def test_once_it_knows_the_room_a_person_as_loud_as_its_voice_is_heard_whole(
    user: Callable[[str], Samples], recording: Callable[[str], Samples], cancel: Cancel
) -> None:
    room, own = Room(), own_words(user)
    robot = SpeakingRobot(room, cancel)
    for _ in range(5):
        robot.says(own)
    assert not robot.says(own).held
    person = recording("turn_on_standing_light").astype(float)
    person *= room.echo_level(own) / person[np.abs(person) > 200].std()
    assert robot.says(own, person, RATE // 2).held


@pytest.mark.whole
def test_a_robot_that_has_moved_learns_the_other_room(
    user: Callable[[str], Samples], recording: Callable[[str], Samples], cancel: Cancel
) -> None:
    room, own = Room(seed=2), own_words(user)
    robot = SpeakingRobot(Room(), cancel)
    for _ in range(5):
        robot.says(own)
    robot.moves(room)
    for _ in range(6):
        robot.says(own)
    person = recording("turn_on_standing_light").astype(float)
    person *= room.echo_level(own) / person[np.abs(person) > 200].std()
    assert robot.says(own, person, RATE // 2).held
    assert not robot.says(own).held


def test_of_a_room_that_it_does_not_know_the_filter_says_nothing() -> None:
    filter_, noise = EchoFilter(), np.random.default_rng(1)
    for _ in range(50):
        near, far = (noise.normal(0, 3000, BLOCK).astype(np.int16) for _ in range(2))
        assert filter_(near, far) is None
