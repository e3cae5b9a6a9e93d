"""Rank tests of columns of features without covariates, for a target of classes or a number.

`alone.py` calls `p_values_of_columns` with blocks of columns.
"""

from typing import cast

import numpy as np
from scipy import sparse


def p_values_of_columns(X: np.ndarray, nominal: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """Test each column alone; rows in which it is unknown are left out.

    Parameters
    ----------
    X : (n, b) array
        Numbers or codes, NaN where unknown.
    nominal : (b,) bool array
        Columns of categories.
    y : (n,) array
        Numbers, or codes of classes.
    is_class : bool
        True if y holds classes.

    Returns
    -------
    (b,) array
        p-values, 1 for columns without a value.
    """
    from scipy.stats import rankdata

    p_values = np.ones(X.shape[1])
    unknown = np.isnan(X)
    is_complete_number = ~unknown.any(axis=0) & ~nominal
    if is_complete_number.any():
        p_values[is_complete_number] = _numbers(rankdata(X[:, is_complete_number], axis=0), y, is_class)
    for a in np.flatnonzero(~is_complete_number):
        is_known = ~unknown[:, a]
        column = X[is_known, a]
        known_y = y[is_known]
        if nominal[a]:
            codes = np.unique(column, return_inverse=True)[1]
            p_values[a] = _table(codes, known_y) if is_class else _kruskal(rankdata(known_y)[:, None], codes)[0]
        elif is_known.any():
            p_values[a] = _numbers(rankdata(column)[:, None], known_y, is_class)[0]
    return p_values


def _numbers(ranks: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """Test numbers with these ranks (n, b) by Kruskal and Wallis, or by Spearman; returns p-values (b,).

    With Spearman's correlation r, r sqrt((n - 2) / (1 - r^2)) has Student's distribution with n - 2 degrees of freedom.
    """
    from scipy.stats import rankdata, t

    if is_class:
        return _kruskal(ranks, np.unique(y, return_inverse=True)[1])
    n = len(y)
    y_ranks = rankdata(y)
    y_ranks = y_ranks - y_ranks.mean()
    ranks = ranks - ranks.mean(axis=0)
    size = np.sqrt((y_ranks @ y_ranks) * np.einsum("ij,ij->j", ranks, ranks))
    r = np.clip(np.divide(y_ranks @ ranks, size, out=np.zeros(len(size)), where=size > 0), -1, 1)
    if n < 3:
        return np.ones(len(r))
    with np.errstate(divide="ignore"):
        return cast("np.ndarray", 2 * t.sf(np.abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 0)), n - 2))


def _kruskal(ranks: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Test ranks (n, b) in groups with codes (n,) by Kruskal and Wallis; returns p-values (b,).

    The statistic is n - 1 times the groups' share of the sum of squares, which is right for ties.
    """
    from scipy.stats import chi2

    n = len(codes)
    counts = np.bincount(codes)
    ranks = ranks - ranks.mean(axis=0)
    is_member = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(len(counts), n))
    between = ((is_member @ ranks) ** 2 / counts[:, None]).sum(axis=0)
    total = np.einsum("ij,ij->j", ranks, ranks)
    share = np.divide(between, total, out=np.zeros(len(total)), where=total > 0)
    return cast("np.ndarray", chi2.sf((n - 1) * share, max(len(counts) - 1, 1)))


def _table(codes: np.ndarray, y: np.ndarray) -> float:
    """Test the table of two categories by chi-square; returns the p-value, 1 if either has one value only."""
    from scipy.stats import chi2_contingency

    y_codes = np.unique(y, return_inverse=True)[1]
    n_rows = codes.max(initial=0) + 1
    n_columns = y_codes.max(initial=0) + 1
    counts = np.bincount(codes * n_columns + y_codes, minlength=n_rows * n_columns).reshape(n_rows, n_columns)
    if min(n_rows, n_columns) < 2:
        return 1.0
    return float(chi2_contingency(counts, correction=False).pvalue)
