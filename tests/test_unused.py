"""Nothing stands in the house that nobody there uses: a function that only tests or benches call belongs to them."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS = ("hw", "sim", "skills", "camera", "daemon", "bridge")
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
FOR_TRIALS = {
    "from_view": "a lens for drawn pictures",
    "wait_drained": "an ear that hears a file is through with it",
    "process_id": "the model's worker, to be killed or measured",
    "disturb": "noise on a simulated wire",
    "evenly": "noise on a simulated wire",
}
"""Function -> what it is for, though only tests and benches call it."""


def test_every_function_and_constant_is_used_by_what_runs() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for room in RUNS for path in (ROOT / room).rglob("*.py")]
    used = {name for tree in trees for name in names_used(tree)}
    unused = {name for tree in trees for name in names_defined(tree)} - used
    assert unused == set(FOR_TRIALS)


def names_defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, methods, classes and constants; those with a decorator may be found by it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) or (isinstance(node, FUNCTION) and not _is_found(node)):
            yield node.name
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            yield from (name.id for name in ast.walk(node) if isinstance(name, ast.Name) and _is_set(name))


def names_used(tree: ast.Module) -> Iterator[str]:
    """Yield each name that is read, called, imported, or written out for getattr()."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str(name)) if name.isidentifier():
                yield name


def _is_found(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether others find it by its name, or by a decorator that is no property."""
    known = {"property", "classmethod", "staticmethod", "cached_property", "override", "contextmanager"}
    return node.name.startswith(("__", "visit_")) or bool({ast.unparse(one) for one in node.decorator_list} - known)


def _is_set(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store) and not name.id.startswith("__")
