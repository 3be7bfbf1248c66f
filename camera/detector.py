"""Runs a detector of models/vision/ on a picture; detector_description.py says what it takes and gives."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camera.boxes import Box
from camera.camera import Colour
from camera.detector_description import DetectorDescription
from camera.lens import Floats
from camera.trouble import EyesError, package

GREY = 114
"""Of the rim around a picture of another shape, as these models were trained with."""

Rows = tuple[Floats, Floats, NDArray[np.int64]]
"""Boxes (n, 4) as left, top, right, bottom in pixels of the input; confidence (n,); class (n,)."""


class Detector:
    """One model, loaded."""

    def __init__(self, described: DetectorDescription) -> None:
        """Raises EyesError for a file that is no such model."""
        onnxruntime = package("onnxruntime")
        self.described = described
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # the ear and the voice come first
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(described.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a kind for each trouble
            raise EyesError(f"{described.model} cannot be loaded: {error}", "is it a whole ONNX file?") from error
        self._input = self._session.get_inputs()[0].name

    def find(self, picture: Colour) -> list[Box]:
        """Return what is in a picture, the surest first. Raises EyesError where the model is not as its toml says."""
        entered, shrunk = self._entered(picture)
        try:
            output = np.asarray(self._session.run(None, {self._input: entered})[0], dtype=float)
            boxes, sure, kinds = _READERS[self.described.layout](output, len(self.described.classes))
        except Exception as error:
            raise EyesError(
                f"{self.described.model.name} is not as its toml says: {error}", "compare input, layout, classes"
            ) from error
        found = [
            Box(self.described.classes[kinds[n]], float(sure[n]), *(float(side) for side in boxes[n] / shrunk))
            for n in self._kept(boxes, sure, kinds)
        ]
        return sorted((box for box in found if box.name in self.described.kinds), key=lambda box: -box.confidence)

    def _entered(self, picture: Colour) -> tuple[NDArray[np.float32], float]:
        """Return the model's input, the picture in its upper left corner; and by how much that was shrunk."""
        cv2 = package("cv2")
        width, height = self.described.size
        shrunk = min(width / picture.shape[1], height / picture.shape[0])
        size = round(picture.shape[1] * shrunk), round(picture.shape[0] * shrunk)
        page = np.full((height, width, 3), GREY, dtype=np.uint8)
        page[: size[1], : size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        ordered = page[..., ::-1] if self.described.colours == "rgb" else page
        batch = ordered.transpose(2, 0, 1)[None].astype(np.float32) * self.described.scale
        return np.ascontiguousarray(batch, dtype=np.float32), shrunk

    def _kept(self, boxes: Floats, sure: Floats, kinds: NDArray[np.int64]) -> list[int]:
        """Return the rows that are sure enough, one for each thing."""
        rects = np.column_stack([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]])
        kept: Any = package("cv2").dnn.NMSBoxesBatched(
            rects.tolist(), sure.tolist(), kinds.tolist(), self.described.confidence, self.described.overlap
        )
        return [int(n) for n in np.ravel(kept)]


def _yolov5(output: Floats, classes: int) -> Rows:
    rows = _rows(output, 5 + classes)
    return _with_corners(rows[:, :4], rows[:, 5:] * rows[:, 4:5])


def _yolov8(output: Floats, classes: int) -> Rows:
    rows = _rows(np.swapaxes(output, -1, -2), 4 + classes)
    return _with_corners(rows[:, :4], rows[:, 4:])


def _yolov10(output: Floats, classes: int) -> Rows:
    rows = _rows(output, 6)
    kinds = rows[:, 5].astype(np.int64)
    if len(kinds) and not 0 <= kinds.min() <= kinds.max() < classes:
        raise ValueError(f"it names class {kinds.max()}, and there are {classes}")
    return rows[:, :4], rows[:, 4], kinds


def _rows(output: Floats, columns: int) -> Floats:
    if output.shape[-1] != columns or output.shape[0] != 1:
        raise ValueError(f"its output is {output.shape}, and {columns} numbers of each box are needed")
    return output[0]


def _with_corners(middles: Floats, scores: Floats) -> Rows:
    half = middles[:, 2:] / 2
    corners = np.hstack([middles[:, :2] - half, middles[:, :2] + half])
    return corners, scores.max(axis=1), scores.argmax(axis=1)


_READERS: Mapping[str, Callable[[Floats, int], Rows]] = {"yolov5": _yolov5, "yolov8": _yolov8, "yolov10": _yolov10}
