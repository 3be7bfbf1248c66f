"""Things that look alike are found, whatever their colour; an encoder in ONNX form takes the descriptor's place."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from bench.support.drawn_cups import COLOURS, SHAPES, draw
from bench.support.look_vectors import OnnxEncoder, ShapeAndColour, most_alike, open_encoder


@pytest.mark.parametrize("kind", SHAPES)
def test_the_same_shape_in_another_colour_is_more_alike_than_another_shape_in_the_same(kind: str) -> None:
    chance = np.random.default_rng(1)
    one, other = SHAPES[kind]
    known = [ShapeAndColour().encode(draw(kind, shape, COLOURS[i], chance)) for i, shape in enumerate((one, other))]
    assert most_alike(ShapeAndColour().encode(draw(kind, one, COLOURS[1], chance)), known) == 0
    assert most_alike(ShapeAndColour().encode(draw(kind, other, COLOURS[0], chance)), known) == 1


def test_of_equal_shapes_the_colour_decides() -> None:
    chance = np.random.default_rng(2)
    known = [ShapeAndColour().encode(draw("cup", "upright", colour, chance)) for colour in COLOURS[:2]]
    assert most_alike(ShapeAndColour().encode(draw("cup", "upright", COLOURS[1], chance)), known) == 1


def test_a_picture_of_nothing_has_a_look_too() -> None:
    look = ShapeAndColour().encode(np.full((10, 20, 3), 255, np.uint8))
    assert np.isfinite(look).all()


def test_an_encoder_in_models_is_used(tmp_path: Path) -> None:
    assert isinstance(open_encoder(tmp_path), ShapeAndColour)
    (tmp_path / "vision").mkdir()
    _write_model(tmp_path / "vision" / "mean.onnx", ["n", 3, 8, 8])
    encoder = open_encoder(tmp_path)
    assert encoder.name == "mean"
    red = encoder.encode(np.full((16, 16, 3), (255, 0, 0), np.uint8))
    assert red.shape == (3,)
    assert red[0] > red[1]
    assert np.linalg.norm(red) == pytest.approx(1, abs=1e-5)


def test_a_model_of_another_kind_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "text.onnx"
    _write_model(file, ["n", 5])
    with pytest.raises(ValueError, match=r"text\.onnx is no image encoder"):
        OnnxEncoder(file)


def _write_model(file: Path, shape: list[str | int]) -> None:
    """A model that returns the mean of each channel."""
    axes = list(range(2, len(shape)))
    node = (
        helper.make_node("ReduceMean", ["x"], ["y"], axes=axes, keepdims=0)
        if axes
        else helper.make_node("Identity", ["x"], ["y"])
    )
    value, out = (helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", shape), ("y", shape[:2])))
    model = helper.make_model(
        helper.make_graph([node], "g", [value], [out]), opset_imports=[helper.make_opsetid("", 13)]
    )
    model.ir_version = 8
    onnx.save(model, str(file))
