"""This robot in its fleet: what `heed fleet` asks for, and the question whether to learn what others were taught."""

import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from daemon.config import ConfigError, FleetConfig
from daemon.console.builtins import Conversation
from daemon.console.learning.consent import Consent, consent_in
from daemon.fleet.fleet_store import Shelf
from daemon.fleet.lesson_ledger import FleetLesson
from daemon.fleet.member import Body, Member
from daemon.fleet.message_seal import Seal, key_in
from daemon.fleet.net import Net
from daemon.memory.lesson_table import LessonBook
from daemon.service.control import CommandError, Handler, Message
from daemon.trigger import TriggerQueue, Utterance
from hw.state import HardwareError, StopReport

LOOK_SECONDS = 2.0
PAUSE_SECONDS = 300.0
"""Between two questions of the fleet: people have other things to do."""
SPOKEN_LIMIT = 300
"""Characters of another robot's rule that are read aloud."""
ADOPT = ("ask", "never")

TOLD = ("doing", "stopped", "paused", "faults", "lessons")
"""Of its status, what a robot tells the others."""


class Host(Protocol):
    """What the fleet wants of the heed that it is in; daemon/heed.py has it."""

    triggers: TriggerQueue
    conversation: Conversation

    @property
    def spoken_to(self) -> bool: ...
    @property
    def speaking(self) -> bool: ...

    def hear(self, utterance: Utterance) -> None: ...
    def stop(self, reason: str) -> StopReport: ...


class Fleet:
    """A robot's membership, until closed."""

    def __init__(
        self,
        config: FleetConfig,
        folder: Path,
        state: Path,
        body: Body,
        book: LessonBook,
        host: Host,
        now: Callable[[], Message],
    ) -> None:
        """Join. `folder` is where config.toml lies, `state` where fleet.sqlite goes; `now` tells the status of `host`.

        Raises ConfigError.
        """
        if config.adopt not in ADOPT:
            raise ConfigError(f"adopt in [fleet] is {config.adopt!r}; use one of {', '.join(ADOPT)}")
        if not config.name.replace("-", "").replace("_", "").isalnum():
            raise ConfigError(f"name in [fleet] is {config.name!r}; use letters, digits, - and _")
        self._host, self._now = host, now
        self._ended = threading.Event()
        self._asking = False
        try:
            self._shelf = Shelf(state / "fleet.sqlite")
        except sqlite3.Error as error:
            raise ConfigError(f"{state / 'fleet.sqlite'} cannot be used ({error}); delete it") from error
        trusted = config.trusted.replace(",", " ").split()
        self.member = Member(config.name, body, book, self._shelf, trusted, ask=config.adopt == "ask")
        seal = Seal(key_in(state / config.key), config.name)
        self._net = Net(config, folder, state, self.member, seal, self._status, self._do, self._busy)
        self._thread = threading.Thread(target=self._ask_now_and_then, name="fleet questions", daemon=True)
        self._thread.start()

    def handle(self, request: Message) -> Message:
        """The command "fleet": {"what": "status" | "stop" | "say" | "lessons" | "take", ...}."""
        what = str(request.get("what", "status"))
        if what == "status":
            return {"robots": {self.member.name: self._status()} | {p.name: p.status for p in self._net.peers}}
        if what == "stop":
            own = self._stop("heed fleet stop")  # before the others: it does not depend on a network
            return {"stopped": {self.member.name: own} | self._net.ask("*", "stop", {})}
        if what == "say":
            return {"told": self._told(str(request.get("robot", "")), str(request.get("text", "")).strip())}
        if what == "lessons":
            return {"offered": [_line(lesson) for lesson in self.member.offers()]}
        if what == "take":
            return {"taken": self._take(str(request.get("lesson", "")))}
        raise CommandError(f"the fleet cannot {what!r}", "use status, stop, say, lessons or take")

    def close(self) -> None:
        """Leave."""
        self._ended.set()
        self._net.close()
        self._thread.join(LOOK_SECONDS * 2)
        self._shelf.close()

    def _told(self, robot: str, text: str) -> dict[str, Any]:
        if not text or robot not in {peer.name for peer in self._net.peers}:
            known = ", ".join(peer.name for peer in self._net.peers) or "none is heard"
            raise CommandError(
                f"there is no robot {robot!r}, or nothing to say", f"heed fleet say ROBOT WORDS: {known}"
            )
        return self._net.ask(robot, "say", {"text": text})

    def _take(self, name: str) -> list[str]:
        """Return who may give commands is the person whose consent counts."""
        chosen = [le for le in self.member.offers() if name in ("all", le.name[: len(name)]) and len(name) >= 3]
        if not chosen:
            raise CommandError(f"no lesson {name!r} is offered", "heed fleet lessons tells which are; or take all")
        for lesson in chosen:
            self.member.answer(lesson, yes=True)
        return [_line(lesson) for lesson in chosen]

    def _do(self, verb: str, fields: dict[str, Any]) -> dict[str, Any]:
        """For a robot of the fleet."""
        by = str(fields.get("from", ""))[:100]
        if verb == "stop":
            return self._stop(f"the robot {by} said stop")
        if verb == "say" and str(fields.get("text", "")).strip():
            self._host.hear(Utterance(str(fields["text"]), source="fleet", speaker=f"the robot {by}"))
            return {"heard": True}
        return {"error": f"this robot cannot {verb[:50]!r}"}

    def _stop(self, reason: str) -> dict[str, Any]:
        try:
            return {"standstill": self._host.stop(reason).standstill.value}
        except HardwareError as error:
            return {"error": str(error)}

    def _busy(self) -> bool:
        return self._host.spoken_to or self._host.speaking or not self._host.conversation.waiting

    def _status(self) -> dict[str, Any]:
        status = self._now()
        return {key: status.get(key) for key in TOLD} | {"known": len(self.member.ledger)}

    def _ask_now_and_then(self) -> None:
        pause = LOOK_SECONDS
        while not self._ended.wait(pause):
            pause = LOOK_SECONDS
            lesson = None if self._asking or not self._host.conversation.waiting else self.member.question()
            if lesson is not None:
                self._asking = True
                self._host.triggers.put_errand(partial(self._ask, lesson))
                pause = PAUSE_SECONDS

    def _ask(self, lesson: FleetLesson) -> None:
        """In the console's turn. An unclear answer is none, and it is asked again later."""
        try:
            consent = consent_in(self._host.conversation.ask(_question(lesson)))
            if consent is not Consent.UNCLEAR:
                self.member.answer(lesson, yes=consent is Consent.YES)
        finally:
            self._asking = False


def fleet_handlers(fleet: Fleet | None) -> dict[str, Handler]:
    """Return the command "fleet"; None is a robot that is in none."""

    def handle(request: Message) -> Message:
        if fleet is None:
            raise CommandError(
                "this robot is in no fleet", "give it a name below [fleet] in config.toml; see docs/fleet.md"
            )
        return fleet.handle(request)

    return {"fleet": handle}


def _question(lesson: FleetLesson) -> str:
    rule = lesson.rule.text[:SPOKEN_LIMIT]
    return f"The robot {lesson.robot} was taught{_by(lesson)}: {rule} Shall I remember that too?"


def _line(lesson: FleetLesson) -> str:
    return f"{lesson.name[:8]} {lesson.rule.text} ({lesson.rule.scope.words}; taught at {lesson.robot}{_by(lesson)})"


def _by(lesson: FleetLesson) -> str:
    who = "its owner" if lesson.taught_by == "owner" else lesson.taught_by
    return f" by {who}" if who else ""
