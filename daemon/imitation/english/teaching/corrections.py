"""Corrections: sentences that reject what was done, say what to do instead, or ask to remember it. Pure text."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from daemon.transcript import PARTS

REMEMBER = "remember that for next time"
"""What a teaching sentence comes down to, for any brain that knows how to remember."""
POLITE = (
    r"(?:\W*\b(?:thanks|thank you|good|great|fine|ok|okay|well|please|yes|but|and|so|can you|could you|"
    r"would you|will you)\b\W*)*"
)
REJECTION = re.compile(
    r"^\W*(?:(?:oh|sorry|hey|hm+|well|actually|wait|stop)\b\W*)*"
    r"(?:(?:no|nope)\b(?!\W+(?:problem|thank|worries|need|now it is))(?:\W+no\b)*"
    r"|wrong(?: \w+)?|incorrect|not (?:there|here|that(?: one)?|like (?:that|this)|so|(?:to|on|in|at|for) "
    r"(?:me|us|that|this|there)\b)"
    r"|(?:that|this|it)(?:'s| is| was) (?:wrong|not (?:right|it|what i (?:meant|said|wanted|asked for))|(?:not "
    r")?the wrong (?:\w+)|a mistake)"
    r"|(?:don't|do not) (?:just|only) [^,.;!]*|you (?:got|understood|misunderstood) (?:me|that|it)(?: wrong)?"
    r"|i (?:did ?n't|did not) (?:mean|want|say|ask for) (?:that|it|this)(?: one)?)(?=\W|$)[\s,.!;:-]*",
    re.IGNORECASE,
)
_MEMORY = (
    r"(?:remember(?: (?:it|that|this))?|learn(?: (?:it|that|this))?|memori[sz]e (?:it|that|this)|(?:keep|bear) "
    r"(?:it |that |this )?in mind"
    r"|make (?:it|that|this) (?:a|your) (?:habit|rule)|make a (?:mental )?note(?: of (?:it|that|this))?|note "
    r"(?:that|this|it)(?: down)?"
    r"|(?:don't|do not|never) forget (?:it|that|this)|take (?:note|that to heart)|stick to (?:it|that|this)|"
    r"save (?:it|that|this)"
    r"|never (?:ever )?(?:do|make) (?:that|this|it)(?: mistake)?(?: again)?|(?:do not|don't) (?:ever )?do "
    r"(?:that|this|it) again"
    r"|always|next time|from now on|(?:in|for) (?:the |all )?future|every time|each time|as a rule)"
)
_AROUND = (
    r"(?:and|but|please|also|well|ok|okay|so|do|it|this|that|like|way|the same|for|next time|the|future|"
    r"again|too|always|then|be|should)"
)
AND_REMEMBER = re.compile(
    rf"(?:^|[,.;!]|\band\b|\bbut\b){POLITE}(?:\W*\b{_AROUND}\b)*\W*\b{_MEMORY}\b(?:\W*\b(?:{_MEMORY}|{_AROUND})\b)*"
    r"(?: for (?:the |my |all )?\w+(?: \w+)?| when(?:ever)? i .*)?\W*$",
    re.IGNORECASE,
)
"""A request, and that it is to be remembered: "..., and keep that in mind"."""
TEACHING = re.compile(
    r"\b(next time|always|from now on|from today|never|remember|learn|memori[sz]e|without (me |being )?(having "
    r"to ask|asked|asking)|"
    r"(in|for) (the |all )?future|(i|we) mean|forget|undo|(every|each) time|whenever|you forgot|(keep|bear) "
    r"(it |that |this )?in mind|"
    r"(a|your) habit|make a (mental )?note|(don't|do not) (ever )?do (that|it|this) again|as a rule)\b",
    re.IGNORECASE,
)
ASKED = (
    r"(?:when(?:ever)?|if|(?:each|every|any) ?time) (?:i|we|you|somebody|someone|anyone|anybody|a guest|guests)"
    r"(?:'m| am| are|'d| would)?(?: want| need| like| (?:ask|order|request|call|say|tell)(?:s|ing)?)"
)
"""What is to be done about requests of a kind is said for the next time."""
CUE = (
    r"(?:always|from now on|(?:in|for) (?:the )?future|next time|remember(?: to| that)?|every time|generally|as a rule)"
)
CUED = re.compile(rf"\b(?:{CUE}|{ASKED})\b", re.IGNORECASE)
"""An order in any other sentence is for now."""
POINTS_AT_A_LESSON = re.compile(
    rf"\b(?:from now on|{ASKED}|from today"
    r"|next time|remember (?:that|this|it|to)|memori[sz]e|learn (?:that|this|it|to)|(?:keep|"
    r"bear) (?:it |that |this )?in mind"
    r"|(?:a|your) habit|make a (?:mental )?note|(?:in|for) (?:the |all )?future|(?:every|each) time|whenever|"
    r"without (?:me |being )?(?:having to ask|asked|asking))\b",
    re.IGNORECASE,
)
"""What is not understood as a lesson, but meant as one: better asked about than done."""
BARE_PLACE = re.compile(r"^(on|in|into|onto|to|at|under|next to|behind|beside)\b", re.IGNORECASE)

QUESTION = re.compile(
    r"^\W*(where|what|which|who|when|why|how|is|are|was|were|do (?:you|we|i|they)|does|did|have you|has)\b",
    re.IGNORECASE,
)
_AS_REQUEST = re.compile(
    r"^(?:(?:i|we) (?:said|meant|mean|wanted|want)(?: it)?(?: to (?:be|go|lie|stand))?|(?:it|that|this|they|"
    r"those) (?:(?:should|must|has to|have to|ought to|is to|needs? to|"
    r"was (?:supposed|meant) to|is (?:supposed|meant) to) )?(?:have )?(?:go(?:es)?|gone|belongs?|be|been(?: "
    r"put)?|be put|be placed|lie|stand|come|live))\s+"
    r"(?=(?:on|in|into|onto|to|at|under|next to|behind|beside)\b)",
    re.IGNORECASE,
)
"""Before a place: "it should lie on the bench" asks to put it on the bench."""
_SEVERAL = re.compile(r"\b(?:places|locations|rooms|spots|stations|tables|shelves|things|objects)\b", re.IGNORECASE)
_EACH_ONE = re.compile(r"\b(?:each (?:one|of them)|(?:all|every one) of them|every one|them all)\b", re.IGNORECASE)
_NOT_BUT = re.compile(r"^not (?:(?:to|on|in|at|into|onto) )?(?:the|this|that) [\w -]+?[,;]\s*(?:but )?", re.IGNORECASE)
_IMPERATIVE = re.compile(r"^\W*(?:\w+\W+)?(?:don't|do not) (?:just|only)", re.IGNORECASE)


@dataclass(frozen=True)
class Correction:
    """What a correcting sentence asks for."""

    instruction: str
    """What to do now, in the person's words; empty where nothing is to be done now."""
    remember: bool
    """Whether it asks to learn from it."""

    def meaning(self, last_thing: str, last_said: str = "", is_place: Callable[[str], bool] = lambda _: False) -> str:
        """Return it as requests; a bare place is where the last thing should be, "each one" is what was asked about."""
        now = _AS_REQUEST.sub("", self.instruction)
        if is_place(now):
            now = f"on {now}"
        if several := _SEVERAL.search(last_said):
            now = _EACH_ONE.sub(f"each of the {several[0]}", now)
        if BARE_PLACE.match(now) and last_thing:
            now = f"put the {last_thing} {now}"
        return PARTS.join(part for part in (now, REMEMBER if self.remember else "") if part)


def read_correction(text: str) -> Correction | None:
    """Read a rejection with what to do instead, or a request with "and remember that"; None for any other sentence."""
    rejection = REJECTION.match(text)
    rest = text[rejection.end() :] if rejection else text
    tail = AND_REMEMBER.search(rest)
    instruction = (rest[: tail.start()] if tail else rest).strip(" ,.;!?")
    instruction = re.sub(rf"^{POLITE}|{POLITE}$", "", instruction, flags=re.IGNORECASE)
    if apart := _NOT_BUT.match(instruction):
        rejection, instruction = apart, instruction[apart.end() :]
    if QUESTION.search(text):
        return None
    if tail and (rejection or TEACHING.search(tail[0])):
        return Correction(instruction, remember=True)
    if rejection and (len(instruction.split()) < 5 and instruction.lower().startswith("the ")):
        return Correction(instruction, remember=False)
    if rejection and (BARE_PLACE.match(_AS_REQUEST.sub("", instruction)) or _IMPERATIVE.match(rejection[0])):
        return Correction(instruction, remember=False)
    return None
