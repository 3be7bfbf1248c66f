"""Finds what heed can hear and speak through on this machine, and says in one line what that is."""

import logging

from daemon.app import Voice
from daemon.config import Config
from daemon.speech.asr import open_recognizer
from daemon.speech.audio import AudioUnavailable
from daemon.speech.loudspeaker import LoudspeakerSink
from daemon.speech.microphone import enduring_microphone
from daemon.speech.tts import open_synthesizer

log = logging.getLogger(__name__)


def find_voice(config: Config, quiet: bool, wait: bool = False) -> tuple[Voice, str]:
    """Microphone and loudspeaker where there are any; with `quiet` none are used, since a file or a pipe speaks.

    With `wait` they are used as soon as they are there.
    """
    if quiet:
        return Voice(), "reading what is typed or piped in"
    source = recognizer = sink = synthesizer = None
    try:
        source = enduring_microphone(config.speech.microphone, wait)
        recognizer = open_recognizer(config.speech, config.models_directory)
        hearing = f"listening with {recognizer.name}" if source.hears else "listening as soon as there is a microphone"
    except AudioUnavailable as error:
        hearing = f"type instead of speaking ({error})"
    try:
        sink = LoudspeakerSink(config.speech.loudspeaker, wait)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        speaking = f"speaking with {synthesizer.name}"
    except AudioUnavailable as error:
        log.info("no loudspeaker: %s", error)
        speaking = "answers are printed"
    return Voice(source, recognizer, sink, synthesizer), f"{hearing}; {speaking}"
