"""Scores for every number of neighbours from one search: for sliders, and for curves of score against k.

`core` exports `neighbour_curves`; a widget's slider and its chart read the `NeighbourCurves`.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..checked_call import check_call
from ..checks import number, several, whole
from ..evaluation.agreement import spearman
from ..methods.base import CONVERGE
from ..relief.every_k import EveryK
from ..words import choices, shown
from ..work.threads import Progress

MAX_K = 100  # largest number of neighbours by default
SAME = "same"  # stands for the sigma of the request
AGREEMENT = 0.9  # correlation of the rankings by k / 2 and 2 k below which the ranking depends on k; chosen by eye


@dataclass(frozen=True, eq=False, repr=False)
class NeighbourCurves:
    """Scores of p features for every number of neighbours, by one method.

    method: its name.
    max_neighbors: largest number of neighbours, K.
    n_neighbors: that of the request, at most K.
    sigma: that of the request; None: all neighbours weigh the same.
    names: of the features, where the data had any, or None.
    """

    method: str
    max_neighbors: int
    n_neighbors: int
    sigma: float | None
    names: tuple[str, ...] | None
    _all: EveryK

    def __repr__(self) -> str:
        run = self._all.run
        return f"NeighbourCurves({self.method}, {run.n} rows, {run.p} features, 1 to {self.max_neighbors} neighbours)"

    def scores(self, k: int | None = None, sigma: float | str | None = SAME) -> np.ndarray:
        """Compute the scores (p,) for k neighbours: those of `rank` within 1e-6.

        Parameters
        ----------
        k : int, optional
            From 1 to `max_neighbors`; None: `n_neighbors`.
        sigma : float, optional
            Above 0: the neighbour at place i has the weight exp(-(i / sigma)^2).  None: equal weights.  By default that
            of the request.
        """
        return self._all.scores(self._k(k), self._sigma(sigma))

    def at_once(self, sigma: float | str | None = SAME) -> bool:
        """Return True if `scores` is immediate.

        Sums with a sigma among equal distances, or for classes of many sizes, take a small part of the time of a
        ranking.
        """
        return self._all.at_once(self._sigma(sigma))

    def curve(self, features: object, sigma: float | str | None = SAME) -> np.ndarray:
        """Compute the scores (K, c) for 1 to K neighbours of c features, indices or names; sigma: as in `scores`."""
        return self._all.curves(self._features(features), self._sigma(sigma))

    def band(
        self, features: object, sigma: float | str | None = SAME, z: float = 2.0
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Compute the band of scores by chance: mean -+ z standard deviations for every number of neighbours.

        It is for permuted values of the feature, in closed form (Mantel 1967, Cancer Research 27:209).

        Parameters
        ----------
        features, sigma
            As in `curve`.
        z : float
            Width of the band, above 0.

        Returns
        -------
        low, high : (K, c) arrays, or None
            None if there is no closed form: with a ramp, and for fewer than four rows.
        """
        width = number("z", z)
        if not (np.isfinite(width) and width > 0):
            raise ValueError(f"z must be above 0, not {shown(z)}")
        moments = self._all.spread(self._features(features), self._sigma(sigma))
        if moments is None:
            return None
        mean, deviation = moments
        return mean - width * deviation, mean + width * deviation

    def agreement(self, k: int | None = None, sigma: float | str | None = SAME) -> float:
        """Correlate the rankings by half and by twice as many neighbours, or as many as there are (Spearman).

        NaN where all scores are equal.  k, sigma: as in `scores`.
        """
        k = self._k(k)
        by_few = self.scores(max(k // 2, 1), sigma)
        by_many = self.scores(min(2 * k, self.max_neighbors), sigma)
        return spearman(by_few, by_many)

    def depends_on_k(self, k: int | None = None, sigma: float | str | None = SAME) -> bool:
        """Return True if the ranking is another one with half or twice as many neighbours: `agreement` below 0.9."""
        return self.agreement(k, sigma) < AGREEMENT

    def _k(self, k: int | None) -> int:
        """Read a number of neighbours; None: that of the request."""
        return self.n_neighbors if k is None else whole("k", k, 1, self.max_neighbors)

    def _sigma(self, sigma: float | str | None) -> float | None:
        """Read a sigma; `SAME`: that of the request."""
        if isinstance(sigma, str) and sigma == SAME:
            return self.sigma
        if sigma is None:
            return None
        width = number("sigma", sigma)
        if not (np.isfinite(width) and width > 0):
            raise ValueError(f"sigma must be above 0, or None, not {shown(sigma)}")
        return width

    def _features(self, features: object) -> np.ndarray:
        """Read features, by name or index, as indices (c,)."""
        p = self._all.run.p
        names = self.names or ()
        indices = []
        for feature in several("features", features):
            if isinstance(feature, str) and feature not in names:
                raise ValueError(f"unknown feature {shown(feature)}; {choices(feature, names, shown)}")
            index = names.index(feature) if isinstance(feature, str) else whole("features", feature, 0, p - 1)
            indices.append(index)
        return np.array(indices, int)


def neighbour_curves(
    X: object,
    y: object = None,
    method: str = "relieff",
    *,
    max_neighbors: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **options: Any,
) -> NeighbourCurves:
    """Compute scores for every number of neighbours, and every sigma, from one search: by sums over places of lists.

    A curve that falls as k grows shows an interaction, or a local effect. One that rises or stays shows a main effect.
    Where two curves cross, the ranking depends on k.  Missing values that are ignored have no curves.

    Parameters
    ----------
    X, y, n_jobs, progress, **options
        As in `rank`.
    method : str
        "relieff", "reliefa", "erelieff" or "rrelieff".
    max_neighbors : int, optional
        Largest number of neighbours; None: 100.  Never more than the largest class has rows, or than fit into 64
        MB of sums.  With covariates there are no sums: neighbours are added up for each number, and there is no band.
    """
    max_k = MAX_K if max_neighbors is None else whole("max_neighbors", max_neighbors, 1)
    request = check_call(X, y, method, **options)
    request.refuse_groups("curves over numbers of neighbours")
    parameters = request.parameters
    if parameters.get("n_instances") == CONVERGE:
        raise ValueError(f'n_instances must be a number, or None for all rows, not "{CONVERGE}"')
    work = request.work(n_jobs, progress)
    scores = request.method.every_k(request.input(work), max_k)
    work.finish()
    k = min(cast("int", parameters["n_neighbors"]), scores.K)
    return NeighbourCurves(request.method.name, scores.K, k, parameters.get("sigma"), request.table.names, scores)
