"""Opens the voice that the settings ask for: one table of all kinds."""

import json
import logging
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from daemon.config import ConfigError, SpeechConfig
from daemon.speech.synthesis import SynthesisError, Synthesizer
from daemon.speech.voices.espeak import EspeakSynthesizer
from daemon.speech.voices.flite import FliteSynthesizer
from daemon.speech.voices.remote_voice import RemoteSynthesizer
from daemon.speech.voices.voice_process import hibari_voice, piper_voice
from daemon.speech.wyoming_client import Server

log = logging.getLogger(__name__)

HIBARI_SPEAKS = "en"


def open_synthesizer(config: SpeechConfig, models_directory: Path) -> Synthesizer:
    """Return the voice that `config` asks for.

    Raises ConfigError for a kind that does not exist, SynthesisError where it is missing.
    """
    kind, _, name = config.voice.partition(":")
    if kind not in OPENERS:
        raise ConfigError(
            f'voice in [speech] is {config.voice!r}; known are "auto", "hibari", "piper", "espeak-ng", "flite" '
            'and "wyoming:HOST:PORT"'
        )
    return OPENERS[kind](name, config, models_directory)


def _open_best(file: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    voice = _piper_voice(file, config.language, models_directory)
    if voice:
        return piper_voice(voice)
    if config.language == HIBARI_SPEAKS:
        try:
            return hibari_voice()
        except SynthesisError as error:
            log.warning("%s; espeak-ng speaks", error)
    return EspeakSynthesizer(config.language)


def _open_hibari(name: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    return hibari_voice()


def _open_piper(file: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    voice = _piper_voice(file, config.language, models_directory)
    if voice is None:
        raise SynthesisError(
            f"no Piper voice for {config.language!r} lies in {models_directory}: put NAME.onnx and NAME.onnx.json there"
        )
    return piper_voice(voice)


def _open_espeak(name: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    return EspeakSynthesizer(config.language)


def _open_flite(name: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    return FliteSynthesizer(name or "slt")


def _open_remote(address: str, config: SpeechConfig, models_directory: Path) -> Synthesizer:
    local = open_synthesizer(replace(config, voice="auto"), models_directory)
    return RemoteSynthesizer(Server(address), local, config.voice)


OPENERS: dict[str, Callable[[str, SpeechConfig, Path], Synthesizer]] = {
    "auto": _open_best,
    "hibari": _open_hibari,
    "piper": _open_piper,
    "espeak-ng": _open_espeak,
    "flite": _open_flite,
    "wyoming": _open_remote,
}
"""By the word before the colon in the settings; what follows the colon is told first: a file, a name, or an address."""


def _piper_voice(file: str, language: str, models_directory: Path) -> Path | None:
    """The voice of that name, else the first that speaks the language, or does not say which; None where none is."""
    if file:
        return models_directory / file
    cards = sorted(models_directory.glob("**/*.onnx.json"))
    fitting = [card for speaks in (language, "") for card in cards if _speaks(card) == speaks]
    voices = [Path(str(card).removesuffix(".json")) for card in fitting]
    return next((voice for voice in voices if voice.is_file()), None)


def _speaks(card: Path) -> str:
    """The language that a Piper voice's card names ("en" for en_US), else its file name; "" where neither does."""
    try:
        code = str(json.loads(card.read_text(encoding="utf-8"))["language"]["code"])
    except (OSError, ValueError, LookupError, TypeError):
        code = card.name
    named = re.match(r"([a-z]{2})(?:[_-]|$)", code.lower())
    return named[1] if named else ""
