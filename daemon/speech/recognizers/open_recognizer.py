"""Opens the recogniser that the settings ask for: one table of all kinds."""

import os
from collections.abc import Callable
from pathlib import Path

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.recognizers.moonshine import MoonshineRecognizer
from daemon.speech.recognizers.remote_recognizer import RemoteRecognizer
from daemon.speech.recognizers.sphinx_process import PocketsphinxApart
from daemon.speech.recognizers.two_ears import TwoEars
from daemon.speech.recognizers.whisper import ENGLISH, WhisperRecognizer
from daemon.speech.wyoming_client import Server

EMBEDDED = Path(__file__).resolve().parents[3] / "models"
"""Where set-up puts the models that heed brings along."""
BROUGHT_WHISPER = "whisper-base"
"""The folder of the Whisper among them."""


def open_recognizer(config: SpeechConfig, models_directory: Path) -> Recognizer:
    """Return the recogniser that `config` asks for.

    Raises ConfigError for a kind that does not exist, RecognitionError where its model is missing or broken.
    """
    kind, _, name = config.recognizer.partition(":")
    if kind not in OPENERS:
        raise ConfigError(
            f'recognizer in [speech] is {config.recognizer!r}; known are "auto", "both", "whisper", "moonshine", '
            '"pocketsphinx" and "wyoming:HOST:PORT"'
        )
    return OPENERS[kind](name, config, models_directory)


def best_kind(memory: int, moonshine: Path | None, whisper: Path | None, language: str = ENGLISH) -> str:
    """Return what "auto" stands for, where the machine has so many bytes of memory and these models lie there.

    A small board keeps one ear: the Whisper of its owner, who knows the board, before the Moonshine that came along.
    Of another language than English only Whisper hears anything.
    """
    if language != ENGLISH and whisper:
        return "whisper"
    if moonshine and whisper and memory >= TWO_EARS_NEED:
        return "both"
    if whisper and whisper.name != BROUGHT_WHISPER:
        return "whisper"
    return "moonshine" if moonshine else "pocketsphinx"


TWO_EARS_NEED = 1_700_000_000
"""Bytes of memory: what is left to programs of a board that is sold with 2 GB."""


def _open_best(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    moonshine, whisper = _moonshine_folder(name, models_directory), _whisper_folder(name, models_directory)
    kind = best_kind(memory, moonshine, whisper, config.language)
    return OPENERS[kind](name, config, models_directory)


def _open_both(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    """Return Moonshine, and Whisper (that of `name`) for what it is unsure of."""
    return TwoEars(_open_moonshine("", config, models_directory), _open_whisper(name, config, models_directory))


def _open_whisper(name: str, config: SpeechConfig, models_directory: Path) -> WhisperRecognizer:
    folder = _whisper_folder(name, models_directory)
    if folder is None:
        raise RecognitionError(
            f"no Whisper model lies in {models_directory}: put a folder there that holds model.bin, config.json "
            "and tokenizer.json"
        )
    return WhisperRecognizer(folder, config.language)


def _open_moonshine(name: str, config: SpeechConfig, models_directory: Path) -> MoonshineRecognizer:
    folder = _moonshine_folder(name, models_directory)
    if folder is None:
        raise RecognitionError(f"no Moonshine model lies in {models_directory} nor in {EMBEDDED}; run script/setup")
    return MoonshineRecognizer(folder)


def _open_pocketsphinx(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    return PocketsphinxApart()


def _open_remote(address: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    """Return a server, and one ear here for stops and for when it is gone."""
    moonshine, whisper = _moonshine_folder("", models_directory), _whisper_folder("", models_directory)
    here = best_kind(0, moonshine, whisper, config.language)
    return RemoteRecognizer(Server(address), OPENERS[here]("", config, models_directory), config.language)


def lacking(recognizer: Recognizer, language: str) -> str:
    """Return what to do where this recogniser does not know the language that people speak; "" where it does."""
    if language == ENGLISH or isinstance(recognizer, WhisperRecognizer | RemoteRecognizer):
        return ""
    return (
        f'it knows English alone, and language = "{language}": run script/setup, which brings Whisper, and let '
        'recognizer be "auto"'
    )


OPENERS: dict[str, Callable[[str, SpeechConfig, Path], Recognizer]] = {
    "auto": _open_best,
    "both": _open_both,
    "whisper": _open_whisper,
    "moonshine": _open_moonshine,
    "pocketsphinx": _open_pocketsphinx,
    "wyoming": _open_remote,
}
"""By the word before the colon in the settings; what follows the colon is told first: a folder, or an address."""


def _whisper_folder(name: str, models_directory: Path) -> Path | None:
    return models_directory / name if name else _folder_with("model.bin", models_directory, EMBEDDED)


def _moonshine_folder(name: str, models_directory: Path) -> Path | None:
    return models_directory / name if name else _folder_with("encoder_model.ort", models_directory, EMBEDDED)


def _folder_with(file: str, *places: Path) -> Path | None:
    """The first such folder; what heed brought along counts only where there is no other."""
    found = [path.parent for place in places for path in sorted(place.glob(f"*/{file}"))]
    return min(found, key=lambda folder: folder.parent == EMBEDDED and folder.name == BROUGHT_WHISPER, default=None)
