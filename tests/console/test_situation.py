"""What a mind is told of a moment, and what gives way where there is too much of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from daemon.console.situation import NEAREST_RULES, RULES, SHOWN, Situation
from daemon.memory.lesson import Lesson
from daemon.memory.nearness import Nearness
from daemon.memory.rules import Rule
from sim.scene import Scene as World
from skills.scene import Scene
from tests.support.fakes import WordEmbedder


def scene(**things: dict[str, object]) -> Scene:
    world = {
        "locations": ["hall", {"name": "table"}, {"name": "box", "kind": "container", "door": "closed"}],
        "objects": {name: {"location": "table", **about} for name, about in things.items()},
    }
    return Scene.from_observation(World.from_description(world).observe())


def lesson(id: int, text: str) -> Lesson:
    return Lesson(id, Rule(text), "", datetime.now(UTC), "Anna", ())


def test_things_are_told_where_they_are_with_kind_state_and_other_names() -> None:
    cup = {"category": "dishes", "state": {"dirty": True, "colour": "red"}, "aliases": ["mug"]}
    lines = Situation("hello", scene(cup=cup, bowl={"location": "box"})).before
    assert "table: cup (dishes, dirty, red, also mug)" in lines
    assert "box (closed): bowl (thing)" in lines


def test_other_names_are_told_that_say_more_than_the_name() -> None:
    mug = {"category": "cup", "aliases": ["mug", "blue mug", "grandpa's mug"]}
    assert "table: blue_mug (cup, also grandpa's mug)" in Situation("", scene(blue_mug=mug)).before


def test_people_are_told_with_their_other_names() -> None:
    world = {"locations": ["hall", {"name": "mia", "kind": "person", "aliases": ["my daughter"]}]}
    seen = Scene.from_observation(World.from_description(world).observe())
    assert "people: mia (also my daughter)" in Situation("", seen).before


def test_who_speaks_is_one_of_the_people_where_they_have_a_name_here() -> None:
    world = {"locations": ["hall", {"name": "person", "kind": "person", "aliases": ["human", "anna"]}]}
    seen = Scene.from_observation(World.from_description(world).observe())
    assert "people: person, anna" in Situation("", seen, speaker="Anna").before
    assert "people: person" in Situation("", seen).before


def test_the_moment_is_told() -> None:
    now = datetime(2026, 1, 14, 12, 0)
    situation = Situation("hello", scene(), "table", "Anna", now, waiting=("later 3: at eight: go to bed",))
    assert "you are at table; left hand: empty, right hand: empty" in situation.before
    assert situation.before[-1] == "later 3: at eight: go to bed"
    assert situation.after == []
    assert situation.told.before.endswith("# Wednesday 14 January, 12:00\n")  # so that it is read while nobody speaks
    assert situation.told.after == "# Anna speaks\n"
    assert situation.told_as_taught.before.endswith("go to bed\n")
    assert situation.told_as_taught.after == "# Anna speaks; Wednesday 14 January, 12:00\n"


def test_of_a_long_scene_what_the_words_name_is_told_and_that_there_is_more() -> None:
    things = scene(wrench={"location": "box"}, nut={})
    nuts = tuple(replace(things.object("nut"), name=f"nut_{number}") for number in range(SHOWN))
    situation = Situation("where is the wrench", replace(things, objects=(*nuts, things.object("wrench"))))
    assert "1 more things are not shown: list_objects() tells of all" in situation.before
    assert situation.after == ["box: wrench (thing)"]


def test_of_many_rules_those_about_the_words_are_told() -> None:
    rules = [lesson(number, f"The part {number} is blue.") for number in range(1, RULES + 5)]
    rules.insert(0, lesson(99, "I never bring the wrench."))
    situation = Situation("bring the wrench", scene(wrench={}), rules=tuple(rules))
    assert "not shown: 5 older learned rules; list_lessons('all') tells every one" in situation.before
    assert situation.after == ["learned 99: I never bring the wrench."]


def test_of_many_rules_the_nearest_in_meaning_are_told_though_the_words_name_nothing_of_them() -> None:
    rules = [lesson(number, f"The part {number} is blue.") for number in range(1, RULES + 5)]
    rules.insert(0, lesson(99, "To serve is to put it on the table."))

    def order(said: str, texts: Sequence[str]) -> Sequence[int]:
        return sorted(range(len(texts)), key=lambda position: "serve" not in texts[position])

    situation = Situation("serve me something", scene(), rules=tuple(rules), order=order)
    assert situation.after[0] == "learned 99: To serve is to put it on the table."
    assert len(situation.after) == NEAREST_RULES


def test_what_stands_above_the_words_does_not_depend_on_them() -> None:
    cup = {"aliases": ["mug", "beaker", "tumbler", "gran's favourite"]}
    quiet, asked = (Situation(words, scene(cup=cup)) for words in ("", "bring gran's favourite"))
    assert quiet.before == asked.before
    assert (quiet.after, asked.after) == ([], ["cup (also gran's favourite)"])


def test_what_the_words_may_mean_is_told_the_nearest_first() -> None:
    things = scene(cup={"category": "dish"}, bottle_opener={"category": "tool"}, wine={"category": "drink"})
    nearness = Nearness(WordEmbedder())
    situation = Situation("the tool, that opener for a bottle of wine", things, order=nearness.order)
    assert situation.told_as_taught.after == "# near: bottle_opener, wine, cup\n"
    assert Situation("hello", things).told_as_taught.after == ""
    assert situation.told.after == ""


def test_nothing_vanishes_from_the_scene() -> None:
    things = scene(bowl={"state": {"full": True}, "aliases": ["gran's bowl"]}, apple={}, bag={}, coin={}, kite={})
    where = {"bowl": "", "apple": "bowl", "bag": "box", "coin": "bag", "kite": ""}
    moved = [
        replace(thing, location=where[thing.name], held_by="left" if thing.name == "bowl" else "")
        for thing in things.objects
    ]
    told = "\n".join(Situation("where is everything", replace(things, objects=tuple(moved))).before)
    assert [name for name in where if name not in told] == []
    assert "left hand: bowl (thing, full, also gran's bowl, in or on it: apple)" in told
    assert "bag (thing, in or on it: coin)" in told
    assert "elsewhere: kite (thing)" in told


def test_what_heed_told_by_itself_is_known() -> None:
    situation = Situation("what did you say", scene(), told_lately=("I am to remind you: call mum.",))
    assert situation.after == ['you told them: "I am to remind you: call mum."']
    assert "you told them" not in situation.told_as_taught.after


def test_of_many_things_those_are_told_that_nearly_mean_the_words() -> None:

    def order(said: str, texts: Sequence[str]) -> Sequence[int]:
        return sorted(range(len(texts)), key=lambda position: "scissors" not in texts[position])

    one = scene(scissors={}).objects[0]
    parts = (*(replace(one, name=f"part_{number}") for number in range(SHOWN)), one)
    many = replace(scene(), objects=parts)
    told = Situation("what can i cut paper with", many, order=order)
    assert [line for line in (*told.before, *told.after) if "scissors" in line] == ["table: scissors (thing)"]


def test_who_is_not_here_is_not_told_as_here() -> None:
    world = {"locations": ["hall", {"name": "ida", "kind": "person", "state": {"present": False}}]}
    seen = Scene.from_observation(World.from_description(world).observe())
    assert "nobody is seen" in Situation("", seen).before


def test_a_robot_that_has_not_seen_everything_is_told_how_to_find_the_rest() -> None:
    seen = scene(cup={"location": "table"})
    assert "get_objects_in_sight()" in Situation("bring the milk", replace(seen, partial=True)).told.before
    assert "get_objects_in_sight()" not in Situation("bring the milk", seen).told.before
