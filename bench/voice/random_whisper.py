"""Writes a Whisper model whose weights are noise: it costs the same time as a trained one, and understands nothing."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ctranslate2.specs import model_spec
from ctranslate2.specs.whisper_spec import WhisperSpec
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

MELS, FRAMES, TOKENS = 80, 1500, 448
"""Whisper's own (Radford et al. 2022)."""
MARKS = ["endoftext", "startoftranscript", "en", "translate", "transcribe", "startoflm", "startofprev", "nospeech"]


@dataclass(frozen=True)
class Shape:
    """What decides how long recognition takes."""

    name: str
    layers: int
    width: int
    heads: int
    vocabulary: int = 0
    """0 for the bytes and the marks alone."""


TOY = Shape("whisper-tiny-random", 1, 32, 2)
BASE = Shape("whisper-base-random", 6, 512, 8, 51_865)
"""74 million parameters (Radford et al. 2022, table 1)."""


Change = Callable[[WhisperSpec, list[str]], None]


def write_random_whisper(
    folder: Path, shape: Shape = TOY, change: Change = lambda spec, vocabulary: None, stored: str = "int8"
) -> Path:
    """Write the model into a new folder, after a last change to its weights; returns the folder.

    `stored` is the type of its weights, as CTranslate2 calls it.
    """
    folder.mkdir(parents=True)
    vocabulary = _vocabulary(shape.vocabulary)
    _write_tokenizer(folder / "tokenizer.json", vocabulary)
    spec = WhisperSpec(shape.layers, shape.heads, shape.layers, shape.heads)
    _fill(spec, shape, np.random.default_rng(0), len(vocabulary))
    change(spec, vocabulary)
    spec.register_vocabulary(vocabulary)
    ids = {token: number for number, token in enumerate(vocabulary)}
    spec.config.suppress_ids = []
    spec.config.suppress_ids_begin = [ids["<|endoftext|>"]]
    spec.config.lang_ids = [ids["<|en|>"]]
    spec.config.alignment_heads = [(0, 0)]
    spec.validate()
    spec.optimize(quantization=stored)
    spec.save(str(folder))
    (folder / "preprocessor_config.json").write_text(json.dumps({"feature_size": MELS}), encoding="utf-8")
    return folder


def _vocabulary(size: int) -> list[str]:
    """One token per byte, words that nobody says up to `size`, Whisper's marks, its timestamps in steps of 20 ms."""
    marks = [f"<|{mark}|>" for mark in (*MARKS, "notimestamps")] + [f"<|{i * 0.02:.2f}|>" for i in range(1501)]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    return [*letters, *(f"w{i}" for i in range(size - len(letters) - len(marks))), *marks]


def _write_tokenizer(file: Path, vocabulary: list[str]) -> None:
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(vocabulary)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in vocabulary if token.startswith("<|")])
    tokenizer.save(str(file))


def _fill(spec: WhisperSpec, shape: Shape, random: np.random.Generator, vocabulary_size: int) -> None:
    width = shape.width

    def weights(*size: int) -> NDArray[np.float32]:
        return (0.3 * random.standard_normal(size, np.float32)).astype(np.float32)

    def linear(layer: model_spec.LayerSpec, out: int, into: int) -> None:
        layer.weight, layer.bias = weights(out, into), np.zeros(out, np.float32)

    def norm(layer: model_spec.LayerSpec) -> None:
        layer.gamma, layer.beta = np.ones(width, np.float32), np.zeros(width, np.float32)

    def attention(layer: model_spec.LayerSpec, outputs: list[int]) -> None:
        norm(layer.layer_norm)
        for part, out in zip(layer.linear, outputs, strict=True):
            linear(part, out, width)

    def feed_forward(layer: model_spec.LayerSpec) -> None:
        norm(layer.layer_norm)
        linear(layer.linear_0, 4 * width, width)
        linear(layer.linear_1, width, 4 * width)

    encoder, decoder = spec.encoder, spec.decoder
    encoder.conv1.weight, encoder.conv1.bias = weights(width, MELS, 3), np.zeros(width, np.float32)
    encoder.conv2.weight, encoder.conv2.bias = weights(width, width, 3), np.zeros(width, np.float32)
    encoder.position_encodings.encodings = weights(FRAMES, width)
    decoder.embeddings.weight = weights(vocabulary_size, width)
    decoder.position_encodings.encodings = weights(TOKENS, width)
    decoder.projection.weight = decoder.embeddings.weight
    norm(encoder.layer_norm)
    norm(decoder.layer_norm)
    for layer in encoder.layer:
        attention(layer.self_attention, [3 * width, width])
        feed_forward(layer.ffn)
    for layer in decoder.layer:
        attention(layer.self_attention, [3 * width, width])
        attention(layer.attention, [width, 2 * width, width])
        feed_forward(layer.ffn)
