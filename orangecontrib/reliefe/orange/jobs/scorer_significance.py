"""Test of a scorer of Orange against the same scorer on permuted targets, as the core tests its own methods."""

from collections.abc import Callable, Iterator

import numpy as np
from Orange.data import Domain, Table

from ...core.targets.facts import no_p_values

DEFAULT = 50  # shuffles: what a scorer does has no closed form
POOL = 2000  # scores of shuffled targets that make p fine enough
MAX_DEFAULT = 199


def has_target(table: Table) -> np.ndarray:
    """Mask (n,) of the rows whose target is known."""
    return ~np.isnan(np.asarray(table.Y, float).reshape(len(table), -1)).any(axis=1)


def permuted(table: Table, number: int) -> Table:
    """Permute the target among the rows that have one, together with the weights of these rows.

    The number says which of the random permutations is meant.
    """
    rows_with_target = np.flatnonzero(has_target(table))
    donors = np.arange(len(table))
    donors[rows_with_target] = rows_with_target[np.random.default_rng(number).permutation(len(rows_with_target))]
    domain = Domain(table.domain.attributes, table.domain.class_vars)
    weights = table.W[donors] if table.has_weights() else None
    return Table.from_numpy(domain, table.X, table.Y[donors], W=weights)


class ScorerTest:
    """Counterpart of the core's `SignificanceTest`: rank(table, progress) gives the scores (p,), NaN where none."""

    def __init__(self, rank: Callable, table: Table):
        self._rank = rank
        self._table = table
        self._null = None
        self._known = None
        if not table.domain.class_vars:
            raise ValueError(no_p_values())

    @property
    def n_shuffles(self) -> int:
        return self._null.n_shuffles if self._null else 0

    @property
    def default_shuffles(self) -> int:
        p = max(len(self._table.domain.attributes), 1)
        return int(np.clip(-(-POOL // p), DEFAULT, MAX_DEFAULT))

    def shuffle(self, n_shuffles: int | None = None, *, progress: Callable[[float], object]) -> Iterator[int]:
        """Number of shuffles so far, from 0 on, until there are so many in all."""
        wanted = n_shuffles or self.default_shuffles
        if self._null is None:
            self._begin(progress)
        begin = self.n_shuffles
        yield begin
        for number in range(begin, wanted):
            share = (number - begin) / (wanted - begin)
            part = 1 / (wanted - begin)
            self._null.add(
                self._scored(permuted(self._table, number), lambda done, a=share, b=part: progress(a + b * done))
            )
            yield self.n_shuffles

    def result(self) -> object:
        return self._null.significance(int(self._known.sum()))

    def _begin(self, progress):
        from ...core.inference.null_scores import NullScores
        from ...core.inference.target_orders import orders

        self._known = has_target(self._table)
        columns = np.asarray(self._table.Y, float).reshape(len(self._table), -1)
        if self._table.has_weights():  # rows of one target differ by their weights
            columns = np.column_stack([columns, self._table.W])
        self._null = NullScores(self._scored(self._table, lambda done: progress(0.0)), orders(columns[self._known]))

    def _scored(self, table: Table, progress: Callable) -> object:
        """Scores for the core; features without one have the same score for all targets, and so no z."""
        from ...core.methods.base import MethodResult, TargetResult

        return TargetResult(MethodResult(np.nan_to_num(self._rank(table, progress).scores, nan=0.0)))
