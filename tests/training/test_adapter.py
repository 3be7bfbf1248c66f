"""An adapter that was written is read again as it was, so that training can go on from it. Needs torch."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from tests.training.test_packing import network  # noqa: E402
from training.brain.adapter import halfway, read_adapter, write_adapter  # noqa: E402
from training.brain.llama import Adapter  # noqa: E402


def test_training_goes_on_from_an_adapter(tmp_path: Path) -> None:
    taught, fresh = network(), network()
    with torch.no_grad():
        for block in taught.blocks:
            for layer in block.layers.values():
                layer.b.normal_()
    write_adapter(taught, Adapter(), tmp_path / "adapter.gguf", {})
    fresh.begin_with(read_adapter(tmp_path / "adapter.gguf"))
    for (name, a, b), (other, c, d) in zip(taught.adapters(), fresh.adapters(), strict=True):
        assert name == other
        assert abs(a - c).max() < 1e-2
        assert abs(b - d).max() < 1e-2


def test_an_adapter_of_another_rank_is_refused(tmp_path: Path) -> None:
    write_adapter(network(), Adapter(), tmp_path / "adapter.gguf", {})
    adapters = {name: (a[:1], b[:, :1]) for name, (a, b) in read_adapter(tmp_path / "adapter.gguf").items()}
    with pytest.raises(ValueError, match="another rank"):
        network().begin_with(adapters)


def test_halfway_is_the_mean_of_two_adapters(tmp_path: Path) -> None:
    begun, learned = network(), network()
    with torch.no_grad():
        for block in learned.blocks:
            for layer in block.layers.values():
                layer.b.fill_(1.0)
    write_adapter(begun, Adapter(), tmp_path / "adapter.gguf", {})
    mean = network()
    mean.begin_with(halfway(learned.adapters(), read_adapter(tmp_path / "adapter.gguf")))
    assert all((b == 0.5).all() for _, _, b in mean.adapters())


def test_blocks_that_are_frozen_learn_nothing_and_the_others_do() -> None:
    taught = network()
    taught.blocks[:1].requires_grad_(False)
    taught.logits(taught(torch.tensor([[1, 2, 3]]))).sum().backward()
    first, second = ([layer.b.grad for layer in block.layers.values()] for block in taught.blocks)
    assert all(learned is None for learned in first)
    assert all(learned is not None and learned.abs().sum() > 0 for learned in second)
