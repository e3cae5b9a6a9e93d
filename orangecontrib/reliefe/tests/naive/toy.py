"""Twin of the toy method `Spread`, by loops; the guide for contributors shows it, and test_guide.py uses it."""

import math

import numpy as np


def spread(X, nominal=None):
    """Variance of the known values of each column of X (n, p): the mean of (x - mean(x))^2, 0 without any."""
    variances = []
    for column in np.asarray(X, float).T:
        known = [x for x in column if not math.isnan(x)]
        mean = sum(known) / max(len(known), 1)
        variances.append(sum((x - mean) ** 2 for x in known) / max(len(known), 1))
    return np.array(variances)
