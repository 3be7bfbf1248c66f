"""The ear without threads, for `heed bench voice`: what the recogniser computes takes simulated time."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bench.voice.sound_files import WavSource
from daemon.llm.directed import DirectedSpeech
from daemon.llm.embedder import MiniLmEmbedder
from daemon.speech.addressee import Addressee
from daemon.speech.attention import Attention
from daemon.speech.audio import Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import Action, Deliver, End, Event, Others, Recognize, Sound, StopHint, Understood, Unsure
from daemon.speech.ear_state import Ear as Ears
from daemon.speech.ear_state import Policy, State
from daemon.speech.judgement import Evidence, Verdict
from daemon.speech.keywords import Keywords
from daemon.speech.listener import loudness
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import Order, both_ears, first_opinion, second_opinion
from daemon.speech.recognizers.moonshine import MoonshineRecognizer
from daemon.speech.recognizers.open_recognizer import BROUGHT_WHISPER, EMBEDDED
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
from daemon.speech.recognizers.two_ears import TwoEars
from daemon.speech.recognizers.whisper import WhisperRecognizer
from daemon.speech.spoken_words import spoken_words
from daemon.speech.vad import RATE


@dataclass
class Heard:
    """What came of one clip; times in samples of the clip."""

    deliveries: list[tuple[int, Deliver]] = field(default_factory=list)
    actions: list[tuple[int, Action]] = field(default_factory=list)
    orders: int = 0

    @property
    def taken(self) -> list[Deliver]:
        """Return what was executed or asked back."""
        return [d for _, d in self.deliveries if d.judgement.verdict is not Verdict.DROP]

    @property
    def executed(self) -> list[str]:
        return [d.judgement.text for d in self.taken if d.judgement.verdict is Verdict.ACCEPT]

    @property
    def heard(self) -> list[str]:
        """The words that were recognised, whatever became of them."""
        return [word for _, d in self.deliveries for word in spoken_words(d.judgement.heard)]

    def first(self, *wanted: Action | type) -> int | None:
        """Return when such an action came first."""
        return next((at for at, a in self.actions if a in wanted or type(a) in wanted), None)


Work = TypeVar("Work")


class _EarClock:
    """One recogniser, which does one thing after the other, each in the processor time that it takes here."""

    def __init__(self) -> None:
        self.free_at = 0.0
        """Sample at which it is through."""

    def timed(self, now: float, work: Callable[[], Work]) -> Work:
        before = time.process_time()
        done = work()
        self.free_at = max(self.free_at, now) + (time.process_time() - before) * RATE
        return done


class Ear:
    """Everything between sound and actions, without threads: what the recogniser computes takes simulated time."""

    def __init__(self, recognizer: Recognizer, sense: Sense, policy: Policy | None = None) -> None:
        self._recognizer, self._sense = recognizer, sense
        self._policy = policy or Policy()

    def hear(self, sound: Samples, others: Others | None = None, own_words: str = "") -> Heard:
        state, heard, attention = State(self._policy), Heard(), Attention(Keywords(own_words=lambda: own_words))
        answers: list[tuple[float, Event]] = []
        ears = [_EarClock(), _EarClock()]
        for block in [*WavSource(sound).blocks(), None]:
            due = [answer for at, answer in answers if at <= state.now or block is None]
            answers = [(at, answer) for at, answer in answers if at > state.now and block is not None]
            events: list[Event] = [*due, others or Others()]
            if block is None:
                events.append(End())
            else:
                voice, keyword = attention(block, state.ear is Ears.QUIET)
                events.append(Sound(voice, len(block), loudness(block)))
                events += [StopHint()] if keyword else []
            for event in events:
                state, actions = step(state, event)
                for action in actions:
                    heard.actions.append((state.now, action))
                    if isinstance(action, Deliver):
                        heard.deliveries.append((state.now, action))
                    elif isinstance(action, Recognize):
                        heard.orders += 1
                        answers += self._answers(action, sound, own_words, state.now, ears)
        return heard

    def _answers(
        self, recognize: Recognize, sound: Samples, own_words: str, now: int, ears: list[_EarClock]
    ) -> Iterator[tuple[float, Event]]:
        """Yield what the ears answer, and when."""
        begin, end = recognize.segment.around(self._recognizer.lead, self._recognizer.trail)
        evidence = Evidence((recognize.segment.speech_end - recognize.segment.speech_start) / RATE, own_words)
        order, ticket = Order(recognize, sound[begin:end], evidence), recognize.ticket
        first = ears[0].timed(now, lambda: first_opinion(self._recognizer, order, self._sense))
        both = both_ears(self._recognizer, order, first.judgement)
        if both is None:
            yield ears[0].free_at, Understood(ticket, first.judgement)
            return
        yield ears[0].free_at, Unsure(ticket, first.judgement)
        again = replace(order, first=first)
        last = ears[1].timed(ears[0].free_at, lambda: second_opinion(both, again, self._sense))
        yield ears[1].free_at, Understood(ticket, last)


def _moonshine() -> MoonshineRecognizer:
    return MoonshineRecognizer(EMBEDDED / "moonshine-tiny-en")


def _whisper() -> WhisperRecognizer:
    return WhisperRecognizer(EMBEDDED / BROUGHT_WHISPER, threads=1)


EMBEDDED_RECOGNIZERS: dict[str, Callable[[], Recognizer]] = {
    "both": lambda: TwoEars(_moonshine(), _whisper()),
    "moonshine": _moonshine,
    "whisper": _whisper,
    "pocketsphinx": PocketsphinxRecognizer,
}
"""Those that need no file of the user, in this process, so that their time is counted."""


class Told:
    """Ears with one recogniser, which expects other sentences each time."""

    def __init__(self, recognizer: str) -> None:
        self._recognizer = EMBEDDED_RECOGNIZERS[recognizer]()
        self._addressee = Addressee(DirectedSpeech(MiniLmEmbedder()).odds)

    def __call__(self, sentences: Iterable[str], policy: Policy | None = None, names: Iterable[str] = ()) -> Ear:
        """Return ears for a robot that expects `sentences`, where things and places have `names`."""
        sentences = sorted(sentences)
        sense = Sense(sentences, "en", names, self._addressee.odds)
        self._recognizer.set_vocabulary(sense.expected, sense.named)
        return Ear(self._recognizer, sense, policy)
