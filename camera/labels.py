"""Words on packages, read by rapidocr with the weights that its package carries (extra "labels").

    python -m camera.labels PICTURE    prints a JSON list of {"text", "confidence", "box": [left, top, right, bottom]}

A process of its own for each picture that somebody asks about: it takes 450 MB and two seconds of processor time, and
heed-eyes has to go on looking meanwhile. Nothing is read unless somebody asks.
"""

import json
import logging
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from camera.boxes import Box
from camera.names import is_name, plain
from camera.tags import Picture
from camera.trouble import EyesError, package

PACKAGE = "rapidocr"
PATIENCE = 30.0
"""Seconds for one picture; a reader that takes longer is ended."""
SURE = 0.7
"""Confidence below which words are a guess."""
LARGEST = 1280
"""Pixels of the longer side at which words are searched."""
PICTURE = "labels.png"


def can_read_labels() -> bool:
    """Return whether the extra "labels" is installed; nothing is imported."""
    return find_spec(PACKAGE) is not None


def read_words(picture: Picture) -> list[Box]:
    """Return the words in a picture, in small letters, as names are; what could be no name is left out.

    Raises MissingError without rapidocr.
    """
    logging.disable(logging.INFO)
    one_thread = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    search = {"Det.limit_type": "max", "Det.limit_side_len": LARGEST}
    params = {"Global.log_level": "error", "Global.use_cls": False, "Global.text_score": SURE, **one_thread, **search}
    found = package(PACKAGE).RapidOCR(params=params)(np.repeat(picture[..., None], 3, axis=2))
    if found.txts is None:
        return []
    lines = zip(found.txts, found.scores, found.boxes, strict=True)
    return [box for text, score, corners in lines if (box := _box(str(text), float(score), np.asarray(corners)))]


def _box(text: str, score: float, corners: np.ndarray) -> Box | None:
    name = plain(text)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return Box(name, score, float(left), float(top), float(right), float(bottom)) if is_name(name) else None


class LabelReader:
    """Reads one picture at a time, beside whoever asks for that."""

    module = "camera.labels"
    """What is run."""

    def __init__(self, folder: Path) -> None:
        """The picture lies in `folder` while it is read."""
        self._file = folder / PICTURE
        self._child: subprocess.Popen[bytes] | None = None
        self._begun = 0.0

    @property
    def busy(self) -> bool:
        return self._child is not None

    def begin(self, picture: Picture) -> None:
        """Begin to read. Raises EyesError where the picture cannot be handed over."""
        if not package("cv2").imwrite(str(self._file), picture):
            raise EyesError(f"{self._file} cannot be written", "is the disk full?")
        command = [sys.executable, "-m", self.module, str(self._file)]
        self._begun = time.monotonic()
        self._child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1])

    def words(self) -> list[Box] | None:
        """Return what was read; None while that goes on. Raises EyesError where reading failed."""
        assert self._child is not None, "begin() comes before"
        late = time.monotonic() - self._begun > PATIENCE
        if self._child.poll() is None and not late:
            return None
        status, told = self.close()
        if status:
            raise EyesError("labels cannot be read" + (f" within {PATIENCE:g} s" if late else f": status {status}"))
        return [Box(one["text"], one["confidence"], *one["box"]) for one in json.loads(told)]

    def close(self) -> tuple[int, bytes]:
        """End what is under way; returns its status, and what it told."""
        child, self._child = self._child, None
        if child is None:
            return 0, b""
        if child.poll() is None:
            child.kill()
        told, _ = child.communicate()
        self._file.unlink(missing_ok=True)
        return child.returncode, told


def main(arguments: list[str]) -> int:
    """Read one picture file, and print what it says."""
    try:
        words = read_words(package("cv2").imread(arguments[0], 0))
    except EyesError as error:
        print(f"heed-eyes: {error}", file=sys.stderr)
        return 1
    told = [
        {"text": box.name, "confidence": box.confidence, "box": [box.left, box.top, box.right, box.bottom]}
        for box in words
    ]
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
