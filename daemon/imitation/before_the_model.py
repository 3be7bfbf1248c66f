"""What is settled before the brain is asked, and in which order: the one table of it.

The case-based brain cannot read what it has no case for. So each utterance goes through STAGES first; a stage ends it
with statements or a script, hands on other words, or passes. The last one, `a request`, always ends it. A model that
leads has none of this (daemon/console/as_said.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from daemon.console.history import Turn
from daemon.console.learning.consent import Consent, consent_in
from daemon.console.learning.recall import Recall
from daemon.console.reading import Script, Understood, greeting
from daemon.console.reminders import Reminders
from daemon.console.tasks import Tasks
from daemon.imitation.english.interpretation import interpret
from daemon.imitation.english.mishearing import well_heard
from daemon.imitation.english.orders.look_first import LookFirst
from daemon.imitation.english.place_phrases import statements_about_places
from daemon.imitation.english.reminder_phrases import statements_about_later
from daemon.imitation.english.scene_mentions import Situation
from daemon.imitation.english.task_talk.task_requests import request_agreed_to, statements_about_tasks
from daemon.imitation.english.teaching.corrections import TEACHING
from daemon.imitation.english.teaching.persons import introduced
from daemon.imitation.half_read import made_sure
from daemon.imitation.unseen_things import looked_for
from daemon.lexicon.harm_words import refusal
from daemon.memory.effects import Meaning
from daemon.reflex import Reflex, reflex_in


@dataclass(frozen=True)
class Utterance:
    """What was said, as far as it was read."""

    heard: str
    text: str
    """What it comes down to so far."""
    past: Sequence[Turn]
    speaker: str


@dataclass(frozen=True)
class BeforeTheModel:
    """An Understanding: runs through the stages."""

    recall: Recall
    look_first: LookFirst | None = None
    """Examines orders; None leaves them to the brain."""
    reminders: Reminders | None = None
    tasks: Tasks | None = None
    doubt: Callable[[str], str | None] = lambda question: None
    """Asks what was meant by words that make no sense here; None where they were typed or surely heard."""

    def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
        """Return how an utterance is to be understood, by the first stage that settles it."""
        utterance = Utterance(said, said, past, speaker)
        for _, stage in STAGES:
            read = stage(self, utterance)
            if isinstance(read, Understood):
                return read
            utterance = utterance if read is None else replace(utterance, text=read)
        raise AssertionError("the last stage settles every utterance")


def an_offer_agreed_to(table: BeforeTheModel, said: Utterance) -> str | None:
    """Read a yes to what was offered: it is the request that it agrees to, "" where that is dealt with."""
    agreed = table.reminders.answered(said.text) if table.reminders else None
    return request_agreed_to(said.text, table.tasks) if agreed is None and table.tasks else agreed


def nothing_to_end(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Read a "never mind" where nothing is under way: there is nothing to learn from it."""
    return _settled(said, ["say('All right.')"]) if reflex_in(said.text) is Reflex.CANCEL else None


def a_reminder(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Read what is to be done later, or is asked about that; nothing is left of an answer that was dealt with."""
    if not said.text:
        return _settled(said, ())
    if table.reminders is None:
        return None
    return _settled(said, statements_about_later(said.text, table.reminders, table.recall.scene))


def a_task(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Read what is said of tasks that have a name."""
    return _settled(said, statements_about_tasks(said.text, table.tasks)) if table.tasks else None


def a_name(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Greet somebody who introduces themselves."""
    return _settled(said, greeting(*introduced(said.text)) or None)


def a_place(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Read what is said of where the robot is."""
    return _settled(said, statements_about_places(said.text, table.recall.scene))


def harm(table: BeforeTheModel, said: Utterance) -> Understood | None:
    """Refuse what heed never does, also where other things are asked for beside it."""
    told = refusal(said.text, is_read=False)
    return _settled(said, [f"say({told!r})"]) if told else None


def misheard_words(table: BeforeTheModel, said: Utterance) -> str | None:
    """Put words in the place of those that were perhaps misheard; a request is asked about first."""
    table.recall.hear(said.text, said.speaker)
    taught = [e.word for lesson in table.recall.lessons if isinstance(e := lesson.rule.effect, Meaning)]
    meant = well_heard(said.text, table.recall.scene, taught)
    joined = meant.replace(" ", "") == said.text.replace(" ", "")
    if meant == said.text or joined or TEACHING.search(meant):  # what is taught is said back anyway
        return meant
    answer = table.doubt(f"Did you mean: {meant.rstrip(' ?.!')}?")
    return meant if answer and consent_in(answer) is Consent.YES else None


def a_request(table: BeforeTheModel, said: Utterance) -> Understood:
    """Read everything else with what was learned; then look at it before it is done."""
    situation = Situation(table.recall.scene, said.speaker)
    read = interpret(said.text, situation, table.recall.lessons, said.past)
    table.recall.apply(read.lessons)
    if read.statements:
        return replace(read, text=said.heard)
    return replace(read, text=said.heard, script=_looked_at(table, read.meaning))


STAGES: tuple[tuple[str, Callable[[BeforeTheModel, Utterance], Understood | str | None]], ...] = (
    ("an offer agreed to", an_offer_agreed_to),
    ("nothing to end", nothing_to_end),
    ("a reminder", a_reminder),
    ("a task", a_task),
    ("a name", a_name),
    ("a place", a_place),
    ("harm", harm),
    ("misheard words", misheard_words),
    ("a request", a_request),
)


def _settled(said: Utterance, statements: Iterable[str] | None) -> Understood | None:
    if statements is None:
        return None
    return Understood(said.heard, said.heard, script=_script(statements))


def _script(statements: Iterable[str]) -> Script:
    """These, and that is all."""
    yield from (statement for statement in statements)  # a generator, since it is sent the outcomes
    return None


def _looked_at(table: BeforeTheModel, meaning: str) -> Script:
    """Make sure of a request that was hardly read, bring what it is about into sight, then examine the order."""
    sure = yield from made_sure(meaning, table.recall.scene)
    found = (yield from looked_for(sure, table.recall)) if isinstance(sure, str) else sure
    return (yield from table.look_first.look(found)) if isinstance(found, str) and table.look_first else found
