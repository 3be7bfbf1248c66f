"""Skills called by other programs: one at a time, in the console's turn, after what people said.

A call lives as long as its connection: when the client hangs up, is killed or cancels, the motion is cancelled. A
person's "never mind" ends it too, a stop ends it and all that wait, and where a skill asks first, the person beside the
robot is asked, not the one beside the program.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from daemon.console.builtins import Conversation
from daemon.service.audit import Audit
from daemon.service.control import CancelledError, CommandError, Line, Message
from daemon.trigger import TriggerQueue
from hw.state import HardwareError
from skills.contract import Call
from skills.skill import Cancelled, Skill, SkillError

LOOK_SECONDS = 0.1
"""Between two looks at how a call is getting on; a client that hangs up is noticed at once."""
CALLS = 4
"""Open at the same time: one that runs and some that wait. The control socket has four times as many places."""

log = logging.getLogger(__name__)


class Body(Protocol):
    """What is asked of the robot while a call runs."""

    def under_way(self) -> dict[str, Any]: ...


class OutsideCall:
    """One call, from its request to its answer."""

    def __init__(self, what: Call, client: str) -> None:
        self.what, self.client = what, client
        self.ended = threading.Event()
        self._result: Any = None
        self._error: CommandError | None = None

    def end(self, result: Any = None, error: CommandError | None = None) -> None:
        self._result, self._error = result, error
        self.ended.set()

    def answer(self) -> Message:
        """Return the answer to the call. Raises CommandError where it did not end well."""
        if self._error is not None:
            raise self._error
        return {"result": self._result}


class OutsideCalls:
    """Takes calls from the control socket and has them done."""

    def __init__(
        self,
        skills: Mapping[str, Skill],
        functions: Mapping[str, Callable[..., Any]],
        triggers: TriggerQueue,
        conversation: Conversation,
        audit: Audit,
        cancel: Callable[[str], None],
        body: Body,
    ) -> None:
        """`functions` are the skills with their permissions; `cancel` ends what the robot does."""
        self._skills, self._functions = skills, functions
        self._triggers, self._conversation, self._audit = triggers, conversation, audit
        self._cancel, self._body = cancel, body
        self._open: list[OutsideCall] = []
        self._lock = threading.Lock()
        self._running: OutsideCall | None = None

    def call(self, request: Message, line: Line) -> Message:
        """Carry out {"skill": name, "arguments": {...}, "client": who asks}; returns {"result": what it returned}.

        Raises CancelledError, or CommandError with the skill's own words and hint.
        """
        call = self._read(request)
        with self._lock:
            if len(self._open) >= CALLS:
                raise CommandError(f"{CALLS} calls wait already", "wait until one has ended, or cancel it")
            self._open.append(call)
        try:
            self._triggers.put_errand(lambda: self._run(call))
            self._follow(call, line)
        finally:
            with self._lock:
                self._open.remove(call)
        return call.answer()

    def look(self, request: Message) -> Message:
        """The same at once, beside whatever is being done, for a skill that only looks and asks nobody."""
        call = self._read(request)
        skill = self._skills[call.what.name]
        if skill.uses or skill.confirm:
            raise CommandError(f"{skill.name} does more than look", 'send {"command": "call", ...}')
        return {"result": self._carry_out(call)}

    def void(self, reason: str) -> None:
        """End all that wait, for example since a person said stop; what runs is ended by the stop itself."""
        with self._lock:
            for call in self._open:
                if call is not self._running:
                    call.end(error=CommandError(reason, "a person must let the robot move again"))

    def _read(self, request: Message) -> OutsideCall:
        name, arguments = str(request.get("skill", "")), request.get("arguments") or {}
        if name not in self._skills:
            raise CommandError(f"there is no skill {name[:100]!r}", f"there are: {', '.join(sorted(self._skills))}")
        known = [parameter.name for parameter in self._skills[name].parameters]
        if not isinstance(arguments, dict) or set(arguments) - set(known):
            raise CommandError(f"{name} does not take these arguments", f"call it as {self._skills[name].signature}")
        what = Call(name, named=tuple((key, arguments[key]) for key in known if key in arguments))
        return OutsideCall(what, str(request.get("client") or "a program")[:100])

    # --- in the console's thread ---

    def _run(self, call: OutsideCall) -> None:
        with self._lock:
            if call.ended.is_set():
                return
            self._running = call
        try:
            self._conversation.observer.statement(f"{call.what}  # {call.client} asks for it")
            with self._audit.on_behalf_of(call.client, str(call.what)):
                result = self._carry_out(call)
            self._conversation.observer.result(repr(result))
            call.end(result)
        except CommandError as error:
            self._conversation.observer.result(f"{error}. Hint: {error.hint}" if error.hint else str(error))
            call.end(error=error)
        finally:
            self._running = None

    def _carry_out(self, call: OutsideCall) -> Any:
        try:
            return self._functions[call.what.name](**dict(call.what.named))
        except SkillError as error:
            raise CommandError(error.message, error.hint) from error
        except Cancelled as error:
            raise CancelledError(f"cancelled: {error}") from error
        except TypeError as error:
            raise CommandError(f"{call.what} cannot be called: {error}") from error
        except Exception as error:
            log.exception("%s failed unexpectedly", call.what)
            raise CommandError(f"{call.what.name} had an error of its own: {error!r}") from error

    # --- in the thread of the connection ---

    def _follow(self, call: OutsideCall, line: Line) -> None:
        told: dict[str, Any] = {}
        while not call.ended.is_set():
            if line.hung_up(LOOK_SECONDS):
                self._give_up(call)
            elif (now := self._progress(call)) and now != told:
                line.tell(now)
                told = now

    def _progress(self, call: OutsideCall) -> dict[str, Any]:
        if call is not self._running:
            return {"doing": "waiting for its turn"}
        if self._conversation.asking:
            return {"doing": "asking the person beside the robot"}
        return self._body.under_way()

    def _give_up(self, call: OutsideCall) -> None:
        """Cancel until it has ended: between two motions there is nothing to cancel, and the next may begin."""
        log.info("%s does not want %s any more", call.client, call.what)
        while not call.ended.is_set():
            with self._lock:
                if call is not self._running and not call.ended.is_set():
                    call.end(error=CancelledError("nobody wanted it any more"))
                    return
            try:
                self._conversation.withdraw()
                self._cancel(f"{call.client} cancelled it")
            except HardwareError as error:
                log.error("the call cannot be cancelled: %s", error)
            call.ended.wait(LOOK_SECONDS)
