"""What is said while heed works: a trigger of its own, which a model that leads sees at once with what is under way."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.console.history import InteractionHistory
from daemon.console.prompt import InteractPrompts
from daemon.console.prompt_parts import UNDER_WAY
from daemon.console.reading import Interjection
from daemon.console.situation import Told
from daemon.console.statements import statements_in
from daemon.llm.model import LanguageModel
from daemon.transcript import hearing

CARRY_ON = "carry_on()"


@dataclass(frozen=True)
class Meanwhile:
    """What such words mean for what is under way."""

    interjection: Interjection
    words: str = ""
    """What to say at once, for TALK and NEXT."""


def meanwhile(
    model: LanguageModel,
    prompts: InteractPrompts,
    history: InteractionHistory,
    doing: Sequence[str],
    text: str,
    situation: Told,
) -> Meanwhile:
    """Ask the model what words mean while the statements `doing` are under way, the first of them now.

    Raises ModelError where it does not answer.
    """
    under_way = "".join(f"{UNDER_WAY}{statement}\n" for statement in doing)
    after = history.followed_by(hearing(text))
    told = Told(situation.before, f"{situation.after}{under_way}")
    reply = model.complete(prompts.prompt((), after, situation=told))
    return _read(statements_in(reply))


def _read(statements: Sequence[str]) -> Meanwhile:
    """Only talk, carry_on() with or without talk, or anything else: that ends what is under way."""
    spoken = [_said(statement) for statement in statements if statement != CARRY_ON]
    if any(words is None for words in spoken):
        return Meanwhile(Interjection.CHANGE)
    words = " ".join(words for words in spoken if words)
    next_ = not statements or CARRY_ON in statements
    return Meanwhile(Interjection.NEXT if next_ else Interjection.TALK, words)


def _said(statement: str) -> str | None:
    """The words of a say() with nothing to work out; "" for pass; None for everything else."""
    match ast.parse(statement).body:
        case [ast.Expr(ast.Call(func=ast.Name("say"), args=[ast.Constant(str(words))], keywords=[]))]:
            return words
        case [ast.Pass()]:
            return ""
    return None
