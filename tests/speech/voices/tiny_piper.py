"""Writes a Piper voice of a few kilobytes: it hums, one pitch per phoneme, 50 ms each, through the real Piper code."""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

RATE = 16000
SAMPLES_PER_PHONEME = 800


def write_piper_voice(file: Path) -> Path:
    from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP

    card = {
        "audio": {"sample_rate": RATE},
        "espeak": {"voice": "en-us"},
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "num_symbols": 256,
        "num_speakers": 1,
        "phoneme_id_map": DEFAULT_PHONEME_ID_MAP,
    }
    Path(f"{file}.json").write_text(json.dumps(card), encoding="utf-8")
    onnx.save(_network(), str(file))
    return file


def _network() -> onnx.ModelProto:
    """input [1, T] of phoneme numbers -> output [1, 1, T * SAMPLES_PER_PHONEME]: rows of a table of tones."""
    time = np.arange(SAMPLES_PER_PHONEME) / RATE
    pitches = 20.0 * np.arange(5, 261)[:, None]  # multiples of the phoneme's 20 Hz: no clicks between two
    table = (0.3 * np.sin(2 * np.pi * pitches * time)).astype(np.float32)
    table[0] = 0.0  # the padding between phonemes
    nodes = [
        helper.make_node("Gather", ["tones", "input"], ["rows"]),
        helper.make_node("Reshape", ["rows", "shape"], ["output"]),
    ]
    inputs = [
        helper.make_tensor_value_info("input", TensorProto.INT64, [1, "phonemes"]),
        helper.make_tensor_value_info("input_lengths", TensorProto.INT64, [1]),
        helper.make_tensor_value_info("scales", TensorProto.FLOAT, [3]),
    ]
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, 1, "samples"])
    constants = [numpy_helper.from_array(table, "tones"), numpy_helper.from_array(np.array([1, 1, -1]), "shape")]
    graph = helper.make_graph(nodes, "hum", inputs, [output], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
