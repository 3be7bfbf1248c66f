"""The Piper process: `python -m daemon.speech.voices.piper_worker VOICE.onnx`. Started by piper.PiperSynthesizer.

Piper is GPL-3.0-or-later; it is imported in this process only, which speaks with heed through its pipes:
first one line {"rate"}; then, for each line {"text"} on stdin, one line {"rate", "samples"} and so many 16-bit
samples, or one line {"error"}. The end of stdin ends it.
"""

import json
import sys
from pathlib import Path
from typing import IO, Any


def main(voice_file: Path, requests: IO[bytes], answers: IO[bytes]) -> int:
    """Serve until `requests` ends; returns the exit code."""
    try:
        voice = _load(voice_file)
    except Exception as error:
        _answer(answers, {"error": f"{type(error).__name__}: {error}"})
        return 1
    rate = voice.config.sample_rate
    _answer(answers, {"rate": rate})
    for line in requests:
        try:
            chunks = [chunk.audio_int16_bytes for chunk in voice.synthesize(json.loads(line)["text"])]
        except Exception as error:
            _answer(answers, {"error": f"{type(error).__name__}: {error}"})
            continue
        sound = b"".join(chunks)
        _answer(answers, {"rate": rate, "samples": len(sound) // 2}, sound)
    return 0


def _load(voice_file: Path) -> Any:
    """A voice with a session of our own: Piper's takes all cores and spins on them."""
    import onnxruntime
    from piper import PiperVoice
    from piper.config import PiperConfig

    card = json.loads(Path(f"{voice_file}.json").read_text(encoding="utf-8"))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(voice_file), sess_options=options, providers=["CPUExecutionProvider"])
    return PiperVoice(session=session, config=PiperConfig.from_dict(card))


def _answer(answers: IO[bytes], head: dict[str, Any], sound: bytes = b"") -> None:
    answers.write(json.dumps(head).encode() + b"\n" + sound)
    answers.flush()


if __name__ == "__main__":
    pipe, sys.stdout = sys.stdout, sys.stderr  # nothing but answers may enter the pipe
    sys.exit(main(Path(sys.argv[1]), sys.stdin.buffer, pipe.buffer))
