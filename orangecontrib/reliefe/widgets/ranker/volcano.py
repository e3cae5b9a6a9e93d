"""Score against significance, a point for each feature: what is strong, what is sure, and what is both."""

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QRect, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFont, QFontMetrics
from AnyQt.QtWidgets import QRubberBand

from ...core.words import percent
from ...genetics.manhattan import band, inflation
from ...orange.plane import Plane
from ...orange.ranker.scores import Scores
from ..charts.callout import Callout
from ..charts.chart import Chart, line_pen
from ..charts.chart_view import ChartView
from ..charts.keys import BACK, CHOOSE, NEXT
from ..charts.legend import DASHED, DOTTED, Entry
from ..utils.colors import faint, hue, muted
from .measures import FAMILY_WISE, significance_text

ABOUT = "Left and Right go from feature to feature, the best first; Space adds or removes one, Enter selects it alone"
LEFT_TITLE = "\u2212log\u2081\u2080 q"
DISK, RING = "\u25cf", "\u25cb"
NAMED = 12  # features that have their names beside them, at most
CROWD = 300  # of the best features, whose points no name may cover
TRIED = 60  # of the best features that get a name if there is room
NAMED_ANYWAY = 3  # where none stands out
SIZE, SELECTED_SIZE = 6, 10  # pixels of points
MARGIN = 2  # pixels around a name
HEADROOM = 1.25  # heights of the highest point that the axis has, for names above it
REACH = 12  # pixels around a point in which the mouse means it
DRAG = 4  # pixels from which on a click is a rectangle


def room(text: str, metrics: QFontMetrics, point: Sequence[float], frame: QRectF, taken: list[QRectF]) -> QRectF | None:
    """Place for a name beside a point, above or below it, where it covers nothing."""
    x, y = point
    width, height = metrics.horizontalAdvance(text) + 2 * MARGIN, metrics.height() + 2 * MARGIN
    gap = SELECTED_SIZE / 2 + 1
    above = y - gap - height
    below = y + gap
    level = y - height / 2
    for left, top in ((x + gap, level), (x - gap - width, level), (x - width / 2, above), (x - width / 2, below)):
        place = QRectF(left, top, width, height)
        ink = place.adjusted(0, height / 5, 0, -height / 5)  # above and below the letters there is nothing
        if frame.contains(place) and not any(map(ink.intersects, taken)):
            return place
    return None


def name_beside(
    text: str, at: tuple[float, float], point: Sequence[float], place: QRectF, font: QFont, color: object
) -> pg.TextItem:
    """A name in its place beside a point of the plane, which is at `point` in pixels; it stays there on any axes."""
    anchor = (point[0] - place.left()) / place.width(), (point[1] - place.top()) / place.height()
    label = pg.TextItem(text, color=color, anchor=anchor)
    label.textItem.document().setDocumentMargin(MARGIN)
    label.setFont(font)
    label.setPos(*at)
    return label


class Volcano(ChartView):
    """Shows the leading score once it is tested; a click, or a rectangle, selects features; Ctrl adds to these."""

    note = ABOUT
    chosen = Signal(object)  # mask (p,): what the user selected

    def __init__(self, parent=None):
        self._chart = Chart("", LEFT_TITLE)
        self.scores: Scores | None = None
        self.names, self.selected = [], np.zeros(0, bool)
        self._x = self._y = np.zeros(0)
        self._labels, self._press = [], None
        super().__init__(self._chart, name="Scores against false discovery rates", parent=parent, least=(200, 110))
        self.setFocusPolicy(Qt.StrongFocus)
        self._ring = pg.ScatterPlotItem(size=SELECTED_SIZE, brush=None)
        self._marker = pg.ScatterPlotItem(size=SELECTED_SIZE + 4, brush=None)
        self._band = QRubberBand(QRubberBand.Rectangle, self)
        self._chart.vb.sigResized.connect(self._resized)

    @property
    def possible(self) -> bool:
        return self.scores is not None

    def show_scores(self, scores: Scores | None, names: list[str], selected: np.ndarray) -> None:
        """Show a score with its significance; None, or a score without: nothing."""
        if scores is not None and scores.significance is None:
            scores = None
        if scores is not self.scores:
            self.scores, self.names = scores, names
            known = scores is not None
            self._x = scores.values if known else np.zeros(0)
            self._y = -np.log10(scores.significance.q) if known else np.zeros(0)
            self.current = None if self.current is None or self.current >= len(self._x) else self.current
            self.draw_if_seen()
        self.set_selected(selected)

    def set_selected(self, selected: np.ndarray) -> None:
        self.selected = selected
        self.mark()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        scores = self.scores
        palette = self.palette()
        chart = self._chart
        if scores is None:
            chart.restart(False)
            return
        strong, weak = hue(scores.number, palette), muted(palette, 0.55)
        entries = [
            Entry(f"FDR {percent(scores.level)}", strong, symbol=DISK), Entry("the rest", weak, symbol=DISK),
            Entry("selected", self.text_color, symbol=RING),
        ]  # fmt: skip
        chart.restart(True, entries, self.text_color)
        chart.setLabel("bottom", escape(scores.title))
        for mask, color, z in ((~scores.real, weak, 3), (scores.real, strong, 5)):
            where = self._apart(np.flatnonzero(mask & np.isfinite(self._x)))
            chart.dots(self._x[where], self._y[where], color, SIZE, z)
        for item, color, width, z in ((self._ring, muted(palette, 0.2), 1, 6), (self._marker, self.marked, 2, 8)):
            item.setPen(pg.mkPen(color, width=width))
            chart.put(item, z=z)
        color = muted(palette, 0.25)
        text = f"FDR {percent(scores.level)}"
        chart.level(-np.log10(scores.level), line_pen(color, 1, DASHED), text, at=0.01, anchor=(0, 0))
        strict = self._family_wise()
        if strict is not None:
            text = f"family-wise {percent(FAMILY_WISE)}"
            chart.level(strict, line_pen(color, 1, DOTTED), text, at=0.01, anchor=(0, 1))
        (x0, x1), (y0, y1) = self._limits()
        chart.setXRange(x0, x1, padding=0)
        chart.setYRange(y0, y1, padding=0)
        self.mark()
        self._name_best()

    def _apart(self, features):
        """Features whose points pixels can show: one for each half pixel or so."""
        if len(features) < 2000:
            return features
        plane = Plane(*self._limits(), max(self.width(), 200), max(self.height(), 110))
        return features[plane.thinned(self._x[features], self._y[features], 0.5)]

    def _limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        known = self._x[np.isfinite(self._x)]
        low, high = float(known.min(initial=0)), float(known.max(initial=0))
        pad = 0.04 * (high - low) or 1.0
        top = max(float(self._y.max(initial=0)), -np.log10(self.scores.level))
        return (low - pad, high + 2 * pad), (-0.04 * top, HEADROOM * top)

    def _family_wise(self) -> float | None:
        """Height of the line above which hardly any feature is there by chance; None if there is none above.

        q and the family-wise p both fall as z rises, so that a line of one is a line of the other.
        """
        sure = self.scores.significance.family_wise <= FAMILY_WISE
        if not sure.any() or sure.all():
            return None
        return float((self._y[sure].min() + self._y[~sure].max()) / 2)

    def mark(self):
        if self.scores is None or len(self.selected) != len(self._x):
            return
        where = self._apart(np.flatnonzero(self.selected & np.isfinite(self._x)))
        self._ring.setData(self._x[where], self._y[where])
        at = [] if self.current is None else [self.current]
        self._marker.setData(self._x[at], self._y[at])

    def _name_best(self):
        """Names beside the best features, as far as they cover neither each other nor the frame."""
        for label in self._labels:
            self._chart.removeItem(label)
        self._labels, taken = [], []
        z = self.scores.significance.z
        n = min(TRIED, int(self.scores.real.sum())) or NAMED_ANYWAY
        color, frame = self.text_color, self._chart.vb.sceneBoundingRect()
        pixels, best = self._pixels(), np.argsort(-z, kind="stable")
        points = [QRectF(x - 5, y - 5, 10, 10) for x, y in pixels[best[:CROWD]] if np.isfinite(x)]
        for feature in best[:n]:
            if not (np.isfinite(z[feature]) and np.isfinite(self._x[feature])):
                continue
            place = room(self.names[feature], self.fontMetrics(), pixels[feature], frame, [*taken, *points])
            if place is None:
                continue
            if len(taken) == NAMED:
                break
            taken.append(place)
            at = self._x[feature], self._y[feature]
            label = name_beside(self.names[feature], at, pixels[feature], place, self.font(), color)
            self._chart.put(label, z=7)
            self._labels.append(label)

    def _pixels(self) -> np.ndarray:
        frame, (right, up) = self._chart.vb.sceneBoundingRect(), Plane.of(self._chart.vb).pixels(self._x, self._y)
        return np.column_stack([frame.left() + right, frame.bottom() - up])

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def thing_at(self, place):
        if self.scores is None:
            return None
        at = self._chart.vb.mapSceneToView(place)
        return Plane.of(self._chart.vb).nearest(self._x, self._y, (at.x(), at.y()), REACH)

    def features_in(self, area: QRectF) -> np.ndarray:
        x, y = self._pixels().T
        return (area.left() <= x) & (x <= area.right()) & (area.top() <= y) & (y <= area.bottom())

    def about(self, feature):
        numbers = significance_text(self.scores.significance, feature)
        chosen = ", selected" if self.selected[feature] else ""
        return f"{self.names[feature]}{chosen}: {self.scores.title} {self.scores.text(feature)}, {numbers}"

    def mousePressEvent(self, event):
        if event.button() == Qt.LeftButton and self.scores is not None:
            self._press = event.pos()

    def mouseMoveEvent(self, event):
        if self._press is None:
            super().mouseMoveEvent(event)
        elif (event.pos() - self._press).manhattanLength() > DRAG:
            self._band.setGeometry(QRect(self._press, event.pos()).normalized())
            self._band.show()

    def mouseReleaseEvent(self, event):
        if event.button() != Qt.LeftButton or self._press is None:
            return
        dragged, add = self._band.isVisible(), bool(event.modifiers() & Qt.ControlModifier)
        area = QRectF(self.mapToScene(self._press), self.mapToScene(event.pos())).normalized()
        self._press = None
        self._band.hide()
        if dragged:
            mask = self.features_in(area)
            self.chosen.emit(mask | self.selected if add else mask)
        else:
            feature = self.thing_at(self.mapToScene(event.pos()))
            if feature is not None:
                self._choose(feature, add)

    def keyPressEvent(self, event):
        key = event.key()
        step = (key in NEXT) - (key in BACK)
        if self.scores is None or not (step or key in CHOOSE):
            super().keyPressEvent(event)
        elif step:
            order = np.argsort(-self.scores.significance.z, kind="stable")
            place = -1 if self.current is None else int(np.flatnonzero(order == self.current)[0])
            self.set_current(int(order[min(max(place + step, 0), len(order) - 1)]))
        elif self.current is not None:
            self._choose(self.current, key == Qt.Key_Space)

    def _choose(self, feature, add):
        mask = self.selected.copy() if add else np.zeros(len(self.selected), bool)
        mask[feature] = not self.selected[feature] if add else True
        self.chosen.emit(mask)
        self.current = feature
        self.describe()
        self.mark()

    def _resized(self, *_):
        if self.scores is not None and not self._stale:
            self._name_best()


DOT = 5  # pixels of a p-value
NO_P_VALUES = "There are no p-values yet: tick p-values to get them"


class Quantiles(ChartView):
    """Sorted p-values beside those of chance; `item_chosen`: the user clicked near the point of a feature."""

    item_chosen = Signal(int)

    def __init__(self, about: str, parent=None):
        self.chart, self.note = Chart("\u2212log10 p by chance", "\u2212log10 p"), about
        super().__init__(self.chart, name="QQ plot", parent=parent, least=(200, 110))
        self.p = None
        self.names = ()
        self.chosen = None
        self.callout = Callout()
        self.inflation = ""
        self.x = self.y = np.zeros(0)  # of all features
        self.drawn = np.zeros(0, int)
        self.setToolTip(about)
        self.scene().sigMouseClicked.connect(self._clicked)

    def show_p(self, p: np.ndarray | None, names: Sequence[str], single: np.ndarray | None = None) -> None:
        """Show the p-values of features with these names; None: a text that there are none.

        single (m,): p-values of tests of single variants, whose inflation is written instead of that of p.
        """
        if p is not self.p:
            self.p = p
            self.names = names
            self.chosen = None
            of_p = "" if p is None or single is not None else inflation(p)
            self.inflation = of_p if single is None else f"single variants, {inflation(single)}"
            self.draw_if_seen()

    def draw(self) -> None:
        chart = self.chart
        palette = self.palette()
        box = self.chart.getViewBox()
        chart.restart(self.p is not None)
        if self.p is None:
            box.setRange(xRange=(0, 1), yRange=(0, 1), padding=0)
            chart.write(NO_P_VALUES, 0.5, 0.5, muted(palette, 0.3))
            return
        m = len(self.p)
        self.x, self.y = np.empty(m), -np.log10(self.p)
        self.x[np.argsort(self.p, kind="stable")] = -np.log10((np.arange(m) + 0.5) / m)
        i, low, high = band(m)
        right = float(self.x.max())
        chart.band(-np.log10((i - 0.5) / m), -np.log10(low), -np.log10(high), faint(muted(palette, 0.3), 50), 1)
        chart.line([0, right], [0, right], line_pen(muted(palette, 0.3), 1, DASHED), 2)
        top = max(float(self.y.max()), -float(np.log10(low[0])))
        view = Plane((-0.02 * right, 1.05 * right), (-0.02 * top, 1.05 * top), max(self.width(), 400), 400)
        self.drawn = view.thinned(self.x, self.y, 1)
        chart.dots(self.x[self.drawn], self.y[self.drawn], hue(0, palette), DOT, 3)
        chart.write(self.inflation.replace(": ", ":\n"), view.x[1], view.y[0], self.text_color, (1, 1))
        chart.put(*self.callout.items)
        box.setRange(xRange=view.x, yRange=view.y, padding=0)
        self.mark()

    def choose(self, item: int | None) -> None:
        """Mark a feature.  Emits nothing."""
        self.chosen = item
        self.mark()

    def mark(self):
        if self.p is None or self.chosen is None or self._stale:
            self.callout.hide()
            return
        at, color = (self.x[self.chosen], self.y[self.chosen]), hue(1, self.palette())
        self.callout.show(self.chart.getViewBox(), *at, self.about(self.chosen), color, self.palette())

    def about(self, item):
        return f"{self.names[item]}: p {self.p[item]:.3g}"

    def thing_at(self, place):
        box = self.chart.getViewBox()
        if self.p is None or not box.sceneBoundingRect().contains(place):
            return None
        at, drawn = box.mapSceneToView(place), self.drawn
        near = Plane.of(box).nearest(self.x[drawn], self.y[drawn], (at.x(), at.y()), REACH)
        return None if near is None else int(drawn[near])

    def _clicked(self, event):
        item = self.thing_at(event.scenePos()) if event.button() == Qt.LeftButton else None
        if item is not None:
            self.choose(item)
            self.item_chosen.emit(item)
