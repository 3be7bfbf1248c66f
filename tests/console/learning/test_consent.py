"""What counts as a yes."""

import pytest

from daemon.console.learning import consent
from daemon.console.learning.consent import Consent, consent_in, declines
from daemon.llm.answers import Meaning
from daemon.phrasebook import use_language


@pytest.mark.parametrize("answer", ["yes", "Yes, please.", "yeah sure", "ok", "do that", "that is right"])
def test_yes(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize(
    "answer",
    [
        "yesss",
        "yea",
        "haha yeah",
        "course, yes",
        "yes if you don't mind",
        "if you would",
        "you'd better",
        "please",
        "do",
        "uh huh",
        "for sure",
        "inshallah yes",
        "hell yeah",
        "y",
        "Confirmed.",
        "permission granted",
    ],
)
def test_a_yes_as_people_say_it(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize(
    "answer",
    ["no problem, go ahead", "sure, why not", "not bad, do it", "yes, I don't mind", "just do it", "don't forget it"],
)
def test_a_yes_may_have_a_no_in_it(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize(
    "answer",
    [
        "yes, he forgets",
        "yes that is the order of service",
        "sure, sweetheart",
        "of course, my friend",
        "yes, keep hold of that",
    ],
)
def test_a_firm_yes_may_be_followed_by_a_remark(answer: str) -> None:
    assert consent_in(answer) is Consent.YES


@pytest.mark.parametrize("answer", ["Don't forget that!", "keep it", "no, don't forget it", "keep that in mind"])
def test_what_says_to_keep_it_is_a_no_to_forgetting(answer: str) -> None:
    assert consent_in(answer, to_forget=True) is Consent.NO


NO = """no
No, thank you.
no, that is not right
don't
please don’t
never
you shouldn't do that
that isn't correct
it isn't right
can't do that
cannot do it
I doubt that's right
I refuse to do it
I don't think so
of course not
no of course
please do not
you may not
by no means
forget it please do
no go ahead and forget it
haha no
please don't
please wait
you'd better not
no, if you don't mind"""


@pytest.mark.parametrize("answer", NO.splitlines())
def test_no(answer: str) -> None:
    assert consent_in(answer) is Consent.NO


NEITHER = """what?
please the spoon
yes, if it rains
yes, but only for juice
bring me the milk
the weather
are you sure?
is that right?
what time is it ok
good morning
turn right
right, with a saucer
the right cup is the blue one
do it differently
correct it to tea
agreed with anna it's tea
yes and a spoon too
yes the blue one
yes in the mornings
yes for anna
why not the green one
please do that with the green cup
right saucer yes
okay hannah yes he forgets
absolutely every time and with sugar
y would you do that
y bother
granted it's cold
confirmed by whom
keep hold of it"""


@pytest.mark.parametrize("answer", ["", *NEITHER.splitlines()])
def test_everything_else_is_not_a_yes(answer: str) -> None:
    assert consent_in(answer) is Consent.UNCLEAR


@pytest.mark.parametrize(
    "answer", ["Yep, lock it in.", "Ja, ja, remember it, before I think better of it.", "Carve it in stone, lad."]
)
def test_what_the_table_does_not_read_a_network_may(answer: str) -> None:
    assert consent_in(answer, freely=True) is Consent.YES
    assert consent_in(answer) is Consent.UNCLEAR


class Sure:
    """A network that takes all for a yes."""

    def means(self, answer: str) -> tuple[Meaning, float]:
        return Meaning.YES, 1.0


@pytest.mark.parametrize(
    "answer", ["I would not have it any other way", "basket yes, window no", "does a bolt have threads?"]
)
def test_with_a_no_in_it_or_as_a_question_the_network_makes_no_yes(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consent, "_opened", Sure)
    assert consent_in(answer, freely=True) is Consent.UNCLEAR
    assert consent_in("does a bolt have threads", freely=True) is Consent.YES


@pytest.mark.parametrize("language", ["de", "nl", "fr-CA"])
def test_of_other_languages_the_network_reads_nothing(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consent, "_opened", Sure)
    use_language(language)
    try:
        assert consent_in("niet doen alsjeblieft", freely=True) is Consent.UNCLEAR
    finally:
        use_language("en")
    assert consent_in("niet doen alsjeblieft", freely=True) is Consent.YES


@pytest.mark.parametrize(
    ("answer", "no"),
    [("no", True), ("that would be silly, leave it where it is", True), ("no, the milk please instead", False)],
)
def test_a_no_is_plain_or_says_what_instead(answer: str, no: bool) -> None:
    assert declines(answer, freely=True) == no


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("yes, forget it", Consent.YES),
        ("Yes please, forget that rule.", Consent.YES),
        ("forget it", Consent.YES),
        ("just forget it", Consent.YES),
        ("no, don't forget it", Consent.NO),
        ("yes, but not yet", Consent.UNCLEAR),
    ],
)
def test_forget_it_agrees_where_that_is_the_question(answer: str, kind: Consent) -> None:
    assert consent_in(answer, to_forget=True) is kind
    assert consent_in("yes, forget it") is Consent.UNCLEAR
