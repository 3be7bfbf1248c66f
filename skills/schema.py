"""The parameters of a skill as JSON Schema (2020-12), for programs that call skills from outside.

input_schema(SKILLS["is_open"])  ->  {"type": "object", "properties": {"container": {"type": "string"}}, ...}
"""

import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, Union

from skills.skill import Skill

_PLAIN: Mapping[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


class SchemaError(TypeError):
    """An annotation that JSON has no word for; the message says which, and what would do."""


def input_schema(skill: Skill) -> dict[str, Any]:
    """An object with one property for each parameter that the model sees. Raises SchemaError."""
    kinds = typing.get_type_hints(skill.function)
    properties: dict[str, Any] = {}
    for parameter in skill.parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise SchemaError(f"{skill.name} takes {parameter}; name each parameter, so that its kind is known")
        properties[parameter.name] = _of(kinds.get(parameter.name), f"{parameter.name} of {skill.name}")
        if parameter.default is not inspect.Parameter.empty:
            properties[parameter.name]["default"] = parameter.default
    required = [p.name for p in skill.parameters if p.default is inspect.Parameter.empty]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def result_schema(skill: Skill) -> dict[str, Any]:
    """Return what the skill returns. Raises SchemaError."""
    return _of(typing.get_type_hints(skill.function).get("return"), f"the result of {skill.name}")


def _of(kind: Any, where: str) -> dict[str, Any]:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of(part, where) for part in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list and arguments:
        return {"type": "array", "items": _of(arguments[0], where)}
    if origin is tuple and arguments:
        if arguments[-1] is Ellipsis:
            return {"type": "array", "items": _of(arguments[0], where)}
        parts = [_of(part, where) for part in arguments]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if origin is dict and arguments and arguments[0] is str:
        return {"type": "object", "additionalProperties": _of(arguments[1], where)}
    said = "has no type" if kind is None else f"is a {kind}"
    raise SchemaError(f"{where} {said}; use str, int, float, bool, None, Literal, or a list, tuple or dict of them")
