"""TLS and access control, with the commands and the file of docs/fleet.md."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
import zenoh

from daemon.config import ConfigError
from tests.fleet.test_net import Station, address
from tests.support.waiting import until

__all__ = ["address"]  # a fixture
PAGE = (Path(__file__).parents[2] / "docs" / "fleet.md").read_text()

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="apt-get install openssl")

Join = Callable[..., Station]


def on_the_page(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with the certificates of kitchen, workshop and guest."""
    folder = tmp_path_factory.mktemp("ca")
    subprocess.run(["sh", "-ec", on_the_page("sh")], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def join(certificates: Path, tmp_path: Path) -> Iterator[Join]:
    with ExitStack() as built:

        def join(name: str, **settings: str) -> Station:
            robot = Station(tmp_path, name, **{"certificates": str(certificates / name), **settings})
            return built.enter_context(closing(robot))

        yield join


@pytest.fixture
def secure(address: str) -> str:
    return address.replace("tcp/", "tls/")


def test_robots_with_certificates_of_the_same_ca_meet(join: Join, secure: str) -> None:
    kitchen = join("kitchen", listen=secure)
    workshop = join("workshop", connect=secure)
    until(lambda: kitchen.sees == ["workshop"] and workshop.sees == ["kitchen"])
    assert set(workshop.net.ask("kitchen", "stop", {})) == {"kitchen"}


def client(address: str, certificates: Path, name: str = "") -> zenoh.Config:
    """Knows our CA; has a certificate where it has a name."""
    config = zenoh.Config()
    tls: dict[str, object] = {"root_ca_certificate": str(certificates / "ca.pem"), "verify_name_on_connect": False}
    if name:
        tls["connect_certificate"] = str(certificates / name / "robot.pem")
        tls["connect_private_key"] = str(certificates / name / "robot.key")
        tls["enable_mtls"] = True
    settings = {f"transport/link/tls/{key}": value for key, value in tls.items()}
    for key, value in {"mode": "client", "connect/endpoints": [address], **settings}.items():
        config.insert_json5(key, json.dumps(value))
    return config


@pytest.mark.whole
def test_who_has_none_or_one_of_another_ca_is_not_let_in(
    join: Join, secure: str, certificates: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["sh", "-ec", on_the_page("sh")], cwd=other, check=True, capture_output=True)
    kitchen = join("kitchen", listen=secure)
    stranger = join("workshop", connect=secure, certificates=str(other / "workshop"))
    with pytest.raises(zenoh.ZError):
        zenoh.open(client(secure, certificates)).close()
    zenoh.open(client(secure, certificates, "guest")).close()
    guest = join("guest", connect=secure)
    until(lambda: kitchen.sees == ["guest"] and guest.sees == ["kitchen"])
    assert stranger.sees == []


def test_a_guest_learns_and_does_not_command(join: Join, secure: str, tmp_path: Path) -> None:
    (tmp_path / "fleet.json5").write_text(on_the_page("json5"))
    kitchen = join("kitchen", listen=secure, zenoh="fleet.json5")
    workshop, guest = join("workshop", connect=secure), join("guest", connect=secure)
    until(lambda: kitchen.sees == ["guest", "workshop"])
    kitchen.teach("bring tea")
    until(lambda: guest.member.question() is not None)
    assert guest.net.ask("kitchen", "stop", {}) == {}
    assert kitchen.done == []
    assert set(workshop.net.ask("kitchen", "stop", {})) == {"kitchen"}


def test_a_certificate_that_is_missing_is_named_with_where_to_read(tmp_path: Path, secure: str) -> None:
    with pytest.raises(ConfigError, match=r"ca.pem; docs/fleet.md tells"):
        Station(tmp_path, "kitchen", listen=secure, certificates="none")
