"""What a GGUF file says about itself, read without loading it and without llama.cpp.

Follows the GGUF specification, versions 2 and 3 (ggml-org/ggml, docs/gguf.md). Everything in the file is
untrusted: each length is checked against the file's size before it is believed. It is read and not mapped into
memory, since a mapped file that shrinks meanwhile ends the process that looks at it.
"""

import math
import os
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from daemon.llm.model import ModelError

MAGIC = b"GGUF"
DEFAULT_ALIGNMENT = 32
WORK_BYTES = 150_000_000
"""What llama.cpp needs beside weights and context, roughly: work buffers, vocabulary, its process."""
TAUGHT_TOKENS = 4096
"""A mind that was taught reads a situation and five turns: with its answer some 2,500 tokens, by an estimate."""
NOT_WRITING = {"bert", "nomic-bert", "jina-bert-v2", "clip", "t5encoder"}
"""Architectures that only read: embeddings, images."""
KEPT_ARRAY = 1024
"""Longer arrays (the vocabulary) are stepped over; shorter ones may hold a number per layer."""
LONGEST_TEXT = 1 << 22
"""Bytes; chat templates have some 10,000."""
DIMENSIONS = 4
"""Of a tensor, at most: ggml's GGML_MAX_DIMS."""


class GgufError(ModelError):
    """The file is missing, broken or not a GGUF; the message says what to do."""


@dataclass(frozen=True)
class GgufFile:
    """The header of a model file."""

    path: Path
    version: int
    metadata: dict[str, Any] = field(repr=False)
    """As written in the file, without arrays longer than 1024."""
    tensor_bytes: int
    """Size of the weights."""

    @property
    def architecture(self) -> str:
        return str(self.metadata.get("general.architecture", "unknown"))

    @property
    def name(self) -> str:
        return str(self.metadata.get("general.name", self.path.stem))

    @property
    def context_tokens(self) -> int:
        """The longest text that the model was made for; of one that was taught, the longest that heed shows it."""
        made_for = int(self._of_architecture("context_length", 2048))
        return min(made_for, TAUGHT_TOKENS) if self.taught else made_for

    @property
    def confidence(self) -> float:
        """Return below which it asks not to be acted on (`heed.confidence`), from 0 to 1; 0 where it says nothing."""
        asked = self.metadata.get("heed.confidence", 0.0)
        return float(asked) if isinstance(asked, int | float) and 0 <= asked <= 1 else 0.0

    @property
    def taught(self) -> bool:
        """Return whether it was taught what a robot does (`heed.taught`), and reads no rules, functions and
        examples.
        """
        return self.metadata.get("heed.taught") is True

    @property
    def chat_template(self) -> str | None:
        template = self.metadata.get("tokenizer.chat_template")
        return template if isinstance(template, str) and template.strip() else None

    @property
    def unsuitable(self) -> str:
        """Return why this cannot write statements although it is a sound GGUF; empty when it can."""
        kind = self.metadata.get("general.type", "model")
        if kind != "model" or self.architecture in NOT_WRITING or "tokenizer.ggml.model" not in self.metadata:
            return f"{self.path} ({self.architecture}) is no language model that writes text"
        part = self.metadata.get("split.no", 0)
        if part:
            return f"{self.path} is part {part + 1} of a model in several files; name the first"
        return ""

    def memory_needed(self, context_tokens: int) -> int:
        """Bytes of RAM for the weights and a context (keys and values as 16-bit numbers), roughly."""
        layers = int(self._of_architecture("block_count", 0))
        width = int(self._of_architecture("embedding_length", 0))
        heads = self._per_layer("attention.head_count", layers, 1)
        kv_heads = self._per_layer("attention.head_count_kv", layers, max(heads, default=1))
        head_width = width // max(max(heads, default=1), 1)
        key_width = int(self._of_architecture("attention.key_length", head_width))
        value_width = int(self._of_architecture("attention.value_length", head_width))
        return self.tensor_bytes + context_tokens * sum(kv_heads) * (key_width + value_width) * 2 + WORK_BYTES

    def _of_architecture(self, key: str, default: Any) -> Any:
        return self.metadata.get(f"{self.architecture}.{key}", default)

    def _per_layer(self, key: str, layers: int, default: int) -> list[int]:
        value = self._of_architecture(key, default)
        return [int(v) for v in value] if isinstance(value, list) else [int(value)] * layers


def read_gguf(path: Path) -> GgufFile:
    """Read the header of a model file and check that all of its weights are there.

    Raises GgufError for a missing, truncated or foreign file.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            return _read(path, file, size)
    except OSError as error:
        raise GgufError(f"{path} cannot be read ({error.strerror}); put a GGUF file there or name another") from error


def _read(path: Path, file: BinaryIO, size: int) -> GgufFile:
    if size < 24 or file.read(len(MAGIC)) != MAGIC:
        raise _not_gguf(path, size)
    reader = _Reader(file, size)
    try:
        version, tensors, pairs = reader.number("I"), reader.number("Q"), reader.number("Q")
        if version not in (2, 3):
            raise GgufError(f"{path} is GGUF version {version}, heed reads 2 and 3; get a newer copy of the model")
        metadata = dict(reader.pair() for _ in range(pairs))
        end = max((reader.tensor_end() for _ in range(tensors)), default=0)
        start = _round_up(reader.at, int(metadata.get("general.alignment", DEFAULT_ALIGNMENT)) or DEFAULT_ALIGNMENT)
        header = GgufFile(path, version, metadata, max(size - start, 0))
        if header.context_tokens < 1 or header.memory_needed(header.context_tokens) < 1:
            raise ValueError("sizes below 1")
    except (_Truncated, MemoryError) as error:
        raise GgufError(f"{path} is cut off or damaged in its header; download it again") from error
    except (struct.error, ValueError, KeyError, TypeError, OverflowError) as error:
        raise GgufError(f"{path} has a damaged header ({error}); download it again") from error
    if start + end > size:
        missing = f"{start + end - size:,} of {start + end:,} bytes are missing"
        raise GgufError(f"{path} is cut off, {missing}; download it again")
    return header


def _not_gguf(path: Path, size: int) -> GgufError:
    return GgufError(f"{path} ({size:,} bytes) is not a GGUF file; heed runs GGUF models, see models/README.md")


def _round_up(value: int, step: int) -> int:
    return math.ceil(value / step) * step


class _Truncated(Exception):
    """The header goes on behind the file's end."""


# GGUF's value types; 8 is text and 9 an array.
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9

# ggml's tensor types: (numbers in a block, bytes of a block). Weights of other types are not checked.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18),
}  # fmt: skip


class _Reader:
    """Walks through the header; raises _Truncated where it ends too early."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.at = file.tell()
        self._file = file
        self._size = size

    def number(self, code: str) -> Any:
        (value,) = struct.unpack("<" + code, self._take(struct.calcsize("<" + code)))
        return value

    def text(self) -> str:
        length = self.number("Q")
        if LONGEST_TEXT < length < self._size:
            raise ValueError(f"a text of {length} bytes")
        return self._take(length).decode("utf-8", errors="replace")

    def pair(self) -> tuple[str, Any]:
        key = self.text()
        return key, self._value(self.number("I"))

    def tensor_end(self) -> int:
        """Return where the next tensor's weights end, counted from where weights begin."""
        self.text()
        count = self.number("I")
        if count > DIMENSIONS:
            raise ValueError(f"a tensor of {count} dimensions")
        dimensions = [self.number("Q") for _ in range(count)]
        kind, offset = self.number("I"), self.number("Q")
        numbers, size = _BLOCKS.get(kind, (1, 0))
        return int(offset + math.prod(dimensions) // numbers * size)

    def _value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self.text()
        if kind == _ARRAY:
            return self._array(self.number("I"), self.number("Q"))
        return self.number(_NUMBERS[kind])

    def _array(self, kind: int, count: int) -> list[Any] | None:
        if kind == _ARRAY:
            raise ValueError("an array of arrays")
        if count <= KEPT_ARRAY:
            return [self._value(kind) for _ in range(count)]
        if kind == _TEXT:
            for _ in range(count):
                self._step(self.number("Q"))
        else:
            self._step(count * struct.calcsize("<" + _NUMBERS[kind]))
        return None

    def _step(self, count: int) -> None:
        """Go on behind so many bytes."""
        self.at += count
        if self.at > self._size:
            raise _Truncated
        self._file.seek(count, os.SEEK_CUR)

    def _take(self, count: int) -> bytes:
        if self.at + count > self._size:
            raise _Truncated
        self.at += count
        content = self._file.read(count)
        if len(content) < count:  # it became shorter since we looked
            raise _Truncated
        return content
