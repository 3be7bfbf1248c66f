"""The interaction history: turns, the gate of learning, and honest shortening."""

import re

from daemon.console.history import KEPT, InteractionHistory
from daemon.transcript import Step, parse_transcript


def heard(text: str) -> Step:
    return Step("wait_for_trigger()", repr({"type": "dialog", "text": text}))


def history_of(*steps: Step) -> InteractionHistory:
    history = InteractionHistory()
    for step in steps:
        history.add(step)
    return history


def test_a_turn_begins_with_an_utterance() -> None:
    history = history_of(heard("juice"), Step("move_to('fridge')", "'success'"), heard("thanks"))
    assert [turn.utterance for turn in history.turns] == ["juice", "thanks"]
    assert len(history.turns[0].steps) == 2


def test_a_turn_knows_what_was_seen_when_it_began() -> None:
    history = InteractionHistory()
    for scene in ("morning", "evening"):
        history.begin_turn(scene)
        history.add(heard(scene))
    assert [turn.scene for turn in history.turns] == ["morning", "evening"]


def test_one_breath_corrections_can_still_be_learned() -> None:
    history = history_of(heard("wrong, on c, and never do that again"), Step("place('a', 'c')", "'success'"))
    assert [turn.utterance for turn in history.turns_since_lesson()] == ["wrong, on c, and never do that again"]


def test_after_a_lesson_a_new_utterance_is_needed() -> None:
    history = history_of(heard("next time both at once"))
    history.mark_learned()
    history.add(Step("learn_from_interaction()", "'learned'"))
    assert history.turns_since_lesson() == []
    history.add(heard("and close the door"))
    assert [turn.utterance for turn in history.turns_since_lesson()] == ["and close the door"]


def test_a_long_history_keeps_what_was_said_and_the_turn_under_way() -> None:
    history = history_of(
        heard("first"), Step("list_objects()", "x" * 500), heard("second"), Step("list_objects()", "y" * 500)
    )
    text = history.text(budget=900)
    assert "first" in text
    assert "x" * 500 not in text
    assert "y" * 500 in text


def test_a_history_far_too_long_keeps_the_turn_under_way() -> None:
    history = history_of(*(heard(f"request {n} {'and more ' * 20}") for n in range(50)))
    text = history.text(budget=1000)
    assert len(text) <= 1000
    assert "request 49" in text
    assert "request 0 " not in text


def test_a_long_turn_keeps_what_was_asked_and_what_came_last() -> None:
    long = [Step(f"list_objects({n})", f"{n}" * 300) for n in range(10, 30)]
    history = history_of(heard("old"), Step("x"), heard("the instruction"), *long)
    text = history.text(budget=3200)
    assert len(text) <= 3200
    assert "the instruction" in text
    assert "29" * 300 in text
    assert "10" * 300 not in text
    assert ">>> list_objects(24)\n# ...\n" in text
    assert "the instruction" in [step.heard for step in parse_transcript(text)]


def test_a_turn_far_too_long_says_how_much_is_left_out() -> None:
    history = history_of(heard("the instruction"), *(Step(f"x = {n}", "") for n in range(1000)))
    text = history.text(budget=600)
    assert len(text) <= 600
    assert re.search(r"# 9\d\d statements are left out here\.", text)
    assert "x = 999" in text
    assert parse_transcript(text)[0].heard == "the instruction"


def test_a_budget_counts_as_it_is_told_to() -> None:
    history = history_of(*(heard(f"request {n}") for n in range(50)))
    words = len(history.text(20, lambda text: len(text.split())).split())
    assert 10 < words <= 20


def test_a_turn_knows_what_was_seen_when_it_was_over() -> None:
    history = InteractionHistory()
    history.end_turn("before anybody spoke")
    for scene in ("morning", "evening"):
        history.begin_turn(scene)
        history.add(heard(scene))
        history.end_turn(f"after {scene}")
        history.end_turn(f"long after {scene}")
    assert [turn.left for turn in history.turns] == ["long after morning", "long after evening"]


def test_old_turns_are_forgotten_so_that_a_year_is_no_longer_than_a_day() -> None:
    history = InteractionHistory()
    for number in range(5 * KEPT):
        history.begin_turn(f"seen {number}")
        history.add(heard(f"say {number}"))
        history.add(Step("say('yes')"))
        history.end_turn(f"left {number}")
        assert len(history.turns) <= 2 * KEPT
        last = history.turns[-1]
        assert (last.utterance, last.scene, last.left) == (f"say {number}", f"seen {number}", f"left {number}")
    assert all(turn.utterance.split()[1] == turn.scene.split()[1] == turn.left.split()[1] for turn in history.turns)


def test_what_was_learned_stays_learned_when_old_turns_are_forgotten() -> None:
    history = InteractionHistory()
    for number in range(2 * KEPT):
        history.begin_turn(None)
        history.add(heard(f"say {number}"))
    history.mark_learned()
    history.begin_turn(None)
    history.add(heard("and this"))
    assert [turn.utterance for turn in history.turns_since_lesson()] == ["and this"]
