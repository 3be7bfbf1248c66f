"""Find out before acting why an order cannot work, and explain it (RAIDER, 2025).

flow.py                    ground, ask, answer, issue: the loop, its four warnings, its time limit
tools.py                   what can be asked about the surroundings: sets of tools, as data
surroundings.py            what the tools look at
model_answerer.py          answers, and plans to recover, by a language model
precondition_questions.py  what an order is asked beyond what its skill checks, and which answers are trouble
examination.py             the same for what a mind that leads calls, before it is done
reasons.py                 the troubles: their words, and what remedies each

The same by the scene alone, without a model, is daemon/imitation/english/orders.
"""
