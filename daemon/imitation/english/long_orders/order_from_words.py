"""From what was said to the order."""

from collections.abc import Sequence
from dataclasses import replace

from daemon.imitation.english.long_orders.order_tokens import Said
from daemon.imitation.english.long_orders.plain_text import in_words
from daemon.imitation.english.long_orders.wish_clauses import the_wish
from daemon.imitation.english.orders.names_in_orders import Look
from daemon.imitation.english.orders.order_reader import Order, read_order


def read_whole(text: str, looks: Sequence[Look]) -> Order | None:
    """The order as it is meant among these things, in plain words; None where that does not come out."""
    said = Said(text, looks)
    wish = the_wish(said)
    if wish is None:
        return None
    sentence = said.clauses[wish.clause].sentence
    if any(clause.binds for clause in said.clauses if clause.sentence == sentence):
        return None
    words = in_words(said, wish)
    read = read_order(words) if words else None
    if read is None or read.target is None or read.action != wish.action:
        return None
    return replace(read, text=words)
