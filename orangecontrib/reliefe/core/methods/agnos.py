"""AgnoS-S: scores by the penalised weights of the inputs of an autoencoder; `filters` lists it for the registry."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..embedding.dimension_estimator import Estimator
from ..info import Info
from ..points.distinct_rows import distinct
from ..points.nearest import nearest
from ..points.points import Points
from ..structure.autoencoder import train
from ..words import counted
from ..work.threads import Work
from .base import MethodInput, MethodResult
from .details import DIMENSION, HAS_CONVERGED, N_ITER
from .filter import Filter, scored
from .parameter_table import AUTO
from .parameters import INTEGER, NUMBER, Parameter
from .traits import FILLED, INDICATORS, Traits

RECONSTRUCTION = (
    Parameter("dimension", "Hidden units", INTEGER, AUTO, low=1, high=1000, choices=(AUTO,),
              tooltip="Width of the hidden layer. Integer, at least 1. auto: the dimension of the data, estimated "
                      "from the two nearest neighbours of each row"),
    Parameter("penalty", "Penalty", NUMBER, 1.0, low=0,
              tooltip="Penalty on the weights of the inputs, relative to the error, a sum over features of means "
                      "over rows. Number above 0"),
    Parameter("max_iter", "Steps", INTEGER, 1000, low=1, high=1_000_000, more=True,
              tooltip="Maximum number of steps of the optimiser, each with all rows. Integer, at least 1"),
)  # fmt: skip
DISCARDED = 0.1  # share of the largest ratios of distances that the estimate of the dimension leaves out, as published
MIN_ROWS = 3  # for two nearest neighbours
ESTIMATE_SHARE = 0.1  # of the work; chosen by eye


class Agnos(Filter):
    """AgnoS-S, an autoencoder with one hidden layer."""

    name = "agnoss"
    title = "AgnoS-S"
    about = "rebuilds the rest"
    idea = "Scores features that an autoencoder with penalised inputs needs to reconstruct all features"
    citation = "Doquet and Sebag 2019, Proc. ECML PKDD 2019; width and optimiser are this project's"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="I n p d",
        stays_local="its training steps, products of whole matrices, follow one after another",
    )
    details = (DIMENSION, N_ITER, HAS_CONVERGED)
    own_parameters = RECONSTRUCTION

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        parameters = data.parameters
        width = parameters["dimension"]
        if width == AUTO:
            with data.work.part(0, ESTIMATE_SHARE):
                width = _dimension(points, data.work)
        with data.work.part(ESTIMATE_SHARE, 1):
            columns, n_iter, has_converged = train(
                points,
                width,
                parameters["penalty"],
                parameters["max_iter"],
                data.random_state,
                data.work,
            )
        info: Info = {"dimension": width, "n_iter": n_iter, "has_converged": has_converged}
        if not has_converged:
            info["information"] = [f"the loss still falls after {counted(n_iter, 'step')}"]
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"d = {info['dimension']}", counted(info["n_iter"], "step")] if info.get("n_iter") else []


def _dimension(points: Points, work: Work) -> int:
    """Intrinsic dimension by the two nearest neighbours of each row (Facco et al. 2017, Sci. Rep. 7:12140), from 1."""
    if points.shape[0] < MIN_ROWS:
        return 1
    rows = distinct(points.values)
    values = points.values[rows] if len(rows) < points.shape[0] else points.values
    distances = nearest(values, 2, work)[0]
    estimate, _, _ = Estimator("twonn", 2, DISCARDED).fit(distances)
    return 1 if np.isnan(estimate) else int(min(max(round(estimate), 1), points.shape[1]))
