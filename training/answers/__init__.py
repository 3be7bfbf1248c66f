"""What people mean by an answer: where the answers are that are learned from, and those that are not."""

from pathlib import Path

WRITTEN = Path(__file__).with_name("written")
LIMIT, UNSEEN = "held_out", ("unseen", "unseen_plain", "unseen_remarks")
"""Files that nothing is learned from: with the first one limits were chosen."""
