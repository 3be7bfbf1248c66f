"""A part of heed that dies is mended, or heed ends honestly so that it is started afresh."""

import threading
from types import SimpleNamespace

import pytest

from daemon.service.health import Health
from hw.state import HardwareError


class Body:
    """Dies as often as it is told to."""

    def __init__(self, *deaths: list[str] | Exception) -> None:
        self._deaths = list(deaths)
        self.stopped: str | None = None
        self.all_mended = threading.Event()

    def end_forgotten_hold(self) -> None:
        """Nobody holds it."""

    def localise(self) -> None:
        """Nobody sees where it stands."""

    def restart_what_died(self) -> list[str]:
        if not self._deaths:
            self.all_mended.set()
            return []
        death = self._deaths.pop(0)
        if isinstance(death, Exception):
            raise death
        return death

    def state(self) -> SimpleNamespace:
        return SimpleNamespace(stopped=self.stopped)


class Ear:
    failure: Exception | None = None


def test_what_died_of_the_body_is_started_again_also_when_that_fails_at_first() -> None:
    body, ended, restarted = Body(HardwareError("no bus"), ["heed-hw"]), threading.Event(), []  # type: ignore[var-annotated]
    health = Health(body, {}, restarted.append, restarted.append, restarted.append)  # type: ignore[arg-type]
    watch = threading.Thread(target=health.run, args=(ended,))
    watch.start()
    assert body.all_mended.wait(30)
    ended.set()
    watch.join(30)
    assert restarted == ["heed-hw"]
    assert not health.failed


def test_what_cannot_be_mended_ends_the_watch_with_a_reason() -> None:
    ear, found = Ear(), []  # type: ignore[var-annotated]
    troubles = {"the ear has ended": lambda: ear.failure, "the mouth has ended": lambda: None}
    health = Health(Body(), troubles, found.append, found.append, print)  # type: ignore[arg-type]
    ear.failure = OSError("the microphone is gone")
    health.run(threading.Event())
    assert health.failed
    assert found == ["the ear has ended: the microphone is gone"]


def test_a_heed_that_ends_anyway_did_not_fail() -> None:
    ended = threading.Event()
    ended.set()
    health = Health(Body(), {"the ear has ended": lambda: "yes"}, print, print, print)  # type: ignore[arg-type]
    health.run(ended)
    assert not health.failed


@pytest.mark.whole
def test_a_robot_that_stops_itself_is_noticed_once() -> None:
    body, ended, told = Body(), threading.Event(), []  # type: ignore[var-annotated]
    looks = iter([None, "left: servo 1 is silent", "left: servo 1 is silent", None, "it is hot"])

    def state() -> SimpleNamespace:
        try:
            return SimpleNamespace(stopped=next(looks))
        except StopIteration:
            ended.set()
            return SimpleNamespace(stopped=None)

    body.state = state  # type: ignore[method-assign]
    Health(body, {}, print, print, told.append).run(ended)  # type: ignore[arg-type]
    assert told == ["left: servo 1 is silent", "it is hot"]
