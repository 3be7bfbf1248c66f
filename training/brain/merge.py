"""Writes base and adapter as one GGUF, which llama.cpp reads and writes faster than the two."""

from pathlib import Path
from typing import Any

import gguf

from training.brain.llama import Llama

LEFT_OUT = ("GGUF.", "tokenizer.chat_template", "general.architecture", "general.name", "general.file_type")
"""Of the base's own description."""
FORM = gguf.GGMLQuantizationType.Q8_0


def merge(base: Path, network: Llama, file: Path, about: dict[str, Any]) -> None:
    """`about` is added to the file's description."""
    reader = gguf.GGUFReader(base)
    merged = dict(network.merged())
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_name("heed-brain")
    for name, field in reader.fields.items():
        if not name.startswith(LEFT_OUT):
            kind = field.types[0]
            inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), kind, sub_type=inner)
    for name, value in about.items():
        _adder(writer, value)(name, value)
    for tensor in reader.tensors:
        if tensor.name in merged:
            writer.add_tensor(tensor.name, gguf.quants.quantize(merged[tensor.name], FORM), raw_dtype=FORM)
        else:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _adder(writer: gguf.GGUFWriter, value: Any) -> Any:
    return {bool: writer.add_bool, str: writer.add_string, float: writer.add_float32}[type(value)]
