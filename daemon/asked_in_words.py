"""What other programs ask for in words, and how they follow a conversation: two commands of the control socket.

    {"command": "request", "text": "bring me the juice", "user": "ada"}
    {"command": "watch"}

A request takes its turn after what people said. It lives as long as its connection: when that ends, or its client sends
no more, the motion is cancelled. It is no answer to a question, no change of mind, and releases nothing: those are for
who stands beside the robot. Only a stop is taken from everybody, at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from daemon.console.acting_statements import deeds_in
from daemon.page.live import Live
from daemon.reflex import Reflex, reflex_in
from daemon.service.control import CommandError, Line, Message
from daemon.speech.ear_events import Others
from daemon.transcript import Step
from daemon.trigger import TriggerQueue, Utterance
from hw.state import HardwareError, StopReport

LOOK_SECONDS = 0.1
"""Between two looks at how a request is getting on; a client that hangs up is noticed at once."""
REQUESTS = 4
"""Open at the same time: one that is done and some that wait. The control socket has four times as many places."""
WATCHERS = 4
GIVE_UP_SECONDS = 30.0
"""For a cancelled request to end; heed answers that it did not, then."""
REST_SECONDS = 3.0
"""For a motion that was cut short to brake; another may have begun meanwhile."""
LOOKS = 3
"""So often in a row a request neither waits nor was heard before it counts as thrown away by a stop."""
TALKS = ("say", "ask", "pass")

log = logging.getLogger(__name__)


class Heed(Protocol):
    """What is asked of heed here; daemon/heed.py has it."""

    triggers: TriggerQueue

    def take_request(self, utterance: Utterance) -> None: ...
    def stop(self, reason: str) -> StopReport: ...
    def voids(self, utterance: Utterance) -> bool: ...
    def cancel(self, reason: str) -> None: ...
    def withdraw(self) -> None: ...
    def situation(self) -> Others: ...


@dataclass
class Request:
    """One request and what came of it until now. Used by the thread of its connection alone."""

    utterance: Utterance
    seen: int
    """The last step of the conversation that was looked at."""
    heard: bool = False
    """Whether heed has begun with it."""
    ended: bool = False
    lost: int = 0
    """Looks in a row at which it neither waited nor was heard."""
    steps: list[Step] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def take(self, kind: str, text: str) -> None:
        """Take in a step of the conversation after this request was heard."""
        if kind == "statement":
            self.ended = Step(text).called == "wait_for_trigger"
            if not self.ended:
                self.steps.append(Step(text))
        elif kind == "result" and self.steps:
            last = self.steps[-1]
            self.steps[-1] = Step(last.statement, "\n".join(filter(None, [last.result, text])))
        elif kind == "said":
            self.said.append(text)


class AskedInWords:
    """Takes requests from the control socket, has them done, and tells how they end."""

    def __init__(self, heed: Heed, live: Live, under_way: Callable[[], dict[str, Any]]) -> None:
        """`live` knows the steps of the conversation; `under_way` tells of the motion."""
        self._heed, self._live, self._under_way = heed, live, under_way
        self._places = threading.BoundedSemaphore(REQUESTS)
        self._watching = threading.BoundedSemaphore(WATCHERS)
        self._lock = threading.Lock()
        self._claimed: set[int] = set()
        """Numbers of the steps in which a request was heard: two may be alike."""

    def request(self, message: Message, line: Line) -> Message:
        """Have {"text": words, "user": who asks} done; returns the outcome, what was said, done, and went wrong.

        Raises CommandError for words that only a person beside the robot may say.
        """
        words = str(message.get("text", "")).strip()
        if not words:
            raise CommandError("there are no words", "say what heed shall do: bring me the juice")
        reflex = reflex_in(words)
        if reflex is Reflex.STOP:
            report = self._heed.stop(f"a program said: {words}")
            return answer("succeeded", said=[f"standstill: {report.standstill}"])
        utterance = Utterance(words, source="socket", speaker=str(message.get("user", "")))
        if reflex is not None:
            raise CommandError(f"{words!r} is for the person beside the robot to say", "cancel the request instead")
        if self._heed.situation().asking:
            raise CommandError("heed is asking somebody something", "answer it beside the robot, then ask again")
        if not self._places.acquire(blocking=False):
            raise CommandError(f"{REQUESTS} requests wait already", "wait until one has ended, or cancel it")
        try:
            return self._carry_out(utterance, line)
        finally:
            self._places.release()

    def watch(self, message: Message, line: Line) -> Message:
        """Tell each thing that is heard and said from now on, until the client hangs up."""
        if not self._watching.acquire(blocking=False):
            raise CommandError(f"{WATCHERS} programs watch already", "end one of them")
        try:
            number = self._newest()
            line.tell({"kind": "begin", "text": ""})
            while not line.hung_up(LOOK_SECONDS):
                for step in self._live.since(number):
                    number = step["number"]
                    if step["kind"] in ("heard", "said"):
                        line.tell({"kind": step["kind"], "text": step["text"], "speaker": step.get("speaker", "")})
        finally:
            self._watching.release()
        return {}

    def _carry_out(self, utterance: Utterance, line: Line) -> Message:
        request = Request(utterance, self._newest())
        self._heed.take_request(utterance)
        told: dict[str, Any] = {}
        said = 0
        while not request.ended:
            if line.hung_up(LOOK_SECONDS):
                return self._give_up(request)
            self._look(request)
            for text in request.said[said:]:
                line.tell({"said": text})
            said = len(request.said)
            if not request.ended and (now := self._progress(request)) != told:
                line.tell(now)
                told = now
        self._wait_for_rest()
        return outcome(request, voided=self._heed.voids(utterance))

    def _newest(self) -> int:
        return max((step["number"] for step in self._live.since(0)), default=0)

    def _look(self, request: Request) -> None:
        """Take in what happened since the last look."""
        steps = self._live.since(request.seen)
        waits = self._heed.triggers.waits(request.utterance)  # later than the steps: what was heard waits no more
        for step in steps:
            if request.ended:
                return
            request.seen = step["number"]
            if request.heard:
                request.take(step["kind"], step["text"])
            elif not waits and step["kind"] == "heard" and self._is_it(step, request.utterance):
                request.heard = True
        request.lost = 0 if waits or request.heard else request.lost + 1
        request.ended = request.ended or request.lost >= LOOKS

    def _is_it(self, step: dict[str, Any], utterance: Utterance) -> bool:
        alike = step["source"] == utterance.source and utterance.text.startswith(step["text"])
        with self._lock:
            if not alike or step["number"] in self._claimed:
                return False
            self._claimed = {number for number in self._claimed if number > step["number"] - 1000} | {step["number"]}
        return True

    def _progress(self, request: Request) -> dict[str, Any]:
        if not request.heard:
            return {"doing": "waiting for its turn"}
        if self._heed.situation().asking:
            return {"doing": "asking the person beside the robot"}
        moving = self._under_way()
        return {"doing": "moving", **moving} if moving else {"doing": "thinking"}

    def _give_up(self, request: Request) -> Message:
        """Cancel until it has ended: between two motions there is nothing to cancel, and the next may begin."""
        log.info("nobody wants %r any more", request.utterance.text)
        if self._heed.triggers.take_back(request.utterance):
            return answer("canceled", error="nobody wanted it any more")
        pause = threading.Event()
        for _ in range(int(GIVE_UP_SECONDS / LOOK_SECONDS)):
            self._look(request)
            if request.ended:
                self._wait_for_rest()
                return outcome(request, canceled=True)
            if request.heard:
                self._cancel()
            pause.wait(LOOK_SECONDS)
        raise CommandError("what was cancelled goes on", "stop the robot")

    def _wait_for_rest(self) -> None:
        """Until the last motion has ended: one that was cut short is still braking when its statement has ended."""
        ends = time.monotonic() + REST_SECONDS
        while self._under_way() and time.monotonic() < ends:
            time.sleep(0.01)

    def _cancel(self) -> None:
        try:
            self._heed.withdraw()
            self._heed.cancel("the program that asked for it cancelled it")
        except HardwareError as error:
            log.error("a request cannot be cancelled: %s", error)


def outcome(request: Request, canceled: bool = False, voided: bool = False) -> Message:
    """Return how a request ended: by the last thing that was tried for it, talk apart.

    `voided` tells that a stop came after it was asked: then it has not succeeded where nothing was done.
    """
    tried = [step for step in request.steps if step.called not in TALKS and step.statement not in TALKS]
    error = tried[-1].error if tried else None
    interrupted = any((step.error or "").startswith("KeyboardInterrupt") for step in request.steps)
    ended = "canceled" if canceled or interrupted else "aborted" if error else "succeeded"
    if not request.heard or (voided and ended == "succeeded" and not done(tried)):
        return answer("aborted", error="a stop came before its turn", hint="a person must let the robot move again")
    reason, _, hint = (error or "").partition(": ")[2].partition(" Hint: ")
    return answer(ended, request.said, done(tried), reason, hint)


def done(steps: Sequence[Step]) -> list[str]:
    """Return the statements that changed something, and did not fail."""
    return [step.statement for step in steps if not step.error and any(deeds_in(step.statement))]


def answer(ended: str, said: Sequence[str] = (), did: Sequence[str] = (), error: str = "", hint: str = "") -> Message:
    """Return what a program is told of a request that has ended."""
    return {"outcome": ended, "said": list(said), "did": list(did), "error": error, "hint": hint}
