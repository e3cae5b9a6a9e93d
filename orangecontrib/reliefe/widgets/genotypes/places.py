"""Places of variants in a Manhattan plot, and those of them that are drawn.  Knows nothing of widgets."""

from dataclasses import dataclass

import numpy as np

from ...genetics.genotypes import Variants
from ...genetics.manhattan import along

SEPARATOR = "|"  # of the parts of a label


@dataclass(frozen=True, eq=False)
class Places:
    """Places of p variants on one axis.

    x (p,): in [0, 1]; number (p,): of their chromosome, in the order of drawing; order (p,): indices from left to
    right, sorted (p,): x in that order; names and ends (c, 2): of the chromosomes.
    """

    x: np.ndarray
    number: np.ndarray
    order: np.ndarray
    sorted: np.ndarray
    names: tuple[str, ...]
    ends: np.ndarray

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


def label_of(variants: Variants, variant: int) -> str:
    """Name, chromosome and position of a variant; names alone may be those of many."""
    v = variants
    return SEPARATOR.join((str(v.name[variant]), str(v.chromosome[variant]), str(v.position[variant])))


def find(variants: Variants, label: str) -> int | None:
    """Index of the variant with this label; None if there is none."""
    parts = label.rsplit(SEPARATOR, 2)
    some = np.flatnonzero(variants.name == parts[0])
    return next((f for f in some.tolist() if label_of(variants, f) == label), None)


@dataclass(frozen=True)
class View:
    """Part of the plane that is seen, and its size in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: float
    height: float

    def pixels(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances in pixels from the lower left corner."""
        across, up = self.x[1] - self.x[0], self.y[1] - self.y[0]
        return (x - self.x[0]) * (self.width / across), (y - self.y[0]) * (self.height / up)


def thinned(places: Places, heights: np.ndarray, view: View, cell: float) -> np.ndarray:
    """Indices of the variants that are drawn: of those in one cell of so many pixels, one."""
    some = places.within(*view.x)
    y = heights[some]
    inside = (y >= view.y[0]) & (y <= view.y[1])
    if not inside.all():
        some, y = some[inside], y[inside]
    columns, rows = int(view.width / cell) + 1, int(view.height / cell) + 1
    if len(some) <= columns:
        return some
    px, py = view.pixels(places.x[some], y)
    cells = (px / cell).astype(np.int32) * np.int32(rows) + (py / cell).astype(np.int32)
    shown = np.full(columns * rows, -1)
    shown[np.minimum(cells, columns * rows - 1)] = some
    return shown[shown >= 0]


def nearest(places: Places, heights: np.ndarray, view: View, at: tuple[float, float], reach: float) -> int | None:
    """Index of the variant that is nearest to a place in the plane, at most so many pixels away; None if none is."""
    step = reach * (view.x[1] - view.x[0]) / view.width
    some = places.within(at[0] - step, at[0] + step)
    if not len(some):
        return None
    px, py = view.pixels(places.x[some], heights[some])
    x, y = view.pixels(np.array(at[0]), np.array(at[1]))
    far = (px - x) ** 2 + (py - y) ** 2
    best = int(far.argmin())
    return int(some[best]) if far[best] <= reach**2 else None
