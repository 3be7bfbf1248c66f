"""A small arm on a desk, simulated with the bytes of its servos: it fetches, and a stop holds it."""

import tempfile
from pathlib import Path

import pytest

from daemon.config import BodyConfig, ConfigError
from daemon.service.body import RobotBody
from hw.state import HardwareError
from skills.manipulation import grasp, place
from skills.skill import SkillContext


@pytest.mark.whole
def test_it_puts_the_pen_into_the_tray_and_stands_after_a_stop() -> None:
    with tempfile.TemporaryDirectory(prefix="heed-") as runtime:  # a short path: it holds sockets
        body = RobotBody(BodyConfig(robot="sim:so101"), Path(runtime), Path(runtime))
        try:
            body.start()
            robot = SkillContext(body, body.observe)
            grasp(robot, "pen")
            place(robot, "pen", "tray")
            seen = body.observe()
            assert next(thing["location"] for thing in seen["objects"] if thing["name"] == "pen") == "tray"
            assert (seen["hands"], seen["drives"]) == (["right"], False)
            with pytest.raises(HardwareError, match="no base"):
                body.drive_to(1.0, 0.0, 0.0)
            body.stop("a test")
            with pytest.raises(HardwareError, match="stopped"):
                body.move_tip("right", *body.manner("right").offer)
        finally:
            body.close()


def test_a_robot_that_does_not_come_with_heed_is_told_with_those_that_do() -> None:
    with pytest.raises(ConfigError, match=r"so102.*one of koch, lekiwi, ros2, sim, so100, so101, so101-pair, xlerobot"):
        RobotBody(BodyConfig(robot="sim:so102"), Path("."), Path("."))
