"""Two ways in an answer, of which code takes one by what it sees. A small mind that looks itself gets lost.

    if seen('milk', 'fridge'):
        bring('milk')
    else:
        bring('juice')

`seen()` takes a thing, a kind, a person or a place; and then a place, a person, what holds things, or a look:
`seen('cup', 'dirty')`, `seen('fridge', 'open')`, `seen('bench', 'empty')`. With `not`, `and`, `or`, `elif`.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from daemon.console.goals.goal import written
from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import is_meant
from daemon.console.learning.scope import ANYTHING, known_looks, looks_of, told_of
from daemon.lexicon.look_words import UNMARKED, plain_look
from daemon.names import SEPARATORS, as_name, mention, spoken
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

SEEN = ("seen", ("anyone", "anyhow"))
"""What it names, as the parameters of skills do: whom or what; and where that is, or what it looks like."""
OPEN, CLOSED, EMPTY, FULL = "open", "closed", "empty", "full"
EVERYTHING = (ANYTHING, "anything", "something")
"""Stand for whatever there is."""
LOOKS = tuple(sorted({OPEN, CLOSED, EMPTY, FULL, *UNMARKED, *(look for looks in UNMARKED.values() for look in looks)}))
"""What may be asked of a place or a thing, whatever is told of it."""
NOT_SO = "That is not so, so I leave it."
"""Said where no way was written for how things are."""
CANNOT_SEE = "I cannot see whether that is so."
"""Said where nobody can tell which way it is."""


class Unseen(Exception):
    """Nobody can see whether it is so."""


@dataclass(frozen=True)
class Choice:
    """A condition, and two ways."""

    condition: ast.expr
    then: tuple[str, ...]
    otherwise: tuple[str, ...]

    @classmethod
    def of(cls, statement: str) -> "Choice | None":
        """The one that a statement writes; None for any other statement, and where it asks for more than seen()."""
        try:
            match ast.parse(statement).body:
                case [ast.If(test=condition, body=then, orelse=otherwise)] if _asks_what_is_seen(condition):
                    return cls(condition, tuple(map(ast.unparse, then)), tuple(map(ast.unparse, otherwise)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        return None

    def taken(self, seen: Seen) -> tuple[str, ...]:
        """Return the statements of the way that is to be taken, as things are; where that cannot be seen, words."""
        try:
            way = self.then if _holds(self.condition, seen.scene) else self.otherwise
        except Unseen:
            return (written("say", CANNOT_SEE),)
        return way or (written("say", NOT_SO),)


def taken(statements: Iterable[str], seen: Seen) -> Iterator[str]:
    """Yield the statements, and for each `if seen(...)` among them those of the way that is taken now."""
    for statement in statements:
        choice = Choice.of(statement)
        yield from taken(choice.taken(seen), seen) if choice else [statement]


def _asks_what_is_seen(condition: ast.expr) -> bool:
    match condition:
        case ast.BoolOp(values=parts):
            return all(map(_asks_what_is_seen, parts))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return _asks_what_is_seen(part)
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
            texts = [one for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            return name == SEEN[0] and 1 <= len(texts) == len(given) <= len(SEEN[1])
    return False


def _holds(condition: ast.expr, scene: Scene) -> bool:
    match condition:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_holds(part, scene) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_holds(part, scene) for part in parts)
        case ast.UnaryOp(operand=part):
            return not _holds(part, scene)
        case ast.Call(args=given):
            return _is_seen(scene, *(str(one.value) for one in given if isinstance(one, ast.Constant)))
    return False


def _is_seen(scene: Scene, what: str, how: str = "") -> bool:
    """Return whether something is there; or is where, or is like, `how` says. Raises Unseen."""
    named = [thing for thing in scene.objects if _is_called(thing, what)]
    if (place := _location(what, scene)) and not named:
        return _place_is(place, how, scene)
    things = named or [thing for thing in scene.objects if what in EVERYTHING or _is_of(thing, what, scene)]
    if not how:
        return bool(things)
    if place := _location(how, scene):
        return any(scene.place_of(thing) == place.name for thing in things)
    if holders := [thing for thing in scene.objects if _is_called(thing, how)]:
        return any(holder in scene.carriers(thing) for thing in things for holder in holders)
    told = {plain_look(look) for thing in scene.objects for look in thing.state}
    if plain_look(how) in {*LOOKS, *known_looks(scene), *told}:
        return any(_is_like(thing, how, scene) for thing in things)
    if holders := [thing for thing in scene.objects if is_meant(thing, how)]:
        return any(holder in scene.carriers(thing) for thing in things for holder in holders)
    raise Unseen


def _is_called(thing: Thing, name: str) -> bool:
    return as_name(name) in map(as_name, (thing.name, *thing.aliases))


def _is_of(thing: Thing, words: str, scene: Scene) -> bool:
    """Return whether a thing is what words say: of that kind, and like the words before it ("red mug")."""
    *before, kind = SEPARATORS.split(words.lower())
    fits = is_meant(thing, kind) or is_meant(thing, spoken(words).lower())
    names = " ".join(map(spoken, (thing.name, *thing.aliases)))
    return fits and all(mention(word, names) or _is_like(thing, word, scene) for word in before)


def _location(name: str, scene: Scene) -> Location | None:
    try:
        return scene.location(name)
    except SkillError:
        return None


def _place_is(place: Location, how: str, scene: Scene) -> bool:
    """Return how a place is, or whether a person is here. Raises Unseen for what nobody tells of it."""
    if not how:
        return place.present
    if how == EMPTY and place.kind != "person":
        return not any(scene.place_of(thing) == place.name for thing in scene.objects)
    if how in (OPEN, CLOSED) and place.door:
        return place.door == how
    told = _told(place.state, how)
    if told is None:
        raise Unseen
    return told


def _is_like(thing: Thing, how: str, scene: Scene) -> bool:
    """Return whether a thing looks so. Raises Unseen where it may stand open, and nobody tells."""
    told, look = _told(thing.state, how), plain_look(how)
    if told is not None:
        return told
    if how in (EMPTY, FULL) and thing.holds:
        return len(scene.contents(thing)) >= thing.holds if how == FULL else not scene.contents(thing)
    if look in looks_of(thing):
        return True
    if how in (OPEN, CLOSED):
        raise Unseen
    return look in UNMARKED and not looks_of(thing) & set(UNMARKED[look])


def _told(state: Mapping[str, object], how: str) -> bool | None:
    """Return what a state tells of a look, or of its opposite: not clean is dirty. None where it tells nothing."""
    look, told = plain_look(how), {plain_look(name): value for name, value in state.items()}
    if isinstance(told.get(look), bool):
        return bool(told[look])
    for unmarked, others in UNMARKED.items():
        if look in others and isinstance(told.get(unmarked), bool):
            return not told[unmarked]
    return True if look in map(plain_look, told_of(dict(state))) else None
