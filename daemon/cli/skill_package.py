"""`heed skills new`: a package with one skill that works, and a test that holds it to what every skill keeps."""

import keyword
from pathlib import Path

from daemon.service.control import CommandError


def write_package(name: str, folder: Path, taken: frozenset[str]) -> Path:
    """Write the package as folder/NAME; returns that folder. `taken` are names that the console has already.

    Raises CommandError for a name that cannot be a function's, and where something is in the way.
    """
    if not name.isidentifier() or not name.islower() or keyword.iskeyword(name):
        raise CommandError(
            f"{name!r} cannot be a function's name", "use small letters, digits and _, such as wave_hand"
        )
    if name in taken:
        raise CommandError(f"there is a skill or function {name} already", "choose another name")
    place = folder / name
    if place.exists():
        raise CommandError(f"{place} is there already; nothing was written", "choose another name, or move it away")
    said = name.replace("_", " ")
    for file, text in FILES.items():
        path = place / file.replace("NAME", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("NAME", name).replace("SAID", said).lstrip("\n"), encoding="utf-8")
    return place


FILES = {
    "pyproject.toml": """
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "heed-NAME"
version = "0.1.0"
description = "A skill for heed: SAID"
requires-python = ">=3.11"

[project.entry-points."heed.skills"]
NAME = "heed_NAME"

[tool.setuptools]
py-modules = ["heed_NAME"]
""",
    "heed_NAME.py": '''
"""A skill for heed: SAID."""

from skills.motion import SUCCESS, carry_out
from skills.perception import look
from skills.skill import SkillContext, SkillError, skill

LIFT = 0.10
"""Metres above the height at which the hand rests."""
MOST = 5


@skill(
    uses=("arms",),
    examples={
        "SAID": "NAME()",
        "please SAID": "NAME()",
        "SAID five times": "NAME(5)",
    },
)
def NAME(robot: SkillContext, times: int = 2) -> str:
    """Move a free hand up and down, so many times."""
    if not 1 <= times <= MOST:
        raise SkillError(f"{times} times is not possible", f"say a number from 1 to {MOST}")
    free = look(robot).free_hands()
    if not free:
        raise SkillError("no hand is free", "place() or handover() something first")
    hand = free[0]
    x, y, rest = robot.body.manner(hand).carry
    for _ in range(times):
        for height in (rest + LIFT, rest):
            carry_out(robot, f"move the {hand} hand", lambda z=height: robot.body.move_tip(hand, x, y, z))
    return SUCCESS
''',
    "tests/test_NAME.py": '''
"""Run it with heed's Python: .venv/bin/python -m pytest NAME"""

import heed_NAME

from daemon.cli.skill_trial import breaches_of
from skills.skill import SKILLS


def test_it_is_offered() -> None:
    assert SKILLS["NAME"].function is heed_NAME.NAME


def test_it_keeps_what_every_skill_keeps() -> None:
    assert breaches_of("NAME") == []
''',
    "README.md": """
# SAID

A skill for heed, in `heed_NAME.py`. Its docstring is what the language model reads; the sentences in `examples` are how
people ask for it; its errors end with a hint that can be followed.

```
.venv/bin/pip install --no-build-isolation --no-deps --editable NAME    # from heed's folder; then start heed anew
.venv/bin/heed skills check NAME                # what every skill keeps, tried on the simulated robot
.venv/bin/heed say "SAID"
```

Installed, it runs inside heed with all that heed may do: install only what you trust.
""",
}
