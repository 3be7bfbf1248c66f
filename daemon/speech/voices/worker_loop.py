"""A voice as a process: `python -m daemon.speech.voices.worker_loop piper VOICE.onnx`, or `... hibari`.

Started by worker.WorkerSynthesizer, and the only place that imports these libraries: Piper is GPL-3.0-or-later, and no
crash of theirs may take the ear along. Speaks through its pipes: first one line {"rate"}; then, for each line {"text"}
on stdin, one line {"rate", "samples"} and so many 16-bit samples, or one line {"error"}. The end of stdin ends it.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from daemon.speech.free_memory import give_back_memory

Speak = Callable[[str], bytes]
"""Text to 16-bit samples."""


def main(arguments: Sequence[str], requests: IO[bytes], answers: IO[bytes]) -> int:
    """Serve until `requests` ends; returns the exit code. `arguments` are the kind of voice, and what it is told."""
    try:
        kind, *told = arguments
        rate, speak = KINDS[kind](*told)
    except Exception as error:
        _answer(answers, {"error": f"{type(error).__name__}: {error}"})
        return 1
    _answer(answers, {"rate": rate})
    for line in requests:
        try:
            sound = speak(json.loads(line)["text"])
        except Exception as error:
            _answer(answers, {"error": f"{type(error).__name__}: {error}"})
            continue
        _answer(answers, {"rate": rate, "samples": len(sound) // 2}, sound)
        give_back_memory()
    return 0


def piper(voice_file: str) -> tuple[int, Speak]:
    """A Piper voice with a session of our own: Piper's takes all cores and spins on them."""
    from piper import PiperVoice
    from piper.config import PiperConfig

    card = json.loads(Path(f"{voice_file}.json").read_text(encoding="utf-8"))
    voice = PiperVoice(session=_session(voice_file), config=PiperConfig.from_dict(card))
    return voice.config.sample_rate, lambda text: b"".join(c.audio_int16_bytes for c in voice.synthesize(text))


def hibari() -> tuple[int, Speak]:
    """The voice inside the package hibari-tts; its others would be downloaded, and are never asked for."""
    import numpy as np
    from hibari.tts import ASSETS, SAMPLE_RATE, Hibari

    model = str(Path(ASSETS) / "hibari.onnx")
    voice = Hibari(voice="heart", model=model, threads=1)
    voice.sess = _session(model)  # the one that it has opened itself keeps all of it
    voice("Ready.")  # reads its lexicons now, and not before the first answer
    give_back_memory()

    def speak(text: str) -> bytes:
        sound = np.clip(voice(text, seed=SEED), -1.0, 1.0)
        return bytes((sound * 32767.0).astype(np.int16).tobytes())

    return SAMPLE_RATE, speak


SEED = 1
"""Of its breath noise: the same sentence always sounds the same."""
KINDS: dict[str, Callable[..., tuple[int, Speak]]] = {"piper": piper, "hibari": hibari}


def _session(file: str) -> Any:
    """Return a session that gives back what a long sentence took: 30 MB of hibari's."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(file, sess_options=options, providers=["CPUExecutionProvider"])


def _answer(answers: IO[bytes], head: dict[str, Any], sound: bytes = b"") -> None:
    answers.write(json.dumps(head).encode() + b"\n" + sound)
    answers.flush()


if __name__ == "__main__":
    pipe, sys.stdout = sys.stdout, sys.stderr  # nothing but answers may enter the pipe
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, pipe.buffer))
