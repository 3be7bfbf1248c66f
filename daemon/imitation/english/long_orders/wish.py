"""One thing that is asked for."""

from dataclasses import dataclass, field


@dataclass
class Wish:
    """What is asked for: an action, and what its words tell of the thing and the place, with tokens."""

    action: str
    target: str = ""
    """A token, "it" for what other clauses name, or the words for what is not here."""
    place: str = ""
    """A token."""
    where: str = "on"
    clause: int = 0
    verb: str = ""
    rest: list[str] = field(default_factory=list)
    """The words behind the verb."""
    needed: bool = False
    """Somebody only says that it is needed."""
