"""Writes base and adapter as one GGUF, which llama.cpp reads and writes faster than the two. Needs no torch."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

LEFT_OUT = ("GGUF.", "tokenizer.chat_template", "general.architecture", "general.name", "general.file_type")
"""Of the base's own description."""
OURS = "heed."
"""What the adapter's description says to heed begins so, and is taken over."""
FORM = gguf.GGMLQuantizationType.Q8_0


def merge(base: Path, adapter: Path, file: Path) -> None:
    """Write the base's weights plus alpha / rank * B A (Hu et al. 2021); `file` appears only when it is whole."""
    reader, added = gguf.GGUFReader(base), gguf.GGUFReader(adapter)
    low_rank = {tensor.name: values_of(tensor) for tensor in added.tensors}
    alpha = float(_field(added, gguf.Keys.Adapter.LORA_ALPHA))
    new = file.with_suffix(".new")
    writer = gguf.GGUFWriter(new, "llama")
    writer.add_name(file.stem)
    for name, field in reader.fields.items():
        if not name.startswith(LEFT_OUT):
            kind = field.types[0]
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), kind, sub_type=inner)
    describe(writer, {name: field.contents() for name, field in added.fields.items() if name.startswith(OURS)})
    for tensor in reader.tensors:
        if f"{tensor.name}.lora_a" in low_rank:
            a, b = (low_rank[f"{tensor.name}.lora_{part}"] for part in "ab")
            merged = values_of(tensor) + b @ a * (alpha / len(a))
            writer.add_tensor(tensor.name, gguf.quants.quantize(merged, FORM), raw_dtype=FORM)
        else:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    new.replace(file)


def describe(writer: gguf.GGUFWriter, about: Mapping[str, Any]) -> None:
    """Add this to a file's description."""
    adders: dict[type, Callable[[str, Any], None]] = {
        bool: writer.add_bool,
        str: writer.add_string,
        float: writer.add_float32,
    }
    for name, value in about.items():
        adders[type(value)](name, value)


def values_of(tensor: gguf.ReaderTensor) -> NDArray[np.float32]:
    """The numbers of a tensor, whatever its form, in the shape that torch gives it."""
    values = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
    return np.ascontiguousarray(values, np.float32).reshape(tuple(int(n) for n in reversed(tensor.shape)))


def _field(reader: gguf.GGUFReader, name: str) -> Any:
    field = reader.get_field(name)
    if field is None:
        raise ValueError(f"the adapter does not tell its {name}; take the file that training wrote")
    return field.contents()
