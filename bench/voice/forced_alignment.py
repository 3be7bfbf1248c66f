"""Where known words lie in a sound: pocketsphinx, held to one sentence."""

import tempfile
from pathlib import Path

from daemon.speech.audio import Samples
from daemon.speech.pronunciation import dictionary


def alignment(sound: Samples, words: list[str]) -> float:
    """Seconds from the beginning of `sound`, at 16 kHz, to the first of `words`, which are said in it."""
    import pocketsphinx

    cmudict = Path(pocketsphinx.get_model_path("en-us/cmudict-en-us.dict"))
    with tempfile.NamedTemporaryFile("w", suffix=".dict") as known:
        known.write(dictionary(set(words), cmudict))
        known.flush()
        decoder = pocketsphinx.Decoder(lm=None, dict=known.name, loglevel="FATAL")
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw(sound.tobytes(), full_utt=True)
    decoder.end_utt()
    spoken = (segment for segment in decoder.seg() or () if segment.word[0] not in "<[")
    return next((segment.start_frame / 100 for segment in spoken), 0.0)
