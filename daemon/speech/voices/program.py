"""What the voices share that are programs of their own: where one is, text that may enter it, sound that comes out."""

import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np

from daemon.speech.synthesis import Sound, SynthesisError


def program(name: str) -> str:
    """Return the path of a program. Raises SynthesisError with the name of its package where it is missing."""
    path = shutil.which(name)
    if path is None:
        raise SynthesisError(f"{name} is not installed: apt install {name}")
    return path


def printable(text: str) -> str:
    """Return `text` on one line, with a space for whatever a program might take for a sign to it."""
    return "".join(c if c.isprintable() else " " for c in text)


def output_of(command: list[str], text: str) -> bytes:
    """Return what `command` writes when it reads `text`. Raises SynthesisError with what it complains of."""
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=False)
    if done.returncode != 0 or not done.stdout:
        reason = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode} and no sound"
        raise SynthesisError(f"{Path(command[0]).name} failed: {reason}")
    return done.stdout


def wav_sound(wav: bytes) -> Sound:
    """Return the sound of a WAV that came through a pipe; its length fields are not to be believed there."""
    rate = struct.unpack_from("<I", wav, 24)[0]
    data = wav[44:]
    return np.frombuffer(data[: len(data) // 2 * 2], np.int16), rate
