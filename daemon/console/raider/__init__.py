"""Find out before acting why an order cannot work, explain it, and recover together with the person (RAIDER, 2025).

flow.py          ground, ask, answer, issue: the loop, its four warnings, its time limit
tools.py         what can be asked about the surroundings: sets of tools, as data
surroundings.py  what the tools look at
order.py         what an order says: verb, thing, place, condition
clauses.py       which clause is the order, and what is only said beside it
verbs.py         what people call each action
plain.py         whether the words of an order are plain, or the whole of it has to be weighed
whole/           an order in several sentences, read as a whole
mentions.py      where a text names things of the scene
by_scene.py      answers by the surroundings alone: grounding, then questions
by_model.py      answers by a language model
questions.py     which questions each action raises, and which answers are trouble
reasons.py       the troubles: their words, and what remedies each
recovery.py      from the explanation to a plan, carried out and checked again
things.py        what everybody knows about things (things.txt)
"""
