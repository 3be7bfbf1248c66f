"""Writes a Whisper model with one small random layer: faster-whisper runs it for real, but it understands nothing."""

import json
from pathlib import Path

import numpy as np
from ctranslate2.specs import model_spec
from ctranslate2.specs.whisper_spec import WhisperSpec
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

WIDTH, HEADS, MELS, FRAMES, TOKENS = 32, 2, 80, 1500, 448
"""Width and heads are as small as possible; the other three are Whisper's own."""
MARKS = ["endoftext", "startoftranscript", "en", "translate", "transcribe", "startoflm", "startofprev", "nospeech"]


def write_whisper_model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    vocabulary = _vocabulary()
    _write_tokenizer(folder / "tokenizer.json", vocabulary)
    spec = WhisperSpec(1, HEADS, 1, HEADS)
    _fill(spec, np.random.default_rng(0), len(vocabulary))
    spec.register_vocabulary(vocabulary)
    ids = {token: number for number, token in enumerate(vocabulary)}
    spec.config.suppress_ids = []
    spec.config.suppress_ids_begin = [ids["<|endoftext|>"]]
    spec.config.lang_ids = [ids["<|en|>"]]
    spec.config.alignment_heads = [(0, 0)]
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    (folder / "preprocessor_config.json").write_text(json.dumps({"feature_size": MELS}), encoding="utf-8")
    return folder


def _vocabulary() -> list[str]:
    """One token per byte, then Whisper's marks, then its timestamps in steps of 20 ms."""
    marks = [f"<|{mark}|>" for mark in (*MARKS, "notimestamps")]
    return [*sorted(pre_tokenizers.ByteLevel.alphabet()), *marks, *(f"<|{i * 0.02:.2f}|>" for i in range(1501))]


def _write_tokenizer(file: Path, vocabulary: list[str]) -> None:
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(vocabulary)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in vocabulary[256:]])
    tokenizer.save(str(file))


def _fill(spec: WhisperSpec, random: np.random.Generator, vocabulary_size: int) -> None:
    def weights(*shape: int) -> NDArray[np.float32]:
        return random.normal(0, 0.3, shape).astype(np.float32)

    def linear(layer: model_spec.LayerSpec, out: int, into: int) -> None:
        layer.weight, layer.bias = weights(out, into), np.zeros(out, np.float32)

    def norm(layer: model_spec.LayerSpec) -> None:
        layer.gamma, layer.beta = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)

    def attention(layer: model_spec.LayerSpec, outputs: list[int]) -> None:
        norm(layer.layer_norm)
        for part, out in zip(layer.linear, outputs, strict=True):
            linear(part, out, WIDTH)

    def feed_forward(layer: model_spec.LayerSpec) -> None:
        norm(layer.layer_norm)
        linear(layer.linear_0, 4 * WIDTH, WIDTH)
        linear(layer.linear_1, WIDTH, 4 * WIDTH)

    encoder, decoder = spec.encoder, spec.decoder
    encoder.conv1.weight, encoder.conv1.bias = weights(WIDTH, MELS, 3), np.zeros(WIDTH, np.float32)
    encoder.conv2.weight, encoder.conv2.bias = weights(WIDTH, WIDTH, 3), np.zeros(WIDTH, np.float32)
    encoder.position_encodings.encodings = weights(FRAMES, WIDTH)
    decoder.embeddings.weight = weights(vocabulary_size, WIDTH)
    decoder.position_encodings.encodings = weights(TOKENS, WIDTH)
    decoder.projection.weight = decoder.embeddings.weight
    norm(encoder.layer_norm)
    norm(decoder.layer_norm)
    attention(encoder.layer[0].self_attention, [3 * WIDTH, WIDTH])
    attention(decoder.layer[0].self_attention, [3 * WIDTH, WIDTH])
    attention(decoder.layer[0].attention, [WIDTH, 2 * WIDTH, WIDTH])
    feed_forward(encoder.layer[0].ffn)
    feed_forward(decoder.layer[0].ffn)
