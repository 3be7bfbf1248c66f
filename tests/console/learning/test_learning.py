"""What people teach by voice holds where it should, and nowhere else. The real console, on an imagined body."""

import pytest

from daemon.console.learning.recall import Recall
from daemon.imitation import Imitation
from daemon.imitation.english.teaching.lesson_reader import NOT_UNDERSTOOD
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.effect_rules import rule_of
from daemon.memory.effects import Also
from daemon.memory.lesson import LessonStatus
from daemon.memory.rules import Scope
from daemon.memory.store import Memory
from skills.skill import SkillError
from tests.support.worlds import Kitchen


@pytest.fixture
def talk(memory: Memory, embedder: MiniLmEmbedder):
    def talk(*sentences: str) -> Kitchen:
        kitchen = Kitchen(Imitation(embedder), memory)
        kitchen.talk(*sentences)
        return kitchen

    return talk


def rules(memory: Memory) -> list[str]:
    return [lesson.rule.text for lesson in memory.lessons()]


def test_a_word_is_taught_and_means_that_from_then_on(talk, memory) -> None:
    talk("when I say serve, I mean that you should put it on the table", "yes")
    assert talk("serve me the tea").where("tea") == "table"
    assert talk("give me the water").where("water") == "person"


def test_a_noun_is_taught_too(talk) -> None:
    talk("when I say snack, I mean the banana", "yes")
    assert talk("bring me a snack").where("banana") == "person"


def test_a_speed_holds_on_its_way_and_only_in_its_direction(talk, memory) -> None:
    talk("remember that the way from the table to the sink is safe, you can go faster", "yes")
    there = talk("bring the apple from the table to the sink")
    back = talk("bring the sponge from the sink to the table")
    assert any("2 times my normal speed" in result for result in there.seen.results)
    assert not any("normal speed" in result for result in back.seen.results)
    assert (there.where("apple"), back.where("sponge")) == ("sink", "table")


def test_nobody_can_teach_a_speed_beyond_the_limit(talk, memory) -> None:
    kitchen = talk("go ten times faster from the table to the sink from now on")
    assert "limit" in kitchen.seen.speech[-1]
    assert rules(memory) == []


def test_one_breath_is_enough_to_be_put_right_and_to_teach(talk, memory) -> None:
    kitchen = talk("bring me the apple", "wrong, on the table, and never do that again", "yes")
    assert kitchen.where("apple") == "table"
    assert rules(memory) == ["When you ask for apple or another fruit, I bring it to the table."]
    assert talk("bring me the tea").where("tea") == "person"


@pytest.mark.parametrize("category", ["drink", "beverage that nobody knows"])
def test_always_bring_one_thing_with_a_class_of_things(talk, memory, category) -> None:
    talk("bring the tea to the table", f"always bring a cup with a {category}", "yes", "nothing")
    if category == "drink":
        assert talk("bring the water to the table").where("cup") == "table"
        assert memory.lessons()[0].rule.scope.object_class == "drink"
    assert talk("bring the apple to the counter").where("cup") == "counter"


def test_what_a_rule_would_bring_is_missed_aloud(talk, embedder, memory) -> None:
    talk("bring the tea to the table", "always bring a cup with a drink", "yes")
    kitchen = Kitchen(Imitation(embedder), memory)
    del kitchen.robot.scene._things["cup"]
    kitchen.talk("bring me the tea")
    assert "I do not see any cup here." in kitchen.seen.speech
    assert kitchen.where("tea") == "person"


def test_only_for_one_thing_narrows_the_rule(talk, memory) -> None:
    story = ("bring me the tea", "can you also bring me a cup?", "next time do both at once")
    talk(*story, "yes, but only for tea", "yes")
    assert memory.lessons()[0].rule.scope.object == "tea"
    assert talk("bring me the water").where("cup") == "counter"


def test_a_kind_that_no_scene_names_is_understood_by_what_words_mean(talk) -> None:
    talk("always bring a cup with anything hot to drink", "yes")
    assert talk("bring me the tea").where("cup") == "person"
    assert talk("bring me the water").where("cup") != "person"


def test_both_at_once_is_one_trip(talk) -> None:
    story = ("bring me the tea", "can you get me a cup as well?")
    talk(*story, "Next time bring both at once. I need the cup with anything hot to drink.", "yes")
    assert talk("could you bring me a tea?").trips_to("person") == 1


def test_what_is_handed_over_goes_to_a_place_from_now_on(talk, memory) -> None:
    story = ("bring me the milk", "No, not into my hand! Put it on the table next time.", "yes")
    talk(*story)
    assert rules(memory) == ["When you ask for milk, I bring it to the table."]
    assert talk("give me the milk").where("milk") == "table"


def test_it_means_the_kind_that_the_sentence_before_spoke_of(talk, memory) -> None:
    talk("I never want liquids in my hand. Lay them on the table from now on.", "yes")
    assert rules(memory) == ["Where I may choose, the liquid goes to the table."]


def test_what_is_carried_alone_has_a_trip_of_its_own(talk) -> None:
    talk("When you carry something liquid, never carry anything else with it, rather go twice", "yes")
    assert talk("bring me the tea and the sponge").trips_to("person") == 2
    assert talk("bring me the apple and the sponge both at once").trips_to("person") == 1


def test_what_is_for_somebody_goes_to_a_place(talk, memory) -> None:
    talk("Whatever is for Grandma goes on the counter, please remember that", "yes")
    assert talk("bring Grandma the milk").where("milk") == "counter"
    assert talk("bring me the milk").where("milk") == "person"


def test_what_was_just_done_is_given_a_name(talk, memory) -> None:
    talk("No, I'd like the tea and an apple on the counter", "that's what I mean when I say set the table", "yes")
    kitchen = talk("could you lay the table for us?")
    assert (kitchen.where("tea"), kitchen.where("apple")) == ("counter", "counter")
    assert talk("put the milk on the table").where("tea") != "counter"


def test_who_is_done_with_a_thing_wants_it_back(talk) -> None:
    talk("when I say I'm done with a drink, take it back to the shelf", "yes")
    assert talk("I'm done with the water").where("water") == "shelf"


def test_what_is_done_after_anything_that_was_handed_over(talk, memory) -> None:
    talk("From now on, once you've handed me something, off to the sink with you.", "yes")
    assert rules(memory) == ["When you ask for anything, I then go to the sink."]
    assert talk("bring me the tea").trips_to("sink") == 1
    assert talk("where is the tea?").trips_to("sink") == 0


def test_what_is_done_whenever_anything_is_put_somewhere(talk) -> None:
    talk("Whenever something is put on the table, open the fridge as well.", "yes")
    assert "open_door('fridge')" in talk("put the cup on the table").seen.statements
    assert "open_door('fridge')" not in talk("put the cup on the sink").seen.statements


def test_he_and_there_are_who_and_where_the_sentence_before_said(talk, memory) -> None:
    talk("Mr Hagen sits at the counter. Whatever is for him goes there, please remember that.", "yes")
    assert rules(memory) == ["Only for Mr Hagen: When you ask for anything, I bring it to the counter."]


def test_nobody_is_called_no(talk, memory) -> None:
    talk("No drinks on the shelf from now on", "yes")
    assert rules(memory) == ["I never put any drink on the shelf."]


TWO_LESSONS = "Remember that fruit goes on the shelf. And always bring a cup with a drink."


def test_each_lesson_of_one_breath_is_asked_about_and_kept(talk, memory) -> None:
    kitchen = talk(TWO_LESSONS, "yes", "yes")
    assert sorted(rules(memory)) == [
        "When you ask for juice or another drink, I also bring the cup.",
        "Where I may choose, the fruit goes to the shelf.",
    ]
    assert [said for said in kitchen.seen.speech if said.endswith("Shall I remember that?")]


def test_a_no_to_one_lesson_says_nothing_of_the_other(talk, memory) -> None:
    talk(TWO_LESSONS, "no", "yes")
    assert len(rules(memory)) == 1


def test_the_same_lesson_said_twice_is_asked_about_once(talk, memory) -> None:
    talk("Always bring a cup with a drink. A drink always comes with a cup.", "yes")
    assert len(rules(memory)) == 1


def test_a_time_of_day_narrows_the_rule(talk, memory) -> None:
    talk("always bring a cup with a drink", "only in the morning please", "yes")
    assert memory.lessons()[0].rule.scope.time == "in the morning"


def test_the_newer_of_two_contradicting_lessons_holds_and_both_are_kept(talk, memory) -> None:
    talk("always bring a cup with a drink", "yes")
    talk("never bring me the cup again", "yes")
    old, new = memory.lessons(include_forgotten=True)
    assert (old.status, old.superseded_by, new.status) == (LessonStatus.SUPERSEDED, new.id, LessonStatus.ACTIVE)
    assert talk("bring me the tea").where("cup") == "counter"


def test_nothing_went_wrong_so_heed_asks_and_keeps_nothing(talk, memory) -> None:
    kitchen = talk("bring me the apple", "remember that", "nothing")
    assert "What should I remember" in kitchen.seen.speech[-2]
    assert rules(memory) == []


def test_two_things_of_one_sentence_tell_nothing_of_what_goes_with_what(talk, memory) -> None:
    kitchen = talk("i want a drink, tea is dishwater, remember that", "nothing")
    assert not [said for said in kitchen.seen.speech if said.endswith("Shall I remember that?")]
    assert rules(memory) == []


def test_what_was_learned_is_told_forgotten_and_taken_back(talk, memory) -> None:
    talk("when I say serve, I mean put it on the table", "yes", "always bring a cup with a drink", "yes")
    assert "2 things today" in talk("what did you learn today?").seen.speech[-1]
    talk("forget what I said about the cup", "yes")
    assert rules(memory) == ['When you say "serve", you mean "put it on the table".']
    talk("when I say snack, I mean the banana", "yes", "no, that is not what I meant, undo that")
    assert len(rules(memory)) == 1


def test_forgetting_is_confirmed_first(talk, memory) -> None:
    talk("always bring a cup with a drink", "yes", "forget what I said about the cup", "no")
    assert len(rules(memory)) == 1


def test_why_has_an_answer_with_who_and_when(talk, memory) -> None:
    talk("when I say snack, I mean the banana", "yes")
    answer = talk("bring me a snack", "why did you do that?").seen.speech[-1]
    assert answer.startswith("Because tester taught me on ")
    assert "the banana" in answer


def test_a_rule_edited_by_hand_does_what_it_says(talk, memory) -> None:
    talk("always bring a cup with a drink", "yes")
    lesson = memory.lessons()[0]
    memory.edit(lesson.id, lesson.rule.text.replace("cup", "spoon"))
    kitchen = talk("bring me the tea")
    assert (kitchen.where("spoon"), kitchen.where("cup")) == ("person", "counter")


def test_a_name_like_that_of_a_routine_that_nobody_taught_is_asked_about(talk, memory) -> None:
    talk("the Ben salad is 2 tomato slices and 1 lettuce slice", "yes")
    assert talk("make me the Anna salad").seen.speech == ["What is the Anna salad? Tell me what belongs to it."]


def test_a_request_instead_of_an_answer_is_no_yes_and_is_heard(talk, memory) -> None:
    kitchen = talk("always bring a cup with a drink", "bring me the apple")
    assert rules(memory) == []
    assert kitchen.where("apple") == "person"


def test_a_hold_is_learned_and_holds_for_its_thing_only(talk, memory) -> None:
    talk("next time hold the cup lower", "yes")
    assert any("2 cm lower" in result for result in talk("bring me the cup").seen.results)
    assert not any("2 cm lower" in result for result in talk("bring me the spoon").seen.results)


def test_a_door_is_closed_slowly_once_that_was_taught_and_opened_as_ever(talk, memory) -> None:
    kitchen = talk("from now on, close the fridge slowly", "yes")
    assert rules(memory) == ["When I close the fridge, my hand moves at 0.5 times its normal speed."]
    assert not any("door" in statement for statement in kitchen.seen.statements)
    assert not any("0.5 times" in result for result in talk("open the fridge").seen.results)
    assert any("0.5 times" in result for result in talk("open the fridge", "close the fridge").seen.results)


def test_words_that_make_no_sense_are_asked_about_where_the_ear_was_unsure(embedder, memory) -> None:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.triggers.confidence = 0.6
    kitchen.talk("bring me the spun", "yes")
    assert kitchen.seen.speech[0] == "Did you mean: bring me the spoon?"
    assert kitchen.where("spoon") == "person"


def test_typed_words_are_never_doubted(talk) -> None:
    kitchen = talk("bring me the spun", "yes")
    assert not any("Did you mean" in said for said in kitchen.seen.speech)
    assert kitchen.where("spoon") != "person"


@pytest.mark.parametrize(
    "taught",
    [
        "my favourite drink is tea",
        "I like tea best",
        "when I ask for something to drink, bring me the tea",
        "whenever I want a drink, take the tea",
    ],
)
def test_what_somebody_likes_best_is_taken_where_any_would_do(talk, memory, taught) -> None:
    talk(taught, "yes")
    assert rules(memory) == ["Where any drink will do, I take the tea."]
    for said in ("bring me something to drink", "fetch me any drink you like", "can I have a beverage?"):
        assert talk(said).where("tea") == "person"
    assert talk("bring me the water").where("tea") == "shelf"
    assert talk("bring me something to eat").where("tea") == "shelf"


def test_what_is_never_to_be_brought_is_refused_and_the_rest_is_brought(talk, memory) -> None:
    talk("bring me the banana", "never bring me the banana again, I am allergic", "yes")
    alone = talk("bring me the banana")
    assert alone.where("banana") != "person"
    assert alone.seen.speech == ["You told me never to bring the banana."]
    both = talk("bring me the apple and the banana")
    assert (both.where("apple"), both.where("banana") == "person") == ("person", False)
    assert "You told me never to bring the banana." in both.seen.speech


def test_what_is_never_to_be_touched_is_left_and_the_rest_is_done(talk, memory) -> None:
    talk("the banana you never touch, not for anybody", "yes")
    assert rules(memory) == ["I never touch the banana."]
    assert talk("put the banana on the counter").where("banana") == "table"
    both = talk("put the apple and the banana on the counter")
    assert (both.where("apple"), both.where("banana")) == ("counter", "table")
    assert "You told me never to touch the banana." in both.seen.speech
    other = talk("bring me some fruit")
    assert (other.where("apple"), other.where("banana")) == ("person", "table")


def test_no_statement_hands_over_what_is_never_to_be_brought(talk, embedder, memory) -> None:
    talk("bring me the banana", "never bring me the banana again, I am allergic", "yes")
    recall = Recall(memory, Kitchen(Imitation(embedder), memory).robot.observe, lambda: "person")
    handover = recall.with_parameters({"handover": lambda object: f"here is the {object}"})["handover"]
    with pytest.raises(SkillError, match="never to bring the banana"):
        handover("banana")
    assert handover(object="apple") == "here is the apple"


def test_no_statement_puts_a_thing_where_it_is_never_to_be(talk, embedder, memory) -> None:
    talk("never put the milk on the table", "yes")
    recall = Recall(memory, Kitchen(Imitation(embedder), memory).robot.observe, lambda: "table")
    place = recall.with_parameters({"place": lambda object, location: "success"})["place"]
    with pytest.raises(SkillError, match="never to put the milk on the table"):
        place("milk", location="table")
    assert (place("milk", "shelf"), place(object="apple", location="table")) == ("success", "success")


def test_a_semicolon_that_a_person_typed_makes_no_parts_of_a_lesson(embedder, memory) -> None:
    """Only what heed wrote below the words is divided by it."""
    said = "bring me the tea; it is for Grandma"
    done = f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': {said!r}}}\n>>> say('Here you are, Grandma.')"
    memory.keep_lesson(done, rule_of(Also(Scope(object="tea"), "spoon")), "Anna", [said])
    recall = Recall(memory, Kitchen(Imitation(embedder), memory).robot.observe, lambda: "person")
    recall.apply(memory.lessons())
    assert any("say('Here you are, Grandma.')" in shown for shown in recall.examples_for(["bring me the tea"]))


def test_a_lesson_between_remarks_and_an_order_is_kept_and_the_order_is_done(talk, memory) -> None:
    kitchen = talk(
        "bring me the apple",
        "you have two hands. From now on bring the apple and the banana in one go. and now put the sponge on the table",
        "yes",
    )
    assert rules(memory) == ["When you ask for the apple and the banana, I bring both in one trip."]
    assert kitchen.where("sponge") == "table"
    assert talk("the banana and the apple please").trips_to("person") == 1


def test_a_thing_that_wants_care_is_carried_slowly_on_every_way(talk, memory) -> None:
    talk("put the apple on the table", "careful, go slower when you carry the apple", "yes")
    assert any("0.5 times my normal speed" in line for line in talk("bring me the apple").seen.results)
    assert not any("normal speed" in line for line in talk("bring me the sponge").seen.results)


def test_an_expression_that_was_explained_is_known_in_other_words(talk, memory) -> None:
    talk("when I say clear up the mess, I mean that you should put the sponge in the sink", "yes")
    assert talk("the mess wants clearing up").where("sponge") == "sink"


def test_what_is_kept_off_a_place_is_not_put_there_whoever_asks(talk) -> None:
    kitchen = talk(
        "no drinks on the table, from now on", "yes", "put the milk on the table", "put the spoon on the table"
    )
    assert (kitchen.where("milk"), kitchen.where("spoon")) == ("fridge", "table")
    assert "You told me never to put any drink on the table." in kitchen.seen.speech


def test_a_new_place_takes_that_of_the_old_one(talk) -> None:
    talk("the cup's home is the shelf, remember that", "yes")
    kitchen = talk("scratch that. The cup lives in the cupboard from here on", "yes", "put the cup back where it lives")
    assert kitchen.where("cup") == "cupboard"
    assert [lesson.rule.text for lesson in kitchen.memory.lessons()] == [
        "Where I may choose, the cup goes to the cupboard."
    ]


def test_where_a_thing_belongs_that_nobody_told_is_asked(talk) -> None:
    kitchen = talk("put the sponge away")
    assert kitchen.seen.speech == ["I do not know where the sponge belongs. Tell me where to put it."]


def test_how_one_likes_something_is_offered_to_be_remembered(kitchen: Kitchen) -> None:
    kitchen.talk("I like my tea with milk", "yes", "bring me the tea")
    assert [lesson.rule.text for lesson in kitchen.memory.lessons()] == ["When you ask for tea, I also bring the milk."]
    assert (kitchen.where("tea"), kitchen.where("milk")) == ("person", "person")


def test_who_teaches_instead_of_answering_is_heard(kitchen: Kitchen) -> None:
    kitchen.talk("put the clean unicorn on the table", "from now on bring milk whenever I ask for tea", "yes")
    assert [lesson.rule.text for lesson in kitchen.memory.lessons()] == ["When you ask for tea, I also bring the milk."]


def test_who_asks_for_something_else_instead_of_answering_gets_it(kitchen: Kitchen) -> None:
    kitchen.talk("put the clean unicorn on the table", "bring me the tea")
    assert kitchen.where("tea") == "person"


def test_yes_is_no_answer_to_what_is_meant(kitchen: Kitchen) -> None:
    kitchen.talk("put the clean unicorn on the table", "yes")
    assert not any("the yes" in words for words in kitchen.seen.speech)


def test_a_place_that_is_taught_anew_is_where_the_thing_goes_now(talk, memory) -> None:
    talk("bring the cup to the table", "the cup's home is the table, remember that", "yes")
    again = "scratch that. The cup lives on the counter from now on. Can you take it across?"
    kitchen = talk("bring the cup to the table", "the cup's home is the table, remember that", "yes", again, "yes")
    assert kitchen.where("cup") == "counter"
    assert memory.lessons()[-1].rule.text == "Where I may choose, the cup goes to the counter."


def test_a_thing_of_another_kind_is_not_what_a_word_was_taught_to_mean(talk) -> None:
    talk("when I say drink, I mean the water", "yes")
    assert talk("bring me my usual drink").where("water") == "person"
    assert talk("bring me the herbal drink").where("water") != "person"


def test_a_name_for_several_things_means_all_of_them(talk, memory) -> None:
    talk("the usual means the tea and the spoon", "yes")
    kitchen = talk("bring me the usual")
    assert (kitchen.where("tea"), kitchen.where("spoon")) == ("person", "person")


def test_an_answer_that_forbids_teaches_and_is_no_refusal(talk, memory) -> None:
    kitchen = talk("if I ask for a drink, anything but the milk", "never bring the milk", "yes")
    assert NOT_UNDERSTOOD in kitchen.seen.speech
    assert rules(memory) == ["I never bring the milk, even when you ask for it."]
    assert talk("bring me the milk").where("milk") != "person"


def test_a_refusal_learns_nothing_from_what_was_done(talk, memory) -> None:
    story = ("bring me the tea", "can you also bring me a cup?", "next time always anything but the milk with the tea")
    talk(*story, "no", "yes")
    assert rules(memory) == []


@pytest.mark.parametrize("answer", ["no", "never mind", "no, forget it"])
def test_an_answer_that_teaches_nothing_and_says_no_is_a_refusal(talk, memory, answer) -> None:
    kitchen = talk("if I ask for a drink, anything but the milk", answer)
    assert kitchen.seen.speech[-1] == "All right, I will not remember anything."
    assert rules(memory) == []
