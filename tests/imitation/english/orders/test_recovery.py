"""From an explanation to a plan, and on with the person's answers."""

import json
import re
from collections.abc import Sequence

import pytest

from bench.support.actor import recover
from daemon.console.raider.flow import Final, Finding
from daemon.console.raider.reasons import Because, Trouble
from daemon.imitation.english.orders.recovery import plan_from, with_answer

FAR = Trouble(Because.FAR, {"thing": "apple", "metres": "1.8", "reach": "1.1"})


class Hands:
    """An Actor that notes what it does, and answers what it was told to."""

    def __init__(self, *answers: str) -> None:
        self.acts: list[str] = []
        self.speech: list[str] = []
        self._answers = list(answers)
        self.holding: Sequence[str] = ()

    def act(self, action: str, arguments: Sequence[str]) -> None:
        self.acts.append(f"{action} {' '.join(arguments)}")

    def ask(self, question: str) -> str:
        self.speech.append(question)
        return self._answers.pop(0)

    def say(self, text: str) -> None:
        self.speech.append(text)


def finding(final: Final, troubles: Sequence[Trouble] = (), *grounded: str) -> Finding:
    explanation = " ".join(trouble.text for trouble in troubles)
    return Finding(final, explanation, grounded, (), (), 0.0, troubles=tuple(troubles))


@pytest.mark.parametrize("because", list(Because))
def test_every_reason_is_a_value_that_json_can_write(because: Because) -> None:
    slots = {slot: "red thing" for slot in re.findall(r"\{(\w+)\}", because.value.words)}
    trouble = Trouble(because, slots)
    assert Trouble.from_json(json.loads(json.dumps(trouble.to_json()))) == trouble
    assert "{" not in trouble.text


@pytest.mark.parametrize(
    ("order", "troubles", "plan"),
    [
        ("pick(Apple)", [FAR], ["move_to(apple)", "pick(Apple)"]),
        (
            "pick(Plate)",
            [Trouble(Because.HANDS_FULL, {"thing": "pot"}),
             Trouble(Because.COVERED, {"obstacle": "cup", "thing": "plate"})],
            ["move_to(free_table)", "place(pot, free_table)", "move_to(current_loc)", "pick(cup)",
             "move_to(free_table)", "place(cup, free_table)", "move_to(current_loc)", "pick(Plate)"],
        ),
        ("open(Apple)", [Trouble(Because.CANNOT_OPEN, {"thing": "apple"})],
         ["say('The apple cannot be opened or closed: it is not openable.')"]),
        ("slice(Lettuce)", [Trouble(Because.NO_BLADE, {"blade": "knife", "thing": "lettuce"})],
         ["blade_loc = ask('Where is the knife?')", "move_to(blade_loc)", "pick(knife)", "move_to(current_loc)",
          "slice(Lettuce)"]),
    ],
)  # fmt: skip
def test_a_plan_needs_nothing_but_the_troubles(order: str, troubles: list[Trouble], plan: list[str]) -> None:
    assert plan_from(order, finding(Final.UNFEASIBILITY, troubles)) == plan


def test_the_order_is_examined_again_before_it_is_done() -> None:
    hands = Hands()
    plan = plan_from("pick(Apple)", finding(Final.UNFEASIBILITY, [FAR]))
    outcome = recover("pick(Apple)", finding(Final.UNFEASIBILITY, [FAR], "Apple"), plan, hands,
                      lambda order: finding(Final.NONE, (), "Apple"))  # fmt: skip
    assert outcome.done
    assert hands.acts == ["move_to apple", "pick Apple"]


def test_an_answer_is_used_in_what_follows() -> None:
    hands = Hands("the clean one")
    asked: list[str] = []

    def again(order: str) -> Finding:
        asked.append(order)
        return finding(Final.NONE, (), "Cup_2")

    several = Trouble(Because.AMBIGUOUS, {"phrase": "the cup", "options": "the cup 1 or the cup 2"})
    found = finding(Final.AMBIGUITY, [several], "Cup_1", "Cup_2")
    outcome = recover("bring me the cup", found, plan_from("bring me the cup", found), hands, again)
    assert outcome.done
    assert asked == ["bring me the clean cup"]
    assert hands.acts == ["pick Cup_2"]


def test_it_ends_honestly_where_nothing_helps() -> None:
    hands = Hands()
    found = finding(Final.UNFEASIBILITY, [FAR], "Apple")
    plan = plan_from("pick(Apple)", finding(Final.UNFEASIBILITY, [FAR]))
    outcome = recover("pick(Apple)", found, plan, hands, lambda order: found)
    assert (outcome.done, outcome.told) == (False, True)
    assert "still does not work" in hands.speech[-1]
    assert hands.acts == ["move_to apple"] * 3


def test_what_a_model_writes_may_be_nonsense() -> None:
    outcome = recover(
        "pick(Apple)", finding(Final.UNFEASIBILITY, [FAR]), ["import os"], Hands(), lambda o: finding(Final.NONE)
    )
    assert (outcome.done, outcome.told) == (False, True)


def test_an_answer_takes_the_place_of_what_was_unclear() -> None:
    assert with_answer("bring me the cup", "I mean the dirty one") == "bring me the dirty cup"
    assert with_answer("open(Cabinet)", "Cabinet_2") == "open(Cabinet_2)"
