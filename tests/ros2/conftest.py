"""The bridge with real rclpy: script/test-ros2 runs these where it is; the ordinary suite does not look at them."""

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=int, default=2, help="how long joint states are listened to")
    parser.addoption("--rounds", type=int, default=1, help="how often the ten goals in words are asked for")


collect_ignore_glob = [] if importlib.util.find_spec("rclpy") else ["test_*.py"]

if not collect_ignore_glob:
    from tests.ros2.processes import Bridge, Client, Heed

    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ.setdefault("ROS_DOMAIN_ID", str(10 + os.getpid() % 90))

    @pytest.fixture(scope="module")
    def folder() -> Iterator[Path]:
        """A short path: it holds sockets."""
        with tempfile.TemporaryDirectory(prefix="heed-") as made:
            os.environ["ROS_LOG_DIR"] = made
            yield Path(made)

    @pytest.fixture(scope="module")
    def client() -> Iterator[Client]:
        made = Client()
        yield made
        made.close()

    @pytest.fixture(scope="module")
    def bridge(folder: Path) -> Iterator[Bridge]:
        with closing(Bridge(folder)) as made:
            yield made

    @pytest.fixture(scope="module")
    def running(folder: Path, client: Client, bridge: Bridge) -> Iterator[Heed]:
        """heed, and a bridge that was there before it."""
        with closing(Heed(folder)) as heed:
            heed.wait_ready()
            client.wait_bridge()
            yield heed

    @pytest.fixture
    def heed(running: Heed) -> Heed:
        running.reset()
        return running
