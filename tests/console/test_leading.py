"""A model that reads for itself: words as they were said, the situation below them, whole answers."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.as_said import AsSaid
from daemon.console.loop import CUT_SHORT
from daemon.console.prompt import NEW_TASK, TAUGHT_TURNS, role_text
from daemon.console.waiting_words import ONE_MOMENT, Patience
from daemon.llm.model import PROMPT_SIGN, ModelCancelled, ModelChanged, Prompt, SoFar
from daemon.memory.prohibitions import Forbidden, Never
from daemon.memory.store import Memory
from sim.scene import Scene
from tests.support.fakes import ScriptedModel, WordEmbedder
from tests.support.waiting import until
from tests.support.worlds import Kitchen

JUICE = "move_to('fridge')\nopen_door('fridge')\ngrasp('juice')\nmove_to('person')\nhandover('juice')\n"


class Leader(ScriptedModel):
    """Answers as a script has it."""

    leads = True
    taught = False

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(*replies)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def told(prompt: Prompt) -> tuple[str, str]:
    """What the model reads above and below the words of the turn under way."""
    above, _, below = prompt.history.rpartition(">>> wait_for_trigger()\n")
    return above, below


def test_a_whole_answer_takes_one_completion(memory: Memory) -> None:
    model = Leader([f"{JUICE}say('Here it is.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("um could you, like, get me the juice")
    assert kitchen.where("juice") == "person"
    assert kitchen.seen.speech == ["Here it is."]
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    "said", ["take the coldest drink on the left", "bring me the cold one on the left", "forget it, what time is it?"]
)
def test_nothing_that_was_said_is_dropped_or_answered_before_a_model_that_leads_reads_it(
    memory: Memory, said: str
) -> None:
    model = Leader(["say('Read.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk(said)
    assert f"{{'type': 'dialog', 'text': {said!r}}}" in told(model.prompts[0])[1]
    assert kitchen.seen.speech == ["Read."]


def test_words_that_act_on_what_is_under_way_are_no_riddle_where_nothing_is(memory: Memory) -> None:
    model = Leader([])
    kitchen = Kitchen(model, memory)
    kitchen.talk("Never mind.", "wait", "go on")
    assert (kitchen.seen.speech, model.prompts) == (["All right.", "All right.", "I am doing nothing."], [])


def test_who_tells_their_name_is_surely_heard(memory: Memory) -> None:
    asks = Kitchen(Leader([]), memory).console.asks
    assert (asks("This is Ben."), asks("This is Ben's cup.")) == (1.0, None)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("forbid('tea')", ["never bring me the tea", "yes", "forget it"]),
        ("move_to('counter')\ngrasp('cup')", ["take the cup", "drop it"]),
        ("move_to('moon')", ["go to the moon", "go on"]),
        ("say('There.')", ["here", "go on"]),
    ],
)
def test_such_words_may_be_about_what_was_done_just_before(memory: Memory, done: str, said: Sequence[str]) -> None:
    model = Leader([done, *["say('Read.')"] * 2])
    kitchen = Kitchen(model, memory)
    kitchen.talk(*said)
    assert kitchen.seen.speech[-1] == "Read."


def test_what_waits_may_be_meant_by_a_never_mind() -> None:
    assert AsSaid(waits=lambda: True).understand("never mind", [], "").statements == ()
    assert AsSaid().understand("never mind", [], "").statements == ("say('All right.')",)


def test_words_are_read_as_they_were_said_with_the_situation_around_them(memory: Memory) -> None:
    model = Leader(["say('The juice is in the fridge.')"])
    Kitchen(model, memory).talk("wehre's the o.j. again?")
    above, below = told(model.prompts[0])
    assert below.startswith("{'type': 'dialog', 'text': \"wehre's the o.j. again?\"}\n")
    assert "# fridge (closed, also refrigerator, also icebox): juice (drink, also orange juice" in above
    assert "# you are at room_center; left hand: empty, right hand: empty\n" in above
    assert "It means" not in below


def test_one_that_was_taught_is_told_what_the_words_may_mean(memory: Memory) -> None:
    model = Leader(["say('Hello.')"])
    Kitchen(model, memory).talk("the juice please")
    assert "# near:" not in model.prompts[0].history
    model = Leader(["say('Hello.')"])
    model.taught = True
    Kitchen(model, memory).talk("the juice please")
    _, below = told(model.prompts[0])
    assert below.split("\n")[-2].startswith("# near: juice, ")


def test_only_the_last_words_have_the_situation(memory: Memory) -> None:
    model = Leader(["say('Hello.')", "say('Good.')"])
    Kitchen(model, memory).talk("hello", "how are you")
    assert model.prompts[1].history.count("# fridge") == 1
    assert ">>> say('Hello.')\n# " in model.prompts[1].history


def test_an_error_ends_an_answer_and_goes_back_with_its_hint(memory: Memory) -> None:
    model = Leader(["move_to('fridge')\ngrasp('juice')\nsay('I have it.')", "say('The fridge is closed.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("take the juice")
    assert kitchen.seen.speech == ["The fridge is closed."]
    assert "grasp('juice')\nRuntimeError: fridge is closed. Hint: open_door('fridge')\n>>>" in model.prompts[1].history


def test_a_question_ends_an_answer(memory: Memory) -> None:
    model = Leader(["ask('Which one?')\nsay('not heard yet')", "say('The tea, then.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("bring me that", "the tea")
    assert kitchen.seen.speech == ["Which one?", "The tea, then."]


def test_what_a_look_tells_is_thought_about(memory: Memory) -> None:
    model = Leader(["list_objects()", "say('I see it.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("look about")
    assert len(model.prompts) == 2
    assert "('juice', 'drink', 'fridge')" in model.prompts[1].history


def test_one_statement_at_a_time_as_in_the_papers(memory: Memory) -> None:
    model = Leader(["move_to('sink')\nmove_to('table')", "say('I am there.')", "wait_for_trigger()"])
    kitchen = Kitchen(model, memory, ConsoleConfig(statements="one"))
    kitchen.talk("go to the sink")
    assert kitchen.seen.statements.count("move_to('table')") == 0
    assert len(model.prompts) == 3


def test_deeds_without_a_word_are_told_by_heed(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["move_to('sink')"]), memory)
    kitchen.talk("go to the sink")
    assert kitchen.seen.speech == ["That is done."]


@pytest.mark.parametrize(("taught", "oldest"), [(True, 9 - TAUGHT_TURNS), (False, 0)])
def test_one_that_was_taught_reads_a_conversation_as_long_as_those_it_knows(
    memory: Memory, taught: bool, oldest: int
) -> None:
    model = Leader([f"say('Answer {number}.')" for number in range(9)])
    model.taught = taught
    Kitchen(model, memory).talk(*(f"remark {number}" for number in range(9)))
    read = model.prompts[-1].history
    assert [number for number in range(9) if f"remark {number}" in read] == list(range(oldest, 9))
    assert read.startswith(NEW_TASK)


def test_what_is_taught_by_a_typed_call_is_asked_about_kept_and_shown(memory: Memory) -> None:
    rule = "When you ask for tea, I also bring the spoon."
    model = Leader([f"remember({rule!r}, applies_to='tea')", "say('Water.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("with tea i always want a spoon", "yes", "what else is there to drink")
    assert kitchen.seen.speech[0] == f"{rule} Shall I remember that?"
    (lesson,) = memory.lessons()
    assert (lesson.rule.text, lesson.rule.scope.object) == (rule, "tea")
    assert f"# learned {lesson.id}: {rule}\n" in told(model.prompts[1])[0]


def test_a_rule_that_does_not_name_what_it_is_about_is_said_with_it(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["remember('I bring a spoon with it.', applies_to='tea', who='Anna')"]), memory)
    kitchen.talk("a spoon with it please, for anna", "yes")
    assert memory.lessons()[0].rule.text == "Only for Anna: About the tea: I bring a spoon with it."


def test_what_is_forbidden_is_not_handed_over_whatever_the_model_thinks(memory: Memory) -> None:
    model = Leader(["forbid('milk', why='it makes you ill')", JUICE.replace("juice", "milk"), "say('No milk.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("never the milk, it makes me ill", "yes", "bring me the milk")
    assert kitchen.where("milk") != "person"
    assert memory.lessons()[0].rule.effect == Never("milk")
    assert "RuntimeError: I was told never to bring the milk." in model.prompts[2].history


def test_what_is_forbidden_for_one_person_holds_where_they_are_whoever_asks(memory: Memory) -> None:
    world = {
        "locations": [
            "hall",
            {"name": "bench"},
            {"name": "person", "kind": "person"},
            {"name": "ida", "kind": "person"},
        ],
        "objects": {"nuts": {"location": "bench"}, "figs": {"location": "bench"}},
        "robot": {"location": "hall"},
    }
    fetch = "move_to('bench')\ngrasp('nuts')\nmove_to('{}')\nhandover('nuts')\nsay('Here.')"
    model = Leader(
        ["forbid('nuts', who='ida')", fetch.format("ida"), "say('No.')", "move_to('person')\nhandover('nuts')"]
    )
    kitchen = Kitchen(model, memory, scene=Scene.from_description(world))
    kitchen.talk("ida must not have nuts", "yes", "nuts for ida", "then i have them")
    assert "# learned 1: Only for ida: I never bring the nuts, even when you ask for it.\n" in told(model.prompts[1])[0]
    assert "RuntimeError: I was told never to bring the nuts" in model.prompts[2].history
    assert kitchen.where("nuts") == "person"


def test_a_skill_that_was_forbidden_at_a_place_is_not_used_there_and_elsewhere_it_is(memory: Memory) -> None:
    opening = "move_to('{0}')\nopen_door('{0}')\nsay('It is open.')"
    model = Leader(["forbid('open_door', place='fridge')", opening.format("fridge"), "say('I was told not to.')",
                    opening.format("cupboard")])  # fmt: skip
    kitchen = Kitchen(model, memory)
    kitchen.talk("never open the fridge", "yes", "open the fridge", "open the cupboard")
    assert "I never open the fridge. Shall I remember that?" in kitchen.seen.speech
    assert "RuntimeError: I was told: I never open the fridge." in model.prompts[2].history
    assert kitchen.seen.speech[-1] == "It is open."


def test_an_answer_that_is_neither_yes_nor_no_goes_back_to_the_model(memory: Memory) -> None:
    wrong, right = "When you ask for tea, I bring no spoon.", "When you ask for tea, I bring a spoon."
    model = Leader([f"remember({wrong!r})\nsay('Good.')", f"remember({right!r})"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("tea with a spoon", "no the opposite, a spoon every time", "yes")
    assert "the person answered 'no the opposite, a spoon every time'" in model.prompts[1].history
    assert [lesson.rule.text for lesson in memory.lessons()] == [right]


def test_without_a_yes_nothing_is_kept(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["remember('You like tea.')", "pass"]), memory)
    kitchen.talk("i like tea", "no")
    assert memory.lessons() == []


def test_a_rule_is_forgotten_by_its_number(memory: Memory) -> None:
    model = Leader(["remember('You like tea.')", "forget(1)"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("i like tea", "yes", "i do not like tea any more", "yes")
    assert memory.lessons() == []
    assert "You like tea. Shall I forget that?" in kitchen.seen.speech


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("prefer('move_to', 9.0, end='sink')", "speed 9.0 is outside the limits"),
        ("prefer('move_to', 0.5, end='moon')", "there is no location 'moon'"),
        ("prefer('move_to', 0.5, start='moon', end='sink')", "there is no location 'moon'"),
        ("prefer('move_to', 0.5, thing='cup', end='sink')", "a speed holds with a thing, or on a way"),
        ("prefer('speed', 0.5, end='sink')", "move_to takes thing, or end and start"),
        ("forbid('is_open', place='fridge')", "is_open moves nothing"),
        ("forbid('cup', place='moon')", "there is no location 'moon'"),
        ("prefer('grasp', 3, thing='cup')", "higher=3 is outside the limits"),
        ("prefer('grasp', 3, thing='unicorn')", "higher=3 is outside the limits"),
        ("prefer('open_door', 0, end='fridge')", "speed 0 is outside the limits"),
        ("prefer('close_door', 2, end='fridge')", "speed 2 is outside the limits"),
        ("prefer('pull', 5, end='fridge')", "further=5 is outside the limits"),
        ("routine('breakfast', ' ')", "steps is empty"),
        ("call_it('', 'cup')", "name is empty"),
        ("call_it('Yuki', 'yuki')", "'Yuki' is its name already"),
        ("remember('')", "rule is empty"),
    ],
)
def test_what_would_not_work_is_not_even_offered(memory: Memory, call: str, reason: str) -> None:
    kitchen = Kitchen(model := Leader([call, "say('I cannot.')"]), memory)
    kitchen.talk("from now on do it so", "yes")
    assert kitchen.seen.speech[0] == "I cannot."
    assert reason in model.prompts[1].history
    assert not memory.lessons()


@pytest.mark.parametrize(
    "call",
    [
        "prefer('move_to', 0.5, end='sink')",
        "prefer('move_to', 0.5, thing='cup')",
        "prefer('grasp', 0.02, thing='cup')",
        "prefer('grasp', 0.02, thing='juice')",
        "prefer('open_door', 0.5, end='fridge')",
        "prefer('close_door', 0.5, end='fridge')",
        "prefer('pull', 0.05, end='fridge')",
    ],
)
def test_what_works_is_offered_and_the_robot_does_not_move_for_it(memory: Memory, call: str) -> None:
    kitchen = Kitchen(Leader([call]), memory)
    kitchen.talk("from now on do it so", "yes")
    assert len(memory.lessons()) == 1
    assert kitchen.where("cup") == "counter"


def test_a_speed_holds_on_the_way_that_was_named_and_on_no_other(memory: Memory) -> None:
    places = [
        "table",
        "kitchen-table",
        "workbench_0",
        "workbench_1",
        "shelf_0",
        {"name": "shelf_0_top", "aliases": ["the top"]},
    ]
    world = {
        "locations": [*places, {"name": "person", "kind": "person"}],
        "objects": {},
        "robot": {"location": "table"},
    }
    taught = ["prefer('move_to', 0.5, start='table', end='workbench_0')", "prefer('move_to', 0.5, end='the top')"]
    ways = ["workbench_0", "table", "workbench_1", "kitchen-table", "workbench_0", "shelf_0", "shelf_0_top"]
    model = Leader(["\n".join(taught), *(f"move_to({place!r})" for place in ways)])
    kitchen = Kitchen(model, memory, scene=Scene.from_description(world))
    kitchen.talk(
        "from the table to the first bench go slowly, and to the top", "yes", "yes", *(f"to {to}" for to in ways)
    )
    drives = [result for result in kitchen.seen.results if "success" in result][-len(ways) :]
    assert ["# Learned" in drive for drive in drives] == [True, False, False, False, False, False, True]
    assert memory.lessons()[0].rule.text.startswith("On the way from the table to the workbench, I drive at 0.5 times")


def test_an_answer_ends_at_a_question_inside_a_statement_too(memory: Memory) -> None:
    model = Leader(["if ask('Shall I?') == 'yes': move_to('sink')\nmove_to('table')", "say('As you like.')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("clean up", "better not")
    assert kitchen.seen.speech[-1] == "As you like."
    assert "move_to('table')" not in model.prompts[1].history


def test_a_thing_is_kept_off_a_place_however_the_call_is_written(memory: Memory) -> None:
    put = "place(location='table', object='cup')"
    model = Leader(
        ["forbid('cup', place='table')", f"move_to('counter')\ngrasp('cup')\nmove_to('table')\n{put}", "pass"]
    )
    kitchen = Kitchen(model, memory)
    kitchen.talk("never put the cup on the table", "yes", "the cup goes on the table")
    assert "I was told never to put the cup on the table" in model.prompts[2].history
    assert kitchen.where("cup") != "table"


@pytest.mark.parametrize("whatever", ["anything", "things", "everything"])
def test_all_things_are_kept_off_a_place(memory: Memory, whatever: str) -> None:
    model = Leader([f"forbid({whatever!r}, place='table')", "put('cup', 'table')", "pass", "put('cup', 'counter')"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("nothing goes on the table, ever", "yes", "the cup on the table please")
    assert [lesson.rule.text for lesson in memory.lessons()] == ["I never put anything down at the table."]
    assert "I was told: I never put anything down at the table." in model.prompts[2].history
    assert kitchen.where("cup") == "counter"


def test_a_thing_that_is_never_to_be_touched_stays_where_it_is_whatever_it_is_wanted_for(memory: Memory) -> None:
    model = Leader(["forbid('cup', touch=True)", "move_to('counter')\ngrasp('cup')\nmove_to('table')", "pass"])
    kitchen = Kitchen(model, memory)
    kitchen.talk("that cup you never touch", "yes", "put the cup on the table")
    assert "I was told never to touch the cup" in model.prompts[2].history
    assert kitchen.where("cup") == "counter"


def test_what_is_never_to_go_to_whoever_is_here_is_forbidden_for_everybody(memory: Memory) -> None:
    Kitchen(Leader(["forbid('cup', place='person')"]), memory).talk("never take me the cup", "yes")
    (lesson,) = memory.lessons()
    assert (lesson.rule.effect, lesson.rule.scope.person) == (Never("cup"), "")


def test_a_skill_that_is_forbidden_at_a_person_is_not_forbidden_everywhere(memory: Memory) -> None:
    Kitchen(Leader(["forbid('move_to', place='person')"]), memory).talk("never come near me", "yes")
    (lesson,) = memory.lessons()
    assert lesson.rule.effect == Forbidden("move_to", "person")


def test_what_is_known_already_is_not_kept_twice(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["remember('You like tea.')", "remember('you like tea.')"]), memory)
    kitchen.talk("i like tea", "yes", "i like tea, you know")
    assert kitchen.seen.speech[-1] == "I know that already."
    assert len(memory.lessons()) == 1


def test_every_rule_can_be_read_with_its_number_however_many_there_are(memory: Memory) -> None:
    rules = "\n".join(f"remember('The part {number} is blue.')" for number in range(15))
    model = Leader([rules, "list_lessons('all')", "pass"])
    Kitchen(model, memory).talk("all parts are blue", *["yes"] * 15, "what do you know")
    assert "1: The part 0 is blue. 2: The part 1 is blue." in model.prompts[2].history


def test_what_a_person_ends_is_over_without_a_word_and_heed_listens(memory: Memory) -> None:
    model = Leader(["move_to('fridge')\nsay('I am there.')", "say('Hello.')"])
    kitchen = Kitchen(model, memory)
    drive = kitchen.executor._functions["move_to"]

    def interrupted(place: str) -> object:
        kitchen.console.cancel("never mind")
        return drive(place)

    kitchen.executor._functions["move_to"] = interrupted
    kitchen.talk("go to the fridge", "hello")
    assert kitchen.seen.speech == ["Hello."]
    assert len(model.prompts) == 2


class Writing(Leader):
    """Has written the first line of an answer, and writes on until it is cancelled."""

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(replies)
        self.cancelled = threading.Event()

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        reply = self.complete(prompt)
        if "\n" not in reply:
            return reply
        so_far(reply[: reply.index("\n") + 1])
        assert self.cancelled.wait(60)
        raise ModelCancelled("cancelled")

    def cancel(self) -> None:
        self.cancelled.set()


def test_what_a_person_ends_between_two_statements_needs_no_further_answer(memory: Memory) -> None:
    model = Writing(["move_to('fridge')\nsay('I am there.')", "say('Hello.')"])
    kitchen = Kitchen(model, memory)
    drive = kitchen.executor._functions["move_to"]

    def ended_just_after(place: str) -> object:
        result = drive(place)
        kitchen.console.cancel("never mind")
        return result

    kitchen.executor._functions["move_to"] = ended_just_after
    kitchen.talk("go to the fridge", "hello")
    assert kitchen.seen.speech == ["Hello."]
    assert len(model.prompts) == 2


def test_an_answer_that_is_too_long_is_stopped_and_told_of(memory: Memory) -> None:
    places = ["table", "sink", "shelf", "counter"] * 25
    kitchen = Kitchen(Leader(["\n".join(f"move_to('{place}')" for place in places)]), memory)
    kitchen.talk("patrol")
    assert kitchen.seen.speech == ["I have tried many things and it is still not done. I stop here."]
    assert 30 < len(kitchen.seen.statements) < 50


def test_questions_without_end_end(memory: Memory) -> None:
    kitchen = Kitchen(Leader(["while True: ask('what?')", "say('Hello.')"]), memory)
    kitchen.talk(*["tea"] * 30)
    assert kitchen.seen.speech[-1] == "All right."


class ReadsAhead(Leader):
    """Notes what it is to read while nobody speaks."""

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(replies)
        self.ahead: list[Prompt] = []

    def read_ahead(self, prompt: Prompt) -> None:
        self.ahead.append(prompt)


def test_while_nobody_speaks_the_next_prompt_is_read_up_to_the_words(memory: Memory) -> None:
    kitchen = Kitchen(model := ReadsAhead(["say('Hello.')", "say('Good.')"]), memory)
    kitchen.triggers.meanwhile = dict.fromkeys(("hello", "how are you"), kitchen.console.prepare)
    kitchen.talk("hello", "how are you")
    for ahead, prompt in zip(model.ahead, model.prompts, strict=False):
        assert prompt.text.startswith(ahead.text)
        assert prompt.text.removeprefix(ahead.text) in (" 'hello'}\n>>>", " 'how are you'}\n>>>")
    assert len(model.ahead) == 2


def test_while_an_answer_is_awaited_nothing_is_read_ahead(memory: Memory) -> None:
    kitchen = Kitchen(model := ReadsAhead(["ask('Which one?')", "say('The tea, then.')"]), memory)
    kitchen.triggers.meanwhile = {"the tea": kitchen.console.prepare}
    kitchen.talk("bring me that", "the tea")
    assert model.ahead == []


class GoesAway(Leader):
    """After its replies it is gone, and one that does not lead is there."""

    def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
        if self.leads and not self.replies:
            self.leads, self.replies = False, ["say('I have never learned that.')"]
            raise ModelChanged("it went away")
        return super().complete(prompt, stop=stop, max_tokens=max_tokens)


def test_where_a_model_that_leads_went_away_the_words_are_read_for_the_one_that_does_not(memory: Memory) -> None:
    kitchen = Kitchen(model := GoesAway([]), memory)
    kitchen.talk("bring me the juice")
    assert kitchen.seen.speech == ["I have never learned that."]
    assert model.prompts[0].base.startswith(role_text("interact"))


def test_where_a_model_that_leads_went_away_in_the_middle_nothing_is_done_twice(memory: Memory) -> None:
    kitchen = Kitchen(model := GoesAway(["move_to('fridge')\ngrasp('juice')"]), memory)
    kitchen.talk("bring me the juice")
    assert kitchen.seen.speech == [CUT_SHORT]
    assert len(model.prompts) == 1


class Slow(Leader):
    """Begins to write when it is told to."""

    def __init__(self, replies: Sequence[str], begin: Callable[[], object]) -> None:
        super().__init__(replies)
        self._begin = begin

    def stream(self, prompt: Prompt, so_far: SoFar) -> str:
        self._begin()
        return self.complete(prompt)


def test_who_waits_for_a_slow_model_hears_of_it(memory: Memory) -> None:
    told: list[str] = []
    slow, patience = Slow(["say('Hello.')"], lambda: until(lambda: told)), Patience(told.append, first=0.0)
    kitchen = Kitchen(slow, memory, patience=patience)
    kitchen.talk("hello")
    assert told == [ONE_MOMENT]
    assert kitchen.seen.speech == ["Hello."]


class Taught(Leader):
    """One that answers soon."""

    taught = True
