"""Goals that depend on how things are: code looks, and not a small mind, that reads two ways and takes one of them.

    if seen('milk', 'fridge'):
        bring('milk')
    else:
        bring('juice')

`seen()` takes a thing, a kind, a person or a place; and a place, a person, or a look: `seen('cup', 'dirty')`,
`seen('fridge', 'open')`, `seen('bench', 'empty')`. With `not`, `and`, `or`, `elif`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import is_meant
from daemon.console.learning.scope import ANYTHING, looks_of
from daemon.lexicon.look_words import UNMARKED, plain_look
from daemon.names import SEPARATORS
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

SEEN = ("seen", ("anyone", "anyhow"))
"""What it names, as the parameters of skills do: a thing, a person or a place; and where it is, or what it looks like."""
OPEN, CLOSED, EMPTY = "open", "closed", "empty"
LOOKS = (OPEN, CLOSED, EMPTY, *UNMARKED)
"""What may be asked of a place or a thing, whatever is told of it."""
NOT_SO = "say('It is not so, so I have done nothing.')"
"""What is done where no way was written for how things are."""


@dataclass(frozen=True)
class Choice:
    """Two ways, of which one is taken."""

    condition: ast.expr
    then: tuple[str, ...]
    otherwise: tuple[str, ...]

    @classmethod
    def of(cls, statement: str) -> "Choice | None":
        """The one that a statement writes; None for any other statement, and where it asks for more than seen()."""
        try:
            body = ast.parse(statement).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        match body:
            case [ast.If(test=condition, body=then, orelse=otherwise)] if _asks_what_is_seen(condition):
                return cls(condition, tuple(map(ast.unparse, then)), tuple(map(ast.unparse, otherwise)))
        return None

    def taken(self, seen: Seen) -> tuple[str, ...]:
        """Return the statements of the way that is to be taken, as things are."""
        return (self.then if _holds(self.condition, seen.scene) else self.otherwise) or (NOT_SO,)


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
            return _is_seen(scene, *(str(ast.literal_eval(one)) for one in given))
    return False


def _is_seen(scene: Scene, what: str, how: str = "") -> bool:
    """Return whether something is there; or is where, or is like, `how` says."""
    if (place := _location(what, scene)) and not any(_is_called(thing, what) for thing in scene.objects):
        return _place_is(place, how, scene)
    return any(_thing_is(thing, how, scene) for thing in _things(what, scene))


def _things(what: str, scene: Scene) -> Iterator[Thing]:
    """The thing of that name; else all of that kind."""
    if named := [thing for thing in scene.objects if _is_called(thing, what)]:
        yield from named
    else:
        kind = ANYTHING if what in ("anything", "something") else what
        yield from (thing for thing in scene.objects if kind == ANYTHING or is_meant(thing, kind))


def _is_called(thing: Thing, name: str) -> bool:
    return SEPARATORS.sub(" ", name.lower()) in {SEPARATORS.sub(" ", own.lower()) for own in (thing.name, *thing.aliases)}


def _location(name: str, scene: Scene) -> Location | None:
    try:
        return scene.location(name)
    except SkillError:
        return None


def _place_is(place: Location, how: str, scene: Scene) -> bool:
    if how == EMPTY:
        return not any(scene.place_of(thing) == place.name for thing in scene.objects)
    if how in (OPEN, CLOSED):
        return place.door == how
    return place.present if not how else _has_look(how, frozenset(map(plain_look, map(str, place.state))))


def _thing_is(thing: Thing, how: str, scene: Scene) -> bool:
    if not how:
        return True
    if place := _location(how, scene):
        return scene.place_of(thing) == place.name
    if any(_is_called(holder, how) for holder in scene.carriers(thing)):
        return True
    return _has_look(how, looks_of(thing))


def _has_look(how: str, looks: frozenset[str]) -> bool:
    """Return whether it looks so: what is not told to be dirty is clean."""
    look = plain_look(how)
    return look in looks or (look in UNMARKED and not looks & set(UNMARKED[look]))
