"""Ensembles: trees that are grown, scored and dropped, one by one or on threads.

A tree depends on its key (seed, number) only: so bits do not depend on threads, 50 trees and 50 more are 100, and trees
that were grown elsewhere can be added.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ..parallel import Work
from .clustering_space import Space
from .scores import Errors, Outcome, genie3, genie3_each, permuted_errors, symbolic, uses
from .trees import Columns, Rule, Tree, grow

RANDOM_FOREST, EXTRA_TREES, BAGGING = ENSEMBLES = ("random-forest", "extra-trees", "bagging")
GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")
FLOOR = 0.01  # share of the mean error that the error of a tree is at least, when it is divided by

Key = tuple[int, int]


class Row(NamedTuple):
    """What a tree tells of the u features that it tests: in how many nodes, and their scores.

    features, counts (u,) int; genie3 (1 + t, u) of all targets together and then of each, t may be 0; symbolic (u,);
    errors: out of the bag, or None.
    """

    features: np.ndarray
    counts: np.ndarray
    genie3: np.ndarray
    symbolic: np.ndarray
    errors: Errors | None


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

    rows: what each tree that was grown tells; the trees are not kept.
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
        return grow(self.columns, self.space, bag, self.rule, seed, work.tick)

    def extend(self, numbers: Iterable[int], work: Work) -> "Forest":
        """Grow the trees with these numbers; those that are finished stay when it is interrupted."""
        keys = [(self.random_state, number) for number in numbers]
        keys = [key for key in keys if key not in self.rows]
        work.plan(len(keys))

        def add(key: Key) -> None:
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

    def part(self, keys: Iterable[Key]) -> "Forest":
        """Some of its trees."""
        return replace(self, rows={key: self.rows[key] for key in keys})

    def _row(self, key: Key, work: Work) -> Row:
        (bag, _, seed), errors = self.bag(key), None
        tree = self.tree(key, work)
        features, counts = uses(tree)
        if self.permuted:
            errors = permuted_errors(self.columns, tree, bag, self.outcome, seed)
            errors = errors if self.each or errors is None else errors.total()
        gains = genie3(tree, self.p)[None]
        if self.each:
            gains = np.vstack([gains, genie3_each(tree, self.p, bag, self.outcome)])
        seen = symbolic(tree, self.p, self.decay)[features]
        return Row(features, counts, gains[:, features] / len(bag), seen, errors)

    def tested(self) -> float:
        """Mean number of nodes that test a feature, in all trees."""
        return float(sum(self.rows[key].counts.sum() for key in self.keys) / self.p)

    def error(self) -> float | None:
        """Mean error out of the bag, None where there is none."""
        found = [row.errors.own[0] for row in self._scored()]
        return float(np.mean(found)) if found else None

    def _scored(self) -> list[Row]:
        """The rows with an error."""
        return [row for row in map(self.rows.get, self.keys) if row.errors is not None]

    def _each(self, score: str, pooled: bool, target: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Features and what they add to the sum over the trees; target: 0 for all of them, or from 1 on."""
        if score != RFOREST:
            for row in map(self.rows.get, self.keys):
                yield row.features, np.atleast_2d(getattr(row, score))[target]
            return
        rows = self._scored()
        mean = float(np.mean([row.errors.own[target] for row in rows])) if rows else 0.0
        for row in rows:
            own = row.errors.own[target]
            whole = 1.0 if mean == 0 else mean if pooled else max(own, FLOOR * mean)
            yield row.features, (row.errors.mixed[target] - own) / whole

    def contributions(self, score: str, pooled: bool = True, target: int = 0) -> np.ndarray:
        """(trees, p), whose mean over the trees is the score.

        Random forest: the error that a permutation adds, over the mean error of all trees (pooled), or over that of the
        tree itself as in the paper, but at least `FLOOR` of the mean; absolute where no tree errs.  Trees that leave no
        labelled row out of their bag do not count.  target: from 1 on, one of several alone.
        """
        found = list(self._each(score, pooled, target))
        out = np.zeros((len(found), self.p))
        for line, (features, values) in zip(out, found, strict=True):
            line[features] = values
        return out

    def scores(self, score: str, pooled: bool = True, target: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """(p,) means of `contributions` and their standard errors; 0 where there are none."""
        found, p = list(self._each(score, pooled, target)), self.p
        n = len(found)
        if not n:
            return np.zeros(p), np.zeros(p)
        features, values = (np.concatenate(part) for part in zip(*found, strict=True))
        mean = np.bincount(features, values, p) / n
        if n == 1:
            return mean, np.zeros(p)
        squares = np.bincount(features, (values - mean[features]) ** 2, p)
        squares = squares + (n - np.bincount(features, minlength=p)) * mean**2
        return mean, np.sqrt(squares / (n - 1) / n)
