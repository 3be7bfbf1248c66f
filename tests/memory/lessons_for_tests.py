"""Lessons that the tests of the memory teach."""

from daemon.memory.rules import Rule, RuleKind, Scope

CUP_WITH_DRINK = Rule("When you ask for a drink, I bring a cup with it", RuleKind.TASK, Scope(object_class="drink"))


def transcript(utterance: str, statement: str = "bring_object_to('juice', 'person')") -> str:
    heard = {"type": "dialog", "text": utterance}
    return f">>> wait_for_trigger()\n{heard!r}\n>>> {statement}\n'success'\n"
