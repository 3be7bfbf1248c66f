"""Typed lines as utterances."""

import io
import threading

from daemon.speech.typed import TypedSource
from daemon.trigger import Utterance


class Typed:
    """Everything that came out of a typed text, in order."""

    def __init__(self, stream: io.TextIOBase) -> None:
        self.events: list[str] = []
        self.utterances: list[Utterance] = []
        self.ended = threading.Event()
        self.source = TypedSource(stream, self._utterance, self._stop, self.ended.set)  # type: ignore[arg-type]
        self.source.start()
        assert self.ended.wait(10)

    def _utterance(self, utterance: Utterance) -> None:
        self.utterances.append(utterance)
        self.events.append(utterance.text)

    def _stop(self, word: str) -> None:
        self.events.append(f"STOP {word}")


def test_each_line_is_an_utterance_and_a_stop_is_a_stop() -> None:
    typed = Typed(io.StringIO("bring me the juice\n\n  it's import time 😀  \nStop!\nstop my timer"))
    assert typed.events == ["bring me the juice", "it's import time 😀", "STOP Stop!", "stop my timer"]
    assert (typed.utterances[0].source, typed.utterances[0].confidence) == ("typed", 1.0)


def test_a_long_line_stays_one_utterance() -> None:
    assert Typed(io.StringIO("x" * 5000)).events == ["x" * 5000]


def test_bytes_that_are_no_text_do_not_end_the_conversation() -> None:
    typed = Typed(io.TextIOWrapper(io.BytesIO(b"caf\xe9\nhello\n"), encoding="utf-8"))
    assert typed.events == ["caf\ufffd", "hello"]
    assert typed.source.failure is None


def test_a_keyboard_that_breaks_says_so_and_ends() -> None:
    class Broken(io.StringIO):
        def __next__(self) -> str:
            raise OSError("the terminal is gone")

    typed = Typed(Broken())
    typed.source._reader.join(10)
    assert not typed.source.alive
    assert isinstance(typed.source.failure, OSError)
