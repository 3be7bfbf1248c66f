"""What becomes of a recognised text: accepted, asked back, or dropped."""

from dataclasses import replace

import pytest

from daemon.speech.did_you_mean import Sense
from daemon.speech.judgement import Evidence, Verdict, judge
from daemon.speech.recognition import Limits

LIMITS = Limits(
    possible=0.1, stop=0.3, sentence=0.7, word=0.8, anything=0.95, worth_asking=0.5, ahead=0.02, far_ahead=0.05
)
SCENE = Sense(
    ["bring me the juice", "bring me the cup", "turn on the light", "turn off the light", "yes"],
    names=["juice", "cup", "light"],
    odds=lambda heard, named: 1.0 if named and heard.startswith("bring") else -1.0,
)
SPOKEN = Evidence(seconds=1.5)


@pytest.mark.parametrize(
    ("heard", "confidence", "verdict", "text"),
    [
        ("bring me the juice", 0.8, Verdict.ACCEPT, "bring me the juice"),
        ("bring me the juice", 0.6, Verdict.ASK, "bring me the juice"),
        ("bring me juice", 0.8, Verdict.ACCEPT, "bring me the juice"),
        ("bring us juice", 0.8, Verdict.ASK, "bring me the juice"),
        ("yes", 0.75, Verdict.ASK, "yes"),
        ("bring me the light please", 0.97, Verdict.ACCEPT, "bring me the light please"),
        ("sing a song for grandmother", 0.97, Verdict.ASK, "sing a song for grandmother"),
        ("sing a song for grandmother", 0.6, Verdict.ASK, "sing a song for grandmother"),
        ("sing a song for grandmother", 0.4, Verdict.DROP, "sing a song for grandmother"),
        ("bring me the juice", 0.05, Verdict.DROP, "bring me the juice"),
        ("stop", 0.4, Verdict.ACCEPT, "stop"),
        ("stop", 0.2, Verdict.ASK, "stop"),
        ("never mind", 0.2, Verdict.ACCEPT, "never mind"),
        ("thank you", 0.4, Verdict.DROP, "thank you"),
    ],
)
def test_the_surer_and_the_more_sensible_the_sooner_it_is_done(
    heard: str, confidence: float, verdict: Verdict, text: str
) -> None:
    judgement = judge(heard, confidence, (), SPOKEN, SCENE, LIMITS)
    assert (judgement.verdict, judgement.text) == (verdict, text)


def test_where_no_noise_is_taken_for_two_words_they_are_asked_for() -> None:
    wary, sure = LIMITS, replace(LIMITS, fewest=2)
    assert judge("sing loudly", 0.6, (), SPOKEN, SCENE, wary).verdict is Verdict.DROP
    assert judge("sing loudly", 0.6, (), SPOKEN, SCENE, sure).verdict is Verdict.ASK
    assert judge("sing", 0.6, (), SPOKEN, SCENE, sure).verdict is Verdict.DROP


def test_an_alternative_is_good_for_a_question_and_never_for_an_act() -> None:
    judgement = judge("sing me the shoes", 0.9, ("bring me the juice",), SPOKEN, SCENE, LIMITS)
    assert (judgement.verdict, judgement.text) == (Verdict.ASK, "bring me the juice")


@pytest.mark.parametrize(
    ("heard", "margin", "verdict"),
    [
        ("turn on the light", 0.01, Verdict.ASK),
        ("turn on the light", 0.03, Verdict.ACCEPT),
        ("sing a song for grandmother", 0.03, Verdict.ASK),
        ("sing a song for grandmother", 0.06, Verdict.ACCEPT),
        ("sing loudly", 0.06, Verdict.DROP),
    ],
)
def test_what_could_as_well_have_been_something_else_is_asked_and_sooner_where_nobody_expected_it(
    heard: str, margin: float, verdict: Verdict
) -> None:
    assert judge(heard, 0.97, (), replace(SPOKEN, addressed=True), SCENE, LIMITS, margin).verdict is verdict


def test_what_does_not_fit_here_is_done_where_heed_was_called_and_else_asked() -> None:
    words, called = "what your country can do for you", replace(SPOKEN, addressed=True)
    assert judge(words, 0.99, (), SPOKEN, SCENE, LIMITS).verdict is Verdict.ASK
    assert judge(words, 0.99, (), called, SCENE, LIMITS).verdict is Verdict.ACCEPT
    assert judge(words, 0.99, (), SPOKEN, Sense(), LIMITS).verdict is Verdict.ACCEPT


def test_what_fits_in_another_language_nobody_knows() -> None:
    assert not SCENE.fits("schalte das licht ein")
    assert Sense(["bring me the juice"], "de").fits("schalte das licht ein")


def test_our_own_words_come_back_from_the_room() -> None:
    own = Evidence(1.5, own_words="Shall I bring me the juice, too?")
    assert judge("bring me the juice", 0.99, (), own, SCENE, LIMITS).reason == "our own words"


@pytest.mark.parametrize("seconds", [0.05, 0.2])
def test_nobody_says_so_much_in_so_short_a_time(seconds: float) -> None:
    assert judge("bring me the juice", 0.99, (), Evidence(seconds), SCENE, LIMITS).verdict is Verdict.DROP


def test_a_stop_said_in_a_hurry_is_a_stop_and_our_own_is_none() -> None:
    hurried = Evidence(seconds=0.3)
    assert judge("stop stop stop", 0.8, (), hurried, SCENE, LIMITS).verdict is Verdict.ACCEPT
    assert judge("turn on light now", 0.8, (), hurried, SCENE, LIMITS).verdict is Verdict.DROP
    ours = Evidence(seconds=1.0, own_words="please stop it now")
    assert judge("stop it now", 0.8, (), ours, SCENE, LIMITS).verdict is Verdict.DROP


@pytest.mark.parametrize("answer", ["yes", "no", "nope", "no thanks", "sure", "never mind"])
def test_an_answer_that_is_waited_for_is_believed(answer: str) -> None:
    """Else a "no" to "Did you mean ...?" is answered by "Did you mean: no?"."""
    awaited = Evidence(seconds=0.4, asked=True)
    assert judge(answer, 0.2, (), awaited, SCENE, LIMITS).verdict is Verdict.ACCEPT
    assert judge(answer, 0.05, (), awaited, SCENE, LIMITS).verdict is Verdict.DROP


@pytest.mark.parametrize(
    ("answer", "confidence", "odds", "asked", "taken"),
    [
        ("lock it in mate", 0.95, -2.0, True, True),
        ("lock it in mate", 0.95, -2.0, False, False),
        ("lock it in mate", 0.5, -2.0, True, False),
        ("lock it in mate", 0.95, -9.0, True, False),
        ("zebras graze near rivers", 0.95, -2.0, True, False),
        ("go on", 0.95, -2.0, True, False),
    ],
)
def test_an_answer_in_free_words_is_believed_where_one_is_waited_for(
    answer: str, confidence: float, odds: float, asked: bool, taken: bool
) -> None:
    sense = Sense(["bring me the juice"], odds=lambda heard, named: odds, answers=lambda heard: "zebra" not in heard)
    judgement = judge(answer, confidence, (), Evidence(1.5, asked=asked), sense, LIMITS)
    assert (judgement.verdict is Verdict.ACCEPT) == taken
    assert judgement.free == taken  # another ear has to hear it


def test_what_only_sounds_like_something_expected_is_not_put_in_its_place() -> None:
    scene = Sense(["put the juice on the fridge"])
    judgement = judge("put the juice in the fridge", 0.9, (), SPOKEN, scene, LIMITS)
    assert judgement.text == "put the juice in the fridge"
    assert (
        judge("where's the fridge", 0.9, (), SPOKEN, Sense(["where is the fridge"]), LIMITS).verdict is Verdict.ACCEPT
    )
