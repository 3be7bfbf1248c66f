"""What people may ask of a running heed, over the socket and from the page: the verbs of talk and motion.

What is asked about lessons, models and the ear is with those: inspect_memory.py, inspect_models.py, hearing.py.
"""

import dataclasses
from collections.abc import Mapping
from typing import Protocol

from daemon.service.control import CommandError, Handler, Message
from daemon.trigger import Utterance
from hw.state import StopReport


class Heed(Protocol):
    """What a person does to heed; App is one."""

    def hear(self, utterance: Utterance) -> None: ...
    def stop(self, reason: str) -> StopReport: ...
    def resume(self, by: str) -> str: ...
    def pause(self) -> None: ...
    def cancel(self, reason: str) -> None: ...
    def status(self) -> Message: ...
    @property
    def page_link(self) -> str: ...


def verb_handlers(heed: Heed) -> Mapping[str, Handler]:
    """The handlers of the verbs; each raises CommandError for what cannot be done."""

    def say(request: Message) -> Message:
        text = str(request.get("text", "")).strip()
        if not text:
            raise CommandError("there is nothing to say", 'give a sentence: heed say "bring me the juice"')
        source = "page" if request.get("source") == "page" else "socket"
        heed.hear(Utterance(text, source=source, speaker=str(request.get("user", ""))))
        return {}

    def stop(request: Message) -> Message:
        return dataclasses.asdict(heed.stop(str(request.get("reason", "heed stop"))))

    def resume(request: Message) -> Message:
        return {"ended": heed.resume(str(request.get("by", "heed resume")))}

    def pause(request: Message) -> Message:
        heed.pause()
        return {}

    def cancel(request: Message) -> Message:
        heed.cancel("cancelled by a command")
        return {}

    def status(request: Message) -> Message:
        return heed.status()

    def page(request: Message) -> Message:
        if not heed.page_link:
            advice = 'start heed with --page, or set page = "127.0.0.1:8642" below [service] in config.toml'
            raise CommandError("there is no page", advice)
        return {"link": heed.page_link}

    handlers = (say, stop, resume, pause, cancel, status, page)
    return {handler.__name__: handler for handler in handlers}
