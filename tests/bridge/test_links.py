"""The bridge's connections: to a heed that comes later, ends and comes back, and to its eyes."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from bridge.ros2.links import BodyLink, EyesLink, Look, TalkLink, stop
from bridge.ros2.messages import OBJECTS, Mark, seen_lines
from daemon.eyes.other_programs import OutsideEyes
from daemon.service.control import ControlServer, Line, Message
from hw.client import Robot
from hw.state import HardwareError, Pose2D, RobotState, Twist
from sim.devices import SimulatedRobot
from tests.hw.test_server import devices, robot, server, start_server
from tests.support.waiting import until
from tests.support.wire import velocities

__all__ = ["devices", "robot", "server"]  # fixtures


@pytest.fixture
def links() -> Iterator[ExitStack]:
    """Closes what is entered into it: a link's thread must not outlive a test that failed."""
    with ExitStack() as links:
        yield links


class Looks:
    """What a BodyLink has seen."""

    def __init__(self) -> None:
        self.last: Look | None = None
        self.count = 0

    def __call__(self, look: Look | None) -> None:
        self.last = look
        self.count += look is not None


def test_a_body_that_comes_later_ends_and_comes_back_is_seen(
    tmp_path: Path, devices: SimulatedRobot, links: ExitStack
) -> None:
    looks = Looks()
    link = links.enter_context(closing(BodyLink(tmp_path, looks)))
    link.start()
    for _ in range(2):
        process = start_server(tmp_path)
        until(lambda: looks.last is not None)
        assert link.description is not None
        process.kill()
        process.wait()
        until(lambda: looks.last is None)
    assert link.description is None
    with pytest.raises(HardwareError, match="not there"):
        link.drive(Twist(0.1))


@pytest.mark.whole
def test_a_velocity_that_nobody_repeats_is_over_at_once(
    tmp_path: Path, devices: SimulatedRobot, server: subprocess.Popen[bytes], robot: Robot, links: ExitStack
) -> None:
    looks = Looks()
    link = links.enter_context(closing(BodyLink(tmp_path, looks)))
    link.start()
    until(lambda: looks.last is not None)
    ends = time.monotonic() + 1.0
    while time.monotonic() < ends:
        link.drive(Twist(100.0))
        time.sleep(0.05)
    fastest = max(abs(velocity) for _, velocity in velocities(devices))
    until(lambda: velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)])
    assert robot.state().base.x > 0
    assert fastest < 10  # as fast as heed-hw's limits let it
    assert robot.state().faults == ()
    robot.stop("the test")
    with pytest.raises(HardwareError, match="stopped"):
        link.drive(Twist(0.1))


def test_a_bridge_that_ends_while_steering_brakes_first(
    tmp_path: Path, devices: SimulatedRobot, robot: Robot, links: ExitStack
) -> None:
    link = links.enter_context(closing(BodyLink(tmp_path, lambda look: None)))
    link.start()
    until(lambda: link.description)
    link.drive(Twist(0.2))
    link.close()
    assert velocities(devices)[-2:] == [(0, 0.0), (1, 0.0)]
    assert robot.state().stopped is None
    assert robot.state().faults == ()


def test_a_stop_is_heed_hws_where_there_is_no_heed(tmp_path: Path, robot: Robot) -> None:
    report = stop(tmp_path, "a test said stop")
    assert report.frame_sent_at is not None
    assert "a test said stop" in str(robot.state().stopped)


def test_a_stop_that_nobody_takes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HardwareError, match="emergency stop"):
        stop(tmp_path, "a test said stop")


class Talking:
    """A heed that says one sentence to who watches."""

    def __init__(self) -> None:
        self.doing = "waiting"
        self.stops: list[tuple[str, str]] = []

    def watch(self, message: Message, line: Line) -> Message:
        line.tell({"kind": "begin", "text": ""})
        line.tell({"kind": "said", "text": "Here you are."})
        while not line.hung_up(0.05):
            pass
        return {}

    def serve(self, runtime: Path) -> ControlServer:
        def note(message: Message) -> Message:
            self.stops.append((message["command"], message["reason"]))
            return {}

        handlers = {"status": lambda message: {"doing": self.doing, "asks": ""}, "stop": note, "stopped": note}
        server = ControlServer(runtime, handlers, {"watch": self.watch})
        server.start()
        return server


def test_a_heed_that_comes_later_is_heard_and_asked_how_it_is(tmp_path: Path, links: ExitStack) -> None:
    words: list[tuple[str, str]] = []
    talking = Talking()
    link = links.enter_context(closing(TalkLink(tmp_path, lambda kind, text: words.append((kind, text)))))
    link.start()
    assert link.status is None
    assert not link.idle
    with closing(talking.serve(tmp_path)):
        until(lambda: link.idle)
        until(lambda: words == [("said", "Here you are.")])
        talking.doing = "working"
        until(lambda: not link.idle)
        with suppress(HardwareError):
            stop(tmp_path, "there is no heed-hw")
        until(lambda: talking.stops == [("stop", "there is no heed-hw")])
    until(lambda: link.status is None)


def test_a_heed_is_told_of_a_stop_and_does_not_stop_again(tmp_path: Path, robot: Robot) -> None:
    talking = Talking()
    with closing(talking.serve(tmp_path)):
        stop(tmp_path, "a test said stop")
        until(lambda: talking.stops == [("stopped", "a test said stop")])


def test_eyes_are_told_and_ask_for_a_look_and_may_come_back(tmp_path: Path, links: ExitStack) -> None:
    asked = threading.Event()
    link = links.enter_context(closing(EyesLink(tmp_path, asked.set)))
    assert not link.tell(juice())
    assert "eyes = " in link.trouble
    for _ in range(2):
        hear_and_ask(tmp_path, link)
        assert asked.wait(10)
        asked.clear()
        link.close()


def juice() -> bytes:
    """Return a line that tells of a juice seen now."""
    (line,) = seen_lines(OBJECTS, time.time(), "map", [Mark("juice", "drink", (0.5, 0.1, 0.8))])
    return line


def hear_and_ask(runtime: Path, link: EyesLink) -> None:
    """Have eyes that hear a line, ask for a look, and go."""
    with closing(OutsideEyes(runtime, lambda: RobotState({}, Pose2D()))) as eyes:
        until(lambda: link.tell(juice()))
        until(lambda: not eyes.trouble() and not link.trouble)
        with suppress(HardwareError):  # nobody sends a new picture
            eyes.look(0.2)


def test_what_the_eyes_refuse_is_told(tmp_path: Path, links: ExitStack) -> None:
    link = links.enter_context(closing(EyesLink(tmp_path, lambda: None)))
    with closing(OutsideEyes(tmp_path, lambda: RobotState({}, Pose2D()))):
        until(lambda: link.tell(b'{"v": 1, "type": "rumour"}\n'))
        until(lambda: "rumour" in link.trouble)
