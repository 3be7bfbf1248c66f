"""What is to be done later: in time, after a restart, and forgotten by voice."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from daemon.console.reminders import Reminders
from daemon.imitation import English
from daemon.imitation.english.reminder_phrases import statements_about_later
from daemon.memory.reminder_book import ReminderBook
from daemon.trigger import Utterance
from sim.scene import Scene
from skills.scene import Scene as Seen
from skills.skill import SkillError

WORLD: dict[str, Any] = {"locations": [{"name": "person", "kind": "person"}], "objects": {}}


class Day:
    """A clock on the wall, one that only ever goes on, and a heed that watches both."""

    def __init__(self, file: Path, now: datetime = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)) -> None:
        self.now, self.seconds = now, 1000.0
        self.scene = Scene.from_description(WORLD)
        self.free, self.leads = True, False
        self.requests: list[str] = []
        self.speech: list[str] = []
        self.book = ReminderBook(file)
        self.reminders = Reminders(self.book, self.scene.observe, self._put, self.speech.append, lambda: self.free,
                               English().read_when, lambda: self.leads, lambda: self.seconds,
                               lambda: self.now)  # fmt: skip

    def statements(self, text: str) -> list[str] | None:
        """What a sentence comes down to."""
        return statements_about_later(text, self.reminders, Seen.from_observation(self.scene.observe()))

    def hear(self, text: str) -> str:
        statements = self.statements(text)
        assert statements is not None, text
        functions: dict[str, Any] = {"say": lambda words: words, **self.reminders.functions()}
        return str(eval(statements[0], functions))

    def wait(self, **delta: float) -> None:
        """Let time pass, on both clocks."""
        self.now += timedelta(**delta)
        self.seconds += timedelta(**delta).total_seconds()
        self.reminders.tick()

    def see(self, *, present: bool) -> None:
        """Let the person come or go."""
        self.scene.set_state("person", {"present": present})
        self.wait(seconds=1)

    def _put(self, utterance: Utterance) -> None:
        assert utterance.source == "timer"
        self.requests.append(utterance.text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.sqlite"


@pytest.fixture
def day(file: Path) -> Day:
    return Day(file)


def test_a_timer_is_kept_and_done_in_time(day: Day) -> None:
    assert day.hear("in two minutes bring me the tea") == "All right, in two minutes: bring me the tea."
    day.wait(seconds=119)
    assert day.requests == []
    day.wait(seconds=1)
    assert day.requests == ["bring me the tea"]
    assert day.speech == ["It is time for this: bring me the tea."]
    day.wait(hours=1)
    assert day.requests == ["bring me the tea"]


def test_setting_the_clock_moves_no_duration(day: Day) -> None:
    day.hear("bring me the tea in two minutes")
    day.now += timedelta(hours=5)
    day.reminders.tick()
    assert day.requests == []
    day.seconds += 120
    day.reminders.tick()
    assert day.requests == ["bring me the tea"]


def test_a_time_on_the_clock_follows_the_clock(day: Day) -> None:
    day.hear("at eight in the evening bring me the tea")
    day.seconds += 24 * 3600
    day.reminders.tick()
    assert day.requests == []
    day.now = day.now.replace(hour=20)
    day.reminders.tick()
    assert day.requests == ["bring me the tea"]


def test_every_evening_is_every_evening(day: Day) -> None:
    day.hear("every evening at eight bring me the water")
    for _ in range(3):
        day.wait(hours=24)
    assert day.requests == ["bring me the water"] * 3


def test_a_reminder_is_only_said(day: Day) -> None:
    day.hear("remind me to take the medicine in ten minutes")
    day.wait(minutes=10)
    assert (day.requests, day.speech) == ([], ["I am to remind you: take the medicine."])


def test_what_is_to_be_done_when_somebody_is_back_waits_for_that(day: Day) -> None:
    day.hear("when I come back, give me the juice")
    day.wait(seconds=1)
    day.scene.set_state("person", {"present": False})
    day.wait(seconds=1)
    assert day.requests == []
    day.scene.set_state("person", {"present": True})
    day.wait(seconds=1)
    assert day.requests == ["give me the juice"]


def test_all_that_waits_for_somebody_is_done_when_they_are_back(day: Day) -> None:
    day.hear("when I come back bring me the tea")
    day.hear("when I come back bring me the water")
    for present in (True, False, True):
        day.see(present=present)
    assert day.requests == ["bring me the tea"]
    day.wait(seconds=1)
    assert day.requests == ["bring me the tea", "bring me the water"]
    day.wait(minutes=1)
    assert len(day.requests) == 2


def test_nothing_is_begun_while_something_else_is_going_on(day: Day) -> None:
    day.hear("in two minutes bring me the tea")
    day.free = False
    day.wait(minutes=3)
    assert day.requests == []
    day.free = True
    day.wait(seconds=1)
    assert day.requests == ["bring me the tea"]


def test_a_timer_is_forgotten_by_voice(day: Day) -> None:
    day.hear("in two minutes bring me the tea")
    day.hear("in three minutes bring me the milk")
    assert day.hear("what timers are there?") == (
        "Later I am to do this: in two minutes, bring me the tea; in three minutes, bring me the milk."
    )
    assert day.hear("forget the timer for the tea") == "I have forgotten that: in two minutes, bring me the tea."
    assert day.hear("cancel all timers") == "I have forgotten that: in three minutes, bring me the milk."
    assert day.hear("forget the timer") == "There is nothing of that kind to forget."
    day.wait(minutes=5)
    assert day.requests == []


def test_a_restart_loses_nothing_and_asks(day: Day, file: Path) -> None:
    day.hear("in two minutes bring me the tea")
    after = Day(file, day.now)
    assert after.reminders.left_over() == (
        "Before I was started again I was asked for this: in two minutes, bring me the tea. Shall I keep that in mind?"
    )
    assert after.reminders.answered("yes") == ""
    after.wait(minutes=2)
    assert after.requests == ["bring me the tea"]


def test_after_a_restart_a_no_forgets(day: Day, file: Path) -> None:
    day.hear("in two minutes bring me the tea")
    after = Day(file, day.now)
    after.reminders.left_over()
    assert after.reminders.answered("no, thanks") == ""
    assert after.book.waiting() == []


def test_what_nobody_has_confirmed_since_is_asked_about_when_it_is_due(day: Day, file: Path) -> None:
    day.hear("in two minutes bring me the tea")
    after = Day(file, day.now)
    after.reminders.left_over()
    assert after.reminders.answered("where is the cup?") is None
    after.wait(minutes=2)
    after.wait(minutes=2)
    assert (after.requests, after.speech) == ([], ["It is time for this: bring me the tea. Shall I do it now?"])
    assert after.reminders.answered("yes please") == "bring me the tea"
    assert after.book.waiting() == []


def test_what_nobody_has_confirmed_is_asked_about_one_after_another(day: Day, file: Path) -> None:
    day.hear("in an hour bring me the tea")
    day.hear("in an hour bring me the water")
    after = Day(file, day.now)
    after.reminders.left_over()
    after.reminders.answered("hm, what was that")
    after.wait(hours=1)
    after.wait(seconds=1)
    assert after.speech == ["It is time for this: bring me the tea. Shall I do it now?"]
    assert after.reminders.answered("yes") == "bring me the tea"
    after.wait(seconds=1)
    assert after.speech[1:] == ["It is time for this: bring me the water. Shall I do it now?"]
    assert after.reminders.answered("yes") == "bring me the water"


def test_nothing_is_done_over_an_open_question(day: Day, file: Path) -> None:
    day.hear("in an hour bring me the tea")
    after = Day(file, day.now)
    after.hear("in an hour bring me the water")
    after.wait(hours=1)
    after.wait(seconds=1)
    assert (after.requests, len(after.speech)) == ([], 1)
    assert after.reminders.answered("yes") == "bring me the tea"
    after.wait(seconds=1)
    assert after.requests == ["bring me the water"]


def test_two_that_wait_for_a_yes_are_asked_about_where_somebody_tells_that_they_are_back(day: Day, file: Path) -> None:
    day.hear("when I come back bring me the tea")
    day.hear("when I come back bring me the water")
    after = Day(file, day.now)
    assert after.reminders.announce("return")
    after.wait(seconds=1)
    assert after.reminders.answered("yes") == "bring me the tea"
    after.wait(seconds=1)
    assert after.reminders.answered("yes") == "bring me the water"


def test_what_is_repeated_is_asked_about_once_and_then_done(day: Day, file: Path) -> None:
    day.hear("every evening at eight bring me the water")
    after = Day(file, day.now)
    after.wait(hours=9)
    assert after.reminders.answered("yes") == "bring me the water"
    after.wait(hours=24)
    assert after.requests == ["bring me the water"]


def test_who_has_gone_again_is_awaited_once_more(day: Day) -> None:
    day.hear("when I come back bring me the tea")
    day.hear("when I come back bring me the water")
    for present in (True, False, True, False):
        day.see(present=present)
    assert day.requests == ["bring me the tea"]
    day.see(present=True)
    assert day.requests == ["bring me the tea", "bring me the water"]


def test_a_reminder_needs_no_confirming(day: Day, file: Path) -> None:
    day.hear("remind me to take the medicine in ten minutes")
    after = Day(file, day.now)
    after.wait(minutes=11)
    assert after.speech == ["I am to remind you: take the medicine."]


def test_nothing_left_over_is_nothing_to_ask(day: Day) -> None:
    assert day.reminders.left_over() == ""
    assert day.reminders.answered("yes") is None


def test_what_is_no_time_is_asked_for(day: Day) -> None:
    assert "I do not understand when that is" in day.reminders.remember_later("soon", "bring me the tea")


def test_a_mind_that_leads_notices_any_event_and_begins_what_waits_for_it(day: Day) -> None:
    day.leads = True
    told = day.reminders.remember_later("when the cake smells done", "open the oven")
    assert told == "All right, when the cake smells done: open the oven."
    assert day.reminders.waiting() == ["later 1: when the cake smells done: open the oven"]
    day.wait(days=1)
    assert day.requests == []
    day.reminders.begin_later(1)
    assert day.requests == ["open the oven"]
    assert day.reminders.waiting() == []


def test_what_waits_for_a_time_is_begun_before_it_only_after_a_yes(day: Day) -> None:
    day.leads = True
    day.reminders.remember_later("at 18:30", "bring me the mug")
    day.reminders.begin_later(1)
    assert day.speech == ["It is not time for that yet: at 18:30, bring me the mug. Shall I do it now?"]
    assert day.reminders.answered("no") == ""
    assert (day.requests, len(day.reminders.waiting())) == ([], 1)
    day.reminders.begin_later(1)
    assert (day.reminders.answered("yes"), day.reminders.waiting()) == ("bring me the mug", [])


def test_what_is_repeated_or_only_told_is_not_lost_by_a_yes_before_its_time(day: Day) -> None:
    day.leads = True
    day.reminders.remember_later("every evening at eight", "water the plants")
    day.reminders.begin_later(1)
    assert day.reminders.answered("yes") == "water the plants"
    assert day.reminders.waiting() == ["later 1: every evening at eight: water the plants"]
    day.reminders.remember_later("at 18:30", "remind me to take the medicine")
    day.reminders.begin_later(2)
    assert day.reminders.answered("yes") == ""
    assert day.speech[-1].startswith("I am to remind you: ")
    assert len(day.reminders.waiting()) == 1


def test_what_outlived_a_restart_is_still_asked_about_when_it_is_due(day: Day, file: Path) -> None:
    day.leads = True
    day.reminders.remember_later("at 18:30", "bring me the mug")
    after = Day(file, day.now)
    after.leads = True
    after.reminders.begin_later(1)
    after.reminders.answered("no")
    after.wait(hours=7)
    assert after.requests == []
    assert after.speech[-1] == "It is time for this: bring me the mug. Shall I do it now?"


@pytest.mark.parametrize("about", ["the oven", "later 1", "1"])
def test_what_a_mind_keeps_for_later_outlives_a_restart_and_is_forgotten_by_its_words_or_number(
    day: Day, file: Path, about: str
) -> None:
    day.leads = True
    day.reminders.remember_later("when the cake smells done", "open the oven")
    day.reminders.remember_later("in 20 minutes", "feed the cat")
    after = Day(file, day.now)
    after.leads = True
    told = after.reminders.forget_later(about)
    assert told == "I have forgotten that: when the cake smells done, open the oven."
    assert after.reminders.waiting() == ["later 2: in 20 minutes: feed the cat"]
    with pytest.raises(SkillError, match="nothing of the number 1 waits"):
        after.reminders.begin_later(1)


def test_a_clock_that_cannot_be_read_ends_nothing(day: Day) -> None:
    ended = Event()

    def free() -> bool:
        ended.set()
        raise OSError("the body is being started again")

    Reminders(day.book, day.scene.observe, day._put, day.speech.append, free).watch(ended)
    assert ended.is_set()


@pytest.mark.parametrize(
    ("asked", "told", "request_"),
    [
        ("when I come back, give me the milk", "I am back", "give me the milk"),
        ("as soon as I'm home, hand me the water", "I'm home", "hand me the water"),
        ("once I get back bring the apple to the sink", "I have returned", "bring the apple to the sink"),
        ("when I leave, put the cup in the sink", "bye, I am leaving now", "put the cup in the sink"),
        ("after I return, bring me a banana", "hello, I'm back home again", "bring me a banana"),
        ("the moment I return from work, hand me a banana", "here I am again", "hand me a banana"),
    ],
)
def test_an_event_that_a_person_tells_of_has_happened(day: Day, asked: str, told: str, request_: str) -> None:
    day.hear(asked)
    assert day.statements(told) == []
    assert day.requests == [request_]
    assert day.statements(told) is None  # and is for the model now, who greets


@pytest.mark.parametrize("told", ["I am back", "goodbye, see you tomorrow", "the back door is open", "I am leaving"])
def test_an_event_that_nobody_waits_for_is_talk(day: Day, told: str) -> None:
    assert day.statements(told) is None


def test_whenever_is_each_time(day: Day) -> None:
    day.hear("whenever I come home, give me the water")
    for _ in range(2):
        assert day.statements("I am home") == []
    assert day.requests == ["give me the water"] * 2


def test_who_says_so_and_is_seen_comes_back_once(day: Day) -> None:
    day.hear("whenever I come back, give me the water")
    day.scene.set_state("person", {"present": False})
    day.wait(seconds=1)
    day.statements("I am back")
    day.scene.set_state("person", {"present": True})
    day.wait(seconds=1)
    assert day.requests == ["give me the water"]


@pytest.mark.parametrize("asked", ["when the doorbell rings, bring me the apple", "bring me the tea when it rains"])
def test_what_heed_would_not_notice_is_said_and_not_done(day: Day, asked: str) -> None:
    assert "I would not notice that" in str(day.statements(asked))
    assert day.book.waiting() == []


@pytest.mark.parametrize("when", ["18:30", "at 18:30", "2026-11-20 18:30", "2026-11-20T18:30"])
def test_a_mind_may_write_times_as_clocks_do(day: Day, when: str) -> None:
    day.leads = True
    day.reminders.remember_later(when, "feed the cat")
    day.wait(hours=6, minutes=29)
    assert day.requests == []
    day.wait(minutes=1)
    assert day.requests == ["feed the cat"]


@pytest.mark.parametrize(
    "when", ["on friday at 10", "6 pm", "in 2h", "next monday at 9", "this evening", "2020-01-01 10:00"]
)
def test_a_time_that_nobody_could_keep_is_not_promised(day: Day, when: str) -> None:
    day.leads = True
    with pytest.raises(SkillError) as error:
        day.reminders.remember_later(when, "feed the cat")
    assert "write it as" in str(error.value)
    assert day.book.waiting() == []


@pytest.mark.parametrize(
    "words",
    ["Good morning, could you bring me the juice please", "no milk in my coffee today please", "right, bring tea"],
)
def test_a_sentence_of_its_own_neither_keeps_nor_forgets_what_was_asked_about(day: Day, file: Path, words: str) -> None:
    day.hear("in two hours bring me the tea")
    again = Day(file, day.now)
    assert "Shall I keep that in mind?" in again.reminders.left_over()
    assert again.reminders.answered(words) is None
    assert len(again.book.waiting()) == 1
