"""The methods as Orange's scorers, made from the table of methods: ``ReliefF(n_neighbors=20)(table)`` -> (p,)."""

import inspect
import sys

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Table, Variable
from Orange.preprocess.score import Scorer

from ..core import METHODS
from ..core.methods.base import Method
from ..core.methods.parameters import METHOD
from ..core.methods.registry import find_method
from ..core.words import choices, class_name, shown
from .conversion import CLASSIFICATION, rank


class ReliefScorer(Scorer):
    """Scores features with one method of the core; what all scorers of this package share.

    The same object serves scripts, SelectBestFeatures (and so the preprocessors of learners and of cross-validation)
    and the input Scorer of Orange's Rank.
    """

    method: Method
    feature_type = Variable
    supports_sparse_data: bool
    # The core knows missing values and drops rows without a target.
    preprocessors = []
    learner_adequacy_err_msg = ""

    def __call__(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray | float:
        """Scores (p,) of all features, or of `feature` alone, in the context of all: relatives of Relief need them.

        Covariates and groups are no features; those among the attributes come last, with -inf.
        """
        try:
            found = rank(data, self.method.name, **self._arguments())
        except MemoryError as error:
            raise ValueError(f"{self.name}: not enough memory") from error
        scores = found.scores
        if len(scores) < len(data.domain.attributes):
            score_of = dict(zip(found.features, scores, strict=True))
            scores = np.array([score_of.get(attribute, -np.inf) for attribute in data.domain.attributes])
        if feature is None:
            return scores
        try:
            wanted = data.domain[feature]
        except (KeyError, IndexError, TypeError):
            raise ValueError(f"{shown(feature)} is not a feature of the data") from None
        if wanted not in data.domain.attributes:
            raise ValueError(f"{shown(feature)} is not a feature of the data")
        return scores[data.domain.attributes.index(wanted)]

    def score_data(self, data: Table, feature: Variable | str | int | None = None) -> np.ndarray:
        """Scores as (1, p): Orange's Rank asks here, without a feature."""
        return np.atleast_2d(self(data, feature))

    def _arguments(self) -> dict:
        """Parameters; without a method among them that was not chosen, as the data decide then."""
        free = {p.name: p.default for p in self.method.parameters if p.kind == METHOD}
        given = {name: getattr(self, name) for name, _ in self._reprable_fields()}
        return {name: value for name, value in given.items() if name not in free or value != free[name]}


def scorer(name: str, **parameters) -> ReliefScorer:
    """The scorer of the method `name` with `parameters`; ValueError lists the known of both."""
    return getattr(sys.modules[__name__], class_name(find_method(name).title))(**parameters)


def _make(method: Method) -> type[ReliefScorer]:
    checks = {parameter.name: parameter.check for parameter in method.parameters}
    defaults = {parameter.name: parameter.default for parameter in method.parameters}
    defaults |= {"random_state": 0, "n_jobs": None, "covariates": None, "groups": None}

    def __init__(self, **parameters):
        unknown = [name for name in parameters if name not in defaults]
        if unknown:
            raise ValueError(f"{method.name} has no parameter {shown(unknown[0])}; {choices(unknown[0], defaults)}")
        for name, value in (defaults | parameters).items():
            setattr(self, name, checks[name](value) if name in checks else value)

    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
    )
    one_task = method.tasks[0] if len(method.tasks) == 1 else None
    content = {
        "__init__": __init__,
        "__doc__": _docstring(method),
        "__module__": __name__,
        "__qualname__": class_name(method.title),
        "method": method,
        "name": method.title,
        "friendly_name": method.title,
        "supports_sparse_data": True,
        "class_type": {None: Variable, CLASSIFICATION: DiscreteVariable}.get(one_task, ContinuousVariable),
    }
    return type(class_name(method.title), (ReliefScorer,), content)


def _docstring(method: Method) -> str:
    parameters = [f"{p.name}: {p.tooltip} (default: {p.default!r})" for p in method.parameters]
    return "\n\n".join([f"{method.title}: {method.idea}.", "\n".join(parameters), f"Source: {method.citation}"])


def __getattr__(name: str) -> type[ReliefScorer] | list[str]:
    """The class of a method's scorer, made when it is first asked for; pickles and repr find it under its name."""
    if name == "__all__":
        return ["ReliefScorer", "scorer", *(class_name(method.title) for method in METHODS.values())]
    for method in METHODS.values():
        if class_name(method.title) == name:
            globals()[name] = _make(method)
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
