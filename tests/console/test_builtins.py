"""What is said between person and robot, as the console sees it."""

from collections.abc import Callable

from daemon.console.builtins import Conversation
from daemon.console.history import InteractionHistory
from daemon.service.observers import Observers
from daemon.trigger import TriggerQueue, Utterance


class NoLessons:
    def learn(self, history: InteractionHistory, ask: Callable[[str], str], say: Callable[[str], None]) -> str:
        return ""


def test_who_interrupts_the_robot_is_told_with_what_they_did_not_hear() -> None:
    triggers = TriggerQueue()
    conversation = Conversation(triggers, print, NoLessons(), Observers(), lambda: None)
    conversation.cut_off("Here is", "the juice. And a cup.")
    for text in ("wait, the milk", "thanks"):
        triggers.put(Utterance(text))
    first, second = conversation.wait_for_trigger(), conversation.wait_for_trigger()
    assert first == {"type": "dialog", "text": "wait, the milk", "interrupted": "the juice. And a cup."}
    assert second == {"type": "dialog", "text": "thanks"}
