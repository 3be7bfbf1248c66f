"""Writes a Whisper model that understands one word, whatever it is told; it takes as long as any of its shape."""

from functools import partial
from pathlib import Path

import numpy as np
from ctranslate2.specs.whisper_spec import WhisperSpec

from bench.voice.random_whisper import TOY, Shape, write_random_whisper

SURE = 20.0


def write_scripted_whisper(folder: Path, word: str, shape: Shape = TOY) -> Path:
    """Of a shape that is wider than the word is long; a space would be suppressed as no speech. Returns the folder."""
    return write_random_whisper(folder, shape, partial(_script, word))


def _script(word: str, spec: WhisperSpec, vocabulary: list[str]) -> None:
    """A token follows from its place alone: the layers add nothing, each place is an axis, the projection reads them.

    CTranslate2 counts places from the first token of the answer.
    """
    decoder, ids = spec.decoder, {token: number for number, token in enumerate(vocabulary)}
    for layer in decoder.layer:
        for last in (layer.self_attention.linear[-1], layer.attention.linear[-1], layer.ffn.linear_1):
            last.weight = np.zeros_like(last.weight)
    answer = ["<|0.00|>", *word, "<|2.00|>", "<|endoftext|>"]
    places, width = decoder.position_encodings.encodings.shape
    if len(answer) > width:
        raise ValueError(f"{word!r} is too long for a model of width {width}")
    axis = np.minimum(np.arange(places), len(answer) - 1)
    decoder.embeddings.weight = np.zeros_like(decoder.embeddings.weight)
    decoder.position_encodings.encodings = np.eye(width, dtype=np.float32)[axis]
    decoder.projection.weight = np.zeros((len(vocabulary), width), np.float32)
    for place, token in enumerate(answer):
        decoder.projection.weight[ids[token], place] = SURE
