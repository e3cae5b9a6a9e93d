"""What rows say of features, one number for each: margins.

Classes: for every target row and every other class the mean diff to its neighbours of that class less the mean diff to
those of its own.  Weighed by what classes are frequent they add up to the scores of ReliefF.  Other targets: for every
target row the covariance of diff and target difference over its neighbours, on the scale of what targets vary there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..data.features import Features, aligned
from ..parallel import PARTS
from ..relief.means import Means
from ..relief.neighbours import Neighbours
from ..relief.run import Run
from ..relief.sums import rows_apart
from .rounds import Space

WIDTH = 128  # features whose margins are computed at once
BLOCK = 16  # target rows likewise, where values are missing and ignored
NONE = np.zeros(0, np.int64)
TINY = 1e-12  # share of what targets can vary below which they do not


@dataclass(frozen=True)
class Margins:
    """Margins of a run by lists of neighbours.

    shares (R,): what each of the R margins weighs; they add up to 1 unless rows are left out.  varies: how much targets
    vary among neighbours.  heavy (H,): features that have margins of their own (H, R).
    """

    run: Run
    near: Neighbours
    shares: np.ndarray
    varies: float
    heavy: np.ndarray
    own: np.ndarray

    @classmethod
    def of(cls, run: Run, space: Space) -> "Margins":
        """By the neighbours of a space."""
        near, varies = space.near, 1.0
        if not _by_class(run):
            t = run.update.differences(near, run.target)
            mean = (near.weights * t).sum(axis=2, keepdims=True)
            varies = _divisor(mean * (1 - mean))
            if not run.row_wise:
                near = Neighbours(near.rows, near.cols, near.distances, near.weights * (t - mean) / varies)
        shares, own = _shares(run), np.empty((0, 0))
        if space.means is not None:
            diff, both, changed = space.means.means
            if _by_class(run):
                own = _differences(diff, run, near.rows)
            else:
                own = np.nan_to_num(both - diff * changed) / _divisor(np.nan_to_num(changed * (1 - changed)))
            own = np.ascontiguousarray(own.reshape(len(shares), -1).T)
        return cls(run, near, shares, varies, space.heavy, own)

    def columns(self, chosen: np.ndarray, moved: np.ndarray | None = None) -> np.ndarray:
        """(c, R) margins of features (c,), ascending, in the precision of the data.

        moved (n,): permuted numbers of rows, whose values take the place of each row's own.
        """
        features = _some(self.run.features, chosen)
        out = aligned((len(chosen), len(self.shares)), self.run.features.values.dtype)
        per_row, cuts = len(self.shares) // self.run.m, np.linspace(0, self.run.m, PARTS + 1).astype(int).tolist()

        def part(number: int) -> None:
            self.run.work.tick()
            step = BLOCK if self.run.row_wise else self.run.m
            for start in range(cuts[number], cuts[number + 1], step):
                near = self.near[start : min(start + step, cuts[number + 1])]
                rows = slice(start * per_row, (start + len(near.rows)) * per_row)
                self._block(near, features, moved, out[:, rows])

        self.run.work.map(part, range(PARTS))
        if moved is None and len(self.heavy):
            _, here, there = np.intersect1d(chosen, self.heavy, return_indices=True)
            out[here] = self.own[there]
        return out

    def _block(self, near: Neighbours, features: Features, moved: np.ndarray | None, out: np.ndarray) -> None:
        """Margins of some target rows into out (c, b R / m)."""
        run, told = self.run, near
        if moved is not None:
            cols = np.where(near.cols >= 0, moved[near.cols], -1)
            told = Neighbours(moved[near.rows], cols, near.distances, near.weights)
        if not run.row_wise:
            own = run.target.groups[near.rows] if _by_class(run) else np.full(len(near.rows), -1)
            _fill(told, features, own, out)
        elif _by_class(run):
            found = _differences(Means(features).diffs(told), run, near.rows)
            out[:] = found.reshape(-1, len(out)).T
        else:
            weight, diff, both, changed = Means(features).sums(told, run.update.differences(near, run.target))
            out[:] = ((both - diff * changed / np.where(weight > 0, weight, 1)) / self.varies)[:, 0].T


def all_columns(p: int) -> Iterator[np.ndarray]:
    """Features, as many at once as margins are made of."""
    for start in range(0, p, WIDTH):
        yield np.arange(start, min(start + WIDTH, p))


def _shares(run: Run) -> np.ndarray:
    """(R,) of every margin: of a row's classes by their frequency, none of a row that is alone in its class."""
    if not run.update.by_class(run.target):
        return np.full(run.m, 1.0 / run.m)
    own, counts = run.target.groups[: run.m], np.bincount(run.target.groups)
    prior = counts / run.n
    shares = np.where(counts[own] > 1, 1.0, 0.0)[:, None] * prior / (1 - prior[own])[:, None] / run.m
    return shares[np.arange(len(counts)) != own[:, None]]


def _by_class(run: Run) -> bool:
    return run.update.by_class(run.target)


def _divisor(varies: np.ndarray) -> float | np.ndarray:
    """Mean over the rows; infinite where nothing varies."""
    mean = varies.mean(axis=(0, 1))
    return np.where(mean > TINY, mean, np.inf)


def _differences(means: np.ndarray, run: Run, rows: np.ndarray) -> np.ndarray:
    """(b, G, c) means by class -> (b, G - 1, c) less that of the own class; 0 where one of them is unknown."""
    own = run.target.groups[rows]
    hits = np.take_along_axis(means, own[:, None, None].astype(np.int64), axis=1)
    others = np.arange(means.shape[1]) != own[:, None]
    return np.nan_to_num(means - hits)[others].reshape(len(own), -1, means.shape[2])


def _some(features: Features, chosen: np.ndarray) -> Features:
    """Some features alone, dense; `missing` has their entries, and `padded` does not count."""
    p, missing = features.shape[1], features.missing
    whole = len(chosen) > 0 and chosen[-1] - chosen[0] + 1 == len(chosen)
    values = features.values[:, chosen[0] : chosen[-1] + 1] if whole else features.values[:, chosen]
    values = np.ascontiguousarray(values.toarray() if features.is_sparse else values)
    if missing is not None:
        place = np.full(p, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        kept = place[missing.features] >= 0
        ends = np.concatenate([[0], np.cumsum(kept)])
        indptr, entries = ends[missing.indptr], place[missing.features[kept]]
        missing = replace(missing, indptr=indptr, features=entries, slots=missing.slots[kept])
    n_numeric = int(np.searchsorted(chosen, min(features.n_numeric, p)))
    columns = features.columns[chosen]
    return replace(features, values=values, n_numeric=n_numeric, columns=columns, missing=missing)


def _fill(near: Neighbours, features: Features, own: np.ndarray, out: np.ndarray) -> None:
    """own (b,): group whose weighted sums are taken from those of the others, which are margins then; -1: none."""
    lists, missing = (near.rows, near.cols, near.weights), features.missing
    entries = (np.zeros(features.shape[0] + 1, np.int64), NONE, NONE, np.zeros((0, 0), features.values.dtype))
    if missing is not None:
        entries = missing.indptr, missing.features, missing.slots, missing.table
    rows_apart(features.values, features.n_numeric, features.diff.shape, entries, lists, own, out)
