"""Roundabout requests in plain words."""

import pytest

from daemon.console.plain_order import plain_order
from skills.scene import Scene
from tests.console.worlds import Kitchen


@pytest.fixture
def scene(kitchen: Kitchen) -> Scene:
    return Scene.from_observation(kitchen.robot.observe())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the sponge should go over to the table, would you", "put the sponge on the table"),
        ("swap the apple and the milk", "put the apple on the fridge; put the milk on the table"),
        ("The cup and the banana are the wrong way round, can you switch them?",
         "put the cup on the table; put the banana on the counter"),
        ("clear the table, please, and stick the lot by the sink",
         "put the apple on the sink; put the banana on the sink"),
        ("tidy up a bit: fruit to the sink, drinks in the fridge",
         "put the apple on the sink; put the banana on the sink; put the tea on the fridge; "
         "put the water on the fridge"),
        ("clear the table: the apple goes in the fridge, the banana to the shelf",
         "put the apple on the fridge; put the banana on the shelf"),
        ("put the apple on the shelf... I mean on the counter, sorry", "put the apple on the counter"),
        ("bring me the tea, no wait, the juice", "bring me the juice"),
        ("go to the apple", "go to the table"),
        ("swing by the sink and then wait at the table", "go to the sink and then go to the table"),
        ("nip over to the fridge", "go to the fridge"),
        ("come here a sec", "come to me"),
        ("gimme the milk", "give me the milk"),
        ("bring me the milk", "bring me the milk"),
        ("move the milk to the table", "move the milk to the table"),
        ("run the cup over to the sink", "run the cup over to the sink"),
    ],
)  # fmt: skip
def test_in_plain_words(scene: Scene, said: str, meant: str) -> None:
    assert plain_order(said, scene) == meant
