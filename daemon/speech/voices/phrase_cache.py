"""A voice that makes a short phrase once: "Here you are." sounds at once when said again, also after a restart."""

import hashlib
import logging
from pathlib import Path

import numpy as np

from daemon.speech.synthesis import Sound, Synthesizer

log = logging.getLogger(__name__)

LONGEST = 80
"""Characters; longer sentences are hardly ever said again."""
KEPT = 300
"""Phrases in the folder, some 20 MB; the least recently used go first."""


class CachingSynthesizer:
    """Keeps phrases in a folder, by voice and text. A folder that cannot be used only costs time."""

    def __init__(self, voice: Synthesizer, folder: Path) -> None:
        self._voice, self._folder = voice, folder

    @property
    def name(self) -> str:
        return self._voice.name

    def synthesize(self, sentence: str) -> Sound:
        if len(sentence) > LONGEST:
            return self._voice.synthesize(sentence)
        name = self.name
        file = self._folder / f"{hashlib.sha256(repr((name, sentence)).encode()).hexdigest()[:32]}.npz"
        if kept := _read(file):
            return kept
        sound = self._voice.synthesize(sentence)
        if self.name == name:  # else another one took over in the middle
            self._keep(file, sound)
        return sound

    def close(self) -> None:
        self._voice.close()

    def _keep(self, file: Path, sound: Sound) -> None:
        samples, rate = sound
        unfinished = file.with_suffix(".new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as out:
                np.savez(out, samples=samples, rate=rate)
            unfinished.replace(file)
            files = sorted(self._folder.glob("*.npz"), key=lambda kept: kept.stat().st_mtime)
            for old in files[: max(0, len(files) - KEPT)]:
                old.unlink(missing_ok=True)
        except OSError as error:
            log.debug("a phrase is not kept: %s", error)


def _read(file: Path) -> Sound | None:
    try:
        with np.load(file) as kept:
            sound = np.asarray(kept["samples"], np.int16), int(kept["rate"])
        file.touch()
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, EOFError) as error:
        log.debug("a kept phrase cannot be read: %s", error)
        return None
    return sound
