"""Comparison: several rankings of the same features, and what came with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from Orange.base import Learner
from Orange.data import Domain, Table
from Orange.preprocess.score import Scorer


class CohortTests(NamedTuple):
    """p-values of one cohort."""

    title: str  # number of the connected table, and its method
    p: dict[str, float]  # p-value of each feature by its name


@dataclass(frozen=True, eq=False)
class ComparedRankings:
    """t rankings of p features; replaced, never changed.

    features (p,): names, in the order of the data.  titles (t,): of the rankings, all different.  scores (t, p): known
    and finite, higher is better.  scorers: for each title what ranks so, or None: then the ranking is fixed, and may
    have seen any row.  data: has all features, or None.  learner: None for the usual one.  notes: sentences about what
    was left out.  evaluations: what the views sent for other data sets.  group: name of the column whose values rows
    of one group share; empty: none.  cohorts: p-values of the tables that have any.
    """

    features: tuple[str, ...]
    titles: tuple[str, ...]
    scores: np.ndarray
    scorers: Mapping[str, Scorer | None] = field(default_factory=dict)
    data: Table | None = None
    learner: Learner | None = None
    notes: Sequence[str] = ()
    evaluations: Sequence[Table] = ()
    group: str = ""
    cohorts: Sequence[CohortTests] = ()

    @cached_property
    def orders(self) -> np.ndarray:
        """(t, p) features of each ranking, best first; of equal scores the lower index comes first."""
        return np.argsort(-self.scores, axis=1, kind="stable")

    @cached_property
    def places(self) -> np.ndarray:
        """(t, p) place of each feature in each ranking, from 0; no two features share one."""
        out = np.empty(self.scores.shape, np.intp)
        np.put_along_axis(out, self.orders, np.arange(out.shape[1])[None], axis=1)
        return out

    @cached_property
    def constant(self) -> np.ndarray:
        """(t,) bool: the rankings that score all features alike, and so have no order."""
        return np.ptp(self.scores, axis=1) == 0 if self.scores.shape[1] else np.zeros(len(self.titles), bool)

    @cached_property
    def table(self) -> Table | None:
        """The data with the compared features only, in their order; targets and metas stay."""
        if self.data is None:
            return None
        domain = self.data.domain
        wanted = [domain[name] for name in self.features]
        return self.data.transform(Domain(wanted, domain.class_vars, domain.metas))

    def scorer(self, title: str) -> Scorer | None:
        return self.scorers.get(title)

    @property
    def repeatable(self) -> list[Scorer]:
        """Scorers that can rank rows of the data again: those of the rankings that have one; none without data."""
        found = [self.scorer(title) for title in self.titles]
        return [scorer for scorer in found if scorer is not None] if self.data is not None and self.features else []

    def mask(self, names: Iterable[str]) -> np.ndarray:
        wanted = set(names)
        return np.fromiter((name in wanted for name in self.features), bool, len(self.features))

    def report_items(self) -> list[tuple[str, str | None]]:
        rows = None if self.data is None else f"{self.data.name}, {len(self.data):,} rows"
        return [("Rankings", ", ".join(self.titles)), ("Features", f"{len(self.features):,}"), ("Data", rows)]
