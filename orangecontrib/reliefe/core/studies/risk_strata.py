"""Strata of rows with similar risk, within which times are permuted.

`study.py` calls `strata` with the risk of each row by its covariates.
"""

import numpy as np

MOST_STRATA = 6  # within which times are permuted: benchmarks/studies.py --only censored
ROWS_PER_STRATUM = 10  # at least; chosen by eye


def strata(risk: np.ndarray) -> np.ndarray:
    """Codes (n,) of up to six strata of equal size by risks (n,); rows of equal risk are in one stratum."""
    from scipy.stats import rankdata

    n = len(risk)
    n_strata = max(min(MOST_STRATA, n // ROWS_PER_STRATUM), 1)
    quantile = (rankdata(risk) - 0.5) / n
    return np.unique((quantile * n_strata).astype(int), return_inverse=True)[1]
