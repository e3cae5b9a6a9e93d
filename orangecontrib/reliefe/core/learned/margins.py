"""Margins by neighbours: one number for each row and feature, which boosting adds up.

Classes: for each target row and each other class, the mean diff to its neighbours of that class less the mean diff to
those of its own class.  Weighted by the frequencies of the classes, margins add up to the scores of ReliefF.

Other targets: for each target row, the covariance of diff and target difference over its neighbours, divided by the
variation of the target there.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..relief.formats.aligned_arrays import aligned
from ..relief.formats.features import Features
from ..relief.formats.lists import Neighbours
from ..relief.formats.row_means import RowMeans
from ..relief.formats.sums_by_row import sums_by_row
from ..relief.run import Run
from ..work.threads import n_parts
from .feature_blocks import block_of_features
from .space import NeighbourSpace

ROWS_PER_BLOCK = 16  # target rows whose means are computed at once, if missing values are ignored; chosen by eye
MIN_VARIATION = 1e-12  # share of what targets can vary below which only rounding is left


@dataclass(frozen=True)
class Margins:
    """Margins of a run by lists of neighbours.

    run: data and target.
    neighbours: lists of the target rows in their order; their `rows` and `cols` say whose values are read.
    shares (R,): weights of the margins of a feature; their sum is 1 unless rows are left out.
    variation: variation of the target among neighbours.
    t (m, G, k): target differences, where means are taken row by row.
    heavy (H,): features with neighbours of their own.
    of_heavy (H, R): margins of these.
    """

    run: Run
    neighbours: Neighbours
    shares: np.ndarray
    variation: float | np.ndarray
    t: np.ndarray | None
    heavy: np.ndarray
    of_heavy: np.ndarray

    @classmethod
    def of(cls, run: Run, space: NeighbourSpace, donors: np.ndarray | None = None) -> "Margins":
        """Prepare the margins by the neighbours of a space.

        donors (n,): the row whose feature values each row has; None: its own.
        """
        neighbours = space.neighbours
        t: np.ndarray | None = None
        variation: float | np.ndarray = 1.0
        if not _by_class(run):
            recipients = neighbours if donors is None else recipients_of(neighbours, donors)
            t = run.update.differences(recipients, run.target)
            mean = (neighbours.weights * t).sum(axis=2, keepdims=True)
            variation = _divisor(mean * (1 - mean))
            if run.means is None:
                weights = neighbours.weights * (t - mean) / variation
                neighbours = Neighbours(neighbours.rows, neighbours.cols, neighbours.distances, weights)
        shares = _shares(run)
        of_heavy = np.empty((0, 0))
        if space.means is not None:
            of_heavy = np.ascontiguousarray(_of_heavy(run, space.means.means).reshape(len(shares), -1).T)
        return cls(run, neighbours, shares, variation, t, space.heavy, of_heavy)

    def columns(self, chosen: np.ndarray) -> np.ndarray:
        """Compute the margins (c, R) of features (c,), ascending, in the precision of the data."""
        run = self.run
        features = block_of_features(run.features, chosen, run.means is not None)
        margins = aligned((features.values.shape[1], len(self.shares)), run.features.values.dtype)
        if features.is_sparse:
            margins[:] = 0
        n_tasks = n_parts(self.neighbours.cols.size * len(chosen))
        margins_per_row = len(self.shares) // run.m
        cuts = np.linspace(0, run.m, n_tasks + 1).astype(int).tolist()

        def compute(task: int) -> None:
            """Fill `margins` for a part of the target rows."""
            run.work.tick()
            step = run.m if run.means is None else ROWS_PER_BLOCK
            for start in range(cuts[task], cuts[task + 1], step):
                rows = slice(start, min(start + step, cuts[task + 1]))
                self._fill(rows, features, margins[:, rows.start * margins_per_row : rows.stop * margins_per_row])

        run.work.map(compute, range(n_tasks))
        if len(self.heavy):
            _, in_chosen, in_heavy = np.intersect1d(chosen, self.heavy, return_indices=True)
            margins[in_chosen] = self.of_heavy[in_heavy]
        return margins[: len(chosen)]

    def _fill(self, rows: slice, features: Features, out: np.ndarray) -> None:
        """Write the margins of b target rows to out (c or more, b R / m)."""
        run = self.run
        neighbours = self.neighbours[rows]
        c = features.shape[1]
        if run.means is None:
            # The mean of the own class is subtracted; class -1: nothing is.
            classes = run.target.classes[rows] if _by_class(run) else np.full(len(neighbours.rows), -1)
            # One type of rows and of classes: the kernels are compiled for each combination.
            row_indices = neighbours.rows.astype(np.int64, copy=False)
            classes = classes.astype(np.int64, copy=False)
            lists = row_indices, neighbours.cols, cast("np.ndarray", neighbours.weights)
            sums_by_row(features, lists, classes, out)
        elif _by_class(run):
            differences = _class_differences(RowMeans(features).diffs(neighbours), run.target.classes[rows])
            out[:c] = differences.reshape(-1, c).T
        else:
            weight, diff, product, change = RowMeans(features).sums(neighbours, cast("np.ndarray", self.t)[rows])
            covariance = product - diff * change / np.where(weight > 0, weight, 1)
            out[:c] = (covariance / self.variation)[:, 0].T


def recipients_of(neighbours: Neighbours, donors: np.ndarray) -> Neighbours:
    """Convert lists of donors to lists of the rows that have their values.

    donors (n,): the row whose feature values each row has.
    """
    recipients = np.full(len(donors) + 1, -1, neighbours.cols.dtype)  # the last one, -1, is for no row
    recipients[donors] = np.arange(len(donors))
    return Neighbours(
        recipients[neighbours.rows], recipients[neighbours.cols], neighbours.distances, neighbours.weights
    )


def _by_class(run: Run) -> bool:
    """Return True if margins compare classes."""
    return run.update.by_class(run.target)


def _shares(run: Run) -> np.ndarray:
    """Compute the weights (R,) of margins: prior / (1 - prior of the own class) / m, or 1 / m without classes.

    Rows that are the only one of their class have weight 0.
    """
    if not _by_class(run):
        return np.full(run.m, 1.0 / run.m)
    classes = run.target.classes[: run.m]
    counts = np.bincount(run.target.classes)
    prior = counts / run.n
    has_hits = np.where(counts[classes] > 1, 1.0, 0.0)
    shares = has_hits[:, None] * prior / (1 - prior[classes])[:, None] / run.m
    is_other = np.arange(len(counts)) != classes[:, None]
    return cast("np.ndarray", shares[is_other])


def _of_heavy(run: Run, means: np.ndarray) -> np.ndarray:
    """Compute margins of heavy features from their means (3, m, G, H) of diff, t * diff and t."""
    diff, product, change = means
    if _by_class(run):
        return _class_differences(diff, run.target.classes[: run.m])
    return cast("np.ndarray", np.nan_to_num(product - diff * change) / _divisor(np.nan_to_num(change * (1 - change))))


def _divisor(variation: np.ndarray) -> float | np.ndarray:
    """Average the variation (m, G, ...) over the rows; infinite where nothing varies."""
    mean = variation.mean(axis=(0, 1))
    return np.where(mean > MIN_VARIATION, mean, np.inf)


def _class_differences(means: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Subtract the mean of the own class from those of the others: (b, G, c) -> (b, G - 1, c).

    classes (b,): own classes.  The difference is 0 where one of the means is unknown.
    """
    hits = np.take_along_axis(means, classes[:, None, None].astype(np.int64), axis=1)
    is_other = np.arange(means.shape[1]) != classes[:, None]
    differences = np.nan_to_num(means - hits)[is_other]
    return cast("np.ndarray", differences.reshape(len(classes), -1, means.shape[2]))
