"""Samples of commands that no dialogue has."""

import random
import re

from training.brain.commands import COMMANDS, commands, overheard
from training.brain.samples import Sample

PROMPT = """\
# A new conversation begins.
# hall
# bench: drill (tool), old_rag (cloth, dirty, also the (red) one)
# locker (closed): soap
# mia: toy
# you are at bench; left hand: empty, right hand: empty
# people: person, mia (also the boss)
# learned 1: I never bring the toy, even when you ask for it.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'the drill please'}
# Wednesday 14 January, 12:00
# near: drill, soap, old_rag, toy
>>>"""
THINGS, PLACES = {"drill", "old_rag", "soap", "toy"}, {"hall", "bench", "locker"}


def test_what_they_name_is_there_and_the_situation_stays() -> None:
    made = list(commands([Sample("a", "a-1", PROMPT, "bring('drill')")], random.Random(3), 80))
    assert len(made) == 80
    for sample in made:
        assert sample.prompt.partition("{'type'")[0] == PROMPT.partition("{'type'")[0]
        assert sample.prompt.endswith("\n>>>")
        assert "# Wednesday 14 January, 12:00\n# near: " in sample.prompt
        assert "{" not in sample.answer
        for thing in re.findall(r"thing='(\w+)'", sample.answer):
            assert thing in THINGS
            assert f"# near: {thing}, " in sample.prompt
        for place in re.findall(r"(?:stand_at|forget_place)\('(\w+)'|end='(\w+)'", sample.answer):
            assert "".join(place) in PLACES
    assert {sample.answer.partition("(")[0] for sample in made} == {c["write"].partition("(")[0] for c in COMMANDS}


def test_talk_between_people_is_passed_over() -> None:
    begun = f"{PROMPT} grasp('drill')\n'success'\n>>>"
    samples = [Sample("a", "a-1", PROMPT, "bring('drill')"), Sample("a", "a-2", begun, "say('Here.')")]
    (made,) = overheard(samples, ["marcus take your plate to the sink"], random.Random(3))
    assert made.answer == "pass"
    assert made.prompt == PROMPT.replace("the drill please", "marcus take your plate to the sink")
