"""A brain without weights: takes the most similar example and adapts it, object by object, to what was said and seen.

A case-based policy behind the same interface as a language model: deterministic, instant, able to learn, and honest
where it has not learned something. For machines without room for a model, and the yardstick that any model must beat.

brain.py             all of it together: the next statement
example_cases.py     what the examples show
adapted_program.py   what to do, and what is left of it
before_the_model.py  what is settled before the brain is asked, in one table
english/             everything in heed that reads English by hand
"""

from daemon.imitation.before_the_model import BeforeTheModel
from daemon.imitation.brain import Imitation
from daemon.imitation.english import English, RuleImprover
from daemon.imitation.english.orders.look_first import LookFirst

__all__ = ["BeforeTheModel", "English", "Imitation", "LookFirst", "RuleImprover"]
