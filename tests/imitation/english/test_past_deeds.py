"""Conversation about the past, on the running console without weights: told, undone, repeated with something else."""

import pytest

from daemon.console.history import Turn
from daemon.console.recounting import NOTHING, is_recounted, recounted
from daemon.transcript import Step
from tests.support.worlds import Kitchen


def last_said(kitchen: Kitchen) -> str:
    return kitchen.seen.speech[-1]


@pytest.mark.parametrize("question", ["what did you just do?", "what have you done?", "did you bring the apple?"])
def test_what_was_done_is_told(kitchen: Kitchen, question: str) -> None:
    kitchen.talk("put the apple on the counter", question)
    said = "You said: put the apple on the counter. So I went to the table, took the apple, went to the counter"
    assert last_said(kitchen) == f"{said} and put the apple on the counter."


def test_who_is_told_of_it_knows_where_they_are() -> None:
    steps = (Step("wait_for_trigger()"), *map(Step, ("grasp('cup')", "move_to('person')", "handover('cup')")))
    told = recounted([Turn("the cup", steps)])
    assert told == "You said: the cup. So I took the cup, came to you and gave you the cup."


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("I brought you the cup and the tea.", True), ("I brought you the cup.", False), ("What you like.", False)],
)
def test_whether_words_tell_what_was_done(text: str, is_so: bool) -> None:
    fetched = Turn("both", tuple(map(Step, ("grasp('cup')", "grasp('tea')", "handover('cup')", "handover('tea')"))))
    looked = Turn("where is it", (Step("say('There.')"),))
    assert is_recounted([fetched, looked], text) is is_so
    assert not is_recounted([looked], text)
    assert not is_recounted([fetched, Turn("fly", (Step("move_to('moon')", "RuntimeError: no"),))], text)


def test_what_could_not_be_done_is_told_as_that() -> None:
    steps = (Step("wait_for_trigger()"), Step("move_to('moon')", "RuntimeError: there is no place 'moon'. Hint: sink"))
    told = recounted([Turn("fly to the moon", steps)])
    assert told == "You said: fly to the moon. I did not manage that: there is no place 'moon'."


@pytest.mark.parametrize("question", ["what did you just do?", "undo that", "put it back"])
def test_at_first_there_is_nothing_to_tell_or_undo(kitchen: Kitchen, question: str) -> None:
    kitchen.talk(question)
    assert last_said(kitchen) == NOTHING


@pytest.mark.parametrize("words", ["undo that", "undo that, please", "put it back", "no, put it back where it was"])
def test_what_was_moved_goes_back(kitchen: Kitchen, words: str) -> None:
    kitchen.talk("put the apple on the counter", words)
    assert kitchen.where("apple") == "table"


def test_what_was_handed_over_goes_back_behind_its_door(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the juice", "undo that")
    assert kitchen.where("juice") == "fridge"
    assert not kitchen.robot.scene.is_open("fridge")


def test_what_was_in_the_hand_comes_back_into_it(kitchen: Kitchen) -> None:
    kitchen.talk("pick up the cup", "put it on the shelf", "undo that")
    assert kitchen.robot.scene.thing("cup").held_by


def test_several_things_go_back(kitchen: Kitchen) -> None:
    kitchen.talk("put the cup and the spoon on the table", "undo that")
    assert (kitchen.where("cup"), kitchen.where("spoon")) == ("counter", "counter")


def test_one_of_several_things_goes_back(kitchen: Kitchen) -> None:
    kitchen.talk("put the cup and the spoon on the table", "put the spoon back")
    assert (kitchen.where("cup"), kitchen.where("spoon")) == ("table", "counter")


def test_a_door_is_closed_again(kitchen: Kitchen) -> None:
    kitchen.talk("open the fridge", "undo that")
    assert not kitchen.robot.scene.is_open("fridge")


def test_a_way_is_gone_back(kitchen: Kitchen) -> None:
    kitchen.talk("go to the sink", "go to the table", "go back")
    assert kitchen.seen.statements.count("move_to('sink')") == 2


def test_only_what_the_robot_changed_is_undone(kitchen: Kitchen) -> None:
    kitchen.triggers.meanwhile = {"thanks": lambda: kitchen.robot.scene.place("banana", "shelf")}
    kitchen.talk("put the apple on the counter", "thanks", "undo that")
    assert (kitchen.where("apple"), kitchen.where("banana")) == ("table", "shelf")


def test_undoing_never_takes_back_a_lesson_unless_one_was_just_learned(kitchen: Kitchen) -> None:
    kitchen.talk("always bring a cup with the juice", "yes", "put the apple on the counter", "undo that")
    assert len(kitchen.memory.lessons()) == 1
    assert kitchen.where("apple") == "table"


@pytest.mark.parametrize("words", ["the same with the milk", "now do the same with the milk, please", "no, the milk"])
def test_the_same_is_done_with_something_else(kitchen: Kitchen, words: str) -> None:
    kitchen.talk("put the cup on the table", words)
    assert kitchen.where("milk") == "table"


def test_the_same_again_and_again(kitchen: Kitchen) -> None:
    kitchen.talk("put the cup on the table", "the same with the spoon", "the same with the sponge")
    assert [kitchen.where(name) for name in ("cup", "spoon", "sponge")] == ["table"] * 3


def test_more_goes_to_where_the_last_went(kitchen: Kitchen) -> None:
    kitchen.talk("put the cup on the table", "and the spoon, too")
    assert kitchen.where("spoon") == "table"


def test_where_something_came_from_is_told(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea", "where did you get it from?", "where did the tea come from?")
    assert kitchen.seen.speech[-2:] == 2 * ["The tea was on the shelf."]


def test_where_there_is_no_other_one_none_is_brought(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the apple", "put the cup in the sink", "how many cups are there", "no, the other one")
    assert last_said(kitchen) == "I see no other cup."
    assert kitchen.where("cup") == "sink"


@pytest.mark.parametrize("words", ["sorry, I meant the cup", "oh wait, I mean the cup"])
def test_a_slip_is_put_right(kitchen: Kitchen, words: str) -> None:
    kitchen.talk("bring me the apple", words)
    assert kitchen.where("cup") == "person"


def test_of_several_others_it_asks_which(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the milk", "how many drinks are there?", "no, the other one")
    assert last_said(kitchen).startswith("Which one do you mean: the juice, ")
    assert kitchen.seen.statements.count("grasp('milk')") == 2  # the fridge was closed


@pytest.mark.parametrize("words", ["close it again", "shut it please", "now close it"])
def test_a_door_that_was_spoken_of_is_closed(kitchen: Kitchen, words: str) -> None:
    kitchen.talk("open the fridge and tell me what's in it", words)
    assert any(told.startswith("I see: ") and "juice" in told for told in kitchen.seen.speech)
    assert "open_door('fridge')" in kitchen.seen.statements
    assert not kitchen.robot.scene.is_open("fridge")
