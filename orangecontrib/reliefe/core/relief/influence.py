"""How much rows without labels count: the less, the farther they are from those that have them."""

import numpy as np

from ..data.diff import Diff
from ..data.table import DataTable
from ..data.targets import Unlabelled
from ..jit import kernel
from ..parallel import PARTS, Work
from .exact import round_distances
from .run import Run
from .updates import Covariance

NOBODY = np.iinfo(np.int64).max


def influence(labelled: np.ndarray, nearest: np.ndarray, w0: float, w1: float) -> np.ndarray:
    """(n,) in [0, 1]: 1 for labelled rows; for the others from w1 (nearest to a label) linearly down to w0 (farthest).

    labelled (n,) bool; nearest (n,): distance to the nearest labelled row.  Without labelled rows all count 1, without
    different distances the others count (w0 + w1) / 2.  Semi-supervised paper, section 5.2 and Algorithm 3 (CLUS
    takes the least distance over all rows, so that none of them reaches w1).
    """
    out = np.ones(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    far = nearest[~labelled]
    low, high = far.min(), far.max()
    share = (far - low) / (high - low) if high > low else np.full(len(far), 0.5)
    out[~labelled] = w1 + (w0 - w1) * share
    return out


def nearest_labelled(
    table: DataTable,
    labelled: np.ndarray,
    work: Work,
    strategy: str,
    diff: Diff | None = None,
    kept: np.ndarray | None = None,
) -> np.ndarray:
    """(n,): distance of each row to the nearest labelled one, 0 for these; sums of diffs over the features.

    kept (n,): rows of the table that there are, ascending; None: all.
    """
    out = np.zeros(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    nothing = Unlabelled(len(labelled), table.shape[1])
    run = Run.start(table, nothing, Covariance(), labelled, work, strategy, diff, kept=kept)
    work.plan(run.sweep.pairs)

    def part(number: int) -> tuple[np.ndarray, np.ndarray]:
        least, who = np.full(run.n, np.inf), np.full(run.n, NOBODY)
        for d, where in run.tiles(number):
            _minima(d, *where, run.m, run.ids, least, who)
        return least, who

    least, who = np.full(run.n, np.inf), np.full(run.n, NOBODY)
    for found, by in work.map(part, range(PARTS)):
        nearer = (found < least) | ((found == least) & (by < who))
        least[nearer], who[nearer] = found[nearer], by[nearer]
    rows = np.arange(run.m, run.n)
    if run.exact:
        place = np.empty(run.n, np.int64)
        place[run.ids] = np.arange(run.n)
        out[run.ids[rows]] = run.exact.distances(rows, place[who[rows]][:, None])[:, 0]
    else:
        least = least[rows][:, None].copy()
        round_distances(least, True)
        out[run.ids[rows]] = least[:, 0]
    return out


@kernel
def _minima(D, i0, i1, j0, j1, m, ids, least, who):
    """The nearest of the first m rows, and its id, for each later one."""
    for i in range(i0, min(i1, m)):
        for j in range(max(j0, m), j1):
            d = D[i - i0, j - j0]
            if d < least[j] or (d == least[j] and ids[i] < who[j]):
                least[j], who[j] = d, ids[i]
