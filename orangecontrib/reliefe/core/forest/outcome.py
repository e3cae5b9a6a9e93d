"""Columns that trees predict, and the weights of their errors.

`methods/pct.py` makes an `Outcome` of the target; `predictions` and `permutations` read it.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..targets.scaling import scaled
from ..targets.targets import Target
from .attributes import Attributes
from .clustering_space import ClusteringSpace, clustering_space

# Rules of prediction
MEAN = 0  # mean of a number
MAJORITY = 1  # a label if its share is above one half
MODE = 2  # the most frequent class


@dataclass(frozen=True)
class Outcome:
    """Columns that trees predict, and weights of errors: all losses are weighted mean squares, or their roots.

    values (N, K): numbers, labels, or indicators of classes, NaN = unknown.
    starts (t + 1,): first column of each of the t attributes.
    rules (t,): rules of prediction, `MEAN`, `MAJORITY` or `MODE`.
    weights (K,): weights of the mean squares.
    root (K,) bool: True where the root of the mean square counts.
    center (K,): means of the known values.
    impurity (t,): variances or Gini, 1 where nothing varies.
    shares (t,): weights of the attributes.
    powers (K,): powers of two that numbers were divided by, so that neither sums nor squares of them are too large.
    """

    values: np.ndarray
    starts: np.ndarray
    rules: np.ndarray
    weights: np.ndarray
    root: np.ndarray
    center: np.ndarray
    impurity: np.ndarray
    shares: np.ndarray
    powers: np.ndarray

    @classmethod
    def of(cls, target: Target, alpha: np.ndarray | None = None) -> "Outcome":
        """Make the outcome of a target, with attributes weighted by alpha.

        Losses: error rate of classes, RMSE of numbers over their standard deviation, Hamming loss of labels.
        """
        attributes = Attributes.of(target, alpha).shared(1.0)
        labels = target.inner.label_matrix is not None
        of_attributes = []
        shares = attributes.weights / (attributes.weights.sum() or 1.0)
        for column, nominal, share in zip(attributes.values.T, attributes.nominal, shares, strict=True):
            if nominal:
                of_attributes.append(_Columns(_indicators(column), MODE, share / 2))
            elif labels:
                of_attributes.append(_Columns(column[:, None], MAJORITY, share))
            else:
                column, power = scaled(column)
                width = np.nanstd(column) if share else 1.0
                of_attributes.append(_Columns(column[:, None], MEAN, share / (width or 1.0), True, power))
        return cls._join(of_attributes, shares, len(attributes.values))

    @classmethod
    def of_features(cls, attributes: Attributes, space: ClusteringSpace) -> "Outcome":
        """Make an outcome without a target: all attributes.

        Losses: squared error of numbers over their variance, error rate of the others over Gini.  space: that of the
        attributes.
        """
        numeric = ~attributes.nominal
        if not numeric.all():
            space = clustering_space(
                Attributes(attributes.values[:, numeric], attributes.nominal[numeric], attributes.weights[numeric])
            )
        group = np.repeat(np.arange(len(space.complete)), np.diff(space.starts))
        z = np.where(space.known[:, group] > 0, space.z, np.nan)
        of_attributes = [_Columns(column[:, None], MEAN, 1.0) for column in z.T[z.any(axis=0)]]
        for f in np.flatnonzero(attributes.nominal & (attributes.weights > 0)):
            indicators = _indicators(attributes.values[:, f])
            gini = np.nanvar(indicators, axis=0).sum()
            if indicators.shape[1] == 2:
                of_attributes.append(_Columns(indicators[:, 1:], MAJORITY, attributes.weights[f] / gini))
            else:
                of_attributes.append(_Columns(indicators, MODE, attributes.weights[f] / gini / 2))
        return cls._join(of_attributes, np.ones(len(of_attributes)), len(attributes.values))

    @classmethod
    def _join(cls, of_attributes: list["_Columns"], shares: np.ndarray, n: int) -> "Outcome":
        """Join the columns of all attributes; shares (t,): their weights, n: number of rows."""
        if not of_attributes:
            of_attributes = [_Columns(np.zeros((n, 1)), MEAN, 0.0)]
            shares = np.zeros(1)
        values = np.hstack([columns.values for columns in of_attributes])
        widths = [columns.values.shape[1] for columns in of_attributes]
        starts = np.cumsum([0, *widths])
        # Means and variances of the known values; the Gini impurity is the sum of the variances of indicators.
        is_known = ~np.isnan(values)
        counts = np.maximum(is_known.sum(axis=0), 1)
        center = np.where(is_known, values, 0.0).sum(axis=0) / counts
        variances = np.where(is_known, (values - center) ** 2, 0.0).sum(axis=0) / counts
        impurity = np.add.reduceat(variances, starts[:-1])
        return cls(
            values=values,
            starts=starts,
            rules=np.array([columns.rule for columns in of_attributes]),
            weights=np.repeat([columns.weight for columns in of_attributes], widths),
            root=np.repeat([columns.root for columns in of_attributes], widths),
            center=center,
            impurity=np.where(impurity > 0, impurity, 1.0),
            shares=shares,
            powers=np.repeat([columns.power for columns in of_attributes], widths),
        )


class _Columns(NamedTuple):
    """Columns of one attribute.

    values (n, k): the columns.
    rule: how they are predicted.
    weight: weight of the mean square.
    root: True if the root of the mean square counts.
    power: power of two that numbers were divided by.
    """

    values: np.ndarray
    rule: int
    weight: float
    root: bool = False
    power: int = 0


def _indicators(column: np.ndarray) -> np.ndarray:
    """Make indicators (n, k) of the k values that occur in a column (n,); NaN where it is unknown."""
    is_missing = np.isnan(column)
    return np.where(is_missing[:, None], np.nan, column[:, None] == np.unique(column[~is_missing]))
