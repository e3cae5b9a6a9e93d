"""Ensembles: trees that are grown, scored and dropped, one by one or on threads.

Tree t depends on (random_state, t) only: so bits do not depend on threads, and 50 trees and 50 more are 100.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..parallel import Work
from .clustering_space import Space
from .scores import Outcome, genie3, permuted_errors, symbolic
from .trees import Columns, Rule, Tree, grow

RANDOM_FOREST, EXTRA_TREES, BAGGING = ENSEMBLES = ("random-forest", "extra-trees", "bagging")
GENIE3, SYMBOLIC, RFOREST = SCORES = ("genie3", "symbolic", "rforest")
FLOOR = 0.01  # share of the mean error that the error of a tree is at least, when it is divided by


def candidates(ensemble: str, wanted: str | float | int | None, p: int) -> int:
    """How many of p features a node tries: "sqrt", "log2", a share (float), a number, or None for all; bagging: all."""
    if ensemble == BAGGING or wanted is None:
        return p
    if wanted in ("sqrt", "log2"):
        return max(math.ceil(getattr(math, wanted)(p)), 1)
    return min(max(math.ceil(wanted * p) if isinstance(wanted, float) else wanted, 1), p)


@dataclass
class Forest:
    """permuted: whether features are permuted out of the bag, for the random forest score.

    rows: of each tree that was grown its Genie3 and Symbolic (p,) and its errors (p + 1,) or None.
    """

    columns: Columns
    space: Space
    outcome: Outcome
    rule: Rule
    random_state: int = 0
    permuted: bool = False
    rows: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray | None]] = field(default_factory=dict)

    def bag(self, number: int) -> tuple[np.ndarray, int, int]:
        """Multiplicities (n,) of the rows in a tree's bootstrap sample; seeds of its growth and of permutations."""
        rng, n = np.random.default_rng([self.random_state, number]), len(self.space.z)
        rows = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        return rows, *(int(seed) for seed in rng.integers(1, 2**63, 2))

    def tree(self, number: int, work: Work) -> Tree:
        """One of its trees, grown anew."""
        bag, seed, _ = self.bag(number)
        return grow(self.columns, self.space, bag, self.rule, seed, work.tick)

    def extend(self, numbers: Iterable[int], work: Work) -> "Forest":
        """Grow the trees with these numbers."""
        numbers = [number for number in numbers if number not in self.rows]
        work.plan(len(numbers))

        def score(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
            (bag, _, seed), p = self.bag(number), len(self.columns.nominal)
            tree, errors = self.tree(number, work), None
            if self.permuted:
                errors = permuted_errors(self.columns, tree, bag, self.outcome, seed)
            work.tick(1)
            return genie3(tree, p) / len(bag), symbolic(tree, p), errors

        self.rows.update(zip(numbers, work.map(score, numbers), strict=True))
        return self

    def contributions(self, score: str, pooled: bool = True) -> np.ndarray:
        """(trees, p), whose mean over the trees is the score.

        Random forest: the error that a permutation adds, over the mean error of all trees (pooled), or over that of the
        tree itself as in the paper, but at least `FLOOR` of the mean; absolute where no tree errs.  Trees that leave no
        labelled row out of their bag do not count.
        """
        p, rows = len(self.columns.nominal), [self.rows[number] for number in sorted(self.rows)]
        if score != RFOREST:
            return np.array([row[SCORES.index(score)] for row in rows]).reshape(len(rows), p)
        errors = np.array([row[2] for row in rows if row[2] is not None]).reshape(-1, p + 1)
        own = errors[:, -1:]
        mean = own.mean() if len(own) else 0.0
        if mean == 0:
            return errors[:, :-1] - own
        return (errors[:, :-1] - own) / (mean if pooled else np.maximum(own, FLOOR * mean))

    def scores(self, score: str, pooled: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """(p,) scores and their standard errors over the trees; 0 where there are none."""
        each = self.contributions(score, pooled)
        if len(each) < 2:
            return each.sum(axis=0), np.zeros(each.shape[1])
        return each.mean(axis=0), each.std(axis=0, ddof=1) / math.sqrt(len(each))
