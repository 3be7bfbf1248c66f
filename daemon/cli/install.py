"""`heed install` and `heed uninstall`: a service that starts with the machine, or with the user's session.

What has to be done is a list of steps, made without looking further than needed; --dry-run prints it. Installing again
is how one upgrades: settings, models and memory are kept, and settings that no longer fit are named.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from daemon.config import ConfigError, load_config
from daemon.service.control import CommandError

CHECKOUT = Path(__file__).parents[2]
IN_UNITS = "/opt/heed"
"""Where the files in systemd/ say that heed lies."""
UNITS = ("heed.service", "heed-hw.service")
RULES = "60-heed.rules"
PAGE_UNIT = "heed.service.d/page.conf"
PAGE_DROP_IN = """# The page in a browser was asked for: heed may listen on this machine, and still reach nothing else.
[Service]
PrivateNetwork=no
RestrictAddressFamilies=AF_INET AF_INET6
IPAddressAllow=localhost
"""
FOR_ROOT_ONLY = (
    "User",
    "SupplementaryGroups",
    "DevicePolicy",
    "DeviceAllow",
    "CapabilityBoundingSet",
    "IPAddressDeny",
    "LimitRTPRIO",
    "LimitMEMLOCK",
    "OOMScoreAdjust",
    "MemoryMax",
    "MemoryHigh",
    "PrivateNetwork",
    "PrivateTmp",
    "RemoveIPC",
    "ProtectClock",
    "ProtectControlGroups",
    "ProtectHome",
    "ProtectHostname",
    "ProtectKernelLogs",
    "ProtectKernelModules",
    "ProtectKernelTunables",
    "ProtectProc",
    "ProtectSystem",
    "RestrictNamespaces",
)
"""What systemd can do for the machine's services, but not for those of a user."""

Runner = Callable[[Sequence[str]], int]
"""Runs a command; returns its exit status."""


@dataclass(frozen=True)
class Target:
    """Where heed is installed to."""

    user: bool = False
    """For the session of this user, without root."""
    root: Path = Path("/")
    """Another one to look at what would be written; then no command is run."""
    home: Path = field(default_factory=Path.home)

    @property
    def units(self) -> Path:
        return self.home / ".config/systemd/user" if self.user else self.root / "etc/systemd/system"

    @property
    def config(self) -> Path:
        return (self.home / ".config/heed" if self.user else self.root / "etc/heed") / "config.toml"

    @property
    def rules(self) -> Path:
        return self.root / "etc/udev/rules.d" / RULES

    @property
    def memory(self) -> str:
        return str(self.home / ".local/state/heed") if self.user else "/var/lib/heed"

    @property
    def systemctl(self) -> tuple[str, ...]:
        return ("systemctl", "--user") if self.user else ("systemctl",)


@dataclass(frozen=True)
class Write:
    """Put a file there."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"write  {self.path}"


@dataclass(frozen=True)
class Remove:
    """Take a file away, if it is there."""

    path: Path

    def __str__(self) -> str:
        return f"remove {self.path}"


@dataclass(frozen=True)
class Run:
    """Run a command. With a hint it must succeed, else it may fail."""

    command: tuple[str, ...]
    hint: str = ""

    def __str__(self) -> str:
        return f"run    {' '.join(self.command)}"


@dataclass(frozen=True)
class Tell:
    """Say something to the person."""

    text: str

    def __str__(self) -> str:
        return self.text


Step = Write | Remove | Run | Tell


def install(target: Target, page: bool = False, start: bool = True) -> Iterator[Step]:
    """Yield what has to be done, in order. `page` opens the sandbox for the page in a browser."""
    if not target.user:
        yield from _make_user(target.root / "etc/passwd")
    yield from _keep_config(target, page)
    for unit in UNITS:
        yield Write(target.units / unit, unit_text(unit, target))
    wants_page = page or _has_page(target.config)
    yield (Write if wants_page else _removed)(target.units / PAGE_UNIT, PAGE_DROP_IN)
    if not target.user:
        yield Write(target.rules, (CHECKOUT / "systemd" / RULES).read_text())
        yield Run(("udevadm", "control", "--reload"))
    yield Run((*target.systemctl, "daemon-reload"))
    yield Run((*target.systemctl, "enable", *UNITS), "see what systemctl said above")
    if start:
        yield Run((*target.systemctl, "restart", *UNITS), "see `journalctl -u heed`, and `heed doctor`")
    yield Tell(_farewell(target))


def uninstall(target: Target) -> Iterator[Step]:
    """The same backwards. Settings, models and memory stay."""
    yield Run((*target.systemctl, "disable", "--now", *UNITS))
    for unit in (PAGE_UNIT, *UNITS):
        yield Remove(target.units / unit)
    if not target.user:
        yield Remove(target.rules)
        yield Run(("udevadm", "control", "--reload"))
    yield Run((*target.systemctl, "daemon-reload"))
    yield Tell(f"heed is no service any more. Kept: {target.config}, the models, and the memory in {target.memory}")


def carry_out(
    steps: Iterator[Step], dry_run: bool, run: Runner | None = None, tell: Callable[[str], None] = print
) -> None:
    """Do the steps, or only print them. Raises CommandError."""
    for step in steps:
        if dry_run or isinstance(step, Tell):
            tell(str(step))
        elif isinstance(step, Run):
            if (run or _run)(step.command) and step.hint:
                raise CommandError(f"this did not work: {' '.join(step.command)}", step.hint)
        else:
            _change(step)


def require_rights(target: Target) -> None:
    """Raise CommandError where it takes root."""
    if not target.user and target.root == Path("/") and os.geteuid():
        raise CommandError("this needs root", "sudo heed install, or heed install --user for your session alone")


def unit_text(unit: str, target: Target) -> str:
    """A file of systemd/ for this place."""
    text = (CHECKOUT / "systemd" / unit).read_text()
    text = text.replace(IN_UNITS, str(CHECKOUT)).replace("/etc/heed", str(_config_folder(target)))
    return _for_user(text) if target.user else text


def _for_user(text: str) -> str:
    kept = [line for line in text.splitlines() if line.partition("=")[0] not in FOR_ROOT_ONLY]
    return "\n".join(kept).replace("multi-user.target", "default.target").replace("sound.target", "") + "\n"


def _config_folder(target: Target) -> Path:
    return target.config.parent if target.user else Path("/etc/heed")


def _make_user(passwd: Path) -> Iterator[Step]:
    if not passwd.exists() or not any(line.startswith("heed:") for line in passwd.read_text().splitlines()):
        home = ("--home-dir", "/var/lib/heed", "--shell", "/usr/sbin/nologin")
        yield Run(("useradd", "--system", "--user-group", *home, "heed"), "make a user and a group named heed")
    yield Run(
        ("runuser", "-u", "heed", "--", str(CHECKOUT / ".venv/bin/python"), "-c", "import daemon, hw"),
        f"the user heed may not run what is in {CHECKOUT}; move it to {IN_UNITS} and run script/setup there",
    )


def _keep_config(target: Target, page: bool) -> Iterator[Step]:
    if not target.config.exists():
        text = (CHECKOUT / "config.toml").read_text()
        text = text.replace('# models_directory = "models"', f'models_directory = "{CHECKOUT / "models"}"')
        text = text.replace('# state_directory = "" ', f'state_directory = "{target.memory}" ')
        yield Write(target.config, text.replace('# page = "" ', 'page = "127.0.0.1:8642" ') if page else text)
        return
    yield Tell(f"kept   {target.config}")
    for change in _changed_keys(target.config.read_text(), (CHECKOUT / "config.toml").read_text()):
        yield Tell(f"       {change}")
    try:
        load_config(target.config)
    except ConfigError as error:
        yield Tell(f"       but correct it, or heed does not start: {error}")
    if page and not _has_page(target.config):
        yield Tell('       put this into it, below [service]: page = "127.0.0.1:8642"')


def _changed_keys(kept: str, ours: str) -> Iterator[str]:
    """Yield what this heed can be told that the kept file does not know, and the other way round."""
    before, now = _keys(kept), _keys(ours)
    if new := [key for key in now if key not in before]:
        yield f"new in this heed: {', '.join(new)}; what they do stands in {CHECKOUT / 'config.toml'}"
    if gone := [key for key in before if key not in now]:
        yield f"no more in this heed, remove them: {', '.join(gone)}"


def _keys(text: str) -> list[str]:
    """Every key of a config.toml with its section, also those that are commented out: "[llm] brain"."""
    keys, section = [], ""
    for line in text.splitlines():
        if heading := re.match(r"\[(\w+)\]", line):
            section = heading[1]
        elif key := re.match(r"(?:# ?)?(\w+) = ", line):
            keys.append(f"[{section}] {key[1]}")
    return keys


def _has_page(config: Path) -> bool:
    try:
        return bool(load_config(config).service.page)
    except ConfigError:
        return False


def _removed(path: Path, _: str) -> Remove:
    return Remove(path)


def _change(step: Write | Remove) -> None:
    try:
        if isinstance(step, Remove):
            step.path.unlink(missing_ok=True)
        else:
            step.path.parent.mkdir(parents=True, exist_ok=True)
            step.path.write_text(step.text)
            step.path.chmod(0o644)
    except OSError as error:
        raise CommandError(f"{step.path} cannot be changed: {error}", "sudo heed install") from error


def _run(command: Sequence[str]) -> int:
    try:
        return subprocess.run(command, check=False).returncode
    except FileNotFoundError:
        return 127


def _farewell(target: Target) -> str:
    systemctl, journalctl = ("systemctl --user", "journalctl --user") if target.user else ("systemctl", "journalctl")
    who = "" if target.user else "Who may talk to it: sudo usermod -aG heed $USER, then log in again\n"
    return f"""heed is a service. See it: {systemctl} status heed; {journalctl} -u heed -f; heed doctor
{who}A robot of metal: copy {CHECKOUT}/hw/robots/sim.toml to {_config_folder(target)}/robot.toml, write your devices
into it, set robot = "{_config_folder(target)}/robot.toml" below [body] in {target.config}, and install again.
"""
