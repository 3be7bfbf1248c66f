"""What a person says when one thing shall come along with another, or shall not: forms of speech over tokens.

The forms are told by their small words ("with", "without", "whenever", "forgot"), never by what they are about.
"""

import re

from daemon.imitation.english.noun_phrases import Masked
from daemon.imitation.english.teaching.corrections import ASKED
from daemon.memory.effects import Alone, Also, Choice, Effect, Together
from daemon.memory.prohibitions import Never, OnlyWhenAsked
from daemon.names import mention

_WITHIN = r"[^.;!?]*?"
_ELSE = r"(?:anything|something|things|stuff|nothing)(?: else)?"
_NEVER = r"(?:don't|do not|never|must not|mustn't|shouldn't|should not|not to)(?: ever)?"
_CARRY = r"(?:carry|bring|take|transport|hold|put|combine|mix|have)"
_ALONE = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_NEVER} {_CARRY} {_ELSE} (?:along |together |in the other hand )*with (?P<thing>[TC]\d+)\b",
        rf"\b{_NEVER} {_CARRY} (?P<thing>[TC]\d+) (?:along |together )*with {_ELSE}",
        r"\b(?:carry|bring|take|transport) (?P<thing>[TC]\d+) (?:alone|separately|singly|one by one|one at a time|"
        r"by (?:itself|themselves)|on (?:its|their) own|in (?:its|their) own trip)\b",
        r"\b(?:when(?:ever)?|if|every time) you(?:'re| are)? (?:carry|bring|tak|transport|hold)(?:ing|e)? "
        r"(?P<thing>[TC]\d+)\b.*\b(?:nothing else|anything else|go twice|two trips|alone|separately|on its own|"
        r"by itself|empty hand)\b",
        r"(?P<thing>[TC]\d+) (?:is |are |be |should |must |has to |have to |needs to |always |only )*(?:carried|"
        r"brought|transported|travels?|comes?) (?:always )?(?:alone|separately|on (?:its|their) own|by "
        r"(?:itself|themselves)|one at a time)\b",
    )
)
_X = r"(?P<when>[TCH]\d+)\b"
_B = r"(?P<bring>T\d+)\b"
_BRING = (
    r"(?:bring|brought|serve|served|fetch|get|give|hand|put|take|pass|add|include|provide|offer|carry|"
    r"deliver|forget|find|have)"
)
_CONDITION = (
    r"(?:when(?:ever)?|if|every time|each time|any ?time|next time|as soon as|with|for|having|beside|alongside)"
)
_WHEN = r"(?:when(?:ever)?|if|every time|each time)"
_OFTEN = r"(?:always |also |should |must |has to |have to |needs to |rather |will |would |do |only |usually )*"
_STATED = (
    rf"\b(?:never|not|no|\w+n't)\b{_WITHIN}{_X}{_WITHIN}\bwithout (?:also )?{_B}",
    rf"{_B} {_OFTEN}(?:goes?|belongs?|comes? along) (?:along )?(?:with|to) {_X}",
    rf"{_X} {_OFTEN}(?:is|are|be|comes?|gets?) {_OFTEN}"
    rf"(?:served |eaten |drunk |brought |given |used )?(?:together |along )?with {_B}",
    rf"{_X} (?:always |also )+(?:needs?|requires?|calls? for|wants?|gets?) {_B}",
    rf"{_X} without {_B} (?:is|makes|does|has|tastes)\b",
    rf"^\W*(?:i|we) (?:usually |always |normally |generally |mostly )?(?:like|love|prefer|take|drink|eat|have) {_X} "
    rf"with (?:(?:a (?:bit|drop|dash|slice|splash|little)|some|plenty)(?: of)? )?{_B}(?: in| on)?(?: it)?\W*$",
    rf"^\W*i always take {_X} (?:in|from|out of|with) {_B}\W*$",
    rf"{_X}(?:'s| is| are|'re| does| do|n't|\b){_WITHIN}\b(?:no|not|nothing|useless|pointless|hopeless|awful|\w+n't)\b"
    rf"{_WITHIN}\bwithout (?:also )?{_B}",
)
"""Said like this it is a lesson without any word such as "always"."""
_EITHER = (
    rf"\b(?:i|we)(?:'d| would)? {_OFTEN}(?:need|want|like|use|prefer|take|have|drink|eat) {_B} (?:together |"
    rf"along )?with {_X}",
    rf"\b{_BRING}\b (?:me |us )?(?:both )?{_B} (?:together |along )?with {_X}",
)
"""Said like this, either may be the one that is asked for."""
_CUED = (
    rf"\b(?:i|we)(?:'d| would)? {_OFTEN}(?:need|want|like|use|prefer|take|have|drink|eat) "
    rf"{_B}{_WITHIN}\b(?:{_WHEN}|for|with)\b"
    rf"{_WITHIN}{_X}",
    rf"\b{_BRING}\b{_WITHIN}{_B}{_WITHIN}\b{_CONDITION}\b{_WITHIN}{_X}",
    rf"{_B} (?:is |are )?(?:missing|lacking|not there){_WITHIN}\b{_CONDITION}\b{_WITHIN}{_X}",
    rf"\b(?:no|there (?:is|are|should be|must be)(?: always| also)?) {_B}{_WITHIN}\b{_CONDITION}\b{_WITHIN}{_X}",
    rf"\b{_CONDITION}\b{_WITHIN}{_X}{_WITHIN}{_B}",
)
_CUE = re.compile(
    r"\b(next time|always|from now on|from today|never|remember|learn|memori[sz]e|whenever|(?:every|each|any) ?time|"
    r"habit|(?:in|for) (?:the )?future|keep in mind|bear in mind|forget|forgot|when (?:i|we|you|someone|there)|"
    r"if (?:i|we|you|someone|somebody|anyone|people) \w+|should also|should have|as a rule|by default|"
    rf"automatically|unasked|{ASKED}|"
    r"without (?:me |being |having )*ask\w*)\b",
    re.IGNORECASE,
)
AT_ONCE = re.compile(
    r"\b(at once|at the same time|together|both|two hands|both hands|one trip|one go|single trip)\b", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(at once|at the same time|both|two hands|both hands|(?:one|a single) (?:trip|go))\b", re.IGNORECASE
)
"""The same where "together with" only says what comes along."""
_MISSING = re.compile(
    r"\b(?:no|forgot|forget(?! (?:it|that)\b)|missing|without|lacks?|where is|also|too|as well|along)\b", re.IGNORECASE
)
_ASKED = r"(?:ask|say|request|tell you|call for)"
_NEVER_BRING = (
    rf"\b(?:never|no longer|stop)\b{_WITHIN}\b(?:bring\w*|giv\w+|fetch\w*|get\w*|serv\w+|hand\w*|want|need|add\w*)\b"
    rf"{_WITHIN}{_B}",
    rf"\b(?:not|\w+n't)\b{_WITHIN}\b(?:bring|give|fetch|get|serve|hand|want|need|add)\b{_WITHIN}{_B}{_WITHIN}"
    r"\b(?:again|any ?more|any longer|unless|unasked|in (?:the )?future|from now on|every time|all the time|always)\b",
    rf"\bonly\b{_WITHIN}\b(?:{_BRING}|want|need|like)\b{_WITHIN}{_B}{_WITHIN}\b(?:when|if|unless)\b{_WITHIN}\b{_ASKED}",
    rf"\b{_BRING}\b{_WITHIN}{_B}{_WITHIN}\b(?:only (?:when|if)|unless)\b{_WITHIN}\b{_ASKED}",
    rf"\bno more {_B} (?:with|for)\b",
    rf"{_B} (?:(?:must|may|should|can|is|are|has|have)\b ?)?(?:never|not|n't)\b{_WITHIN}\b(?:handed|given|"
    r"brought|fetched|passed|served|"
    r"delivered|lent|go to)\b",
    rf"\b(?:nobody|no one|not a soul)\b (?:ever )?(?:gets|is to (?:get|have)|may (?:get|have)|is allowed|has|"
    rf"takes) {_B}",
    rf"\bno {_B}{_WITHIN}\b(?:unless|until|except when)\b{_WITHIN}\b{_ASKED}",
    rf"\b(?:do not|don't) (?:you )?ever (?:{_BRING})\b{_WITHIN}{_B}",
)
_ONE_TRIP = (
    r"(?:together|at once|at the same time|in one (?:go|trip|run)|in a single (?:trip|go|run)|with one trip|"
    r"in both hands|one in each hand)"
)
_PAIR = r"(?P<one>T\d+) (?:and|plus|with) (?:also )?(?P<other>T\d+)"
_BOTH = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:bring|carry|fetch|get|take|hand|deliver)\b(?: me| us| over)? {_PAIR} (?:over |here |to me |along )*"
        rf"{_ONE_TRIP}",
        rf"\b(?:bring|carry|fetch|get|take) (?:me |us )?both,? {_PAIR},? {_ONE_TRIP}",
        rf"\b(?:when(?:ever)?|if|every time) (?:i|we) (?:want|need|ask(?: you)? for|would like|say|order) "
        rf"(?:both )?{_PAIR}\b{_WITHIN}\b{_ONE_TRIP}",
        rf"{_PAIR} (?:always |should |must |have to |ought to )*(?:come|go|travel|belong|be brought|are brought)\b"
        rf"{_WITHIN}\b{_ONE_TRIP}",
    )
)
"""Both are named, and nothing is said to come along unasked."""
NO_MATTER = re.compile(
    r"\b(?:no matter|whatever i say|even (?:if|when) (?:i|we|somebody|anybody)|under no circumstances|not even|"
    r"who(?:so)?ever (?:asks|tells|says|wants)|not to me|me included|myself included|(?:by|for|to) (?:anybody|"
    r"anyone|no ?body|no one))\b",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(r"(?:\bnever|\bnot ever|n't (?:you )?ever)\b", re.IGNORECASE)
_UNLESS = re.compile(r"\b(?:unless|only|unasked|without (?:me |being )?ask\w*)\b", re.IGNORECASE)
_PUT_THERE = re.compile(
    r"\byou (?:\w+ )?(?:put|lay|place|set|leave|stand) [TC]\d+ (?:on|onto|in|into|"
    r"at) P\d+",
    re.IGNORECASE,
)
_ACCESSORIES = frozenset(["dishes", "cutlery", "cup", "tool", "cleaning tool", "tableware"])
"""What comes along with other things rather than the other way round, where a sentence leaves that open."""


def read_alone(said: Masked) -> Effect | None:
    """ "Don't carry anything else with a liquid": what shares no trip with anything."""
    match = next((match for form in _ALONE if (match := form.search(said.text))), None)
    if match is None or not _CUE.search(said.text):
        return None
    scope, _ = said.scope(match["thing"])
    return Alone(scope)


def read_along(said: Masked, last: str, asked_for: str) -> Effect | None:
    """Read that something comes along with something else, never unasked, or never at all.

    `last` is the token of what came last, `asked_for` the request before: who asked for the very thing means never.
    """
    for form in _STATED:
        if match := re.search(form, said.text, re.IGNORECASE):
            return _also(said, match["when"], match["bring"])
    for form in _NEVER_BRING:
        if match := re.search(form, said.text, re.IGNORECASE):
            thing = said.thing(match["bring"])
            at_all = NO_MATTER.search(said.text) or (_ABSOLUTE.search(said.text) and mention(thing, asked_for))
            return Never(thing) if at_all and not _UNLESS.search(said.text) else OnlyWhenAsked(thing)
    if not _CUE.search(said.text):
        return None
    for form in _EITHER:
        match = re.search(form, said.text, re.IGNORECASE)
        if match and match["when"] != match["bring"]:
            when, bring = match["when"], match["bring"]
            swapped = _is_accessory(said, when) and not _is_accessory(said, bring) and when[0] == "T"
            return _also(said, bring, when) if swapped else _also(said, when, bring)
    if _PUT_THERE.search(said.text):
        return None  # what is put somewhere does not come along
    for form in _CUED:
        match = re.search(form, said.text, re.IGNORECASE)
        if match and match["when"] != match["bring"]:
            return _also(said, match["when"], match["bring"])
    things = [token for token in dict.fromkeys(said.tokens) if token[0] == "T" and token != last]
    if last and len(things) == 1 and _MISSING.search(said.text) and not _by_place(said):
        return _also(said, last, things[0])
    return None


def _also(said: Masked, when: str, bring: str) -> Effect | None:
    wider = (token for token in said.tokens if token[0] == "C" and token != bring)
    whole_class = (c for c in wider if said.references[int(c[1:])].category == said.category(when))
    scope, example = said.scope(next(whole_class, when))  # "with it, and so for all drinks"
    thing = said.thing(bring)
    if scope.object_class and scope.object_class == said.category(bring):  # tea comes with no drink: it is the drink
        return Choice(scope.object_class, thing)
    return Also(scope, thing, bool(_TOGETHER.search(said.text)), example) if thing and scope.object != thing else None


def read_together(said: Masked) -> Effect | None:
    """Read that two things that are asked for together come in one trip."""
    match = next((match for form in _BOTH if (match := form.search(said.text))), None)
    one, other = (said.thing(match["one"]), said.thing(match["other"])) if match else ("", "")
    return Together(one, other) if one and other and one != other else None


def _by_place(said: Masked) -> bool:
    return any(token[0] == "P" for token in said.tokens)


def _is_accessory(said: Masked, token: str) -> bool:
    reference = said.references[int(token[1:])]
    return reference.category in _ACCESSORIES or any(thing.category in _ACCESSORIES for thing in reference.things)
