"""Tasks that are begun, interrupted, taken up again, and asked about; one action at a time (NICOL, 2024).

task_functions.py  what the console offers for tasks
coordinator.py     the role that decides which action comes next, and has it done and logged
worker.py          the role that reads, each time anew: which things matter, what was done, what is left
parts.py           what a task is, as values, and who reads it from a person's words
model_roles.py     both roles by language models, where code does not understand the words

What people say about tasks is read in daemon/imitation/english/task_talk.
"""

from daemon.console.tasks.task_functions import TASKS, Tasks

__all__ = ["TASKS", "Tasks"]
