"""Scorers of Orange, described as methods of the core are."""

from collections.abc import Sequence
from dataclasses import dataclass

from Orange.base import Learner
from Orange.data import ContinuousVariable, DiscreteVariable
from Orange.data.util import get_unique_names
from Orange.preprocess import score
from Orange.preprocess.score import Scorer

from ..problem import CLASSIFICATION, REGRESSION, WORDS

GROUP = "Univariate (Orange)"
CONNECTED = "input."  # begins the names of scorers that are connected


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


def _ours(name, title, short, about, idea, citation) -> ScorerMethod:
    kind = getattr(score, name)
    tasks = (REGRESSION,) if kind.class_type is ContinuousVariable else (CLASSIFICATION,)
    own = {"short": short, "univariate": True, "lasting": True}
    return ScorerMethod(f"orange.{name.lower()}", title, about, idea, citation, tasks, kind(), **own)


def univariate() -> tuple[ScorerMethod, ...]:
    """Scores that Orange's Rank offers: each feature by itself."""
    return (
        _ours("InfoGain", "Information gain", "Gain", "entropy",
              "By how much the entropy of the classes falls when the feature is known; numbers are cut into four "
              "equally frequent intervals", "Quinlan 1986, Induction of decision trees, Machine Learning 1"),
        _ours("GainRatio", "Gain ratio", "Ratio", "few values",
              "Information gain divided by the entropy of the feature itself, which favours many values less",
              "Quinlan 1986, Induction of decision trees, Machine Learning 1"),
        _ours("Gini", "Gini decrease", "Gini", "as in trees",
              "By how much the probability that two rows are of different classes falls when the feature is known",
              "Breiman, Friedman, Olshen and Stone 1984, Classification and regression trees"),
        _ours("ANOVA", "ANOVA", "F", "numbers only",
              "The variance between the means of the classes over the variance within them (F); "
              "categories have no score",
              "Fisher 1925, Statistical methods for research workers"),
        _ours("Chi2", "Chi-squared", "Chi²", "by counts",
              "How far the classes among the values of the feature are from independence, by Orange's chi-squared",
              "Liu and Setiono 1995, Chi2: feature selection and discretization of numeric attributes"),
        _ours("UnivariateLinearRegression", "Univariate regression", "Regr", "numbers only",
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
    found, taken = [], list(titles)
    for scorer in scorers:
        title = get_unique_names(taken, str(getattr(scorer, "name", "") or scorer.friendly_name))
        taken.append(title)
        kind = getattr(scorer, "class_type", None)
        tasks = {DiscreteVariable: (CLASSIFICATION,), ContinuousVariable: (REGRESSION,)}.get(kind, tuple(WORDS))
        tasks = getattr(scorer, "tasks", tasks)
        idea = getattr(scorer, "idea", "The scorer that is connected; several scores for a feature are averaged")
        citation = repr(scorer)
        found.append(ScorerMethod(CONNECTED + title, title, "connected", idea, citation, tasks, scorer))
    return tuple(found)
