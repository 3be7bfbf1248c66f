"""A sample said in other words, in other surroundings, still asks for the same."""

import random
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from daemon.memory.nearness import Nearness
from training.brain.going_on import to_go_on
from training.brain.rewording import Around, Reworder, alike
from training.brain.samples import Sample

PROMPT = """\
# A new conversation begins.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'morning'}
>>> say('Good morning.')
# hall
# larder (closed): bread (food), honey, salt (spice, also the white one)
# table: cup (cup, in or on it: spoon, fork), plate
# you are at hall; left hand: empty, right hand: empty
# people: person, mia (also our girl)
# learned 1: When you ask for bread, I also bring the butter.
>>> wait_for_trigger()
{'type': 'dialog', 'text': "mia's waiting for her bread"}
# Wednesday 14 January, 12:00
# near: bread, honey, salt, cup
>>>"""
SAMPLE = Sample("anna", "anna-01", PROMPT, "bring('bread', 'mia')\nsay('Mia has the bread.')")
OTHERS = Sample(
    "otto",
    "otto-01",
    PROMPT.replace("honey, salt (spice, also the white one)", "lamp (device)")
    .replace("bread", "rope")
    .replace("butter", "chain"),
    "pass",
)


class Alphabet:
    """Vectors of the letters that a text has."""

    name, dimension = "alphabet", 26

    def embed(self, texts: list[str]) -> NDArray[np.float32]:
        counts = np.array([[text.lower().count(chr(97 + n)) + 1e-3 for n in range(26)] for text in texts], np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def reworder(**otherwise: list[dict[str, str]]) -> Reworder:
    return Reworder(Nearness(Alphabet()), Around.of([OTHERS]), {"anna-01": otherwise.get("anna", [])})


def many() -> list[Sample]:
    return [reworder().reworded([SAMPLE], random.Random(seed))[0] for seed in range(60)]


def test_what_it_is_about_stays() -> None:
    for sample in many():
        assert "bread (food)" in sample.prompt
        assert "bring('bread', " in sample.answer
        assert "cup (cup, in or on it: spoon, fork)" in sample.prompt
        assert "When you ask for bread, I also bring the butter." in sample.prompt


def test_what_nobody_speaks_of_goes_comes_and_changes() -> None:
    prompts = [sample.prompt for sample in many()]
    assert any("honey" not in prompt for prompt in prompts)
    assert any("lamp (device)" in prompt for prompt in prompts)
    assert any("# learned 2: " in prompt and "rope" in prompt for prompt in prompts)
    assert len({prompt.index("# table") < prompt.index("# larder") for prompt in prompts}) == 2


def test_another_person_is_so_everywhere() -> None:
    renamed = [sample for sample in many() if "mia" not in sample.prompt.lower()]
    assert renamed
    for sample in renamed:
        name = sample.answer.partition("bring('bread', '")[2].partition("'")[0]
        assert f"{name} (also our girl)" in sample.prompt
        assert f"{name}'s waiting" in sample.prompt or f"{name.capitalize()}'s waiting" in sample.prompt
        assert f"{name.capitalize()} has the bread." in sample.answer


def test_people_say_it_otherwise() -> None:
    other = reworder(anna=[{"morning": "hiya", "mia's waiting for her bread": "bread for our girl"}])
    prompts = {other.reworded([SAMPLE], random.Random(seed))[0].prompt.lower() for seed in range(20)}
    assert any("'hiya'" in prompt and "bread for our girl" in prompt for prompt in prompts)
    assert any("'morning'" in prompt for prompt in prompts)


def test_what_is_near_is_told_of_the_new_words() -> None:
    other = reworder(anna=[{"mia's waiting for her bread": "plate plate cup"}])
    near = [other.reworded([SAMPLE], random.Random(seed))[0].prompt.partition("# near: ")[2] for seed in range(20)]
    assert any(names.startswith("plate") for names in near)


def test_where_nothing_may_change_all_that_is_there_stays() -> None:
    asked = replace(SAMPLE, prompt=PROMPT.replace("mia's waiting for her bread", "what is in the larder"))
    for seed in range(20):
        sample = reworder().reworded([asked], random.Random(seed))[0]
        assert all(thing in sample.prompt for thing in ("bread (food)", "honey", "salt (spice"))
        assert "lamp" not in sample.prompt


def test_a_prompt_without_a_situation_stays() -> None:
    bare = replace(SAMPLE, prompt="# A new conversation begins.\n>>>")
    assert reworder().reworded([bare], random.Random(1))[0] == bare


def test_some_stand_later_in_a_day_of_which_the_rest_has_nothing_to_do_with_it() -> None:
    turns = [sample.prompt.count(">>> wait_for_trigger()") for sample in many()]
    assert set(turns) == {2, 3}
    later = next(sample.prompt for sample in many() if sample.prompt.count(">>> wait_for_trigger()") == 3)
    assert later.startswith("# A new conversation begins.\n>>> wait_for_trigger()\n")
    assert later.count("say('Good morning.')") == 2


def other_words(said: str, answer: str) -> Sample:
    return replace(SAMPLE, prompt=PROMPT.replace("mia's waiting for her bread", said), answer=answer)


def test_what_begins_alike_does_so_in_other_surroundings_too() -> None:
    group = [SAMPLE, other_words("a spoon please", "bring('spoon')"), other_words("i'd like a plate", "bring('plate')")]
    for seed in range(20):
        others = reworder().reworded(group, random.Random(seed))
        assert len({other.prompt.rpartition("\n>>> wait_for_trigger()")[0] for other in others}) == 1
        assert ["bread" in others[0].answer, *(other.answer for other in others[1:])] == [
            True, "bring('spoon')", "bring('plate')",
        ]  # fmt: skip
        assert all("bread (food)" in other.prompt and "plate" in other.prompt for other in others)
        near = {other.prompt.partition("# near: ")[2] for other in others}
        assert len(near) == len(others)


def test_of_what_begins_alike_only_some_stand_together() -> None:
    plate, all_of_it = other_words("i'd like a plate", "bring('plate')"), other_words("all of it, please", "pass")
    elsewhere = replace(SAMPLE, prompt=PROMPT.replace("# hall\n", ""))
    groups = list(alike([SAMPLE, all_of_it, plate, elsewhere], 12))
    assert groups == [[SAMPLE, plate], [all_of_it], [elsewhere]]
    assert list(alike([SAMPLE, all_of_it, plate], 1)) == [[SAMPLE], [plate], [all_of_it]]


def test_going_on_reads_all_that_is_new_and_a_little_of_before() -> None:
    new = [replace(SAMPLE, dialogue=f"anna-{number:02}") for number in range(30)]
    before = [replace(OTHERS, dialogue=f"otto-{number:02}") for number in range(30)]
    taught = to_go_on(new, before, 5, reworder(), random.Random(1), 1)
    assert taught[:30] == new
    again = [sample.voice for sample in taught[30:]]
    assert again.count("otto") == 5
    assert 0 < again.count("anna") < 20
