"""At what times a lesson is meant to hold, and that it does then and at no other time."""

from dataclasses import asdict
from datetime import datetime

import pytest

from daemon.console.learning.recall import Recall
from daemon.imitation import BeforeTheModel, English
from daemon.imitation.english.teaching.habitual_times import habitual_time, narrowed_to
from daemon.imitation.english.teaching.lesson_reader import lessons_in, taught
from daemon.memory.effect_rules import rule_of
from daemon.memory.effects import Meaning
from daemon.memory.store import Memory
from skills.scene import Scene, Thing
from tests.imitation.english.teaching.test_reader import HERE, SCENE

WITH_TEAS = Scene(
    (*SCENE.objects, Thing("green-tea_0", "drink", "bar_0", HERE), Thing("black-tea_0", "drink", "bar_0", HERE)),
    SCENE.locations,
)


@pytest.mark.parametrize(
    ("said", "time"),
    [
        ("of an evening I take the green tea", "in the evening"),
        ("evenings I take the green tea", "in the evening"),
        ("I take the green tea in the mornings", "in the morning"),
        ("on Sundays we have soup", "on Sundays"),
        ("we have soup Sunday mornings", "on Sundays in the morning"),
        ("at night never drive fast", "at night"),
        ("on weekdays at night I read", "on weekdays at night"),
        ("at the weekend I sleep", "at the weekend"),
        ("after dinner I always want the cola", "after dinner"),
        ("good evening, the cola goes to the bar", ""),
        ("this morning the cola stood on the bar", ""),
        ("because we have guests in the evening, the cola goes to the bar", ""),
    ],
)
def test_a_time_is_heard_where_it_is_meant_as_one(said: str, time: str) -> None:
    assert habitual_time(said)[0] == time


def test_an_answer_may_keep_a_rule_to_a_time() -> None:
    assert narrowed_to("yes, but only on Sundays") == "on Sundays"
    assert narrowed_to("yes, good evening") == ""


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("in the evening I only take the green tea", 'In the evening, when you say "tea", you mean "the green tea".'),
        ("mornings I have the black tea", 'In the morning, when you say "tea", you mean "the black tea".'),
        ("on Sundays bring a glass with the cola", "On Sundays, when you ask for cola, I also bring the glass."),
        ("never put drinks on the workbench at night", "At night, I never put any drink on the workbench."),
        ("on weekdays the workbench is occupied", "On weekdays, the workbench is occupied."),
        ("on Sundays the glass belongs on the bar", "On Sundays, where I may choose, the glass goes to the bar."),
    ],
)
def test_any_lesson_may_be_for_some_times_only(said: str, rule: str) -> None:
    [found] = lessons_in(said, WITH_TEAS)
    assert rule_of(found.effect, time=found.time).text == rule


@pytest.mark.parametrize("said", ["I take the green tea", "bring me the tea in the evening", "the evening was nice"])
def test_a_time_alone_teaches_nothing(said: str) -> None:
    assert taught(said, WITH_TEAS) is None


@pytest.mark.parametrize(
    ("said", "hour", "meaning"),
    [
        ("bring me my tea", 20, "bring me the green tea"),
        ("bring me my tea", 9, "bring me my tea"),
        ("good evening, bring me my tea", 9, "good evening, bring me the green tea"),
        ("good morning, bring me my tea", 20, "good morning, bring me my tea"),
        ("bring me the black tea", 20, "bring me the black tea"),
    ],
)
def test_a_rule_of_the_evening_holds_in_the_evening(memory: Memory, said: str, hour: int, meaning: str) -> None:
    rule = rule_of(Meaning("tea", "the green tea"), time="in the evening")
    memory.keep_lesson(">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'tea'}\n", rule)
    clock = datetime(2026, 11, 22, hour)
    seen = {"objects": [asdict(thing) for thing in WITH_TEAS.objects], "locations": []}
    recall = Recall(memory, lambda: seen, lambda: "bar_0", clock=lambda: clock, reader=English())
    assert BeforeTheModel(recall).understand(said, (), "").meaning == meaning
