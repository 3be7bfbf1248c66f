"""What people say of where the robot is."""

import pytest

from daemon.imitation.english.place_phrases import statements_about_places
from skills.scene import Location, Scene

SCENE = Scene((), (Location("sink", "surface", (0.0, 0.0, 0.0), aliases=("basin",)),))


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("this is the workbench", ["keep_place('workbench', 'surface')"]),
        ("This is my tool cabinet.", ["keep_place('tool_cabinet', 'container')"]),
        ("here is the charging station", ["keep_place('charging_station', 'spot')"]),
        ("this place is called the nest", ["keep_place('nest', 'spot')"]),
        ("remember this place as grandpa's corner", None),
        ("this is the basin", ["stand_at('sink')", "say('All right, I am at the sink.')"]),
        ("you are at the sink", ["stand_at('sink')", "say('All right, I am at the sink.')"]),
        ("no you're standing at the basin now", ["stand_at('sink')", "say('All right, I am at the sink.')"]),
        ("you are at the moon", None),
        ("forget where the workbench is", ["forget_place('workbench')"]),
        ("this is the best", None),
        ("this is the milk", None),
        ("this is anna", None),
        ("is this the sink", None),
        ("you are at it again", None),
    ],
)
def test_a_sentence_about_a_place(said: str, statements: list[str] | None) -> None:
    assert statements_about_places(said, SCENE) == statements
