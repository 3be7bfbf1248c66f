"""Skills as JSON Schema."""

from typing import Any, Literal

import jsonschema
import pytest

from skills.schema import SchemaError, input_schema, result_schema
from skills.skill import Skill, SkillContext, load_skills


def described(function: Any) -> Skill:
    return Skill(function.__name__, function, (), confirm=False)


def test_parameters_become_properties_and_those_without_a_default_are_required() -> None:
    schema = input_schema(load_skills()["grasp"])
    assert schema["required"] == ["object"]
    assert schema["properties"]["object"] == {"type": "string"}
    assert schema["properties"]["hand"] == {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}


@pytest.mark.parametrize("name", sorted(load_skills()))
def test_every_skill_has_a_schema_that_is_one(name: str) -> None:
    for schema in (input_schema(load_skills()[name]), result_schema(load_skills()[name])):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_what_a_skill_returns_fits_its_schema() -> None:
    def seen(robot: SkillContext) -> list[tuple[str, dict[str, float], Literal["near", "far"]]]:
        """All."""
        return [("cup", {"height": 0.1}, "near")]

    validator = jsonschema.Draft202012Validator(result_schema(described(seen)))
    assert validator.is_valid([["cup", {"height": 0.1}, "near"]])
    assert not validator.is_valid([["cup", {"height": 0.1}, "here"]])
    assert not validator.is_valid([["cup", {"height": 0.1}]])


def test_what_json_has_no_word_for_is_named() -> None:
    def paint(robot: SkillContext, colour: complex) -> str:
        """Paint."""
        return ""

    def sing(robot: SkillContext, *songs: str) -> str:
        """Sing."""
        return ""

    with pytest.raises(SchemaError, match="colour of paint is a <class 'complex'>; use str"):
        input_schema(described(paint))
    with pytest.raises(SchemaError, match=r"sing takes \*songs"):
        input_schema(described(sing))
