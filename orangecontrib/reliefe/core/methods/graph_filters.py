"""Filters by a graph of nearest rows: features that are smooth on it, or that explain its smoothest eigenvectors.

`filters` lists them for the registry. `core/structure` has the graphs, eigenvectors and regressions.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from ..info import Info
from ..points.points import Points
from ..structure.clusters import k_means
from ..structure.distances import COSINE, DISTANCES, Distances
from ..structure.graph import Graph
from ..structure.least_angle import MAX_STEPS, coefficients
from ..structure.mixed_graph import mixed_graph
from ..structure.neighbours import MEDIAN, median_square, nearest_graph
from ..structure.smooth_vectors import graph_product, inverse_roots, smooth_vectors
from ..structure.smoothness import forms_of_all_pairs, forms_on_graph
from ..structure.spectral_regression import Discriminative
from ..targets.tasks import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from ..words import counted
from .base import MethodInput, MethodResult
from .details import BANDWIDTH, HAS_CONVERGED, LABELLED, N_ITER, OF_GRAPH
from .filter import POOLED, Filter, scored
from .parameters import CHOICE, INTEGER, NUMBER, Parameter
from .traits import FILLED, INDICATORS, Traits

GRAPH = (
    Parameter("n_neighbors", "Neighbours", INTEGER, 5, low=1, high=100_000,
              tooltip="Number of nearest rows that each row is connected with in the graph. Integer, at least 1"),
    Parameter("bandwidth", "Bandwidth", NUMBER, MEDIAN, low=0, choices=(MEDIAN,), none="equal weights",
              tooltip="Bandwidth t of the weights exp(-d\u00b2 / 2t\u00b2) of connected rows at distance d. Number "
                      "above 0. median: 2t\u00b2 is the median of all d\u00b2. Without it all connected rows have "
                      "equal weight"),
    Parameter("distance", "Distance", CHOICE, DISTANCES[0], choices=DISTANCES, more=True,
              tooltip="Distance between rows. cosine compares directions from zero, as usual for texts"),
)  # fmt: skip
SIMILARITY = (
    Parameter("gamma", "Scale", NUMBER, MEDIAN, low=0, choices=(MEDIAN,),
              tooltip="Scale of the similarity exp(-gamma d\u00b2) of rows at distance d. Number above 0. median: 1 "
                      "over the median of all d\u00b2"),
)  # fmt: skip
MIXED_GRAPH = (
    GRAPH[0],
    replace(GRAPH[1],
            tooltip="Bandwidth t of the weights exp(-d / t) of connected rows; d is the mean squared difference of "
                    "targets, or else features. Number above 0. median: of all d above 0. Without it all connected "
                    "rows have equal weight"),
    Parameter("labelled_weight", "Labelled pairs", NUMBER, 5.0, low=0,
              tooltip="Factor of the weight of two connected rows if both are labelled. Number above 0"),
)  # fmt: skip
CLUSTERS = (
    Parameter("n_eigenvectors", "Eigenvectors", INTEGER, 5, low=1, high=1000,
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
    Parameter("max_iter", "Iterations", INTEGER, 1000, low=1, high=1_000_000, more=True,
              tooltip="Maximum number of iterations. Integer, at least 1"),
)  # fmt: skip


def graph_of(data: MethodInput[None], points: Points) -> tuple[Graph, Info]:
    """Graph of nearest rows by the parameters, and facts about it."""
    parameters = data.parameters
    distances = Distances(points, parameters["distance"] == COSINE)
    graph = nearest_graph(
        distances,
        parameters["n_neighbors"],
        parameters["bandwidth"],
        data.random_state,
        data.work,
    )
    return graph, _facts(graph)


def _facts(graph: Graph) -> Info:
    """Entries of `info` on a graph."""
    return {"bandwidth": graph.bandwidth, "components": int(graph.components.max()) + 1}


class Mcfs(Filter):
    """Multi-cluster feature selection: regressions of eigenvectors of the graph."""

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
    own_parameters = (*CLUSTERS, *GRAPH)

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
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
    """Nonnegative discriminative feature selection: clusters and their regression are learned at once."""

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
    own_parameters = (*DISCRIMINATIVE, *GRAPH)

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        parameters = data.parameters
        work = data.work
        with work.part(0, 0.1):
            graph, info = graph_of(data, points)
            clusters = k_means(points, parameters["n_clusters"], data.random_state, work)
        with work.part(0.1, 1):
            problem = Discriminative(points, graph.laplacian, parameters["alpha"], parameters["beta"])
            columns, n_iter, has_converged = problem.solve(clusters, parameters["max_iter"], work)
        info |= {"n_iter": n_iter, "has_converged": has_converged}
        if not has_converged:
            info["warnings"] = [f"the objective still changes after {counted(n_iter, 'iteration')}"]
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        return [*super().summary(parameters, info), counted(parameters["n_clusters"], "cluster")]


class LaplacianScore(Filter):
    """Laplacian score: smoothness on the graph of nearest rows."""

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
    own_parameters = GRAPH

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        with data.work.part(0, 0.7):
            graph, info = graph_of(data, points)
        with data.work.part(0.7, 1):
            forms = forms_on_graph(points, graph, data.work)
        return scored(data, points, forms.laplacian, info, small_is_good=True)


class Spec(Filter):
    """SPEC: smoothness of features under the similarity of all rows.

    Of the three scores of its paper, it is the second: smoothness without the part that is equal in all rows.
    """

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
    own_parameters = SIMILARITY

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        values = data.parameters
        work = data.work
        distances = Distances(points)
        gamma = values["gamma"]
        if gamma == MEDIAN:
            gamma = 1 / median_square(distances, data.random_state, work)
        forms = forms_of_all_pairs(points, distances, gamma, work)
        info: Info = {"bandwidth": float(np.sqrt(1 / (2 * gamma)))}
        return scored(data, points, forms.laplacian, info, small_is_good=True)


class SemiSupervisedLaplacian(Filter):
    """Laplacian score on a graph whose distances are those of targets where both rows are labelled."""

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
    own_parameters = MIXED_GRAPH

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*self.own_parameters, POOLED)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        return True

    def scores_of_points(self, data: MethodInput[None], points: Points) -> MethodResult:
        parameters = data.parameters
        work = data.work
        with work.part(0, 0.7):
            graph = mixed_graph(
                points,
                data.target,
                parameters["n_neighbors"],
                parameters["bandwidth"],
                parameters["labelled_weight"],
                work,
            )
        with work.part(0.7, 1):
            forms = forms_on_graph(points, graph, work)
        info: Info = {**_facts(graph), "labelled": int(data.target.labelled.sum())}
        return scored(data, points, forms.laplacian, info, small_is_good=True)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        texts = super().summary(parameters, info)
        if 0 < info.get("labelled", 0) < info["rows"]:
            texts.append(f"{info['labelled']:,} of {info['rows']:,} rows labelled")
        return texts
