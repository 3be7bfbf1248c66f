"""What things look like narrows a rule: it holds for all that look so, and for nothing else."""

import pytest

from daemon.console.learning.scope import is_in, looks_of
from daemon.imitation.english.look_phrases import with_nouns
from daemon.imitation.english.rewording import puts_on, reword
from daemon.imitation.english.scene_mentions import Situation
from daemon.imitation.english.teaching.lesson_reader import taught
from daemon.memory.effects import Belongs
from daemon.memory.prohibitions import KeptOff
from daemon.memory.rules import Scope
from daemon.memory.sentence_to_effect import read_effect
from skills.scene import Location, Scene, Thing

HERE = (0.0, 0.0, 0.0)
SCENE = Scene(
    (
        Thing("wet-towel_0", "", "shelf_0", HERE),
        Thing("dry-towel_0", "", "shelf_0", HERE),
        Thing("umbrella_0", "", "shelf_0", HERE, state={"wet": True, "colour": "blue"}),
        Thing("glass-vase_0", "", "shelf_0", HERE),
        Thing("red-ribbon_0", "", "shelf_0", HERE),
        Thing("gold-ribbon_0", "", "shelf_0", HERE),
    ),
    (Location("shelf_0", "surface", HERE), Location("wooden-table_0", "surface", HERE)),
)


@pytest.mark.parametrize(
    "said",
    [
        "never put wet things on the wooden table",
        "nothing wet may ever go on the wooden table",
        "in this house wet things don't go on the wooden table, ever",
        "wet stuff is not allowed on the wooden table",
    ],
)
def test_a_look_is_a_scope(said: str) -> None:
    assert taught(said, SCENE) == KeptOff(Scope(look="wet"), "wooden table")


@pytest.mark.parametrize(
    ("asked", "kept_off"),
    [
        ("put the wet towel on the wooden table", True),
        ("put the umbrella on the wooden table", True),
        ("put the dry towel on the wooden table", False),
        ("put the wet towel on the shelf", False),
    ],
)
def test_it_holds_for_what_looks_so_by_name_or_by_state(asked: str, kept_off: bool) -> None:
    assert puts_on(asked, Scope(look="wet"), "wooden table", Situation(SCENE)) is kept_off


def test_where_things_of_a_look_belong() -> None:
    effect = taught("anything made of glass belongs on the wooden table", SCENE)
    assert effect == Belongs("anything that is glass", "wooden table")
    assert read_effect(effect.sentence) == effect
    tidied, _ = reword("put the vase away", effect, Situation(SCENE))
    assert tidied == "put the glass vase in the wooden table"
    assert reword("put the umbrella away", effect, Situation(SCENE))[0] == "put the umbrella away"


def test_looks_come_from_names_and_state() -> None:
    towel, _, umbrella, *_ = SCENE.objects
    assert looks_of(towel) == {"wet"}
    assert looks_of(umbrella) == {"wet", "blue"}
    assert is_in(umbrella, Scope(look="blue"))
    assert not is_in(towel, Scope(look="blue"))


def test_the_gold_one_is_what_alone_can_be_meant() -> None:
    assert with_nouns("give me the gold one", SCENE) == "give me the gold ribbon"
    assert with_nouns("give me the green one", SCENE) == "give me the green one"
