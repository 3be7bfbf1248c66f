"""The adapter as a file of its own in llama.cpp's form for LoRA: small enough for git, joined at set-up."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from training.brain.llama import Adapter, Llama
from training.brain.merge import describe


def write_adapter(network: Llama, adapter: Adapter, file: Path, about: dict[str, Any]) -> None:
    """`about` becomes the merged file's description (merge.py)."""
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, adapter.alpha)
    describe(writer, about)
    for name, a, b in network.adapters():
        writer.add_tensor(f"{name}.lora_a", a.astype(np.float16))
        writer.add_tensor(f"{name}.lora_b", b.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read_adapter(file: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """A (rank, inner) and B (out, rank) of each weight that an adapter changes, by the weight's name."""
    tensors = {tensor.name: np.array(tensor.data) for tensor in gguf.GGUFReader(file).tensors}
    names = {name.removesuffix(".lora_a") for name in tensors if name.endswith(".lora_a")}
    return {name: (tensors[f"{name}.lora_a"], tensors[f"{name}.lora_b"]) for name in names}


def halfway(
    learned: Iterable[tuple[str, np.ndarray, np.ndarray]], begun_with: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The mean of what was learned, as Llama.adapters() gives it, and of the adapter that this began with.

    It keeps more of what the first one could, and most of what is new (Wortsman et al. 2022, robust fine-tuning).
    """
    return {name: ((a + begun_with[name][0]) / 2, (b + begun_with[name][1]) / 2) for name, a, b in learned}
