"""What is not to be done, never looser than it was said: "that saw you never touch, my grandfather gave it to me".

People forbid in more forms than anybody can list. Which things a text says no to is told by its words of negation
(polarity.py); what is forbidden about them, where its verbs are not known, is the strictest that it may be. It is
offered in plain words like every lesson, and who meant less says so.
"""

import re

from daemon.imitation.english.noun_phrases import Masked, masked
from daemon.imitation.english.polarity import denied
from daemon.imitation.english.teaching.companions import NO_MATTER
from daemon.memory.effects import Effect
from daemon.memory.prohibitions import KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.rules import Scope
from daemon.names import spoken
from skills.scene import Scene


def forbidden_in(text: str, scene: Scene) -> tuple[Effect, str] | None:
    """Return what a text says no to for good, and the person for whom alone, "" for all; None for no or several things.

    Where it says no to several, one may be what goes with the other: "anything but the milk with the tea".
    """
    if not _FOR_GOOD.search(text):
        return None
    said = masked(text, scene)
    tokens = [token for token in dict.fromkeys(said.tokens) if token[0] in "TC"]
    no = denied(said.text, tokens)
    return _strictest(said, no[0]) if len(no) == 1 else None


def _strictest(said: Masked, token: str) -> tuple[Effect, str]:
    """What may be meant about the thing of a token; of places and people, those in the same part of the sentence."""
    part = next(part for part in _PART.split(said.text) if re.search(rf"\b{token}\b", part))
    there = [said.references[int(place)].places[0] for place in re.findall(r"\bP(\d+)\b", part)]
    scope, _ = said.scope(token)
    words = scope.object or scope.object_class
    if person := _receiver(part, said.scene):
        return Never(words), person
    if (place := next((place.name for place in there), "")) and not _STAYS.search(part):
        return KeptOff(scope, spoken(place)), ""
    if _BRING.search(part) and not _UNTOUCHED.search(part):
        return Never(words), ""
    return Untouched(scope), ""


def read_untouched(said: Masked) -> Effect | None:
    """Return what is never taken hold of; None where a sentence tells nothing of that kind."""
    match = _UNTOUCHED.search(said.text)
    token = _token_of(said.text, match) if match else ""
    return Untouched(said.scope(token)[0]) if token else None


def _receiver(part: str, scene: Scene) -> str:
    """Return the person, other than who speaks, who is not to get what a part of a sentence tells of; "" for none."""
    people = [place.name for place in scene.locations if place.kind == "person" and place.name != "person"]
    return next((name for name in people if re.search(_RECEIVES.format(who=spoken(name)), part, re.IGNORECASE)), "")


def as_strict(effect: Effect, text: str) -> Effect:
    """Return a prohibition that is not looser than what was said.

    "Never touch the tea" is more than not to bring it, and "even if I ask for it" leaves nothing to ask for; "no more
    tea" says nothing of asking, either, unless it is about what comes along with something else.
    """
    if isinstance(effect, OnlyWhenAsked) and (NO_MATTER.search(text) or not _UNASKED.search(text)):
        effect = Never(effect.bring)
    if isinstance(effect, Never) and _UNTOUCHED.search(text):
        return Untouched(Scope(object=effect.thing))
    return effect


def _token_of(text: str, said: re.Match[str]) -> str:
    """The thing, or kind of things, next to the words that forbid to touch it; those behind them come first."""
    behind = re.match(r"(?:\W+\w+){0,3}?\W+([TC]\d+)\b", text[said.end() :])
    before = re.findall(r"\b[TC]\d+\b", text[: said.start()])
    return behind[1] if behind else before[-1] if before else ""


_NO = r"\b(?:(?:never|nobody|no ?one|dont|not)|\w+n't)\b"
_HOLD = (
    r"(?:touch(?:ed|es|ing)?|handl(?:e|ed|es)|meddled? with|fiddled? with|interfered? with|"
    r"(?:lay|put) (?:a|any|your|those|one) (?:\w+ )?(?:hands?|fingers?|grippers?|claws?|mitts?|paws?) (?:on|to))"
)
_LIFT = r"(?:lift(?:ed)?|move[ds]?|budged?|pick(?:ed)? up|disturb(?:ed)?|shift(?:ed)?)"
_UNTOUCHED = re.compile(
    rf"{_NO}(?: \w+){{0,3}}? {_HOLD}\b"
    rf"|\b(?:never|nobody|no ?one|not ever)\b(?: \w+){{0,3}}? {_LIFT}\b(?! P\d| to\b| onto\b)"
    rf"|\bnot (?:ever )?to be {_LIFT}\b"
    r"|\b(?:hands|fingers|paws|mitts|grippers|claws) off\b",
    re.IGNORECASE,
)
_UNASKED = re.compile(r"\b(?:unless|unasked|ask\w*|with|along|together)\b", re.IGNORECASE)
_RECEIVES = (
    r"\b(?:to|for|near|give|hand|bring|pass|show|let|get|fetch|serve) (?:(?:my|our|the|little|old) )*{who}\b(?!'s)"
    r"|\b{who} (?:\w+n't|\w+ not|\w+ never|never) (?:\w+ ){{0,2}}?(?:get|gets|have|has|given|be)\b"
)
_FOR_GOOD = re.compile(
    r"\b(?:never(?! mind)|ever|again|any ?more|no more|always|nobody|no ?one|from now on|even (?:if|when|though)|"
    r"no matter|under no circumstances|whatever (?:i|anybody|anyone) (?:say|ask|tell)s?|not to be|(?:must|may) ?n[o']t|"
    r"not allowed|forbidden|off limits|hands off|in (?:the )?future|allergic)\b",
    re.IGNORECASE,
)
"""Said of more than this once."""
_PART = re.compile(r"[.;:!?]|\b(?:because|since|so)\b", re.IGNORECASE)
_STAYS = re.compile(r"\b(?:stay|stays|keep|keeps|kept|remains?|leave|left|belongs?|lives?)\b", re.IGNORECASE)
"""Then the place that is named is the one where the thing shall be."""
_BRING = re.compile(
    r"\b(?:bring|brought|give|given|hand(?:ed)?|get|fetch(?:ed)?|serve[ds]?|pass(?:ed)?|want|have|eat|drink)\b",
    re.IGNORECASE,
)
