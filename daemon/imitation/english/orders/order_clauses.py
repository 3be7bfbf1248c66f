"""Which of the clauses that somebody says is the order, and what is only said beside it. Pure text.

People wrap an order: "It's stuffy. Open the window, dear, I'm melting." What tells why, addresses somebody or fills a
pause is left out; what tells more of a thing stays; what speaks of a thing as "it" is given the thing's words. A clause
that says when or whether, and one that forbids something, are never left out: then everything stays as it was said.
"""

import re
from collections.abc import Sequence

from daemon.imitation.english.clauses import is_idle, polite, tells
from daemon.imitation.english.orders.verbs import BRINGS_ABOUT, SAID, read_verb


def the_order(text: str) -> str:
    """The clause that asks for something, in one: "the jar over there, pick it up please" is "pick up the jar"."""
    pieces = _JOINT.split(condition_last(text))
    clauses, joints = [without_wrapping(clause) for clause in pieces[::2]], pieces[1::2]
    first = next((index for index, clause in enumerate(clauses) if asks(clause)), None)
    if first is None:
        return _wished_for(" ".join([clauses[0], *_told_more(clauses, joints, 0)])) if clauses else text
    if any(_BINDING.match(clause) for clause in clauses[:first]):
        return without_wrapping(text)
    order = "".join([clauses[first], *_told_more(clauses, joints, first)])
    return _one_clause(_named_in(order, clauses[:first]))


def condition_last(text: str) -> str:
    """Put the condition last: "If nothing is in the bucket, pick it up" is "pick up the bucket if nothing is in it"."""
    match = _FRONTED.match(text)
    if match is None:
        return text
    order, condition = without_wrapping(match["order"]), match["condition"]
    pronoun, named = _PRONOUN.match(order), _LAST_NAMED.search(condition)
    if pronoun and named:
        thing = named["thing"] or named["subject"]
        order = f"{pronoun['verb']} {thing}{pronoun['rest']}"
    return f"{order} {condition}{match['more']}" if read_verb(order) else text


def asks(clause: str) -> bool:
    """Return whether a clause asks for something: by a verb, by what somebody needs, or by where a thing belongs."""
    forms = (_NEEDS, _BELONGS, _SEES_TO)
    return not is_idle(clause) and bool(read_verb(clause) or any(form.match(clause) for form in forms))


def without_wrapping(clause: str) -> str:
    """Leave out politeness, and why and how much: "lift the lid a bit so that I see the soup"."""
    shorter = ""
    while shorter != clause:
        shorter, clause = clause, _POLITE.sub("", _REASON.sub("", polite(clause))).strip(" ,.?!")
    return clause


def _told_more(clauses: Sequence[str], joints: Sequence[str], first: int) -> list[str]:
    """Return what follows the clause and belongs to it, each with what joins it; everything, once another order
    follows.
    """
    kept: list[str] = []
    for index in range(first + 1, len(clauses)):
        clause, joint = clauses[index], joints[index - 1]
        if asks(clause):
            rest = zip(joints[index - 1 :], clauses[index:], strict=True)
            return [*kept, *(f"{joint}{clause}" for joint, clause in rest)]
        if _IT_IS.match(clause):
            kept.append(_IT_IS.sub(" that is ", clause))
        elif one := _THE_ONE.match(clause):
            kept.append(f", {one['one']}")
        elif clause and (_TELLS_MORE.match(clause) or not _is_beside_the_point(clause)):
            kept.append(f"{joint}{clause}")
    return kept


def _is_beside_the_point(clause: str) -> bool:
    return is_idle(clause) or tells(clause) or bool(_REASON.match(f" {clause}"))


def _named_in(order: str, before: Sequence[str]) -> str:
    """The order with the thing that was named before in the place of "it"."""
    match = _PRONOUN.match(order)
    found = [_THERE_IS.match(clause) or _NAMED.search(clause) for clause in before]
    named = [_IS.sub(" that is ", one[one.lastgroup or 0], count=1) for one in found if one]
    return f"{match['verb']} {named[-1]}{match['rest']}" if match and named else order


def _one_clause(text: str) -> str:
    """A thing that one clause names and the next speaks of as "it", in one: "take the cup and put it there"."""
    if match := _BELONGS.match(text):
        return f"put {match['thing']} {match['where']}"
    if match := _SEES_TO.match(text):
        return f"{SAID[BRINGS_ABOUT[match['state'].lower()]]} {match['thing']}"
    if match := _NEEDS.match(text):
        thing = match["thing"]
        return without_wrapping(f"{match['verb']} {thing} {match['rest']}") if match["verb"] else f"bring {thing}"
    match = _IT.match(text)
    named = _NAMED.search(match["first"]) if match else None
    if match and named and read_verb(f"{match['verb']} it"):
        return f"{match['verb']} {named[0]} {match['rest']}"
    return text


def _wished_for(text: str) -> str:
    """A thing that is only named is asked for: "the small wrench, please"."""
    return f"bring {text}" if _THING.match(text) and not tells(text) and not _PREDICATE.search(text) else text


_JOINT = re.compile(
    r"(\s*(?:[.!?;:]+(?=\s|$)|,|\s[-–—]+(?=\s)|—|…"
    r"|\s(?:but|so)(?=\s(?:please|(?:could|can|would|will) you|(?:i|we)(?:'d| need| want| would))\b))\s*)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:do you mind|would you mind|i(?: would|'d) (?:like|love) you to|i (?:want|need) you to|help me(?: to)?"
    r"|(?:go|come) and|try(?: and| to)|be a (?:dear|darling|sport|good \w+) and|mind)\s+"
    r"|^but\s+(?!not\b)|^before (?!you\b|it\b|that\b)[^,]+,\s+"
    r"|\s+and (?:hold on to|hold|keep) (?:it|them)(?: ready)?$"
    r"|\s+(?:a (?:little|tiny )?bit|a little|a moment|for a (?:moment|second|minute|bit)|as well|too|again|quickly"
    r"|slowly|carefully|gently|instead)$",
    re.IGNORECASE,
)
_SOMEBODY = (
    r"(?:the|a|an|my|our|your|this|that|these|those|i|we|you|he|she|it|they|there|some(?:body|one)|no(?:body| one))"
)
_REASON = re.compile(
    rf"\s+(?:(?:so(?: that)?|(?:be)?cause|'cause|since|before|in case|otherwise|or else)\s+{_SOMEBODY}\b(?:'\w+)?"
    r"(?= \w)|(?:because|on account) of\b).*$",
    re.IGNORECASE,
)
"""Why something is to be done, or how soon."""
WHEN = r"(?:only |even )?(?:if|when|whenever|once|after|until|unless|as soon as|as long as)\b"
"""Says when or whether."""
FORBIDS = r"(?:please )?(?:do not|don't|never|stop|no need|nobody)\b"
_BINDING = re.compile(rf"^(?:{WHEN}|(?:only |even )?(?:before|while)\b|{FORBIDS})", re.IGNORECASE)
_TELLS_MORE = re.compile(
    r"^(?:that|which|who|whose|where|i mean|not|but|only if|if|when|unless|as long)\b", re.IGNORECASE
)
_IT_IS = re.compile(
    r"^(?:it|they|that)(?:'s|'re| is| are| should be| must be)"
    r"\s+(?=(?:in|on|at|under|behind|beside|next|near|inside|between|above|below|beneath|to the|right)\b)",
    re.IGNORECASE,
)
_BELONGS = re.compile(
    r"^(?P<thing>(?:the|my|our|your|this|that|these|those|all)\b.+?)\s+(?:goes|go|belongs?|should go|ought to go"
    r"|must go|(?:has|have|needs?) to (?:go|be put)|(?:wants|needs) putting)(?: back)?\s+"
    r"(?P<where>(?:into|in|inside|onto|on|to|under|next to|beside|behind|back)\b.+)$",
    re.IGNORECASE,
)
"""Who says where a thing belongs wants it there."""
_FRONTED = re.compile(
    r"^(?P<condition>(?:if|as long as|provided(?: that)?|unless) (?!you\b|so\b|possible\b)[^,;:.!?]+),\s*(?:then )?"
    r"(?P<order>[^;:.!?]+)(?P<more>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_THERE_IS = re.compile(
    r"^there(?:'s| is| are| should be| must be| ought to be) (?P<thing>(?:only |just )?(?:one|a|an|some)\b.+)$", re.I
)
_LAST_NAMED = re.compile(
    r"\b(?:in|on|inside|under|into|onto) (?P<thing>(?:the|my|our|your|that|this) [a-z ]+)$"
    r"|^\w+(?: \w+)? (?P<subject>(?:the|my|our|your|that|this) [a-z ]+?) (?:is|are|has|contains|does|looks)\b",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"^(?:(?:i|we)(?:(?:'d| would) (?:really |just )?(?:like|love)|(?:'d| would)? (?:really |urgently |just )?"
    r"(?:need|want|could use|could do with))"
    r"|(?:can|could|may|might) (?:i|we) (?:please )?(?:have|get|borrow)) (?:to have )?(?!to\b|you\b)(?P<thing>.+?)"
    r"(?:(?:[,.;]| and) *(?:(?:can|could|would|will) you )?(?:please )?(?P<verb>[a-z]+(?: (?:up|over|down|on|off))?) "
    r"(?:it|them|one)\b(?P<rest>.*))?$",
    re.IGNORECASE,
)
"""Who needs a thing asks for it."""
_IT = re.compile(
    r"^(?P<first>[^,:;]+?)(?:[,:;]| and)+ (?:then )?(?P<verb>[a-z]+) (?:it|them)\b(?P<rest>.*)$", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"^(?P<verb>[a-z]+(?: (?:up|out|over|down|away|back|on|off))?) (?:it|them|(?:this|that|these|those)(?: ones?)?)"
    r"(?P<rest>$|\s+(?:up|out|over|down|away|back|on|off|in|into|inside|onto|to|under|next|beside|here|there)\b.*$)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:the|a|an|my|our|some|this|that|(?!(?:it|that|what|there|here|who|let|he|she)'s)\w+'s)\s.+$", re.IGNORECASE
)
_IS = re.compile(r"(?<!that)(?<!which)(?<!who)\s+(?:is|are)\s+(?=\w)", re.IGNORECASE)
_THE_ONE = re.compile(r"^(?:it|that)(?:'s| is) (?P<one>the one\b.+)$", re.IGNORECASE)
_SEES_TO = re.compile(
    r"^(?:make sure|see to it|ensure|check|i want)(?: that)? (?P<thing>.+?)(?: (?:is|are|gets?))?"
    r" (?:turned |switched )?(?P<state>on|off|open|closed|shut)$",
    re.IGNORECASE,
)
"""Who says how a thing is to be wants it made so."""
_THING = re.compile(r"^(?:(?:not )?the|my|our|a|an|some|that|those|one of|another)\s+\w", re.IGNORECASE)
_PREDICATE = re.compile(
    r"(?<!that)(?<!which)(?<!who)(?<!you)(?<!we)(?<! i) "
    r"(?:is|are|was|were|has|have|needs?|wants?|should|must|can|will)\b",
    re.IGNORECASE,
)
"""What makes of a thing a statement: it is not asked for then."""
