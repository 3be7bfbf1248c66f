"""`heed models`: which model files there are, whether one works, how fast it is, and which one thinks."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from daemon.config import Config, ConfigError
from daemon.llm.catalog import LLM, read_catalog
from daemon.llm.gguf_file import GgufFile, read_gguf
from daemon.llm.model import ModelError
from daemon.llm.model_files import (
    IMITATION,
    CheckedModel,
    ListedModel,
    check_model,
    choose_model,
    find_model,
    list_models,
    memory_available,
    memory_needed,
    select_model,
    selected_model,
)
from daemon.service.control import CommandError, Handler, Message, NoDaemonError, request, running_in

USE_SECONDS = 600.0
"""For the running heed to load and try a model: gigabytes from a memory card."""
HUB = "HF_ENDPOINT"
"""Environment: the address of another hub than the public one, as the Hugging Face library has it."""


def inspect_models(action: str, arguments: Sequence[str], config: Config, as_json: bool) -> int:
    """Carry out "list", "check", "use", "bench" or "pull"; all but "list" need a file, "pull" a repository too.

    Raises CommandError and ConfigError.
    """
    wanted = {"list": 0, "pull": 2}.get(action, 1)
    if len(arguments) != wanted:
        what = {"list": "nothing more", "pull": "a repository and a file in it"}.get(action, "a file")
        raise ConfigError(f"heed models {action} needs {what}; heed models list tells which there are")
    try:
        return _ACTIONS[action](*arguments, config=config, as_json=as_json)
    except ModelError as error:
        raise CommandError(str(error)) from error


def model_handlers(config: Config, in_use: Callable[[], str], use: Callable[[Path | None], str]) -> dict[str, Handler]:
    """The commands "models" and "use_model" of the running daemon: what could think, what does, and what shall."""

    def models(request: Message) -> Message:
        used = in_use()
        files = [(model.path.name, model.problem) for model in list_models(config.models_directory)]
        known = [(IMITATION, ""), *files, *([(used, "")] if used not in (IMITATION, *dict(files)) else [])]
        return {"models": [{"file": name, "problem": bad, "used": name == used} for name, bad in known]}

    def use_model(request: Message) -> Message:
        try:
            path = _named(str(request.get("file", "")), config)
            name = use(path)
        except (ModelError, ConfigError) as error:
            advice = "the model before is still in use; is it large, make room with: heed models use imitation"
            raise CommandError(str(error), advice) from error
        try:
            select_model(path, config.models_directory, config.state_directory)
        except ConfigError as error:
            raise CommandError(str(error), "let heed write there, then choose again") from error
        return {"model": name}

    return {"models": models, "use_model": use_model}


def _list(config: Config, as_json: bool) -> int:
    chosen = selected_model(config.models_directory, config.state_directory)
    models = list_models(config.models_directory, chosen)
    if as_json:
        print(json.dumps([{"file": m.path.name, "problem": m.problem, "selected": m.selected} for m in models]))
        return 0
    used = _used(config, chosen)
    print(f"{'*' if used == IMITATION else ' '} {IMITATION:44} no file; adapts examples")
    for model in models:
        mark = "*" if used == str(model.path.resolve()) else " "
        print(f"{mark} {model.path.name:44} {model.problem or _in_short(model, config)}")
    _show_catalog(models, config)
    return 0


def _used(config: Config, chosen: str) -> str:
    """The file that heed would think with, or IMITATION; "" where it would ask which one."""
    try:
        return str(choose_model(config.llm, config.models_directory, chosen) or IMITATION)
    except ConfigError:
        return ""


def _check(name: str, config: Config, as_json: bool) -> int:
    path = find_model(name, config.models_directory)
    header = read_gguf(path)
    facts = _header_facts(header, config)
    if not as_json:
        _show(facts)  # before it is loaded: who cannot load it wants to know this
    tried = _tried_facts(check_model(path, config.llm), header)
    _show(facts | tried if as_json else tried, as_json)
    return 0


def _use(name: str, config: Config, as_json: bool) -> int:
    """The running heed tries the file itself, and chooses it; where none runs, that is done here."""
    path = _named(name, config)
    try:
        file = str(path) if path else IMITATION
        answer = request(running_in(config.runtime_directory), "use_model", timeout=USE_SECONDS, file=file)
        done = f"heed thinks with {answer['model']} now"
    except NoDaemonError:
        if path:
            check_model(path, config.llm)
        done = f"{name} is used from the next start on"
        select_model(path, config.models_directory, config.state_directory)
    if config.llm.brain != "auto" and not config.llm.brain.startswith("remote:"):
        done += f'; but config.toml has brain = "{config.llm.brain}", which counts then: make it "auto"'
    print(json.dumps({"done": done}) if as_json else done)
    return 0


def _bench(name: str, config: Config, as_json: bool) -> int:
    from bench.command import measure

    path = find_model(name, config.models_directory)
    return measure("console", ["--brain", f"llama:{path}", *(["--json"] if as_json else [])], config)


def _pull(repository: str, file: str, config: Config, as_json: bool) -> int:
    from daemon.llm.pull import pull_model

    path = pull_model(repository, file, config.models_directory, os.environ.get(HUB))
    print(
        json.dumps({"file": path.name}) if as_json else f"{path} is here and whole; next: heed models use {path.name}"
    )
    return 0


_ACTIONS: dict[str, Callable[..., int]] = {"list": _list, "check": _check, "use": _use, "bench": _bench, "pull": _pull}


def _named(name: str, config: Config) -> Path | None:
    return None if name == IMITATION else find_model(name, config.models_directory)


def _in_short(model: ListedModel, config: Config) -> str:
    if model.header is None:
        return ""
    return f"{model.header.architecture}, needs {memory_needed(model.header, config.llm) / 1e9:.1f} GB of memory"


def _show_catalog(models: Sequence[ListedModel], config: Config) -> None:
    """Well-known files that are not here, and how to get them."""
    here = {model.path.name for model in models}
    known = [m for m in read_catalog(config.models_directory) if m.kind == LLM and m.file not in here]
    if not known:
        return
    free = memory_available()
    print(f"\nwell known, none tried with heed; {free / 1e9:.1f} GB of memory are free:")
    for model in known:
        fits = "" if model.memory_bytes <= free else ", too large for now"
        print(f"  {model.name}: {model.memory_bytes / 1e9:.1f} GB of memory{fits}, {model.licence}; {model.fits}")
        print(f"    heed models pull {model.repository} {model.file}")


def _header_facts(header: GgufFile, config: Config) -> dict[str, Any]:
    return {
        "file": header.path.name,
        "name": header.name,
        "architecture": header.architecture,
        "context_of_file": header.context_tokens,
        "context_tokens": min(header.context_tokens, config.llm.context_tokens),
        "memory_needed_mb": round(memory_needed(header, config.llm) / 1e6),
        "memory_available_mb": round(memory_available() / 1e6),
    }


def _tried_facts(checked: CheckedModel, header: GgufFile) -> dict[str, Any]:
    template = "used" if checked.chat else "cannot be used" if header.chat_template else "none"
    return {
        "chat_template": template if checked.chat else f"{template}: prompts are completed as plain text",
        "splices_examples": checked.splice,
        "load_seconds": round(checked.load_seconds, 2),
        "tokens_per_second": round(checked.tokens_per_second, 1),
    }


def _show(facts: dict[str, Any], as_json: bool = False) -> None:
    print(json.dumps(facts) if as_json else "\n".join(f"{key.replace('_', ' '):22} {facts[key]}" for key in facts))
