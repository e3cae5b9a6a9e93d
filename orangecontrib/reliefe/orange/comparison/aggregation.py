"""One ranking from all: methods of aggregation, and the scorer and preprocessor that repeat it on other rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np
from Orange.data import Table
from Orange.preprocess.preprocess import Preprocess
from Orange.preprocess.score import Scorer

from ...core.words import counted, some
from ..jobs.scorer_job import AsScorer
from ..ranker.preprocessors import KeepFeatures
from ..ranker.scores import MethodScores
from ..ranker.selection import reaching
from .comparison import ComparedRankings
from .named_scores import title_of
from .scoring import scores_or_reason
from .stability_selection import Stable, stable

STABILITY = "stability"
METHODS = {  # as the core calls them, and stability: title, what it is
    "mean-rank": ("Mean rank", "Number of features minus mean rank, plus 1 (Borda)"),
    "median-rank": ("Median rank", "Number of features minus median rank, plus 1: a single odd ranking counts little"),
    "best-rank": ("Best rank", "Number of features minus best rank, plus 1: a single good rank is enough"),
    "reciprocal-rank": ("Reciprocal rank", "Mean of 1 / (60 + rank): top ranks count most (Cormack et al. 2009)"),
    "scaled-scores": ("Mean scaled score", "Mean of scores that are scaled from 0 (worst of a ranking) to 1 (best)"),
    "robust": ("Robust rank", "\u2212log10 of the p-value for a feature that ranks high in many rankings "
               "(Kolde et al. 2012)"),
    STABILITY: ("Stability", "How often the feature is among the best when random halves of the data are ranked by the "
                "scorers (Meinshausen and B\u00fchlmann 2010; Shah and Samworth 2013)"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Aggregated(MethodScores):
    """ranking (p,): features, best first, where equal scores have an order; None: that of the data."""

    ranking: np.ndarray | None = None

    @cached_property
    def order(self) -> np.ndarray:
        return np.argsort(-self.values, kind="stable") if self.ranking is None else self.ranking


def aggregated(comparison: ComparedRankings | None, method: str, halves: Stable | None) -> Aggregated | None:
    """The scores by a method of METHODS; None without rankings, or as long as there are no halves.

    Rankings that score all features alike take no part, unless there are no others.
    """
    if comparison is None or not comparison.titles or not comparison.features:
        return None
    title = METHODS[method][0]
    if method == STABILITY:
        return None if halves is None else Aggregated(method, halves.scores, title, partial=not halves.done)
    # Here, and not above: SciPy is not to be loaded when Orange starts.
    from ...core.evaluation import aggregate

    ordered = ~comparison.constant
    result = aggregate(comparison.scores[ordered] if ordered.any() else comparison.scores, method)
    return Aggregated(method, result.scores, title, ranking=result.ranking)


class AggregatedScorer(AsScorer):
    """The aggregated ranking, made of the rows that it is given.

    features: names of those that are compared; the score of each other one is -inf.  n_best: of a half, group: whose
    rows stay in one half, both for stability.  study: names of columns that are no features.
    """

    def __init__(
        self,
        scorers: Sequence[Scorer],
        features: Sequence[str],
        method: str,
        n_best: int,
        group: str = "",
        study: Sequence[str] = (),
    ):
        self.scorers = tuple(scorers)
        self.features = tuple(features)
        self.study = tuple(study)
        self.method = method
        self.n_best = n_best
        self.group = group
        self.name = METHODS[method][0]

    def aggregate(self, data: Table) -> tuple[tuple[str, ...], Aggregated]:
        """Names (p,) of the compared features in the order of the data, and their scores.

        Raises ValueError without one of them, and where a scorer cannot rank the rows.
        """
        names = tuple(v.name for v in data.domain.attributes if v.name not in self.study)
        missing = [name for name in self.features if name not in set(names)]
        if missing:
            raise ValueError(f"{self.name}: the data lack {some(missing)}. Give data with all features of the ranking")
        table = KeepFeatures(names, self.study)(data)
        compared = np.isin(names, self.features)
        features = tuple(np.array(names, dtype=object)[compared])
        titles, halves = tuple(map(title_of, self.scorers)), None
        if self.method == STABILITY:
            scores, halves = np.zeros((len(titles), len(features))), self._halves(KeepFeatures(features)(table))
        else:
            scores = np.array([scores_or_reason(scorer, table)[compared] for scorer in self.scorers])
        return features, aggregated(ComparedRankings(features, titles, scores), self.method, halves)

    def _halves(self, table: Table) -> Stable:
        quiet = SimpleNamespace(
            is_interruption_requested=lambda: False, set_status=lambda text: None,
            set_progress_value=lambda percent: None, set_partial_result=lambda result: None,
        )  # fmt: skip
        return stable(table, self.scorers, self.n_best, self.group, quiet)

    def _scores(self, data: Table) -> np.ndarray:
        names, found = self.aggregate(data)
        score_of = dict(zip(names, found.values, strict=True))
        return np.array([score_of.get(variable.name, -np.inf) for variable in data.domain.attributes])


class KeepAggregated(Preprocess):
    """Keeps the n best features of an aggregated ranking of the rows that it is given, or, without n, those with scores
    from a threshold up."""

    def __init__(self, scorer: AggregatedScorer, n: int | None, threshold: float = 0.0):
        self.scorer = scorer
        self.n = n
        self.threshold = threshold

    def __call__(self, data: Table) -> Table:
        names, found = self.scorer.aggregate(data)
        kept = np.array(names, dtype=object)[reaching(found, self.n, self.threshold)]
        return KeepFeatures(kept, self.scorer.study)(data)


def summary(comparison: ComparedRankings | None, stable: Stable | None, n_selected: int) -> str:
    """Summary in a line of what is compared and selected; stable: the halves, if the aggregation is by them."""
    if comparison is None or not comparison.titles:
        return ""
    t, p = len(comparison.titles), len(comparison.features)
    texts = [f"{counted(t, 'ranking')} of {counted(p, 'feature')}"]
    if stable is not None:
        texts.append(stable.summary())
    adjusted = dict.fromkeys(name for s in comparison.scorers.values() for name in getattr(s, "covariates", None) or ())
    texts += [f"adjusted for {some(list(adjusted))}"] * bool(adjusted)
    return " \u00b7 ".join([*texts, f"{n_selected:,} selected"])
