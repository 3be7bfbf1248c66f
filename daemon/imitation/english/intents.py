"""What kind of doing a clause asks for: to bring, to open, to tell where ... Similar words are not the same deed.

Sentence embeddings find "break the object" close to "throw the object away", and "turn on the light" close to
"help me clean up". What moves a robot must therefore also be asked for by a verb that means it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from daemon.imitation.english.vocabulary import LOOKING
from daemon.lexicon.word_meanings import Stems, lexicon, stems
from daemon.transcript import Step

UNKNOWN_VERB = 0.80
"""Least similarity of two requests to take a verb that nobody has explained for the other's."""
_WISH = "bring"
"""What a wish asks for that names no deed: "some juice", "I am thirsty"."""
_SEARCHING = frozenset(["say", "find"])
"""What is answered like a question."""
_TALKING = ("say", "ask", "learn_from_interaction", "list_lessons", "forget_lesson", "undo_lesson", "explain")
_BEFORE = re.compile(
    r"^(?:how (?:to|would|could|can|do)(?: (?:you|i|we))? (?=\w)|help (?:me|us)(?: to)? (?=\w)"
    r"|(?:know|say|explain|find out|tell (?:me|us)|show (?:me|us)) (?=wh|how))"
)
"""Stands before what is asked for in earnest: "help me clean up", "tell me where it is"."""
_SUGGESTION = re.compile(
    r"^(?:what|how) about\b|^(?:can|could|may|might|shall|will) (?:i|we) (?:have|get)\b|^any chance\b"
)
_SHORTENED = re.compile(r"['’](?:s|re|d|ll|ve)$")
"""What is left of a verb behind a question word: "what's", "where're"."""
_ASKS_WHETHER = {"is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "could", "will", "would"}
_QUESTIONS = {word: [word] for word in ("what", "where", "who", "why", "how")}
_QUESTIONS |= {"which": ["what"], "whose": ["who"]} | {word: ["whether", "where"] for word in _ASKS_WHETHER}
_NO_VERBS = frozenset(
    stems(
        "the a an some any my our your this that these those one two three four both all every each no not never "
        "always i we you he she it they there here me us something anything everything another more less enough "
        "if when while once after before until as because since with without for in on onto into to from at of off "
        "up down out away next again also too only just first then now today thank thanks hello hi hey good great "
        "yes yeah yep nope sorry wrong right okay fine instead rather actually maybe perhaps let's lets"
    )
)


@lru_cache(maxsize=4096)
def intents(text: str, masked: str) -> frozenset[str]:
    """The deeds that a clause may ask for, as plain verbs, or the question it asks; empty where it names none.

    `masked` is Request.masked: things are "the object". A verb that words.txt does not have stands for itself: "?jump".
    """
    text, masked = (_BEFORE.sub("", part.lower()) for part in (text, masked))
    words = stems(masked)
    if not words or _SUGGESTION.match(text):
        return frozenset()
    if (first := _SHORTENED.sub("", text.split()[0])) in _QUESTIONS:
        return frozenset(f"{question}?" for question in _QUESTIONS[first])
    if words[0] in _NO_VERBS:
        return frozenset()
    known = frozenset(_verbs(words))
    return known or frozenset([f"?{words[0]}"])


def fits(asked: frozenset[str], shown: frozenset[str], steps: Sequence[Step], similarity: float) -> bool:
    """Return whether what was done, when this was shown, may be done when that is asked."""
    if _is_question(shown) and asked:
        return bool(asked & (shown | _SEARCHING))
    if not any(_moves(step) for step in steps):
        return True
    if asked & shown or not asked:
        return True
    if not shown and _WISH in asked:
        return True
    return not _is_question(asked) and similarity >= UNKNOWN_VERB and not (_known(asked) and _known(shown))


def alike(asked: Sequence[frozenset[str]], shown: Sequence[frozenset[str]]) -> bool:
    """Return whether two sentences ask for the same deeds, clause by clause."""
    return len(asked) == len(shown) and all(bool(a & b) or a == b for a, b in zip(asked, shown, strict=True))


def _verbs(words: Stems) -> Iterator[str]:
    """The plain verbs whose words a clause begins with; "throw ... away" too."""
    for plain, others in lexicon().verbs.items():
        for verb in map(stems, (plain, *others)):
            particle_later = len(verb) == 2 and words[0] == verb[0] and verb[1] in words[1:]
            if words[: len(verb)] == verb or particle_later:
                yield plain


def _is_question(deeds: frozenset[str]) -> bool:
    return any(deed.endswith("?") for deed in deeds)


def _known(deeds: frozenset[str]) -> bool:
    return bool(deeds) and not any(deed.startswith("?") for deed in deeds)


def _moves(step: Step) -> bool:
    called = step.called or "something that is no call"
    return called not in (*LOOKING, *_TALKING) and not called.startswith(("get_", "is_", "wait_"))
