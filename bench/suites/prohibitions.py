"""`heed bench prohibitions`: is a lesson with a "not" in it ever learned as its opposite?

People teach what is not to be: "never the peanuts", "anything but the tea", "she is allergic to milk". Each such
lesson is said to a fresh robot in a world of its own, by somebody who says yes to whatever heed offers to remember.
Then things are asked for in general words. A robot that learned the opposite takes what was forbidden, where one that
was never taught anything takes something else; or it keeps a rule that names the forbidden thing and forbids nothing.

`opposite` counts such lessons, `opposite.learned` those of them of which a rule was kept: the others are orders that
were read without their exception, and done once. `kept` is the share of lessons of which something was remembered,
`kept.broken` counts those after which what was forbidden was done all the same. `obeyed` is the share after which
nothing forbidden was moved, `obeyed.untaught` the same of a robot that was taught nothing.
"""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.mind.brain import open_brain
from bench.report import Options, Report, share
from bench.support.rehearsed import DESCRIPTION, Notes, Person, untaught
from bench.support.taught_rehearsal import agree
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.model import Embedder, LanguageModel
from daemon.names import spoken
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene

FORBIDS = re.compile(r"\bnever\b|\bonly when you ask\b|\bnot\b|\balone\b", re.IGNORECASE)
"""In a rule: it restricts what is done."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--show", action="store_true", help="show what was said, kept and moved")


def run(options: Options) -> Report:
    """Teach every lesson."""
    cases = options.read()["cases"]
    embedder = MiniLmEmbedder()
    model = open_brain(options, embedder)
    taught, untaught_, opposite, learned, broken = [], [], [], [], []
    for case in options.progress(cases):
        after = _said([case["lesson"], *case["ask"]], case["world"], model, embedder)
        without = _said(case["ask"], case["world"], model, embedder)
        taught.append(after)
        untaught_.append(without.obeys(case))
        opposite.append(after.is_opposite(case, without))
        learned.append(opposite[-1] and bool(after.rules))
        broken.append(bool(after.rules) and not after.obeys(case))
        if getattr(options.own, "show", False):
            verdict = "OPPOSITE" if opposite[-1] else "right" if after.obeys(case) else "wrong"
            print(f"{verdict} [{case['id']}] {case['lesson']}\n    {after.told}")
    model.close()
    figures = {
        "opposite": sum(opposite),
        "opposite.learned": sum(learned),
        "kept": share(bool(came.rules) for came in taught),
        "kept.broken": sum(broken),
        "obeyed": share(came.obeys(case) for came, case in zip(taught, cases, strict=True)),
        "obeyed.untaught": share(untaught_),
    }
    name = options.data.name if options.data else "-"
    return Report("prohibitions", len(cases), figures, options.brain, options.method, name)


@dataclass(frozen=True)
class Came:
    """What a conversation led to."""

    moved: Mapping[str, str | None]
    """Thing -> where it is now, of those that are elsewhere than before."""
    rules: tuple[str, ...]
    speech: tuple[str, ...]

    @property
    def told(self) -> str:
        """All of it, on one line."""
        return f"{' | '.join(self.speech)} => kept {list(self.rules)}, moved {dict(self.moved)}"

    def obeys(self, case: Mapping[str, Any]) -> bool:
        """Return whether nothing forbidden was moved, or put where it is not to be."""
        place = case.get("forbidden_place")
        return not any(name in self.moved and place in (None, self.moved[name]) for name in case["forbidden"])

    def is_opposite(self, case: Mapping[str, Any], without: "Came") -> bool:
        """Return whether the lesson brought about what it was to prevent."""
        return (without.obeys(case) and not self.obeys(case)) or any(
            re.search(rf"\b{re.escape(spoken(name))}\b", rule, re.IGNORECASE) and not FORBIDS.search(rule)
            for rule in self.rules
            for name in case["forbidden"]
        )


def _said(say: list[str], world: Mapping[str, Any], model: LanguageModel, embedder: Embedder) -> Came:
    """Say this, one after the other, to a robot that was never taught anything, and agree to what it
    offers to remember."""
    robot = RehearsalRobot(Scene.from_description(world), DESCRIPTION)
    before = _places(robot)
    left, notes = list(say), Notes()
    person = Person(lambda: left.pop(0) if left else None, _answered)
    with untaught(person, robot, notes, model, embedder) as heed:
        heed.talk.run()
        rules = tuple(lesson.rule.text for lesson in heed.memory.lessons())
    moved = {name: at for name, at in _places(robot).items() if at != before[name]}
    return Came(moved, rules, tuple(notes.speech))


def _answered(question: str) -> str:
    """Agree to what heed offers to remember, and to nothing that nobody asked it to do."""
    return "no" if "Shall I" in question and "remember" not in question else agree(question)


def _places(robot: RehearsalRobot) -> dict[str, str | None]:
    return {seen["name"]: seen["location"] for seen in robot.observe()["objects"]}
