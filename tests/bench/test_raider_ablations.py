"""What is left out of RAIDER for an ablation is left out, and nothing else."""

import pytest

from bench.support.household_robot import TOOLS, household_questions
from bench.support.raider_ablations import by_model, by_scene
from daemon.console.raider.flow import Final, Finding, Message, examine
from daemon.console.raider.surroundings import Item, Surroundings
from tests.support.fakes import ScriptedModel

FAR_CUP = Surroundings((Item("Cup", 2.0, frozenset({"pickupable"})),))


def found(order: str, method: str) -> Finding:
    return examine(order, FAR_CUP, TOOLS, by_scene(method, TOOLS, household_questions()))


@pytest.mark.parametrize(
    ("method", "by_its_kind", "by_its_name"),
    [
        ("full", Final.UNFEASIBILITY, Final.UNFEASIBILITY),
        ("no-questions", Final.NONE, Final.NONE),
        ("no-grounding", Final.UNFEASIBILITY, Final.UNFEASIBILITY),
        ("basic", Final.UNFEASIBILITY, Final.NONE),
    ],
)
def test_without_questions_what_is_grounded_is_fine(method: str, by_its_kind: Final, by_its_name: Final) -> None:
    assert (found("pick the dish", method).final, found("pick(Cup)", method).final) == (by_its_kind, by_its_name)


def test_without_grounding_a_phrase_is_a_name_or_nothing() -> None:
    assert found("pick the dish", "full").grounded == ("Cup",)
    assert found("pick the dish", "no-grounding").grounded == ()


@pytest.mark.parametrize(
    ("method", "steps"),
    [("full", "GROUND ASK ANSWER"), ("no-grounding", "ASK ANSWER"), ("no-questions", "GROUND"), ("basic", "")],
)
def test_a_models_instructions_lack_the_step_that_is_left_out(method: str, steps: str) -> None:
    base = instructed(method)
    assert [step for step in ("GROUND", "ASK", "ANSWER") if f"\n{step} " in base] == steps.split()
    assert "dist_to_target(target)" in base


def test_a_model_that_is_told_everything_has_no_tools() -> None:
    base = instructed("scene")
    assert "Cup: 2.0 m away" in base
    assert "dist_to_target(target)" not in base


def instructed(method: str) -> str:
    """What stands above the conversation of a model."""
    model = ScriptedModel()
    by_model(method, model, FAR_CUP).reply([Message("order", "pick(Cup)")])
    return model.prompts[0].base
