"""What other programs may tell the eyes, as values; message_reading.py reads them of lines (docs/eyes.md). Pure."""

from dataclasses import dataclass

VERSION = 1
HOLDING = ("surface", "container")
"""Kinds of places that things are put onto or into."""

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Seen:
    """One thing or person."""

    name: str
    category: str
    position: Point
    """Metres, in the frame of the message."""
    sigma: float = 0.02
    """Metres: one standard deviation."""
    confidence: float = 1.0
    """0 to 1."""
    grip: float = 0.0
    """Metres of its position above what it stands on; 0: not told."""
    source: str = ""
    """What tells of it, where that is another than of the others in the message."""


@dataclass(frozen=True)
class Objects:
    """Things that were seen at one moment."""

    at: float
    """Unix seconds of the picture."""
    frame: str
    """"robot" or "map"."""
    source: str
    objects: tuple[Seen, ...]


@dataclass(frozen=True)
class People:
    """The same of people."""

    at: float
    frame: str
    source: str
    people: tuple[Seen, ...]


@dataclass(frozen=True)
class Gone:
    """A thing that ought to be in view and is not."""

    name: str


@dataclass(frozen=True)
class Base:
    """Where the base stands, map frame."""

    at: float
    x: float
    y: float
    theta: float
    sigma: float
    """Metres: the larger of its standard deviations on the floor."""
    turn_sigma: float
    """Radians: the standard deviation of theta."""


@dataclass(frozen=True)
class SeenPlace:
    """A place that was seen: a surface or a container."""

    name: str
    kind: str
    position: Point
    """Metres, where things are put."""
    yaw: float
    """Radians to its front, where the robot stands."""


@dataclass(frozen=True)
class Places:
    """Places that were seen at one moment."""

    at: float
    frame: str
    places: tuple[SeenPlace, ...]


@dataclass(frozen=True)
class Door:
    """A door of which somebody knows whether it is open."""

    place: str
    is_open: bool


@dataclass(frozen=True)
class Leaf:
    """A door of which it is seen where a point of its leaf is."""

    at: float
    frame: str
    place: str
    position: Point
    """Metres, of that point."""
    closed: Point
    """Where that point is while the door is closed; map frame."""
    handle: Point
    """Metres, where a hand takes it."""


@dataclass(frozen=True)
class Label:
    """Words on something."""

    text: str
    """As a name is written: one to four words in small letters."""
    on: str
    """The thing that they are on; "" where nothing else tells of one."""
    position: Point | None
    """Metres, of the words; None where that is not known."""
    sigma: float


@dataclass(frozen=True)
class Labels:
    """What was read when somebody asked, in a picture of `at`."""

    at: float
    frame: str
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class Reader:
    """Tell that the sender reads labels when asked."""


@dataclass(frozen=True)
class Frame:
    """How the picture itself is: told with every look, also where nothing is in it."""

    at: float
    trouble: str
    """"" while it is well."""


Message = Objects | People | Places | Gone | Base | Door | Leaf | Labels | Reader | Frame
