"""Orders as people wrap and describe them: what is said beside them, and the words by which they tell things apart."""

from typing import Any

import pytest

from bench.support.household_robot import TOOLS, blade_for, household_questions
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.surroundings import Item, Surroundings
from daemon.imitation.english.orders.order_clauses import the_order
from daemon.imitation.english.orders.order_reader import read_order
from daemon.imitation.english.orders.recovery import plan_from
from daemon.imitation.english.orders.scene_answerer import SceneAnswerer
from daemon.lexicon.thing_knowledge import knowledge


def thing(state: dict[str, Any] | None = None, *properties: str, **at: str) -> Any:
    return lambda name: Item(name, 0.5, frozenset(properties or ("pickupable",)), state or {}, tuple(at.items()))


def examined(order: str, holding: str = "", **things: Any) -> Finding:
    around = Surroundings(tuple(make(name) for name, make in things.items()), (holding,) if holding else ())
    return examine(order, around, TOOLS, SceneAnswerer(TOOLS, household_questions()))


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ("Oh no, my tea is cold! Bring me the cup, dear.", "Bring me the cup"),
        ("I know you're busy, but could you bring me the cup?", "bring me the cup"),
        ("I was wondering if you could bring me the cup", "bring me the cup"),
        ("bring me the cup so that I can drink", "bring me the cup"),
        ("the cup on the shelf, bring it", "bring the cup on the shelf"),
        ("The cup is on the shelf. Bring it, will you?", "Bring The cup that is on the shelf"),
        ("bring me the cup, it's on the shelf", "bring me the cup that is on the shelf"),
        ("The cup belongs on the shelf.", "put The cup on the shelf"),
        ("please make sure the lamp is off", "turn off the lamp"),
        ("the small cup, please", "bring the small cup"),
        ("If you have a second, bring me the cup", "bring me the cup"),
        ("bring me the cup whenever it suits you", "bring me the cup"),
        ("Before the film starts, bring me the cup and hold on to it", "bring me the cup"),
        ("There should be one cup left in the box; take it out", "take one cup left in the box out"),
    ],
)
def test_what_is_only_said_beside_an_order_is_left_out(said: str, order: str) -> None:
    assert the_order(said) == order


@pytest.mark.parametrize(
    "said",
    ["Don't, whatever happens, open the red box", "when the bowl is empty, bring it", "the trash needs to be emptied"],
)
def test_what_forbids_or_says_when_or_only_tells_is_no_order_to_be_done_now(said: str) -> None:
    assert read_order(said).action == ""


@pytest.mark.parametrize(
    ("said", "thing", "condition"),
    [
        ("if the bowl is empty, bring it", "bowl", (("filled", False),)),
        ("If there is nothing in the bucket, please pick it up; I want to mop.", "bucket", (("filled", False),)),
        ("as long as the lamp is on, bring me the book", "book", (("on", True),)),
    ],
)
def test_a_condition_may_come_first(said: str, thing: str, condition: object) -> None:
    order = read_order(said)
    assert order.target is not None
    assert (order.target.noun, order.condition) == (thing, condition)


def test_to_hold_on_to_a_thing_is_to_take_it() -> None:
    order = read_order("hold on to the cup")
    assert order.target is not None
    assert (order.action, order.target.noun) == ("pick", "cup")


def test_on_the_left_is_no_place_to_look_for() -> None:
    order = read_order("bring me the cold one on the left")
    assert order.target is not None
    assert (order.target.relations, order.target.noun) == ((), "cold one on left")


def test_another_order_that_follows_is_not_left_out() -> None:
    assert the_order("take the cup, my dear, then open the fridge") == "take the cup, open the fridge"


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ("would you mind getting the cup", "pick"),
        ("putting the cup on the shelf", "place"),
        ("cut the bread up", "slice"),
        ("pull the book out", "pick"),
        ("make off the lamp", "turnoff"),
    ],
)
def test_a_verb_is_known_in_its_forms(said: str, action: str) -> None:
    assert read_order(said).action == action


@pytest.mark.parametrize(
    ("said", "what", "whom"),
    [
        ("give the nurse the cup", "cup", "nurse"),
        ("give the cup next to the lamp to the man close to the door", "cup", "man"),
        ("hand this to the child in the chair", "", "child"),
    ],
)
def test_for_whom_a_thing_is_may_stand_first_or_last(said: str, what: str, whom: str) -> None:
    order = read_order(said)
    assert order.target is not None
    assert order.place is not None
    assert (order.action, order.target.noun, order.place.noun) == ("handover", what, whom)


CUPS = {
    "Cup_1": thing({"colour": "grey", "size": "large", "material": "wood", "charged": True}, left_of="Lamp"),
    "Cup_2": thing({"colour": "red", "size": "small", "material": "steel", "charged": False}, in_front_of="Lamp"),
    "Lamp": thing({"on": True}, "toggleable", left_of="Vase"),
    "Vase": thing(),
}


@pytest.mark.parametrize(
    ("order", "meant"),
    [
        ("take the gray cup", "Cup_1"),
        ("take the smallest cup", "Cup_2"),
        ("take the cup made of metal", "Cup_2"),
        ("take the wooden cup", "Cup_1"),
        ("take the cup that is still charged", "Cup_1"),
        ("take the cup which isn't red", "Cup_1"),
        ("take a cup, but not the big one", "Cup_2"),
        ("take not the red cup but the grey one", "Cup_1"),
        ("take the cup that's behind the lamp", "Cup_1"),
    ],
)
def test_a_thing_is_told_by_what_it_is_like(order: str, meant: str) -> None:
    finding = examined(order, **CUPS)
    assert (finding.final, finding.grounded) == (Final.NONE, (meant,))


@pytest.mark.parametrize("word", ["blue", "plastic", "medium"])
def test_what_nothing_here_is_like_is_not_here(word: str) -> None:
    finding = examined(f"take the {word} cup", **CUPS)
    assert finding.final is Final.UNFEASIBILITY
    assert f"any {word} cup" in finding.explanation


def test_a_word_that_is_part_of_a_name_or_of_which_nothing_is_known_rules_nothing_out() -> None:
    assert examined("take the orange juice", OrangeJuice=thing({"colour": "yellow"})).final is Final.NONE
    assert examined("take the blue cup", Cup=thing()).final is Final.NONE


def test_between_two_things_is_beside_both() -> None:
    rest = {"Lamp": thing(None, "toggleable"), "Vase": thing()}
    jars = {"Jar_1": thing(left_of="Lamp")}
    jars["Jar_2"] = lambda name: Item(
        name, 0.5, frozenset(["pickupable"]), {}, (("right_of", "Lamp"), ("left_of", "Vase"))
    )
    assert examined("take the jar between the lamp and the vase", **jars, **rest).grounded == ("Jar_2",)


def test_what_is_held_is_given_to_the_person_who_is_described() -> None:
    people = {"Man_1": thing({}, "x", next_to="Bed"), "Man_2": thing({}, "x", next_to="Door")}
    things = {"Cup": thing(), "Bed": thing(), "Door": thing(), **people}
    assert examined("give it to the gentleman by the door", "Cup", **things).grounded == ("Cup", "Man_2")
    assert examined("give it to the man", "Cup", **things).final is Final.AMBIGUITY


def test_what_is_locked_is_unlocked_by_a_person() -> None:
    finding = examined("open the safe", Safe=thing({"open": False, "locked": True}, "openable"))
    assert finding.explanation == "The safe is locked."
    assert plan_from("open the safe", finding)[0].startswith("ask('The safe is locked")


def test_a_person_is_asked_to_move_what_no_hand_can() -> None:
    things = {"Door": thing({"open": False}, "openable", blocked_by="Bench"), "Bench": thing({}, "receptacle")}
    finding = examined("open the door", **things)
    assert plan_from("open the door", finding)[0].startswith("ask('The bench")


@pytest.mark.parametrize(
    ("purpose", "name", "fits"),
    [
        ("you drive nails with", "Hammer", True),
        ("playing music", "Radio", True),
        ("you drive nails with", "Radio", False),
    ],
)
def test_a_thing_is_known_by_what_one_does_with_it(purpose: str, name: str, fits: bool) -> None:
    assert (knowledge().purpose_fit(purpose, name) > 0.5) is fits


@pytest.mark.parametrize(
    ("said", "purpose"),
    [
        ("take what paper is cut with", "paper is cut with"),
        ("bring me what the doctor listens to hearts with", "the doctor listens to hearts with"),
        ("open the thing the laundry gets clean in", "the laundry gets clean in"),
        ("turn on whatever blows cool air around", "blows cool air around"),
        ("bring whatever one writes with", "one writes with"),
    ],
)
def test_a_thing_may_be_said_by_what_is_done_with_it(said: str, purpose: str) -> None:
    target = read_order(said).target
    assert target is not None
    assert (target.noun, target.purpose) == ("thing", purpose)


def test_a_place_may_be_said_by_what_is_done_there() -> None:
    order = read_order("put the parcel where it gets weighed")
    assert order.target is not None
    assert order.place is not None
    assert (order.target.noun, order.place.purpose) == ("parcel", "it gets weighed")


@pytest.mark.parametrize(
    ("thing", "blade"),
    [("Bread", "knife"), ("WrappingPaper", "scissors"), ("WoodenPlank", "saw"), ("Cable", "wire cutter")],
)
def test_what_a_thing_is_cut_with(thing: str, blade: str) -> None:
    assert blade_for(thing) == blade
