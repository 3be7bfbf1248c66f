"""Words while one speaks: when they are looked for, shown and taken away. Lists of events, as in test_ear_core.py."""

import pytest

from daemon.speech.ear_events import Action, Mute, Others, Recognize, Sound, Understood, Wake, Words
from daemon.speech.judgement import OWN_WORDS, Judgement, Verdict
from tests.speech.test_ear_core import NOTHING, VOICE, Replay

WATCHED = Others(watched=True)
LOOK = 25
"""Blocks of speech after which its words so far are looked for."""


def partials(actions: list[Action]) -> list[Recognize]:
    return [action for action in actions if isinstance(action, Recognize) and action.partial]


def shown(replay: Replay) -> list[str]:
    return [action.text for action in replay.actions if isinstance(action, Words)]


def test_words_are_shown_while_one_speaks_and_go_once_the_sentence_is_delivered() -> None:
    replay = Replay()
    assert len(partials(replay.feed(WATCHED, (NOTHING, 30), (VOICE, LOOK + 1)))) == 1
    replay.answer("bring me", Verdict.DROP)
    assert len(partials(replay.feed((VOICE, LOOK)))) == 1
    replay.answer("bring me the cup", Verdict.ASK)
    replay.feed((NOTHING, 6))
    replay.answer("bring me the cup please")
    replay.feed((NOTHING, 12))
    assert shown(replay) == ["bring me", "bring me the cup", "bring me the cup please", ""]
    assert replay.delivered == ["bring me the cup please"]


def test_the_confidence_is_shown_with_them() -> None:
    replay = Replay()
    replay.feed(WATCHED, (VOICE, LOOK + 1))
    judgement = Judgement(Verdict.ASK, "the cup", 0.4, heard="a cup")
    assert replay.feed(Understood(replay.state.ticket, judgement)) == [Words("a cup", 0.4)]


@pytest.mark.parametrize("who", [Others(), Others(watched=True, moving=True)], ids=["nobody watches", "it moves"])
def test_nothing_is_looked_for_where_nobody_watches_or_a_stop_may_come(who: Others) -> None:
    assert partials(Replay().feed(who, (VOICE, 3 * LOOK))) == []


def test_what_is_not_meant_for_the_robot_is_not_shown() -> None:
    replay = Replay(wake=True)
    replay.feed(WATCHED, (NOTHING, 30), (VOICE, LOOK + 1), (NOTHING, 6))
    replay.answer("a secret")
    assert shown(replay) == []
    assert len(partials(replay.feed((NOTHING, 40), Wake(), (VOICE, LOOK + 1)))) == 1


def test_nor_what_a_mute_robot_hears() -> None:
    replay = Replay()
    assert partials(replay.feed(WATCHED, Mute(True), (VOICE, 2 * LOOK))) == []


def test_our_own_words_are_not_shown() -> None:
    replay = Replay()
    replay.feed(WATCHED, (VOICE, LOOK + 1))
    own = Judgement(Verdict.DROP, "here is the cup", reason=OWN_WORDS, heard="here is the cup")
    assert replay.feed(Understood(replay.state.ticket, own)) == []


def test_words_that_come_after_their_sentence_are_not_shown_for_the_next() -> None:
    replay = Replay()
    replay.feed(WATCHED, (VOICE, LOOK + 1))
    late = replay.state.ticket
    replay.feed((NOTHING, 6))
    replay.answer("the cup")
    replay.feed((NOTHING, 40), (VOICE, 5))
    replay.answer("the", ticket=late)
    assert shown(replay) == ["the cup", ""]


def test_a_stop_is_no_later_for_being_watched() -> None:
    """The guess at its end is ordered at the same sample."""
    orders = []
    for others in (Others(), WATCHED):
        replay = Replay()
        actions = replay.feed(others, (NOTHING, 30), (VOICE, 2 * LOOK), (NOTHING, 5))
        orders.append([a.segment for a in actions if isinstance(a, Recognize) and not a.partial])
    assert orders[0] == orders[1]


def test_words_of_a_noise_that_was_forgotten_are_taken_away() -> None:
    replay = Replay()
    replay.feed(WATCHED, (VOICE, LOOK + 1))
    replay.answer("perhaps")
    replay.feed(Others(watched=True, speaking=True), Sound(NOTHING))
    assert replay.state.words == ""
    assert shown(replay) == ["perhaps", ""]
