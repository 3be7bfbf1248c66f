"""Which sound devices are taken, and which never."""

import pytest

from daemon.speech.audio import AudioUnavailable
from daemon.speech.sound_devices import AudioDevice, choose_device

DEVICES = [
    AudioDevice(0, "HDA Intel PCH: ALC257 Analog (hw:0,0)", 2, 2, 44100.0),
    AudioDevice(1, "Monitor of Jabra SPEAK 510", 2, 0, 16000.0),
    AudioDevice(2, "Jabra SPEAK 510 USB: Audio (hw:1,0)", 1, 2, 16000.0),
]


def test_a_device_is_found_by_parts_of_its_name() -> None:
    assert choose_device(DEVICES, "jabra usb", recording=True).index == 2
    assert choose_device(DEVICES, "", recording=False).index == 0


def test_the_robot_never_records_its_own_loudspeaker() -> None:
    assert choose_device(DEVICES, "jabra", recording=True).index == 2
    with pytest.raises(AudioUnavailable):
        choose_device(DEVICES, "monitor", recording=True)


def test_a_missing_device_is_answered_with_those_that_are_there() -> None:
    with pytest.raises(AudioUnavailable, match=r"no microphone is called 'rode'.*ALC257.*Jabra SPEAK 510 USB"):
        choose_device(DEVICES, "rode", recording=True)
    with pytest.raises(AudioUnavailable, match="no loudspeaker is connected"):
        choose_device([], "", recording=False)


def test_the_first_of_several_names_that_is_there_is_taken() -> None:
    assert choose_device(DEVICES, "rode|jabra|hda", recording=True).index == 2
