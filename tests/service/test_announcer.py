"""What heed says aloud, and what it only shows."""

from datetime import datetime

import numpy as np

from daemon.service.announcer import Announcer
from daemon.service.observers import Observers
from daemon.service.permission import QuietHours
from daemon.speech.synthesis import Sound
from daemon.speech.talker import Talker
from daemon.trigger import Utterance
from tests.support.null_sink import NullSink


class Shown:
    """An Observer that remembers what was said."""

    def __init__(self) -> None:
        self.speech: list[str] = []

    def heard(self, utterance: Utterance) -> None: ...
    def statement(self, statement: str) -> None: ...
    def result(self, result: str) -> None: ...
    def said(self, text: str) -> None:
        self.speech.append(text)


class NotingVoice:
    name = "noting"

    def __init__(self) -> None:
        self.spoken: list[str] = []

    def synthesize(self, sentence: str) -> Sound:
        self.spoken.append(sentence)
        return np.zeros(1, np.int16), 16000

    def close(self) -> None: ...


def announcer(voice: NotingVoice, shown: Shown, hour: int = 12) -> Announcer:
    hours = QuietHours("22:00-07:00", lambda: datetime(2026, 1, 1, hour))
    told = Announcer(Observers(shown), Talker(voice, NullSink()), hours)
    told.start()
    return told


def test_what_heed_tells_is_shown_and_spoken() -> None:
    voice, shown = NotingVoice(), Shown()
    told = announcer(voice, shown)
    told.tell("I have stopped.")
    told.wait_silent(10)
    told.close()
    assert (voice.spoken, shown.speech) == (["I have stopped."], ["I have stopped."])


def test_in_the_quiet_hours_it_is_shown_only() -> None:
    voice, shown = NotingVoice(), Shown()
    told = announcer(voice, shown, hour=23)
    told.tell("I have stopped.")
    told.close()
    assert told.quiet
    assert (voice.spoken, shown.speech) == ([], ["I have stopped."])


def test_a_robot_without_a_voice_shows_all_the_same() -> None:
    shown = Shown()
    told = Announcer(Observers(shown), None, QuietHours(""))
    told.start()
    told.tell("I have stopped.")
    told.wait_silent()
    told.close()
    assert shown.speech == ["I have stopped."]
    assert (told.status, told.speaking, told.failure) == ("none", False, None)


def test_what_heed_told_by_itself_is_known_for_a_while_and_signs_of_work_are_not() -> None:
    told = Announcer(Observers(), None, QuietHours(""))
    told.remark("The milk, right away.")
    for number in range(4):
        told.tell(f"It is time for task {number}.")
    assert told.told_lately() == [f"It is time for task {number}." for number in (1, 2, 3)]
