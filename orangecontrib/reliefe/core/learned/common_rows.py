"""Values of a feature and a target in the rows that have both, standardised there: a kernel for numeric targets."""

import numpy as np

from ..kernels.jit import kernel

MIN_VARIANCE = 1e-12  # below which only the rounding of standardised values is left


@kernel
def standardise_common(z, u, nominal, a, b):
    """Fill a and b (n,): z and u less their means over their deviations, in the rows that have both, else NaN.

    z (n,): values of a feature, copied as they are if nominal.
    u (n,): values of a target.

    Returns the number of rows that have both; 0 if one of them is constant there.
    """
    n = 0
    mean_z = 0.0
    mean_u = 0.0
    for i in range(len(z)):
        if z[i] == z[i] and u[i] == u[i]:
            n += 1
            mean_z += z[i]
            mean_u += u[i]
    mean_z /= max(n, 1)
    mean_u /= max(n, 1)
    squares_z = 0.0
    squares_u = 0.0
    for i in range(len(z)):
        a[i] = np.nan
        b[i] = np.nan
        if z[i] == z[i] and u[i] == u[i]:
            a[i] = z[i] - mean_z
            b[i] = u[i] - mean_u
            squares_z += a[i] * a[i]
            squares_u += b[i] * b[i]
    if n < 2 or not squares_z > MIN_VARIANCE * n or not squares_u > MIN_VARIANCE * n:
        return 0
    over_z = np.sqrt(n / squares_z)
    over_u = np.sqrt(n / squares_u)
    for i in range(len(z)):
        a[i] = z[i] if nominal and a[i] == a[i] else a[i] * over_z
        b[i] *= over_u
    return n
