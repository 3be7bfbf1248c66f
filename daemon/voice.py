"""Finds what heed can hear and speak through on this machine, and says in one line what that is."""

import logging

from daemon.app import Voice
from daemon.config import Config
from daemon.speech.asr import open_recognizer
from daemon.speech.audio import AudioUnavailable, LoudspeakerSink, MicrophoneSource
from daemon.speech.tts import open_synthesizer

log = logging.getLogger(__name__)


def find_voice(config: Config, quiet: bool) -> tuple[Voice, str]:
    """Microphone and loudspeaker where there are any; with `quiet` none are used, since a file or a pipe speaks."""
    if quiet:
        return Voice(), "reading what is typed or piped in"
    source = recognizer = sink = synthesizer = None
    try:
        source = MicrophoneSource(config.speech.microphone)
        recognizer = open_recognizer(config.speech, config.models_directory)
        hearing = f"listening with {recognizer.name}"
    except AudioUnavailable as error:
        hearing = f"type instead of speaking ({error})"
    try:
        sink = LoudspeakerSink(config.speech.loudspeaker)
        synthesizer = open_synthesizer(config.speech, config.models_directory)
        speaking = f"speaking with {synthesizer.name}"
    except AudioUnavailable as error:
        log.info("no loudspeaker: %s", error)
        speaking = "answers are printed"
    return Voice(source, recognizer, sink, synthesizer), f"{hearing}; {speaking}"
