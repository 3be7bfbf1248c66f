"""Sound on its way to the loudspeaker, without a loudspeaker."""

import threading

import numpy as np

from daemon.speech.audio import Samples
from daemon.speech.loudspeaker import PlayBuffer


def ramp(length: int) -> Samples:
    return (np.arange(length) % 30000).astype(np.int16)


def test_sound_waits_in_order_and_silence_follows() -> None:
    buffer = PlayBuffer(fade=10)
    buffer.add(ramp(30))
    buffer.add(ramp(30))
    played = np.concatenate([buffer.take(25), buffer.take(25), buffer.take(25)])
    assert np.array_equal(played, np.concatenate([ramp(30), ramp(30), np.zeros(15, np.int16)]))
    assert buffer.taken == 60
    assert buffer.wait_empty(0.0)


def test_cancelled_sound_fades_out_within_ten_milliseconds() -> None:
    buffer = PlayBuffer(fade=10)
    buffer.add(np.full(1000, 8000, np.int16))
    buffer.take(100)
    buffer.cancel()
    rest = buffer.take(100)
    assert np.all(np.diff(rest[:11]) <= 0)
    assert not rest[10:].any()
    assert buffer.taken == 110


def test_a_loudspeaker_that_ended_is_noticed() -> None:
    buffer = PlayBuffer(fade=10)
    buffer.add(ramp(100))
    buffer.close()
    assert not buffer.wait_empty(60.0)


def test_softened_sound_is_softer_and_held_sound_goes_on_from_the_same_sample() -> None:
    buffer = PlayBuffer(fade=10)
    buffer.add(np.full(1000, 1000, np.int16))
    buffer.gain = 0.25
    buffer.take(100)
    assert set(buffer.take(100)) == {250}
    buffer.gain = 0.0
    buffer.take(100)  # fades
    held = buffer.taken
    assert not buffer.take(100).any()
    assert buffer.taken == held == 300
    buffer.gain = 1.0
    buffer.take(100)
    assert set(buffer.take(100)) == {1000}
    assert buffer.cancel() == 500


def test_what_is_said_after_a_pause_begins_at_full_loudness() -> None:
    buffer = PlayBuffer(fade=0)
    buffer.add(np.full(1000, 1000, np.int16))
    buffer.gain = 0.25
    buffer.take(100)
    buffer.cancel()
    buffer.take(100)
    buffer.add(np.full(100, 1000, np.int16))
    assert set(buffer.take(100)) == {1000}


def test_who_waits_for_the_end_need_not_wait_once_it_is_cancelled() -> None:
    buffer = PlayBuffer(fade=0)
    buffer.add(ramp(100))
    cancel = threading.Timer(0.05, buffer.cancel)
    cancel.start()
    assert buffer.wait_empty(60.0)
    cancel.join()
