"""Methods as scorers of Orange: ``ReliefF(n_neighbors=20)(table)`` returns scores (p,).

Classes are made from the registry of methods when they are first used. Scripts import them from the package, and
widgets send the scorers that `scorer` makes.
"""

import sys
from collections.abc import Sequence
from copy import copy
from typing import Any, cast

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Table, Variable
from Orange.preprocess.score import Scorer

from ..core import METHODS
from ..core.methods.base import Method
from ..core.methods.registry import find_method, given_parameters, make_class, method_of_class
from ..core.words import class_name, shown
from .api import rank
from .conversion import CLASSIFICATION
from .feature_groups import FeatureGroups

# Settings of all scorers besides the parameters of the method, and their defaults
SETTINGS = {"random_state": 0, "n_jobs": None, "covariates": None, "groups": None, "keep": None, "feature_groups": None}


class ReliefScorer(Scorer):  # type: ignore[misc]  # Orange has no types
    """Base of all scorers of this package: scores features by a method.

    Scripts call scorers, as do SelectBestFeatures, which preprocesses data of learners, and Orange's Rank.

    Attributes
    ----------
    method : Method
        The method.
    covariates : sequence of str, optional
        Names of covariates that scores are adjusted for.
    groups : str, optional
        Name of the variable of groups.
    feature_groups : str or mapping, optional
        Features that are ranked as one, as in `api.rank`. Each of them has the score of its group.
    """

    method: Method[Any]
    covariates: Sequence[str] | None
    groups: str | None
    feature_groups: FeatureGroups
    feature_type = Variable
    supports_sparse_data = True
    preprocessors: list[Any] = []  # the core handles missing values and rows without a target
    learner_adequacy_err_msg = ""

    def __call__(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray | float:
        """Score the features of a table.

        Parameters
        ----------
        data : Table
            The data.
        feature : Variable, str or int, optional
            Feature whose score is returned; all features are ranked nevertheless. None: all.

        Returns
        -------
        (p,) float64 array or float
            Scores. Covariates and groups among the attributes have -inf.

        Raises
        ------
        ValueError
            If the data cannot be ranked, `feature` is none of them, or there is not enough memory.
        """
        parameters = given_parameters(self.method, self) | {name: getattr(self, name) for name in SETTINGS}
        try:
            ranking = rank(data, self.method.name, **parameters)
        except MemoryError as error:
            raise ValueError(f"{self.name}: not enough memory") from error
        scores = ranking.spread_out(ranking.scores)
        if len(scores) < len(data.domain.attributes):
            score_of = dict(zip(ranking.features, scores, strict=True))
            scores = np.array([score_of.get(attribute, -np.inf) for attribute in data.domain.attributes])
        if feature is None:
            return scores
        try:
            return float(scores[data.domain.attributes.index(data.domain[feature])])
        except (KeyError, IndexError, TypeError, ValueError):
            raise ValueError(f"{shown(feature)} is not a feature of the data") from None

    @property
    def study(self) -> tuple[str, ...]:
        """Names of the covariates and of the variable of groups."""
        return *(self.covariates or ()), *filter(None, [self.groups])

    def for_study(self, covariates: Sequence[str], group: str) -> "ReliefScorer":
        """Copy of this scorer with groups, and with covariates if the method adjusts scores for them.

        Parameters
        ----------
        covariates : sequence of str
            Names of covariates.
        group : str
            Name of the variable of groups; empty: none.

        Returns
        -------
        ReliefScorer
            The copy.
        """
        with_study = copy(self)
        with_study.covariates = list(covariates) if self.method.traits.adjusts and covariates else None
        with_study.groups = group or None
        return with_study

    def score_data(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray:
        """Scores (1, p), as Orange's Rank needs them; parameters are those of the call."""
        return np.atleast_2d(self(data, feature))


def scorer(name: str, **parameters: Any) -> ReliefScorer:
    """Make the scorer of a method.

    Parameters
    ----------
    name : str
        Name of the method.
    **parameters
        Parameters of the method, and settings of scorers.

    Returns
    -------
    ReliefScorer
        The scorer.

    Raises
    ------
    ValueError
        If there is no such method; the message lists the possible ones.
    TypeError
        If the method has no such parameter; the message lists the possible ones.
    """
    title = cast("Method[Any]", find_method(name)).title
    made: ReliefScorer = getattr(sys.modules[__name__], class_name(title))(**parameters)
    return made


def _make(method: Method[Any]) -> type[ReliefScorer]:
    """Make the class of the scorers of a method."""
    scorer_class: type[ReliefScorer] = make_class(method, ReliefScorer, __name__, SETTINGS, check=True)
    only_task = method.tasks[0] if len(method.tasks) == 1 else None
    scorer_class.name = scorer_class.friendly_name = method.title
    scorer_class.class_type = {None: Variable, CLASSIFICATION: DiscreteVariable}.get(only_task, ContinuousVariable)
    return scorer_class


def __getattr__(name: str) -> type[ReliefScorer] | list[str]:
    """Return the class of the scorers of a method, made when it is first used and then stored under its name."""
    if name == "__all__":
        return ["ReliefScorer", "scorer", *(class_name(method.title) for method in METHODS.values())]
    scorer_class = _make(method_of_class(name, __name__))
    globals()[name] = scorer_class
    return scorer_class
