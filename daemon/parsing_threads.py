"""Python's own parser, for one thread at a time.

In Python 3.11 ast.parse() counts its depth in one place for all threads: where the garbage collector lets another
thread in, both fail with "SystemError: AST constructor recursion depth mismatch". heed's threads parse all the time.
"""

import ast
import functools
import sys
import threading
from typing import Any

_PARSING = threading.RLock()


def parse_one_at_a_time() -> None:
    """Let ast.parse(), and what goes through it, wait for each other from now on; safe to call again."""
    if sys.version_info >= (3, 12) or hasattr(ast.parse, "__wrapped__"):
        return
    parse = ast.parse

    @functools.wraps(parse)
    def in_turn(*arguments: Any, **named: Any) -> Any:
        with _PARSING:
            return parse(*arguments, **named)

    ast.parse = in_turn
