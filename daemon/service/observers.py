"""Passes each step of the conversation on to several observers, and words while they are spoken to who watches."""

from typing import Protocol

from daemon.console.builtins import Observer
from daemon.speech.ear_events import Words
from daemon.trigger import Utterance


class Observers:
    """An Observer made of others, told in the order given."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def heard(self, utterance: Utterance) -> None:
        for observer in self._observers:
            observer.heard(utterance)

    def statement(self, statement: str) -> None:
        for observer in self._observers:
            observer.statement(statement)

    def result(self, result: str) -> None:
        for observer in self._observers:
            observer.result(result)

    def said(self, text: str) -> None:
        for observer in self._observers:
            observer.said(text)


class Display(Protocol):
    """Where words can be shown while they are spoken."""

    @property
    def is_watched(self) -> bool:
        """Return whether somebody looks at it."""
        ...

    def words(self, text: str, confidence: float) -> None:
        """Show what was said so far; "" once that is over."""
        ...


class Displays:
    """Several displays as one."""

    def __init__(self, *displays: Display) -> None:
        self._displays = displays

    @property
    def watched(self) -> bool:
        """Return whether somebody looks at any of them."""
        return any(display.is_watched for display in self._displays)

    def show(self, words: Words) -> None:
        for display in self._displays:
            display.words(words.text, words.confidence)
