"""What one person wants for themselves alone changes nothing for anybody else."""

import pytest

from daemon.imitation import Imitation
from daemon.imitation.english.teaching.persons import (
    for_everybody,
    for_me_alone,
    introduced,
    is_for,
    meant_for,
    named,
)
from daemon.llm.embedder import MiniLmEmbedder
from daemon.memory.effect_rules import rule_of, supersedes
from daemon.memory.effects import Also
from daemon.memory.prohibitions import OnlyWhenAsked
from daemon.memory.rules import Scope
from daemon.memory.sentence_to_effect import person_in, read_effect
from daemon.memory.store import Memory
from tests.support.worlds import Kitchen

ANNA, BEN = "my name is Anna", "this is Ben"
MY_TEA = "when I ask for tea, bring a spoon too, but only for me"


def talk(memory: Memory, embedder: MiniLmEmbedder, *sentences: str) -> Kitchen:
    kitchen = Kitchen(Imitation(embedder), memory)
    kitchen.talk(*sentences)
    return kitchen


def rules(memory: Memory) -> list[str]:
    return [lesson.rule.text for lesson in memory.lessons()]


def test_a_lesson_for_one_person_is_kept_for_them_alone(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, ANNA, MY_TEA, "yes")
    (lesson,) = memory.lessons()
    assert lesson.rule.text == "Only for Anna: When you ask for tea, I also bring the spoon."
    assert lesson.rule.scope == Scope(object="tea", person="Anna")


@pytest.mark.parametrize(("who", "spoon_goes_to"), [(["My name is anna"], "person"), ([BEN], "counter")])
def test_it_holds_for_who_taught_it_and_for_nobody_else(
    memory: Memory, embedder: MiniLmEmbedder, who: list[str], spoon_goes_to: str
) -> None:
    talk(memory, embedder, ANNA, MY_TEA, "yes")
    kitchen = talk(memory, embedder, *who, "bring me the tea")
    assert (kitchen.where("tea"), kitchen.where("spoon")) == ("person", spoon_goes_to)


def test_it_may_be_said_in_answer_to_the_question(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = talk(memory, embedder, ANNA, "when I ask for tea, bring a spoon too", "yes, but only for me", "yes")
    assert rules(memory) == ["Only for Anna: When you ask for tea, I also bring the spoon."]
    assert kitchen.seen.speech[-2].startswith("Only for Anna: ")


def test_without_a_yes_it_is_not_kept(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, ANNA, MY_TEA, "no")
    assert rules(memory) == []


def test_nothing_is_kept_for_somebody_whom_nobody_knows(memory: Memory, embedder: MiniLmEmbedder) -> None:
    kitchen = talk(memory, embedder, MY_TEA, "nobody you know")
    assert rules(memory) == []
    assert "I do not know who you are" in kitchen.seen.speech[-1]


def test_what_one_wants_goes_before_what_holds_for_all_and_replaces_it_for_nobody_else(
    memory: Memory, embedder: MiniLmEmbedder
) -> None:
    talk(memory, embedder, "always bring a cup with a drink", "yes")
    talk(memory, embedder, ANNA, "never bring me the cup unasked, only for me", "yes")
    assert len(rules(memory)) == 2
    assert talk(memory, embedder, ANNA, "bring me the tea").where("cup") == "counter"
    assert talk(memory, embedder, BEN, "bring me the tea").where("cup") == "person"


def test_two_people_mean_different_things_by_a_word(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, ANNA, "when I say snack, I mean the banana, only for me", "yes")
    talk(memory, embedder, BEN, "when I say snack, I mean the apple, just for me", "yes")
    assert talk(memory, embedder, ANNA, "bring me a snack").where("banana") == "person"
    assert talk(memory, embedder, BEN, "bring me a snack").where("apple") == "person"


def test_a_number_of_a_skill_may_be_for_one_person(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, ANNA, "from now on, close the fridge slowly, but only for me", "yes")
    slowly = {
        who: any("0.5 times" in result for result in talk(memory, embedder, who, *DOOR).seen.results)
        for who in (ANNA, BEN)
    }
    assert slowly == {ANNA: True, BEN: False}


DOOR = ("open the fridge", "close the fridge")


def test_who_says_goodbye_is_not_taken_for_who_speaks_next(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, ANNA, MY_TEA, "yes")
    kitchen = talk(memory, embedder, ANNA, "goodbye", "bring me the tea", "Ben")
    assert kitchen.where("spoon") == "counter"


def test_only_the_rule_of_the_same_person_is_superseded() -> None:
    cup = Also(Scope(object="tea"), "cup")
    assert supersedes(rule_of(OnlyWhenAsked("cup"), "anna"), rule_of(cup, "Anna"))
    assert not supersedes(rule_of(OnlyWhenAsked("cup"), "Anna"), rule_of(cup))
    assert not supersedes(rule_of(OnlyWhenAsked("cup"), "Anna"), rule_of(cup, "Ben"))


def test_the_sentence_of_a_personal_rule_says_all_of_it(memory: Memory) -> None:
    rule = rule_of(Also(Scope(object="tea"), "spoon"), "Anna")
    assert read_effect(rule.text) == Also(Scope(object="tea"), "spoon")
    assert person_in(rule.text) == "Anna"
    lesson = memory.keep_lesson(">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'tea'}\n", rule)
    edited = memory.edit(lesson.id, rule.text.replace("spoon", "cup"))
    assert (edited.rule.scope.person, edited.rule.scope.object) == ("Anna", "tea")


@pytest.mark.parametrize(
    ("said", "bare"),
    [
        ("only for me: when I ask for tea, bring a spoon", "when I ask for tea, bring a spoon"),
        ("always bring a cup with tea, but just for me", "always bring a cup with tea"),
        ("from now on bring tea with a spoon, only when I ask", "from now on bring tea with a spoon"),
        ("always bring a cup with tea, for me alone", "always bring a cup with tea"),
        ("bring the cup with tea, that's only for me, not for the others", "bring the cup with tea"),
    ],
)
def test_for_whom_it_is_said_is_told_apart_from_what(said: str, bare: str) -> None:
    assert for_me_alone(said)
    assert for_everybody(said) == bare


@pytest.mark.parametrize("said", ["bring the cup only when I ask for it", "bring me only the tea", "for me, please"])
def test_what_is_for_everybody(said: str) -> None:
    assert not for_me_alone(said)
    assert for_everybody(said) == said


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("my name is anna", "Anna"),
        ("hello, this is Ben", "Ben"),
        ("this is clara speaking", "Clara"),
        ("I am Anna", "Anna"),
        ("I am hungry", ""),
        ("this is wrong", ""),
        ("It is Friday", ""),
        ("this is the cup", ""),
        ("my name is not important", ""),
        ("I'm Ben, by the way. nice to meet you", "Ben"),
        ("hi, Tom here!", "Tom"),
        ("my name's Mrs Haddad", "Mrs Haddad"),
        ("call me Sam", "Sam"),
        ("call me later", ""),
        ("Come here", ""),
        ("the name is on the tin", ""),
    ],
)
def test_people_introduce_themselves(said: str, name: str) -> None:
    assert introduced(said) == (name, "" if name else said)


def test_what_is_said_besides_a_name_is_kept() -> None:
    assert introduced("hello, I'm Zoe. where is the tea?") == ("Zoe", "where is the tea?")


@pytest.mark.parametrize(
    ("answer", "name"),
    [("Anna", "Anna"), ("it's anna.", "Anna"), ("me, Anna", "Anna"), ("I am Ben", "Ben"), ("my name is ben", "Ben"),
     ("nobody", ""), ("me", ""), ("no", ""), ("", ""), ("bring me the tea", ""), ("it is me", "")],
)  # fmt: skip
def test_the_name_in_an_answer(answer: str, name: str) -> None:
    assert named(answer) == name


@pytest.mark.parametrize(
    ("said", "person", "plain"),
    [
        ("if Mrs Hill wants tea, she gets the mint tea", "Mrs Hill", "if I ask for tea, I gets the mint tea"),
        ("Grandma gets her tea in the cup", "Grandma", "I always take tea in the cup"),
        ("never give Timmy the scissors", "Timmy", "never give me the scissors"),
        ("a biscuit for Mrs Hill is the oat biscuit", "Mrs Hill", "a biscuit is the oat biscuit"),
        ("my guest would like the white mug", "", "my guest would like the white mug"),
        ("don't put it there, not even if the boss says so", "", "don't put it there, not even if the boss says so"),
        ("for instance, the cup goes on the shelf", "", "for instance, the cup goes on the shelf"),
    ],
)
def test_a_lesson_may_be_for_somebody_else(said: str, person: str, plain: str) -> None:
    assert meant_for(said) == (person, plain)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("some tea for Grandma", True),
        ("Grandma would like some tea", True),
        ("my grandma's thirsty, bring some tea", True),
        ("bring me the tea", False),
        ("Grandma's singing again, bring me the tea", False),
    ],
)
def test_it_holds_when_something_is_asked_for_them(asked: str, holds: bool) -> None:
    assert is_for("Grandma", asked) is holds


def test_what_is_for_somebody_else_changes_nothing_for_oneself(memory: Memory, embedder: MiniLmEmbedder) -> None:
    talk(memory, embedder, "Grandma gets her tea in the cup", "yes")
    assert rules(memory) == ["Only for Grandma: When you ask for tea, I also bring the cup."]
    assert talk(memory, embedder, "bring some tea for Grandma").where("cup") == "person"
    assert talk(memory, embedder, "bring me the tea").where("cup") == "counter"
