"""Orders held against a described scene, with no language model: what is meant, and why it cannot work."""

from typing import Any

import pytest

from bench.support.household_robot import TOOLS, household_questions
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.surroundings import Item, Surroundings
from daemon.imitation.english.orders.first_stage import settle
from daemon.imitation.english.orders.order_reader import in_names, read_order
from daemon.imitation.english.orders.scene_answerer import SceneAnswerer

PICK, REST, SWITCH = {"pickupable"}, {"receptacle"}, {"toggleable"}
DOOR, OVEN, BURNER = {"openable", "receptacle"}, {"openable", "receptacle", "toggleable"}, {"toggleable", "receptacle"}
FOOD, DISH = {"pickupable", "sliceable"}, {"pickupable", "receptacle"}


def thing(properties: set[str] = PICK, far: float = 0.6, state: dict[str, Any] | None = None, **at: str) -> Any:
    """What a thing is like; `at` tells its relations: on_top_of="Table"."""
    return lambda name: Item(name, far, frozenset(properties), state or {}, tuple(at.items()))


def examined(order: str, holding: str = "", **things: Any) -> Finding:
    items = [make(name) for name, make in things.items()]
    around = Surroundings(tuple(items), (holding,) if holding else ())
    return examine(order, around, TOOLS, SceneAnswerer(TOOLS, household_questions()))


SHUT, OPEN, ON, OFF = {"open": False}, {"open": True}, {"on": True}, {"on": False}
DIRTY, CLEAN, WHOLE, SLICED = {"dirty": True}, {"dirty": False}, {"sliced": False}, {"sliced": True}


@pytest.mark.parametrize(
    ("order", "things", "options"),
    [
        ("pick the fruit", {"Apple": thing(), "Banana": thing(), "Fork": thing()}, ("Apple", "Banana")),
        ("bring me something to drink", {"Coke": thing(), "Water": thing(), "Fork": thing()}, ("Coke", "Water")),
        (
            "grab the dirty plate",
            {"Plate_1": thing(state=DIRTY), "Plate_2": thing(state=DIRTY), "Plate_3": thing(state=CLEAN)},
            ("Plate_1", "Plate_2"),
        ),
        ("open(Cabinet)", {"Cabinet_1": thing(DOOR, state=SHUT), "Cabinet_2": thing(DOOR)}, ("Cabinet_1", "Cabinet_2")),
        (
            "Please open the appliance that is closed",
            {"Fridge": thing(DOOR, state=SHUT), "Microwave": thing(OVEN, state=SHUT), "Oven": thing(OVEN, state=OPEN)},
            ("Fridge", "Microwave"),
        ),
        (
            "give me the cup on the table",
            {"Cup_1": thing(on_top_of="Table"), "Cup_2": thing(on_top_of="Table"), "Table": thing(REST)},
            ("Cup_1", "Cup_2"),
        ),
    ],
)
def test_two_that_fit_are_an_ambiguity(order: str, things: dict[str, Any], options: tuple[str, ...]) -> None:
    finding = examined(order, **things)
    assert (finding.final, finding.grounded) == (Final.AMBIGUITY, options)


@pytest.mark.parametrize(
    ("order", "holding", "things", "meant"),
    [
        ("pick(Apple)", "", {"Apple": thing(), "Plate": thing()}, "Apple"),
        (
            "turn on the lamp next to the bed",
            "",
            {"DeskLamp": thing(SWITCH, next_to="Bed"), "FloorLamp": thing(SWITCH), "Bed": thing(set())},
            "DeskLamp",
        ),
        (
            "turn off the burner under the pot",
            "",
            {
                "StoveBurner_1": thing(BURNER, state=ON),
                "StoveBurner_2": thing(BURNER, state=ON),
                "Pot": thing(DISH, on_top_of="StoveBurner_2"),
            },
            "StoveBurner_2",
        ),
        ("slice the vegetable", "Knife", {"Tomato": thing(FOOD), "Bread": thing(FOOD), "Knife": thing()}, "Tomato"),
        ("close the open drawer", "", {"Drawer_1": thing(DOOR, state=OPEN), "Drawer_2": thing(DOOR, state=SHUT)},
         "Drawer_1"),
        ("grab the device used for changing the channel", "",
         {"RemoteControl": thing(), "CellPhone": thing(), "Television": thing(SWITCH, 2.0)}, "RemoteControl"),
        ("pick the item that is on top of the box", "",
         {"Box": thing(), "Watch": thing(on_top_of="Box"), "Pen": thing()},
         "Watch"),
        ("turn on the thing I can watch movies on", "", {"Television": thing(SWITCH, state=OFF), "Laptop": thing()},
         "Television"),
        ("Pick the bread that is not sliced", "", {"Bread_1": thing(state=SLICED), "Bread_2": thing(state=WHOLE)},
         "Bread_2"),
        ("pick up the empty glass", "",
         {"Glass_1": thing(state={"empty": True}), "Glass_2": thing(state={"empty": False})},
         "Glass_1"),
        ("turn the light off", "", {"FloorLamp": thing(SWITCH, state=ON), "Sofa": thing(set())}, "FloorLamp"),
        ("pick the plate on which the apple lies", "",
         {"Plate_1": thing(DISH), "Plate_2": thing(DISH), "Apple": thing(on_top_of="Plate_1")}, "Plate_1"),
        ("open the container to the left of the fridge", "",
         {"Cabinet": thing(DOOR, left_of="Fridge"), "Fridge": thing(DOOR), "Drawer": thing(DOOR, right_of="Fridge")},
         "Cabinet"),
        ("take the second mug", "", {"Mug_1": thing(), "Mug_2": thing()}, "Mug_2"),
        ("take any mug", "", {"Mug_1": thing(far=0.9), "Mug_2": thing(far=0.7)}, "Mug_2"),
    ],
)  # fmt: skip
def test_what_is_described_is_found(order: str, holding: str, things: dict[str, Any], meant: str) -> None:
    finding = examined(order, holding, **things)
    assert (finding.final, finding.grounded[0]) == (Final.NONE, meant)


@pytest.mark.parametrize(
    ("order", "holding", "things", "words"),
    [
        ("open the microwave", "", {"Microwave": thing(OVEN, 2.0)}, "out of my reach"),
        ("place(Mug, CoffeeMachine)", "Mug", {"Mug": thing(), "CoffeeMachine": thing(BURNER, 1.9)}, "1.9 m away"),
        ("place(Mug, CoffeeMachine)", "Mug",
         {"Mug": thing(), "Cup": thing(inside="CoffeeMachine"), "CoffeeMachine": thing(BURNER)}, "cup is already in"),
        ("pick the book under the laptop", "",
         {"Book": thing(), "Laptop": thing(on_top_of="Book")}, "laptop lies on top"),
        ("open(Cabinet)", "", {"Cabinet": thing(DOOR, blocked_by="Chair"), "Chair": thing(set())}, "chair is blocking"),
        ("pick(Pot)", "", {"Pan": thing(), "Plate": thing()}, "do not see the pot"),
        ("take the dirty mug", "", {"Mug": thing(state=CLEAN)}, "mug is clean, not dirty"),
        ("pick the apple to the right of the banana", "", {"Apple": thing(left_of="Banana"), "Banana": thing()},
         "any apple to the right of"),
        ("close(Fridge)", "", {"Fridge": thing(DOOR, state=SHUT)}, "already closed"),
        ("grab the milk", "", {"Milk": thing(inside="Fridge"), "Fridge": thing(DOOR, state=SHUT)}, "fridge is closed"),
        ("switch on the microwave", "", {"Microwave": thing(OVEN, state=OPEN)}, "microwave is open"),
        ("pick the sofa", "", {"Sofa": thing(set())}, "too heavy"),
        ("slice(Plate)", "Knife", {"Plate": thing(), "Knife": thing()}, "cannot be sliced"),
        ("put the phone in the microwave", "CellPhone", {"CellPhone": thing(), "Microwave": thing(OVEN, state=OPEN)},
         "must not go into the microwave"),
        ("turn on the microwave", "",
         {"Fork": thing(inside="Microwave"), "Microwave": thing(OVEN, state=SHUT)}, "metal"),
        ("Could you open the fridge?", "Plate",
         {"Fridge": thing(DOOR, state=SHUT), "Plate": thing()}, "holding the plate"),
        ("put the pan on the burner", "Pot", {"Pan": thing(), "Pot": thing(), "StoveBurner": thing(BURNER)},
         "not holding the pan but the pot"),
        ("slice the bread", "", {"Bread": thing(FOOD, state=WHOLE)}, "need the knife"),
        ("take the bowl if it contains nothing", "", {"Bowl": thing(DISH), "Nut": thing(inside="Bowl")}, "not empty"),
        ("put the cup in the sink if the sink is empty", "Cup",
         {"Cup": thing(), "Sink": thing(REST), "Pot": thing(inside="Sink")}, "sink is not empty"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_explained(order: str, holding: str, things: dict[str, Any], words: str) -> None:
    finding = examined(order, holding, **things)
    assert finding.final is Final.UNFEASIBILITY
    assert words in finding.explanation


def test_the_first_stage_says_the_same_where_things_are_named() -> None:
    around = Surroundings((Item("Apple", 1.8, frozenset(["pickupable"])),))
    first = settle(read_order("pick(Apple)"), around, TOOLS, household_questions())
    second = examine("pick(Apple)", around, TOOLS, SceneAnswerer(TOOLS, household_questions()))
    assert first is not None
    assert (first.final, first.explanation, first.grounded) == (second.final, second.explanation, second.grounded)


@pytest.mark.parametrize("order", ["pick the fruit", "pick(Mug)", "pick the dirty plate", "juggle(Apple)", "hello"])
def test_the_first_stage_leaves_what_takes_thinking(order: str) -> None:
    around = Surroundings(tuple(Item(name) for name in ("Apple", "Mug_1", "Mug_2", "Plate")))
    assert settle(read_order(order), around) is None


@pytest.mark.parametrize(
    "order", ["", "?", "pick", "put it", "(((", "the the the", "turn on", "if", "x" * 2000, "put a in"]
)
def test_nothing_that_is_said_breaks_it(order: str) -> None:
    assert examined(order, Cup=thing()).final in set(Final)


@pytest.mark.parametrize(
    ("said", "target", "place"),
    [
        ("I need a pen, can you hand it over to me?", "pen", ""),
        ("take the cup and put it on the shelf", "cup", "shelf"),
        ("warm up the soup: place it in the microwave", "soup", "microwave"),
        ("set the tomato down on the table", "tomato", "table"),
        ("carry the table to the window", "table", "window"),
        ("cut the cucumber into slices", "cucumber", ""),
        ("light the lamp, would you", "lamp", ""),
        ("pick up the shoe next to the bed", "shoe", ""),
        ("I would like some tea", "tea", ""),
    ],
)
def test_what_people_say_is_read_as_an_order(said: str, target: str, place: str) -> None:
    order = read_order(said)
    assert order.target is not None
    assert (order.target.noun, order.place.noun if order.place else "") == (target, place)


def test_what_was_meant_stays_meant_when_what_described_it_is_gone() -> None:
    assert in_names("fetch whatever lies under the newspaper", ("CreditCard",)) == "fetch the credit card"


def test_something_for_which_nothing_here_is_good_is_absent() -> None:
    finding = examined("take something to read", Vase=thing(), Mug=thing())
    assert finding.final is Final.UNFEASIBILITY


@pytest.mark.parametrize(
    ("order", "holding", "things", "meant"),
    [
        ("It's dead quiet in this house. Let me have some music, champ.", "",
         {"Radio": thing(SWITCH, state=OFF), "Fan": thing(SWITCH, state=OFF)}, "Radio"),
        ("I'm freezing, we need a bit of warmth.", "",
         {"Heater": thing(SWITCH, state=OFF), "Scarf": thing()}, "Heater"),
        ("The butter is melting in your hand! Put it somewhere cold.", "Butter",
         {"Butter": thing(), "Fridge": thing(DOOR, state=OPEN), "Bench": thing(REST)}, "Butter"),
        ("The heater is not off yet. Please see to it.", "",
         {"Heater_1": thing(SWITCH, state=OFF), "Heater_2": thing(SWITCH, state=ON)}, "Heater_2"),
        ("My back hurts, fetch me something strong for the pain.", "", {"Aspirin": thing(), "Pen": thing()}, "Aspirin"),
        ("hand me the mug beside the brolly", "",
         {"Mug_1": thing(), "Mug_2": thing(next_to="Umbrella"), "Umbrella": thing()}, "Mug_2"),
        ("The red mug is chipped. Would you bring me the blue one?", "",
         {"Mug_1": thing(state={"colour": "red"}), "Mug_2": thing(state={"colour": "blue"})}, "Mug_2"),
        ("This small hat pinches; could I have one a touch larger?", "",
         {"Hat_1": thing(state={"size": "small"}), "Hat_2": thing(state={"size": "large"})}, "Hat_2"),
        ("The spoons live in the drawer beside the stove. Put it there, please.", "Spoon",
         {"Spoon": thing(), "Drawer": thing(DOOR, state=OPEN), "Stove": thing(SWITCH)}, "Spoon"),
        ("Bring me the fork. No, wait. Bring me the spoon.", "", {"Fork": thing(), "Spoon": thing()}, "Spoon"),
        ("take the top plate of the pile", "",
         {"Plate_1": thing(DISH, on_top_of="Plate_2"), "Plate_2": thing(DISH)}, "Plate_1"),
        ("Take the cup off the tray.", "",
         {"Cup_1": thing(on_top_of="Bench"), "Cup_2": thing(on_top_of="Tray"), "Tray": thing(DISH),
          "Bench": thing(REST)}, "Cup_2"),
    ],
)  # fmt: skip
def test_what_is_to_be_or_where_by_its_sort_is_understood(
    order: str, holding: str, things: dict[str, Any], meant: str
) -> None:
    finding = examined(order, holding, **things)
    assert (finding.final, finding.grounded[0]) == (Final.NONE, meant)


@pytest.mark.parametrize(
    ("order", "things", "words"),
    [
        ("lift out the bottom tray of the pile", {"Tray_1": thing(DISH, on_top_of="Tray_2"), "Tray_2": thing(DISH)},
         "tray 1 lies on top"),
        ("take the cup off the tray", {"Cup": thing(on_top_of="Bench"), "Tray": thing(DISH), "Bench": thing(REST)},
         "cup in or on the tray"),
    ],
)  # fmt: skip
def test_what_lies_elsewhere_or_at_the_bottom_is_told(order: str, things: dict[str, Any], words: str) -> None:
    finding = examined(order, **things)
    assert finding.final is Final.UNFEASIBILITY
    assert words in finding.explanation
