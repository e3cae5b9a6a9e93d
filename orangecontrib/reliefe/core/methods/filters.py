"""Base of filters: rows as points, scores of columns that become scores of features, graphs that say nothing."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..data.compared import refuse_infinite_values
from ..embedding.dimension import Estimator
from ..points.nearest import distinct, nearest
from ..points.points import RANGE, Points
from ..result import Info
from ..structure.autoencoder import train
from ..structure.clusters import Discriminative, k_means
from ..structure.least_angle import MAX_STEPS, coefficients
from ..structure.neighbours import COSINE, DISTANCES, MEDIAN, Distances, Graph, median_square, nearest_graph
from ..structure.smoothness import (
    Forms,
    all_pairs_product,
    forms_of_all_pairs,
    forms_on_graph,
    graph_product,
    inverse_roots,
    mixed_graph,
    smooth_vectors,
)
from ..targets.targets import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..words import counted
from ..work.threads import SERIAL_ALGEBRA
from .base import Found, Method, MethodInput
from .parameter_table import AUTO
from .parameters import CHOICE, INTEGER, NUMBER, SWITCH, Parameter
from .supervised_filters import SUPERVISED_FILTERS

AGREE = 1e-9  # scores that differ by less, in their unit, do not differ

MEAN, SUM = POOLINGS = "mean", "sum"
POOLED = Parameter("nominal_score", "Nominal features", CHOICE, MEAN, choices=POOLINGS, more=True,
                   tooltip="A nominal feature has a column for each of its values: mean or sum of their scores; the "
                           "sum grows with the number of values")  # fmt: skip
ROWS_AS_POINTS = (
    Parameter("scaling", "Scaling", CHOICE, "z-score", choices=("z-score", "none"), more=True,
              tooltip="Values of each feature are divided by their standard deviation (z-score), or kept as they are"),
    POOLED,
)  # fmt: skip
GRAPH = (
    Parameter("n_neighbors", "Neighbours", INTEGER, 5, low=1, high=100_000,
              tooltip="Nearest rows that each row is joined with; 1 or more"),
    Parameter("bandwidth", "Bandwidth", NUMBER, MEDIAN, low=0, choices=(MEDIAN,), none="equal weights",
              tooltip="t of the weights exp(-d\u00b2 / 2t\u00b2) of joined rows at distance d; median: 2t\u00b2 is "
                      "the median of all d\u00b2; equal weights: all joined rows count alike"),
    Parameter("self_loops", "Self-loops", SWITCH, True, more=True,
              tooltip="Each row is joined with itself, too, with weight 1"),
    Parameter("distance", "Distance", CHOICE, DISTANCES[0], choices=DISTANCES, more=True,
              tooltip="Between rows; cosine compares directions from zero, as is usual for texts"),
)  # fmt: skip
STYLES = (
    Parameter("style", "Style", INTEGER, 2, low=1, high=3,
              tooltip="1: smoothness; 2: the same without the part that is alike in all rows; 3: agreement with the "
                      "smoothest eigenvectors"),
    Parameter("gamma", "Scale", NUMBER, MEDIAN, low=0, choices=(MEDIAN,),
              tooltip="Similarity of rows at distance d is exp(-gamma d\u00b2); median: 1 over the median of all "
                      "d\u00b2"),
    Parameter("n_eigenvectors", "Eigenvectors", INTEGER, 5, low=1, high=1000, more=True,
              tooltip="Style 3: smoothest eigenvectors that features are compared with; 1 or more"),
)  # fmt: skip
MIXED_GRAPH = (
    GRAPH[0],
    replace(GRAPH[1],
            tooltip="t of the weights exp(-d / t) of joined rows, whose targets, or else features, differ by the "
                    "mean square d; median: of all d above 0; equal weights: all joined rows count alike"),
    Parameter("labelled_weight", "Labelled pairs", NUMBER, 5.0, low=0,
              tooltip="How many times as much two joined rows count if both are labelled; above 0"),
    replace(GRAPH[2], default=False),
)  # fmt: skip
CLUSTERS = (
    replace(STYLES[2], more=False,
            tooltip="Smoothest eigenvectors of the graph, each of which the features have to explain: about as many "
                    "as there are clusters; 1 or more"),
    Parameter("n_selected", "Features entered", INTEGER, None, low=1, high=100_000, none="as many as possible",
              more=True, tooltip="Features with a coefficient in each regression; the rest score 0; 1 or more"),
)  # fmt: skip
DISCRIMINATIVE = (
    Parameter("n_clusters", "Clusters", INTEGER, 5, low=1, high=1000,
              tooltip="Clusters of rows that are learned; 1 or more"),
    Parameter("alpha", "Regression", NUMBER, 1.0, low=0, more=True,
              tooltip="Weight of the regression of the clusters on the features, against smoothness; above 0"),
    Parameter("beta", "Sparseness", NUMBER, 1.0, low=0, more=True,
              tooltip="Weight of the penalty that leaves features without coefficients; above 0"),
    Parameter("gamma", "Orthogonality", NUMBER, 1e8, low=0, more=True,
              tooltip="Weight of the condition that clusters do not overlap; above 0"),
    Parameter("tol", "Tolerance", NUMBER, 1e-3, low=0, more=True,
              tooltip="Change of the objective below which the iterations end; above 0"),
    Parameter("max_iter", "Iterations", INTEGER, 1000, low=1, high=1_000_000, more=True, tooltip="At most; 1 or more"),
)  # fmt: skip
RECONSTRUCTION = (
    Parameter("dimension", "Hidden units", INTEGER, AUTO, low=1, high=1000, choices=(AUTO,),
              tooltip="Width of the hidden layer, from 1 up; auto: as many as the data have dimensions, estimated "
                      "from the two nearest neighbours of each row"),
    Parameter("penalty", "Penalty", NUMBER, 1.0, low=0,
              tooltip="Price of the inputs' weights against the error, which is the sum over features of the mean "
                      "over rows; above 0"),
    Parameter("max_iter", "Steps", INTEGER, 1000, low=1, high=1_000_000, more=True,
              tooltip="Steps of the optimiser, each with all rows, at most; 1 or more"),
    Parameter("tol", "Tolerance", NUMBER, 1e-3, low=0, more=True,
              tooltip="The steps end when 50 of them reduce the loss by less than this share of it; above 0"),
)  # fmt: skip


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
        return (*self.own, *ROWS_AS_POINTS)

    def run(self, data: MethodInput[None]) -> Iterator[Found]:
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
    """Result from scores of the columns of the points; constant features get the least score of the rest.

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
    """The graph of near rows, as the parameters say, and notes on it."""
    values = data.parameters
    distances = Distances(points, values["distance"] == COSINE)
    parts = values["n_neighbors"], values["bandwidth"], values["self_loops"]
    graph = nearest_graph(distances, *parts, data.random_state, data.work)
    return graph, {"bandwidth": graph.bandwidth, "components": int(graph.components.max()) + 1}


DISCARDED = 0.1  # share of the largest ratios of distances that the estimate of the dimension leaves out
FEWEST = 3  # rows from which there is a dimension


class Mcfs(Filter):
    """MCFS."""

    name = "mcfs"
    title = "MCFS"
    about = "explains groups"
    idea = "A feature counts if it has a large coefficient where features explain the smoothest directions of the rows"
    citation = "Cai, Zhang and He 2010, Proc. KDD-10:333-342"
    redundancy = True
    complexity = "n^2 p + n p for each feature that enters"
    own = (*CLUSTERS, *GRAPH)

    def found(self, data: MethodInput[None], points: Points) -> Found:
        values, work, (n, q) = data.parameters, data.work, points.shape
        with work.part(0, 0.2):
            graph, info = graph_of(data, points)
        with work.part(0.2, 0.3):
            k = values["n_eigenvectors"]
            _, vectors = smooth_vectors(graph_product(graph), graph.degrees, graph.components, k, work)
        targets = inverse_roots(graph.degrees)[:, None] * vectors
        information = []
        if targets.shape[1] < k:
            information.append(f"the graph has {counted(targets.shape[1], 'eigenvector')}, fewer than {k}")
        if values["n_selected"] is None and min(q, n - 1) > MAX_STEPS:
            information.append(f"{MAX_STEPS:,} features entered each regression; the rest have no coefficient in it")
        columns = np.zeros(q)
        if targets.shape[1]:
            with work.part(0.3, 1):
                columns = np.abs(coefficients(points, targets, values["n_selected"], work)).max(axis=1)
        info["information"] = information
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['n_neighbors']}", counted(parameters["n_eigenvectors"], "eigenvector")]


class Ndfs(Filter):
    """NDFS."""

    name = "ndfs"
    title = "NDFS"
    about = "learns groups"
    idea = "A feature counts if it has large coefficients where clusters are learned together with their regression"
    citation = "Li, Yang, Liu, Zhou and Lu 2012, Proc. AAAI-12:1026-1032"
    complexity = "n^2 p + I n^2 min(n, p)"
    own = (*DISCRIMINATIVE, *GRAPH)

    def found(self, data: MethodInput[None], points: Points) -> Found:
        values, work = data.parameters, data.work
        with work.part(0, 0.1):
            graph, info = graph_of(data, points)
            clusters = k_means(points, values["n_clusters"], data.random_state, work)
        weights = values["alpha"], values["beta"], values["gamma"]
        with work.part(0.1, 1):
            problem = Discriminative(points, graph.laplacian, *weights)
            columns, n_iter, rests = problem.solve(clusters, values["tol"], values["max_iter"], work)
        info |= {"n_iter": n_iter, "has_converged": rests}
        if not rests:
            info["warnings"] = [f"the objective still changes after {counted(n_iter, 'iteration')}"]
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['n_neighbors']}", counted(parameters["n_clusters"], "cluster")]


class Agnos(Filter):
    """AgnoS-S."""

    name = "agnoss"
    at_home = "its training steps, products of whole matrices, follow one after another"
    title = "AgnoS-S"
    about = "rebuilds the rest"
    idea = "A feature counts if an autoencoder that pays for its inputs still needs it to rebuild all features"
    citation = "Doquet and Sebag 2019, Proc. ECML PKDD 2019; width and optimiser are this project's"
    complexity = "I n p d"
    own = RECONSTRUCTION

    def found(self, data: MethodInput[None], points: Points) -> Found:
        values, work, width = data.parameters, data.work, data.parameters["dimension"]
        if width == AUTO:
            with work.part(0, 0.1):
                width = intrinsic_width(data, points)
        parts = values["penalty"], values["max_iter"], values["tol"], data.random_state
        with work.part(0.1, 1):
            columns, n_iter, rests = train(points, width, *parts, work)
        info: Info = {"dimension": width, "n_iter": n_iter, "has_converged": rests}
        if not rests:
            info["information"] = [f"the loss still falls after {counted(n_iter, 'step')}"]
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"d = {info['dimension']}", counted(info["n_iter"], "step")] if info.get("n_iter") else []


def intrinsic_width(data: MethodInput[None], points: Points) -> int:
    """Dimension of the rows by their two nearest ones, from 1 to the number of columns.

    Facco et al. (2017), Scientific Reports 7:12140.
    """
    values = points.values
    if points.shape[0] < FEWEST:
        return 1
    kept = distinct(values)
    distances, _ = nearest(values[kept] if len(kept) < points.shape[0] else values, 2, data.work)
    estimate, _, _ = Estimator("twonn", 2, DISCARDED).fit(distances)
    return 1 if np.isnan(estimate) else int(min(max(round(estimate), 1), points.shape[1]))


EMBEDDED_FILTERS: tuple[Method[Any], ...] = (Mcfs(), Ndfs(), Agnos())


class LaplacianScore(Filter):
    """Laplacian score."""

    name = "laplacian"
    title = "Laplacian Score"
    about = "smooth nearby"
    idea = "A feature counts if it differs little between near rows, for how much it varies"
    citation = "He, Cai and Niyogi 2006, Advances in Neural Information Processing Systems 18:507-514"
    complexity = "n^2 p + k n p"
    own = GRAPH

    def found(self, data: MethodInput[None], points: Points) -> Found:
        with data.work.part(0, 0.7):
            graph, info = graph_of(data, points)
        with data.work.part(0.7, 1):
            forms = forms_on_graph(points, graph, data.work)
        return scored(data, points, forms.laplacian, info, small_is_good=True)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [f"k = {parameters['n_neighbors']}"]


class Spec(Filter):
    """SPEC, in three styles."""

    name = "spec"
    title = "SPEC"
    about = "smooth overall"
    idea = "A feature counts if it follows the smooth directions of the similarity of all rows"
    citation = "Zhao and Liu 2007, Proc. ICML-07:1151-1157"
    own = STYLES

    def found(self, data: MethodInput[None], points: Points) -> Found:
        values, work, distances = data.parameters, data.work, Distances(points)
        gamma = values["gamma"]
        if gamma == MEDIAN:
            gamma = 1 / median_square(distances, data.random_state, work)
        third = values["style"] == 3
        with work.part(0, 0.2 if third else 1):
            forms = forms_of_all_pairs(points, distances, gamma, work)
        info: Info = {"bandwidth": float(np.sqrt(1 / (2 * gamma)))}
        if values["style"] == 2:
            return scored(data, points, forms.laplacian, info, small_is_good=True)
        if not third:
            return scored(data, points, forms.first_style(points.offset), info, small_is_good=True)
        with work.part(0.2, 1):
            columns = self._agreement(data, points, forms, all_pairs_product(distances, gamma, work))
        return scored(data, points, columns, info, small_is_good=False)

    @staticmethod
    def _agreement(data: MethodInput[None], points: Points, forms: Forms, product: Any) -> np.ndarray:
        """(q,) sums of squared products with eigenvectors, each times 2 - eigenvalue."""
        degrees, n = forms.degrees, len(forms.degrees)
        roots = inverse_roots(degrees)[:, None]
        found = smooth_vectors(
            lambda vectors: roots * product(roots * vectors),
            degrees,
            np.zeros(n, int),
            data.parameters["n_eigenvectors"],
            data.work,
        )
        weighted = found[1] * np.sqrt(degrees)[:, None]
        products = points.back(weighted) + np.outer(points.offset, weighted.sum(axis=0))
        squares = forms.squares_with(points.offset)
        return np.asarray(products**2 @ (2 - found[0]) / np.where(squares > 0, squares, 1.0))


class SemiSupervisedLaplacian(Filter):
    """Laplacian score on a graph that knows some targets."""

    name = "ssllaplacian"
    title = "Semi-Supervised Laplacian Score"
    about = "smooth nearby"
    idea = (
        "A feature counts if it differs little between rows that are near by their targets, or by features without them"
    )
    citation = "Doquire and Verleysen 2013, Neurocomputing 121:5-13"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    own = MIXED_GRAPH

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own, POOLED)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        return True

    def found(self, data: MethodInput[None], points: Points) -> Found:
        values, work = data.parameters, data.work
        parts = values["n_neighbors"], values["bandwidth"], values["labelled_weight"], values["self_loops"]
        with work.part(0, 0.7):
            graph = mixed_graph(points, data.target, *parts, work)
        with work.part(0.7, 1):
            forms = forms_on_graph(points, graph, work)
        info: Info = {
            "bandwidth": graph.bandwidth,
            "components": int(graph.components.max()) + 1,
            "labelled": int(data.target.labelled.sum()),
        }
        return scored(data, points, forms.laplacian, info, small_is_good=True)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        out = [f"k = {parameters['n_neighbors']}"]
        if 0 < info.get("labelled", 0) < info["rows"]:
            out.append(f"{info['labelled']:,} of {info['rows']:,} rows labelled")
        return out


FILTERS: tuple[Method[Any], ...] = (
    LaplacianScore(),
    Spec(),
    *EMBEDDED_FILTERS,
    SemiSupervisedLaplacian(),
    *SUPERVISED_FILTERS,
)
