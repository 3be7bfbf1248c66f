"""The record of what heed does is one: the same twice, and told apart where anything differs."""

from bench.suites.golden import SUITES, _conversations, _differing, _sets
from bench.support.conversation_diary import Diary, journal, write
from daemon.trigger import Utterance


def test_what_is_said_read_done_and_what_fails_is_written_down() -> None:
    with journal() as lines:
        diary = Diary()
        diary.heard(Utterance("the tea, please"))
        diary.statement("wait_for_trigger()")
        diary.result("{'type': 'dialog', 'text': 'the tea, please'}\n# It means: bring me the tea")
        diary.statement("grasp('tea')")
        diary.result("RuntimeError: the arm is too short. Hint: move_to('table')")
        diary.said("I could not do that.")
    assert lines == [
        "---",
        "heard: the tea, please",
        "# It means: bring me the tea",
        ">>> grasp('tea')",
        "    RuntimeError: the arm is too short. Hint: move_to('table')".strip(),
        "says: I could not do that.",
    ]


def test_nothing_is_written_where_nobody_collects() -> None:
    write("into the void")
    with journal() as lines:
        pass
    assert lines == []


def test_conversations_that_went_otherwise_are_counted() -> None:
    before = ["---", "heard: a", "says: b", "---", "heard: c", "says: d"]
    now = ["---", "heard: a", "says: b", "---", "heard: c", "says: e"]
    assert _differing(_conversations(before), _conversations(before)) == 0
    assert _differing(_conversations(before), _conversations(now)) == 1


def test_of_orders_each_line_counts() -> None:
    assert _differing(_conversations(["x => none", "y => none"]), _conversations(["x => none"])) == 1


def test_every_suite_has_sets_and_every_set_its_record() -> None:
    assert {one.suite for one in _sets()} == set(SUITES)
    assert [one.name for one in _sets() if not one.file.exists()] == []
