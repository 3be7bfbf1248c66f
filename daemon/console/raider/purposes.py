"""What somebody wants a thing for, where they name none: "something to write with", "whatever it is we sweep with".

Or what is to be, and not by which thing: "make some light".
"""

import re

_FOR = re.compile(
    r"\b(?:some ?thing|any ?thing|a thing|the thing|the stuff|whatever(?: it is| that is)?|what(?: it is)?"
    r"|the one|one|the place)"
    r"(?: (?!that|which|where|we|you|i|one|people|to|for|is|are|not)[a-z]+(?= (?:to|for)\b))?"
    r"(?: that| which| where)?(?: (?:we|you|i|one|people) (?:can |could |may |use to |use for )?(?!need|want|like"
    r"|mean|have|had|see|saw|got|put|left)| (?:for|to|is for|are for) )(?P<what>[^.,;!?]+)"
)
_ARTICLE = re.compile(r"^(?:the|a|an|my|our|this|that) ")
_PLACE = re.compile(r" (?:out of|from) (?P<place>(?:the|my|our|your|that|this) [a-z ]+)$")
_EFFECT = re.compile(
    r"(?:make|give (?:me|us)|let there be|let (?:me|us) have|(?:i|we)(?: really| do)? (?:need|want|could do with))"
    r" (?:some|(?:a (?:bit|little)|a little bit)(?: of)?|more)(?: more)? (?P<effect>[a-z]+)$"
)
_MADE_BY = {
    "light": "give light", "brightness": "give light", "music": "play music",
    "heat": "heat the room", "warmth": "heat the room", "heating": "heat the room", "breeze": "make breeze",
}  # fmt: skip
"""What somebody wants to have about them -> what a thing that is turned on does for it."""


def for_what(text: str) -> str:
    """ "something to ..." with what it is for, as a phrase; "" where nothing is said of that."""
    match = _FOR.search(text)
    if not match:
        return ""
    what = _ARTICLE.sub("", match["what"].strip())
    if place := _PLACE.search(what):
        return f"thing that is in {place['place']} used to {what[: place.start()]}"
    return f"thing used to {what}"


def by_effect(text: str) -> str:
    """What makes some light, music or warmth, as a phrase; "" for what no thing makes that is turned on."""
    match = _EFFECT.search(text)
    made_by = _MADE_BY.get(match["effect"], "") if match else ""
    return f"thing used to {made_by}" if made_by else ""
