"""The model files in models/: which are there, which one is used, and whether a file works."""

import contextlib
import difflib
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

from daemon.config import ConfigError, LlmConfig
from daemon.llm.gguf_file import GgufFile, read_gguf
from daemon.llm.llama import ALWAYS, AUTO, NEVER, LlamaModel
from daemon.llm.model import ModelError, Prompt

log = logging.getLogger(__name__)

IMITATION = "imitation"
"""The brain that needs no file."""
OWN = "heed-brain"
"""heed's own brain, which set-up puts together."""
REMOTE = "remote:"
SELECTED = "brain"
"""A file beside the memory: one line, the name of the model file that `heed models use` chose."""
SELECTED_BEFORE = "selected"
"""The same in the models folder, where it was kept before: but several robots may share that."""
TRIAL = Prompt("You write Python for a robot.\n", (), ">>> say('hello')\n'success'\n>>>")


class NoModelFileError(ConfigError):
    """The model file that is asked for is not there, or there are several and none was chosen."""


@dataclass(frozen=True)
class ListedModel:
    """A line of `heed models list`."""

    path: Path
    header: GgufFile | None
    problem: str
    """Why the file cannot be used; empty when nothing is wrong with its header."""
    selected: bool


@dataclass(frozen=True)
class CheckedModel:
    """What `heed models check` found by loading the file."""

    context_tokens: int
    """Of the file or of the settings, whichever is smaller."""
    chat: bool
    """Whether prompts go into the file's chat template."""
    splice: bool
    """Whether kept examples can be put together without reading them again."""
    load_seconds: float
    tokens_per_second: float
    """Of a short trial, so that one can tell a slow model from a fast one."""


def list_models(folder: Path, selected: str = "") -> list[ListedModel]:
    """All GGUF files in the models folder, by name, and those in a folder of their own.

    `selected` is what selected_model() tells.
    """
    return [_listed(path, selected in (path.name, str(path.resolve()))) for path in (*_files(folder), *_own(folder))]


def check_model(path: Path, config: LlmConfig) -> CheckedModel:
    """Load the file in a process of its own and try it. Raises ModelError when it does not work."""
    require_memory(path, config)
    started = time.monotonic()
    model = LlamaModel(path, config)
    try:
        opened = model.describe()
        loaded = time.monotonic()
        model.complete(TRIAL, max_tokens=16)
        tokens = model.report.prompt_tokens + model.report.new_tokens
        speed = tokens / max(time.monotonic() - loaded, 1e-3)
    finally:
        model.close()
    return CheckedModel(
        int(opened["context_tokens"]), bool(opened["chat"]), bool(opened["splice"]), loaded - started, speed
    )


def require_memory(path: Path, config: LlmConfig) -> None:
    """Raise ModelError for a file that needs more memory than is free now, or that cannot write statements."""
    header = read_gguf(path)
    if header.unsuitable:
        raise ModelError(header.unsuitable)
    needed, available = memory_needed(header, config), memory_available()
    if needed > available:
        raise ModelError(
            f"{path} needs about {needed / 1e9:.1f} GB of memory, {available / 1e9:.1f} GB are free; "
            "take a smaller one (fewer parameters, or 4 bits instead of 8) or a smaller context_tokens in config.toml"
        )


def memory_needed(header: GgufFile, config: LlmConfig) -> int:
    """Bytes for the weights and the context that heed would give it, roughly."""
    return header.memory_needed(min(header.context_tokens, config.context_tokens))


def choose_model(config: LlmConfig, folder: Path, selected: str = "") -> Path | None:
    """Return the model file to use, None for imitation. Raises ConfigError, NoModelFileError when there is none such.

    The first of these counts: `brain` in config.toml; what was `selected`, as selected_model() tells; the only GGUF
    there beside the worker's; heed's own brain, where there is memory for it. A file in a folder of its own is no such
    GGUF.
    """
    if config.splice not in (AUTO, ALWAYS, NEVER):
        raise ConfigError(f'splice = "{config.splice}" is none of "{AUTO}", "{ALWAYS}" and "{NEVER}"')
    if config.brain == IMITATION:
        return None
    if config.brain.startswith("llama:"):
        return find_model(config.brain.removeprefix("llama:"), folder)
    if config.brain != "auto" and not remote_address(config):
        known = '"imitation", "auto", "llama:FILE.gguf" and "remote:http://HOST:PORT"'
        raise ConfigError(f'brain = "{config.brain}" is none of {known}')
    if selected:
        return None if selected == IMITATION else find_model(selected, folder)
    worker = None
    with contextlib.suppress(ConfigError):  # told where it is opened
        worker = choose_worker(config, folder)
    files = (_listed(path, selected=False) for path in _files(folder))
    usable = [listed.path for listed in files if not listed.problem and listed.path.resolve() != worker]
    if len(usable) > 1:
        names = ", ".join(path.name for path in usable)
        raise NoModelFileError(f"{folder} holds {len(usable)} models ({names}); choose one with: heed models use FILE")
    return usable[0] if usable else _own_brain(config, folder)


def choose_worker(config: LlmConfig, folder: Path) -> Path | None:
    """The model file of the second role, None where the brain has both. Raises ConfigError, NoModelFileError."""
    if not config.worker:
        return None
    if not config.worker.startswith("llama:"):
        raise ConfigError(f'worker = "{config.worker}" is neither "" nor "llama:FILE.gguf"')
    return find_model(config.worker.removeprefix("llama:"), folder)


def remote_address(config: LlmConfig) -> str:
    """The server that `brain` names, empty when it names none."""
    return config.brain.removeprefix(REMOTE) if config.brain.startswith(REMOTE) else ""


def find_model(name: str, folder: Path) -> Path:
    """The file of that name or path, with or without .gguf, or in a folder of its own; else NoModelFileError.

    The error names the nearest there is.
    """
    for path in (Path(name).expanduser(), folder / name, folder / f"{name}.gguf", folder / name / f"{name}.gguf"):
        with contextlib.suppress(OSError):  # a name that is too long for any file
            if path.is_file():
                return path.resolve()
    names = [path.name for path in (*_files(folder), *_own(folder))]
    nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    advice = f"did you mean {nearest[0]}?" if nearest else f"there are: {', '.join(names) or 'none yet'}"
    raise NoModelFileError(f"there is no model {name[:100]} in {folder}; {advice}")


def select_model(file: Path | None, folder: Path, state: Path) -> None:
    """Choose a model (None: imitation) for `brain = "auto"`, from the next start on. Raises ConfigError.

    `folder` holds the models, `state` what this robot keeps.
    """
    inside = file is not None and file.parent == folder.resolve()
    name = IMITATION if file is None else file.name if inside else str(file)
    new = state / f".{SELECTED}.new"
    try:
        state.mkdir(parents=True, exist_ok=True)
        new.write_text(name + "\n", encoding="utf-8")
        new.replace(state / SELECTED)
    except OSError as error:
        raise ConfigError(
            f"{state / SELECTED} cannot be written ({error}); the choice holds until heed ends"
        ) from error


def selected_model(folder: Path, state: Path) -> str:
    """Return what `heed models use` chose: a file's name, "imitation", or "" for nothing yet. Raises ConfigError.

    `folder` holds the models, `state` what this robot keeps.
    """
    for file in (state / SELECTED, folder / SELECTED_BEFORE):
        try:
            return file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{file} cannot be read ({error}); run: heed models use FILE") from error
    return ""


def memory_available() -> int:
    """Bytes that a new process could take without swapping, as Linux estimates it."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.gguf") if path.is_file())


def _own(folder: Path) -> list[Path]:
    """Those that are used only when somebody says so."""
    return sorted(path for path in folder.glob("*/*.gguf") if path.is_file() and path.stem == path.parent.name)


def _own_brain(config: LlmConfig, folder: Path) -> Path | None:
    """heed's own brain; None where set-up left it out, or where there is no room for it, which is told."""
    path = folder / OWN / f"{OWN}.gguf"
    if not path.exists():
        return None
    try:
        require_memory(path, config)
    except ModelError as error:
        log.warning("%s; heed goes on without it, by imitation", error)
        return None
    return path.resolve()


def _listed(path: Path, selected: bool) -> ListedModel:
    try:
        header = read_gguf(path)
    except ModelError as error:
        return ListedModel(path, None, str(error), selected)
    return ListedModel(path, header, header.unsuitable, selected)
