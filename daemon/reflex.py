"""Words that act at once, without the model: stop, cancel, pause, go on. Pure text.

Only a sentence that is nothing but such words is a reflex: "stop", "heed, please stop now"; not "stop the timer" or
"go to the stop sign". Stop is heard earlier still, on raw sound (daemon/speech/keywords.py).
"""

import re
from enum import Enum


class Reflex(Enum):
    STOP = "stop"
    """Protective stop, latched until a person says RESUME."""
    CANCEL = "cancel"
    """What is being done ends; the robot stays ready."""
    PAUSE = "pause"
    """Motion holds until RESUME."""
    RESUME = "resume"
    """The robot may move again."""
    MUTE = "mute"
    """Nothing but a stop is heard, until a key or a command says otherwise."""


_STOPPED = (
    "it|that|this|moving|now|here|there|everything|immediately|at once|all motion|what(ever)? you( a)? ?re doing|"
    "doing (it|that|this)|right (here|there|now|away|this (second|minute|instant))|"
    "(the|your) (robot|arms?|hands?|grippers?|wheels|base|motors?|motion|movement)"
)
_PHRASES = {
    Reflex.MUTE: r"(stop|don t|do not) listen(ing)?( to (me|us))?|close your ears",
    Reflex.STOP: (
        rf"(emergency )?stop( ({_STOPPED}))*|(halt|freeze)( right)?( there| now)?|(don t|do not) move|stand still"
    ),
    Reflex.CANCEL: r"never ?mind|cancel( that| it)?|forget it|abort|leave it",
    Reflex.PAUSE: (
        r"pause|hold (on|still)|(stay|wait) (there|here|where you are)|wait( a (moment|minute|second))?|one moment"
    ),
    Reflex.RESUME: r"resume|go on|continue|carry on|you (can|may) (move|go on|continue)( again| now)?",
}
_POLITE = r"please|now|ok|okay|no|hey|robot|heed"
_URGED = (
    rf"{_POLITE}|oh|whoa|woah|ah|god|just|quick|quickly|and|but|then|i (said|say)|i told you to|let s|"
    r"(can|could|would|will) you|you (must|should|have to|need to|had better|better)"
)
"""How people put it to a robot that is to move no more. To go on needs plain words."""
_REFLEXES = {
    reflex: re.compile(rf"(?:(?:{before}) )*(?:(?:{phrase}) ?)+(?:(?:{_POLITE}|i said) ?)*", re.IGNORECASE)
    for reflex, phrase in _PHRASES.items()
    for before in [_POLITE if reflex is Reflex.RESUME else _URGED]
}


def reflex_in(text: str) -> Reflex | None:
    """The reflex that a whole sentence is, if it is one."""
    words = " ".join(re.sub(r"[^\w\s]", " ", text).split())
    return next((reflex for reflex, pattern in _REFLEXES.items() if pattern.fullmatch(words)), None)
