"""The ear in its place: built from the settings, muted and called by commands, and told of in `heed status`."""

import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig
from daemon.service.control import CommandError, Handler, Message
from daemon.speech.audio import AudioSource
from daemon.speech.listener import Listener, Reactions, Voice
from daemon.speech.recognition import Recognizer
from daemon.speech.recognizers.remote import RemoteRecognizer
from daemon.speech.sense import Sense
from daemon.speech.state import Policy
from daemon.speech.synthesis import Sound
from daemon.speech.voices.opening import open_synthesizer
from daemon.speech.wake import open_detector, split_names
from daemon.speech.wyoming_client import require_wyoming
from daemon.speech.wyoming_server import SatelliteServer

HEARS_NO_MORE = "I cannot hear any more: my microphone is gone. I begin no motion until it is back."
HEARS_AGAIN = "I can hear again."
SERVER_GONE = "The speech server does not answer: I understand with my own ears now, perhaps less."
SERVER_BACK = "The speech server answers again."


def build_ear(
    config: SpeechConfig,
    source: AudioSource,
    recognizer: Recognizer,
    reactions: Reactions,
    mouth: Voice | None,
    sentences: Callable[[], Iterable[str]],
) -> Listener:
    """An ear that expects `sentences()`, asked again after each work, and behaves as the settings say.

    Raises ConfigError where `wake` cannot be had.
    """
    names, others = split_names(config.wake)
    policy = Policy(wake=bool(names or others), both_at_once=config.listen_while_speaking)
    ear = Listener(source, recognizer, reactions, mouth, policy, names, [open_detector(entry) for entry in others])

    def expect() -> None:
        expected = list(sentences())
        recognizer.set_vocabulary(expected)
        ear.sense = Sense(expected)

    expect()
    ear.after_work = expect
    if isinstance(recognizer, RemoteRecognizer):
        recognizer.server.on_change = lambda there: ear.after_this_sentence(partial(reactions.on_server, there))
    return ear


def ear_handlers(ear: Callable[[], Listener | None]) -> dict[str, Handler]:
    """The commands of the control socket that are about the ear."""

    def there() -> Listener:
        listener = ear()
        if listener is None:
            raise CommandError("heed has no microphone here", "type instead of speaking, or see heed doctor")
        return listener

    def be_mute(request: Message) -> Message:
        there().mute(True)
        return {}

    def unmute(request: Message) -> Message:
        there().mute(False)
        return {}

    def talk(request: Message) -> Message:
        there().talk_key(bool(request.get("down", True)))
        return {}

    return {"mute": be_mute, "unmute": unmute, "talk": talk}


def mute(ear: Listener | None) -> str:
    """Close the ear to all but a stop; returns what to say."""
    if ear is None:
        return "I have no ear that I could close."
    ear.mute(True)
    return "I listen to nothing but a stop now. Unmute me with the command heed unmute."


def open_satellites(
    config: SpeechConfig, models_directory: Path, hear: Callable[[NDArray[np.int16]], str]
) -> SatelliteServer:
    """Where satellites may come, with a voice of their own. Raises ConfigError for an address that is no good."""
    host, _, port = config.satellites.rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigError(f'satellites in [speech] is {config.satellites!r}; write it as "HOST:PORT"')
    require_wyoming()
    voice, one_at_a_time = open_synthesizer(config, models_directory), threading.Lock()

    def speak(text: str) -> Sound:
        with one_at_a_time:
            return voice.synthesize(text)

    try:
        return SatelliteServer((host, int(port)), hear, speak)
    except OSError as error:
        raise ConfigError(f"satellites in [speech]: {config.satellites} cannot be offered: {error}") from error


def is_deaf(ear: Listener | None) -> bool:
    """Whether a microphone that was there is lost."""
    return ear is not None and ear.hears is False


def ear_status(ear: Listener | None) -> str:
    """One word for `heed status`."""
    if ear is None:
        return "none"
    if not ear.alive:
        return "dead"
    if not ear.hears:
        return "waiting for a microphone" if ear.hears is None else "microphone lost"
    return "muted" if ear.state.muted else "listening"
