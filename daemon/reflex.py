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


_PHRASES = {
    Reflex.MUTE: r"(stop|don t|do not) listen(ing)?( to (me|us))?|close your ears",
    Reflex.STOP: r"(emergency )?stop( it| that| moving| now| right there| at once| immediately)?|halt|freeze",
    Reflex.CANCEL: r"never ?mind|cancel( that| it)?|forget it|abort|leave it",
    Reflex.PAUSE: r"pause|hold on|wait( a (moment|minute|second))?|one moment",
    Reflex.RESUME: r"resume|go on|continue|carry on|you (can|may) (move|go on|continue)( again| now)?",
}
_POLITE = r"(?:please|now|ok|okay|no|hey|robot|heed)"
_REFLEXES = {
    reflex: re.compile(rf"(?:{_POLITE} )*(?:(?:{phrase}) ?)+(?:{_POLITE} ?)*", re.IGNORECASE)
    for reflex, phrase in _PHRASES.items()
}


def reflex_in(text: str) -> Reflex | None:
    """The reflex that a whole sentence is, if it is one."""
    words = " ".join(re.sub(r"[^\w\s]", " ", text).split())
    return next((reflex for reflex, pattern in _REFLEXES.items() if pattern.fullmatch(words)), None)
