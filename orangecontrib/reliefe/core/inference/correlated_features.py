"""Groups of correlated features, each represented by its best one.

`alike_features` is exported by `core`; `disagreement.py` calls it, too.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import entr

from ..checks import inside, several
from ..data.table import DataTable, refuse_infinite
from .feature_index import feature_index

ALIKE = 0.9  # association from which on two features are alike
FEW_CODES = 4096  # counted by their values; more of them are sorted


def alike_features(X: object, features: Sequence[int], nominal: object = None, threshold: float = ALIKE) -> np.ndarray:
    """Group alike features: each belongs to the first one before it with which its association is above a threshold.

    Returns for each the index of the feature that represents its group.

    Parameters
    ----------
    X, nominal
        As in `rank`.
    features : sequence of int or str
        Indices of the features, or their names in a DataFrame, the best first, so that the best of each group
        represents it.
    threshold : float
        Absolute correlation of two numbers (or categories of two values), or mutual information of two categories over
        the larger entropy, in (0, 1).

    Raises
    ------
    ValueError
        If one of these features has infinite values, or no feature has a name.
    """
    table, threshold = DataTable.of(X, nominal), inside("threshold", threshold)
    chosen = np.array(
        [feature_index("features", f, table.names, table.shape[1]) for f in several("features", features)], int
    )
    some = table.columns(chosen).unpacked().wide()
    stored: Any = some.values
    values: np.ndarray = stored.toarray() if some.is_sparse else stored
    refuse_infinite(np.unique(chosen[np.isinf(values).any(axis=0)]))
    # Powers of two, so that the squares of values in any units can be added up, and no digit changes
    values = np.ldexp(values, -np.frexp(np.fmax.reduce(np.abs(values), axis=0, initial=0.0))[1])
    nominal_columns = zip(values.T, some.nominal, strict=True)
    codes = [np.unique(x, return_inverse=True)[1] if of_names else np.zeros(1, int) for x, of_names in nominal_columns]
    named, known = np.array([code.max(initial=0) > 1 for code in codes], bool), ~np.isnan(values)
    z = np.where(known, values, 0)
    z = np.where(known, z - z.sum(axis=0) / np.maximum(known.sum(axis=0), 1), 0)
    varies = np.fmin.reduce(values, axis=0) < np.fmax.reduce(values, axis=0)
    z[:, ~varies] = 0  # what is left of a constant is rounding
    z /= np.maximum(np.sqrt((z * z).sum(axis=0)), 1e-300)
    r = np.where(named[:, None] | named, 0, np.abs(z.T @ z))
    h = [_entropy(code) for code in codes]
    firsts: list[int] = []
    out: np.ndarray = chosen.copy()
    for b in range(len(chosen)):
        a = next((a for a in firsts if r[a, b] > threshold or (named[a] and named[b]
                  and _information(codes[a], codes[b], h[a], h[b], threshold) > threshold)), b)  # fmt: skip
        out[b] = chosen[a]
        firsts += [b] * (a == b)
    return out


def _information(a: np.ndarray, b: np.ndarray, h_a: float, h_b: float, least: float) -> float:
    """Mutual information of two columns of codes (n,) over the larger of their entropies; 0 if it is at most least."""
    low, high = sorted((h_a, h_b))
    if low <= least * high:  # the information is at most the smaller entropy
        return 0.0
    return (h_a + h_b - _entropy(a * (int(b.max()) + 1) + b)) / high


def _entropy(codes: np.ndarray) -> float:
    few = codes.max(initial=0) < FEW_CODES
    counts = np.bincount(codes) if few else np.unique(codes, return_counts=True)[1]
    return float(entr(counts / max(len(codes), 1)).sum())
