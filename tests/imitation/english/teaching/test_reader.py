"""What a sentence teaches, in a scene (the sentences are ours, not those of a bench)."""

import pytest

from daemon.console.history import Turn
from daemon.console.learning.no_lesson import NoLesson
from daemon.imitation.english.mishearing import sound_of, well_heard
from daemon.imitation.english.noun_phrases import masked
from daemon.imitation.english.paraphrase import plain_order
from daemon.imitation.english.rewording import reword
from daemon.imitation.english.scene_mentions import Situation
from daemon.imitation.english.teaching.consent_answers import changed, plainly_asks
from daemon.imitation.english.teaching.lesson_reader import taught
from daemon.memory.effects import Also, Meaning, Routine
from daemon.memory.number_rules import Pace
from daemon.memory.rules import Scope
from daemon.memory.sentence_to_effect import read_effect
from daemon.transcript import Step
from skills.scene import Location, Scene, Thing

HERE = (0.0, 0.0, 0.0)
SCENE = Scene(
    objects=(
        Thing("cola_0", "drink", "bar_0", HERE),
        Thing("glass_0", "dishes", "bar_0", HERE),
        Thing("tomato-soup_0", "food", "bar_0", HERE),
        Thing("spoon_0", "dishes", "corner-table_0", HERE),
        Thing("ladder_0", "tool", "bar_0", HERE),
    ),
    locations=tuple(
        Location(name, "surface", HERE) for name in ("bar_0", "corner-table_0", "window-table_0", "workbench_0")
    ),
)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "please get a glass too whenever you get a drink",
            "When you ask for cola or another drink, I also bring the glass.",
        ),
        ("if someone orders a cola, he gets a glass with it", "When you ask for cola, I also bring the glass."),
        ("soup should always come with a spoon", "When you ask for soup, I also bring the spoon."),
        ("never serve the soup without a spoon", "When you ask for soup, I also bring the spoon."),
        ("from today I want my cola with a glass", "When you ask for cola, I also bring the glass."),
        (
            "whenever something is out of reach, bring the ladder",
            "When you need to reach a high place, I also bring the ladder.",
        ),
        ("no more glasses with my drinks", "I bring the glass only when you ask for it."),
        ("I only want a glass if I ask for it", "I bring the glass only when you ask for it."),
        (
            "serving means bringing it to the window table",
            'When you say "serve", you mean "bring it to the window table".',
        ),
        ("when I say serve I mean on the table", 'When you say "serve", you mean "put it on the table".'),
        ("what I call black gold is the cola", 'When you say "black gold", you mean "the cola".'),
        ("there is no room left on the corner table", "The corner table is full."),
        ("someone sits at the window table, it is occupied", "The window table is occupied."),
        (
            "when I ask for a cola, bring it to the window table",
            "When you ask for cola, I bring it to the window table.",
        ),
        ("every time I order soup, serve it on the bar", "When you ask for soup, I bring it to the bar."),
        ("my favourite drink is cola", "Where any drink will do, I take the cola."),
        ("if a guest asks for soup, add the spoon", "When you ask for soup, I also bring the spoon."),
        (
            "next time I ask for a drink, bring a glass too",
            "When you ask for cola or another drink, I also bring the glass.",
        ),
        ("no drinks on the workbench, not mine, not anybody's", "I never put any drink on the workbench."),
        ("never put the ladder on the bar", "I never put the ladder on the bar."),
        ("keep drinks off the workbench", "I never put any drink on the workbench."),
        ("the ladder must never go near the bar", "I never put the ladder on the bar."),
        (
            "could you generally take it slower on your way to the bar",
            "On the way to the bar, I drive at 0.5 times my normal speed.",
        ),
        (
            "half speed while the ladder's in your gripper",
            "When I carry the ladder, I drive at 0.5 times my normal speed.",
        ),
        ("the ladder's home is the bar", "Where I may choose, the ladder goes to the bar."),
        ("the bar, that's the place for the ladder", "Where I may choose, the ladder goes to the bar."),
        ("pick-me-up in this house means the cola, okay", 'When you say "pick-me-up", you mean "the cola".'),
        (
            "if somebody tells you to park something, it goes on the bar",
            'When you say "park", you mean "put it on the bar".',
        ),
        ("drinks belong on the bar", "Where I may choose, the drink goes to the bar."),
        ("always bring the soup to the window table", "When you ask for soup, I bring it to the window table."),
        (
            "slow down on the way from the bar to the bench",
            "On the way from the bar to the workbench, I drive at 0.5 times my normal speed.",
        ),
        (
            "between the bar and the bench you should always go slowly",
            "On the way from the bar to the workbench and back, I drive at 0.5 times my normal speed.",
        ),
        (
            "next time not so fast from the bar to the corner table",
            "On the way from the bar to the corner table, I drive at 0.5 times my normal speed.",
        ),
        (
            "stop racing from the bar to the corner table, always",
            "On the way from the bar to the corner table, I drive at 0.5 times my normal speed.",
        ),
        ("next time hold the glass lower", "When I grasp the glass, I take hold 2 cm lower than usual."),
        ("from now on grip glasses 3 cm higher", "When I grasp the glass, I take hold 3 cm higher than usual."),
        ("next time pull the bar open 4 cm further", "When I open the bar, I pull it 4 cm further than usual."),
        ("you left the bar open", "When I open something to take something out, I close it afterwards."),
        ("no, the soup is not much fun without a spoon", "When you ask for soup, I also bring the spoon."),
        (
            "always bring the soup and the spoon in one go",
            "When you ask for the soup and the spoon, I bring both in one trip.",
        ),
        ("my aunt says the ladder ought to be kept in the bar", "Where I may choose, the ladder goes to the bar."),
        ("put it in the bar, the ladder always goes there", "Where I may choose, the ladder goes to the bar."),
        (
            "oh, you cannot know. Laying the bar means you bring the glass and the spoon to the bar",
            'When you say "lay the bar", you mean "bring the glass and the spoon to the bar".',
        ),
        ("whenever I ask for a soup, I want the tomato one", 'When you say "soup", you mean "the tomato soup".'),
        (
            "be gentle. take it easy between the bar and the corner table next time, somebody spilled water",
            "On the way from the bar to the corner table and back, I drive at 0.5 times my normal speed.",
        ),
        ("drive slower when you carry the soup", "When I carry the soup, I drive at 0.5 times my normal speed."),
        ("never bring me the ladder, whatever I say", "I never bring the ladder, even when you ask for it."),
        ("alway bring a glas with a dring", "When you ask for cola or another drink, I also bring the glass."),
    ],
)
def test_a_lesson_is_told_by_its_small_words(said: str, rule: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect.sentence == rule
    assert read_effect(rule) is not None


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "it fizzes all over my shirt, so have a glass ready every time",
            "When you ask for cola, I also bring the glass.",
        ),
        (
            "it frightens me to see the ladder race past, be gentle every time",
            "When I carry the ladder, I drive at 0.5 times my normal speed.",
        ),
        (
            "crawl, in future, the bar and the corner table have children between them",
            "On the way from the bar to the corner table and back, I drive at 0.5 times my normal speed.",
        ),
        (
            "in future the spoon has its home at the corner table",
            "Where I may choose, the spoon goes to the corner table.",
        ),
        ("as a rule keep the ladder away from my kitchen", "I bring the ladder only when you ask for it."),
    ],
)
def test_a_lesson_of_no_known_form_is_guessed_from_what_it_names(said: str, rule: str) -> None:
    before = Turn("bring me a cola", (*moves("cola_0"), Step("handover('cola_0')", "'success'")))
    effect = taught(said, SCENE, [before])
    assert effect is not None
    assert effect.sentence == rule


def test_nothing_is_guessed_where_nothing_is_to_last_or_too_much_is_named() -> None:
    before = Turn("bring me a cola", (*moves("cola_0"), Step("handover('cola_0')", "'success'")))
    assert taught("have a glass ready", SCENE, [before]) is None
    assert taught("the glass, the soup, the spoon and the ladder are dirty again", SCENE, [before]) is None
    assert taught("do you always have a glass ready?", SCENE, [before]) is None


def moves(thing: str) -> tuple[Step, ...]:
    return (
        Step("wait_for_trigger()", "{'type': 'dialog', 'text': 'bring me a cola'}"),
        Step("move_to('bar_0')", "'success'"),
        Step(f"grasp({thing!r})", "'success'"),
        Step("move_to('person')", "'success'"),
    )


def test_what_is_brought_for_a_name_that_nothing_here_has_is_a_routine() -> None:
    effect = taught("when I ask for lunch, please bring me the soup and the spoon", SCENE)
    assert effect == Routine("lunch", "the soup and the spoon")
    assert isinstance(taught("when I ask for the soup, bring me the spoon", SCENE), Also)


@pytest.mark.parametrize(
    "said",
    [
        "bring me the soup with a spoon",
        "what do you always bring with the soup?",
        "when you are ready bring me a cola",
        "I always have soup on Mondays",
        "put the spoon on the bar",
    ],
)
def test_a_request_teaches_nothing(said: str) -> None:
    assert taught(said, SCENE) is None


def test_a_word_that_was_explained_is_left_alone_in_a_longer_name() -> None:
    explained = Meaning("soup", "the cola")
    assert reword("bring me the soup", explained, Situation(SCENE))[0] == "bring me the cola"
    assert reword("bring me the tomato soup", explained, Situation(SCENE))[0] == "bring me the tomato soup"


def test_tokens_stand_for_what_a_sentence_refers_to() -> None:
    said = masked("bring the glass with a drink to the corner table", SCENE)
    assert said.text == "bring T0 with C1 to P2"
    assert (said.thing("T0"), said.scope("C1")[0], said.place("P2")) == (
        "glass",
        Scope(object_class="drink"),
        "corner table",
    )


@pytest.mark.parametrize(
    ("said", "heard"), [("juice", "jews"), ("cup", "cop"), ("ladder", "latter"), ("fridge", "phridge")]
)
def test_words_that_sound_alike_have_one_sound(said: str, heard: str) -> None:
    assert sound_of(said) == sound_of(heard)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("bring me the latter", "bring me the ladder"),
        ("put it on the work bench", "put it on the workbench"),
        ("take the spun to the widow table", "take the spoon to the window table"),
        ("surf me some cola", "serve me some cola"),
        ("bring me the cold milk", "bring me the cold milk"),
        ("bring me the pear", "bring me the pear"),
        ("you forgot the spoon", "you forgot the spoon"),
    ],
)
def test_only_what_makes_no_sense_here_was_misheard(said: str, heard: str) -> None:
    assert well_heard(said, SCENE) == heard


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            "hm, rather the spoon instead",
            "When you ask for cola or another drink, I also bring the spoon, both at once.",
        ),
        ("yes, but only for soup", "When you ask for soup, I also bring the glass, both at once."),
        ("yes but one after the other", "When you ask for cola or another drink, I also bring the glass."),
    ],
)
def test_a_change_in_words_changes_the_rule(answer: str, sentence: str) -> None:
    effect = changed(Also(Scope(object_class="drink"), "glass", True, "cola"), answer, SCENE)
    assert effect is not None
    assert effect.sentence == sentence


@pytest.mark.parametrize(
    ("answer", "asks"), [("bring me the soup", True), ("no, bring the spoon instead", False), ("what?", False)]
)
def test_another_request_is_no_answer(answer: str, asks: bool) -> None:
    assert plainly_asks(answer) is asks


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("the spoon should be taken over to the bar, would you", "put the spoon on the bar"),
        ("I'd like to have the cola on the window table please", "put the cola on the window table"),
        ("bring me the spoon from the corner table", "bring me the spoon from the corner table"),
        ("bring me everything on the workbench", "bring me everything on the workbench"),
        ("bring me what is on the corner table", "bring me the spoon"),
        ("take everything from the corner table to the bar", "take the spoon to the bar"),
        ("put everything on the bar", "put everything on the bar"),
        ("if there is soup, bring me the soup, otherwise the cola", "bring me the soup"),
        ("if there is tea, bring me the tea, otherwise the cola", "bring me the cola"),
        ("if there is no soup, bring me the cola", "where is the soup?"),
        ("if you see a spoon, put it on the bar", "put the spoon on the bar"),
        ("please open the bar and leave it open", "please open the bar"),
        ("take the spoon and leave it open", "take the spoon and leave it open"),
    ],
)
def test_a_roundabout_request_is_said_plainly(said: str, plain: str) -> None:
    assert plain_order(said, SCENE) == plain


CUPBOARD = Scene((), (Location("cupboard_0", "container", HERE, door="closed"), Location("bar_0", "surface", HERE)))


@pytest.mark.parametrize(
    ("said", "deed"),
    [
        ("from now on, close the cupboard slowly", "close"),
        ("always shut the cupboard carefully", "close"),
        ("from today on, don't slam the cupboard", "close"),
        ("in the future be gentle when you close the cupboard", "close"),
        ("from now on open the cupboard gently", "open"),
    ],
)
def test_how_fast_a_door_is_moved_is_taught(said: str, deed: str) -> None:
    effect = taught(said, CUPBOARD)
    assert effect is not None
    assert effect.sentence == f"When I {deed} the cupboard, my hand moves at 0.5 times its normal speed."
    assert read_effect(effect.sentence) == effect


@pytest.mark.parametrize("said", ["close the cupboard slowly", "always close the cupboard", "go slowly to the bar"])
def test_a_door_that_is_to_be_moved_now_teaches_no_pace(said: str) -> None:
    assert not isinstance(taught(said, CUPBOARD), Pace)


def test_nobody_teaches_the_hand_to_be_faster_than_it_may() -> None:
    with pytest.raises(NoLesson, match="as fast as they may"):
        taught("from now on open the cupboard faster", CUPBOARD)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("the spoon always goes onto the corner table", "Where I may choose, the spoon goes to the corner table."),
        ("always bring a glass with the cola, and so for all drinks", "When you ask for cola or another drink"),
        ("no glass unless I ask for one", "I bring the glass only when you ask for it."),
    ],
)
def test_what_fresh_conversations_showed_to_be_missing_is_understood(said: str, rule: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect.sentence.startswith(rule)


def asked(text: str) -> tuple[Turn, ...]:
    return (Turn(text, (Step("wait_for_trigger()", repr({"type": "dialog", "text": text})),)),)


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "supper in this house is the glass on the bar, and after that the soup next to it",
            'When you say "supper", you mean "put the glass on the bar and put the soup on the bar".',
        ),
        (
            "movie night means the cola on the corner table and the glass on the bar",
            'When you say "movie night", you mean "put the cola on the corner table and put the glass on the bar".',
        ),
        (
            "Because guests come in the evening, opening hour means that you put the spoon on the bar.",
            'When you say "opening hour", you mean "put the spoon on the bar".',
        ),
        ("fizz is my cola! it is called that by everybody", 'When you say "fizz", you mean "the cola".'),
    ],
)
def test_several_things_and_their_places_are_taught_under_a_name(said: str, rule: str) -> None:
    effect = taught(said, SCENE)
    assert effect is not None
    assert effect.sentence == rule


def test_a_word_that_was_asked_for_in_vain_is_explained_by_a_bare_is() -> None:
    effect = taught("fizz is the cola", SCENE, asked("gimme the fizz"))
    assert effect == Meaning("fizz", "the cola")
    assert taught("fizz is the cola", SCENE) is None


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("opening time, I should think", "put the spoon on the bar"),
        ("Oh is that so? Then let's have opening time.", "put the spoon on the bar"),
        ("it is not opening time yet", "it is not opening time yet"),
    ],
)
def test_a_word_that_means_a_deed_is_the_whole_request(said: str, meaning: str) -> None:
    effect = Meaning("opening time", "put the spoon on the bar")
    assert reword(said, effect, Situation(SCENE))[0] == meaning
