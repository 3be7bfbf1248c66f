"""What somebody wants a thing for, where they name none: "something to write with", "whatever it is we sweep with"."""

import re

_FOR = re.compile(
    r"\b(?:some ?thing|any ?thing|a thing|the thing|the stuff|whatever(?: it is| that is)?|what(?: it is)?"
    r"|the one|one)"
    r"(?: that| which)?(?: (?:we|you|i|one|people) (?:can |could |may |use to |use for )?(?!need|want|like"
    r"|mean|have|had|see|saw|got|put|left)| (?:for|to|is for|are for) )(?P<what>[^.,;!?]+)"
)


def for_what(text: str) -> str:
    """ "something to ..." with what it is for, as a phrase; "" where nothing is said of that."""
    match = _FOR.search(text)
    return f"thing used to {match['what'].strip()}" if match else ""
