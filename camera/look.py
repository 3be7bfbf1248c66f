"""One look: a picture, the tags in it, and where the things are that carry them, in the robot's frame.

Each stage leaves what it found in the Look, so that `heed eyes look` can show where it ends.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from camera.base_fit import LEAST_TAGS, BaseFit, where_base_stands
from camera.base_fit import MISFIT as WALL_MISFIT
from camera.boxes import Box, placed
from camera.camera import Frame
from camera.description import CameraDescription
from camera.detector import Detector
from camera.detector_description import Kind
from camera.fit import Fit, square, stands_upright, tag_middle
from camera.lens import Lens
from camera.observation import MODEL, DoorSeen, Observation, PlaceSeen
from camera.picture_quality import BLURRED_WORDS, FROZEN_WORDS, is_blurred, trouble_of
from camera.placed_labels import Label, placed_labels
from camera.printed_tags import Tag, TaggedDoor, TaggedThing
from camera.tags import Found, TagDetector

MISFIT, MISFIT_SHARE = 1.5, 0.04
"""Pixels, and share of the largest tag's side, by which an upright thing may miss its corners; more, and it lies."""
SMALLEST_SIGMA = 0.002
"""Metres: printing, gluing and measuring are no better."""
UNKNOWN_SIGMA = 0.03
"""Metres, of a tag that is on no thing: so far is it from the middle of what carries it."""
LARGEST_SIGMA = 0.03
"""Metres: what is less sure is no place to send a hand to."""


@dataclass(frozen=True)
class Look:
    """What came of one picture."""

    frame: Frame
    trouble: str = ""
    """What is wrong with the picture; "" while it is well."""
    found: tuple[Found, ...] = ()
    things: tuple[Observation, ...] = ()
    fits: dict[str, Fit] = field(default_factory=dict)
    """Of things whose fit was good."""
    base: BaseFit | None = None
    """Where the base stands; None where the tags on walls do not tell."""
    places: tuple[PlaceSeen, ...] = ()
    doors: tuple[DoorSeen, ...] = ()
    boxes: tuple[Box, ...] = ()
    """What the owner's models found."""
    unknown: tuple[str, ...] = ()
    """What is in the picture and cannot be told of, and why, a sentence each."""


class Looker:
    """Makes looks of one camera's pictures."""

    def __init__(
        self, camera: CameraDescription, lens: Lens | None, detector: TagDetector, models: Sequence[Detector] = ()
    ) -> None:
        """Without lens or mount, tags are found, and nothing is told of where they are."""
        self._camera = camera
        self._lens = lens
        self._detector = detector
        self._models = models

    def look(self, frame: Frame, surface: float | None = None, thorough: bool = False) -> Look:
        """Look at one picture; `thorough` with the owner's models, too.

        `surface` is how high things stand there, metres, where anybody knows. Raises EyesError for a lens that is not
        that of the picture, and for a model that is not as it was described.
        """
        if frame.frozen:
            return Look(frame, FROZEN_WORDS)
        models = self._models if thorough else ()
        trouble = trouble_of(frame.picture)
        found = tuple(self._detector.find(frame.picture))
        if not found:  # a tag that can be read proves that the picture is good enough
            trouble = trouble or (BLURRED_WORDS if is_blurred(frame.picture) else "")
            if trouble or not models:
                return Look(frame, trouble)
        if self._lens is None or self._camera.mount is None:
            lacks = "lens: heed eyes calibrate lens" if self._lens is None else "mount: heed eyes calibrate mount"
            return Look(frame, f"the camera is not calibrated; it lacks its {lacks}", found)
        height, width = frame.picture.shape
        lens = self._lens.of(width, height)
        return self._with_models(models, self._placed(frame, found, lens), lens, surface)

    def labels(self, words: Sequence[Box], look: Look, surface: float | None) -> list[Label]:
        """Say what each word that was read in the picture of a look is on."""
        height, width = look.frame.picture.shape
        if self._lens is None or self._camera.mount is None:
            return [Label(word.name, word.confidence) for word in words]
        return placed_labels(words, look.things, self._lens.of(width, height), self._camera.mount, surface)

    def _with_models(self, models: Sequence[Detector], look: Look, lens: Lens, surface: float | None) -> Look:
        """Add to a look what the owner's models see in its picture; a thing that carries a tag is told of by that."""
        assert self._camera.mount is not None
        things, unknown, boxes = list(look.things), list(look.unknown), []
        for model in models:
            for box, kind, name in named_boxes(model.find(look.frame.coloured), model.described.kinds, look.found):
                boxes.append(replace(box, name=name))
                at = placed(box, kind.extent, lens, self._camera.mount, surface, look.frame.depth)
                if at is None:
                    unknown.append(f"{name}: neither a depth, its width nor the height below it is known")
                else:
                    grip = kind.extent.grip if surface is not None else 0.0
                    things.append(Observation(name, kind.category, at.position, at.sigma, box.confidence, grip, MODEL))
        return replace(look, things=tuple(things), unknown=tuple(unknown), boxes=tuple(boxes))

    def _placed(self, frame: Frame, found: tuple[Found, ...], lens: Lens) -> Look:
        things: list[Observation] = []
        fits: dict[str, Fit] = {}
        unknown: list[str] = []
        for thing, carried in _by_thing(self._camera, found).items():
            fit = self._fit(thing, carried, lens)
            if isinstance(fit, str):
                unknown.append(fit)
            else:
                fits[thing.name] = fit
        for thing in self._camera.things:
            if not thing.kind and thing.name in fits:
                things.append(_observed(thing, fits[thing.name]))
        base = self._base(found, lens)
        if isinstance(base, str):
            unknown.append(base)
        hanging = {tag.id for tag in self._camera.walls}
        for tag in found:
            if tag.id not in self._camera.known and tag.id not in hanging:
                seen = self._stray(tag, lens)
                if isinstance(seen, str):
                    unknown.append(seen)
                else:
                    things.append(seen)
        return Look(
            frame,
            found=found,
            things=tuple(things),
            fits=fits,
            base=base if isinstance(base, BaseFit) else None,
            places=tuple(
                _place(thing, fits[thing.name]) for thing in self._camera.things if thing.kind and thing.name in fits
            ),
            doors=tuple(_door(door, fits[door.leaf.name]) for door in self._camera.doors if door.leaf.name in fits),
            unknown=tuple(unknown),
        )

    def _base(self, found: tuple[Found, ...], lens: Lens) -> BaseFit | str | None:
        """Return where the base stands; None where no wall is in view, or in words why that is not told."""
        assert self._camera.mount is not None
        seen = {each.id: lens.straighten(each.corners) for each in found}
        hanging = [tag for tag in self._camera.walls if tag.id in seen]
        if not hanging:
            return None
        if len(hanging) < LEAST_TAGS:
            return f"tag {hanging[0].id} hangs on a wall: where the base stands takes two such tags in one picture"
        base = where_base_stands(hanging, [seen[tag.id] for tag in hanging], lens, self._camera.mount)
        if base is None or base.residual > WALL_MISFIT:
            ids = ", ".join(str(tag.id) for tag in hanging)
            return f"the tags {ids} do not hang as [[eyes.wall]] says, or one of them is another tag"
        return base

    def _fit(self, thing: TaggedThing, carried: list[tuple[Tag, Found]], lens: Lens) -> Fit | str:
        """Return where an upright thing stands, or in words why that is not told."""
        assert self._camera.mount is not None
        pixels = [lens.straighten(found.corners) for _, found in carried]
        fit = stands_upright([tag.corners for tag, _ in carried], pixels, thing.grip, lens, self._camera.mount)
        if fit is None:
            return f"the tags of {thing.name} fit no thing before the camera"
        largest = max(found.side for _, found in carried)
        if fit.residual > MISFIT + MISFIT_SHARE * largest:
            return f"{thing.name} does not stand upright, or a tag is not where [[eyes.tag]] says"
        if fit.sigma > LARGEST_SIGMA:
            return f"{thing.name} is too far away or too small: its place is known to {fit.sigma * 100:.0f} cm only"
        return fit

    def _stray(self, tag: Found, lens: Lens) -> Observation | str:
        """Return where a tag is that no thing has; its own middle is where it would be taken."""
        assert self._camera.mount is not None
        if self._camera.unknown_size is None:
            return f"tag {tag.id} is on no thing: add it to [[eyes.tag]]"
        middle = tag_middle(square(self._camera.unknown_size), lens.straighten(tag.corners), lens)
        if middle is None:
            return f"tag {tag.id} fits no square before the camera"
        x, y, z = (float(value) for value in self._camera.mount.to_robot(middle[None])[0])
        return Observation(f"tag {tag.id}", "tag", (x, y, z), UNKNOWN_SIGMA, 0.5)


def named_boxes(
    boxes: Sequence[Box], kinds: Mapping[str, Kind], tags: Sequence[Found]
) -> Iterator[tuple[Box, Kind, str]]:
    """Name what carries no tag: of several of one kind the one to the left has its name, the next is "cup 2"."""
    counts: Counter[str] = Counter()
    for box in sorted(boxes, key=lambda one: one.left):
        if not any(box.holds(tag.corners.mean(axis=0)) for tag in tags):
            kind = kinds[box.name]
            counts[kind.name] += 1
            yield box, kind, kind.name if counts[kind.name] == 1 else f"{kind.name} {counts[kind.name]}"


def _observed(thing: TaggedThing, fit: Fit) -> Observation:
    sigma = max(fit.sigma, SMALLEST_SIGMA)
    return Observation(thing.name, thing.category, fit.grip, sigma, gripped_at=thing.grip[2])


def _place(place: TaggedThing, fit: Fit) -> PlaceSeen:
    return PlaceSeen(place.name, place.kind, fit.position, fit.yaw)


def _door(door: TaggedDoor, fit: Fit) -> DoorSeen:
    return DoorSeen(door, fit.position, fit.grip)


def _by_thing(camera: CameraDescription, found: tuple[Found, ...]) -> dict[TaggedThing, list[tuple[Tag, Found]]]:
    """Put together the tags of each thing; the largest in the picture first."""
    grouped: dict[TaggedThing, list[tuple[Tag, Found]]] = {}
    for each in sorted(found, key=lambda one: -one.side):
        if thing := camera.known.get(each.id):
            tag = next(tag for tag in thing.tags if tag.id == each.id)
            grouped.setdefault(thing, []).append((tag, each))
    return grouped
