"""Writes the reference of all skills, docs/skills.md, from the registry."""

from collections.abc import Iterable

from skills.skill import Skill

HEAD = """\
# Skills

What the robot can do, as the model may call it. `heed skills docs` writes this page from the registry; on your robot
it prints it with the skills of installed packages too. `heed skills list` tells where each comes from.
"""


def reference(skills: Iterable[Skill]) -> str:
    """The page, in Markdown; skills that move come first."""
    by_name = sorted(skills, key=lambda skill: skill.name)
    moving = [_entry(skill) for skill in by_name if not skill.read_only]
    looking = [_entry(skill) for skill in by_name if skill.read_only]
    parts = [HEAD, "## They move the robot\n", *moving, "## They only look\n", *looking]
    return "\n".join(parts)


def _entry(skill: Skill) -> str:
    facts = [f"moves the {' and the '.join(skill.uses)}"] if skill.uses else []
    facts += ["asks before it runs"] if skill.confirm else []
    lines = [f"### {skill.name}", "", f"```python\n{skill.signature}\n```", "", skill.summary]
    lines += ["", f"It {', '.join(facts)}."] if facts else []
    lines += ["", *(f'- "{said}": `{statements}`' for said, statements in skill.examples)] if skill.examples else []
    return "\n".join([*lines, ""])
