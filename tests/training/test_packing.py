"""Samples that begin alike are read once, and answered as if each stood alone. Needs torch, as all that trains does."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from training.brain.llama import Adapter, Llama, Shape  # noqa: E402
from training.brain.packing import (  # noqa: E402
    IGNORED,
    ROUND,
    TOLD,
    Row,
    batches,
    packed,
    read_rows,
    side_by_side,
    trees,
    write_rows,
)

torch.compiler.set_stance("force_eager")
SHAPE = Shape(layers=2, width=16, heads=4, kv_heads=2, epsilon=1e-5, rope_base=10_000.0)
BEGINNING = tuple(range(1, 71))


def rows() -> list[Row]:
    return [
        Row((*BEGINNING, 80, 81, 82, 83), 2),
        Row((*BEGINNING, 80, 90, 91), 1),
        Row((*BEGINNING[:65], 95, 96, 97, 98), 3),
        Row((99, 98, 97, 96), 2),
    ]


def network() -> Llama:
    torch.manual_seed(1)
    weights = {"token_embd.weight": torch.randn(100, SHAPE.width), "output_norm.weight": torch.ones(SHAPE.width)}
    sizes = {"attn_q": (16, 16), "attn_k": (8, 16), "attn_v": (8, 16), "attn_output": (16, 16)}
    sizes |= {"ffn_gate": (32, 16), "ffn_up": (32, 16), "ffn_down": (16, 32)}
    for layer in range(SHAPE.layers):
        weights |= {f"blk.{layer}.{name}.weight": torch.randn(size) * 0.3 for name, size in sizes.items()}
        weights |= {f"blk.{layer}.{name}.weight": torch.ones(16) for name in ("attn_norm", "ffn_norm")}
    return Llama(SHAPE, weights, Adapter(rank=2))


def test_what_shares_its_beginning_stands_in_one_tree() -> None:
    assert sorted(len(tree) for tree in trees(rows())) == [1, 3]


def test_a_packed_sequence_is_shorter_and_asks_for_the_same() -> None:
    one = packed(trees(rows()))
    assert one.tokens.numel() < one.read == sum(len(row.tokens) for row in rows())
    wanted = [int(token) for token in one.wanted.flatten() if token != IGNORED]
    assert sorted(wanted) == sorted(token for row in rows() for token in row.tokens[-row.answer :])


def test_each_sample_is_read_as_if_it_stood_alone() -> None:
    llama, one = network(), packed(trees(rows()))
    with torch.no_grad():
        together = llama(one.tokens, one.positions, one.branches)[one.wanted != IGNORED]
        in_order = [row for tree in trees(rows()) for row in sorted(tree, key=lambda row: len(row.tokens))]
        alone = [llama(torch.tensor([row.tokens]))[0][-row.answer - 1 : -1] for row in in_order]
    torch.testing.assert_close(together, torch.cat(alone), atol=1e-5, rtol=1e-4)


def test_lengths_are_round() -> None:
    one = packed(trees(rows()))
    assert all(branch.length % ROUND == 0 for branch in one.branches)
    assert (
        sum(some.length * some.count for some in one.branches)
        == one.tokens.shape[1]
        == len(one.positions)
        == one.wanted.shape[1]
    )


@pytest.mark.parametrize("gpu", [False, True])
def test_batches_keep_to_their_size_and_never_end(gpu: bool) -> None:
    drawn = batches(rows(), tokens=200, seed=3, gpu=gpu)
    sizes = [next(drawn).tokens.numel() for _ in range(5)]
    assert max(sizes) <= 200


def test_side_by_side_asks_for_the_same_as_alone() -> None:
    llama, one = network(), side_by_side(rows())
    assert one.tokens.shape[0] == len(rows())
    with torch.no_grad():
        together = llama(one.tokens, one.positions, one.branches)[one.wanted != IGNORED]
        alone = [llama(torch.tensor([row.tokens]))[0][-row.answer - 1 : -1] for row in rows()]
    torch.testing.assert_close(together, torch.cat(alone), atol=1e-5, rtol=1e-4)


def test_what_only_tells_counts_less() -> None:
    row = Row((1, 2, 3, 4, 5, 6), answer=4, told=1)
    for one in (side_by_side([row]), packed([[row]])):
        assert one.counts[one.wanted != IGNORED].tolist() == pytest.approx([1.0, 1.0, 1.0, TOLD])
        assert one.counts.sum() == pytest.approx(3.0 + TOLD)


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "rows.npz"
    write_rows([*rows(), Row((7, 8, 9), 2, 1)], file)
    assert read_rows(file) == [*rows(), Row((7, 8, 9), 2, 1)]
