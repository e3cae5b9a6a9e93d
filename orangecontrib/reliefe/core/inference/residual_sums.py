"""Sums of diffs over pairs of rows for the residuals of one target after another.

`partners.py` calls `sums_of_residuals` with the residuals of an additive model.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..request import Request
from ..targets.multi import MultiTarget
from ..targets.targets import Numbers, Target
from ..work.threads import Work
from .kept_pairs import KeptPairs
from .pair_strengths import PairSample, PairSums
from .scaled_columns import scaled_columns


def sums_of_residuals(
    request: Request, best: np.ndarray, each: Iterator[list[np.ndarray]], work: Work
) -> Iterator[PairSums]:
    """Sums over the pairs of rows for one target's residuals after another, from one search for neighbours."""
    columns, targets = None, deque[Target]()

    def following() -> Iterator[Target]:
        for residuals in each:
            targets.extend(_as_targets(residuals, request.method.name == "multisurf"))
            while targets:
                yield targets.popleft()

    found: list[PairSums] = []
    for scored in request.method.for_targets(replace(request.input(work), outputs=(KeptPairs(),)), following()):
        features, _, pairs = scored.found.quantities[0]
        columns = columns or scaled_columns(features, best)
        found.append(PairSample.of(*pairs).sums(*columns, work.tick))
        if not targets:  # of these residuals
            yield PairSums.mean(found)
            found.clear()


def _as_targets(residuals: list[np.ndarray], alone: bool) -> list[Target]:
    """Residuals (n, c) of each target as targets: each column alone, or all as one."""
    columns = np.hstack(residuals)
    if alone or columns.shape[1] == 1:
        return [Numbers.measure(column) for column in columns.T]
    target = MultiTarget.measure(columns, np.zeros(columns.shape[1], bool))
    return [replace(target, weights=np.concatenate([np.full(own.shape[1], 1 / own.shape[1]) for own in residuals]))]
