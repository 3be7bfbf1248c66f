"""Roundabout requests in plain words."""

import pytest

from daemon.imitation.english.paraphrase import plain_order
from skills.scene import Scene
from tests.support.worlds import Kitchen


@pytest.fixture
def scene(kitchen: Kitchen) -> Scene:
    return Scene.from_observation(kitchen.robot.observe())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the sponge should go over to the table, would you", "put the sponge on the table"),
        ("swap the apple and the milk", "put the apple in the fridge; put the milk on the table"),
        ("The cup and the banana are the wrong way round, can you switch them?",
         "put the cup on the table; put the banana on the counter"),
        ("clear the table, please, and stick the lot by the sink",
         "put the apple on the sink; put the banana on the sink"),
        ("tidy up a bit: fruit to the sink, drinks in the fridge",
         "put the apple on the sink; put the banana on the sink; put the tea in the fridge; "
         "put the water in the fridge"),
        ("clear the table: the apple goes in the fridge, the banana to the shelf",
         "put the apple in the fridge; put the banana on the shelf"),
        ("put the apple on the shelf... I mean on the counter, sorry", "put the apple on the counter"),
        ("bring me the tea, no wait, the juice", "bring me the juice"),
        ("go to the apple", "go to the table"),
        ("swing by the sink and then wait at the table", "go to the sink and then go to the table"),
        ("nip over to the fridge", "go to the fridge"),
        ("come here a sec", "come to me"),
        ("gimme the milk", "give me the milk"),
        ("bring me the milk", "bring me the milk"),
        ("move the milk to the table", "move the milk to the table"),
        ("I would like a cup, the juice and a sponge on the table",
         "put the cup and the juice and the sponge on the table"),
        ("I'm done with the cup", "put the cup away"),
        ("I'm not done with the cup yet", "I'm not done with the cup yet"),
        ("we don't need the cup any more", "put the cup away"),
        ("hm, no cup. Can you get me the cup as well?", "Can you get me the cup as well?"),
        ("And the cup? Bring it to the table.", "Bring the cup to the table."),
        ("Can't you see that I am busy? Open the fridge!", "Open the fridge!"),
        ("no milk. Bring me the tea", "no milk. Bring me the tea"),
        ("don't leave the cup lying around, put it on the shelf", "put the cup on the shelf"),
        ("drive to the sink, the table and the counter", "go to the sink; go to the table; go to the counter"),
        ("Please clear the table, everything over to the sink.",
         "put the apple on the sink; put the banana on the sink"),
        ("The table needs clearing. Take everything to the sink.",
         "put the apple on the sink; put the banana on the sink"),
        ("run the cup over to the sink", "run the cup over to the sink"),
    ],
)  # fmt: skip
def test_in_plain_words(scene: Scene, said: str, meant: str) -> None:
    assert plain_order(said, scene) == meant
