"""Places of variants on the axis of a Manhattan plot."""

from dataclasses import dataclass

import numpy as np

from ...genetics.genotypes import Variants
from ...genetics.manhattan import along
from ..plane import Plane


@dataclass(frozen=True, eq=False)
class Places:
    """Places of p variants of c chromosomes on one axis."""

    x: np.ndarray  # (p,) in [0, 1]
    number: np.ndarray  # (p,) of the chromosome, in the order of drawing
    order: np.ndarray  # (p,) variants from left to right
    sorted: np.ndarray  # (p,) x in that order
    names: tuple[str, ...]  # of the chromosomes
    ends: np.ndarray  # (c, 2) x of the first and the last variant of a chromosome

    @classmethod
    def of(cls, variants: Variants) -> "Places":
        """Places by chromosome and position, or by order where these are not known."""
        x, number, labels = along(variants)
        order = np.argsort(x, kind="stable")
        ends = np.array([[x[own].min(), x[own].max()] for own in (number == c for c in range(len(labels)))])
        return cls(x, number, order, x[order], tuple(name for name, _ in labels), ends)

    def within(self, low: float, high: float) -> np.ndarray:
        """Indices of the variants in a stretch of the axis, from left to right."""
        first, last = np.searchsorted(self.sorted, low, "left"), np.searchsorted(self.sorted, high, "right")
        return self.order[first:last]

    def thinned(self, heights: np.ndarray, plane: Plane, cell: float) -> np.ndarray:
        """Indices of the variants that are drawn: of those in one cell of so many pixels, one."""
        seen = self.within(*plane.x)
        return seen[plane.thinned(self.x[seen], heights[seen], cell)]

    def nearest(self, heights: np.ndarray, plane: Plane, at: tuple[float, float], reach: float) -> int | None:
        """Index of the variant nearest to a place in the plane, at most so many pixels away; None if none is."""
        step = reach * (plane.x[1] - plane.x[0]) / plane.width
        near = self.within(at[0] - step, at[0] + step)
        place = plane.nearest(self.x[near], heights[near], at, reach)
        return None if place is None else int(near[place])
