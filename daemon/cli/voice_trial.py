"""What `heed setup voice` tries: devices of this machine, a sentence that somebody says, and a name that is called."""

import re
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from daemon.cli.doctor_sound import CLIPPED_SHARE
from daemon.speech.attention import Attention
from daemon.speech.audio import AudioSink, AudioSource, Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import Recognize, Sound
from daemon.speech.ear_state import Ear, State
from daemon.speech.gain import QUIET, decibels
from daemon.speech.judgement import Evidence
from daemon.speech.keywords import STOP, Keywords
from daemon.speech.loudspeaker import LoudspeakerSink
from daemon.speech.microphone import MicrophoneSource
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import Order, understood
from daemon.speech.sound_devices import AudioDevice, audio_devices, is_monitor
from daemon.speech.synthesis import Sound as Spoken
from daemon.speech.vad import BLOCK, RATE, Segment
from daemon.speech.wake import open_detector, split_names

PATIENCE = 12.0
"""Seconds that somebody may take until the first word."""
DEFAULT = ""
"""Stands for the device that the system chooses."""


class Devices(Protocol):
    """What can be heard and spoken through; "" is the system's default."""

    def microphones(self) -> list[str]: ...
    def loudspeakers(self) -> list[str]: ...
    def microphone(self, name: str) -> AudioSource:
        """Open it. Raises AudioUnavailable."""
        ...

    def loudspeaker(self, name: str) -> AudioSink:
        """Open it. Raises AudioUnavailable."""
        ...


class RealDevices:
    """The devices of this machine, by the names that may stand in config.toml."""

    def microphones(self) -> list[str]:
        return _names([device for device in audio_devices() if device.inputs and not is_monitor(device.name)])

    def loudspeakers(self) -> list[str]:
        return _names([device for device in audio_devices() if device.outputs])

    def microphone(self, name: str) -> AudioSource:
        return MicrophoneSource(name)

    def loudspeaker(self, name: str) -> AudioSink:
        return LoudspeakerSink(name)


def _names(devices: list[AudioDevice]) -> list[str]:
    """Without the number of the card, which may be another one after a restart, where the rest says which is meant."""
    short = [re.sub(r" \(hw:\d+,\d+\)$", "", device.name) for device in devices]
    names = [name if short.count(name) == 1 else device.name for name, device in zip(short, devices, strict=True)]
    return [DEFAULT, *names] if names else []


@dataclass(frozen=True)
class Sentence:
    """What somebody said, and the sound around it."""

    sound: Samples
    segment: Segment

    @property
    def spoken(self) -> Samples:
        return self.sound[self.segment.speech_start : self.segment.speech_end]

    @property
    def amiss(self) -> str:
        """Return what is wrong with its loudness, and what to do; "" for nothing."""
        if np.mean(np.abs(self.spoken.astype(np.int32)) >= 32767) > CLIPPED_SHARE:
            return "that is overdriven: lower the level of the microphone (alsamixer, or pavucontrol)"
        if decibels(self.spoken) < QUIET:
            return "that is very soft: raise the level of the microphone (alsamixer, or pavucontrol), or come closer"
        return ""

    def understood(self, recognizer: Recognizer, language: str) -> str:
        """Return its words, as the ear would hear them of somebody who speaks to it; "" for none."""
        begin, end = self.segment.around(recognizer.lead, recognizer.trail)
        evidence = Evidence(len(self.spoken) / RATE, addressed=True)
        order = Order(Recognize(0, self.segment, final=True), self.sound[begin:end], evidence)
        return understood(recognizer, order, Sense((), language)).heard


def next_sentence(source: AudioSource) -> Sentence | None:
    """Return what is said next, found as the ear finds it; None where nobody speaks. Closes the source."""
    state, attention, heard = State(), Attention(Keywords()), [np.zeros(0, np.int16)]
    with closing(source):
        for block in filter(len, source.blocks()):
            heard.append(block)
            voice, _ = attention(block, state.ear is Ear.QUIET)
            state, _ = step(state, Sound(voice, len(block)))
            if state.awaited:
                return Sentence(np.concatenate(heard), state.awaited[0][1])
            if not state.hearing and state.now > PATIENCE * RATE:
                break
    return None


def is_called(source: AudioSource, wake: str) -> bool:
    """Return whether `wake`, as the setting, is heard before PATIENCE ends. Closes the source.

    Raises ConfigError for a name that cannot be had.
    """
    names, others = split_names(wake)
    spotter, detectors = Attention(Keywords(names)), [open_detector(entry) for entry in others]
    try:
        with closing(source):
            return any(
                spotter(block)[1] not in (None, STOP) or any([detector.heard(block) for detector in detectors])
                for block in islice(filter(len, source.blocks()), round(PATIENCE * RATE / BLOCK))
            )
    finally:
        for detector in detectors:
            detector.close()


def play(sink: AudioSink, spoken: Spoken) -> None:
    """Play it to its end, and close the loudspeaker."""
    samples, rate = spoken
    with closing(sink):
        sink.play(np.concatenate([samples, np.zeros(rate // 4, np.int16)]), rate)  # a device that closes cuts its end
        sink.drain()
