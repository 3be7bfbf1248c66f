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
    """Return "something to ..." with what it is for, as a phrase; "" where nothing is said of that."""
    match = _FOR.search(text)
    if not match:
        return ""
    what = _ARTICLE.sub("", match["what"].strip())
    if place := _PLACE.search(what):
        return f"thing that is in {place['place']} used to {what[: place.start()]}"
    return f"thing used to {what}"


def by_effect(text: str) -> str:
    """Return what makes some light, music or warmth, as a phrase; "" for what no thing makes that is turned on."""
    match = _EFFECT.search(text)
    made_by = _MADE_BY.get(match["effect"], "") if match else ""
    return f"thing used to {made_by}" if made_by else ""


_SAID_BY = r"(?:with|in|on|from|by|at|into|onto|for|through|over|under|out of)"
_FREE = re.compile(
    r"^(?:what(?:ever)?|where(?:ver)?|(?:the |that |some |a )?(?P<noun>thing|one|place|spot|stuff|tool|device|gadget"
    r"|machine|appliance|item|object|container|utensil|instrument|furniture|something|anything|somewhere)s?"
    r"(?: (?:that|which|where|(?:in|on|with|from) which))?)"
    r" (?P<what>(?!(?:is|are|was|lies|stands|sits|used|that|which|who|it|of|to|for|in|on|at|with|from)\b)(?:"
    r"(?:the |a |an |your |our |my )?[a-z]+(?: [a-z]+)* (?:is|are|gets?|can be|be) [a-z ]+"
    rf"|(?:the|a|an|your|our|one|you|we|people|they|somebody|someone) [a-z ]+ {_SAID_BY}))$"
)
"""What paper is cut with, the thing the laundry gets clean in, what the doctor listens to hearts with."""
_DOER = re.compile(r"^what(?:ever)? (?=(?!is\b|it\b|this\b|his\b|has\b|was\b|does\b|stands\b|lies\b|sits\b)[a-z]+s\b)")
"""Whatever blows cool air around the office."""
_WHERETO = re.compile(r"^where(?:ver)? (?P<what>(?!(?:i|it was|it is)\b)[a-z ]+)$")
"""Where dirty dishes go, where it gets weighed."""


def with_purpose(text: str) -> str:
    """A thing that is said by what it does or is for, as "thing used to ..."; other words as they are."""
    if match := _FREE.match(text):
        return f"{match['noun'] or 'thing'} used to {match['what']}"
    if match := _WHERETO.match(text):
        return f"thing used to {match['what']}"
    return _DOER.sub("thing that ", text)
