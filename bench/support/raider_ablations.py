"""RAIDER's ablations: an answerer without one of its steps, or one that is told everything instead of asking."""

from collections.abc import Generator, Sequence

from daemon.console.prompt import role_text
from daemon.console.raider.flow import Answerer, Call
from daemon.console.raider.model_answerer import ModelAnswerer, instructions
from daemon.console.raider.precondition_questions import Question
from daemon.console.raider.reasons import Trouble
from daemon.console.raider.surroundings import Surroundings
from daemon.console.raider.tools import HOUSEHOLD, Tools
from daemon.imitation.english.orders.order_reader import Order, Phrase
from daemon.imitation.english.orders.scene_answerer import Grounded, SceneAnswerer, absent
from daemon.lexicon.thing_knowledge import words_of
from daemon.llm.model import LanguageModel

STEPS = {"no-grounding": ("GROUND",), "no-questions": ("ASK", "ANSWER"), "basic": ("GROUND", "ASK", "ANSWER")}
"""Method -> the steps that it leaves out, by the words with which they begin in the model's instructions."""


class NamesOnly(SceneAnswerer):
    """A SceneAnswerer that does not ground: a phrase is the name of one thing, or nothing."""

    def read(self, text: str, order: Order, names: list[str]) -> Generator[Call, object, Order | None]:
        yield from ()
        return None

    def ground(
        self, phrase: Phrase, order: Order, names: list[str], is_place: bool
    ) -> Generator[Call, object, Grounded | Trouble]:
        yield from ()
        same = [name for name in names if words_of(name) == words_of(phrase.noun)]
        return Grounded(same[0]) if len(same) == 1 else absent(phrase, "")


def by_scene(method: str, tools: Tools, questions: dict[str, Sequence[Question]]) -> Answerer:
    """Return what answers by the scene alone; without the questions, what is grounded is fine."""
    left_out = STEPS.get(method, ())
    asked = dict.fromkeys(questions, ()) if "ASK" in left_out else questions
    return (NamesOnly if "GROUND" in left_out else SceneAnswerer)(tools, asked)


def by_model(method: str, model: LanguageModel, around: Surroundings, tools: Tools = HOUSEHOLD) -> Answerer:
    """Return what answers by a language model; by `scene`, one that is told everything, and has no tools."""
    if method == "scene":
        told = f"none; answer from this:\n{describe(around)}"
        return ModelAnswerer(model, role_text("raider").replace("{tools}", told))
    kept = (step for step in instructions(tools).split("\n\n") if not step.startswith(STEPS.get(method, ("\0",))))
    return ModelAnswerer(model, "\n\n".join(kept))


def describe(around: Surroundings) -> str:
    """Return everything that the tools would tell, as text."""
    holding = ", ".join(around.holding) or "nothing"
    lines = [f"The robot holds {holding} and reaches {around.reach} m."]
    for item in around.items:
        properties = ", ".join(sorted(item.properties)) or "none"
        relations = ", ".join(f"{relation} {other}" for relation, other in item.relations) or "none"
        lines.append(
            f"{item.name}: {item.distance} m away; properties {properties}; state {dict(item.state)}; {relations}"
        )
    return "\n".join(lines)
