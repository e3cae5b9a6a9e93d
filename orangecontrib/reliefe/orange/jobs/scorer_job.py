"""Job of a ranker by a scorer of Orange, its counterpart of a method, and its test by permuted targets.

Rankers list these scorers beside methods of the core. `ScorerMethod` describes one as methods describe themselves,
`ScorerJob` ranks by it as a `Job` does by a method, and `ScorerTest` is its `SignificanceTest`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from Orange.base import Learner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.data.util import get_unique_names
from Orange.preprocess import score
from Orange.preprocess.score import LearnerScorer, Scorer
from Orange.version import version

from ...core.targets.facts import no_p_values
from ...core.words import counted
from ..problem import CLASSIFICATION, REGRESSION, WORDS

GROUP = "Univariate (Orange)"
CONNECTED = "input."  # begins the names of scorers that are connected
BLOCK = 256  # features that are scored between two looks at whether to stop
DEFAULT = 50  # shuffles: what a scorer does has no closed form
POOL = 2000  # scores of shuffled targets that make p fine enough
MAX_DEFAULT = 199
Progress = Callable[[float], object]


@dataclass(frozen=True, eq=False)
class ScorerMethod:
    """One of Orange's scorers with what methods of the core say of themselves; it has nothing to set.

    univariate: each feature is scored by itself, so that some may be scored before others.  lasting: what it is does
    not change from session to session, so that its scores may be kept in workflows.
    """

    name: str
    title: str
    about: str
    idea: str
    citation: str
    tasks: tuple[str, ...]
    scorer: Scorer
    short: str = ""
    univariate: bool = False
    lasting: bool = False
    family = "univariate"
    parameters = ()

    def defaults(self, task: str) -> dict[str, object]:
        return {}


def _built_in(name, title, short, about, idea, citation) -> ScorerMethod:
    """Describe a scorer of Orange, by the name of its class."""
    kind = getattr(score, name)
    tasks = (REGRESSION,) if kind.class_type is ContinuousVariable else (CLASSIFICATION,)
    return ScorerMethod(
        name=f"orange.{name.lower()}",
        title=title,
        about=about,
        idea=idea,
        citation=citation,
        tasks=tasks,
        scorer=kind(),
        short=short,
        univariate=True,
        lasting=True,
    )


def univariate() -> tuple[ScorerMethod, ...]:
    """Scores that Orange's Rank offers: each feature by itself."""
    return (
        _built_in("InfoGain", "Information gain", "Gain", "entropy",
                  "By how much the entropy of the classes falls when the feature is known; numbers are cut into four "
                  "equally frequent intervals", "Quinlan 1986, Induction of decision trees, Machine Learning 1"),
        _built_in("GainRatio", "Gain ratio", "Ratio", "few values",
                  "Information gain divided by the entropy of the feature itself, which favours many values less",
                  "Quinlan 1986, Induction of decision trees, Machine Learning 1"),
        _built_in("Gini", "Gini decrease", "Gini", "as in trees",
                  "By how much the probability that two rows are of different classes falls when the feature is known",
                  "Breiman, Friedman, Olshen and Stone 1984, Classification and regression trees"),
        _built_in("ANOVA", "ANOVA", "F", "numbers only",
                  "The variance between the means of the classes over the variance within them (F); "
                  "categories have no score",
                  "Fisher 1925, Statistical methods for research workers"),
        _built_in("Chi2", "Chi-squared", "Chi²", "by counts",
                  "How far the classes among the values of the feature are from independence, by Orange's chi-squared",
                  "Liu and Setiono 1995, Chi2: feature selection and discretization of numeric attributes"),
        _built_in("UnivariateLinearRegression", "Univariate regression", "Regr", "numbers only",
                  "F of a line through the target over the feature: high where they correlate, up or down; "
                  "categories have no score",
                  "Draper and Smith 1966, Applied regression analysis"),
    )  # fmt: skip


def importance_of(learner: Learner) -> Scorer:
    """Scorer of the permutation importance of a model."""
    from ..permutation import PermutationImportance  # imports much of scikit-learn

    return PermutationImportance(learner)


def connected(scorers: Sequence[Scorer], titles: Sequence[str]) -> tuple[ScorerMethod, ...]:
    """Scorers of other widgets, under their own names as far as these are not among the `titles` that are taken."""
    methods = []
    taken = list(titles)
    for scorer in scorers:
        title = get_unique_names(taken, str(getattr(scorer, "name", "") or scorer.friendly_name))
        taken.append(title)
        kind = getattr(scorer, "class_type", None)
        tasks = {DiscreteVariable: (CLASSIFICATION,), ContinuousVariable: (REGRESSION,)}.get(kind, tuple(WORDS))
        tasks = getattr(scorer, "tasks", tasks)
        idea = getattr(scorer, "idea", "The scorer that is connected; several scores for a feature are averaged")
        citation = repr(scorer)
        methods.append(ScorerMethod(CONNECTED + title, title, "connected", idea, citation, tasks, scorer))
    return tuple(methods)


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
    features = table.domain.attributes
    p = len(features)
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


def has_target(table: Table) -> np.ndarray:
    """Mask (n,) of the rows whose target is known."""
    return ~np.isnan(np.asarray(table.Y, float).reshape(len(table), -1)).any(axis=1)


def permuted(table: Table, number: int) -> Table:
    """Permute the target among the rows that have one, together with the weights of these rows.

    The number says which of the random permutations is meant.
    """
    rows_with_target = np.flatnonzero(has_target(table))
    donors = np.arange(len(table))
    donors[rows_with_target] = rows_with_target[np.random.default_rng(number).permutation(len(rows_with_target))]
    domain = Domain(table.domain.attributes, table.domain.class_vars)
    weights = table.W[donors] if table.has_weights() else None
    return Table.from_numpy(domain, table.X, table.Y[donors], W=weights)


class ScorerTest:
    """Test a scorer on permuted targets, as the core's `SignificanceTest` does with a method."""

    def __init__(self, rank: Callable, table: Table):
        """rank: (table, progress) -> ranking, with NaN for features without a score."""
        self._rank = rank
        self._table = table
        self._null = None
        self._known = None
        if not table.domain.class_vars:
            raise ValueError(no_p_values())

    @property
    def n_shuffles(self) -> int:
        return self._null.n_shuffles if self._null else 0

    @property
    def default_shuffles(self) -> int:
        p = max(len(self._table.domain.attributes), 1)
        return int(np.clip(-(-POOL // p), DEFAULT, MAX_DEFAULT))

    def shuffle(self, n_shuffles: int | None = None, *, progress: Callable[[float], object]) -> Iterator[int]:
        """Number of shuffles so far, from 0 on, until there are so many in all."""
        n_wanted = n_shuffles or self.default_shuffles
        if self._null is None:
            self._begin(progress)
        begin = self.n_shuffles
        yield begin
        for number in range(begin, n_wanted):
            step = 1 / (n_wanted - begin)
            first_share = (number - begin) * step
            report = partial(_report_step, progress, first_share, step)
            self._null.add(self._scored(permuted(self._table, number), report))
            yield self.n_shuffles

    def result(self) -> object:
        return self._null.significance(int(self._known.sum()))

    def _begin(self, progress):
        from ...core.inference.null_scores import NullScores
        from ...core.inference.target_orders import orders

        self._known = has_target(self._table)
        columns = np.asarray(self._table.Y, float).reshape(len(self._table), -1)
        if self._table.has_weights():  # rows of one target differ by their weights
            columns = np.column_stack([columns, self._table.W])
        self._null = NullScores(self._scored(self._table, lambda done: progress(0.0)), orders(columns[self._known]))

    def _scored(self, table: Table, progress: Callable) -> object:
        """Scores for the core; features without one have the same score for all targets, and so no z."""
        from ...core.methods.base import MethodResult, TargetResult

        return TargetResult(MethodResult(np.nan_to_num(self._rank(table, progress).scores, nan=0.0)))


def _report_step(progress: Progress, first_share: float, step: float, share_of_step: float) -> None:
    """Report the progress of one of several equal steps, which begins at `first_share` of the whole."""
    progress(first_share + step * share_of_step)


class ScorerJob(NamedTuple):
    """Rank by a scorer of Orange, or of another widget, as a `Job` does by a method of the core.

    Attributes
    ----------
    by : ScorerMethod
        The scorer, and what it is called.
    """

    by: ScorerMethod

    is_of_core = False
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

    def scorer(self) -> Scorer:
        return AsScorer(self.by.scorer) if isinstance(self.by.scorer, LearnerScorer) else self.by.scorer

    def rank(self, table: Table, progress: Progress) -> object:
        from ..ranking import TableRanking

        start = time.perf_counter()
        domain = table.domain
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
