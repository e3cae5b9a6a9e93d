"""Global part of the margins: what all rows, not only the neighbours, say about a feature.

`methods/learned.py` makes a `GlobalPart` of a run, and `stumps` adds its margins to those of the neighbours.  Numeric
features are tested by midranks (Kruskal and Wallis for classes, rank correlation for numbers), nominal ones by codes
(chi-square for classes, Kruskal and Wallis for numbers).  A gate from 0 to 1 is open where the test is significant.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import special

from ..data.expected import MISSING
from ..relief.formats.aligned_arrays import aligned
from ..relief.run import Run
from ..targets.tasks import CLASSIFICATION, MULTITARGET, REGRESSION
from ..work.threads import n_parts
from .category_margins import category_margins, compare_categories
from .correlation_margins import correlated_margins, rank_correlation
from .mean_margins import kruskal_wallis, numeric_margins
from .midranks import standardised, values_of_features
from .share_margins import chi_square, nominal_margins

MAX_LEVEL = 0.5  # level of the gate where there are few features: a feature below the median of chance is closed
SORTED = 16  # operations, about, that sorting costs for each value; decides only the number of parts


@dataclass(frozen=True)
class RankedFeatures:
    """Ranked values of c features, the numeric ones first, and the tests of T targets by them (T = 1 for classes).

    part: the global part they belong to.
    n_numeric: number of numeric features.
    z (c, n): standardised midranks, or codes from 0; NaN where unknown.
    statistics (c, 2 T): those of the tests, then their degrees of freedom.
    sizes (c,): sums of the squares of all margins before the gate, mean over the targets.
    by_target (c, T): gates, shares from 0 to 1 of the global part that count.
    """

    part: "GlobalPart"
    n_numeric: int
    z: np.ndarray
    statistics: np.ndarray
    sizes: np.ndarray
    by_target: np.ndarray

    @property
    def gates(self) -> np.ndarray:
        """Largest gate (c,) of each feature."""
        return cast("np.ndarray", self.by_target.max(axis=1))

    def margins(self, positions: np.ndarray) -> np.ndarray:
        """Compute the margins (s, R) of the features at some positions (s,), ascending, times their gates."""
        global_part = self.part
        run = global_part.run
        n_numeric = int(np.searchsorted(positions, self.n_numeric))
        margins_per_row = run.n_groups - 1 if global_part.targets is None else 1
        margins = aligned((len(positions), run.m * margins_per_row), run.features.values.dtype)

        def compute(block: np.ndarray) -> None:
            """Fill `margins` for a block of features, all numeric or all nominal."""
            run.work.tick()
            block_slice = slice(block[0], block[-1] + 1)
            nominal = bool(block[0] >= n_numeric)
            z = self.z[positions[block_slice]]
            gates = self.by_target[positions[block_slice]]
            if global_part.targets is not None:
                fill = category_margins if nominal else correlated_margins
                fill(z, global_part.targets, run.m, gates, margins[block_slice])
            else:
                fill = nominal_margins if nominal else numeric_margins
                fill(z, run.target.classes, run.n_groups, run.m, gates[:, 0], margins[block_slice])

        for start, stop in ((0, n_numeric), (n_numeric, len(positions))):
            run.work.map(compute, blocks_of(start, stop, margins.shape[1] * global_part.n_targets))
        return margins


@dataclass(frozen=True)
class GlobalPart:
    """Global part of the margins of a run.

    run: data and target.
    targets (T, n): standardised midranks of numeric targets, NaN where unknown; None for classes.
    donors (n,): the row whose feature values each row has; None: its own.
    """

    run: Run
    targets: np.ndarray | None = None
    donors: np.ndarray | None = None

    @classmethod
    def of(cls, run: Run) -> "GlobalPart | None":
        """Prepare the global part for the target of a run.

        None for label sets, and for targets that are all unordered categories with more than two values.
        """
        if run.target.task == CLASSIFICATION:
            return cls(run)
        if run.target.task not in (REGRESSION, MULTITARGET):
            return None
        values, nominal = run.target.columns
        is_binary = np.array([len(np.unique(x[~np.isnan(x)])) <= 2 for x in values.T])
        codes = [_codes(x) for x in values.T[~nominal | is_binary]]
        if not codes:
            return None
        targets = np.empty((len(codes), run.n))
        standardised(np.array(codes), slice(0, len(codes)), False, targets)
        return cls(run, targets)

    @property
    def n_targets(self) -> int:
        """Number T of the targets that are tested."""
        return 1 if self.targets is None else len(self.targets)

    def ranked(self, chosen: np.ndarray) -> RankedFeatures:
        """Rank the values of features (c,), ascending, and test the targets by them."""
        run = self.run
        targets = self.targets
        T = self.n_targets
        n_numeric = int(np.searchsorted(chosen, min(run.features.n_numeric, run.p)))
        z = np.empty((len(chosen), run.n))
        tests = np.zeros((len(chosen), 2 * T + 1))
        values = values_of_features(run.features, chosen)

        def compute(block: np.ndarray) -> None:
            """Fill `z` and `tests` for a block of features, all numeric or all nominal."""
            run.work.tick()
            block_slice = slice(block[0], block[-1] + 1)
            nominal = bool(block[0] >= n_numeric)
            standardised(values, block_slice, nominal, z[block_slice])
            if self.donors is not None:
                z[block_slice] = z[block_slice, self.donors]
            if targets is not None:
                test = compare_categories if nominal else rank_correlation
                test(z[block_slice], targets, run.m, tests[block_slice])
            else:
                test = chi_square if nominal else kruskal_wallis
                test(z[block_slice], run.target.classes, run.n_groups, run.m, tests[block_slice])

        for start, stop in ((0, n_numeric), (n_numeric, len(chosen))):
            run.work.map(compute, blocks_of(start, stop, (SORTED + 4 * T) * run.n))
        gates = _gates(tests[:, :T], tests[:, T : 2 * T], min(1 / run.p, MAX_LEVEL))
        return RankedFeatures(self, n_numeric, z, tests[:, : 2 * T], tests[:, 2 * T], gates)


def _gates(statistics: np.ndarray, freedom: np.ndarray, level: float) -> np.ndarray:
    """Compute gates 1 - threshold / statistic where a statistic exceeds the threshold of chi-square, else 0.

    statistics, freedom (c, T): the tests, and their degrees of freedom; level: of the tests.
    """
    thresholds = special.chdtri(np.maximum(freedom, 1), level)
    significant = (statistics > thresholds) & (freedom > 0)
    return np.where(significant, 1 - thresholds / np.where(significant, statistics, 1.0), 0.0)


def _codes(values: np.ndarray) -> np.ndarray:
    """Replace values (n,) by codes in their order, `MISSING` where they are unknown."""
    is_known = ~np.isnan(values)
    codes = np.full(len(values), float(MISSING))
    codes[is_known] = np.unique(values[is_known], return_inverse=True)[1]
    return codes


def blocks_of(start: int, stop: int, operations: int) -> list[np.ndarray]:
    """Split the numbers from start to stop into as many blocks as their work is worth, `operations` for each number.

    No block is empty.
    """
    numbers = np.arange(start, stop)
    return [block for block in np.array_split(numbers, n_parts(operations * len(numbers))) if len(block)]
