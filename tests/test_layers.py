"""Who may import whom: one table, held against every import of every file.

Run it with `make check`, or `.venv/bin/python -m pytest tests/test_layers.py`.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import daemon

ROOT = Path(__file__).parent.parent
DAEMON = ROOT / "daemon"
EVERYTHING = ("hw", "sim", "skills", "camera", "daemon", "bench")
OURS = (*EVERYTHING, "training", "bridge")  # nothing that runs imports what trains, or a bridge

# The longest name that fits a file decides. A part may always import itself.
MAY_IMPORT = {
    "hw": (),
    "sim": (
        "hw.protocol",
        "hw.kinematics",
        "hw.state",
        "hw.description",
        "hw.base_description",
        "hw.head_description",
        "hw.servo_joint",
        "hw.limits",
        "hw.arm_manner",
    ),
    "sim.head_camera": ("sim", "hw.description", "hw.state", "camera.description", "camera.trouble"),
    "sim.tag_plates": (
        "sim",
        "camera.description",
        "camera.lens",
        "camera.printed_tags",
        "camera.tags",
        "camera.trouble",
    ),
    "skills": ("hw.client", "hw.arm_manner", "hw.state"),
    "camera": ("hw.kinematics", "hw.state", "hw.description"),
    "daemon.config": (),
    "daemon.trigger": (),
    "daemon.parsing_threads": (),
    "daemon.transcript": (),
    "daemon.names": (),
    "daemon.phrasebook": (),
    "daemon.reflex": ("daemon.phrasebook",),
    "daemon.lexicon": ("daemon.names",),
    "daemon.lexicon.inflection": (),
    "daemon.speech": (
        "daemon.config",
        "daemon.trigger",
        "daemon.phrasebook",
        "daemon.reflex",
        "daemon.lexicon.inflection",
    ),
    "daemon.speech.recognition": (),
    "daemon.speech.synthesis": (),
    "daemon.speech.recognizers": (
        "daemon.config",
        "daemon.reflex",
        "daemon.speech.recognition",
        "daemon.speech.spoken_words",
        "daemon.speech.pronunciation",
        "daemon.speech.vad",
        "daemon.speech.wyoming_client",
    ),
    "daemon.speech.free_memory": (),
    "daemon.speech.voices": (
        "daemon.config",
        "daemon.speech.free_memory",
        "daemon.speech.synthesis",
        "daemon.speech.wyoming_client",
    ),
    "daemon.speech.wyoming_client": ("daemon.config", "daemon.speech.synthesis", "daemon.speech.vad"),
    "daemon.llm": ("daemon.config", "daemon.trigger", "daemon.transcript", "daemon.names", "daemon.lexicon"),
    "daemon.memory": ("daemon.config", "daemon.trigger", "daemon.transcript", "daemon.names", "daemon.lexicon"),
    "daemon.console": (
        "daemon.config",
        "daemon.trigger",
        "daemon.transcript",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm",
        "daemon.memory",
        "daemon.phrasebook",
        "daemon.reflex",
        "skills",
    ),
    "daemon.console.learning": (
        "daemon.config",
        "daemon.console.as_said",
        "daemon.console.builtins",
        "daemon.console.counts",
        "daemon.console.executor",
        "daemon.console.history",
        "daemon.console.loop",
        "daemon.console.named_things",
        "daemon.console.prompt",
        "daemon.console.reading",
        "daemon.console.situation",
        "daemon.console.statements",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm.answers",
        "daemon.llm.model",
        "daemon.memory",
        "daemon.phrasebook",
        "daemon.transcript",
        "daemon.trigger",
        "skills",
    ),
    "daemon.console.raider": (
        "daemon.console.history",
        "daemon.transcript",
        "daemon.console.prompt",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm",
        "skills.scene",
        "skills.skill",
    ),
    "daemon.console.tasks": (
        "daemon.console.prompt",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm",
        "daemon.memory",
        "skills",
    ),
    "daemon.imitation": (
        "daemon.transcript",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm",
        "daemon.memory",
        "daemon.reflex",
        "daemon.console",
        "skills",
    ),
    "daemon.imitation.english": (
        "daemon.transcript",
        "daemon.names",
        "daemon.lexicon",
        "daemon.llm.model",
        "daemon.memory",
        "daemon.console",
        "daemon.imitation.example_cases",
        "skills",
    ),
    "daemon.brains": ("daemon.config", "daemon.console.confidence_guard", "daemon.imitation", "daemon.llm"),
    "daemon.doubt": ("daemon.names", "daemon.trigger", "daemon.console.learning"),
    "daemon.heed": (
        "daemon.doubt",
        "daemon.mind",
        "daemon.reflex",
        "daemon.trigger",
        "daemon.console.reading",
        "daemon.memory",
        "daemon.service",
        "daemon.speech",
        "hw.state",
    ),
    "daemon.status": (
        "daemon.brains",
        "daemon.mind",
        "daemon.phrasebook",
        "daemon.trigger",
        "daemon.memory",
        "daemon.page.live",
        "daemon.service",
    ),
    "daemon.mind": (
        "daemon.brains",
        "daemon.config",
        "daemon.console",
        "daemon.imitation",
        "daemon.llm.model",
        "daemon.mcp.outside_tools",
        "daemon.memory",
        "daemon.phrasebook",
        "daemon.service",
        "daemon.trigger",
        "skills.scene",
        "skills.skill",
    ),
    "daemon.asked_in_words": (
        "daemon.console.acting_statements",
        "daemon.page.live",
        "daemon.reflex",
        "daemon.service.control",
        "daemon.speech.ear_events",
        "daemon.transcript",
        "daemon.trigger",
        "hw.state",
    ),
    "daemon.doors": (
        "daemon.asked_in_words",
        "daemon.brains",
        "daemon.cli.memory",
        "daemon.cli.models",
        "daemon.config",
        "daemon.eyes.eyes_report",
        "daemon.fleet",
        "daemon.heed",
        "daemon.memory.lesson_table",
        "daemon.mind",
        "daemon.page",
        "daemon.reflex",
        "daemon.service",
        "daemon.speech",
        "daemon.status",
    ),
    "daemon.app": (
        "daemon.brains",
        "daemon.cli.terminal",
        "daemon.config",
        "daemon.console.learning.consent",
        "daemon.console.skill_examples",
        "daemon.doors",
        "daemon.heed",
        "daemon.llm",
        "daemon.mcp.outside_tools",
        "daemon.memory",
        "daemon.mind",
        "daemon.page.live",
        "daemon.parsing_threads",
        "daemon.service",
        "daemon.speech",
        "daemon.status",
        "daemon.trigger",
        "hw.notify",
        "hw.state",
        "skills",
    ),
    "daemon.cli": (
        "bench.command",
        "camera",
        "daemon.app",
        "daemon.config",
        "daemon.console",
        "daemon.llm",
        "daemon.mcp",
        "daemon.memory",
        "daemon.names",
        "daemon.page.permit",
        "daemon.phrasebook",
        "daemon.service",
        "daemon.speech",
        "daemon.transcript",
        "daemon.trigger",
        "hw",
        "sim",
        "skills",
    ),
    "daemon.cli.terminal": ("daemon.trigger",),
    "daemon.__main__": (
        "daemon.cli",
        "daemon.config",
        "daemon.service",
    ),
    "daemon.eyes": ("daemon.memory", "skills", "daemon.service.control", "hw.motion", "hw.state", "sim.perception"),
    "daemon.eyes.messages": (),
    "daemon.eyes.message_reading": ("daemon.eyes.messages",),
    "daemon.service": (
        "daemon.config",
        "daemon.eyes",
        "daemon.trigger",
        "daemon.transcript",
        "daemon.console",
        "daemon.memory",
        "daemon.phrasebook",
        "daemon.speech",
        "skills",
        "camera.description",
        "hw",
        "sim",
    ),
    "daemon.service.control": (),
    "daemon.page": ("daemon.service.control", "daemon.trigger", "daemon.speech", "skills", "hw.state"),
    "daemon.fleet": (
        "daemon.config",
        "daemon.service.control",
        "daemon.console",
        "daemon.memory",
        "daemon.transcript",
        "daemon.trigger",
        "hw.state",
    ),
    "daemon.mcp": ("daemon.config", "daemon.service.control", "skills", "hw.client", "hw.state"),
    "daemon": (),
    "bench": EVERYTHING,
    "bridge": ("daemon.service.control", "hw.client", "hw.notify", "hw.ros2.wire", "hw.state"),
    "training.corpus": ("bench.mind", "bench.suites.talk", "daemon", "sim"),
    "training.brain": (
        "bench.mind",
        "bench.suites.talk",
        "training.addressee.lines",
        "training.corpus",
        "daemon",
        "sim",
    ),
    "training.requests": (
        "daemon.speech.recognizers",
        "daemon.speech.spoken_words",
        "sim.scene",
        "skills.scene",
        "training.addressee.lines",
        "training.corpus",
    ),
    "training.addressee": (
        "training.corpus",
        "daemon.llm.embedder",
        "daemon.llm.minilm_onnx",
        "daemon.speech.addressee",
        "daemon.speech.did_you_mean",
    ),
    "training.answers": (
        "daemon.llm.answers",
        "daemon.llm.embedder",
        "daemon.llm.minilm_onnx",
        "daemon.phrasebook",
        "training.addressee",
    ),
    "training.intents": ("bench.mind", "training.addressee.lines", "training.brain", "training.corpus", "daemon"),
    "training": (),
}

BUILDERS_OF_BRAINS = ["daemon.brains", "daemon.mind"]
"""The one chooses the brain, the other gives it its readers, and hands it to the console."""


def test_imports_point_one_way() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {imported}"
        for path in sources()
        for line, imported in sorted(set(imports(path)))
        if not allowed(module_of(path), imported)
    ]
    assert not wrong, "\n".join(["not in the table of tests/test_layers.py:", *wrong])


def test_what_reads_english_is_imported_as_one_thing() -> None:
    """The daemon asks daemon.imitation, whose front is an interface; benches measure the parts behind it."""
    inner = [
        f"{path.relative_to(ROOT)}:{line} imports {imported}"
        for path in sources()
        for line, imported in sorted(set(imports(path)))
        if not path.is_relative_to(ROOT / "bench") and not within(module_of(path), "daemon.imitation")
        if within(imported, "daemon.imitation") and imported != "daemon.imitation"
    ]
    assert not inner, "\n".join(["only daemon.imitation itself may be imported:", *inner])


def test_the_brain_without_weights_is_known_only_to_those_who_build_brains() -> None:
    """Of all that runs: nothing that a model goes through may ask the package that reads English by hand."""
    runs = [path for path in sources() if not any(path.is_relative_to(ROOT / part) for part in ("bench", "training"))]
    outside = {module_of(path): path for path in runs if not within(module_of(path), "daemon.imitation")}
    asking = [
        name for name, path in outside.items() if any(within(other, "daemon.imitation") for _, other in imports(path))
    ]
    assert sorted(asking) == BUILDERS_OF_BRAINS


def test_no_circle_of_imports_is_in_the_daemon() -> None:
    """Nor by imports inside functions: those are for what loads slowly, not for files that want to be three."""
    files = {module_of(path): path for path in sources() if path.is_relative_to(DAEMON)}
    arrows = {module: {name for _, name in imports(path) if name in files} for module, path in files.items()}
    assert circles(arrows) == []


@pytest.mark.parametrize(
    ("arrows", "found"),
    [
        ({"a": {"b", "c"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}, [["b", "c"]]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c", "a"}, "e": {"e"}}, [["a", "b"], ["c", "d"], ["e"]]),
    ],
)
def test_circles_are_found(arrows: dict[str, set[str]], found: list[list[str]]) -> None:
    assert circles(arrows) == found


def test_every_row_of_the_table_is_about_something_that_exists() -> None:
    modules = {module_of(path) for path in sources()}
    named = {*MAY_IMPORT, *(name for names in MAY_IMPORT.values() for name in names)}
    assert not {name for name in named if not any(within(module, name) for module in modules)}


def test_the_daemon_that_is_imported_is_ours() -> None:
    """PyPI's python-daemon has the same import name."""
    assert daemon.__file__ is not None
    assert Path(daemon.__file__).parent == ROOT / "daemon"


@pytest.mark.parametrize(
    ("module", "imported", "fine"),
    [
        ("hw.server", "hw.motion", True),
        ("hw.server", "daemon.config", False),
        ("sim.devices", "hw.protocol.sts", True),
        ("sim.devices", "hw.protocols", False),
        ("daemon.speech.recognition", "daemon.memory.store", False),
        ("daemon.config", "daemon.trigger", False),
        ("bench.suites.talk", "sim.perception", True),
        ("daemon.app", "numpy", True),
    ],
)
def test_the_longest_fitting_row_decides(module: str, imported: str, fine: bool) -> None:
    assert allowed(module, imported) is fine


def allowed(module: str, imported: str) -> bool:
    if imported.split(".")[0] not in OURS:
        return True
    row = max((name for name in MAY_IMPORT if within(module, name)), key=len)
    return any(within(imported, name) for name in (row, *MAY_IMPORT[row]))


def within(module: str, name: str) -> bool:
    return module == name or module.startswith(name + ".")


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules in which each reaches each, itself included; `arrows` are the imports of each."""
    reached = {module: reachable(module, arrows) for module in arrows}
    in_circles = (module for module, others in reached.items() if module in others)
    groups = {tuple(sorted(other for other in reached[module] if module in reached[other])) for module in in_circles}
    return [list(group) for group in sorted(groups)]


def reachable(module: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        new = arrows[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return found


def sources() -> Iterator[Path]:
    for package in OURS:
        yield from sorted((ROOT / package).rglob("*.py"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    return list(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full module name of each import, also of those inside functions."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, name) for name in names_from(node, package))


def names_from(node: ast.ImportFrom, package: str) -> Iterator[str]:
    """`from hw import client` names hw.client; `from hw.client import Robot` names hw.client."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*above, *filter(None, [node.module])])
    for alias in node.names:
        file = ROOT / base.replace(".", "/") / alias.name
        yield f"{base}.{alias.name}" if file.is_dir() or file.with_suffix(".py").exists() else base
