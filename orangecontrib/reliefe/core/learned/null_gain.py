"""Null gain: the gain that the best feature has by chance, with which boosting compares each step.

`methods/learned.py` makes a `NullGain` and passes it to `boost`.
"""

from statistics import NormalDist
from typing import cast

import numpy as np

from ..relief.run import Run
from .held_distances import HeldDistances
from .permuted_neighbours import NeighbourLists, nearest
from .permuted_stumps import PermutedStumps
from .row_distances import RowDistances, fits
from .stumps import Stumps

N_PERMUTATIONS = 2  # permutations of the targets; chosen by eye: each costs a search for neighbours
FEATURES_PER_PERMUTATION = 32  # features whose permuted gains are computed; enough for a mean and a deviation
NULL_PROBABILITY = 0.05  # probability that the best of all features passes if all are irrelevant


class NullGain:
    """Gain of the best of all features by chance, step by step.

    The gains of some permuted features are assumed to be normal; the null gain is the quantile of the maximum of p such
    gains.  One set of permutations moves all features; another one, where there are heavy features, leaves these.

    is_left (p,) bool: features that boosting has not taken.
    all_permuted: stumps after permutations of all features.
    some_fixed: stumps after a permutation of all but the heavy features; empty without these.
    shares (R,): weights of the margins.
    pairs (R,): pair of classes of each margin, see `class_pairs`.
    """

    def __init__(self, stumps: Stumps, lists: NeighbourLists, random_state: int):
        """Permute the targets; stumps: those of boosting; lists: neighbours that their margins are by."""
        run = lists.run
        fixed = lists.held
        rng = np.random.default_rng(random_state)
        varied = np.flatnonzero(stumps.t != 0)
        # A permutation is a search for all neighbours where distances are not stored.
        n_permutations = N_PERMUTATIONS if fits(run) or run.n_groups == 1 else 1
        n_features = FEATURES_PER_PERMUTATION * N_PERMUTATIONS
        permutations = [
            np.append(rng.permutation(run.m), run.m + rng.permutation(run.n - run.m)) for _ in range(n_permutations)
        ]
        self.is_left = np.ones(len(stumps.t), bool)
        self.all_permuted: list[PermutedStumps] = []
        self.some_fixed: list[PermutedStumps] = []
        for donors in permutations:
            neighbours = lists.permuted(donors)
            features = np.sort(rng.permutation(varied)[: n_features // n_permutations])
            self.all_permuted.append(PermutedStumps(stumps, neighbours, donors, features, fixed[:0]))
            if len(fixed) and not self.some_fixed:
                features = np.sort(rng.permutation(np.setdiff1d(varied, fixed))[:n_features])
                space = lists.spaces[-1]
                distances = HeldDistances(
                    cast("RowDistances", space.distances), cast("np.ndarray", space.weights), fixed, donors
                )
                fixed_neighbours = nearest(distances, lists.k, donors)[donors[: run.m]]
                all_neighbours = [*neighbours[:-1], fixed_neighbours]
                self.some_fixed.append(PermutedStumps(stumps, all_neighbours, donors, features, fixed))
        self.shares = stumps.kinds[0].shares
        self.pairs = class_pairs(run, len(self.shares))
        self._quantile = NormalDist().inv_cdf((1 - NULL_PROBABILITY) ** (1 / len(stumps.t)))

    def gain(self, h: np.ndarray) -> float:
        """Compute the gain that the best irrelevant feature exceeds with `NULL_PROBABILITY`.

        It is the larger one under the sum of margins h (R,) itself, and under that of permuted features, scaled to it.
        """
        null_gains = [0.0]
        for permuted in (self.all_permuted, self.some_fixed):
            if not permuted:
                continue
            for uses_permuted_sum in (False, True):
                gains_by_permutation = []
                for stumps in permuted:
                    margins = self._scaled(stumps.h, h) if uses_permuted_sum else h
                    wrong = self.shares / (1 + np.exp(margins))
                    gains_by_permutation.append(stumps.gains(wrong / wrong.sum(), self.is_left))
                gains = np.concatenate(gains_by_permutation)
                null_gains.append(float(gains.mean() + self._quantile * gains.std()) if len(gains) else 0.0)
        return max(null_gains)

    def take(self, f: int, alpha: float, likely_next: np.ndarray) -> None:
        """Follow boosting by a step alpha along feature f; likely_next: features that may be taken soon."""
        self.is_left[f] = False
        for stumps in (*self.all_permuted, *self.some_fixed):
            stumps.take(f, alpha, likely_next)

    def _scaled(self, permuted: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Scale a permuted sum of margins (R,) to the means and deviations of h (R,), for each pair of classes."""
        counts = np.bincount(self.pairs)
        means = np.bincount(self.pairs, h) / counts
        permuted_means = np.bincount(self.pairs, permuted) / counts
        h = h - means[self.pairs]
        permuted = permuted - permuted_means[self.pairs]
        spread = np.sqrt(np.bincount(self.pairs, h * h))
        permuted_spread = np.sqrt(np.bincount(self.pairs, permuted * permuted))
        scale = np.where(permuted_spread > 0, spread / np.where(permuted_spread > 0, permuted_spread, 1), 0)
        return cast("np.ndarray", means[self.pairs] + scale[self.pairs] * permuted)


def class_pairs(run: Run, n_margins: int) -> np.ndarray:
    """Number the pair (own class, other class) of every margin, without gaps: (R,) int."""
    if n_margins == run.m:
        pairs = run.target.classes[: run.m] if run.n_groups > 1 else np.zeros(n_margins, int)
    else:
        rows, other_classes = np.divmod(np.arange(n_margins), run.n_groups - 1)
        pairs = run.target.classes[rows] * np.int64(run.n_groups) + other_classes
    return np.unique(pairs, return_inverse=True)[1]
