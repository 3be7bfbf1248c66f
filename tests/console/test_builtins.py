"""What is said between person and robot, as the console sees it."""

import threading
from collections.abc import Callable

import pytest

from daemon.console.builtins import Conversation
from daemon.console.history import InteractionHistory
from daemon.console.who_speaks import NAME_LASTS
from daemon.imitation import English
from daemon.service.observers import Observers
from daemon.trigger import SURE, TriggerQueue, Utterance


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


def test_a_name_that_was_said_lapses_after_a_long_silence_but_not_for_who_types() -> None:
    triggers = TriggerQueue()
    conversation = Conversation(triggers, print, NoLessons(), Observers(), lambda: None, reader=English())

    def speaker(text: str, at: float, source: str = "microphone") -> str:
        triggers.put(Utterance(text, source=source, started_at=at, heard_at=at))
        return str(conversation.wait_for_trigger().get("speaker", ""))

    assert speaker("my name is Anna", 1000.0) == "Anna"
    assert speaker("bring me the tea", 1000.0 + NAME_LASTS - 1) == "Anna"
    assert speaker("bring me the tea", 1000.0 + 3 * NAME_LASTS, "typed") == "Anna"
    assert speaker("bring me the tea", 1000.0 + 5 * NAME_LASTS) == ""


@pytest.mark.parametrize(
    ("utterance", "asks"),
    [
        (Utterance("bring the cub", source="typed"), False),
        (Utterance("bring the cub", source="microphone", confidence=SURE), False),
        (Utterance("bring the cub", source="microphone", confidence=SURE - 0.1), True),
    ],
    ids=["typed", "surely heard", "hardly heard"],
)
def test_whether_other_words_were_meant_is_asked_only_where_the_ear_was_unsure(
    utterance: Utterance, asks: bool
) -> None:
    triggers, told = TriggerQueue(), list[str]()

    def answered(question: str) -> None:
        told.append(question)
        threading.Timer(0.1, triggers.put, [Utterance("yes")]).start()

    conversation = Conversation(triggers, answered, NoLessons(), Observers(), lambda: None)
    triggers.put(utterance)
    conversation.wait_for_trigger()
    answer = conversation.ask_whether_heard("Did you mean: bring the cup?")
    assert (answer, told) == (("yes", ["Did you mean: bring the cup?"]) if asks else (None, []))


def test_what_is_heard_again_is_no_surer_than_it_was() -> None:
    triggers, asked = TriggerQueue(), list[str]()

    def answered(question: str) -> None:
        asked.append(question)
        triggers.put(Utterance("bring the cub", source="microphone", confidence=SURE - 0.1))

    conversation = Conversation(triggers, answered, NoLessons(), Observers(), lambda: None)
    conversation.hear_again(conversation.ask("Shall I?"))
    assert conversation.wait_for_trigger() == {"type": "dialog", "text": "bring the cub"}
    assert conversation.ask_whether_heard("Did you mean the cup?") is not None
    assert asked == ["Shall I?", "Did you mean the cup?"]
