"""Job of a ranker by a scorer of Orange."""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, Domain, Table
from Orange.preprocess.score import LearnerScorer, Scorer
from Orange.version import version

from ...core.words import counted
from .scorer_methods import ScorerMethod
from .scorer_significance import ScorerTest, has_target, permuted

BLOCK = 256  # features that are scored between two looks at whether to stop
Progress = Callable[[float], object]


class AsScorer(Scorer):
    """A learner or a projection, which scores features and is called for something else, called for its scores."""

    def __init__(self, learner: LearnerScorer):
        self.learner = learner
        self.name = getattr(learner, "name", "") or learner.friendly_name

    def __call__(self, data: Table, feature: object = None) -> np.ndarray | float:
        """Scores (p,) of all features, or that of one of them."""
        scores = self._scores(data)
        return scores if feature is None else scores[data.domain.attributes.index(data.domain[feature])]

    def score_data(self, data: Table, feature: object = None) -> np.ndarray:
        return np.atleast_2d(self(data, feature))

    def _scores(self, data: Table) -> np.ndarray:
        return scores_of(self.learner, data)


def scores_of(scorer: Scorer, table: Table) -> np.ndarray:
    """Scores (p,) of all features, NaN where a scorer has none; those of several parts of a model are averaged."""
    features, p = table.domain.attributes, len(table.domain.attributes)
    fits = np.ones(p, bool)
    if getattr(scorer, "feature_type", None) is ContinuousVariable:  # it would refuse all for one of another type
        fits = np.array([isinstance(feature, ContinuousVariable) for feature in features], bool)
        if not fits.all():
            fitting = [feature for feature, fit in zip(features, fits, strict=True) if fit]
            table = table.transform(Domain(fitting, table.domain.class_vars))
    scores = np.full(p, np.nan)
    if fits.any():
        with np.errstate(all="ignore"):
            answer = scorer.score_data(table) if isinstance(scorer, LearnerScorer) else scorer(table)
        of_parts = np.atleast_2d(np.asarray(answer, float))
        if of_parts.ndim != 2 or of_parts.shape[1] != fits.sum():
            raise ValueError(f"gives scores of shape {of_parts.shape} for {counted(int(fits.sum()), 'feature')}")
        scores[fits] = of_parts.mean(axis=0)
    return scores


class ScorerJob(NamedTuple):
    """Counterpart of `Job`: a scorer of Orange; what rankings are kept under."""

    by: ScorerMethod

    own = False
    parameters = covariates = ()
    group = feature_groups = ""
    adjusted = False
    preparation = 0.0

    @property
    def method(self) -> str:
        return self.by.name

    @property
    def values(self) -> dict:
        return {}

    @property
    def key(self) -> str:
        """Name of the ranking in a workflow; empty: it is not to be kept there."""
        return f"{self.method} {version}" if self.by.lasting else ""

    def effort(self, shape: tuple[int, int]) -> tuple[float, float]:
        return 0.0, float(shape[0]) * shape[1]

    def scorer(self) -> Scorer:
        return AsScorer(self.by.scorer) if isinstance(self.by.scorer, LearnerScorer) else self.by.scorer

    def refine(self, table: Table, progress: Progress) -> Iterator[object]:
        return iter([self.rank(table, progress)])

    def rank(self, table: Table, progress: Progress) -> object:
        from ..ranking import TableRanking

        start, domain = time.perf_counter(), table.domain
        scores = np.concatenate(list(self._parts(table, progress)))
        if np.isnan(scores).all():
            raise ValueError("no feature has a score")
        n = int(has_target(table).sum()) if domain.class_vars else len(table)
        info = {
            "rows": n, "instances": n, "final": True, "summary": counted(n, "row"),
            "seconds": time.perf_counter() - start,
        }  # fmt: skip
        names = tuple(feature.name for feature in domain.attributes)
        return TableRanking(
            scores=scores, method=self.method, info=info, names=names, targets=domain.class_vars, table=table,
            features=domain.attributes, labels=(),
        )  # fmt: skip

    def null_level(self, table: Table, progress: Progress, n_shuffles: int) -> object:
        from ...core.chance import NullLevel

        maxima = np.empty(n_shuffles)
        for number in range(n_shuffles):
            scores = self.rank(
                permuted(table, number), lambda share, done=number: progress((done + share) / n_shuffles)
            ).scores
            maxima[number] = np.nanmax(scores)
        return NullLevel(float(maxima.max()), maxima, 1 / (n_shuffles + 1))

    def significance_test(self, table: Table) -> ScorerTest:
        return ScorerTest(self.rank, table)

    def _parts(self, table, progress) -> Iterator[np.ndarray]:
        """Scores of some features after the other, or of all at once."""
        importances = getattr(self.by.scorer, "importances", None)  # of `PermutationImportance`
        if importances is not None:  # they take long, and can be stopped
            yield importances(table, progress)
            return
        p = len(table.domain.attributes)
        step = BLOCK if self.by.univariate and not sp.issparse(table.X) else p  # a part of sparse data would be dense
        for start in range(0, p, step):
            progress(start / p)
            some_features = table
            if step < p:
                some_features = table.transform(
                    Domain(table.domain.attributes[start : start + step], table.domain.class_vars)
                )
            yield scores_of(self.by.scorer, some_features)
