"""A running heed with two model files: one leads a task, the other reads for it, both through llama.cpp."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.memory.task_book import TaskBook
from daemon.service.control import request
from tests.llm.tiny_gguf import make_scripted_gguf
from tests.story.test_swap import Running

SPEC = "the cups take turns"
"""Nothing that code can read."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="heed-") as folder:
        yield Path(folder)


@pytest.mark.whole
def test_one_leads_the_other_reads_and_the_robot_does_what_both_say(folder: Path) -> None:
    leads = {
        ">>>": " do_task('tidying')\n",
        "is done.'\n>>>": " say('That is all.')\n",
        "DONE: nothing\nACTION:": ' put("cup", "sink")\n',
        "DONE: put cup sink\nACTION:": " done()\n",
    }
    make_scripted_gguf(folder / "models/leads.gguf", leads, context=8192)
    make_scripted_gguf(folder / "models/reads.gguf", {"take turns?\nLIST:": " cup\n"}, context=8192)
    tasks = TaskBook(folder / "memory.sqlite")
    tasks.define("tidying", SPEC)
    heed = Running(folder, '[llm]\nbrain = "llama:leads.gguf"\nworker = "llama:reads.gguf"\n')
    try:
        assert str(request(heed.runtime, "status")["worker"]).endswith("reads.gguf")
        heed.answers("That is all.", "do the tidying")
    finally:
        heed.close()
    (run,) = tasks.runs()
    assert [(step.action, step.thing, step.target) for step in run.done] == [("put", "cup", "sink")]
