"""`heed bench NAME`: finds the bench, gives it its data, shows what came out."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.report import Bench, BenchError, Options
from daemon.config import Config

SHARED = Path("..") / "shared" / "bench"
"""Where the papers' tasks lie beside a checkout, relative to it."""
DATA = {
    "tabletop": "cap_tabletop.json",
    "saycan": "saycan.json",
    "household": "household.json",
    "rounds": "household.json",
    "droc": "droc_plan_level.json",
    "helper": "helper.json",
    "raider": "raider_cases.json",
    "nicol": "nicol_tasks.json",
}
"""File of cases for each bench that needs one, unless --data names another."""


def measure(name: str, arguments: Sequence[str], config: Config) -> int:
    """Run one bench; returns the exit status: 0 measured, 1 it cannot be run."""
    try:
        module = _module(name)
        options = _options(name, module, arguments, config)
        if not options.quiet:
            print((module.__doc__ or "").strip(), end="\n\n")
        report = module.run(options)
    except BenchError as error:
        print(f"heed bench: {error}", file=sys.stderr)
        return 1
    if not options.quiet:
        print(report.table())
    print(report.line())
    return 0


def known() -> dict[str, str]:
    """Return the benches: the name of each, and its module."""
    files = sorted(Path(__file__).parent.glob("*/*.py"), key=lambda file: file.stem)
    benches = (file for file in files if "\ndef run(options: Options)" in file.read_text(encoding="utf-8"))
    return {file.stem: f"bench.{file.parent.name}.{file.stem}" for file in benches}


def _module(name: str) -> Bench:
    if name not in known():
        raise BenchError(f"there is no bench {name!r}; known are {', '.join(known())}")
    return importlib.import_module(known()[name])


def _options(name: str, module: Bench, arguments: Sequence[str], config: Config) -> Options:
    own = argparse.ArgumentParser(prog=f"heed bench {name}", description=module.__doc__)
    own.add_argument("--data", type=Path, help="file of cases")
    own.add_argument("--brain", default="imitation", help="imitation, llama:FILE.gguf or remote:URL")
    own.add_argument("--confidence", type=float, help="of a model file below which it does not act; 0: it always acts")
    own.add_argument("--method", default="full", help="full, or a baseline that the bench knows")
    own.add_argument("--json", action="store_true", help="nothing but the line of JSON")
    if hasattr(module, "add_arguments"):
        module.add_arguments(own)
    given = own.parse_args(arguments)
    if given.confidence is not None:
        config = replace(config, llm=replace(config.llm, confidence=given.confidence))
    return Options(
        data=given.data or _shared(name, config),
        brain=given.brain,
        method=given.method,
        config=config,
        quiet=given.json,
        own=given,
    )


def _shared(name: str, config: Config) -> Path | None:
    file = DATA.get(name)
    path = config.folder / SHARED / file if file else None
    return path.resolve() if path and path.exists() else None
