"""Passes each step of the conversation on to several observers."""

from daemon.console.builtins import Observer
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
