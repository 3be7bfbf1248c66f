"""What becomes of speech that a robot in a kitchen never expected: commands of another house, and other people's talk.

It expects what a heed out of the box does: its examples, and requests about everything in the scene. That the commands
make no sense there is the point: it is how people's free words meet it.
"""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.report import Options, share
from bench.voice.clips import Clip, in_room
from bench.voice.counting import asked, executed, word_errors, wrong
from bench.voice.replay import Ear, Heard, Told
from daemon.config import MemoryConfig
from daemon.console.skill_examples import example_transcripts
from daemon.imitation import English
from daemon.memory.store import Memory
from daemon.speech.audio import Samples
from daemon.speech.spoken_words import content_words
from daemon.speech.vad import RATE
from sim.scene import Scene as SimulatedScene
from skills.scene import Scene
from skills.skill import load_skills

KITCHEN = Path(__file__).parents[2] / "sim" / "scenes" / "kitchen.toml"
NOISE = 10.0
"""Decibels by which people are louder than the room, in the second round."""


def measure_unexpected(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """People's commands of another house, in quiet and in a noisy room; and talk that nobody addressed to the robot."""
    kitchen = Scene.from_observation(SimulatedScene.load(KITCHEN).observe())
    ear = Told(options.own.recognizer)(kitchen_sentences(kitchen), names=kitchen.names)
    commands = [clip for clip in clips if clip.is_command and clip.is_human]
    room = next((clip.sound for clip in clips if clip.name.startswith("noise/room")), np.zeros(RATE, np.int16))
    quiet = [(clip, ear.hear(clip.sound)) for clip in options.progress(commands)]
    noisy = [(clip, ear.hear(in_room(clip.sound, room, NOISE))) for clip in options.progress(commands)]
    talk = [clip for clip in clips if clip.folder in ("asr", "vad") and clip.is_human]
    return _figures(quiet, "") | _figures(noisy, f".{NOISE:.0f}_db") | _talk(ear, options.progress(talk), options)


def _figures(rows: Sequence[tuple[Clip, Heard]], suffix: str) -> dict[str, float | int | None]:
    words = sum(len(content_words(clip.text)) for clip, _ in rows)
    errors = sum(word_errors(content_words(c.text), content_words(" ".join(h.heard))) for c, h in rows)
    return {
        f"words_right_unexpected_human{suffix}": 1 - errors / max(words, 1),
        f"unexpected_executed{suffix}": share(executed(heard, clip) for clip, heard in rows),
        f"unexpected_asked{suffix}": share(asked(heard) for _, heard in rows),
        f"unexpected_wrong{suffix}": sum(wrong(heard, clip) for clip, heard in rows),
    }


def _talk(ear: Ear, clips: Iterable[Clip], options: Options) -> dict[str, float | int | None]:
    acted, questions, seconds = list[str](), 0, 0.0
    for clip in clips:
        sound: Samples = clip.sound
        heard = ear.hear(sound)
        acted += heard.executed
        questions += len(heard.taken) - len(heard.executed)
        seconds += len(sound) / RATE
    for text in acted:
        options.note(f"acted on other people's talk: {text!r}")
    return {"others_executed": len(acted), "others_asked": questions, "others_minutes": seconds / 60}


class _Meaningless:
    """An embedder for a memory of which nothing is recalled."""

    name, dimension = "none", 1

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 1), np.float32)


def kitchen_sentences(kitchen: Scene) -> list[str]:
    """Return what a heed out of the box expects in its kitchen."""
    seeds = example_transcripts(load_skills().values())
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "memory.sqlite", _Meaningless(), MemoryConfig(), more_seeds=seeds) as memory,
    ):
        return [*memory.instructions(), *English().expected_sentences(kitchen)]
