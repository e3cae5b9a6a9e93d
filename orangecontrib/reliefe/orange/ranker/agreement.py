"""Sentence on the agreement of the ticked methods, for the line below the table of a ranker.

With few rows, for example, all rows are neighbours, and so several methods give the same scores.
"""

from collections.abc import Sequence

import numpy as np

from ...core.studies.adjustment import count_best
from ...core.words import counted, some
from .scores import MethodScores

TOLERANCE = 1e-6  # of the largest score: differences of sums in single precision


def describe_agreement(columns: Sequence[MethodScores]) -> str:
    """Say that methods have the same scores, or the same best features: of the best 10, or a quarter of few features.

    Parameters
    ----------
    columns : sequence of MethodScores
        Of all methods that are shown.

    Returns
    -------
    str
        For example "All 3 methods have the same best 4 features; ReliefF and ReliefE give the same scores". Empty if
        the methods do not agree, for one method, and while any scores may still change.
    """
    if len(columns) < 2 or any(scores.partial for scores in columns):
        return ""
    every_method = "Both methods" if len(columns) == 2 else f"All {len(columns)} methods"
    groups = [[scores.title for scores in columns if _is_same(scores, first)] for first in columns]
    titles = max(groups, key=len)
    if len(titles) == len(columns):
        return f"{every_method} give the same scores"
    n_best = _count_same_best(columns)
    best = "feature" if n_best == 1 else counted(n_best, "feature")
    texts = [f"{every_method} have the same best {best}"] if n_best else []
    if len(titles) > 1:
        texts.append(f"{' and '.join(titles) if len(titles) == 2 else some(titles)} give the same scores")
    return "; ".join(texts)


def _is_same(scores: MethodScores, others: MethodScores) -> bool:
    """True if two methods give all features the same scores, but for rounding."""
    tolerance = TOLERANCE * max(map(abs, others.limits))
    return np.allclose(scores.values, others.values, rtol=0, atol=tolerance, equal_nan=True)


def _count_same_best(columns: Sequence[MethodScores]) -> int:
    """Largest number of best features, in any order, that all methods have in common; 0: none."""
    n_features = len(columns[0].values)
    for n_best in range(count_best(n_features), 0, -1):
        best = [set(scores.order[:n_best].tolist()) for scores in columns]
        if all(features == best[0] for features in best):
            return n_best
    return 0
