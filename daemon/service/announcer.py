"""The mouth in its place: what is said aloud, and what heed itself has to say to people."""

import math
import time
from collections import deque
from collections.abc import Callable

from daemon.console.builtins import Observer
from daemon.phrasebook import translated
from daemon.service.permission import QuietHours
from daemon.speech.talker import Talker

LAST, LATELY_SECONDS = 3, 120.0
"""So many sentences of heed's own are known to the mind, for so long."""


class Announcer:
    """Announcer: speaks where there is a voice and no quiet time; what it tells is shown to whoever watches as well."""

    def __init__(self, observer: Observer, mouth: Talker | None, hours: QuietHours, chimes: bool = False) -> None:
        """`chimes` are for what was heard by ear."""
        self.observer = observer
        self.mouth = mouth
        self._hours = hours
        self._chimes = chimes
        self._told_at = -math.inf
        self._told: deque[tuple[float, str]] = deque(maxlen=LAST)

    def start(self) -> None:
        if self.mouth is not None:
            self.mouth.start()

    def close(self) -> None:
        if self.mouth is not None:
            self.mouth.close()

    def tell(self, text: str) -> None:
        """Show a sentence of heed's own, and say it aloud, in the language in use; people may ask about it later."""
        self._told.append((time.monotonic(), translated(text)))
        self.remark(text)

    def remark(self, text: str) -> None:
        """Show and say what is only a sign that the work goes on."""
        said = translated(text)
        self.observer.said(said)
        self.speak(said)

    def told_lately(self) -> list[str]:
        """Return what heed itself told, and no mind wrote, in the last two minutes."""
        return [said for at, said in self._told if time.monotonic() - at < LATELY_SECONDS]

    def speak(self, text: str) -> None:
        """Say aloud what somebody else shows."""
        self._told_at = time.monotonic()
        if self.mouth is not None and not self.quiet:
            self.mouth.say(text)

    def silence(self) -> float:
        """Return for how many seconds nothing was said."""
        return 0.0 if self.speaking else time.monotonic() - self._told_at

    def chime(self) -> None:
        """Let people hear that they were heard, where the settings ask for that."""
        if self.mouth is not None and self._chimes:
            self.mouth.chime()

    def on_cut(self, told: Callable[[str, str], None]) -> None:
        """Call `told(said, unsaid)` whenever a person interrupts what is said."""
        if self.mouth is not None:
            self.mouth.on_cut = told

    def wait_silent(self, timeout: float | None = None) -> None:
        """Wait until all was said, `timeout` seconds at most."""
        if self.mouth is not None:
            self.mouth.wait_silent(timeout)

    @property
    def quiet(self) -> bool:
        """Return whether it is a time at which nothing is said aloud."""
        return self._hours.now

    @property
    def speaking(self) -> bool:
        return self.mouth is not None and self.mouth.speaking

    @property
    def failure(self) -> Exception | None:
        """Return what ended the mouth."""
        return self.mouth.failure if self.mouth is not None else None

    @property
    def status(self) -> str:
        """One word for `heed status`."""
        if self.mouth is None:
            return "none"
        return "speaking" if self.mouth.speaking else "silent"
