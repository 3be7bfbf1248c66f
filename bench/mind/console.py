"""`heed bench console`: how long one waits for the model, beside reading every prompt in full and beside
llama-cpp-python's own memory for the beginning of a prompt. One file, one run.

A person speaks for the second time, and 16 other examples are retrieved than the first time. `leading` is the path
of a model that reads for itself, and the kitchen's situation while nobody speaks; `leading_vs_full_prefill`
and `leading_vs_spliced` tell how many times sooner its first statement is there, `leading_vs_spliced_deed` how many
times sooner the first one that does something: the others look around first. `utterance_cpu_ms` is the processor time
of a whole utterance on that older path, `leading_utterance_cpu_ms` on the path of a model that leads, the reading
ahead included. Without a model file the weights are noise in the shape of Qwen2.5-0.5B, made to say move_to('counter')
on every path: times are real, and the agreement of spliced prompts with read ones is not measured. Figures that end in
_cpu compare processor time, in which neighbours count for less.
"""

import argparse
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.body.body_lab import cpu_seconds
from bench.mind.random_model import QWEN_HALF_BILLION, TOY, make_random_model
from bench.report import BenchError, Options, Report
from daemon.config import LlmConfig
from daemon.console.builtins import TALK
from daemon.console.learning.memory_calls import TEACHING
from daemon.console.prompt import NEW_TASK, base_prompt
from daemon.console.reminders import REMINDERS
from daemon.console.situation import Situation
from daemon.console.tasks import TASKS
from daemon.llm.llama import ALWAYS, AUTO, LlamaModel
from daemon.llm.llama_process import NICENESS
from daemon.llm.model import PROMPT_SIGN, NameScope, Prompt
from daemon.llm.model_files import find_model
from daemon.transcript import WAIT, WORDS_BEGIN, Step, hearing, render_answers
from sim.scene import Scene as SimulatedScene
from skills.scene import Scene, named_by
from skills.skill import SKILLS, arguments, load_skills

SAYS = (PROMPT_SIGN, " move", "_", "to", "('", "counter", "')", "\n")
"""What the made model writes after the prompt's sign, on all paths: with move_to() a strong mind begins 155 of its 289
answers to the prompts of led.json. These are the tokens that SmolLM2 has for it; 9 are the median of the 289.
"""
STATEMENT_TOKENS = len(SAYS) - 1
"""So many are written, also by a model file that writes something else."""
EXAMPLES, POOL = 16, 24
"""Shown for an utterance, of so many; half of them are other ones the second time."""
ROUNDS = 5
"""Ours takes a second or so, in which a neighbour's work counts for much; the others' minute averages it."""
CONTEXT_TOKENS = 8192
MODELS = Path(".cache/bench")
KITCHEN = Path(__file__).parents[2] / "sim" / "scenes" / "kitchen.toml"
THINGS = (
    "juice",
    "milk",
    "tea",
    "water",
    "cup",
    "plate",
    "bowl",
    "apple",
    "banana",
    "bread",
    "cheese",
    "sponge",
    "towel",
    "ladder",
    "spoon",
    "knife",
)
PLACES = ("table", "counter", "fridge", "sink", "shelf", "cupboard", "drawer", "windowsill")
LOOKS = 3
"""list_objects(), list_locations(), other_names(): what a model that does not lead writes before it does anything."""
COMPLETIONS = 7.5
"""For an utterance on the older path; one on that of a model that leads (docs/benchmarks.md, strangers)."""
ANSWER_TOKENS = 43
"""Of a whole answer of a model that leads: 136 characters (the same place)."""
RESULTS = ("'success'\n>>>",) * 4
"""What comes back from the statements of the second turn, behind the first one, which lists what there is."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bench's own options."""
    parser.add_argument("--quick", action="store_true", help="a toy model, in seconds")
    parser.add_argument("--threads", type=int, default=0, help="0: one fewer than there are cores")


def run(options: Options) -> Report:
    """Measure everything, in one run. A brain llama:FILE has real weights; any other is made of noise."""
    scene = _Scene(random.Random(1))
    base = base_prompt([*load_skills().values(), *TALK])
    pool = [f"# Example\n{scene.example()}\n" for _ in range(POOL)]
    first, second = _turns(base, pool, scene)
    real = options.brain.startswith("llama:")
    say = options.note
    leading = _leading_turns()
    file = _named(options) if real else _made(options, [base, *pool, *(prompt.text for prompt in leading)])
    threads = options.own.threads or max(len(os.sched_getaffinity(0)) - 1, 1)
    config = LlmConfig(context_tokens=CONTEXT_TOKENS, threads=threads, splice=AUTO if real else ALWAYS)
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        figures = _cold_start(file, config, base, Path(folder) / "cold", say)
        figures |= _ours(file, config, first, second, pool, Path(folder) / "kv", say)
        figures |= _leading(file, config, *leading, Path(folder) / "leading", say)
    with ThreadPoolExecutor(1, initializer=_be_as_nice) as aside:
        figures |= aside.submit(_llama_cpp_python, file, threads, first, second, say).result()
    for other in ("full_prefill", "prefix_match"):
        for suffix in ("", "_cpu"):
            ratio = figures[f"first_statement_{other}{suffix}_ms"] / figures[f"first_statement{suffix}_ms"]
            figures[f"first_statement_vs_{other}{suffix}"] = ratio
    for suffix in ("", "_cpu"):
        leads = figures[f"leading_first_statement{suffix}_ms"]
        figures[f"leading_vs_full_prefill{suffix}"] = figures[f"first_statement_full_prefill{suffix}_ms"] / leads
        figures[f"leading_vs_spliced{suffix}"] = figures[f"first_statement{suffix}_ms"] / leads
    figures["leading_utterance_cpu_vs_spliced"] = figures["leading_utterance_cpu_ms"] / figures["utterance_cpu_ms"]
    deed_ms = figures["first_statement_ms"] + LOOKS * figures["step_ms"]
    figures["leading_vs_spliced_deed"] = deed_ms / figures["leading_first_statement_ms"]
    brain = options.brain if real else f"random weights, {file.stem}: times only"
    return Report("console", 1 + len(RESULTS), figures | {"threads": threads}, brain)


def _cold_start(file: Path, config: LlmConfig, base: str, folder: Path, say: Callable[[str], None]) -> dict[str, float]:
    """Read the base once, then fetch it from its file in a fresh process."""
    say("cold start: the base prompt is read, and then fetched by another process")
    took = []
    for _ in range(2):
        model = LlamaModel(file, config, folder)
        try:
            model.describe()
            took.append(_write(model, Prompt(base, (), ">>>"), 1))
        finally:
            model.close()
    return {"cold_start_ms": took[0], "warm_start_ms": took[1], "cold_start_vs_warm": took[0] / took[1]}


def _ours(
    file: Path,
    config: LlmConfig,
    first: Prompt,
    second: Prompt,
    pool: Sequence[str],
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Prepare, hear the first utterance, and measure from the second one on. Noise is spliced without a test."""
    model = LlamaModel(file, config, folder)
    try:
        say(f"{len(pool)} examples are prepared, as in idle time")
        prepare_ms = _ms(lambda: model.prepare(first.base, pool))
        state = model.describe()
        say(f"splicing is {state['splicing']}; {ROUNDS} times the first utterance, and the second with other examples")
        first_ms, first_cpu_ms = _first_statements(model, first, second)
        report = model.report
        say("the statements after it")
        steps, generations, steps_cpu_ms = _steps(model, second)
        example_tokens = model.count_tokens("".join(pool))
        sizes = _sizes(folder)
    finally:
        model.close()
    return {
        "first_statement_ms": first_ms,
        "first_statement_cpu_ms": first_cpu_ms,
        "prompt_tokens": report.prompt_tokens,
        "tokens_saved": report.reused_tokens / report.prompt_tokens,
        "step_ms": statistics.median(steps),
        "step_max_ms": max(steps),
        "utterance_cpu_ms": first_cpu_ms + (COMPLETIONS - 1) * steps_cpu_ms,
        "generation_ms": statistics.median(generations),
        "step_vs_generation": statistics.median(s / g for s, g in zip(steps, generations, strict=True)),
        "prepare_example_ms": prepare_ms / len(pool),
        "example_tokens": example_tokens / len(pool),
        "spliced": int(state["splicing"] == "on"),
        "splice_agreement": state["splice_agreement"],
        "splice_divergence": state["splice_divergence"],
        **sizes,
    }


def _leading(
    file: Path,
    config: LlmConfig,
    first: Prompt,
    ahead: Prompt,
    second: Prompt,
    folder: Path,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """The same for a model that leads: the base is read beforehand, the situation while nobody speaks, then words."""
    say("a model that leads: the base is prepared, and both utterances heard")
    model = LlamaModel(file, config, folder)
    try:
        model.prepare(first.base, ())
        took_ms, cpu_ms = _first_statements(model, first, second, lambda: model.read_ahead(ahead))
        report = model.report
        answer_cpu_ms = _answer_cpu_ms(model, first, ahead, second)
    finally:
        model.close()
    return {
        "leading_first_statement_ms": took_ms,
        "leading_first_statement_cpu_ms": cpu_ms,
        "leading_utterance_cpu_ms": answer_cpu_ms,
        "leading_prompt_tokens": report.prompt_tokens,
        "leading_new_tokens": report.prompt_tokens - report.reused_tokens,
    }


def _first_statements(
    model: LlamaModel, first: Prompt, second: Prompt, between: Callable[[], object] = lambda: None
) -> tuple[float, float]:
    """Median time and processor time from the second utterance to its first statement, in ms."""
    took, used = [], []

    def write() -> None:
        took.append(_write(model, second, STATEMENT_TOKENS))

    for _ in range(ROUNDS):
        _write(model, first, STATEMENT_TOKENS)
        between()
        used.append(_cpu_ms(model, write))
    return statistics.median(took), statistics.median(used)


def _answer_cpu_ms(model: LlamaModel, first: Prompt, ahead: Prompt, second: Prompt) -> float:
    """Median processor time of an utterance of a model that leads: reading ahead, and writing the whole answer."""

    def answer() -> None:
        model.read_ahead(ahead)
        _write(model, second, ANSWER_TOKENS)

    used = []
    for _ in range(ROUNDS):
        _write(model, first, STATEMENT_TOKENS)
        used.append(_cpu_ms(model, answer))
    return statistics.median(used)


def _steps(model: LlamaModel, prompt: Prompt) -> tuple[list[float], list[float], float]:
    """Times of the next statements, and of writing the same tokens when nothing is left to read; with the median
    processor time of a statement. All in ms.

    What the model wrote is not text that one can show it again, so that results alone are added: as many tokens
    as would be new to it.
    """
    steps, generations, used = [], [], []

    def write() -> None:
        steps.append(_write(model, prompt, STATEMENT_TOKENS))

    for result in RESULTS:
        prompt = replace(prompt, history=prompt.history + result)
        used.append(_cpu_ms(model, write))
        generations.append(_write(model, prompt, STATEMENT_TOKENS))
    return steps, generations, statistics.median(used)


def _llama_cpp_python(
    file: Path, threads: int, first: Prompt, second: Prompt, say: Callable[[str], None]
) -> dict[str, float]:
    """The high-level class with its own settings: it remembers a prompt as far as the next one begins alike."""
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # as ours has it: else it loses against any busy neighbour
    import llama_cpp

    model = llama_cpp.Llama(str(file), n_ctx=CONTEXT_TOKENS, n_threads=threads, n_threads_batch=threads, verbose=False)

    def write(prompt: Prompt) -> None:
        model.create_completion(
            model.tokenize(prompt.text.encode()), max_tokens=STATEMENT_TOKENS, temperature=0.0, stop=[]
        )

    try:
        say("llama-cpp-python: the first utterance")
        write(first)
        say("llama-cpp-python: the second one, as far as its own memory helps")
        began = time.process_time()
        prefix_ms = _ms(lambda: write(second))
        between = time.process_time()
        say("llama-cpp-python: the second one, read in full")
        model.reset()
        again = time.process_time()
        full_ms = _ms(lambda: write(second))
        ended = time.process_time()
    finally:
        model.close()
    return {
        "first_statement_prefix_match_ms": prefix_ms,
        "first_statement_prefix_match_cpu_ms": (between - began) * 1000,
        "first_statement_full_prefill_ms": full_ms,
        "first_statement_full_prefill_cpu_ms": (ended - again) * 1000,
    }


def _be_as_nice() -> None:
    """As our worker is, or a busy machine would slow ours alone. On Linux this is about a thread."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class _Scene:
    """Invents things to fetch, in the notation of the transcripts."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def example(self) -> str:
        """A request, what was done about it, and an answer; about 230 tokens."""
        thing, place = self._random.choice(THINGS), self._random.choice(PLACES)
        return self.request(f"Could you please bring me the {thing} when you have time?", thing, place) + "".join(
            f">>> {statement}\n'success'\n"
            for statement in (
                f"move_to('{place}')",
                f"open_door('{place}')",
                f"grasp('{thing}')",
                f"close_door('{place}')",
                "move_to('person')",
                f"handover('{thing}')",
                f"say('Here is the {thing}; it was in the {place}.')",
            )
        )

    def request(self, text: str, thing: str, place: str) -> str:
        others = [(other, "thing", self._random.choice(PLACES)) for other in self._random.sample(THINGS, 7)]
        seen = [*others, (thing, "thing", place)]
        return f">>> wait_for_trigger()\n{{'type': 'dialog', 'text': {text!r}}}\n>>> list_objects()\n{seen}\n"


def _turns(base: str, pool: Sequence[str], scene: _Scene) -> tuple[Prompt, Prompt]:
    """The prompts for the first statements after two utterances."""
    heard = ">>> wait_for_trigger()\n{'type': 'dialog', 'text': 'bring me the cup'}\n"
    history = scene.example()
    return (
        Prompt(base, tuple(pool[:EXAMPLES]), f"{NEW_TASK}{history}{PROMPT_SIGN}", _scope),
        Prompt(base, tuple(pool[-EXAMPLES:]), f"{NEW_TASK}{history}{heard}{PROMPT_SIGN}", _scope),
    )


def _leading_turns() -> tuple[Prompt, Prompt, Prompt]:
    """The prompts after two utterances in the default kitchen, and what is read ahead of the second one."""
    seen = Scene.from_observation(SimulatedScene.load(KITCHEN).observe())
    base = base_prompt([*load_skills().values(), *TALK, *TEACHING, *TASKS, *REMINDERS], leads=True)
    words = ("could i have the juice please", "and put the sponge on the counter while you are at it")
    heard = [hearing(text) for text in words]
    done = [Step(f"{call}", "'success'") for call in ("move_to('fridge')", "open_door('fridge')", "grasp('juice')")]
    told = [Situation(text, seen, "room_center", now=datetime(2026, 1, 14, 12, 0)).told for text in words]
    first = render_answers([heard[0]], told[0].before, told[0].after)
    turn = render_answers([heard[0], *done])
    ahead = render_answers([Step(WAIT)], told[1].before)
    second = render_answers([heard[1]], told[1].before, told[1].after)
    return (
        Prompt(base, (), f"{NEW_TASK}{first}{PROMPT_SIGN}", _scope),
        Prompt(base, (), f"{NEW_TASK}{turn}{ahead}{WORDS_BEGIN}"),
        Prompt(base, (), f"{NEW_TASK}{turn}{second}{PROMPT_SIGN}", _scope),
    )


def _named(options: Options) -> Path:
    return find_model(options.brain.removeprefix("llama:"), options.config.models_directory)


def _made(options: Options, texts: Sequence[str]) -> Path:
    if find_spec("gguf") is None:
        raise BenchError("a model file cannot be made without the package gguf; name a file with --brain llama:FILE")
    shape = TOY if options.own.quick else QWEN_HALF_BILLION
    options.note(f"no model was named; random weights in the shape of {shape.name} serve, for times alone")
    return make_random_model(MODELS, shape, texts, SAYS)


def _scope() -> NameScope:
    """What may be named in the default kitchen."""
    seen = Scene.from_observation(SimulatedScene.load(KITCHEN).observe())
    names = named_by([one.name for one in seen.objects], [one.name for one in seen.locations])
    return NameScope(frozenset(arguments(SKILLS.values())), {kind: tuple(those) for kind, those in names.items()})


def _write(model: LlamaModel, prompt: Prompt, tokens: int) -> float:
    """Let the model write so many tokens; returns the time that took, in ms."""
    return _ms(lambda: model.complete(prompt, stop=(), max_tokens=tokens))


def _cpu_ms(model: LlamaModel, work: Callable[[], object]) -> float:
    """Processor time of the model's process meanwhile."""
    assert model.process_id is not None
    before = cpu_seconds(model.process_id)
    work()
    return (cpu_seconds(model.process_id) - before) * 1000


def _sizes(folder: Path) -> dict[str, float]:
    sizes = {path.stem: path.stat().st_size / 1e6 for path in folder.rglob("*.kv")}
    base = sizes.pop("base", 0.0)
    sizes.pop("agreement", None)
    return {"base_state_mb": base, "example_state_mb": statistics.mean(sizes.values()) if sizes else 0.0}


def _ms(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return (time.monotonic() - began) * 1000
