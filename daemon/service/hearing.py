"""The ear in its place: built from the settings, muted and called by commands, and told of in `heed status`."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.config import ConfigError, SpeechConfig
from daemon.service.control import CommandError, Handler, Message
from daemon.speech.audio import AudioSource
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_state import Policy
from daemon.speech.echo import EchoPath
from daemon.speech.free_memory import give_back_memory
from daemon.speech.listener import Listener
from daemon.speech.own_voice import Voice
from daemon.speech.reactions import Reactions
from daemon.speech.recognition import Recognizer
from daemon.speech.recognizers.remote_recognizer import RemoteRecognizer
from daemon.speech.synthesis import Sound
from daemon.speech.voices.open_voice import open_synthesizer
from daemon.speech.wake import open_detector, split_names
from daemon.speech.wyoming_client import require_wyoming
from daemon.speech.wyoming_server import SatelliteServer

HEARS_NO_MORE = "I cannot hear any more: my microphone is gone. I begin no motion until it is back."
HEARS_AGAIN = "I can hear again."
HEARS_ITSELF = "I cannot take my own voice out of what I hear any more. While I speak, I hear only a stop."
LENT = "lent"
"""What `heed status` tells of an ear whose microphone another program has."""
TOO_QUIET = (
    "I hear you only softly. Please raise the level of my microphone, for example with alsamixer, or come closer."
)
SERVER_GONE = "The speech server does not answer: I understand with my own ears now, perhaps less."
SERVER_BACK = "The speech server answers again."


class Hearing:
    """Hearing: the ear in its place. A robot without a microphone has none, and neither has one that is being built."""

    def __init__(self, ear: Listener | None = None) -> None:
        self.ear = ear
        self.lent = False
        """Whether another program has the microphone meanwhile."""

    def start(self) -> None:
        if self.ear is not None:
            self.ear.start()

    def close(self) -> None:
        if self.ear is not None:
            self.ear.close()

    @property
    def deaf(self) -> bool:
        """Return whether a microphone that was there is lost, or lent: nobody could call a stop."""
        return self.ear is not None and (self.lent or self.ear.hears is False)

    @property
    def works(self) -> bool:
        """Return whether nothing of it has ended; for the watchdog."""
        return self.ear is None or self.ear.alive

    @property
    def failure(self) -> Exception | None:
        """Return what ended it."""
        return self.ear.failure if self.ear is not None else None

    @property
    def spoken_to(self) -> bool:
        """Return whether somebody speaks, or has spoken and is not understood yet."""
        return self.ear is not None and self.ear.state.spoken_to

    @property
    def status(self) -> str:
        """One word for `heed status`."""
        ear = self.ear
        if self.lent:
            return LENT
        if ear is None:
            return "none"
        if not ear.alive:
            return "dead"
        if not ear.hears:
            return "waiting for a microphone" if ear.hears is None else "microphone lost"
        return "muted" if ear.state.muted else "listening"

    @property
    def listens_while_speaking(self) -> bool:
        """Return whether people can interrupt the robot by more than a stop."""
        return self.ear is not None and self.ear.state.policy.both_at_once

    @property
    def too_quiet(self) -> bool:
        """Return whether what people say is too soft in the microphone."""
        return self.ear is not None and self.ear.too_quiet

    def mute(self) -> str:
        """Hear nothing but a stop from now on; returns what to say."""
        if self.ear is None:
            return "I have no ear that I could close."
        self.ear.mute(True)
        return "I listen to nothing but a stop now. Unmute me with the command heed unmute."

    def handlers(self) -> dict[str, Handler]:
        """Return the commands of the control socket that are about the ear."""

        def be_mute(request: Message) -> Message:
            self._there().mute(True)
            return {}

        def unmute(request: Message) -> Message:
            self._there().mute(False)
            return {}

        def talk(request: Message) -> Message:
            self._there().talk_key(bool(request.get("down", True)))
            return {}

        return {"mute": be_mute, "unmute": unmute, "talk": talk}

    def _there(self) -> Listener:
        if self.ear is None:
            raise CommandError("heed has no microphone here", "type instead of speaking, or see heed doctor")
        return self.ear


def build_ear(
    config: SpeechConfig,
    source: AudioSource,
    recognizer: Recognizer,
    reactions: Reactions,
    mouth: Voice | None,
    sense: Callable[[], Sense],
    echo: EchoPath | None = None,
) -> Listener:
    """An ear that expects what `sense()` does, asked again after each work, and behaves as the settings say; of its
    mouth it hears what comes by `echo`.

    Raises ConfigError where `wake` cannot be had, or `listen_while_speaking` is no such word.
    """
    names, others = split_names(config.wake)
    both = _both_at_once(config.listen_while_speaking, echo is not None and bool(echo.cancelled))
    policy = Policy(wake=bool(names or others), both_at_once=both)
    ear = Listener(source, recognizer, reactions, mouth, policy, names, [open_detector(entry) for entry in others])

    def expect() -> None:
        ear.sense = sense()
        recognizer.set_vocabulary(ear.sense.expected, ear.sense.named)

    def after_work() -> None:
        expect()
        give_back_memory()

    expect()
    ear.after_work = after_work
    if echo is not None and config.listen_while_speaking == "auto":
        echo.on_loss = ear.hear_itself
    if isinstance(recognizer, RemoteRecognizer):
        recognizer.server.on_change = lambda there: ear.after_this_sentence(partial(reactions.on_server, there))
    return ear


def _both_at_once(when: str, echo_cancelled: bool) -> bool:
    """Whether the ear stays open while the mouth speaks."""
    choices = {"auto": echo_cancelled, "always": True, "never": False}
    if when not in choices:
        raise ConfigError(f'listen_while_speaking in [speech] is {when!r}; write "auto", "always" or "never"')
    return choices[when]


def open_satellites(
    config: SpeechConfig, models_directory: Path, hear: Callable[[NDArray[np.int16]], str]
) -> SatelliteServer:
    """Return where satellites may come, with a voice of their own.

    Raises ConfigError for an address that is no good.
    """
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
