"""What `heed install` would do and does, in a folder that stands for the root of a machine."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from daemon.cli.install import CHECKOUT, Remove, Run, Target, Tell, Write, carry_out, install, uninstall
from daemon.config import load_config
from daemon.service.control import CommandError

VERBS = ("daemon-reload", "enable", "restart")


class Shell:
    """Takes commands, runs none; those named fail."""

    def __init__(self, *failing: str) -> None:
        self.commands: list[tuple[str, ...]] = []
        self._failing = failing

    def __call__(self, command: Sequence[str]) -> int:
        self.commands.append(tuple(command))
        return int(any(word in command for word in self._failing))


@pytest.fixture
def target(tmp_path: Path) -> Target:
    return Target(root=tmp_path)


def done(target: Target, page: bool = False, shell: Shell | None = None) -> list[str]:
    """Install, and return what was told."""
    told: list[str] = []
    carry_out(install(target, page), dry_run=False, run=shell or Shell(), tell=told.append)
    return told


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_changes_nothing_and_names_everything(target: Target) -> None:
    told: list[str] = []
    shell = Shell()
    carry_out(install(target), dry_run=True, run=shell, tell=told.append)
    assert files(target.root) == set()
    assert shell.commands == []
    assert f"write  {target.root}/etc/systemd/system/heed.service" in told
    assert "run    systemctl daemon-reload" in told


def test_units_settings_and_rule_come_to_their_places(target: Target) -> None:
    shell = Shell()
    done(target, shell=shell)
    assert files(target.root) == {
        "etc/heed/config.toml",
        "etc/systemd/system/heed.service",
        "etc/systemd/system/heed-hw.service",
        "etc/udev/rules.d/60-heed.rules",
    }
    assert [command[1] for command in shell.commands if command[0] == "systemctl"] == list(VERBS)
    unit = (target.units / "heed.service").read_text()
    assert f"ExecStart={CHECKOUT}/.venv/bin/heed --config /etc/heed/config.toml run --service" in unit
    config = load_config(target.config)
    assert config.models_directory == CHECKOUT / "models"
    assert config.memory_file == Path("/var/lib/heed/memory.sqlite")  # so that `heed memory` finds the service's


def test_the_page_opens_the_sandbox_to_this_machine_and_no_further(target: Target) -> None:
    done(target, page=True)
    assert load_config(target.config).service.page == "127.0.0.1:8642"
    drop_in = (target.units / "heed.service.d/page.conf").read_text()
    assert "IPAddressAllow=localhost" in drop_in
    done(target)
    assert (target.units / "heed.service.d/page.conf").exists()  # since the settings still say so
    target.config.write_text("")
    done(target)
    assert not (target.units / "heed.service.d/page.conf").exists()


def test_installing_again_keeps_the_settings(target: Target) -> None:
    done(target)
    target.config.write_text('[console]\nmax_statements = 7\n[llm]\nbrain = "imitation"\n')
    told = done(target)
    assert load_config(target.config).console.max_statements == 7
    assert f"kept   {target.config}" in told


def test_a_setting_that_has_changed_its_name_is_named(target: Target) -> None:
    done(target)
    target.config.write_text("[console]\nmax_statment = 7\n")
    assert any("did you mean max_statements?" in line for line in done(target))
    assert target.config.read_text() == "[console]\nmax_statment = 7\n"


def test_an_upgrade_names_the_keys_that_came_and_went(target: Target) -> None:
    done(target)
    kept = target.config.read_text().replace("# decay = ", "# forgetting = ", 1)
    target.config.write_text(kept)
    lines = done(target)
    assert any("new in this heed: [memory] decay;" in line for line in lines)
    assert any("no more in this heed, remove them: [memory] forgetting" in line for line in lines)
    assert target.config.read_text() == kept


def test_an_upgrade_of_what_is_up_to_date_names_no_key(target: Target) -> None:
    done(target)
    assert not any("in this heed" in line for line in done(target))


def test_uninstalling_keeps_settings_and_memory(target: Target) -> None:
    done(target, page=True)
    memory = target.root / "var/lib/heed/memory.sqlite"
    memory.parent.mkdir(parents=True)
    memory.write_text("what people taught me")
    told: list[str] = []
    carry_out(uninstall(target), dry_run=False, run=Shell(), tell=told.append)
    assert files(target.root) == {"etc/heed/config.toml", "var/lib/heed/memory.sqlite"}
    assert "/var/lib/heed" in told[-1]


def test_for_a_user_no_step_needs_root(tmp_path: Path) -> None:
    target = Target(user=True, home=tmp_path)
    steps = list(install(target))
    assert all(step.path.is_relative_to(tmp_path) for step in steps if isinstance(step, Write | Remove))
    assert all(step.command[:2] == ("systemctl", "--user") for step in steps if isinstance(step, Run))
    [unit] = [step.text for step in steps if isinstance(step, Write) and step.path.name == "heed.service"]
    assert "\nUser=" not in unit
    assert "WantedBy=default.target" in unit
    assert f"--config {tmp_path}/.config/heed/config.toml" in unit
    assert "WatchdogSec" in unit


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_wrong_with_what_is_written(tmp_path: Path) -> None:
    for target in (Target(root=tmp_path / "root"), Target(user=True, home=tmp_path / "home")):
        done(target, page=True)
        units = [str(target.units / name) for name in ("heed.service", "heed-hw.service")]
        command = ["systemd-analyze", "verify", "--man=no", *(["--user"] if target.user else []), *units]
        verify = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert [line for line in verify.stderr.splitlines() if "heed" in line] == []


@pytest.mark.parametrize(
    ("command", "hint"), [("runuser", "script/setup there"), ("restart", "heed doctor"), ("useradd", "a group named")]
)
def test_a_step_that_fails_says_what_to_do(target: Target, command: str, hint: str) -> None:
    with pytest.raises(CommandError, match="did not work") as failed:
        done(target, shell=Shell(command))
    assert hint in failed.value.hint


def test_machines_without_udev_are_fine(target: Target) -> None:
    done(target, shell=Shell("udevadm"))


def test_every_step_can_be_read(target: Target) -> None:
    assert all(str(step) for step in (*install(target), *uninstall(target)))
    assert any(isinstance(step, Tell) for step in install(target))


def test_without_starting_nothing_is_started(target: Target) -> None:
    shell = Shell()
    carry_out(install(target, start=False), dry_run=False, run=shell, tell=print)
    assert [command[1] for command in shell.commands if command[0] == "systemctl"] == ["daemon-reload", "enable"]
