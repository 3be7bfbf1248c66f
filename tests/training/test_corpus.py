"""Dialogues of the corpus are read, and run before they enter."""

import json
import random
from pathlib import Path

import pytest

from bench.mind.embedding_cache import EmbeddingCache
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder
from tests.support.fakes import WordEmbedder
from training.corpus.check import check
from training.corpus.dialogues import Dialogue, DialogueError, read_otherwise, read_voice, voices
from training.corpus.stats import stats_of
from training.corpus.vary import Pool, vary

FLAT = {
    "world": "flat",
    "locations": [
        "hall",
        {"name": "larder", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
    ],
    "objects": {"bread": {"category": "food", "location": "larder"}, "mug": {"category": "cup", "location": "hall"}},
}
FETCH = ["move_to('larder')", "grasp('bread')"]
REST = ["open_door('larder')", "grasp('bread')", "move_to('person')", "handover('bread')", "say('Your bread.')"]
BREAD = {
    "id": "anna-1",
    "kind": "order",
    "world": "flat",
    "turns": [{"say": "bread please", "write": FETCH}, {"write": REST}],
    "moved": {"bread": "person"},
}


def voice(folder: Path, *entries: object) -> Path:
    file = folder / "anna.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return file


def troubles(folder: Path, **changes: object) -> str:
    [verdict] = check(read_voice(voice(folder, FLAT, BREAD | changes)), WordEmbedder())
    return "; ".join(verdict.troubles)


def test_what_is_written_as_it_happens_enters(tmp_path: Path) -> None:
    assert troubles(tmp_path) == ""


@pytest.mark.parametrize(
    ("changes", "trouble"),
    [
        ({"turns": [{"say": "bread please", "write": FETCH}]}, "once more than it writes"),
        ({"turns": [*BREAD["turns"], {"write": ["pass"]}]}, "never asked for: 'pass'"),
        ({"moved": {"bread": "hall"}}, "moved is not as expected"),
        ({"with": {"objects": {"bread": {"location": "attic"}}}}, "its world"),
    ],
)
def test_what_does_not_happen_so_is_told(tmp_path: Path, changes: dict[str, object], trouble: str) -> None:
    assert trouble in troubles(tmp_path, **changes)


def test_a_world_on_another_day(tmp_path: Path) -> None:
    turns = [{"say": "bread please", "write": ["say('There is none.')"]}]
    assert troubles(tmp_path, turns=turns, **{"with": {"objects": {"bread": None}}}, moved={}, said="none") == ""
    direct = [{"say": "bread please", "write": ["move_to('larder')", *REST[1:]]}]
    assert troubles(tmp_path, turns=direct, **{"with": {"doors": {"larder": "open"}}}) == ""


def test_what_was_learned_before_is_no_new_rule(tmp_path: Path) -> None:
    assert troubles(tmp_path, learned=["Bread is brought with a plate."], no_rule=True) == ""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "sermon"}, "line 2.*kind"),
        ({"world": "moon"}, "line 2.*no world"),
        ({"turn": []}, "line 2.*turn"),
        ({"moved": None}, "expects nothing"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    entry = {name: value for name, value in (BREAD | changes).items() if value is not None}
    with pytest.raises(DialogueError, match=message):
        read_voice(voice(tmp_path, FLAT, entry))


def test_what_is_in_it_is_counted(tmp_path: Path) -> None:
    again = BREAD | {"id": "anna-2", "learned": ["I knock."], "turns": [{"say": "bread please now", "write": ["pass"]}]}
    stats = stats_of(read_voice(voice(tmp_path, FLAT, BREAD, again)), WordEmbedder())
    assert (stats.voices, stats.worlds, stats.dialogues, stats.turns) == (1, 1, 2, 2)
    assert stats.kinds == {"order": 2}
    assert stats.functions["grasp"] == 2
    assert (stats.words_median, stats.words_longest, stats.with_rules) == (2.5, 3, 0.5)


POOL = Pool(
    {"rye_roll": {"category": "food"}, "plum": {"category": "fruit"}, "hammer": {"category": "tool"}, "vase": {}},
    ["When you ask for tea, I also bring the honey.", "I never bring the hammer."],
)


def varied(folder: Path, **changes: object) -> list[Dialogue]:
    [dialogue] = read_voice(voice(folder, FLAT, BREAD | changes))
    return [vary(dialogue, POOL, random.Random(seed)) for seed in range(20)]


@pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.whole)])
def test_variations_come_right(tmp_path: Path, count: int) -> None:
    found = varied(tmp_path)[:count]
    assert not [verdict.troubles for verdict in check(found, WordEmbedder()) if verdict.troubles]


def test_variations_differ(tmp_path: Path) -> None:
    found = varied(tmp_path)
    assert {"bread", "rye_roll"} == {name for one in found for name in one.world["objects"]} & {"bread", "rye_roll"}
    assert len({turn.say for one in found for turn in one.turns}) > 3
    assert len({one.learned for one in found}) > 2


def test_a_name_that_is_said_in_part_or_described_stays(tmp_path: Path) -> None:
    objects = {"brown_bread": {"category": "food", "location": "larder"}, "bread": None}
    write = [line.replace("'bread'", "'brown_bread'") for line in ["open_door('larder')", *REST[1:]]]
    turns = [{"say": "bread please", "write": ["move_to('larder')", *write]}]
    found = varied(tmp_path, **{"with": {"objects": objects}}, turns=turns, moved={"brown_bread": "person"})
    assert all("brown_bread" in one.world["objects"] for one in found)


def test_where_all_things_are_meant_nothing_comes_or_goes(tmp_path: Path) -> None:
    turns = [{"say": "what is there in the larder", "write": ["say('Bread.')"]}]
    found = varied(tmp_path, turns=turns, moved={})
    assert all(len(one.world["objects"]) == 2 for one in found)


@pytest.mark.parametrize("file", voices(), ids=lambda file: file.stem)
def test_every_voice_can_be_read(file: Path) -> None:
    found = read_voice(file)
    assert len(found) >= 20
    assert all(dialogue.id.startswith(f"{file.stem}-") for dialogue in found)


@pytest.mark.parametrize("file", voices(), ids=lambda file: file.stem)
def test_other_wordings_have_the_turns_of_their_dialogues(file: Path) -> None:
    known = {dialogue.id for dialogue in read_voice(file)}
    assert set(read_otherwise(file)) <= known


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return EmbeddingCache(MiniLmEmbedder())


@pytest.mark.whole
@pytest.mark.parametrize("file", voices(), ids=lambda file: file.stem)
def test_every_twelfth_dialogue_of_a_voice_holds(file: Path, embedder: Embedder) -> None:
    """`python -m training.corpus check` runs them all."""
    verdicts = check(read_voice(file)[::12], embedder)
    assert [(verdict.dialogue.id, verdict.troubles) for verdict in verdicts if verdict.troubles] == []
