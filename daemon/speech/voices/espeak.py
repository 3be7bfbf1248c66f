"""The voice that is always there, where its package is installed."""

from daemon.speech.synthesis import Sound
from daemon.speech.voices.program import output_of, printable, program, wav_sound

WORDS_PER_MINUTE = 165


class EspeakSynthesizer:
    """espeak-ng (GPL-3.0-or-later), run as a command: 16 ms to the first sound, in a hundred languages."""

    name = "espeak-ng"

    def __init__(self, language: str = "en") -> None:
        self._command = [program("espeak-ng"), "-v", language, "-s", str(WORDS_PER_MINUTE), "--stdin", "--stdout"]

    def synthesize(self, sentence: str) -> Sound:
        return wav_sound(output_of(self._command, printable(sentence)))

    def close(self) -> None:
        """Close nothing: nothing stays open between sentences."""
