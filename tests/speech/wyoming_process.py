"""A Wyoming server built with the protocol's own package, which tells on standard output how far it is.

.venv/bin/python -m tests.speech.wyoming_process PORT WHOLE      # WHOLE: 1 answers, 0 never ends its answers
"""

import asyncio
import sys
from functools import partial

import numpy as np
from wyoming.asr import Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event
from wyoming.server import AsyncEventHandler, AsyncServer
from wyoming.tts import Synthesize

TEXT = "bring me the juice"
SOUND = np.arange(2000, dtype=np.int16)


class Handler(AsyncEventHandler):
    def __init__(self, whole: bool, *streams: object) -> None:
        super().__init__(*streams)  # type: ignore[arg-type]
        self._whole = whole

    async def handle_event(self, event: Event) -> bool:
        if AudioStop.is_type(event.type):
            await self._answer(Transcript(TEXT).event())
        elif Synthesize.is_type(event.type):
            await self.write_event(AudioStart(rate=22050, width=2, channels=1).event())
            await self.write_event(AudioChunk(rate=22050, width=2, channels=1, audio=SOUND.tobytes()).event())
            await self._answer(AudioStop().event())
        return True

    async def _answer(self, last: Event) -> None:
        if self._whole:
            await self.write_event(last)
        else:
            print("in the middle", flush=True)


async def main(port: str, whole: str) -> None:
    server = AsyncServer.from_uri(f"tcp://127.0.0.1:{port}")
    await server.start(partial(Handler, whole == "1"))
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
