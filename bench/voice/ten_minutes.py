"""Ten minutes of two synthetic people and a heed, through a real sound server: with echo, music and interruptions.

A PulseAudio of its own has a room: into it sound the people (hibari, a little lower, and espeak-ng), heed's loudspeaker
90 ms later and softer, and at times music; the microphone hears all of it. heed is the whole daemon, as under systemd,
with its own two ears and voice. --transcript FILE writes what was said, heard and answered, second by second. All that
is computed competes for this machine: the load stands beside the figures.
"""

import argparse
import os
import tempfile
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import numpy as np

from bench.report import BenchError, Options, Report
from bench.voice.household_talk import LINES
from bench.voice.room_with_people import Household
from bench.voice.sound_server import lacking_sound_server
from bench.voice.talk_transcript import figures, written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=10.0, help="of talk; 10 unless told otherwise")
    parser.add_argument("--transcript", type=Path, help="file for the transcript, in Markdown")
    parser.add_argument("--recording", type=Path, help="file for what the microphone heard, as WAV")


def run(options: Options) -> Report:
    """Let them talk. Raises BenchError without PulseAudio."""
    if lacking := lacking_sound_server():
        raise BenchError(lacking)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="heed-") as folder, ExitStack() as open_parts:
        household = Household(Path(folder), options.config, options.brain, open_parts)
        household.talk(LINES, 60 * options.own.minutes, options.progress)
        heard = household.end()
    found = figures(heard)
    if options.own.transcript:
        loads = np.round([load, os.getloadavg()[0]], 1)
        told = f"{date.today()}, load {loads[0]} before and {loads[1]} at the end, brain {options.brain}"
        options.own.transcript.write_text(written(heard, found, told), encoding="utf-8")
    if options.own.recording:
        heard.record(options.own.recording)
    return Report("ten_minutes", len(heard.spoken), found, brain=options.brain)
