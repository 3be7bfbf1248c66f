"""heed's own brain, as set-up has made it: the only model file of real weights that there is here."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from daemon.llm.native import NativeModel

HEED_BRAIN = Path(__file__).parents[2] / "models" / "heed-brain" / "heed-brain.gguf"
needs_brain = pytest.mark.skipif(not HEED_BRAIN.exists(), reason="set-up left heed's own brain out")


class Counting(NativeModel):
    """Counts how often it computes."""

    steps = 0

    def decode(self, tokens: Sequence[int], start: int, **how: Any) -> None:
        self.steps += 1
        super().decode(tokens, start, **how)
