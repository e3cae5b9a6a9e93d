"""The methods as Orange's scorers, made from the table of methods: ``ReliefF(n_neighbors=20)(table)`` -> (p,)."""

import sys
from collections.abc import Sequence
from copy import copy

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Table, Variable
from Orange.preprocess.score import Scorer

from ..core import METHODS
from ..core.methods.base import Method
from ..core.methods.registry import find_method, given_parameters, make_class, method_of_class
from ..core.words import class_name, shown
from .conversion import CLASSIFICATION, rank

SETTINGS = {"random_state": 0, "n_jobs": None, "covariates": None, "groups": None, "keep": None}  # of every scorer


class ReliefScorer(Scorer):
    """Scores features with one method of the core; base of all scorers of this package.

    The same object serves scripts, SelectBestFeatures (and so the preprocessors of learners and of cross-validation)
    and the input Scorer of Orange's Rank.
    """

    method: Method
    covariates: Sequence[str] | None
    groups: str | None
    feature_type = Variable
    supports_sparse_data = True
    # The core knows missing values and drops rows without a target.
    preprocessors = []
    learner_adequacy_err_msg = ""

    def __call__(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray | float:
        """Scores (p,) of all features, or of `feature` alone, in the context of all: relatives of Relief need them.

        Covariates and groups are no features; those among the attributes come last, with -inf.
        """
        parameters = given_parameters(self.method, self) | {
            name: getattr(self, name, default)
            for name, default in SETTINGS.items()  # pickles have those of their time
        }
        try:
            found = rank(data, self.method.name, **parameters)
        except MemoryError as error:
            raise ValueError(f"{self.name}: not enough memory") from error
        scores = found.scores
        if len(scores) < len(data.domain.attributes):
            score_of = dict(zip(found.features, scores, strict=True))
            scores = np.array([score_of.get(attribute, -np.inf) for attribute in data.domain.attributes])
        if feature is None:
            return scores
        try:
            return scores[data.domain.attributes.index(data.domain[feature])]
        except (KeyError, IndexError, TypeError, ValueError):
            raise ValueError(f"{shown(feature)} is not a feature of the data") from None

    @property
    def study(self) -> tuple[str, ...]:
        """Names of its covariates and of its group."""
        return *(self.covariates or ()), *filter(None, [self.groups])

    def for_study(self, covariates: Sequence[str], group: str) -> "ReliefScorer":
        """The same with a group, and with covariates if it adjusts scores for them."""
        made = copy(self)
        made.covariates = list(covariates) if self.method.traits.adjusts and covariates else None
        made.groups = group or None
        return made

    def score_data(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray:
        """Scores as (1, p): Orange's Rank asks here, without a feature."""
        return np.atleast_2d(self(data, feature))


def scorer(name: str, **parameters) -> ReliefScorer:
    """The scorer of the method `name` with `parameters`; ValueError lists the known of both."""
    return getattr(sys.modules[__name__], class_name(find_method(name).title))(**parameters)


def _make(method: Method) -> type[ReliefScorer]:
    made = make_class(method, ReliefScorer, __name__, SETTINGS, check=True)
    one_task = method.tasks[0] if len(method.tasks) == 1 else None
    made.name = made.friendly_name = method.title
    made.class_type = {None: Variable, CLASSIFICATION: DiscreteVariable}.get(one_task, ContinuousVariable)
    return made


def __getattr__(name: str) -> type[ReliefScorer] | list[str]:
    """The class of a method's scorer, made when it is first asked for; pickles and repr find it under its name."""
    if name == "__all__":
        return ["ReliefScorer", "scorer", *(class_name(method.title) for method in METHODS.values())]
    globals()[name] = _make(method_of_class(name, __name__))
    return globals()[name]
