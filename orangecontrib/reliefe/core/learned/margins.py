"""Margins: one number for each row and feature.

Classes: for every target row and every other class the mean diff to its neighbours of that class less the mean diff to
those of its own.  Weighed by what classes are frequent they add up to the scores of ReliefF.  Other targets: for every
target row the covariance of diff and target difference over its neighbours, on the scale of what targets vary there.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..relief.formats.features import Features, aligned
from ..relief.formats.lists import Neighbours, RowMeans
from ..relief.formats.sums import sums_apart
from ..relief.run import Run
from ..work.threads import n_parts
from .feature_blocks import block_of_features
from .space import Space

ROWS_PER_BLOCK = 16  # target rows likewise, where values are missing and ignored
MIN_VARIATION = 1e-12  # share of what targets can vary below which they do not


@dataclass(frozen=True)
class Margins:
    """Margins of a run by lists of neighbours."""

    run: Run  # data and target
    near: Neighbours  # lists of the target rows in their order; their rows and cols say whose values are read
    shares: np.ndarray  # weights of the R margins of a feature; their sum is 1 unless rows are left out
    varies: float | np.ndarray  # variation of the target among neighbours
    t: np.ndarray | None  # target differences, where means are taken row by row
    heavy: np.ndarray  # features that have margins of their own
    own: np.ndarray  # these

    @classmethod
    def of(cls, run: Run, space: Space, moved: np.ndarray | None = None) -> "Margins":
        """Margins by the neighbours of a space; moved (n,): whose values each row has instead of its own."""
        near, t = space.near, None
        varies: float | np.ndarray = 1.0
        if not _by_class(run):
            t = run.update.differences(near if moved is None else named(near, moved), run.target)
            mean = (near.weights * t).sum(axis=2, keepdims=True)
            varies = _divisor(mean * (1 - mean))
            if run.means is None:
                near = Neighbours(near.rows, near.cols, near.distances, near.weights * (t - mean) / varies)
        shares, own = _shares(run), np.empty((0, 0))
        if space.means is not None:
            diff, both, changed = space.means.means
            if _by_class(run):
                own = _differences(diff, run.target.classes[: run.m])
            else:
                own = np.nan_to_num(both - diff * changed) / _divisor(np.nan_to_num(changed * (1 - changed)))
            own = np.ascontiguousarray(own.reshape(len(shares), -1).T)
        return cls(run, near, shares, varies, t, space.heavy, own)

    def columns(self, chosen: np.ndarray) -> np.ndarray:
        """Margins (c, R) of features (c,), ascending, in the precision of the data."""
        features = block_of_features(self.run.features, chosen, self.run.means is not None)
        out = aligned((features.values.shape[1], len(self.shares)), self.run.features.values.dtype)
        if features.is_sparse:
            out[:] = 0
        parts = n_parts(self.near.cols.size * len(chosen))
        per_row, cuts = len(self.shares) // self.run.m, np.linspace(0, self.run.m, parts + 1).astype(int).tolist()

        def part(number: int) -> None:
            self.run.work.tick()
            step = self.run.m if self.run.means is None else ROWS_PER_BLOCK
            for start in range(cuts[number], cuts[number + 1], step):
                block = slice(start, min(start + step, cuts[number + 1]))
                self._block(block, features, out[:, block.start * per_row : block.stop * per_row])

        self.run.work.map(part, range(parts))
        if len(self.heavy):
            _, here, there = np.intersect1d(chosen, self.heavy, return_indices=True)
            out[here] = self.own[there]
        return out[: len(chosen)]

    def _block(self, block: slice, features: Features, out: np.ndarray) -> None:
        """Write margins of some target rows to out (>= c, b R / m)."""
        run, near, c = self.run, self.near[block], features.shape[1]
        if run.means is None:  # -1: nothing is taken away
            own = run.target.classes[block] if _by_class(run) else np.full(len(near.rows), -1)
            # One type of rows and of classes: the kernels are compiled for each combination.
            rows = near.rows.astype(np.int64, copy=False)
            own = own.astype(np.int64, copy=False)
            sums_apart(features, (rows, near.cols, cast("np.ndarray", near.weights)), own, out)
        elif _by_class(run):
            found = _differences(RowMeans(features).diffs(near), run.target.classes[block])
            out[:c] = found.reshape(-1, c).T
        else:
            weight, diff, both, changed = RowMeans(features).sums(near, cast("np.ndarray", self.t)[block])
            out[:c] = ((both - diff * changed / np.where(weight > 0, weight, 1)) / self.varies)[:, 0].T


def _shares(run: Run) -> np.ndarray:
    """Shares (R,) of the margins: of a row's classes by their frequency, none of a row that is alone in its class."""
    if not run.update.by_class(run.target):
        return np.full(run.m, 1.0 / run.m)
    own, counts = run.target.classes[: run.m], np.bincount(run.target.classes)
    prior = counts / run.n
    shares = np.where(counts[own] > 1, 1.0, 0.0)[:, None] * prior / (1 - prior[own])[:, None] / run.m
    return cast("np.ndarray", shares[np.arange(len(counts)) != own[:, None]])


def _by_class(run: Run) -> bool:
    return run.update.by_class(run.target)


def _divisor(varies: np.ndarray) -> float | np.ndarray:
    """Mean variation over the rows; infinite where nothing varies."""
    mean = varies.mean(axis=(0, 1))
    return np.where(mean > MIN_VARIATION, mean, np.inf)


def named(near: Neighbours, moved: np.ndarray) -> Neighbours:
    """Lists of rows by their values -> of the rows that have these values instead of their own."""
    back = np.full(len(moved) + 1, -1, near.cols.dtype)  # at the end: of nobody
    back[moved] = np.arange(len(moved))
    return Neighbours(back[near.rows], back[near.cols], near.distances, near.weights)


def _differences(means: np.ndarray, own: np.ndarray) -> np.ndarray:
    """(b, G, c) means by class -> (b, G - 1, c) less that of the own class (b,); 0 where one of them is unknown."""
    hits = np.take_along_axis(means, own[:, None, None].astype(np.int64), axis=1)
    others = np.arange(means.shape[1]) != own[:, None]
    return cast("np.ndarray", np.nan_to_num(means - hits)[others].reshape(len(own), -1, means.shape[2]))
