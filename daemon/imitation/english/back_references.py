"""What a clause is about, given the clauses before it and what was done: "it", "there", and what it leaves out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daemon.imitation.english.clause_forms import has_pronoun
from daemon.imitation.english.object_phrases import Mention, choose
from daemon.imitation.english.vocabulary import Names, kind_of
from daemon.imitation.english.what_is_asked import Request, read_request
from daemon.imitation.example_cases import ACTING, Case, first_argument
from daemon.names import joined, spoken
from daemon.transcript import Step

ANY = re.compile(r"\b(any|either|you choose|whichever|whatever|do not mind|don't mind|do not care|don't care)\b", re.I)
LISTED = 5
"""As many things as a person will listen to."""


@dataclass
class Earlier:
    """What the clauses so far were about: later ones say "it", or leave out what was said."""

    names: Names
    past: Sequence[Step]
    requests: Sequence[Request]

    def __post_init__(self) -> None:
        self._objects: list[str] = []
        background = [request for request in self.requests if request.background]
        self._mentions = [mention for request in background for mention in request.mentions]
        self.places = [name for request in background for name in (*request.targets, *request.places, *request.sources)]
        """Those that were mentioned last: "there", or "all the places" that a person has listed."""

    def understand(self, request: Request, case: Case, answers: Sequence[str]) -> tuple[list[str], list[str]] | str:
        """Return the objects and places that a clause is about; or a statement that asks, or that admits ignorance."""
        targets, sources = list(request.targets), list(request.sources)
        if targets or not case.places:
            sources += request.places
        else:
            targets = list(request.places)
        if case.places and request.unclear:
            left = _open(request.unclear, answers, self.names)
            if len(left) > 1:
                return _question(left)
            targets = [place for place in targets if place not in request.unclear] + left
        if len(targets) > 1 and self.places:
            targets = [place for place in targets if place in self.places] or targets
        if case.places and not targets:
            targets = self.places
        if case.places and not targets:
            return f"say({_unknown_place(self.names)!r})"
        objects = self._which(request, case, sources, answers)
        if isinstance(objects, str):
            return objects
        self._objects = objects or self._objects
        self.places = targets or self.places
        return objects, targets

    def _which(self, request: Request, case: Case, sources: Sequence[str], answers: Sequence[str]) -> list[str] | str:
        if not case.objects:
            return []
        mentions, within = list(request.mentions), sources
        if len(mentions) == len(case.adapted):
            mentions = [mention for mention, adapted in zip(mentions, case.adapted, strict=True) if adapted]
        if not mentions or all(mention.bare and mention.count == 1 for mention in mentions):
            if self._objects:
                return self._objects
            if self._mentions:
                mentions, within = [_one(mention) for mention in self._mentions], within or self.places
        if not mentions:
            handled = _last_handled(self.past) if has_pronoun(request.text) else None
            handled = handled or _held(self.names)
            return [handled] if handled else f"say({_unknown(self.names)!r})"
        objects: list[str] = []
        for mention in mentions:
            chosen = choose(mention, self.names, within, objects)
            if not chosen:
                return f"say({_absent(mention, within)!r})"
            if mention.count == 1 and len(chosen) > 1:
                chosen = _open(chosen, answers, self.names)
                if len(chosen) > 1:
                    return _question(chosen)
            objects += chosen
        return objects


def _one(mention: Mention) -> Mention:
    """ "I like fruits" tells of all fruits, but one is brought."""
    return Mention(mention.phrase, mention.fits)


def _open(options: Sequence[str], answers: Sequence[str], names: Names) -> list[str]:
    """Return the options that the answers leave."""
    left = list(options)
    for answer in answers:
        request = read_request(answer, names)
        meant = [name for mention in request.mentions for name in mention.fits] + list(request.targets)
        left = [name for name in left if name in meant] or (left[:1] if ANY.search(answer) else left)
    return left


def _last_handled(past: Sequence[Step]) -> str | None:
    for step in reversed(past):
        if step.called in ACTING and not step.error:
            return first_argument(step.statement) or None
    return None


def _held(names: Names) -> str | None:
    """Return the only thing in a hand."""
    held = [name for name, _, at in names.objects if at.endswith(" hand")]
    return held[0] if len(held) == 1 else None


def _question(options: Sequence[str]) -> str:
    kinds = list(dict.fromkeys(kind_of(name) for name in options))
    return f"ask({'Which one do you mean: ' + _either(kinds) + '?'!r})"


def _absent(mention: Mention, within: Sequence[str]) -> str:
    where = f" at the {spoken(within[0])}" if len(within) == 1 and mention.fits else ""
    return f"I do not see any {mention.phrase}{where or ' here'}."


def _unknown(names: Names) -> str:
    if not names.objects:
        return "I do not see anything here that I could take."
    seen = f" I see {_either(list(names.locations), 'and')}." if len(names.locations) <= LISTED else ""
    return f"I do not know which object you mean.{seen}"


def _unknown_place(names: Names) -> str:
    return f"I do not know where you mean. I know {_either(names.places, 'and')}."


def _either(options: Sequence[str], word: str = "or") -> str:
    return joined([f"the {spoken(option)}" for option in options], word)
