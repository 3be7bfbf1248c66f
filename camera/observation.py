"""What heed-eyes tells of things, places and doors, and how it writes that to eyes.sock (docs/eyes.md)."""

from dataclasses import dataclass
from typing import Any

from camera.printed_tags import TaggedDoor

TAG, MODEL = "tag", "model"
"""What tells of a thing: its tags, or a detector of the owner's."""


@dataclass(frozen=True)
class Observation:
    """A thing that was seen, robot frame."""

    name: str
    category: str
    position: tuple[float, float, float]
    """Metres, where a hand takes it."""
    sigma: float
    """Metres, one standard deviation."""
    confidence: float = 1.0
    gripped_at: float = 0.0
    """Metres of that point above what the thing stands on; 0: not known."""
    source: str = TAG
    """What told of it: TAG or MODEL."""

    def message(self) -> dict[str, Any]:
        """Return it as eyes.sock takes it (docs/eyes.md)."""
        return {
            "name": self.name,
            "class": self.category,
            "position": [round(value, 5) for value in self.position],
            "sigma": round(self.sigma, 5),
            "confidence": self.confidence,
            "grip": self.gripped_at,
            "source": self.source,
        }


@dataclass(frozen=True)
class PlaceSeen:
    """A place that carries tags, robot frame."""

    name: str
    kind: str
    position: tuple[float, float, float]
    """Metres, where things are put."""
    yaw: float
    """Radians from the robot's x axis to the place's front."""

    def message(self) -> dict[str, Any]:
        """Return it as eyes.sock takes it (docs/eyes.md)."""
        position = [round(value, 5) for value in self.position]
        return {"name": self.name, "kind": self.kind, "position": position, "yaw": round(self.yaw, 5)}


@dataclass(frozen=True)
class DoorSeen:
    """The leaf of a door, robot frame."""

    door: TaggedDoor
    position: tuple[float, float, float]
    """Metres, of the middle of its tag."""
    handle: tuple[float, float, float]

    def message(self) -> dict[str, Any]:
        """Return it as eyes.sock takes it (docs/eyes.md)."""
        seen = {"position": list(self.position), "handle": list(self.handle), "closed": list(self.door.closed)}
        return {"place": self.door.place, **seen}
