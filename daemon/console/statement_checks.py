"""What a statement may not do, seen before it runs: take away the robot's own functions, or listen inside of something.

A model that writes `say = 1` would be mute from then on, and one that writes `while True: wait_for_trigger()` deaf.
"""

import ast
from collections.abc import Container, Iterator

from daemon.console.goals.choice import SEEN
from daemon.console.goals.vocabulary import is_goal, takes

LISTEN = "wait_for_trigger"


def refusal(statement: ast.Module, offered: Container[str]) -> str | None:
    """One error line, as the console shows it, or None for a statement that may run; `offered` are our functions."""
    if any(map(_looks, ast.walk(statement))):
        return f"TypeError: {SEEN[0]}() takes {takes(SEEN[0])}, and nothing else besides. Nothing was done."
    for name in _assigned(statement):
        if name in offered:
            return f"NameError: {name} is a function of the robot. Hint: use another name. Nothing was done."
    if not _listens_alone(statement) and any(_named(node) == LISTEN for node in ast.walk(statement)):
        return f"SyntaxError: {LISTEN}() must be a statement of its own. Nothing was done."
    match statement.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=goal)))] if takes(goal) and goal not in offered:
            if not is_goal(ast.unparse(statement)):
                return f"TypeError: {goal}() takes {takes(goal)}, each by its name. Nothing was done."
    return None


def _looks(node: ast.AST) -> bool:
    """Return whether it calls or makes seen(): code looks that up behind `if`; it is no function that runs."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.FunctionDef(name=name):
            return name == SEEN[0]
    return False


def _listens_alone(statement: ast.Module) -> bool:
    """Return whether it is wait_for_trigger(), assigned to a name or not."""
    match statement.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(), args=[], keywords=[]))]:
            return True
        case [ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(), args=[], keywords=[]))]:
            return True
    return False


def _named(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _assigned(tree: ast.AST) -> Iterator[str]:
    """Names that are bound or deleted where everything can see it, not in a function or a comprehension alone."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
                yield from _made_global(node)
                continue
            case ast.Lambda():
                continue
            case ast.comprehension(iter=source, ifs=conditions):
                for part in (source, *conditions):
                    yield from _assigned(ast.Expression(part))
                continue
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
        yield from _assigned(node)


def _made_global(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from node.names
