"""A room in which a robot speaks and hears itself: two devices out of step, a delay, reverberation, and what heed does.

The loop is closed: when somebody speaks, heed softens its voice, and with it the echo. All is simulated; the parts
between the two devices are those that run in earnest.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from daemon.speech.attention import Attention
from daemon.speech.audio import Reblocker, Samples, resample
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import Deliver, Do, Event, Others, Recognize, Sound, Stop, StopHint, Understood
from daemon.speech.ear_state import Ear, Policy, State
from daemon.speech.echo import Cancel, EchoCanceller, PlayedSound
from daemon.speech.judgement import Evidence, Judgement, Verdict
from daemon.speech.keywords import Keywords
from daemon.speech.listener import loudness
from daemon.speech.loudspeaker import PlayBuffer
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import Order, understood
from daemon.speech.vad import BLOCK, RATE

SPEAKER_RATE = 48000
SPEAKER_BLOCK = 1440
"""30 ms, as the loudspeaker is opened."""
NOISE = 30.0
"""Root mean square of a quiet room."""
WARM_UP = 1.0
"""Seconds of quiet before and after a sentence."""


@dataclass(frozen=True)
class Room:
    """What lies between the two devices."""

    delay: float = 0.11
    """Seconds from the loudspeaker's callback to the sound in the microphone's."""
    decibels: float = -10.0
    """Loudness of the echo beside what is played."""
    reverberation: float = 0.35
    """Seconds in which it falls by 60 dB."""
    jitter: float = 0.0
    """Seconds by which callbacks come late at most."""
    drift: float = 0.0
    """By which part the loudspeaker's clock is slower."""
    loudest: float = 0.0
    """Of the loudspeaker, which distorts what comes near to it; 0 for one that distorts nothing."""
    seed: int = 1

    def response(self) -> np.ndarray:
        """Impulse response at `RATE`."""
        random, begin, tail = np.random.default_rng(self.seed), round(self.delay * RATE), round(RATE * 0.25)
        response = np.zeros(begin + tail)
        falling = np.exp(-6.9 * np.arange(tail) / RATE / self.reverberation)
        response[begin:] = 0.3 * random.standard_normal(tail) * falling
        response[begin] += 1.0
        return np.asarray(response * 10 ** (self.decibels / 20) / np.sqrt(np.sum(response**2)))

    def echo_level(self, sound: Samples) -> float:
        """Root mean square of the echo of this sound."""
        return float(np.sqrt(np.mean(np.convolve(sound.astype(np.float64), self.response()) ** 2)))

    def sounded(self, played: np.ndarray) -> np.ndarray:
        """Return what the loudspeaker makes of it."""
        return self.loudest * np.tanh(played / self.loudest) if self.loudest else played


@dataclass
class Heard:
    """What became of one sentence of heed's, with or without somebody who spoke over it; times in samples."""

    clean: list[Samples] = field(default_factory=list)
    """What reached the ear."""
    ducked: list[int] = field(default_factory=list)
    held: list[int] = field(default_factory=list)
    understood: list[int] = field(default_factory=list)
    """When a recogniser was asked what was said."""
    taken: list[Judgement] = field(default_factory=list)
    """What was done, or asked back, where there is a recogniser."""
    stopped: bool = False

    @property
    def sound(self) -> Samples:
        return np.concatenate(self.clean)


class SpeakingRobot:
    """A robot in such a room; its canceller keeps what it has learned from one sentence to the next."""

    def __init__(
        self, room: Room, cancel: Cancel | None, policy: Policy | None = None, recognizer: Recognizer | None = None
    ) -> None:
        """With a `recognizer` what people say is understood, too; computing takes no time then."""
        self._room, self._policy, self._recognizer = room, policy or Policy(both_at_once=True), recognizer
        self._response = room.response()
        self._random = np.random.default_rng(room.seed)
        self._played, self._due = PlayedSound(), Reblocker(SPEAKER_RATE)
        self._loudspeaker_at, self._ahead = 0.0, 0
        """When its next callback comes (s), and how far what it played is ahead (samples): both clocks go on."""
        self._canceller = EchoCanceller(cancel, self._played) if cancel is not None else None

    def moves(self, room: Room) -> None:
        """Go where the echo comes another way."""
        self._room, self._response = room, room.response()

    def says(self, own: Samples, person: np.ndarray | None = None, at: int = 0, words: str = "") -> Heard:
        """Say `own` (at `RATE`), which are `words`, while a person says `person`, from sample `at` of it on."""
        before = round(WARM_UP * RATE)
        buffer = PlayBuffer(fade=SPEAKER_RATE // 100)
        near = np.zeros(before + len(own) + 2 * before)
        if person is not None:
            near[before + at : before + at + len(person)] = person[: len(near) - before - at]
        heard, state, attention = Heard(), State(self._policy), Attention(Keywords())
        for number, block in enumerate(self._blocks(buffer, near)):
            if number * BLOCK == before // BLOCK * BLOCK:
                buffer.add(resample(own, RATE, SPEAKER_RATE))
            heard.clean.append(block)
            voice, keyword = attention(block, state.ear is Ear.QUIET)
            others = Others(speaking=not buffer.empty, moving=self._recognizer is not None)
            events: list[Event] = [others, Sound(voice, len(block), loudness(block))]
            events += [StopHint()] if keyword else []
            while events:
                state, actions = step(state, events.pop(0))
                for action in actions:
                    _obey(action, buffer, heard, state.now - before)
                    events += self._understood(action, heard, words)
        return heard

    def _understood(self, action: object, heard: Heard, words: str) -> list[Event]:
        if not isinstance(action, Recognize) or self._recognizer is None:
            return []
        begin, end = action.segment.around(self._recognizer.lead, self._recognizer.trail)
        evidence = Evidence((action.segment.speech_end - action.segment.speech_start) / RATE, words)
        order = Order(action, heard.sound[begin:end], evidence)
        return [Understood(action.ticket, understood(self._recognizer, order, Sense()))]

    def _blocks(self, buffer: PlayBuffer, near: np.ndarray) -> Iterator[Samples]:
        """What reaches the ear, block by block, while `buffer` is played."""
        past = len(self._response) - 1
        air, sounded = np.zeros(past + len(near) + RATE), past + self._ahead
        for begin in range(0, len(near) - BLOCK, BLOCK):
            now = (begin + BLOCK) / RATE + self._random.uniform(0, self._room.jitter)
            while self._loudspeaker_at <= now:
                samples = buffer.take(SPEAKER_BLOCK)
                self._played.add(samples, SPEAKER_RATE)
                for block in self._due.feed(samples):
                    air[sounded : sounded + BLOCK] = block
                    sounded += BLOCK
                self._loudspeaker_at += SPEAKER_BLOCK / SPEAKER_RATE * (1 + self._room.drift)
            yield self._recorded(air, near, begin)
        self._ahead = sounded - past - begin - BLOCK
        self._loudspeaker_at -= (begin + BLOCK) / RATE

    def _recorded(self, air: np.ndarray, near: np.ndarray, begin: int) -> Samples:
        past = len(self._response) - 1
        air = self._room.sounded(air[begin : begin + BLOCK + past])
        echo = np.convolve(air, self._response, mode="valid")
        sound = echo + near[begin : begin + BLOCK] + self._random.normal(0, NOISE, BLOCK)
        block = np.clip(sound, -32768, 32767).astype(np.int16)
        if self._canceller is None:
            return block
        self._canceller.play(self._played.take())
        return self._canceller.clean(block)


def _obey(action: object, buffer: PlayBuffer, heard: Heard, now: int) -> None:
    """What mouth and loudspeaker do; see Talker."""
    match action:
        case Do.DUCK:
            heard.ducked.append(now)
            buffer.gain = 0.25
        case Do.HOLD:
            heard.held.append(now)
            buffer.gain = 0.0
        case Recognize():
            heard.understood.append(now)
        case Deliver(judgement, _) if judgement.verdict is not Verdict.DROP:
            heard.taken.append(judgement)
        case Stop():
            heard.stopped = True
            buffer.cancel()
        case Do.GO_ON:
            buffer.gain = 1.0
        case Do.HUSH:
            buffer.cancel()
