"""Barge-in through an echo: whether heed takes its own voice for somebody's, and hears who speaks over it.

The room is learned from the first sentences, as in earnest; in `.moved` the robot has gone elsewhere before each one.
"""

import numpy as np

from bench.report import Options
from bench.voice.clips import Clip, first_word, offset, said, voices
from bench.voice.echo_room import Room, SpeakingRobot
from daemon.config import SpeechConfig
from daemon.speech.audio import Samples, resample
from daemon.speech.echo import open_cancel
from daemon.speech.recognizers.open_recognizer import EMBEDDED, open_recognizer
from daemon.speech.speakable import speakable
from daemon.speech.vad import RATE
from daemon.speech.voices.open_voice import open_synthesizer

SENTENCES = (
    "Here is the juice. Shall I bring a cup, too?",
    "I have stopped. Say go on when I may move.",
    "I cannot find the red cup. Where is it?",
    "When you ask for juice I also bring the cup, both at once. Shall I remember that?",
    "I am bringing the milk right away, as you asked.",
    "I am at the fridge and open the door now.",
    "There are two cups on the counter, a red one and a blue one.",
    "All right, I will not remember it.",
)
ROOMS = {
    "": Room(),
    ".loud": Room(decibels=0.0),
    ".jitter": Room(jitter=0.03, drift=1e-4),
    ".late": Room(delay=0.3, reverberation=0.6),
    ".distorted": Room(loudest=8000.0),
}
LEARNING = 4
"""Sentences before those that count."""
STOPS = ("stop", "stop now")
STOP_LEVELS = (12, 6, 0, -6)
"""Decibels above the echo."""
BEGINS = RATE // 2
"""Sample of heed's sentence at which a person begins."""
AUDIBLE = 200
"""Samples of a recording below which nobody speaks."""


def measure_echo(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Eight sentences of heed's in five rooms, alone, with eight people who speak over them, and with stops."""
    sounds = _own_sounds(options)
    people = [clip for clip in clips if clip.is_command and clip.is_human][: len(SENTENCES)]
    figures: dict[str, float | int | None] = {}
    for name, room in ROOMS.items():
        robot = _taught(SpeakingRobot(room, open_cancel()), sounds)
        figures[f"own_heard{name}"] = sum(bool(robot.says(own).understood) for own in options.progress(sounds))
        for louder in (0, 6):
            figures[f"barged_in_{louder}db{name}"] = sum(
                _heard_over(robot, own, _person(clip, own, room, louder))
                for own, clip in options.progress(list(zip(sounds, people, strict=False)))
            )
    deaf, silence = SpeakingRobot(Room(), None), np.zeros(RATE, np.int16)
    alone = [(silence, _person(clip, own, Room(), 0)) for own, clip in zip(sounds, people, strict=False)]
    figures["heard_0db.alone"] = sum(_heard_over(deaf, *both) for both in alone)
    figures["own_heard.uncancelled"] = sum(bool(deaf.says(own).understood) for own in sounds)
    return figures | _on_its_way(sounds) | _stops(sounds, options)


def _taught(robot: SpeakingRobot, sounds: list[Samples]) -> SpeakingRobot:
    for own in sounds[-LEARNING:]:
        robot.says(own)
    return robot


def _on_its_way(sounds: list[Samples]) -> dict[str, int]:
    """Between two sentences the robot goes elsewhere."""
    robot, heard = _taught(SpeakingRobot(Room(), open_cancel()), sounds), 0
    for number, own in enumerate(sounds, start=2):
        robot.moves(Room(seed=number))
        heard += bool(robot.says(own).understood)
    return {"own_heard.moved": heard}


def _stops(sounds: list[Samples], options: Options) -> dict[str, int]:
    """Stops of four synthetic voices over each of its sentences, while it moves."""
    room = Room()
    recognizer = open_recognizer(SpeechConfig(recognizer="moonshine"), EMBEDDED)
    robot = _taught(SpeakingRobot(room, open_cancel(), recognizer=recognizer), sounds)
    false = sum(robot.says(own, words=text).stopped for own, text in zip(sounds, SENTENCES, strict=True))
    spoken = [said(voice, words) for words in STOPS for voice in voices()]
    figures = {"stopped_itself": false}
    for level in options.progress(list(STOP_LEVELS)):
        figures[f"stopped_{level}db"] = sum(
            robot.says(own, _at_level(stop[RATE // 2 : offset(stop)], own, room, level), BEGINS, text).stopped
            for own, stop, text in zip(sounds, spoken, SENTENCES, strict=True)
        )
    return figures


def _own_sounds(options: Options) -> list[Samples]:
    voice = open_synthesizer(SpeechConfig(), options.config.models_directory)
    sounds = [resample(*voice.synthesize(speakable(sentence)), RATE) for sentence in SENTENCES]
    voice.close()
    return sounds


def _person(clip: Clip, own: Samples, room: Room, louder: float) -> np.ndarray:
    """The person's words, so many decibels louder at the microphone than the echo of `own`."""
    return _at_level(clip.sound[first_word(clip) :], own, room, louder)


def _at_level(sound: Samples, own: Samples, room: Room, louder: float) -> np.ndarray:
    spoken = sound.astype(np.float64)
    loud = np.sqrt(np.mean(spoken[np.abs(spoken) > AUDIBLE] ** 2))
    return np.asarray(spoken * room.echo_level(own) * 10 ** (louder / 20) / loud)


def _heard_over(robot: SpeakingRobot, own: Samples, person: np.ndarray) -> bool:
    return bool(robot.says(own, person, BEGINS).understood)
