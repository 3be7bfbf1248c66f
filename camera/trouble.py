"""What goes wrong with a camera, as one kind of error.

EyesError(RuntimeError)      for example: a file is no lens
    MissingError             a package of the extra "eyes" is not installed
    NoPictureError           the camera gives none: unplugged, busy, a folder without pictures
"""

import importlib
from typing import Any

EXTRA = 'python -m pip install "heed[eyes]"'


class EyesError(RuntimeError):
    """The camera or its settings cannot be used; the message says why, `hint` what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} (hint: {hint})" if hint else message)
        self.hint = hint


class MissingError(EyesError):
    """A package is not installed."""


class NoPictureError(EyesError):
    """The camera gives no picture."""


def package(name: str) -> Any:
    """Return the module of that name, "cv2" or "pyapriltags". Raises MissingError where it cannot be imported."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError) as error:
        raise MissingError(f"seeing with a camera needs {name}, which cannot be loaded: {error}", EXTRA) from error
