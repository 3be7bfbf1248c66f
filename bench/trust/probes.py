"""What benches say to a running heed, and what they wait for."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from bench.report import BenchError
from bench.trust.machines import Sound
from bench.trust.service import Service, look_at, wait_for
from daemon.memory.lesson_table import LessonBook
from daemon.memory.sentence_to_effect import rule_said
from daemon.service.control import CommandError

RULE = "When you ask for juice or another drink, I also bring the cup, both at once."
TRANSCRIPT = """>>> wait_for_trigger()
{'type': 'dialog', 'text': 'I want some juice'}
>>> say('Here is the juice and the cup.')
'success'
"""
STILL_SECONDS = 1.0
"""Two looks at the robot so far apart tell whether it moves."""
BREATH_SECONDS = 0.7
"""Between the end of an answer and what a person says next; the echo of its voice dies away meanwhile."""
REST_SECONDS = 5.0
"""A disarmed wheel coasts (ODrive's watchdog disarms, it does not brake); the simulated one for three seconds."""


def answers(service: Service) -> bool:
    """Say hello, and wait until it was carried through, or heed has started again and does not know of it."""
    walks, starts = service.walks("hello"), service.starts
    try:
        service.ask("say", text="hello")
        wait_for(lambda: service.walks("hello") > walks or service.starts > starts, "hello is answered", 15.0)
    except (CommandError, BenchError):
        return False
    return service.walks("hello") > walks


def listens(service: Service) -> bool:
    """The same for somebody who does not wait until heed has done what it does."""
    with suppress(CommandError):
        service.ask("cancel")
    return answers(service)


def make_ready(service: Service) -> None:
    """Make everything active, with nothing under way."""

    def ready() -> bool:
        try:
            service.ask("resume")
        except CommandError:
            return False
        status = service.status()
        return bool(status) and set(status["body"].values()) == {"active"}  # type: ignore[index]

    wait_for(ready, "the body is active again")
    wait_for(service.waits, "heed waits", 120.0)


def comes_to_rest(service: Service, within: float = REST_SECONDS) -> bool:
    """Return whether it stands still, and goes on doing so. Wheels that lost their master coast for a while."""
    deadline = time.monotonic() + within
    while moves(service):
        if time.monotonic() > deadline:
            return False
    return not moves(service)


def moves(service: Service) -> bool:
    before = look_at(service)
    time.sleep(STILL_SECONDS)
    return look_at(service).differs(before)


def teach(memory: Path) -> None:
    """One lesson, in the memory of a heed that is yet to start."""
    rule = rule_said(RULE)
    assert rule is not None
    with LessonBook(memory) as book:
        book.keep_lesson(TRANSCRIPT, rule)


def known_lessons(service: Service) -> int:
    """Active ones, as the running heed says."""
    found: list[int] = []

    def asked() -> bool:
        with suppress(CommandError):
            found.append(sum(lesson["status"] == "active" for lesson in service.ask("lessons")["lessons"]))
        return bool(found)

    wait_for(asked, "heed tells its lessons")
    return found[0]


def is_heard(service: Service, sound: Sound) -> bool:
    """Ask something aloud as soon as heed is silent: its own voice drowns ours, as a person's does another's."""

    def silent() -> bool:
        status = service.status()
        return bool(status) and (status["ear"], status["mouth"]) == ("listening", "silent")  # type: ignore[index]

    def heard() -> int:
        return service.log().count(" utterance source=microphone")

    try:
        wait_for(silent, "heed listens", 6.0)
        time.sleep(BREATH_SECONDS)
        before = heard()
        sound.speak("where is the cup")
        wait_for(lambda: heard() > before, "it is heard", 6.0)
    except BenchError:
        return False
    return True


def restart(service: Service) -> None:
    """Kill heed, and wait until it is back."""
    starts = service.starts
    os.kill(service.pid, signal.SIGKILL)
    wait_for(lambda: service.starts > starts and service.status(), "heed starts again", 120.0)
