"""Tasks that are begun, interrupted, taken up again, and asked about; one action at a time (NICOL, 2024).

by_voice.py     what people say about tasks, and what the console offers for them
coordinator.py  the role that decides which action comes next, and has it done and logged
worker.py       the role that reads, each time anew: which things matter, what was done, what is left
spec.py         what a task is, read from a person's words
things.py       which things of a scene those words mean
by_model.py     both roles by language models, where code does not understand the words
"""

from daemon.console.tasks.commands import TASKS, Tasks

__all__ = ["TASKS", "Tasks"]
