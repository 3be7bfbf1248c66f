"""The preconditions of heed's skills hold, or do not, in the world that a case describes."""

import pytest

from bench.support.described_scene import scene_of
from bench.support.hint_follower import follow_hints, refusal_of
from bench.support.household_robot import TOLD, household_questions, use_of
from bench.support.recovery_world import World
from daemon.console.raider.precondition_questions import DONE_BY, QUESTIONS, Deed
from daemon.console.raider.surroundings import Item, Surroundings
from skills.skill import load_skills

PICK, REST, DOOR = frozenset({"pickupable"}), frozenset({"receptacle"}), frozenset({"receptacle", "openable"})
CUP = Item("Cup", 0.5, PICK)
TABLE = Item("Table", 0.5, REST)
SHUT = Item("Fridge", 0.8, DOOR, {"open": False})
MILK = Item("Milk", 0.8, PICK, relations=(("inside", "Fridge"),))
NO_HELP = {"explanation_mentions": []}


def refused(deed: Deed, *items: Item, holding: tuple[str, ...] = ()) -> str:
    """The name of the precondition that speaks against a deed; "" where none does."""
    refusal = refusal_of(deed, Surroundings(items, holding))
    return refusal.condition.name if refusal else ""


@pytest.mark.parametrize(
    ("deed", "items", "holding", "name"),
    [
        (Deed("pick", "Cup"), [CUP], (), ""),
        (Deed("pick", "Cup"), [Item("Cup", 1.8, PICK)], (), "within reach"),
        (Deed("pick", "Cup", reach=0.4), [CUP], (), "within reach"),
        (Deed("pick", "Cup"), [CUP], ("Pot",), "hand free"),
        (Deed("pick", "Cup"), [CUP], ("Cup",), "not in hand yet"),
        (Deed("pick", "Milk"), [MILK, SHUT], (), "not shut in"),
        (Deed("pick", "Table"), [TABLE], (), "present"),
        (Deed("place", "Cup", "Table"), [CUP, TABLE], ("Cup",), ""),
        (Deed("place", "Cup", "Table"), [CUP, TABLE], (), "in hand"),
        (Deed("place", "Cup", "Fridge"), [CUP, SHUT], ("Cup",), "place open"),
        (Deed("place", "Cup", "Milk"), [CUP, MILK], ("Cup",), "takes things"),
        (Deed("open", "Fridge"), [SHUT], (), ""),
        (Deed("open", "Fridge"), [SHUT], ("Cup",), "hand free"),
        (Deed("open", "Table"), [TABLE], (), "has a door"),
        (Deed("handover", "Cup"), [CUP], ("Cup",), "at the person"),
    ],
)
def test_a_skill_refuses_in_a_described_world_by_its_own_preconditions(
    deed: Deed, items: list[Item], holding: tuple[str, ...], name: str
) -> None:
    assert refused(deed, *items, holding=holding) == name


def test_the_skill_that_is_asked_is_the_one_that_heed_has() -> None:
    assert use_of(Deed("pick", "Cup")).needs is load_skills()["grasp"].needs
    assert use_of(Deed("place", "Cup", "Table")).arguments == {"object": "Cup", "location": "Table"}


@pytest.mark.parametrize("action", DONE_BY)
def test_what_the_robot_asks_before_it_moves_is_what_is_measured(action: str) -> None:
    assert tuple(household_questions()[action])[: len(QUESTIONS[action])] == tuple(QUESTIONS[action])
    assert household_questions().keys() >= QUESTIONS.keys()


@pytest.mark.parametrize("action", DONE_BY)
def test_of_every_skill_some_precondition_is_asked_about_in_the_papers_words(action: str) -> None:
    assert any(condition.name in TOLD for condition in use_of(Deed(action, "", "there")).needs.conditions)
    assert len(household_questions()[action]) > 2


def test_what_lies_in_nothing_has_a_place_of_its_own_and_a_laptop_is_carried_and_opened() -> None:
    scene = scene_of(Surroundings((CUP, Item("Laptop", 0.5, frozenset({"pickupable", "openable"})))))
    assert scene.object("Cup").location == "the place of Cup"
    assert (scene.object("Laptop").held_by, scene.location("Laptop").door) == (None, "unknown")


def test_hints_lead_to_what_is_far_behind_a_door() -> None:
    far = [Item("Fridge", 3.0, DOOR, {"open": False}), Item("Milk", 3.0, PICK, relations=(("inside", "Fridge"),))]
    world = World(Surroundings(tuple(far)), NO_HELP)
    assert follow_hints(Deed("pick", "Milk"), world) == (True, ["move_to('Fridge')", "open_door('Fridge')"])


def test_a_hint_that_is_no_call_is_not_followed() -> None:
    world = World(Surroundings((CUP,), ("Pot",)), NO_HELP)
    assert follow_hints(Deed("pick", "Cup"), world) == (False, [])
    assert list(world.holding) == ["Pot"]
