"""Contents of pictures of one or two features: boxes, stacked bars, points, a histogram, or a grid of cells.

`of_table` makes them, and `widgets.charts.values` draws them. Their descriptions are for screen readers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np

from ...core.words import counted

MAX_DESCRIBED = 8  # groups or cells in a description; chosen by eye


def _shares(parts: Iterable[str], shares: Iterable[float]) -> str:
    """Names of classes with their shares in per cent, without empty classes."""
    return ", ".join(f"{part} {100 * share:.0f} %" for part, share in zip(parts, shares, strict=True) if share)


@dataclass(frozen=True, eq=False)
class Side:
    """An axis.

    Attributes
    ----------
    title : str
        Title of the axis.
    names : tuple of str
        Names of the values at 0, 1, ...; empty for numbers.
    """

    title: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Boxes:
    """Box plots of numbers by group.

    Attributes
    ----------
    axis : str
        Title of the axis of numbers.
    groups : tuple of (str, (m,) array)
        Name and numbers of each group, from top to bottom.
    colored : bool
        Whether groups are classes, and have their colours.
    """

    axis: str
    groups: tuple[tuple[str, np.ndarray], ...]
    colored: bool = True

    def described(self) -> str:
        """Description for screen readers."""
        groups = self.groups[:MAX_DESCRIBED]
        texts = [f"{name}: median {np.median(v):.4g} of {counted(len(v), 'row')}" for name, v in groups]
        return f"{self.axis}. " + "; ".join(texts)


@dataclass(frozen=True, eq=False)
class Bars:
    """Stacked bars of numbers of rows.

    Attributes
    ----------
    names : tuple of str
        Names of the g values of the feature.
    parts : tuple of str
        Names of the c classes; "rows" if there is no target.
    counts : (g, c) int array
        Numbers of rows by value and class.
    """

    names: tuple[str, ...]
    parts: tuple[str, ...]
    counts: np.ndarray

    def described(self) -> str:
        """Description for screen readers."""
        texts = []
        for name, row in zip(self.names[:MAX_DESCRIBED], self.counts, strict=False):
            text = f"{name}: {counted(int(row.sum()), 'row')}"
            if len(self.parts) > 1:
                text += f", {_shares(self.parts, row / max(row.sum(), 1))}"
            texts.append(text)
        return "; ".join(texts)


@dataclass(frozen=True, eq=False)
class ScatterPoints:
    """Points in the plane, coloured by a target.

    Attributes
    ----------
    sides : (Side, Side)
        Horizontal and vertical axis.
    x, y : (m,) float64 arrays
        Positions. If the vertical axis has names, the rounded y is the number of the name.
    parts : tuple of str
        Names of the classes of the target; empty if it is a number, or there is none.
    codes : (m,) int array, optional
        Class of each point.
    values : (m,) float64 array, optional
        Number of each point.
    correlation : float, optional
        Absolute correlation of x and y, with which their medians are drawn.
    """

    sides: tuple[Side, Side]
    x: np.ndarray
    y: np.ndarray
    parts: tuple[str, ...] = ()
    codes: np.ndarray | None = None
    values: np.ndarray | None = None
    correlation: float | None = None

    def described(self) -> str:
        """Description for screen readers."""
        if self.correlation is not None:
            return f"{counted(len(self.x), 'row')}, absolute correlation {self.correlation:.2f}"
        if self.sides[1].names:
            texts = []
            for lane, name in enumerate(self.sides[1].names):
                x = self.x[self.y.round() == lane]
                if len(x):
                    texts.append(f"{name}: median {np.median(x):.3g} of {counted(len(x), 'row')}")
            return f"{self.sides[0].title}. {'; '.join(texts)}"
        return f"{counted(len(self.x), 'row')}: {self.sides[0].title} to the right, {self.sides[1].title} upwards"


@dataclass(frozen=True, eq=False)
class Histogram:
    """Histogram of a number.

    Attributes
    ----------
    axis : str
        Name of the feature.
    edges : (b + 1,) float64 array
        Edges of the bins.
    counts : (b,) int array
        Numbers of rows in the bins.
    """

    axis: str
    edges: np.ndarray
    counts: np.ndarray

    def described(self) -> str:
        """Description for screen readers."""
        return f"{counted(int(self.counts.sum()), 'row')} from {self.edges[0]:.4g} to {self.edges[-1]:.4g}"


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of two categorical features, with a target.

    Attributes
    ----------
    sides : (Side, Side)
        Horizontal axis of gx values, vertical axis of gy values.
    sizes : (gx, gy) int array
        Numbers of rows.
    parts : tuple of str
        Names of the c classes of the target; empty if it is a number.
    shares : (gx, gy, c) float64 array, optional
        Shares of the classes.
    means : (gx, gy) float64 array, optional
        Means of a number.
    """

    sides: tuple[Side, Side]
    sizes: np.ndarray
    parts: tuple[str, ...] = ()
    shares: np.ndarray | None = None
    means: np.ndarray | None = None

    def described(self) -> str:
        """Description for screen readers."""
        first, second = self.sides
        texts = []
        for cell in np.argsort(-self.sizes, axis=None, kind="stable")[: MAX_DESCRIBED + 1]:
            i, j = np.unravel_index(cell, self.sizes.shape)
            if self.sizes[i, j]:
                cell_name = f"{first.title} {first.names[i]}, {second.title} {second.names[j]}"
                texts.append(f"{cell_name}: {self.inside(i, j)} of {counted(int(self.sizes[i, j]), 'row')}")
        return "; ".join(texts)

    def inside(self, i: int, j: int) -> str:
        """Words for the mean, or the shares of the classes, in a cell."""
        if self.means is not None:
            return f"mean {self.means[i, j]:.4g}"
        shares = cast("np.ndarray", self.shares)
        return _shares(self.parts, shares[i, j])


@dataclass(frozen=True, eq=False)
class Values:
    """Picture of one or two features.

    Attributes
    ----------
    title : str
        Names of the features and of the target.
    caption : str
        Numbers of rows and of missing values.
    drawing : Boxes, Bars, ScatterPoints, Histogram or Grid, optional
        Content. None if no row has all values.
    target : int
        Index of the target in the picture.
    direction : str
        Which way the feature goes with the target; empty if this is not known.
    """

    title: str
    caption: str
    drawing: Boxes | Bars | ScatterPoints | Histogram | Grid | None = None
    target: int = 0
    direction: str = ""

    @property
    def described(self) -> str:
        """Description for screen readers."""
        about = f"{self.drawing.described()}. " if self.drawing else ""
        direction = f"{self.direction}. " if self.direction else ""
        return f"{self.title}. {about}{direction}{self.caption}"
