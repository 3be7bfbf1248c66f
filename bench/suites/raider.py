"""`heed bench raider`: does heed find out before it moves why an order cannot work, say so, and find a way out?

RAIDER (2025) examines each order: ground, ask, answer, issue. The paper's 260 cases are not published; these are the
project's own in the paper's taxonomy: ambiguity (IA), out of reach, obstructed, absent, wrong state, no sense, the
robot's own hands (IU1 to IU6), and nothing wrong (IN). `grounding` is the share of the cases to be grounded in which
the thing meant, or the ambiguity, is found; `detection` that of the right class of issue, `explanation` that of
explanations that name what matters; `recovery`, over correct explanations, that of plans, made from the explanation
alone, which are carried out here on the described world and after which the order works or is rightly given up.

--method full | robot | always | no-grounding | no-questions | basic (neither) | precond (the first stage alone) |
scene (a language model with a description of everything instead of tools)

`full` is RAIDER's household robot: every order is asked what heed asks, and held against the preconditions of heed's
own skills (skills/preconditions.py) in the described world; what heed has no skill for is asked here alone. `robot`
is heed's own, before it moves. Of orders to pick, place, open and close it settles those that are plain and examines
those that describe a thing (stage_choice.py); all others it leaves to the mind, which counts as nothing found. Where
nothing speaks against the order, the skill that does it is called, and its preconditions may refuse: what the skill
says is then the explanation, and heed follows its hint. `put_right` is the share, of refusals that the robot is
declared to put right by itself (`by_robot`), in which hints alone lead to the deed. `always` is the robot with
look_first = "always". `wrong` is the share of verdicts that are given and wrong: what is left to the mind is none.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from bench.mind.brain import needs_language_model, open_brain
from bench.report import BenchError, Options, Report, share
from bench.support.actor import recover
from bench.support.conversation_diary import write
from bench.support.hint_follower import Refusal, follow_hints, refusal_of
from bench.support.household_robot import TOOLS, household_questions
from bench.support.raider_ablations import by_model, by_scene
from bench.support.recovery_world import World
from daemon.console.raider.flow import Answerer, Final, Finding, examine
from daemon.console.raider.model_answerer import plan_by_model
from daemon.console.raider.precondition_questions import QUESTIONS, Deed, Question
from daemon.console.raider.surroundings import Human, Item, Surroundings
from daemon.console.raider.tools import ASSISTIVE, HOUSEHOLD, Tool, Tools, named
from daemon.imitation.english.orders.first_stage import settle
from daemon.imitation.english.orders.order_reader import read_order
from daemon.imitation.english.orders.recovery import plan_from
from daemon.imitation.english.orders.stage_choice import is_examined, is_looked_at
from daemon.lexicon.thing_knowledge import spoken_name
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import LanguageModel

METHODS = ("full", "robot", "always", "no-grounding", "no-questions", "basic", "precond", "scene")
POLICIES = {"robot": "described", "always": "always"}
"""Methods by which heed's own robot is measured -> [console] look_first."""
FIRST_STAGE_RUNS = 200
"""Of each order, for the time of the first stage."""
LEFT_TO_THE_MIND = Finding(None, "", (), (), (), 0.0)
"""What is found where nothing is looked at."""
Case = Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """What came of one case."""

    case: Case
    finding: Finding
    first_stage: bool
    """The first stage settled it."""
    first_stage_us: float
    grounded: bool | None
    """None where the case needs no grounding."""
    detected: bool
    explained: bool
    recovered: bool | None = None
    """None where nothing was wrong, or the explanation was."""
    plan: tuple[str, ...] = ()
    put_right: bool | None = None
    """Whether the robot did it by its skill's hints alone; None where no skill refused what the robot puts right."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="show what was said about the cases that failed")


def run(options: Options) -> Report:
    """Examine every case, recover from what was explained."""
    if options.method not in METHODS:
        raise BenchError(f"there is no method {options.method!r} here; use {', '.join(METHODS)}")
    if options.method == "scene":
        needs_language_model(options)
    data = options.read()
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    thinking = None if options.brain == "imitation" else model
    try:
        results = [examine_case(case, options.method, thinking) for case in options.progress(data["cases"])]
        preferences = [_prefers(probe, data, embedder, thinking) for probe in _probes(data)]
    finally:
        model.close()
    for result in results:
        write(_journalled(result))
    for result in results if options.own and getattr(options.own, "show", False) else ():
        if not (result.explained and result.grounded is not False and result.recovered is not False):
            options.note(_shown(result))
    name = options.data.name if options.data else "-"
    return Report("raider", len(results), _figures(results) | {"preferences": share(preferences)}, model.name,
                  options.method, name)  # fmt: skip


def _journalled(result: Result) -> str:
    found = result.finding
    plan = "; ".join(result.plan)
    return f"{result.case['query']} => {found.final} {list(found.grounded)} {found.explanation} => {plan}"


def examine_case(case: Case, method: str = "full", model: LanguageModel | None = None) -> Result:
    """Find out what is wrong, and recover from it."""
    around = surroundings_of(case)
    order = case["query"]
    first, microseconds = _first_stage(order, around, method)
    if method in POLICIES and _is_the_minds(order, around, first, POLICIES[method]):
        return judge(case, LEFT_TO_THE_MIND, True, microseconds)
    if method == "precond":
        finding = first or Finding(Final.NONE, "No issue.", (), (), (), microseconds / 1e6)
    elif first is not None and method in ("full", *POLICIES):
        finding = first
    else:
        finding = _examined(order, around, model, method)
    if method in POLICIES and finding.final is Final.NONE:
        deed = _deed(order, finding)
        if refusal := refusal_of(deed, around):
            return _left_to_hints(case, deed, refusal, first is not None, microseconds)
    settled_first = method == "precond" or (method in ("full", *POLICIES) and first is not None)
    result = judge(case, finding, settled_first, microseconds)
    if not result.explained or finding.final is Final.NONE:
        return result
    return _recovered(result, around, model, method)


def _deed(order: str, finding: Finding) -> Deed:
    read = read_order(finding.order or order)
    target, place, *_ = (*finding.grounded, "", "")
    return Deed(read.action, target, place if read.action == "place" else "", reach=read.reach)


def _left_to_hints(case: Case, deed: Deed, refusal: Refusal, first_stage: bool, microseconds: float) -> Result:
    """Return what comes of a call that a skill refuses: the robot follows its hints, as far as they are calls."""
    world = World(surroundings_of(case), case["expected"])
    done, steps = follow_hints(deed, world)
    grounded = tuple(name for name in (deed.target, deed.place) if name)
    found = Finding(Final.UNFEASIBILITY, f"{refusal.error.message}.", grounded, (), (), 0.0)
    result = judge(case, found, first_stage, microseconds)
    return replace(
        result,
        plan=tuple(steps),
        put_right=done if refusal.condition.by_robot else None,
        recovered=(done or _only_words(case)) if result.explained else None,
    )


def _only_words(case: Case) -> bool:
    """Return whether telling or asking is all that is wanted of a recovery."""
    return all(step.startswith(("say", "ask", "or ask")) for step in case["expected"]["recovery"] or [])


def _is_the_minds(order: str, around: Surroundings, first: Finding | None, policy: str) -> bool:
    """Return whether heed's robot would leave an order to the mind, of which the first stage makes `first`."""
    read = read_order(order)
    names = [spoken_name(item.name) for item in around.items]
    return not is_looked_at(read, names) or (first is None and not is_examined(read, around, policy))


def judge(case: Case, finding: Finding, first_stage: bool = False, first_stage_us: float = 0.0) -> Result:
    """Hold a finding against what the case expects."""
    expected = case["expected"]
    detected = finding.final == expected["final"]
    needs_grounding = expected["grounding"] is not None or expected["final"] == Final.AMBIGUITY
    right_thing = expected["grounding"] in finding.grounded if expected["grounding"] else detected
    words = spoken_name(finding.explanation)
    mentioned = all(
        any(spoken_name(word) in words or word.strip().lower() in finding.explanation.lower() for word in group)
        for group in expected["explanation_mentions"]
    )
    return Result(case, finding, first_stage, first_stage_us, right_thing if needs_grounding else None,
                  detected, detected and mentioned)  # fmt: skip


def surroundings_of(case: Case) -> Surroundings:
    """The described world of a case."""
    items = [
        Item(
            name,
            float(entry.get("distance_m", 0.5)),
            frozenset(entry.get("properties", ())),
            entry.get("state", {}),
            tuple((relation, other) for relation, others in entry.get("relations", {}).items()
                  for other in ([others] if isinstance(others, str) else others)),
            entry.get("category", ""),
        )
        for name, entry in case["objects"].items()
    ]  # fmt: skip
    holding = case.get("holding")
    held = (holding,) if isinstance(holding, str) else tuple(holding or ())
    humans = tuple(Human(**person) for person in case.get("humans", ()))
    return Surroundings(tuple(items), held, humans=humans)


def _asked(method: str) -> tuple[Tools, dict[str, Sequence[Question]]]:
    """Return the tools and the questions of heed's own robot, or those of one that leaves nothing to its skills."""
    return (ASSISTIVE, QUESTIONS) if method in POLICIES else (TOOLS, household_questions())


def _first_stage(order: str, around: Surroundings, method: str) -> tuple[Finding | None, float]:
    """Return what the first stage makes of an order that is read already, and the microseconds of heed's own."""
    read = read_order(order)
    finding = settle(read, around, *_asked(method))
    began = time.perf_counter()
    for _ in range(FIRST_STAGE_RUNS):
        settle(read, around, ASSISTIVE, QUESTIONS)
    return finding, (time.perf_counter() - began) / FIRST_STAGE_RUNS * 1e6


def _answerer(method: str, model: LanguageModel | None, around: Surroundings) -> Answerer:
    if model is None:
        return by_scene(method, *_asked(method))
    return by_model(method, model, around, _models_tools(method))


def _models_tools(method: str) -> Tools:
    return {"scene": {}, **dict.fromkeys(POLICIES, ASSISTIVE)}.get(method, HOUSEHOLD)


def _recovered(result: Result, around: Surroundings, model: LanguageModel | None, method: str) -> Result:
    case, finding = result.case, result.finding
    order = finding.order or case["query"]
    assert finding.final is not None
    if model is None:
        plan = plan_from(order, finding, around.holding)
    else:
        plan = plan_by_model(model, order, finding.final, finding.explanation, around.holding)
    world = World(around, case["expected"])
    again = method if method in POLICIES else "full"
    outcome = recover(order, finding, plan, world, lambda changed: _examined(changed, world.around, model, again))
    fits = outcome.done or (_only_words(case) and outcome.told)
    return replace(result, recovered=fits and not world.refused, plan=tuple(outcome.steps))


def _examined(order: str, around: Surroundings, model: LanguageModel | None, method: str) -> Finding:
    tools = _asked(method)[0] if model is None else _models_tools(method)
    return examine(order, around, tools, _answerer(method, model, around))


def _figures(results: Sequence[Result]) -> dict[str, float | int | None]:
    figures: dict[str, float | int | None] = {}
    issues = sorted({result.case["issue"] for result in results})
    abstractions = sorted({result.case["abstraction"] for result in results})
    picks = {
        "grounding": lambda r: r.grounded,
        "detection": lambda r: r.detected,
        "explanation": lambda r: r.explained,
        "recovery": lambda r: r.recovered,
        "put_right": lambda r: r.put_right,
    }
    for name, pick in picks.items():
        figures[name] = _share(results, pick)
        for issue in issues:
            figures[f"{name}.{issue}"] = _share([r for r in results if r.case["issue"] == issue], pick)
    for kind in abstractions:
        figures[f"explanation.{kind}"] = _share(
            [r for r in results if r.case["abstraction"] == kind], picks["explanation"]
        )
    seconds = sorted(result.finding.seconds for result in results if not result.first_stage)
    figures["second_stage_share"] = share(not result.first_stage for result in results)
    figures["first_stage_us"] = median(result.first_stage_us for result in results)
    figures["second_stage_p50_ms"] = median(seconds) * 1000 if seconds else None
    figures["wrong"] = share(result.finding.final is not None and not result.detected for result in results)
    figures["warnings"] = share(bool(result.finding.warnings) for result in results)
    return figures


def _share(results: Sequence[Result], pick: Any) -> float | None:
    return share(pick(result) for result in results if pick(result) is not None)


def _probes(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return data.get("user_information_corpus", {}).get("probes", ())


def _prefers(probe: Mapping[str, Any], data: Mapping[str, Any], embedder: MiniLmEmbedder, model: Any) -> bool:
    """Return whether "my favourite fruit" is found with what is known about the user."""
    facts = tuple(data["user_information_corpus"]["facts"])
    items = tuple(Item(name, 0.5, frozenset(["pickupable", "toggleable"]), {"on": True}) for name in probe["objects"])
    preferences = named([_preference_tool(facts, embedder)])
    around = Surroundings(items)
    asked = by_scene("full", TOOLS | preferences, household_questions())
    answerer = by_model("full", model, around, HOUSEHOLD | preferences) if model else asked
    finding = examine(probe["query"], around, TOOLS | preferences, answerer)
    return finding.grounded[:1] == (probe["expect"].split(" ")[0],)


def _preference_tool(facts: Sequence[str], embedder: MiniLmEmbedder) -> Tool:
    """Return a tool that finds which of `facts`, which are known about the user, is nearest to a question."""

    def retrieve_user_information(around: Surroundings, query: str) -> str:
        """The fact about the user that is nearest to a question; "" where nothing is known."""
        if not facts:
            return ""
        vectors = embedder.embed([str(query), *facts])
        return facts[int(np.argmax(vectors[1:] @ vectors[0]))]

    return Tool(retrieve_user_information)


def _shown(result: Result) -> str:
    case = result.case
    marks = {"grounded": result.grounded, "detected": result.detected, "explained": result.explained,
             "recovered": result.recovered}  # fmt: skip
    failed = ", ".join(name for name, value in marks.items() if value is False)
    said = f"{result.finding.final}: {result.finding.explanation} {list(result.finding.grounded)}"
    return f"\n{case['id']} ({failed}) {case['query']}\n  {said}\n  plan: {'; '.join(result.plan)}"
