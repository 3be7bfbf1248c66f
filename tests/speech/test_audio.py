"""Where sound comes from and goes to, without any sound device."""

import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.voice.sound_files import WavSource, read_sound
from daemon.speech.audio import RATE, Reblocker, VirtualMicrophone, WavSink, resample

Samples = NDArray[np.int16]


def ramp(length: int) -> Samples:
    return (np.arange(length) % 30000).astype(np.int16)


def test_sound_of_any_length_is_cut_into_blocks_and_none_is_lost() -> None:
    cutter, sound = Reblocker(RATE), ramp(3000)
    blocks = [*cutter.feed(sound[:100]), *cutter.feed(sound[100:2000]), *cutter.feed(sound[2000:], last=True)]
    assert {len(block) for block in blocks} == {512}
    assert np.array_equal(np.concatenate(blocks)[:3000], sound)


def test_a_device_with_another_rate_is_heard_at_ours() -> None:
    cutter = Reblocker(48000)
    tone = (10000 * np.sin(2 * np.pi * 440 * np.arange(48000) / 48000)).astype(np.int16)
    heard = np.concatenate([*cutter.feed(tone), *cutter.feed(tone[:0], last=True)])
    assert abs(len(heard) - RATE) < 512
    assert np.abs(np.fft.rfft(heard[:RATE])).argmax() == pytest.approx(440, abs=15)


def test_a_sound_file_is_read_and_a_text_file_is_not(recording: Callable[[str], Samples], tmp_path: Path) -> None:
    assert len(recording("pause")) == pytest.approx(1.97 * RATE, abs=200)
    text = tmp_path / "text.wav"
    text.write_text("this is no sound")
    with pytest.raises(ValueError, match=r"text\.wav is not a sound file"):
        read_sound(text)
    with pytest.raises(OSError, match="gone"):
        read_sound(tmp_path / "gone.wav")


def test_a_source_that_is_closed_ends(tmp_path: Path) -> None:
    source = WavSource(np.zeros(100 * RATE, np.int16), realtime=True)
    blocks = source.blocks()
    next(blocks)
    source.close()
    assert list(blocks) == []


@pytest.mark.whole
def test_what_was_spoken_before_the_microphone_closed_is_still_heard() -> None:
    microphone = VirtualMicrophone()
    microphone.speak(ramp(RATE), RATE)
    microphone.close()
    heard = np.concatenate(list(microphone.blocks()))
    assert np.array_equal(heard[RATE : 2 * RATE], ramp(RATE))


def test_a_wav_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "said.wav", rate=RATE)
    sink.play(ramp(1000), RATE)
    with wave.open(str(tmp_path / "said.wav")) as said:
        assert (said.getframerate(), said.getnchannels(), said.getnframes()) == (RATE, 1, 1000)
    sink.play(ramp(2000), 32000)
    sink.close()
    assert len(read_sound(tmp_path / "said.wav")) == pytest.approx(2000, abs=20)


def test_the_same_rate_changes_nothing() -> None:
    assert resample(ramp(10), 8000, 8000) is not None
    assert np.array_equal(resample(ramp(10), 8000, 8000), ramp(10))
