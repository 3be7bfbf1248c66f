"""The service files, as systemd reads them."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "systemd").glob("*.service"))


class Unit(configparser.RawConfigParser):
    """A service file without repeated keys' earlier values."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, comment_prefixes="#", delimiters="=")
        self.read(path)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


WATCHES_ITSELF = "heed-ros2-robot.service"
"""Two processes that watch each other."""


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/heed", str(ROOT)))
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit.name) for unit in UNITS)]
    verify = subprocess.run(command, capture_output=True, text=True, timeout=60)
    said = [line for line in verify.stderr.splitlines() if "heed" in line]
    assert (verify.returncode, said) == (0, [])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_services_are_as_tight_as_the_documents_say(path: Path) -> None:
    """0 is the tightest, 10 the loosest; docs/security.md has the figures and what keeps them from being 0."""
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.search(r"exposure level for \S+: ([\d.]+)", said)
    if found is None:
        pytest.skip("this systemd-analyze cannot look at files")
    assert f"{path.name} {found[1]}" in (ROOT / "docs" / "security.md").read_text()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_readiness_and_watchdog_are_awaited(path: Path) -> None:
    service = Unit(path)["Service"]
    assert service["Type"] == "notify"
    assert path.name == WATCHES_ITSELF or int(service["WatchdogSec"]) > 0
    assert service["Restart"] == "on-failure"


def test_only_the_body_may_take_real_time_priority() -> None:
    mind, body = (Unit(ROOT / "systemd" / name)["Service"] for name in ("heed.service", "heed-hw.service"))
    assert int(body["LimitRTPRIO"]) > 0
    assert "LimitRTPRIO" not in mind


def test_one_service_that_ends_leaves_the_sockets_of_the_other() -> None:
    for path in UNITS:
        assert Unit(path)["Service"]["RuntimeDirectoryPreserve"] == "yes"
