"""The nearest examples: the same ones, however many there are and however they are found."""

import numpy as np
import pytest

from daemon.memory import retrieval
from daemon.memory.example import InteractionExample
from daemon.memory.retrieval import GrowingIndex, InstructionIndex


def index(vectors, many, texts_each=1):
    examples = [
        InteractionExample(number, "", ("x",) * texts_each, "learned", lesson_id=number)
        for number in range(len(vectors) // texts_each)
    ]
    return InstructionIndex(examples, vectors, many)


def normal(shape, seed):
    vectors = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def found(index, query, k, suits=lambda example: True):
    return [(retrieved.example.id, round(retrieved.score, 5)) for retrieved in index.nearest(query, k, suits)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("texts_each", [1, 3])
def test_the_rough_pass_finds_exactly_the_same(seed, texts_each):
    vectors = normal((3000, 64), seed)
    vectors[1200:1500] = vectors[0] + 0.02 * normal((300, 64), seed + 100)  # a crowd that 8 bits cannot tell apart
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for query in (vectors[0], vectors[2000], *normal((5, 64), seed + 50)):
        for suits in (lambda e: True, lambda e: e.lesson_id % 7 == 0, lambda e: e.lesson_id > 990):
            exact, rough = index(vectors, 10**9, texts_each), index(vectors, 1, texts_each)
            wanted, got = exact.nearest(query, 16, suits), rough.nearest(query, 16, suits)
            assert [hit.score for hit in got] == pytest.approx([hit.score for hit in wanted], abs=1e-6)
            for hit in got:  # of those that differ by rounding alone, either may be there
                assert suits(hit.example)
                here = vectors[hit.example.id * texts_each : (hit.example.id + 1) * texts_each]
                assert hit.score == pytest.approx(float((here @ query).max()), abs=1e-6)
            assert len({hit.example.id for hit in got}) == len(wanted)


def test_exact_means_as_sorting_everything_would_find_it():
    vectors, query = normal((500, 32), 1), normal(32, 2)
    wanted = sorted(range(500), key=lambda i: (float(vectors[i] @ query), i))[-9:]
    assert [id for id, _ in found(index(vectors, 10**9), query, 9)] == wanted


def test_of_equals_the_later_is_nearer():
    vectors = np.repeat(normal((1, 32), 1), 200, axis=0)
    for many in (1, 10**9):
        assert [id for id, _ in found(index(vectors, many), vectors[0], 3)] == [197, 198, 199]


def test_fewer_than_asked_for_are_all_there_is():
    vectors = normal((10, 32), 1)
    for many in (1, 10**9):
        assert len(found(index(vectors, many), vectors[0], 16)) == 10
        assert [id for id, _ in found(index(vectors, many), vectors[0], 16, lambda e: e.lesson_id == 4)] == [4]
        assert found(index(vectors, many), vectors[0], 16, lambda e: False) == []
        assert found(index(vectors, many), vectors[0], 0) == []
    assert found(index(np.zeros((0, 32), np.float32), 1), vectors[0], 3) == []


@pytest.mark.parametrize("lately", [0, 40, 10**9])
def test_an_index_that_grew_finds_what_one_made_at_once_finds(lately, monkeypatch):
    monkeypatch.setattr(retrieval, "LATELY", lately)
    dice, vectors = np.random.default_rng(1), normal((400, 32), 1)
    vectors[300:] = vectors[:100]  # equal sentences
    nothing = InstructionIndex([], np.zeros((0, 32), np.float32))
    grown, here = GrowingIndex(nothing, nothing), {}
    for step in range(60):
        changed = {int(id) for id in dice.integers(0, 200, dice.integers(1, 30))}
        there = sorted(id for id in changed if dice.random() < 0.7)
        here = {id: version for id, version in here.items() if id not in changed} | dict.fromkeys(there, step % 2)
        rows = {id: [id + 200 * here[id]] * (1 + id % 2) for id in there}  # some say two things
        examples = [
            InteractionExample(id, str(step), ("x",) * len(rows[id]), "learned", lesson_id=id % 5) for id in there
        ]
        grown = grown.after(changed, examples, vectors[[row for id in there for row in rows[id]]].reshape(-1, 32))
        assert sorted(example.id for example in grown.examples) == sorted(here)
        assert len(grown.vectors) == sum(1 + id % 2 for id in here)
        query = normal(32, step)
        for suits in (lambda example: True, lambda example: example.lesson_id == 3):
            fitting = [id for id in here if suits(InteractionExample(id, "", ("x",), "learned", id % 5))]
            scores = sorted((float(vectors[id + 200 * here[id]] @ query) for id in fitting), reverse=True)[:9]
            got = grown.nearest(query, 9, suits)
            assert [hit.score for hit in reversed(got)] == pytest.approx(scores, abs=1e-6)
            assert len({hit.example.id for hit in got}) == len(got)


def test_of_equals_what_changed_lately_is_nearer():
    vectors = np.repeat(normal((1, 32), 1), 3, axis=0)
    nothing = InstructionIndex([], np.zeros((0, 32), np.float32))
    old = [InteractionExample(id, "", ("x",), "seed") for id in (7, 8, 9)]
    grown = GrowingIndex(InstructionIndex(old, vectors), nothing).after({8}, [old[1]], vectors[:1])
    assert [id for id, _ in found(grown, vectors[0], 2)] == [9, 8]
    assert found(grown, vectors[0], 0) == []
