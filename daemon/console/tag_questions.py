"""Asks what carries a tag that nobody has named, and keeps the answer after a yes: one question, while it waits."""

import re
from collections.abc import Callable
from threading import Event
from typing import Any, Protocol

from daemon.console.builtins import Conversation
from daemon.console.learning.consent import Consent, consent_in
from daemon.memory.place_book import tag_of
from daemon.names import spoken
from daemon.phrasebook import of_language, phrasebook, plain
from skills.skill import Observation

TICK_SECONDS = 1.0
"""Between two looks at what is seen."""
SURE = 3
"""Looks in a row at which a tag is in sight before it is asked about: a glimpse may be a mistake."""
LONGEST = 4
"""Words of a name; a longer answer is another request."""


class Book(Protocol):
    """Where names of tags are kept; see PlaceBook."""

    def tags(self) -> dict[int, str]: ...
    def name_tag(self, id: int, name: str, by: str) -> None: ...


class TagQuestions:
    """One question for each tag, once; a tag that nobody wants to name is asked about after the next start."""

    def __init__(
        self,
        conversation: Conversation,
        book: Book,
        observe: Callable[[], Observation],
        put_errand: Callable[[Callable[[], None]], None],
        free: Callable[[], bool],
    ) -> None:
        """`put_errand` has something done in the console's turn; `free` tells whether heed only waits."""
        self._conversation = conversation
        self._book = book
        self._observe = observe
        self._put_errand = put_errand
        self._free = free
        self._asked: set[int] = set()
        self._seen: dict[int, int] = {}
        """Looks in a row at which each tag was in sight."""

    def watch(self, ended: Event) -> None:
        """Look now and then, until `ended`."""
        while not ended.wait(TICK_SECONDS):
            self.tick()

    def tick(self) -> None:
        """Look once, and have one tag asked about that has been in sight for a while."""
        in_sight = self._in_sight()
        self._seen = {tag: self._seen.get(tag, 0) + 1 for tag in in_sight}
        sure = [tag for tag, looks in self._seen.items() if looks >= SURE and tag not in self._asked]
        if sure and self._free():
            self._asked.add(sure[0])
            self._put_errand(lambda: self.ask(sure[0]))

    def ask(self, tag: int) -> None:
        """Ask what carries the tag, and whether to keep that; an answer that is no name comes next, as a request."""
        answer = self._conversation.ask_for_a_while(f"What is the thing with tag {tag}?")
        name = name_in(answer)
        if not answer or consent_in(answer) is Consent.NO:
            return
        if not name:
            self._conversation.hear_again(answer)
        elif name in self._known():
            self._conversation.say(f"I know a thing that is called {spoken(name)} already. I keep nothing.")
        elif consent_in(self._conversation.ask_for_a_while(_question(tag, name))) is Consent.YES:
            self._book.name_tag(tag, name, self._conversation.speaker or "owner")
            self._conversation.say("Thank you, I will remember that.")
        else:
            self._conversation.say("All right, I will not remember it.")

    def _in_sight(self) -> list[int]:
        try:
            objects = self._observe()["objects"]
        except RuntimeError:  # nobody has seen anything yet
            return []
        tags = (tag_of(thing["name"]) for thing in objects if thing.get("present", True))
        return [tag for tag in tags if tag is not None]

    def _known(self) -> set[Any]:
        return {*self._book.tags().values(), *(thing["name"] for thing in self._observe()["objects"])}


def name_in(answer: str) -> str:
    """Return the name in an answer: "it's the orange juice" is orange_juice; "" where there is none."""
    text = plain(answer)
    while shorter := _before().match(text):
        text = text[shorter.end() :]
    words = re.findall(r"\w+", text)
    name = "_".join(words)
    return name if words and len(words) <= LONGEST and name[0].isalpha() and len(name) <= _LONGEST_NAME else ""


def _question(tag: int, name: str) -> str:
    return f"The thing with tag {tag} is the {spoken(name)}. Shall I remember that?"


@of_language
def _before() -> re.Pattern[str]:
    longest_first = sorted(phrasebook()["naming"]["before"], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest_first))}) ")


_LONGEST_NAME = 40
