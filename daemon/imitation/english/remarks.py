"""What is said around a lesson and is none: reasons, remarks, and words that only call for attention. Pure text."""

import re

REASON = re.compile(
    r"\b(?:because|since|'?cause|cuz|cos|coz|otherwise|so that|or else|as (?:i|we|they|he|she|it)\b)[^,.;!?]*",
    re.IGNORECASE,
)
"""Why: nothing in it is an order, and no time in it is one at which something is to hold."""


def without_asides(sentence: str) -> str:
    """The same sentence with nothing before or after what it says."""
    before, bare = "", REASON.sub("", sentence)
    while before != bare:
        before, bare = bare, _AFTER.sub("", _BEFORE.sub("", bare.strip(" ,;:.!-"))).strip(" ,;:.!-")
    return " ".join(bare.split())


_HOUSE = r"(?:in|at|around|round) (?:this|our|my) (?:\w+ \w+(?=,)|\w+)"
_BEFORE = re.compile(
    rf"^(?:by the way|btw|(?:just )?(?:so (?:that )?)?(?:you(?:'ll| will| should| ought to| have to| need to| must)?"
    rf" (?:know|understand|see|note)|fyi)(?: that)?|(?:the|here's the|here is the) (?:thing|deal|rule|point)"
    rf"(?: is(?: this| that)?)?|listen(?: up)?|look|mind(?: you)?|{_HOUSE}|(?:around|round) here|with us"
    r"|(?:so |and |but |well |oh |ok |okay |right |now |actually |anyway |also |hm+ |please |no(?=,))+"
    r"|(?:get|put|write) (?:this|that) (?:in|into|down|behind)[^:,]*(?=[:,])|for the record|(?:it|that)(?:'d|"
    r" would) be (?:so |very |really |more )*(?:nice|good|great|lovely|kind|helpful|better) if"
    r"|(?:i|we)(?:'d| would) (?:be (?:glad|happy|grateful)|appreciate it|like it|love it|prefer it) if"
    r"|(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|never forget|learn)(?: this| that)?(?=[:, ])"
    r"|(?:for|in) (?:the |all )?future|from (?:now|today|here|this day) on(?:wards?)?|from (?:now|"
    r"today)(?: \w+){0,2}(?=:)"
    r"|(?:as a|the|it's a|my|our|house|standing|general) rule(?: is)?(?: that)?|(?:i|we) (?:told|tell|asked) you"
    r"(?: before)?(?: that)?)(?:\s*[,:;–-]\s*|\s+|$)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,;:–-]+(?:(?:do )?you (?:remember|hear|understand|got|get) (?:this|that|me|it)|(?:please )?(?:remember|"
    r"note|learn"
    r"|keep in mind|bear in mind|don't forget)(?: this| that| it)?|yes|right|okay|ok|got it|understood|please|"
    r"thanks|thank you"
    r"|alright|all right|will you|would you|won't you|every (?:single )?(?:time|day)|each time|always|from now on"
    r"|in (?:the )?future|if you (?:don't mind|please)|no matter what|as a rule)\W*$",
    re.IGNORECASE,
)
