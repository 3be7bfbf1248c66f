"""Places that the robot was taught, what carries which tag, and where things were seen last, in memory.sqlite."""

import re
from dataclasses import asdict, dataclass
from datetime import datetime

from daemon.memory.memory_book import MemoryBook, timestamp

_TAG = re.compile(r"tag[_ ](\d{1,3})")
KINDS = ("surface", "container", "person", "spot")


@dataclass(frozen=True)
class Place:
    """A place under the name that a person gave it."""

    name: str
    kind: str
    """One of KINDS."""
    x: float
    """Where the base stands there: x, y in metres, theta in radians, map frame."""
    y: float
    theta: float
    height: float = 0.0
    """Of what things stand on, metres above the floor."""
    taught_by: str = ""


@dataclass(frozen=True)
class LastSeen:
    """Where a thing was when it was seen last."""

    name: str
    category: str
    x: float
    """Metres, map frame."""
    y: float
    z: float
    seen_at: datetime
    source: str
    """Who saw it: "tag", "model", "label", "gripper", ..."""
    sigma: float = 0.0
    """Metres: one standard deviation of the position."""


def tag_of(name: str) -> int | None:
    """Return the number of the tag by which a thing goes that nobody has named: 17 for "tag_17"; else None."""
    match = _TAG.fullmatch(name)
    return int(match[1]) if match else None


class PlaceBook(MemoryBook):
    """The places, tags and sightings of one memory.sqlite."""

    def places(self) -> list[Place]:
        """All that hold, in the order of their names."""
        rows = self._rows("SELECT name, kind, x, y, theta, height, taught_by FROM place ORDER BY 1")
        return [Place(**row) for row in rows]

    def keep(self, place: Place) -> None:
        """Keep it, in the place of one of the same name. On the disk when this returns."""
        row = asdict(place) | {"taught_at": timestamp()}
        with self._changing():
            self._database.table("place").upsert(row, pk="name")

    def forget(self, name: str) -> bool:
        """Return whether there was one of that name."""
        with self._changing():
            return self._database.execute("DELETE FROM place WHERE name = ?", (name,)).rowcount > 0

    def tags(self) -> dict[int, str]:
        """Ids of tags that a person named the thing of, and that name."""
        return {row["id"]: row["name"] for row in self._rows("SELECT id, name FROM tag ORDER BY id")}

    def name_tag(self, id: int, name: str, by: str) -> None:
        """Keep what carries a tag, and forget where it was seen under its number."""
        row = {"id": id, "name": name, "named_at": timestamp(), "named_by": by}
        with self._changing():
            self._database.table("tag").upsert(row, pk="id")
            self._database.execute("DELETE FROM sighting WHERE name = ?", (f"tag_{id}",))

    def forget_tag(self, id: int) -> bool:
        """Return whether it had a name."""
        with self._changing():
            return self._database.execute("DELETE FROM tag WHERE id = ?", (id,)).rowcount > 0

    def sightings(self) -> list[LastSeen]:
        """Return the last one of every thing."""
        rows = self._rows("SELECT name, category, x, y, z, seen_at, source, sigma FROM sighting")
        return [LastSeen(**(row | {"seen_at": datetime.fromisoformat(row["seen_at"])})) for row in rows]

    def note(self, sighting: LastSeen) -> None:
        """Keep where a thing was seen; what was known of it before is gone."""
        row = asdict(sighting) | {"seen_at": timestamp(sighting.seen_at)}
        with self._changing():
            self._database.table("sighting").upsert(row, pk="name")

    def lose(self, name: str) -> None:
        """A thing is not where it was seen any more."""
        with self._changing():
            self._database.execute("DELETE FROM sighting WHERE name = ?", (name,))
