"""Dialogues made by program hold in their worlds, as those of people do."""

import random
from itertools import islice

import pytest

from tests.support.fakes import WordEmbedder
from training.corpus.check import check
from training.corpus.dialogues import Dialogue, read_voice, voices
from training.corpus.drills import IN_A_WORLD, WISHES, drills
from training.corpus.vary import Pool

TOLD = read_voice(voices()[0])


def some(count: int) -> list[Dialogue]:
    return list(islice(drills([dialogue.world for dialogue in TOLD], Pool.of(TOLD), random.Random(5)), count))


@pytest.mark.parametrize("count", [10, pytest.param(40, marks=pytest.mark.whole)])
def test_most_drills_hold(count: int) -> None:
    verdicts = list(check(some(count), WordEmbedder()))
    broken = [verdict for verdict in verdicts if verdict.troubles]
    assert len(broken) <= count / 10, [(verdict.dialogue.turns, verdict.troubles) for verdict in broken]


def test_several_stand_in_one_world_and_each_wish_comes() -> None:
    drawn = some(1500)
    worlds = {id(drill.world) for drill in drawn}
    assert len(worlds) < len(drawn) / IN_A_WORLD * 2
    assert {drill.id.split("-")[0] for drill in drawn} == {wish.__name__ for wish in WISHES}


def test_an_absent_thing_is_called_by_nothing_that_is_there() -> None:
    for drill in (drill for drill in some(400) if drill.id.startswith("absent")):
        missing = drill.turns[0].write.partition("I see no ")[2].partition(" here")[0]
        assert not any(word in name.split("_") for name in drill.world["objects"] for word in missing.split())
