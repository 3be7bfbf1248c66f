"""What the second reader is taught with."""

import random
import re

from daemon.console.goals.telling import Tell
from daemon.console.prompt_parts import BEGINNING, PromptParts
from daemon.llm.embedder import DEFAULT_FOLDER
from daemon.llm.intents import INTENTS, Text
from daemon.transcript import plain_call
from tests.console.test_second_reader import PROMPT
from training.brain.samples import Sample
from training.corpus.dialogues import VOICES, read_voice
from training.intents.questions import LINES, questions
from training.intents.rows import refusals_told, rows_of

NAMED = re.compile(r"\{(\w+)\}")


def test_a_row_tells_what_becomes_of_each_name() -> None:
    samples = [
        Sample("kuba", "kuba-1", PROMPT, "put_all('bench', 'kuba', 'rag')\nsay('There you are.')"),
        Sample("kuba", "kuba-2", PROMPT, "tell('gloves')"),
        Sample("kuba", "kuba-3", "Answer.\n>>>", "say('yes')"),
    ]
    bring, tell = rows_of(samples, Text(DEFAULT_FOLDER / "tokenizer.json"))
    roles = {name.name: role for (name, _, _), role in zip(bring.text.spans, bring.roles, strict=True)}
    assert INTENTS[bring.intent] == {"bring"}
    assert [name for name, (moved, _, _) in roles.items() if moved] == ["drill", "saw"]
    assert [name for name, (_, _, target) in roles.items() if target] == ["kuba"]
    assert INTENTS[tell.intent] == {"tell"}
    spoken_of = [name.name for (name, _, _), (_, named, _) in zip(tell.text.spans, tell.roles, strict=True) if named]
    assert spoken_of == ["gloves"]


def test_who_asks_for_what_a_robot_says_no_to_is_told_from_who_just_talks() -> None:
    ids = {one.kind == "refusal": one.id for one in read_voice(VOICES / "moira.jsonl")}
    no, refused, talk = "say('No, the saw stays here.')", ids[True], ids[False]
    later = PROMPT  # has a turn before the last words
    first = f"{BEGINNING}\n{PROMPT[PROMPT.index('# bench') :]}"
    told = refusals_told(
        [
            Sample("moira", refused, first, no),
            Sample("moira", f"{refused}~000001", first, no),
            Sample("moira", refused, later, no),
            Sample("moira", talk, first, no),
            Sample("moira", refused, first, "bring('saw')\nsay('No knives.')"),
        ]
    )
    rows = list(rows_of(told, Text(DEFAULT_FOLDER / "tokenizer.json")))
    assert [" ".join(INTENTS[row.intent]) for row in rows] == ["refuse", "refuse", "say", "say", "bring"]
    assert not any(any(role) for role in rows[0].roles)


def test_questions_stand_in_a_situation_and_name_what_is_there() -> None:
    lines = {
        "thing": ["where is the {thing}"],
        "place": ["what is on the {place}"],
        "there": ["what's in there"],
        "person": ["what has {person} got"],
        "time": ["what time is it"],
        "none": ["why is the {thing} here"],
    }
    made = list(questions([Sample("kuba", "kuba-1", PROMPT, "pass")], random.Random(1), 3, lines))
    assert len(made) == 18
    thing, place, there, person, time, none = made[::3]
    which = str(Tell.of(thing.answer))
    assert any(name in which for name in ("drill", "saw", "rag", "gloves"))
    assert PromptParts.by(place.prompt).words.startswith("what is on the ")
    went = plain_call(there.answer)[1][0]
    assert PromptParts.by(there.prompt).robot.startswith(f"# you are at {went};")
    assert f">>> move_to('{went}')" in there.prompt
    assert (person.answer, time.answer, none.answer) == ("tell('kuba')", "tell('time')", "say('.')")
    rows = list(rows_of(made, Text(DEFAULT_FOLDER / "tokenizer.json")))
    assert [" ".join(INTENTS[row.intent]) for row in rows[::3]] == ["tell"] * 4 + ["tell_time", "say"]


def test_every_line_has_known_names_only() -> None:
    assert all(set(NAMED.findall(line)) <= {"thing", "place", "person"} for said in LINES.values() for line in said)
    kinds = {"thing", "place", "there", "person", "robot", "time", "skills", "scene", "done", "none"}
    assert {*LINES} == kinds
