"""The work of heed-eyes: looks again and again, tells heed what was seen, and does what heed wishes to see."""

import logging
import time
from collections.abc import Callable

from camera.camera import Camera
from camera.eyes_socket import Link
from camera.labels import LabelReader
from camera.look import Look, Looker
from camera.observation import TAG
from camera.trouble import EyesError

log = logging.getLogger("heed-eyes")

PERIOD = 0.35
"""Seconds between two looks that nobody asked for: what was seen is present for one second."""
NEXT_PICTURE = 0.6
"""Seconds that a look waits for a picture; with PERIOD less than the second after which heed calls a sender silent."""
MOST = 200
"""Things in one message."""
WISH = 3.0
"""Seconds for which a wish for a look is worth repeating: heed has given up by then."""


class Watch:
    """Looks again and again, and tells."""

    def __init__(
        self, looker: Looker, camera: Camera, link: Link, show: Callable[[Look, str], None], reader: LabelReader | None
    ) -> None:
        """`show` is given the next look whenever heed wishes to see a picture, and of which thing, "" for all of it.

        Without `reader` no labels are read.
        """
        self._show = show
        self._shows: set[str] = set()
        self._looker = looker
        self._camera = camera
        self._link = link
        self._reader = reader
        self._reads = False
        self._read: tuple[Look, float | None] | None = None
        """The look whose labels are being read, and how high things stand there."""
        self._seen_at = 0.0
        """When the newest picture was taken that was looked at, Unix seconds."""
        self._wished_at = -WISH
        """time.monotonic() of the last wish that is not fulfilled."""
        self._surface: float | None = None
        """How high things stand where the robot stands, metres, as heed told with its last wish."""
        self._trouble = ""

    def turn(self) -> None:
        """Wait until a look is due or wished for, look, and tell what came of it."""
        due = time.monotonic() + PERIOD
        while (left := due - time.monotonic()) > 0:
            if not self._connected():
                time.sleep(min(left, 0.05))
            elif self._wished(left):
                break
        if self._link.connected:
            look = self._look()
            self._tell(look)
            self._tell_labels(look)

    def _connected(self) -> bool:
        """Return whether the daemon is there; one that has just come is told what it may wish for."""
        fresh = not self._link.connected and self._link.connect()
        if fresh and self._reader:
            self._link.send("reader", time.time())
        return self._link.connected

    def _wished(self, seconds: float) -> bool:
        """Return whether a fresh look is wanted now."""
        at_once = False
        for told in self._link.lines(seconds):
            if (wish := told.get("type")) in ("look", "labels"):
                at_once = True
                self._seen_at = time.time()
                self._surface = told.get("surface")
                self._reads = self._reads or wish == "labels"
                self._wished_at = time.monotonic() if wish == "look" else self._wished_at
            elif told.get("type") == "picture":
                self._shows.add(str(told.get("of", "")))
                at_once = True
            elif "ignored" in told:  # the base had not come to rest: the next picture may count
                at_once = at_once or self._is_wished
            elif told.get("ok"):
                self._wished_at = -WISH
            elif "error" in told:
                log.warning("heed does not take what is seen: %s", told["error"])
        return at_once

    @property
    def _is_wished(self) -> bool:
        return time.monotonic() - self._wished_at < WISH

    def _look(self) -> Look | str:
        try:
            frame = self._camera.after(self._seen_at, NEXT_PICTURE)
            self._seen_at = frame.at
            return self._looker.look(frame, self._surface, thorough=self._is_wished or self._reads or any(self._shows))
        except EyesError as error:
            return str(error).partition(" (hint:")[0]

    def _tell(self, look: Look | str) -> None:
        trouble = look if isinstance(look, str) else look.trouble
        if isinstance(look, Look):
            for thing in self._shows:
                self._show(look, thing)
            self._shows.clear()
        if trouble != self._trouble:
            log.warning("%s", trouble or "it sees again")
            self._trouble = trouble
        if isinstance(look, str) or look.trouble:
            self._link.send("frame", time.time() if isinstance(look, str) else look.frame.at, ok=False, why=trouble)
        else:
            self._tell_things(look)

    def _tell_things(self, look: Look) -> None:
        at = look.frame.at
        if look.places:
            self._link.send("places", at, frame="robot", places=[place.message() for place in look.places])
        for door in look.doors:
            self._link.send("door", at, frame="robot", **door.message())
        if base := look.base:
            pose, covariance = [base.x, base.y, base.theta], base.covariance.ravel().tolist()
            self._link.send("base", at, pose=pose, covariance=covariance)
        things = [thing.message() for thing in look.things[:MOST]]
        self._link.send("objects", at, frame="robot", source=TAG, objects=things)

    def _tell_labels(self, look: Look | str) -> None:
        """Begin to read what heed asked for, or tell it once it is read."""
        if self._reader is None:
            return
        try:
            if self._read and (words := self._reader.words()) is not None:
                (read, surface), self._read = self._read, None
                labels = [label.message() for label in self._looker.labels(words, read, surface)[:MOST]]
                self._link.send("labels", read.frame.at, frame="robot", labels=labels)
            if self._reads and self._read is None and isinstance(look, Look) and not look.trouble:
                self._reader.begin(look.frame.picture)
                self._read, self._reads = (look, self._surface), False
        except EyesError as error:
            self._read = None
            log.warning("%s", error)
            self._link.send("labels", time.time(), frame="robot", labels=[])
