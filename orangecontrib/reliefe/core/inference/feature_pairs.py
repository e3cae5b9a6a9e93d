"""Differences of features over the pairs of rows that scores are summed over.

`score_parts.py` calls `feature_pairs` with the input of a scoring of all rows, and of samples of them.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..methods.base import Method, MethodInput
from ..relief.formats.features import Features
from ..targets.targets import Target
from .kept_pairs import KeptPairs, ScoredPairs
from .scaled_columns import ScaledColumns, scaled_columns

# Where intervals held the mean difference less often than they should: `python benchmarks/intervals.py --table`
MIN_KNOWN_SHARE = 0.9  # of the values
MAX_RANGE = 7  # interquartile ranges: normal values have 3 to 6, those of Student's distribution (2.5) mostly more


@dataclass(frozen=True, eq=False)
class FeaturePairs:
    """Pairs of rows, and the values of d features.

    Attributes
    ----------
    pairs : ScoredPairs
        Pairs by the order in which the scoring has the rows. Weights are above 0 for rows with unlike targets, and
        below 0 for rows with like ones.
    ids : (n,) int array
        Index in the table of each of these rows.
    features : Features
        All features, for the rule by which numbers differ.
    chosen : ScaledColumns
        The d features.
    """

    pairs: ScoredPairs
    ids: np.ndarray
    features: Features
    chosen: ScaledColumns

    def differences(self, number: int) -> np.ndarray:
        """Differences (P,) of one of the d features over the pairs; a missing value has the mean difference."""
        column = self.chosen.columns[number]
        differences = column[self.pairs.i] - column[self.pairs.j]
        is_nominal = self.chosen.nominal[number]
        diffs = (differences != 0) if is_nominal else self.features.diff(np.abs(differences))
        filled: np.ndarray = np.where(np.isnan(differences), self.chosen.mean_diffs[number], diffs)
        return filled

    def doubt(self, number: int) -> str:
        """Reason why an interval of a feature may be too short; empty if there is none."""
        column = self.chosen.columns[number]
        is_known = ~np.isnan(column)
        if is_known.mean() < MIN_KNOWN_SHARE:
            return "many of its values are missing"
        if self.chosen.nominal[number]:
            return ""
        low, first_quartile, third_quartile, high = np.quantile(column[is_known], (0, 0.25, 0.75, 1))
        middle_half = third_quartile - first_quartile
        if middle_half > 0 and high - low > MAX_RANGE * middle_half:
            return "a few rows decide on its range"
        return ""

    def parts(self, number: int) -> tuple[float, float]:
        """Mean differences of a feature over pairs of unlike rows, and of like rows; NaN where there are none."""
        weights = self.pairs.weights
        products = weights * self.differences(number)
        apart, alike = (_weighted_mean(products, weights, is_chosen) for is_chosen in (weights > 0, weights < 0))
        return apart, alike


def feature_pairs(
    method: Method[Any], data: MethodInput[Any], target: Target, features: np.ndarray
) -> FeaturePairs | None:
    """Score a target, and keep the pairs of rows with the values of some features.

    Parameters
    ----------
    method : Method
        Method of the scoring.
    data : MethodInput
        Its input; target rows are chosen. It is prepared here if it is not yet.
    target : Target
        Target of these rows.
    features : (d,) int array
        Indices of features.

    Returns
    -------
    FeaturePairs or None
        None if the scores turn out to be no sums over pairs.
    """
    prepared = data if data.prepared is not None else replace(data, prepared=method.prepare(data))
    (scored,) = method.for_targets(replace(prepared, outputs=(KeptPairs(),)), [target])
    if not scored.result.quantities:
        return None
    all_features, ids, pairs = scored.result.quantities[0]
    return FeaturePairs(pairs, ids, all_features, scaled_columns(all_features, features))


def _weighted_mean(products: np.ndarray, weights: np.ndarray, is_chosen: np.ndarray) -> float:
    """Sum of the products over that of the weights on a side, a mask of pairs; NaN where there are none."""
    return float(products[is_chosen].sum() / weights[is_chosen].sum()) if is_chosen.any() else float("nan")
