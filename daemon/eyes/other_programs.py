"""Eyes that others are: any program of this machine that sends lines of JSON to eyes.sock (docs/eyes.md).

A sender may come and go, hang, or lie: what it says is checked line by line, ages by itself, and moves nothing. Without
any sender heed is blind, remembers what was seen, and says so.
"""

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from daemon.eyes.eyes_server import SENDERS, Sender, serving
from daemon.eyes.interface import LOOK_SECONDS, STALE
from daemon.eyes.message_reading import MessageError, read
from daemon.eyes.messages import (
    VERSION,
    Base,
    Door,
    Frame,
    Gone,
    Labels,
    Leaf,
    Message,
    Objects,
    People,
    Places,
    Reader,
)
from daemon.eyes.named_tags import has_tags, named
from daemon.eyes.read_labels import name_of, saying, sighted
from daemon.eyes.world import World
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.place_book import PlaceBook, tag_of
from hw.motion import wrap
from hw.state import HardwareError, Pose2D, RobotState
from skills.skill import Observation

log = logging.getLogger(__name__)

SEEN, CROP = "seen.png", "crop.png"
"""In heed's runtime directory, where a sender that is asked for a picture writes what it sees, and one thing of it."""
SETTLED = 0.15
"""Seconds of standstill before which nothing that is told in the robot's frame counts."""
STILL, STILL_TURN = 0.002, 0.0035
"""Metres and radians between two looks at the body within which it stands."""
SILENT = 1.0
"""Seconds without a word from a sender after which it is not seeing."""
LATE = 1.0
"""Seconds after which a picture comes too late: by the time it is told of, nothing in it is present any more."""
SURE, SURE_TURN = 0.02, math.radians(2.0)
"""Metres and radians: the largest deviations with which a base pose is believed."""
AGREE, AGREE_TURN = 0.03, 0.035
"""Metres and radians within which two poses of the base say the same."""
LASTING = 5.0
"""Seconds for which such a pose counts, while the wheels stand."""
NOTE_SECONDS = 5.0
"""Between two notes of what was seen, in memory.sqlite."""
MOVED = "the base moved when this was seen"
LABEL_SECONDS = 30.0
"""Within which labels have to be read: it takes two on an idle machine, and twenty beside ten other programs."""
JOINING = 0.3
"""Seconds that a look waits for a sender where there is none."""


class OutsideEyes:
    """Sees what senders tell."""

    def __init__(
        self,
        runtime: Path,
        state: Callable[[], RobotState],
        book: PlaceBook | None = None,
        stale: float = STALE,
        listens: bool = True,
        clock: Callable[[], float] = time.time,
        drives: bool = True,
    ) -> None:
        """`state` is the body's; raises HardwareError while nobody knows. Without `listens` there are no senders.

        A robot that does not drive has somebody before it, whether or not anybody tells of them.
        """
        self._path = runtime / "eyes.sock"
        self._runtime = runtime
        self._state = state
        self._book = book
        self._clock = clock
        self._world = World(book.sightings() if book else (), stale, drives)
        self._changed = threading.Condition()
        self._cropping = threading.Lock()
        self._looked_at = 0.0
        """Unix seconds of the newest picture that was told of."""
        self._pictured_at = 0.0
        """The same, with pictures that did not count, since the base moved."""
        self._late = 0.0
        """Seconds from then to when it was told of."""
        self._heard_at = 0.0
        self._frame_trouble = ""
        self._bases: deque[Base] = deque(maxlen=2)
        self._stood = (Pose2D(), 0.0)
        """Where the base was seen to stand, and since when."""
        self._base_seen: Base | None = None
        """The last one that was believed."""
        self._noted_at = 0.0
        self._senders: set[Sender] = set()
        self._reads_labels = False
        """Whether one of them reads labels."""
        self._labels = Labels(0.0, "map", ())
        """Those that were read last."""
        self._read_names: dict[int, str] = {}
        """What things with a tag are called since their label was read."""
        self._server = serving(self._path, self) if listens else None

    # --- Eyes ---

    def observe(self, state: RobotState) -> Observation:
        now = self._clock()
        with self._changed:
            self._stand(state.base, now)
            seen = self._world.observe(now, state, self._book.places() if self._book else ())
            self._note(now)
        seen["reads_labels"] = self._reads_labels
        if base := self._base_seen:
            seen["base_seen"] = {"sigma_mm": 1000 * base.sigma, "age": now - base.at}
        return seen

    def look(self, seconds: float = LOOK_SECONDS) -> None:
        begun = self._clock()
        if not self._looked_since(begun, seconds) and not self.trouble():
            self._looked_since(begun, seconds)  # they are there and well: one picture may come late
        with self._changed:
            trouble = self._frame_trouble if self._looked_at >= begun else self.trouble() or "no picture came"
        if trouble:
            raise HardwareError(f"I cannot see now: {trouble}", "run: heed eyes")

    def labels(self, thing: str = "", seconds: float = LABEL_SECONDS) -> Sequence[tuple[str, str]]:
        begun = self._clock()
        if not self._reads_labels:
            raise HardwareError("nobody reads labels for me", 'python -m pip install "heed[labels]", see docs/eyes.md')
        self._ask_for("labels")
        with self._changed:
            self._changed.wait_for(lambda: self._labels.at >= begun or not self._reads_labels, seconds)
            read = self._labels
            if read.at < begun:
                raise HardwareError(self.trouble() or "no labels were read in time", "run: heed eyes")
            self._call(thing, read)
        return [(label.text, label.on) for label in read.labels]

    def _call(self, thing: str, read: Labels) -> None:
        """From now on call what says so by the name of the `thing` that somebody looks for."""
        for label in saying(thing, read.labels) if thing else ():
            if (tag := tag_of(label.on)) is not None:
                self._read_names[tag] = name_of(thing)
            elif sighting := sighted(label, thing, read):
                self._world.see(sighting, self._stood[0])

    def _looked_since(self, begun: float, seconds: float) -> bool:
        """Ask for a look, and return whether one came in time that is newer than `begun`; nobody waits for nobody."""
        with self._changed:
            self._changed.wait_for(lambda: self._senders, min(seconds, JOINING))
        self._ask_for("look")
        with self._changed:
            return self._changed.wait_for(lambda: self._looked_at >= begun or not self._senders, seconds) and bool(
                self._looked_at >= begun
            )

    def grip(self, arm: str, point: tuple[float, float, float], opening: float) -> None:
        with self._changed:
            self._world.grip(arm, point, opening)

    def base(self) -> Pose2D | None:
        """Two looks that agree, since when the base has not moved; None for anything less."""
        with self._changed:
            if len(self._bases) < 2 or self._clock() - self._bases[0].at > LASTING:
                return None
            one, other = self._bases
            near = abs(one.x - other.x) <= AGREE and abs(one.y - other.y) <= AGREE
            return Pose2D(other.x, other.y, other.theta) if near and _turned(one, other) <= AGREE_TURN else None

    def corrected(self, before: Pose2D, after: Pose2D) -> None:
        with self._changed:
            self._world.correct(before, after, self._stood[1])

    def trouble(self) -> str:
        if self._server is None:
            return "there are no eyes"
        if not self._senders:
            return "nobody tells me what is seen"
        if self._clock() - self._heard_at > SILENT:
            return "whoever sees for me has fallen silent"
        return self._frame_trouble or (f"what I see comes {self._late:.0f} s late" if self._late > LATE else "")

    def silent(self) -> float:
        return self._clock() - self._heard_at

    def picture(self, thing: str = "") -> bytes:
        if not thing:
            return self._shown(self._runtime / SEEN)
        with self._cropping:
            names = self._read_names | (self._book.tags() if self._book else {})
            of = thing.replace("_", " ")
            tag = next((f"tag {id}" for id, name in names.items() if name.replace("_", " ") == of), of)
            return self._shown(self._runtime / CROP, of=tag)

    def _shown(self, file: Path, **wish: str) -> bytes:
        before, ends = _written(file), time.monotonic() + LOOK_SECONDS
        self._ask_for("picture", **wish)
        while self._senders and time.monotonic() < ends:
            time.sleep(0.05)
            with suppress(OSError):
                if _written(file) not in (before, None):
                    return file.read_bytes()
        raise HardwareError(f"there is no picture: nobody shows {wish.get('of', 'what is seen')}", "run: heed eyes")

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._path.unlink(missing_ok=True)
            self._server = None

    # --- what senders tell ---

    def hear(self, line: bytes) -> dict[str, object]:
        """Take in one line; returns what its sender is answered."""
        now = self._clock()
        try:
            told = read(line, now)
            state = self._state()
        except (MessageError, HardwareError) as error:
            return {"error": str(error)}
        with self._changed:
            self._heard_at = now
            self._stand(state.base, now)
            self._time(told, now)
            answer = self._take(told, state, now)
            self._changed.notify_all()
        return answer

    def _take(self, told: Message, state: RobotState, now: float) -> dict[str, object]:
        match told:
            case Objects() | People() | Places() | Leaf() if told.frame == "robot" and self._moved_at(told.at):
                return {"ok": True, "ignored": MOVED}
            case Objects() | People():
                self._see(told, state.base)
                self._looked_at, self._frame_trouble = max(self._looked_at, told.at), ""
            case Gone():
                self._world.lose(told.name)
                if self._book:
                    self._book.lose(told.name)
            case Base():
                return self._take_base(told)
            case Places():
                self._world.see_places(told, state.base)
            case Leaf():
                self._world.see_leaf(told, state.base)
            case Door():
                self._world.set_door(told.place, told.is_open)
            case Labels():
                self._labels = told
            case Reader():
                self._reads_labels = True
            case Frame():
                self._frame_trouble = told.trouble
                self._looked_at = max(self._looked_at, told.at)
        return {"ok": True}

    def _take_base(self, told: Base) -> dict[str, object]:
        if told.sigma > SURE or told.turn_sigma > SURE_TURN:
            deviates = f"{told.sigma:.3f} m, {math.degrees(told.turn_sigma):.1f} degrees"
            most = f"{SURE} m, {math.degrees(SURE_TURN):.1f} degrees"
            return {"ok": True, "ignored": f"a deviation of {deviates} is more than {most}"}
        if self._moved_at(told.at):
            return {"ok": True, "ignored": MOVED}
        self._bases.append(told)
        self._base_seen = told
        return {"ok": True}

    def _time(self, told: Message, now: float) -> None:
        """Keep how late pictures come; of several senders the quickest counts."""
        if isinstance(told, Objects | People | Frame):
            self._pictured_at = max(self._pictured_at, told.at)
            self._late = now - self._pictured_at

    def _see(self, told: Objects | People, base: Pose2D) -> None:
        names = self._tags(told)
        self._world.see(named(told, names), base)
        for id in names:
            self._world.lose(f"tag_{id}")

    def _tags(self, told: Objects | People) -> Mapping[int, str]:
        """Return what people have named, or a label, where that matters."""
        if not isinstance(told, Objects) or not has_tags(told):
            return {}
        return self._read_names | (self._book.tags() if self._book else {})

    def _moved_at(self, moment: float) -> bool:
        """Return whether the base had not come to rest yet."""
        return moment < self._stood[1] + SETTLED

    def _stand(self, base: Pose2D, now: float) -> None:
        """Keep since when the base stands where it stands."""
        before, _ = self._stood
        moved = abs(base.x - before.x) + abs(base.y - before.y) > STILL
        if moved or abs(wrap(base.theta - before.theta)) > STILL_TURN:
            self._stood = base, now
            self._bases.clear()

    def _note(self, now: float) -> None:
        """Write down what is present, now and then; a disk that takes nothing is survived."""
        if self._book is None or now - self._noted_at < NOTE_SECONDS:
            return
        self._noted_at = now
        try:
            for sighting in self._world.noticed(now):
                self._book.note(sighting)
            for place in self._world.new_places(self._book.places()):
                self._book.keep(place)
        except MemoryFileError as error:
            log.warning("what is seen cannot be written down: %s", error)

    # --- senders ---

    def join(self, sender: Sender) -> bool:
        """Return whether there is room for one more."""
        with self._changed:
            if len(self._senders) >= SENDERS:
                return False
            self._senders.add(sender)
            self._changed.notify_all()
        return True

    def leave(self, sender: Sender) -> None:
        with self._changed:
            self._senders.discard(sender)
            self._reads_labels = self._reads_labels and bool(self._senders)
            self._changed.notify_all()

    def _ask_for(self, type: str, **wish: str) -> None:
        with self._changed:
            senders = list(self._senders)
            surface = self._world.surface(self._stood[0], self._book.places() if self._book else ())
        known = {} if surface is None else {"surface": surface}
        for sender in senders:
            sender.send({"v": VERSION, "type": type, **known, **wish})


def _turned(one: Base, other: Base) -> float:
    return abs(wrap(one.theta - other.theta))


def _written(file: Path) -> tuple[int, int] | None:
    """Return what is another for each picture that replaces the one before; None where there is none.

    Its time alone says nothing of which came first: a clock of files may be a few milliseconds behind.
    """
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
