"""The ear without threads, for `heed bench voice`: what the recogniser computes takes simulated time."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bench.voice.sound_files import WavSource
from daemon.speech.attention import Attention
from daemon.speech.audio import Samples
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import Action, Deliver, End, Event, Others, Recognize, Sound, StopHint, Understood
from daemon.speech.ear_state import Ear as Ears
from daemon.speech.ear_state import Policy, State
from daemon.speech.judgement import Evidence, Verdict
from daemon.speech.keywords import Keywords
from daemon.speech.listener import loudness
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import Order, understood
from daemon.speech.recognizers.moonshine import MoonshineRecognizer
from daemon.speech.recognizers.open_recognizer import EMBEDDED
from daemon.speech.recognizers.sphinx import PocketsphinxRecognizer
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
        """What was executed or asked back."""
        return [d for _, d in self.deliveries if d.judgement.verdict is not Verdict.DROP]

    @property
    def executed(self) -> list[str]:
        return [d.judgement.text for d in self.taken if d.judgement.verdict is Verdict.ACCEPT]

    @property
    def heard(self) -> list[str]:
        """The words that were recognised, whatever became of them."""
        return [word for _, d in self.deliveries for word in spoken_words(d.judgement.heard)]

    def first(self, *wanted: Action | type) -> int | None:
        """When such an action came first."""
        return next((at for at, a in self.actions if a in wanted or type(a) in wanted), None)


class Ear:
    """Everything between sound and actions, without threads: what the recogniser computes takes simulated time."""

    def __init__(self, recognizer: Recognizer, sense: Sense, policy: Policy | None = None) -> None:
        self._recognizer, self._sense = recognizer, sense
        self._policy = policy or Policy()

    def hear(self, sound: Samples, others: Others | None = None, own_words: str = "") -> Heard:
        state, heard, attention = State(self._policy), Heard(), Attention(Keywords(own_words=lambda: own_words))
        answers: list[tuple[float, Understood]] = []
        free_at = 0.0
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
                        before = time.process_time()
                        answer = self._recognize(action, sound, own_words)
                        free_at = max(free_at, state.now) + (time.process_time() - before) * RATE
                        answers.append((free_at, answer))
        return heard

    def _recognize(self, order: Recognize, sound: Samples, own_words: str) -> Understood:
        begin, end = order.segment.around(self._recognizer.lead, self._recognizer.trail)
        evidence = Evidence((order.segment.speech_end - order.segment.speech_start) / RATE, own_words)
        order_with_sound = Order(order, sound[begin:end], evidence)
        return Understood(order.ticket, understood(self._recognizer, order_with_sound, self._sense))


EMBEDDED_RECOGNIZERS: dict[str, Callable[[], Recognizer]] = {
    "moonshine": lambda: MoonshineRecognizer(EMBEDDED / "moonshine-tiny-en"),
    "pocketsphinx": PocketsphinxRecognizer,
}
"""Those that need no file of the user, in this process, so that their time is counted."""


class Told:
    """Ears with one recogniser, which expects other sentences each time."""

    def __init__(self, recognizer: str) -> None:
        self._recognizer = EMBEDDED_RECOGNIZERS[recognizer]()

    def __call__(self, sentences: Iterable[str], policy: Policy | None = None) -> Ear:
        sentences = sorted(sentences)
        self._recognizer.set_vocabulary(sentences)
        return Ear(self._recognizer, Sense(sentences), policy)
