"""Sums over the margins of features: kernels of `stumps` and `gains`.

They are computed in double precision, block by block of features.
"""

import numpy as np

from ..kernels.jit import kernel

# Columns of `weighted_moments`
MEANS = slice(0, 2)  # weighted sums of the first and of the second kind
SQUARES = slice(2, 5)  # weighted sums of first^2, first * second and second^2
PLAIN_SQUARES = 5  # first of the sums of first^2 and second^2 without weights
MOMENT_COLUMNS = 7

# Columns of `global_sums`
GLOBAL_MEAN = 0  # weighted sum of the global part
GLOBAL_PRODUCTS = slice(1, 4)  # weighted sums of its products with itself, the first and the second kind
GLOBAL_COLUMNS = 4


@kernel
def global_sums(margins, positions, first, second, shares):
    """Compute sums over the margins of the global part of features, out (c, `GLOBAL_COLUMNS`).

    With g = margins[s], x = first[positions[s]], y = second[positions[s]] and w = shares, they are sum_r w_r g_r in the
    column `GLOBAL_MEAN`, and sum w g g, sum w g x and sum w g y in the columns `GLOBAL_PRODUCTS`.

    margins (c, R): margins of the global part.
    positions (c,): positions of their features in first and second (p, R), the margins of one or two kinds.
    shares (R,): weights of the margins.
    """
    out = np.zeros((len(positions), GLOBAL_COLUMNS))
    for s in range(len(positions)):
        g = margins[s]
        x = first[positions[s]]
        y = second[positions[s]]
        total = 0.0
        squares = 0.0
        with_first = 0.0
        with_second = 0.0
        for r in range(len(shares)):
            v = np.float64(g[r])
            w = shares[r]
            total += w * v
            squares += w * v * v
            with_first += w * v * np.float64(x[r])
            with_second += w * v * np.float64(y[r])
        out[s, 0] = total
        out[s, 1] = squares
        out[s, 2] = with_first
        out[s, 3] = with_second
    return out


def weighted_moments(first: np.ndarray, second: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Compute sums (c, `MOMENT_COLUMNS`) over the margins of features; see `_put_moments`."""
    out = np.empty((len(first), MOMENT_COLUMNS))
    _put_moments(first, second, shares, out)
    return out


@kernel
def _put_moments(first, second, shares, out):
    """Fill out (c, `MOMENT_COLUMNS`) with sums over the margins of features.

    With x = first[f], y = second[f] and w = shares, they are

    - in the columns `MEANS`: sum_r w_r x_r and sum w y,
    - in the columns `SQUARES`: sum w x x, sum w x y and sum w y y,
    - in two columns from `PLAIN_SQUARES` on: sum x x and sum y y.

    first, second (c, R): margins of one or two kinds; the same array if there is one kind.
    shares (R,): weights of the margins.
    """
    for f in range(len(first)):
        x = first[f]
        y = second[f]
        mean_x = 0.0
        mean_y = 0.0
        xx = 0.0
        xy = 0.0
        yy = 0.0
        plain_xx = 0.0
        plain_yy = 0.0
        for r in range(len(shares)):
            u = np.float64(x[r])
            v = np.float64(y[r])
            w = shares[r]
            mean_x += w * u
            mean_y += w * v
            xx += w * u * u
            xy += w * u * v
            yy += w * v * v
            plain_xx += u * u
            plain_yy += v * v
        out[f, 0] = mean_x
        out[f, 1] = mean_y
        out[f, 2] = xx
        out[f, 3] = xy
        out[f, 4] = yy
        out[f, 5] = plain_xx
        out[f, 6] = plain_yy
