"""Makes a model file of a realistic shape whose weights are noise: it costs the same time, and talks nonsense.

It can be made to say one sentence after the prompt's sign: then the layers add nothing, which costs the same time, and
the output of each token of the sentence is most like the embedding of the token before it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Q4_BLOCK, Q8_BLOCK = 18, 34
"""Bytes of 32 weights with 4 and with 8 bits, the first two of which are their scale."""
SPECIAL = ("<unk>", "<s>", "</s>")
SPACE = "▁"  # as this kind of vocabulary writes it
FIRST_WORD = len(SPECIAL) + 256 + 1
"""The token of the first word: before it stand markers, bytes and the space."""
ADDING = ("attn_output.weight", "ffn_down.weight")
"""The matrices of a layer that add to what the layers before it have made; silent in a model that says something."""
FILLERS = 4000
"""Words beyond so many are not learned: each one makes tokenizing slower."""


@dataclass(frozen=True)
class Shape:
    """What decides how long a token takes."""

    name: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    inner: int
    vocabulary: int
    context: int = 32768


QWEN_HALF_BILLION = Shape("qwen2.5-0.5b", 24, 896, 14, 2, 4864, 151_936)
"""Yang et al. 2024, Qwen2.5 technical report, table 1."""
TOY = Shape("toy", 4, 256, 8, 2, 768, 8192)
"""For the bench's own test, seconds."""


def make_random_model(folder: Path, shape: Shape, texts: Iterable[str], says: Sequence[str] = ()) -> Path:
    """Write the file unless it is there; its vocabulary has the words of `texts`, about 4 characters per token.

    `says` are the texts of tokens, each once, of which each is followed by the next. Weights have 4 bits, embeddings 8.
    Needs the package gguf, of the development tools.
    """
    path = folder / f"{shape.name}-{'says' if says else 'random'}-q4_0.gguf"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        words = [*says, *(word for word in _words(texts) if word not in says)]
        _write(new, shape, words, np.random.default_rng(1), len(says))
        new.replace(path)
    return path


def _words(texts: Iterable[str]) -> list[str]:
    """Return what a vocabulary would have as one token: words with the space before them, runs of signs, line ends."""
    found = Counter(word for text in texts for word in re.findall(r" ?[A-Za-z]+|\d|[^\sA-Za-z\d]{1,4}|\n+", text))
    return [word for word, _ in found.most_common(FILLERS) if len(word) > 1]


def _write(path: Path, shape: Shape, words: list[str], random: np.random.Generator, said: int) -> None:
    import gguf

    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_name(f"{shape.name}, random weights")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(1e6)
    _add_vocabulary(writer, words, shape.vocabulary)
    for name, values in _vectors(shape).items():
        writer.add_tensor(name, values)
    for name, (rows, columns) in _matrices(shape).items():
        weights = _noise(random, rows, columns, Q4_BLOCK, 0.0 if said and name.endswith(ADDING) else 1.0)
        writer.add_tensor(name, weights, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
    embedding = _noise(random, shape.vocabulary, shape.width, Q8_BLOCK)
    embedding[: len(SPECIAL)] = 0  # so that the model never wants to end
    writer.add_tensor("token_embd.weight", embedding, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    if said:
        output = _noise(random, shape.vocabulary, shape.width, Q8_BLOCK)
        output[: len(SPECIAL)] = 0
        output[FIRST_WORD + 1 : FIRST_WORD + said] = embedding[FIRST_WORD : FIRST_WORD + said - 1]
        writer.add_tensor("output.weight", output, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _matrices(shape: Shape) -> dict[str, tuple[int, int]]:
    kv_width = shape.width // shape.heads * shape.kv_heads
    each = {
        "attn_q": (shape.width, shape.width),
        "attn_k": (kv_width, shape.width),
        "attn_v": (kv_width, shape.width),
        "attn_output": (shape.width, shape.width),
        "ffn_gate": (shape.inner, shape.width),
        "ffn_up": (shape.inner, shape.width),
        "ffn_down": (shape.width, shape.inner),
    }
    return {f"blk.{layer}.{name}.weight": size for layer in range(shape.layers) for name, size in each.items()}


def _vectors(shape: Shape) -> Mapping[str, NDArray[np.float32]]:
    kv_width = shape.width // shape.heads * shape.kv_heads
    found = {"output_norm.weight": np.ones(shape.width, np.float32)}
    for layer in range(shape.layers):
        found |= {f"blk.{layer}.{name}.weight": np.ones(shape.width, np.float32) for name in ("attn_norm", "ffn_norm")}
        for name, width in (("attn_q", shape.width), ("attn_k", kv_width), ("attn_v", kv_width)):
            found[f"blk.{layer}.{name}.bias"] = np.zeros(width, np.float32)
    return found


def _noise(
    random: np.random.Generator, rows: int, columns: int, block: int, loudness: float = 1.0
) -> NDArray[np.uint8]:
    """Quantized weights: random integers, and one scale that keeps sums of `columns` of them near `loudness`."""
    spread = 4.6 if block == Q4_BLOCK else 74.0  # standard deviation of the integers
    blocks = random.integers(0, 256, (rows, columns // 32, block), np.uint8)
    scale = np.float16(loudness / (spread * columns**0.5)).tobytes()
    blocks[:, :, :2] = np.frombuffer(scale, np.uint8)
    return blocks.reshape(rows, columns // 32 * block)


def _add_vocabulary(writer: "object", words: list[str], size: int) -> None:
    import gguf

    assert isinstance(writer, gguf.GGUFWriter)
    kinds = gguf.TokenType
    tokens = [(text, kinds.CONTROL) for text in SPECIAL]
    tokens += [(f"<0x{byte:02X}>", kinds.BYTE) for byte in range(256)] + [(SPACE, kinds.NORMAL)]
    tokens += [(word, kinds.USER_DEFINED) for word in words]
    tokens += [(f"<filler {number}>", kinds.UNUSED) for number in range(size - len(tokens))]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text.encode() for text, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_unk_token_id(SPECIAL.index("<unk>"))
    writer.add_bos_token_id(SPECIAL.index("<s>"))
    writer.add_eos_token_id(SPECIAL.index("</s>"))
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
