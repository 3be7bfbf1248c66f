"""Names that machines made are told to a taught mind as people say them, and understood so."""

import pytest

from daemon.console.plain_names import PlainNames
from daemon.console.situation import Situation
from daemon.llm.model import NameScope
from daemon.memory.store import Memory
from sim.scene import Scene as Simulated
from skills.scene import Location, Scene, Thing
from tests.console.test_leading import Leader, memory  # noqa: F401
from tests.support.worlds import Kitchen


class Taught(Leader):
    """A mind that was taught."""

    taught = True


def scene(*names: str, places: tuple[str, ...] = ("table",), kind: str = "") -> Scene:
    things = tuple(Thing(name, kind, places[0], (0, 0, 0)) for name in names)
    return Scene(things, tuple(Location(place, "surface", (0, 0, 0)) for place in places))


@pytest.mark.parametrize(
    ("own", "plain"),
    [
        ("multivitamin-juice_0", "multivitamin_juice"),
        ("cup_large_0", "large_cup"),
        ("square-table-80x80_0", "square_table"),
        ("air-freshener", "air_freshener"),
    ],
)
def test_what_a_machine_put_into_a_name_is_left_out(own: str, plain: str) -> None:
    assert PlainNames.of(scene(own)).own == {plain: own}


@pytest.mark.parametrize("own", ["milk", "cup_1", "key_12", "blue_mug", "0"])
def test_a_name_that_somebody_gave_stays(own: str) -> None:
    assert PlainNames.of(scene(own)).own == {}


@pytest.mark.parametrize("others", [("milk",), ("milk-0",), ("oat_milk",), ("Milk",)])
def test_a_plain_name_that_may_mean_something_else_is_none(others: tuple[str, ...]) -> None:
    assert "milk" not in PlainNames.of(scene("milk_0", *others)).own
    assert PlainNames.of(scene("cup_0", "beaker", kind="cup")).own == {}


def test_a_taught_mind_reads_plain_names() -> None:
    seen = scene("milk_0", "cup_large_0", places=("square-table-80x80_0", "shelf"))
    told = Situation("the milk", seen, "square-table-80x80_0").told_as_taught.before
    assert "square_table: milk, large_cup" in told
    assert "you are at square_table" in told
    assert "square-table-80x80_0: milk_0" in Situation("the milk", seen).told.before


def test_what_is_written_is_meant_by_the_own_names() -> None:
    names = PlainNames.of(scene("milk_0"))
    block = "if seen('milk', 'table'):\n    bring('milk')\nelse:\n    say('No milk.')"
    assert names.meant(block) == block.replace("'milk'", "'milk_0'")
    assert names.meant("say('milk')") == "say('milk')"
    assert names.told("bring('milk_0')") == "bring('milk')"
    scope = NameScope(frozenset(), {"object": ("milk_0", "tea")})
    assert names.scope(scope) == NameScope(frozenset(), {"object": ("milk", "tea")})


LAB = {
    "locations": [
        "room",
        {"name": "table-80x80_0"},
        {"name": "shelf_0", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
    ],
    "objects": {
        "cup_large_0": {"category": "cup", "location": "table-80x80_0"},
        "apple-tea_0": {"category": "drink", "location": "shelf_0"},
        "milk_0": {"category": "drink", "location": "shelf_0"},
    },
    "robot": {"location": "room"},
}


@pytest.mark.parametrize(
    ("answer", "tea", "cup", "milk"),
    [
        ("bring('apple_tea')", "person", "table-80x80_0", "shelf_0"),
        ("put_all('shelf', 'table', 'milk')", "table-80x80_0", "table-80x80_0", "shelf_0"),
        ("take('large_cup')\nput('large_cup', 'shelf')", "shelf_0", "shelf_0", "shelf_0"),
        ("if seen('milk', 'table'):\n    bring('milk')\nelse:\n    bring('large_cup')", "shelf_0", "person", "shelf_0"),
        ("move_to('table')\ngrasp('large_cup')\nplace('large_cup', 'table')", "shelf_0", "table-80x80_0", "shelf_0"),
    ],
)  # fmt: skip
def test_what_a_taught_mind_writes_is_done(memory: Memory, answer: str, tea: str, cup: str, milk: str) -> None:  # noqa: F811
    lab = Kitchen(Taught([f"{answer}\nsay('There.')"]), memory, scene=Simulated.from_description(LAB))
    lab.talk("do that")
    assert [lab.where(name) for name in ("apple-tea_0", "cup_large_0", "milk_0")] == [tea, cup, milk]


def test_a_lesson_about_plain_names_holds_and_what_was_done_is_told_in_them(memory: Memory) -> None:  # noqa: F811
    mind = Taught(["forbid('apple_tea')", "bring('apple_tea')", "say('I may not.')", "bring('large_cup')", "pass"])
    lab = Kitchen(mind, memory, scene=Simulated.from_description(LAB))
    lab.talk("never the tea", "yes", "the tea", "the cup", "thanks")
    assert (lab.where("apple-tea_0"), lab.where("cup_large_0")) == ("shelf_0", "person")
    assert "grasp('large_cup')" in mind.prompts[-1].history
    assert "cup_large_0" not in mind.prompts[-1].history
