"""Base of charts of curves that mouse and keys go along: scores by rank, quality, score by k, convergence (Qt)."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor

from ...orange.plane import Plane
from .callout import Callout
from .chart import Chart
from .chart_view import MIN_SIZE, ChartView
from .keys import ARROWS, CHOOSE

ALONG = "Left and Right go along a curve, Up and Down to another one"  # for descriptions of charts
TINY = 1e-9  # pixels


class Curve(NamedTuple):
    """Points of a curve, in units of the axes."""

    x: np.ndarray  # (m,) ascending
    y: np.ndarray  # (m,), NaN where the curve has no point
    color: QColor


class Spot(NamedTuple):
    """A point of a curve."""

    line: int  # number of the curve
    point: int  # number of the point


class CurveView(ChartView):
    """Names the point of a curve that is nearest to the mouse, or that the arrow keys went to, in a text beside it.

    A subclass calls `set_curves` whenever it draws, and describes a point in `about(spot)`. Points may be chosen:
    `choose(spot)`.

    Parameters
    ----------
    name, note : str
        Name and description for screen readers.
    parent : QWidget, optional
    least : (int, int)
        Least width and height in pixels.
    """

    reach: float | None = None  # vertical pixels from a curve within which the mouse means it; None: any
    chosen_by_click = True  # False: points are chosen by keys only

    def __init__(self, name: str, note: str, parent=None, least: tuple[int, int] = MIN_SIZE):
        self.note = note
        self.curves: tuple[Curve, ...] = ()
        super().__init__(name, parent, least)
        self.setFocusPolicy(Qt.StrongFocus)
        self.scene().sigMouseClicked.connect(self._clicked)

    @property
    def pointed(self) -> Chart:
        """The chart with the curves."""
        return self.chart

    @cached_property
    def callout(self) -> Callout:
        """Text beside the current point."""
        return Callout()

    def set_curves(self, curves: Sequence[Curve]) -> None:
        """Set the curves that the chart shows now; called last in each drawing."""
        self.curves = tuple(curves)
        if self.current is not None and not self._has(self.current):
            self.current = None
        if self.curves:
            self.pointed.put(*self.callout.items)
        self.describe()
        self.mark()

    def clear(self):
        super().clear()
        self.set_curves(())

    def _has(self, spot: Spot) -> bool:
        return spot.line < len(self.curves) and spot.point < len(self.curves[spot.line].x)

    def first_line(self) -> int:
        """Number of the curve that keys begin at."""
        return 0

    def choose(self, spot: Spot) -> None:
        """The user chose a point, by a click or a key."""

    def tip(self):
        return ""  # the text beside the point says it

    def mark(self):
        if not self.curves:
            return
        if self.current is None or not np.isfinite(self._y(self.current)):
            self.callout.hide()
            return
        curve = self.curves[self.current.line]
        x, y = curve.x[self.current.point], curve.y[self.current.point]
        self.callout.show(self.pointed.vb, x, y, self.about(self.current), curve.color, self.palette())

    def _y(self, spot: Spot) -> float:
        return float(self.curves[spot.line].y[spot.point])

    def describe(self):
        pointing = self.current is not None and np.isfinite(self._y(self.current))
        self.setAccessibleDescription(self.about(self.current) if pointing else self.overview())

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def element_at(self, position):
        """The point, in the column of points that is nearest to the mouse, of the curve that is nearest there."""
        box = self.pointed.vb
        if not self.curves or not box.sceneBoundingRect().contains(position):
            return None
        at, plane = box.mapSceneToView(position), Plane.of(box)
        mouse_x, mouse_y = plane.pixels(np.array(at.x()), np.array(at.y()))
        spots, across, up = [], [], []
        for line, curve in enumerate(self.curves):
            x, y = plane.pixels(curve.x, curve.y)
            distances = np.where(np.isfinite(y), np.abs(x - mouse_x), np.inf)
            nearest = int(np.argmin(distances)) if len(distances) else 0
            if len(distances) and np.isfinite(distances[nearest]):
                spots.append(Spot(line, nearest))
                across.append(distances[nearest])
                up.append(abs(y[nearest] - mouse_y))
        if not spots:
            return None
        in_column = np.array(across) <= min(across) + TINY
        best = int(np.argmin(np.where(in_column, up, np.inf)))
        return spots[best] if self.reach is None or up[best] <= self.reach else None

    def _clicked(self, event):
        if event.button() != Qt.LeftButton or not self.chosen_by_click:
            return
        spot = self.element_at(event.scenePos())
        self.set_current(spot)
        if spot is not None:
            self.choose(spot)

    def keyPressEvent(self, event):
        """Go along a curve, or to another one. Overrides QGraphicsView.keyPressEvent."""
        key = event.key()
        if not self.curves or key not in (*ARROWS, *CHOOSE):
            super().keyPressEvent(event)
        elif key in CHOOSE:
            if self.current is not None:
                self.choose(self.current)
        elif self.current is None:
            self.set_current(self._first_of(range(len(self.curves)), self.first_line(), -np.inf))
        else:
            down, right = ARROWS[key]
            self.set_current(self._along(right) if right else self._on_next_curve(down))

    def _along(self, step: int) -> Spot:
        """The next point of the same curve; the same at its ends."""
        line, point = self.current
        drawn = np.flatnonzero(np.isfinite(self.curves[line].y))
        beyond = drawn[drawn > point] if step > 0 else drawn[drawn < point][::-1]
        return Spot(line, int(beyond[0])) if len(beyond) else self.current

    def _on_next_curve(self, step: int) -> Spot:
        """The point of the next curve that has any, at the same x or near it."""
        line, point = self.current
        steps = range(step, step * (len(self.curves) + 1), step)
        return self._first_of(steps, line, self.curves[line].x[point]) or self.current

    def _first_of(self, steps: range, line: int, x: float) -> Spot | None:
        """Return the point nearest to x of the first curve at ``line + step`` that has any; None if none has.

        Curves after the last one are the first ones again.
        """
        for step in steps:
            spot = self._nearest((line + step) % len(self.curves), x)
            if spot is not None:
                return spot
        return None

    def _nearest(self, line: int, x: float) -> Spot | None:
        """The point of a curve nearest to x; None if it has no points."""
        curve = self.curves[line]
        drawn = np.flatnonzero(np.isfinite(curve.y))
        if not len(drawn):
            return None
        distances = np.abs(curve.x[drawn] - max(x, curve.x[drawn[0]]))
        return Spot(line, int(drawn[np.argmin(distances)]))
