"""Opens the recogniser that the settings ask for: one table of all kinds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.recognition import RecognitionError, Recognizer
from daemon.speech.recognizers.moonshine import MoonshineRecognizer
from daemon.speech.recognizers.remote_recognizer import RemoteRecognizer
from daemon.speech.recognizers.sphinx_process import PocketsphinxApart
from daemon.speech.recognizers.whisper import WhisperRecognizer
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
            f'recognizer in [speech] is {config.recognizer!r}; known are "auto", "whisper", "moonshine", '
            '"pocketsphinx" and "wyoming:HOST:PORT"'
        )
    return OPENERS[kind](name, config, models_directory)


def _open_best(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    """Return the first that has a model: Whisper, which people put there themselves, before what heed brings along."""
    whisper = _whisper_folder(name, models_directory)
    if whisper and whisper.name != BROUGHT_WHISPER:
        return WhisperRecognizer(whisper, config.language)
    if moonshine := _moonshine_folder(name, models_directory):
        return MoonshineRecognizer(moonshine)
    return PocketsphinxApart()


def _open_whisper(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    folder = _whisper_folder(name, models_directory)
    if folder is None:
        raise RecognitionError(
            f"no Whisper model lies in {models_directory}: put a folder there that holds model.bin, config.json "
            "and tokenizer.json"
        )
    return WhisperRecognizer(folder, config.language)


def _open_moonshine(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    folder = _moonshine_folder(name, models_directory)
    if folder is None:
        raise RecognitionError(f"no Moonshine model lies in {models_directory} nor in {EMBEDDED}; run script/setup")
    return MoonshineRecognizer(folder)


def _open_pocketsphinx(name: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    return PocketsphinxApart()


def _open_remote(address: str, config: SpeechConfig, models_directory: Path) -> Recognizer:
    local = open_recognizer(replace(config, recognizer="auto"), models_directory)
    return RemoteRecognizer(Server(address), local, config.language)


OPENERS: dict[str, Callable[[str, SpeechConfig, Path], Recognizer]] = {
    "auto": _open_best,
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
