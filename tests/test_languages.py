"""Another language than English: what people say to it, what it says by itself, and a mind that answers in it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import daemon
from daemon.config import MemoryConfig
from daemon.console.learning.consent import Consent, consent_in
from daemon.memory.store import Memory
from daemon.phrasebook import _table, languages, translated, use_language
from daemon.reflex import Reflex, begins_with_no, reflex_in
from daemon.speech.turn_words import back_channel, closed_answer, unfinished
from daemon.status import speaking
from tests.console.test_leading import Leader
from tests.support.fakes import WordEmbedder
from tests.support.worlds import Kitchen

DAEMON = Path(daemon.__path__[0])
LITERAL = 5
"""Characters of a sentence beside what is put in; fewer tell nothing."""
OTHERS = [code for code in languages() if code != "en"]


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


@pytest.mark.parametrize(
    ("said", "reflex"),
    [
        ("Stopp!", Reflex.STOP),
        ("halt an, du stehst auf meinem Fuß", Reflex.STOP),
        ("hör sofort auf", Reflex.STOP),
        ("hör auf damit", Reflex.STOP),
        ("um Gottes willen, stehen bleiben", Reflex.STOP),
        ("nicht mehr bewegen bitte", Reflex.STOP),
        ("beweg dich nicht", Reflex.STOP),
        ("halt die Tasse fest", None),
        ("halt mir mal die Tür auf", None),
        ("halt das bitte", None),
        ("stopp den Wecker", None),
        ("hör auf Anna", None),
        ("Vergiss es.", Reflex.CANCEL),
        ("ach, lass gut sein", Reflex.CANCEL),
        ("ich hab's mir anders überlegt", Reflex.CANCEL),
        ("vergiss die Milch nicht", None),
        ("lass die Tür offen", None),
        ("warte mal kurz", Reflex.PAUSE),
        ("einen Moment bitte", Reflex.PAUSE),
        ("nicht so schnell", Reflex.PAUSE),
        ("warte auf Anna", None),
        ("warte, bis der Tee fertig ist", None),
        ("weiter", Reflex.RESUME),
        ("Entschuldigung, die Katze war im Weg, mach weiter", Reflex.RESUME),
        ("alles gut, du kannst weitermachen", Reflex.RESUME),
        ("mach weiter, wenn ich es sage", None),
        ("mach die Tür weiter auf", None),
        ("hör nicht zu", Reflex.MUTE),
    ],
)
def test_german_words_that_act_at_once_are_told_from_those_that_do_not(said: str, reflex: Reflex | None) -> None:
    assert reflex_in(said) is reflex


@pytest.mark.parametrize(
    ("answer", "consent"),
    [
        ("ja", Consent.YES),
        ("na klar, gern", Consent.YES),
        ("kein Problem", Consent.YES),
        ("ja, warum nicht", Consent.YES),
        ("nein", Consent.NO),
        ("lieber nicht", Consent.NO),
        ("auf keinen Fall", Consent.NO),
        ("ja, aber nicht sonntags", Consent.UNCLEAR),
        ("wie bitte?", Consent.UNCLEAR),
        ("die Tasse", Consent.UNCLEAR),
    ],
)
def test_a_german_yes_is_told_from_a_no(answer: str, consent: Consent) -> None:
    assert consent_in(answer) is consent


def test_the_ear_knows_german_words_after_which_nobody_or_everybody_goes_on() -> None:
    assert closed_answer("Ja, bitte.")
    assert unfinished("bring mir den Saft und")
    assert back_channel("mhm")


@pytest.mark.parametrize("code", OTHERS)
def test_english_is_understood_beside_every_language(code: str) -> None:
    use_language(code)
    assert reflex_in("stop") is Reflex.STOP
    assert consent_in("yes please") is Consent.YES
    assert begins_with_no("no, the other one")


def test_german_is_not_understood_unless_it_was_chosen() -> None:
    use_language("en")
    assert reflex_in("halt an") is None
    assert consent_in("gern") is Consent.UNCLEAR
    assert translated("All right.") == "All right."


def test_what_it_says_by_itself_is_german_and_what_a_person_named_stays() -> None:
    assert (
        translated("I never bring the oil. Shall I remember that?") == "I never bring the oil. Soll ich mir das merken?"
    )
    assert translated("I had to stop: the base is blocked. Say: go on, when I may move.") == (
        "Ich musste anhalten: the base is blocked. Sag: weiter, wenn ich mich bewegen darf."
    )
    assert translated("Hier ist der Saft.") == "Hier ist der Saft."


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_a_table_is_one_that_heed_says(code: str) -> None:
    own = [*_own_sentences()]
    unknown = [said for said in _table(code)["says"] if not any(sentence.fullmatch(said) for sentence in own)]
    assert not unknown, "heed's code has no such sentence any more; change or delete the row"


@pytest.mark.parametrize("code", OTHERS)
def test_every_blank_of_a_sentence_is_filled_in_its_translation(code: str) -> None:
    for own, other in _table(code)["says"].items():
        assert sorted(re.findall(r"\{\w+\}", own)) == sorted(re.findall(r"\{\w+\}", other)), own


def test_a_mind_that_leads_is_told_the_language_and_teaching_is_agreed_to_in_it(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())
    model = Leader(
        [
            "remember('Wenn du Saft willst, bringe ich auch eine Tasse.')",
            "move_to('fridge')\nopen_door('fridge')\ngrasp('juice')\nmove_to('person')\nhandover('juice')\n"
            "say('Hier ist der Saft.')",
        ]
    )
    kitchen = Kitchen(model, memory, language="German")
    kitchen.talk("wenn ich Saft will, bring auch eine Tasse mit", "ja, gern", "einen Saft bitte")
    assert "# people speak German; answer them in it\n" in model.prompts[0].history
    assert kitchen.seen.speech == [
        "Wenn du Saft willst, bringe ich auch eine Tasse. Soll ich mir das merken?",
        "Danke, das merke ich mir.",
        "Hier ist der Saft.",
    ]
    assert [lesson.rule.text for lesson in memory.lessons()] == ["Wenn du Saft willst, bringe ich auch eine Tasse."]
    assert kitchen.where("juice") == "person"


def test_whoever_chooses_a_language_is_told_what_it_lacks() -> None:
    assert speaking("de", leads=True) == speaking("en-GB", leads=False) == ""
    assert "put a language model into models/" in speaking("de-AT", leads=False)
    assert "until it has a table" in speaking("fr", leads=True)


def _own_sentences() -> Iterator[re.Pattern[str]]:
    """Every sentence that stands in heed's code; whatever is put in may be anything."""
    for file in [*DAEMON.rglob("*.py"), *(DAEMON.parent / "skills").glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for sentence in re.split(r"(?<=[.?!]) |(?<=^\{\}) ", _template(node)):
                if len(sentence.replace("{}", "")) > LITERAL:
                    yield re.compile(re.escape(sentence).replace(r"\{\}", ".+"))


def _template(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""
