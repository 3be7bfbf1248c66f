"""Each skill declares what must be so before it begins, and refuses with a reason and a hint before anything moves."""

from typing import Any

import pytest

from hw.state import Pose2D, RobotState
from sim.rehearsal import RehearsalRobot
from sim.scene import Scene
from skills.needs import Moment, Needs
from skills.scene import Scene as Seen
from skills.skill import SkillContext, SkillError, load_skills
from tests.support.worlds import DESCRIPTION

WORLD: dict[str, Any] = {
    "locations": [
        {"name": "table", "approach": [1.0, 0.0, 0.0]},
        {"name": "shelf", "approach": [1.0, 2.0, 0.0]},
        {"name": "cupboard", "door": "closed", "approach": [-1.0, 0.0, 3.14]},
        {"name": "hall", "kind": "spot", "approach": [-2.0, -2.0, 0.0]},
        {"name": "person", "kind": "person", "approach": [0.0, -1.0, -1.57]},
    ],
    "objects": {
        "apple": {"location": "table"},
        "banana": {"location": "table"},
        "anvil": {"location": "table", "mass": 50.0},
        "sponge": {"location": "table"},
        "saucer": {"location": "table"},
        "plate": {"location": "cupboard"},
        "chair": {"at": [1.0, 1.0], "radius": 0.3, "mass": 6.0},
    },
    "robot": {"location": "table"},
}


class Room:
    """A robot at the table, and what it was told."""

    def __init__(self, **objects: dict[str, Any]) -> None:
        described = {**WORLD, "objects": {**WORLD["objects"], **objects}}
        self.robot = RehearsalRobot(Scene.from_description(described), DESCRIPTION)
        self.checks: list[float] = []
        context = SkillContext(self.robot, self.robot.observe, self.checks.append)
        self._skills = {name: skill.bind(context) for name, skill in load_skills().items()}

    def do(self, name: str, *arguments: str, **more: str | float) -> Any:
        return self._skills[name](*arguments, **more)

    def refusal(self, name: str, *arguments: str, **more: str) -> str:
        before = self.robot.scene.observe(), self.robot.state()
        with pytest.raises(SkillError) as refused:
            self.do(name, *arguments, **more)
        assert (self.robot.scene.observe(), self.robot.state()) == before
        return str(refused.value)

    def follow(self, call: str) -> list[str]:
        """Do a call, and before it what each refusal advises; returns what was done, in order."""
        try:
            eval(call, dict(self._skills))
        except SkillError as refused:
            return [*self.follow(refused.hint), *self.follow(call)]
        return [call]


@pytest.fixture
def room() -> Room:
    return Room()


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("grasp", "unicorn"), "there is no object 'unicorn'. Hint: list_objects() tells which there are"),
        (("grasp", "plate"), "plate is at cupboard. Hint: move_to('cupboard')"),
        (("grasp", "anvil"), "anvil weighs 50 kg, and I lift up to 1 kg"),
        (("place", "apple", "table"), "apple is not in a hand. Hint: grasp('apple')"),
        (("place", "apple", "hall"), "nothing can be put at hall. Hint: choose a location with a surface"),
        (("place", "apple", "sponge"),
         "nothing can be put into or onto sponge. Hint: choose a location, or a bowl or plate"),
        (("place", "saucer", "saucer"), "saucer cannot be put into itself. Hint: choose a location, or another object"),
        (("handover", "apple"), "apple is not in a hand. Hint: grasp('apple')"),
        (("open_door", "cupboard"), "the robot is not at cupboard. Hint: move_to('cupboard')"),
        (("open_door", "table"), "table has no door. Hint: it needs neither opening nor closing"),
        (("point_at", "plate"), "plate is at cupboard. Hint: move_to('cupboard')"),
        (("move_to", "shelf"), "chair blocks the way to shelf. "
         "Hint: ask('The chair blocks my way to the shelf. Could you move it, please?')"),
        (("move_to", "moon"), "there is no location 'moon'. Hint: list_locations() tells which there are"),
    ],
)  # fmt: skip
def test_what_cannot_begin_is_refused_with_a_hint_and_nothing_moves(
    room: Room, call: tuple[str, ...], reason: str
) -> None:
    assert room.refusal(*call) == reason


def test_what_is_held_is_moved_a_little_and_stays_in_the_hand(room: Room) -> None:
    room.do("grasp", "apple", hand="left")
    before = room.robot.scene.thing("apple").position
    room.do("shift", "apple", "up", distance=0.05)
    after = room.robot.scene.thing("apple")
    assert after.held_by == "left"
    assert after.position[2] - before[2] == pytest.approx(0.05, abs=0.002)


def test_a_hand_must_be_free(room: Room) -> None:
    room.do("grasp", "apple", hand="left")
    assert room.refusal("grasp", "banana", hand="left") == "the left hand holds apple. Hint: use hand='right'"
    assert room.refusal("grasp", "apple") == "apple is already in the left hand. Hint: place() or handover() it"
    room.do("grasp", "banana")
    assert room.refusal("grasp", "sponge") == "both hands are full. Hint: place('apple', 'table')"
    assert room.refusal("point_at", "apple") == "apple is already in the left hand. Hint: place() it first"


@pytest.mark.parametrize(
    "call",
    ["open_door('cupboard')", "grasp('sponge')", "point_at('sponge')", "shift('sponge', 'left', 0.05)"],
)
def test_who_follows_the_hints_gets_a_hand_free(room: Room, call: str) -> None:
    room.do("grasp", "apple")
    room.do("grasp", "banana")
    room.do("move_to", "cupboard")
    done = room.follow(call)
    assert "place('apple', 'cupboard')" not in done
    assert done[-1] == call


def test_who_took_a_bowl_takes_what_lies_in_it_by_putting_it_down() -> None:
    room = Room(bowl={"location": "table", "holds": 2}, egg={"location": "bowl"})
    room.do("grasp", "bowl")
    assert room.refusal("grasp", "egg") == "egg is in bowl, in the left hand. Hint: place('bowl', 'table')"
    assert room.follow("grasp('egg')") == ["place('bowl', 'table')", "grasp('egg')"]


def test_a_closed_door_is_in_the_way(room: Room) -> None:
    room.do("grasp", "apple")
    room.do("move_to", "cupboard")
    assert room.refusal("grasp", "plate") == "cupboard is closed. Hint: open_door('cupboard')"
    assert room.refusal("place", "apple", "cupboard") == "cupboard is closed. Hint: open_door('cupboard')"
    assert room.refusal("place", "apple", "plate") == "cupboard is closed. Hint: open_door('cupboard')"


def test_a_person_is_handed_what_is_theirs_to_take(room: Room) -> None:
    room.do("grasp", "apple")
    assert room.refusal("place", "apple", "person") == "things are handed to a person. Hint: handover('apple')"
    assert room.refusal("handover", "apple") == "the person is out of reach. Hint: move_to('person')"


@pytest.mark.parametrize(
    ("state", "trouble"),
    [
        ({"known": False, "name": "Ann"}, "I do not recognise the person as Ann"),
        ({"looking": False}, "the person is not looking at me"),
        ({"hands_free": False}, "the person has no free hand"),
    ],
)
def test_a_person_must_be_ready(room: Room, state: dict[str, Any], trouble: str) -> None:
    room.do("grasp", "apple")
    room.do("move_to", "person")
    room.robot.scene.set_state("person", state)
    assert room.refusal("handover", "apple").startswith(f"{trouble}. Hint: ask(")
    room.robot.scene.set_state("person", dict.fromkeys(state, True))
    assert room.do("handover", "apple") == "success"


def test_a_way_is_clear_again_when_what_stood_there_is_moved(room: Room) -> None:
    room.robot.scene.found("chair", (-2.0, 2.0, 0.1))
    assert room.do("move_to", "shelf") == "success"


def test_opening_what_is_open_needs_nothing(room: Room) -> None:
    room.robot.scene.set_door("cupboard", True)
    assert room.do("open_door", "cupboard") == "success"


def test_every_check_tells_what_it_took(room: Room) -> None:
    room.do("grasp", "apple")
    room.refusal("grasp", "plate")
    assert len(room.checks) == 2
    assert all(seconds > 0 for seconds in room.checks)


def test_skills_that_move_declare_what_they_need() -> None:
    undeclared = [skill.name for skill in load_skills().values() if skill.uses and skill.needs is None]
    assert not undeclared


def test_lasting_refusals_are_those_that_no_step_of_the_robot_changes() -> None:
    scene = Seen.from_observation(Scene.from_description(WORLD).observe())
    grasp = load_skills()["grasp"].needs
    assert isinstance(grasp, Needs)

    def refused(thing: str) -> SkillError | None:
        return grasp.refusal(Moment(scene, RobotState({}, Pose2D()), {"object": thing}), lasting=True)

    assert str(refused("anvil")) == "anvil weighs 50 kg, and I lift up to 1 kg"
    assert refused("plate") is None
