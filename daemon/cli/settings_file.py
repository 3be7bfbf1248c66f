"""Settings in config.toml, written so that all else in the file stays as it is, whatever happens meanwhile."""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

from daemon.service.control import CommandError


def write_setting(file: Path, section: str, key: str, value: str | bool) -> None:
    """Write one setting; see write_settings()."""
    write_settings(file, section, {key: value})


def write_settings(file: Path, section: str, settings: Mapping[str, str | bool]) -> None:
    """Write each `key = value` below [section]: in place of the key that stands there, commented out or not.

    The old file is replaced only when the new one is whole on the disk: all of them are written, or none. Raises
    CommandError where that cannot be.
    """
    file = file.resolve()
    fresh = file.with_name(f".{file.name}.new")
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for key, value in settings.items():
            text = with_setting(text, section, key, value)
        tomllib.loads(text)
        with fresh.open("w", encoding="utf-8") as new:
            new.write(text)
            new.flush()
            os.fsync(new.fileno())
        if file.exists():
            shutil.copymode(file, fresh)
        fresh.replace(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        lines = "\n".join(_line(key, value) for key, value in settings.items())
        advice = f"write it there yourself, below [{section}]: {lines}"
        raise CommandError(f"{file} cannot be changed: {error}", advice) from error


def with_setting(text: str, section: str, key: str, value: str | bool) -> str:
    """Return the text of a config.toml with that setting; what is remarked behind it stays."""
    found = re.search(rf"(?ms)^\[{section}\][^\n]*\n?(.*?)(?=^\[|\Z)", text)
    if found is None:
        return f"{text.rstrip()}\n\n[{section}]\n{_line(key, value)}\n".lstrip()
    before, body, after = text[: found.start(1)], found[1], text[found.end(1) :]
    for prefix in ("", r"#\s*"):
        line = re.compile(rf'(?m)^{prefix}{key}\s*=\s*("(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^\s#]+)')
        if line.search(body):
            return before + line.sub(lambda _: _line(key, value), body, count=1) + after
    return f"{before.rstrip()}\n{_line(key, value)}\n{body}{after}"


def _line(key: str, value: str | bool) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"
