"""`heed models`: which model files there are, whether one works, and which one thinks."""

import json
from collections.abc import Callable
from typing import Any

from daemon.config import Config, ConfigError
from daemon.control import CommandError, Handler, Message, NoDaemonError, request, running_in
from daemon.llm.model import ModelError
from daemon.llm.models import IMITATION, CheckedModel, ListedModel, check_model, find_model, list_models, use_model


def inspect_models(action: str, file: str | None, config: Config, as_json: bool) -> int:
    """Carry out "list", "check" or "use"; the last two need a file."""
    if action == "list":
        return _list(list_models(config.models_directory), as_json)
    if not file:
        raise ConfigError(f"heed models {action} needs a file; heed models list tells which there are")
    try:
        if action == "check":
            checked = check_model(find_model(file, config.models_directory), config.llm)
        else:
            checked = use_model(file, config.models_directory, config.llm)  # type: ignore[assignment]
    except ModelError as error:
        raise CommandError(str(error)) from error
    if checked is not None:
        _show(_facts(checked), as_json)
    if action == "use":
        print(_tell_daemon(file, config))
    return 0


def model_handlers(config: Config, in_use: Callable[[], str]) -> dict[str, Handler]:
    """The command "models" of the running daemon: what could think, and what does."""

    def models(request: Message) -> Message:
        used = in_use()
        files = [(model.path.name, model.problem) for model in list_models(config.models_directory)]
        known = [(IMITATION, ""), *files, *([(used, "")] if used not in (IMITATION, *dict(files)) else [])]
        return {"models": [{"file": name, "problem": bad, "used": name == used} for name, bad in known]}

    return {"models": models}


def _tell_daemon(file: str, config: Config) -> str:
    try:
        answer = request(running_in(config.runtime_directory), "use_model", timeout=600.0, file=file)
    except NoDaemonError:
        return f"{file} is used from the next start on"
    return f"heed thinks with {answer['model']} now"


def _list(models: list[ListedModel], as_json: bool) -> int:
    if as_json:
        print(json.dumps([{"file": m.path.name, "problem": m.problem, "selected": m.selected} for m in models]))
        return 0
    for model in models:
        mark = "*" if model.selected else " "
        print(f"{mark} {model.path.name:40} {model.problem or (model.header.architecture if model.header else '')}")
    if not models:
        print("models/ holds no GGUF; heed imitates examples instead. models/README.md tells what to put there")
    return 0


def _facts(checked: CheckedModel) -> dict[str, Any]:
    return {
        "architecture": checked.header.architecture,
        "context_tokens": checked.context_tokens,
        "chat_template": checked.chat,
        "splices_examples": checked.splice,
        "memory_needed_mb": round(checked.memory_needed / 1e6),
        "memory_available_mb": round(checked.memory_available / 1e6),
        "load_seconds": round(checked.load_seconds, 2),
        "tokens_per_second": round(checked.tokens_per_second, 1),
    }


def _show(facts: dict[str, Any], as_json: bool) -> None:
    print(json.dumps(facts) if as_json else "\n".join(f"{key.replace('_', ' '):22} {facts[key]}" for key in facts))
