"""Finds tables of words in Python source, in whatever form they are written: what could read people's words.

A table is a collection of words with which something is compared: an alternation, a set, a chain of `or`, a tuple given
to startswith(), the keys of a dict in which something is looked up. The keys of a record and the lines of a demo are
words too, but nothing is compared with them.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

WORD = re.compile(r"[a-z][a-z' .,?!-]*", re.IGNORECASE)
COMPARING = ("startswith", "endswith", "removeprefix", "removesuffix")
"""Methods that compare a text with their argument."""
MOST_WORDS = 3
"""Words in a table that is none to speak of: four and more are counted, and belong into one room."""


class WordTable(NamedTuple):
    line: int
    words: list[str]


def word_tables(source: str) -> Iterator[WordTable]:
    """Yield the tables of words in a file, those of one or two words too."""
    tree = ast.parse(source)
    documents, compared = docstrings(tree), compared_with(tree)
    for node in ast.walk(tree):
        if node in documents:
            continue
        for words in [*written_as_pattern(node), *written_as_code(node, node in compared)]:
            if words:
                yield WordTable(getattr(node, "lineno", 0), words)


def written_as_pattern(node: ast.AST) -> Iterator[list[str]]:
    """Yield the words of each alternation of a text, whether or not a function of re is given it here."""
    match node:
        case ast.Constant(value=str(text)):
            yield from alternations(text)
        case ast.JoinedStr() | ast.BinOp(op=ast.Add()):
            yield from alternations(text_of(node))


def written_as_code(node: ast.AST, compared: bool) -> Iterator[list[str]]:
    """Yield the words of a collection; of a list, a tuple and a dict only where something is `compared` with it."""
    match node:
        case ast.Set(elts=elements):
            yield words_of(elements)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if compared:
            yield words_of(elements)
        case ast.Dict(keys=keys, values=values) if compared and all(map(is_literal, values)):
            yield words_of(keys)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=[]):
            yield text.split()
        case ast.MatchOr(patterns=choices):
            yield words_of(choice.value for choice in choices if isinstance(choice, ast.MatchValue))
        case ast.BoolOp(values=values):
            yield words_of(side for value in values if isinstance(value, ast.Compare) for side in sides(value))


def alternations(pattern: str) -> Iterator[list[str]]:
    """Yield the alternatives with words in them, of each piece of a pattern between two brackets."""
    plain = re.sub(r"\\.|\[[^\]]*\]|\|\|", "", pattern)
    for piece in re.split(r"[()]", plain):
        words = [word.strip() for word in piece.removeprefix("?:").split("|") if re.search(r"[A-Za-z]{2}", word)]
        if "|" in piece:
            yield words


def words_of(nodes: "Iterator[ast.expr] | list[ast.expr | None] | list[ast.expr]") -> list[str]:
    """Return those of some expressions that are words or phrases as they stand."""
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    return [text for text in texts if isinstance(text, str) and WORD.fullmatch(text)]


def text_of(node: ast.AST) -> str:
    """Return the text of an expression as it stands, without what is filled in."""
    parts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return "".join(part for part in parts if isinstance(part, str))


def docstrings(tree: ast.Module) -> set[ast.AST]:
    bodies = (getattr(node, "body", []) for node in ast.walk(tree))
    statements = (statement for body in bodies if isinstance(body, list) for statement in body)
    return {statement.value for statement in statements if isinstance(statement, ast.Expr)}


def compared_with(tree: ast.Module) -> set[ast.AST]:
    """Return the expressions with whose parts something is compared, where they stand or by their name."""
    found = {part for place in comparing_places(tree) for part in ast.walk(place)}
    names = {part.id for part in found if isinstance(part, ast.Name)}
    given = (node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value)
    return found | {part for node in given if name_of(node) in names for part in ast.walk(node.value or node)}


def comparing_places(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[collection]):
                yield collection
            case ast.Call(func=ast.Attribute(attr=method), args=arguments) if method in COMPARING:
                yield from arguments
            case ast.Call(func=ast.Attribute(value=ast.Constant(value="|"), attr="join"), args=arguments):
                yield from arguments
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]) if not is_literal(key):
                yield table
            case ast.Subscript(value=table, slice=key) if not isinstance(key, ast.Constant | ast.Slice):
                yield table
            case ast.GeneratorExp(elt=element, generators=[ast.comprehension(target=ast.Name(id=each), iter=all_of)]):
                if any(isinstance(side, ast.Name) and side.id == each for side in compared_sides(element)):
                    yield all_of


def compared_sides(element: ast.expr) -> Iterator[ast.expr]:
    for node in ast.walk(element):
        if isinstance(node, ast.Compare):
            yield from sides(node)
        elif isinstance(node, ast.Call):
            yield from node.args


def sides(comparison: ast.Compare) -> list[ast.expr]:
    return [comparison.left, *comparison.comparators]


def name_of(assignment: ast.AST) -> str:
    match assignment:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def is_literal(node: ast.AST) -> bool:
    literal = ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Load | ast.UnaryOp | ast.USub
    return all(isinstance(part, literal) for part in ast.walk(node))
