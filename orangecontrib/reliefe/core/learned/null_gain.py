"""Distances of shuffled targets in which the features that dominate stay with the targets.

Where a few features tell the classes and weigh most in the distance, rows of another class are rare nearby, and so
farther in *every* feature: all useless ones gain by that.  A shuffle of all features would not show it.
"""

from statistics import NormalDist
from typing import cast

import numpy as np

from ..relief.run import Run
from .held_distances import Held
from .permuted_neighbours import Lists, nearest
from .permuted_stumps import Shuffle
from .rows import Rows, fits
from .stumps import Stumps

N_SHUFFLES, FEATURES_PER_SHUFFLE = 2, 32  # of the targets; features each time
NULL_PROBABILITY = 0.05  # with which the best of all features passes if all are irrelevant


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
