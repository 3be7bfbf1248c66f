"""Lets satellites talk to heed by the Wyoming protocol: a microphone and a loudspeaker elsewhere in the house.

A satellite sends sound and gets its text, or sends text and gets its sound. The protocol knows no password: offer it
only in a network whose users may all command the robot.
"""

import logging
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from daemon.speech.audio import resample
from daemon.speech.synthesis import Sound
from daemon.speech.vad import RATE
from daemon.speech.wyoming_client import audio_events, sound_in

log = logging.getLogger(__name__)

SILENT_SECONDS = 60.0
"""A satellite that sends nothing for so long is gone."""
LONGEST = 30 * RATE
"""Samples of one recording; what is longer is cut."""
CHUNKS = 3000
"""Of one recording; whoever sends more is sent away."""


class SatelliteServer:
    """Answers satellites, each in a thread of its own, until closed."""

    def __init__(
        self, address: tuple[str, int], hear: Callable[[NDArray[np.int16]], str], speak: Callable[[str], Sound]
    ) -> None:
        """`hear` takes sound at 16 kHz and returns its text, `speak` the other way round. Raises OSError."""

        class Satellite(socketserver.StreamRequestHandler):
            timeout = SILENT_SECONDS

            def handle(self) -> None:
                from wyoming.event import read_event, write_event

                recording: list[Any] = []
                try:
                    while (event := read_event(cast(BinaryIO, self.rfile))) is not None and len(recording) < CHUNKS:
                        for answer in _answers(event, recording, hear, speak):
                            write_event(answer, cast(BinaryIO, self.wfile))
                except (OSError, ValueError, KeyError, TypeError) as error:
                    log.info("a satellite left: %s", error)

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        self._server = socketserver.ThreadingTCPServer(address, Satellite)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="satellites", daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join(timeout=2)
        self._server.server_close()


def _answers(
    event: Any, recording: list[Any], hear: Callable[[NDArray[np.int16]], str], speak: Callable[[str], Sound]
) -> Iterator[Any]:
    """Yield what to send back; `recording` gathers the sound until it stops."""
    from wyoming.asr import Transcript

    match event.type:
        case "describe":
            yield _description()
        case "audio-start" | "transcribe":
            recording.clear()
        case "audio-chunk":
            recording.append(event)
        case "audio-stop":
            samples, rate = sound_in(recording)
            recording.clear()
            yield Transcript(hear(resample(samples, rate, RATE)[:LONGEST])).event()
        case "synthesize":
            yield from audio_events(*speak(str(event.data["text"])))
        case "ping":
            from wyoming.ping import Pong

            yield Pong().event()


def _description() -> Any:
    from wyoming.info import AsrModel, AsrProgram, Attribution, Info, TtsProgram, TtsVoice

    about: dict[str, Any] = {
        "name": "heed", "description": f"heed on {socket.gethostname()}", "version": None, "installed": True,
        "attribution": Attribution(name="heed", url=""),
    }  # fmt: skip
    asr = AsrProgram(**about, models=[AsrModel(**about, languages=["en"])])
    tts = TtsProgram(**about, voices=[TtsVoice(**about, languages=["en"])])
    return Info(asr=[asr], tts=[tts]).event()
