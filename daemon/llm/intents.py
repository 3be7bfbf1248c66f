"""What words ask for, of which things, and where: joint intent classification and slot filling (Chen et al. 2019).

One text goes through MiniLM, which was taught this (`python -m training.intents`): the words, what was said and done
before, and what is where. From what it makes of the tokens of a name it tells whether that is what is to be moved, is
spoken of, or is where it goes. It writes nothing; it tells how likely it finds what others write.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from daemon.llm.embedder import DEFAULT_FOLDER, one_thread
from daemon.llm.model import ModelError

INTENTS: tuple[frozenset[str], ...] = tuple(
    frozenset(functions.split())
    for functions in (
        "bring",
        "put",
        "say",
        "pass",
        "remember",
        "forbid",
        "ask",
        "tell",
        "bring put",
        "forget",
        "go",
        "begin_later",
        "call_it",
        "close",
        "routine",
        "open",
        "close put",
        "go put",
        "bring forbid",
        "bring remember",
        "forbid put",
        "put remember",
        "prefer",
        "open put",
        "bring close",
        "take",
        "other",
        "tell_robot",
        "tell_time",
        "tell_skills",
        "tell_done",
        "tell_scene",
        "refuse",
    )
)
"""The functions of an answer; `OTHER` stands for any others, `REFUSE` for words that say no to what was asked for."""
OTHER, TELL, SAY, REFUSE = (INTENTS.index(frozenset([function])) for function in ("other", "tell", "say", "refuse"))
ROLE_OF = {"bring": "moved", "put": "moved", "take": "moved", "tell": "named"} | dict.fromkeys(
    ("go", "open", "close"), "target"
)
"""What each deed is about: there is no such deed without it."""
TOLD = {f"tell_{what}": what for what in ("robot", "time", "skills", "done", "scene")}
"""Functions that tell of what has no name here."""
SURE, QUITE_SURE, FAIRLY = 0.6, 0.85, 0.3
"""How likely it must be that somebody asks to be told of something that has a name, and of what has none: small talk
("how are you?") is nearer to that. The third is enough where the mind tells of it as well."""
MOST_TOKENS = 300
"""Of the text, without rules; names that find no room are left out. The network has positions for 512."""
WORDS, BEFORE, SINCE, ROBOT, PLACE, THING, RULES = 80, 70, 40, 24, 16, 20, 70
"""Tokens of each part, at most."""
RULES_READ = 4


@dataclass(frozen=True)
class Name:
    """A name that an answer may use, in the order in which situations tell them."""

    name: str
    told: str
    """With its kind, states and other names: `burette (glassware, also the long one)`."""
    role: str
    """ "person", "place" or "thing"; a thing stands behind its place."""


@dataclass(frozen=True)
class Asked:
    """What was said, and what is known."""

    words: str
    before: str
    """What was said and done in the turns before."""
    since: str
    """What was done since the words, and how it failed."""
    robot: str
    """Where it stands, and what it holds."""
    names: Sequence[Name]
    rules: Sequence[str] = ()


@dataclass(frozen=True)
class Deeds:
    """What an answer does: its functions, and the names that it uses, by role."""

    functions: frozenset[str]
    moved: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    target: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Encoded:
    """The text as tokens; each name has a span of them."""

    tokens: Sequence[int]
    kinds: Sequence[int]
    """0 for what was said and done, 1 for what is where."""
    spans: Sequence[tuple[Name, int, int]]


class Likelihood(Protocol):
    """Tells how likely deeds are what was asked for."""

    def __call__(self, deeds: Deeds) -> float:
        """Return the logarithm of the probability."""
        ...

    def asked_of(self, fairly: bool = False) -> Sequence[str]:
        """Return of what somebody asks to be told; nothing where that is not sure, or not `fairly` likely."""
        ...

    @property
    def moved(self) -> Sequence[str]:
        """Return the things that are to be moved."""
        ...

    @property
    def asks_for_several(self) -> bool:
        """Return whether more than one deed is asked for."""
        ...

    @property
    def deed(self) -> Deeds | None:
        """The one deed that it finds is asked for, with its thing or place; None where it is not sure."""
        ...

    def of_these(self, functions: frozenset[str]) -> float:
        """Return how likely an answer is that has none but these functions, from 0 to 1."""
        ...


class Intents:
    """Reads what was asked. Raises ModelError where its files are missing or broken."""

    def __init__(self, folder: Path = DEFAULT_FOLDER) -> None:
        file = folder / "intents.onnx"
        if not file.is_file():
            raise ModelError(f"the model {file} is missing; run script/setup")
        try:
            self._text = Text(folder / "tokenizer.json")
            self._session = onnxruntime.InferenceSession(str(file), one_thread(), providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers raises Exception itself, onnxruntime a class per status code
            raise ModelError(f"the model {file} is broken ({error}); delete it, run script/setup") from error
        shapes = {output.name: output.shape for output in self._session.get_outputs()}
        if shapes.get("intents") != [len(INTENTS)]:
            raise ModelError(f"the model {file} is of another version of heed; run script/setup")

    def read(self, asked: Asked) -> "Read":
        """Return what it makes of that."""
        text = self._text.encode(asked)
        tokens, kinds = np.array(text.tokens, np.int64), np.array(text.kinds, np.int64)
        said = (kinds == 0).astype(np.float32)
        spans = np.zeros((len(text.spans), len(tokens)), np.float32)
        for row, (_, begin, end) in enumerate(text.spans):
            spans[row, begin:end] = 1 / (end - begin)
        inputs = {"token_ids": tokens[None], "kinds": kinds[None], "words": (said / said.sum())[None], "spans": spans}
        intents, roles = self._session.run(["intents", "roles"], inputs)
        return Read(_log_softmax(intents), [name for name, _, _ in text.spans], roles)


@dataclass(frozen=True)
class Read:
    """A Likelihood."""

    intents: NDArray[np.float32]
    """Logarithmic probabilities of INTENTS."""
    names: Sequence[Name]
    roles: NDArray[np.float32]
    """Logarithmic odds that each name is moved, is spoken of, is where something goes, shape (names, 3)."""

    def __call__(self, deeds: Deeds) -> float:
        intent = intent_of(deeds.functions)
        total = float(np.logaddexp.reduce(self.intents[[SAY, REFUSE]]) if intent == SAY else self.intents[intent])
        for name, (moved, named, target) in zip(self.names, self.roles, strict=True):
            if name.role == "thing":
                total += _log_sigmoid(moved, name.name in deeds.moved)
                total += _log_sigmoid(named, name.name in deeds.named)
            total += _log_sigmoid(target, name.name in deeds.target)
        return total

    def asked_of(self, fairly: bool = False) -> list[str]:
        """Return of what somebody asks to be told, by name; nothing where it is not sure that they do.

        `fairly`: of what has a name, a fair chance is enough, where only talk is likelier.
        """
        likeliest = int(self.intents.argmax())
        (function,) = INTENTS[likeliest] if len(INTENTS[likeliest]) == 1 else ("",)
        if function in TOLD:
            return [TOLD[function]] if math.exp(self.intents[likeliest]) >= QUITE_SURE else []
        least = FAIRLY if fairly and function in ("say", "tell") else SURE
        if math.exp(self.intents[TELL]) < least:
            return []
        named = zip(self.names, self.roles, strict=True)
        return [name.name for name, (_, spoken_of, _) in named if spoken_of > 0]

    @property
    def moved(self) -> list[str]:
        """Return the things that it finds are to be moved, rather than not."""
        named = zip(self.names, self.roles, strict=True)
        return [name.name for name, (moved, _, _) in named if name.role == "thing" and moved > 0]

    @property
    def asks_for_several(self) -> bool:
        """Return whether more than one deed is asked for: of several things, or of several kinds."""
        return len(self.moved) > 1 or len(INTENTS[int(self.intents.argmax())]) > 1

    @property
    def deed(self) -> Deeds | None:
        """The one deed that it finds is asked for, with its thing or place; None where it is not sure."""
        intent = int(self.intents.argmax())
        needs = [ROLE_OF.get(function) for function in INTENTS[intent]]
        if math.exp(self.intents[intent]) < SURE or len(needs) != 1 or needs[0] is None:
            return None
        moved, named, target = (
            frozenset(one.name for one, odds in zip(self.names, each, strict=True) if odds > 0 and one.role in roles)
            for each, roles in zip(
                self.roles.T, (("thing",), ("thing", "place"), ("person", "place", "thing")), strict=True
            )
        )
        found = Deeds(INTENTS[intent], moved, named, target)
        return found if getattr(found, needs[0]) and len(target) < 2 else None

    def of_these(self, functions: frozenset[str]) -> float:
        """Return how likely an answer is that has none but these functions, from 0 to 1."""
        return float(np.exp(self.intents[[intent <= functions for intent in INTENTS]]).sum())


def intent_of(functions: frozenset[str]) -> int:
    """Return the place of an answer's functions in INTENTS."""
    return INTENTS.index(functions) if functions in INTENTS else OTHER


class Text:
    """Writes what was asked as tokens."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._begin, self._end = self._tokenizer.encode("").ids

    def encode(self, asked: Asked) -> Encoded:
        """Return it; what is longest ago, and what stands last, is left out where it is too long."""
        said = [self._begin, *self._tokens(asked.words)[-WORDS:], self._end]
        said += [*self._tokens(asked.before)[-BEFORE:], *self._tokens("|" + asked.since)[:SINCE], self._end]
        tokens = [*said, *self._tokens(asked.robot)[:ROBOT]]
        spans = []
        for name, told in self._told(asked.names):
            if len(tokens) + len(told) > MOST_TOKENS:
                break
            spans.append((name, len(tokens) + 1, len(tokens) + len(told)))
            tokens += told
        if asked.rules:
            tokens += self._tokens(" rules: " + " / ".join(asked.rules[-RULES_READ:]).lower())[:RULES]
        tokens.append(self._end)
        return Encoded(tokens, [0] * len(said) + [1] * (len(tokens) - len(said)), spans)

    def _told(self, names: Sequence[Name]) -> Iterator[tuple[Name, list[int]]]:
        signs: Mapping[str, str] = {"person": ", ", "place": "; ", "thing": ", "}
        most = {"person": None, "place": PLACE, "thing": THING}
        for name in names:
            yield name, self._tokens(signs[name.role] + name.told)[: most[name.role]]

    def _tokens(self, text: str) -> list[int]:
        tokens: list[int] = self._tokenizer.encode(text.replace("_", " "), add_special_tokens=False).ids
        return tokens


def _log_softmax(values: NDArray[np.float32]) -> NDArray[np.float32]:
    shifted = values - values.max()
    return shifted - np.log(np.exp(shifted).sum())


def _log_sigmoid(odds: float, is_so: bool) -> float:
    """The logarithm of the probability that something is so, or is not."""
    return -float(np.logaddexp(0.0, -odds if is_so else odds))
