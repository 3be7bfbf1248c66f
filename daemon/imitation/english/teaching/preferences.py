"""What a person says of what they like best, or always take: forms of speech over tokens."""

import re

from daemon.imitation.english.noun_phrases import Masked
from daemon.memory.effects import Choice, Effect, Meaning
from daemon.names import called, head, spoken


def read_choice(said: Masked) -> Effect | None:
    """Return what somebody likes best of a kind: "my favourite drink is the tea"."""
    match = next((match for form in _CHOICES if (match := form.search(said.text))), None)
    category = said.category(match["thing"]) if match else ""
    return Choice(category, said.thing(match["thing"])) if match and category else None


def read_usual(said: Masked) -> Effect | None:
    """ "I only take the decaf coffee": what a word means that may mean other things here too."""
    match = next((match for form in _TAKES if (match := form.search(said.text))), None)
    things = said.references[int(match["thing"][1:])].things if match else ()
    if len(things) != 1:
        return None
    word = head(things[0].name)
    several = sum(called(thing.name, word) for thing in said.scene.objects) > 1
    if several:
        return Meaning(word, f"the {spoken(things[0].name)}")
    category = said.category(match["thing"]) if match and _NOTHING_ELSE.search(said.text) else ""
    return Choice(category, said.thing(match["thing"])) if match and category else None


_THING = r"(?P<thing>T\d+)\b"
_CHOICES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:my|our) (?:favou?rite|preferred)(?: C\d+| kind of C\d+| thing)? is (?:always )?{_THING}",
        rf"{_THING} is (?:my|our) (?:favou?rite|preferred)\b",
        rf"\b(?:i|we) (?:like|love|prefer) {_THING} (?:the )?(?:best|most)\b",
        rf"\b(?:i|we) (?:always |usually )?prefer {_THING} (?:over|to|rather than|instead of) (?:T\d+|C\d+|all|any)",
    )
)
"""What somebody likes best is taken where any would do."""
_TAKE = r"(?:take|have|drink|want|eat|use|like|need|wear|read) (?P<thing>T\d+)(?=\W*$|[,.;!?]| (?:or|and|for|so)\b)"
_TAKES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:i|we)(?:'d| would)? (?:only|just|always)(?: ever)? {_TAKE}",
        rf"\bfrom now on, (?:i|we)(?:'d| would)? {_TAKE}",
    )
)
_NOTHING_ELSE = re.compile(r"\b(?:i|we)(?:'d| would)? only (?:ever )?(?:drink|eat|read|wear|take|use)\b", re.IGNORECASE)
