"""The room and the robot as a MuJoCo model, hand-written from the same description and scene as everything else.

What is simplified: to the fingers, a thing is a ball of its width, and to what it stands on, a disc; the shape around
them is only for the eye. Arms and base touch nothing but with their fingers. Doors obey the scene's rules.
"""

import math
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as xml

from hw.base_description import WheelBaseDescription
from hw.description import ArmDescription, RobotDescription
from hw.state import Pose2D
from sim.layout import BOWL_AHEAD, BOWL_RADIUS, DOOR_AHEAD, GRIP_HEIGHT, ROOM, Geometry, Kind, Location
from sim.scene import Scene
from sim.scene_things import DISH_DEPTH, DISH_RADIUS, Thing

TIMESTEP = 0.0025
STIFFNESS, STRENGTH = 2000.0, 80.0
"""Nm per radian with which a joint's motor holds, and Nm at the most."""
GRIP_STIFFNESS, GRIP_STRENGTH = 3000.0, 40.0
"""N per metre of each finger, and N at the most."""
GRIP_FRICTION = "0.5 0.05 0.001"
"""Slides off an open finger that is tilted by more than half a radian, as hands here often are."""
BASE_STIFFNESS, LIGHT_BASE_STIFFNESS = (60_000.0, 60_000.0), (3000.0, 200.0)
"""N per metre and Nm per radian with which a base of 40 kg and one of 2 kg follow their wheels: not so stiff that the
steps in which wheels are simulated shake what they carry.
"""
MASS = 0.2
"""Kilograms of a thing."""
COLOURS = {
    "drink": "0.95 0.6 0.15 1",
    "food": "0.55 0.75 0.35 1",
    "fruit": "0.8 0.2 0.2 1",
    "dishes": "0.9 0.92 0.95 1",
    "tool": "0.35 0.45 0.8 1",
}
WOOD, WHITE, DARK, ROBOT = "0.62 0.46 0.32 1", "0.9 0.9 0.88 1", "0.2 0.22 0.25 1", "0.3 0.5 0.62 1"
SOLID = {"contype": "1", "conaffinity": "1"}
HARD = {"solref": "0.005 1", "solimp": "0.97 0.995 0.001"}
AWAKE = {"sleep": "never"}
"""Of whatever moves first: the base, or the first link of an arm that stands on a desk."""
SEEN = {"contype": "0", "conaffinity": "0", "mass": "0"}


def build(description: RobotDescription, scene: Scene) -> str:
    """The model's XML. Bodies of things are named like them; joints and motors "ARM JOINT"."""
    root = xml.Element("mujoco", model="heed")
    option = _add(root, "option", timestep=str(TIMESTEP), integrator="implicitfast", cone="elliptic", impratio="10")
    _add(option, "flag", sleep="enable")
    _visuals(root)
    world = _add(root, "worldbody")
    motors = _add(root, "actuator")
    gears = _add(root, "equality")
    for arm in description.arms:
        fingers = {"joint1": f"{arm.name} finger a", "joint2": f"{arm.name} finger b"}
        _add(gears, "joint", **fingers, polycoef="0 1 0 0 0", solref="0.005 1")
    _room(world)
    for location in scene.locations():
        (_furniture if location.geometry is ROOM else _mat)(world, location)
    _robot(world, motors, description, scene.base)
    for thing in scene.things():
        _thing(world, thing, scene.geometry)
    return xml.tostring(root, encoding="unicode")


def _visuals(root: xml.Element) -> None:
    visual = _add(root, "visual")
    _add(visual, "global", offwidth="1280", offheight="960")
    _add(visual, "headlight", ambient="0.45 0.45 0.45", diffuse="0.5 0.5 0.5", specular="0.1 0.1 0.1")
    asset = _add(root, "asset")
    sky = {"type": "skybox", "builtin": "gradient", "rgb1": "0.85 0.9 0.95", "rgb2": "0.6 0.7 0.8"}
    _add(asset, "texture", **sky, width="64", height="64")
    tiles = {"type": "2d", "builtin": "checker", "rgb1": "0.82 0.8 0.76", "rgb2": "0.76 0.74 0.7"}
    _add(asset, "texture", name="tiles", **tiles, width="256", height="256")
    _add(asset, "material", name="tiles", texture="tiles", texrepeat="8 8")


def _room(world: xml.Element) -> None:
    _add(world, "light", pos="0 0 4", dir="0 0 -1", directional="true", castshadow="false")
    _geom(world, "floor", "plane", (0, 0, 0), (3, 3, 0.1), material="tiles", friction="1 0.01 0.001", **SOLID)
    _add(world, "camera", name="room", pos="-2.6 -2.9 3.1", xyaxes="0.74 -0.67 0 0.41 0.45 0.79", fovy="48")


def _furniture(world: xml.Element, place: Location) -> None:
    """Stands where its approach pose looks at; named after the place."""
    if place.kind is Kind.SPOT:
        return
    body = _add(world, "body", name=f"place {place.name}", **_at(place.approach, 0.0))
    if place.kind is Kind.BOWL:
        _bowl(body, place)
        return
    slab, height = (0.27, 0.45, 0.02), place.height
    _geom(body, None, "box", (0.58, 0, height - 0.02), slab, rgba=WOOD, friction="1 0.01 0.001", **SOLID)
    if place.kind is Kind.PERSON:
        _person(body, height)
    elif place.kind is Kind.CONTAINER:
        _cabinet(body, place, height)
    else:
        _geom(body, None, "box", (0.60, 0, height / 2 - 0.02), (0.23, 0.42, height / 2 - 0.02), rgba=WHITE, **SEEN)


def _mat(world: xml.Element, place: Location) -> None:
    """A place on a desk: to look at, but for the hands of a person, which hold; or a low table."""
    if place.kind is Kind.SPOT:
        return
    near, far, aside = place.geometry.areas[place.kind]
    body = _add(world, "body", name=f"place {place.name}", **_at(place.approach, 0.0))
    middle, half = (near + far) / 2, (far - near) / 2
    size = (half, aside, max(place.height / 2, 0.0005))
    touch = SOLID | {"friction": "1 0.01 0.001"} if place.height else SEEN
    _geom(body, None, "box", (middle, 0, place.height / 2), size, rgba=WOOD, **touch)


def _cabinet(body: xml.Element, place: Location, height: float) -> None:
    _geom(body, None, "box", (0.62, 0, height / 2 - 0.02), (0.21, 0.45, height / 2 - 0.02), rgba=WHITE, **SEEN)
    for y in (-0.44, 0.44):
        _geom(body, None, "box", (0.68, y, height + 0.25), (0.17, 0.01, 0.25), rgba=WHITE, **SEEN)
    _geom(body, None, "box", (0.68, 0, height + 0.5), (0.17, 0.45, 0.01), rgba=WHITE, **SEEN)
    _geom(body, None, "box", (0.85, 0, height + 0.25), (0.01, 0.45, 0.25), rgba=WHITE, **SEEN)
    if place.has_door:
        door = _add(body, "body", name=f"door {place.name}", pos=f"{DOOR_AHEAD} 0.45 {height + 0.25}")
        _add(door, "joint", name=f"door {place.name}", type="hinge", axis="0 0 -1", damping="5")
        _geom(door, None, "box", (0, -0.45, 0), (0.008, 0.45, 0.25), rgba="0.8 0.84 0.88 0.55", **SEEN | {"mass": "1"})
        _geom(door, None, "box", (-0.02, -0.45, GRIP_HEIGHT - 0.25), (0.012, 0.008, 0.06), rgba=DARK, **SEEN)


def _person(body: xml.Element, height: float) -> None:
    for y in (-0.1, 0.1):
        _geom(body, None, "capsule", None, (0.08,), fromto=f"0.95 {y} 0.08 0.95 {y} 0.75", rgba=DARK, **SEEN)
    _geom(body, None, "capsule", None, (0.16,), fromto="0.95 0 0.9 0.95 0 1.25", rgba="0.75 0.3 0.3 1", **SEEN)
    _geom(body, None, "sphere", (0.95, 0, 1.58), (0.13,), rgba="0.85 0.65 0.5 1", **SEEN)
    for y in (-0.25, 0.25):
        ends = f"0.95 {y} 1.2 0.7 {y} {height - 0.03}"
        _geom(body, None, "capsule", None, (0.045,), fromto=ends, rgba="0.75 0.3 0.3 1", **SEEN)


def _bowl(body: xml.Element, place: Location) -> None:
    """On whatever stands there."""
    _dish(body, BOWL_RADIUS, place.height, "0.25 0.4 0.75 1", ahead=BOWL_AHEAD)


def _dish(body: xml.Element, radius: float, bottom: float, colour: str, ahead: float = 0.0) -> None:
    """A disc, `bottom` metres above the body's origin, and a ring of staves. Fingers pass through it."""
    solid = SOLID | {"contype": "0", "mass": "0.01"}  # dishes that stand side by side do not touch
    _geom(body, None, "cylinder", (ahead, 0, bottom - 0.005), (radius, 0.005), rgba=colour, **solid)
    staves = 12
    for number in range(staves):
        angle = 2 * math.pi * number / staves
        at = (ahead + radius * math.cos(angle), radius * math.sin(angle), bottom + 0.015)
        size = (0.004, radius * math.tan(math.pi / staves), 0.02)
        _geom(body, None, "box", at, size, euler=f"0 0 {math.degrees(angle)}", rgba=colour, **solid)


def _robot(world: xml.Element, motors: xml.Element, description: RobotDescription, start: Pose2D) -> None:
    base = _add(world, "body", name="base", **(AWAKE if description.base else {}))
    if description.base is not None:
        if isinstance(description.base, WheelBaseDescription) and description.base.kinematics.holonomic:
            _rolls(base, motors, *LIGHT_BASE_STIFFNESS)
            _plates_on_wheels(base, description.base)
        else:
            _rolls(base, motors, *BASE_STIFFNESS)
            _column_on_wheels(base)
    for arm in description.arms:
        _arm(base, motors, arm, on_wheels=description.base is not None)


def _rolls(base: xml.Element, motors: xml.Element, stiffness: float, turning: float) -> None:
    """Joints that stand for the wheels."""
    joints = (
        ("x", "slide", "1 0 0", stiffness),
        ("y", "slide", "0 1 0", stiffness),
        ("theta", "hinge", "0 0 1", turning),
    )
    for name, kind, axis, kp in joints:
        _add(base, "joint", name=f"base {name}", type=kind, axis=axis)
        _add(motors, "position", name=f"base {name}", joint=f"base {name}", kp=str(kp), dampratio="1")


def _plates_on_wheels(base: xml.Element, description: WheelBaseDescription) -> None:
    """Two discs, as far out as the wheels, which roll where they look at."""
    radius, wheel = description.kinematics.rows[0][2], description.wheel_radius
    for height in (0.035, 0.085):
        _geom(base, None, "cylinder", (0, 0, height), (radius - 0.02, 0.004), rgba=WHITE, **SEEN | {"mass": "1"})
    for ahead, aside, _ in description.kinematics.rows:
        at = (radius * aside, -radius * ahead, wheel)
        heading = f"90 {90 + math.degrees(math.atan2(-ahead, aside))} 0"
        _geom(base, None, "cylinder", at, (wheel, 0.016), euler=heading, rgba="0.1 0.1 0.1 1", **SEEN)
    _add(base, "camera", name="head", pos="0.10 0 0.08", xyaxes="0 -1 0 0.2 0 0.98", fovy="70")


def _column_on_wheels(base: xml.Element) -> None:
    _geom(base, None, "cylinder", (0, 0, 0.14), (0.23, 0.08), rgba=ROBOT, **SEEN | {"mass": "30"})
    _geom(base, None, "box", (0.0, 0, 0.5), (0.07, 0.09, 0.32), rgba=DARK, **SEEN | {"mass": "10"})
    _geom(base, None, "box", (0.08, 0, 0.75), (0.04, 0.2, 0.05), rgba=ROBOT, **SEEN)
    _geom(base, None, "capsule", None, (0.03,), fromto="0 0 0.8 0 0 1.2", rgba=DARK, **SEEN)
    _geom(base, None, "ellipsoid", (0.02, 0, 1.27), (0.09, 0.11, 0.08), rgba=WHITE, **SEEN)
    for y in (-0.05, 0.05):
        _geom(base, None, "sphere", (0.095, y, 1.28), (0.022,), rgba=DARK, **SEEN)
    _add(base, "camera", name="head", pos="0.12 0 1.28", xyaxes="0 -1 0 0.6 0 0.8", fovy="70")
    for wheel in (-1, 1):
        at = (0, wheel * 0.22, 0.08)
        _geom(base, None, "cylinder", at, (0.08, 0.02), euler="90 0 0", rgba="0.1 0.1 0.1 1", **SEEN)


def _arm(base: xml.Element, motors: xml.Element, arm: ArmDescription, on_wheels: bool) -> None:
    kinematics = arm.kinematics
    yaw = f"0 0 {math.degrees(kinematics.mount_yaw)}"
    link = _add(base, "body", name=f"{arm.name} mount", pos=_numbers(kinematics.mount), euler=yaw)
    ends = [joint.origin for joint in kinematics.joints[1:]] + [kinematics.tip]
    for joint, described, end in zip(kinematics.joints, arm.joints, ends, strict=True):
        awake = {} if on_wheels or joint is not kinematics.joints[0] else AWAKE
        link = _add(link, "body", name=f"{arm.name} {joint.name}", pos=_numbers(joint.origin), gravcomp="1", **awake)
        name, axis = f"{arm.name} {joint.name}", _numbers(float(i == joint.axis) for i in range(3))
        ranged = {"range": f"{math.degrees(joint.lower) - 2} {math.degrees(joint.upper) + 2}", "damping": "1"}
        _add(link, "joint", name=name, axis=axis, armature="0.05", frictionloss="0.2", **ranged)
        _motor(motors, name, STIFFNESS, STRENGTH)
        radius = 0.045 if math.dist((0, 0, 0), end) > 0.2 else 0.032
        if end is not kinematics.tip:
            _bone(link, end, radius, ROBOT if described.servo % 2 else WHITE)
    _hand(link, motors, arm)


def _hand(link: xml.Element, motors: xml.Element, arm: ArmDescription) -> None:
    """Two fingers that slide apart; the tip is between them."""
    tip = arm.kinematics.tip
    _bone(link, (tip[0] - 0.035, tip[1], tip[2]), 0.022, DARK)
    _geom(link, None, "box", (tip[0] - 0.035, tip[1], tip[2]), (0.008, 0.055, 0.015), rgba=DARK, **SEEN)
    widest = arm.gripper.limits.upper
    for side, name in ((1, "a"), (-1, "b")):
        finger = _add(link, "body", name=f"{arm.name} finger {name}", pos=_numbers(tip), gravcomp="1")
        reach = {"range": f"0 {0.55 * widest}", "armature": "0.2", "damping": "4"}
        _add(finger, "joint", name=f"{arm.name} finger {name}", type="slide", axis=f"0 {side} 0", **reach)
        pad = {"contype": "2", "conaffinity": "0", "condim": "4", "friction": GRIP_FRICTION, "mass": "0.05"} | HARD
        _geom(finger, f"{arm.name} finger {name}", "box", (0, side * 0.006, 0), (0.028, 0.006, 0.02), rgba=DARK, **pad)
        _motor(motors, f"{arm.name} finger {name}", GRIP_STIFFNESS, GRIP_STRENGTH)


def _thing(world: xml.Element, thing: Thing, geometry: Geometry) -> None:
    """Its body's origin is where it is gripped, so high above what it stands on as its world's geometry says."""
    body = _add(world, "body", name=thing.name, pos=_numbers(thing.position))
    _add(body, "freejoint")
    touch = {"contype": "1", "conaffinity": "3", "condim": "4"} | HARD
    to_fingers = {"contype": "0", "conaffinity": "2", "condim": "4"} | HARD
    colour = COLOURS.get(thing.category, "0.6 0.6 0.6 1")
    radius = thing.width / 2
    _geom(
        body,
        f"{thing.name} ball",
        "sphere",
        (0, 0, 0),
        (radius,),
        mass=str(MASS * 0.2),
        friction=GRIP_FRICTION,
        rgba=colour,
        **(to_fingers if thing.holds else touch),
    )
    height = geometry.grip_height
    foot = (0, 0, 0.008 - height)
    _geom(
        body,
        f"{thing.name} foot",
        "cylinder",
        foot,
        (0.06 if thing.holds else geometry.foot, 0.008),
        mass=str(MASS * 0.8),
        friction="1 0.02 0.002",
        rgba=colour,
        **touch,
    )
    below = (0, 0, -height / 2)
    if thing.holds:
        _dish(body, DISH_RADIUS, -DISH_DEPTH, colour)
        return
    if thing.category in ("food", "tool"):
        _geom(body, None, "box", below, (radius, radius * 0.8, height / 2 - 0.004), rgba=colour, **SEEN)
    else:
        _geom(body, None, "cylinder", below, (max(radius, 0.012), height / 2 - 0.004), rgba=colour, **SEEN)


def _motor(motors: xml.Element, joint: str, stiffness: float, strength: float) -> None:
    force = {"forcerange": f"{-strength} {strength}", "forcelimited": "true"}
    _add(motors, "position", name=joint, joint=joint, kp=str(stiffness), dampratio="1", **force)


def _bone(link: xml.Element, end: Sequence[float], radius: float, colour: str) -> None:
    if math.dist((0, 0, 0), end) > 0.01:
        mass = {"mass": "0.3"}
        _geom(link, None, "capsule", None, (radius,), fromto=f"0 0 0 {_numbers(end)}", rgba=colour, **SEEN | mass)
    else:
        _geom(link, None, "sphere", (0, 0, 0), (radius,), rgba=colour, **SEEN | {"mass": "0.3"})


def _add(parent: xml.Element, tag: str, **attributes: str) -> xml.Element:
    return xml.SubElement(parent, tag, attributes)


def _geom(
    parent: xml.Element, name: str | None, kind: str, at: Sequence[float] | None, size: Sequence[float], **more: str
) -> None:
    attributes = {"type": kind, "size": _numbers(size)} | more
    if name:
        attributes["name"] = name
    if at is not None:
        attributes["pos"] = _numbers(at)
    _add(parent, "geom", **attributes)


def _at(pose: Pose2D, z: float) -> dict[str, str]:
    return {"pos": _numbers((pose.x, pose.y, z)), "euler": f"0 0 {math.degrees(pose.theta)}"}


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.5g}" for value in values)
