"""What the memory recalls, and what it never does."""

import io
from pathlib import Path

import numpy as np
import pytest

from daemon.config import MemoryConfig
from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import MemoryFileError
from daemon.memory.rules import Rule
from daemon.memory.store import SEED_FOLDER, Memory, read_seeds
from tests.memory.lessons_for_tests import CUP_WITH_DRINK, transcript
from tests.support.fakes import WordEmbedder

SEEDS = f"""# fetching
{transcript("bring me the milk")}
# Driving: two examples, with dashes between them.

{transcript("drive to the table")}
---
{transcript("where are you")}
"""


@pytest.fixture
def seeds(tmp_path):
    folder = tmp_path / "seed"
    folder.mkdir()
    (folder / "household.txt").write_text(SEEDS)
    return folder


@pytest.fixture
def open_memory(tmp_path, seeds):
    opened = []

    def open_memory(embedder=None, config=MemoryConfig()):  # noqa: B008 (frozen)
        opened.append(Memory(tmp_path / "memory.sqlite", embedder or WordEmbedder(), config, seeds))
        return opened[-1]

    yield open_memory
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory):
    return open_memory()


def recalled(memory, *utterances, **options):
    return [found.example.instructions[0] for found in memory.retrieve(utterances, **options)]


def test_the_nearest_example_comes_last_with_its_score(memory):
    found = memory.retrieve(["bring me the milk"])
    assert [f.example.instructions for f in found][-1] == ("bring me the milk",)
    assert found[-1].score == pytest.approx(1)
    assert [f.score for f in found] == sorted(f.score for f in found)
    assert found[-1].example.origin == "seed"


def test_no_more_than_k_are_recalled(open_memory):
    assert len(recalled(open_memory(), "the table", k=2)) == 2
    assert len(recalled(open_memory(config=MemoryConfig(examples=1)), "the table")) == 1
    assert recalled(open_memory(), "the table", k=0) == []


def test_nothing_said_recalls_nothing(memory):
    assert memory.retrieve([]) == []


def test_odd_utterances_recall_without_harm(memory):
    for odd in ("", "don't import", "word " * 5000, "🙂"):
        assert len(memory.retrieve([odd])) == 3


def test_earlier_utterances_count_less_and_old_ones_not_at_all(memory):
    memory.retrieve(["a"])
    assert recalled(memory, "bring me the milk", "drive to the table")[-2:] == [
        "bring me the milk",
        "drive to the table",
    ]
    (score,) = [f.score for f in memory.retrieve(["where are you", "x", "y"]) if "where" in f.example.transcript]
    assert score == pytest.approx(0.36 / np.sqrt(1 + 0.36 + 0.1296), abs=1e-5)  # decay 0.6
    (score,) = [f.score for f in memory.retrieve(["where are you", "x", "y", "z"]) if "where" in f.example.transcript]
    assert score == pytest.approx(0, abs=1e-5)


def test_an_example_is_as_near_as_its_nearest_instruction(memory):
    two_turns = transcript("clean the fridge") + transcript("i need the ladder")
    memory.keep_lesson(two_turns, Rule("I bring the ladder"))
    assert memory.retrieve(["i need the ladder"])[-1].score == pytest.approx(1)
    assert memory.retrieve(["clean the fridge"])[-1].score == pytest.approx(1)


def test_a_lesson_is_recalled_at_once_and_after_a_restart(memory, open_memory):
    lesson = memory.keep_lesson(transcript("bring me the milk", "grasp('milk', 'left')"), CUP_WITH_DRINK)
    for each in (memory, open_memory()):
        nearest = each.retrieve(["bring me the milk"])[-1].example  # nearer than the seed with the same words
        assert nearest.transcript == lesson.transcript
        assert (nearest.origin, nearest.lesson_id) == ("learned", lesson.id)
        assert nearest.steps[1].statement == "grasp('milk', 'left')"


def test_forgotten_and_superseded_lessons_are_never_recalled(memory):
    older = memory.keep_lesson(transcript("fetch the ladder"), Rule("older"))
    newer = memory.keep_lesson(transcript("no ladder"), Rule("newer"), supersedes=older.id)
    assert recalled(memory, "ladder") == [*recalled(memory, "ladder")[:3], "no ladder"]
    memory.forget(newer.id)
    assert not any("ladder" in text for text in recalled(memory, "ladder", k=99))
    memory.restore(older.id)
    assert recalled(memory, "ladder")[-1] == "fetch the ladder"


def test_what_another_process_changes_in_the_file_is_noticed(memory, tmp_path):
    lesson = memory.keep_lesson(transcript("fetch the ladder"), Rule("r"))
    with LessonBook(tmp_path / "memory.sqlite") as other:
        other.forget(lesson.id)
        assert "fetch the ladder" not in recalled(memory, "fetch the ladder")
        other.keep_lesson(transcript("close the fridge"), Rule("r"))
        assert recalled(memory, "close the fridge")[-1] == "close the fridge"


def test_imported_lessons_are_recalled(memory, tmp_path):
    file = io.StringIO()
    with LessonBook(tmp_path / "other.sqlite") as other:
        other.keep_lesson(transcript("close the fridge"), Rule("r"))
        other.export_jsonl(file)
    memory.import_jsonl(file.getvalue().splitlines())
    assert recalled(memory, "close the fridge")[-1] == "close the fridge"


def test_a_lesson_stays_silent_where_it_does_not_apply(memory):
    lesson = memory.keep_lesson(transcript("bring something to drink"), CUP_WITH_DRINK)
    said = "bring something to drink"
    assert recalled(memory, said, lessons=[lesson.id])[-1] == said
    assert said not in recalled(memory, said, lessons=[])
    assert recalled(memory, said)[-1] == said
    assert len(recalled(memory, said, lessons=[], k=3)) == 3  # the seeds still come


def test_seeds_follow_their_files_and_lessons_stay(open_memory, seeds):
    open_memory().keep_lesson(transcript("own"), Rule("r"))
    before = {f.example.id for f in open_memory().retrieve(["x"])}
    assert {f.example.id for f in open_memory().retrieve(["x"])} == before
    (seeds / "household.txt").write_text(SEEDS.replace("where are you", "what do you see"))
    assert set(recalled(open_memory(), "x")) == {
        "bring me the milk",
        "drive to the table",
        "what do you see",
        "own",
    }


@pytest.mark.parametrize("bad", ["say('hi')\n", ">>> say('hi')\n'said'\n"])
def test_a_seed_that_cannot_be_used_is_named(open_memory, seeds, bad):
    (seeds / "bad.txt").write_text(bad)
    with pytest.raises(ValueError, match=r"bad\.txt.*hi"):
        open_memory()


def test_the_shipped_seeds_can_be_read():
    for seed in read_seeds(SEED_FOLDER):
        assert seed.startswith(">>> wait_for_trigger()\n")


class LetterEmbedder:
    """The share of each letter: another vector space, of another size."""

    name = "letters"
    dimension = 26

    def __init__(self):
        self.embedded = []

    def embed(self, texts):
        self.embedded += texts
        rows = np.array([[t.count(chr(97 + i)) + 1e-3 for i in range(26)] for t in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_new_embedder_embeds_everything_once(open_memory):
    open_memory().keep_lesson(transcript("own"), Rule("r"))
    letters = LetterEmbedder()
    assert recalled(open_memory(letters), "nwo")[-1] == "own"  # the same letters
    assert sorted(letters.embedded) == [
        "bring me the milk",
        "drive to the table",
        "nwo",
        "own",
        "where are you",
    ]
    again = LetterEmbedder()
    open_memory(again)
    assert again.embedded == []


def test_an_embedder_that_changed_its_size_embeds_again(open_memory):
    open_memory()
    larger = WordEmbedder()
    larger.dimension = 300
    assert recalled(open_memory(larger), "bring me the milk")[-1] == "bring me the milk"


def test_an_empty_memory_recalls_nothing(tmp_path):
    (tmp_path / "none").mkdir()
    with Memory(tmp_path / "m.sqlite", WordEmbedder(), MemoryConfig(), tmp_path / "none") as memory:
        assert memory.retrieve(["hello"]) == []


def test_a_broken_file_is_refused(tmp_path, open_memory):
    Path(tmp_path / "memory.sqlite").write_text("no database " * 500)
    with pytest.raises(MemoryFileError):
        open_memory()
