"""The examples that skills bring along, as transcripts: what a new skill is for is known before anybody taught it."""

import ast
from collections.abc import Iterable

from daemon.transcript import Step, hearing, render
from skills.skill import Skill


def example_transcripts(skills: Iterable[Skill]) -> list[str]:
    """One transcript for each of their examples, as seeds for the memory. One that is no Python is left out."""
    return [text for skill in skills for said, code in skill.examples if (text := _transcript(skill, said, code))]


def _transcript(skill: Skill, said: str, code: str) -> str:
    try:
        statements = [ast.unparse(node) for node in ast.parse(code).body]
    except SyntaxError:
        return ""
    answer = "'success'" if skill.uses else ""
    done = [Step(statement, answer) for statement in statements]
    return render([hearing(said), *done])
