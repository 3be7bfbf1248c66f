"""Two ways in an answer, of which code takes one by what it sees. A small mind that looks itself gets lost.

    if seen('milk', 'fridge'):
        bring('milk')
    else:
        bring('juice')

`seen()` takes a thing, a kind, a person or a place; and then a place, a person, what holds things, or a look:
`seen('cup', 'dirty')`, `seen('fridge', 'open')`, `seen('bench', 'empty')`. With `not`, `and`, `or`, `elif`.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from daemon.console.goals.goal import written
from daemon.console.goals.surroundings import Seen
from daemon.console.goals.sweeps import is_meant
from daemon.console.learning.scope import ANYTHING, known_looks, looks_of, told_of
from daemon.lexicon.look_words import UNMARKED, plain_look
from daemon.names import SEPARATORS, mention, spoken
from skills.scene import Location, Scene, Thing
from skills.skill import SkillError

SEEN = ("seen", ("anyone", "anyhow"))
"""What it names, as the parameters of skills do: whom or what; and where that is, or what it looks like."""
OPEN, CLOSED, EMPTY, FULL = "open", "closed", "empty", "full"
EVERYTHING = ("anything", "something")
"""Stand for whatever there is."""
LOOKS = tuple(sorted({OPEN, CLOSED, EMPTY, FULL, *UNMARKED, *(look for looks in UNMARKED.values() for look in looks)}))
"""What may be asked of a place or a thing, whatever is told of it."""
NOT_SO = "That is not so, so I leave it."
"""Said where no way was written for how things are."""


class Unseen(Exception):
    """What is asked for cannot be seen; the words for it are its text."""


@dataclass(frozen=True)
class Choice:
    """Two ways."""

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
        except Unseen as unseen:
            return (written("say", f"I cannot see {unseen}."),)
        return way or (written("say", NOT_SO),)


def taken(statements: Iterable[str], seen: Seen) -> Iterator[str]:
    """Yield statements, of all ways those that are to be taken, as things are."""
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
            return _is_seen(scene, *(one.value for one in given if isinstance(one, ast.Constant)))
    return False


def _is_seen(scene: Scene, what: str, how: str = "") -> bool:
    """Return whether something is there; or is where, or is like, `how` says. Raises Unseen."""
    named = [thing for thing in scene.objects if _is_called(thing, what)]
    if (place := _location(what, scene)) and not named:
        return _place_is(place, how, scene)
    things = named or [thing for thing in scene.objects if what in EVERYTHING or _is_of(thing, what)]
    if not how:
        return bool(things)
    if place := _location(how, scene):
        return any(scene.place_of(thing) == place.name for thing in things)
    if plain_look(how) in {*LOOKS, *known_looks(scene), *(look for thing in scene.objects for look in thing.state)}:
        return any(_looks(thing, how, scene) for thing in things)
    if holders := [thing for thing in scene.objects if _is_called(thing, how) or is_meant(thing, how)]:
        return any(holder in scene.carriers(thing) for thing in things for holder in holders)
    raise Unseen(f"whether the {spoken(what)} is {spoken(how)}")


def _is_called(thing: Thing, name: str) -> bool:
    return _plain(name) in map(_plain, (thing.name, *thing.aliases))


def _plain(name: str) -> str:
    return SEPARATORS.sub(" ", name.lower())


def _is_of(thing: Thing, words: str) -> bool:
    """Return whether a thing is what words say: of that kind, and like the words before it ("red mug")."""
    if words == ANYTHING:
        return True
    *before, kind = SEPARATORS.split(words.lower())
    fits = is_meant(thing, kind) or is_meant(thing, spoken(words).lower())
    names = " ".join(map(spoken, (thing.name, *thing.aliases)))
    return fits and all(plain_look(word) in looks_of(thing) or mention(word, names) for word in before)


def _location(name: str, scene: Scene) -> Location | None:
    try:
        return scene.location(name)
    except SkillError:
        return None


def _place_is(place: Location, how: str, scene: Scene) -> bool:
    if not how:
        return place.present
    if how in (EMPTY, FULL):
        return (how == EMPTY) is not any(scene.place_of(thing) == place.name for thing in scene.objects)
    if how in (OPEN, CLOSED) and place.door:
        return place.door == how
    looks = frozenset(map(plain_look, told_of(place.state)))
    if plain_look(how) not in {*LOOKS, *looks, *place.state}:
        raise Unseen(f"whether the {spoken(place.name)} is {spoken(how)}")
    return _has_look(how, looks)


def _looks(thing: Thing, how: str, scene: Scene) -> bool:
    if how in (EMPTY, FULL) and thing.holds:
        return (how == EMPTY) is not bool(scene.contents(thing))
    return _has_look(how, looks_of(thing))


def _has_look(how: str, looks: frozenset[str]) -> bool:
    """Return whether it looks so: what is not told to be dirty is clean."""
    look = plain_look(how)
    return look in looks or (look in UNMARKED and not looks & set(UNMARKED[look]))
