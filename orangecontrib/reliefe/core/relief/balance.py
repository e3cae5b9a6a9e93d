"""Balance of an update of two parts, `ResidualProducts`: both parts vary equally much over permuted targets.

`scoring.py`, `shared_lists.py` and `every_k.py` balance the update of a run before they score by it.  The deviation of
a part follows from the weights of its pairs, and from the moments of the diffs of a sample of features (`DiffMoments`).
An update of one part needs no balance: its run is returned unchanged.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .diff_moments import DiffMoments
from .formats.lists import Neighbours
from .formats.pair_sums import PairList
from .neighbourhoods.base import Neighbourhood
from .outputs import add_up
from .run import Run
from .weight_sums import PairWeights, WeightSums, sums_of_lists

SAMPLED_FEATURES = 64  # whose diffs both parts are balanced by


def balanced_by_lists(run: Run, neighbours: Neighbours) -> Run:
    """Return the run with balanced parts of its update, by weighed lists of neighbours."""
    parts = run.update.parts()
    if parts is None:
        return run
    weights = [part.pair_weights(neighbours, run.target, len(neighbours.rows)) for part in parts]
    pairs = PairList.of_lists(neighbours.rows, neighbours.cols, weights, np.dtype(np.float64))
    return _balanced(run, sums_of_lists(run.n, pairs))


def balanced_by_tiles(run: Run, neighbourhood: Neighbourhood) -> Run:
    """Return the run with balanced parts of its update, by the weights that a neighbourhood gives all pairs i < j."""
    parts = run.update.parts()
    if parts is None:
        return run
    sums_of_parts = []
    for part in parts:
        of_part = replace(run, update=part)
        folded_pairs = neighbourhood.folded_pairs(of_part, part.relation(run.target))
        weights = add_up(run, folded_pairs, [PairWeights()])[0]
        sums_of_parts.append(weights.value)
    return _balanced(run, sums_of_parts)


def _balanced(run: Run, sums_of_parts: Sequence[WeightSums]) -> Run:
    """Return the run with the update that is balanced by the sums of the weights of both parts."""
    sampled = np.unique(np.linspace(0, run.p - 1, SAMPLED_FEATURES).astype(int))
    moments = DiffMoments.typical(run.features, sampled)
    return replace(run, update=run.update.balanced(moments, sums_of_parts))
