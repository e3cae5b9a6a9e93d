"""Groups of correlated features, each represented by its best one.

`alike_features` is exported by `core`; `disagreement.py` calls it, too.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import entr

from ..checks import inside, several
from ..data.facts import refuse_infinite
from ..data.table import DataTable
from .feature_index import feature_index

DEFAULT_THRESHOLD = 0.9  # association above which two features are correlated
FEW_CODES = 4096  # counted by their values; more of them are sorted
MIN_LENGTH = 1e-300  # length of a column, so that nothing is divided by 0


def alike_features(
    X: object, features: Sequence[int | str], nominal: object = None, threshold: float = DEFAULT_THRESHOLD
) -> np.ndarray:
    """Group correlated features.

    Each belongs to the first representative of a group before it with which its association is above a threshold.

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

    Returns
    -------
    (m,) int array
        For each of `features` the index of the feature that represents its group.

    Raises
    ------
    ValueError
        If one of these features has infinite values, or no feature has a name.
    """
    table = DataTable.of(X, nominal)
    threshold = inside("threshold", threshold)
    p = table.shape[1]
    chosen = np.array([feature_index("features", f, table.names, p) for f in several("features", features)], int)
    chosen_table = table.columns(chosen).unpacked().wide()
    stored: Any = chosen_table.values
    values: np.ndarray = stored.toarray() if chosen_table.is_sparse else stored
    refuse_infinite(np.unique(chosen[np.isinf(values).any(axis=0)]))
    values = _scaled(values)
    codes = [
        np.unique(column, return_inverse=True)[1] if is_nominal else np.zeros(1, int)
        for column, is_nominal in zip(values.T, chosen_table.nominal, strict=True)
    ]
    has_many_categories = np.array([code.max(initial=0) > 1 for code in codes], bool)
    correlations = np.where(has_many_categories[:, None] | has_many_categories, 0, _correlations(values))
    entropies = [_entropy(code) for code in codes]

    def is_correlated(a: int, b: int) -> bool:
        """Compare the association of features a and b with the threshold."""
        if correlations[a, b] > threshold:
            return True
        if not (has_many_categories[a] and has_many_categories[b]):
            return False
        return _information(codes[a], codes[b], entropies[a], entropies[b], threshold) > threshold

    representatives: list[int] = []
    representative_of: np.ndarray = chosen.copy()
    for b in range(len(chosen)):
        a = next((a for a in representatives if is_correlated(a, b)), b)
        representative_of[b] = chosen[a]
        if a == b:
            representatives.append(b)
    return representative_of


def _scaled(values: np.ndarray) -> np.ndarray:
    """Divide columns (n, m) by powers of two, so that squares in any units can be added up, and no digit changes."""
    largest = np.fmax.reduce(np.abs(values), axis=0, initial=0.0)
    return np.asarray(np.ldexp(values, -np.frexp(largest)[1]))


def _correlations(values: np.ndarray) -> np.ndarray:
    """Compute absolute correlations (m, m) of columns (n, m); unknown values count as the mean, constants have 0."""
    is_known = ~np.isnan(values)
    z = np.where(is_known, values, 0)
    z = np.where(is_known, z - z.sum(axis=0) / np.maximum(is_known.sum(axis=0), 1), 0)
    varies = np.fmin.reduce(values, axis=0) < np.fmax.reduce(values, axis=0)
    z[:, ~varies] = 0  # what is left of a constant is rounding
    z /= np.maximum(np.sqrt((z * z).sum(axis=0)), MIN_LENGTH)
    return np.asarray(np.abs(z.T @ z))


def _information(a: np.ndarray, b: np.ndarray, entropy_a: float, entropy_b: float, threshold: float) -> float:
    """Mutual information of two columns of codes (n,) over the larger of their entropies.

    It is 0 if it is at most the threshold, as the smaller entropy shows, which it does not exceed.
    """
    smaller = min(entropy_a, entropy_b)
    larger = max(entropy_a, entropy_b)
    if smaller <= threshold * larger:
        return 0.0
    return (entropy_a + entropy_b - _entropy(a * (int(b.max()) + 1) + b)) / larger


def _entropy(codes: np.ndarray) -> float:
    """Entropy of the frequencies of codes (n,), in nats."""
    has_few_codes = codes.max(initial=0) < FEW_CODES
    counts = np.bincount(codes) if has_few_codes else np.unique(codes, return_counts=True)[1]
    return float(entr(counts / max(len(codes), 1)).sum())
