"""What was chosen so far in `heed setup voice`. config.toml stays as it was until all was asked.

Until then it is kept beside the sockets, for whoever is interrupted and begins again.
"""

import json
import logging
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from daemon.cli.settings_file import write_settings
from daemon.config import Config, SpeechConfig

log = logging.getLogger(__name__)
ASKED_FOR = ("language", "microphone", "loudspeaker", "voice", "wake")
"""Settings below [speech]."""


class VoiceChoices:
    """The settings below [speech] as they will be."""

    def __init__(self, config: Config) -> None:
        """Begin with what was chosen the last time, where that was not written since, else with the settings."""
        self.file = config.folder / "config.toml"
        """What write() changes."""
        self._kept = config.runtime_directory / "voice_setup.json"
        self._before = config.speech
        self.speech = _with(config.speech, self._kept_before())

    def keep(self, key: str, value: str) -> None:
        """Choose this. Where it cannot be kept for the next time, it is asked for once more then."""
        self.speech = _with(self.speech, {key: value})
        fresh = self._kept.with_suffix(".new")
        try:
            fresh.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            fresh.write_text(json.dumps(self._changes), encoding="utf-8")
            fresh.replace(self._kept)
        except OSError as error:
            log.warning("what was chosen is not kept for the next time: %s", error)

    def write(self) -> None:
        """Write all of it into config.toml. Raises CommandError where that cannot be, and keeps it."""
        if self._changes:
            write_settings(self.file, "speech", self._changes)
        with suppress(OSError):
            self._kept.unlink(missing_ok=True)

    @property
    def _changes(self) -> dict[str, str]:
        chosen = {key: getattr(self.speech, key) for key in ASKED_FOR}
        return {key: value for key, value in chosen.items() if value != getattr(self._before, key)}

    def _kept_before(self) -> dict[str, str]:
        """What was kept, unless config.toml was changed since."""
        try:
            if self.file.exists() and self.file.stat().st_mtime_ns > self._kept.stat().st_mtime_ns:
                return {}
            kept = json.loads(self._kept.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        told = kept.items() if isinstance(kept, dict) else ()
        return {key: value for key, value in told if key in ASKED_FOR and isinstance(value, str)}


def _with(speech: SpeechConfig, settings: dict[str, str]) -> SpeechConfig:
    return replace(speech, **cast(dict[str, Any], settings))
