"""What people say of where the robot is: "this is the sink", "you are at the sink", "forget the place sink"."""

import re

from skills.scene import Scene

CONTAINERS = frozenset({"fridge", "freezer", "cupboard", "cabinet", "drawer", "wardrobe", "locker", "chest", "larder"})
SPOTS = frozenset(
    {"room", "bedroom", "kitchen", "bathroom", "hall", "hallway", "corner", "door", "entrance", "garden", "balcony"}
    | {"station", "charger", "corridor", "office", "garage", "cellar", "landing", "spot"}
)
SURFACES = frozenset(
    {"sink", "counter", "table", "desk", "shelf", "workbench", "bench", "sideboard", "worktop", "stove", "sill"}
    | {"windowsill", "rack", "nightstand", "dresser", "trolley", "bed", "sofa", "couch", "chair"}
)
"""Last words of names that are places, and what is done there; a fourth kind is told in more words."""


def statements_about_places(said: str, scene: Scene) -> list[str] | None:
    """Return what a sentence about a place comes down to; None for every other sentence."""
    text = said.strip()
    if match := _IS_AT.fullmatch(text):
        return _standing(match["place"], scene)
    if match := _FORGET.fullmatch(text):
        return [f"forget_place({_plain(match['place'])!r})"]
    if match := _CALLED.fullmatch(text):
        return [f"keep_place({_plain(match['place'])!r}, {_kind(match['place']) or 'spot'!r})"]
    if match := _THIS.fullmatch(text):
        return _standing(match["place"], scene) or _new(match["place"])
    return None


def _new(named: str) -> list[str] | None:
    """A place that nobody told of yet; None for what is no place."""
    return [f"keep_place({_plain(named)!r}, {kind!r})"] if (kind := _kind(named)) else None


def _standing(named: str, scene: Scene) -> list[str] | None:
    """The robot stands at a place that it knows; None for one that it does not know."""
    names = {_plain(name): place.name for place in scene.locations for name in (place.name, *place.aliases)}
    place = names.get(_plain(named))
    return [f"stand_at({place!r})", f"say({f'All right, I am at the {_spoken(place)}.'!r})"] if place else None


def _kind(named: str) -> str:
    last = _plain(named).split("_")[-1]
    kinds = (("container", CONTAINERS), ("surface", SURFACES), ("spot", SPOTS))
    return next((kind for kind, words in kinds if last in words), "")


def _plain(named: str) -> str:
    return re.sub(r"[\s_-]+", "_", named.strip().lower())


def _spoken(name: str) -> str:
    return name.replace("_", " ")


_NAME = r"(?:the |my |our |your )?(?P<place>[a-z][\w-]*(?: [\w-]+){0,2}?)"
_END = r"(?: now| here)?[ .!]*"
_IS_AT = re.compile(rf"(?:no )?you(?: are|'re)(?: standing)?(?: now)? (?:at|in front of) {_NAME}{_END}", re.IGNORECASE)
_THIS = re.compile(rf"(?:and )?(?:this|here) is {_NAME}{_END}", re.IGNORECASE)
_CALLED = re.compile(
    rf"(?:this place is(?: called)?|(?:remember|keep) this place as|call this place) {_NAME}{_END}", re.IGNORECASE
)
_FORGET = re.compile(rf"(?:please )?forget (?:the place |where ){_NAME}(?: is)?[ .!]*", re.IGNORECASE)
