"""Means and standard deviations of the distances of each row, or of all pairs, which limits of zones are made of."""

import numpy as np

from ...kernels.jit import kernel
from ..formats.step_kernels import step_kernels
from .row_pairs import STRIP, RowPairs

EQUAL_DISTANCES = 1e-6  # share of the mean below which a deviation is rounding: distances do not differ
# Rows from which on means come from sorted columns, whose time grows with n log n: those of codes are less exact, and
# the rows whose limits this leaves in doubt take time that grows with n^3.  By measurements.
ROWS_OF_SORTED_COLUMNS = 1000
SAMPLED_PAIRS = 8  # by which a distance in the middle is found


def moments(pairs: RowPairs, over_all_pairs: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and population standard deviation (n,) of distances in floats, for smooth functions of them."""

    def sums_of_part(part: int) -> np.ndarray:
        sums = np.zeros((2, pairs.n))
        for tiles, bounds_of_tiles in pairs.tile_stacks(part):
            tiles = tiles if pairs.subjects is None else np.nan_to_num(tiles, posinf=np.inf)
            _moments(tiles, bounds_of_tiles, sums)
        return sums

    return deviations(pairs, pairs.total(sums_of_part), np.arange(pairs.n), over_all_pairs)


def moments_of_steps(pairs: RowPairs, over_all_pairs: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and standard deviation (n,) of distances in steps.

    Differences to a distance in the middle are summed, so that few digits cancel; means of many rows are from sorted
    columns.
    """
    steps = pairs.distance.steps
    width = pairs.distance.tile_shape[1]
    kernels = step_kernels()
    centre = int(middle_distance(pairs) * steps.per_unit)

    def sums_of_part(part: int) -> np.ndarray:
        sums_of_rows = np.zeros((2, pairs.n))
        for bounds, sums_of_tile in pairs.tiles_of_steps(part, centre):
            kernels.add_moments(sums_of_tile, bounds, width, steps.totals, centre, sums_of_rows)
        return sums_of_rows

    total, squares = pairs.total(sums_of_part)
    n_others = np.maximum(pairs.n_candidates, 1)
    variances = (squares - total * total / n_others) / steps.per_unit**2
    if pairs.has_sorted_columns and not steps.without_error and pairs.n >= ROWS_OF_SORTED_COLUMNS:
        sums = pairs.row_sums
    else:
        sums = (total + centre * pairs.n_candidates) / steps.per_unit
    return deviations(pairs, np.array([sums, variances + sums * sums / n_others]), np.arange(pairs.n), over_all_pairs)


def middle_distance(pairs: RowPairs) -> float:
    """Mean distance of some pairs."""
    rows = np.linspace(0, pairs.n - 1, SAMPLED_PAIRS + 1).astype(int)
    return float(pairs.exact(rows[:-1], rows[1:, None]).mean())


def exact_moments(pairs: RowPairs, over_all_pairs: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and standard deviation (n,) of whole rows of distances in double precision.

    Rows with weights w_j count with w_j d_ij and w_j d_ij^2.
    """

    def sums_of_part(part: int) -> np.ndarray:
        sums = np.zeros((2, pairs.n))
        for distances, rows in pairs.exact_strips(part):
            sums[:, rows] = sums_of_rows(pairs, distances)
        return sums

    return deviations(pairs, pairs.total(sums_of_part), np.arange(pairs.n), over_all_pairs)


def exact_moments_of_rows(pairs: RowPairs, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean (b,) and standard deviation (b,) of the distances, in double precision, of some rows (b,)."""
    blocks = [rows[s : s + STRIP] for s in range(0, len(rows), STRIP)]

    def sums(block: np.ndarray) -> np.ndarray:
        pairs.work.tick()
        return sums_of_rows(pairs, pairs.exact_rows(block))

    return deviations(pairs, np.concatenate(pairs.work.spread(sums, blocks), axis=1), rows, False)


def deviations(
    pairs: RowPairs, sums: np.ndarray, rows: np.ndarray, over_all_pairs: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Mean (n,) and standard deviation (n,) of some rows from sums (2, >= m) of distances and of their squares."""
    n_others = np.broadcast_to(pairs.n_candidates, pairs.n)
    weight_sums = n_others[rows]
    if over_all_pairs:
        sums = np.array([np.full(len(rows), pairs.mean_of_targets(a)) for a in sums])
        weight_sums = np.full(len(rows), pairs.mean_of_targets(n_others))
    weight_sums = np.where(weight_sums > 0, weight_sums, 1)
    mean = sums[0] / weight_sums
    variance = sums[1] / weight_sums - mean * mean
    return mean, np.sqrt(np.where(variance > (EQUAL_DISTANCES * mean) ** 2, variance, 0))


def sums_of_rows(pairs: RowPairs, distances: np.ndarray) -> np.ndarray:
    """Sums (2, b) of distances (b, n) of some rows, and of their squares; infinite ones do not count."""
    d = np.where(np.isinf(distances), 0, distances)
    if pairs.row_weights is not None:
        return np.array([(d * pairs.row_weights).sum(axis=1), (d * d * pairs.row_weights).sum(axis=1)])
    return np.array([d.sum(axis=1), (d * d).sum(axis=1)])


@kernel
def _moments(tiles, bounds_of_tiles, out):
    """Add the sum and the sum of squares of each row's distances in several tiles to out (2, n).

    Its loops have no branches, so that they become vectors.  No other kernel is called: the copy of a called kernel
    within its caller is optimised once more, and whether that copy runs depends on whether the caller was compiled or
    loaded from disk.  Sums may be added in another order then.
    """
    for b in range(len(tiles)):
        i0, i1, j0, j1 = bounds_of_tiles[b]
        for i in range(i0, i1):
            j = max(j0, i + 1)
            if j >= j1:
                continue
            d = tiles[b, i - i0, j - j0 : j1 - j0]
            sums = out[0, j:j1]
            squares = out[1, j:j1]
            total = 0.0
            square = 0.0
            for q in range(len(d)):
                total += d[q]
                square += d[q] * d[q]
            for q in range(len(d)):
                sums[q] += d[q]
            for q in range(len(d)):
                squares[q] += d[q] * d[q]
            out[0, i] += total
            out[1, i] += square
