"""Moments of the diffs of each feature, from which the spread of its score over permuted targets or values follows.

`row_method.py` and `every_k.py` compute the spread by `DiffMoments.spread`, and `balance.py` balances updates by it.
"""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.diff import Diff
from ..data.expected import MISSING
from ..kernels.jit import kernel
from .formats.features import Features
from .weight_sums import WeightSums

VALUES_AT_ONCE = 2**19  # values that are sorted together
ROUNDING = 1e-12  # share of its first term below which a variance is rounding


@dataclass(frozen=True, eq=False)
class DiffMoments:
    """Moments of the diffs of every feature, which do not depend on the target.

    With b_ij for the diff of rows i and j less the mean diff. Mantel (1967), Cancer Research 27:209.

    Attributes
    ----------
    n : int
        Number of rows, at least 4.
    mean : (p,) array
        Mean diff of all pairs i != j, in the order of `Features.columns`.
    squares : (p,) array
        Sum of b_ij^2 over i != j.
    rows : (p,) array
        Sum over rows i of (sum over j != i of b_ij)^2.
    """

    n: int
    mean: np.ndarray
    squares: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, features: Features) -> "DiffMoments":
        """Compute the moments of the diffs of scaled features: O(p n log n).

        Unknown values are left out, and the sums scaled up to n rows. Raises ValueError for fewer than four rows, or a
        ramp.
        """
        n, p = features.shape
        if n < 4:
            raise ValueError("the variance over random orders needs at least four rows")
        if not has_short_form(features.diff):
            raise ValueError("the variance over random orders has no short form for a ramp")
        if features.packed:
            codes = SortedColumns.of_genotypes(features.packed.counts())
            return cls(n, *codes.moments(n, not features.packed.additive, False))
        moments = np.zeros((3, p))
        values: Any = cast("sparse.csr_array", features.values).tocsc() if features.is_sparse else features.values
        read = SortedColumns.of_sparse if features.is_sparse else SortedColumns.of_dense
        at_once = max(1, VALUES_AT_ONCE * p // (values.nnz + p) if features.is_sparse else VALUES_AT_ONCE // n)
        for start in range(0, p, at_once):
            stop = min(start + at_once, p)
            first_nominal = min(max(features.n_numeric, start), stop)
            for first, last, nominal in ((start, first_nominal, False), (first_nominal, stop, True)):
                if first < last:
                    moments[:, first:last] = read(values, first, last).moments(n, nominal, features.diff.power == 2)
        return cls(n, *moments)

    @classmethod
    def typical(cls, features: Features, columns: np.ndarray) -> "DiffMoments":
        """Average the moments of some columns (c,), ascending, by plain diffs: a `DiffMoments` of one feature."""
        n = features.shape[0]
        if n < 4:
            return cls(n, *np.zeros((3, 1)))
        if features.packed:
            codes = SortedColumns.of_genotypes(features.packed.counts()[:, columns])
            moments = codes.moments(n, not features.packed.additive, False)
        else:
            n_numeric = int(np.searchsorted(columns, features.n_numeric))
            values: Any = features.values[:, columns]
            if features.value_weights is not None:
                values = values / features.value_weights[features.columns[columns]]
            of_columns = cls.of(replace(features, values=values, n_numeric=n_numeric, columns=columns, diff=Diff()))
            moments = np.array([of_columns.mean, of_columns.squares, of_columns.rows])
        return cls(n, *moments.mean(axis=1, keepdims=True))

    def spread(self, sums: WeightSums) -> tuple[np.ndarray, np.ndarray]:
        """Compute the mean and the standard deviation (p,) of the scores over all orders of the values.

        The deviation is 0 for constant features. With t = `squares` and r = `rows` of these moments, and S, E and Q for
        the total, the squares and the rows of `sums`, the mean is mean * S, and the variance

            t E / n(n-1)  +  (r - t) (Q - 2 E) / n(n-1)(n-2)  +  (2 t - 4 r) (S^2 - Q + E) / n(n-1)(n-2)(n-3)
        """
        n = self.n
        t = self.squares
        r = self.rows
        S = sums.total
        E = sums.squares
        Q = sums.rows
        n2 = n * (n - 1.0)
        n3 = n2 * (n - 2)
        n4 = n3 * (n - 3)
        variance = t * E / n2 + (r - t) * (Q - 2 * E) / n3 + (2 * t - 4 * r) * (S * S - Q + E) / n4
        return self.mean * S, np.sqrt(np.where(variance > ROUNDING * t * E / n2, variance, 0))


def mean_diffs(values: np.ndarray, nominal: bool) -> np.ndarray:
    """Mean diff (c,) of all pairs of rows in columns of one kind, (n, c): scaled or codes, `MISSING` where unknown."""
    means: np.ndarray = SortedColumns.of_dense(values, 0, values.shape[1]).moments(len(values), nominal, False)[0]
    return means


def has_short_form(diff: Diff) -> bool:
    """True for absolute and squared differences, which have closed forms; a ramp has none."""
    return replace(diff, power=1).plain


@dataclass(frozen=True, eq=False)
class SortedColumns:
    """Sorted values of some columns, one column after another.

    Attributes
    ----------
    values : (v,) array
        Sorted values of each column.
    counts : (v,) array
        Number of rows that have each value; 0 for unknown values.
    starts : (c,) int array
        Start of each column.
    """

    values: np.ndarray
    counts: np.ndarray
    starts: np.ndarray

    @classmethod
    def of_dense(cls, values: np.ndarray, first: int, last: int) -> "SortedColumns":
        """Sort columns [first, last) of an array (n, p); unknown values come first, and count 0."""
        columns = np.ascontiguousarray(values[:, first:last].T)
        sorted_values = np.sort(columns, axis=1).ravel()
        is_known = sorted_values != MISSING
        return cls(sorted_values, is_known.astype(float), np.arange(last - first) * len(values))

    @classmethod
    def of_sparse(cls, values: sparse.csc_array, first: int, last: int) -> "SortedColumns":
        """Sort columns [first, last) of a sparse array (n, p); all zeros of a column are one value."""
        selected = values[:, first:last]
        n_stored = np.diff(selected.indptr)
        is_known = selected.data != MISSING
        n_zeros = selected.shape[0] - n_stored
        x = np.concatenate([selected.data[is_known].astype(np.float64), np.zeros(len(n_zeros))])
        column_numbers = np.arange(last - first)
        columns = np.concatenate([np.repeat(column_numbers, n_stored)[is_known], column_numbers])
        counts = np.concatenate([np.ones(np.count_nonzero(is_known)), n_zeros])
        order = np.lexsort((x, columns))
        return cls(x[order], counts[order], np.searchsorted(columns[order], column_numbers))

    @classmethod
    def of_genotypes(cls, counts: np.ndarray) -> "SortedColumns":
        """Take the codes of packed genotypes, with their counts (4, p); unknown ones are a value of their own."""
        p = counts.shape[1]
        return cls(np.tile(np.arange(4) / 2, p), counts.T.ravel().astype(float), 4 * np.arange(p))

    def moments(self, n_rows: int, nominal: bool, squared: bool) -> np.ndarray:
        """Compute mean, squares and rows (3, c) of `DiffMoments`, scaled up to a number of rows.

        nominal : True for codes
        squared : True for squared differences
        """
        out = np.empty((3, len(self.starts)))
        cuts = np.append(self.starts, len(self.values))
        _moments(self.values, self.counts, cuts, n_rows, nominal, squared, np.empty(len(self.values)), out)
        return out


@kernel
def _moments(values, counts, cuts, n_rows, nominal, squared, row_sums, out):
    """Set out (3, c) to the mean, squares and rows of `DiffMoments` of columns of sorted values.

    The sum d_i of the diffs of a row with the value x_i to all others follows from sorted values, with y = x - centre:

        nominal:   number of rows with another code
        numbers:   y_i (2 * rows up to i - n) - 2 * sum of y up to i
        squared:   n y_i^2 + sum of y^2

    values, counts : (v,), as of `SortedColumns`
    cuts : (c + 1,), starts of the columns, and the end of the last one
    row_sums : (v,), room for d
    """
    for c in range(len(cuts) - 1):
        x = values[cuts[c] : cuts[c + 1]]
        w = counts[cuts[c] : cuts[c + 1]]
        d = row_sums[cuts[c] : cuts[c + 1]]
        # Sums of squares and of fourth powers about the centre
        n = w.sum()
        total = 0.0
        sum_2 = 0.0
        sum_4 = 0.0
        for q in range(len(x)):
            total += w[q] * x[q]
        centre = total / max(n, 1.0)
        for q in range(len(x)):
            square = (x[q] - centre) * (x[q] - centre)
            sum_2 += w[q] * square
            sum_4 += w[q] * square * square

        # Sums of the diffs of each row
        first_equal = 0
        n_equal = 0.0
        n_up_to = 0.0
        sum_up_to = 0.0
        for q in range(len(x)):
            y = x[q] - centre
            if nominal:
                n_equal += w[q]
                if q + 1 == len(x) or x[q + 1] != x[q]:
                    d[first_equal : q + 1] = n - n_equal
                    first_equal = q + 1
                    n_equal = 0.0
            elif squared:
                d[q] = n * y * y + sum_2
            else:
                n_up_to = n_up_to + w[q]
                sum_up_to = sum_up_to + w[q] * y
                d[q] = (2 * n_up_to - n) * y - 2 * sum_up_to

        # Moments
        sum_of_all = 0.0
        for q in range(len(x)):
            sum_of_all += w[q] * d[q]
        if nominal:
            squares = sum_of_all
        elif squared:
            squares = 2 * n * sum_4 + 6 * sum_2 * sum_2
        else:
            squares = 2 * n * sum_2
        mean = sum_of_all / max(n * (n - 1), 1.0)
        rows = 0.0
        for q in range(len(x)):
            difference = d[q] - (n - 1) * mean
            rows += w[q] * difference * difference
        growth = n_rows / max(n, 1.0)
        out[0, c] = mean
        out[1, c] = max(squares - mean * sum_of_all, 0.0) * growth**2
        out[2, c] = rows * growth**3
