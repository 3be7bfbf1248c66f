"""A name that was taught is one for who reads the scene, and for code."""

import pytest

from daemon.console.learning.learned_names import learned_names, name_of_speaker, with_names
from daemon.memory.effect_rules import rule_of
from daemon.memory.effects import Meaning
from daemon.memory.store import Memory
from skills.scene import Location, Scene, Thing
from tests.console.test_leading import Leader, memory, told  # noqa: F401
from tests.support.worlds import Kitchen

HERE = (0.0, 0.0, 0.0)
SCENE = Scene(
    (
        Thing("iron_pot", "pot", "hob", HERE, aliases=("big pot",)),
        Thing("red_cup", "", "hob", HERE),
        Thing("cup", "", "hob", HERE),
    ),
    (Location("hob", "surface", HERE), Location("hall", "spot", HERE)),
)


@pytest.mark.parametrize(
    ("word", "phrase", "of"),
    [
        ("the beast", "the iron pot", ["iron_pot"]),
        ("the beast", "the big pot", ["iron_pot"]),
        ("base camp", "the hall", ["hall"]),
        ("cup", "the iron pot", []),
        ("tea time", "put the cup on the hob", []),
        ("the beast", "the wardrobe", []),
    ],
)
def test_what_was_given_a_name_has_it(word: str, phrase: str, of: list[str]) -> None:
    scene = with_names(SCENE, learned_names(SCENE, [rule_of(Meaning(word, phrase))]))
    ones = [*scene.objects, *scene.locations]
    assert [one.name for one in ones if word.removeprefix("the ") in one.aliases] == of
    assert scene.object("iron_pot").aliases[0] == "big pot"


def test_a_name_is_that_of_the_last_one_that_got_it() -> None:
    rules = [rule_of(Meaning("gloria", phrase)) for phrase in ("iron pot", "red cup")]
    assert learned_names(SCENE, rules) == {"gloria": "red_cup"}
    assert learned_names(SCENE, rules[:1]) == {"gloria": "iron_pot"}


@pytest.mark.parametrize(
    "asked",
    [
        "bring('gloria')",
        "move_to('fridge')\nopen_door('fridge')\ngrasp('the_gloria')\nmove_to('person')\nhandover('gloria')",
    ],
)
def test_a_mind_reads_the_name_and_may_use_it(memory: Memory, asked: str) -> None:  # noqa: F811
    model = Leader(["call_it('the gloria', 'the milk')", asked])
    kitchen = Kitchen(model, memory)
    kitchen.talk("we call the milk gloria", "yes", "gloria, please")
    assert "also gloria" in "".join(told(model.prompts[-1]))
    assert kitchen.where("milk") == "person"


def test_who_speaks_is_somebody_here_unless_something_has_that_name() -> None:
    room = Scene((Thing("rose", "flower", "hall", HERE),), (Location("person", "person", HERE),))
    assert name_of_speaker(room, "Mrs Hill") == {"mrs_hill": "person"}
    assert name_of_speaker(room, "Rose") == name_of_speaker(room, "") == name_of_speaker(SCENE, "Anna") == {}


@pytest.mark.parametrize("asked", ["bring('milk', 'anna')", "bring('milk', 'Anna')", "bring('milk')"])
def test_who_told_their_name_is_greeted_and_brought_things_under_it(memory: Memory, asked: str) -> None:  # noqa: F811
    model = Leader([asked])
    kitchen = Kitchen(model, memory)
    kitchen.talk("hello, I'm Anna", "the milk, please")
    assert kitchen.seen.speech[0] == "Hello, Anna."
    assert kitchen.where("milk") == "person"
    assert "# people: person, anna\n" in told(model.prompts[0])[0]


def test_what_somebody_says_besides_their_name_is_for_the_mind(memory: Memory) -> None:  # noqa: F811
    model = Leader(["say('It is on the shelf, Anna.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("I'm Anna, where is the tea?")
    assert kitchen.seen.speech == ["It is on the shelf, Anna."]


def test_skills_take_the_name_of_who_speaks_too(memory: Memory) -> None:  # noqa: F811
    kitchen = Kitchen(Leader(["move_to('Anna')\nsay('Here I am.')"]), memory)
    kitchen.talk("my name is Anna", "come to me")
    assert kitchen.seen.speech == ["Hello, Anna.", "Here I am."]
