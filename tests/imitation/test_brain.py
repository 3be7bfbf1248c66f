"""The brain without weights: how it reads a sentence, and what it does about it."""

import ast

import pytest

from daemon.imitation.adapted_program import substituted
from daemon.imitation.english.object_phrases import ALL, choose
from daemon.imitation.english.vocabulary import Names
from daemon.imitation.english.what_is_asked import read_request, read_requests
from daemon.lexicon.inflection import singular
from daemon.lexicon.word_meanings import lexicon, stems
from daemon.transcript import PARTS
from sim.rehearsal import RehearsalGoal
from tests.support.worlds import ROOT, Kitchen

DAEMON = ROOT / "daemon"
READERS = ("console", "imitation")

ROOM = Names(
    objects=(
        ("root_beer", "thing", "desk"),
        ("mineral_water", "thing", "desk"),
        ("peach", "thing", "left_shelf"),
        ("pretzels", "thing", "left_shelf"),
        ("pear_1", "thing", "desk"),
        ("pear_2", "thing", "desk"),
        ("paper_towel", "thing", "right_shelf"),
    ),
    places=("desk", "left_shelf", "right_shelf", "bin", "person"),
    aliases=(("kitchen roll", "paper_towel"), ("waste basket", "bin"), ("shelf by the door", "left_shelf")),
)


def meant(text: str, within: tuple[str, ...] = ()) -> list[str]:
    """The objects that a clause means."""
    found: list[str] = []
    for mention in read_request(text, ROOM).mentions:
        found += choose(mention, ROOM, within, found)
    return found


@pytest.mark.parametrize(
    ("text", "objects"),
    [
        ("bring me the peach", ["peach"]),
        ("bring me something to drink", ["mineral_water"]),
        ("bring me a fizzy drink", ["root_beer"]),
        ("get the kitchen roll", ["paper_towel"]),
        ("I need something to wipe the desk with", ["paper_towel"]),
        ("bring two pears", ["pear_1", "pear_2"]),
        ("bring two different fruits", ["pear_1", "peach"]),
        ("throw all the drinks away", ["root_beer", "mineral_water"]),
        ("bring me a salty snack", ["pretzels"]),
        ("bring me a snack that is not a fruit", ["pretzels"]),
        ("a peach, a root beer, and some pretzels", ["peach", "root_beer", "pretzels"]),
        ("bring me the banana", []),
        ("bring me the peach juice", []),
    ],
)
def test_a_phrase_means_the_things_that_fit_all_of_it(text: str, objects: list[str]) -> None:
    assert meant(text) == objects


def test_the_drink_may_be_several_and_a_drink_is_any() -> None:
    assert meant("bring me the drink") == ["mineral_water", "root_beer"]
    assert len(meant("bring me a drink")) == 1


def test_where_things_are_narrows_what_is_meant() -> None:
    assert meant("bring me the fruit", within=("left_shelf",)) == ["peach"]
    assert meant("bring me the fruit", within=("bin",)) == []


def test_a_slip_of_the_keyboard_is_understood_and_an_ordinary_word_left_alone() -> None:
    assert [m.phrase for r in read_requests("bring me the paech", ROOM) for m in r.mentions] == ["peach"]
    assert read_requests("it is cold here", ROOM)[0].text == "it is cold here"


def test_a_sentence_is_cut_where_another_request_begins() -> None:
    requests = read_requests("could you throw the peach away and then bring me a drink, please?", ROOM)
    assert [request.masked for request in requests] == ["throw the object away", "bring me the object"]


def test_a_list_is_not_cut() -> None:
    (request,) = read_requests("bring me the peach, the waste basket and the pretzels", ROOM)
    assert [mention.phrase for mention in request.mentions] == ["peach", "pretzels"]


def test_how_things_are_is_background_for_what_is_asked() -> None:
    told, asked = read_requests("I left my peach somewhere, can you bring it to me?", ROOM)
    assert (told.background, asked.background) == (True, False)


def test_places_are_from_into_or_at() -> None:
    request = read_request("move the peach from the left shelf into the waste basket", ROOM)
    assert (request.targets, request.places, request.sources) == (("bin",), (), ("left_shelf",))
    assert read_request("the pear on the desk", ROOM).places == ("desk",)


def test_everything_has_no_number() -> None:
    assert read_request("throw everything away", ROOM).mentions[0].count == ALL


def test_words_compare_in_the_singular() -> None:
    assert stems("Cookies and cherries") == (singular("cookie"), "and", singular("cherry"))


def test_a_property_has_exceptions() -> None:
    assert lexicon().typicality("sugary", stems("root beer")) is not None
    assert lexicon().excludes("sugary", stems("diet cola"))


# --- what it does, in the kitchen ---


def test_a_compound_request_is_done_in_its_order(kitchen: Kitchen) -> None:
    kitchen.talk("put the sponge on the table and bring me the apple")
    assert (kitchen.where("sponge"), kitchen.where("apple")) == ("table", "person")


def test_what_somebody_does_meanwhile_is_no_part_of_the_thing_to_hold(kitchen: Kitchen) -> None:
    kitchen.talk("hold on to the cup while I pour")
    assert [thing.name for thing in kitchen.robot.scene.things() if thing.held_by] == ["cup"]


def test_a_semicolon_cuts_nothing_off(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the tea; and the juice")
    assert (kitchen.where("tea"), kitchen.where("juice")) == ("person", "person")


def test_what_stands_between_two_parts_is_named_and_read_in_one_place() -> None:
    """A list that people read may be joined by it; nobody else gives it a name, or cuts at it."""
    found = []
    for file in [DAEMON / "transcript.py", *(file for room in READERS for file in (DAEMON / room).rglob("*.py"))]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.Assign(value=ast.Constant(value=value))
                    | ast.Call(func=ast.Attribute(attr="split" | "partition"), args=[ast.Constant(value=value), *_])
                ) if value == PARTS:
                    found.append(file.name)
    assert found == ["transcript.py"]


class SlipperyFingers:
    """In place of a robot's grip: so many closings take hold of nothing."""

    def __init__(self, kitchen: Kitchen, misses: int) -> None:
        self._grip, self._misses = kitchen.robot.grip, misses

    def __call__(self, arm: str, opening: float) -> RehearsalGoal:
        if opening < 0.01 and self._misses:
            self._misses -= 1
            return RehearsalGoal(())
        return self._grip(arm, opening)


@pytest.mark.parametrize(("misses", "place"), [(1, "person"), (2, "counter")])
def test_a_hand_that_missed_tries_once_more(
    kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch, misses: int, place: str
) -> None:
    monkeypatch.setattr(kitchen.robot, "grip", SlipperyFingers(kitchen, misses))
    kitchen.talk("bring me the cup")
    assert kitchen.where("cup") == place
    assert ("missed cup" in kitchen.seen.speech[-1]) == (misses == 2)


class ClumsyFingers(SlipperyFingers):
    """The first closing takes hold of nothing, and the second opening pushes the cup aside."""

    def __init__(self, kitchen: Kitchen) -> None:
        super().__init__(kitchen, 1)
        self._scene, self._openings = kitchen.robot.scene, 0

    def __call__(self, arm: str, opening: float) -> RehearsalGoal:
        self._openings += opening > 0.01
        if opening > 0.01 and self._openings == 2:
            x, y, z = self._scene.thing("cup").position
            self._scene.found("cup", (x + 0.07, y, z))
        return super().__call__(arm, opening)


def test_what_succeeds_at_the_third_try_is_not_tried_once_more(
    kitchen: Kitchen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kitchen.robot, "grip", ClumsyFingers(kitchen))
    kitchen.talk("bring me the cup")
    tried = [step for step in kitchen.seen.statements if step.startswith("grasp")]
    assert len(tried) == 3
    assert kitchen.where("cup") == "person"


def test_a_door_that_was_in_the_way_is_closed_again(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the milk")
    assert kitchen.where("milk") == "person"
    assert not kitchen.robot.scene.is_open("fridge")


def test_full_hands_put_something_down_where_one_has_to_be_free(kitchen: Kitchen) -> None:
    kitchen.talk("take the apple", "take the banana", "open the fridge")
    assert kitchen.seen.speech[-1] == "The fridge is open."
    assert kitchen.where("apple") == "counter"


def test_it_is_what_was_handled_last(kitchen: Kitchen) -> None:
    kitchen.talk("pick up the apple", "put it on the counter")
    assert kitchen.where("apple") == "counter"


def test_what_is_not_here_is_said_and_nothing_else_brought(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the pizza")
    assert kitchen.seen.speech == ["I do not see any pizza here."]


def test_several_that_are_meant_are_asked_about(kitchen: Kitchen) -> None:
    kitchen.talk("bring me the fruit", "the banana")
    assert kitchen.seen.speech[0] == "Which one do you mean: the apple or the banana?"
    assert (kitchen.where("banana"), kitchen.where("apple")) == ("person", "table")


def test_what_was_never_learned_is_admitted(kitchen: Kitchen) -> None:
    kitchen.talk("sing a song about the sea")
    assert kitchen.seen.speech == ["I have not learned how to do that yet."]


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("gloves", "Here are the gloves."),
        ("cookie", "Here is the cookie."),
        ("TV guide", "Here is the TV guide."),
        ("glass", "Here is the glass."),
    ],
)
def test_the_verb_agrees_with_what_is_named_now(thing: str, said: str) -> None:
    assert substituted("say('Here is the tea.')", {"tea": thing}) == f"say({said!r})"
