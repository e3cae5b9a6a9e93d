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

VALUES_AT_ONCE = 2**19  # that are sorted together
ROUNDING = 1e-12  # share of its first term below which a variance is rounding


@dataclass(frozen=True, eq=False)
class DiffMoments:
    """Moments of the diffs of every feature, which do not depend on the target; b_ij is a diff less its mean.

    Mantel (1967), Cancer Research 27:209.
    """

    n: int  # number of rows, at least 4
    mean: np.ndarray  # (p,): mean diff of all pairs i != j, as features order them
    squares: np.ndarray  # (p,): sum of b_ij^2 over i != j
    rows: np.ndarray  # (p,): sum over rows i of (sum over j != i of b_ij)^2

    @classmethod
    def of(cls, features: Features) -> "DiffMoments":
        """Moments of the diffs of scaled features: O(p n log n).

        Unknown values are left out, and the sums scaled up to n rows.
        """
        n, p = features.shape
        if n < 4:
            raise ValueError("the variance over random orders needs at least four rows")
        if not has_short_form(features.diff):
            raise ValueError("the variance over random orders has no short form for a ramp")
        if features.packed:
            return cls(n, *_of_codes(features.packed.counts()).moments(n, not features.packed.additive, False))
        found = np.zeros((3, p))
        values: Any = cast("sparse.csr_array", features.values).tocsc() if features.is_sparse else features.values
        at_once = max(1, VALUES_AT_ONCE * p // (values.nnz + p) if features.is_sparse else VALUES_AT_ONCE // n)
        for start in range(0, p, at_once):
            stop = min(start + at_once, p)
            cut = min(max(features.n_numeric, start), stop)
            for first, last, nominal in ((start, cut, False), (cut, stop, True)):
                if first < last:
                    columns = _sparse(values, first, last) if features.is_sparse else _dense(values, first, last)
                    found[:, first:last] = columns.moments(n, nominal, features.diff.power == 2)
        return cls(n, *found)

    @classmethod
    def typical(cls, features: Features, some: np.ndarray) -> "DiffMoments":
        """Means of the moments of some features, by plain diffs."""
        if features.shape[0] < 4:
            return cls(features.shape[0], *np.zeros((3, 1)))
        if features.packed:
            codes = _of_codes(features.packed.counts()[:, some])
            moments = codes.moments(features.shape[0], not features.packed.additive, False)
        else:
            cut = int(np.searchsorted(some, features.n_numeric))
            values: Any = features.values[:, some]
            if features.value_weights is not None:
                values = values / features.value_weights[features.columns[some]]
            features = replace(features, values=values, n_numeric=cut, columns=some, diff=Diff())
            all_of_some = cls.of(features)
            moments = np.array([all_of_some.mean, all_of_some.squares, all_of_some.rows])
        return cls(features.shape[0], *moments.mean(axis=1, keepdims=True))

    def spread(self, sums: WeightSums) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation (p,) of the scores over all orders of the values, 0 for constant features."""
        n, t, r = self.n, self.squares, self.rows
        S, E, Q = sums.total, sums.squares, sums.rows
        n2 = n * (n - 1.0)
        n3 = n2 * (n - 2)
        n4 = n3 * (n - 3)
        variance = t * E / n2 + (r - t) * (Q - 2 * E) / n3 + (2 * t - 4 * r) * (S * S - Q + E) / n4
        return self.mean * S, np.sqrt(np.where(variance > ROUNDING * t * E / n2, variance, 0))


def mean_diffs(values: np.ndarray, nominal: bool) -> np.ndarray:
    """Mean diff (c,) of all pairs of rows in columns of one kind, (n, c): scaled or codes, `MISSING` where unknown."""
    found: np.ndarray = _dense(values, 0, values.shape[1]).moments(len(values), nominal, False)[0]
    return found


def has_short_form(diff: Diff) -> bool:
    """True for absolute and squared differences, which have closed forms; a ramp has none."""
    return replace(diff, power=1).plain


def _of_codes(counts: np.ndarray) -> "_Columns":
    """Codes of packed genotypes, with their counts (4, p); unknown ones are a value of their own."""
    codes, p = np.arange(4) / 2, counts.shape[1]
    return _Columns(np.tile(codes, p), counts.T.ravel().astype(float), 4 * np.arange(p))


@dataclass(frozen=True, eq=False)
class _Columns:
    """Sorted values of some columns one after another: values and their counts (v,), where columns start (c,)."""

    values: np.ndarray
    counts: np.ndarray
    starts: np.ndarray

    def moments(self, total: int, nominal: bool, squared: bool) -> np.ndarray:
        """Mean, squares and rows (3, c) of `DiffMoments`, scaled up to a total number of rows."""
        out = np.empty((3, len(self.starts)))
        cuts = np.append(self.starts, len(self.values))
        _moments(self.values, self.counts, cuts, total, (nominal, squared), np.empty(len(self.values)), out)
        return out


@kernel
def _moments(values, counts, cuts, total, kind, of_rows, out):
    """Moments of columns of sorted values; of_rows (v,): room for the sums of the diffs of a row with each value."""
    nominal, squared = kind
    for c in range(len(cuts) - 1):
        x, w, d = values[cuts[c] : cuts[c + 1]], counts[cuts[c] : cuts[c + 1]], of_rows[cuts[c] : cuts[c + 1]]
        n, first, two, four = w.sum(), 0.0, 0.0, 0.0
        for q in range(len(x)):
            first += w[q] * x[q]
        centre = first / max(n, 1.0)
        for q in range(len(x)):
            square = (x[q] - centre) * (x[q] - centre)
            two += w[q] * square
            four += w[q] * square * square
        start, equal, up_to, below = 0, 0.0, 0.0, 0.0
        for q in range(len(x)):
            y = x[q] - centre
            if nominal:
                equal += w[q]
                if q + 1 == len(x) or x[q + 1] != x[q]:
                    d[start : q + 1] = n - equal
                    start, equal = q + 1, 0.0
            elif squared:
                d[q] = n * y * y + two
            else:
                up_to, below = up_to + w[q], below + w[q] * y
                d[q] = (2 * up_to - n) * y - 2 * below
        of_all = 0.0
        for q in range(len(x)):
            of_all += w[q] * d[q]
        squares = of_all if nominal else 2 * n * four + 6 * two * two if squared else 2 * n * two
        mean, rows = of_all / max(n * (n - 1), 1.0), 0.0
        for q in range(len(x)):
            rest = d[q] - (n - 1) * mean
            rows += w[q] * rest * rest
        growth = total / max(n, 1.0)
        out[0, c], out[1, c], out[2, c] = mean, max(squares - mean * of_all, 0.0) * growth**2, rows * growth**3


def _dense(values: np.ndarray, first: int, last: int) -> _Columns:
    """Columns of an array; unknown values, which come first, count 0."""
    x = np.ascontiguousarray(values[:, first:last].T)
    x = np.sort(x, axis=1).ravel()
    return _Columns(x, (x != MISSING).astype(float), np.arange(last - first) * len(values))


def _sparse(values: sparse.csc_array, first: int, last: int) -> _Columns:
    """Columns of a sparse array; all zeros of a column are one value."""
    some = values[:, first:last]
    columns, known = np.repeat(np.arange(last - first), np.diff(some.indptr)), some.data != MISSING
    zeros = some.shape[0] - np.diff(some.indptr)
    x = np.concatenate([some.data[known].astype(np.float64), np.zeros(len(zeros))])
    columns = np.concatenate([columns[known], np.arange(last - first)])
    counts = np.concatenate([np.ones(np.count_nonzero(known)), zeros])
    order = np.lexsort((x, columns))
    return _Columns(x[order], counts[order], np.searchsorted(columns[order], np.arange(last - first)))
