"""Examples put in their places without reading them again (docs/decisions/splicing.md).

An example's keys and values are computed once, as if it stood alone behind the base, and kept in a file. For
a prompt they are loaded, turned to the positions where the example stands there (the rotation of rotary
embeddings is all that depends on the position) and appended.
"""

import hashlib
from array import array
from collections.abc import Sequence

from daemon.llm.agreement import Agreement, Comparison, Logits, measured_tokens
from daemon.llm.kv_files import KvFiles
from daemon.llm.llama import ALWAYS, AUTO, NEVER
from daemon.llm.native import PROMPT, SPARE, WORK, NativeModel

TESTED_EXAMPLES = 6
"""The self-test reads this many examples twice, once in a row and once spliced."""
STEP = 32
"""... this many tokens at a time: a prediction is as large as the vocabulary."""
READ_ANEW = 64
"""So many first tokens of the last example, the nearest, are read where it stands: what was asked for in it."""


class Splicer:
    """Splices behind one base, which must be what the sequence PROMPT begins with whenever this is called."""

    def __init__(self, model: NativeModel, files: KvFiles, base: Sequence[int], mode: str = AUTO) -> None:
        self._model = model
        self._files = files
        self._base = len(base)
        self._folder = _digest(model.fingerprint.encode() + _packed(base))
        self._mode = mode if model.can_splice else NEVER
        self.agreement = self._kept_agreement()

    @property
    def on(self) -> bool:
        """Return whether prompts are to be spliced."""
        proved = self.agreement is not None and self.agreement.passed
        return self._mode == ALWAYS or (self._mode == AUTO and proved)

    @property
    def open(self) -> bool:
        """Return whether there is still a point in preparing: spliced already, or not yet tested."""
        return self.on or (self._mode == AUTO and self.agreement is None)

    def load_base(self) -> bool:
        """Let PROMPT remember the base and nothing else, from its file; False when there is none."""
        kept = self._files.read(self._base_name)
        if kept is None:
            return False
        if self._model.restore(kept, PROMPT) and self._model.length() == self._base:
            return True
        self._model.forget(PROMPT)
        return False

    def keep_base(self) -> None:
        """Keep the base for load_base(); PROMPT must hold nothing else now."""
        if self._files.size(self._base_name) is None:
            self._files.write(self._base_name, self._model.state(PROMPT))

    def place(self, example: Sequence[int], start: int, sequence: int = PROMPT, *, last: bool = False) -> int:
        """Append an example to a sequence that ends before position `start`; of the last one, the head is read.

        Returns how many of its tokens had to be read: none but that head, or all when nothing was kept of it.
        Raises Aborted and NativeError, and then the sequence is as before.
        """
        head = example[: READ_ANEW if last else 0]
        kept = self._files.read(self._name(example))
        restored = kept is not None and self._model.restore(kept, WORK)
        if not restored:
            self._compute(example)
        try:
            if head:
                self._model.forget(WORK, self._base, self._base + len(head))
                self._model.decode(head, start, sequence=sequence)
            if start != self._base:
                self._model.shift(WORK, start - self._base)
            self._model.copy(WORK, sequence)
        except Exception:
            self._model.forget(sequence, start)
            raise
        finally:
            self._model.forget(WORK)
        return len(head) if restored else len(example)

    def prepare(self, example: Sequence[int]) -> int:
        """Compute what is to be kept of an example unless that was done; returns its bytes, 0 if not kept."""
        name = self._name(example)
        if self._files.size(name) is None:
            self._compute(example)
            self._model.forget(WORK)
        return self._files.size(name) or 0

    def self_test(self, examples: Sequence[Sequence[int]]) -> None:
        """Compare splicing with reading on real examples, unless that was done or fewer than two fit.

        PROMPT holds nothing but the base afterwards. Raises Aborted; the next call begins again.
        """
        examples = self._testable(examples)
        if self._mode != AUTO or self.agreement is not None or len(examples) < 2:
            return
        try:
            self._model.forget(PROMPT, self._base)
            self._model.copy(PROMPT, SPARE, 0, self._base)
            self.agreement = self._compare(examples)
        finally:
            self._model.forget(SPARE)
            self._model.forget(PROMPT, self._base)
        self._files.write(self._agreement_name, self.agreement.packed())

    def _compare(self, examples: Sequence[Sequence[int]]) -> Agreement:
        """PROMPT reads the examples one after the other; SPARE reads each behind spliced ones."""
        comparison, start, before = Comparison(), self._base, self._base
        for place, example in enumerate(examples):
            measured = measured_tokens([self._model.piece(token) for token in example])
            for begin in range(0, len(example), STEP):
                part = example[begin : begin + STEP]
                places = [i - begin for i in measured if begin <= i < begin + len(part)] if place else []
                read = self._predict(part, start + begin, PROMPT, places)
                if place:  # before the first one, both are the same
                    comparison.add(read, self._predict(part, start + begin, SPARE, places))
            if place:  # the one before is no longer the last
                self._model.forget(SPARE, before)
                self.place(examples[place - 1], before, SPARE)
            self.place(example, start, SPARE, last=True)
            before, start = start, start + len(example)
        return comparison.result()

    def _predict(self, tokens: Sequence[int], start: int, sequence: int, places: Sequence[int]) -> Sequence[Logits]:
        self._model.decode(tokens, start, every=bool(places), sequence=sequence)
        return [self._model.logits(place).copy() for place in places]

    def _testable(self, examples: Sequence[Sequence[int]]) -> list[Sequence[int]]:
        """The first few that fit into the context twice, beside the base and one that is being placed."""
        room = (self._model.context_tokens - self._base) // 3
        chosen: list[Sequence[int]] = []
        for example in examples[:TESTED_EXAMPLES]:
            room -= len(example)
            if room < 0:
                break
            chosen.append(example)
        return chosen

    def _compute(self, example: Sequence[int]) -> None:
        """Read an example behind the base into WORK, and keep it; WORK remembers nothing else then."""
        model = self._model
        model.forget(WORK)
        model.copy(PROMPT, WORK, 0, self._base)
        try:
            model.decode(example, self._base, sequence=WORK)
        except Exception:
            model.forget(WORK)
            raise
        model.forget(WORK, 0, self._base)
        self._files.write(self._name(example), model.state(WORK))

    def _kept_agreement(self) -> Agreement | None:
        kept = self._files.read(self._agreement_name)
        return None if kept is None else Agreement.unpacked(kept)

    @property
    def _base_name(self) -> str:
        return f"{self._folder}/base"

    @property
    def _agreement_name(self) -> str:
        return f"{self._folder}/agreement"

    def _name(self, example: Sequence[int]) -> str:
        return f"{self._folder}/{_digest(_packed(example))}"


def _packed(tokens: Sequence[int]) -> bytes:
    return array("i", tokens).tobytes()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
