"""Answers of the corpus told as goals, and done by a robot that was told so."""

import pytest

from training.brain.shortening import short

PROMPT = """\
# A new conversation begins.
# hall
# table: cup (cup, also grandpa's cup), plate (dish, in or on it: fork)
# larder (closed): bread (food), honey
# fridge (open, also icebox): milk (drink)
# mia: toy
# you are at hall; left hand: empty, right hand: empty
# people: person, mia
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'please'}
>>>"""
BREAD = ["move_to('larder')", "open_door('larder')", "grasp('bread')", "close_door('larder')"]


@pytest.mark.parametrize(
    ("answer", "goals"),
    [
        ([*BREAD, "move_to('person')", "handover('bread')", "say('Here.')"], ["bring('bread')", "say('Here.')"]),
        ([*BREAD, "move_to('mia')", "handover('bread')"], ["bring('bread', 'mia')"]),
        ([*BREAD, "move_to('table')", "place('bread', 'table')"], ["put('bread', 'table')"]),
        (["move_to('person')", "say('Here I am.')"], ["go('person')", "say('Here I am.')"]),
        (["move_to('fridge')", "close_door('fridge')"], ["close('fridge')"]),
        (["move_to('larder')", "open_door('larder')", "say('Open.')"], ["open('larder')", "say('Open.')"]),
        (
            [
                *("move_to('fridge')", "grasp('milk')", "close_door('fridge')"),
                *("move_to('person')", "handover('milk')"),
            ],
            ["bring('milk')", "close('fridge')"],
        ),
        (["say('No.')"], ["say('No.')"]),
        (["pass"], ["pass"]),
    ],
)
def test_the_way_is_left_out(answer: list[str], goals: list[str]) -> None:
    assert short("\n".join(answer), PROMPT).split("\n") == goals


@pytest.mark.parametrize(
    "answer",
    [
        ["move_to('fridge')", "grasp('milk')", "say('I have it.')"],
        ["move_to('fridge', speed=0.5)", "say('Slowly.')"],
    ],
)
def test_what_has_no_goal_stays(answer: list[str]) -> None:
    assert short("\n".join(answer), PROMPT).split("\n") == answer


TAUGHT = PROMPT.replace(
    "# people: person, mia\n",
    "# people: person, mia\n# learned 1: When you ask for tea, I also bring the honey.\n"
    "# learned 2: I never bring the oil, even when you ask for it.\n",
)


@pytest.mark.parametrize(
    ("prompt", "said", "answer", "listed"),
    [
        (TAUGHT, "what have you learned?", "say('With tea I also bring honey, and never the oil.')", True),
        (TAUGHT, "what did I teach you", "say('The honey comes with your tea.')", False),
        (TAUGHT, "the oil please", "say('You told me never to bring the oil, honey with tea.')", False),
        (TAUGHT, "which rules do you have", "say('Tea, honey, never oil.')\nbring('milk')", False),
        (PROMPT, "what have you learned?", "say('Nothing yet.')", True),
        (PROMPT, "what have you learned?", "say('Much.')", False),
    ],
)
def test_who_tells_all_that_was_learned_calls_what_tells_it(prompt: str, said: str, answer: str, listed: bool) -> None:
    assert (short(answer, prompt.replace("please", said)) == "say(list_lessons())") is listed


FULL = """\
# bench: drill (tool), old_rag (cloth, dirty), wide_brush (brush)
# shelf: round_brush (brush, dirty)
# sink
# you are at bench; left hand: empty, right hand: empty
# people: person
>>> wait_for_trigger()
{'type': 'dialog', 'text': '%s'}
>>>"""


@pytest.mark.parametrize(
    ("said", "moved", "told"),
    [
        ("all on the bench to the sink", ["drill", "old_rag", "wide_brush"], "put_all('bench', 'sink')"),
        ("clear the bench, but not the drill", ["old_rag", "wide_brush"], "put_all('bench', 'sink', 'drill')"),
        ("both brushes to the sink", ["wide_brush", "round_brush"], "put_all('brushes', 'sink')"),
        ("everything dirty to the sink", ["old_rag", "round_brush"], "put_all('dirty', 'sink')"),
        ("the rag and the wide brush to the sink", ["old_rag", "wide_brush"], "put('old_rag', 'sink')"),
    ],
)
def test_things_that_were_spoken_of_as_a_whole_are_told_so(said: str, moved: list[str], told: str) -> None:
    answer = "\n".join(f"put('{thing}', 'sink')" for thing in moved)
    assert short(answer, FULL % said).split("\n")[0] == told


def test_what_else_is_wanted_in_the_same_breath_is_told_by_itself() -> None:
    said = "clear the bench into the sink, not the drill, that goes on the shelf, and then the round brush"
    moves = ["put('old_rag', 'sink')", "put('wide_brush', 'sink')", "put('drill', 'shelf')", "bring('round_brush')"]
    told = ["put_all('bench', 'sink', 'drill')", "put('drill', 'shelf')", "bring('round_brush')"]
    assert short("\n".join(moves), FULL % said).split("\n") == told


def test_several_are_no_whole_of_which_nobody_spoke_beside_one_that_was() -> None:
    said = "everything on the bench to the sink, and give mum the brush and the glue"
    moves = ["put('drill', 'sink')", "put('old_rag', 'sink')", "put('wide_brush', 'sink')"]
    given = ["bring('round_brush', 'mum')", "bring('glue', 'mum')"]
    prompt = FULL.replace("sink\n", "sink\n# drawer: glue (glue)\n") % said
    assert short("\n".join([*moves, *given]), prompt).split("\n") == ["put_all('bench', 'sink')", *given]


@pytest.mark.parametrize(
    ("said", "touch"),
    [("never touch the drill", True), ("hands off the drill", True), ("never bring the drill", False)],
)
def test_what_nobody_shall_touch_is_forbidden_altogether(said: str, touch: bool) -> None:
    assert short("forbid('drill')", FULL % said) == ("forbid('drill', touch=True)" if touch else "forbid('drill')")


@pytest.mark.parametrize(
    ("said", "answer", "told"),
    [
        ("where is the milk", "say('The milk is in the fridge.')", "tell('milk')"),
        ("who has the toy", "say('Mia has it.')", "tell('toy')"),
        ("is grandpa's cup still out", 'say("Yes, it\'s on the table.")', "tell('cup')"),
        ("what's in the larder", "say('The bread and the honey are in the larder.')", "tell('larder')"),
        ("what's in the larder", "say('There is bread in the larder.')", ""),
        ("where is the milk", "say('The milk is in the fridge, but it is sour.')", ""),
        ("where is the milk", "say('It is on the table.')", ""),
        ("where are they", "say('The bread is in the larder and the milk in the fridge.')", ""),
        ("the milk", "say('The milk is in the fridge.')", ""),
        ("where is the milk", "bring('milk')\nsay('The milk was in the fridge.')", ""),
    ],
)
def test_what_only_tells_a_place_is_left_to_what_tells_it(said: str, answer: str, told: str) -> None:
    prompt = PROMPT.replace("'please'", repr(said))
    assert short(answer, prompt) == (told or answer)
