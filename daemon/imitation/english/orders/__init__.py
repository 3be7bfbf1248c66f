"""Orders, read by hand, examined by what is seen, and recovered from together with the person: RAIDER without a model.

order_reader.py     what an order says: verb, thing, place, condition
order_clauses.py    which clause is the order, and what is only said beside it
verbs.py            what people call each action
purposes.py         things by what is done with them
simple_words.py     whether the words of an order are plain, or the whole of it has to be weighed
names_in_orders.py  where a text names things of the scene
first_stage.py      an order whose things are named exactly, settled at once
stage_choice.py     which orders are looked at, and by which stage
scene_answerer.py   grounding and questions, answered by the surroundings alone
clarification.py    which of several things is meant
recovery.py         from the troubles to a plan, carried out and checked again
recovery_steps.py   the statements of such a plan on this robot
look_first.py       all of it, before the mind is asked
"""
