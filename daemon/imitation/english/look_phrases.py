"""Phrases that mean things by what they look like: "the gold one", "nothing wet", "glass things"."""

import re
from collections.abc import Iterator

from daemon.console.learning.scope import known_looks, looks_of
from daemon.lexicon.look_words import SAME, plain_look
from daemon.names import head, mention, spoken
from skills.scene import Scene


def with_nouns(text: str, scene: Scene) -> str:
    """The text with "the gold one" as "the gold ribbon", where only one thing can be meant."""

    def named(match: re.Match[str]) -> str:
        alike = [thing for thing in scene.objects if plain_look(match["look"]) in looks_of(thing)]
        spoken_of = [thing for thing in alike if mention(head(thing.name), text)]
        meant = alike if len(alike) == 1 else spoken_of
        return f"the {spoken(meant[0].name)}" if len(meant) == 1 else match[0]

    return _ONE.sub(named, text)


def things_of_a_look(text: str, scene: Scene) -> Iterator[tuple[int, int, str]]:
    """The phrases that mean all things of a look, "nothing wet", "glass things", and the look."""
    looks = "|".join(sorted((re.escape(look) for look in {*known_looks(scene), *SAME}), key=len, reverse=True))
    for form in _PHRASES:
        for match in re.finditer(form.format(looks=looks), text, re.IGNORECASE):
            yield match.start("all"), match.end("all"), plain_look(match["look"])


_MADE = (
    r"(?: (?:that|which)(?:'s| is| are)?| is| are)?(?: made)?(?: (?:out )?of| from)?"
    r"(?: (?:really|still|all|very|made of|real))*"
)
_PHRASES = (
    r"\b(?P<all>(?:something|anything|everything|things|stuff)" + _MADE + r" (?P<look>{looks}))\b(?! things?\b)",
    r"\bnothing (?P<all>" + r"(?:(?:that|which) is |made (?:out )?of )?(?P<look>{looks}))\b(?=\W|$)",
    r"\b(?P<all>(?P<look>{looks}) (?:things?|stuff|ones|objects|items|goods))\b",
)
_ONE = re.compile(r"\b(?:the|that|this|my|our) (?P<look>\w+) one\b(?!'s)", re.IGNORECASE)
