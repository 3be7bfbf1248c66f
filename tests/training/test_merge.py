"""The adapter that git holds, joined with the weights that a package carries."""

from pathlib import Path

import gguf
import numpy as np

from daemon.llm.gguf_file import read_gguf
from tests.llm.tiny_gguf import make_tiny_gguf
from training.brain.merge import describe, merge, values_of

CHANGED = "blk.0.attn_q.weight"
ALPHA, RANK = 8.0, 4


def adapter_for(base: Path, file: Path) -> np.ndarray:
    """Write one that changes a single layer, and return by how much."""
    shape = next(values_of(tensor).shape for tensor in gguf.GGUFReader(base).tensors if tensor.name == CHANGED)
    random = np.random.default_rng(3)
    a = random.normal(0, 0.1, (RANK, shape[1])).astype(np.float16)
    b = random.normal(0, 0.1, (shape[0], RANK)).astype(np.float16)
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, ALPHA)
    describe(writer, {"heed.taught": True, "heed.confidence": 0.5})
    writer.add_tensor(f"{CHANGED}.lora_a", a)
    writer.add_tensor(f"{CHANGED}.lora_b", b)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return b.astype(np.float32) @ a.astype(np.float32) * ALPHA / RANK


def weights_of(file: Path) -> dict[str, np.ndarray]:
    return {tensor.name: values_of(tensor) for tensor in gguf.GGUFReader(file).tensors}


def test_the_merged_file_has_the_change_and_all_else_as_it_was(tmp_path: Path) -> None:
    base, merged = make_tiny_gguf(tmp_path / "base.gguf"), tmp_path / "merged.gguf"
    change = adapter_for(base, tmp_path / "adapter.gguf")
    merge(base, tmp_path / "adapter.gguf", merged)
    before, after = weights_of(base), weights_of(merged)
    assert before.keys() == after.keys()
    assert np.abs(after[CHANGED] - before[CHANGED] - change).max() < 0.02
    assert np.abs(change).max() > 0.04
    assert all((after[name] == weight).all() for name, weight in before.items() if name != CHANGED)


def test_the_merged_file_says_of_itself_what_the_adapter_does(tmp_path: Path) -> None:
    base = make_tiny_gguf(tmp_path / "base.gguf")
    adapter_for(base, tmp_path / "adapter.gguf")
    merge(base, tmp_path / "adapter.gguf", tmp_path / "merged.gguf")
    said = read_gguf(tmp_path / "merged.gguf")
    assert said.taught
    assert said.confidence == 0.5
    assert sorted(file.name for file in tmp_path.iterdir()) == ["adapter.gguf", "base.gguf", "merged.gguf"]
