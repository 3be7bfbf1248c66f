"""The echo of heed's own voice, taken out of what the microphone hears.

The loudspeaker's callback puts in what it plays, the microphone's takes it out together with what it recorded
meanwhile. So both run at the pace of the devices, however late their reader is. Silence is put in, too: one that was
left out would begin the next sentence out of step, and what was learned of the room would not fit any more. While
nothing sounds nothing is computed.
"""

import logging
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from daemon.speech.audio import Reblocker, Samples
from daemon.speech.canceller_process import CancellerProcess
from daemon.speech.echo_filter import BLOCKS, EchoFilter
from daemon.speech.frames import FRAME, Framed
from daemon.speech.sound_server import use_echo_canceller
from daemon.speech.vad import BLOCK

log = logging.getLogger(__name__)

Cancel = Callable[[Samples, Samples], Samples]
"""(near, far) -> near without far; whole frames of `FRAME` samples at `RATE`, the same number of each."""
Part = tuple[Samples, int]
"""Some samples that were played, and their rate in hertz."""


def open_cancel() -> Cancel:
    """Return WebRTC's canceller (AEC3); its package is optional. Raises what starting it raises."""
    return CancellerProcess()


class PlayedSound:
    """What the loudspeaker plays, until the microphone's callback takes it."""

    def __init__(self) -> None:
        self._parts: deque[Part] = deque(maxlen=_KEPT_PARTS)

    def add(self, samples: Samples, rate: int) -> None:
        """Add samples that are on their way to the loudspeaker now."""
        self._parts.append((samples, rate))

    def take(self) -> list[Part]:
        """Return what was played since the last call."""
        return [self._parts.popleft() for _ in range(len(self._parts))]


_KEPT_PARTS = 100
"""3 s, where no microphone takes them."""


class EchoCanceller:
    """Takes what was played out of what was recorded, block by block; it comes out `frames.DELAY` samples later."""

    def __init__(self, cancel: Cancel, played: PlayedSound) -> None:
        self.played = played
        self.played.take()  # that was before this microphone was opened
        self._blocks: deque[Samples] = deque()
        self._reblocker: Reblocker | None = None
        self._silent = _TAIL_BLOCKS
        """Blocks since something was played."""
        self._cancel = cancel
        self._framed = Framed(self._frames, channels=2)
        self._filter = EchoFilter()

    def play(self, parts: Iterable[Part]) -> None:
        """Take what was played while the next block was recorded."""
        for samples, rate in parts:
            if self._reblocker is None or self._reblocker.rate != rate:
                self._reblocker = Reblocker(rate)
                self._blocks = deque([_SILENCE] * _AHEAD_BLOCKS)
            self._blocks.extend(self._reblocker.feed(samples))
        while len(self._blocks) > _MOST_BLOCKS:  # the loudspeaker's clock is the faster one
            self._blocks.popleft()

    def clean(self, block: Samples) -> Samples:
        """Return `BLOCK` samples for the `BLOCK` that were recorded."""
        played = self._blocks.popleft() if self._blocks else _SILENCE
        self._silent = 0 if played.any() else self._silent + 1
        suppressed = self._framed(block, played)
        whole = self._filter(block, played) if self._sounds else None
        return suppressed if whole is None else whole

    @property
    def _sounds(self) -> bool:
        return self._silent < _TAIL_BLOCKS

    def _frames(self, near: Samples, far: Samples) -> Samples:
        return self._cancel(near, far) if self._sounds else near


class EchoPath:
    """The path from the loudspeaker to the microphone, and what stands in its way.

    WebRTC's canceller is other people's native code, in a process of its own: whatever becomes of it, heed does without
    it from then on. Where the server's is unloaded, WebRTC's takes its place.
    """

    def __init__(self, through_server: bool, opener: Callable[[], Cancel] = open_cancel) -> None:
        """`through_server` tells whether both devices are those that the sound server chooses: then its own canceller
        may stand between them."""
        self.played = PlayedSound()
        self.trouble = ""
        """Why there is no canceller of our own; "" while there is none of that."""
        self.on_loss: Callable[[], None] = lambda: None
        """Called once, from the thread of the ear, when a canceller fails that had worked."""
        self.source = ""
        """The sound server's canceller from which the microphone records now; "" for none."""
        self._through_server, self._opener = through_server, opener
        self._own: Cancel | None = None
        """Started when it is first needed, and kept: microphones are opened again and again where there is none."""
        self._cancels = False

    @property
    def cancelled(self) -> str:
        """Return by what it is cancelled; "" by nothing."""
        if source := self._server():
            return f"the sound server ({source})"
        return "WebRTC's canceller" if self._open() is not None else ""

    def canceller(self) -> EchoCanceller | None:
        """Return what shall take the echo out here; None where the sound server does, or nothing can.

        Called whenever a microphone is opened: then a canceller of the server may have come or gone.
        """
        self.source = self._server()
        cancel = None if self.source else self._open()
        had, self._cancels = self._cancels, bool(self.source) or cancel is not None
        if had and not self._cancels:
            self.on_loss()
        return EchoCanceller(cancel, self.played) if cancel is not None else None

    def _server(self) -> str:
        return use_echo_canceller() if self._through_server else ""

    def _open(self) -> Cancel | None:
        if self.trouble:
            return None
        if self._own is None:
            try:
                self._own = self._opener()
                self._own(_SILENCE[:FRAME], _SILENCE[:FRAME])
            except Exception as error:
                self._give_up(error)
                return None
        return partial(self._cancel, self._own)

    def _cancel(self, cancel: Cancel, near: Samples, far: Samples) -> Samples:
        if self.trouble:
            return near
        try:
            return cancel(near, far)
        except Exception as error:
            self._give_up(error)
            self._cancels = False
            self.on_loss()
            return near

    def _give_up(self, error: Exception) -> None:
        self.trouble, self._own = str(error) or type(error).__name__, None
        log.warning("heed does without its echo canceller, WebRTC's: %s", self.trouble)


_TAIL_BLOCKS = BLOCKS
"""So long a room may sound after what was played last, the way through two devices included."""
_AHEAD_BLOCKS = 2
"""What is played is compared with what is recorded so much later: callbacks are never quite in step."""
_MOST_BLOCKS = 6
"""More than that waits only where two clocks have come apart; then what was learned of the room is learned anew."""
_SILENCE = np.zeros(BLOCK, np.int16)
