"""How people talk to robots, counted for the ear."""

from daemon.speech.recognizers.expectation import NAME, read_requests
from training.corpus.dialogues import HELD_OUT, VOICES, read_voice
from training.requests import perplexity, said

FILE = VOICES / f"{HELD_OUT[0]}.jsonl"


def test_the_words_of_names_are_one_class() -> None:
    sentences = list(said([FILE]))
    assert len(sentences) == sum(bool(turn.say) for dialogue in read_voice(FILE) for turn in dialogue.turns)
    assert sum(NAME in words for words in sentences) > len(sentences) / 2


def test_a_voice_that_was_not_counted_is_expected() -> None:
    """A word of hers is as uncertain as one of 130; her words in another order are far more so."""
    sentences = list(said([FILE]))
    told = perplexity(read_requests(), sentences)
    assert told < 200
    assert perplexity(read_requests(), [words[::-1] for words in sentences]) > 5 * told
