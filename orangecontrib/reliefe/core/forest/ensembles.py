"""Ensembles: trees that are grown, scored and dropped, one by one or on threads.

A tree depends on its key (seed, number) only: so bits do not depend on threads, 50 trees and 50 more are 100, and trees
that were grown elsewhere can be added.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import NamedTuple

import numpy as np

from ..parallel import Work
from .clustering_space import Space
from .columns import Columns
from .permutations import Errors, permuted_errors
from .scores import Outcome, genie3, genie3_each, symbolic, uses
from .trees import Rule, Tree, grow

RANDOM_FOREST, EXTRA_TREES, BAGGING = ENSEMBLES = ("random-forest", "extra-trees", "bagging")
GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")
FLOOR = 0.01  # share of the mean error that the error of a tree is at least, when it is divided by

Key = tuple[int, int]


class Row(NamedTuple):
    """What a tree tells of the u features that it tests.

    features (u,) int; nodes: how many of its nodes test one; genie3 (1 + t, u) of all targets together and then of
    each, t may be 0; symbolic (u,); errors: out of the bag, or None.
    """

    features: np.ndarray
    nodes: int
    genie3: np.ndarray
    symbolic: np.ndarray
    errors: Errors | None


class Told(NamedTuple):
    """What trees tell by one score, side by side, so that no tree is looked at by itself.

    p: number of features; counted (trees + 1,): how many of the first 0, 1 ... trees tell anything; of those alone:
    starts (counted + 1,): where each begins in features (u,) and values (1 + t, u); own (1 + t, counted): errors out of
    the bag, or None where values are divided by none.
    """

    p: int
    counted: np.ndarray
    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray
    own: np.ndarray | None

    def added(self, n: int, pooled: bool, target: int) -> tuple[int, np.ndarray, np.ndarray]:
        """How many of the first n trees count, features (u,), and what they add to the sum over these trees (u,)."""
        m = self.counted[n]
        end = self.starts[m]
        features, values = self.features[:end], self.values[target, :end]
        if self.own is None or not m:
            return m, features, values
        own = self.own[target, :m]
        mean = float(np.mean(own))
        if mean == 0:
            return m, features, values
        return m, features, values / (mean if pooled else self._spread(np.maximum(own, FLOOR * mean)))

    def means(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """(p,) scores by the first n trees; 0 where none counts."""
        m, features, values = self.added(n, pooled, target)
        return np.bincount(features, values, self.p) / max(m, 1)

    def errors(self, n: int, pooled: bool = True, target: int = 0) -> np.ndarray:
        """(p,) their standard errors; 0 where fewer than two trees count."""
        m, features, values = self.added(n, pooled, target)
        if m < 2:
            return np.zeros(self.p)
        mean = np.bincount(features, values, self.p) / m
        squares = np.bincount(features, (values - mean[features]) ** 2, self.p)
        squares = squares + (m - np.bincount(features, minlength=self.p)) * mean**2
        return np.sqrt(squares / (m - 1) / m)

    def _spread(self, each: np.ndarray) -> np.ndarray:
        """(u,) of numbers (m,) of trees."""
        return np.repeat(each, np.diff(self.starts[: len(each) + 1]))


def candidates(ensemble: str, wanted: str | float | int | None, p: int) -> int:
    """How many of p features a node tries: "sqrt", "log2", a share (float), a number, or None for all; bagging: all."""
    if ensemble == BAGGING or wanted is None:
        return p
    if wanted in ("sqrt", "log2"):
        return max(math.ceil(getattr(math, wanted)(p)), 1)
    return min(max(math.ceil(wanted * p) if isinstance(wanted, float) else wanted, 1), p)


@dataclass
class Forest:
    """permuted: whether features are permuted out of the bag, for the random forest score; each: whether targets have
    scores of their own; decay: of Symbolic with depth, None: shares of rows; info: what was chosen, plain literals.

    rows: what each tree that was grown tells; the trees are not kept.  wanted: all with smaller numbers were asked for.
    """

    columns: Columns
    space: Space
    outcome: Outcome | None  # None: nothing is predicted
    rule: Rule
    random_state: int = 0
    permuted: bool = False
    each: bool = False
    decay: float | None = None
    info: dict[str, object] = field(default_factory=dict)
    rows: dict[Key, Row] = field(default_factory=dict)
    wanted: int = 0

    @property
    def p(self) -> int:
        return len(self.columns.nominal)

    @property
    def keys(self) -> list[Key]:
        """Of the trees, in order."""
        return sorted(self.rows.copy())

    def bag(self, key: Key) -> tuple[np.ndarray, int, int]:
        """Multiplicities (n,) of the rows in a tree's bootstrap sample; seeds of its growth and of permutations."""
        rng, n = np.random.default_rng(key), len(self.space.z)
        rows = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        return rows, *(int(seed) for seed in rng.integers(1, 2**63, 2))

    def tree(self, key: Key, work: Work) -> Tree:
        """One of its trees, grown anew."""
        bag, seed, _ = self.bag(key)
        return self._grown(bag, seed, work)

    def extend(self, numbers: Iterable[int], work: Work) -> "Forest":
        """Grow the trees with these numbers; those that are finished stay when it is interrupted."""
        numbers = list(numbers)
        self.wanted = max([self.wanted, *(number + 1 for number in numbers)])
        keys = [(self.random_state, number) for number in numbers]
        keys = [key for key in keys if key not in self.rows]
        work.plan(len(keys))

        def add(key: Key) -> None:
            work.tick()  # a tree that waits for a thread is not begun after a stop
            self.rows[key] = self._row(key, work)
            work.tick(1)

        work.map(add, keys)
        return self

    def more(self, n: int, work: Work, first: int = 0) -> "Forest":
        """Grow the n first trees with numbers from `first` on that are not there."""
        numbers: list[int] = []
        while len(numbers) < n:
            if (self.random_state, first) not in self.rows:
                numbers.append(first)
            first += 1
        return self.extend(numbers, work)

    def gaps(self, first: int = 0) -> int:
        """How many trees from `first` on are missing before the last one, since threads were stopped."""
        own = [number for seed, number in self.keys if seed == self.random_state and first <= number < self.wanted]
        return own[-1] + 1 - first - len(own) if own else 0

    def part(self, keys: Iterable[Key]) -> "Forest":
        """Some of its trees."""
        return replace(self, rows={key: self.rows[key] for key in keys})

    def _grown(self, bag: np.ndarray, seed: int, work: Work) -> Tree:
        return grow(self.columns, self.space, bag, self.rule, seed, work.tick)

    def _row(self, key: Key, work: Work) -> Row:
        (bag, growth, seed), errors = self.bag(key), None
        tree = self._grown(bag, growth, work)
        features = uses(tree)
        if self.permuted:
            errors = permuted_errors(self.columns, tree, bag, self.outcome, seed, work.tick)
            errors = errors if self.each or errors is None else errors.total()
        gains = genie3(tree, self.p)[None]
        if self.each:
            gains = np.vstack([gains, genie3_each(tree, self.p, self.outcome, work.tick)])
        seen = symbolic(tree, self.p, self.decay)[features]
        return Row(features, int((tree.feature >= 0).sum()), gains[:, features] / len(bag), seen, errors)

    def tested(self) -> float:
        """Mean number of nodes that test a feature, in all trees."""
        return sum(row.nodes for row in self.rows.copy().values()) / self.p

    def error(self) -> float | None:
        """Mean error out of the bag, None where there is none."""
        found = [row.errors.own[0] for row in map(self.rows.get, self.keys) if row.errors is not None]
        return float(np.mean(found)) if found else None

    def told(self, score: str, every: bool = False) -> Told:
        """What its trees tell by a score; every: each target by itself, too (then the forest has `each`).

        Random forest: the error that a permutation adds, over the mean error of all trees (pooled), or over that of the
        tree itself as in the paper, but at least `FLOOR` of the mean; absolute where no tree errs.  Trees that leave no
        labelled row out of their bag do not count.
        """
        rows, own = [self.rows[key] for key in self.keys], None
        counts = [score != RFOREST or row.errors is not None for row in rows]
        rows = list(compress(rows, counts))
        lines = slice(None if every else 1)
        empty = np.empty((1 + len(self.outcome.shares) if every else 1, 0))
        starts = np.cumsum([0, *[len(row.features) for row in rows]])
        features = np.concatenate([np.empty(0, np.int32), *[row.features for row in rows]])
        if score == SYMBOLIC:
            values = [row.symbolic[None] for row in rows]
        elif score == GENIE3:
            values = [row.genie3[lines] for row in rows]
        else:
            values = [row.errors.mixed[lines] for row in rows]
            own = np.concatenate([empty[0], *[row.errors.own[lines] for row in rows]])
            own = np.ascontiguousarray(own.reshape(len(rows), len(empty)).T)
        values = np.concatenate([empty, *values], axis=1)
        if own is not None:
            values -= np.repeat(own, np.diff(starts), axis=1)
        return Told(self.p, np.cumsum([0, *counts]), starts, features, values, own)

    def contributions(self, score: str, pooled: bool = True, target: int = 0) -> np.ndarray:
        """(trees, p), whose mean over the trees that count is the score; target: from 1 on, one of several alone."""
        told = self.told(score, target > 0)
        m, features, values = told.added(len(self.rows), pooled, target)
        out = np.zeros((m, self.p))
        out[np.repeat(np.arange(m), np.diff(told.starts)), features] = values
        return out
