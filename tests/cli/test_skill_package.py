"""`heed skills new`: what it writes works, installed as pip installs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from daemon.cli.skill_package import write_package
from daemon.console.skill_examples import example_transcripts
from daemon.service.control import CommandError
from skills.skill import Skill, SkillContext
from tests.support.neighbours_story import TOLD, run, tell, written


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("written"))


@pytest.mark.whole
def test_its_own_tests_pass(site: Path, tmp_path: Path) -> None:
    place = write_package("twirl", tmp_path, frozenset())
    assert "2 passed" in run(site, "-m", "pytest", str(place / "tests"), "-p", "no:cacheprovider", folder=place)


@pytest.mark.whole
def test_it_keeps_the_contract_also_on_the_simulated_wire(site: Path) -> None:
    assert run(site, "-m", "daemon", "skills", "check", "twirl").split() == ["ok", "twirl"]


@pytest.mark.whole
def test_it_is_understood_from_its_examples_by_a_brain_that_was_never_taught(site: Path, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[llm]\nbrain = "imitation"\n[service]\nruntime_directory = "run"\n')
    heard = run(site, "-m", "daemon", "--config", str(settings), "run", say="please twirl\n")
    assert ">>> twirl()\n'success'" in heard


def test_it_is_well_formatted(tmp_path: Path) -> None:
    place = write_package("nod_twice", tmp_path, frozenset())
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "format", "--check", "--quiet", "--line-length=120", str(place)], check=True)
    subprocess.run([*ruff, "check", "--quiet", str(place)], check=True)


@pytest.mark.parametrize("name", ["Twirl", "twirl-hand", "3d", "import", "", "../twirl", "say"])
def test_a_name_that_does_not_do_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        write_package(name, tmp_path, frozenset({"say"}))
    assert not list(tmp_path.iterdir())


def test_what_is_there_already_is_kept(tmp_path: Path) -> None:
    (tmp_path / "twirl").mkdir()
    with pytest.raises(CommandError, match="is there already; nothing was written"):
        write_package("twirl", tmp_path, frozenset())
    assert not list((tmp_path / "twirl").iterdir())


def test_examples_become_transcripts_and_what_is_no_python_is_left_out() -> None:
    def twirl(robot: SkillContext) -> str:
        """Twirl."""
        return ""

    examples = (("don't stop", "twirl(); say('once; twice')"), ("twirl", "twirl("))
    assert example_transcripts([Skill("twirl", twirl, ("arms",), confirm=False, examples=examples)]) == [
        ">>> wait_for_trigger()\n{'type': 'dialog', 'text': \"don't stop\"}\n"
        ">>> twirl()\n'success'\n>>> say('once; twice')\n'success'\n"
    ]


@pytest.mark.whole
def test_it_is_called_and_cancelled_by_voice_and_listed_and_called_by_an_mcp_client(site: Path, tmp_path: Path) -> None:
    assert TOLD in tell(site, tmp_path)
