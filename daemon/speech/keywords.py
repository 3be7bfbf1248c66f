"""Keywords in the raw sound, found before and beside all recognition: the stop word, and the robot's name."""

import logging
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.pronunciation import dictionary
from daemon.speech.spoken_words import spoken_words

log = logging.getLogger(__name__)

STOP = "stop"
STOP_THRESHOLD = 1e-1
"""Catches 18 of 26 stops in a quiet room and 6 of 20 in a noisy one (10 and 20 dB, four synthetic voices); 5 false in
7.6 minutes of other speech. With 1e-8 it is 9 of 20 and 8 false, with 1e-14 12 and 18: the policy is wary instead."""
NAME_THRESHOLD = 1e-20
"""For phrases of three syllables or more, such as "okay robot": 5 of 6 caught, none false (measured with flite)."""


class Keywords:
    """Hears a few phrases in the stream of sound, whatever else goes on, for 3 % of a core."""

    def __init__(self, names: Iterable[str] = (), own_words: Callable[[], str] = lambda: "") -> None:
        """Hears STOP, and `names`. `own_words()` is what the robot itself says at this moment: not obeyed."""
        import pocketsphinx

        self._own_words = own_words
        thresholds = {" ".join(spoken_words(name)): NAME_THRESHOLD for name in names} | {STOP: STOP_THRESHOLD}
        cmudict = Path(pocketsphinx.get_model_path("en-us/cmudict-en-us.dict"))
        with tempfile.TemporaryDirectory(prefix="heed-keywords-") as folder:
            words, phrases = Path(folder, "words.dict"), Path(folder, "phrases")
            words.write_text(dictionary({w for p in thresholds for w in p.split()}, cmudict), encoding="utf-8")
            phrases.write_text("".join(f"{p} /{t:g}/\n" for p, t in thresholds.items()), encoding="utf-8")
            self._spotter = pocketsphinx.Decoder(lm=None, dict=str(words), kws=str(phrases), loglevel="FATAL")
        self._spotter.start_utt()

    def heard(self, block: NDArray[np.int16]) -> str | None:
        """Take the next sound; return the phrase that has just been spoken by someone else."""
        self._spotter.process_raw(block.tobytes(), no_search=False, full_utt=False)
        found = self._spotter.hyp()
        if found is None:
            return None
        self._spotter.end_utt()
        self._spotter.start_utt()
        phrase = STOP if STOP in str(found.hypstr).split() else str(found.hypstr).strip()
        own = spoken_words(self._own_words())
        if all(any(said.startswith(word) for said in own) for word in phrase.split()):  # "I have stopped"
            log.info("the robot itself says %r: not meant", phrase)
            return None
        return phrase
