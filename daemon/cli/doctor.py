"""`heed doctor`: looks at everything that heed needs, changes nothing, and says what to do where something is amiss."""

import dataclasses
import grp
import importlib.metadata
import json
import logging
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from daemon.cli.doctor_body import buses, calibration, devices, eyes, has_camera, limits
from daemon.cli.doctor_sound import echo, loudspeaker, microphone, recognizer, voice
from daemon.cli.finding import Check, Verdict
from daemon.config import Config, ConfigError
from daemon.llm.gguf_file import GgufError, read_gguf
from daemon.llm.model_files import choose_model, choose_worker, list_models, memory_available
from daemon.memory.memory_file import DamagedMemoryError, MemoryFileError, open_database
from daemon.memory.spare_copy import spare_of
from daemon.service.control import CommandError, NoDaemonError, request, running_in

OLDEST_PYTHON = (3, 11)
LITTLE_DISK = 500_000_000
"""Bytes below which a warning is due: the keys and values kept for examples take some hundred megabytes."""
ONE_DAY = 86_400
"""Seconds; less may be a time zone that was set wrong."""
NO_DISK = 20_000_000
"""Bytes below which a lesson may not fit any more."""

log = logging.getLogger(__name__)


def diagnose(config: Config, as_json: bool = False) -> int:
    """Print what was found; returns 1 when something fails."""
    checks = examine(config)
    print(json_of(checks) if as_json else text_of(checks))
    return int(any(check.verdict is Verdict.FAIL for check in checks))


def examine(config: Config) -> list[Check]:
    """Run all checks; one that breaks is itself a finding."""
    return [_guarded(check, config) for check in CHECKS]


def text_of(checks: Sequence[Check]) -> str:
    lines = []
    for check in checks:
        lines.append(f"{check.verdict:5} {check.name:14} {check.what}")
        if check.to_do:
            lines.append(f"{'':20} -> {check.to_do}")
    return "\n".join(lines)


def json_of(checks: Sequence[Check]) -> str:
    return json.dumps([dataclasses.asdict(check) for check in checks], indent=2, ensure_ascii=False)


def python(config: Config) -> Check:
    found = sys.version.split()[0]
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", Verdict.FAIL, found, "make .venv anew: PYTHON=python3.11 script/setup")
    return Check("python", Verdict.OK, found)


def packages(config: Config) -> Check:
    """Every dependency is there, in its version where pyproject.toml names one. What is optional has its own checks."""
    needed = without_extras(importlib.metadata.requires("heed") or [])
    if wrong := wrong_packages(needed):
        return Check("packages", Verdict.FAIL, "; ".join(wrong), "run script/setup")
    return Check("packages", Verdict.OK, f"{len(needed)} of {len(needed)}")


def without_extras(requirements: Sequence[str]) -> list[str]:
    """Return those that heed does not run without."""
    return [requirement for requirement in requirements if "extra ==" not in requirement]


def wrong_packages(requirements: Sequence[str]) -> list[str]:
    """Return what is missing, or has another version."""
    wrong = []
    for requirement in requirements:
        name, pinned = re.findall(r"^([\w.-]+)(?:\[.*\])?(?:==([\w.]+))?", requirement)[0]
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            wrong.append(f"{name} is missing")
        else:
            if pinned and installed != pinned:
                wrong.append(f"{name} is {installed}, not {pinned}")
    return wrong


def brain(config: Config) -> Check:
    """The models that would be used now, whole and small enough; and files in models/ that cannot be used."""
    try:
        files = [choose(config.llm, config.models_directory) for choose in (choose_model, choose_worker)]
        models = [read_gguf(file) for file in files if file]
    except (ConfigError, GgufError) as error:
        return Check("brain", Verdict.FAIL, str(error), "see `heed models list`, and brain in [llm] of config.toml")
    if not models:
        what = "imitation of examples"
    else:
        needed = sum(model.memory_needed(min(config.llm.context_tokens, model.context_tokens)) for model in models)
        named = " and ".join(f"{model.path.name} ({model.architecture})" for model in models)
        what = f"{named}, needs about {_gigabytes(needed)} of memory"
        if needed > memory_available():
            advice = "take a smaller model or quantisation, or lower context_tokens in [llm]"
            return Check("brain", Verdict.WARN, f"{what}; {_gigabytes(memory_available())} are free", advice)
    if problems := [model.problem for model in list_models(config.models_directory) if model.problem]:
        return Check("brain", Verdict.WARN, f"{what}; not usable: {'; '.join(problems)}", "move it out of models/")
    return Check("brain", Verdict.OK, what)


def embedding_model(config: Config) -> Check:
    if not (config.models_directory / "minilm" / "model.onnx").is_file():
        return Check("embeddings", Verdict.FAIL, "models/minilm is missing", "run script/setup")
    return Check("embeddings", Verdict.OK, "models/minilm")


def memory(config: Config) -> Check:
    """Open it for reading only; opening checks that nothing is damaged."""
    file = config.memory_file
    if not file.exists():
        return Check("memory", Verdict.OK, f"{file} is made at the first start")
    try:
        with closing(open_database(file, read_only=True)) as database:
            lessons = database["lesson"].count
    except MemoryFileError as error:
        what, _, advice = str(error).partition("; ")
        if isinstance(error, DamagedMemoryError) and spare_of(file).exists():
            advice = (
                f"start heed: it puts the file aside, and goes on with {spare_of(file).name}, which has every lesson"
            )
        return Check("memory", Verdict.FAIL, what, advice or "see docs/ for what to do with it")
    return Check("memory", Verdict.OK, f"{file}, {lessons} lessons")


def disk(config: Config) -> Check:
    folder = next(p for p in (config.state_directory, *config.state_directory.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    what = f"{_gigabytes(free)} free at {folder}"
    if free < NO_DISK:
        return Check("disk", Verdict.FAIL, what, "make room: lessons cannot be kept")
    if free < LITTLE_DISK:
        return Check("disk", Verdict.WARN, what, "make room, or answers of a language model become slower")
    return Check("disk", Verdict.OK, what)


def real_time(config: Config) -> Check:
    """Check whether the body's loop may go before everything else; tried for a moment by a thread of its own."""
    refused: list[OSError] = []

    def try_it() -> None:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # 0 is this thread
        except OSError as error:
            refused.append(error)

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join()
    if refused:
        advice = "fine in simulation; a robot of metal gets it from systemd/heed-hw.service"
        return Check("real time", Verdict.WARN, "not permitted for this user", advice)
    return Check("real time", Verdict.OK, "permitted")


def clock(config: Config) -> Check:
    """A machine without a battery for its clock wakes up in the past; lessons then carry wrong dates."""
    now = datetime.now(UTC)
    newest = max((Path(__file__).stat().st_mtime, *_times(config.memory_file)))
    if now.timestamp() < newest - ONE_DAY:
        found = datetime.fromtimestamp(newest, UTC)
        what = f"{now:%Y-%m-%d %H:%M} UTC, but something here is from {found:%Y-%m-%d %H:%M}"
        return Check("clock", Verdict.WARN, what, "set it: sudo timedatectl set-time, or let it ask the network")
    return Check("clock", Verdict.OK, f"{now:%Y-%m-%d %H:%M} UTC")


def groups(config: Config) -> Check:
    """Sound and serial ports belong to groups, as long as nobody is root."""
    needed = {"audio": "sound", "dialout": "serial ports"} if not config.body.simulated else {"audio": "sound"}
    if has_camera(config):
        needed["video"] = "camera"
    missing = {group: what for group, what in needed.items() if not _in_group(group)}
    if os.geteuid() == 0 or not missing:
        return Check("groups", Verdict.OK, "root" if os.geteuid() == 0 else _named(needed))
    advice = f"sudo usermod -aG {','.join(missing)} $USER, then log in again; the service has them by itself"
    return Check("groups", Verdict.WARN, f"not a member of {_named(missing)}", advice)


def service(config: Config) -> Check:
    """Check whether somebody answers at the socket, a service or one started by hand."""
    try:
        status = request(running_in(config.runtime_directory), "status", timeout=5.0)
    except NoDaemonError:
        return Check("daemon", Verdict.OK, "heed is not running")
    except CommandError as error:
        return Check(
            "daemon", Verdict.FAIL, f"it runs and does not answer: {error}", error.hint or "journalctl -u heed"
        )
    faults = [f"{fault['component']} {fault['code']}" for fault in status["faults"]]
    if status["stopped"] or faults:
        what = f"stopped: {status['stopped']}; " if status["stopped"] else ""
        return Check(
            "daemon", Verdict.WARN, what + ", ".join(faults), "see `heed status`; heed resume lets it move again"
        )
    return Check("daemon", Verdict.OK, f"it runs and is {status['doing']}, with {status['brain']}")


CHECKS: tuple[Callable[[Config], Check], ...] = (
    python,
    packages,
    microphone,
    loudspeaker,
    echo,
    recognizer,
    voice,
    brain,
    embedding_model,
    devices,
    limits,
    buses,
    calibration,
    eyes,
    memory,
    disk,
    real_time,
    clock,
    groups,
    service,
)


def _times(file: Path) -> list[float]:
    return [file.stat().st_mtime] if file.exists() else []


def _in_group(name: str) -> bool:
    try:
        return grp.getgrnam(name).gr_gid in os.getgroups()
    except KeyError:
        return True  # there is no such group here, so nothing belongs to it


def _named(groups: Mapping[str, str]) -> str:
    return ", ".join(f"{group} ({what})" for group, what in groups.items())


def _guarded(check: Callable[[Config], Check], config: Config) -> Check:
    try:
        return check(config)
    except Exception as error:
        log.exception("the check %s broke", check.__name__)
        name = check.__name__.replace("_", " ")
        return Check(name, Verdict.FAIL, f"the check itself broke: {error!r}", "please report this")


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
