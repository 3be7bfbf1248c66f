"""The loop: whatever the model writes, the robot stays in order and can be spoken to."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from daemon.config import ConsoleConfig, MemoryConfig
from daemon.console.as_said import AsSaid
from daemon.console.history import Turn
from daemon.console.prompt import STATEMENT_TOKENS
from daemon.console.reading import Understanding, Understood
from daemon.llm.model import PROMPT_SIGN, ModelError, Prompt
from daemon.memory.store import Memory
from daemon.trigger import Utterance
from tests.support.fakes import ScriptedModel, WordEmbedder
from tests.support.worlds import Kitchen


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.sqlite", WordEmbedder(), MemoryConfig())


def talk(memory: Memory, model: ScriptedModel, *sentences: str, understanding: Understanding | None = None) -> Kitchen:
    config = ConsoleConfig(max_statements=12, statement_seconds=0.5)
    kitchen = Kitchen(model, memory, config, understanding=understanding)
    kitchen.talk(*sentences)
    return kitchen


def test_the_model_reads_what_was_said_and_what_came_back(memory: Memory) -> None:
    model = ScriptedModel(" get_object_location('juice')\n")
    talk(memory, model, "what's up with the juice?")
    first, second = model.prompts[0], model.prompts[1]
    assert first.history.endswith("{'type': 'dialog', 'text': \"what's up with the juice?\"}\n>>>")
    assert second.history.endswith(">>> get_object_location('juice')\n'fridge'\n>>>")
    assert "grasp(object: str" in first.base


def test_a_failure_that_the_model_would_keep_to_itself_is_said(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(" grasp('juice')\n", " wait_for_trigger()\n"), "get going")
    assert kitchen.seen.speech == ["I could not do that: juice is at fridge."]
    kitchen = talk(memory, ScriptedModel(" grasp('juice'\n", " wait_for_trigger()\n"), "get going")
    assert kitchen.seen.speech == ["Sorry, I do not know how to go on."]


def test_within_a_turn_the_prompt_only_grows(memory: Memory) -> None:
    model = ScriptedModel(" list_locations()\n", " get_object_in_hand('left')\n")
    talk(memory, model, "what is there?")
    first, second, third = (prompt.text.removesuffix(PROMPT_SIGN) for prompt in model.prompts[:3])
    assert second.startswith(first)
    assert third.startswith(second)


@pytest.mark.parametrize(
    "utterance",
    ["don't drop the juice", "import this", "😀 juice ☕", "'; DROP TABLE lesson; --", "\"'\\", ">>> x"],
)
def test_what_a_person_says_is_data(memory: Memory, utterance: str) -> None:
    model = ScriptedModel(" say('yes')\n")
    kitchen = talk(memory, model, utterance)
    assert repr({"type": "dialog", "text": utterance}) in model.prompts[0].history
    assert kitchen.seen.speech == ["yes"]


def test_a_speech_is_cut_rather_than_lost(memory: Memory) -> None:
    model = ScriptedModel(" say('yes')\n")
    kitchen = talk(memory, model, "bring me the juice " * 300)
    assert kitchen.console.history.utterances[0].startswith("bring me the juice bring me")
    assert kitchen.seen.speech == ["yes"]


def test_several_statements_in_one_reply_run_until_one_fails(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(" say('one')\ngrasp('unicorn')\nsay('two')\n"), "go")
    assert kitchen.seen.speech == ["one", "I could not do that: there is no object 'unicorn'."]
    assert any("there is no object 'unicorn'" in result for result in kitchen.seen.results)


def test_text_instead_of_code_is_answered_with_advice(memory: Memory) -> None:
    model = ScriptedModel("I would love to help you with that!", " say('now')\n")
    kitchen = talk(memory, model, "go")
    assert "write one Python statement" in model.prompts[1].history
    assert kitchen.seen.speech == ["now"]


def test_a_loop_ends_with_an_honest_sentence(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(*[" list_locations()\n"] * 50), "go", "hello?")
    assert kitchen.seen.speech[0] == "Sorry, I do not know how to go on."
    assert kitchen.console.history.utterances == ["go", "hello?"]


def test_too_many_statements_end_with_an_honest_sentence(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(*[f" x = {n}\n" for n in range(50)]), "count")
    assert kitchen.seen.speech == ["I have tried many things and it is still not done. I stop here."]


def test_a_model_that_only_talks_ends_with_an_honest_sentence(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(*["blah, blah"] * 50), "go", "hello?")
    assert kitchen.seen.speech[0] == "Sorry, I do not know how to go on."
    assert kitchen.console.history.utterances == ["go", "hello?"]


def test_a_model_that_fails_is_admitted(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(ModelError("its process died")), "go", "hello?")
    assert kitchen.seen.speech[0] == "My language model does not answer: its process died"
    assert kitchen.console.history.utterances == ["go", "hello?"]


def test_a_hanging_statement_does_not_hang_the_robot(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(" while True: pass\n", " say('still here')\n"), "go")
    assert kitchen.seen.speech == ["still here"]


def test_the_conversation_ends_when_nobody_will_speak_any_more(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel())
    assert kitchen.seen.statements == ["wait_for_trigger()"]


def test_a_model_that_is_swapped_while_it_thinks_is_followed_by_the_new_one(memory: Memory) -> None:
    class Leaving(ScriptedModel):
        def complete(self, prompt: Prompt, *, stop: Sequence[str] = (PROMPT_SIGN,), max_tokens: int = 256) -> str:
            kitchen.console.use_model(ScriptedModel(" say('I am the new one')\n"))
            raise ModelError("it was closed")

    kitchen = Kitchen(Leaving(), memory, ConsoleConfig())
    kitchen.talk("go")
    assert kitchen.seen.speech == ["I am the new one"]


def test_a_loop_is_broken_by_an_advice_first(memory: Memory) -> None:
    model = ScriptedModel(*[" list_locations()\n"] * 3, " say('I cannot find it')\n")
    kitchen = talk(memory, model, "go")
    assert model.prompts[3].history.count("the same statements bring the same results") == 1
    assert kitchen.seen.speech == ["I cannot find it"]


def test_after_the_advice_one_repetition_is_enough(memory: Memory) -> None:
    model = ScriptedModel(*[" list_locations()\n"] * 50)
    kitchen = talk(memory, model, "go")
    assert kitchen.seen.statements.count("list_locations()") == 5
    assert kitchen.seen.speech == ["Sorry, I do not know how to go on."]


def test_what_was_written_before_the_person_spoke_again_is_not_run(memory: Memory) -> None:
    model = ScriptedModel(" say('one')\nwait_for_trigger()\nsay('stale')\n", " say('fresh')\n")
    assert talk(memory, model, "go", "and now?").seen.speech == ["one", "fresh"]


def test_a_request_that_was_waiting_is_no_answer_to_a_question(memory: Memory) -> None:
    model = ScriptedModel(" answer = ask('Which one?')\n", " say('you said ' + answer)\n", " wait_for_trigger()\n")
    kitchen = Kitchen(model, memory, ConsoleConfig())
    kitchen.triggers.put(Utterance("fetch it"))
    kitchen.triggers.put(Utterance("and a cup, too"))
    kitchen.talk("the red one")
    assert kitchen.seen.speech[:2] == ["Which one?", "you said the red one"]
    assert kitchen.console.history.utterances == ["fetch it", "and a cup, too"]


def test_a_prompt_never_has_more_tokens_than_the_model_file_allows(memory: Memory) -> None:
    model = ScriptedModel(*[f" print({n}, list_objects())\n" for n in range(35)])
    model.context_tokens = 4000
    kitchen = Kitchen(model, memory, ConsoleConfig())
    kitchen.talk("look around thirty times", "and what did you see?")
    tokens = [model.count_tokens(prompt.text) for prompt in model.prompts]
    assert max(tokens) <= 4000 - STATEMENT_TOKENS + 20  # each part is rounded down by itself
    assert "look around thirty times" in model.prompts[34].history
    assert ">>> print(34, list_objects())\n34 [" in model.prompts[35].history


def test_what_is_under_way_stands_before_the_history_and_stays_within_a_turn(memory: Memory) -> None:
    model = ScriptedModel(" list_locations()\n")
    kitchen = Kitchen(model, memory)
    lines = iter([["Task sorting (suspended): what remains: the cup."], ["never in this turn"]])
    kitchen.console._working_memory = lambda: next(lines)  # of a console that is built with tasks
    kitchen.talk("go on")
    expected = (
        "# A new conversation begins.\n# Task sorting (suspended): what remains: the cup.\n>>> wait_for_trigger()\n"
    )
    assert [prompt.history.startswith(expected) for prompt in model.prompts] == [True, True]


def test_a_turn_that_a_language_model_would_end_in_silence_ends_with_a_word(memory: Memory) -> None:
    kitchen = talk(memory, ScriptedModel(), "go on, do something odd", "thanks")
    assert kitchen.seen.speech == ["Sorry, I do not know how to go on.", "All right."]
    kitchen = talk(memory, ScriptedModel(" move_to('counter')\n"), "get going")
    assert kitchen.seen.speech == ["That is done."]


@pytest.mark.parametrize("fault", [TypeError("a bug"), IndexError("another"), KeyError("a third")])
def test_a_mistake_of_heeds_own_is_admitted_and_moves_nothing_and_the_talk_goes_on(
    memory: Memory, fault: Exception
) -> None:
    class Confused(AsSaid):
        def understand(self, said: str, past: Sequence[Turn], speaker: str) -> Understood:
            if "juice" in said:
                raise fault
            return super().understand(said, past, speaker)

    kitchen = talk(memory, ScriptedModel(" say('yes')\n"), "bring me the juice", "hello", understanding=Confused())
    assert kitchen.seen.speech == ["Sorry, that confuses me. Please say it in other words.", "yes"]
    assert kitchen.console.history.utterances == ["bring me the juice", "hello"]
    assert kitchen.where("juice") == "fridge"
