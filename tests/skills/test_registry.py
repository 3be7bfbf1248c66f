"""The registry: skills of this folder and of installed packages, and the texts that are made from it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skills.reference import reference
from skills.skill import Skill, api_text, load_skills, stubs

ROOT = Path(__file__).parents[2]

TWIRL = '''
from skills.skill import SkillContext, skill

@skill(uses=("arms",))
def twirl(robot: SkillContext) -> str:
    """Wave."""
    return "success"
'''


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder into which packages are installed by hand."""
    return tmp_path


def install(folder: Path, module: str, source: str) -> None:
    """What pip does with a package that has one module and one entry point of ours."""
    (folder / f"{module}.py").write_text(source)
    facts = folder / f"{module}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[heed.skills]\n{module} = {module}\n")


def heed_skills(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "daemon", "skills", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100)


def test_a_skill_of_an_installed_package_is_listed_with_where_it_comes_from(installed: Path) -> None:
    install(installed, "heed_twirl", TWIRL)
    listed = heed_skills(installed, "list").stdout
    assert [line for line in listed.splitlines() if line.split()[:4] == ["twirl", "arms", "heed_twirl", "1.0"]]
    assert "grasp " in listed


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (TWIRL + "\nraise SystemExit(3)\n", "SystemExit"),
        (TWIRL.replace("def twirl", "def grasp"), "there are two skills named grasp; rename one"),
        *(
            pytest.param(source, why, marks=pytest.mark.whole)
            for source, why in [
                ("import no_such_module\n" + TWIRL, "ModuleNotFoundError: No module named 'no_such_module'"),
                (TWIRL + "\n1/0\n", "ZeroDivisionError"),
                (TWIRL.replace('"""Wave."""', ""), "has no docstring"),
                ("def broken(:\n", "SyntaxError"),
            ]
        ),
    ],
)
def test_a_package_that_cannot_be_imported_is_named_and_left_out_whole(installed: Path, source: str, why: str) -> None:
    install(installed, "heed_bad", source)
    install(installed, "heed_good", TWIRL.replace("def twirl", "def nod"))
    listed = heed_skills(installed, "list").stdout
    assert [line for line in listed.splitlines() if line.startswith("left out: heed_bad") and why in line]
    names = [line.split()[0] for line in listed.splitlines()]
    assert "twirl" not in names
    assert {"nod", "grasp", "move_to"} <= set(names)
    assert heed_skills(installed, "check", "get_robot_location").returncode == 1


def test_a_name_that_the_console_has_itself_is_refused_by_the_check(installed: Path) -> None:
    install(installed, "heed_say", TWIRL.replace("def twirl", "def say"))
    checked = heed_skills(installed, "check", "say")
    assert "the console has a function say itself" in checked.stdout
    assert checked.returncode == 1


def test_an_unknown_skill_is_answered_with_those_that_there_are() -> None:
    asked = heed_skills(ROOT, "check", "dance")
    assert "there is no skill 'dance'" in asked.stderr
    assert "grasp" in asked.stderr


def test_one_registry_makes_the_prompt_the_stubs_and_the_page() -> None:
    skills = load_skills().values()
    for text in (api_text(skills), stubs(skills), reference(skills)):
        assert not [skill.name for skill in skills if f"{skill.signature}" not in text]


def test_the_page_in_docs_is_up_to_date() -> None:
    """If not: heed skills docs > docs/skills.md"""
    ours = [skill for skill in load_skills().values() if skill.function.__module__.startswith("skills.")]
    assert (ROOT / "docs" / "skills.md").read_text(encoding="utf-8") == reference(ours)


def test_the_page_says_what_moves_what_asks_and_what_people_say() -> None:
    def twirl(robot: object, times: int = 1) -> str:
        """Wave."""
        return ""

    page = reference([Skill("twirl", twirl, ("arms", "base"), confirm=True, examples=(("twirl to me", "twirl()"),))])
    assert "It moves the arms and the base, asks before it runs." in page
    assert '- "twirl to me": `twirl()`' in page
