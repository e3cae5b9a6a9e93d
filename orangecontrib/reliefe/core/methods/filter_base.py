"""Base of filters: rows as points, scores of columns that become scores of features, graphs that say nothing."""

import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from ..data.compared import refuse_infinite_values
from ..graph.distances import COSINE, Distances
from ..graph.neighbours import Graph, nearest_graph
from ..parallel import SERIAL_ALGEBRA
from ..points.points import RANGE, Points
from ..result import Info
from ..targets.targets import UNSUPERVISED
from .base import Found, Method, MethodInput
from .filter_parameters import ROWS_AS_POINTS, SUM
from .parameters import Parameter

AGREE = 1e-9  # scores that differ by less, in their unit, do not differ
STEP = 4.0  # what a product of two values costs in a product of matrices, against a comparison


class DegenerateGraph(UserWarning):
    """All features that vary have the same score: as a rule, a graph of rows in which none is near another one."""


class Filter(Method[None]):
    """A method that is computed once, from rows as points."""

    family = "filter"
    interactions = False
    nominal = "indicators"
    complexity = "n^2 p"
    tasks: tuple[str, ...] = (UNSUPERVISED,)
    own: tuple[Parameter, ...] = ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters with their defaults."""
        return (*self.own, *ROWS_AS_POINTS)

    def run(self, data: MethodInput[None]) -> Iterator[Found]:
        """The only result."""
        refuse_infinite_values(data.table)
        with SERIAL_ALGEBRA:
            points = Points.of(data.table, data.work, data.parameters.get("scaling", RANGE))
            found = self.found(data, points) if points.shape[1] else scored(data, points, np.zeros(0), {})
        yield found

    def found(self, data: MethodInput[None], points: Points) -> Found:
        """The result for rows that are points, with one column at least."""
        raise NotImplementedError


def scored(
    data: MethodInput[Any],
    points: Points,
    columns: np.ndarray,
    info: Info,
    small_is_good: bool = False,
    unit: float = 1.0,
) -> Found:
    """Result from scores of the columns of the points; constant features get the least score of the others.

    Shapes: `columns` (q,).
    """
    scores, varying = points.pooled(columns, data.parameters["nominal_score"] == SUM), points.varying
    if not varying.any():
        return Found(scores, info=_degenerate(info, "all features are constant"))
    least, most = scores[varying].min(), scores[varying].max()
    if small_is_good:
        scores = most + least - scores
    scores[~varying] = scores[varying].min()
    if most - least <= AGREE * unit and varying.sum() > 1:
        info = _degenerate(info, "all features that vary have the same score: their order says nothing")
    return Found(scores, info=info)


def _degenerate(info: Info, text: str) -> Info:
    """The record with a warning, which Python gives, too."""
    warnings.warn(text, DegenerateGraph, stacklevel=2)
    return {**info, "warnings": [*info.get("warnings", ()), text]}


def graph_of(data: MethodInput[None], points: Points) -> tuple[Graph, Info]:
    """The graph of near rows, as the parameters say, and what to tell of it."""
    values = data.parameters
    distances = Distances(points, values["distance"] == COSINE)
    parts = values["n_neighbors"], values["bandwidth"], values["self_loops"]
    graph = nearest_graph(distances, *parts, data.random_state, data.work)
    return graph, {"bandwidth": graph.bandwidth, "components": int(graph.components.max()) + 1}
