"""Builds every part from the settings, starts it, watches it, and closes in reverse.

The wiring; that of the console stands in mind.py, that of the ways in from other programs in doors.py.

Down is function calls, up is return values; speech and console meet in the TriggerQueue alone. Each part gets what it
needs when it is made. Where two need each other, one of them begins without: a Hearing has no ear yet, an Announcer
tells nobody yet what was cut off, a Brain has nobody yet to hand a new model to.
"""

import dataclasses
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from typing import TypeVar

from daemon.brains import Brain
from daemon.cli.terminal import Terminal
from daemon.config import Config, SpeechConfig
from daemon.console.learning.consent import is_answer
from daemon.console.skill_examples import example_transcripts
from daemon.doors import build_doors
from daemon.heed import Heed
from daemon.llm.directed import DirectedSpeech
from daemon.llm.embedder import MiniLmEmbedder
from daemon.llm.torch_embedder import open_embedder
from daemon.mcp.outside_tools import OtherTools
from daemon.memory.nearness import Embedder
from daemon.memory.place_book import PlaceBook
from daemon.memory.store import Memory, Opened, open_memory
from daemon.mind import build_mind
from daemon.page.live import Live
from daemon.parsing_threads import parse_one_at_a_time
from daemon.service.announcer import Announcer
from daemon.service.body import RobotBody
from daemon.service.health import WATCH_SECONDS, Health, Trouble
from daemon.service.hearing import (
    HEARS_AGAIN,
    HEARS_ITSELF,
    HEARS_NO_MORE,
    SERVER_BACK,
    SERVER_GONE,
    TOO_QUIET,
    Hearing,
    build_ear,
)
from daemon.service.metrics import Metrics
from daemon.service.observers import Displays, Observers
from daemon.service.permission import QuietHours
from daemon.service.sound import Voice
from daemon.speech.addressee import Addressee
from daemon.speech.did_you_mean import Sense
from daemon.speech.listener import Listener
from daemon.speech.reactions import Reactions
from daemon.speech.speakable import read_lexicon
from daemon.speech.talker import Talker
from daemon.status import Status, amiss, left_over, speaking
from daemon.trigger import TriggerQueue
from hw.notify import READY, STOPPING, Watchdog, notify
from hw.notify import status as systemd_status
from hw.state import HardwareError
from skills.scene import Scene
from skills.skill import LEFT_OUT, Skill, load_skills

log = logging.getLogger(__name__)

Told = TypeVar("Told")

CLOSING_SECONDS = 5.0
"""Longest wait for the threads that work beside the conversation, when it is over."""
DAMAGED = "My memory is damaged, so I have to start again. Please say that once more then."


class App:
    """One heed: a body, a memory, a mouth, a mind and an ear."""

    def __init__(
        self, config: Config, voice: Voice, terminal: Terminal, body: Callable[..., RobotBody] = RobotBody
    ) -> None:
        """Build and start the body, and build the rest; whatever fails, what was started is closed again.

        `body` makes it of the settings and three folders, as RobotBody does.
        """
        parse_one_at_a_time()
        self.config = config
        self.triggers = TriggerQueue()
        self._ended = threading.Event()
        with ExitStack() as built:
            others = built.enter_context(closing(OtherTools(config.mcp)))
            skills = load_skills() | others.skills
            self.left_out = LEFT_OUT | others.left_out
            """Skills and tools of others that cannot be had, and why."""
            live, metrics = _watchers(voice)

            folders = config.folder, config.runtime_directory, config.models_directory
            self.body = built.enter_context(closing(body(config.body, *folders)))
            self.body.start()
            embedder = open_embedder(config.llm)
            self._opened = _memory(config, embedder, skills.values())
            self.memory = built.enter_context(closing(self._opened.memory))
            self.body.use_places(built.enter_context(closing(PlaceBook(self.memory.path))))
            hours = QuietHours(config.permission.quiet_hours)
            mouth, observers = _mouth(config, voice, metrics), Observers(terminal, live, metrics)
            announcer = built.enter_context(closing(Announcer(observers, mouth, hours, config.speech.earcons)))
            self.brain = built.enter_context(closing(Brain(config, embedder, announcer.tell)))

            if lacking := speaking(config.speech.language, self.brain.model.leads):
                terminal.note(lacking)

            hearing = Hearing()
            self.mind = build_mind(
                config, skills, others, self.body, self.memory, self.brain, self.triggers, announcer, hearing, metrics,
                built,
            )  # fmt: skip
            self.conversation, self.console = self.mind.conversation, self.mind.console
            self._addressee = Addressee(DirectedSpeech(_minilm(embedder)).odds, _or_else(None, self.console.asks))
            announcer.on_cut(self.conversation.cut_off)
            self.brain.hand_over = self.console.use_model

            self.heed = Heed(self.mind, self.body, self.triggers, announcer, hearing, self.memory, metrics)
            hearing.ear = _ear(
                config.speech, voice, self.heed, announcer, self._sense, Displays(terminal, live)
            )  # fmt: skip
            built.callback(hearing.close)
            self.status = Status(
                self.mind, self.brain, self.body, self.memory, self.triggers, announcer, hearing, metrics, live
            )
            self.doors = build_doors(
                config, self.heed, self.status, self.mind, self.brain, self.body, self.memory, hearing, live,
                voice, self._sense, terminal.note, built,
            )  # fmt: skip
            troubles = _troubles(hearing, announcer, self.memory)
            self._health = Health(
                self.body, troubles, self.heed.on_body_restarted, self.shut_down, self.heed.on_stopped
            )
            self._announcer, self._hearing = announcer, hearing
            self._closing = built.pop_all()

    def run(self) -> int:
        """Talk until nobody will speak any more; returns the exit status."""
        for part in (self._announcer, self._hearing, self.doors):
            part.start()
        workers = [
            threading.Thread(target=work, args=(self._ended,), name=name, daemon=True)
            for name, work in (
                ("health", self._health.run),
                ("prepare", self._prepare),
                ("later", self.mind.later.watch),
                ("tags", self.mind.tag_questions.watch),
            )
        ]
        for worker in workers:
            worker.start()
        with Watchdog({"ear": lambda: self._hearing.works, "body": self.body.answers}):
            notify(READY, systemd_status(f"listening, with {self.brain.model.name}"))
            for text in amiss(self._opened, self.brain):
                self._announcer.tell(text)
            if question := left_over(self.mind):
                self._announcer.tell(question)
            try:
                well = self._talk()
            finally:
                notify(STOPPING)
                self._ended.set()
                for worker in workers:  # native code that still computes would abort the process at its end
                    worker.join(CLOSING_SECONDS)
                self.close()
        return 0 if well and not self._health.failed else 1

    def close(self) -> None:
        """Close every part, the last built first; safe to call twice."""
        self._ended.set()
        self._closing.close()

    def shut_down(self, reason: str) -> None:
        """End run() soon, from any thread; what was not begun is left."""
        self.triggers.clear()
        self.triggers.close()
        self.mind.activity.end_thought(reason)
        with suppress(HardwareError):  # without heed-hw nothing moves any more
            self.body.robot.cancel_all()

    def wait_until_listening(self) -> None:
        """Wait until heed has nothing left to do but to listen, or has ended."""
        while not (self.conversation.waiting and not len(self.triggers)) and not self._ended.wait(0.02):
            pass

    def _talk(self) -> bool:
        """Run the console to its end; False where that was a memory that is damaged."""
        try:
            self.console.run()
            self._announcer.wait_silent()
        except sqlite3.DatabaseError as error:
            log.critical("the memory is damaged: %s; heed ends, to be started afresh", error)
            self._announcer.tell(DAMAGED)
            self._announcer.wait_silent(CLOSING_SECONDS)
            return False
        return True

    def _prepare(self, ended: threading.Event) -> None:
        """Whenever heed begins to wait, and each minute after that, let the model get ready for what may come: what
        it reads beforehand tells the time.
        """
        ready_for = None
        while not ended.wait(WATCH_SECONDS):
            now = (self.brain.model.name, self.conversation.heard_count, datetime.now().minute)
            if self.conversation.waiting and now != ready_for:
                self.console.prepare()
                ready_for = now

    def _sense(self) -> Sense:
        """Return what people are likely to say here: what was said before, requests about everything in the scene, and
        whatever else one says to a robot.
        """
        scene = Scene.from_observation(self.body.last_seen())
        expected = [*self.memory.instructions(), *self.mind.expected_sentences(scene)]
        told = self._addressee
        language = self.config.speech.language
        asked_for = _or_else(None, self.console.asked_for)
        return Sense(
            expected, language, scene.names, told.odds, told.odds_of_words, _or_else(False, is_answer), asked_for
        )


def _or_else(unknown: Told, tell: Callable[[str], Told]) -> Callable[[str], Told]:
    """Return what tells something of words; whatever goes wrong with that is logged, and the ear goes on."""

    def told(text: str) -> Told:
        try:
            return tell(text)
        except Exception:
            log.exception("%s() failed, and the ear goes on: %s", tell.__name__, text)
            return unknown

    return told


def _watchers(voice: Voice) -> tuple[Live, Metrics]:
    """Return what the page shows of each step, and what measures it, to the first sound where there will be one."""
    live = Live()
    speaks = voice.sink is not None and voice.synthesizer is not None
    return live, Metrics(lambda walk: live.add("walk", **dataclasses.asdict(walk)), speaks)


def _minilm(embedder: Embedder) -> MiniLmEmbedder:
    """Return the embedder that the ear learned with: the same, or one beside it."""
    return embedder if isinstance(embedder, MiniLmEmbedder) else MiniLmEmbedder()


def _memory(config: Config, embedder: Embedder, skills: Iterable[Skill]) -> Opened:
    examples = example_transcripts(skills)
    return open_memory(config.memory_file, embedder, config.memory, config.runtime_directory, examples)


def _mouth(config: Config, voice: Voice, metrics: Metrics) -> Talker | None:
    if voice.sink is None or voice.synthesizer is None:
        return None
    file = config.speech.lexicon
    lexicon = read_lexicon(config.folder / file) if file else None
    return Talker(voice.synthesizer, voice.sink, on_sound=metrics.sounds, on_silence=metrics.silent, lexicon=lexicon)


def _ear(
    config: SpeechConfig,
    voice: Voice,
    heed: Heed,
    announcer: Announcer,
    sense: Callable[[], Sense],
    displays: Displays,
) -> Listener | None:
    if voice.source is None or voice.recognizer is None:
        return None
    reactions = Reactions(
        heed.hear_aloud,
        heed.hear_stop,
        heed.ask_back,
        heed.slow_down,
        heed.speed_up,
        lambda: dataclasses.replace(heed.situation(), watched=displays.watched),
        lambda there: announcer.tell(SERVER_BACK if there else SERVER_GONE),
        lambda hears: announcer.tell(HEARS_AGAIN if hears else HEARS_NO_MORE),
        lambda: announcer.tell(HEARS_ITSELF),
        lambda: announcer.tell(TOO_QUIET),
        heed.sign,
        displays.show,
    )
    return build_ear(config, voice.source, voice.recognizer, reactions, announcer.mouth, sense, voice.echo)


def _troubles(hearing: Hearing, announcer: Announcer, memory: Memory) -> dict[str, Trouble]:
    """Return what only a fresh start mends."""
    return {
        "the ear has ended": lambda: hearing.failure,
        "the mouth has ended": lambda: announcer.failure,
        "the memory is damaged": lambda: memory.damage,
    }
