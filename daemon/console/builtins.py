"""The functions that the console offers beside the skills: listening, speaking, asking, learning."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from daemon.console.executor import ConversationOver
from daemon.console.history import InteractionHistory
from daemon.console.learning.consent import declines
from daemon.console.learning.no_lesson import Interrupted
from daemon.console.reading import Reader, Verbatim
from daemon.console.recounting import recounted
from daemon.console.who_speaks import WHO, WhoSpeaks
from daemon.phrasebook import translated
from daemon.trigger import TIMER, TriggerQueue, Utterance
from skills.skill import Skill, SkillError

PATIENCE = 60.0
"""Seconds after which a question whether to remember something is not answered any more, and that is not a yes."""
UTTERANCE_LIMIT = 900
"""Characters of one utterance that the model sees: a minute of speech, and less than the console shows of a result."""


class Observer(Protocol):
    """Sees each step as it happens: for the terminal, the log, and later pages."""

    def heard(self, utterance: Utterance) -> None: ...
    def statement(self, statement: str) -> None: ...
    def result(self, result: str) -> None: ...
    def said(self, text: str) -> None: ...


class Learner(Protocol):
    """Draws a lesson from the history, with the person's consent."""

    def learn(self, history: InteractionHistory, ask: Callable[[str], str], say: Callable[[str], None]) -> str:
        """Learn, and return what came of it for the transcript. Raises Interrupted for a request, not an answer."""
        ...


class Care(Protocol):
    """Tells and takes back what was learned; see MemoryCare."""

    def told(self, when: str) -> str: ...
    def reason(self, history: InteractionHistory) -> str: ...
    def forget(self, history: InteractionHistory, about: str, ask: Callable[[str], str]) -> str: ...
    def undo(self) -> str: ...
    def tidy(self, history: InteractionHistory, ask: Callable[[str], str]) -> str: ...


class Untaught:
    """The Care of a robot that was never taught anything."""

    def told(self, when: str) -> str:
        return "I have not learned anything."

    def reason(self, history: InteractionHistory) -> str:
        return "Nobody taught me that."

    def forget(self, history: InteractionHistory, about: str, ask: Callable[[str], str]) -> str:
        return "I have not learned anything."

    def undo(self) -> str:
        return "There is nothing that I could take back."

    def tidy(self, history: InteractionHistory, ask: Callable[[str], str]) -> str:
        return "There is nothing to tidy up."


class Conversation:
    """What is said between the person and the robot, as functions for the console."""

    def __init__(
        self,
        triggers: TriggerQueue,
        speak: Callable[[str], None],
        learner: Learner,
        observer: Observer,
        observe: Callable[[], Any],
        care: Care | None = None,
        reader: Reader | None = None,
        who_matters: Callable[[str], bool] = lambda text: False,
    ) -> None:
        """`speak` voices a sentence; `observe` tells what is seen when a turn begins.

        `reader` tells who introduces themselves, and who leaves; `who_matters`, for which requests to ask that.
        """
        self.history = InteractionHistory()
        self.observer = observer
        self.waiting = False
        """True while only a person can make anything happen."""
        self.question: str | None = None
        """What is being asked; what a person says meanwhile is taken as the answer."""
        self.heard_count = 0
        """How many utterances were taken up, answers included."""
        self.spoke = False
        """Whether the robot has said anything about what was said last."""
        self._surely_heard = True
        self._heard = Utterance("")
        """What was said last, an answer too."""
        self._for_a_while = False
        self._unsaid = ""
        self._triggers = triggers
        self._speak = speak
        self._learner = learner
        self._observe = observe
        self._care = care or Untaught()
        self._reader = reader or Verbatim()
        self._who = WhoSpeaks(self._reader, who_matters)

    def wait_for_trigger(self) -> dict[str, str]:
        """Wait until a person says something; returns {'type': 'dialog', 'text': what was said}.

        Where the person interrupted the robot, 'interrupted' holds the words of the robot that nobody heard.
        """
        self.history.end_turn(self._observe())
        self._do_errands()
        utterance = self._listen()
        while not (utterance.text and self._knows_who(utterance)):  # what withdraw() put there came too late
            utterance = self._listen()
        self.spoke, self._surely_heard = False, utterance.surely_heard
        self.history.begin_turn(self._observe())
        trigger = {"type": "dialog", "text": utterance.text, "speaker": self.speaker, "interrupted": self._unsaid}
        self._unsaid = ""
        return {name: text for name, text in trigger.items() if text}

    @property
    def speaker(self) -> str:
        """Return who spoke last, where that is known: by the channel, or since they said their name and stayed."""
        return self._who.name

    def ask_who(self) -> str:
        """Return who speaks; where nobody knows they are asked, and "" is somebody who gives no name."""
        if not self.speaker:
            self._who.answered(self.ask_for_a_while(WHO))
        return self.speaker

    def _knows_who(self, utterance: Utterance) -> bool:
        """Find out who said this where it matters; False where they want nothing any more."""
        self._who.hear(utterance)
        if not self._who.is_wanted(utterance):
            return True
        answer = self.ask_for_a_while(WHO)
        if declines(answer):
            self.say("All right.")
            return False
        self._who.answered(answer)
        if not self.speaker and self._reader.asks_otherwise(answer):
            self.hear_again(answer)
        return True

    def cut_off(self, said: str, unsaid: str) -> None:
        """The robot was interrupted before it could say `unsaid`; from any thread."""
        self._unsaid = unsaid

    def say(self, text: str) -> None:
        """Speak to the person."""
        self.spoke = True
        said = translated(str(text))
        self.observer.said(said)
        self._speak(said)

    def ask(self, question: str) -> str:
        """Ask the person and return the answer."""
        return self._ask(question)

    def ask_whether_heard(self, question: str) -> str | None:
        """Ask whether other words were meant; None, unasked, where what was said last was typed or surely heard."""
        return None if self._surely_heard else self._ask(question)

    @property
    def asking_for_consent(self) -> bool:
        """Return whether it asks to keep something: no answer, and any that is not yes, mean no."""
        return self.asking and self._for_a_while

    @property
    def asking(self) -> bool:
        """Return whether an answer is waited for."""
        return self.question is not None

    def learn_from_interaction(self) -> str:
        """Work out what to do better. The person is asked first."""
        try:
            return self._learner.learn(self.history, self.ask_for_a_while, self.say)
        except Interrupted as another:
            self.hear_again(another.request)
            return f"nothing learned: {another}"

    def list_lessons(self, when: str = "") -> str:
        """What was learned, 'today' or lately, in words to say; 'all' gives every rule with its number."""
        return self._care.told(when)

    def forget_lesson(self, about: str = "") -> str:
        """Forget what was learned about something, what the person just spoke of if left out; the person is asked."""
        return self._care.forget(self.history, about, self.ask)

    def undo_lesson(self) -> str:
        """Take the last lesson back; returns words to say."""
        return self._care.undo()

    def tidy_memory(self) -> str:
        """Offer to merge lessons that are alike and to forget useless ones; returns words to say."""
        return self._care.tidy(self.history, self.ask)

    def explain(self) -> str:
        """Why the last thing was done as it was, in words to say."""
        return self._care.reason(self.history)

    def recount(self) -> str:
        """What was done last, in words to say."""
        return recounted(self.history.turns[:-1])

    def carry_on(self) -> str:
        """Finish what is under way first.

        It is read in an answer to words that come meanwhile; anywhere else there is nothing to carry on with.
        """
        raise SkillError("nothing is under way", "answer what the person said")

    def withdraw(self) -> None:
        """Take it for no answer: whoever wanted the answer to what is being asked has gone."""
        if self.asking:
            self._triggers.put(Utterance("", source="withdrawn"))

    def hear_again(self, text: str) -> None:
        """Let what somebody said instead of an answer come next, heard as surely as it was."""
        self._triggers.put_first(replace(self._heard, text=text, speaker=self.speaker))

    def bound(self) -> dict[str, Callable[..., Any]]:
        """The functions by name, ready to be called."""
        return {skill.name: getattr(self, skill.name) for skill in TALK}

    def _do_errands(self) -> None:
        """Do what other programs want, one thing at a time, until a person speaks."""
        while True:
            self.waiting = True
            try:
                errand = self._triggers.next_errand()
            finally:
                self.waiting = False
            if errand is None:
                return
            errand()

    def ask_for_a_while(self, question: str) -> str:
        """Ask as ask() does, but return "" when nobody answers."""
        return self._ask(question, PATIENCE)

    def _ask(self, question: str, patience: float | None = None) -> str:
        asked_at = time.monotonic()
        self._for_a_while = patience is not None
        self.say(question)
        self.question = str(question)
        try:
            return self._answer(patience, asked_at).text  # what was said before is no answer, but wanted next
        except TimeoutError:
            return ""
        finally:
            self.question = None

    def _answer(self, patience: float | None, since: float) -> Utterance:
        """What a person says next; what is due at this moment is none, and waits."""
        due: list[Utterance] = []
        try:
            while (utterance := self._listen(patience, since)).source == TIMER:
                due.append(utterance)
            return utterance
        finally:
            for one in due:
                self._triggers.put(one)

    def _listen(self, patience: float | None = None, since: float = -math.inf) -> Utterance:
        self.waiting = True
        try:
            utterance = self._triggers.get(patience, since)
        finally:
            self.waiting = False
        if utterance is None and (len(self._triggers) or (patience is not None and not self._triggers.finished)):
            raise TimeoutError
        if utterance is None:
            raise ConversationOver
        if utterance.text:
            self._heard = utterance
            self.heard_count += 1
            self.observer.heard(utterance)
        return replace(utterance, text=utterance.text[:UTTERANCE_LIMIT])


TALK = tuple(
    Skill(function.__name__, function, uses=(), confirm=False)
    for function in (
        Conversation.wait_for_trigger,
        Conversation.say,
        Conversation.ask,
        Conversation.learn_from_interaction,
        Conversation.list_lessons,
        Conversation.forget_lesson,
        Conversation.undo_lesson,
        Conversation.tidy_memory,
        Conversation.explain,
        Conversation.recount,
        Conversation.carry_on,
    )
)
"""The functions of a conversation in the form of skills, for the API text, the stubs and the executor."""
