"""Filters that learn a regression of the structure of the rows, or of all features, on the features."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..embedding.dimension import Estimator
from ..graph.eigenvectors import graph_product, inverse_roots, smooth_vectors
from ..points.nearest import distinct, nearest
from ..points.points import Points
from ..regression.autoencoder import train
from ..regression.clusters import k_means
from ..regression.discriminative import Discriminative
from ..regression.least_angle import MAX_STEPS, coefficients
from ..result import Info
from ..words import counted
from .base import Found, Method, MethodInput
from .filter_base import Filter, graph_of, scored
from .filter_parameters import AUTO, CLUSTERS, DISCRIMINATIVE, GRAPH, RECONSTRUCTION

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
        """The result for rows that are points."""
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
            information.append(f"{MAX_STEPS:,} features entered each regression; the others have no coefficient in it")
        columns = np.zeros(q)
        if targets.shape[1]:
            with work.part(0.3, 1):
                columns = np.abs(coefficients(points, targets, values["n_selected"], work)).max(axis=1)
        info["information"] = information
        return scored(data, points, columns, info, unit=float(columns.max()))

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """The number of neighbours and of eigenvectors."""
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
        """The result for rows that are points."""
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
        """The number of neighbours and of clusters."""
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
        """The result for rows that are points."""
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
        """The width of the hidden layer, and the number of steps."""
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
