"""heed's own brain, as set-up has made it: the only model file of real weights that there is here."""

from pathlib import Path

import pytest

HEED_BRAIN = Path(__file__).parents[2] / "models" / "heed-brain" / "heed-brain.gguf"
needs_brain = pytest.mark.skipif(not HEED_BRAIN.exists(), reason="set-up left heed's own brain out")
