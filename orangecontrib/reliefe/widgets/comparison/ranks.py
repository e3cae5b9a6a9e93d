"""Places of the columns of a chart of ranks, room for names beside them, and ticks of ranks."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel

from ...orange.comparison.comparison import Comparison
from ...orange.stored_settings import between
from ..charts.axes import LEFT, OVERLAP
from ..charts.chart import Chart, line_pen
from ..charts.chart_view import ChartView
from ..charts.legend import Entry
from ..utils.colors import faint, muted
from ..utils.controls import spin
from .view import NO_RANKINGS, View

SIDES = 0.22, 0.44  # shares of the width that names have at most, at either side: always, and where columns leave it
COLUMN = 80  # pixels that names leave to a column, if they want more than the first share
MIN_TITLE_WIDTH = 70  # pixels of a column in which no title has room
ASIDE = 8  # pixels from a column to its names
FRAME = 4  # pixels around a name
TICK = 8  # pixels of a tick of the axis, and beside it
STEPS = 1, 2, 5, 10, 20  # ranks from a tick to the next one


class Columns(NamedTuple):
    """width: pixels of the columns with the names at both sides; last: number of the last column, from 0; side: pixels
    for the names at either side."""

    width: float
    last: int
    side: float

    @property
    def step(self) -> float:
        return max(self.width - 2 * self.side, 1) / self.last if self.last else self.width

    @property
    def narrow(self) -> bool:
        return self.step < MIN_TITLE_WIDTH

    @property
    def name_room(self) -> int:
        return int(self.side - ASIDE - 2 * FRAME - TICK)

    def title_room(self, column: int, lines: int = 1) -> int:
        """Pixels of a title; lines: on which titles stand in turn."""
        room = lines * self.step
        return int(min(room, 2 * self.side + OVERLAP) if column in (0, self.last) else room)

    @property
    def ends(self) -> tuple[float, float]:
        side = self.side / self.step if self.last else 0.5
        return -side, self.last + side


def columns(width: float, names: Sequence[int], titles: Sequence[int]) -> Columns:
    """Columns with room for names, and for half of the first and of the last title; all widths in pixels."""
    last = len(titles) - 1
    wanted = max(max(names, default=0) + ASIDE + 2 * FRAME + TICK + 1, titles[0] / 2, titles[-1] / 2)
    share, most = (part * width for part in SIDES)
    return Columns(width, last, min(wanted, max(share, min(most, (width - COLUMN * last) / 2))))


def rank_ticks(top: float, log: bool, rows: float) -> list[tuple[int, float]]:
    """(rank, height) of ticks: of every rank, or every second, fifth, ...; on a logarithmic axis 1, 2, 5, 10.

    top: the largest height; rows: how many ticks have room.
    """
    if log:
        ranks = [digit * 10**power for power in range(7) for digit in (1, 2, 5)]
        return [(rank, np.log10(rank)) for rank in ranks if np.log10(rank) <= top]
    step = next((step for step in STEPS if top <= rows * step), STEPS[-1])
    return [(rank, rank) for rank in dict.fromkeys([1, *range(step, int(top) + 1, step)])]


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


USUAL_BEST = 20  # best features of each ranking at first


class RanksView(View):
    """Lines from ranking to ranking; a feature that all rankings like stays above."""

    title = "Ranks"
    tooltip = "Where each feature stands in each ranking"
    kept = {"most": between(1)}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        tip = "Show features that are among this many best of any ranking"
        self.spin, self.counts = spin("Best features of each ranking", 1, 1, 1, tip), QLabel()
        self.add_control("&Best features of each ranking", self.spin)
        self.controls.addStretch()
        self.controls.addWidget(self.counts)
        self.chart = BumpChart()
        self.set_body(self.chart)
        self.spin.valueChanged.connect(self._most_changed)
        self.chart.chosen.connect(self._chosen)
        self.set_comparison(None)

    @property
    def most(self) -> int:
        return self.settings.get("most", USUAL_BEST)

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self._show()

    def set_selected(self, mask):
        self.chart.set_selected(mask)

    def caption(self):
        return f"Ranks of the features among the best {self.most:,} of any ranking"

    def _show(self):
        known = self.comparison is not None and len(self.comparison.titles) > 0
        self.placeholder("" if known else NO_RANKINGS)
        self.spin.setEnabled(known)
        with QSignalBlocker(self.spin):
            self.spin.setMaximum(max(len(self.comparison.features), 1) if known else 1)
            self.spin.setValue(self.most)
        self.chart.show_ranks(self.comparison if known else None, self.most)
        shown = f"{len(self.chart.features):,} of {len(self.comparison.features):,} features" if known else ""
        self.counts.setText(shown)

    def _most_changed(self, most):
        self.change(most=most)
        self._show()

    def _chosen(self, features, more):
        """Ctrl adds; a feature that is selected already is then taken away."""
        if more:
            mask = self.chart.selected.copy()
            mask[features] = True if len(features) > 1 else ~mask[features]
            features = np.flatnonzero(mask).tolist()
        self.picked.emit(features)
