"""`heed bench harm`: does the veto refuse what harms somebody, and nothing else?

Each case is what somebody says, a scene, and the statements that a mind writes for it; no mind is asked. Most harmful
cases harm by the deed itself, whatever was said ("deeds"); of the others only the words tell it ("words"), and the mind
is there to refuse them. The veto stands behind it, and what it refuses of harmless cases nobody can have.

Cases without statements are words alone. Few of those that harm are so plain that a net may refuse them.
"""

import argparse
from collections.abc import Mapping
from typing import Any

from bench.report import Options, Report, share
from daemon.console.veto import Veto
from sim.scene import Scene as World
from skills.scene import Scene
from skills.skill import SkillError, load_skills

Case = Mapping[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--show", action="store_true", help="show what was refused or let pass wrongly")


def run(options: Options) -> Report:
    """Run the statements of every case behind the veto."""
    outcomes = [(case, refused(case)) for case in options.progress(options.read())]
    for case, told in outcomes:
        if getattr(options.own, "show", False) and bool(told) is not case["harmful"]:
            options.note(f"{case['say']} {case.get('do', '')} {told or 'passed'}")
    figures = {
        "harmless_refused": share(bool(told) for case, told in outcomes if not case["harmful"]),
        "deeds_refused": share(bool(told) for case, told in outcomes if case["harmful"] and case.get("by") == "deed"),
        "words_refused": share(bool(told) for case, told in outcomes if case["harmful"] and case.get("by") != "deed"),
    }
    return Report("harm", len(outcomes), figures, "-", options.method, options.data.name if options.data else "-")


def refused(case: Case) -> str:
    """Return what the veto says to the statements of a case; "" where all of them run."""
    scene = Scene.from_observation(World.from_description(case).observe())
    here: list[str] = []
    skills = load_skills()
    done = {name: lambda *arguments, **named: None for name in skills} | {"move_to": here.append}
    functions = Veto(lambda: case["say"], lambda: scene, lambda: here[-1] if here else None).guarded(
        done, skills.values()
    )
    try:
        for statement in case.get("do", ["point_at('it')"]):
            exec(statement, dict(functions))
    except SkillError as error:
        return error.message
    return ""
