"""The paper's assistive delivery: what is in the way is found out before each step, and settled with the person."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bench.worlds.actor import recover
from daemon.console.raider.flow import Final, Finding, examine
from daemon.console.raider.questions import CARE_QUESTIONS
from daemon.console.raider.surroundings import Human, Item, Surroundings
from daemon.console.raider.tools import ASSISTIVE
from daemon.imitation.english.orders.recovery import plan_from
from daemon.imitation.english.orders.scene_answerer import SceneAnswerer

PICK = frozenset(["pickupable"])


class Ward:
    """A ward, and the people in it, who help when they are asked."""

    def __init__(self) -> None:
        self.around = Surroundings(
            (
                Item("medicine_counter", 3.0, frozenset(["receptacle"])),
                Item("plant", 0.6),
                Item("medicine1", 0.6, PICK),
                Item("medicine2", 0.9, PICK),
            ),
            reach=0.5,
            humans=(Human("Adriana", 2.0, looking=False, known=False),),
            blocked={"medicine_counter": "chair"},
        )
        self.questions: list[str] = []
        self.acts: list[tuple[str, ...]] = []

    @property
    def holding(self) -> Sequence[str]:
        return self.around.holding

    def examine(self, order: str) -> Finding:
        return examine(order, self.around, ASSISTIVE, SceneAnswerer(ASSISTIVE, CARE_QUESTIONS))

    def carry_out(self, order: str) -> bool:
        finding = self.examine(order)
        if finding.final is Final.NONE:
            return True
        assert finding.final is not None
        plan = plan_from(order, finding, self.holding)
        return recover(order, finding, plan, self, self.examine).done

    def act(self, action: str, arguments: Sequence[str]) -> None:
        self.acts.append((action, *arguments))
        if action == "pick":
            self.around = replace(self.around, holding=(arguments[0],))
        if action == "approach":
            self._person(distance=0.4)

    def ask(self, question: str) -> str:
        self.questions.append(question)
        if "move it" in question:
            self.around = replace(self.around, blocked={})
        elif "Which one" in question:
            return "the one closest to the plant"
        elif "closer" in question:
            near = replace(self.around.items[2], distance=0.4)
            self.around = replace(self.around, items=(*self.around.items[:2], near, self.around.items[3]))
        elif "Is that you" in question:
            self._person(known=True)
        return "yes"

    def say(self, text: str) -> None:
        self.questions.append(text)
        if "look here" in text:
            self._person(looking=True)

    def _person(self, **changes: object) -> None:
        self.around = replace(self.around, humans=(replace(self.around.humans[0], **changes),))  # type: ignore[arg-type]


def test_the_medicine_is_delivered_with_the_help_of_people() -> None:
    ward = Ward()
    assert ward.carry_out("approach(medicine_counter)")
    assert ward.carry_out("pick(medicine)")
    assert ward.carry_out("handover(medicine1, Adriana)")
    assert [question.split(" ")[0:3] for question in ward.questions] == [
        ["The", "chair", "is"],
        ["Which", "one", "do"],
        ["Could", "you", "put"],
        ["I", "am", "looking"],
        ["Adriana,", "please", "look"],
    ]
    assert ("pick", "medicine1") in ward.acts
    assert ward.acts[-1][0] == "handover"


@pytest.mark.parametrize("changes", [{"hands_free": False}, {"looking": False}, {"known": False}, {"distance": 1.0}])
def test_nobody_is_handed_anything_who_cannot_take_it(changes: dict[str, object]) -> None:
    ward = Ward()
    ward.around = replace(ward.around, holding=("medicine1",), humans=(Human("Adriana", 0.4),))
    assert ward.examine("handover(medicine1, Adriana)").final is Final.NONE
    ward._person(**changes)
    assert ward.examine("handover(medicine1, Adriana)").final is Final.UNFEASIBILITY
