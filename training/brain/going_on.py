"""What a network reads that was taught before, and is taught on: what was newly written, and a little of what it knows.

Without the second it loses what it knew; with much of it an hour of two cores brings nothing new (history.md).
"""

import random
from collections.abc import Sequence

from training.brain.rewording import Reworder, alike
from training.brain.samples import Sample

AGAIN = 0.33
"""Share of what is new that is read once more, told otherwise."""
OTHERWISE = 0.7
"""Share of what it knows that is told otherwise."""


def to_go_on(
    new: Sequence[Sample], before: Sequence[Sample], count: int, reworder: Reworder, chance: random.Random, most: int
) -> list[Sample]:
    """Return all that is new, a part of it twice, and `count` samples of before.

    Of those that begin alike up to `most` are told otherwise together.
    """
    known = chance.sample(before, min(count, len(before)))
    again = [
        other for group in alike(new, most) if chance.random() < AGAIN for other in reworder.reworded(group, chance)
    ]
    for group in alike(known, most):
        again += reworder.reworded(group, chance) if chance.random() < OTHERWISE else group
    return [*new, *again]
