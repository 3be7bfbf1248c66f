"""The Improver that needs no model: it reads what was said, else what was done, for the forms people use most.

"when I say serve, ..."  "always bring a cup with a drink"  "faster from the table to the bench"  -> said in full
"both at once", "remember that"  -> the deliveries of the request and its follow-ups belong together
"wrong, on the table, and remember that"  -> where things go that are asked for
"no, go there and say the name" ... "learn that"  -> the request is done as the correction was
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from daemon.console.deliveries import Delivery, deliveries_in, last_of_each, program_of
from daemon.console.history import Turn
from daemon.console.learning.learn_from_interaction import Candidate
from daemon.console.learning.no_lesson import Unclear
from daemon.imitation.english.noun_phrases import word_for
from daemon.imitation.english.rewording import reword
from daemon.imitation.english.scene_mentions import Situation, mentioned_places
from daemon.imitation.english.teaching.companions import AT_ONCE
from daemon.imitation.english.teaching.contradiction import contradicts
from daemon.imitation.english.teaching.corrections import REJECTION, TEACHING, read_correction
from daemon.imitation.english.teaching.lesson_reader import Taught, lessons_in, names_in
from daemon.memory.effects import Also, Effect, Manner, Target
from daemon.memory.number_rules import Parameter
from daemon.memory.rules import Rule, Scope
from daemon.names import spoken
from daemon.transcript import MEANING, WAIT, Step
from skills.scene import Scene

FOLLOW_UP = re.compile(
    r"^\W*(?:and|but)\b|\b(also|too|as well|another|instead|actually|rather|just|now|forgot|forget|should|need|"
    r"no|not|wrong)\b|n't\b",
    re.IGNORECASE,
)
ACTING = ("move_to", "grasp", "place", "handover", "open_door", "close_door")


class RuleImprover:
    """Improves what was done by rule; honest where it cannot."""

    def improve(self, turns: Sequence[Turn], correction: str | None = None) -> Sequence[Candidate]:
        """Return better ways to do the request that the turns are about; `correction` stands for the last utterance,
        and teaches only what it says.

        Raises Unclear with a question where nothing that was said or done explains it, NoLesson for a refusal.
        """
        text = correction or turns[-1].utterance
        scene = Scene.from_observation(turns[-1].scene or {"objects": [], "locations": []})
        task = task_turns(turns)
        past = turns[:-1] if correction is None else turns
        found = [_said_in_words(taught, text, turns, scene) for taught in lessons_in(text, scene, past)]
        if not found and correction is not None:
            raise Unclear("What should I remember? Tell me what to do, and when.")
        return found or [_unless_contrary(_from_what_was_done(text, task, scene), text, scene)]


def _said_in_words(taught: Taught, text: str, turns: Sequence[Turn], scene: Scene) -> Candidate:
    effect = taught.effect
    if isinstance(effect, Also) and AT_ONCE.search(text):
        effect = replace(effect, at_once=True)
    changed = _turn_changed_by(effect, turns, scene)
    candidate = replace(_candidate(effect, changed, scene), time=taught.time, person=taught.person)
    made = last_of_each([delivery for turn in task_turns(turns) for delivery in deliveries_in(turn)])
    if changed and isinstance(effect, Also) and effect.at_once and len(made) == 2 and made[0].target == made[1].target:
        return replace(candidate, steps=_steps_for_two(changed, effect, made))
    return candidate


def _unless_contrary(candidate: Candidate, text: str, scene: Scene) -> Candidate:
    """Return the candidate. Raises Unclear where what was said may mean that it is not to be done like that."""
    correction = read_correction(text)
    put_right = correction is not None and bool(
        correction.instruction
    )  # "wrong, on the table, and never do that again"
    if isinstance(candidate.effect, Rule) or put_right:
        return candidate
    if contradicts(candidate.effect, text, names_in(scene)):
        raise Unclear("How should I do it instead?")
    return candidate


def task_turns(turns: Sequence[Turn]) -> list[Turn]:
    """Return the last request, and the turns that follow it up, correct it or ask to remember it."""
    group: list[Turn] = []
    for turn in reversed(turns):
        group.insert(0, turn)
        if not (_points_back(turn.utterance) or REJECTION.match(turn.utterance)):
            break
    return group


def _points_back(text: str) -> bool:
    return bool(FOLLOW_UP.search(text) or TEACHING.search(text))


def _from_what_was_done(text: str, task: Sequence[Turn], scene: Scene) -> Candidate:
    acting = [turn for turn in task if _acts(turn)]
    all_deliveries = [delivery for turn in task for delivery in deliveries_in(turn)]
    deliveries = last_of_each(all_deliveries)
    if len(deliveries) == 2 and not _asks_in_one_breath(text, acting[0]):
        return _along(text, acting[0], deliveries, scene)
    moved_on = len(deliveries) == 1 and len(all_deliveries) > 1 and not deliveries[0].handed_over
    if moved_on and all_deliveries[0].target != deliveries[0].target:
        effect = Target(_scope_of(deliveries[0], scene), spoken(deliveries[0].target), _example(deliveries[0], scene))
        said_where = mentioned_places(acting[0].utterance, scene)
        return _candidate(effect, None if said_where else acting[0], scene)
    if len(acting) > 1 or (acting and acting[0] is not task[0]):
        return _as_shown(task[0], acting[-1], scene)
    if (read_correction(text) and REJECTION.match(text)) or re.search(
        r"\b(mistake|wrong|never)\b", text, re.IGNORECASE
    ):
        raise Unclear("How should I do it instead?")
    raise Unclear("What should I remember? Tell me what to do, and when.")


def _asks_in_one_breath(text: str, request: Turn) -> bool:
    """Return whether what is to be remembered was asked for in the same words: they do not tell what goes with what."""
    return text == request.utterance and not AT_ONCE.search(text)


def _along(text: str, turn: Turn, deliveries: list[Delivery], scene: Scene) -> Candidate:
    first, second = deliveries
    at_once = bool(AT_ONCE.search(text)) and first.target == second.target
    bring = word_for(scene.object(second.object), scene)
    effect = Also(_scope_of(first, scene), bring, at_once, _example(first, scene))
    return replace(_candidate(effect, turn, scene), steps=_steps_for_two(turn, effect, deliveries))


def _steps_for_two(turn: Turn, effect: Also, deliveries: list[Delivery]) -> tuple[Step, ...]:
    """Return the request as it should have been carried out: two things to one place."""
    announced = f"Here are the {spoken(deliveries[0].object)} and the {spoken(deliveries[1].object)}."
    program = ["list_objects()", *program_of(deliveries, effect.at_once), f"say({announced!r})"]
    return _trigger(turn, effect), *map(Step, program)


def _as_shown(request: Turn, shown: Turn, scene: Scene) -> Candidate:
    good = tuple(step for step in shown.steps[1:] if not step.error and step.called != "learn_from_interaction")
    return replace(_candidate(Manner(request.utterance), request, scene), steps=(_trigger(request, None), *good))


def _candidate(effect: Effect, turn: Turn | None, scene: Scene) -> Candidate:
    return Candidate(effect, turn, scene)


def _turn_changed_by(effect: Effect, turns: Sequence[Turn], scene: Scene) -> Turn | None:
    """Return the last turn whose request the effect changes; for a parameter else the first that acted; else None."""
    for turn in reversed(turns[:-1]):
        there = Situation(Scene.from_observation(turn.scene) if turn.scene else scene)
        if reword(turn.utterance, effect, there)[0] != turn.utterance:
            return turn
    acting = [turn for turn in task_turns(turns)[:-1] if _acts(turn)]
    return acting[0] if acting and isinstance(effect, Parameter) else None


def _trigger(turn: Turn, effect: Effect | None) -> Step:
    said = repr({"type": "dialog", "text": turn.utterance})
    if effect is None or turn.scene is None:
        return Step(WAIT, said)
    meaning, _ = reword(turn.utterance, effect, Situation(Scene.from_observation(turn.scene)))
    return Step(WAIT, said if meaning == turn.utterance else f"{said}\n{MEANING}{meaning}")


def _acts(turn: Turn) -> bool:
    return any(name in step.statement for step in turn.steps[1:] if not step.error for name in ACTING)


def _scope_of(delivery: Delivery, scene: Scene) -> Scope:
    """Return the class of what was asked for, as the scene has it; milk is a drink like juice."""
    thing = scene.object(delivery.object)
    return Scope(object_class=thing.category) if thing.category else Scope(object=word_for(thing, scene))


def _example(delivery: Delivery, scene: Scene) -> str:
    thing = scene.object(delivery.object)
    return word_for(thing, scene) if thing.category else ""
