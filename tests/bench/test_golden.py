"""The record of what heed does is one: the same twice, and told apart where anything differs."""

from pathlib import Path

from bench.suites.golden import SUITES, _conversations, _differing, _sets
from bench.suites.talk import said_to_a_fresh_robot
from bench.support.conversation_diary import Diary, journal, outcome, write
from daemon.config import MemoryConfig
from daemon.imitation import Imitation
from daemon.memory.rules import Rule
from daemon.memory.store import Memory
from daemon.trigger import Utterance
from hw.state import Pose2D
from sim.scene import Scene
from tests.support.fakes import WordEmbedder
from tests.support.worlds import ROOT

KITCHEN = ROOT / "sim" / "scenes" / "kitchen.toml"


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


def test_what_a_conversation_moved_and_what_is_kept_of_it_stands_at_its_end() -> None:
    said = ["bring me the juice", "when I ask for juice, bring a cup too", "yes"]
    embedder = WordEmbedder()
    with journal() as lines:
        came = said_to_a_fresh_robot(
            [Utterance(text) for text in said], Scene.load(KITCHEN), Imitation(embedder), embedder, ["Be quick."]
        )
    (rule,) = came.rules
    assert lines[-2:] == ["moved: juice: fridge > person", f"kept: {rule}"]


def test_a_door_a_state_and_a_rule_that_is_forgotten_are_written_down(tmp_path: Path) -> None:
    kitchen = Scene.load(KITCHEN)
    with Memory(tmp_path / "m.sqlite", WordEmbedder(), MemoryConfig()) as memory, journal() as lines:
        lesson = memory.keep_lesson(
            ">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'slowly'}\n", Rule("Go slowly.")
        )
        with outcome(kitchen.observe, memory.lessons):
            kitchen.set_door("fridge", True)
            kitchen.set_state("cup", {"filled": True})
            kitchen.found("apple", (0.0, 0.0, 0.0))
            kitchen.found("tea", (0.0, 0.0, 1.0), held_by="left")
            memory.forget(lesson.id)
        with outcome(kitchen.observe, memory.lessons):
            kitchen.set_base(Pose2D(1.0, 0.0, 0.0))
    assert lines == [
        "moved: fridge: closed > open; tea: shelf > left hand; apple: table > floor; cup filled: - > True",
        "kept no more: Go slowly.",
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
