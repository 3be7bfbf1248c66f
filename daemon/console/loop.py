"""The console loop: the model writes the next statement, we run it, print what came back, and ask for the next.

(Baermann et al. 2024, sec. 3.2.) Read this file first. run() is the loop; _understand() is what happens when somebody
spoke, up to the model, which may end the turn without it; _next_statements() asks the model, and ends honestly where it
got lost.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol, TypeGuard

from daemon.config import ConsoleConfig
from daemon.console.acting_statements import deeds_in
from daemon.console.as_said import AsSaid
from daemon.console.builtins import TALK, Conversation
from daemon.console.executor import ConversationOver, Executor, Outcome
from daemon.console.function_generation import define_function, function_prompt, missing_function
from daemon.console.goals.planner import Planner
from daemon.console.learning.consent import Consent, consent_in
from daemon.console.look_ahead import LookAhead, usual_result
from daemon.console.meanwhile import Meanwhile, meanwhile
from daemon.console.prompt import InteractPrompts, example_part
from daemon.console.reading import (
    Again,
    Interjection,
    Reader,
    Script,
    Understanding,
    Verbatim,
    greeting,
    refusal,
)
from daemon.console.recounting import DONE, doing_in, is_recounted, progress_of
from daemon.console.reply import Reply
from daemon.console.situation import Survey, Told
from daemon.console.statements import statements_in
from daemon.console.turn_end import (
    ACKNOWLEDGED,
    ADVICE,
    LOST,
    deed_untold,
    failure_untold,
    goes_in_circles,
    interrupted,
    stuck,
)
from daemon.console.waiting_words import Patience
from daemon.llm.model import (
    PROMPT_SIGN,
    AnotherRequest,
    Counting,
    Foreseeing,
    LanguageModel,
    ModelCancelled,
    ModelChanged,
    ModelError,
    Prompt,
    ReadingAhead,
    Streaming,
    form_of,
)
from daemon.transcript import WAIT, Step, hearing, parse_transcript
from skills.skill import Skill

log = logging.getLogger(__name__)

NO_STATEMENT = Step("pass  # no statement was written", "SyntaxError: write one Python statement")
CONFUSED = "Sorry, that confuses me. Please say it in other words."
"""Where heed itself made a mistake; its log has the traceback."""
CUT_SHORT = "I was cut short in the middle of that. Please tell me what is left to do."
"""Where a model that leads went away, and something was done already."""
ENDING = ("say", "learn_from_interaction")
"""After these nothing is left to think about, whatever they return."""
WHOLE, ONE = "whole", "one"
"""The setting `statements`."""
DEFINITIONS = 3
"""How deep functions are written for a statement, each for the one before; those of Code as Policies nest two deep."""


class Retrieval(Protocol):
    """What the loop needs of the memory."""

    def hear(self, text: str, speaker: str = "") -> None:
        """Take note of what is said, and by whom."""
        ...

    def examples_for(self, utterances: list[str]) -> list[str]:
        """Return transcripts of the examples most like what was meant, the nearest last."""
        ...

    def every_example(self) -> list[str]:
        """Return all transcripts that examples_for() may ever return, the most important first."""
        ...

    def take_comments(self) -> list[str]:
        """Return comments on what was learned and has been applied since the last call."""
        ...


class Console:
    """Talks to one model about one robot until nobody will speak any more."""

    def __init__(
        self,
        config: ConsoleConfig,
        model: LanguageModel,
        skills: Iterable[Skill],
        executor: Executor,
        conversation: Conversation,
        retrieval: Retrieval,
        understanding: Understanding | None = None,
        reader: Reader | None = None,
        working_memory: Callable[[], Sequence[str]] = lambda: (),
        survey: Survey | None = None,
        offers: Understanding | None = None,
        on_read: Callable[[int, int], None] = lambda tokens, reused: None,
        planner: Planner | None = None,
        patience: Patience | None = None,
    ) -> None:
        """`skills` are all that the model may call.

        `understanding` reads what is said before a model does that does not lead; None hands it on as it was said.
        `reader` tells what code must know of a sentence; `working_memory` gives lines on what is under way, and
        `survey` the situation around what is said, for a model that leads; `offers` hears a yes to what heed offered.
        `on_read` is told how many tokens each prompt had, and how many of them the model remembered. `planner` finds
        the way to goals that a model that leads may write; `patience` has a word for the person while that thinks.
        """
        self._survey = survey
        self._on_read = on_read
        self._planner = planner
        self._patience = patience or Patience(lambda text: None)
        self._situation = Told()
        self._doing = ""
        """The statement under way."""
        self._as_said = offers or AsSaid(reader)
        self._working_memory = working_memory
        self._noted: Sequence[str] = ()
        self.history = conversation.history
        self._config = config
        self._model = model
        self._prompts = InteractPrompts(skills, model, config.statements == WHOLE)
        self._executor = executor
        self._conversation = conversation
        self._retrieval = retrieval
        self._recalled: tuple[str, list[str]] = ("", [])
        self._understanding = understanding or AsSaid()
        self._reader = reader or Verbatim()
        self._script: Script | None = None
        self._settled: list[str] = []
        self._last: Outcome | None = None
        self._ahead = LookAhead()

    def run(self) -> None:
        """Wait, think, act, until the conversation is over."""
        try:
            self._step(WAIT)
            while True:
                self._run_all(self._next_statements())
        except ConversationOver:
            log.info("nobody will speak any more; the console ends")
        finally:
            self._ahead.drop()

    def _run_all(self, statements: Iterable[str]) -> None:
        """Run statements one by one until one fails, asks or waits: what follows was written without knowing that."""
        done = 0
        try:
            for statement in self._planned(statements):
                if statement == WAIT and self._prompts.leads and (unsaid := self._unsaid()):
                    self._settled = self._give_up(unsaid)
                    return
                if done and statement != WAIT and (trouble := self._stuck()):
                    self._settled = self._give_up(trouble)
                    return
                self._patience.end()
                self._doing, done = statement, done + 1
                if not self._prompts.leads and isinstance(statements, list) and done == len(statements):
                    self._look_ahead(statement)
                if not self._helped(statement, self._step(statement)).ok or statement == WAIT or Step(statement).asks:
                    return
        except ModelError as error:
            self._unanswered(error)
            return
        finally:
            self._doing = ""
            self._patience.end()
            if isinstance(statements, Reply):
                statements.end()
                self._tell_read()
        if isinstance(statements, Reply) and not done:
            self._settled = self._checked([], statements.text)
        elif done and not (isinstance(statements, Reply) and statements.unfinished):
            self._end_answered_turn()

    def _planned(self, statements: Iterable[str]) -> Iterable[str]:
        meant = map(self._prompts.plain_names(self.history).meant, statements)
        return self._planner.planned(meant) if self._planner and self._prompts.leads else meant

    def _helped(self, statement: str, outcome: Outcome) -> Outcome:
        """Ask a person for what a goal's step needs, each thing once, and try again after a yes.

        A mind that names goals need not follow hints of skills itself (Ground, Ask & Answer, Issue: RAIDER, sec. 3).
        """
        asked: list[str] = []
        while self._planner and not outcome.ok:
            question = self._planner.help_for(outcome.result)
            if not question or question in asked:
                break
            asked.append(question)
            answer = Step(question, self._step(question).result).heard or ""
            if consent_in(answer) is not Consent.YES:
                break
            outcome = self._step(statement)
        return outcome

    def cancel(self, reason: str) -> None:
        """End what is being done or thought, from any thread; nothing happens while the console waits."""
        if not self._conversation.waiting:
            self._executor.interrupt(reason)
            self._model.cancel()

    @property
    def leads(self) -> bool:
        """Return whether the model reads what people say by itself."""
        return self._prompts.leads

    def interjected(self, text: str, speaker: str = "") -> Meanwhile | None:
        """Return what something said now means for what is under way; None while heed waits for just that.

        From any thread but the console's. A model that leads is asked, which takes its time.
        """
        if self._conversation.waiting:
            return None
        if not self._prompts.leads:
            return Meanwhile(self._reader.interjection(text))
        try:
            return meanwhile(
                self._model,
                self._prompts,
                self.history,
                [self._doing] if self._doing else [],
                text,
                self._surveyed(text),
            )
        except ModelError as error:
            log.warning("what was said meanwhile waits: %s", error)
            return Meanwhile(Interjection.NEXT)

    def asks(self, text: str) -> float | None:
        """Return how likely words, were they said now, ask for more than talk, from 0 to 1; None where nobody can tell.

        Who tells their name and nothing else is surely heard. From any thread.
        """
        if greeting(*self._reader.introduced(text)):
            return 1.0
        return self._model.asks(self._if_said(text)) if self._foresees(self._model) else None

    def asked_for(self, text: str) -> str | None:
        """Return what words, were they said now, ask for; "" for nothing; None where nobody is sure. From any thread.

        Two that ask for the same are equal, however they are put.
        """
        return self._model.asked_for(self._if_said(text)) if self._foresees(self._model) else None

    def _foresees(self, model: LanguageModel) -> TypeGuard[Foreseeing]:
        return self._prompts.leads and isinstance(model, Foreseeing)

    def _if_said(self, text: str) -> str:
        return self._prompts.in_full(self.history.followed_by(hearing(text)), self._surveyed(text))

    def progress(self) -> str:
        """Return how far heed has come, in words to say; from any thread."""
        return progress_of(self.history.current_turn)

    @property
    def doing(self) -> str:
        """Return what is done at this moment, as the end of "I am ..."; "" while nothing moves. From any thread."""
        return doing_in(self._doing)

    def prepare(self) -> None:
        """Let the model use idle time for what later prompts may need; returns soon once somebody speaks."""
        self._model.prepare(self._prompts.base, self._every_part())
        listens = self._conversation.waiting and not self._conversation.asking
        if self._prompts.leads and listens and isinstance(self._model, ReadingAhead):
            self._model.read_ahead(self._prompts.ahead(self._recalled[1], self.history, self._surveyed("")))

    def use_model(self, model: LanguageModel) -> LanguageModel:
        """Go on with another model; returns the one before, for the caller to close.

        Raises ModelError for one whose context is too small, and goes on as before.
        """
        prompts = self._prompts_for(model)
        before, self._model, self._prompts = self._model, model, prompts
        return before

    def _fit_prompts(self) -> None:
        """Write prompts of the form that the model reads now: one on the network may have gone or come."""
        if form_of(self._model) != self._prompts.form:
            self._prompts = self._prompts_for(self._model)

    def _prompts_for(self, model: LanguageModel) -> InteractPrompts:
        prompts = InteractPrompts(self._prompts.skills, model, self._config.statements == WHOLE)
        prompts.require_room()
        return prompts

    def _every_part(self) -> list[str]:
        if self._prompts.taught:
            return []
        return [example_part(text, self._prompts.leads) for text in self._retrieval.every_example()]

    def _end_answered_turn(self) -> None:
        """Wait for the next words after a whole answer, unless its last result tells something to think about."""
        turn = self.history.current_turn
        if self._prompts.answers and turn and self._script is None and not self._settled:
            last = turn.steps[-1]
            self._settled = [self._closing()] if last.says_nothing or last.called in ENDING else []

    def _closing(self) -> str:
        unsaid = self._ended_unsaid()
        return f"say({unsaid!r})" if unsaid else WAIT

    def _step(self, statement: str, depth: int = 0) -> Outcome:
        self._conversation.observer.statement(statement)
        if statement == WAIT:
            self._executor.forget_interrupt()  # it meant what was under way before
        outcome = self._last = self._executor.run(statement)
        if (name := missing_function(statement, outcome.result)) and self._define(name, statement, depth):
            return self._step(statement, depth + 1)
        step = Step(statement, outcome.result)
        if step.called == "wait_for_trigger" and step.heard:
            self._executor.forget_interrupt()  # it came just before these words
            return self._understood(step, outcome)
        comments = self._retrieval.take_comments()
        self._add(Step(statement, "\n".join(filter(None, [*comments, outcome.result]))))
        return outcome

    def _define(self, name: str, statement: str, depth: int) -> bool:
        """Have a function written that the statement calls; False where that is not possible."""
        if depth >= DEFINITIONS:
            return False
        definition = define_function(name, self._prompt(function_prompt(name, statement)), self._model)
        if definition is None:
            return False
        self._conversation.observer.result(f"# There is no {name}() yet, so it is written first.")
        return self._step(definition, depth + 1).ok

    def _understood(self, step: Step, outcome: Outcome) -> Outcome:
        """The same; a mistake of heed itself must not end the conversation, nor let anything be done unchecked."""
        known = len(self.history)
        try:
            return self._understand(step, outcome)
        except (TypeError, ValueError, LookupError, AttributeError):
            log.exception("what was said could not be understood: %s", step.heard)
            if len(self.history) == known:
                self._add(step)
            self._script, self._settled = None, [f"say({CONFUSED!r})", WAIT]
            return outcome

    def _understand(self, step: Step, outcome: Outcome) -> Outcome:
        """Someone spoke: note below it what it means with what was learned, and admit what is missing for that."""
        self._fit_prompts()
        heard = step.heard or ""
        self._retrieval.hear(heard, self._conversation.speaker)
        reads = self._as_said if self._prompts.leads else self._understanding
        reading = reads.understand(heard, self.history.turns, self._conversation.speaker)
        self._situation = self._surveyed(heard)
        self._script = reading.script
        if reading.statements:
            self._settled = [*reading.statements, WAIT]
        elif self._script is not None:
            reading = replace(reading, meaning=self._follow_script(None) or reading.meaning)
        self._add(Step(step.statement, "\n".join([step.result, *reading.comments])))
        for name in reading.missing:
            self._step(f"say({f'I do not see any {name} here.'!r})")
        for deed in reading.refused:
            self._step(refusal(deed))
        return outcome

    def _surveyed(self, heard: str) -> Told:
        """The situation around what was said, for a model that leads."""
        if self._survey is None or not self._prompts.leads:
            return Told()
        try:
            situation = self._survey(heard, self._conversation.speaker)
            return situation.told_as_taught if self._prompts.taught else situation.told
        except RuntimeError as error:  # nothing is seen: people are heard all the same
            log.warning("there is no situation to tell: %s", error)
            return Told(f"# you see nothing now: {error}\n")

    def _follow_script(self, outcome: Outcome | None) -> str | None:
        """Note the script's next statement; returns what the person means where it leaves the rest to the model."""
        assert self._script is not None
        try:
            self._settled = [next(self._script) if outcome is None else self._script.send(outcome)]
        except ModelCancelled:  # a person ended what the script was thinking about
            self._script, self._settled = None, [WAIT]
        except StopIteration as end:
            if isinstance(end.value, Again):
                self._conversation.hear_again(end.value.text)
            meant = end.value if isinstance(end.value, str) else None
            self._script, self._settled = None, [] if meant else [WAIT]
            return meant
        return None

    def _look_ahead(self, statement: str) -> None:
        """While this statement runs, let the model write what comes after it if it goes as such statements go."""
        called = Step(statement).called
        if self._script is not None or not self._config.look_ahead or called is None or called in _TALK_NAMES:
            return
        known = [step for example in self._recalled[1] for step in parse_transcript(example)]
        expected = usual_result(called, [*known, *(step for turn in self.history.turns for step in turn.steps)])
        if expected is not None:
            after = self.history.followed_by(Step(statement, expected))
            self._ahead.begin(self._model, self._prompts.prompt(self._recalled[1], after, situation=self._situation))

    def _add(self, step: Step) -> None:
        self.history.add(step)
        self._conversation.observer.result(step.result)

    def _next_statements(self) -> list[str] | Reply:
        """Return what to run next: the model's statements, or an honest end where it got lost."""
        if self._interrupted:
            self._script, self._settled = None, []
            return [WAIT]
        if self._script is not None and not self._settled and (meaning := self._follow_script(self._last)):
            self.history.reword(meaning)
        if self._settled:
            settled, self._settled = self._settled, []
            return settled
        if trouble := self._stuck():
            return self._give_up(trouble)
        if goes_in_circles(self.history.current_turn):
            self.history.add(ADVICE)
        model = self._asked = self._model
        try:
            prompt = self._prompt()
            if self._prompts.leads and form_of(model) != self._prompts.form:
                raise ModelChanged(f"{model.name} reads other prompts")
            if prompt.answer and isinstance(model, Streaming):
                self._patience.begin()
                return Reply(model, prompt)
            written = self._ahead.take(model, prompt)
            reply = model.complete(prompt) if written is None else written
            self._tell_read()
        except ModelError as error:
            return self._unanswered(error)
        return self._checked(statements_in(reply), reply)

    def _tell_read(self) -> None:
        model = self._asked
        if isinstance(model, Counting) and model.prompt_tokens is not None:
            self._on_read(model.prompt_tokens, model.reused_tokens)

    def _unanswered(self, error: ModelError) -> list[str]:
        """Return what to do where the model has not answered: a person wanted that, it was exchanged, or it failed."""
        self._settled = []
        if isinstance(error, ModelCancelled):
            self._settled = [WAIT]
        elif isinstance(error, ModelChanged):
            self._settled = self._begin_anew()
        elif isinstance(error, AnotherRequest):
            self._conversation.hear_again(self.history.take_back_answer())
            self._settled = [WAIT]
        elif self._asked is self._model:  # else it was swapped meanwhile, and the new one is asked
            log.error("the model does not answer: %s", error)
            self._settled = self._give_up(f"My language model does not answer: {error}")
        return []

    def _begin_anew(self) -> list[str]:
        """Read what was said last again, for a model of another kind; where something was done, the rest is asked."""
        self._fit_prompts()
        turn = self.history.current_turn
        if turn and any(any(deeds_in(step.statement)) for step in turn.steps[1:]):
            return self._give_up(CUT_SHORT)
        self._conversation.hear_again(self.history.words)
        return [WAIT]

    def _checked(self, statements: list[str], reply: str) -> list[str]:
        """The statements of a reply; none, or the end of a turn that was not told of, is answered for the model."""
        if self._config.statements == ONE:
            statements = statements[:1]
        if not statements:
            log.warning("the model wrote no statement: %r", reply[:200])
            self.history.add(NO_STATEMENT)
        if statements[:1] == [WAIT] and (unsaid := self._unsaid()):
            return self._give_up(unsaid)
        return statements

    def _unsaid(self) -> str:
        """Return what to say where a turn would end without that; else "", also where a person ended it."""
        return "" if self._interrupted else failure_untold(self.history.current_turn) or self._ended_unsaid()

    @property
    def _interrupted(self) -> bool:
        """Return whether a person ended what was under way, in the middle of a statement or behind one."""
        return self._executor.interrupted or interrupted(self.history.current_turn)

    def _ended_unsaid(self) -> str:
        """Return what to say where a language model would end a turn without a word; imitation is rightly silent."""
        turn = self.history.current_turn
        if turn is None or self._conversation.spoke or not self._model.follows_instructions:
            return ""
        untold = deed_untold(turn, self._prompts.leads)
        unheard = untold == ACKNOWLEDGED and not self._prompts.leads and self._reader.asks(turn.utterance)
        return LOST if unheard else untold

    def _prompt(self, end: str = PROMPT_SIGN) -> Prompt:
        utterances = self.history.meanings
        key = "\0".join(utterances)
        if self._recalled[0] != key:
            self._recalled = (key, self._retrieval.examples_for(utterances))
            self._noted = self._working_memory()  # once for a turn, so that within it the prompt only grows
        noted = () if self._prompts.leads else self._noted
        prompt = self._prompts.prompt(self._recalled[1], self.history, end, noted, self._situation)
        if planner := self._planner:
            prompt = replace(
                prompt,
                comes_to=planner.comes_to,
                taken=planner.taken,
                is_so=planner.is_so,
                routine=planner.routine,
                is_told=self._is_told,
            )
        return self._prompts.plain_names(self.history).prompt(prompt)

    def _is_told(self, which: str, text: str) -> bool:
        """Return whether words tell what is so, of a thing, a place and the like, or of what was done."""
        if which == DONE:
            return is_recounted(self.history.turns[:-1], text)
        return self._planner is not None and self._planner.is_told(which, text)

    def _stuck(self) -> str | None:
        return stuck(self.history.current_turn, self._config.max_statements)

    def _give_up(self, honest_words: str) -> list[str]:
        return [f"say({honest_words!r})", WAIT]


_TALK_NAMES = {function.name for function in TALK}
"""These wait for a person, or ask the model something themselves."""
