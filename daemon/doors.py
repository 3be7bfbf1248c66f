"""The ways in beside the microphone and the keyboard: control socket, page, satellites, fleet."""

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from daemon.asked_in_words import AskedInWords
from daemon.brains import Brain
from daemon.cli.memory import memory_handlers
from daemon.cli.models import model_handlers
from daemon.config import Config
from daemon.eyes.eyes_report import eyes_handlers
from daemon.fleet.fleet import Fleet, fleet_handlers
from daemon.fleet.member import Body
from daemon.heed import Heed
from daemon.memory.lesson_table import LessonBook
from daemon.mind import Mind
from daemon.page.live import Live
from daemon.page.page_server import PageServer, page_handlers
from daemon.page.permit import Permit, token_in
from daemon.page.recording import Recordings
from daemon.page.setting_up import Conversation, SettingUp
from daemon.page.view import RobotView
from daemon.reflex import Reflex, reflex_in
from daemon.service.body import RobotBody
from daemon.service.commands import verb_handlers
from daemon.service.control import CommandError, ControlServer, Handler
from daemon.service.hearing import Hearing, open_satellites
from daemon.service.sound import SharedRecognizer, Voice
from daemon.speech.did_you_mean import Sense
from daemon.speech.wyoming_server import SatelliteServer
from daemon.status import Status

log = logging.getLogger(__name__)

UNWATCHED_SECONDS = 30.0
"""A page looks twice a second at what is set up, a hidden one once; and a network may be gone for a moment."""


@dataclass(frozen=True)
class Doors:
    """The ways in, as far as the settings ask for them; nobody comes in before start()."""

    control: ControlServer
    page: PageServer | None
    satellites: SatelliteServer | None
    fleet: Fleet | None

    def start(self) -> None:
        self.control.start()
        if self.page is not None:
            self.page.start()
        if self.satellites is not None:
            self.satellites.start()

    @property
    def link(self) -> str:
        """Return the link to the page in a browser; "" where there is none."""
        return self.page.link if self.page is not None else ""


def build_doors(
    config: Config,
    heed: Heed,
    status: Status,
    mind: Mind,
    brain: Brain,
    body: RobotBody,
    book: LessonBook,
    hearing: Hearing,
    live: Live,
    voice: Voice,
    sense: Callable[[], Sense],
    note: Callable[[str], None],
    built: ExitStack,
) -> Doors:
    """Return the ways in to `heed`; what has to be closed of them goes onto `built`.

    The recognizer of `voice` understands page and satellites, too; `sense()` is what one may say there;
    `note` is told why a page that was asked for cannot be had. Raises ConfigError for settings that mean nothing.
    """
    recognizer = SharedRecognizer(config, voice.recognizer)

    def recordings(source: str) -> Recordings:
        return Recordings(
            recognizer, sense, heed.hear_recorded, heed.ask_back, lambda: heed.situation().asking, source
        )  # fmt: skip

    fleet = _closed_after(built, _fleet(config, heed, status, mind, body, book))
    handlers = {
        **memory_handlers(book),
        **hearing.handlers(),
        **model_handlers(config, lambda: brain.model.name, brain.use),
        **verb_handlers(heed, status.now),
        **fleet_handlers(fleet),
        **eyes_handlers(body.sees_by, body.trouble, body.state, body.observe),
        "look": mind.outside.look,
    }
    setting_up = _setting_up(config, heed, status, hearing, voice)
    built.callback(setting_up.close)
    on_page = {**handlers, **setting_up.handlers}
    page = _closed_after(built, _page(config, on_page, status, body, live, recordings("page"), note))
    commands = {**handlers, **page_handlers(page)}
    asked = AskedInWords(heed, live, body.under_way)
    followers = {"call": mind.outside.call, "request": asked.request, "watch": asked.watch}
    control = built.enter_context(closing(ControlServer(config.runtime_directory, commands, followers)))
    satellites = _closed_after(built, _satellites(config, recordings("satellite")))
    return Doors(control, page, satellites, fleet)


def _setting_up(config: Config, heed: Heed, status: Status, hearing: Hearing, voice: Voice) -> SettingUp:
    """`heed setup robot` and `heed setup voice` for the page alone; any stop ends them."""

    def at_work() -> CommandError | None:
        if status.now()["doing"] != "waiting":
            return CommandError("heed is at work", "wait until it has done, or say: never mind")
        return None

    def has_ports() -> CommandError | None:
        if not config.body.simulated:
            advice = 'set robot = "sim" below [body] of config.toml and start heed anew; or end it: heed setup robot'
            return CommandError("heed moves this robot, and has its serial ports", advice)
        return at_work()

    def speaks() -> CommandError | None:
        if status.now()["mouth"] == "speaking":
            return CommandError("heed is speaking", "begin when it has said that")
        return at_work()

    @contextmanager
    def lent() -> Iterator[None]:
        hearing.lent = True
        try:
            with voice.lent():
                yield
        finally:
            hearing.lent = False

    def stops(answer: str) -> bool:
        if reflex_in(answer) is not Reflex.STOP:
            return False
        heed.stop(f"a person answered: {answer}")
        return True

    command = [sys.executable, "-u", "-m", "daemon", "--config", str(config.folder / "config.toml"), "setup"]
    conversations = {
        "robot": Conversation([*command, "robot"], has_ports),
        "voice": Conversation([*command, "voice"], speaks, lent, UNWATCHED_SECONDS),
    }
    setting_up = SettingUp(conversations, stops)
    heed.also_stop(setting_up.end)
    return setting_up


def _fleet(config: Config, heed: Heed, status: Status, mind: Mind, body: RobotBody, book: LessonBook) -> Fleet | None:
    if not config.fleet.name:
        return None
    like = Body(tuple(arm.name for arm in body.description.arms), mind.known)
    return Fleet(config.fleet, config.folder, config.state_directory, like, book, heed, status.now)


def _page(
    config: Config,
    handlers: Mapping[str, Handler],
    status: Status,
    body: RobotBody,
    live: Live,
    recordings: Recordings,
    note: Callable[[str], None],
) -> PageServer | None:
    """A page that was asked for and cannot be had is told; the robot works without it."""
    if not config.service.page:
        return None
    view = RobotView(status.now, body.state, body.observe)
    try:
        permit = Permit(token_in(config.state_directory), config.service.page_name)
        return PageServer(
            config.service.page, permit, handlers, live, view, status.figures, recordings.hear, body.picture
        )
    except (CommandError, OSError) as error:
        log.error("there is no page: %s", error)
        note(f"there is no page: {error}")
        return None


def _satellites(config: Config, recordings: Recordings) -> SatelliteServer | None:
    if not config.speech.satellites:
        return None
    return open_satellites(config.speech, config.models_directory, recordings.hear)


Part = TypeVar("Part", Fleet | None, PageServer | None, SatelliteServer | None)


def _closed_after(built: ExitStack, part: Part) -> Part:
    """Return `part`, which is closed with `built` where it is there."""
    if part is not None:
        built.callback(part.close)
    return part
