"""Genomic inflation of p-values, which shows a confounder that is not among the covariates.

`genomic_inflation` is exported by `core`.
"""

import numpy as np

MEDIAN = 0.45493642311957283  # of chi-square with one degree of freedom


def genomic_inflation(p_values: object) -> float:
    """Compare the median of the chi-square of p-values with that of chance.

    Above 1.1 a confounder is not among the covariates, or many effects are small.
    Devlin and Roeder (1999), Biometrics 55:997.

    Parameters
    ----------
    p_values : array-like
        In (0, 1].

    Returns
    -------
    float
        Ratio of the medians, 1 where nothing is inflated.

    Raises
    ------
    ValueError
        Without p-values, or for one outside (0, 1].
    """
    from scipy.special import chdtri

    p = np.asarray(p_values, float)
    if p.size == 0 or not ((p > 0) & (p <= 1)).all():
        raise ValueError("p-values must be above 0 and at most 1")
    return float(chdtri(1, np.median(p)) / MEDIAN)
