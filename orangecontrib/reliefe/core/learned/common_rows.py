"""Standardised values in the rows that a feature and a target both have."""

import numpy as np

from ..kernels.jit import kernel


@kernel
def standardise_common(z, u, nominal, a, b):
    """Fill a and b (n,): z and u standardised over the rows that have both, z as it is if nominal, else NaN; returns
    the number of these rows, 0 where one of them is constant there."""
    n, mean, other, squares, others = 0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(z)):
        if z[i] == z[i] and u[i] == u[i]:
            n, mean, other = n + 1, mean + z[i], other + u[i]
    mean, other = mean / max(n, 1), other / max(n, 1)
    for i in range(len(z)):
        a[i], b[i] = np.nan, np.nan
        if z[i] == z[i] and u[i] == u[i]:
            a[i], b[i] = z[i] - mean, u[i] - other
            squares, others = squares + a[i] * a[i], others + b[i] * b[i]
    if n < 2 or not squares > 1e-12 * n or not others > 1e-12 * n:
        return 0
    over, overs = np.sqrt(n / squares), np.sqrt(n / others)
    for i in range(len(z)):
        a[i] = z[i] if nominal and a[i] == a[i] else a[i] * over
        b[i] *= overs
    return n
