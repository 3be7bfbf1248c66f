"""English is read by hand in one room: no other file holds a table of words against which people's words are held.

Tables of words are data: what people say in phrasebooks/, what words mean in lexicon/. Whatever reads whole sentences
by patterns belongs into daemon/imitation/english/. Benches and training write sentences, and answer nobody.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.word_tables import MOST_WORDS, word_tables

ROOT = Path(__file__).parent.parent
RUNS = ("hw", "sim", "skills", "camera", "daemon", "bridge")
ENGLISH = Path("daemon/imitation/english")
"""The only room in which sentences are read by hand."""
MAY_HOLD_WORDS = {
    "hw": "hears nobody",
    "sim": "hears nobody",
    "camera": "hears nobody",
    "bridge": "hears nobody",
    "skills/fine_motion.py": "six directions, which are values of an argument",
    "daemon/cli": "commands that a person types",
    "daemon/lexicon": "tells what single words are, by their endings too; reads no sentence",
    "daemon/names.py": "articles, and what catalogues put behind a noun",
    "daemon/console/executor.py": "names of a type checker's rules",
    "daemon/console/learning/lesson_rehearsal.py": "how heed's own sentences begin when it gave up",
    "daemon/console/goals/goal.py": "the goals, which a mind writes",
    "daemon/console/raider": "states and relations of things, which a mind writes",
    "daemon/llm/intents.py": "functions, which a mind calls",
    "daemon/memory/prohibitions.py": "how a rule calls what a skill does",
    "daemon/memory/recurring_times.py": "the times of a rule, as heed writes and people greet",
    "daemon/memory/rules.py": "the fields of a scope",
    "daemon/service/utterance_walk.py": "the figures of a line in the log",
    "daemon/speech/did_you_mean.py": "spellings, by the sound for which they stand",
    "daemon/speech/pronunciation.py": "letters, by the sound for which they stand",
    "daemon/speech/sentence_splitting.py": "abbreviations whose dot ends no sentence",
    "daemon/speech/speakable.py": "units of measure",
    "daemon/speech/spoken_words.py": "numbers and contractions in words",
}
"""File or folder -> why it may hold tables of words."""


def test_english_is_read_in_one_room() -> None:
    elsewhere = [
        f"{file}:{table.line} {', '.join(table.words)}"
        for file in files()
        if not any(file.is_relative_to(place) for place in (ENGLISH, *MAY_HOLD_WORDS))
        for table in word_tables((ROOT / file).read_text(encoding="utf-8"))
        if len(table.words) > MOST_WORDS
    ]
    assert not elsewhere, "\n".join(
        ["what people say belongs into phrasebooks/, what words mean into lexicon/:", *elsewhere]
    )


@pytest.mark.parametrize("place", MAY_HOLD_WORDS)
def test_whatever_may_hold_words_needs_to(place: str) -> None:
    tables = (
        table for file in files() if file.is_relative_to(place) for table in word_tables((ROOT / file).read_text())
    )
    assert place in ("hw", "bridge") or any(len(table.words) > MOST_WORDS for table in tables)


@pytest.mark.parametrize(
    "source",
    [
        'FORM = re.compile(r"\\b(?:bring|give|fetch|hand) me\\b")',
        'FORM = re.compile(rf"(?:{WHO}|bring|give" r"|fetch|hand)")',
        'FORM = re.compile("""\n  ( bring   # me\n  | give | fetch\n  | hand )""", re.VERBOSE)',
        'VERBS = "bring|give|fetch|hand"',
        'VERBS = "|".join(["bring", "give", "fetch", "hand"])',
        'VERBS = {"bring", "give", "fetch", "hand"}',
        'VERBS = frozenset(("bring", "give", "fetch", "hand"))\nfound = word in VERBS',
        'VERBS = "bring give fetch hand".split()',
        'VERBS: Words = ("bring", "give", "fetch", "hand")\nfound = any(word in text for word in VERBS)',
        'SKILLS = {"bring": "b", "give": "g", "fetch": "f", "hand": "h"}\nskill = SKILLS[verb]',
        'skill = {"bring": "b", "give": "g", "fetch": "f", "hand": "h"}.get(verb)',
        'found = text.startswith(("bring me", "give me", "fetch me", "hand me"))',
        'found = text == "bring" or text == "give" or text == "fetch" or "hand" in text',
        'match text:\n    case "bring" | "give" | "fetch" | "hand":\n        pass',
    ],
)
def test_words_are_found_in_every_form_in_which_they_are_read(source: str) -> None:
    tables = [[word.split()[0] for word in table.words] for table in word_tables(source)]
    assert ["bring", "give", "fetch", "hand"] in tables


@pytest.mark.parametrize(
    "source",
    [
        '"""bring|give|fetch|hand"""',
        'told = {"name": name, "state": state, "age": age, "place": place}',
        'LINES = ("bring me the juice", "thank you", "forget that", "yes")\nfor line in LINES:\n    say(line)',
        'FORM = re.compile(r"\\w+|\\s+|\\d{2}|[a-z]+|[^abc]")',
        "LETTERS = 'a|b|c|d'",
    ],
)
def test_words_with_which_nothing_is_compared_are_no_table(source: str) -> None:
    assert not [table for table in word_tables(source) if len(table.words) > MOST_WORDS]


def files() -> Iterator[Path]:
    for room in RUNS:
        yield from (path.relative_to(ROOT) for path in sorted((ROOT / room).rglob("*.py")))
