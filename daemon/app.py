"""Builds every part from the settings, starts it, watches it, and closes in reverse. The only wiring.

Down is function calls, up is return values; speech and console meet in the TriggerQueue alone.
"""

import dataclasses
import logging
import math
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from daemon.brains import Brains
from daemon.cli.memory import memory_handlers
from daemon.cli.models import model_handlers
from daemon.cli.terminal import Terminal
from daemon.config import Config, ConsoleConfig
from daemon.console.builtins import TALK, Conversation
from daemon.console.confidence_guard import Written
from daemon.console.executor import Executor
from daemon.console.learning.care import MemoryCare
from daemon.console.learning.improver import ModelImprover
from daemon.console.learning.lessons import Lessons
from daemon.console.learning.recall import Recall
from daemon.console.learning.rehearsal import SceneRehearsal
from daemon.console.loop import Console
from daemon.console.prompt import base_prompt
from daemon.console.raider.look_first import LookFirst
from daemon.console.reminders import LATER, Later
from daemon.console.skill_examples import example_transcripts
from daemon.console.tasks import TASKS, Tasks
from daemon.doubt import Doubt
from daemon.fleet.fleet import Fleet, fleet_handlers
from daemon.fleet.member import Body
from daemon.imitation.english.interjections import Interjection
from daemon.llm.model import LanguageModel, following
from daemon.llm.torch_embedder import open_embedder
from daemon.mcp.client import OtherTools
from daemon.memory.reminders import LaterBook
from daemon.memory.rules import Rule
from daemon.memory.schema import MemoryFileError
from daemon.memory.store import open_memory
from daemon.memory.tasks import TaskBook
from daemon.page.live import Live
from daemon.page.permit import Permit, token_in
from daemon.page.recording import Recordings
from daemon.page.server import PageServer
from daemon.page.view import RobotView
from daemon.phrases import likely_sentences
from daemon.reflex import Reflex, reflex_in
from daemon.service.audit import Audit
from daemon.service.body import RobotBody
from daemon.service.commands import verb_handlers
from daemon.service.control import CommandError, ControlServer, Handler, Message
from daemon.service.health import WATCH_SECONDS, Health, Trouble
from daemon.service.hearing import (
    HEARS_AGAIN,
    HEARS_NO_MORE,
    SERVER_BACK,
    SERVER_GONE,
    Hearing,
    build_ear,
    open_satellites,
)
from daemon.service.metrics import Metrics, Walk, process_figures
from daemon.service.observers import Observers
from daemon.service.outside_calls import OutsideCalls
from daemon.service.permission import Permissions
from daemon.service.sound import Voice
from daemon.speech.events import Others
from daemon.speech.listener import Listener, Reactions
from daemon.speech.recognition import Recognizer
from daemon.speech.recognizers.opening import open_recognizer
from daemon.speech.speakable import read_lexicon
from daemon.speech.talker import Talker
from daemon.speech.wyoming_server import SatelliteServer
from daemon.trigger import TriggerQueue, Utterance
from hw.notify import READY, STOPPING, Watchdog, notify, status
from hw.state import HardwareError, Standstill, StopReport
from skills.scene import Scene
from skills.skill import LEFT_OUT, SkillContext, load_skills, stubs

log = logging.getLogger(__name__)

CLOSING_SECONDS = 5.0
"""Longest wait for the threads that work beside the conversation, when it is over."""

STOPPED = {
    Standstill.TRUE: "I have stopped.",
    Standstill.FALSE: "I am stopping.",
    Standstill.UNCERTAIN: "I was told to stop, but I cannot tell whether I stand still.",
}
RESTORED = "My memory was damaged. I have put it aside, and go on with a copy that has every lesson."
BEGUN_AGAIN = "My memory was damaged. I have put it aside, and begin with an empty one."
UNWRITABLE = "I cannot write to my disk. I know what I was taught, but what you teach me now I will forget when I end."


class App:
    """One heed: a body, a memory, a mouth, a mind and an ear."""

    def __init__(self, config: Config, voice: Voice, terminal: Terminal) -> None:
        """Build and start the body, and build the rest; whatever fails, what was started is closed again."""
        self.triggers = TriggerQueue()
        self._config = config
        self._terminal = terminal
        self._ended = threading.Event()
        self._stopped_at = -math.inf
        self._stop_reason = "nobody"
        self.authors: Counter[str] = Counter()
        """How many statements each brain has written, where a model is guarded."""
        self._doubt = Doubt()
        self._hearing = Hearing()
        self._swapping = threading.Lock()
        self._others = OtherTools(config.mcp)
        self._skills = load_skills() | self._others.skills
        self._live = Live()
        self._metrics = Metrics(self._show_walk, voice.sink is not None and voice.synthesizer is not None)
        self._observer = Observers(terminal, self._live, self._metrics)
        with ExitStack() as built:
            built.callback(self._others.close)
            self.body = RobotBody(config.body, config.folder, config.runtime_directory)
            built.callback(self.body.close)
            self.body.start()
            self._context = SkillContext(self.body, self.body.observe, lambda seconds: self._metrics.looked(1, seconds))
            self._embedder = open_embedder(config.llm)
            examples = example_transcripts(self._skills.values())
            self._opened = open_memory(
                config.memory_file, self._embedder, config.memory, config.runtime_directory, examples
            )
            self.memory = self._opened.memory
            built.callback(self.memory.close)
            self._task_book = TaskBook(self.memory.path)
            built.callback(self._task_book.close)
            self._later_book = LaterBook(self.memory.path)
            built.callback(self._later_book.close)
            self._mouth = self._build_mouth(voice)
            built.callback(_close, self._mouth)
            self._brains = Brains(config, self._embedder, self._tell, self._on_model_down, self._wrote)
            self.model, self._brainless = self._brains.open_chosen()
            built.callback(lambda: self.model.close())
            self._worker_model = self._brains.open_worker()
            built.callback(_close, self._worker_model)
            self._lessons = self._build_lessons(config.console)
            care = MemoryCare(self.memory)
            self.conversation = Conversation(
                self.triggers, self._speak, self._lessons, self._observer, self.body.last_seen, care
            )
            self._permissions = Permissions(
                config.permission,
                self.conversation.ask,
                self._heard_count,
                deaf=lambda: self._hearing.deaf,
                stopped=lambda: bool(self.body.state().stopped),
            )
            self._audit = Audit(self.memory, self._asked)
            self._executor = self._build_executor(config.console)
            built.callback(self._executor.close)
            self.console = self._build_console(config.console)
            self._hearing.ear = self._build_ear(voice)
            built.callback(self._hearing.close)
            self._fleet = self._build_fleet()
            built.callback(_close, self._fleet)
            self._control = ControlServer(config.runtime_directory, self._handlers(), {"call": self._outside.call})
            built.callback(self._control.close)
            self._page = self._build_page()
            built.callback(_close, self._page)
            self._satellites = self._build_satellites()
            built.callback(_close, self._satellites)
            self._health = Health(
                self.body, self._troubles(), self._on_body_restarted, self.shut_down, self._on_stopped
            )
            self._closing = built.pop_all()

    def run(self) -> int:
        """Talk until nobody will speak any more; returns the exit status."""
        for part in (self._mouth, self._hearing, self._control, self._page, self._satellites):
            if part is not None:
                part.start()
        workers = [
            threading.Thread(target=work, name=work.__name__, daemon=True)
            for work in (self._keep_well, self._prepare, self._do_later)
        ]
        for worker in workers:
            worker.start()
        with Watchdog({"ear": lambda: self._hearing.works, "body": self.body.answers}):
            notify(READY, status(f"listening, with {self.model.name}"))
            self._tell_what_is_amiss()
            self._tell_what_is_left_over()
            failed = False
            try:
                self.console.run()
                if self._mouth is not None:
                    self._mouth.wait_silent()
            except sqlite3.DatabaseError as error:
                log.critical("the memory is damaged: %s; heed ends, to be started afresh", error)
                self._tell("My memory is damaged, so I have to start again. Please say that once more then.")
                if self._mouth is not None:
                    self._mouth.wait_silent(CLOSING_SECONDS)
                failed = True
            finally:
                notify(STOPPING)
                self._ended.set()
                for worker in workers:  # native code that still computes would abort the process at its end
                    worker.join(CLOSING_SECONDS)
                self.close()
        return 1 if failed or self._health.failed else 0

    def close(self) -> None:
        """Close every part, the last built first; safe to call twice."""
        self._ended.set()
        self._closing.close()

    def shut_down(self, reason: str) -> None:
        """End run() soon, from any thread; what was not begun is left."""
        self.triggers.clear()
        self.triggers.close()
        self._end_thought(reason)
        with suppress(HardwareError):  # without heed-hw nothing moves any more
            self.body.robot.cancel_all()

    # --- what people do ---

    def hear(self, utterance: Utterance) -> None:
        """Take in what was said or typed: a reflex acts at once, everything else waits for the console."""
        if not utterance.text.strip():
            return
        if utterance.started_at < self._stopped_at:
            log.info("said before the stop, so void: %s", utterance.text)
        elif not self._act_at_once(reflex_in(utterance.text), utterance):
            self._take_up(utterance)
        self._write_down(utterance)

    def ask_back(self, utterance: Utterance) -> None:
        """Someone may have said this: act on it only after a yes."""
        self._tell(self._doubt.ask(utterance))

    def _hear_aloud(self, utterance: Utterance) -> None:
        if self._config.speech.earcons and self._mouth is not None:
            self._mouth.chime()
        self.hear(utterance)

    @property
    def left_out(self) -> dict[str, str]:
        """Skills and tools of others that cannot be had, and why."""
        return LEFT_OUT | self._others.left_out

    @property
    def page_link(self) -> str:
        """Of the page in a browser; empty where there is none."""
        return self._page.link if self._page else ""

    @property
    def doubting(self) -> bool:
        """Whether heed has asked what was said, and waits for a yes."""
        return self._doubt.pending

    @property
    def spoken_to(self) -> bool:
        """Somebody speaks, or has spoken and is not understood yet."""
        return self._hearing.spoken_to

    @property
    def speaking(self) -> bool:
        return self._mouth is not None and self._mouth.speaking

    def wait_until_listening(self) -> None:
        """Wait until heed has nothing left to do but to listen, or has ended."""
        while not (self.conversation.waiting and not len(self.triggers)) and not self._ended.wait(0.02):
            pass

    def stop(self, reason: str) -> StopReport:
        """Protective stop, heed-hw first; latched until resume(). What was asked for before is void."""
        self._stopped_at = time.monotonic()
        self._stop_reason = reason
        self.triggers.clear()
        self._outside.void(f"stopped: {reason}")
        self._others.cancel()
        self._executor.interrupt(f"stopped: {reason}")  # takes no time; the statement must not go on meanwhile
        report = self.body.stop(reason)
        self._end_thought(f"stopped: {reason}")
        self._tell(STOPPED[report.standstill])
        self._metrics.count("stops")
        self._audit.note("stop", reason, f"standstill: {report.standstill}")
        return report

    def cancel(self, reason: str) -> None:
        """End what is being done; the robot stays ready."""
        self._end_thought(reason)
        self._others.cancel()
        self.body.robot.cancel_all()

    def pause(self) -> None:
        """Hold still until resume()."""
        self.body.pause()
        self._tell("I am waiting.")

    def resume(self, by: str) -> str:
        """A person lets the robot move again; returns what that ended: "stop", "pause" or ""."""
        ended = self.body.resume(by)
        if ended:
            self._tell("I can move again." if ended == "stop" else "I go on.")
            self._audit.note("resume", by, f"ended: {ended}")
        return ended

    def use_model(self, file: Path | None) -> str:
        """Go on with another model file (None: imitation); the old one is kept until the new one answers."""
        with self._swapping:
            new = self._brains.open_tried(file)
            try:
                old = self.console.use_model(new)
            except BaseException:
                new.close()
                raise
            self.model = new
            old.close()
        return new.name

    def _end_thought(self, reason: str) -> None:
        """Whatever is being done or thought for a request ends soon."""
        self.console.cancel(reason)
        if self._worker_model is not None:
            self._worker_model.cancel()

    def _take_up(self, utterance: Utterance) -> None:
        meant = self._doubt.answer(utterance)
        if meant is None:
            self._tell("All right.")
            return
        interjection = self.console.interjected(meant.text)
        if interjection is Interjection.PROGRESS:
            self._tell(self.console.progress())
            return
        if interjection is Interjection.CHANGE:
            self.cancel(f"{meant.speaker or 'a person'} said: {meant.text}")
        self.triggers.put(meant)

    def _act_at_once(self, reflex: Reflex | None, utterance: Utterance) -> bool:
        """Carry out a reflex; False where it is no reflex here, but an answer or a sentence for the console."""
        by = utterance.speaker or "a person"
        if reflex is Reflex.STOP:
            self.stop(f"{by} said: {utterance.text}")
        elif reflex is None or self.conversation.asking:
            return False
        elif reflex is Reflex.MUTE:
            self._tell(self._hearing.mute())
        elif reflex is Reflex.RESUME:
            return bool(self.resume(by))
        elif self.conversation.waiting:
            return False
        elif reflex is Reflex.CANCEL:
            self.cancel(f"{by} said: {utterance.text}")
        elif reflex is Reflex.PAUSE:
            self.pause()
        return True

    # --- parts ---

    def _build_mouth(self, voice: Voice) -> Talker | None:
        if voice.sink is None or voice.synthesizer is None:
            return None
        file = self._config.speech.lexicon
        lexicon = read_lexicon(self._config.folder / file) if file else None
        metrics = self._metrics
        return Talker(voice.synthesizer, voice.sink, self._cut_off, metrics.sounds, metrics.silent, lexicon)

    def _build_lessons(self, config: ConsoleConfig) -> Lessons:
        rehearse = SceneRehearsal(load_skills().values(), self.body.imagine, config, self.memory, lambda: self.model)
        improver = ModelImprover(lambda: self.model)
        return Lessons(improver, rehearse, self._keep_lesson, config.confirm_lessons)

    def _build_executor(self, config: ConsoleConfig) -> Executor:
        context = self._context
        functions = {
            skill.name: self._permissions.guarded(skill, self._audit.watched(skill, skill.bind(context)))
            for skill in self._skills.values()
        }
        self._recall = Recall(
            self.memory, self.body.last_seen, functions["get_robot_location"], ask=self.conversation.ask
        )
        functions = self._recall.with_parameters(functions)
        skills = self._permissions.marked(self._skills)
        self._outside = OutsideCalls(
            skills, functions, self.triggers, self.conversation, self._audit, self.cancel, self.body
        )
        unfinished = self.memory.unfinished_request
        self._tasks = Tasks(
            self._task_book,
            self.body.last_seen,
            functions,
            lambda: len(self.triggers) > 0,
            unfinished,
            lambda: following([self.model]),
            lambda: following([self._worker_model, self.model]),
        )
        self._later = Later(self._later_book, self.body.last_seen, self.triggers.put, self._tell, self._is_free)
        offered = [*self._skills.values(), *TALK, *TASKS, *LATER]
        functions = functions | self.conversation.bound() | self._tasks.functions() | self._later.functions()
        return Executor(functions, stubs(offered), config.statement_seconds)

    def _build_console(self, config: ConsoleConfig) -> Console:
        base = base_prompt([*self._skills.values(), *TALK, *TASKS, *LATER])
        seen = dataclasses.replace(self._context, observe=self.body.last_seen)
        first = LookFirst(config.look_first, seen, self._tasks, self._later, self._metrics.looked, lambda: self.model)
        return Console(
            config, self.model, base, self._executor, self.conversation, self._recall, first, self._tasks.working_memory
        )

    def _build_ear(self, voice: Voice) -> Listener | None:
        if voice.source is None or voice.recognizer is None:
            return None
        reactions = Reactions(
            self._hear_aloud,
            self.hear_stop,
            self.ask_back,
            self.slow_down,
            self.speed_up,
            self._situation,
            self._tell_server,
            self._tell_hearing,
        )
        config = self._config.speech
        return build_ear(config, voice.source, voice.recognizer, reactions, self._mouth, self._sentences)

    def _build_fleet(self) -> Fleet | None:
        config = self._config
        if not config.fleet.name:
            return None
        functions = frozenset(skill.name for skill in (*self._skills.values(), *TALK, *TASKS))
        body = Body(tuple(arm.name for arm in self.body.description.arms), functions)
        return Fleet(config.fleet, config.folder, config.state_directory, body, self.memory, self)

    def _build_page(self) -> PageServer | None:
        """A page that was asked for and cannot be had is told; the robot works without it."""
        config = self._config
        if not config.service.page:
            return None
        recordings = Recordings(self._open_page_recognizer, self.hear)
        view = RobotView(self.status, self.body.state, self.body.observe)
        try:
            permit = Permit(token_in(config.state_directory), config.service.page_name)
            return PageServer(
                config.service.page,
                permit,
                self._handlers(),
                self._live,
                view,
                self._figures,
                recordings.hear,
                self.body.picture,
            )
        except (CommandError, OSError) as error:
            log.error("there is no page: %s", error)
            self._terminal.note(f"there is no page: {error}")
            return None

    def _build_satellites(self) -> SatelliteServer | None:
        if not self._config.speech.satellites:
            return None
        recordings = Recordings(self._open_page_recognizer, self.hear, source="satellite")
        return open_satellites(self._config.speech, self._config.models_directory, recordings.hear)

    def _open_page_recognizer(self) -> Recognizer:
        recognizer = open_recognizer(self._config.speech, self._config.models_directory)
        recognizer.set_vocabulary(self._sentences())
        return recognizer

    def _sentences(self) -> list[str]:
        """What people are likely to say here: what was said before, and requests about everything in the scene."""
        scene = Scene.from_observation(self.body.last_seen())
        return [*self.memory.instructions(), *likely_sentences(scene)]

    # --- what the parts call ---

    def _speak(self, text: str) -> None:
        if self._mouth is not None and not self._permissions.quiet:
            self._mouth.say(text)

    def _tell(self, text: str) -> None:
        self._observer.said(text)
        self._speak(text)

    def _cut_off(self, said: str, unsaid: str) -> None:
        self.conversation.cut_off(said, unsaid)

    def _do_later(self) -> None:
        self._later.watch(self._ended)

    def _is_free(self) -> bool:
        return self.conversation.waiting and not self.conversation.asking and not len(self.triggers)

    def _heard_count(self) -> int:
        return self.conversation.heard_count

    def _asked(self) -> tuple[str, str]:
        turn = self.conversation.history.current_turn
        return self.conversation.speaker, turn.utterance if turn else ""

    def _write_down(self, utterance: Utterance) -> None:
        """After it was acted on: a full disk or a locked file must not keep anybody from being heard."""
        try:
            self.memory.log_utterance(utterance)
        except MemoryFileError as error:
            log.error("what was said is not written down: %s", error)

    def _show_walk(self, walk: Walk) -> None:
        self._live.add("walk", **dataclasses.asdict(walk))

    def hear_stop(self, word: str) -> None:
        """A stop was heard, before anything else was acted upon."""
        self.stop(f"a person said: {word}")

    def slow_down(self) -> None:
        """Perhaps a stop was said: hold still until that is certain."""
        with suppress(HardwareError):  # it tells itself
            self.body.hold()

    def speed_up(self) -> None:
        """It was no stop."""
        with suppress(HardwareError):
            self.body.release()

    def _tell_server(self, there: bool) -> None:
        self._tell(SERVER_BACK if there else SERVER_GONE)

    def _tell_hearing(self, hears: bool) -> None:
        self._tell(HEARS_AGAIN if hears else HEARS_NO_MORE)

    def _situation(self) -> Others:
        """What mind and body do, as far as the ear must know it."""
        waiting = self.conversation.waiting
        asking = self.conversation.asking or self._doubt.pending
        return Others(asking=asking, thinking=not waiting, moving=not waiting)

    def _keep_lesson(self, transcript: str, rule: Rule, heard: Sequence[str]) -> object:
        return self.memory.keep_lesson(transcript, rule, self.conversation.speaker or "owner", heard)

    def _prepare(self) -> None:
        """Whenever heed begins to wait, let the model get ready for what may come."""
        ready_for = None
        while not self._ended.wait(WATCH_SECONDS):
            now = (self.model.name, self.conversation.heard_count)
            if self.conversation.waiting and now != ready_for:
                self.console.prepare()
                ready_for = now

    def _keep_well(self) -> None:
        self._health.run(self._ended)

    def _troubles(self) -> dict[str, Trouble]:
        """What only a fresh start mends."""
        return {
            "the ear has ended": lambda: self._hearing.failure,
            "the mouth has ended": lambda: self._mouth and self._mouth.failure,
            "the memory is damaged": lambda: self.memory.damage,
        }

    def _on_body_restarted(self, name: str) -> None:
        self._end_thought(f"{name} had to be started again")
        self._tell("My body was started again. Say: go on, when I may move.")

    def _on_stopped(self, reason: str) -> None:
        """Who stops the robot is answered at once; a robot that stops itself must say so, or nobody knows why."""
        if self._stop_reason not in reason:
            self._tell(f"I had to stop: {reason}. Say: go on, when I may move.")

    def _wrote(self, written: Written) -> None:
        self.authors[written.author] += 1
        if written.confidence < 1 and written.author != self.model.name:
            self._terminal.note(f"the model is not sure ({written.confidence:.2f}), {written.author} does this")

    def _on_model_down(self) -> None:
        """Called in the middle of a request; the console waits for the model that this is about."""
        self._tell("My language model does not work any more. I go on without it, and do what examples show.")
        threading.Thread(target=self.use_model, args=(None,), name="replace the model", daemon=True).start()

    def _tell_what_is_left_over(self) -> None:
        """What was under way or asked for when heed ended; where that cannot be settled in the file, it waits."""
        try:
            if left_over := self._tasks.left_over() or self._later.left_over():
                self._tell(left_over)
        except MemoryFileError as error:
            log.error("what was under way is not asked about: %s", error)

    def _tell_what_is_amiss(self) -> None:
        opened = self._opened
        if opened.aside:
            log.error("the memory was damaged and has been put aside as %s", opened.aside)
            self._tell(RESTORED if opened.restored else BEGUN_AGAIN)
        if opened.unwritable:
            log.error("%s; until then nothing that is taught outlives this run", opened.unwritable)
            self._tell(UNWRITABLE)
        if self._brainless:
            self._tell("My language model cannot be used. I go on without it, and do what examples show.")

    def _handlers(self) -> dict[str, Handler]:
        models = model_handlers(self._config, lambda: self.model.name, self.use_model)
        others = {"look": self._outside.look, **fleet_handlers(lambda: self._fleet)}
        return {**memory_handlers(self.memory), **self._hearing.handlers(), **models, **verb_handlers(self), **others}

    def _figures(self) -> str:
        """For Prometheus."""
        state = self.body.state()
        pids = {"daemon": os.getpid()} | {
            process.name.removeprefix("heed-").removeprefix("the ").replace(" ", "_"): process.pid
            for process in self.body.processes
            if process.pid
        }
        gauges = {
            "stopped": float(state.stopped is not None),
            "faults": float(len(state.faults)),
            "lessons": float(len(self.memory.lessons())),
            "waiting_utterances": float(len(self.triggers)),
            "page_watchers": float(self._live.watchers),
        }
        return self._metrics.text(gauges | process_figures(pids))

    def status(self) -> Message:
        """What heed is and does right now, for `heed status`."""
        state = self.body.state()
        turn = self.conversation.history.current_turn
        return {
            "brain": self.model.name,
            "worker": (self._worker_model or self.model).name,
            "doing": "waiting" if self.conversation.waiting else "working",
            "asks": self.conversation.question or "",
            "request": turn.utterance if turn else None,
            "waiting_utterances": len(self.triggers),
            "stopped": state.stopped,
            "paused": state.paused,
            "body": {name: life.value for name, life in state.lifecycle.items()},
            "faults": [dataclasses.asdict(fault) for fault in state.faults],
            "ear": self._hearing.status,
            "mouth": "none" if self._mouth is None else ("speaking" if self._mouth.speaking else "silent"),
            "lessons": len(self.memory.lessons()),
            "examples_to_embed": self.memory.to_embed,
            "quiet": self._permissions.quiet,
            "looks": self._metrics.looks(),
            "last_utterance": self._metrics.last,
        }


def _close(part: Talker | Listener | PageServer | SatelliteServer | Fleet | LanguageModel | None) -> None:
    if part is not None:
        part.close()
