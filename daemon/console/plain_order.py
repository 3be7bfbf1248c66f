"""Requests in roundabout words, said plainly: "the sponge should go over to the sink, would you" puts it there."""

import re

from daemon.console.references import masked
from daemon.llm.imitation.request import polite
from daemon.names import spoken
from skills.scene import Scene

_TAG = re.compile(r"(?:,?\s+(?:(?:would|could|will|can|won't|wouldn't) you(?: mind)?|please))+\W*$", re.IGNORECASE)
_WISH = re.compile(
    r"^\W*(?:please,? )?(?:(?:i|we)(?: would|'d| do)? (?:like|love|prefer|want|need|wish)|(?:can|could|may) "
    r"(?:i|we)|it would be (?:nice|good|great))"
    r"(?: to)?(?: have| see| get)? (?P<thing>T\d+) (?:to be |to go |to stand |to lie |put |placed |brought |"
    r"standing |lying )?"
    r"(?:over |back )?(?:on|onto|in|into|to|at) (?P<place>P\d+)\W*$",
    re.IGNORECASE,
)
_PASSIVE = re.compile(
    r"^\W*(?:please,? |and |could |can |would |may |shall )?(?P<thing>T\d+) (?:(?:should|must|has to|have to|"
    r"needs? to|is to|are to|could|can|may|wants? to) )?"
    r"(?:please )?(?:be )?(?:taken|brought|moved|carried|put|placed|set|transported|delivered|go|come|be)? "
    r"?(?:over |back )?"
    r"(?:on|onto|in|into|to|at) (?P<place>P\d+)\W*$",
    re.IGNORECASE,
)
_TOSS = re.compile(
    r"^\W*(?:throw|toss|chuck|lob|fling|sling) (?:(?:me|us) (?P<given>T\d+)|(?P<thing>T\d+) (?:over )?"
    r"(?:to (?:me|us)|(?:in|into|on|onto) (?P<where>[TP]\d+)))\W*$",
    re.IGNORECASE,
)
"""Nothing is thrown: it is brought, or put there."""
_STAYS_OPEN = re.compile(r"(?<=\w),? (?:and|but) (?:then )?(?:leave|keep) (?:it|them|that) open\b", re.IGNORECASE)
"""What is opened for its own sake stays open anyway."""


def plain_order(text: str, scene: Scene) -> str:
    """The same request in the plainest words; the text itself where it is plain already."""
    bare = _TAG.sub("", text)
    if re.match(r"\W*open\b", polite(bare), re.IGNORECASE):
        bare = _STAYS_OPEN.sub("", bare)
    said = masked(bare, scene)
    for form in (_WISH, _PASSIVE):
        if match := form.match(said.text):
            things = said.references[int(match["thing"][1:])].things
            places = said.references[int(match["place"][1:])].places
            if len(places) == 1 and all(thing.location != places[0].name for thing in things):
                return f"put the {spoken(things[0].name)} on the {spoken(places[0].name)}"
    return _without_throwing(bare, scene)


def _without_throwing(text: str, scene: Scene) -> str:
    said = masked(polite(text), scene)
    match = _TOSS.match(said.text)
    if match is None:
        return text
    thing = said.thing(match["given"] or match["thing"])
    if match["where"] is None:
        return f"bring me the {thing}"
    into = "into" if match["where"][0] == "T" else "on"
    where = said.thing(match["where"]) if match["where"][0] == "T" else said.place(match["where"])
    return f"put the {thing} {into} the {where}"
