"""Goals that depend on how things are."""

import pytest

from daemon.console.confidence_guard import Careful
from daemon.console.goals.choice import Choice
from daemon.llm.model import Prompt
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.console.goals.test_goals import Doubtful
from tests.console.test_leading import Leader, memory  # noqa: F401
from tests.support.worlds import Kitchen

BOAT = {
    "robot": {"location": "cabin"},
    "locations": [
        "cabin",
        {"name": "chart_table"},
        {"name": "bunk", "aliases": ["my bed"]},
        {"name": "stove"},
        {"name": "locker", "kind": "container", "door": "closed"},
        {"name": "person", "kind": "person"},
        {"name": "els", "kind": "person"},
    ],
    "objects": {
        "rope": {"category": "rope", "location": "locker"},
        "tea_tin": {"category": "tin", "location": "chart_table", "holds": 2},
        "lemon": {"category": "fruit", "location": "tea_tin"},
        "blue_mug": {"category": "mug", "location": "chart_table", "state": {"dirty": True}},
        "robe": {"category": "clothing", "location": "cabin", "state": {"dry": False}},
        "kettle": {"category": "kettle", "location": "cabin", "holds": 1, "state": {"full": True}},
        "glass": {"category": "cup", "location": "cabin", "holds": 1},
        "spoon": {"category": "cutlery", "location": "glass"},
        "log_book": {"category": "book", "location": "els", "aliases": ["the log"]},
    },
}
EITHER = "if seen({}):\n    put('blue_mug', 'stove')\n    say('Yes.')\nelse:\n    say('No.')"


def told(memory: Memory, answer: str) -> Kitchen:  # noqa: F811
    boat = Kitchen(Leader([answer]), memory, scene=Scene.from_description(BOAT))
    boat.talk("see how it is")
    return boat


@pytest.mark.parametrize(
    ("asked", "so"),
    [
        ("'rope'", True),
        ("'anchor'", False),
        ("'rope', 'locker'", True),
        ("'rope', 'bunk'", False),
        ("'the log', 'els'", True),
        ("'mugs', 'chart_table'", True),
        ("'mugs', 'my bed'", False),
        ("'lemon', 'tea_tin'", True),
        ("'lemon', 'chart_table'", True),
        ("'anything', 'chart_table'", True),
        ("'something', 'bunk'", False),
        ("'blue_mug', 'dirty'", True),
        ("'blue_mug', 'clean'", False),
        ("'tea_tin', 'clean'", True),
        ("'tea_tin', 'dirty'", False),
        ("'locker', 'closed'", True),
        ("'locker', 'open'", False),
        ("'bunk', 'empty'", True),
        ("'locker', 'empty'", False),
        ("'els'", True),
        ("'daan'", False),
        ("'red mug', 'chart_table'", False),
        ("'dirty mug'", True),
        ("'clean mug'", False),
        ("'clean book'", True),
        ("'tea_tin', 'empty'", False),
        ("'tea_tin', 'full'", False),
        ("'robe', 'dry'", False),
        ("'robe', 'wet'", True),
        ("'kettle', 'empty'", False),
        ("'kettle', 'full'", True),
        ("'spoon', 'glass'", True),
    ],
)
def test_code_looks_how_it_is(memory: Memory, asked: str, so: bool) -> None:  # noqa: F811
    boat = told(memory, EITHER.format(asked))
    assert boat.seen.speech == ["Yes." if so else "No."]
    assert boat.where("blue_mug") == ("stove" if so else "chart_table")


@pytest.mark.parametrize(
    ("condition", "so"),
    [
        ("not seen('rope')", False),
        ("seen('rope') and seen('anchor')", False),
        ("seen('anchor') or seen('els')", True),
        ("not (seen('anchor') or seen('daan'))", True),
    ],
)
def test_conditions_are_put_together_as_in_python(memory: Memory, condition: str, so: bool) -> None:  # noqa: F811
    assert told(memory, EITHER.replace("seen({})", condition)).seen.speech == ["Yes." if so else "No."]


def test_of_several_ways_the_first_that_fits_is_taken_and_what_follows_is_done(memory: Memory) -> None:  # noqa: F811
    answer = (
        "if seen('anchor'):\n    bring('anchor')\nelif seen('rope', 'locker'):\n    bring('rope')\n"
        "else:\n    bring('lemon')\nput('blue_mug', 'stove')\nsay('There.')"
    )
    boat = told(memory, answer)
    assert [boat.where(thing) for thing in ("rope", "blue_mug")] == ["person", "stove"]
    assert boat.seen.speech == ["There."]


def test_what_was_done_before_counts(memory: Memory) -> None:  # noqa: F811
    boat = told(memory, "put('rope', 'bunk')\nif seen('rope', 'bunk'):\n    say('On the bunk.')")
    assert boat.seen.speech == ["On the bunk."]


def test_where_no_way_was_written_it_says_so(memory: Memory) -> None:  # noqa: F811
    boat = told(memory, "if seen('anchor'):\n    bring('anchor')")
    assert boat.seen.speech == ["That is not so, so I leave it."]


@pytest.mark.parametrize(
    "asked",
    [
        "'lemon', 'ripe'",
        "'rope', 'wheelhouse'",
        "'els', 'hungry'",
        "'els', 'cold'",
        "'stove', 'hot'",
        "'bunk', 'open'",
        "'tea_tin', 'open'",
        "'bunk', 'full'",
    ],
)
def test_nothing_is_done_where_it_cannot_be_seen(memory: Memory, asked: str) -> None:  # noqa: F811
    boat = told(memory, EITHER.format(asked).replace("say('No.')", "bring('rope')"))
    assert boat.seen.speech == ["I cannot see whether that is so."]
    assert (boat.where("rope"), boat.where("blue_mug")) == ("locker", "chart_table")


@pytest.mark.parametrize(
    "statement",
    [
        "if seen():\n    pass",
        "if seen('a', 'b', 'c'):\n    pass",
        "if seen(rope):\n    pass",
        "if seen('rope') and look():\n    pass",
        "if rope:\n    pass",
        "while seen('rope'):\n    pass",
        "seen('rope')",
        "if seen('rope'",
    ],
)
def test_what_asks_for_more_is_plain_python(statement: str) -> None:
    assert Choice.of(statement) is None


@pytest.mark.parametrize(
    "statement", ["seen('rope')", "if seen('rope') == True:\n    say('Yes.')", "def seen(x):\n    pass"]
)
def test_seen_elsewhere_is_refused_with_what_it_takes(memory: Memory, statement: str) -> None:  # noqa: F811
    model = Leader([statement, "say('Well.')"])
    boat = Kitchen(model, memory, scene=Scene.from_description(BOAT))
    boat.talk("well")
    assert "TypeError: seen() takes what it is and where or how it is, behind `if`" in model.prompts[-1].history


SHUT = "if seen('locker', 'open'):\n    close('locker')\n    say('It was open.')\nelse:\n    say('It is shut.')"


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (EITHER.format("'rope'"), "I would take the blue mug to the stove. Shall I?"),
        (EITHER.format("'anchor'"), ""),
        (SHUT, ""),
    ],
)
def test_somebody_is_asked_about_the_way_that_would_be_taken_alone(memory: Memory, answer: str, asked: str) -> None:  # noqa: F811
    model = Careful(Doubtful([answer]), lambda written: None, None)
    boat = Kitchen(model, memory, scene=Scene.from_description(BOAT))
    boat.talk("see how it is", "no")
    assert [text for text in boat.seen.speech if text.endswith("Shall I?")] == [asked] * bool(asked)


class Telling(Doubtful):
    """Tells line by line what it writes, and is less sure in the end."""

    at_last = 0.3

    def stream(self, prompt: Prompt, so_far) -> str:  # type: ignore[no-untyped-def]
        text = self.complete(prompt)
        for end in range(1, text.count("\n") + 1):
            self.confidence = 0.95 if end < 3 else self.at_last
            so_far("".join(f"{line}\n" for line in text.split("\n")[:end]))
        return text


@pytest.mark.parametrize("sure", [0.3, 0.95])
def test_what_stands_before_a_block_is_done_and_then_the_way_that_is_taken(memory: Memory, sure: float) -> None:  # noqa: F811
    answer = (
        "bring('rope')\nsay('The rope.')\nif seen('anchor'):\n    say('Here.')\nelse:\n    put('blue_mug', 'stove')\n"
    )
    model = Telling([answer])
    model.at_last = sure
    boat = Kitchen(Careful(model, lambda written: None, None), memory, scene=Scene.from_description(BOAT))
    boat.talk("see how it is", "yes")
    assert (boat.where("rope"), boat.where("blue_mug")) == ("person", "stove")
    assert boat.seen.speech[:1] == ["The rope."]
    assert any(text.endswith("Shall I?") for text in boat.seen.speech) is (sure < 0.9)


def test_what_was_asked_about_is_done_whatever_is_so_by_then(memory: Memory) -> None:  # noqa: F811
    answer = "if seen('blue_mug', 'chart_table'):\n    put('blue_mug', 'stove')\nelse:\n    bring('rope')"
    model = Careful(Doubtful([answer, "say('Well.')"]), lambda written: None, None)
    boat = Kitchen(model, memory, scene=Scene.from_description(BOAT))
    boat.triggers.meanwhile["yes"] = lambda: boat.robot.scene.place("blue_mug", "bunk")
    boat.talk("see how it is", "yes")
    assert (boat.where("blue_mug"), boat.where("rope")) == ("stove", "locker")


def test_a_lesson_refuses_what_it_forbids_within_a_way(memory: Memory) -> None:  # noqa: F811
    model = Leader(["forbid('rope')", "if seen('rope'):\n    bring('rope')", "say('I leave it.')"])
    boat = Kitchen(model, memory, scene=Scene.from_description(BOAT))
    boat.talk("never the rope", "yes", "if there is a rope, bring it")
    assert (boat.where("rope"), boat.seen.speech[-1]) == ("locker", "I leave it.")


def test_names_kinds_and_looks_may_be_asked_for(memory: Memory) -> None:  # noqa: F811
    model = Leader(["say('Well.')"])
    Kitchen(model, memory, scene=Scene.from_description(BOAT)).talk("if any of them is there")
    scope = model.prompts[0].scope()
    assert scope
    what, how = set(scope.names["anyone"]), set(scope.names["anyhow"])
    assert {"rope", "els", "bunk", "mug", "anything"} <= what
    assert {"locker", "els", "tea_tin", "dirty", "clean", "open", "empty"} <= how
    assert {("seen", 0, "anyone"), ("seen", 1, "anyhow")} <= scope.arguments


@pytest.mark.parametrize(
    "answer",
    [
        "if seen('anchor'):\n    bring('anchor')\nelse:\n    put('blue_mug', 'stove')\nsay('Done.')\n",
        "if seen('anchor'):\n    bring('anchor')\n# or\nelse:\n    put('blue_mug', 'stove')\nsay('Done.')\n",
        "if(seen('anchor')):\n\n    bring('anchor')\nelse:\n    put('blue_mug', 'stove')\nsay('Done.')\n",
        "if seen ('anchor'):\n    bring('anchor')\nelse:\n    put('blue_mug', 'stove')\nsay('Done.')\n",
        "if (\n    seen('anchor')):\n    bring('anchor')\nelse:\n    put('blue_mug', 'stove')\nsay('Done.')\n",
    ],
)
def test_half_of_a_choice_is_not_begun_while_the_other_half_is_written(memory: Memory, answer: str) -> None:  # noqa: F811
    boat = Kitchen(Careful(Telling([answer]), lambda written: None, None), memory, scene=Scene.from_description(BOAT))
    boat.talk("see how it is", "yes")
    assert boat.seen.speech == ["I would take the blue mug to the stove. Shall I?", "Done."]
    assert boat.where("blue_mug") == "stove"
