"""What heed is built of is made in the order in which it is needed: two lines that change places fail here, not later.

A part that is made as the side effect of a method, or read, if only by a function that is handed on, before it is made,
breaks when somebody speaks, and not when heed starts.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

DAEMON = Path(__file__).parents[1] / "daemon"
WIRED = ("app.py", "heed.py", "mind.py", "doors.py", "status.py")


@pytest.mark.parametrize("file", WIRED)
def test_every_part_is_made_before_it_is_read(file: str) -> None:
    assert list(read_too_early((DAEMON / file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", WIRED)
def test_no_part_is_made_by_a_method_on_the_side(file: str) -> None:
    assert list(made_on_the_side((DAEMON / file).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "body",
    [
        "self.mouth = Mouth(self.ear)\n  self.ear = Ear()",
        "self.mouth = Mouth(lambda: self.ear.hears)\n  self.ear = Ear()",
        "self.mouth = Mouth(self.hears)\n  self.ear = Ear()",
        "self.mouth = Mouth(self.asks)\n  self.ear = Ear()",
    ],
)
def test_a_part_that_is_read_too_early_is_found(body: str) -> None:
    methods = " def hears(self):\n  return self.ear.hears\n def asks(self):\n  return self.hears()\n"
    assert list(read_too_early(f"class App:\n def __init__(self):\n  {body}\n{methods}")) == ["App.ear"]


def test_a_part_that_is_made_on_the_side_is_found() -> None:
    source = "class App:\n def __init__(self):\n  self.a = self._b()\n def _b(self):\n  self.c = 1\n  self.a = 2\n"
    assert list(made_on_the_side(source)) == ["App._b: c"]


def read_too_early(source: str) -> Iterator[str]:
    """Yield each attribute that __init__, or a method that it calls or hands on, reads above the line that sets it."""
    for name, methods in classes(source):
        if "__init__" not in methods:
            continue
        line_of: dict[str, int] = {}
        for node in attributes(methods["__init__"], ast.Store):
            line_of.setdefault(node.attr, node.lineno)
        for node in attributes(methods["__init__"], ast.Load):
            needed = {node.attr} | behind(node.attr, methods)
            yield from (f"{name}.{one}" for one in sorted(needed) if line_of.get(one, 0) > node.lineno)


def made_on_the_side(source: str) -> Iterator[str]:
    """Yield the methods that set an attribute which __init__ does not."""
    for name, methods in classes(source):
        made = {node.attr for node in attributes(methods["__init__"], ast.Store)} if "__init__" in methods else set()
        for method, body in methods.items():
            new = {node.attr for node in attributes(body, ast.Store)} - made
            if made and new:
                yield f"{name}.{method}: {', '.join(sorted(new))}"


def classes(source: str) -> Iterator[tuple[str, dict[str, ast.FunctionDef]]]:
    """Yield each class with its methods."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            yield node.name, {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}


def attributes(method: ast.AST, context: type[ast.expr_context]) -> Iterator[ast.Attribute]:
    """Yield where an attribute of `self` is set, or read."""
    for node in ast.walk(method):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), ctx=ctx) if isinstance(ctx, context):
                yield node


def behind(method: str, methods: dict[str, ast.FunctionDef]) -> set[str]:
    """Return the attributes that a method reads, and the methods that it calls."""
    found: set[str] = set()
    left = [method]
    while left:
        here = methods.get(left.pop())
        new = {node.attr for node in attributes(here, ast.Load)} - found if here else set()
        found |= new
        left += new
    return found
