"""Influence of rows without labels: the less, the farther they are from those that have them."""

import numpy as np

from ..forms.double_precision import round_distances
from ..kernels.jit import kernel
from ..targets.targets import Unlabelled
from ..updates.rules import Covariance
from ..work.threads import PARTS, Work
from .run import Form, Run

ROWS_AT_ONCE = 32  # whose distances are computed again together


def influence(labelled: np.ndarray, nearest: np.ndarray, w0: float, w1: float) -> np.ndarray:
    """Influence (n,) of rows on the scores: 1 for labelled ones, from w1 linearly down to w0 for the others.

    Petkovic, Dzeroski and Kocev (2020), section 5.2 and Algorithm 3.  CLUS takes the least distance over all rows, so
    that none of them reaches w1.
    """
    out = np.ones(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    far = nearest[~labelled]
    low, high = far.min(), far.max()
    share = (far - low) / (high - low) if high > low else np.full(len(far), 0.5)
    out[~labelled] = w1 + (w0 - w1) * share
    return out


def nearest_labelled(form: Form, labelled: np.ndarray, work: Work) -> np.ndarray:
    """Distances (n,) of the rows of a form to the nearest labelled one, labelled (n,)."""
    out = np.zeros(len(labelled))
    if labelled.all() or not labelled.any():
        return out
    nothing = Unlabelled(len(labelled), form.table.shape[1])
    run = Run.start(form, nothing, Covariance(), labelled, work)
    work.plan(run.n_pairs)

    def part(number: int) -> tuple[np.ndarray, np.ndarray]:
        nearest, who = np.full((2, run.n), np.inf), np.zeros(run.n, np.int64)
        for d, where in run.tiles(number):
            _minima(d, where, run.m, *nearest, who)
        return nearest, who

    parts = work.spread(part, range(PARTS))
    nearest, who = (np.array(found) for found in zip(*parts, strict=True))  # (PARTS, 2, n) and (PARTS, n)
    least, rows = nearest[:, 0].min(axis=0), np.arange(run.m, run.n)
    if run.double:
        by = who[nearest[:, 0].argmin(axis=0), np.arange(run.n)]
        close = (nearest <= run.double.beyond(least)).sum(axis=(0, 1)) > 1
        least[rows] = run.double.distances(rows, by[rows][:, None])[:, 0]
        unsure = rows[close[rows]]
        for start in range(0, len(unsure), ROWS_AT_ONCE):
            work.tick()
            block = unsure[start : start + ROWS_AT_ONCE]
            everyone = np.broadcast_to(np.arange(run.m), (len(block), run.m))
            least[block] = run.double.distances(block, everyone).min(axis=1)
    else:
        round_distances(least[None], run.digits)
    out[run.ids[rows]] = least[rows]
    return out


@kernel
def _minima(D, where, m, least, second, who):
    """The least and the second least distance to one of the first m rows, and the nearest of these, for each later
    row."""
    i0, i1, j0, j1 = where
    for i in range(i0, min(i1, m)):
        for j in range(max(j0, m), j1):
            d = D[i - i0, j - j0]
            if d < least[j]:
                second[j], least[j], who[j] = least[j], d, i
            elif d < second[j]:
                second[j] = d
