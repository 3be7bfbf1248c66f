"""The bridge with real rclpy: script/test-ros2 runs these where it is; the ordinary suite does not look at them."""

import importlib.util
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    def running(folder: Path, client: Client) -> Iterator[Heed]:
        """heed, and a bridge that was there before it."""
        bridge = Bridge(folder)
        heed = Heed(folder)
        try:
            heed.wait_ready()
            client.wait_bridge()
            yield heed
        finally:
            bridge.close()
            heed.close()

    @pytest.fixture
    def heed(running: Heed) -> Heed:
        running.reset()
        return running
