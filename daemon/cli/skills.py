"""`heed skills`: what the robot can do, where each skill comes from, and whether it keeps what every skill keeps."""

import json
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path

from daemon.cli.skill_package import write_package
from daemon.cli.skill_trial import OF_THE_CONSOLE, breaches_of, breaches_on, simulated_robot
from daemon.service.control import CommandError
from skills.reference import reference
from skills.skill import GROUP, LEFT_OUT, Skill, load_skills


def inspect_skills(action: str, names: Sequence[str], as_json: bool) -> int:
    """Carry out "list", "check", "new" or "docs"; returns the exit status. Raises CommandError with a hint."""
    skills = load_skills()
    if action == "new":
        return _new(names, frozenset(skills) | OF_THE_CONSOLE)
    chosen = _chosen(names, skills)
    if action == "docs":
        print(reference(chosen), end="")
        return 0
    return _list(chosen, as_json) if action == "list" else _check(chosen, as_json)


def _new(names: Sequence[str], taken: frozenset[str]) -> int:
    if len(names) != 1:
        raise CommandError("a new skill needs one name", "for example: heed skills new wave_hand")
    place = write_package(names[0], Path.cwd(), taken)
    print(f"{place} is written. Try it, then change it:")
    print(f"  {sys.executable} -m pip install --no-build-isolation --no-deps --editable {place}")
    print(f"  {Path(sys.executable).with_name('heed')} skills check {names[0]}")
    return 0


def _chosen(names: Sequence[str], skills: dict[str, Skill]) -> list[Skill]:
    for name in names:
        if name not in skills:
            raise CommandError(f"there is no skill {name!r}", f"there are: {', '.join(sorted(skills))}")
    return sorted((skills[name] for name in names or skills), key=lambda skill: skill.name)


def _list(chosen: Sequence[Skill], as_json: bool) -> int:
    if as_json:
        listed = [
            {"name": s.name, "signature": s.signature, "uses": s.uses, "confirm": s.confirm, "from": _origin(s)}
            for s in chosen
        ]
        print(json.dumps({"skills": listed, "left_out": LEFT_OUT}))
        return 0
    for skill in chosen:
        print(f"{skill.name:22} {', '.join(skill.uses) or '-':12} {_origin(skill):28} {skill.summary}")
    for name, why in LEFT_OUT.items():
        print(f"left out: {name}, which cannot be imported: {why}")
    return 0


def _check(chosen: Sequence[Skill], as_json: bool) -> int:
    found = {}
    for skill in chosen:
        found[skill.name] = _breaches(skill)
        if not as_json:
            print("\n".join([f"{'FAIL' if found[skill.name] else 'ok':5} {skill.name}", *_indented(found[skill.name])]))
    if as_json:
        print(json.dumps({"breaches": found, "left_out": LEFT_OUT}))
    elif LEFT_OUT:
        print("\n".join(f"FAIL  {name} cannot be imported: {why}" for name, why in LEFT_OUT.items()))
    return 1 if any(found.values()) or LEFT_OUT else 0


def _breaches(skill: Skill) -> list[str]:
    """In thought first; only a skill that keeps everything there is tried with bytes, where that takes seconds."""
    problems = breaches_of(skill.name)
    if problems or skill.read_only:
        return problems
    with simulated_robot() as body:
        return breaches_on(body, skill.name)


def _indented(problems: Sequence[str]) -> list[str]:
    return [f"      {problem}" for problem in problems]


def _origin(skill: Skill) -> str:
    """A file of skills/, or the installed package with its version."""
    module = skill.function.__module__
    if module.startswith("skills."):
        return f"{module.replace('.', '/')}.py"
    for entry in entry_points(group=GROUP):
        if entry.dist and entry.module.partition(".")[0] == module.partition(".")[0]:
            return f"{entry.dist.name} {entry.dist.version}"
    return module
