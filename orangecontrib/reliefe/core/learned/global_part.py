"""Standardised midranks of numeric features, and codes of nominal ones, some features at a time."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse, special

from ..data.expected import MISSING
from ..kernels.jit import kernel
from ..relief.formats.features import Features, aligned
from ..relief.run import Run
from ..targets.targets import CLASSIFICATION, MULTITARGET, REGRESSION
from ..work.threads import n_parts
from .class_margins import chi_square, kruskal_wallis, nominal_margins, numeric_margins
from .number_margins import correlated_margins, rank_correlation, value_margins, values_differ


def columns(features: Features, chosen: np.ndarray) -> np.ndarray | sparse.csc_array:
    """Values of features (c,), ascending."""
    whole = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if whole else features.values[:, chosen]
    return cast("sparse.csr_array", values).tocsc() if features.is_sparse else np.ascontiguousarray(values.T)


def standardised(values: np.ndarray | sparse.csc_array, here: slice, nominal: bool, out: np.ndarray) -> None:
    """Rank the values of some features."""
    if not sparse.issparse(values):
        own = cast("np.ndarray", values)[here]
        order = np.argsort(own, axis=1)
        data = np.take_along_axis(own, order, axis=1).ravel()
        _rank(data, order.ravel(), np.arange(len(own) + 1) * own.shape[1], nominal, MISSING, out)
        return
    stored = cast("sparse.csc_array", values)
    starts = stored.indptr[here.start : here.stop + 1].astype(np.int64)
    data, rows = stored.data[starts[0] : starts[-1]], stored.indices[starts[0] : starts[-1]].astype(np.int64)
    starts = starts - starts[0]
    order = np.lexsort((data, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    _rank(data[order], rows[order], starts, nominal, MISSING, out)


@kernel
def _rank(data, rows, starts, nominal, unknown, out):
    """Fill out (c, n), see `standardised`.

    data, rows (e,): values, ascending, and their rows, feature by feature; starts (c + 1,): of each.  Rows that a
    feature does not name have the value 0.
    """
    n = out.shape[1]
    for f in range(len(out)):
        s, stop, z = starts[f], starts[f + 1], out[f]
        hidden = n - (stop - s)
        z[:] = np.nan if hidden == 0 else -1.0  # of rows that are not named
        known, code, squares, zero = 0, 0, 0.0, -1.0
        while s < stop or hidden > 0:
            x = float(data[s]) if s < stop else 0.0
            equal = 0
            if hidden > 0 and x >= 0:  # the rows that are not named come here
                x, equal, hidden = 0.0, hidden, 0
            last = s
            while last < stop and data[last] == x:
                last += 1
            if x != unknown:
                equal += last - s
                rank = float(code) if nominal else known + (equal + 1) / 2
                zero = rank if x == 0 else zero
                known, code, squares = known + equal, code + 1, squares + equal * rank * rank
                for t in range(s, last):
                    z[rows[t]] = rank
            else:
                for t in range(s, last):
                    z[rows[t]] = np.nan
            s = last
        mean = (known + 1) / 2
        over = 1 / np.sqrt(squares / known - mean * mean) if code > 1 and not nominal else 0.0
        for i in range(n):
            x = zero if z[i] == -1.0 else z[i]
            z[i] = x if nominal else (x - mean) * over


MOST_PROBABLE = 0.5  # level of the gate where there are few features
SORTED = 16  # operations, about, that sorting costs for each value


@dataclass(frozen=True)
class Ranked:
    """Standardised midranks of some numeric features, or codes of nominal ones, and what they tell of T targets (1 if
    these are classes).
    """

    part: "GlobalPart"  # that they are of
    cut: int  # number of numeric ones, which come first
    z: np.ndarray  # midranks less their mean, over their standard deviation; codes from 0; NaN where they are unknown
    statistics: np.ndarray  # of the tests, and their degrees of freedom
    sizes: np.ndarray  # sums of the squares of all margins, before the gate, means over the targets
    by_target: np.ndarray  # shares of the global part that count, from 0 to 1

    @property
    def gates(self) -> np.ndarray:
        """Largest shares (c,) by feature."""
        return cast("np.ndarray", self.by_target.max(axis=1))

    def margins(self, places: np.ndarray) -> np.ndarray:
        """Margins (len(places), R) of the features at some places, ascending, times their gates."""
        part, run = self.part, self.part.run
        count, cut = len(places), int(np.searchsorted(places, self.cut))
        per_row = run.n_groups - 1 if part.targets is None else 1
        out = aligned((count, run.m * per_row), run.features.values.dtype)

        def some(block: np.ndarray) -> None:
            run.work.tick()
            here, nominal = slice(block[0], block[-1] + 1), bool(block[0] >= cut)
            z, gates = self.z[places[here]], self.by_target[places[here]]
            if part.targets is not None:
                fill = value_margins if nominal else correlated_margins
                fill(z, part.targets, run.m, gates, out[here])
            else:
                fill = nominal_margins if nominal else numeric_margins
                fill(z, run.target.classes, run.n_groups, run.m, gates[:, 0], out[here])

        for ends in ((0, cut), (cut, count)):
            run.work.map(some, pieces(*ends, out.shape[1] * part.n_targets))
        return out


@dataclass(frozen=True)
class GlobalPart:
    """Global parts of the margins of a run."""

    run: Run  # data and target
    # Standardised midranks of numbers, NaN where they are unknown; None: there are classes
    targets: np.ndarray | None = None
    moved: np.ndarray | None = None  # whose values each row has instead of its own

    @classmethod
    def of(cls, run: Run) -> "GlobalPart | None":
        """Global part for the target of a run; None where there is none: for label sets, and unordered categories
        among several targets."""
        if run.target.task == CLASSIFICATION:
            return cls(run)
        if run.target.task not in (REGRESSION, MULTITARGET):
            return None
        values, nominal = run.target.columns
        two = np.array([len(np.unique(x[~np.isnan(x)])) <= 2 for x in values.T])
        found = [_codes(x) for x in values.T[~nominal | two]]
        if not found:
            return None
        targets = np.empty((len(found), run.n))
        standardised(np.array(found), slice(0, len(found)), False, targets)
        return cls(run, targets)

    @property
    def n_targets(self) -> int:
        """Number T of the targets that are tested."""
        return 1 if self.targets is None else len(self.targets)

    def ranked(self, chosen: np.ndarray) -> Ranked:
        """Rank the values of features (c,), ascending, and test the targets by them."""
        run, T, targets = self.run, self.n_targets, self.targets
        cut = int(np.searchsorted(chosen, min(run.features.n_numeric, run.p)))
        z, found = np.empty((len(chosen), run.n)), np.zeros((len(chosen), 2 * T + 1))
        values = columns(run.features, chosen)

        def some(block: np.ndarray) -> None:
            run.work.tick()
            here, nominal = slice(block[0], block[-1] + 1), bool(block[0] >= cut)
            standardised(values, here, nominal, z[here])
            if self.moved is not None:
                z[here] = z[here, self.moved]
            if targets is not None:
                (values_differ if nominal else rank_correlation)(z[here], targets, run.m, found[here])
            else:
                test = chi_square if nominal else kruskal_wallis
                test(z[here], run.target.classes, run.n_groups, run.m, found[here])

        for ends in ((0, cut), (cut, len(chosen))):
            run.work.map(some, pieces(*ends, (SORTED + 4 * T) * run.n))
        statistics, freedom = found[:, :T], found[:, T : 2 * T]
        limits = special.chdtri(np.maximum(freedom, 1), min(1 / run.p, MOST_PROBABLE))
        counts = (statistics > limits) & (freedom > 0)
        gates = np.where(counts, 1 - limits / np.where(counts, statistics, 1.0), 0.0)
        return Ranked(self, cut, z, found[:, : 2 * T], found[:, 2 * T], gates)


def _codes(values: np.ndarray) -> np.ndarray:
    """Codes (n,) in the order of the values, `MISSING` where these are unknown."""
    known, out = ~np.isnan(values), np.full(len(values), float(MISSING))
    out[known] = np.unique(values[known], return_inverse=True)[1]
    return out


def pieces(start: int, stop: int, operations: int) -> list[np.ndarray]:
    """Places from start to stop in as many pieces as their work is worth, `operations` each; none is empty."""
    whole = np.arange(start, stop)
    return [piece for piece in np.array_split(whole, n_parts(operations * len(whole))) if len(piece)]
