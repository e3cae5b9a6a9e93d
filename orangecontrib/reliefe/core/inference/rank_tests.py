"""Rank tests of columns of features without covariates, for a target of classes or a number.

`alone.py` calls `p_values_of_columns` with blocks of columns.
"""

from typing import cast

import numpy as np
from scipy import sparse

from ..data.ranks import mean_ranks


def p_values_of_columns(X: np.ndarray, nominal: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """p-values (b,) of the columns of X (n, b) and the target y (n,)."""
    from scipy.stats import rankdata

    out = np.ones(X.shape[1])
    unknown = np.isnan(X)
    whole = ~unknown.any(axis=0) & ~nominal
    if whole.any():
        out[whole] = _numbers(mean_ranks(X[:, whole]), y, is_class)
    for a in np.flatnonzero(~whole):
        known = ~unknown[:, a]
        column, other = X[known, a], y[known]
        if nominal[a]:
            codes = np.unique(column, return_inverse=True)[1]
            out[a] = _table(codes, other) if is_class else _kruskal(rankdata(other)[:, None], codes)[0]
        elif known.any():
            out[a] = _numbers(rankdata(column)[:, None], other, is_class)[0]
    return out


def _numbers(ranks: np.ndarray, y: np.ndarray, is_class: bool) -> np.ndarray:
    """p-values (b,) of numbers with these ranks (n, b)."""
    from scipy.stats import rankdata, t

    if is_class:
        return _kruskal(ranks, np.unique(y, return_inverse=True)[1])
    n, own = len(y), rankdata(y)
    own, ranks = own - own.mean(), ranks - ranks.mean(axis=0)
    size = np.sqrt((own @ own) * np.einsum("ij,ij->j", ranks, ranks))
    r = np.clip(np.divide(own @ ranks, size, out=np.zeros(len(size)), where=size > 0), -1, 1)
    if n < 3:
        return np.ones(len(r))
    with np.errstate(divide="ignore"):
        return cast("np.ndarray", 2 * t.sf(np.abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 0)), n - 2))


def _kruskal(ranks: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """p-values (b,) of ranks (n, b) in groups (n,): between groups' sum of squares over that of all, which is right
    for ties."""
    from scipy.stats import chi2

    n, counts = len(codes), np.bincount(codes)
    ranks = ranks - ranks.mean(axis=0)
    members = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(len(counts), n))
    between = ((members @ ranks) ** 2 / counts[:, None]).sum(axis=0)
    total = np.einsum("ij,ij->j", ranks, ranks)
    share = np.divide(between, total, out=np.zeros(len(total)), where=total > 0)
    return cast("np.ndarray", chi2.sf((n - 1) * share, max(len(counts) - 1, 1)))


def _table(codes: np.ndarray, y: np.ndarray) -> float:
    """p-value of a table of two categories."""
    from scipy.stats import chi2_contingency

    other = np.unique(y, return_inverse=True)[1]
    shape = codes.max(initial=0) + 1, other.max(initial=0) + 1
    counts = np.bincount(codes * shape[1] + other, minlength=shape[0] * shape[1]).reshape(shape)
    return float(chi2_contingency(counts, correction=False).pvalue) if min(shape) > 1 else 1.0
