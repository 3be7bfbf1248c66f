"""What ears and mouth take of memory, in a process of its own: `python -m bench.voice.ear_memory RECOGNIZER FILE ...`.

Counted is the proportionate set size of this process (Python with numpy and onnxruntime, the recognisers, the
voice detector, the stop spotter) and of the voice's; not the embedding model, a language model, or heed's other rooms.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.report import BenchError, Options
from bench.voice.clips import Clip
from bench.voice.sound_files import read_sound
from daemon.config import SpeechConfig
from daemon.speech.attention import Attention
from daemon.speech.free_memory import give_back_memory
from daemon.speech.keywords import Keywords
from daemon.speech.recognizers.open_recognizer import EMBEDDED, open_recognizer
from daemon.speech.recognizers.two_ears import TwoEars
from daemon.speech.vad import RATE
from daemon.speech.voices.open_voice import open_synthesizer

LONGEST = 15
"""Seconds of the longest utterance."""


def measure_memory(clips: list[Clip], options: Options) -> dict[str, float | int | None]:
    """Megabytes after the commands of people and one utterance of 15 s."""
    files = [str(clip.file) for clip in clips if clip.is_command and clip.is_human]
    command = [sys.executable, "-m", "bench.voice.ear_memory", options.own.recognizer, *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"the ears could not be measured: {done.stderr.strip()[-300:]}")
    figures: dict[str, float | int | None] = json.loads(done.stdout)
    return figures


def main(arguments: Sequence[str]) -> None:
    kind, *files = arguments
    began = _megabytes(os.getpid())
    recognizer = open_recognizer(SpeechConfig(recognizer=kind), EMBEDDED)
    attention = Attention(Keywords())
    attention(np.zeros(512, np.int16), True)
    sounds = [*(read_sound(Path(file)) for file in files), np.resize(read_sound(Path(files[0])), LONGEST * RATE)]
    for sound in sounds:
        recognizer.recognize(sound)
        if isinstance(recognizer, TwoEars):
            recognizer.second.recognize(sound)
    at_work = _megabytes(os.getpid())
    give_back_memory()
    ears = _megabytes(os.getpid())
    voice = open_synthesizer(SpeechConfig(), EMBEDDED)
    voice.synthesize("Here is the juice. Shall I bring a cup, too?")
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    mouth = sum(_megabytes(int(child)) for child in children)
    figures = {"python": began, "ears_at_work": at_work, "ears": ears, "voice": mouth, "ears_and_voice": ears + mouth}
    print(json.dumps({f"memory_{name}_mb": megabytes for name, megabytes in figures.items()}))


def _megabytes(pid: int) -> float:
    """Proportionate set size: memory that is shared with others counts in parts."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


if __name__ == "__main__":
    main(sys.argv[1:])
