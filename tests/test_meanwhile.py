"""What heed does with words that come while it works: it asks the mind, and holds the motion for a no."""

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from daemon.console.meanwhile import Meanwhile
from daemon.console.reading import Interjection
from daemon.heed import Heed
from daemon.trigger import TriggerQueue, Utterance

PATIENCE = 10.0


class Work:
    """A heed at work, with what was done to its body and told to people, in order."""

    def __init__(self, means: Meanwhile) -> None:
        self.noted: list[str] = []

        def interjected(text: str, speaker: str) -> Meanwhile:
            self.noted.append("mind asked")
            return means

        def note(what: str) -> Callable[..., None]:
            return lambda *_: self.noted.append(what)

        console = SimpleNamespace(leads=True, doing="driving", interjected=interjected)
        conversation = SimpleNamespace(waiting=False, asking=False)
        mind: Any = SimpleNamespace(
            console=console, conversation=conversation, activity=SimpleNamespace(cancel=note("cancelled"))
        )
        body: Any = SimpleNamespace(hold=note("held"), release=note("released"))
        announcer: Any = SimpleNamespace(tell=lambda text: self.noted.append(text), remark=print, silence=0.0)
        book: Any = SimpleNamespace(log_utterance=lambda said: None)
        other: Any = None
        self.triggers = TriggerQueue()
        self.heed = Heed(mind, body, self.triggers, announcer, other, book, other)

    def hear(self, text: str) -> list[str]:
        """Return what came of it, once that is settled."""
        before = set(threading.enumerate())
        self.heed.hear(Utterance(text))
        for thread in set(threading.enumerate()) - before:
            thread.join(PATIENCE)
        return self.noted


@pytest.mark.parametrize(
    ("means", "came", "waits"),
    [
        (Meanwhile(Interjection.CHANGE), ["cancelled"], True),
        (Meanwhile(Interjection.NEXT), [], True),
        (Meanwhile(Interjection.NEXT, "Right after this."), ["Right after this."], True),
        (Meanwhile(Interjection.TALK, "Two minutes."), ["Two minutes."], False),
    ],
    ids=["changes", "queues", "queues and says so", "only talks"],
)
@pytest.mark.parametrize(("text", "holds"), [("make that the banana", False), ("no, the banana", True)])
def test_the_mind_is_asked_at_once_and_a_no_holds_the_motion_until_it_has_answered(
    means: Meanwhile, came: list[str], waits: bool, text: str, holds: bool
) -> None:
    work = Work(means)
    asked = ["held", "mind asked", "released"] if holds else ["mind asked"]
    assert work.hear(text) == [*asked, *came]
    assert len(work.triggers) == waits


@pytest.mark.parametrize(("too_late", "came"), [(False, ["cancelled"]), (True, [])])
def test_what_was_meant_after_all_acts_at_once_as_if_it_had_been_heard_so(too_late: bool, came: list[str]) -> None:
    work = Work(Meanwhile(Interjection.NEXT))
    work.heed.ask_back(Utterance("never mind", confidence=0.4))
    if too_late:  # a stop came between
        work.heed.voids = lambda said: said.text == "never mind"  # type: ignore[method-assign]
    assert work.hear("yes") == ["Did you mean: never mind?", *came]
    assert not len(work.triggers)


def test_nobody_is_asked_about_what_was_said_before_a_stop() -> None:
    work = Work(Meanwhile(Interjection.NEXT))
    work.heed.voids = lambda said: True  # type: ignore[method-assign]
    work.heed.ask_back(Utterance("bring me the lamb", confidence=0.4))
    assert work.hear("hello") == []
    assert not work.heed.doubting
