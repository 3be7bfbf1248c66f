"""What kind of correction a sentence is, and what it asks for now (after DROC: Zha et al. 2024, sec. IV).

Pure text. A correction is about the plan (what to do, with what, where) or about a skill (how far, how fast, how to
hold); it refers to the last motion, to the task as it was begun, to a failure, or to nothing that happened before.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    PLAN = "plan"
    """A constraint, a preference, another thing or place: the plan changes."""
    SKILL = "skill"
    """A number of one motion: the plan stays."""


class Refers(Enum):
    """To what, of all that happened before, a correction refers."""

    LAST = "last"
    """The last motion: "a bit more"."""
    INITIAL = "initial"
    """The task as it was begun: "carry on as planned"."""
    FAILURE = "failure"
    """What went wrong, so that it begins anew: "you dropped it"."""
    NONE = "none"
    """Nothing: "three centimetres up" means the same at any time."""


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

_FAILED = re.compile(
    r"\b(start (all )?over|start again|try (it |that )?again|dropped|drop(s)? it|missed|slipped|fell|failed|"
    r"broke|spilled|"
    r"from the (beginning|start)|once more|one more time|did ?n[o']t work|lost it|knocked)\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\b(more|less|again|further|farther|still|other way|other direction|opposite|undo|go back|keep|too \w+|"
    r"not (so|that|quite|far|enough)|"
    r"enough|same|another (bit|inch|centimet\w+)|half|twice|almost|nearly|a touch|overshot|reverse|back to where)\b",
    re.IGNORECASE,
)
_INITIAL = re.compile(
    r"\b(continue|carry on|go on|go ahead|resume|proceed|as planned|finish|original|now you can|you can now|"
    r"do the rest|"
    r"get on with|complete the|(grab|grasp|take|pick|pull|push|open|close|place|release|drop|let go of|put) (it|"
    r"that|them)?( \w+)? ?now|"
    r"now (grab|grasp|take|pick|pull|push|open|close|place|release|let)|back to the (task|plan|job))\b",
    re.IGNORECASE,
)
_SKILL = re.compile(
    r"\b(bit|little|slightly|more|less|further|farther|higher|lower|closer|left|right|up|upwards?|down|"
    r"downwards?|forwards?|"
    r"backwards?|sideways|tilt|rotate|turn (the|your) (gripper|hand|wrist)|gripper|wrist|centimet\w+|"
    r"millimet\w+|inch(es)?|cm|mm|degrees?|"
    r"slower|faster|harder|softer|gently|firm\w*|too (far|near|close|high|low|fast|slow|hard|deep|short|much|"
    r"wide|tight)|keep going|other way|"
    r"undo|stop there|half|twice|raise|align|angle)\b",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(instead|should|must|have to|need to|first|before|after|always|never|prefer|like|want|belongs?|goes|"
    r"is (full|broken|empty)|"
    r"only (have|has)|the (top|bottom|upper|lower|left|right|other|white|gray|grey|black) (drawer|shelf|rack|"
    r"one|door|box|cabinet))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Correction:
    """What a correcting sentence asks for."""

    instruction: str
    """What to do now, in the person's words; empty where nothing is to be done now."""
    remember: bool
    """Whether it asks to learn from it."""

    def meaning(self, last_thing: str, last_said: str = "", is_place: Callable[[str], bool] = lambda _: False) -> str:
        """As requests; a bare place is where the last thing should be, "each one" one of what was asked about."""
        now = _AS_REQUEST.sub("", self.instruction)
        if is_place(now):
            now = f"on {now}"
        if several := _SEVERAL.search(last_said):
            now = _EACH_ONE.sub(f"each of the {several[0]}", now)
        if BARE_PLACE.match(now) and last_thing:
            now = f"put the {last_thing} {now}"
        return "; ".join(part for part in (now, REMEMBER if self.remember else "") if part)


def read_correction(text: str) -> Correction | None:
    """A rejection with what to do instead, or a request with "and remember that": None for all other sentences."""
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


def level_of(text: str) -> Level:
    """Whether a correction changes the plan or one motion."""
    if _PLAN.search(text):
        return Level.PLAN
    return Level.SKILL if _SKILL.search(text) or refers_to(text) in (Refers.LAST, Refers.INITIAL) else Level.PLAN


def refers_to(text: str) -> Refers:
    """To what it refers; the clearest words decide."""
    if _FAILED.search(text):
        return Refers.FAILURE
    if _INITIAL.search(text):
        return Refers.INITIAL
    return Refers.LAST if _LAST.search(text) else Refers.NONE
