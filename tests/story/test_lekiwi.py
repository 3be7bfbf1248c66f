"""A whole heed on robots whose wheels hang on the bus of an arm."""

from pathlib import Path

import pytest

from daemon.config import BodyConfig, LlmConfig
from skills.scene import Scene, Thing
from tests.story.test_app import Running, config_in
from tests.support.waiting import until


def cup(heed: Running) -> Thing:
    return Scene.from_observation(heed.app.body.observe()).object("cup")


@pytest.mark.whole
@pytest.mark.parametrize("robot", ["lekiwi", "xlerobot", "xlerobot-2wheels"])
def test_it_brings_the_cup(robot: str, tmp_path: Path) -> None:
    heed = Running(config_in(tmp_path / "run", llm=LlmConfig(brain="imitation"), body=BodyConfig(robot=f"sim:{robot}")))
    try:
        heed.wait()
        heed.say("bring me the cup")
        until(lambda: cup(heed).held_by)
        until(lambda: cup(heed).location == "person")
        heed.wait()
        assert "Here is the cup." in heed.terminal.speech
        assert heed.app.body.state().stopped is None
    finally:
        heed.app.shut_down("the test is over")
        heed.end()
