"""Chart of the ranks of features in each ranking: a column for each ranking, a line for each feature (pyqtgraph)."""

from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtCore import pyqtSignal as Signal

from ...orange.comparison.comparison import Comparison
from ..charts.axes import LEFT
from ..charts.chart import Chart, line_pen
from ..charts.chart_view import ChartView
from ..charts.legend import Entry
from ..utils.colors import faint, muted
from .bump_columns import ASIDE, TICK, Columns, columns, rank_ticks

ABOUT = "Up and Down go to the next feature, Left and Right to the next ranking; Space selects, Ctrl+Space adds"
MIN_LOG_RANKS = 60  # ranks from which on the axis is logarithmic
REACH = 14  # pixels from a line within which it is meant
BRUSH = 8  # pixels from which on dragging is brushing
LINES = 2000  # features that are drawn at most: more lines look the same
SMOOTH = 2000  # points of lines up to which they are drawn smoothly
MARGINS = 16  # pixels beside the axis and the columns
MOST_NAMES = 60  # at either side
NAMES = 200  # whose length is measured
MAX_LINES = 12  # rankings in a tooltip
KEYS = Qt.Key_Up, Qt.Key_Down, Qt.Key_Left, Qt.Key_Right, Qt.Key_Space


class BumpChart(ChartView):
    """Features among the best of any ranking; lines that rise between two columns are of features the right one likes
    better.  Selected ones are strong.

    Hovering, or moving with the keys, names a feature; a click selects it, dragging down a column those it passes.
    """

    note = ABOUT
    chosen = Signal(list, bool)  # features; whether they come to those that are selected

    def __init__(self, parent=None):
        self.comparison = None
        self.features = np.zeros(0, int)
        self.selected = np.zeros(0, bool)
        self.column = 0  # ranking, where a feature is current
        self._pressed = None  # place of the mouse
        super().__init__("Ranks of features in each ranking", parent, (260, 180))
        self.setFocusPolicy(Qt.StrongFocus)

    def make_charts(self):
        self.line = pg.PlotCurveItem(antialias=True)
        self.points = pg.ScatterPlotItem(size=8)
        self.label = pg.TextItem(anchor=(0, 1))
        self.brush = pg.PlotCurveItem()
        chart = Chart("", "Rank")
        chart.vb.invertY(True)
        return (chart,)

    def show_ranks(self, comparison: Comparison | None, most: int) -> None:
        """Draw the features that are among the best `most` of any ranking."""
        if comparison is not self.comparison:
            self.current, self.column = None, 0
            self.selected = np.zeros(len(comparison.features) if comparison else 0, bool)
        self.comparison, self.features = comparison, np.zeros(0, int)
        if comparison is not None:
            best = comparison.places.min(axis=0)
            self.features = np.argsort(best, kind="stable")[: min(int((best < most).sum()), LINES)]
        if self.current is not None and self.current not in self.features:
            self.current = None
        self.draw()

    def set_selected(self, mask: np.ndarray) -> None:
        if self.comparison is not None and not np.array_equal(mask, self.selected):
            self.selected = np.array(mask, bool)
            self.draw()

    # Drawing ---------------------------------------------------------------------------------------------------------

    @property
    def _log(self) -> bool:
        return len(self.features) > 0 and self.comparison.places[:, self.features].max() >= MIN_LOG_RANKS

    @property
    def _last(self) -> int:
        return len(self.comparison.titles) - 1

    def _y(self, features) -> np.ndarray:
        ranks = self.comparison.places[:, features].T + 1.0
        return np.log10(ranks) if self._log else ranks

    def draw(self):
        if not len(self.features):
            self.clear()
            self.setAccessibleDescription(ABOUT)
            return
        palette = self.palette()
        titles = enumerate(self.comparison.titles) if self._columns.narrow else ()
        entries = [Entry(f"{i + 1} {title}", self.hue(i)) for i, title in titles]
        self.chart.restart(True, entries, self.text_color)
        chosen = self.selected[self.features]
        others, own = self.features[~chosen], self.features[chosen]
        share = np.clip(0.5 + len(others) / 500, 0.5, 0.8)
        self._draw_lines(others, line_pen(muted(palette, float(share)), 1), 5)
        self._draw_lines(own, line_pen(self.marked, 2), 10)
        self._draw_columns(palette)
        self._set_ranges()
        self._draw_names(palette)
        self.chart.put(self.line, self.points, self.label, self.brush, z=30)
        self.mark()

    def _draw_lines(self, features, pen, z):
        if not len(features):
            return
        y, t = self._y(features), self._last + 1
        gaps = np.column_stack([y, np.full(len(y), np.nan)])
        x, few = np.tile(np.arange(t + 1.0), len(y)), gaps.size <= SMOOTH
        curve = pg.PlotCurveItem(x, gaps.ravel(), pen=pen, connect="finite", antialias=few)
        curve.setSegmentedLineMode("auto" if few else "on")  # one long path takes seconds
        dots = pg.ScatterPlotItem(np.tile(np.arange(t), len(y)), y.ravel(), size=5 if z < 10 else 7, pen=None)
        dots.setBrush(pen.color())
        self.chart.put(curve, dots, z=z)

    def _draw_columns(self, palette):
        titles, columns = self.comparison.titles, self._columns
        for column in range(len(titles)):
            self.chart.put(pg.InfiniteLine(column, 90, pen=line_pen(faint(self.hue(column), 130), 1.5)))
        elided, advance = self.fontMetrics().elidedText, self.fontMetrics().horizontalAdvance
        lines = 1 if all(advance(title) <= columns.title_room(i) for i, title in enumerate(titles)) else 2
        rooms = [columns.title_room(i, lines) for i in range(len(titles))]
        names = ["\n" * (i % lines) + elided(titles[i], Qt.ElideMiddle, room) for i, room in enumerate(rooms)]
        if columns.narrow:
            names, lines = [str(number + 1) for number in range(len(titles))], 1
        axis = self.chart.getAxis("bottom")
        axis.setTicks([list(enumerate(names))])
        axis.setHeight(lines * self.fontMetrics().lineSpacing() + TICK)

    def _set_ranges(self):
        y = self._y(self.features)
        self.chart.setXRange(*self._columns.ends, padding=0)
        rows = self.chart.size().height() / (2 * self.fontMetrics().height())  # that have room for a tick
        ticks = rank_ticks(y.max(), self._log, rows)
        self.chart.getAxis("left").setTicks([[(height, f"{rank:,}") for rank, height in ticks]])
        pad = 0.03 * (y.max() - y.min() or 1)
        self.chart.setYRange(y.min() - pad, y.max() + pad, padding=0)

    @property
    def _columns(self) -> Columns:
        advance, features = self.fontMetrics().horizontalAdvance, self.comparison.features
        names = [advance(features[feature]) for feature in self.features[:NAMES]]
        return columns(max(self.width() - LEFT - MARGINS, 1), names, [*map(advance, self.comparison.titles)])

    def _draw_names(self, palette):
        """Names at both sides (of one column at the right): of selected features, then of the best that have room."""
        low, high = self.chart.vb.viewRange()[1]
        line = self.fontMetrics().height() * (high - low) / max(self.chart.vb.height(), 1)
        strong, columns = self.selected[self.features], self._columns
        sides = (0, (1, 0.5), -ASIDE), (self._last, (0, 0.5), ASIDE)
        for column, anchor, aside in sides if self._last else sides[1:]:
            y = self._y(self.features)[:, column]
            taken: list[float] = []
            for i in np.lexsort((y, ~strong)):
                if len(taken) < MOST_NAMES and all(abs(y[i] - other) >= line for other in taken):
                    taken.append(y[i])
                    name = self.comparison.features[self.features[i]]
                    name = self.fontMetrics().elidedText(name, Qt.ElideMiddle, columns.name_room)
                    color = self.text_color if strong[i] else muted(palette, 0.35)
                    self.chart.write(name, column + aside / columns.step, y[i], color, anchor, self.font())

    def mark(self):
        if not len(self.features):
            return
        shown = self.current is not None
        for item in (self.line, self.points, self.label):
            item.setVisible(shown)
        self.setAccessibleDescription(", ".join(self._lines()) or ABOUT)
        if not shown:
            return
        y, color = self._y(np.array([self.current]))[0], self.text_color
        self.line.setData(np.arange(len(y)), y, pen=line_pen(color, 2.6))
        self.points.setData(np.arange(len(y)), y, brush=color, pen=pg.mkPen(self.ground))
        rank = self.comparison.places[self.column, self.current] + 1
        self.label.fill = pg.mkBrush(faint(self.ground, 215))
        self.label.setText(f"{self.comparison.features[self.current]}, rank {rank:,}", color)
        self.label.setAnchor((1 if self.column > self._last / 2 else 0, 0 if rank <= 2 else 1))
        self.label.setPos(self.column, y[self.column])

    # What the user does ----------------------------------------------------------------------------------------------

    def tip(self):
        return "<br>".join(map(escape, self._lines()))

    def _lines(self) -> list[str]:
        if self.current is None:
            return []
        ranks = self.comparison.places[:, self.current] + 1
        lines = [f"{title}: {rank:,}" for title, rank in zip(self.comparison.titles, ranks, strict=True)]
        more = [f"and {len(lines) - MAX_LINES:,} more rankings"] * (len(lines) > MAX_LINES)
        return [self.comparison.features[self.current], *lines[:MAX_LINES], *more]

    def set_current(self, feature, column=None):
        """Name this feature, in this column."""
        column = self.column if column is None else column
        if (feature, column) != (self.current, self.column):
            self.current, self.column = feature, column
            self.mark()

    def _at(self, place) -> QPointF:
        return self.chart.vb.mapSceneToView(self.mapToScene(place))

    def feature_at(self, place) -> tuple[int, int] | None:
        """The feature whose line passes near a place of the view, and the nearest column."""
        if not len(self.features) or not self.chart.vb.sceneBoundingRect().contains(self.mapToScene(place)):
            return None
        at = self._at(place)
        x, y = float(np.clip(at.x(), 0, self._last)), self._y(self.features)
        left = int(min(x, max(self._last - 1, 0)))
        heights = y[:, left] + (x - left) * (y[:, min(left + 1, self._last)] - y[:, left])
        near = int(np.argmin(abs(heights - at.y())))
        low, high = self.chart.vb.viewRange()[1]
        pixels = abs(heights[near] - at.y()) / (high - low) * self.chart.vb.height()
        return (int(self.features[near]), round(x)) if pixels <= REACH else None

    def _brushed(self, place) -> list[int]:
        """The features that were passed from the press to here, in the nearest column."""
        begin, end = self._at(self._pressed), self._at(place)
        column = int(np.clip(round(begin.x()), 0, self._last))
        low, high = sorted((begin.y(), end.y()))
        self.brush.setData([column, column], [low, high], pen=line_pen(self.marked, 6))
        y = self._y(self.features)[:, column]
        return self.features[(low <= y) & (y <= high)].tolist()

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        if event.button() == Qt.LeftButton and len(self.features):
            self._pressed = event.pos()

    def mouseMoveEvent(self, event):
        if self._pressed is not None and abs(event.pos().y() - self._pressed.y()) >= BRUSH:
            self._brushed(event.pos())
            return
        found = self.feature_at(event.pos())
        if found or not self.hasFocus():
            self.set_current(*found or (None,))

    def mouseReleaseEvent(self, event):
        super().mouseReleaseEvent(event)
        if event.button() != Qt.LeftButton or self._pressed is None:
            return
        found = self.feature_at(event.pos())
        features = [found[0]] if found else []
        if abs(event.pos().y() - self._pressed.y()) >= BRUSH:
            features = self._brushed(event.pos())
            self.brush.setData([], [])
        self._pressed = None
        if features:
            self.chosen.emit(features, bool(event.modifiers() & (Qt.ControlModifier | Qt.ShiftModifier)))

    def keyPressEvent(self, event):
        key = event.key()
        if not len(self.features) or key not in KEYS:
            super().keyPressEvent(event)
        elif self.current is None:
            self.set_current(int(self._listed()[0]), self.column)
        elif key == Qt.Key_Space:
            self.chosen.emit([self.current], bool(event.modifiers() & Qt.ControlModifier))
        elif key in (Qt.Key_Left, Qt.Key_Right):
            column = self.column + (1 if key == Qt.Key_Right else -1)
            self.set_current(self.current, int(np.clip(column, 0, self._last)))
        else:
            listed = self._listed()
            place = int(np.flatnonzero(listed == self.current)[0]) + (1 if key == Qt.Key_Down else -1)
            self.set_current(int(listed[np.clip(place, 0, len(listed) - 1)]), self.column)

    def _listed(self) -> np.ndarray:
        return self.features[np.argsort(self.comparison.places[self.column, self.features], kind="stable")]

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.made:
            self.draw()
