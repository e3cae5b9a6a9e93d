"""Comparison of rows: what a run is started with, and the features and distances that it reads."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..data.compared import compared
from ..data.diff import RANGE, Diff
from ..data.expected import IGNORE
from ..data.table import DataTable
from ..work.threads import Work
from .formats.cosine import PresenceCosine
from .formats.dense import DenseManhattan
from .formats.distance import COSINE, MANHATTAN, Distance
from .formats.double_precision import DoublePrecision
from .formats.features import Features
from .formats.packed import PackedManhattan, PackedSums, PackedWeighted
from .formats.sparse import SparseManhattan
from .formats.sparse_sums import SparseSums
from .formats.sums import DenseSums, Sums
from .formats.weighted import Weighted

STORED_ASIDE = 2**18  # values of sparse features whose index takes so long that a stop should not wait for it


@dataclass(frozen=True, eq=False)
class Prepared:
    """Features and distances of rows in run order."""

    features: Features  # scaled
    distance: Distance
    double: DoublePrecision | None  # computes those distances again that single precision cannot decide


@dataclass(frozen=True, eq=False)
class Comparison:
    """Rows of a table, and how they are compared."""

    table: DataTable
    rows: np.ndarray | None = None  # different rows of the table; None: all of them
    strategy: str = IGNORE  # for missing values
    diff: Diff = field(default_factory=Diff)
    # Name of a distance over the features, or a function from the order of the rows to a distance
    distance: str | Callable[[np.ndarray], Distance] = MANHATTAN
    average: bool = False  # whether a row is compared with the mean of its neighbours
    dtype: type | None = None  # float32 or float64; None: by the size of the data
    # (n,): codes of persons measured several times, or of other groups, whose rows are no neighbours of each other
    subjects: np.ndarray | None = None
    row_weights: np.ndarray | None = None  # (n,): how many rows each of them counts for, above 0; None: one
    # (p,): weights of the features in the distance, above 0; None: 1
    feature_weights: np.ndarray | None = None

    def of_compared_rows(self) -> "Comparison":
        """Return the comparison of a table without further rows, where values of rows depend on the others."""
        if self.rows is None or self.diff.kind == RANGE:
            return self
        return replace(self, table=self.table.take(self.rows), rows=None)

    def prepared(self, order: np.ndarray, groups: np.ndarray, above_mean: bool, work: Work) -> Prepared:
        """Scale the features, and make what computes distances.

        Parameters
        ----------
        order : (n,) int array
            Numbers of the rows, in the order of the run.
        groups : (n,) int array
            Classes that neighbours are searched in, in this order.
        above_mean : bool
            Whether diffs count above the mean diff of a pair, which packed genotypes cannot tell.
        work : Work
            Threads, progress, and the wish to stop.
        """
        rows_of_table = order if self.rows is None else self.rows[order]
        table = self.table
        weights = self.feature_weights
        if above_mean or self.average or self.distance != MANHATTAN or not (weights is None or self._stays_packed()):
            table = table.unpacked().wide()
        values = compared(table, self.diff.kind, work)
        weighs_values = weights is not None and self._has_plain_numbers(values)
        dtype = np.float64 if weights is not None and not weighs_values else self.dtype
        features = Features.build(values, rows_of_table, groups, self.strategy, self.diff, dtype, work.tick)
        if weights is not None and weighs_values:
            features = features.times(weights)
        if callable(self.distance):
            return Prepared(features, self.distance(order), None)
        if self.distance == COSINE:
            return Prepared(features, PresenceCosine(table, rows_of_table, work.tick), None)
        stored: Any = features.values
        is_slow = features.is_sparse and stored.nnz >= STORED_ASIDE
        distance = work.aside(manhattan, features) if is_slow else manhattan(features)
        if weights is not None and not weighs_values:
            return Prepared(features, weighted(distance, features, weights[features.columns]), None)
        double = (
            None if features.in_double_precision else DoublePrecision(values, rows_of_table, features, self.strategy)
        )
        return Prepared(features, distance, double)

    def _stays_packed(self) -> bool:
        """True for packed genotypes whose diffs and unknown values kernels of bits know."""
        packed = self.table.packed
        return packed is not None and self.diff.plain and packed.takes(self.strategy)

    def _has_plain_numbers(self, table: DataTable) -> bool:
        """True if weights of features may multiply values instead of diffs: of complete dense numbers, plain diffs."""
        is_plain = self.diff.plain and not table.is_sparse and not table.packed
        return is_plain and not table.nominal.any() and not table.missing_share


def manhattan(features: Features) -> Distance:
    """Sum of diffs over the features, for the format that they are stored in."""
    if features.packed:
        return PackedManhattan(features, features.packed)
    return SparseManhattan(features) if features.is_sparse else DenseManhattan(features)


def weighted(distance: Distance, features: Features, feature_weights: np.ndarray) -> Distance:
    """Sum of diffs times weights (p,) of the features, in the order of the columns."""
    if features.packed:
        return PackedWeighted(features, features.packed, feature_weights)
    return Weighted(distance, features, feature_weights)


def sums_for(features: Features, distance: Distance) -> Sums:
    """Sums over pairs, for the format of the features; they share what the distance has made of them."""
    if features.packed:
        return PackedSums(features, features.packed)
    return SparseSums(features, getattr(distance, "index", None)) if features.is_sparse else DenseSums(features)
