"""What kind of correction a sentence is, by its words alone (after DROC: Zha et al. 2024, sec. IV).

A correction is about the plan (what to do, with what, where) or about a skill (how far, how fast, how to hold); it
refers to the last motion, to the task as it was begun, to a failure, or to nothing that happened before. Heed itself
does not ask this: it is measured to compare with the paper.
"""

import re
from enum import Enum


class Level(Enum):
    PLAN = "plan"
    """A constraint, a preference, another thing or place: the plan changes."""
    SKILL = "skill"
    """A number of one motion: the plan stays."""


class Refers(Enum):
    """The moment, of all that happened before, to which a correction refers."""

    LAST = "last"
    """The last motion: "a bit more"."""
    INITIAL = "initial"
    """The task as it was begun: "carry on as planned"."""
    FAILURE = "failure"
    """What went wrong, so that it begins anew: "you dropped it"."""
    NONE = "none"
    """Nothing: "three centimetres up" means the same at any time."""


def level_of(text: str) -> Level:
    """Return whether a correction changes the plan or one motion."""
    if _PLAN.search(text):
        return Level.PLAN
    return Level.SKILL if _SKILL.search(text) or refers_to(text) in (Refers.LAST, Refers.INITIAL) else Level.PLAN


def refers_to(text: str) -> Refers:
    """Return to what a correction refers; the clearest words decide."""
    if _FAILED.search(text):
        return Refers.FAILURE
    if _INITIAL.search(text):
        return Refers.INITIAL
    return Refers.LAST if _LAST.search(text) else Refers.NONE


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
