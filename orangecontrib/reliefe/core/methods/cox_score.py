"""Score test of Cox's model for each feature by itself; `filters` lists it for the registry."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..points.points import Points, spans
from ..studies.cox_model import Hazards
from ..targets.tasks import SURVIVAL
from .base import MethodInput, MethodResult
from .filter import POOLED, STEP_OF_TEST, Filter, scored
from .parameters import Parameter
from .traits import FILLED, INDICATORS, Traits


class CoxScore(Filter):
    """Score test of Cox's model."""

    name = "coxscore"
    title = "Cox Score Test"
    about = "times, each alone"
    idea = "Scores the chi-square of each feature alone in the score test of Cox's model, beside covariates"
    citation = "Cox 1972, Journal of the Royal Statistical Society B 34:187-220; ties as in Breslow 1974"
    tasks = (SURVIVAL,)
    weighted_tasks = (SURVIVAL,)
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n p",
        adjustment="the model of the test has them",
        stays_local="a test of a feature takes no longer than sending it",
    )

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (POOLED,)

    def cost(self, shape: tuple[int, int], parameters: Mapping[str, Any]) -> float:
        n, p = shape
        return STEP_OF_TEST * n * p

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        n, q = points.shape
        model, Z = Hazards.of_target(data.target, data.weights)
        blocks = spans(q, n) if len(model.events) > 1 else []
        data.work.plan(len(blocks))
        columns = np.zeros(q)
        for block in blocks:
            columns[block] = model.tests(points.columns(block), Z)
            data.work.tick(1)
        return scored(data, points, columns, {}, unit=float(columns.max()))
