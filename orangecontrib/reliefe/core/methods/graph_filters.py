"""Filters by a graph of near rows: features that are smooth on it, or that explain its smoothest eigenvectors."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..points.points import Points
from ..result import Info
from ..structure.clusters import k_means
from ..structure.distances import COSINE, DISTANCES, Distances
from ..structure.graph import Graph
from ..structure.least_angle import MAX_STEPS, coefficients
from ..structure.mixed_graph import mixed_graph
from ..structure.neighbours import MEDIAN, median_square, nearest_graph
from ..structure.smooth_vectors import graph_product, inverse_roots, smooth_vectors
from ..structure.smoothness import all_pairs_product, forms_of_all_pairs, forms_on_graph
from ..structure.spectral_regression import Discriminative
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..words import counted
from .base import MethodInput, MethodResult
from .details import BANDWIDTH, HAS_CONVERGED, LABELLED, N_ITER, OF_GRAPH
from .filter import POOLED, Filter, scored
from .parameters import CHOICE, INTEGER, NUMBER, SWITCH, Parameter
from .traits import FILLED, INDICATORS, Traits

GRAPH = (
    Parameter("n_neighbors", "Neighbours", INTEGER, 5, low=1, high=100_000,
              tooltip="Number of nearest rows that each row is connected with in the graph. Integer, at least 1"),
    Parameter("bandwidth", "Bandwidth", NUMBER, MEDIAN, low=0, choices=(MEDIAN,), none="equal weights",
              tooltip="Bandwidth t of the weights exp(-d\u00b2 / 2t\u00b2) of connected rows at distance d. Number "
                      "above 0. median: 2t\u00b2 is the median of all d\u00b2. Without it all connected rows have "
                      "equal weight"),
    Parameter("self_loops", "Self-loops", SWITCH, True, more=True,
              tooltip="Also connect each row with itself, with weight 1"),
    Parameter("distance", "Distance", CHOICE, DISTANCES[0], choices=DISTANCES, more=True,
              tooltip="Distance between rows. cosine compares directions from zero, as usual for texts"),
)  # fmt: skip
STYLES = (
    Parameter("style", "Style", INTEGER, 2, low=1, high=3,
              tooltip="Score. 1: smoothness. 2: smoothness without the part that is equal in all rows. 3: agreement "
                      "with the smoothest eigenvectors"),
    Parameter("gamma", "Scale", NUMBER, MEDIAN, low=0, choices=(MEDIAN,),
              tooltip="Scale of the similarity exp(-gamma d\u00b2) of rows at distance d. Number above 0. median: 1 "
                      "over the median of all d\u00b2"),
    Parameter("n_eigenvectors", "Eigenvectors", INTEGER, 5, low=1, high=1000, more=True,
              tooltip="Style 3: number of smoothest eigenvectors to compare features with. Integer, at least 1"),
)  # fmt: skip
MIXED_GRAPH = (
    GRAPH[0],
    replace(GRAPH[1],
            tooltip="Bandwidth t of the weights exp(-d / t) of connected rows; d is the mean squared difference of "
                    "targets, or else features. Number above 0. median: of all d above 0. Without it all connected "
                    "rows have equal weight"),
    Parameter("labelled_weight", "Labelled pairs", NUMBER, 5.0, low=0,
              tooltip="Factor of the weight of two connected rows if both are labelled. Number above 0"),
    replace(GRAPH[2], default=False),
)  # fmt: skip
CLUSTERS = (
    replace(STYLES[2], more=False,
            tooltip="Number of smoothest eigenvectors of the graph that the features explain. Integer, at least 1. "
                    "Set it to about the number of clusters"),
    Parameter("n_selected", "Features entered", INTEGER, None, low=1, high=100_000, none="as many as possible",
              more=True, tooltip="Number of features with a coefficient in each regression; the rest score 0. "
                                 "Integer, at least 1"),
)  # fmt: skip
DISCRIMINATIVE = (
    Parameter("n_clusters", "Clusters", INTEGER, 5, low=1, high=1000,
              tooltip="Number of clusters of rows. Integer, at least 1"),
    Parameter("alpha", "Regression", NUMBER, 1.0, low=0, more=True,
              tooltip="Weight of the regression of the clusters on the features, relative to smoothness. Number "
                      "above 0"),
    Parameter("beta", "Sparseness", NUMBER, 1.0, low=0, more=True,
              tooltip="Weight of the penalty that sets coefficients of features to 0. Number above 0"),
    Parameter("gamma", "Orthogonality", NUMBER, 1e8, low=0, more=True,
              tooltip="Weight of the condition that clusters do not overlap. Number above 0"),
    Parameter("tol", "Tolerance", NUMBER, 1e-3, low=0, more=True,
              tooltip="Iterations end if the objective changes by less. Number above 0"),
    Parameter("max_iter", "Iterations", INTEGER, 1000, low=1, high=1_000_000, more=True,
              tooltip="Maximum number of iterations. Integer, at least 1"),
)  # fmt: skip


def graph_of(data: MethodInput[None], points: Points) -> tuple[Graph, Info]:
    """The graph of near rows, as the parameters say, and notes on it."""
    values = data.parameters
    distances = Distances(points, values["distance"] == COSINE)
    parts = values["n_neighbors"], values["bandwidth"], values["self_loops"]
    graph = nearest_graph(distances, *parts, data.random_state, data.work)
    return graph, {"bandwidth": graph.bandwidth, "components": int(graph.components.max()) + 1}


class Mcfs(Filter):
    """MCFS."""

    name = "mcfs"
    title = "MCFS"
    about = "explains groups"
    idea = "Scores features with a large coefficient in regressions of the smoothest directions of the rows"
    citation = "Cai, Zhang and He 2010, Proc. KDD-10:333-342"
    traits = Traits(
        interactions=False,
        redundancy=True,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n^2 p + n p for each feature that enters",
    )
    details = OF_GRAPH
    own = (*CLUSTERS, *GRAPH)

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
        values = data.parameters
        work = data.work
        (n, q) = points.shape
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
        return [*super().summary(parameters, info), counted(parameters["n_eigenvectors"], "eigenvector")]


class Ndfs(Filter):
    """NDFS."""

    name = "ndfs"
    title = "NDFS"
    about = "learns groups"
    idea = "Scores features with large coefficients in a regression of clusters that are learned together with it"
    citation = "Li, Yang, Liu, Zhou and Lu 2012, Proc. AAAI-12:1026-1032"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n^2 p + I n^2 min(n, p)",
    )
    details = (*OF_GRAPH, N_ITER, HAS_CONVERGED)
    own = (*DISCRIMINATIVE, *GRAPH)

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
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
        return [*super().summary(parameters, info), counted(parameters["n_clusters"], "cluster")]


class LaplacianScore(Filter):
    """Laplacian score."""

    name = "laplacian"
    title = "Laplacian Score"
    about = "smooth nearby"
    idea = "Scores features that differ little between near rows, relative to their variance"
    citation = "He, Cai and Niyogi 2006, Advances in Neural Information Processing Systems 18:507-514"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n^2 p + k n p",
    )
    details = OF_GRAPH
    own = GRAPH

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
        with data.work.part(0, 0.7):
            graph, info = graph_of(data, points)
        with data.work.part(0.7, 1):
            forms = forms_on_graph(points, graph, data.work)
        return scored(data, points, forms.laplacian, info, small_is_good=True)


class Spec(Filter):
    """SPEC, in three styles."""

    name = "spec"
    title = "SPEC"
    about = "smooth overall"
    idea = "Scores features that follow the smooth directions of the similarity of all rows"
    citation = "Zhao and Liu 2007, Proc. ICML-07:1151-1157"
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n^2 p",
    )
    details = (BANDWIDTH,)
    own = STYLES

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
        values = data.parameters
        work = data.work
        distances = Distances(points)
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
        with work.part(0.2, 1):  # sums of squared products with eigenvectors, each times 2 - eigenvalue
            product, degrees = all_pairs_product(distances, gamma, work), forms.degrees
            roots, alone = inverse_roots(degrees)[:, None], np.zeros(len(degrees), int)
            found, vectors = smooth_vectors(
                lambda V: roots * product(roots * V), degrees, alone, values["n_eigenvectors"], work
            )
            weighted = vectors * np.sqrt(degrees)[:, None]
            products = points.back(weighted) + np.outer(points.offset, weighted.sum(axis=0))
            squares = forms.squares_with(points.offset)
            columns = np.asarray(products**2 @ (2 - found) / np.where(squares > 0, squares, 1.0))
        return scored(data, points, columns, info)


class SemiSupervisedLaplacian(Filter):
    """Laplacian score on a graph that knows some targets."""

    name = "ssllaplacian"
    title = "Semi-Supervised Laplacian Score"
    about = "smooth nearby"
    idea = (
        "Scores features that differ little between rows with similar targets, or for unlabelled rows similar features"
    )
    citation = "Doquire and Verleysen 2013, Neurocomputing 121:5-13"
    tasks = (CLASSIFICATION, REGRESSION, *SEVERAL, UNSUPERVISED)
    traits = Traits(
        interactions=False,
        redundancy=False,
        sparse=True,
        nominal=INDICATORS,
        missing=FILLED,
        complexity="n^2 p",
    )
    details = (*OF_GRAPH, LABELLED)
    own = MIXED_GRAPH

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own, POOLED)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        return True

    def found(self, data: MethodInput[None], points: Points) -> MethodResult:
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
        some = 0 < info.get("labelled", 0) < info["rows"]
        labelled = [f"{info['labelled']:,} of {info['rows']:,} rows labelled"] if some else []
        return [*super().summary(parameters, info), *labelled]
