"""A real, small ONNX graph that finds bright squares as a YOLO would tell of them: for tests, made when they run."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE, CELL = 320, 16
"""Pixels of the input's side, and of the squares that it looks for; a box is told of for each cell of that size."""
CELLS = SIDE // CELL


def write_tiny_detector(folder: Path, toml: str, layout: str = "yolov8") -> Path:
    """Write tiny.onnx and, beside it, the toml: two classes, "red" and "green", by colour.

    A box is CELL wide and twice as high. The graph's input is red, green, blue, 0 to 1.
    """
    middles = (np.arange(CELLS) + 0.5) * CELL
    x, y = (grid.ravel() for grid in np.meshgrid(middles, middles))
    boxes = np.stack([x, y, np.full_like(x, CELL), np.full_like(x, 2 * CELL)])[None].astype(np.float32)
    nodes = [
        helper.make_node("AveragePool", ["picture"], ["cells"], kernel_shape=[CELL, CELL], strides=[CELL, CELL]),
        helper.make_node("Reshape", ["cells", "flat"], ["colours"]),
        helper.make_node("Slice", ["colours", "first", "second", "axis"], ["red"]),
        helper.make_node("Slice", ["colours", "second", "third", "axis"], ["green"]),
        helper.make_node("Sub", ["red", "green"], ["redder"]),
        helper.make_node("Neg", ["redder"], ["greener"]),
        helper.make_node("Concat", ["redder", "greener"], ["scores"], axis=1),
        helper.make_node("Concat", ["boxes", "scores"], ["yolov8"], axis=1),
        helper.make_node("Concat", ["boxes", "ones", "scores"], ["six"], axis=1),
        helper.make_node("Transpose", ["six"], ["yolov5"], perm=[0, 2, 1]),
    ]
    constants = {
        "flat": np.array([1, 3, CELLS * CELLS]),
        "first": np.array([0]),
        "second": np.array([1]),
        "third": np.array([2]),
        "axis": np.array([1]),
        "boxes": boxes,
        "ones": np.ones((1, 1, CELLS * CELLS), dtype=np.float32),
    }
    rows = CELLS * CELLS
    shape = [1, 6, rows] if layout == "yolov8" else [1, rows, 7]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [helper.make_tensor_value_info(layout, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    (folder / "tiny.onnx").write_bytes(model.SerializeToString())
    (folder / "tiny.toml").write_text(toml, encoding="utf-8")
    return folder


TOML = """
licence = "made in a test"
layout = "yolov8"
input = [320, 320]
classes = ["red", "green"]
confidence = 0.6
[things.red]
name = "cup"
class = "dishes"
width = 0.06
grip = 0.05
"""
