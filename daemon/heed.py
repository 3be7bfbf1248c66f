"""What people do to one heed, by voice, by keyboard, over the socket, from the page and from other robots."""

import logging
import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from daemon.console.reading import Interjection
from daemon.doubt import Doubt
from daemon.memory.lesson_table import LessonBook
from daemon.memory.memory_file import MemoryFileError
from daemon.mind import Mind
from daemon.reflex import Reflex, begins_with_no, reflex_in
from daemon.service.announcer import Announcer
from daemon.service.body import RobotBody
from daemon.service.hearing import Hearing
from daemon.service.metrics import Metrics
from daemon.service.sign_of_life import SignOfLife
from daemon.speech.ear_events import Others
from daemon.trigger import TriggerQueue, Utterance
from hw.state import HardwareError, Standstill, StopReport

log = logging.getLogger(__name__)

STOPPED = {
    Standstill.TRUE: "I have stopped.",
    Standstill.FALSE: "I am stopping.",
    Standstill.UNCERTAIN: "I was told to stop, but I cannot tell whether I stand still.",
}


class Heed:
    """One heed, as people have to do with it. Any thread may call."""

    def __init__(
        self,
        mind: Mind,
        body: RobotBody,
        triggers: TriggerQueue,
        announcer: Announcer,
        hearing: Hearing,
        book: LessonBook,
        metrics: Metrics,
    ) -> None:
        """`triggers` wake the console of `mind`; in `book` is written what was said."""
        self.conversation = mind.conversation
        self.triggers = triggers
        self._mind, self._body = mind, body
        self._announcer, self._hearing = announcer, hearing
        self._book, self._metrics = book, metrics
        self._doubt = Doubt()
        self._sign_of_life = SignOfLife(announcer.remark, announcer.silence, lambda: mind.console.doing, self._is_busy)
        self._interjecting = threading.Lock()
        self._stopped_at = -math.inf
        self._resumed_at = -math.inf
        self._stop_reason = "nobody"
        self._also_stops: list[Callable[[], None]] = []

    # --- what is said to it ---

    def hear(self, utterance: Utterance) -> None:
        """Take in what was said or typed.

        A reflex acts at once, and so does what is about the work under way: a question is answered, a change of mind
        ends it. An answer to "Did you say ...?" settles that. The rest waits for the console.
        """
        if not utterance.text.strip():
            return
        if self.voids(utterance):
            log.info("said before the stop, so void: %s", utterance.text)
        elif not self._act_at_once(reflex_in(utterance.text), utterance):
            self._take_up(utterance)
        self._write_down(utterance)

    def sign(self) -> None:
        """Let people hear that they were heard; they may not be understood yet."""
        self._announcer.chime()

    def hear_aloud(self, utterance: Utterance) -> None:
        """Take in what was said to an ear."""
        self.hear(utterance)
        self._sign_of_life.begin()

    def hear_stop(self, word: str) -> None:
        """A stop was heard, before anything else was acted upon."""
        self.stop(f"a person said: {word}")

    def hear_recorded(self, utterance: Utterance) -> None:
        """Take in what was said to the page or a satellite, and is understood by now."""
        self.sign()
        self.hear_aloud(utterance)

    def ask_back(self, utterance: Utterance) -> None:
        """Ask whether this was said: act on it only after a yes. After a stop, what was said before it is void."""
        if self.voids(utterance):
            return
        self._announcer.tell(self._doubt.ask(utterance))

    def take_request(self, utterance: Utterance) -> None:
        """Have done in its turn what a program asks for: no answer, no change of mind, and nothing is released."""
        self.triggers.put(utterance)
        self._write_down(utterance)

    # --- the verbs ---

    def stop(self, reason: str) -> StopReport:
        """Protective stop, heed-hw first; latched until resume(). What was asked for before is void."""
        self._void(reason, time.monotonic())
        report = self._body.stop(reason)
        self._tell_stop(reason, report)
        return report

    def also_stop(self, stops: Callable[[], None]) -> None:
        """Call this at each stop, too; it takes no time and never raises."""
        self._also_stops.append(stops)

    def stopped(self, reason: str, report: StopReport) -> None:
        """Take in that another program has stopped the robot. Told late, it does not undo what a person released."""
        if report.accepted_at > self._resumed_at:
            self._void(reason, report.accepted_at)
            self._tell_stop(reason, report)

    def voids(self, utterance: Utterance) -> bool:
        """Return whether a stop came after this was said."""
        return utterance.started_at < self._stopped_at

    def cancel(self, reason: str) -> None:
        """End what is being done; the robot stays ready."""
        self._mind.activity.cancel(reason)

    def withdraw(self) -> None:
        """Drop what is being asked: whoever wanted the answer has gone."""
        self.conversation.withdraw()

    def pause(self) -> None:
        """Hold still until resume()."""
        self._body.pause()
        self._announcer.tell("I am waiting.")

    def resume(self, by: str) -> str:
        """A person lets the robot move again; returns what that ended: "stop", "pause" or ""."""
        self._resumed_at = time.monotonic()
        ended = self._body.resume(by)
        if ended:
            self._announcer.tell("I can move again." if ended == "stop" else "I go on.")
            self._mind.audit.note("resume", by, f"ended: {ended}")
        return ended

    def slow_down(self) -> None:
        """Hold still until it is certain whether a stop was said."""
        with suppress(HardwareError):  # it tells itself
            self._body.hold()

    def speed_up(self) -> None:
        """Go on: it was no stop."""
        with suppress(HardwareError):
            self._body.release()

    # --- what a stop does to the mind ---

    def _void(self, reason: str, stopped_at: float) -> None:
        """Drop what was asked for before; the statement under way must not go on meanwhile."""
        self._stopped_at = max(self._stopped_at, min(stopped_at, time.monotonic()))
        self._stop_reason = reason
        self.triggers.clear()
        for stops in self._also_stops:
            stops()
        self._mind.outside.void(f"stopped: {reason}")
        self._mind.activity.interrupt(f"stopped: {reason}")

    def _tell_stop(self, reason: str, report: StopReport) -> None:
        self._mind.activity.end_thought(f"stopped: {reason}")
        self._announcer.tell(STOPPED[report.standstill])
        self._metrics.count("stops")
        self._mind.audit.note("stop", reason, f"standstill: {report.standstill}")

    # --- what happens to its body ---

    def on_stopped(self, reason: str) -> None:
        """Answer at once who stops the robot; one that stops itself must say so, or nobody knows why."""
        if self._stop_reason not in reason:
            self._announcer.tell(f"I had to stop: {reason}. Say: go on, when I may move.")

    def on_body_restarted(self, name: str) -> None:
        """The process `name` has died and was started again: what was under way is over."""
        self._mind.activity.end_thought(f"{name} had to be started again")
        self._announcer.tell("My body was started again. Say: go on, when I may move.")

    # --- what it is busy with ---

    @property
    def doubting(self) -> bool:
        """Return whether heed has asked what was said, and waits for a yes."""
        return self._doubt.pending

    @property
    def spoken_to(self) -> bool:
        """Return whether somebody speaks, or has spoken and is not understood yet."""
        return self._hearing.spoken_to

    @property
    def speaking(self) -> bool:
        return self._announcer.speaking

    def situation(self) -> Others:
        """Return what mind and body do, as far as the ear must know it."""
        waiting = self.conversation.waiting
        asking = self.conversation.asking or self._doubt.pending
        return Others(asking=asking, thinking=not waiting, offering=self._mind.later.offers, moving=not waiting)

    def _is_busy(self) -> bool:
        """Return whether somebody waits for an answer, and is not asked for one."""
        idle = self.conversation.waiting or self.conversation.asking
        return not self._doubt.pending and (not idle or (len(self.triggers) > 0 and not self.conversation.asking))

    # --- what becomes of what is said ---

    def _act_at_once(self, reflex: Reflex | None, utterance: Utterance) -> bool:
        """Carry out a reflex; False where it is no reflex here, but an answer or a sentence for the console."""
        by = utterance.speaker or "a person"
        if reflex is Reflex.STOP:
            self.stop(f"{by} said: {utterance.text}")
        elif reflex is Reflex.CANCEL and self.conversation.asking and not self.conversation.asking_for_consent:
            self.cancel(f"{by} said: {utterance.text}")
            self.conversation.withdraw()
            self._announcer.tell("All right.")
        elif reflex is None or self.conversation.asking:
            return False
        elif reflex is Reflex.MUTE:
            self._announcer.tell(self._hearing.mute())
        elif reflex is Reflex.RESUME:
            return bool(self.resume(by))
        elif self.conversation.waiting:
            return False
        elif reflex is Reflex.CANCEL:
            self.cancel(f"{by} said: {utterance.text}")
        elif reflex is Reflex.PAUSE:
            self.pause()
        return True

    def _take_up(self, utterance: Utterance) -> None:
        meant = self._doubt.answer(utterance)
        if meant is None:
            self._announcer.tell("All right.")
            return
        if meant is not utterance and self._is_settled(meant):
            return
        if not self._mind.console.leads or self.conversation.waiting or self.conversation.asking:
            self._interject(meant)
            return
        holds = begins_with_no(meant.text)
        if holds:
            self.slow_down()
        threading.Thread(target=self._interject, args=(meant, holds), name="interject", daemon=True).start()

    def _is_settled(self, meant: Utterance) -> bool:
        """Return whether nothing is left to do about what was meant after all: it acts at once, as if it had been heard
        so ("Did you mean: go on?"), or a stop came after it was said.
        """
        return self.voids(meant) or self._act_at_once(reflex_in(meant.text), meant)

    def _interject(self, meant: Utterance, held: bool = False) -> None:
        """Let what is said while heed works do what it means for that; wake the console with everything else."""
        with self._interjecting:
            said = self._mind.console.interjected(meant.text, meant.speaker)
        if held:
            self.speed_up()
        match said.interjection if said else None:
            case Interjection.PROGRESS:
                self._announcer.tell(self._mind.console.progress())
                return
            case Interjection.TALK if said:
                self._announcer.tell(said.words)
                return
            case Interjection.NEXT if said and said.words:
                self._announcer.tell(said.words)
            case Interjection.CHANGE:
                self.cancel(f"{meant.speaker or 'a person'} said: {meant.text}")
        self.triggers.put(meant)

    def _write_down(self, utterance: Utterance) -> None:
        """After it was acted on: a full disk or a locked file must not keep anybody from being heard."""
        try:
            self._book.log_utterance(utterance)
        except MemoryFileError as error:
            log.error("what was said is not written down: %s", error)
