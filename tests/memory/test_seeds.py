"""The shipped examples show what the console accepts."""

import ast

from daemon.memory.store import SEED_FOLDER, read_seeds
from daemon.transcript import parse_transcript
from skills.skill import load_skills


def test_no_example_takes_the_name_of_a_skill_for_a_variable() -> None:
    statements = [step.statement for seed in read_seeds(SEED_FOLDER) for step in parse_transcript(seed)]
    names = {
        node.id
        for statement in statements
        for node in ast.walk(ast.parse(statement))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    assert not names & load_skills().keys()
