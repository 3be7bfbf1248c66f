"""`heed bench talk`: what people say in a kitchen, in their own words, said to the whole console.

Kinds of sentences that go wrong easily: any one will do ("something to drink"), what nobody should do ("throw the cup
at the wall"), lessons that come first of all ("next time I ask for a drink, ..."), and what is to be done when somebody
is back. Each is said to a fresh robot with an empty memory; further sentences of a case are said, or answered, in turn.
A case may bring a world of its own.
`right` is the share of the cases in which all that is expected came true, also by the letter that an id begins with.
Nobody answers what heed asks before it acts, unless `--answer` is given: then somebody says yes to what they want, and
no to anything else (bench/support/cooperative_person.py), and answers about lessons where the case does not.
`questions` is how often something was proposed to them in a case, `refused` the share of these that got a no.
With `--read-ahead` heed has read what is around before anybody speaks, as it does while nobody does: the time before
the first statement is then that of a heed that runs.
"""

import argparse
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.mind.brain import open_brain
from bench.mind.embedding_cache import EmbeddingCache
from bench.mind.watched import Watched
from bench.report import Options, Report, share
from bench.support.cooperative_person import CooperativePerson
from bench.support.rehearsed import DESCRIPTION, Notes, Person, untaught
from bench.support.whereabouts import are_counted, doors_of, moved, places, unwanted
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder, LanguageModel
from daemon.memory.rules import Rule
from daemon.names import forms, mention
from daemon.transcript import Step, hearing, render
from daemon.trigger import Utterance
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene

SCENES = Path(__file__).parents[2] / "sim" / "scenes"
ACTING = ("move_to(", "grasp(", "place(", "handover(", "open_door(", "close_door(")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--show", action="store_true", help="show what was answered, and what was wrong about it")
    parser.add_argument("--answer", action="store_true", help="answer what heed asks before it acts")
    parser.add_argument("--read-ahead", action="store_true", help="let heed read what is around before each sentence")


def run(options: Options) -> Report:
    """Say every case."""
    data = options.read()
    embedder = EmbeddingCache(MiniLmEmbedder())
    model = Watched(open_brain(options, embedder))
    tally, questions, refused = Tally(), 0, 0
    answers, read_ahead = (getattr(options.own, name, False) for name in ("answer", "read_ahead"))
    for case in options.progress(data["cases"]):
        room = world_of(case, data)
        model.begin(case["id"])
        if answers:
            person = CooperativePerson(case)
            came = _answered(person, case, room, model, embedder, read_ahead)
            questions, refused = questions + person.proposals, refused + len(person.refused)
        else:
            say = [Utterance(text) for text in case["say"]]
            came = said_to_a_fresh_robot(say, Scene.from_description(room), model, embedder, read_ahead=read_ahead)
        wrong = came.against(case)
        tally.note(case, came, wrong)
        if getattr(options.own, "show", False):
            print(f"{'WRONG' if wrong else 'right'} {case['id']} {case['say']} -> {came.speech} {', '.join(wrong)}")
            for statement in came.statements if wrong else ():
                print(f"      {statement}")
    model.close()
    figures = tally.figures | {
        "completions_per_utterance": model.completions / max(1, tally.utterances),
        "new_tokens_p50": median(model.new_tokens) if model.new_tokens else 0,
        "first_statement_p50_ms": _quantile(model.first_statement_ms, 0.5),
        "first_statement_p95_ms": _quantile(model.first_statement_ms, 0.95),
    }
    if answers:
        figures |= {"questions": questions / max(1, tally.cases), "refused": refused / max(1, questions)}
    return Report(
        "talk", tally.cases, figures, options.brain, options.method, options.data.name if options.data else "-"
    )


class Tally:
    """What came of all cases so far."""

    def __init__(self) -> None:
        self.utterances = 0
        self._right: dict[str, list[bool]] = {}
        self._or_asked: list[bool] = []
        self._wrong_deeds = 0
        self._words_changed = 0

    @property
    def cases(self) -> int:
        return len(self._or_asked)

    @property
    def figures(self) -> dict[str, float | None]:
        """Shares and counts; `right` also by kind, or by the letter that an id begins with."""
        return {
            "right": share(one for group in self._right.values() for one in group),
            **{f"right.{kind}": share(group) for kind, group in self._right.items()},
            "right_or_asked": share(self._or_asked),
            "wrong_deeds": self._wrong_deeds,
            "words_changed": self._words_changed,
        }

    def note(self, case: Mapping[str, Any], came: "Came", wrong: Sequence[str]) -> None:
        """Count a case in, of which these expectations did not come true."""
        self._right.setdefault(case.get("kind", case["id"][0]), []).append(not wrong)
        self._or_asked.append(not wrong or came.asks)
        self._wrong_deeds += came.did_wrong(case)
        self._words_changed += came.unread
        self.utterances += came.turns


@dataclass(frozen=True)
class Came:
    """What came of it."""

    moved: Mapping[str, str | None]
    """Thing -> where it is now, of those that are elsewhere than before."""
    acted: bool
    """Whether the robot moved at all; what was refused before it began moves nothing."""
    speech: str
    rules: tuple[str, ...]
    waiting: int
    """How much is to be done later."""
    doors: Mapping[str, str] = field(default_factory=dict)
    """Place -> "open" or "closed"."""
    at: str | None = None
    """Where the robot stands."""
    turns: int = 1
    """How often somebody spoke, answers not counted."""
    unread: int = 0
    """How many of these the brain did not read as they were said."""
    statements: tuple[str, ...] = ()
    """What was done, each with what came back."""

    @property
    def asks(self) -> bool:
        """Return whether it asks, and has moved nothing."""
        return "?" in self.speech and not self.moved

    def did_wrong(self, case: Mapping[str, Any]) -> bool:
        """Return whether something moved, or was kept, that nobody wanted."""
        return bool(unwanted(case, self.moved)) or bool(case.get("no_rule") and self.rules)

    def against(self, case: Mapping[str, Any]) -> list[str]:
        """Return what is not as the case expects it; the names of the expectations."""
        checks = {
            "one": lambda fit: self._is_one(*fit),
            "still": lambda wanted: wanted is not (self.acted or bool(self.moved)),
            "moved": lambda where: dict(self.moved) == where,
            "count": lambda counted: are_counted(counted, self.moved),
            "rule": lambda form: len(self.rules) == 1 and bool(re.search(form, self.rules[0], re.IGNORECASE)),
            "no_rule": lambda wanted: wanted is not bool(self.rules),
            "waiting": lambda number: self.waiting == number,
            "doors": lambda wanted: all(self.doors.get(door) == state for door, state in wanted.items()),
            "at": lambda place: self.at == place,
            "said": lambda form: bool(re.search(form, self.speech, re.IGNORECASE)),
            "unsaid": lambda form: not re.search(form, self.speech, re.IGNORECASE),
        }
        return [name for name, check in checks.items() if name in case and not check(case[name])]

    def _is_one(self, fitting: list[str], place: str) -> bool:
        """Return whether just one of the things was moved, to the place, and was named, if only by its kind."""
        name = next(iter(self.moved), "")
        named = any(mention(form, self.speech) for form in forms(name))
        return dict(self.moved) == {name: place} and name in fitting and named


def said_to_a_fresh_robot(
    say: Sequence[Utterance],
    scene: Scene,
    model: LanguageModel,
    embedder: Embedder,
    learned: Sequence[str] = (),
    answering: CooperativePerson | None = None,
    read_ahead: bool = False,
) -> Came:
    """Say this to a robot that was taught nothing but these rules, and that may `read_ahead` before each sentence.

    What it asks is answered with what is said next, unless somebody is `answering`.
    """
    robot = RehearsalRobot(scene, DESCRIPTION)
    before = places(robot.observe())
    left, notes = list(say), Notes()

    def speak() -> Utterance | None:
        if answering:
            answering.look()
        if read_ahead and left:
            heed.talk.read_ahead()
        return left.pop(0) if left else None

    def answer(question: str) -> Utterance | str | None:
        return (answering.answer(question, left[0].text if left else "") if answering else None) or speak()

    person = Person(speak, answer)
    with untaught(person, robot, notes, model, embedder) as heed:
        known = {heed.memory.keep_lesson(_told(rule), Rule(rule)).id for rule in learned}
        book = heed.book
        if answering:
            answering.begin(lambda: robot.observe() | {"base": robot.scene.base, "waiting": len(book.waiting())})
        heed.talk.run()
        rules = tuple(lesson.rule.text for lesson in heed.memory.lessons() if lesson.id not in known)
        waiting = len(book.waiting())
    seen = robot.observe()
    steps = [Step(statement, result) for statement, result in notes.statements]
    acted = any(step.statement.startswith(ACTING) and not step.error for step in steps)
    doors = doors_of(seen)
    here = heed.functions["get_robot_location"]()
    turns = heed.talk.history.turns
    unread = sum(not model.read_as_said(turn) for turn in turns) if isinstance(model, Watched) else 0
    done = tuple(f"{step.statement} -> {step.result}" for step in steps)
    elsewhere = moved(before, places(seen))
    return Came(elsewhere, acted, " ".join(notes.speech), rules, waiting, doors, here, len(turns), unread, done)


def _answered(
    person: CooperativePerson,
    case: Mapping[str, Any],
    world: Mapping[str, Any],
    model: LanguageModel,
    embedder: Embedder,
    read_ahead: bool,
) -> Came:
    """Say a case to a fresh robot until the person has no yes to regret."""
    while True:
        say = [Utterance(text) for text in case["say"]]
        came = said_to_a_fresh_robot(
            say, Scene.from_description(world), model, embedder, answering=person, read_ahead=read_ahead
        )
        if not person.regrets(right=not came.against(case)):
            return came


def _told(rule: str) -> str:
    """Return how somebody taught it."""
    return render([hearing(rule)])


def _quantile(values: Sequence[float], share: float) -> float | None:
    return sorted(values)[round(share * (len(values) - 1))] if values else None


def world_of(case: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return its own world, or the scene of sim/scenes that it names, or all do."""
    if "world" in case:
        return dict(case["world"])
    scene = case.get("scene") or data.get("scene", "kitchen")
    return tomllib.loads((SCENES / f"{scene}.toml").read_text(encoding="utf-8"))
