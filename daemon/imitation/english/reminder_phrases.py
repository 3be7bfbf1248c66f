"""What people say about reminders and timers: set one, list them, forget one, and what they tell of themselves."""

import re

from daemon.console.reminders import Reminders
from daemon.imitation.english.noun_phrases import masked
from daemon.imitation.english.time_phrases import announced, read_later, unnoticed
from skills.scene import Scene

I_NOTICE = "I can wait for a time, or until you leave or come back."


def statements_about_later(text: str, later: Reminders, scene: Scene) -> list[str] | None:
    """Return what an utterance about later asks for, as statements; None for one that is about something else."""
    if match := _FORGET.match(text):
        return [f"say(forget_later({(match['about'] or '').strip()!r}))"]
    if _LIST.search(text):
        return ["say(about_later())"]
    if event := announced(text):
        return [] if later.announce(event) else None
    if read := read_later(text):
        return [f"say(remember_later({read[0].words!r}, {read[1]!r}))"]
    if (when := unnoticed(text)) and not masked(when, scene).tokens:
        return [f"say({f'I would not notice that: {when}. {I_NOTICE}'!r})"]
    return None


_FORGET = re.compile(
    r"^(?:please )?(?:forget|cancel|stop|delete|drop|remove|clear|switch off|turn off) (?:the |my |that |all |every )*"
    r"(?:timers?|reminders?|alarms?)\b(?: (?:for|about|of|to|at) (?P<about>.+?))?[.!]?$",
    re.IGNORECASE,
)
_LIST = re.compile(r"^(?:what|which|how many|are there|do i have)\b.*\b(?:timers?|reminders?|alarms?)\b", re.IGNORECASE)
