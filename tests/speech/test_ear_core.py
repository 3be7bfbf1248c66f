"""What the ear decides, as lists of events: no microphone, no network, no thread, no clock."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.reflex import Reflex, reflex_in
from daemon.speech.broken_sentences import LONGEST_PAUSE, goes_on
from daemon.speech.ear_core import step
from daemon.speech.ear_events import (
    Action,
    Deliver,
    Do,
    End,
    Event,
    Gap,
    HalfDuplex,
    Mute,
    Others,
    Recognize,
    Sound,
    Stop,
    StopHint,
    TalkKey,
    Understood,
    Unsure,
    Wake,
)
from daemon.speech.ear_state import Body, Ear, Mind, Mouth, Policy, State
from daemon.speech.judgement import Judgement, Verdict
from daemon.speech.turn_words import back_channel, closed_answer, unfinished
from daemon.speech.vad import BLOCK, RATE, Segment

VOICE, HUM, NOTHING = 0.9, 0.4, 0.1
SPEAKING = Others(speaking=True)
ASKING = Others(asking=True)
MOVING = Others(moving=True)


class Replay:
    """Feeds events, and keeps the state and everything that was to be done."""

    def __init__(self, **policy: object) -> None:
        self.state = State(Policy(**policy))  # type: ignore[arg-type]
        self.actions: list[Action] = []

    def feed(self, *events: Event | tuple[float, int]) -> list[Action]:
        """Events, or sound as (probability of a voice, number of blocks); returns what is to be done now."""
        before = len(self.actions)
        for event in events:
            for one in [Sound(event[0])] * event[1] if isinstance(event, tuple) else [event]:
                self.state, actions = step(self.state, one)
                self.actions.extend(actions)
        return self.actions[before:]

    def answer(self, text: str, verdict: Verdict = Verdict.ACCEPT, ticket: int = 0) -> list[Action]:
        """The recogniser has understood this, of its newest order unless told otherwise."""
        return self.feed(Understood(ticket or self.state.ticket, Judgement(verdict, text, heard=text)))

    @property
    def delivered(self) -> list[str]:
        return [a.judgement.text for a in self.actions if isinstance(a, Deliver) and accepted(a)]

    @property
    def segments(self) -> list[Segment]:
        return [a.segment for a in self.actions if isinstance(a, Deliver)]


def accepted(delivery: Deliver) -> bool:
    return delivery.judgement.verdict is not Verdict.DROP


def orders(actions: list[Action]) -> list[Recognize]:
    return [action for action in actions if isinstance(action, Recognize)]


# --- where speech begins and ends ---


def test_silence_changes_nothing() -> None:
    replay = Replay()
    assert replay.feed((NOTHING, 1000), (HUM, 100)) == []
    assert replay.state.ear is Ear.QUIET


def test_two_blocks_are_a_click_and_three_are_speech() -> None:
    assert Replay().feed((NOTHING, 30), (VOICE, 2), (NOTHING, 40)) == []
    assert len(orders(Replay().feed((NOTHING, 30), (VOICE, 3), (NOTHING, 40)))) == 1


def test_while_the_silence_may_be_a_pause_the_recogniser_works_already() -> None:
    replay = Replay()
    assert replay.feed((NOTHING, 40), (VOICE, 10), (NOTHING, 3)) == []
    (guess,) = replay.feed((NOTHING, 1))
    assert isinstance(guess, Recognize)
    assert guess.segment == Segment(15 * BLOCK, 40 * BLOCK, 50 * BLOCK, 54 * BLOCK)
    assert replay.answer("bring me the cup") == []
    assert replay.feed((NOTHING, 8)) == []
    assert replay.feed((NOTHING, 1)) == [Do.SIGN]
    assert replay.feed((NOTHING, 2)) == []
    (delivery,) = replay.feed((NOTHING, 1))
    assert isinstance(delivery, Deliver)
    assert delivery.segment == Segment(15 * BLOCK, 40 * BLOCK, 50 * BLOCK, 66 * BLOCK)


def test_who_goes_on_after_a_sign_has_another_one_at_the_end() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer("bring me the cup")
    assert replay.feed((NOTHING, 9)) == [Do.SIGN]
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer("bring me the cup and the milk")
    assert replay.feed((NOTHING, 9)) == [Do.SIGN]
    replay.feed((NOTHING, 12))
    assert replay.delivered == ["bring me the cup and the milk"]


def unsure(replay: Replay, text: str) -> list[Action]:
    """The first ear has heard this of the newest order, and the second still listens."""
    return replay.feed(Unsure(replay.state.ticket, Judgement(Verdict.ASK, text, heard=text)))


def test_the_second_ear_has_the_last_word() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    assert unsure(replay, "bring me the cap") == []
    replay.answer("bring me the cup")
    replay.feed((NOTHING, 12))
    assert replay.delivered == ["bring me the cup"]


def test_what_the_second_ear_still_listens_to_is_waited_for() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    unsure(replay, "bring me the cap")
    assert replay.feed((NOTHING, 20)) == [Do.SIGN]
    (delivery,) = replay.answer("bring me the cup")
    assert isinstance(delivery, Deliver)
    assert replay.delivered == ["bring me the cup"]


def test_who_fell_silent_before_even_the_first_ear_had_words_has_a_sign_as_soon_as_it_has() -> None:
    replay = Replay()
    assert Do.SIGN not in replay.feed((VOICE, 10), (NOTHING, 20))
    assert unsure(replay, "bring me the cap") == [Do.SIGN]
    (delivery,) = replay.answer("bring me the cup")
    assert isinstance(delivery, Deliver)


def test_who_speaks_again_has_no_sign_for_what_was_before() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 20))
    ticket = replay.state.ticket
    replay.feed((VOICE, 10))
    assert Do.SIGN not in replay.feed(Unsure(ticket, Judgement(Verdict.ASK, "the cap", heard="the cap")))


def test_who_had_a_sign_is_heard_though_our_own_voice_begins() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer("bring me the cup")
    assert replay.feed((NOTHING, 9)) == [Do.SIGN]
    replay.feed(SPEAKING, (NOTHING, 1))
    assert replay.delivered == ["bring me the cup"]


@pytest.mark.parametrize(
    ("before", "verdict"), [(Mute(True), Verdict.ASK), (Others(), Verdict.DROP), (SPEAKING, Verdict.ASK)]
)
def test_nobody_has_a_sign_of_what_was_not_for_us(before: Event, verdict: Verdict) -> None:
    replay = Replay(both_at_once=True)
    replay.feed(before, (VOICE, 10), (NOTHING, 6))
    replay.feed(Unsure(replay.state.ticket, Judgement(verdict, "nice weather today", heard="nice weather today")))
    assert Do.SIGN not in replay.feed((NOTHING, 20))
    assert Do.SIGN not in replay.answer("nice weather today", Verdict.DROP)


def test_what_sounds_unfinished_to_the_first_ear_is_waited_for_as_well() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    unsure(replay, "the cup and")
    assert replay.feed((NOTHING, 12)) == []
    assert replay.state.hearing
    assert replay.feed((NOTHING, 20)) == [Do.SIGN]


def test_a_robot_that_moves_goes_on_while_the_second_ear_listens() -> None:
    for pause, done in ((6, [Do.SPEED_UP]), (20, [Do.SPEED_UP, Do.SIGN])):  # to a guess, and to one that is over
        replay = Replay()
        replay.feed(MOVING, (VOICE, 10), (NOTHING, pause))
        assert replay.state.body is Body.SLOWED
        said = Judgement(Verdict.ASK, "nice weather today", heard="nice weather today")
        assert replay.feed(Unsure(1, said)) == done


def test_words_are_wanted_from_the_first_silence_until_they_have_come() -> None:
    replay = Replay()
    for silence in (6, 20):
        replay.feed((VOICE, 10), (NOTHING, silence))
        assert replay.state.ticket in replay.state.wanted
    replay.answer("bring me the cup")
    assert replay.state.ticket not in replay.state.wanted


def test_while_the_robot_moves_the_second_ear_hears_the_beginning_too() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), (NOTHING, 6), (VOICE, 5))
    assert replay.state.ticket in replay.state.wanted


def test_nobody_waits_for_the_second_ear_where_speech_went_on() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6), (VOICE, 5))
    before = replay.state
    assert before.ticket not in before.wanted
    assert unsure(replay, "bring") == []
    assert replay.state == before


def test_it_is_spoken_to_from_the_first_word_until_the_last_is_understood() -> None:
    replay = Replay()
    told = [replay.state.spoken_to]
    for sound in ((VOICE, 10), (NOTHING, 40)):
        replay.feed(sound)
        told.append(replay.state.spoken_to)
    assert not replay.state.hearing
    replay.answer("bring me the cup")
    assert [*told, replay.state.spoken_to] == [False, True, True, False]


def test_a_guess_is_void_when_speech_goes_on() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer("bring me")
    replay.feed((VOICE, 5), (NOTHING, 6))
    replay.answer("bring me", ticket=1)  # late
    replay.answer("bring me the cup")
    replay.feed((NOTHING, 30))
    assert replay.delivered == ["bring me the cup"]


BEGUN = "the light is gone"


def remark(text: str = BEGUN) -> Judgement:
    return Judgement(Verdict.ASK, text, 0.9, "not expected", text, remark=True)


def gone_on(text: str = BEGUN, **policy: object) -> Replay:
    """Somebody has made a remark, and speaks again before it is understood."""
    replay = Replay(**policy)
    replay.feed((VOICE, 20), (NOTHING, 4))
    first = replay.state.ticket
    replay.feed((NOTHING, 14), (VOICE, 6))
    asked = replay.feed(Understood(first, remark(text)))
    assert not [action for action in asked if isinstance(action, Deliver)]
    return replay


@pytest.mark.parametrize("verdict", [Verdict.ACCEPT, Verdict.ASK])
def test_a_sentence_that_a_pause_broke_in_two_is_one(verdict: Verdict) -> None:
    replay = gone_on()
    replay.feed((NOTHING, 20))
    replay.answer("so bring me the lamp", verdict)
    (delivery,) = [action for action in replay.actions if isinstance(action, Deliver)]
    assert delivery.judgement.text == delivery.judgement.heard == "the light is gone so bring me the lamp"
    assert delivery.judgement.verdict is verdict
    assert delivery.segment.speech_start == 0


def test_a_sentence_may_have_three_parts() -> None:
    replay = gone_on()
    replay.feed((NOTHING, 4))
    second = replay.state.ticket
    replay.feed((NOTHING, 14), (VOICE, 6))
    replay.feed(Understood(second, remark("and I cannot see")))
    replay.feed((NOTHING, 20))
    replay.answer("so bring me the lamp")
    assert replay.delivered == [f"{BEGUN} and I cannot see so bring me the lamp"]


def test_what_is_perhaps_a_wish_is_asked_about_at_once() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), (NOTHING, 4))
    first = replay.state.ticket
    replay.feed((NOTHING, 14), (VOICE, 6))
    replay.answer("bring me the lamb", Verdict.ASK, first)
    assert replay.delivered == ["bring me the lamb"]


@pytest.mark.parametrize("text", ["yes", "go on", "no don't put it there", "never mind", "stop listening"])
def test_who_says_something_of_its_own_is_not_asked_about_a_remark_before(text: str) -> None:
    replay = gone_on()
    replay.feed((NOTHING, 20))
    replay.answer(text)
    replay.feed((NOTHING, 50))
    assert replay.delivered == [text]
    (dropped,) = [action.judgement for action in replay.actions if isinstance(action, Deliver) and not accepted(action)]
    assert (dropped.text, dropped.reason) == (BEGUN, "something else was said")


def test_who_is_asked_about_a_stop_is_asked_nothing_else() -> None:
    replay = gone_on()
    replay.feed((NOTHING, 20))
    replay.answer("go on", Verdict.ASK)
    assert replay.delivered == ["go on"]


@pytest.mark.parametrize("event", [Mute(True), SPEAKING, ASKING, Others(stopped=True)])
def test_a_remark_is_forgotten_where_heed_speaks_was_stopped_or_hears_no_more(event: Event) -> None:
    replay = gone_on()
    replay.feed(event, (NOTHING, 80))
    assert BEGUN not in replay.delivered


def test_a_stop_voids_a_remark() -> None:
    replay = gone_on()
    replay.feed((NOTHING, 20))
    replay.answer("stop")
    replay.feed((NOTHING, 50))
    assert replay.delivered == []


def test_nobody_is_asked_what_they_said_before_a_stop() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), (NOTHING, 18))
    (ticket, _), *_ = replay.state.awaited
    replay.feed((VOICE, 2), StopHint(sure=True))
    replay.answer("bring me the lamb", Verdict.ASK, ticket)
    (dropped,) = [action.judgement for action in replay.actions if isinstance(action, Deliver)]
    assert (dropped.verdict, dropped.reason) == (Verdict.DROP, "said before the stop")


def test_a_remark_has_a_sign_also_where_its_words_were_known_before_its_end() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), (NOTHING, 15), Understood(1, remark()), (NOTHING, 1))
    assert replay.actions.count(Do.SIGN) == 1


def test_a_remark_is_asked_about_after_the_first_piece_of_others_talk() -> None:
    replay = gone_on()
    replay.feed((VOICE, 20), (NOTHING, 20), (VOICE, 20))
    (ticket, _), *_ = replay.state.awaited
    replay.answer("and they all laughed", Verdict.DROP, ticket)
    assert replay.delivered == [BEGUN]


def test_no_two_parts_together_end_a_stop() -> None:
    begun, rest = "the kids have gone outside", "why does the alarm keep going"
    replay = gone_on(begun)
    assert reflex_in(f"{begun} {rest}") is Reflex.RESUME
    replay.feed((NOTHING, 20))
    replay.answer(rest)
    assert replay.delivered == [rest]


def test_who_may_go_on_has_a_sign_at_once_and_is_asked_a_second_after_the_last_word() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), (NOTHING, 16))
    assert replay.feed(Understood(replay.state.ticket, remark())) == [Do.SIGN]
    replay.feed((NOTHING, 13), (VOICE, 1))  # a click
    assert replay.state.spoken_to
    replay.feed((NOTHING, 1))
    assert replay.delivered == [BEGUN]
    assert replay.actions.count(Do.SIGN) == 1
    assert not replay.state.spoken_to


def test_what_is_said_much_later_is_another_sentence() -> None:
    replay = gone_on()
    assert replay.state.beginning is not None
    begin = replay.state.beginning.segment.speech_end + LONGEST_PAUSE + 1
    late = Deliver(Judgement(Verdict.ACCEPT, "bring me the lamp"), Segment(begin, begin, 2 * begin, 2 * begin))
    assert not goes_on(replay.state.beginning, late)


def test_at_the_end_of_the_sound_nobody_goes_on() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), (NOTHING, 6), End())
    replay.feed(Understood(replay.state.ticket, remark()))
    assert replay.delivered == [BEGUN]


def test_what_is_unsure_while_our_own_voice_sounds_is_asked_about_at_once() -> None:
    replay = Replay(both_at_once=True)
    replay.feed((VOICE, 20), (NOTHING, 6), SPEAKING, (NOTHING, 10), Understood(replay.state.ticket + 1, remark()))
    assert replay.delivered == [BEGUN]


def test_what_is_cut_since_it_is_long_may_go_on() -> None:
    replay = Replay()
    replay.feed((VOICE, 15 * RATE // BLOCK + 20))
    (ticket, _), *_ = replay.state.awaited
    replay.feed((VOICE, 20), Understood(ticket, remark()))
    assert replay.delivered == []


def test_who_has_begun_needs_no_name_to_go_on() -> None:
    replay = Replay(wake=True)
    replay.feed(Wake(), (NOTHING, 300), (VOICE, 10), (NOTHING, 18))
    replay.feed(Understood(replay.state.ticket, remark()), (VOICE, 12), (NOTHING, 20))
    replay.answer("so bring me the lamp")
    assert replay.delivered == ["the light is gone so bring me the lamp"]


def test_an_unsure_answer_to_a_question_is_asked_about_at_once() -> None:
    replay = Replay()
    replay.feed(ASKING, (VOICE, 20), (NOTHING, 4))
    first = replay.state.ticket
    replay.feed((NOTHING, 14), (VOICE, 6), Understood(first, remark()))
    assert replay.delivered == [BEGUN]


def test_words_that_come_after_the_end_are_delivered_then() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 40), (VOICE, 10), (NOTHING, 40))
    assert replay.delivered == []
    replay.answer("first", ticket=1)
    replay.answer("second", ticket=2)
    replay.answer("second", ticket=2)
    assert replay.delivered == ["first", "second"]


def test_words_that_never_come_are_given_up() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 30))
    assert replay.state.awaited
    replay.feed((NOTHING, 11 * RATE // BLOCK))
    assert not replay.state.awaited


def test_a_pause_inside_a_sentence_does_not_end_it_and_is_learned() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 15), (VOICE, 10))
    assert replay.segments == []
    assert Policy().patience < replay.state.patience <= Policy().most_patience
    quick = Replay()
    quick.feed(*[(VOICE, 10), (NOTHING, 3)] * 40, (VOICE, 3))
    assert quick.state.patience == Policy().least_patience


def test_who_pauses_for_long_is_waited_for() -> None:
    replay = Replay()
    for _ in range(6):
        replay.feed((VOICE, 10), (NOTHING, 15))
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer("bring me the cup")
    replay.feed((NOTHING, 10))
    assert replay.delivered == []
    replay.feed((NOTHING, 4))
    assert replay.delivered == ["bring me the cup"]


@pytest.mark.parametrize(
    ("text", "others", "blocks"),
    [
        ("yes please", ASKING, 8),
        ("yes please", Others(), 16),
        ("bring me the cup", ASKING, 16),
        ("never mind", Others(), 8),
        ("bring me the cup and", Others(), 31),
    ],
)
def test_the_silence_that_ends_a_sentence_depends_on_its_words(text: str, others: Others, blocks: int) -> None:
    replay = Replay()
    replay.feed(Others(thinking=True), (NOTHING, 1), others, (VOICE, 10), (NOTHING, 6))
    replay.answer(text)
    replay.feed((NOTHING, blocks - 7))
    assert replay.delivered == []
    replay.feed((NOTHING, 1))
    assert replay.delivered == [text]


def test_a_hum_neither_begins_speech_nor_ends_it() -> None:
    replay = Replay()
    replay.feed((VOICE, 5), (HUM, 30), (NOTHING, 6))
    (order,) = orders(replay.actions)
    assert order.segment.speech_end == 35 * BLOCK


def test_speech_without_an_end_is_cut_after_fifteen_seconds() -> None:
    replay = Replay()
    replay.feed((VOICE, 2 * 469))
    first, second = (order.segment for order in orders(replay.actions))
    assert first.end - first.speech_start >= 15 * RATE
    assert second.start == first.end == second.speech_start
    assert all(order.final for order in orders(replay.actions))


def test_the_pre_roll_never_reaches_into_the_utterance_before() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), (NOTHING, 18), (VOICE, 10), (NOTHING, 16))
    _, second = (order.segment for order in orders(replay.actions))
    assert second.start == 26 * BLOCK


def test_the_end_of_the_sound_ends_the_speech() -> None:
    replay = Replay()
    replay.feed((VOICE, 10))
    (order,) = orders(replay.feed(End()))
    assert order.segment.end == 10 * BLOCK
    assert replay.feed(End()) == []
    replay.answer("bring me the cup")
    assert replay.delivered == ["bring me the cup"]


def test_after_a_gap_the_step_in_the_noise_is_no_voice() -> None:
    replay = Replay()
    replay.feed((VOICE, 10), Gap(), (VOICE, 10), (NOTHING, 40))
    assert replay.actions == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=1000))
def test_utterances_come_in_order_and_never_overlap(probabilities: list[float]) -> None:
    replay = Replay()
    replay.feed(*map(Sound, probabilities), End())
    final = {order.segment.speech_start: order.segment for order in orders(replay.actions)}
    for segment in final.values():
        assert 0 <= segment.start <= segment.speech_start < segment.speech_end <= segment.end
        assert segment.end <= len(probabilities) * BLOCK
    assert all(a.speech_end <= b.start for a, b in pairwise(final.values()))


def test_a_recogniser_gets_what_it_wants_around_the_speech_as_far_as_it_is_there() -> None:
    segment = Segment(start=100, speech_start=200, speech_end=900, end=1000)
    assert segment.around(lead=50, trail=50) == (150, 950)
    assert segment.around(lead=500, trail=500) == (100, 1000)


# --- who is meant ---


def heard(replay: Replay, text: str, verdict: Verdict = Verdict.ACCEPT) -> list[Action]:
    """A whole utterance; what came of it."""
    before = len(replay.actions)
    replay.feed((VOICE, 10), (NOTHING, 6))
    replay.answer(text, verdict)
    replay.feed((NOTHING, 34))
    return [action for action in replay.actions[before:] if not isinstance(action, Recognize)]


def test_what_is_dropped_is_told_with_its_reason() -> None:
    (delivery,) = heard(Replay(), "no words", Verdict.DROP)
    assert isinstance(delivery, Deliver)
    assert not accepted(delivery)


def test_with_a_name_the_robot_listens_only_when_called_and_then_for_a_while() -> None:
    replay = Replay(wake=True)
    heard(replay, "some talk")
    replay.feed(Wake())
    heard(replay, "bring me the cup")
    heard(replay, "and the juice")
    replay.feed((NOTHING, 11 * RATE // BLOCK))
    heard(replay, "more talk")
    assert replay.delivered == ["bring me the cup", "and the juice"]


def test_an_answer_needs_no_name_and_what_follows_it_neither() -> None:
    replay = Replay(wake=True)
    replay.feed((NOTHING, 20), ASKING)
    heard(replay, "yes")
    replay.feed(Others())
    heard(replay, "thank you")
    assert replay.state.mind is Mind.READY
    assert replay.delivered == ["yes", "thank you"]


def test_a_key_is_as_good_as_a_name_and_its_release_ends_the_sentence() -> None:
    replay = Replay(wake=True)
    heard(replay, "some talk")
    replay.feed(TalkKey(True), (VOICE, 10), TalkKey(False))
    replay.answer("bring me the cup")
    assert replay.delivered == ["bring me the cup"]
    assert replay.feed((NOTHING, 40), TalkKey(True), TalkKey(False)) == []  # nothing was said


def test_a_muted_ear_hears_stops_only() -> None:
    replay = Replay()
    replay.feed(Mute(True))
    heard(replay, "bring me the cup")
    assert heard(replay, "stop")[-1] == Stop("stop")
    replay.feed(Mute(False))
    heard(replay, "hello")
    assert replay.delivered == ["hello"]


@pytest.mark.parametrize(
    "at_work", [Others(thinking=True), Others(speaking=True), Others(offering=True), Others(moving=True), ASKING]
)
def test_a_bare_no_counts_for_ten_seconds_after_heed_said_or_did_anything(at_work: Others) -> None:
    replay = Replay()
    heard(replay, "no")
    assert replay.delivered == []
    replay.feed(at_work, (NOTHING, 1), Others(), (NOTHING, 200))
    heard(replay, "no")
    assert replay.delivered == ["no"]
    replay.feed((NOTHING, 320))
    heard(replay, "no")
    assert replay.delivered == ["no"]


def test_a_bare_no_also_counts_after_what_was_said_to_heed_and_with_the_key_held() -> None:
    replay = Replay()
    heard(replay, "bring me the cup")
    heard(replay, "no")
    replay.feed((NOTHING, 320), TalkKey(True))
    heard(replay, "yes")
    assert replay.delivered == ["bring me the cup", "no", "yes"]


# --- stops ---


def test_a_recognised_stop_stops_as_soon_as_it_is_known() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), (NOTHING, 6))
    assert replay.answer("stop") == [Stop("stop")]
    assert replay.state.body is Body.STOPPED
    assert heard(Replay(), "stop my timer") != [Stop("stop my timer")]


def test_a_suspected_stop_slows_down_at_once_and_a_proof_stops() -> None:
    replay = Replay()
    assert replay.feed((VOICE, 10), MOVING, StopHint()) == [Do.SLOW_DOWN]
    assert replay.feed(StopHint(), MOVING) == []
    assert replay.state.body is Body.SLOWED
    replay.feed((NOTHING, 6))
    assert replay.answer("stop", Verdict.ASK) == [Stop("stop")]
    assert replay.feed(StopHint()) == []


def test_a_suspected_stop_that_was_none_gives_the_speed_back() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), StopHint(), (NOTHING, 6))
    assert replay.answer("stop my timer") == [Do.SPEED_UP]
    assert replay.state.body is Body.MOVING
    still = Replay()
    still.feed((VOICE, 10), StopHint(), (NOTHING, 6))
    still.answer("", Verdict.DROP)
    assert still.state.body is Body.STILL


def test_any_voice_makes_a_moving_robot_hesitate_until_it_is_known_to_be_no_stop() -> None:
    replay = Replay()
    assert replay.feed(MOVING, (VOICE, 3)) == [Do.SLOW_DOWN]
    replay.feed((VOICE, 5), (NOTHING, 6))
    assert replay.answer("bring me the cup") == [Do.SPEED_UP]
    slow = Replay()  # a recogniser that does not answer is no reason to stop for a mere voice
    assert slow.feed(MOVING, (VOICE, 8), (NOTHING, 70))[-1] is Do.SPEED_UP
    bold = Replay(wary=False)
    assert bold.feed(MOVING, (VOICE, 5)) == []
    assert Replay().feed((VOICE, 5)) == []


def test_an_unsure_stop_without_a_suspicion_is_asked() -> None:
    replay = Replay()
    _, delivery = heard(replay, "stop", Verdict.ASK)
    assert isinstance(delivery, Deliver)
    assert delivery.judgement.verdict is Verdict.ASK


def test_a_noise_without_a_voice_is_no_suspicion() -> None:
    assert Replay().feed(MOVING, (NOTHING, 100), StopHint()) == []
    late = Replay().feed((VOICE, 10), (NOTHING, 14), MOVING, StopHint())
    assert Do.SLOW_DOWN not in late


def test_in_speech_that_goes_on_the_proof_is_looked_for_meanwhile() -> None:
    replay = Replay()
    replay.feed((VOICE, 20), MOVING, StopHint())
    (look,) = replay.feed((VOICE, 19))
    assert isinstance(look, Recognize)
    assert not look.final
    assert replay.feed((VOICE, 5)) == []
    assert replay.answer("stop stop stop") == [Stop("stop stop stop")]
    other = Replay()
    other.feed((VOICE, 20), MOVING, StopHint(), (VOICE, 19))
    assert other.answer("stop my timer and") == [Do.SPEED_UP]
    assert other.state.ear is Ear.SPEECH


def test_a_suspicion_after_the_utterance_has_its_own_proof() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 2), (NOTHING, 2), StopHint())
    (look,) = replay.feed((NOTHING, 10))
    assert isinstance(look, Recognize)
    assert look.segment.end - look.segment.start == min(20000, replay.state.now)
    assert replay.answer("stop") == [Stop("stop")]


def test_a_recogniser_that_does_not_answer_does_not_keep_the_robot_moving() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), StopHint())
    assert Stop("stop") in replay.feed((NOTHING, 70))
    assert Replay().feed((VOICE, 3), StopHint(sure=True)) == [Stop("stop")]


def test_a_stop_that_is_understood_too_late_still_stops() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), (NOTHING, 6), (VOICE, 5))
    assert replay.answer("stop", ticket=1) == [Stop("stop")]  # the guess was void: speech went on
    assert replay.answer("stop", ticket=1) == []
    unsure = Replay()
    unsure.feed((VOICE, 10), (NOTHING, 6), (VOICE, 5))
    assert unsure.answer("stop", Verdict.ASK, ticket=1) == []


def test_a_moving_robot_does_not_go_on_and_ask_whether_it_should_have_stopped() -> None:
    replay = Replay()
    replay.feed(MOVING, (VOICE, 10), (NOTHING, 6))
    assert replay.answer("stop", Verdict.ASK) == [Stop("stop")]


def test_after_a_stop_that_a_person_ended_it_can_be_stopped_again() -> None:
    replay = Replay()
    heard(replay, "stop")
    replay.feed(Others(stopped=True), Others(moving=True))
    assert replay.state.body is Body.MOVING
    assert Stop("stop") in heard(replay, "stop")


# --- our own voice ---


def test_a_robot_that_hears_itself_listens_only_for_stops_while_it_speaks() -> None:
    replay = Replay()
    assert replay.feed(SPEAKING, (VOICE, 100), Others(), (VOICE, 9), (NOTHING, 40)) == []  # its echo, too
    heard(replay, "thank you")
    assert replay.delivered == ["thank you"]


def test_a_stop_into_our_own_voice_silences_us_until_it_is_decided() -> None:
    replay = Replay()
    assert replay.feed(Others(speaking=True, moving=True), (VOICE, 20), StopHint()) == [Do.SLOW_DOWN, Do.HOLD]
    assert replay.state.mouth is Mouth.HELD
    (look,) = orders(replay.feed(SPEAKING, (NOTHING, 12)))
    assert look.segment.end == look.segment.speech_end == replay.state.now - 2 * BLOCK
    assert replay.answer("", Verdict.DROP) == [Do.SPEED_UP, Do.GO_ON]
    assert replay.state.mouth is Mouth.SPEAKING
    replay.feed((VOICE, 20), StopHint(), (NOTHING, 12))
    assert replay.answer("stop") == [Do.HUSH, Stop("stop")]


def test_a_voice_softens_ours_at_once_holds_it_and_a_sentence_silences_it() -> None:
    replay = Replay(both_at_once=True)
    assert replay.feed(SPEAKING, (VOICE, 2)) == [Do.DUCK]
    assert replay.feed((VOICE, 8)) == [Do.HOLD]
    replay.feed((NOTHING, 6))
    replay.answer("bring me the milk instead")
    actions = replay.feed((NOTHING, 10))
    assert actions[0] is Do.HUSH
    assert replay.delivered == ["bring me the milk instead"]


def test_a_click_softens_for_a_moment() -> None:
    replay = Replay(both_at_once=True)
    assert replay.feed(SPEAKING, (VOICE, 2), (NOTHING, 1)) == [Do.DUCK, Do.GO_ON]


def test_a_sudden_sound_that_may_be_a_voice_softens_before_it_is_known_for_one() -> None:
    replay = Replay(both_at_once=True)
    replay.feed(SPEAKING, *[Sound(NOTHING, level=100.0)] * 10)
    assert replay.feed(Sound(0.05, level=2000.0)) == []  # a clatter
    assert replay.feed(*[Sound(0.05, level=100.0)] * 5, Sound(0.2, level=400.0)) == [Do.DUCK]
    assert replay.feed(*[Sound(NOTHING, level=100.0)] * 10) == []
    assert replay.feed(Sound(NOTHING, level=100.0)) == [Do.GO_ON]
    assert replay.feed(*[Sound(NOTHING, level=100.0)] * 200, *[Sound(0.2, level=150.0)] * 9) == []


def test_what_is_not_sure_does_not_silence_us() -> None:
    replay = Replay(both_at_once=True)
    replay.feed(SPEAKING, (VOICE, 12), (NOTHING, 6))
    replay.answer("what's the date", Verdict.ASK)
    replay.feed((NOTHING, 30))
    assert replay.state.mouth is Mouth.SPEAKING
    assert [a.judgement.reason for a in replay.actions if isinstance(a, Deliver)] == [
        "not sure, while we were speaking"
    ]


@pytest.mark.parametrize(("text", "verdict"), [("mhm", Verdict.ACCEPT), ("", Verdict.DROP)])
def test_what_is_no_sentence_lets_us_go_on(text: str, verdict: Verdict) -> None:
    replay = Replay(both_at_once=True)
    replay.feed(SPEAKING, (VOICE, 12), (NOTHING, 6))
    replay.answer(text, verdict)
    actions = replay.feed((NOTHING, 30))
    assert Do.GO_ON in actions
    assert Do.HUSH not in actions
    assert replay.state.mouth is Mouth.SPEAKING
    assert replay.delivered == []


def test_without_its_canceller_it_is_deaf_while_we_speak_and_a_sentence_goes_on() -> None:
    replay = Replay(both_at_once=True)
    replay.feed(SPEAKING, (VOICE, 5), HalfDuplex())
    assert replay.feed((VOICE, 20), (NOTHING, 30)) == [Do.GO_ON]
    assert replay.delivered == []
    assert not replay.state.policy.both_at_once


def test_a_yes_into_our_question_is_an_answer() -> None:
    replay = Replay(both_at_once=True)
    replay.feed(Others(speaking=True, asking=True))
    heard(replay, "yes")
    assert replay.delivered == ["yes"]


def test_speech_that_nobody_understood_does_not_silence_us_for_ever() -> None:
    replay = Replay(both_at_once=True)
    replay.feed(SPEAKING, (VOICE, 12), (NOTHING, 400))
    assert Do.GO_ON in replay.actions
    assert replay.state.mouth is Mouth.SPEAKING


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.builds(Sound, st.floats(0, 1)),
            st.builds(Others, st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans()),
            st.builds(StopHint, st.booleans()),
            st.builds(Understood, st.integers(0, 9), st.builds(Judgement, st.sampled_from(Verdict), st.sampled_from(
                ["stop", "yes", "bring me the cup", "", "and"]))),
            st.builds(Unsure, st.integers(0, 9), st.builds(Judgement, st.just(Verdict.ASK), st.just("bring me the"))),
            st.sampled_from(
                [Wake(), TalkKey(True), TalkKey(False), Mute(True), Mute(False), HalfDuplex(), Gap(), End()]
            ),
        ),
        max_size=300,
    ),
    st.booleans(),
)  # fmt: skip
def test_whatever_happens_it_comes_to_rest(events: list[Event], both: bool) -> None:
    replay = Replay(both_at_once=both)
    replay.feed(*events, (NOTHING, 20 * RATE // BLOCK), Others(speaking=True))
    assert replay.state.ear is Ear.QUIET
    assert replay.state.mouth is Mouth.SPEAKING
    assert replay.state.body in (Body.STILL, Body.STOPPED)
    assert (replay.state.hint_at, replay.state.awaited, replay.state.proving) == (None, (), 0)
    assert replay.state.beginning is None


def test_words_that_say_whether_more_will_come() -> None:
    assert closed_answer("Yes, please.")
    assert not closed_answer("yes but slowly")
    assert unfinished("the cup and")
    assert not unfinished("")
    assert back_channel("Uh huh!")
    assert back_channel("Uh-huh.")
    assert closed_answer("That’s right.")
