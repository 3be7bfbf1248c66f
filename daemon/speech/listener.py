"""The ear: sound in, utterances and stops out. Threads around the reducer in ear_core.py, which decides everything.

Three threads, so that "stop" is heard while a sentence is recognised and while another is acted upon. The ear owns the
state: once per block of sound it tells the reducer what happened, and does what the reducer says.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from daemon.speech.attention import Attention, root_mean_square
from daemon.speech.audio import AudioSource
from daemon.speech.did_you_mean import Sense
from daemon.speech.ear_core import step
from daemon.speech.ear_events import (
    Action,
    Deliver,
    Do,
    End,
    Event,
    Gap,
    HalfDuplex,
    Mute,
    Recognize,
    Sound,
    Stop,
    StopHint,
    TalkKey,
    Wake,
    Words,
)
from daemon.speech.ear_state import Ear, Mind, Policy, State
from daemon.speech.gain import AutomaticGain
from daemon.speech.judgement import Evidence, Judgement, Verdict
from daemon.speech.keywords import STOP, Keywords
from daemon.speech.lasting_thread import Worker
from daemon.speech.own_voice import NoVoice, Voice
from daemon.speech.reactions import Reactions
from daemon.speech.recent_sound import RecentSound
from daemon.speech.recognition import Recognizer
from daemon.speech.recognition_queue import Order
from daemon.speech.understanding import Understanding
from daemon.speech.vad import RATE, Segment
from daemon.speech.wake import WakeDetector
from daemon.trigger import Utterance

log = logging.getLogger(__name__)


class Listener:
    """Follows one source to its end, or to close()."""

    def __init__(
        self,
        source: AudioSource,
        recognizer: Recognizer,
        reactions: Reactions,
        voice: Voice | None = None,
        policy: Policy | None = None,
        names: tuple[str, ...] = (),
        wake_detectors: Sequence[WakeDetector] = (),
        gain: AutomaticGain | None = None,
    ) -> None:
        """`voice` sounds into this source's room; `names` wake the robot where the policy asks for that, and so do
        `wake_detectors`, which are closed at the end."""
        self.last_block_at: float | None = None
        """Monotonic seconds at which the last sound came; None before the first. For the watchdog."""
        self.sense = Sense()
        """What makes sense to say; set it from any thread."""
        self.after_work: Callable[[], None] = lambda: None
        """Called when the mind is ready again, from the thread that delivers: other things may make sense now."""
        self.hears: bool | None = None
        """Whether there is a microphone; None before there was one for the first time."""
        self._source, self._recognizer, self._reactions = source, recognizer, reactions
        self._voice = voice or NoVoice()
        self._gain = gain or AutomaticGain()
        self._attention = Attention(Keywords(names, lambda: self._voice.own_words))
        self._wake_detectors = wake_detectors
        self._state = State(policy or Policy())
        self._recent = RecentSound(self._state.policy.longest + self._state.policy.pre_roll + 2 * RATE)
        self._told: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._deliveries: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._news: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ear = Worker("ear", self._listen, nice=-11)
        self._understanding = Understanding(
            recognizer, lambda: self.sense, lambda: self._state.wanted, self._told.put
        )  # fmt: skip
        self._delivering = Worker("messenger", self._deliver_all)

    def start(self) -> None:
        for thread in reversed(self._threads):
            thread.start()

    def close(self) -> None:
        """Stop listening; what was already spoken is still recognised."""
        self._source.close()
        for thread in self._threads:
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join(timeout=5)

    def mute(self, on: bool) -> None:
        """Hear nothing but a stop, or everything again; from any thread."""
        self._told.put(Mute(on))

    def talk_key(self, down: bool) -> None:
        """Push to talk; from any thread."""
        self._told.put(TalkKey(down))

    def hear_itself(self) -> None:
        """Be deaf to all but a stop while we speak, from now on; from any thread."""
        self._told.put(HalfDuplex())
        self.after_this_sentence(self._reactions.on_echo)

    def after_this_sentence(self, news: Callable[[], None]) -> None:
        """Call it when nothing that was said is open any more, since what it says aloud would drown that; from any
        thread."""
        self._news.put(news)

    @property
    def state(self) -> State:
        """Return what the ear knows now."""
        return self._state

    @property
    def too_quiet(self) -> bool:
        """Return whether the microphone has proved too quiet; then it is turned up here, where that can be done."""
        return self._gain.too_quiet

    @property
    def alive(self) -> bool:
        """Return whether all threads run. Afterwards either `drained`, or `failure` says why not."""
        return all(thread.is_alive() for thread in self._threads)

    @property
    def failure(self) -> Exception | None:
        return next((thread.failure for thread in self._threads if thread.failure), None)

    @property
    def drained(self) -> bool:
        """Return whether the source has ended and all that was said in it was delivered."""
        return all(thread.ended_well for thread in self._threads)

    def wait_drained(self, timeout: float | None = None) -> bool:
        """Wait for the end, a good one or a bad one; returns `drained`."""
        for thread in self._threads:
            thread.join(timeout)
        return self.drained

    @property
    def _threads(self) -> tuple[Worker, ...]:
        return self._ear, *self._understanding.threads, self._delivering

    # --- the ear ---

    def _listen(self) -> None:
        try:
            for block in self._source.blocks():
                self.last_block_at = time.monotonic()
                self._hear(block)
            self._tell(End())
            while self._state.awaited and self._understanding.works:
                self._take_what_was_told(wait=0.1)
        finally:
            self._understanding.close()
            self._deliveries.put(None)
            for detector in self._wake_detectors:
                detector.close()

    def _hear(self, block: NDArray[np.int16]) -> None:
        self._notice_loss()
        if not len(block):
            self._attention.reset()
            self._tell(Gap())
            return
        block = self._gain(block, self._voice.speaking)
        self._recent.add(block)
        self._take_what_was_told()
        worked = self._state.mind is Mind.THINKING
        self._tell(replace(self._reactions.others(), speaking=self._voice.speaking))
        if worked and self._state.mind is not Mind.THINKING:
            self._deliveries.put(lambda: _try(self.after_work))
        voice, keyword = self._attention(block, self._state.ear is Ear.QUIET)
        self._tell(Sound(voice, len(block), loudness(block)))
        called = [detector.heard(block) for detector in self._wake_detectors]  # each takes the sound
        if keyword == STOP:
            self._tell(StopHint(sure=not self._understanding.works))
        elif keyword or any(called):
            self._tell(Wake())

    def _notice_loss(self) -> None:
        hears = self._source.hears
        if hears is not self.hears and self.hears is not None:
            self._deliveries.put(partial(self._reactions.on_hearing, hears))
        if hears or self.hears is not None:
            self.hears = hears

    def _take_what_was_told(self, wait: float = 0.0) -> None:
        try:
            while True:
                self._tell(self._told.get(wait > 0, wait))
        except queue.Empty:
            return

    def _tell(self, event: Event) -> None:
        self._state, actions = step(self._state, event)
        for action in actions:
            self._do(action)
        while not (self._state.spoken_to or self._news.empty()):
            self._deliveries.put(self._news.get())

    def _do(self, action: Action) -> None:
        match action:
            case Recognize():
                self._order(action)
            case Deliver(judgement, segment):
                self._deliver(judgement, segment)
            case Stop(words):
                log.info("stop: %s", words)
                _try(lambda: self._reactions.on_stop(words))
            case Words():
                self._deliveries.put(partial(self._reactions.on_words, action))
            case Do.SLOW_DOWN:
                _try(self._reactions.slow_down)
            case Do.SPEED_UP:
                _try(self._reactions.speed_up)
            case Do.DUCK:
                self._voice.duck()
            case Do.HOLD:
                self._voice.hold()
            case Do.GO_ON:
                self._voice.go_on()
            case Do.HUSH:
                self._voice.cancel()
            case Do.SIGN:
                _try(self._reactions.sign)

    def _order(self, order: Recognize) -> None:
        begin, end = order.segment.around(self._recognizer.lead, self._recognizer.trail)
        seconds = (order.segment.speech_end - order.segment.speech_start) / RATE
        evidence = Evidence(
            seconds, self._voice.echo_words, self._state.mind is Mind.ASKING,
            addressed=self._state.policy.wake or self._state.key_down, in_talk=self._state.in_talk(order.segment),
        )  # fmt: skip
        self._understanding.put(Order(order, self._recent.cut(begin, end), evidence))

    def _deliver(self, judgement: Judgement, segment: Segment) -> None:
        now = time.monotonic()
        ended = now - (self._state.now - segment.speech_end) / RATE
        log.info("%s %r, heard %r (%.2f) %s, %.2f s after the end of speech", judgement.verdict.value, judgement.text,
                 judgement.heard, judgement.confidence, judgement.reason, now - ended)  # fmt: skip
        if judgement.verdict is Verdict.DROP:
            return
        if self._gain.learn(self._recent.cut(segment.speech_start, segment.speech_end)):
            self.after_this_sentence(self._reactions.on_quiet)
        utterance = Utterance(
            judgement.text, judgement.confidence, self._source.name,
            started_at=now - (self._state.now - segment.speech_start) / RATE, heard_at=now, ended_at=ended,
        )  # fmt: skip
        sure = judgement.verdict is Verdict.ACCEPT
        react = self._reactions.on_utterance if sure else self._reactions.on_doubt
        self._deliveries.put(lambda: react(utterance))

    # --- the messenger ---

    def _deliver_all(self) -> None:
        while (delivery := self._deliveries.get()) is not None:
            delivery()


def loudness(block: NDArray[np.int16]) -> float:
    """Root mean square; never quite 0, since digital silence is no room."""
    return max(1.0, root_mean_square(block.astype(np.float32)))


def _try(reaction: Callable[[], None]) -> None:
    """A body that does not answer must not make the ear deaf: the next stop is tried again."""
    try:
        reaction()
    except Exception:
        log.exception("the ear goes on without an answer")
