"""Standardised midranks of numeric features, and codes of nominal ones, some features at a time."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import special

from ..data.expected import MISSING
from ..relief.formats.features import aligned
from ..relief.run import Run
from ..targets.targets import CLASSIFICATION, MULTITARGET, REGRESSION
from ..work.threads import n_parts
from .category_margins import value_margins, values_differ
from .correlation_margins import correlated_margins, rank_correlation
from .mean_margins import kruskal_wallis, numeric_margins
from .midranks import columns, standardised
from .share_margins import chi_square, nominal_margins

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
