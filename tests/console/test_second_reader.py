"""The second reader: what it is told of a prompt, what it makes of an answer, and what comes of two opinions."""

from collections.abc import Sequence

import pytest

from daemon.console.prompt_parts import UNDER_WAY, PromptParts
from daemon.console.second_reader import SecondReader, asked, deeds_of
from daemon.llm.intents import Asked, Deeds

PROMPT = """\
# A new conversation begins.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'Put the drill on the bench'}
>>> put('drill', 'bench')
>>> say('There it lies.')
# bench (also the long bench): drill (tool), saw (tool, also the fox tail), rag (cloth, dirty)
# cabinet (closed): gloves
# you are at bench; left hand: empty, right hand: empty
# people: person, kuba
# learned 1: I never bring the saw.
>>> wait_for_trigger()
{'type': 'dialog', 'text': 'Everything to Kuba'}
# near: drill, saw
>>>"""


def does(functions: str, moved: str = "", named: str = "", target: str = "") -> Deeds:
    return Deeds(*(frozenset(part.split()) for part in (functions, moved, named, target)))


@pytest.mark.parametrize(
    ("answer", "deeds"),
    [
        ("bring('drill')\nsay('Here.')", does("bring", "drill", target="person")),
        ("bring('drill', 'kuba')\nput('saw', 'cabinet')", does("bring put", "drill saw", target="kuba cabinet")),
        ("put_all('bench', 'cabinet', 'saw')", does("put", "drill rag", target="cabinet")),
        ("put_all('tool', 'kuba')", does("bring", "drill saw", target="kuba")),
        ("tell('saw')", does("tell", named="saw")),
        ("say('The saw is on the bench.')", does("say")),
        ("ask('Which one?')", does("ask")),
        ("pass", does("pass")),
        ("forbid('saw', who='kuba')", does("forbid", named="saw")),
        ("remember('When you ask for the drill, I also bring the gloves.')", does("remember", named="drill gloves")),
        ("close('cabinet')", does("close", target="cabinet")),
        ("grasp('drill')\nmove_to('kuba')\nhandover('drill')", does("bring", "drill", target="kuba")),
        ("grasp('drill')\nplace('drill', 'cabinet')", does("put", "drill", target="cabinet")),
        ("move_to('cabinet')\nopen_door('cabinet')", does("open", target="cabinet")),
        ("move_to('bench')", does("go", target="bench")),
        ("x = 1", does("other")),
        ("bring('drill'", does("other")),
    ],
)
def test_what_an_answer_does(answer: str, deeds: Deeds) -> None:
    assert deeds_of(answer.split("\n"), PromptParts.by(PROMPT)) == deeds


def test_it_reads_what_the_mind_reads() -> None:
    told = asked(PromptParts.by(PROMPT))
    assert told.words == "everything to kuba"
    assert told.before == "put the drill on the bench = put drill bench"
    assert [name.name for name in told.names] == ["person", "kuba", "bench", "drill", "saw", "rag", "cabinet", "gloves"]
    assert told.names[4].told == "saw (tool, also the fox tail)"
    assert told.rules == ["I never bring the saw."]


class Opinion:
    """Finds everything as likely as it is told to; counts how often it reads."""

    def __init__(self, likelihood: float, deed: Deeds | None = None, surely: str = "bring") -> None:
        self._likelihood, self._surely = likelihood, surely
        self.deed = deed
        self.asked: list[Asked] = []

    def read(self, asked: Asked) -> "Opinion":
        self.asked.append(asked)
        return self

    def __call__(self, deeds: Deeds) -> float:
        return self._likelihood

    def of_these(self, functions: frozenset[str]) -> float:
        return float(self._surely in functions)


def sure(likelihoods: Sequence[float], own: float) -> list[float]:
    return [SecondReader(Opinion(one)).together(PROMPT, "bring('drill')", own) for one in likelihoods]


def test_two_that_agree_are_surer_than_two_that_do_not() -> None:
    agree, doubt, differ = sure([-0.2, -4.0, -12.0], 0.9)
    assert 1 > agree > 0.8 > doubt > differ > 0
    assert sure([-0.2], 0.2) < sure([-0.2], 0.9)
    assert sure([-40.0], 0.0)[0] >= 0


def test_a_prompt_is_read_once_for_all_that_is_written() -> None:
    opinion = Opinion(-1.0)
    reader = SecondReader(opinion)
    for answer in ("bring('drill')", "bring('drill')\nbring('saw')"):
        reader.together(PROMPT, answer, 0.9)
    assert len(opinion.asked) == 1


def test_what_is_asked_for_is_told_so_that_it_can_be_compared() -> None:
    both, one = (SecondReader(Opinion(-1.0, does("put", what, target="cabinet"))) for what in ("saw drill", "drill"))
    assert both.asked_for(PROMPT) == "put; drill saw; ; cabinet" != one.asked_for(PROMPT)
    assert SecondReader(Opinion(-1.0)).asked_for(PROMPT) is None
    assert both.asked_for("") is None


@pytest.mark.parametrize(("surely", "words", "asked_for"), [
    ("say", "Everything to Kuba", ""),
    ("pass", "Everything to Kuba", ""),
    ("ask", "Everything to Kuba", None),
    ("other", "Everything to Kuba", None),
    ("refuse", "Everything to Kuba", "refuse"),
    ("say", "In half an hour everything to Kuba", None),
])  # fmt: skip
def test_it_tells_what_surely_asks_for_nothing(surely: str, words: str, asked_for: str | None) -> None:
    reader = SecondReader(Opinion(-1.0, surely=surely))
    assert reader.asked_for(PROMPT.replace("Everything to Kuba", words)) == asked_for


class Moves(Opinion):
    """Finds that the saw is to be moved."""

    moved = ("saw",)


@pytest.mark.parametrize(
    ("words", "rule", "moved"),
    [
        ("Everything to Kuba", "I never bring the saw.", ("saw",)),
        ("Two saws to Kuba", "I never bring the saw.", ()),
        ("The other one to Kuba", "I never bring the saw.", ("saw",)),
        ("The closing time, please", "The closing time is: two saws and a rag on the bench.", ()),
        ("The closing time, please", "The closing time is: the saws and one rag on the bench.", ("saw",)),
        ("Everything to Kuba", "The closing time is: two saws and a rag on the bench.", ("saw",)),
    ],
)
def test_where_a_number_is_told_it_cannot_tell_which(words: str, rule: str, moved: tuple[str, ...]) -> None:
    prompt = PROMPT.replace("Everything to Kuba", words).replace("I never bring the saw.", rule)
    assert tuple(SecondReader(Moves(-1.0)).moved(prompt)) == moved


def test_only_what_begins_a_turn_is_refused() -> None:
    refused = SecondReader(Opinion(-1.0, surely="refuse")).refused
    assert refused(PROMPT)
    assert not refused(PROMPT.replace("# near", ">>> grasp('drill')\n'success'\n# near"))
    assert not refused(PROMPT.replace("# near", f"{UNDER_WAY}move_to('bench')\n# near"))
    assert not SecondReader(Opinion(-1.0, surely="say")).refused(PROMPT)


def test_where_something_waits_any_words_may_be_its_sign() -> None:
    waits = PROMPT.replace("bring the saw.\n", "bring the saw.\n# later 1: Anna comes: bring the saw\n")
    assert SecondReader(Opinion(-1.0, surely="say")).asked_for(waits) is None


@pytest.mark.parametrize(
    "prompt",
    [
        "Answer yes or no.\n>>>",
        "",
        PROMPT.replace("{'type': 'dialog', 'text': 'Everything to Kuba'}", "{'type': 'dialog', 'text': broken"),
        PROMPT.replace("{'type': 'dialog', 'text': 'Put the drill on the bench'}", "{'type': 'dialog', 'event': 3}"),
        "# you are at nowhere",
    ],
)
def test_where_there_is_no_situation_the_mind_knows_alone(prompt: str) -> None:
    assert SecondReader(Opinion(-9.0)).together(prompt, "say('yes')", 0.7) == 0.7
