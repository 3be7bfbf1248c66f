"""What somebody says while heed works: it changes what is under way, asks about it, or comes next. Pure text.

"Stop", "never mind" and their like are reflexes (daemon/reflex.py) and act before this. A further order is done next,
and not instead: nothing that was said is lost.
"""

import re

from daemon.console.reading import Interjection
from daemon.imitation.english.teaching.corrections import POLITE, REJECTION


def interjection_in(text: str) -> Interjection:
    """Return what a sentence means to a heed that works."""
    if _PROGRESS.match(text):
        return Interjection.PROGRESS
    return Interjection.CHANGE if REJECTION.match(text) or _CHANGE.search(text) else Interjection.NEXT


_PROGRESS = re.compile(
    rf"^{POLITE}\W*(?:what are you doing|what(?:'s| is) (?:going on|taking so long)|how far are you|how is it going"
    r"|are you (?:still )?(?:done|ready|finished|busy|working|there|on it)|is it done|why does it take)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\binstead\b|^\W*(?:wait|stop|hold on|sorry|oh|hey)\W+(?:no|not|don'?t|do not|wrong|i meant?)\b"
    r"|^\W*(?:don'?t|do not|i changed my mind|i meant?)\b",
    re.IGNORECASE,
)
