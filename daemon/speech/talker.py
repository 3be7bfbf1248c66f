"""The mouth: text in, sound out, sentence by sentence."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping

import numpy as np

from daemon.speech.audio import AudioSink, Samples
from daemon.speech.lasting_thread import Worker
from daemon.speech.sentence_splitting import sentences
from daemon.speech.speakable import speakable
from daemon.speech.synthesis import Synthesizer

log = logging.getLogger(__name__)


class Talker:
    """A thread that speaks what it is told, in order. The next sentence is made while one is heard.

    Closes neither synthesizer nor sink: whoever opened them does.
    """

    def __init__(
        self,
        synthesizer: Synthesizer,
        sink: AudioSink,
        on_cut: Callable[[str, str], None] = lambda said, unsaid: None,
        on_sound: Callable[[], None] = lambda: None,
        on_silence: Callable[[], None] = lambda: None,
        lexicon: Mapping[str, str] | None = None,
    ) -> None:
        """`on_sound()` is called when it begins to sound after a silence, `on_silence()` when all was said.

        The latter also where no loudspeaker took it; `lexicon` is for speakable().
        """
        self.on_cut = on_cut
        """Told (said, unsaid) when it was cancelled in the middle: what a person heard, and what not."""
        self._lexicon = lexicon
        self._synthesizer, self._sink = synthesizer, sink
        self._on_sound, self._on_silence = on_sound, on_silence
        self._waiting: deque[str] = deque()
        self._sounding: list[tuple[str, float]] = []
        """Sentences that were given to the sink, and their seconds."""
        self._making: str = ""
        self._just_said = ("", 0.0)
        self._turn = 0
        self._closed = False
        self._changed = threading.Condition()
        self._mouth = Worker("mouth", self._talk)

    def start(self) -> None:
        self._mouth.start()

    def say(self, text: str) -> None:
        """Speak `text` after all that was said before; returns at once. Raises RuntimeError when it cannot."""
        if self.failure is not None:
            raise RuntimeError(f"the mouth has stopped: {self.failure}") from self.failure
        with self._changed:
            if not self._closed:
                self._waiting.extend(sentences(text))
                self._changed.notify_all()

    def chime(self) -> None:
        """A short rising sound, unless something is being said: heard."""
        with self._changed:
            if not self._busy and not self._closed:
                self._sink.play(CHIME, CHIME_RATE)

    @property
    def speaking(self) -> bool:
        """Return whether something that say() was told is not yet all heard or cancelled."""
        with self._changed:
            return self._busy

    @property
    def own_words(self) -> str:
        """Return what is being said and will be said next; empty in silence."""
        with self._changed:
            return " ".join(filter(None, [*(s for s, _ in self._sounding), self._making, *self._waiting]))

    @property
    def echo_words(self) -> str:
        """Return what a recogniser may take for a person's words: ours, and those of a moment ago."""
        text, until = self._just_said
        return f"{text} {self.own_words}".strip() if time.monotonic() < until else self.own_words

    def wait_silent(self, timeout: float | None = None) -> bool:
        """Wait until all was said; False when it takes longer, or when the mouth is broken."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._changed:
            while self._busy and self._mouth.is_alive():
                left = (
                    _ALIVE_CHECK_SECONDS if deadline is None else min(_ALIVE_CHECK_SECONDS, deadline - time.monotonic())
                )
                if left <= 0:
                    return False
                self._changed.wait(left)
            return not self._busy

    def duck(self) -> None:
        """Go on softly."""
        self._sink.soften(_DUCKED)

    def hold(self) -> None:
        """Fall silent for now, in the middle of a word if need be."""
        self._sink.soften(0.0)

    def go_on(self) -> None:
        """Speak on, from the sample at which it was held."""
        self._sink.soften(1.0)

    def cancel(self) -> None:
        """Fall silent at once and forget the rest."""
        with self._changed:
            self._turn += 1
            lost = self._sink.cancel()
            said, unsaid = _cut(self._sounding, lost)
            unsaid = " ".join(filter(None, [unsaid, self._making, *self._waiting]))
            self._waiting.clear()
            self._sink.soften(1.0)
            self._changed.notify_all()
        if unsaid:
            log.info("cut off after %r, before %r", said, unsaid)
            self.on_cut(said, unsaid)

    def close(self) -> None:
        """Fall silent and end the thread."""
        with self._changed:
            self._closed = True
        self.cancel()
        if self._mouth.ident is not None:
            self._mouth.join(timeout=5)

    @property
    def alive(self) -> bool:
        """Return whether it can speak; if not, `failure` says why."""
        return self._mouth.is_alive()

    @property
    def failure(self) -> Exception | None:
        return self._mouth.failure

    @property
    def _busy(self) -> bool:
        return bool(self._waiting or self._sounding or self._making)

    def _talk(self) -> None:
        while not self._closed:
            if order := self._next():
                self._speak(*order)
            else:
                self._sink.drain()
                self._fell_silent()
                self._on_silence()

    def _next(self) -> tuple[str, int] | None:
        """The next sentence and the turn in which it was ordered; None when what sounds now is the last."""
        with self._changed:
            self._changed.wait_for(lambda: self._busy or self._closed)
            if not self._waiting:
                return None
            self._making = self._waiting.popleft()
            return self._making, self._turn

    def _speak(self, sentence: str, turn: int) -> None:
        samples, rate = self._synthesizer.synthesize(speakable(sentence, self._lexicon))
        with self._changed:
            if turn == self._turn and len(samples):
                if not self._sounding:
                    self._on_sound()
                self._sounding.append((sentence, len(samples) / rate))
                self._sink.play(samples, rate)
            self._making = ""

    def _fell_silent(self) -> None:
        with self._changed:
            if self._sounding:
                self._just_said = (self._sounding[-1][0], time.monotonic() + _ECHO_SECONDS)
            self._sounding.clear()
            self._changed.notify_all()


_ALIVE_CHECK_SECONDS = 0.5
"""How long a waiter does not look whether the mouth still lives."""
_DUCKED = 0.25
"""-12 dB."""
_ECHO_SECONDS = 1.5
"""How long a recogniser may still bring back what we said."""


CHIME_RATE = 16000


def _tone(hertz: float, seconds: float) -> Samples:
    """Fades in and out, or it would click."""
    time_ = np.arange(round(CHIME_RATE * seconds)) / CHIME_RATE
    return (4000 * np.sin(2 * np.pi * hertz * time_) * np.hanning(len(time_))).astype(np.int16)


CHIME = np.concatenate([_tone(660, 0.06), _tone(880, 0.08)])


def _cut(sounding: list[tuple[str, float]], lost: float) -> tuple[str, str]:
    """Return what was said of these sentences (text, seconds) and what not, when the last `lost` seconds were not
    played.
    """
    said, unsaid = [], []
    heard = sum(seconds for _, seconds in sounding) - lost
    for text, seconds in sounding:
        words = text.split()
        whole = len(words) if heard >= seconds else int(len(words) * max(0.0, heard) / seconds)
        said += words[:whole]
        unsaid += words[whole:]
        heard -= seconds
    return " ".join(said), " ".join(unsaid)
