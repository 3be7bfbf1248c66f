"""A guarded model: nothing moves of which it is unsure, unless a person said yes."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from daemon.config import ConfigError, ConsoleConfig, LlmConfig, MemoryConfig
from daemon.console.acting_statements import deeds_in
from daemon.console.confidence_guard import LEAVE_IT, Careful, Written, guarded
from daemon.console.other_answers import NO
from daemon.llm.model import PROMPT_SIGN, ModelError, Other, Prompt, SoFar
from daemon.memory.store import Memory
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen


class Unsteady:
    """A queue of replies, each with how sure it is; waits, quite sure, when the queue is empty."""

    name = "unsteady"
    context_tokens = 8192
    follows_instructions = True
    leads = False
    least_confidence = 0.9

    def __init__(self, *replies: tuple[str, float | None]) -> None:
        self.replies = list(replies)
        self.asked = 0
        self.confidence: float | None = None

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.asked += 1
        reply, self.confidence = self.replies.pop(0) if self.replies else (" wait_for_trigger()\n", 1.0)
        return reply

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def prepare(self, base: str, examples: Sequence[str]) -> None: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def talk(memory: Memory, model: Unsteady, *sentences: str, written: list[Written] | None = None) -> Kitchen:
    tell = (lambda one: None) if written is None else written.append
    guard = guarded(model, LlmConfig(), tell)
    if isinstance(guard, Careful):
        guard.second = None  # nothing here is about what a network makes of the words
    kitchen = Kitchen(guard, memory, ConsoleConfig(max_statements=20))
    kitchen.talk(*sentences)
    return kitchen


MILK = "move_to('fridge')\nopen_door('fridge')\ngrasp('milk')\n"
DRIVE = " move_to('counter')\n"


def test_of_what_it_is_sure_it_does(memory: Memory) -> None:
    written: list[Written] = []
    kitchen = talk(memory, Unsteady((DRIVE, 0.95), (" say('here')\n", 0.95)), "go to the counter", written=written)
    assert kitchen.trips_to("counter") == 1
    assert kitchen.seen.speech == ["here"]
    assert written[0] == Written("move_to('counter')", 0.95, moves=True)


@pytest.mark.parametrize("confidence", [0.89, 0.0, None])
def test_of_what_it_is_unsure_it_tells_and_waits(memory: Memory, confidence: float | None) -> None:
    written: list[Written] = []
    model = Unsteady((" grasp('milk')\n", confidence), (" say('I am back')\n", 1.0))
    kitchen = talk(memory, model, "bring me the juice", "no", "hello", written=written)
    assert "grasp('milk')" not in kitchen.seen.statements
    assert kitchen.seen.speech[-1] == "I am back"
    assert not any(one.moves for one in written)


def test_a_person_is_asked_and_a_yes_lets_it_move(memory: Memory) -> None:
    kitchen = talk(memory, Unsteady((DRIVE, 0.3), (" say('here')\n", 0.3)), "get going", "yes")
    assert kitchen.seen.speech == ["I would move to counter. Shall I?", "here"]
    assert kitchen.trips_to("counter") == 1


@pytest.mark.parametrize("answer", ["no", "no thanks", "don't"])
def test_after_a_no_nothing_moves(memory: Memory, answer: str) -> None:
    kitchen = talk(memory, Unsteady((DRIVE, 0.3), (DRIVE, 1.0)), "get going", answer)
    assert kitchen.trips_to("counter") == 0
    assert kitchen.seen.speech[-1] == "All right, I leave it. Please tell me in other words."


def test_a_yes_is_for_what_was_asked_and_for_nothing_else(memory: Memory) -> None:
    model = Unsteady((DRIVE, 0.3), (" grasp('juice')\n", 0.3))
    kitchen = talk(memory, model, "get going", "yes", "no")
    assert kitchen.seen.speech[1] == "I would grasp juice. Shall I?"
    assert not any(statement.startswith("grasp") for statement in kitchen.seen.statements)


def test_looking_and_talking_need_no_yes(memory: Memory) -> None:
    kitchen = talk(memory, Unsteady((" say(str(len(list_objects())))\n", 0.1)), "how many?")
    assert len(kitchen.seen.speech) == 1


def test_a_lesson_of_which_it_is_unsure_is_asked_about_once(memory: Memory) -> None:
    lesson = " remember('When you ask for milk, I also bring the cup.')\n"
    written: list[Written] = []
    kitchen = talk(memory, Unsteady((lesson, 0.1)), "milk always with a cup", "yes", written=written)
    assert not any(one.moves for one in written)
    asked = "When you ask for milk, I also bring the cup. Shall I remember that?"
    assert [said for said in kitchen.seen.speech if said.endswith("?")] == [asked]
    assert len(memory.lessons()) == 1


def test_a_function_of_which_it_is_unsure_is_not_written() -> None:
    for confidence, fine in ((0.95, True), (0.5, False)):
        brain = guarded(Unsteady(("x):\n    pass", confidence)), LlmConfig())
        prompt = Prompt("", (), "# Now, before `f(1)`:\ndef f(")
        if fine:
            assert brain.complete(prompt, stop=("\n>>>",))
        else:
            with pytest.raises(ModelError, match="unsure"):
                brain.complete(prompt, stop=("\n>>>",))


@pytest.mark.parametrize(
    ("statement", "deeds"),
    [
        ("say('hello')", []),
        ("list_objects()", []),
        ("names = [name.upper() for name, kind, place in list_objects()]", []),
        ("grasp('orange_juice', hand='left')", ["grasp orange juice left"]),
        ("for name in ['a', 'b']:\n    place(name, 'table')", ["place name table"]),
        ("list(map(open_door, places))", ["open door"]),
        ("f = close_door", ["close door"]),
        ("tidy()", ["tidy"]),
        ("bring('blue_mug')\nput('cup', 'top_shelf')", ["bring you the blue mug", "take the cup to the top shelf"]),
        ("bring('cup', 'mia')\ngo('door')", ["bring the cup to Mia", "go to the door"]),
        ("remember_later('at four', 'bring you the tea')", ["do this at four: bring you the tea"]),
        (
            "remember_later(when='when mia is back', request='go to the door')",
            ["do this when mia is back: go to the door"],
        ),
        ("remember_later(request='go to the door', when='at six')", ["do this at six: go to the door"]),
        ("say(undo_lesson())", ["undo lesson"]),
        ("(lambda: grasp('cup'))()", ["do what I wrote", "grasp cup"]),
        ("grasp('cup'", []),
        ("no statement at all!", []),
    ],
)
def test_what_may_move_something_is_seen_before_it_runs(statement: str, deeds: list[str]) -> None:
    assert sorted(deeds_in(f" {statement}\n")) == deeds


def test_no_guard_costs_nothing_and_a_wrong_setting_is_named() -> None:
    model = Unsteady()
    assert isinstance(guarded(model, LlmConfig()), Careful)
    model.least_confidence = 0.0
    assert guarded(model, LlmConfig()) is model
    with pytest.raises(ConfigError, match="between 0 and 1"):
        guarded(model, LlmConfig(confidence=95))


def test_a_whole_answer_waits_for_one_yes(memory: Memory) -> None:
    model = Unsteady(("move_to('counter')\ngrasp('cup')\nsay('I have it.')", 0.3))
    model.leads = True
    kitchen = talk(memory, model, "the cup", "yes")
    assert kitchen.seen.speech[0] == "I would move to counter and grasp cup. Shall I?"
    assert kitchen.seen.speech[-1] == "I have it."
    assert kitchen.robot.scene.thing("cup").held_by


def test_what_is_more_than_yes_or_no_begins_a_turn_of_its_own(memory: Memory) -> None:
    model = Unsteady(("grasp('cup')", 0.3), ("say('on the table')", 1.0))
    model.leads = True
    kitchen = talk(memory, model, "something to drink", "where is the milk")
    assert kitchen.seen.speech == ["I would grasp cup. Shall I?", "on the table"]
    assert not any(statement.startswith("grasp") for statement in kitchen.seen.statements)
    asked, after, *_ = kitchen.console.history.turns
    assert [step.statement for step in asked.steps[1:]] == ["say('I would grasp cup. Shall I?')"]
    assert after.utterance == "where is the milk"


def test_a_yes_that_comes_later_means_nothing(memory: Memory) -> None:
    kitchen = talk(memory, Unsteady((DRIVE, 0.3), (" say('on the table')\n", 1.0)), "go", "where is the milk", "yes")
    assert kitchen.trips_to("counter") == 0


def test_a_plain_no_is_not_read_again(memory: Memory) -> None:
    model = Unsteady(("grasp('cup')", 0.3), ("say('juice')", 1.0))
    model.leads = True
    kitchen = talk(memory, model, "something to drink", "no")
    assert kitchen.seen.speech == [
        "I would grasp cup. Shall I?",
        "All right, I leave it. Please tell me in other words.",
    ]


def test_who_has_gone_wants_nothing(memory: Memory) -> None:
    kitchen = talk(memory, Unsteady((DRIVE, 0.3), (DRIVE, 1.0)), "get going", "")
    assert kitchen.trips_to("counter") == 0


class Flowing(Unsteady):
    """Tells each line when it is written, and how sure it is of all until there."""

    leads = True

    def __init__(self, *lines: tuple[str, float]) -> None:
        super().__init__()
        self.lines = list(lines)

    def stream(self, prompt: Prompt, so_far: Callable[[str], object]) -> str:
        text = ""
        lines, self.lines = self.lines, []
        for line, self.confidence in lines:
            text += f"{line}\n"
            so_far(text)
        return text


def test_what_it_is_sure_of_is_done_and_the_rest_is_asked_about(memory: Memory) -> None:
    lines = (("move_to('counter')", 0.95), ("grasp('cup')", 0.3), ("say('I have it.')", 0.3))
    for answer, last in (("yes", "I have it."), ("no", "All right, I leave it. Please tell me in other words.")):
        kitchen = talk(memory, Flowing(*lines), "the cup", answer)
        assert kitchen.trips_to("counter") == 1
        assert kitchen.seen.speech == ["I would grasp cup. Shall I?", last]


def test_an_answer_that_is_sure_flows(memory: Memory) -> None:
    kitchen = talk(memory, Flowing(("move_to('counter')", 0.95), ("say('Here I am.')", 0.95)), "go to the counter")
    assert kitchen.trips_to("counter") == 1
    assert kitchen.seen.speech == ["Here I am."]


def test_how_sure_it_was_is_told_of_when_it_acted(memory: Memory) -> None:
    written: list[Written] = []
    lines = (("move_to('counter')", 0.95), ("say('Here I am.')", 0.3))
    talk(memory, Flowing(*lines), "go to the counter", written=written)
    assert written[0].moves
    assert written[0].confidence == 0.95


class Doubts:
    """Somebody who finds one answer unlikely."""

    def __init__(self, wrong: str) -> None:
        self._wrong = wrong

    def together(self, prompt: str, answer: str, confidence: float) -> float:
        return 0.1 if self._wrong and self._wrong in answer else confidence

    def asked_of(self, prompt: str, told: str = "") -> Sequence[str]:
        return ()

    def moved(self, prompt: str) -> Sequence[str]:
        return ()

    def asks_for_several(self, prompt: str) -> bool:
        return True

    def is_of(self, prompt: str, functions: frozenset[str]) -> bool:
        return False

    def refused(self, prompt: str) -> bool:
        return False

    def names_time(self, prompt: str, by_the_clock: bool = False) -> bool:
        return False

    def asks(self, prompt: str) -> float | None:
        return 0.9 if "'text': 'the milk now'" in prompt and "# fridge" in prompt else 0.1

    def asked_for(self, prompt: str) -> str | None:
        return "milk" if "milk now'" in prompt else None


class Asked(Doubts):
    """Somebody who finds that one asks to be told of things."""

    def __init__(self, *which: str) -> None:
        super().__init__("no such answer")
        self._which = which

    def asked_of(self, prompt: str, told: str = "") -> Sequence[str]:
        return self._which


class Talkative(Unsteady):
    """Was taught, and tells of each line that it writes."""

    leads = taught = True

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        text = self.complete(prompt)
        for end in [place + 1 for place, sign in enumerate(text) if sign == "\n"]:
            so_far(text[:end])
        return text


@pytest.mark.parametrize(
    ("written", "which", "told"),
    [
        ("say('The cup is in the fridge.')\n", ["cup"], ["The cup is on the counter."]),
        ("say('On the counter.')\n", ["cup"], ["On the counter."]),
        ("say('On the shelf.')\n", ["cup", "tea"], ["The cup is on the counter.", "The tea is on the shelf."]),
        ("say('In the fridge.')\n", [], ["In the fridge."]),
        ("ask('Which one?')\n", ["cup"], ["Which one?"]),
        ("say('What you like.')\n", ["done"], ["I have not done anything yet."]),
        ("say('Hm.')\nsay('In the fridge.')\n", ["cup"], ["Hm.", "In the fridge."]),
    ],
)
def test_what_a_mind_tells_that_is_not_so_is_looked_up(
    memory: Memory, written: str, which: list[str], told: list[str]
) -> None:
    model = Careful(Talkative((written, 1.0)), lambda written: None, Asked(*which))
    kitchen = Kitchen(model, memory)
    kitchen.talk("where is it")
    assert kitchen.seen.speech == told


@pytest.mark.parametrize(("sure", "said", "trips"), [(1.0, "Here.", 1), (0.1, "The tea is on the shelf.", 0)])
def test_what_a_mind_does_counts_more_than_what_somebody_seems_to_ask_if_it_is_sure(
    memory: Memory, sure: float, said: str, trips: int
) -> None:
    model = Careful(Talkative(("move_to('counter')\nsay('Here.')\n", sure)), lambda written: None, Asked("tea"))
    kitchen = Kitchen(model, memory)
    kitchen.talk("where is it")
    assert (kitchen.seen.speech, kitchen.trips_to("counter")) == ([said], trips)


def test_what_another_reader_doubts_is_asked_about(memory: Memory) -> None:
    for wrong, said in (("milk", []), ("counter", ["I would move to counter. Shall I?"])):
        model = Unsteady((DRIVE, 0.95))
        kitchen = Kitchen(Careful(model, lambda written: None, Doubts(wrong)), memory, ConsoleConfig(max_statements=20))
        kitchen.talk("get going", "no")
        assert [text for text in kitchen.seen.speech if text.endswith("?")] == said
        assert kitchen.trips_to("counter") == (not said)


class Ranked(Unsteady):
    """Was taught, and has other answers."""

    leads = taught = True

    def __init__(self, *replies: tuple[str, float | None], others: Sequence[tuple[str, float]]) -> None:
        super().__init__(*replies)
        self._others = [Other(*told, of_both=told[1] + (replies[0][1] or 0.0)) for told in others]

    def others(self, prompt: Prompt, count: int) -> Sequence[Other]:
        return self._others


class RankedTalkative(Ranked, Talkative):
    """Writes line by line."""


def picked_up(thing: str, confidence: float) -> tuple[str, float]:
    """An answer, and how sure a model is of it."""
    return f"move_to('counter')\ngrasp('{thing}')\nsay('The {thing}.')", confidence


CUP, WATER = picked_up("cup", 0.3), picked_up("water", 0.2)
ASKED = "I would move to counter and grasp cup. Shall I?"
INSTEAD = "Shall I move to counter and grasp water instead?"


@pytest.mark.parametrize(("answer", "last"), [("yes", "The water."), ("no", LEAVE_IT)])
def test_after_a_no_the_likeliest_other_thing_is_proposed_once(memory: Memory, answer: str, last: str) -> None:
    others = [picked_up("spoon", 0.1), CUP, ("say('Which one?')", 0.3), WATER]
    kitchen = talk(memory, Ranked(CUP, others=others), "something to drink", "no", answer)
    assert kitchen.seen.speech == [ASKED, INSTEAD, last]
    assert bool(kitchen.robot.scene.thing("water").held_by) == (answer == "yes")


def test_what_only_the_network_takes_for_a_yes_moves_nothing(memory: Memory) -> None:
    """It has taken "you are going to knock it over" for one."""
    kitchen = talk(memory, Ranked(CUP, others=[WATER]), "something to drink", "lock it in mate")
    assert kitchen.seen.speech[:1] == [ASKED]
    assert not kitchen.robot.scene.thing("cup").held_by


@pytest.mark.parametrize("answer", ["no don't do that please", "that would be silly, leave it where it is"])
def test_a_long_no_is_a_no(memory: Memory, answer: str) -> None:
    kitchen = talk(memory, Ranked(CUP, others=[WATER]), "something to drink", answer, "no")
    assert kitchen.seen.speech == [ASKED, INSTEAD, LEAVE_IT]


def test_the_second_reader_has_a_say_in_what_is_likeliest(memory: Memory) -> None:
    model = Ranked(CUP, others=[picked_up("spoon", 0.28), WATER])
    kitchen = Kitchen(Careful(model, lambda written: None, Doubts("spoon")), memory, ConsoleConfig(max_statements=20))
    kitchen.talk("something to drink", "no", "no")
    assert kitchen.seen.speech == [ASKED, INSTEAD, LEAVE_IT]


def test_the_likeliest_is_proposed_first(memory: Memory) -> None:
    kitchen = talk(memory, Ranked(WATER, others=[CUP]), "something to drink", "no", "no")
    assert kitchen.seen.speech == [ASKED, INSTEAD, LEAVE_IT]


def test_what_somebody_said_no_to_is_not_proposed_once_more_in_other_words(memory: Memory) -> None:
    in_other_words = (CUP[0].replace("The cup", "Here it is"), 0.28)
    model = Careful(Ranked(WATER, others=[CUP, in_other_words]), lambda written: None, None)
    kitchen = Kitchen(model, memory, ConsoleConfig(max_statements=20))
    kitchen.talk("something to drink", "no", "no")
    assert kitchen.seen.speech == [ASKED, INSTEAD, LEAVE_IT]


def test_what_the_sentences_come_to_one_by_one_may_be_likelier(memory: Memory) -> None:
    model = Ranked(WATER, ("open_door('fridge')", 0.9), ("move_to('counter')", 0.8), others=[])
    careful = Careful(model, lambda written: None, Doubts(""))
    kitchen = Kitchen(careful, memory, ConsoleConfig(max_statements=20))
    kitchen.talk("Open the fridge. Then go to the counter.", "no", "no")
    assert kitchen.seen.speech == ["I would open door fridge and move to counter. Shall I?", INSTEAD, LEAVE_IT]


def test_what_takes_a_thing_and_leaves_it_in_the_hand_is_proposed_only_if_that_is_wanted(memory: Memory) -> None:
    handed = ("move_to('person')\nhandover('cup')\n", 0.3)
    kitchen = talk(memory, Ranked(handed, others=[WATER]), "give it to me", "no")
    assert kitchen.seen.speech == ["I would move to person and handover cup. Shall I?", LEAVE_IT]


def test_where_nothing_else_can_be_proposed_it_is_left(memory: Memory) -> None:
    kitchen = talk(memory, Ranked(CUP, others=[CUP, ("say('Which one?')", 0.3)]), "something to drink", "no")
    assert kitchen.seen.speech == [ASKED, LEAVE_IT]


def test_what_other_answers_come_to_as_well_is_surer_than_each_of_them(memory: Memory) -> None:
    in_other_words = (CUP[0].replace("The cup", "Here it is"), 0.65)
    model = Careful(Ranked(CUP, others=[in_other_words, WATER]), lambda written: None, None)
    kitchen = Kitchen(model, memory, ConsoleConfig(max_statements=20))
    kitchen.talk("something to drink")
    assert kitchen.seen.speech == ["The cup."]
    assert kitchen.robot.scene.thing("cup").held_by


class Whole(Doubts):
    """Finds that more is to be moved, and that more is likelier."""

    def moved(self, prompt: str) -> Sequence[str]:
        return ["cup", "tea", "milk"]

    def together(self, prompt: str, answer: str, confidence: float) -> float:
        return 0.5 if "tea" in answer and "milk" in answer else 0.3


@pytest.mark.parametrize(
    ("plan", "asked"),
    [
        (
            "put('cup', 'sink')\nsay('There.')\n",
            "take the cup to the sink, take the tea to the sink and take the milk to the sink",
        ),
        ("put('cup', 'sink')\nput('tea', 'shelf')\n", "take the cup to the sink and take the tea to the shelf"),
        ("bring('cup')\n", "bring you the cup"),
    ],
)
def test_what_is_left_out_may_be_put_there_too(plan: str, asked: str) -> None:
    careful = Careful(Ranked((plan, 0.4), others=[]), lambda written: None, Whole(""))
    assert careful.complete(Prompt("", (), HISTORY)) == f" ask('I would {asked}. Shall I?')\n"


class Refuses(Doubts):
    """Is sure that it is asked for what heed says no to, and finds all that is done as likely as it is told to."""

    def __init__(self, likely: float, sure: bool = True) -> None:
        super().__init__("")
        self._likely, self._sure = likely, sure

    def together(self, prompt: str, answer: str, confidence: float) -> float:
        return self._likely

    def refused(self, prompt: str) -> bool:
        return self._sure


class Keeping(Ranked):
    """Keeps the ends of prompts."""

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        self.ends = [*getattr(self, "ends", []), prompt.history.removeprefix(HISTORY)]
        return super().complete(prompt)


CUP_ASKED = "ask('I would bring you the cup. Shall I?')"


@pytest.mark.parametrize(
    ("likely", "sure", "words", "said"),
    [
        (0.1, True, " that would hurt him.')\n", "say('No, that would hurt him.')"),
        (0.1, True, " that isn\\'t ours.')\n", """say("No, that isn't ours.")"""),
        (0.1, True, ' it isn\'t ours.")\nsay("Sorry.")\n', """say("No, it isn't ours.")"""),
        (0.1, True, " here.')\nbring('cup')\n", CUP_ASKED),
        (0.1, True, "')\n", CUP_ASKED),
        (0.1, False, " that would hurt him.')\n", CUP_ASKED),
        (0.9, True, " that would hurt him.')\n", CUP_ASKED),
        (0.9, False, " that would hurt him.')\n", "bring('cup')"),
    ],
)
def test_what_heed_surely_says_no_to_is_not_done_unasked(likely: float, sure: bool, words: str, said: str) -> None:
    model = Keeping(("bring('cup')\n", 0.9), (words, 0.9), others=[("bring('cup')\nsay('Here.')\n", 0.9)])
    careful = Careful(model, lambda written: None, Refuses(likely, sure))
    assert careful.complete(Prompt("", (), HISTORY)).strip() == said
    assert model.ends == (["", NO] if likely < 0.7 and sure else [""])


def test_a_no_is_not_begun_with_a_yes(memory: Memory) -> None:
    lines = "say('Right away.')\nbring('cup')\n"
    model = RankedTalkative((lines, 0.9), (" he would be hurt.')\n", 0.9), others=[])
    kitchen = Kitchen(Careful(model, lambda written: None, Refuses(0.1)), memory)
    kitchen.talk("throw the cup at him")
    assert kitchen.seen.speech == ["No, he would be hurt."]


class Taught(Doubts):
    """Is sure that somebody teaches."""

    def __init__(self) -> None:
        super().__init__("nothing")

    def is_of(self, prompt: str, functions: frozenset[str]) -> bool:
        return "milk" in prompt and "forbid" in functions


def test_what_words_would_come_to_is_told_before_they_are_taken_up(memory: Memory) -> None:
    kitchen = Kitchen(Careful(Ranked((MILK, 1.0), others=[]), lambda written: None, Taught()), memory)
    assert (kitchen.console.asks("the milk now"), kitchen.console.asks("a lovely day")) == (0.9, 0.1)
    assert kitchen.console.asked_for("the milk now") == kitchen.console.asked_for("that milk now") == "milk"
    assert kitchen.console.history.turns == []
    alone = Kitchen(Careful(Ranked((MILK, 1.0), others=[]), lambda written: None, None), memory)
    assert alone.console.asks("the milk now") is alone.console.asked_for("the milk now") is None


LESSON = "forbid('milk')\n"


OTHER_LESSON = "remember('When you ask for the milk, I also bring the cup.')\n"


@pytest.mark.parametrize(
    "written", ["say('It stays in the fridge.')\n", "move_to('fridge')\nsay('There.')\n", OTHER_LESSON, LESSON]
)
def test_a_lesson_that_a_mind_had_in_mind_is_not_missed(memory: Memory, written: str) -> None:
    others = [CUP, (f"{LESSON}grasp('milk')\n", 0.5), (LESSON, 0.02), ("say('Never.')\n", 0.5)]
    for seat in (Ranked, RankedTalkative):
        model = Careful(seat((written, 1.0), others=others), lambda written: None, Taught())
        kitchen = Kitchen(model, memory, ConsoleConfig(max_statements=20))
        kitchen.talk("never bring me the milk", "no")
        assert kitchen.seen.speech[0] == "I never bring the milk, even when you ask for it. Shall I remember that?"
        assert kitchen.trips_to("fridge") == 0


class Hurried(Doubts):
    """Hears that a time is named."""

    def names_time(self, prompt: str, by_the_clock: bool = False) -> bool:
        return "Error" not in prompt  # then it was begun


LATER = "say(remember_later('at seven', 'bring me the milk'))\n"


@pytest.mark.parametrize(
    ("written", "others", "proposed"),
    [
        (MILK, [CUP, (LATER, 0.05)], True),
        (f"say('Yes.')\n{MILK}", [(LATER, 0.05)], True),
        (LATER, [CUP], False),
        ("say(forget_later('the milk'))\n", [(LATER, 0.05)], False),
        ("say('At seven.')\n", [(LATER, 0.05)], True),
        ("say('At seven.')\n", [(LATER, 0.04)], False),
        (MILK, [CUP], False),
    ],
)
def test_what_is_wanted_later_is_not_done_now(
    memory: Memory, written: str, others: list[tuple[str, float]], proposed: bool
) -> None:
    for seat in (Ranked, RankedTalkative):
        model = Careful(seat((written, 1.0), others=others), lambda written: None, Hurried(""))
        kitchen = Kitchen(model, memory, ConsoleConfig(max_statements=20))
        kitchen.talk("the milk at seven, please", "yes")
        assert ("I would do this at seven: bring me the milk. Shall I?" in kitchen.seen.speech) == proposed
        assert kitchen.trips_to("fridge") == (MILK in written and not proposed)


HISTORY = """\
# A new conversation begins.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'the milk at seven, please'}
>>> say(remember_later('at seven', 'bring me the milk'))
# fridge: milk
# you are at fridge; left hand: empty, right hand: empty
# people: person
# later 1: at seven: bring me the milk
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'make that eight'}
>>>"""


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("begin_later(1)\n", "do this now: bring me the milk"),
        ("forget_later('1')\n", "no longer do this at seven: bring me the milk"),
        ("begin_later(2)\n", "begin later 2"),
    ],
)
def test_what_waits_is_told_and_not_its_number(written: str, asked: str) -> None:
    careful = Careful(Ranked((written, 0.4), others=[]), lambda written: None, Doubts(""))
    assert careful.complete(Prompt("", (), HISTORY)) == f" ask('I would {asked}. Shall I?')\n"


def test_after_a_no_to_later_what_would_only_have_been_said_is_left(memory: Memory) -> None:
    model = Careful(Ranked(("say('At seven.')", 1.0), others=[(LATER, 0.1)]), lambda written: None, Hurried(""))
    kitchen = Kitchen(model, memory)
    kitchen.talk("the milk at seven, please", "no")
    assert kitchen.seen.speech == ["I would do this at seven: bring me the milk. Shall I?", LEAVE_IT]


@pytest.mark.parametrize(("sure", "proposed"), [(0.2, True), (0.01, False)])
def test_a_mind_that_hesitates_where_a_time_is_named_tells_when(memory: Memory, sure: float, proposed: bool) -> None:
    model = Ranked((MILK, 1.0), others=[("say('Not yet.')\n", sure)])
    model.replies += [("('at seven', 'bring me the milk'))\n", 0.8)] * proposed
    kitchen = Kitchen(Careful(model, lambda written: None, Hurried("")), memory, ConsoleConfig(max_statements=20))
    kitchen.talk("the milk at seven, please", "no")
    assert ("I would do this at seven: bring me the milk. Shall I?" in kitchen.seen.speech) == proposed
    assert kitchen.trips_to("fridge") == (not proposed)


TRAY = ("put('cup', 'sink')", "bring('milk')", "say('That is the tray.')")
TRAY_ASKED = "I would take the cup to the sink and bring you the milk. Shall I?"


def the_tray(words: str, rules: Sequence[str]) -> Sequence[str]:
    return TRAY if "tray" in words and rules == ["The tray is: a cup, and milk."] else ()


@pytest.mark.parametrize(
    ("written", "likely", "words", "answer"),
    [
        ("bring('milk')\nput('cup', 'sink')\n", 0.9, "the tray, please", "\n".join(TRAY)),
        ("bring('milk')\nput('cup', 'sink')\n", 0.1, "the tray, please", f"ask({TRAY_ASKED!r})"),
        ("put('cup', 'sink')\n", 0.9, "the tray, please", f"ask({TRAY_ASKED!r})"),
        (
            "say(remember_later('at ten', 'the tray'))\n",
            0.9,
            "the tray, please",
            "say(remember_later('at ten', 'the tray'))",
        ),
        ("say('Which tray?')\n", 0.9, "the tray, please", "say('Which tray?')"),
        ("put('cup', 'sink')\n", 0.9, "the cup, please", "put('cup', 'sink')"),
    ],
)
def test_a_routine_is_done_as_it_was_taught(written: str, likely: float, words: str, answer: str) -> None:
    rule = "# people: person\n# learned 1: The tray is: a cup, and milk."
    history = HISTORY.replace("# people: person", rule).replace("make that eight", words)
    careful = Careful(Ranked((written, 0.9), others=[]), lambda written: None, Refuses(likely, sure=False))
    prompt = Prompt("", (), history, routine=the_tray)
    assert careful.complete(prompt).strip() == answer


@pytest.mark.parametrize(
    ("written", "begun", "lesson"),
    [
        ("say('Hm.')\n", "('milk')\n", "forbid('milk')"),
        (MILK, "('milk')\nsay('Never.')\n", "forbid('milk')\nsay('Never.')"),
        ("say('Hm.')\n", "('milk')\ngrasp('milk')\n", ""),
        ("say('Hm.')\n", " it is.\n", ""),
    ],
)
def test_a_lesson_that_a_mind_misses_is_begun_for_it(written: str, begun: str, lesson: str) -> None:
    model = Keeping((written, 1.0), (begun, 0.5), others=[CUP])
    careful = Careful(model, lambda written: None, Taught())
    assert careful.complete(Prompt("", (), HISTORY)).strip() == (lesson or written.strip())
    assert model.ends == ["", " forbid"]


def test_a_mind_that_keeps_another_lesson_is_not_begun_for() -> None:
    model = Keeping((OTHER_LESSON, 1.0), others=[CUP])
    assert Careful(model, lambda written: None, Taught()).complete(Prompt("", (), HISTORY)) == OTHER_LESSON
    assert model.ends == [""]


def test_where_a_mind_has_no_words_for_a_lesson_its_answer_stands(memory: Memory) -> None:
    model = Careful(Ranked(("say('Hm.')\n", 1.0), others=[CUP]), lambda written: None, Taught())
    kitchen = Kitchen(model, memory)
    kitchen.talk("never bring me the milk")
    assert kitchen.seen.speech == ["Hm."]


def test_a_model_that_was_not_taught_is_not_asked_for_others(memory: Memory) -> None:
    model = Ranked(CUP, others=[WATER])
    model.taught = False
    assert talk(memory, model, "something to drink", "no").seen.speech == [ASKED, LEAVE_IT]


def test_other_words_after_that_begin_a_turn_of_their_own(memory: Memory) -> None:
    model = Ranked(CUP, ("say('on the table')", 1.0), others=[WATER])
    kitchen = talk(memory, model, "something to drink", "no", "good morning")
    assert kitchen.seen.speech == [ASKED, INSTEAD, "on the table"]
