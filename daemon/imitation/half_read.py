"""A request without a verb of which much was not read: heed asks whether its guess is meant, instead of doing it.

What the readers of English find in a sentence may be its least part: "marzipan, you see, contains almonds, and almonds
close my throat" names marzipan, and asks for nothing. So the words that nobody read are counted.
"""

import re
from collections.abc import Iterator, Sequence

from daemon.console.confidence_guard import LEAVE_IT
from daemon.console.learning.consent import Consent, consent_in, declines
from daemon.console.learning.no_lesson import NoLesson
from daemon.console.reading import Again, Script
from daemon.imitation.english.intents import intents
from daemon.imitation.english.object_phrases import Mention
from daemon.imitation.english.orders.look_first import value
from daemon.imitation.english.teaching.corrections import QUESTION, TEACHING
from daemon.imitation.english.teaching.lesson_reader import taught
from daemon.imitation.english.what_is_asked import Request, read_requests, unless_denied
from daemon.imitation.unseen_things import names_of
from daemon.lexicon.small_words import small_words
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.names import spoken
from skills.scene import Scene

MANY = 4
"""So many words may be unread in a request that is done at once. SayCan's given requests have at most three, those of
talk.json and requests.json four; a third of what strangers say to bring things about (led.json) has more."""
NOT_ALL = "I did not follow all of that."
IN_FEW_WORDS = "What shall I do? Please say it in a few words."
_ASKS = re.compile(r"\bplease\b", re.IGNORECASE)
"""Says that something is asked for, whatever else is told."""


def made_sure(meaning: str, scene: Scene) -> Script:
    """Ask what is meant where much was not read, by the best guess if there is one; that is what is done then."""
    if QUESTION.search(meaning) or _ASKS.search(meaning):
        return meaning
    names = names_of(scene)
    requests = [unless_denied(request, meaning, names) for request in read_requests(meaning, names)]
    acting = [request for request in requests if _acts(request)]
    if not acting or any(map(_deeds, acting)) or len(list(_unread(requests))) <= MANY or _teaches(meaning, scene):
        return meaning
    guess = _told(acting[0]) if len(acting) == 1 else ""
    outcome = yield f"ask({(f'{NOT_ALL} Shall I {guess}?' if guess else f'{NOT_ALL} {IN_FEW_WORDS}')!r})"
    return (yield from _answered(guess, value(outcome)))


def _answered(guess: str, answer: str) -> Script:
    if guess and consent_in(answer) is Consent.YES:
        return guess
    if answer and not declines(answer):
        return Again(answer)
    yield f"say({LEAVE_IT!r})"
    return None


def _teaches(text: str, scene: Scene) -> bool:
    """Return whether a text is, or means to be, a lesson: it is said back before it is kept."""
    try:
        return bool(TEACHING.search(text)) or taught(text, scene) is not None
    except NoLesson:
        return True


def _acts(request: Request) -> bool:
    """Return whether a clause is taken for a deed with things that it names."""
    asked = intents(request.text, request.masked)
    return bool(request.mentions) and not request.background and not any(deed.endswith("?") for deed in asked)


def _unread(requests: Sequence[Request]) -> Iterator[str]:
    """The words of which nothing was made."""
    small = small_words("names nothing") | small_words("tells a choice") | small_words("beside a request")
    verbs = lexicon().verb_stems
    for request in requests:
        for word in re.findall(r"[\w']+", re.sub(r"\bthe (?:object|place)\b", "", request.masked.lower())):
            if word not in small and not (_acts(request) and (stems(word)[:1] or ("",)) in verbs):
                yield word


def _deeds(request: Request) -> list[str]:
    """The verbs that a clause asks with, if any."""
    return [deed for deed in intents(request.text, request.masked) if not deed.startswith("?")]


def _told(request: Request) -> str:
    """What is made of a clause without a verb, as an order; "" where that is not about one thing."""
    things = [spoken(name) for mention in request.mentions for name in _best(mention)]
    if len(things) != 1 or len(request.targets) > 1:
        return ""
    where = [spoken(target) for target in request.targets]
    return f"put the {things[0]} on the {where[0]}" if where else f"bring you the {things[0]}"


def _best(mention: Mention) -> list[str]:
    least = min(mention.fits.values(), default=0.0)
    return [name for name, fit in mention.fits.items() if fit == least]
