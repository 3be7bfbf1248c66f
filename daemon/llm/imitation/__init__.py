"""A brain without weights: takes the most similar example and adapts it, object by object, to what was said and seen.

A case-based policy behind the same interface as a language model: deterministic, instant, able to learn, and honest
where it has not learned something. It reads nothing but the prompt, as a model does, and is the yardstick that any
model must beat.

names.py     what there is, and which words mean it
clauses.py   a sentence in parts
mention.py   which things and how many a phrase may mean
request.py   what a clause asks for
intent.py    what kind of doing it asks for
cases.py     what the examples show
reference.py what a clause is about after those before it: "it", "there"
program.py   what to do, and what is left of it
brain.py     all of it together: the next statement
"""

from daemon.llm.imitation.brain import Imitation

__all__ = ["Imitation"]
