"""What kind of correction a sentence is, and what it asks for now (after DROC: Zha et al. 2024, sec. IV).

Pure text. A correction is about the plan (what to do, with what, where) or about a skill (how far, how fast, how to
hold); it refers to the last motion, to the task as it was begun, to a failure, or to nothing that happened before.
"""

import re
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
    r"^\W*(?:no|nope|wrong|not (?:there|that(?: one)?|like that|so)|that(?:'s| is| was) (?:wrong|not right|not it)"
    r"|incorrect)\b[\s,.!;:]*",
    re.IGNORECASE,
)
AND_REMEMBER = re.compile(
    rf"(?:^|[,.;!]|\band\b|\bbut\b){POLITE}(?:never (?:ever )?(?:do|make) (?:that|this|it)(?: mistake)?(?: again)?"
    r"|do(?:n't| not) (?:ever )?do (?:that|this|it) again"
    r"|(?:remember|learn|memorize|keep) (?:that|this|it)(?: in mind)?(?: for (?:the )?(?:next time|future))?"
    r"|(?:do (?:it|that) )?(?:like (?:that|this) )?(?:always|next time|from now on|in (?:the )?future))\W*$",
    re.IGNORECASE,
)
TEACHING = re.compile(
    r"\b(next time|always|from now on|never|remember|learn|without (me |being )?(having to ask|asked|asking)|"
    r"in (the )?future|(i|we) mean|forget|undo|every time|whenever|you forgot)\b",
    re.IGNORECASE,
)
BARE_PLACE = re.compile(r"^(on|in|into|onto|to|at|under|next to|behind|beside)\b", re.IGNORECASE)

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

    def meaning(self, last_thing: str) -> str:
        """As requests; a bare place is where the last thing should be."""
        now = self.instruction
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
    if tail and (rejection or TEACHING.search(tail[0])):
        return Correction(instruction, remember=True)
    if rejection and BARE_PLACE.match(instruction):
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
