"""Finds what heed can hear and speak through on this machine, and says in one line what that is."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from daemon.config import Config
from daemon.speech.audio import AudioSink, AudioSource, AudioUnavailable
from daemon.speech.echo import EchoPath
from daemon.speech.loudspeaker import LoudspeakerSink
from daemon.speech.microphone import EnduringSource, enduring_microphone
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.recognizers.open_recognizer import lacking, open_recognizer
from daemon.speech.synthesis import SynthesisError, Synthesizer
from daemon.speech.voices.open_voice import open_synthesizer
from daemon.speech.voices.phrase_cache import CachingSynthesizer

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Voice:
    """What heed hears and speaks through; None where there is no device."""

    source: AudioSource | None = None
    recognizer: Recognizer | None = None
    sink: AudioSink | None = None
    synthesizer: Synthesizer | None = None
    echo: EchoPath | None = None
    """From the sink to the source."""

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let another program have the devices meanwhile. The loudspeaker is opened again by what is said next."""
        microphone = self.source if isinstance(self.source, EnduringSource) else None
        if isinstance(self.sink, LoudspeakerSink):
            self.sink.close()
        if microphone is not None:
            microphone.lend()
        try:
            yield
        finally:
            if microphone is not None:
                microphone.take_back()


class SharedRecognizer:
    """The one recogniser of the whole daemon, for microphone, page and satellites: opened when it is first needed."""

    def __init__(self, config: Config, opened: Recognizer | None = None) -> None:
        """`opened` is the microphone's, where there is one."""
        self._config, self._opened = config, opened
        self._lock = threading.Lock()

    def __call__(self) -> Recognizer:
        """Return it. Raises ConfigError for a kind that does not exist."""
        with self._lock:
            self._opened = self._opened or _recognizer(self._config)
            return self._opened


def find_voice(config: Config, quiet: bool, wait: bool = False) -> tuple[Voice, str]:
    """Microphone and loudspeaker where there are any; with `quiet` none are used, since a file or a pipe speaks.

    With `wait` they are used as soon as they are there.
    """
    if quiet:
        return Voice(), "reading what is typed or piped in"
    source = recognizer = sink = synthesizer = None
    echo = EchoPath(through_server=not (config.speech.microphone or config.speech.loudspeaker))
    try:
        source = enduring_microphone(config.speech.microphone, wait, echo)
        recognizer = _recognizer(config)
        hearing = f"listening with {recognizer.name}" if source.hears else "listening as soon as there is a microphone"
        if not config.speech.wake:
            hearing += ", to all that is said (a name for it: heed setup voice)"
        if missing := lacking(recognizer, config.speech.language):
            hearing += f" ({missing})"
    except AudioUnavailable as error:
        hearing = f"type instead of speaking ({error})"
    try:
        sink = LoudspeakerSink(config.speech.loudspeaker, wait, echo.played)
        synthesizer = CachingSynthesizer(_synthesizer(config), config.cache_directory / "voice")
        speaking = f"speaking with {synthesizer.name}"
    except (AudioUnavailable, SynthesisError) as error:
        log.info("no loudspeaker: %s", error)
        speaking = "answers are printed"
    return Voice(source, recognizer, sink, synthesizer, echo), f"{hearing}; {speaking}"


def _recognizer(config: Config) -> Recognizer:
    """The one of the settings, else one that heed brings along: a robot must not be deaf to "stop"."""
    for wanted in (config.speech.recognizer, "moonshine"):
        try:
            return open_recognizer(replace(config.speech, recognizer=wanted), config.models_directory)
        except RecognitionError as error:
            log.error("%s; listening without it", error)
    return open_recognizer(replace(config.speech, recognizer="pocketsphinx"), config.models_directory)


def _synthesizer(config: Config) -> Synthesizer:
    try:
        return open_synthesizer(config.speech, config.models_directory)
    except SynthesisError as error:
        log.error("%s; speaking without it", error)
        return open_synthesizer(replace(config.speech, voice="espeak-ng"), config.models_directory)
