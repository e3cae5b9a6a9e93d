"""Ensembles: trees that are grown, scored and dropped, one by one or on threads.

A tree depends on its key (seed, number) only: so bits do not depend on threads, 50 trees and 50 more are 100, and trees
that were grown elsewhere can be added.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import ClassVar, NamedTuple

import numpy as np

from ..work.threads import Work
from .clustering_space import Space
from .columns import Columns
from .growth_rule import Rule
from .outcome import Outcome
from .permutations import Errors, permuted_errors
from .pooled_scores import PooledTreeScores
from .scores import genie3, genie3_each, symbolic, uses
from .trees import Tree, grow

RANDOM_FOREST, EXTRA_TREES, BAGGING = ENSEMBLES = ("random-forest", "extra-trees", "bagging")
GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")
ROOTS = {"sqrt": math.sqrt, "log2": math.log2}
PARTS_PER_SLOT = 8  # of the trees that are grown in other processes, for each that runs at a time
Key = tuple[int, int]


class TreeResult(NamedTuple):
    """Scores of one tree, of the u features that it tests."""

    features: np.ndarray  # ascending
    nodes: int  # number of nodes that test one
    genie3: np.ndarray  # of all targets together and then of each; t may be 0
    symbolic: np.ndarray
    errors: Errors | None  # out of the bag; None without permutations, or without a labelled row out of the bag


def candidates(ensemble: str, wanted: str | float | int | None, p: int) -> int:
    """Number of the p features that a node tries."""
    if ensemble == BAGGING or wanted is None:
        return p
    if isinstance(wanted, str):
        return max(math.ceil(ROOTS[wanted](p)), 1)
    return min(max(math.ceil(wanted * p) if isinstance(wanted, float) else wanted, 1), p)


@dataclass
class Forest:
    """Ensemble of trees that grows; the trees are not kept, their results are."""

    kept_by_workers: ClassVar = True  # of a cluster

    columns: Columns  # the features, the n rows as points, what trees predict (None: nothing), and how they grow
    space: Space
    outcome: Outcome | None  # None: nothing is predicted
    rule: Rule
    random_state: int = 0  # seed of the keys of its trees
    permuted: bool = False  # permute features out of the bag, for the random forest score
    each: bool = False  # give targets scores of their own, too
    decay: float | None = None  # decay of Symbolic with depth; None: shares of rows
    info: dict[str, object] = field(default_factory=dict)  # choices that were made, plain literals
    results: dict[Key, TreeResult] = field(default_factory=dict)  # result of each tree that was grown, by its key
    wanted: int = 0  # all trees with smaller numbers were asked for

    @property
    def p(self) -> int:
        return len(self.columns.nominal)

    @property
    def predicted(self) -> Outcome:
        if self.outcome is None:
            raise ValueError("the trees predict nothing")
        return self.outcome

    @property
    def keys(self) -> list[Key]:
        return sorted(self.results.copy())

    def bag(self, key: Key) -> tuple[np.ndarray, int, int]:
        """Multiplicities (n,) of the rows in a tree's bootstrap sample; seeds of its growth and of permutations."""
        rng, n = np.random.default_rng(key), len(self.space.z)
        rows = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        growth, permutations = rng.integers(1, 2**63, 2).tolist()
        return rows, growth, permutations

    def tree(self, key: Key, work: Work) -> Tree:
        bag, seed, _ = self.bag(key)
        return self._grown(bag, seed, work)

    def extend(self, numbers: Iterable[int], work: Work) -> "Forest":
        """Grow the trees with these numbers; those that are finished stay when it is interrupted."""
        numbers = list(numbers)
        self.wanted = max([self.wanted, *(number + 1 for number in numbers)])
        keys = [key for number in numbers if (key := (self.random_state, number)) not in self.results]
        work.plan(len(keys))
        bare = replace(self, results={}, info={})  # which need not travel
        size = max(len(keys) // (PARTS_PER_SLOT * work.slots), 1) if work.remote else 1
        parts = [keys[start : start + size] for start in range(0, len(keys), size)]

        def grown(some: list[Key]) -> list[TreeResult]:
            work.tick()  # a tree that waits for a thread is not begun after a stop
            return [bare._result(key, work) for key in some]

        def keep(number: int, found: list[TreeResult]) -> None:
            self.results.update(zip(parts[number], found, strict=True))
            work.tick(len(found))

        work.deliver(grown, parts, keep)
        return self

    def more(self, n: int, work: Work, first: int = 0) -> "Forest":
        """Grow the n first trees with numbers from `first` on that are not there."""
        numbers: list[int] = []
        while len(numbers) < n:
            if (self.random_state, first) not in self.results:
                numbers.append(first)
            first += 1
        return self.extend(numbers, work)

    def gaps(self, first: int = 0) -> int:
        """Number of trees from `first` on that are missing before the last one, since threads were stopped."""
        own = [number for seed, number in self.keys if seed == self.random_state and first <= number < self.wanted]
        return own[-1] + 1 - first - len(own) if own else 0

    def part(self, keys: Iterable[Key]) -> "Forest":
        return replace(self, results={key: self.results[key] for key in keys})

    def _grown(self, bag: np.ndarray, seed: int, work: Work) -> Tree:
        return grow(self.columns, self.space, bag, self.rule, seed, work.tick)

    def _result(self, key: Key, work: Work) -> TreeResult:
        (bag, growth, seed), errors = self.bag(key), None
        tree = self._grown(bag, growth, work)
        features = uses(tree)
        if self.permuted:
            errors = permuted_errors(self.columns, tree, bag, self.predicted, seed, work.tick)
            if errors is not None and not self.each:  # those of all targets together only
                errors = Errors(errors.own[:1].copy(), errors.mixed[:1].copy())
        gains = genie3(tree, self.p)[None]
        if self.each:
            gains = np.vstack([gains, genie3_each(tree, self.p, self.predicted, work.tick)])
        seen = symbolic(tree, self.p, self.decay)[features]
        return TreeResult(features, int((tree.feature >= 0).sum()), gains[:, features] / len(bag), seen, errors)

    def tested(self) -> float:
        """Mean number of nodes that test a feature, in all trees."""
        return sum(result.nodes for result in self.results.copy().values()) / self.p

    def error(self) -> float | None:
        """Mean error out of the bag, None where there is none."""
        every = (self.results[key].errors for key in self.keys)
        found = [errors.own[0] for errors in every if errors is not None]
        return float(np.mean(found)) if found else None

    def pooled_scores(self, score: str, every: bool = False) -> PooledTreeScores:
        """Scores of its trees side by side.

        Random forest: the error that a permutation adds, over the mean error of all trees (pooled), or over that of the
        tree itself as in the paper, but at least `MIN_ERROR` of the mean; absolute where no tree errs.  Trees that
        leave no labelled row out of their bag do not count.

        Semi-supervised paper, section 4.
        """
        results, own = [self.results[key] for key in self.keys], None
        counts = [score != RFOREST or one.errors is not None for one in results]
        results = list(compress(results, counts))
        lines = slice(None if every else 1)
        empty = np.empty((1 + len(self.predicted.shares) if every else 1, 0))
        starts = np.cumsum([0, *[len(one.features) for one in results]])
        features = np.concatenate([np.empty(0, np.int32), *[one.features for one in results]])
        if score == SYMBOLIC:
            values = [one.symbolic[None] for one in results]
        elif score == GENIE3:
            values = [one.genie3[lines] for one in results]
        else:
            errors = [one.errors for one in results if one.errors is not None]
            values = [one.mixed[lines] for one in errors]
            own = np.concatenate([empty[0], *[one.own[lines] for one in errors]])
            own = np.ascontiguousarray(own.reshape(len(results), len(empty)).T)
        values = np.concatenate([empty, *values], axis=1)
        if own is not None:
            values -= np.repeat(own, np.diff(starts), axis=1)
        return PooledTreeScores(self.p, np.cumsum([0, *counts]), starts, features, values, own)
