"""How much rows without labels count: the less, the farther they are from those that have them."""

import numpy as np

from ..data.diff import Diff
from ..data.table import DataTable
from ..data.targets import Unlabelled
from ..jit import kernel
from ..parallel import PARTS, Work
from .double_precision import round_distances
from .run import Run
from .updates import Covariance

BLOCK = 32  # rows whose distances are computed again at once


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
    dtype: type | None = None,
    kept: np.ndarray | None = None,
) -> np.ndarray:
    """(n,): distance of each row to the nearest labelled one, 0 for these; sums of diffs over the features.

    dtype: float32 or float64, None: by the size of the data; kept (n,): rows of the table that there are, ascending;
    None: all.
    """
    out = np.zeros(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    nothing = Unlabelled(len(labelled), table.shape[1])
    run = Run.start(table, nothing, Covariance(), labelled, work, strategy, diff, dtype=dtype, kept=kept)
    work.plan(run.sweep.pairs)

    def part(number: int) -> np.ndarray:
        nearest = np.full((2, run.n), np.inf)
        for d, where in run.tiles(number):
            _minima(d, *where, run.m, *nearest, who[number])
        return nearest

    who = np.zeros((PARTS, run.n), np.int64)
    nearest = np.array(work.map(part, range(PARTS)))  # (PARTS, 2, n)
    least, rows = nearest[:, 0].min(axis=0), np.arange(run.m, run.n)
    if run.exact:
        by = who[nearest[:, 0].argmin(axis=0), np.arange(run.n)]
        close = (nearest <= run.exact.beyond(least)).sum(axis=(0, 1)) > 1
        least[rows] = run.exact.distances(rows, by[rows][:, None])[:, 0]
        unsure = rows[close[rows]]
        for start in range(0, len(unsure), BLOCK):
            work.tick()
            block = unsure[start : start + BLOCK]
            everyone = np.broadcast_to(np.arange(run.m), (len(block), run.m))
            least[block] = run.exact.distances(block, everyone).min(axis=1)
    else:
        round_distances(least[None], True)
    out[run.ids[rows]] = least[rows]
    return out


@kernel
def _minima(D, i0, i1, j0, j1, m, least, second, who):
    """The least and the second least distance to one of the first m rows, and the nearest of these, for each later
    row."""
    for i in range(i0, min(i1, m)):
        for j in range(max(j0, m), j1):
            d = D[i - i0, j - j0]
            if d < least[j]:
                second[j], least[j], who[j] = least[j], d, i
            elif d < second[j]:
                second[j] = d
