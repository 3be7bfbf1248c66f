"""Cosines with very many vectors in 8-bit numbers: four times as fast, and with a bound on the error.

numpy has no fast product of bytes; onnxruntime, which computes the embeddings already, does.
"""

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
IR_VERSION = 10
LARGEST = 127
MIDDLE = 64
"""Of the query's numbers: onnxruntime's fast kernel wants them unsigned. With 7 bits, since on processors without VNNI
it adds two products in 16 bits, and 2 * 127 * 127 is the most that fits."""


class RoughScores:
    """Scores over L2-normalised rows, shape (vectors, dimension)."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        self._steps = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / LARGEST
        rounded = np.round(vectors / self._steps[:, None]).astype(np.int8)
        self._shift = MIDDLE * rounded.sum(axis=1, dtype=np.int32)
        self._error = float(np.linalg.norm(vectors - rounded * self._steps[:, None], axis=1).max())
        self._session = _product_with(np.ascontiguousarray(rounded.T))

    def __call__(self, query: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
        """One cosine per vector, and how far each of them may be wrong (by the Cauchy-Schwarz inequality)."""
        step = max(float(np.abs(query).max()), 1e-9) / (MIDDLE - 1)
        rounded = np.round(query / step)
        (products,) = self._session.run(None, {"query": (rounded + MIDDLE).astype(np.uint8)[None]})
        cosines = (products[0] - self._shift).astype(np.float32)  # numpy would go on with 64 bits, 15 times as slow
        cosines *= self._steps * np.float32(step)
        lost = float(np.linalg.norm(query - rounded * step))
        return cosines, self._error + lost * (1 + self._error) + 1e-6


def _product_with(matrix: NDArray[np.int8]) -> onnxruntime.InferenceSession:
    """query, uint8 [1, dimension], times the matrix [dimension, vectors]: int32 [1, vectors]."""
    dimension, count = matrix.shape
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["query", "matrix"], ["products"])],
        "rough",
        [helper.make_tensor_value_info("query", TensorProto.UINT8, [1, dimension])],
        [helper.make_tensor_value_info("products", TensorProto.INT32, [1, count])],
        [numpy_helper.from_array(matrix, "matrix")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # the second core belongs to ear and motors
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
