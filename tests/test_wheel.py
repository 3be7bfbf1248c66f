"""A wheel holds every file that the code reads: prompts, lexica, seeds, scenes, the page."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_wheel_is_complete(tmp_path: Path) -> None:
    """Built from a copy of what is under version control, for setuptools leaves folders where it builds."""
    source = tmp_path / "source"
    files = [file for file in tracked() if file.split("/")[0] in packages()]
    for file in [*files, "pyproject.toml", "README.md", "LICENSE"]:
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        (source / file).write_bytes((ROOT / file).read_bytes())
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('.'))"
    built = subprocess.run([sys.executable, "-c", build], cwd=source, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(source / built.stdout.split()[-1]) as wheel:
        assert set(files) <= set(wheel.namelist())


def test_every_package_of_the_tree_is_named() -> None:
    """`camera` had been missing from a list of this test's own, so that nothing looked for its files."""
    assert packages() == {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}


def packages() -> set[str]:
    """Return the folders that pyproject.toml takes into a wheel."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    return {name.removesuffix("*") for name in settings["packages"]["find"]["include"]}


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", *packages()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [file for file in listed.stdout.split("\0") if (ROOT / file).is_file()]
