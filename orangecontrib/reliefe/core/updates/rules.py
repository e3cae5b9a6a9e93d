"""Update rules: what a pair weighs.  NumPy on pairs or on (rows, groups): nothing here is O(pairs * features)."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from ..forms.lists import Neighbours, RowMeans
from ..neighbourhoods.base import (
    EMPTY_AS_ZERO,
    EQUAL_WEIGHTS,
    GROUPS,
    GROUPS_BEFORE_SEARCH,
    LISTS,
    ONE_SUM,
    SIGNED_WEIGHTS,
    SIGNS,
    TWO_GROUPS,
    Relation,
)
from ..targets.targets import CLASSIFICATION, REGRESSION, Target
from .base import Means, Update

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

    n_channels = 2
    is_mean_over_rows = True
    is_linear_in_shares = True

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
            codes = target.classes
            return Relation(int(codes.max()) + 1, True, partial(_class_of, codes), signs, values=codes)
        values, width = target.steps
        differs = lambda rows, cols: target.differs(rows, cols).astype(np.uint8)  # noqa: E731
        return Relation(2, False, differs, signs, values=values, width=width)

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

    def channels(self, near: Neighbours, target: Target) -> np.ndarray:
        """Weights (2, b, G, k): shares of the misses, and less those of the hits."""
        signs = self.signs(near.present, near.rows, target)
        of_groups = np.array([np.maximum(signs, 0), np.minimum(signs, 0)])
        return cast("np.ndarray", of_groups[:, :, :, None] * near.shares)

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Numbers (2,) of rows that have misses, and hits; none (0,) if rows without any count as 0."""
        if not self.drop_empty:
            return np.empty(0)
        of_rows = np.ones(len(near.rows)) if self.row_weights is None else self.row_weights[near.rows]
        signs = self.signs(near.present, near.rows, target)
        has_misses = (signs > 0).any(axis=1)
        has_hits = (signs < 0).any(axis=1)
        return np.array([of_rows[has_misses].sum(), of_rows[has_hits].sum()])

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Shares (2, ...) of a row in the means over the rows that count."""
        if not self.drop_empty:
            return np.full(2, 1 / self._size(np.arange(m)))
        return cast("np.ndarray", 1 / np.where(totals > 0, totals, 1))

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums (2, p) of mean diffs to misses and, with a minus, to hits; numbers (2, p) of rows that have them.

        Means are NaN where nothing is observed.  Rows with weights are summed, and counted, by these.
        """
        diffs = means.diffs(near)
        signs = self.signs(~np.isnan(diffs), near.rows, target)
        diffs = np.nan_to_num(diffs)
        of_rows = np.ones(len(near.rows)) if self.row_weights is None else self.row_weights[near.rows]
        diffs *= of_rows[:, None, None]
        sums = []
        counts = []
        for of_groups in (np.maximum(signs, 0), np.minimum(signs, 0)):
            sums.append((of_groups * diffs).sum(axis=(0, 1)))
            if self.drop_empty:
                has_any = (of_groups != 0).any(axis=1)
                counts.append((has_any * of_rows[:, None]).sum(axis=0))
        return np.array(sums), np.array(counts).reshape(-1, diffs.shape[2])


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
    n_channels = 2
    is_linear_in_shares = True

    def weighted(self, row_weights: np.ndarray) -> "Probability":
        return replace(self, row_weights=row_weights)

    def pairs(self, near: Neighbours) -> Neighbours:
        """Lists with the weight of each pair."""
        return near

    def channels(self, near: Neighbours, target: Target) -> np.ndarray:
        """Weights (2, b, 1, k) of the pairs times their target diffs, and by themselves."""
        weights = self.pairs(near).shares
        return np.array([weights * self.differences(near, target), weights])

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Sums (2,) of weights times target diffs, N_dC, and of all weights."""
        of_change, everything = self.channels(near, target)
        return np.array([of_change.sum(), everything.sum()])

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Factors (2, ...) of N_dCdA and N_dA in  N_dCdA / N_dC - (N_dA - N_dCdA) / (N - N_dC).

        Where no pair has similar targets, the first term alone; 0 if `strict`, and where no targets differ.
        """
        changed, everything = totals
        rest = everything - changed
        has_rest = rest > NO_REST * everything
        is_defined = (changed > MIN_SHARE * everything) & (has_rest | (not self.strict))
        of_changed = is_defined / np.where(is_defined, changed, 1)
        of_rest = (is_defined & has_rest) / np.where(has_rest, rest, 1)
        return np.array([of_changed + of_rest, -of_rest])

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """N_dCdA and N_dA, (2, p), N_dC and the number of rows, (2, p), each over the pairs that have a feature.

        Rows with weights are summed, and counted, by these.
        """
        diff, both, t = means.with_target(near, self.differences(near, target))
        counted: np.ndarray = ~np.isnan(diff)
        if self.row_weights is not None:
            of_rows = self.row_weights[near.rows][:, None, None]
            diff, both, t, counted = (a * of_rows for a in (diff, both, t, counted))
        sums = [np.nan_to_num(values).sum(axis=(0, 1)) for values in (both, diff)]
        totals = [np.nan_to_num(t).sum(axis=(0, 1)), counted.sum(axis=(0, 1))]
        return np.array(sums), np.array(totals)


@dataclass(frozen=True)
class Covariance(Probability):
    """`Probability` over pairs that weigh the product of both rows' influence (URelief, SSL-Relief).

    With shares C of the target and A of a feature that change this is Cov(A, C) / (C (1 - C)).  With strategy "ignore"
    all sums of a feature run over the pairs in which it is known.

    Petkovic, Dzeroski and Kocev (2020), Algorithm 3, with S = sum of the weights.
    """

    influence: np.ndarray | None = None  # (n,): influence of the rows in run order, from 0 to 1; None: all 1

    requires = frozenset({LISTS, EQUAL_WEIGHTS})
    is_linear_in_shares = False  # weights are 1, or the influence of both rows

    def pairs(self, near: Neighbours) -> Neighbours:
        weights = (near.cols >= 0).astype(float)
        if self.influence is not None:
            weights *= self.influence[near.rows][:, None, None] * self.influence[near.cols]
        return Neighbours(near.rows, near.cols, near.distances, weights)

    def channels(self, near: Neighbours, target: Target) -> np.ndarray:
        found = super().channels(near, target)
        return found if target.n > 2 else np.zeros_like(found)  # the only pair, twice: nothing varies

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        of_rows = cast("RowMeans", means)  # others are of methods that have no influence
        found = of_rows.sums(self.pairs(near), self.differences(near, target)).sum(axis=(1, 2))
        weight, diff, both, changed = found if target.n > 2 else np.zeros_like(found)
        return np.array([both, diff]), np.array([changed, weight])


@dataclass(frozen=True)
class QuotientPerRow(Update):
    """The quotient of `Probability` taken row by row and averaged: TD / T - (D - TD) / (1 - T).

    Rows whose neighbours all have the same labels, or all quite different ones, add nothing.

    Skrlj et al. (2022), Algorithm 3, line 34; Equation 1 has (D - T) / (1 - TD) there, with which a constant feature
    would score.
    """

    requires = frozenset({LISTS})
    n_channels = 1
    is_mean_over_rows = True
    skips_rows = True

    def channels(self, near: Neighbours, target: Target) -> np.ndarray:
        """Weights (1, b, 1, k): share_j (t_ij / T_i - (1 - t_ij) / (1 - T_i)), where T_i = sum_j share_j t_ij."""
        t = self.differences(near, target)
        changed = (near.shares * t).sum(axis=2, keepdims=True)
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        return np.where(inside, near.shares * (t / c - (1 - t) / (1 - c)), 0)[None]

    def totals(self, near: Neighbours, target: Target) -> np.ndarray:
        """Nothing (0,)."""
        return np.empty(0)

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        """Share (1,) of a row in the mean over all rows."""
        return np.array([1 / m])

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sum (1, p) of the rows' quotients, each over the pairs in which the feature is known."""
        diff, both, changed = means.with_target(near, self.differences(near, target))
        inside = _inside(changed)
        c = np.where(inside, changed, 0.5)
        quotients = np.where(inside, both / c - (diff - both) / (1 - c), 0)
        return quotients.sum(axis=(0, 1))[None], np.empty((0, quotients.shape[2]))

    def skipped(self, near: Neighbours, target: Target) -> np.ndarray:
        return ~_inside((near.shares * self.differences(near, target)).sum(axis=(1, 2)))


def _inside(changed: np.ndarray) -> np.ndarray:
    return cast("np.ndarray", (changed > NO_REST) & (changed < 1 - NO_REST))


def _class_of(groups: np.ndarray, rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    return np.broadcast_to(groups[cols], np.broadcast_shapes(np.shape(rows), np.shape(cols)))


@dataclass(frozen=True)
class SignedPairs(HitMiss):
    """Mean over the rows of the sum of diffs times weights that are above 0 for misses, and below 0 for hits.

    For neighbourhoods that share one normaliser among hits and misses.
    """

    scheme: str = "E"
    drop_empty: bool = False

    requires = frozenset({SIGNED_WEIGHTS})
    n_channels = 1
    is_linear_in_shares = False  # weights of cut lists would need another normaliser

    def offers(self, task: str) -> frozenset[str]:
        found = super().offers(task)
        return found | {ONE_SUM} if found else found

    def channels(self, near: Neighbours, target: Target) -> np.ndarray:
        return near.shares[None]

    def factors(self, totals: np.ndarray, m: int) -> np.ndarray:
        return np.array([1 / self._size(np.arange(m))])

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        diffs = np.nan_to_num(means.diffs(near))
        return diffs.sum(axis=(0, 1))[None], np.empty((0, diffs.shape[2]))


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
    is_linear_in_shares = False  # a diff counts above a limit of its pair


@dataclass(frozen=True)
class SharedFeatures(HitMiss):
    """`HitMiss` whose neighbours count the more, the more features they share with the row (EReliefF).

    Where pairs that lack a feature are ignored; without missing values all neighbours count alike.  A reconstruction
    from the abstract: the paper could not be read.

    Park and Kwon (2007), extended ReliefF.
    """

    requires = frozenset({LISTS})

    def from_means(self, near: Neighbours, means: Means, target: Target) -> tuple[np.ndarray, np.ndarray]:
        """Sums and numbers as those of `HitMiss`, of means weighted by the numbers of shared features."""
        missing = cast("RowMeans", means).features.missing
        if missing is not None and missing.ignore:
            near = replace(near, weights=near.weights * missing.shared(near.rows, near.cols))
        return super().from_means(near, means, target)
