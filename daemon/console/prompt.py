"""Builds the console prompt: rules of the house, API text, retrieved examples, and the live history."""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, partial
from importlib.resources import files

from daemon.console.history import InteractionHistory
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.names_in_scope import name_scope
from daemon.console.plain_names import PlainNames
from daemon.console.situation import Told
from daemon.llm.model import ANSWER_TOKENS, PROMPT_SIGN, LanguageModel, ModelError, Prompt, form_of
from daemon.transcript import LEARNED, WAIT, WORDS_BEGIN, Step, parse_transcript, render, render_answers
from skills.skill import Skill, api_text

LOOKING = frozenset(
    {"list_objects", "list_locations", "other_names", "get_robot_location", "get_object_location"}
    | {"get_object_in_hand", "get_objects_in_sight", "is_open", "list_lessons"}
)
"""Functions that tell what the situation shows; a model that leads may call them, and need not read of them."""
NOT_TOLD = LOOKING | {
    *("explain", "recount", "about_later", "forget_lesson", "wait_for_trigger"),
    *("undo_lesson", "tidy_memory"),
}
"""Neither of these: it answers by itself, keeps what it is taught by typed calls, and reads first how it is woken."""
LEADERS_ALONE = frozenset(["begin_later", "carry_on", "read_labels"])
"""Functions for a model that leads, beside those of teaching; a small one was taught without them."""
NEW_TASK = "# A new conversation begins.\n"
STATEMENT_TOKENS = 256
"""Kept free for a statement; most have 10 to 40."""
COUNTED = 1000
"""Texts of which the number of tokens is kept: examples, and the turns of a long day."""
LEAST_ROOM = 500
"""Tokens beside the base prompt that a conversation needs at least: an example and a few turns."""
EXAMPLE_SHARE = 0.6
"""Of the room beside the base prompt, at most, for examples; the rest is the history's."""
FUNCTION_NAMED = re.compile(r"\b([a-z_]+)\(")
"""In rules and seeds: what a robot does not have is not spoken of."""
SEED = re.compile(r"(?m)(?:^# .*\n)*^>>> wait_for_trigger\(\)\n(?:^(?!# |>>> wait_for_trigger).*\n?)*")
"""Comments, what a person said, and the answer to it."""
EXAMPLE = "# Example\n"
NOTHING_TOLD = Told()
TAUGHT_TURNS = 5
"""Turns that a model reads which was taught: it knows no longer conversations, and loses its way in them."""
LEADING_EXAMPLES = 400
"""Tokens of examples for a model that leads, at most, and only of what it was shown: its base prompt holds others."""


def role_text(role: str) -> str:
    """The fixed text of a role, from daemon/console/prompts/."""
    return files("daemon.console").joinpath("prompts", f"{role}.txt").read_text(encoding="utf-8")


def base_prompt(skills: Iterable[Skill], leads: bool = False) -> str:
    """Return what does not change while the robot runs; for a model that `leads`, a few examples are part of it."""
    if not leads:
        told = [skill for skill in skills if skill not in TEACHING and skill.name not in LEADERS_ALONE]
        return f"{role_text('interact')}{api_text(told)}\n"
    told = [skill for skill in skills if skill.name not in NOT_TOLD]
    known = {skill.name for skill in told} | {"wait_for_trigger"}
    rules = _about(known, role_text("lead").splitlines(keepends=True))
    seeds = _about(known, SEED.findall(role_text("lead_examples").removeprefix(EXAMPLE)))
    return f"{rules}{api_text(told, brief=True)}\n{EXAMPLE}{seeds}\n"


def _about(known: AbstractSet[str], parts: Iterable[str]) -> str:
    """Return those parts that name no other function than the known ones."""
    return "".join(part for part in parts if known >= set(FUNCTION_NAMED.findall(part)))


def example_part(transcript: str, leads: bool = False) -> str:
    """Return a transcript as it stands in prompts."""
    if leads:
        steps = [step for step in parse_transcript(transcript) if step.called not in LOOKING]
        rules = "".join(f"{line}\n" for line in transcript.split("\n") if line.startswith(LEARNED))
        transcript = f"{rules}{render_answers(steps)}"
    return f"# Example\n{transcript.rstrip()}\n\n"


class InteractPrompts:
    """Prompts for one model, fitted to its context: the farthest examples and the oldest turns are left out first.

    A model that leads reads whole answers, and the situation around what was said last; one that was taught reads
    nothing else.
    """

    def __init__(self, skills: Iterable[Skill], model: LanguageModel, whole: bool = True) -> None:
        """`skills` are all that it may call; `whole` lets a model that leads answer with several statements."""
        self.skills = tuple(skills)
        self.form = self.leads, self.taught = form_of(model)
        self.answers = model.leads and whole
        self.base = base = "" if self.taught else base_prompt(self.skills, self.leads)
        self._count = lru_cache(COUNTED)(model.count_tokens)
        self._count_anew = model.count_tokens
        """For what is never counted again."""
        self._context_tokens = model.context_tokens
        written = ANSWER_TOKENS if self.answers else STATEMENT_TOKENS
        self._room = model.context_tokens - written - model.count_tokens(base)

    def require_room(self) -> None:
        """Raise ModelError where what the robot can do leaves no room for what people say."""
        if self._room < LEAST_ROOM:
            raise ModelError(
                f"its context of {self._context_tokens} tokens is too small, heed needs "
                f"{self._context_tokens - self._room + LEAST_ROOM}; take a model with a longer one, or raise "
                "context_tokens in config.toml where that is what limits it"
            )

    def prompt(
        self,
        examples: Sequence[str],
        history: InteractionHistory,
        end: str = PROMPT_SIGN,
        memory: Sequence[str] = (),
        situation: Told = NOTHING_TOLD,
    ) -> Prompt:
        """Return the prompt for the next statement; `examples` are transcripts, the nearest last; `end` closes it.

        `memory` are lines on what is under way; `situation` stands around what was said last, for a model that leads.
        Which examples are kept depends on them alone, so that within a turn the prompt only grows; they give way only
        where what was just said and what came back need their room.
        """
        told = [] if self.taught else examples
        told = [example for example in told if _shows_a_lesson(example)] if self.leads else told
        parts = [example_part(example, self.leads) for example in told]
        shown = self._shown_with(situation, history)
        kept, room = self._fitting(parts)
        if end != PROMPT_SIGN:
            room -= self._count(end)
        noted = "".join(f"# {line}\n" for line in memory)
        room -= self._count(f"{NEW_TASK}{noted}")
        read = history.last(TAUGHT_TURNS) if self.taught else history
        text = read.text(max(0, room), self._count, shown)
        over = self._count_anew(text) - room
        while over > 0 and kept:  # what was asked for counts more than how others were answered
            over -= self._count(kept[0])
            kept = kept[1:]
        scope = partial(name_scope, history)

        def whole() -> Prompt:
            everything = self.in_full(history, situation, noted, end)
            return Prompt(self.base, tuple(parts), everything, scope, self.answers)

        return Prompt(self.base, kept, f"{NEW_TASK}{noted}{text}{end}", scope, self.answers, whole=whole)

    def plain_names(self, history: InteractionHistory) -> PlainNames:
        """Return those in which a taught mind is told what was seen last; none for any other mind."""
        seen = (turn.scene for turn in reversed(history.turns) if turn.scene) if self.taught else ()
        return PlainNames.observed(next(iter(seen), None))

    def in_full(self, history: InteractionHistory, situation: Told, noted: str = "", end: str = PROMPT_SIGN) -> str:
        """Return the history of a prompt for the next statement with all that is told in it, whatever finds room."""
        read = history.last(TAUGHT_TURNS) if self.taught else history
        return f"{NEW_TASK}{noted}{read.text(show=self._shown_with(situation, history))}{end}"

    def _fitting(self, parts: Sequence[str]) -> tuple[tuple[str, ...], int]:
        """The nearest examples that fit, and the tokens that are left for the history."""
        share = int(EXAMPLE_SHARE * self._room)
        kept = fitting(parts, self._count, min(share, LEADING_EXAMPLES) if self.leads else share)
        return kept, self._room - sum(map(self._count, kept))

    def ahead(self, examples: Sequence[str], history: InteractionHistory, situation: Told) -> Prompt:
        """All of the next prompt that is known before anybody speaks, if the same examples are shown for it."""
        return self.prompt(examples, history.followed_by(Step(WAIT)), WORDS_BEGIN, situation=Told(situation.before))

    def _shown_with(self, situation: Told, history: InteractionHistory) -> Callable[[Sequence[Step]], str]:
        """Return how turns are written; the last is the one that the situation is about."""
        if not self.leads:
            return render
        begun = history.last_trigger
        plain = self.plain_names(history)

        def show(steps: Sequence[Step]) -> str:
            around = (situation.before, situation.after) if steps and steps[0] is begun else ()
            return plain.told(render_answers(steps, *around))

        return show


def _shows_a_lesson(transcript: str) -> bool:
    """Return whether an example shows how something was learned to be done, rather than only that it was said."""
    called = {step.called for step in parse_transcript(transcript)}
    return transcript.startswith(LEARNED) and not called <= {"wait_for_trigger", "learn_from_interaction"}


def fitting(parts: Sequence[str], count: Callable[[str], int], room: int) -> tuple[str, ...]:
    """The last parts that have at most `room` tokens together."""
    kept: list[str] = []
    for part in reversed(parts):
        room -= count(part)
        if room < 0:
            break
        kept.insert(0, part)
    return tuple(kept)
