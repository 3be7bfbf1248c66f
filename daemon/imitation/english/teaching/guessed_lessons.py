"""The likeliest lesson in a sentence whose form nobody knows, by what it names. Asked about, never kept unasked.

"Next time" or "always" says that something is taught; which things, places and small words stand beside it leaves
little choice of what. The guess is said back in plain words like every lesson, and the person says no to a wrong one.
"""

import re

from daemon.imitation.english.noun_phrases import Masked
from daemon.imitation.english.teaching.companions import AT_ONCE
from daemon.imitation.english.teaching.number_phrases import allowed_factor
from daemon.memory.effects import Also, Belongs, Effect, Together
from daemon.memory.number_rules import Carry, Speed
from daemon.memory.prohibitions import Never, OnlyWhenAsked
from daemon.names import mention


def guessed(said: Masked, last: str, asked_for: str) -> Effect | None:
    """A lesson that would fit, or None. `last` is the token of what came last, `asked_for` the request before.

    Raises NoLesson for more than the body may do.
    """
    if not _LASTING.search(said.text) or said.text.rstrip().endswith("?"):
        return None
    things = [token for token in dict.fromkeys(said.tokens) if token[0] == "T" and said.thing(token)]
    places = [token for token in dict.fromkeys(said.tokens) if token[0] == "P"]
    if _TEMPO.search(said.text):
        return _pace(said, things, places, last)
    if _AWAY.search(said.text) and len(things) == 1 and not places:
        thing = said.thing(things[0])
        return Never(thing) if mention(thing, asked_for) else OnlyWhenAsked(thing)
    if places:
        kept = things or ([last] if last else [])
        return Belongs(said.thing(kept[0]), said.place(places[0])) if len(kept) == len(places) == 1 else None
    return _along(said, things, last, asked_for)


def _pace(said: Masked, things: list[str], places: list[str], last: str) -> Effect | None:
    factor = allowed_factor(said.text)
    if len(places) == 2:
        return Speed(said.place(places[0]), said.place(places[1]), factor, both_ways=True)
    carried = things or ([last] if last else [])
    if len(carried) == 1 and not places:
        scope, example = said.scope(carried[0])
        return Carry(scope, factor, example)
    return None


def _along(said: Masked, things: list[str], last: str, asked_for: str) -> Effect | None:
    """Return which of two things is asked for, and which comes along: asked for is what was asked for."""
    if last and said.thing(last) not in map(said.thing, things):
        things = [last, *things]
    if len(things) != 2 or not _BRINGING.search(said.text):
        return None
    wanted = [token for token in things if mention(said.thing(token), asked_for)]
    if len(wanted) == 2:
        return Together(said.thing(things[0]), said.thing(things[1])) if AT_ONCE.search(said.text) else None
    when = wanted[0] if wanted else last
    bring = next((token for token in things if token != when), "")
    if not when or not bring or _AWAY.search(said.text):
        return None
    scope, example = said.scope(when)
    return Also(scope, said.thing(bring), bool(AT_ONCE.search(said.text)), example)


_LASTING = re.compile(
    r"\b(?:always|never|ever|from now on|from today|next time|(?:in|for) (?:the )?future|(?:every|each|any) ?time|"
    r"as a rule|remember|don't forget|whenever|usually|generally|by default|henceforth|in general)\b"
    r"|\b(?:not|no|n't)\b.*\bagain\b",
    re.IGNORECASE,
)
"""It is to hold for longer than this time."""
_TEMPO = re.compile(
    r"\b(?:slow(?:er|ly)?|faster|quicker|more quickly|careful(?:ly)?|gent(?:ly|le)|crawl|creep|snail|easy)\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:never|not|no more|no longer|\w+n't|stop|away from|keep .{0,20}\baway|stays? where|hands off|leave)\b",
    re.IGNORECASE,
)
_BRINGING = re.compile(
    r"\b(?:bring|brought|fetch|get|give|hand|carry|deliver|take|come|comes|want|need|like|have|with|without|along|too|also|"
    r"as well|goes|belongs?|forgot|forget|missing|ask)\b",
    re.IGNORECASE,
)
