"""Sums of diffs over pairs of rows for the residuals of one target after another.

`partners.py` calls `sums_of_residuals` with the residuals of an additive model.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..request import Request
from ..targets.multi import MultiTarget
from ..targets.numbers import Numbers
from ..targets.targets import Target
from ..work.threads import Work
from .kept_pairs import KeptPairs
from .pair_strengths import PairSample, PairSums
from .scaled_columns import ScaledColumns, scaled_columns


def sums_of_residuals(
    request: Request, chosen: np.ndarray, residuals_by_target: Iterator[list[np.ndarray]], work: Work
) -> Iterator[PairSums]:
    """Sum diffs over the pairs of rows for one target's residuals after another, from one search for neighbours.

    Parameters
    ----------
    request : Request
        Data and the method whose pairs are taken.
    chosen : (m,) int array
        Indices of the features whose diffs are summed.
    residuals_by_target : iterator of lists of (n, c) arrays
        Residuals of each column of a target.
    work : Work
        Threads and progress.

    Yields
    ------
    PairSums
        Those of a target, the mean of all columns that are targets of their own.
    """
    one_by_one = request.method.name == "multisurf"
    waiting = deque[Target]()

    def targets() -> Iterator[Target]:
        for residuals in residuals_by_target:
            waiting.extend(_as_targets(residuals, one_by_one))
            while waiting:
                yield waiting.popleft()

    scaled: ScaledColumns | None = None
    sums_of_target: list[PairSums] = []
    for scored in request.method.for_targets(replace(request.input(work), outputs=(KeptPairs(),)), targets()):
        features, _, pairs = scored.result.quantities[0]
        if scaled is None:
            scaled = scaled_columns(features, chosen)
        sums_of_target.append(PairSample.of(*pairs).sums(*scaled, work.tick))
        if not waiting:  # for more columns of these residuals
            yield PairSums.mean(sums_of_target)
            sums_of_target.clear()


def _as_targets(residuals: list[np.ndarray], one_by_one: bool) -> list[Target]:
    """Make targets of the residuals (n, c) of some columns: each column one by one, or a single target of all."""
    columns = np.hstack(residuals)
    if one_by_one or columns.shape[1] == 1:
        return [Numbers.measure(column) for column in columns.T]
    target = MultiTarget.measure(columns, np.zeros(columns.shape[1], bool))
    weights = [np.full(array.shape[1], 1 / array.shape[1]) for array in residuals]
    return [replace(target, weights=np.concatenate(weights))]
