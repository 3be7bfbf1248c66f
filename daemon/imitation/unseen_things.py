"""What a request is about and nobody sees, where there may be things that nobody has seen yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from daemon.console.reading import Script
from daemon.console.search import Surroundings, search
from daemon.imitation.english.intents import intents
from daemon.imitation.english.object_phrases import Mention
from daemon.imitation.english.teaching.corrections import QUESTION, TEACHING
from daemon.imitation.english.vocabulary import Names
from daemon.imitation.english.what_is_asked import Request, read_requests
from skills.perception import where
from skills.scene import Location, Scene, Thing


@dataclass(frozen=True)
class Unseen:
    """A thing that is not in sight."""

    phrase: str
    """What people call it."""
    place: str = ""
    """Where it was seen last; "" where it never was."""


def looked_for(meaning: str, now: Surroundings) -> Script:
    """Look for all that a request is about and nobody sees; the request stands once it is found."""
    for unseen in unseen_things(meaning, now.scene):
        words = yield from search(now, unseen.phrase, partial(_sees, unseen.phrase, meaning), unseen.place)
        if words:
            yield f"say({words!r})"
        if words != "":
            return None
    return meaning


def unseen_things(meaning: str, scene: Scene) -> list[Unseen]:
    """Return what is to be looked for; nothing for a question, or where all that there is has been seen."""
    if not scene.partial or QUESTION.search(meaning) or TEACHING.search(meaning):
        return []
    return [_unseen(mention, scene) for mention in _mentions(meaning, scene) if not _is_seen(mention, scene)]


def _sees(phrase: str, meaning: str, scene: Scene) -> bool:
    return any(_is_seen(mention, scene) for mention in _mentions(meaning, scene) if mention.phrase == phrase)


def _mentions(meaning: str, scene: Scene) -> Iterator[Mention]:
    """The phrases for things in what is asked for, not in what is only told."""
    for request in read_requests(meaning, names_of(scene)):
        if not request.background and _is_deed(request):
            yield from (mention for mention in request.mentions if not mention.bare)


def _is_deed(request: Request) -> bool:
    return any(not intent.endswith("?") for intent in intents(request.text, request.masked))


def _is_seen(mention: Mention, scene: Scene) -> bool:
    return any(thing.present for thing in scene.objects if thing.name in mention.fits)


def _unseen(mention: Mention, scene: Scene) -> Unseen:
    known = [thing for thing in scene.objects if thing.name in mention.fits]
    nearest = min(known, key=lambda thing: (mention.fits[thing.name], thing.age), default=None)
    return Unseen(mention.phrase, nearest.location if nearest else "")


def names_of(scene: Scene) -> Names:
    """Return what a sentence may name here, as the readers of requests need it."""
    objects = tuple((thing.name, thing.category, where(thing)) for thing in scene.objects)
    called: list[Thing | Location] = [*scene.objects, *scene.locations]
    aliases = tuple((alias, one.name) for one in called for alias in one.aliases)
    return Names(objects, tuple(place.name for place in scene.locations), aliases)
