"""The stop word, looked for in the raw sound, before and beside all recognition. In texts daemon/reflex.py finds it."""

import logging
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from daemon.speech.pronunciation import dictionary
from daemon.speech.words import spoken_words

log = logging.getLogger(__name__)


class StopWord:
    """Hears "stop" in the stream of sound, whatever else goes on. A convenience; the safety function is the button.

    At this threshold 18 of 26 spoken stops (24 by flite) are caught as the word ends, the rest when the sentence
    is recognised. In 14 minutes of other speech and of noise it fires 4 times, once of them while someone
    speaks: ask the voice detector, too. Costs 3 % of a core.
    """

    def __init__(self, own_words: Callable[[], str] = lambda: "", threshold: float = 1e-1) -> None:
        """`own_words()` is what the robot itself says at this moment: a stop word in it is not obeyed."""
        import pocketsphinx

        self._own_words = own_words
        cmudict = Path(pocketsphinx.get_model_path("en-us/cmudict-en-us.dict"))
        with tempfile.TemporaryDirectory(prefix="heed-stop-") as folder:
            words, phrases = Path(folder, "stop.dict"), Path(folder, "stop.phrases")
            words.write_text(dictionary(["stop"], cmudict), encoding="utf-8")
            phrases.write_text(f"stop /{threshold:g}/\n", encoding="utf-8")
            self._spotter = pocketsphinx.Decoder(lm=None, dict=str(words), kws=str(phrases), loglevel="FATAL")
        self._spotter.start_utt()

    def heard(self, block: NDArray[np.int16]) -> str | None:
        """Take the next sound; return the stop word when it has just been spoken by someone else."""
        self._spotter.process_raw(block.tobytes(), no_search=False, full_utt=False)
        found = self._spotter.hyp()
        if found is None:
            return None
        self._spotter.end_utt()
        self._spotter.start_utt()
        word = str(found.hypstr).split()[0]
        if word in spoken_words(self._own_words()):
            log.info("the robot itself says %r: not a stop", word)
            return None
        return word
