"""Values of the remaining features of a conditional test, as columns of regressions.

`one_conditional_test.py` makes one `FeatureColumns` for all tests, and `OtherFeatures` for each of them, of which
`regression_columns.py` and `linear_part.py` make columns.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..data.facts import refuse_infinite
from ..data.table import DataTable
from ..structure.additive import FEW_VALUES, additive_basis
from ..studies.residuals import normal_scores

MAX_KEPT_VALUES = 2**22  # of a table whose columns are kept for all tests: 32 MB, and three times as much for splines
COLUMNS_AT_ONCE = 1000  # of a table that are dense at a time


class FeatureColumns:
    """Columns of the features of a table, each of which is made once if the table is small."""

    def __init__(self, table: DataTable):
        self.table = table
        self._keeps = table.shape[0] * table.shape[1] <= MAX_KEPT_VALUES
        self._scored: dict[int, np.ndarray] = {}
        self._bases: dict[int, np.ndarray] = {}

    def values(self, features: np.ndarray) -> np.ndarray:
        """Values (n, c) of features, numbers scaled to [0, 1]; raises ValueError where they are infinite.

        So neither squares of large values overflow, nor do large offsets cost digits.
        """
        table = self.table
        stored: Any = table.columns(features).unpacked().wide().values
        dense: np.ndarray = stored.toarray() if table.is_sparse else stored
        refuse_infinite(features[np.isinf(dense).any(axis=0)])
        values = np.array(dense, dtype=np.float64)
        is_number = ~table.nominal[features]
        values[:, is_number] = _in_unit_interval(values[:, is_number])
        return values

    def scored(self, feature: int) -> np.ndarray:
        """Column (n,): normal scores of a number of more than four values, as long tails make bad columns."""
        column = self._scored.get(feature)
        if column is None:
            column = self.values(np.array([feature]))[:, 0]
            is_known = ~np.isnan(column)
            if not self.table.nominal[feature] and len(np.unique(column[is_known])) > FEW_VALUES:
                column[is_known] = normal_scores(column[is_known])
            if self._keeps:
                self._scored[feature] = column
        return column

    def basis(self, feature: int) -> np.ndarray:
        """Columns (n, c) of any smooth effect of a feature (`additive_basis`)."""
        basis = self._bases.get(feature)
        if basis is None:
            basis = additive_basis(self.scored(feature)[:, None], self.table.nominal[[feature]])
            if self._keeps:
                self._bases[feature] = basis
        return basis


@dataclass(frozen=True, eq=False)
class OtherFeatures:
    """Remaining features of a tested feature, in the n rows where it is known.

    Remaining features are numbered from 0 to p - 2.

    Attributes
    ----------
    of_all : FeatureColumns
        Columns of all features.
    tested : int
        Index of the tested feature.
    is_known : (N,) bool array
        Rows in which it is known.
    """

    of_all: FeatureColumns
    tested: int
    is_known: np.ndarray

    @cached_property
    def indices(self) -> np.ndarray:
        """Indices (p - 1,) of the remaining features in the table."""
        return np.delete(np.arange(self.of_all.table.shape[1]), self.tested)

    @property
    def nominal(self) -> np.ndarray:
        """Mask (p - 1,) of categories."""
        return np.asarray(self.of_all.table.nominal[self.indices])

    @property
    def n_features(self) -> int:
        """Number p - 1 of remaining features."""
        return self.of_all.table.shape[1] - 1

    @property
    def n_rows(self) -> int:
        """Number n of rows."""
        return int(np.count_nonzero(self.is_known))

    def centred_values(self, features: np.ndarray) -> np.ndarray:
        """Values (n, c) less the mean of their column, 0 where unknown."""
        return centred(self.of_all.values(self.indices[features])[self.is_known])

    def numbers(self, features: np.ndarray) -> np.ndarray:
        """Centred normal scores (n, c) of the numbers among features, 0 where unknown."""
        columns = [
            self.of_all.scored(f)[self.is_known] for f in self.indices[features[~self.nominal[features]]].tolist()
        ]
        return centred(np.array(columns).reshape(len(columns), self.n_rows).T)

    def lines(self, features: np.ndarray) -> np.ndarray:
        """Standardised columns of lines of features: numbers, and indicators of all categories but one."""
        columns: list[np.ndarray] = []
        for feature in self.indices[features].tolist():
            column = self.of_all.scored(feature)[self.is_known]
            if self.of_all.table.nominal[feature]:
                categories = np.unique(column[~np.isnan(column)])
                columns += [(column == category).astype(float) for category in categories[1:]]
            else:
                columns.append(centred(column[:, None])[:, 0])
        return standardised(columns, self.n_rows)

    def basis(self, features: np.ndarray) -> np.ndarray:
        """Standardised columns (n, c) of any sum of smooth effects of features."""
        bases = [self.of_all.basis(feature)[self.is_known].T for feature in self.indices[features].tolist()]
        return standardised([column for basis in bases for column in basis], self.n_rows)

    def most_correlated(self, features: np.ndarray, indicators: np.ndarray, max_features: int) -> np.ndarray:
        """Choose the features whose absolute correlation with any column of the indicators (n, g) is largest."""
        if len(features) <= max_features:
            return features
        lengths = np.sqrt((indicators**2).sum(axis=0))
        indicators = indicators / np.where(lengths > 0, lengths, 1)
        correlations = []
        for start in range(0, len(features), COLUMNS_AT_ONCE):
            values = self.centred_values(features[start : start + COLUMNS_AT_ONCE])
            deviations = np.sqrt((values**2).sum(axis=0))
            values /= np.where(deviations > 0, deviations, 1)
            correlations.append(np.abs(values.T @ indicators).max(axis=1))
        order = np.argsort(-np.concatenate(correlations), kind="stable")
        return np.asarray(np.sort(features[order[:max_features]]))


def _in_unit_interval(values: np.ndarray) -> np.ndarray:
    """Scale columns (n, c) to [0, 1]; constant ones are 0."""
    halves = values / 2  # whose range is finite
    low = np.fmin.reduce(halves, axis=0)
    ranges = np.fmax.reduce(halves, axis=0) - low
    return np.asarray((halves - low) / np.where(ranges > 0, ranges, 1))


def centred(values: np.ndarray) -> np.ndarray:
    """Values (n, c) less the mean of their column, 0 where unknown."""
    n_known = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    return np.asarray(np.nan_to_num(values - np.nansum(values, axis=0) / n_known))


def standardised(columns: list[np.ndarray], n: int) -> np.ndarray:
    """Columns (n,) side by side, with mean 0 and standard deviation 1, without constant ones."""
    stacked = np.array(columns).reshape(len(columns), n).T
    deviations_from_mean = stacked - stacked.mean(axis=0)
    deviations = deviations_from_mean.std(axis=0)
    varies = deviations > 0
    return np.asarray(deviations_from_mean[:, varies] / deviations[varies])
