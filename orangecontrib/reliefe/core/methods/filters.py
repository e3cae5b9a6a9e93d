"""Filters: methods that look at rows as points; here those that ask how smooth a feature is on a graph of them."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..graph.distances import Distances
from ..graph.eigenvectors import inverse_roots, smooth_vectors
from ..graph.neighbours import MEDIAN, median_square
from ..graph.semi_supervised import mixed_graph
from ..graph.smoothness import Forms, all_pairs_product, forms_of_all_pairs, forms_on_graph
from ..points.points import Points
from ..result import Info
from ..targets.targets import CLASSIFICATION, REGRESSION, SEVERAL, UNSUPERVISED
from .base import Found, Method, MethodInput
from .embedded_filters import EMBEDDED_FILTERS
from .filter_base import Filter, graph_of, scored
from .filter_parameters import GRAPH, MIXED_GRAPH, POOLED, STYLES
from .parameters import Parameter
from .supervised_filters import SUPERVISED_FILTERS


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
        """The result for rows that are points."""
        with data.work.part(0, 0.7):
            graph, info = graph_of(data, points)
        with data.work.part(0.7, 1):
            forms = forms_on_graph(points, graph, data.work)
        return scored(data, points, forms.laplacian, info, small_is_good=True)

    def summary(self, parameters: Mapping[str, Any], info: Info) -> list[str]:
        """The number of neighbours."""
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
        """The result for rows that are points."""
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
        """Its parameters with their defaults."""
        return (*self.own, POOLED)

    def uses_unlabelled(self, parameters: Mapping[str, Any]) -> bool:
        """True: rows without a known target are near others by their features."""
        return True

    def found(self, data: MethodInput[None], points: Points) -> Found:
        """The result for rows that are points."""
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
        """The number of neighbours, and how many rows are labelled."""
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
