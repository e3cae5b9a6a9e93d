"""Volcano plot of the leading score: scores against false discovery rates; a view of the rankers."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPoint, QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QRubberBand

from ...core.words import percent
from ...orange.plane import Plane
from ...orange.ranker.scores import MethodScores
from ..charts.chart import Chart, line_pen
from ..charts.legend import DASHED, DISK, DOTTED, RING, Entry
from ..charts.point_view import MIN_SIZE, PointView
from ..utils.colors import muted
from .measures import FAMILY_WISE, significance_text

ABOUT = "Left and Right go from feature to feature, the best first; Space adds or removes one, Enter selects it alone"
LEFT_TITLE = "\u2212log\u2081\u2080 q"
TRIED = 60  # of the best features that get a name if there is room
NAMED_ANYWAY = 3  # where no feature is significant
SIZE, SELECTED_SIZE = 6, 10  # pixels of points
HEADROOM = 1.25  # heights of the highest point that the axis has, for names above it
CELL = 0.5  # pixels within which one point is drawn
FEW = 2000  # points that are all drawn
DRAG = 4  # pixels from which on a click is a rectangle


class Rectangle:
    """Rectangle that the user draws over a view with the mouse."""

    def __init__(self, view: PointView):
        self._view = view
        self._corner: QPoint | None = None  # where the button was pressed
        self.band = QRubberBand(QRubberBand.Rectangle, view)

    def begin(self, corner: QPoint) -> None:
        """The button was pressed."""
        self._corner = corner

    def move(self, corner: QPoint) -> bool:
        """The mouse moved; returns True if a rectangle is shown."""
        if self._corner is not None and (corner - self._corner).manhattanLength() > DRAG:
            self.band.setGeometry(QRect(self._corner, corner).normalized())
            self.band.show()
        return self.band.isVisible()

    def end(self, corner: QPoint) -> QRectF | None:
        """The button was released; returns the rectangle in the scene, None if the mouse did not move."""
        begin, self._corner = self._corner, None
        if begin is None or not self.band.isVisible():
            return None
        self.band.hide()
        return QRectF(self._view.mapToScene(begin), self._view.mapToScene(corner)).normalized()


class Volcano(PointView):
    """Shows the leading score once it is tested; a click, or a rectangle, selects features; Ctrl adds to these."""

    selected_by_hand = Signal(object)  # mask (p,) of the features that the user selected
    most_named = 12

    def __init__(self, parent=None):
        self.scores: MethodScores | None = None
        self.selected = np.zeros(0, bool)  # (p,)
        super().__init__("Scores against false discovery rates", ABOUT, parent)
        self.rectangle = Rectangle(self)

    def make_chart(self):
        self._ring = pg.ScatterPlotItem(size=SELECTED_SIZE, brush=None)  # around selected points
        return Chart("", LEFT_TITLE)

    def show_scores(self, scores: MethodScores | None, names: list[str], selected: np.ndarray) -> None:
        """Show a score with its significance.

        Parameters
        ----------
        scores : MethodScores or None
            None, or a score without significance: the chart is empty.
        names : list of str, length p
        selected : ndarray of bool, shape (p,)
        """
        if scores is not None and scores.significance is None:
            scores = None
        if scores is not self.scores:
            self.scores = scores
            self._set_points(names)
        self.set_selected(selected)

    def _set_points(self, names):
        if self.scores is None:
            self.set_points(np.zeros(0), np.zeros(0), (), np.zeros(0, int))
            return
        significance = self.scores.significance
        order = np.argsort(-significance.z, kind="stable")
        self.set_points(self.scores.values, -np.log10(significance.q), names, order)

    def set_selected(self, selected: np.ndarray) -> None:
        """Mark selected features, (p,) bool."""
        self.selected = selected
        self.mark()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw_points(self):
        scores, palette = self.scores, self.palette()
        strong, weak = self.hue(scores.number), muted(palette, 0.55)
        entries = [
            Entry(f"FDR {percent(scores.level)}", strong, symbol=DISK),
            Entry("the rest", weak, symbol=DISK),
            Entry("selected", self.text_color, symbol=RING),
        ]
        self.chart.restart(True, entries, self.text_color)
        self.chart.setLabel("bottom", escape(scores.title))
        plane = self._whole()
        for mask, color, z in ((~scores.real, weak, 3), (scores.real, strong, 5)):
            drawn = self._thinned(np.flatnonzero(mask), plane)
            self.chart.dots(self.x[drawn], self.y[drawn], color, SIZE, z)
        self._ring.setPen(pg.mkPen(muted(palette, 0.2), width=1))
        self.chart.put(self._ring, z=6)
        self._draw_levels(muted(palette, 0.25))
        self.chart.setXRange(*plane.x, padding=0)
        self.chart.setYRange(*plane.y, padding=0)

    def _draw_levels(self, color):
        """Draw the lines of the false discovery rate and of the family-wise error rate."""
        level = self.scores.level
        pen = line_pen(color, 1, DASHED)
        self.chart.level(-np.log10(level), pen, f"FDR {percent(level)}", at=0.01, anchor=(0, 0))
        strict = self._family_wise()
        if strict is not None:
            pen = line_pen(color, 1, DOTTED)
            self.chart.level(strict, pen, f"family-wise {percent(FAMILY_WISE)}", at=0.01, anchor=(0, 1))

    def _thinned(self, features: np.ndarray, plane: Plane) -> np.ndarray:
        """Those of the features whose points pixels can show."""
        features = features[np.isfinite(self.x[features])]
        if len(features) < FEW:
            return features
        return features[plane.thinned(self.x[features], self.y[features], CELL)]

    def _whole(self) -> Plane:
        """Plane with all points, and room for names above them."""
        x = self.x[np.isfinite(self.x)]
        low, high = float(x.min(initial=0)), float(x.max(initial=0))
        pad = 0.04 * (high - low) or 1.0
        top = max(float(self.y.max(initial=0)), -np.log10(self.scores.level))
        width, height = MIN_SIZE
        size = max(self.width(), width), max(self.height(), height)
        return Plane((low - pad, high + 2 * pad), (-0.04 * top, HEADROOM * top), *size)

    def _family_wise(self) -> float | None:
        """Height of the line above which the family-wise error rate is at most 5 %; None if no feature is above.

        q and the family-wise p both fall as z rises, so that a line of one is a line of the other.
        """
        significant = self.scores.significance.family_wise <= FAMILY_WISE
        if not significant.any() or significant.all():
            return None
        return float((self.y[significant].min() + self.y[~significant].max()) / 2)

    def mark(self):
        super().mark()
        if self.has_content and not self._stale and self.has_charts and len(self.selected) == len(self.x):
            drawn = self._thinned(np.flatnonzero(self.selected), self._whole())
            self._ring.setData(self.x[drawn], self.y[drawn])

    def candidates(self):
        best = self.order[: min(TRIED, int(self.scores.real.sum())) or NAMED_ANYWAY]
        return best[np.isfinite(self.scores.significance.z[best])]

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def about(self, feature):
        numbers = significance_text(self.scores.significance, feature)
        selected = ", selected" if self.selected[feature] else ""
        return f"{self.names[feature]}{selected}: {self.scores.title} {self.scores.text(feature)}, {numbers}"

    def features_in(self, area: QRectF) -> np.ndarray:
        """(p,) bool: features whose points lie in an area of the scene."""
        x, y = self.pixels().T
        return (area.left() <= x) & (x <= area.right()) & (area.top() <= y) & (y <= area.bottom())

    def pick_point(self, item, add=False):
        mask = self.selected.copy() if add else np.zeros(len(self.selected), bool)
        mask[item] = not (add and self.selected[item])
        self.selected_by_hand.emit(mask)
        self.set_current(item)
        self.describe()  # which says whether the feature is selected now

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        if event.button() == Qt.LeftButton and self.has_content:
            self.rectangle.begin(event.pos())

    def mouseMoveEvent(self, event):
        if not self.rectangle.move(event.pos()):
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event):
        super().mouseReleaseEvent(event)
        if event.button() != Qt.LeftButton:
            return
        area = self.rectangle.end(event.pos())
        if area is not None:
            mask = self.features_in(area)
            add = bool(event.modifiers() & Qt.ControlModifier)
            self.selected_by_hand.emit(mask | self.selected if add else mask)
