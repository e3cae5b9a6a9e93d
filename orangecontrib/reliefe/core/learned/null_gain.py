"""Distances of shuffled targets in which the features that dominate stay with the targets.

Where a few features tell the classes and weigh most in the distance, rows of another class are rare nearby, and so
farther in *every* feature: all useless ones gain by that.  A shuffle of all features would not show it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import cast

import numpy as np

from ..kernels.diff import shaped
from ..kernels.jit import kernel
from ..relief.formats.lists import Neighbours
from ..relief.neighbourhoods.row_pairs import STRIP
from ..relief.run import Run
from ..work.threads import PARTS
from .boosting import gains_of
from .leave_feature_out import Columns
from .margins import Margins, named
from .rounds import Space
from .rows import Members, Rows, fits
from .stumps import Stumps


class Held(Rows):
    """Distances (m, n) of rows whose features are those of others, but for some, which stay where they are.

    Rows are numbered by whose the other features are, as in `Lists.shuffled`.
    """

    def __init__(self, rows: Rows, weights: np.ndarray, held: np.ndarray, moved: np.ndarray):
        self.run, self.known, self.kept, self._distance = rows.run, rows.known, rows.kept, rows._distance
        features, whole = rows.run.features, np.arange(len(moved))
        there, here = (Columns.of(features, held, order) for order in (np.argsort(moved), whole))
        self._parts = there.values, here.values, there.numeric, weights[held], features.diff.shape

    def blocks(self, part: int, n_parts: int = PARTS, strip: int = STRIP) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for distances, rows in super().blocks(part, n_parts, strip):
            found = distances.copy()
            _replace(found, rows, *self._parts)
            yield found, rows


@kernel
def _replace(D, rows, there, here, numeric, weights, shape):
    """Add to the distances D (b, n) of some rows the weighted diffs of values `there` (H, n) less those of `here`."""
    n = D.shape[1]
    for b in range(len(D)):
        d, i = D[b], rows[b]
        for h in range(len(weights)):
            x, y, v = there[h], here[h], weights[h]
            if not numeric[h]:
                for j in range(n):
                    d[j] += v * ((1.0 if x[j] != x[i] else 0.0) - (1.0 if y[j] != y[i] else 0.0))
            else:
                for j in range(n):
                    d[j] += v * (shaped(abs(x[j] - x[i]), shape) - shaped(abs(y[j] - y[i]), shape))
        for j in range(n):
            d[j] = max(d[j], 0.0)


N_SHUFFLES, FEATURES_PER_SHUFFLE = 2, 32  # of the targets; features each time
MIN_MOVED = 8  # features whose targets are shuffled while others are held: their gains must have a spread
NULL_PROBABILITY = 0.05  # with which the best of all features passes if all are irrelevant


@dataclass(frozen=True)
class Lists:
    """k nearest rows of a run, in one or two spaces; where there are classes, with the distances in these."""

    run: Run
    spaces: Sequence[Space]
    k: int

    @property
    def held(self) -> np.ndarray:
        """Features (H,) that stay with the targets in one of the shuffles: heavy ones, if enough others are left."""
        heavy, run = self.spaces[-1].heavy, self.run  # without missing values distances are sums over the features
        hold = run.n_groups > 1 and run.features.missing is None and run.p - len(heavy) >= MIN_MOVED
        return heavy if hold else heavy[:0]

    def shuffled(self, moved: np.ndarray) -> list[Neighbours]:
        """Lists where each row has the values of another one, `moved` (n,): whose these are."""
        alike = self.run.n_groups == 1  # whatever their targets
        found = (one.near if alike else nearest(cast("Rows", one.rows), self.k, moved) for one in self.spaces)
        return [near[moved[: self.run.m]] for near in found]


class Shuffle:
    """Shuffle of the targets: stumps (P, R) of some features, and the sum of margins that boosting takes, h (R,).

    A global part is its own, too, whose gates are nearly always shut.
    """

    def __init__(self, made: Stumps, near: list[Neighbours], moved: np.ndarray, some: np.ndarray, held: np.ndarray):
        run, self.made, self.some, self.held = made.kinds[0].run, made, some, held
        self._kinds = [Margins.of(run, Space(one), moved) for one in near]
        self._kept = [Margins.of(run, Space(named(one, moved))) for one in near] if len(held) else []
        self._part = replace(made.part, moved=moved) if made.part else None
        self.stumps = made.by_chance(made.mixed(self._kinds, self._part, some))
        self.h = np.zeros(self.stumps.shape[1])
        self._columns: dict[int, np.ndarray] = {}

    def take(self, f: int, alpha: float, ahead: np.ndarray) -> None:
        """Follow boosting by one feature; ahead: those that may be next."""
        if f not in self._columns:
            block, self._columns = np.sort(np.append(ahead, f)), {}
            kept = np.isin(block, self.held)
            for kinds, part, own in ((self._kinds, self._part, ~kept), (self._kept, self.made.part, kept)):
                if own.any():
                    found = self.made.mixed(kinds, part, block[own])
                    self._columns |= dict(zip(block[own].tolist(), found, strict=True))
        self.h += alpha / self.made.divisors[f] * self._columns[f]

    def gains(self, u: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Gains of those of them that are left (p,) bool, under weights (R,)."""
        places = np.flatnonzero(left[self.some])
        out = np.empty(len(places))
        gains_of(self.stumps, u.astype(self.stumps.dtype), places, out)
        return out


class NullGain:
    """Gain of the best of all features by chance, step by step."""

    def __init__(self, made: Stumps, lists: Lists, random_state: int):
        run, rng, held = lists.run, np.random.default_rng(random_state), lists.held
        varied = np.flatnonzero(made.t != 0)
        shuffles = N_SHUFFLES if fits(run) or run.n_groups == 1 else 1  # else each is a search for all neighbours
        each = FEATURES_PER_SHUFFLE * N_SHUFFLES // shuffles
        moves = [np.append(rng.permutation(run.m), run.m + rng.permutation(run.n - run.m)) for _ in range(shuffles)]
        self.left = np.ones(len(made.t), bool)
        self.kinds: tuple[list[Shuffle], list[Shuffle]] = [], []  # of all features; of those that are not held
        for moved in moves:
            near = lists.shuffled(moved)
            some = np.sort(rng.permutation(varied)[:each])
            self.kinds[0].append(Shuffle(made, near, moved, some, held[:0]))
            if len(held) and not self.kinds[1]:
                some = np.sort(rng.permutation(np.setdiff1d(varied, held))[: FEATURES_PER_SHUFFLE * N_SHUFFLES])
                space = lists.spaces[-1]  # in which features that are held have the values of the row itself
                rows = Held(cast("Rows", space.rows), cast("np.ndarray", space.weights), held, moved)
                own = nearest(rows, lists.k, moved)[moved[: run.m]]
                self.kinds[1].append(Shuffle(made, [*near[:-1], own], moved, some, held))
        self.shares, self.pairs = made.kinds[0].shares, pairs(run, len(made.kinds[0].shares))
        self._level = NormalDist().inv_cdf((1 - NULL_PROBABILITY) ** (1 / len(made.t)))

    def gain(self, h: np.ndarray) -> float:
        """Gain that the best of all features reaches with `NULL_PROBABILITY` where the sum of margins is h (R,)."""
        levels = [0.0]
        for shuffles in filter(None, self.kinds):
            for follow in (False, True):
                found = []
                for shuffle in shuffles:
                    wrong = self.shares / (1 + np.exp(self._like(h, shuffle.h) if follow else h))
                    found.append(shuffle.gains(wrong / wrong.sum(), self.left))
                gains = np.concatenate(found)
                levels.append(float(gains.mean() + self._level * gains.std()) if len(gains) else 0.0)
        return max(levels)

    def take(self, f: int, alpha: float, ahead: np.ndarray) -> None:
        """Follow boosting by one feature; ahead: those that may be next."""
        self.left[f] = False
        for shuffle in (*self.kinds[0], *self.kinds[1]):
            shuffle.take(f, alpha, ahead)

    def _like(self, h: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Other sum of margins with the means and deviations of h, for each pair of classes."""
        counts = np.bincount(self.pairs)
        means = [np.bincount(self.pairs, x) / counts for x in (h, other)]
        h, other = (x - mean[self.pairs] for x, mean in zip((h, other), means, strict=True))
        spread, spreads = (np.sqrt(np.bincount(self.pairs, x * x)) for x in (h, other))
        scale = np.where(spreads > 0, spread / np.where(spreads > 0, spreads, 1), 0)
        return cast("np.ndarray", means[0][self.pairs] + scale[self.pairs] * other)


def pairs(run: Run, count: int) -> np.ndarray:
    """Numbers (R,) of the pair of classes of every margin, without gaps."""
    if count == run.m:
        names = run.target.classes[: run.m] if run.n_groups > 1 else np.zeros(count, int)
    else:
        own, others = np.divmod(np.arange(count), run.n_groups - 1)
        names = run.target.classes[own] * np.int64(run.n_groups) + others
    return np.unique(names, return_inverse=True)[1]


def nearest(rows: Rows, k: int, moved: np.ndarray | None = None) -> Neighbours:
    """The k nearest rows of every group, weighed; moved (n,): each row has the features of another one."""
    members = Members.of(rows.run)
    if moved is not None:
        members = Members(moved[members.rows], members.starts, members.places)
    return rows.nearest(k, members)[0]
