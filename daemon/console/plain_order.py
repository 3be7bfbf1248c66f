"""Requests in roundabout words, said plainly: "the sponge should go over to the sink, would you" puts it there."""

import re

from daemon.console.references import masked
from daemon.console.situation import listed
from daemon.llm.imitation.clauses import polite
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
    r"(?:please )?(?:be )?(?:taken|brought|moved|carried|put|placed|set|transported|delivered|goes|go|come|be)? "
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


_ALL_THERE = re.compile(
    r"^(?P<deed>\W*(?:please,? )?(?:(?P<fetch>bring|get|give|fetch|hand)|take|move|put|carry)(?: me| us)?) "
    r"(?:everything|all (?:of )?(?:the )?(?:things|objects|items|stuff)|what(?:ever)?(?='s| is| lies))"
    r"(?:(?: that)?'s| (?:that )?(?:is|lies|are|lie))? (?P<from>from|off|on|in|at) (?P<place>P\d+)(?P<rest>.*)$",
    re.IGNORECASE,
)
_IF_ANY = re.compile(
    r"^(?P<polite>\W*(?:please,? )?)if (?:there(?:'s| is| are)|(?:you|we) (?:have|see|find)) (?P<no>no |not any )?"
    r"(?:still |any |some |a |an )*(?P<what>[\w ]+?)(?: left| here| there)?,? (?:then )?(?P<then>[^,;]+?)"
    r"(?:[,;]? (?:and )?(?:otherwise|or else|else|if not),? (?P<otherwise>.+))?$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|them|one|some)\b(?! \w+ing\b)", re.IGNORECASE)


def plain_order(text: str, scene: Scene) -> str:
    """The same request in the plainest words; the text itself where it is plain already."""
    bare = _whichever_holds(_TAG.sub("", text), scene)
    bare = _one_by_one(bare, scene)
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


def _whichever_holds(text: str, scene: Scene) -> str:
    """What is to be done as things are: "if there is milk, bring it, otherwise the juice"."""
    match = _IF_ANY.match(text)
    if match is None:
        return text
    there = bool(masked(match["what"], scene).references) is not bool(match["no"])
    if there:
        return match["polite"] + _IT.sub(f"the {match['what']}", match["then"])
    if match["otherwise"] is None:
        return f"where is the {match['what']}?"
    otherwise = masked(match["otherwise"], scene).text
    if not re.match(r"[TC]\d+", otherwise):
        return f"{match['polite']}{match['otherwise']}"
    deed = re.match(r"\w+(?: me| us)?", match["then"])
    return f"{match['polite']}{deed[0]} {match['otherwise']}" if deed else text


def _one_by_one(text: str, scene: Scene) -> str:
    """ "Everything on the table", thing by thing; the text itself where nothing lies there."""
    said = masked(text, scene)
    match = _ALL_THERE.match(said.text)
    if match is None:
        return text
    place = said.references[int(match["place"][1:])].places
    things = [thing for thing in scene.objects if len(place) == 1 and thing.location == place[0].name]
    elsewhere = match["fetch"] or match["from"] in ("from", "off") or re.search(r"P\d+", match["rest"])
    if not things or not elsewhere:
        return text
    rest = re.sub(r"P(\d+)", lambda one: f"the {spoken(said.references[int(one[1])].places[0].name)}", match["rest"])
    return f"{match['deed']} {listed(things)}{rest}"


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
