"""Which names a statement may use: seen, looked up, or said."""

from typing import Any

from daemon.console.history import InteractionHistory
from daemon.console.names_in_scope import name_scope
from daemon.transcript import Step
from skills.skill import load_skills

CUP, BOWL = {"name": "cup_1", "aliases": ["mug"]}, {"name": "bowl", "holds": 3}
SCENE = {"objects": [CUP, BOWL], "locations": [{"name": "table"}, {"name": "person"}]}


def heard(text: str) -> Step:
    return Step("wait_for_trigger()", repr({"type": "dialog", "text": text}))


def names(*steps: Step, scene: Any = SCENE) -> tuple[str, ...]:
    history = InteractionHistory()
    for step in steps:
        if step.called == "wait_for_trigger":
            history.begin_turn(scene)
        history.add(step)
    scope = name_scope(history)
    assert scope is not None
    return (*scope.names["object"], *scope.names["location"])


def test_who_speaks_is_in_scope() -> None:
    said = {"type": "dialog", "text": "the tea", "speaker": "Mrs Hill"}
    long_since = [Step("wait_for_trigger()", repr(said)), heard("one"), heard("two")]
    assert {"mrs_hill", "Mrs Hill"} <= set(names(*long_since)), "as a prompt shows who speaks, and as names are written"


def test_what_is_seen_and_its_other_names_are_in_scope() -> None:
    assert {"cup_1", "mug", "table", "person"} <= set(names(heard("hello")))


def test_what_was_looked_up_is_in_scope_but_not_its_category() -> None:
    listed = Step("list_objects()", "[('oil_2', 'ingredient', 'shelf'), ('tea', 'drink', 'left hand')]")
    found = names(heard("hello"), listed, Step("get_object_location('tea')", "'top drawer'"))
    assert {"oil_2", "tea", "top drawer"} <= set(found)
    assert not {"ingredient", "drink"} & set(found)


def test_what_an_error_names_is_not() -> None:
    error = Step("grasp('cupboad_3')", "RuntimeError: there is no object 'cupboad_3'")
    assert "cupboad_3" not in names(heard("hello"), error)
    assert "success" not in names(heard("hello"), Step("grasp('cup_1')", "'success'"))


def test_what_people_say_is_in_scope_though_it_is_not_here_so_that_they_hear_that_it_is_not() -> None:
    said = names(heard("Bring me the orange juice, please"))
    assert {"juice", "orange juice", "orange_juice"} <= set(said)
    assert not {"me", "the", "Bring", "me_the_orange"} & set(said)
    assert "milk" in names(heard("x"), Step("ask('What?')", "'the milk'"))


def test_what_was_said_long_ago_is_not() -> None:
    assert "milk" not in names(heard("milk"), heard("one"), heard("two"), heard("three"))


def test_where_nobody_looked_anything_may_be_named() -> None:
    history = InteractionHistory()
    assert name_scope(history) is None
    history.add(heard("hello"))
    assert name_scope(history) is None


def test_only_what_takes_a_name_is_constrained() -> None:
    load_skills()
    history = InteractionHistory()
    history.begin_turn(SCENE)
    history.add(heard("hello"))
    scope = name_scope(history)
    assert scope is not None
    constrained = {argument[:2] for argument in scope.arguments}
    assert {("grasp", 0), ("grasp", "object"), ("place", 1), ("place", "location"), ("is_open", 0)} <= constrained
    assert not {("grasp", 2), ("shift", 1), ("shift", "direction"), ("say", 0)} & constrained


def test_things_places_and_hands_are_told_apart() -> None:
    history = InteractionHistory()
    history.begin_turn(SCENE)
    history.add(heard("put the mug on the table"))
    scope = name_scope(history)
    assert scope is not None
    assert {"cup_1", "mug", "bowl"} <= set(scope.names["object"])
    assert "table" not in scope.names["object"]
    assert {"bowl", "table", "person"} <= set(scope.names["location"])
    assert not {"cup_1", "mug"} & set(scope.names["location"])
    assert scope.names["hand"] == ("left", "right")
