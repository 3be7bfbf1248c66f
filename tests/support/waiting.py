"""Waiting for something to become true, with a deadline far beyond what it takes."""

import time
from collections.abc import Callable

DEADLINE = 60.0
"""Seconds; generous, since machines that test are busy."""


def until(condition: Callable[[], object], seconds: float = DEADLINE) -> None:
    """Return as soon as the condition holds; AssertionError after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)
