"""What holds for every test."""

import logging
import signal
from collections.abc import Iterator

import pytest

pytest_plugins = ["tests.support.conversation"]


def pytest_configure() -> None:
    """Let Ctrl-C reach what tests start, also where a shell began them in the background and had it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def violations() -> Iterator[list[str]]:
    """No simulated robot was sent beyond its limits; a test that does so on purpose takes this list and clears it."""
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())  # type: ignore[method-assign]
    inspector = logging.getLogger("sim.inspector")
    inspector.addHandler(handler)
    yield seen
    inspector.removeHandler(handler)
    assert seen == []
