"""Who is to have something: a person by name, or nobody whom the robot knows of."""

import re
from collections.abc import Iterator

from daemon.imitation.english.clauses import polite
from daemon.imitation.english.noun_phrases import masked
from daemon.names import forms, spoken
from daemon.transcript import PARTS
from skills.scene import Location, Scene


def given_to_people(text: str, scene: Scene) -> str:
    """The request with "give ... to" for each person by name who is to have something; else the text itself.

    "Take the newspaper to Grandpa", "the juice for me and the water for Ben".
    """
    people = {name: person for person in _others(scene) for name in _names(person)}
    if not people:
        return text
    who = "|".join(map(re.escape, sorted(people, key=len, reverse=True)))
    bare = re.sub(
        rf"(\b(?:{who})\b), (?:she|he|they)(?:'s|'re| is| are)\b.*$", r"\1", polite(text), flags=re.IGNORECASE
    )
    if match := re.fullmatch(_TO.format(who=who), bare, re.IGNORECASE):
        return f"give {_held_or(match['what'], scene)} to {spoken(people[match['who'].lower()].name)}"
    shares = re.compile(_FOR.format(who=who), re.IGNORECASE)
    pairs = list(shares.finditer(text))
    if pairs and not _AND.sub("", shares.sub("", text)):
        return PARTS.join(
            f"bring me {pair['what']}"
            if pair["who"].lower() in ("me", "us")
            else f"give {pair['what']} to {spoken(people[pair['who'].lower()].name)}"
            for pair in pairs
        )
    return text


def unknown_recipient(text: str, scene: Scene) -> str:
    """Return what to say where something of this scene is to be given to somebody who is not known; else ""."""
    said = masked(polite(text), scene)
    match = _TO_WHOM.fullmatch(said.text)
    if match is None or any(match["who"].lower() in _names(person) for person in _people(scene)):
        return ""
    if match["who"].lower() in _ANYBODY and len(list(_people(scene))) == 1:
        return ""
    return f"I do not know where {match['article'] or ''}{match['who']} is, so I cannot bring anything there."


def _held_or(what: str, scene: Scene) -> str:
    """ "This" is what the robot holds."""
    held = [thing for thing in scene.objects if thing.held_by]
    return f"the {spoken(held[0].name)}" if held and re.fullmatch(r"this|that|it|these|them", what, re.I) else what


def _people(scene: Scene) -> Iterator[Location]:
    return (place for place in scene.locations if place.kind == "person")


def _others(scene: Scene) -> Iterator[Location]:
    """Everybody but the one who speaks."""
    return (person for person in _people(scene) if person.name != "person")


def _names(person: Location) -> list[str]:
    return [name.lower() for name in (*forms(person.name), *person.aliases)]


_TO = (
    r"(?:take|bring|give|hand|pass|carry|deliver|fetch|get) (?P<what>[\w' -]+?)(?: over)? to "
    r"(?:my |our |the )?(?P<who>{who})"
)
_FOR = r"(?P<what>(?:the|a|an|one|some|my) [\w' -]+?) (?:is )?for (?:my |our |the )?(?P<who>{who}|me|us)\b"
_AND = re.compile(r"(?:\W|\b(?:and|bring|get|please|can|could|you)\b)+", re.IGNORECASE)
_TO_WHOM = re.compile(
    r"(?:take|bring|give|hand|pass|carry|deliver) T\d+(?: over)? to (?P<article>the |my |our )?"
    r"(?P<who>(?!me\b|us\b|him\b|her\b|them\b|you\b|here\b|there\b|its\b|their\b|[TPCH]\d)[a-z]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_ANYBODY = frozenset(
    {"person", "human", "user", "man", "woman", "visitor", "guest", "customer", "patient", "lady", "gentleman"}
    | {"boy", "girl", "child", "kid", "somebody", "someone"}
)
"""Whoever is there, where it is only one."""
