"""What the second reader is taught with."""

from daemon.llm.embedder import DEFAULT_FOLDER
from daemon.llm.intents import INTENTS, Text
from tests.console.test_second_reader import PROMPT
from training.brain.samples import Sample
from training.intents.rows import rows_of


def test_a_row_tells_what_becomes_of_each_name() -> None:
    samples = [
        Sample("kuba", "kuba-1", PROMPT, "put_all('bench', 'kuba', 'rag')\nsay('There you are.')"),
        Sample("kuba", "kuba-2", PROMPT, "tell('gloves')"),
        Sample("kuba", "kuba-3", "Answer.\n>>>", "say('yes')"),
    ]
    bring, tell = rows_of(samples, Text(DEFAULT_FOLDER / "tokenizer.json"))
    roles = {name.name: role for (name, _, _), role in zip(bring.text.spans, bring.roles, strict=True)}
    assert INTENTS[bring.intent] == {"bring"}
    assert [name for name, (moved, _, _) in roles.items() if moved] == ["drill", "saw"]
    assert [name for name, (_, _, target) in roles.items() if target] == ["kuba"]
    assert INTENTS[tell.intent] == {"tell"}
    spoken_of = [name.name for (name, _, _), (_, named, _) in zip(tell.text.spans, tell.roles, strict=True) if named]
    assert spoken_of == ["gloves"]
