"""Where a base stands by ROS's transforms, without ROS."""

import math

import pytest

from bridge.ros2.robot.transforms import STALE, Link, Transforms, heading
from hw.state import Pose2D

NOW = 100.0


def links(*told: tuple[str, str, Pose2D, float]) -> Transforms:
    made = Transforms()
    for parent, child, pose, at in told:
        made.take(child, Link(parent, pose, at))
    return made


def test_a_chain_of_links_leads_from_the_base_to_the_map() -> None:
    known = links(
        ("map", "odom", Pose2D(1.0, 2.0, math.pi / 2), NOW - 1),
        ("/odom", "base_footprint", Pose2D(3.0, 0.0, 0.0), NOW),
        ("base_footprint", "base_link", Pose2D(), math.inf),
    )
    place = known.place("base_link", "map", NOW)
    assert place is not None
    assert (place.pose.x, place.pose.y, place.pose.theta) == pytest.approx((1.0, 5.0, math.pi / 2))
    assert (place.at, place.localised) == (NOW, True)


def test_a_map_that_is_told_no_more_is_no_place_to_rely_on() -> None:
    known = links(("map", "odom", Pose2D(), NOW - STALE - 1), ("odom", "base_link", Pose2D(), NOW))
    place = known.place("base_link", "map", NOW)
    assert place is not None
    assert not place.localised


def test_without_a_chain_nobody_knows_where_it_stands() -> None:
    assert links(("odom", "base_link", Pose2D(), NOW)).place("base_link", "map", NOW) is None
    assert links(("a", "b", Pose2D(), NOW), ("b", "a", Pose2D(), NOW)).place("a", "map", NOW) is None


def test_a_heading_is_the_turn_about_the_vertical() -> None:
    assert heading(0.0, 0.0, math.sin(0.6), math.cos(0.6)) == pytest.approx(1.2)
