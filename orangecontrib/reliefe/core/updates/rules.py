"""Update rules: what a pair weighs.  NumPy on pairs or on (rows, groups): nothing here is O(pairs * features)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, cast

import numpy as np

from ..forms.lists import Neighbours, RowMeans
from ..neighbourhoods.base import (
    EMPTY_AS_ZERO,
    EQUAL_WEIGHTS,
    GROUPS,
    GROUPS_BEFORE_SEARCH,
    LISTS,
    SIGNS,
    TWO_GROUPS,
    Relation,
)
from ..targets.targets import CLASSIFICATION, REGRESSION, Target
from .base import BY_CHANGE, BY_LENGTH, Means, Update

MIN_SHARE = 1e-300  # a share below this cannot be divided by
NO_REST = 1e-12  # share of the influence that is none but for rounding


@dataclass(frozen=True)
class HitMiss(Update):
    """Mean diff to misses minus mean diff to hits.

    For numbers a hit is a row whose target differs by less than one standard deviation.

    Kononenko (1994), Relief-E and Relief-F.  Urbanowicz et al. (2018) for numbers.
    """

    # "F": class c counts P(c) / sum of P over the other classes present (Relief-F); "E": misses are rows of any other
    # class, all alike (Relief-E)
    scheme: str = "F"
    # Whether a row without hits (misses) does not count in the mean over rows; else it counts as 0
    drop_empty: bool = True
    row_weights: np.ndarray | None = field(default=None, compare=False)  # (n,): of the rows in run order; None: all 1

    place_form: ClassVar[str | None] = BY_LENGTH
    over_pairs = True, False, True, False

    def offers(self, task: str) -> frozenset[str]:
        if task != CLASSIFICATION and (task != REGRESSION or self.drop_empty):
            return frozenset()
        found = {GROUPS, SIGNS, GROUPS_BEFORE_SEARCH if task == CLASSIFICATION else TWO_GROUPS}
        if self.scheme == "E":
            found.add(TWO_GROUPS)
        if not self.drop_empty:
            found.add(EMPTY_AS_ZERO)
        return frozenset(found)

    def weighted(self, row_weights: np.ndarray) -> "HitMiss":
        return replace(self, row_weights=row_weights)

    def _size(self, rows: np.ndarray) -> float:
        """Number of some rows, by their weights."""
        return len(rows) if self.row_weights is None else float(self.row_weights[rows].sum())

    def by_class(self, target: Target) -> bool:
        return self.scheme == "F" and target.groups is not None

    def relation(self, target: Target) -> Relation:
        signs = partial(self.signs, target=target)
        if self.by_class(target):
            return Relation(int(target.classes.max()) + 1, True, partial(_class_of, target.classes), signs)
        return Relation(2, False, lambda rows, cols: target.differs(rows, cols).astype(np.uint8), signs)

    def search_groups(self, target: Target) -> np.ndarray | None:
        return target.groups

    def regroup(self, near: Neighbours, target: Target, ids: np.ndarray, k: int) -> Neighbours:
        if self.by_class(target):
            return near
        own = target.classes[near.rows]
        if near.cols.shape[1] == 2:  # no lists are merged, whose distances may be rough
            sides = np.stack([own, 1 - own], axis=1)[:, :, None]
            cols, dist = (np.take_along_axis(a, sides, axis=1)[:, :, :k] for a in (near.cols, near.distances))
            return Neighbours(near.rows, cols, dist)
        hits = np.arange(near.cols.shape[1]) == own[:, None]
        found = []
        for wanted in (hits, ~hits):
            dist = np.where(wanted[:, :, None], near.distances, np.inf).reshape(len(own), -1)
            cols = np.where(wanted[:, :, None], near.cols, -1).reshape(len(own), -1)
            order = np.lexsort((ids[cols], dist), axis=1)[:, :k]
            found.append([np.take_along_axis(a, order, axis=1) for a in (cols, dist)])
        cols, dist = (np.stack(pair, axis=1) for pair in zip(*found, strict=True))
        return Neighbours(near.rows, cols, dist)

    def signs(self, present: np.ndarray, rows: np.ndarray, target: Target) -> np.ndarray:
        """Factors of the groups' mean diffs: -1 for hits, shares that sum to 1 for misses; present (b, G) or
        (b, G, p) bool: which groups have neighbours."""
        G = present.shape[1]
        if self.by_class(target):
            prior = np.bincount(target.classes, self.row_weights, G) / self._size(np.arange(target.n))
            own = target.classes[rows, None] == np.arange(G)
        else:
            prior, own = np.ones(G), np.broadcast_to(np.arange(G) == 0, (len(rows), G))
        prior, own = (a.reshape(a.shape + (1,) * (present.ndim - 2)) for a in (np.where(own, 0, prior), own))
        share = np.where(present, prior, 0)
        total = share.sum(axis=1, keepdims=True)
        return np.where(own, np.where(present, -1.0, 0.0), share / np.where(total > 0, total, 1))

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        signs = self.signs(near.present, near.rows, target)
        divisor: float | np.ndarray = self._size(np.arange(m))
        if self.drop_empty:  # every row has misses; those that are alone in their class have no hits
            alone = np.bincount(target.classes)[target.classes[:m]] == 1
            divisor = np.where(signs < 0, self._size(np.flatnonzero(~alone)) or 1, divisor)
        return cast("np.ndarray", (signs / divisor)[:, :, None] * near.shares)

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (4, p): of misses, their number, of hits, their number; means are NaN where nothing is observed.

        Rows with weights are summed, and counted, by these.
        """
        diffs = means.diffs(near)
        signs = self.signs(~np.isnan(diffs), near.rows, target)
        diffs = np.nan_to_num(diffs)
        miss, hit = np.maximum(signs, 0), np.minimum(signs, 0)
        present = [(a != 0).any(axis=1) for a in (miss, hit)]
        if self.row_weights is not None:
            of_rows = self.row_weights[near.rows]
            diffs *= of_rows[:, None, None]
            present = [a * of_rows[:, None] for a in present]
        counts = [a.sum(axis=0) for a in present]
        return np.array([(miss * diffs).sum(axis=(0, 1)), counts[0], (hit * diffs).sum(axis=(0, 1)), counts[1]])

    def terms(self, near: Neighbours, target: Target) -> Sequence[np.ndarray | float]:
        signs = self.signs(near.present, near.rows, target)
        miss, hit = np.maximum(signs, 0), np.minimum(signs, 0)
        counts = [float((a != 0).any(axis=1).sum()) for a in (miss, hit)]
        return miss[:, :, None] * near.shares, counts[0], hit[:, :, None] * near.shares, counts[1]

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        miss, n_miss, hit, n_hit = totals
        if not self.drop_empty:
            return cast("np.ndarray", (miss + hit) / self._size(np.arange(m)))
        n_miss, n_hit = (np.where(count > 0, count, 1) for count in (n_miss, n_hit))
        return cast("np.ndarray", miss / n_miss + hit / n_hit)


@dataclass(frozen=True)
class Probability(Update):
    """P(diff | target differs) - P(diff | target same) over weighted pairs.

    With strategy "ignore" the influence of a row's neighbours is shared by those that have the feature, so that all
    three probabilities of the rule belong to one feature; without missing values nothing changes.

    Robnik-Sikonja and Kononenko (1997), RReliefF.
    """

    # Whether scores are 0 where no pair has similar targets, instead of the first term alone, which is positive for
    # every feature
    strict: bool = False
    row_weights: np.ndarray | None = field(default=None, compare=False)  # (n,): of the rows in run order; None: all 1

    requires = frozenset({LISTS})
    needs_totals = True
    place_form: ClassVar[str | None] = BY_CHANGE
    over_pairs: ClassVar[tuple[bool, ...]] = (True, True, False, False)

    def weighted(self, row_weights: np.ndarray) -> "Probability":
        return replace(self, row_weights=row_weights)

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Sums (2,), which all weights depend on: N_dC and all influences."""
        return self._totals(self.pairs(near).shares, self.differences(near, target))

    @staticmethod
    def _totals(weights: np.ndarray, t: np.ndarray) -> np.ndarray:
        return np.array([(weights * t).sum(), weights.sum()])

    def pairs(self, near: Neighbours) -> Neighbours:
        """Lists with the weight of each pair."""
        return near

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        weights, t = self.pairs(near).shares, self.differences(near, target)
        sums = self._totals(weights, t) if totals is None else totals
        return cast("np.ndarray", weights * self.of_change(t, *sums))

    def of_change(self, t: np.ndarray, changed: float, everything: float) -> np.ndarray:
        """t / changed - (1 - t) / rest on one denominator: near pairs hardly differ, and then the terms are as good as
        equal."""
        rest = everything - changed
        if changed <= MIN_SHARE * everything or (self.strict and rest <= NO_REST * everything):
            return np.zeros_like(t)
        if rest <= NO_REST * everything:
            return t / changed
        return (t - changed / everything) * (everything / (changed * rest))

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (4, p): N_dCdA, N_dA, N_dC and the number of targets, each per feature.

        Rows with weights are summed, and counted, by these.
        """
        diff, both, t = means.with_target(near, self.differences(near, target))
        counted: np.ndarray = ~np.isnan(diff)
        if self.row_weights is not None:
            of_rows = self.row_weights[near.rows][:, None, None]
            diff, both, t, counted = (a * of_rows for a in (diff, both, t, counted))
        return np.array([np.nan_to_num(a).sum(axis=(0, 1)) for a in (both, diff, t)] + [counted.sum(axis=(0, 1))])

    def terms(self, near: Neighbours, target: Target) -> Sequence[np.ndarray | float]:
        weights, t = self.pairs(near).shares, self.differences(near, target)
        changed, everything = self._totals(weights, t)
        return weights * t, weights, float(changed), float(everything)

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        both, diff, changed, count = totals
        rest = count - changed
        some = rest > NO_REST * count
        same = np.where(some, (diff - both) / np.where(some, rest, 1), 0)
        defined = (changed > 0) & (some | (not self.strict))
        return np.where(defined, both / np.where(changed > 0, changed, 1) - same, 0)


@dataclass(frozen=True)
class Covariance(Probability):
    """`Probability` over pairs that weigh the product of both rows' influence (URelief, SSL-Relief).

    With shares C of the target and A of a feature that change this is Cov(A, C) / (C (1 - C)).  With strategy "ignore"
    all sums of a feature run over the pairs in which it is known.

    Petkovic, Dzeroski and Kocev (2020), Algorithm 3, with S = sum of the weights.
    """

    influence: np.ndarray | None = None  # (n,): influence of the rows in run order, from 0 to 1; None: all 1

    requires = frozenset({LISTS, EQUAL_WEIGHTS})
    place_form = None  # the influence of rows is not known before
    over_pairs = False, True, True, False

    def pairs(self, near: Neighbours) -> Neighbours:
        weights = (near.cols >= 0).astype(float)
        if self.influence is not None:
            weights *= self.influence[near.rows][:, None, None] * self.influence[near.cols]
        return Neighbours(near.rows, near.cols, near.distances, weights)

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        if target.n <= 2:  # the only pair, twice: nothing varies
            return np.zeros_like(near.weights)
        return super().coefficients(near, target, m, totals)

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (4, p) over the pairs that have a feature: of weights, and weights times diff, t * diff and t."""
        of_rows = cast("RowMeans", means)  # others are of methods that have no influence
        sums: np.ndarray = of_rows.sums(self.pairs(near), self.differences(near, target)).sum(axis=(1, 2))
        return sums if target.n > 2 else 0 * sums

    def terms(self, near: Neighbours, target: Target) -> Sequence[np.ndarray | float]:
        both, diff, changed, weight = super().terms(near, target)
        found = weight, diff, both, changed
        return found if target.n > 2 else tuple(0 * term for term in found)

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        weight, diff, both, changed = totals
        return super().scores(np.array([both, diff, changed, weight]), m)


@dataclass(frozen=True)
class QuotientPerRow(Update):
    """The quotient of `Probability` taken row by row and averaged: TD / T - (D - TD) / (1 - T).

    Rows whose neighbours all have the same labels, or all quite different ones, add nothing.

    Skrlj et al. (2022), Algorithm 3, line 34; Equation 1 has (D - T) / (1 - TD) there, with which a constant feature
    would score.
    """

    requires = frozenset({LISTS})
    skips_rows = True
    over_pairs = (True,)

    def coefficients(self, near: Neighbours, target: Target, m: int, totals: np.ndarray | None = None) -> np.ndarray:
        t = self.differences(near, target)
        changed = (near.weights * t).sum(axis=2, keepdims=True)
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        return np.where(inside, near.weights * (t / c - (1 - t) / (1 - c)), 0) / m

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sum (1, p) of the rows' quotients, each over the pairs in which the feature is known."""
        diff, both, changed = means.with_target(near, self.differences(near, target))
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        return cast("np.ndarray", np.where(inside, both / c - (diff - both) / (1 - c), 0).sum(axis=(0, 1))[None])

    def terms(self, near: Neighbours, target: Target) -> Sequence[np.ndarray | float]:
        return (self.coefficients(near, target, 1),)

    def scores(self, totals: np.ndarray, m: int) -> np.ndarray:
        return cast("np.ndarray", totals[0] / m)

    def skipped(self, near: Neighbours, target: Target) -> np.ndarray:
        return ~_inside((near.shares * self.differences(near, target)).sum(axis=(1, 2)))


def _inside(changed: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", (changed > NO_REST) & (changed < 1 - NO_REST))


def _class_of(groups: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    return np.broadcast_to(groups[cols], np.broadcast_shapes(np.shape(rows), np.shape(cols)))


@dataclass(frozen=True)
class AboveMean(HitMiss):
    """`HitMiss` on what a diff is above the mean diff of all other features of the pair (ReliefMSS).

    With d the distance of a pair and p features, max(0, diff - (d - diff) / (p - 1)) stands for the diff; of a single
    feature the diff itself.  Where missing values are ignored, p and d are of the features that a pair shares.  Scores
    stay within [-1, 1].

    Chikhi and Benhammada (2009), ReliefMSS.
    """

    requires = frozenset({LISTS})
    above_mean = True
    place_form = None


@dataclass(frozen=True)
class SharedFeatures(HitMiss):
    """`HitMiss` whose neighbours count the more, the more features they share with the row (EReliefF).

    Where pairs that lack a feature are ignored; without missing values all neighbours count alike.  A reconstruction
    from the abstract: the paper could not be read.

    Park and Kwon (2007), extended ReliefF.
    """

    requires = frozenset({LISTS})

    def from_means(self, near: Neighbours, means: Means, target: Target) -> np.ndarray:
        """Sums (4, p) as those of `HitMiss`, of means weighted by the numbers of shared features."""
        missing = cast("RowMeans", means).features.missing
        if missing is not None and missing.ignore:
            near = replace(near, weights=near.weights * missing.shared(near.rows, near.cols))
        return super().from_means(near, means, target)
