"""The tabletop of Code as Policies (Liang et al. 2023, app. K): blocks and bowls by colour, one gripper, no dynamics.

What is put somewhere lies exactly there, on top of what lies there already. Metres; x to the right, y away from the
robot; "top" is larger y, "left" smaller x.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills.skill import Observation, Skill, SkillContext, SkillError

Point = tuple[float, float]
NEAR_POSITION, NEAR_BOWL, NEAR_BLOCK = 0.06, 0.06, 0.04
"""Metres within which something is "on" a named position, a bowl, or a block."""
ON_LINE = 0.03
"""Metres from a straight line for a block to be part of it."""
A_LITTLE = 0.2
"""Metres up to which something is "a little" to the side, a third of the table."""
LOW, HIGH = (-0.3, -0.8), (0.3, -0.2)
"""Corners of the table."""
SLACK = 0.3
"""Of the table's size, by which a point may lie outside of it."""
CORNERS = ("top left corner", "top right corner", "bottom left corner", "bottom right corner")
EDGE = 0.04
"""Of a block."""


@dataclass
class Table:
    """Where everything is. A Body of its own: skills move blocks directly."""

    positions: Mapping[str, Point]
    """Named positions, such as the top left corner."""
    objects: dict[str, Point]
    heights: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.heights = self.heights or {name: 0.0 for name in self.objects}

    @property
    def blocks(self) -> list[str]:
        return [name for name in self.objects if name.endswith("block")]

    @property
    def bowls(self) -> list[str]:
        return [name for name in self.objects if name.endswith("bowl")]

    def put(self, name: str, point: Point) -> None:
        """A block is laid down there, on what is there."""
        others = [other for other in self.objects if other != name and _apart(self.objects[other], point) < NEAR_BLOCK]
        self.objects[name] = point
        self.heights[name] = max((self.heights[other] + EDGE for other in others), default=0.0)

    def copy(self) -> "Table":
        return Table(self.positions, dict(self.objects), dict(self.heights))

    def observe(self) -> Observation:
        """The table as perception reports it."""
        objects = [
            {"name": name, "category": name.split()[-1], "location": "table", "position": [*point, self.heights[name]]}
            for name, point in self.objects.items()
        ]
        places = [{"name": name, "kind": "spot", "approach": [*point, 0.0]} for name, point in self.positions.items()]
        return {"objects": objects, "locations": places}


def imagine(observation: Observation) -> SkillContext:
    """The table as it was observed, to try things on."""
    objects = {seen["name"]: seen["position"] for seen in observation["objects"]}
    table = Table(
        {place["name"]: (place["approach"][0], place["approach"][1]) for place in observation["locations"]},
        {name: (x, y) for name, (x, y, _) in objects.items()},
        {name: z for name, (_, _, z) in objects.items()},
    )
    return SkillContext(table, table.observe)  # type: ignore[arg-type]


def satisfied(goal: Sequence[Mapping[str, Any]], table: Table) -> bool:
    """Return whether every check of a goal holds (cap_tabletop.json, success_predicates)."""
    return all(_CHECKS[check["check"]](check, table) for check in goal)


def _is_on(name: str, target: str, table: Table) -> bool:
    if target in table.positions:
        return _apart(table.objects[name], table.positions[target]) < NEAR_POSITION
    near = NEAR_BLOCK if target.endswith("block") else NEAR_BOWL
    higher = table.heights[name] > table.heights[target]
    return higher and _apart(table.objects[name], table.objects[target]) < near


def _on(check: Mapping[str, Any], table: Table) -> bool:
    return _is_on(check["a"], check["b"], table)


def _all_on(check: Mapping[str, Any], table: Table) -> bool:
    return all(_is_on(block, check["b"], table) for block in table.blocks)


def _matching(check: Mapping[str, Any], table: Table) -> bool:
    pairs = [(block, block.replace("block", "bowl")) for block in table.blocks]
    return all(_is_on(block, bowl, table) for block, bowl in pairs if bowl in table.objects)


def _mismatched(check: Mapping[str, Any], table: Table) -> bool:
    return all(
        any(_is_on(block, bowl, table) for bowl in table.bowls if bowl.split()[0] != block.split()[0])
        for block in table.blocks
    )


def _corners(check: Mapping[str, Any], table: Table) -> bool:
    used = [next((c for c in CORNERS if _is_on(block, c, table)), None) for block in table.blocks]
    return None not in used and len(set(used)) == len(used)


def _relative(check: Mapping[str, Any], table: Table) -> bool:
    (x, y), (other_x, other_y) = table.objects[check["a"]], table.objects[check["ref"]]
    ways = {"left": other_x - x, "right": x - other_x, "top": y - other_y, "bottom": other_y - y}
    way = ways[check["direction"]]
    return way >= 0 and (way <= A_LITTLE if check["magnitude"] == "a little" else way > A_LITTLE)


def _in_line(check: Mapping[str, Any], table: Table) -> bool:
    points = [table.objects[block] for block in table.blocks]
    (x, y), (end_x, end_y) = points[:2]
    along, across = end_x - x, end_y - y
    length = math.hypot(along, across)
    if length == 0:
        return False
    if any(abs(across * (px - x) - along * (py - y)) / length > ON_LINE for px, py in points[2:]):
        return False
    slope = abs(across / along) if along else math.inf
    match check["line"]:
        case "horizontal":
            return slope < 0.3
        case "vertical":
            return slope > 10
    return 0.7 <= slope <= 1.3


_CHECKS = {
    "on": _on,
    "all_blocks_on": _all_on,
    "blocks_in_matching_bowls": _matching,
    "blocks_in_mismatched_bowls": _mismatched,
    "all_blocks_in_different_corners": _corners,
    "relative": _relative,
    "blocks_in_line": _in_line,
}


# --- what the model may call; first those that every heed has, then those of the paper ---


def list_objects(context: SkillContext) -> list[tuple[str, str, str]]:
    """(name, category, location) of every object."""
    return [(name, name.split()[-1], "table") for name in _table(context).objects]


def list_locations(context: SkillContext) -> list[str]:
    """Names of the positions on the table."""
    return list(_table(context).positions)


def other_names(context: SkillContext) -> dict[str, str]:
    """What people also call objects and positions here: their word -> the name."""
    return {}


def get_obj_names(context: SkillContext) -> list[str]:
    """Names of all blocks and bowls."""
    return list(_table(context).objects)


def get_obj_pos(context: SkillContext, obj_name: str) -> list[float]:
    """Return where an object or a named position is: [x, y] in metres; x to the right, y to the top."""
    return list(_point(_table(context), obj_name))


def denormalize_xy(context: SkillContext, pos_normalized: list[float]) -> list[float]:
    """A point of the table, from [0, 0] at the bottom left to [1, 1] at the top right, in metres."""
    x, y = pos_normalized
    return [-0.25 + 0.5 * x, -0.75 + 0.5 * y]


def put_first_on_second(context: SkillContext, obj_name: str, target: str | list[float]) -> str:
    """Pick up a block and put it on an object, a named position, or a point [x, y]."""
    table = _table(context)
    if obj_name not in table.blocks:
        raise SkillError(f"only blocks can be picked up, and there is no {obj_name!r}", f"use one of {table.blocks}")
    x, y = _point(table, target) if isinstance(target, str) else target
    for value, low, high in zip((x, y), LOW, HIGH, strict=True):
        if not low - SLACK * (high - low) <= value <= high + SLACK * (high - low):
            raise SkillError("the point is not on the table", "use denormalize_xy([0 to 1, 0 to 1])")
    table.put(obj_name, (x, y))
    return "success"


TABLETOP_SKILLS = tuple(
    Skill(function.__name__, function, uses=("arms",) if function is put_first_on_second else (), confirm=False)
    for function in (
        list_objects,
        list_locations,
        other_names,
        get_obj_names,
        get_obj_pos,
        denormalize_xy,
        put_first_on_second,
    )
)


def _table(context: SkillContext) -> Table:
    table = context.body
    assert isinstance(table, Table)
    return table


def _point(table: Table, name: str) -> Point:
    if name in table.positions:
        return table.positions[name]
    if name not in table.objects:
        raise SkillError(f"there is no {name!r}", f"use one of {[*table.objects, *table.positions]}")
    return table.objects[name]


def _apart(one: Point, other: Point) -> float:
    return math.dist(one, other)
