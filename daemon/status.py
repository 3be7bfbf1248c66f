"""What one heed tells of itself: to `heed status`, to Prometheus, and to people when it starts."""

import dataclasses
import logging
import os
from collections.abc import Iterator

from daemon.brains import Brain
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.store import Memory, Opened
from daemon.mind import Mind
from daemon.page.live import Live
from daemon.phrasebook import foreign, use_language
from daemon.service.announcer import Announcer
from daemon.service.body import RobotBody
from daemon.service.control import Message
from daemon.service.hearing import Hearing
from daemon.service.metrics import Metrics, process_figures
from daemon.trigger import TriggerQueue

log = logging.getLogger(__name__)

RESTORED = "My memory was damaged. I have put it aside, and go on with a copy that has every lesson."
BEGUN_AGAIN = "My memory was damaged. I have put it aside, and begin with an empty one."
UNWRITABLE = "I cannot write to my disk. I know what I was taught, but what you teach me now I will forget when I end."
BRAINLESS = "My language model cannot be used. I go on without it, and do what examples show."


class Status:
    """What heed is and does right now."""

    def __init__(
        self,
        mind: Mind,
        brain: Brain,
        body: RobotBody,
        memory: Memory,
        triggers: TriggerQueue,
        announcer: Announcer,
        hearing: Hearing,
        metrics: Metrics,
        live: Live,
    ) -> None:
        self._conversation = mind.conversation
        self._brain, self._body, self._memory, self._triggers = brain, body, memory, triggers
        self._announcer, self._hearing = announcer, hearing
        self._metrics, self._live = metrics, live

    def now(self) -> Message:
        """Return what `heed status` tells."""
        state = self._body.state()
        conversation, brain = self._conversation, self._brain
        turn = conversation.history.current_turn
        return {
            "brain": brain.model.name,
            "worker": (brain.worker or brain.model).name,
            "doing": "waiting" if conversation.waiting else "working",
            "asks": conversation.question or "",
            "request": turn.utterance if turn else None,
            "waiting_utterances": len(self._triggers),
            "stopped": state.stopped,
            "paused": state.paused,
            "body": {name: life.value for name, life in state.lifecycle.items()},
            "faults": [dataclasses.asdict(fault) for fault in state.faults],
            "ear": self._hearing.status,
            "microphone_too_quiet": self._hearing.too_quiet,
            "listens_while_speaking": self._hearing.listens_while_speaking,
            "mouth": self._announcer.status,
            "lessons": len(self._memory.lessons()),
            "examples_to_embed": self._memory.to_embed,
            "quiet": self._announcer.quiet,
            "looks": self._metrics.looks(),
            "last_utterance": self._metrics.last,
        }

    def figures(self) -> str:
        """Return the same as numbers, with what every process uses, for Prometheus."""
        state = self._body.state()
        pids = {"daemon": os.getpid()} | {
            process.name.removeprefix("heed-").removeprefix("the ").replace(" ", "_"): process.pid
            for process in self._body.processes
            if process.pid
        }
        gauges = {
            "stopped": float(state.stopped is not None),
            "faults": float(len(state.faults)),
            "lessons": float(len(self._memory.lessons())),
            "waiting_utterances": float(len(self._triggers)),
            "page_watchers": float(self._live.watchers),
        }
        return self._metrics.text(gauges | process_figures(pids))


def amiss(opened: Opened, brain: Brain) -> Iterator[str]:
    """Yield what people must know of a memory and a brain that are not as they should be; the log has the details."""
    if opened.aside:
        log.error("the memory was damaged and has been put aside as %s", opened.aside)
        yield RESTORED if opened.restored else BEGUN_AGAIN
    if opened.unwritable:
        log.error("%s; until then nothing that is taught outlives this run", opened.unwritable)
        yield UNWRITABLE
    if brain.missing:
        yield BRAINLESS


def speaking(language: str, leads: bool) -> str:
    """Have this language spoken from now on, and return what whoever chose it lacks; "" for nothing.

    `leads` tells whether the mind reads what people say by itself.
    """
    lacks = []
    if not use_language(language):
        lacks.append("stops and answers are understood in English alone, until it has a table: docs/languages.md")
    if foreign(language) and not leads:
        lacks.append("the built-in brain understands English alone: put a language model into models/")
    return f'language = "{language}": {"; ".join(lacks)}' if lacks else ""


def left_over(mind: Mind) -> str:
    """Return what was under way or asked for when heed ended, and the question about it; "" for nothing.

    Where that cannot be settled in the file, it waits.
    """
    try:
        return mind.tasks.left_over() or mind.later.left_over()
    except MemoryFileError as error:
        log.error("what was under way is not asked about: %s", error)
        return ""
