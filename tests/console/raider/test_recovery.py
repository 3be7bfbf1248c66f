"""From an explanation to a plan, and on with the person's answers."""

from collections.abc import Sequence

import pytest

from daemon.console.raider.flow import Final, Finding
from daemon.console.raider.reasons import Because, troubles_in
from daemon.console.raider.recovery import plan_from, recover, with_answer

FAR = "The apple is 1.8 m away, out of my reach of 1.1 m."


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


def finding(final: Final, explanation: str = "", *grounded: str) -> Finding:
    return Finding(final, explanation, grounded, (), (), 0.0)


@pytest.mark.parametrize("because", list(Because))
def test_every_reason_can_be_read_back_from_its_words(because: Because) -> None:
    names = {group: "red thing" for group in because.value.pattern.groupindex}
    (trouble,) = troubles_in(because.value.said(**names))
    assert (trouble.because, trouble.text) == (because, because.value.said(**names))


@pytest.mark.parametrize(
    ("order", "explanation", "plan"),
    [
        ("pick(Apple)", FAR, ["move_to(apple)", "pick(Apple)"]),
        (
            "pick(Plate)",
            "I am holding the pot, so that no hand is free. The cup lies on top of the plate and obstructs it.",
            ["move_to(free_table)", "place(pot, free_table)", "move_to(current_loc)", "pick(cup)",
             "move_to(free_table)", "place(cup, free_table)", "move_to(current_loc)", "pick(Plate)"],
        ),
        ("open(Apple)", "The apple cannot be opened or closed: it is not openable.",
         ["say('The apple cannot be opened or closed: it is not openable.')"]),
        ("slice(Lettuce)", "I need the knife to slice the lettuce, and am not holding one.",
         ["blade_loc = ask('Where is the knife?')", "move_to(blade_loc)", "pick(knife)", "move_to(current_loc)",
          "slice(Lettuce)"]),
    ],
)  # fmt: skip
def test_a_plan_needs_nothing_but_the_explanation(order: str, explanation: str, plan: list[str]) -> None:
    assert plan_from(order, Final.UNFEASIBILITY, explanation) == plan


def test_the_order_is_examined_again_before_it_is_done() -> None:
    hands = Hands()
    plan = plan_from("pick(Apple)", Final.UNFEASIBILITY, FAR)
    outcome = recover("pick(Apple)", finding(Final.UNFEASIBILITY, FAR, "Apple"), plan, hands,
                      lambda order: finding(Final.NONE, "", "Apple"))  # fmt: skip
    assert outcome.done
    assert hands.acts == ["move_to apple", "pick Apple"]


def test_an_answer_is_used_in_what_follows() -> None:
    hands = Hands("the clean one")
    asked: list[str] = []

    def again(order: str) -> Finding:
        asked.append(order)
        return finding(Final.NONE, "", "Cup_2")

    text = "Several things may be meant by the cup: the cup 1 or the cup 2."
    plan = plan_from("bring me the cup", Final.AMBIGUITY, text)
    outcome = recover("bring me the cup", finding(Final.AMBIGUITY, text, "Cup_1", "Cup_2"), plan, hands, again)
    assert outcome.done
    assert asked == ["bring me the clean cup"]
    assert hands.acts == ["pick Cup_2"]


def test_it_ends_honestly_where_nothing_helps() -> None:
    hands = Hands()
    found = finding(Final.UNFEASIBILITY, FAR, "Apple")
    plan = plan_from("pick(Apple)", Final.UNFEASIBILITY, FAR)
    outcome = recover("pick(Apple)", found, plan, hands, lambda order: found)
    assert (outcome.done, outcome.honest) == (False, True)
    assert "still does not work" in hands.speech[-1]
    assert hands.acts == ["move_to apple"] * 3


def test_what_a_model_writes_may_be_nonsense() -> None:
    outcome = recover(
        "pick(Apple)", finding(Final.UNFEASIBILITY, FAR), ["import os"], Hands(), lambda o: finding(Final.NONE)
    )
    assert (outcome.done, outcome.honest) == (False, True)


def test_an_answer_takes_the_place_of_what_was_unclear() -> None:
    assert with_answer("bring me the cup", "I mean the dirty one") == "bring me the dirty cup"
    assert with_answer("open(Cabinet)", "Cabinet_2") == "open(Cabinet_2)"
