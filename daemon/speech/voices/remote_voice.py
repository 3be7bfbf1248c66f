"""A voice on another machine, and one here for when that is out of reach."""

from daemon.speech.synthesis import Sound, Synthesizer
from daemon.speech.wyoming_client import Server, sound_in

VOICE_GONE = "My other voice is out of reach."


class RemoteSynthesizer:
    """Lets a server speak, and `local` whatever it does not answer; `local` says so when that begins."""

    def __init__(self, server: Server, local: Synthesizer, name: str) -> None:
        self._server, self._local, self._name = server, local, name

    @property
    def name(self) -> str:
        """Name of who spoke last: what was made by one is no sound of the other."""
        return self._name if self._server.there else self._local.name

    def synthesize(self, sentence: str) -> Sound:
        from wyoming.tts import Synthesize

        was_there = self._server.there
        answers = self._server.ask([Synthesize(sentence).event()], until="audio-stop")
        if answers is not None:
            return sound_in(answers)
        return self._local.synthesize(f"{VOICE_GONE} {sentence}" if was_there else sentence)

    def close(self) -> None:
        self._local.close()
