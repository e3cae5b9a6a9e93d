"""Positions of variants on the axis of a Manhattan plot, and a search for them.

`job` computes them once for the filtered variants. The plot of *Rank Genotypes* asks for those that are visible.
"""

from dataclasses import dataclass

import numpy as np

from ...genetics.genotypes import Variants
from ...genetics.manhattan import along
from ..plane import Plane


@dataclass(frozen=True, eq=False)
class Places:
    """Positions of p variants on one axis.

    Attributes
    ----------
    x : (p,) float64 array
        Position of each variant, in [0, 1].
    number : (p,) int array
        Number of its chromosome, in the order of the axis.
    order : (p,) int array
        Indices of the variants from left to right.
    sorted : (p,) float64 array
        Positions in that order.
    names : tuple of str
        Names of the c chromosomes.
    ends : (c, 2) float64 array
        First and last position on each chromosome.
    """

    x: np.ndarray
    number: np.ndarray
    order: np.ndarray
    sorted: np.ndarray
    names: tuple[str, ...]
    ends: np.ndarray

    @classmethod
    def of(cls, variants: Variants) -> "Places":
        """Positions by chromosome and base pairs, or by the order of variants if these are unknown."""
        axis = along(variants)
        order = np.argsort(axis.x, kind="stable")
        ends = []
        for c in range(len(axis.labels)):
            x_of_chromosome = axis.x[axis.number == c]
            ends.append([x_of_chromosome.min(), x_of_chromosome.max()])
        names = tuple(name for name, _ in axis.labels)
        return cls(axis.x, axis.number, order, axis.x[order], names, np.array(ends))

    def within(self, low: float, high: float) -> np.ndarray:
        """Indices of the variants from low to high on the axis, from left to right."""
        first = np.searchsorted(self.sorted, low, "left")
        end = np.searchsorted(self.sorted, high, "right")
        chosen: np.ndarray = self.order[first:end]
        return chosen

    def thinned(self, heights: np.ndarray, plane: Plane, cell: float) -> np.ndarray:
        """Indices of the variants to draw: one for each cell of so many pixels in the visible plane.

        Parameters
        ----------
        heights : (p,) float64 array
            Heights of the variants.
        plane : Plane
            Visible part of the plot.
        cell : float
            Size of a cell in pixels.
        """
        visible = self.within(*plane.x)
        drawn: np.ndarray = visible[plane.thinned(self.x[visible], heights[visible], cell)]
        return drawn

    def nearest(self, heights: np.ndarray, plane: Plane, at: tuple[float, float], reach: float) -> int | None:
        """Index of the variant nearest to a point, or None if none is near enough.

        Parameters
        ----------
        heights : (p,) float64 array
            Heights of the variants.
        plane : Plane
            Visible part of the plot.
        at : (float, float)
            Position and height of the point.
        reach : float
            Largest distance in pixels.
        """
        reach_in_x = reach * (plane.x[1] - plane.x[0]) / plane.width
        candidates = self.within(at[0] - reach_in_x, at[0] + reach_in_x)
        nearest = plane.nearest(self.x[candidates], heights[candidates], at, reach)
        return None if nearest is None else int(candidates[nearest])
