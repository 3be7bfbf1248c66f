"""`heed setup voice` in a terminal, with simulated devices, recorded people and voices that are made on the spot."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.voice.sound_files import WavSource, read_sound
from daemon.cli.setup_voice import VoiceSetup
from daemon.cli.voice_trial import next_sentence
from daemon.config import Config, ServiceConfig, SpeechConfig, load_config
from daemon.phrasebook import use_language
from daemon.service.control import CommandError
from daemon.speech.audio import AudioSink, AudioSource, AudioUnavailable, Samples, WavSink, resample
from daemon.speech.vad import RATE
from daemon.speech.voices.flite import FliteSynthesizer

pytest.importorskip("pymicro_wakeword")

PERSON = read_sound(Path("tests/data/audio/turn_on_standing_light.flac"))
QUIET = np.zeros(14 * RATE, np.int16)
"""Longer than anybody waits for a word."""


def called(name: str) -> Samples:
    samples, rate = FliteSynthesizer("rms").synthesize(name)
    room = np.zeros(RATE, np.int16)
    return np.concatenate([room, resample(samples, rate, RATE), room])


class Desk:
    """Microphones in which one clip after the other is heard, and loudspeakers that keep what they played."""

    def __init__(self, folder: Path, heard: dict[str, list[Samples]], loudspeakers: tuple[str, ...] = ("",)) -> None:
        self.played: list[str] = []
        self._folder, self._heard, self._loudspeakers = folder, heard, loudspeakers

    def microphones(self) -> list[str]:
        return list(self._heard)

    def loudspeakers(self) -> list[str]:
        return list(self._loudspeakers)

    def microphone(self, name: str) -> AudioSource:
        if not self._heard[name]:
            raise AudioUnavailable(f"the microphone {name!r} does not open")
        clip = self._heard[name].pop(0)
        return WavSource(np.concatenate([clip, np.zeros(2 * RATE, np.int16)]))

    def loudspeaker(self, name: str) -> AudioSink:
        self.played.append(name)
        return WavSink(self._folder / f"{len(self.played)}.wav")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """One with the settings file that heed comes with; the voice is one that is made at once."""
    (tmp_path / "config.toml").write_text(Path("config.toml").read_text())
    speech = SpeechConfig(voice="flite", recognizer="moonshine")
    return replace(Config(), folder=tmp_path, speech=speech, service=ServiceConfig(runtime_directory=str(tmp_path)))


def answering(answers: dict[str, object]) -> Callable[[str], str]:
    """A person who answers questions that hold these words so, the first time that and then the next; else by Enter."""
    left = {part: [*answer] if isinstance(answer, list) else [answer] for part, answer in answers.items()}

    def ask(question: str) -> str:
        queue = next((queue for part, queue in left.items() if part in question and queue), [""])
        answer = queue.pop(0)
        if isinstance(answer, type):
            raise answer
        return str(answer)

    return ask


def settings(config: Config) -> SpeechConfig:
    return load_config(config.folder / "config.toml").speech


def test_who_presses_enter_has_a_robot_that_is_called_by_its_name(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(tmp_path, {"": [PERSON, called("okay nabu"), PERSON]})
    setup = VoiceSetup(config, answering({}), desk)
    assert setup.run() == 0
    told = capsys.readouterr().out
    assert "I heard you well" not in told  # that is a question
    assert "I heard it." in told
    assert "I heard: " in told
    assert told.endswith("Ready: heed run\n")
    assert settings(config).wake == setup.chosen.wake == "microwakeword:okay_nabu"
    assert desk.played == ["", ""]  # its voice, and what it has heard


@pytest.mark.whole
def test_the_devices_are_chosen_by_ear(config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heard = {"": [], "webcam": [QUIET], 'a "good" one': [PERSON, called("okay robot"), PERSON]}
    desk = Desk(tmp_path, heard, ("", "hdmi", "usb"))
    answers = {"Did you hear me": ["n", "n", "y"], "Which number": "5", "Which name": ["ro", "Okay, robot!"]}
    VoiceSetup(config, answering(answers), desk).run()
    told = capsys.readouterr().out
    assert "It cannot be used: the microphone '' does not open." in told
    assert "I heard nobody there." in told
    assert "That is too short" in told
    chosen = settings(config)
    assert (chosen.microphone, chosen.loudspeaker, chosen.wake) == ('a "good" one', "usb", "okay robot")


@pytest.mark.whole
def test_whoever_was_interrupted_begins_again_and_keeps_by_enter_what_was_chosen(
    config: Config, tmp_path: Path
) -> None:
    def desk() -> Desk:
        heard = {"": [PERSON], "headset": [PERSON, called("hey jarvis"), PERSON]}
        return Desk(tmp_path, heard, ("", "usb"))

    first = {"Shall it be this one": ["n", "y"], "Did you hear me": ["n", "y"], "Which number": KeyboardInterrupt}
    with pytest.raises(KeyboardInterrupt):
        VoiceSetup(config, answering(first), desk()).run()
    assert (settings(config).microphone, settings(config).loudspeaker) == ("", "")
    VoiceSetup(config, answering({"Which number": ["0", "nabu", "3"]}), desk()).run()
    assert (settings(config).microphone, settings(config).loudspeaker) == ("headset", "usb")
    assert settings(config).wake == "microwakeword:hey_jarvis"
    assert VoiceSetup(config, answering({}), desk()).chosen == config.speech  # nothing is unfinished any more


def test_what_was_chosen_and_not_written_gives_way_to_a_change_of_the_settings(config: Config, tmp_path: Path) -> None:
    def desk() -> Desk:
        return Desk(tmp_path, {"": [PERSON]})

    with pytest.raises(KeyboardInterrupt):
        VoiceSetup(config, answering({"Which language": "de", "Shall it be": KeyboardInterrupt}), desk()).run()
    assert VoiceSetup(config, answering({}), desk()).chosen.language == "de"
    kept = (tmp_path / "voice_setup.json").stat().st_mtime_ns
    os.utime(tmp_path / "config.toml", ns=(kept + 1, kept + 1))
    assert VoiceSetup(config, answering({}), desk()).chosen.language == "en"
    (tmp_path / "voice_setup.json").write_text('{"language": 7, "owner": "x"')
    assert VoiceSetup(config, answering({}), desk()).chosen == config.speech


@pytest.mark.parametrize("question", ["language", "Shall it be", "Did you hear", "Shall I speak", "number", "you said"])
@pytest.mark.parametrize("how", [KeyboardInterrupt, EOFError])
def test_nothing_that_stood_in_the_settings_is_lost_wherever_it_ends(
    question: str, how: type[BaseException], config: Config, tmp_path: Path
) -> None:
    before = (tmp_path / "config.toml").read_bytes()
    desk = Desk(tmp_path, {"": [PERSON, called("okay nabu"), PERSON]})
    with pytest.raises((KeyboardInterrupt, CommandError)):
        VoiceSetup(config, answering({question: how}), desk).run()
    assert (tmp_path / "config.toml").read_bytes() == before
    assert [file.name for file in tmp_path.glob(".config*")] == []


@pytest.mark.whole
def test_a_soft_microphone_is_raised_before_it_is_taken(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return ""

    soft, loud = (PERSON // 40).astype(np.int16), np.clip(PERSON.astype(np.int32) * 40, -32768, 32767).astype(np.int16)
    heard = next_sentence(WavSource(np.concatenate([loud, QUIET])))
    assert heard is not None
    assert "overdriven" in heard.amiss
    desk = Desk(tmp_path, {"": [soft, PERSON, called("okay nabu"), PERSON]})
    VoiceSetup(config, ask, desk).run()
    assert [question for question in asked if "very soft" in question]
    assert "Please say that again." in capsys.readouterr().out


@pytest.mark.whole
def test_of_a_language_without_english_its_voice_and_its_words_are_offered(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = replace(config, speech=replace(config.speech, voice="auto"))
    desk = Desk(tmp_path, {"": [PERSON, called("okay nabu"), PERSON]})
    VoiceSetup(config, answering({"Which language": ["deutsch", "de"]}), desk).run()
    told = capsys.readouterr().out
    assert "Please write its two letters" in told
    assert "Ich habe gehört: " in told or "Das habe ich nicht verstanden." in told
    assert "it knows English alone" in told  # Moonshine was asked for
    assert settings(config).language == "de"


def test_a_machine_without_sound_says_so_in_one_sentence_with_what_to_do(config: Config, tmp_path: Path) -> None:
    before = (tmp_path / "config.toml").read_text()
    with pytest.raises(CommandError, match="no sound on this machine: plug in a microphone or a headset") as told:
        VoiceSetup(config, answering({}), Desk(tmp_path, {}, ())).run()
    assert told.value.hint == ""
    assert (tmp_path / "config.toml").read_text() == before


def test_without_a_microphone_the_rest_is_set_up(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    VoiceSetup(config, answering({}), Desk(tmp_path, {}, ("", "usb"))).run()
    told = capsys.readouterr().out
    assert "plug one in" in told
    assert "I spoke through" not in told  # that is a question
    assert told.endswith("Ready: heed run\n")


@pytest.mark.whole
def test_a_name_that_is_not_heard_is_tried_three_times_and_kept(
    config: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(tmp_path, {"": [PERSON, PERSON, PERSON, PERSON, PERSON]})
    VoiceSetup(config, answering({}), desk).run()
    told = capsys.readouterr().out
    assert told.count("I did not hear it.") == 3
    assert "It is kept all the same." in told
