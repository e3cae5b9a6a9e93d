"""Contents of pictures of one or two features: boxes, stacked bars, points, a histogram, or a grid of cells."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...core.words import counted

DESCRIBED = 8  # groups or cells in a description


def _shares(parts: Iterable[str], shares: Iterable[float]) -> str:
    return ", ".join(f"{part} {100 * share:.0f} %" for part, share in zip(parts, shares, strict=True) if share)


@dataclass(frozen=True, eq=False)
class Side:
    """Title of an axis, and names of the values at 0, 1, ..., or () for numbers."""

    title: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Boxes:
    """Numbers by group: (name, values (m,)) of each group, from top to bottom; axis: what the numbers are."""

    axis: str
    groups: tuple[tuple[str, np.ndarray], ...]
    colored: bool = True  # groups are classes, and look like them

    def described(self) -> str:
        groups = self.groups[:DESCRIBED]
        texts = [f"{name}: median {np.median(v):.4g} of {counted(len(v), 'row')}" for name, v in groups]
        return f"{self.axis}. " + "; ".join(texts)


@dataclass(frozen=True, eq=False)
class Bars:
    """Counts (g, c) of rows by the feature's value and by class; parts: names of the classes, one of rows if none."""

    names: tuple[str, ...]
    parts: tuple[str, ...]
    counts: np.ndarray

    def described(self) -> str:
        texts = []
        for name, row in zip(self.names[:DESCRIBED], self.counts, strict=False):
            shares = f", {_shares(self.parts, row / max(row.sum(), 1))}" * (len(self.parts) > 1)
            texts.append(f"{name}: {counted(int(row.sum()), 'row')}{shares}")
        return "; ".join(texts)


@dataclass(frozen=True, eq=False)
class Points:
    """Places x, y (m,); codes (m,) of the classes `parts`, or values (m,) of a number, or neither.

    correlation: of x and y, whose medians are then drawn.
    """

    sides: tuple[Side, Side]
    x: np.ndarray
    y: np.ndarray
    parts: tuple[str, ...] = ()
    codes: np.ndarray | None = None
    values: np.ndarray | None = None
    correlation: float | None = None

    def described(self) -> str:
        if self.correlation is not None:
            return f"{counted(len(self.x), 'row')}, absolute correlation {self.correlation:.2f}"
        return f"{counted(len(self.x), 'row')}: {self.sides[0].title} to the right, {self.sides[1].title} upwards"


@dataclass(frozen=True, eq=False)
class Histogram:
    """Numbers of rows (b,) between edges (b + 1,) of a feature."""

    axis: str
    edges: np.ndarray
    counts: np.ndarray

    def described(self) -> str:
        return f"{counted(int(self.counts.sum()), 'row')} from {self.edges[0]:.4g} to {self.edges[-1]:.4g}"


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of two categories: sizes (gx, gy); shares (gx, gy, c) of the classes `parts`, or means (gx, gy) of a number
    if there are none."""

    sides: tuple[Side, Side]
    sizes: np.ndarray
    parts: tuple[str, ...] = ()
    shares: np.ndarray | None = None
    means: np.ndarray | None = None

    def described(self) -> str:
        (first, second), texts = self.sides, []
        for cell in np.argsort(-self.sizes, axis=None, kind="stable")[: DESCRIBED + 1]:
            i, j = np.unravel_index(cell, self.sizes.shape)
            if self.sizes[i, j]:
                where = f"{first.title} {first.names[i]}, {second.title} {second.names[j]}"
                texts.append(f"{where}: {self.inside(i, j)} of {counted(int(self.sizes[i, j]), 'row')}")
        return "; ".join(texts)

    def inside(self, i: int, j: int) -> str:
        """Mean, or shares of the classes, in a cell."""
        return f"mean {self.means[i, j]:.4g}" if self.means is not None else _shares(self.parts, self.shares[i, j])


@dataclass(frozen=True, eq=False)
class Values:
    """Picture of one or two features; target: index of the one that it shows; drawing: None where no row has all
    values."""

    title: str
    caption: str
    drawing: Boxes | Bars | Points | Histogram | Grid | None = None
    target: int = 0

    @property
    def described(self) -> str:
        about = f"{self.drawing.described()}. " if self.drawing else ""
        return f"{self.title}. {about}{self.caption}"
