"""What people may ask of a running heed, over the socket and from the page: the verbs of talk and motion.

What is asked about lessons, models, the ear, the page and the fleet is with those.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Protocol

from daemon.service.control import CommandError, Handler, Message
from daemon.trigger import Utterance
from hw.state import HardwareError, Standstill, StopReport


class Heed(Protocol):
    """What a person does to heed; daemon/heed.py has it."""

    def hear(self, utterance: Utterance) -> None: ...
    def stop(self, reason: str) -> StopReport: ...
    def stopped(self, reason: str, report: StopReport) -> None: ...
    def resume(self, by: str) -> str: ...
    def pause(self) -> None: ...
    def cancel(self, reason: str) -> None: ...


def verb_handlers(heed: Heed, now: Callable[[], Message]) -> Mapping[str, Handler]:
    """Return the handlers of the verbs, and of status, which tells `now()`.

    Each raises CommandError for what cannot be done.
    """

    def say(request: Message) -> Message:
        text = str(request.get("text", "")).strip()
        if not text:
            raise CommandError("there is nothing to say", 'give a sentence: heed say "bring me the juice"')
        source = "page" if request.get("source") == "page" else "socket"
        heed.hear(Utterance(text, source=source, speaker=str(request.get("user", ""))))
        return {}

    def stop(request: Message) -> Message:
        return dataclasses.asdict(heed.stop(str(request.get("reason", "heed stop"))))

    def stopped(request: Message) -> Message:
        heed.stopped(str(request.get("reason", "a program")), _report(request))
        return {}

    def resume(request: Message) -> Message:
        try:
            return {"ended": heed.resume(str(request.get("by", "heed resume")))}
        except HardwareError as error:
            raise CommandError(str(error).partition(" (hint:")[0], error.hint) from error

    def pause(request: Message) -> Message:
        heed.pause()
        return {}

    def cancel(request: Message) -> Message:
        heed.cancel("cancelled by a command")
        return {}

    def status(request: Message) -> Message:
        return now()

    handlers = (say, stop, stopped, resume, pause, cancel, status)
    return {handler.__name__: handler for handler in handlers}


def _report(request: Message) -> StopReport:
    """Return what heed-hw answered to the stop that a program tells of."""
    try:
        return StopReport(float(request["accepted_at"]), None, Standstill(request["standstill"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(f"this is no report of a stop: {error!r}", "pass on what heed-hw answered") from error
