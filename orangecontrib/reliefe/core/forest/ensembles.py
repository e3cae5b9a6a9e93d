"""Ensembles: trees that are grown, scored and dropped, one by one or on threads.

`methods/pct.py` makes a `Forest` and pools its scores.  A tree depends on its key (seed, number) only: so bits do not
depend on threads, 50 trees and 50 more are 100, and trees that were grown elsewhere can be added.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import ClassVar, NamedTuple

import numpy as np

from ..work.threads import Work
from .clustering_space import ClusteringSpace
from .columns import Columns
from .growth_rule import GrowthRule
from .outcome import Outcome
from .permutations import Errors, permuted_errors
from .pooled_scores import PooledTreeScores
from .scores import genie3, genie3_each, symbolic, uses
from .trees import Tree, grow

# Ensembles
RANDOM_FOREST = "random-forest"
EXTRA_TREES = "extra-trees"
BAGGING = "bagging"
ENSEMBLES = (RANDOM_FOREST, EXTRA_TREES, BAGGING)
# Scores of features
GENIE3 = "genie3"
SYMBOLIC = "symbolic"
RFOREST = "rforest"
SCORES = (GENIE3, SYMBOLIC, RFOREST)
ROOTS = {"sqrt": math.sqrt, "log2": math.log2}
PARTS_PER_SLOT = 8  # parts of the trees for each process, so that none waits long; chosen by eye
Key = tuple[int, int]


class TreeResult(NamedTuple):
    """Scores of one tree, of the u features that it tests.

    features (u,): the tested features, ascending.
    nodes: number of nodes that test one.
    genie3 (1 + t, u): decreases of impurity, of all targets together and then of each (t may be 0).
    symbolic (u,): shares of the rows in the nodes.
    errors: errors out of the bag; None without permutations, or without a labelled row out of the bag.
    """

    features: np.ndarray
    nodes: int
    genie3: np.ndarray
    symbolic: np.ndarray
    errors: Errors | None


def candidates(ensemble: str, max_features: str | float | int | None, p: int) -> int:
    """Compute the number of the p features that a node tries.

    max_features: "sqrt", "log2", a share, a number, or None for all; bagging tries all in any case.
    """
    if ensemble == BAGGING or max_features is None:
        return p
    if isinstance(max_features, str):
        return max(math.ceil(ROOTS[max_features](p)), 1)
    count = math.ceil(max_features * p) if isinstance(max_features, float) else max_features
    return min(max(count, 1), p)


@dataclass
class Forest:
    """Ensemble of trees that grows; the trees are not stored, their results are.

    columns: the features.
    space: the n rows as points.
    outcome: what the trees predict; None: nothing.
    rule: how the trees grow.
    random_state: seed of the keys of its trees.
    permuted: True to permute features out of the bag, for the random forest score.
    scores_each_target: True to score the features for each target, too.
    decay: decay of Symbolic with depth; None: shares of rows.
    info: choices that were made, plain literals.
    results: result of each tree that was grown, by its key.
    n_requested: all trees with smaller numbers were requested.
    """

    kept_by_workers: ClassVar = True  # workers of a cluster hold on to it between tasks

    columns: Columns
    space: ClusteringSpace
    outcome: Outcome | None
    rule: GrowthRule
    random_state: int = 0
    permuted: bool = False
    scores_each_target: bool = False
    decay: float | None = None
    info: dict[str, object] = field(default_factory=dict)
    results: dict[Key, TreeResult] = field(default_factory=dict)
    n_requested: int = 0

    @property
    def p(self) -> int:
        """Number of features."""
        return len(self.columns.nominal)

    @property
    def predicted(self) -> Outcome:
        """Outcome of the trees; raises ValueError if they predict nothing."""
        if self.outcome is None:
            raise ValueError("the trees predict nothing")
        return self.outcome

    @property
    def keys(self) -> list[Key]:
        """Keys of the trees that were grown, ascending."""
        return sorted(self.results.copy())

    def bag(self, key: Key) -> tuple[np.ndarray, int, int]:
        """Draw a tree's bootstrap sample: multiplicities (n,) of the rows, and seeds of its growth and permutations."""
        rng = np.random.default_rng(key)
        n = len(self.space.z)
        multiplicities = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        growth_seed, permutation_seed = rng.integers(1, 2**63, 2).tolist()
        return multiplicities, growth_seed, permutation_seed

    def tree(self, key: Key, work: Work) -> Tree:
        """Grow the tree of a key again."""
        bag, seed, _ = self.bag(key)
        return self._grown(bag, seed, work)

    def extend(self, numbers: Iterable[int], work: Work) -> "Forest":
        """Grow the trees with these numbers and return the forest; finished trees stay when it is interrupted."""
        numbers = list(numbers)
        self.n_requested = max([self.n_requested, *(number + 1 for number in numbers)])
        keys = [key for number in numbers if (key := (self.random_state, number)) not in self.results]
        work.plan(len(keys))
        without_results = replace(self, results={}, info={})  # which need not travel
        size = max(len(keys) // (PARTS_PER_SLOT * work.slots), 1) if work.remote else 1
        batches = [keys[start : start + size] for start in range(0, len(keys), size)]

        def grow_batch(batch: list[Key]) -> list[TreeResult]:
            """Grow and score the trees of some keys."""
            work.tick()  # a tree that waits for a thread is not begun after a stop
            return [without_results._result(key, work) for key in batch]

        def store(number: int, results: list[TreeResult]) -> None:
            """Store the results of a part."""
            self.results.update(zip(batches[number], results, strict=True))
            work.tick(len(results))

        work.deliver(grow_batch, batches, store)
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
        """Count the trees from `first` on that are missing before the last one, since threads were stopped."""
        numbers = [
            number for seed, number in self.keys if seed == self.random_state and first <= number < self.n_requested
        ]
        return numbers[-1] + 1 - first - len(numbers) if numbers else 0

    def part(self, keys: Iterable[Key]) -> "Forest":
        """Select the trees of some keys."""
        return replace(self, results={key: self.results[key] for key in keys})

    def _grown(self, bag: np.ndarray, seed: int, work: Work) -> Tree:
        """Grow the tree of a bag (n,)."""
        return grow(self.columns, self.space, bag, self.rule, seed, work.tick)

    def _result(self, key: Key, work: Work) -> TreeResult:
        """Grow and score the tree of a key."""
        bag, growth_seed, permutation_seed = self.bag(key)
        tree = self._grown(bag, growth_seed, work)
        errors: Errors | None = None
        features = uses(tree)
        if self.permuted:
            errors = permuted_errors(self.columns, tree, bag, self.predicted, permutation_seed, work.tick)
            if errors is not None and not self.scores_each_target:  # those of all targets together only
                errors = Errors(errors.plain[:1].copy(), errors.permuted[:1].copy())
        gains = genie3(tree, self.p)[None]
        if self.scores_each_target:
            gains = np.vstack([gains, genie3_each(tree, self.p, self.predicted, work.tick)])
        return TreeResult(
            features=features,
            nodes=int((tree.feature >= 0).sum()),
            genie3=gains[:, features] / len(bag),
            symbolic=symbolic(tree, self.p, self.decay)[features],
            errors=errors,
        )

    def tested(self) -> float:
        """Average over the features the number of nodes that test them, in all trees."""
        return sum(result.nodes for result in self.results.copy().values()) / self.p

    def error(self) -> float | None:
        """Average the errors out of the bag; None if no tree has one."""
        errors_of_trees = (self.results[key].errors for key in self.keys)
        errors = [tree_errors.plain[0] for tree_errors in errors_of_trees if tree_errors is not None]
        return float(np.mean(errors)) if errors else None

    def pooled_scores(self, score: str, by_target: bool = False) -> PooledTreeScores:
        """Collect a score of all trees.

        Random forest: the error that a permutation adds, over the mean error of all trees (pooled), or over that of the
        tree itself as in the paper, but at least `MIN_ERROR` of the mean; absolute where no tree errs.  Trees that
        leave no labelled row out of their bag do not count.

        Semi-supervised paper, section 4.

        Parameters
        ----------
        score : str
            One of `SCORES`.
        by_target : bool
            Also collect the scores of each target.

        Returns
        -------
        PooledTreeScores
            The scores side by side.
        """
        all_results = [self.results[key] for key in self.keys]
        counts = [score != RFOREST or result.errors is not None for result in all_results]
        results = list(compress(all_results, counts))
        lines = slice(None if by_target else 1)
        empty = np.empty((1 + len(self.predicted.shares) if by_target else 1, 0))
        starts = np.cumsum([0, *[len(result.features) for result in results]])
        features = np.concatenate([np.empty(0, np.int32), *[result.features for result in results]])
        plain_errors: np.ndarray | None = None
        if score == SYMBOLIC:
            values = [result.symbolic[None] for result in results]
        elif score == GENIE3:
            values = [result.genie3[lines] for result in results]
        else:
            errors = [result.errors for result in results if result.errors is not None]
            values = [tree_errors.permuted[lines] for tree_errors in errors]
            joined_errors = np.concatenate([empty[0], *[tree_errors.plain[lines] for tree_errors in errors]])
            plain_errors = np.ascontiguousarray(joined_errors.reshape(len(results), len(empty)).T)
        joined = np.concatenate([empty, *values], axis=1)
        if plain_errors is not None:
            joined -= np.repeat(plain_errors, np.diff(starts), axis=1)
        return PooledTreeScores(self.p, np.cumsum([0, *counts]), starts, features, joined, plain_errors)
