"""Start of a run for a recipe: its neighbourhood and update with their parameters, the target, and the run itself.

`Recipe` calls `with_ranked_target` once for each target, and then `start_run`.  `configured` alone says what the
parameters make of the neighbourhood and the update, before there are data.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from ..data.diff import Diff
from ..data.expected import CLUS, CONDITIONAL, IGNORE
from ..relief.comparison import Comparison
from ..relief.neighbourhoods.base import Neighbourhood, Produces
from ..relief.neighbourhoods.k_nearest import KNearest
from ..relief.run import Run
from ..relief.updates.base import Update
from ..relief.updates.residual_products import ResidualProducts
from ..studies.residuals import of_columns, of_weighted_rows
from ..studies.study import Study
from ..targets.label_weights import with_label_weights
from ..targets.residuals import BOTH, PLACE, Residuals
from ..targets.targets import Target
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from .base import MethodInput

# Default strategy for missing values by the task; that of all other tasks is IGNORE
STRATEGY = {CLASSIFICATION: CONDITIONAL, UNSUPERVISED: CLUS}

Configurable = TypeVar("Configurable")


class Composition(NamedTuple):
    """A neighbourhood and an update, which together make a method of the Relief family."""

    neighbourhood: Neighbourhood  # which pairs of rows count
    update: Update  # what these pairs mean for the scores


class StartedRun(NamedTuple):
    """A run, and the neighbourhood to score it by."""

    run: Run
    neighbourhood: Neighbourhood


def configured(composition: Composition, parameters: Mapping[str, Any], target: Target | None = None) -> Composition:
    """Return a composition with parameters of a method.

    Residuals have an update of their own.  Their lists have the neighbours of all classes together: k for each class or
    column of the target.
    """
    neighbourhood = _with_parameters(composition.neighbourhood, parameters)
    if target is None or not target.is_residual:
        return Composition(neighbourhood, _with_parameters(composition.update, parameters))
    if neighbourhood.produces == Produces.LISTS:
        n_neighbors = neighbourhood.n_neighbors * max(len(target.names), 1)
        neighbourhood = replace(cast("KNearest", neighbourhood), n_neighbors=n_neighbors)
    return Composition(neighbourhood, ResidualProducts.of(cast("Residuals", target)))


def with_ranked_target(data: MethodInput[Any], update: Update) -> MethodInput[Any]:
    """Return an input with the target as an update ranks for it.

    Label sets get the distance and the weights of labels that the parameters ask for.  If the update compares residuals
    only, residuals replace the target.
    """
    target = data.target
    if target.is_residual or not update.only_residuals:
        if target.task not in SEVERAL:
            return data
        return replace(data, target=with_label_weights(target, data.parameters))
    if target.task not in (CLASSIFICATION, REGRESSION):
        return replace(data, target=Residuals(target, of_columns(*target.columns)))
    parts_of_pairs = PLACE if data.table.nominal.all() else BOTH
    if data.weights is not None:
        return replace(data, target=Residuals(target, *of_weighted_rows(target, data.weights), parts_of_pairs))
    return replace(data, target=Study(target, parts=parts_of_pairs, by_residuals=True).ranked())


def start_run(
    composition: Composition,
    data: MethodInput[Any],
    missing: str | None,
    is_target_row: np.ndarray,
    levels: np.ndarray | None = None,
) -> StartedRun:
    """Start a run for the data and parameters of a ranking.

    Parameters
    ----------
    composition : Composition
        The neighbourhood and the update of a recipe.
    data : MethodInput
        With the target as the update ranks for it.
    missing : str or None
        Strategy of the recipe for missing values, where the parameters have none; None: that of the task.
    is_target_row : (n,) bool array
    levels : (n,) int array, optional
        As in `Run.start`.
    """
    neighbourhood, update = configured(composition, data.parameters, data.target)
    strategy = data.parameters.get("missing") or missing or _default_strategy(data)
    comparison = Comparison(
        data.table,
        strategy=strategy,
        diff=Diff.of(data.parameters),
        distance=data.parameters["distance"],
        subjects=data.groups,
        row_weights=data.weights,
        feature_weights=data.feature_weights,
    )
    run = Run.start(comparison, data.target, update, is_target_row, data.work, levels)
    return StartedRun(run, neighbourhood if data.weights is None else neighbourhood.weighted())


def _default_strategy(data: MethodInput[Any]) -> str:
    """Return the strategy for missing values where nobody has chosen one.

    Frequencies of values within classes, which CONDITIONAL takes, have no form for residuals and for rows with weights.
    """
    if data.target.is_residual or data.weights is not None:
        return IGNORE
    return STRATEGY.get(data.target.task, IGNORE)


def _with_parameters(configurable: Configurable, parameters: Mapping[str, Any]) -> Configurable:
    """Return a neighbourhood or update with those of the parameters that are among its fields."""
    values = {
        field.name: parameters[field.name] for field in fields(cast("Any", configurable)) if field.name in parameters
    }
    return cast("Configurable", replace(cast("Any", configurable), **values))
