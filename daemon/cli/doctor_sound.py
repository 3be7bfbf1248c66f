"""The doctor's ear and mouth: devices, the level in the room, recogniser and voice. Nothing is played."""

import math
from contextlib import closing
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from daemon.cli.finding import Check, Verdict
from daemon.config import Config, ConfigError
from daemon.service.control import CommandError, Message, request, running_in
from daemon.service.hearing import LENT
from daemon.speech.audio import AudioUnavailable
from daemon.speech.echo import EchoPath
from daemon.speech.microphone import MicrophoneSource
from daemon.speech.recognition import RecognitionError
from daemon.speech.recognizers.open_recognizer import open_recognizer
from daemon.speech.sound_devices import AudioDevice, audio_devices, choose_device, portaudio
from daemon.speech.synthesis import SynthesisError
from daemon.speech.vad import BLOCK, RATE
from daemon.speech.voices.open_voice import open_synthesizer

LISTEN_BLOCKS = round(0.7 * RATE / BLOCK)
"""Enough for a level; the first blocks may hold the click of a device that is opened."""
CLICK_BLOCKS = 5
QUIETEST = -75.0
"""dB of full scale: below is no room but an input that is switched off or has its gain at zero."""
CLIPPED_SHARE = 0.01


def microphone(config: Config) -> Check:
    """Listen for a moment, unless heed does already."""
    found = _device("microphone", config.speech.microphone, recording=True)
    if isinstance(found, Check):
        return found
    if (status := _running_heed(config)).get("ear", "none") != "none":
        return heeds_ear(status["ear"], status["microphone_too_quiet"])
    try:
        with closing(MicrophoneSource(config.speech.microphone)) as source:
            blocks = list(islice(source.blocks(), CLICK_BLOCKS + LISTEN_BLOCKS))[CLICK_BLOCKS:]
    except AudioUnavailable as error:
        what, _, advice = str(error).partition("; ")
        return Check("microphone", Verdict.FAIL, what, advice or "another program may hold it")
    return level(found.name, np.concatenate(blocks))


def level(name: str, samples: NDArray[np.int16]) -> Check:
    """Return what a moment of a room tells about a microphone."""
    loudness = 20 * math.log10(max(float(np.sqrt(np.mean(np.square(samples, dtype=np.float64)))), 1e-9) / 32768)
    overdriven = np.mean(np.abs(samples.astype(np.int32)) >= 32767) > CLIPPED_SHARE
    amiss = (
        (not samples.any(), "nothing but zeros", "unmute it: alsamixer, or pavucontrol"),
        (loudness < QUIETEST, f"{loudness:.0f} dB, hardly anything", "raise its gain: alsamixer"),
        (overdriven, f"{loudness:.0f} dB, overdriven", "lower its gain: alsamixer"),
    )
    for wrong, what, advice in amiss:
        if wrong:
            return Check("microphone", Verdict.WARN, f"{name}: {what}", advice)
    return Check("microphone", Verdict.OK, f"{name}, {loudness:.0f} dB of full scale in this room now")


def loudspeaker(config: Config) -> Check:
    """Ask the device whether it would play."""
    found = _device("loudspeaker", config.speech.loudspeaker, recording=False)
    if isinstance(found, Check):
        return found
    try:
        portaudio().check_output_settings(device=found.index, channels=1, dtype="int16", samplerate=found.rate)
    except Exception as refusal:  # PortAudioError, or ValueError from some host interfaces
        return Check(
            "loudspeaker", Verdict.FAIL, f"{found.name} does not open: {refusal}", "another program may hold it"
        )
    return Check("loudspeaker", Verdict.OK, f"{found.name}, {found.rate:.0f} Hz")


def echo(config: Config) -> Check:
    """Tell whether heed can hear people while it speaks; asks a running one, whose canceller may have failed."""
    status = _running_heed(config)
    if status.get("ear") == "listening" and config.speech.listen_while_speaking == "auto":
        if status["listens_while_speaking"]:
            return Check("echo", Verdict.OK, "heed runs, and listens while it speaks")
        return Check("echo", Verdict.WARN, "heed runs; while it speaks, it hears only a stop", _TO_CANCEL)
    return own_voice(EchoPath(not (config.speech.microphone or config.speech.loudspeaker)))


def own_voice(path: EchoPath) -> Check:
    """Return what takes the robot's own voice out of what it hears."""
    if by := path.cancelled:
        return Check("echo", Verdict.OK, f"its own voice is taken out by {by}")
    what = f"while it speaks, it hears only a stop: no echo canceller ({path.trouble})"
    return Check("echo", Verdict.WARN, what, _TO_CANCEL)


_TO_CANCEL = "script/setup installs pywebrtc-audio again; or pactl load-module module-echo-cancel; then start heed anew"


def recognizer(config: Config) -> Check:
    """Listen to a second of silence."""
    try:
        opened = open_recognizer(config.speech, config.models_directory)
        opened.recognize(np.zeros(RATE, np.int16))
    except (ConfigError, RecognitionError) as error:
        return Check("recognizer", Verdict.FAIL, str(error), "correct recognizer in [speech], see models/README.md")
    return Check("recognizer", Verdict.OK, opened.name)


def voice(config: Config) -> Check:
    """Speak a word, to nobody."""
    try:
        with closing(open_synthesizer(config.speech, config.models_directory)) as synthesizer:
            samples, rate = synthesizer.synthesize("ready")
    except (ConfigError, SynthesisError) as error:
        return Check("voice", Verdict.FAIL, str(error), "run script/setup, or correct voice in [speech]")
    if not len(samples):
        return Check("voice", Verdict.FAIL, f"{synthesizer.name} makes no sound", "correct voice in [speech]")
    return Check("voice", Verdict.OK, f"{synthesizer.name}, {rate} Hz")


def _device(name: str, pattern: str, recording: bool) -> AudioDevice | Check:
    try:
        return choose_device(audio_devices(), pattern, recording)
    except AudioUnavailable as error:
        what, _, advice = str(error).partition("; ")
        # Without a device heed is typed to; one that was asked for by name and is not there is a fault.
        return Check(name, Verdict.FAIL if pattern else Verdict.WARN, what, advice or "see docs/hardware.md")


def _running_heed(config: Config) -> Message:
    """What it tells of itself; nothing where none answers."""
    try:
        return request(running_in(config.runtime_directory), "status", timeout=5.0)
    except CommandError:
        return {}


def heeds_ear(ear: str, too_quiet: bool) -> Check:
    """Return what a running heed tells of its ear."""
    if too_quiet:
        advice = "raise its level: alsamixer, or pavucontrol; then start heed anew"
        return Check("microphone", Verdict.WARN, "heed has it, and people are too soft in it", advice)
    if ear in ("listening", "muted"):
        return Check("microphone", Verdict.OK, f"heed has it, and is {ear}")
    if ear == LENT:
        return Check("microphone", Verdict.OK, "the voice is being set up with it")
    return Check(
        "microphone", Verdict.WARN, f"heed runs, and its ear says: {ear}", "plug it in; see journalctl -u heed"
    )
