"""The adapter as a file of its own in llama.cpp's form for LoRA: small enough for git, joined at set-up."""

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
