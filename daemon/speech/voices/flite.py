"""Voices for simulated users."""

import numpy as np

from daemon.speech.synthesis import Sound
from daemon.speech.voices.program import output_of, printable, program, wav_sound


class FliteSynthesizer:
    """flite, whose voices the recogniser understands better than espeak-ng's: to simulate users."""

    def __init__(self, voice: str = "slt") -> None:
        self.name = f"flite:{voice}"
        self._command = [program("flite"), "-voice", voice, "-o", "/dev/stdout", "-t"]

    def synthesize(self, sentence: str) -> Sound:
        text = printable(sentence).strip()
        if not any(c.isalnum() for c in text):
            return np.zeros(0, np.int16), 16000
        return wav_sound(output_of([*self._command, text], ""))

    def close(self) -> None:
        """Close nothing: nothing stays open between sentences."""
