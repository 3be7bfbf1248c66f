"""Goals in an answer: the way there is found from what is seen."""

import pytest

from daemon.console.confidence_guard import LEAVE_IT, Careful
from daemon.console.goals.goal import Goal
from daemon.llm.model import Other, Prompt
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.console.test_leading import Leader, memory  # noqa: F401
from tests.support.worlds import Kitchen

FLAT = {
    "robot": {"location": "hall"},
    "locations": [
        "hall",
        {"name": "table"},
        {"name": "larder", "kind": "container", "door": "closed"},
        {"name": "fridge", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
        {"name": "mia", "kind": "person", "aliases": ["our girl"]},
    ],
    "objects": {
        "bread": {"category": "food", "location": "larder"},
        "honey": {"category": "food", "location": "larder"},
        "milk": {"category": "drink", "location": "fridge"},
        "cup": {"category": "cup", "location": "table"},
        "bowl": {"category": "dish", "location": "table", "holds": 3},
        "reading_glasses": {"category": "glasses", "location": "mia"},
    },
}


def done(memory: Memory, *answers: str, sentences: int = 1) -> Kitchen:  # noqa: F811
    """What comes of answers to some sentences."""
    flat = Kitchen(Leader(answers), memory, scene=Scene.from_description(FLAT))
    flat.talk(*["do it"] * sentences)
    return flat


def statements(flat: Kitchen) -> list[str]:
    return [statement for statement in flat.seen.statements if not statement.startswith("wait_for")]


@pytest.mark.parametrize(
    ("written", "goal"),
    [
        ("bring('cup')", Goal("bring", "cup", "person")),
        ("bring('cup', 'mia')", Goal("bring", "cup", "mia")),
        ("put('cup', 'table')", Goal("put", "cup", "table")),
        ("go('hall')", Goal("go", place="hall")),
        ("open('fridge')", Goal("open", place="fridge")),
        ("put('cup')", None),
        ("bring(cup, 'mia')", None),
        ("bring('cup', to='mia')", None),
        ("say('bring it')", None),
        ("grasp('cup')", None),
        ("for x in", None),
    ],
)
def test_goals_are_plain_calls(written: str, goal: Goal | None) -> None:
    assert Goal.of(written) == goal


def test_a_thing_is_brought_from_behind_a_door(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "bring('bread', 'mia')\nsay('Here.')")
    assert statements(flat) == [
        *("move_to('larder')", "open_door('larder')", "grasp('bread')", "close_door('larder')"),
        *("move_to('mia')", "handover('bread')", "say('Here.')"),
    ]


@pytest.mark.parametrize(
    ("written", "last", "where"),
    [
        ("put('cup', 'mia')", "handover('cup')", "mia"),
        ("bring('cup', 'larder')", "close_door('larder')", "larder"),
        ("put_all('table', 'our girl')", "handover('bowl')", "mia"),
    ],
)
def test_a_person_is_handed_what_a_place_gets_put(memory: Memory, written: str, last: str, where: str) -> None:  # noqa: F811
    flat = done(memory, written)
    assert statements(flat)[-2] == last
    assert flat.where("cup") == where


def test_two_things_that_lie_together_go_together(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "bring('bread')\nbring('honey')\nsay('Both.')")
    assert (flat.where("bread"), flat.where("honey")) == ("person", "person")
    assert flat.trips_to("person") == 1
    assert statements(flat)[-3:] == ["move_to('larder')", "close_door('larder')", "say('Both.')"]


def test_things_go_into_a_closed_place_one_by_one(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put('cup', 'fridge')\nput('bread', 'fridge')\nsay('Both.')")
    assert (flat.where("cup"), flat.where("bread")) == ("fridge", "fridge")
    doors = {place["name"]: place["door"] for place in flat.robot.observe()["locations"] if place["door"]}
    assert doors == {"fridge": "closed", "larder": "closed"}


def test_a_closed_place_stays_open_for_all_that_goes_into_it(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put('cup', 'fridge')\nput('bread', 'fridge')\nput('bowl', 'fridge')\nsay('All.')")
    assert {flat.where(thing) for thing in ("cup", "bread", "bowl")} == {"fridge"}
    assert [one for one in statements(flat) if "door('fridge')" in one] == [
        "open_door('fridge')",
        "close_door('fridge')",
    ]
    assert statements(flat)[-2:] == ["close_door('fridge')", "say('All.')"]


@pytest.mark.parametrize("last", ["put('anvil', 'fridge')", "put('cup', 'fridge')", "put('honey', 'fridge')"])
def test_a_closed_place_stays_open_for_nothing_that_does_not_come(memory: Memory, last: str) -> None:  # noqa: F811
    lesson, answer = "forbid('honey', place='fridge')", f"put('cup', 'fridge')\n{last}\nsay('All.')"
    flat = Kitchen(Leader([lesson, answer, "say('Only the cup.')"]), memory, scene=Scene.from_description(FLAT))
    flat.talk("keep that", "yes", "do it")
    assert flat.where("cup") == "fridge"
    assert next(place["door"] for place in flat.robot.observe()["locations"] if place["name"] == "fridge") == "closed"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("put('cup', 'fridge')\nput('bread', 'fridge')\ntell('fridge')", "The fridge is closed."),
        ("bring('bread')\nbring('honey')\ntell('larder')", "The larder is closed."),
        ("put('cup', 'fridge')\ntell('cup')", "The cup is in the fridge."),
    ],
)
def test_what_is_told_is_as_it_is_then(memory: Memory, answer: str, told: str) -> None:  # noqa: F811
    assert done(memory, answer).seen.speech[0].startswith(told)


@pytest.mark.parametrize("thing", ["bread", "cup"])
def test_a_thing_can_be_put_into_a_bowl_also_where_it_stands_beside_it(memory: Memory, thing: str) -> None:  # noqa: F811
    assert done(memory, f"put('{thing}', 'bowl')\nsay('In the bowl.')").where(thing) == "bowl"


def test_what_lies_in_the_bowl_already_stays(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put('cup', 'bowl')\nsay('There.')", "put('cup', 'bowl')\nsay('It is.')", sentences=2)
    assert statements(flat).count("grasp('cup')") == 1


def test_all_of_a_table_goes_into_the_bowl_that_stands_there_but_for_the_bowl(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put_all('table', 'bowl')\nsay('Done.')", "put_all('table', 'bowl')\nsay('So.')", sentences=2)
    assert (flat.where("cup"), flat.where("bowl")) == ("bowl", "table")
    assert [statement for statement in statements(flat) if statement.startswith("grasp")] == ["grasp('cup')"]


def test_what_carries_the_bowl_stays_where_it_is(memory: Memory) -> None:  # noqa: F811
    tray = {"tray": {"category": "dish", "location": "table", "holds": 3}}
    things = tray | FLAT["objects"]
    things["bowl"] = {"category": "dish", "location": "tray", "holds": 3}
    flat = Kitchen(
        Leader(["put_all('table', 'bowl')\nsay('Done.')"]),
        memory,
        scene=Scene.from_description(FLAT | {"objects": things}),
    )
    flat.talk("all of the table into the bowl")
    assert (flat.where("cup"), flat.where("bowl"), flat.where("tray")) == ("bowl", "tray", "table")


def test_nothing_can_be_put_onto_what_holds_nothing(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put('cup', 'reading_glasses')\nsay('There.')")
    assert flat.where("cup") != "reading_glasses"
    assert "reading glasses" in flat.seen.speech[0]


def test_what_is_held_is_not_fetched_and_what_is_there_stays(memory: Memory) -> None:  # noqa: F811
    flat = done(
        memory, "take('cup')\nsay('I have it.')", "bring('cup')\nput('bowl', 'table')\nsay('Here.')", sentences=2
    )
    assert statements(flat) == [
        *("move_to('table')", "grasp('cup')", "say('I have it.')"),
        *("move_to('person')", "handover('cup')", "say('Here.')"),
    ]


def test_what_is_not_there_is_told_by_the_skill(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "bring('cake')\nsay('Here is the cake.')", "say('There is no cake.')")
    assert flat.seen.speech == ["There is no cake."]
    assert "grasp('cake')" in statements(flat)


def test_an_error_ends_the_way_and_the_answer(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "open('table')\nbring('cup')\nsay('Done.')", "say('It has no door.')")
    assert flat.seen.speech == ["It has no door."]
    assert flat.where("cup") == "table"


def test_a_goal_that_lacks_a_part_says_which(memory: Memory) -> None:  # noqa: F811
    flat = done(memory, "put('cup')", "put('cup', 'fridge')\nsay('It is in the fridge.')")
    assert any("put() takes a thing and a place" in result for result in flat.seen.results)
    assert flat.where("cup") == "fridge"


@pytest.mark.parametrize(
    ("lesson", "goal", "refused", "told"),
    [
        ("forbid('honey')", "bring('honey')", "handover('honey')", "never to bring the honey. Hint: leave it"),
        ("forbid('honey', place='table')", "put('honey', 'table')", "place('honey', 'table')", "never to put"),
        ("forbid('honey', touch=True)", "take('honey')", "grasp('honey')", "never to touch the honey"),
    ],
)
def test_what_a_lesson_refuses_is_refused_before_anything_moves(
    memory: Memory,  # noqa: F811
    lesson: str,
    goal: str,
    refused: str,
    told: str,
) -> None:
    flat = Kitchen(Leader([lesson, goal, "say('No.')"]), memory, scene=Scene.from_description(FLAT))
    flat.talk("never again", "yes", "do it all the same")
    tried = [statement for statement in statements(flat) if not statement.startswith("forbid")]
    assert tried == [refused, "say('No.')"]
    assert told in "".join(flat.seen.results)
    assert flat.where("honey") == "larder"


@pytest.mark.parametrize(
    ("rule", "said", "answer", "at_the_person"),
    [
        ("When you ask for milk, I also bring the cup.", "milk", "bring('milk')\nsay('Here.')", {"milk", "cup"}),
        ("When you ask for a drink, I also bring a cup.", "milk", "bring('milk')", {"milk", "cup"}),
        ("When you ask for any drink, I also bring the cup.", "milk", "bring('milk')\nbring('cup')", {"milk", "cup"}),
        ("When you ask for milk, I also bring the cup.", "milk, but no cup", "bring('milk')", {"milk"}),
        ("When you ask for milk, I also bring the cup.", "some bread", "bring('bread')", {"bread"}),
        ("When you ask for milk, I also bring the spoon.", "milk", "bring('milk')", {"milk"}),
        ("When Mia asks for milk, I also bring the cup.", "milk", "bring('milk')", {"milk"}),
    ],
)
def test_what_a_lesson_brings_along_comes_along_though_the_mind_forgets_it(
    memory: Memory,  # noqa: F811
    rule: str,
    said: str,
    answer: str,
    at_the_person: set[str],
) -> None:
    flat = Kitchen(Leader([f"remember({rule!r})", answer]), memory, scene=Scene.from_description(FLAT))
    flat.talk("from now on", "yes", said)
    assert {thing for thing in FLAT["objects"] if flat.where(thing) == "person"} == at_the_person
    assert flat.trips_to("person") == 1


@pytest.mark.parametrize(
    ("answer", "comes_along"),
    [("bring('bread')", "butter"), ("bring('bread')\nbring('apple_butter')", "apple_butter")],
)
def test_of_several_that_would_do_one_comes_along_the_one_that_is_called_so_where_the_mind_names_none(
    memory: Memory,  # noqa: F811
    answer: str,
    comes_along: str,
) -> None:
    butters = {name: {"category": "food", "location": "fridge"} for name in ("apple_butter", "butter")}
    flat = Kitchen(
        Leader(["remember('When you ask for bread, I also bring the butter.')", answer]),
        memory,
        scene=Scene.from_description({**FLAT, "objects": {**FLAT["objects"], **butters}}),
    )
    flat.talk("from now on", "yes", "some bread")
    assert {thing for thing in butters if flat.where(thing) == "person"} == {comes_along}


def with_mugs(tin_mug: str = "fridge") -> Scene:
    """The flat with a green mug in the fridge, and a tin mug there or elsewhere."""
    places = {"green_mug": "fridge", "tin_mug": tin_mug}
    mugs = {name: {"category": "mug", "location": place} for name, place in places.items()}
    return Scene.from_description({**FLAT, "objects": {**FLAT["objects"], **mugs}})


def brought_mugs(flat: Kitchen) -> set[str]:
    return {mug for mug in ("green_mug", "tin_mug") if flat.where(mug) == "person"}


@pytest.mark.parametrize(
    ("said", "brought", "speech"),
    [
        ("get me a mug", {"tin_mug"}, "Your tin mug."),
        ("get me the green mug", set(), "I leave it."),
        ("get me that manky thing", set(), "I leave it."),
    ],
)
def test_something_else_of_the_kind_that_was_asked_for_does_where_a_lesson_refuses_one(
    memory: Memory,  # noqa: F811
    said: str,
    brought: set[str],
    speech: str,
) -> None:
    model = Leader(["forbid('green_mug')", "bring('green_mug')\nsay('Your green mug.')", "say('I leave it.')"])
    flat = Kitchen(model, memory, scene=with_mugs())
    flat.talk("never that green mug", "yes", said)
    assert brought_mugs(flat) == brought
    assert flat.seen.speech[-1] == speech


@pytest.mark.parametrize(
    ("said", "brought", "speech"),
    [
        ("get me a mug", {"tin_mug"}, "Your tin mug."),
        ("i could do with a mug of tea", {"tin_mug"}, "Your tin mug."),
        ("the other mug", {"green_mug"}, "Your green mug."),
        ("get me another mug", {"green_mug"}, "Your green mug."),
        ("a green mug please", {"green_mug"}, "Your green mug."),
        ("i want a mug, the green mug i mean", {"green_mug"}, "Your green mug."),
    ],
)
def test_what_somebody_likes_best_is_brought_where_any_of_its_kind_is_asked_for(
    memory: Memory,  # noqa: F811
    said: str,
    brought: set[str],
    speech: str,
) -> None:
    rule = "When you ask for a mug, I bring the tin mug."
    model = Leader([f"remember({rule!r})", "bring('green_mug')\nsay('Your green mug.')"])
    flat = Kitchen(model, memory, scene=with_mugs())
    flat.talk("i like the tin mug best", "yes", said)
    assert [lesson.rule.text for lesson in memory.lessons()] == [rule]
    assert brought_mugs(flat) == brought
    assert flat.seen.speech[-1] == speech


def test_what_somebody_has_is_not_taken_from_them_instead(memory: Memory) -> None:  # noqa: F811
    model = Leader(["forbid('green_mug')", "bring('green_mug')", "say('I leave it.')"])
    flat = Kitchen(model, memory, scene=with_mugs(tin_mug="mia"))
    flat.talk("never that green mug", "yes", "get me a mug")
    assert (flat.where("tin_mug"), flat.seen.speech[-1]) == ("mia", "I leave it.")


def test_a_lesson_that_code_follows_is_told_in_the_minds_words(memory: Memory) -> None:  # noqa: F811
    flat = Kitchen(
        Leader(["remember('I never bring the honey, even when you ask for it.')", "bring('honey')", "say('No.')"]),
        memory,
        scene=Scene.from_description(FLAT),
    )
    flat.talk("never bring it", "yes", "honey")
    assert [lesson.rule.text for lesson in memory.lessons()] == ["I never bring the honey, even when you ask for it."]
    assert flat.where("honey") == "larder"


def test_what_is_forbidden_for_one_person_is_brought_to_another_from_where_that_person_is(memory: Memory) -> None:  # noqa: F811
    answers = [
        "bring('cup', 'mia')",
        "forbid('honey', who='mia')",
        "bring('honey')",
        "bring('honey', 'mia')",
        "say('No.')",
    ]
    flat = Kitchen(Leader(answers), memory, scene=Scene.from_description(FLAT))
    flat.talk("a cup for Mia", "never any honey for Mia", "yes", "honey", "and some for Mia")
    assert flat.where("honey") == "person"


WARD = {
    "robot": {"location": "hall"},
    "locations": ["hall", {"name": "table"}, {"name": "person", "kind": "person"}],
    "objects": {"cup": {"category": "cup", "location": "table"}},
}


def in_the_ward(memory: Memory, *answers: str) -> Kitchen:  # noqa: F811
    """Somebody who does not look at the robot yet."""
    flat = Kitchen(Leader(answers), memory, scene=Scene.from_description(WARD))
    looks(flat, False)
    return flat


def looks(flat: Kitchen, whether: bool) -> None:
    flat.robot.scene.set_state("person", {"looking": whether})


def test_what_a_goal_needs_of_a_person_is_asked_for_and_it_goes_on_after_a_yes(memory: Memory) -> None:  # noqa: F811
    flat = in_the_ward(memory, "bring('cup')\nsay('Here you are.')")
    flat.triggers.meanwhile["yes i will"] = lambda: looks(flat, True)
    flat.talk("the cup please", "yes i will")
    assert flat.seen.speech == ["Please look here: I have the cup for you. Will you take it?", "Here you are."]
    assert flat.where("cup") == "person"


@pytest.mark.parametrize("answer", ["yes i will", "no, not now", "what?"])
def test_each_help_is_asked_for_once_and_without_it_the_mind_goes_on(memory: Memory, answer: str) -> None:  # noqa: F811
    flat = in_the_ward(memory, "bring('cup')\nsay('Here you are.')", "say('Then I keep it.')")
    flat.talk("the cup please", answer)
    assert flat.seen.speech == ["Please look here: I have the cup for you. Will you take it?", "Then I keep it."]


def test_which_one_is_meant_is_for_the_mind_to_ask(memory: Memory) -> None:  # noqa: F811
    planner = done(memory, "bring('cup')").console._planner
    assert planner
    list(planner.planned(["go('hall')"]))
    assert planner.help_for("RuntimeError: it may be two. Hint: ask('Which one do you mean: a or b?')") == ""
    assert planner.help_for("RuntimeError: the chair. Hint: ask('Could you move it, please?')")
    list(planner.planned(["move_to('hall')"]))
    assert planner.help_for("RuntimeError: the chair. Hint: ask('Could you move it, please?')") == ""


def test_a_lesson_takes_nothing_out_of_somebodys_hands(memory: Memory) -> None:  # noqa: F811
    flat = Kitchen(
        Leader(
            ["remember('When you ask for bread, I also bring the honey.')", "bring('honey')", "bring('bread', 'mia')"]
        ),
        memory,
        scene=Scene.from_description(FLAT),
    )
    flat.talk("from now on", "yes", "honey, please", "mia wants bread")
    assert (flat.where("bread"), flat.where("honey")) == ("mia", "person")


def test_what_is_too_heavy_is_refused_before_anything_moves(memory: Memory) -> None:  # noqa: F811
    heavy = {**FLAT, "objects": {"sack": {"category": "food", "location": "larder", "mass": 20}}}
    flat = Kitchen(Leader(["bring('sack')", "say('It is too heavy.')"]), memory, scene=Scene.from_description(heavy))
    flat.talk("the sack")
    assert statements(flat) == ["grasp('sack')", "say('It is too heavy.')"]


class Doubtful(Leader):
    """A leader that is sure of nothing."""

    least_confidence = 0.9
    confidence = 0.3


def doubtful(memory: Memory, lesson: str, answer: str, *said: str) -> Kitchen:  # noqa: F811
    model = Careful(Doubtful([lesson, answer, "say('I leave it.')"]), lambda written: None, None)
    flat = Kitchen(model, memory, scene=with_mugs())
    flat.talk("from now on", "yes", *said)
    return flat


def test_nobody_is_asked_whether_to_do_what_a_lesson_refuses(memory: Memory) -> None:  # noqa: F811
    flat = doubtful(memory, "forbid('honey')", "bring('honey')\nsay('The honey.')", "honey, please")
    assert not [text for text in flat.seen.speech if text.endswith("Shall I?")]
    assert (flat.where("honey"), flat.seen.speech[-1]) == ("larder", "I leave it.")


@pytest.mark.parametrize(
    ("lesson", "answer", "said", "question"),
    [
        ("forbid('green_mug')", "bring('green_mug')", "a mug, please", "I would bring you the tin mug. Shall I?"),
        (
            "remember('When you ask for the cup, I also bring the honey.')",
            "bring('cup')",
            "the cup, please",
            "I would bring you the cup and bring you the honey. Shall I?",
        ),
        ("forbid('honey')", "bring('honey')\nbring('cup')", "both", "I would bring you the cup. Shall I?"),
    ],
)
def test_a_question_tells_what_would_be_done_with_what_was_learned(
    memory: Memory,  # noqa: F811
    lesson: str,
    answer: str,
    said: str,
    question: str,
) -> None:
    flat = doubtful(memory, lesson, answer, said, "no")
    assert flat.seen.speech[-2:] == [question, LEAVE_IT]


def test_a_yes_to_what_a_lesson_brings_along_is_heard(memory: Memory) -> None:  # noqa: F811
    lesson = "remember('When you ask for the cup, I also bring the honey.')"
    flat = doubtful(memory, lesson, "bring('cup')", "the cup, please", "yes")
    assert (flat.where("cup"), flat.where("honey")) == ("person", "person")
    assert len([text for text in flat.seen.speech if text.startswith("I would")]) == 1


def test_another_wish_is_heard_where_a_lesson_stands_above_the_answer(memory: Memory) -> None:  # noqa: F811
    lesson = "remember('When you ask for the cup, I also bring the honey.')"
    flat = doubtful(memory, lesson, "bring('cup')", "the cup, please", "where is the milk?")
    assert (flat.where("cup"), flat.seen.speech[-1]) == ("table", "I leave it.")


@pytest.mark.parametrize(
    ("statement", "so"),
    [
        ("put('cup', 'table')", True),
        ("put('cup', 'fridge')", False),
        ("put('anvil', 'table')", False),
        ("bring('cup', 'mia')", False),
        ("take('cup')", False),
        ("go('hall')", True),
        ("go('table')", False),
        ("close('fridge')", True),
        ("open('fridge')", False),
        ("put_all('table', 'table')", True),
        ("put_all('cup', 'table')", True),
        ("put_all('cup', 'fridge')", False),
        ("put_all('anvil', 'table')", False),
        ("put_all('glasses', 'our girl')", True),
        ("put_all('cup', 'our girl')", False),
        ("say('It is there.')", False),
    ],
)
def test_what_is_so_already_is_known(memory: Memory, statement: str, so: bool) -> None:  # noqa: F811
    model = Leader(["say('I know.')"])
    Kitchen(model, memory, scene=Scene.from_description(FLAT)).talk("look around")
    assert model.prompts[0].is_so(statement) is so


class Ranked(Doubtful):
    """Was taught, and has something else in mind."""

    taught = True

    def others(self, prompt: Prompt, count: int) -> list[Other]:
        return [Other("put('bowl', 'table')", 0.3, 0.3), Other("bring('cup')\nsay('The cup.')", 0.2, 0.2)]


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("put('cup', 'table')", "I would bring you the cup. Shall I?"),
        ("put('cup', 'table')\nbring('bread')", "I would take the cup to the table and bring you the bread. Shall I?"),
    ],
)
def test_instead_of_what_would_change_nothing_something_else_is_proposed(
    memory: Memory,  # noqa: F811
    answer: str,
    asked: str,
) -> None:
    model = Careful(Ranked([answer]), lambda written: None, None)
    flat = Kitchen(model, memory, scene=Scene.from_description(FLAT))
    flat.talk("the cup again, please", "yes")
    assert flat.seen.speech[0] == asked
    assert flat.where("cup") == ("person" if asked.startswith("I would bring") else "table")
