"""The sentence of a rule is the rule: what it says can be read back, and contradicting ones are known."""

import json

import pytest

from daemon.memory.effect_json import from_json, to_json
from daemon.memory.effect_rules import replaces, rule_of, supersedes
from daemon.memory.effects import (
    HIGH_PLACE,
    Alone,
    Also,
    Belongs,
    Choice,
    Closing,
    Fact,
    FurtherStep,
    Manner,
    Meaning,
    Routine,
    Target,
    Together,
)
from daemon.memory.number_rules import Carry, Hold, Pace, Speed
from daemon.memory.prohibitions import Forbidden, KeptOff, Never, OnlyWhenAsked, Untouched
from daemon.memory.rules import Scope
from daemon.memory.sentence_to_effect import read_effect, rule_said

DRINKS = Scope(object_class="drink")
EFFECTS = [
    Alone(Scope(object="paint")),
    Alone(Scope(look="liquid")),
    Target(Scope(), "counter"),
    Also(DRINKS, "cup", at_once=True, example="juice"),
    Also(Scope(object="juice", person="Anna"), "cup"),
    Also(Scope(place=HIGH_PLACE), "ladder"),
    Also(Scope(place="table"), "plate"),
    FurtherStep(Scope(object="soup"), "put the spoon on the tray"),
    FurtherStep(DRINKS, "bring me the mat", first=True, example="tea"),
    FurtherStep(Scope(place="oven"), "open the window", first=True),
    Target(DRINKS, "table", "tea"),
    Meaning("serve", "put it on the table"),
    Speed("table", "workbench", 2.0),
    Belongs("stationery", "white drawer"),
    Fact("white shelf", "full"),
    Routine("David salad", "2 tomato slices and 3 lettuce slices on a clean plate"),
    OnlyWhenAsked("ladder"),
    Manner("give me a tour"),
    Closing(),
    Choice("drink", "tea"),
    Pace("close", "fridge", 0.5),
    Never("scissors"),
    KeptOff(Scope(object_class="drink"), "desk"),
    Untouched(Scope(object="paper knife")),
    Untouched(Scope(object_class="tool")),
    Forbidden("open_door", "oven"),
    Forbidden("move_to", "guest room"),
    Forbidden("grasp", "altar"),
    Forbidden("point_at"),
    KeptOff(Scope(object="ladder"), "carpet"),
    Speed("", "microscope table", 0.5),
    Together("plate", "fork"),
    Carry(Scope(object="vase"), 0.5),
    Carry(DRINKS, 0.5),
    Hold(DRINKS, 0.02),
]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.sentence[:40])
def test_a_rule_is_read_back_from_its_own_sentence(effect):
    assert read_effect(effect.sentence) == effect


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.sentence[:40])
def test_what_a_rule_does_is_a_value_that_json_can_write(effect):
    assert from_json(json.loads(json.dumps(to_json(effect)))) == effect


@pytest.mark.parametrize(
    "value", [{}, {"does": "Fly"}, {"does": "Never"}, {"does": "Never", "thing": "oil", "more": 1}]
)
def test_what_is_no_effect_is_refused(value):
    with pytest.raises(ValueError, match="nothing that a rule does"):
        from_json(value)


def test_a_sentence_of_no_known_form_only_informs():
    assert read_effect("Anna likes it quiet in the evening.") is None


def test_bringing_something_only_when_asked_replaces_bringing_it_along():
    assert replaces(OnlyWhenAsked("cup"), Also(DRINKS, "cup"))
    assert not replaces(OnlyWhenAsked("cup"), Also(DRINKS, "spoon"))
    assert replaces(Never("cup"), Also(DRINKS, "cup"))
    assert replaces(Also(DRINKS, "cup"), Never("cup"))
    assert replaces(Never("cup"), OnlyWhenAsked("cup"))
    assert not replaces(Also(DRINKS, "cup"), Also(Scope(object="soup"), "cup"))


def test_the_same_thing_may_come_along_with_two_kinds_of_things():
    assert not replaces(Also(DRINKS, "spoon"), Also(Scope(object_class="food"), "spoon"))


def test_another_speed_on_the_same_way_replaces_the_old_one_but_not_the_way_back():
    assert replaces(Speed("table", "sink", 0.5), Speed("table", "sink", 2.0))
    assert not replaces(Speed("sink", "table", 2.0), Speed("table", "sink", 2.0))


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.sentence[:40])
@pytest.mark.parametrize("time", ["in the evening", "on Sundays", "on weekdays at night", "after dinner"])
def test_any_rule_may_hold_at_some_times_only(effect, time):
    rule = rule_of(effect, "Anna", time)
    assert (read_effect(rule.text), rule_said(rule.text)) == (effect, rule)
    assert rule.scope.time == time


def test_a_mind_may_write_in_short_what_is_kept_off_a_place() -> None:
    rule = rule_said("No drinks on the table.")
    assert rule
    assert rule.effect == KeptOff(Scope(object_class="drinks"), "table")


@pytest.mark.parametrize("said", ["I never put anything on the piano.", "I put nothing on the piano"])
def test_all_things_may_be_kept_off_a_place(said):
    assert read_effect(said) == Forbidden("place", "piano")


def test_a_rule_of_the_evening_leaves_that_of_the_morning_as_it_is():
    decaf, strong = Meaning("coffee", "the decaf"), Meaning("coffee", "the espresso")
    assert supersedes(rule_of(strong, time="in the evening"), rule_of(decaf, time="in the evening"))
    assert not supersedes(rule_of(strong, time="in the morning"), rule_of(decaf, time="in the evening"))
    assert not supersedes(rule_of(strong), rule_of(decaf, time="in the evening"))


@pytest.mark.parametrize(
    ("sentence", "effect"),
    [
        ("When you ask for a mug, I bring the striped mug.", Choice("mug", "striped mug")),
        ("When you ask for any apron, I take the red one.", Choice("apron", "red apron")),
        ("When you ask for coffee, I bring the coffee tin.", None),
        ("When you ask for a mug, I bring the coffee tin and the mug.", None),
        ("When Mia asks for a mug, I bring the blue mug.", None),
    ],
)
def test_what_is_liked_of_a_kind_is_read_as_minds_write_it(sentence: str, effect: Choice | None) -> None:
    assert read_effect(sentence) == effect
