"""Chart of the values of one or two features against a target (pyqtgraph): for rankers and Feature Interactions."""

from html import escape
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor

from ...core.words import counted
from ...orange.values.pictures import Bars, Boxes, Grid, Histogram, ScatterPoints, Side, Values
from ..utils.colors import faint, ink, mix, muted
from .axes import LEFT
from .chart import Chart, line_pen
from .chart_view import ChartView
from .legend import SQUARE, Entry

THICK = 0.62  # share of a row that a box or a bar takes
CELL = 0.94  # side of the largest cell, in steps
WHISKER = 1.5  # length of whiskers at most, in interquartile ranges (Tukey 1977)
NAMES = 0.35  # share of the width that names of values may take
PAD = 8  # pixels around a text
MEDIANS = 10  # points of a line of medians, each of an equal number of rows
MIN_MEDIANS = 50  # rows from which on the line is drawn
BOX_OPACITY = 90  # of 255
FAR_OPACITY = 150  # of points beyond the whiskers
LOW, HIGH = 1, 0  # hues of the smallest and the largest value of a number
SYMBOLS = "o", "t1", "s", "d", "+", "star"  # of classes: a second key beside colours
STEPS = 21  # colours of numbers
MIDDLE_SHARE = 0.02, 0.98  # quantiles with the colours of both ends, so that far values leave the others apart


class PointLook(NamedTuple):
    """Opacity of points, of 255."""

    n_many: int  # points that are many
    few_opacity: int
    many_opacity: int

    def opacity(self, n: int) -> int:
        """Opacity of one of n points."""
        return self.few_opacity if n < self.n_many else self.many_opacity


PLAIN = PointLook(1_000, 150, 60)  # points of one colour
COLORED = PointLook(600, 200, 110)  # points of several colours


class ValuesChart(ChartView):
    """Draws values; the description for screen readers says the same in words."""

    def __init__(self, name: str, parent=None):
        self.shown: Values | None = None  # the values that are drawn
        super().__init__(name, parent, (150, 110))

    def make_charts(self):
        return (Chart("", ""),)

    def show_values(self, shown: Values | None) -> None:
        """Show values; None: nothing."""
        self.shown = shown
        self.describe()
        self.draw()

    def draw(self):
        drawing = self.shown and self.shown.drawing
        if drawing is None:
            self.clear()
            return
        self.chart.restart(True, self._legend(drawing), self.text_color)
        self.chart.vb.invertY(isinstance(drawing, Boxes | Bars))
        draw = {
            Boxes: self._boxes,
            Bars: self._bars,
            ScatterPoints: self._points,
            Histogram: self._bins,
            Grid: self._grid,
        }
        draw[type(drawing)](drawing)

    def _legend(self, drawing) -> list[Entry]:
        categories = getattr(drawing, "parts", ())
        of_two = isinstance(drawing, ScatterPoints | Grid)
        if of_two and not categories and self._numbers(drawing) is not None:
            ends = zip(self._range(drawing), (0, 1), strict=True)
            return [Entry(f"{value:.4g}", self._color(share), symbol=SQUARE) for value, share in ends]
        if not of_two and len(categories) < 2:
            return []
        return [Entry(category, self.hue(j), symbol=SQUARE) for j, category in enumerate(categories)]

    # Axes ------------------------------------------------------------------------------------------------------------

    def _label(self, bottom: Side, left: Side, x: object = None, y: object = None) -> float:
        """Set titles, names of values, and ranges of numbers.

        Parameters
        ----------
        bottom, left : Side
            Titles of the axes, and names of values, if they have names.
        x, y : ndarray, optional
            Numbers whose range the axes show.

        Returns
        -------
        float
            Pixels between the axes.
        """
        chart = self.chart
        metrics = self.fontMetrics()
        width = self.chart.size().width()
        elided = metrics.elidedText
        chart.setLabel("bottom", escape(elided(bottom.title, Qt.ElideMiddle, max(int(width) - LEFT, 40))))
        chart.setLabel("left", escape(elided(left.title, Qt.ElideMiddle, int(self.height() * 0.7))))
        chart.getAxis("left").showLabel(bool(left.title))
        names = [elided(name, Qt.ElideMiddle, int(NAMES * width)) for name in left.names]
        left_width = LEFT
        if names:
            left_width = max(map(metrics.horizontalAdvance, names)) + 2 * PAD + metrics.height() * bool(left.title)
        chart.set_left_width(left_width)
        chart.getAxis("left").setTicks([list(enumerate(names))] if names else None)
        room = int((width - left_width) / max(len(bottom.names), 1)) - PAD
        names = [elided(name, Qt.ElideMiddle, max(room, PAD)) for name in bottom.names]
        chart.getAxis("bottom").setTicks([list(enumerate(names))] if names else None)
        for labelled, values, set_range in ((bottom, x, chart.setXRange), (left, y, chart.setYRange)):
            if labelled.names:
                set_range(-0.55, len(labelled.names) - 0.45, padding=0)
            elif values is not None:
                low, high = float(values.min()), float(values.max())
                if low == high:
                    low, high = low - 0.5, low + 0.5
                set_range(low, high, padding=0.04)
        return max(width - left_width, 1.0)

    # One feature -----------------------------------------------------------------------------------------------------

    def _boxes(self, boxes):
        numbers = [number for number, (_, values) in enumerate(boxes.groups) if len(values)]
        groups = [boxes.groups[number] for number in numbers]
        names = tuple(f"{name} ({len(values):,})" for name, values in groups)
        self._label(Side(boxes.axis), Side("", names), np.concatenate([values for _, values in groups]))
        for row, (number, (_, values)) in enumerate(zip(numbers, groups, strict=True)):
            self._box(row, values, self.hue(number if boxes.colored else 0))

    def _box(self, row: int, values: np.ndarray, color: QColor):
        """Draw a box from quartile to quartile with its median, whiskers, and the points beyond them."""
        low, median, high = np.quantile(values, (0.25, 0.5, 0.75))
        longest = WHISKER * (high - low)
        within = values[(values >= low - longest) & (values <= high + longest)]
        left, right = within.min(initial=low), within.max(initial=high)
        pen, across = line_pen(color, 1.5), (row - THICK / 2, row + THICK / 2)
        self.chart.line(np.array([left, low, high, right]), np.full(4, row), pen, connect="pairs")
        self.chart.bars(([low], [high]), across, pen, brush=faint(color, BOX_OPACITY))
        self.chart.line([median] * 2, across, line_pen(self.text_color, 2.5))
        far = values[(values < left) | (values > right)]
        self.chart.dots(far, np.full(len(far), row), faint(color, FAR_OPACITY), 4)

    def _bars(self, bars):
        sizes, several = bars.counts.sum(axis=1), len(bars.parts) > 1
        names = tuple(f"{name} ({size:,})" for name, size in zip(bars.names, sizes, strict=True))
        pixels = self._label(Side("Share of the rows"), Side("", names))
        left, rows = np.zeros(len(sizes)), np.arange(len(sizes))
        y = rows - THICK / 2, rows + THICK / 2
        for number, name in enumerate(bars.parts):
            shares = 100 * bars.counts[:, number] / (sizes if several else sizes.sum())
            color = self.hue(number)
            self.chart.bars((left, left + shares), y, line_pen(self.ground, 1), brush=color)
            for row, (start, share) in enumerate(zip(left, shares, strict=True)):
                text = self._bar_text(name, share, share * pixels / 100 - PAD)
                if text:
                    self.chart.write(text, start + share / 2, row, ink(color))
            left = left + shares
        self.chart.setXRange(0, 100 if several else left.max(), padding=0.01)

    def _bar_text(self, name: str, share: float, room: float) -> str:
        """Name and per cent of a part of a bar, as much as so many pixels have room for."""
        for text in (f"{name}: {share:.0f} %", f"{share:.0f} %"):
            if self.fontMetrics().horizontalAdvance(text) < room:
                return text
        return ""

    def _bins(self, histogram):
        edges, counts = histogram.edges, histogram.counts
        self.chart.bars((edges[:-1], edges[1:]), (0 * counts, counts), line_pen(self.ground, 1), brush=self.hue(0))
        self._label(Side(histogram.axis), Side("Rows"))
        self.chart.setXRange(edges[0], edges[-1], padding=0.02)
        self.chart.setYRange(0, max(counts.max(), 1), padding=0.03)

    # Colours of numbers ----------------------------------------------------------------------------------------------

    @staticmethod
    def _numbers(drawing) -> np.ndarray | None:
        """Numbers that colours show: of points, or means of cells; None: colours show classes."""
        if isinstance(drawing, ScatterPoints):
            return drawing.values
        return None if drawing.means is None else drawing.means[drawing.sizes > 0]

    def _range(self, drawing) -> tuple[float, float]:
        """Numbers with the colours of both ends."""
        low, high = np.quantile(self._numbers(drawing), MIDDLE_SHARE if isinstance(drawing, ScatterPoints) else (0, 1))
        return float(low), float(high)

    def _color(self, share: float) -> QColor:
        """Colour of a number: 0 is the smallest, 1 the largest."""
        end = self.hue(HIGH if share >= 0.5 else LOW)
        return mix(mix(self.ground, self.text_color, 0.25), end, min(2 * abs(share - 0.5), 1.0))

    def _color_shares(self, drawing) -> np.ndarray:
        """Places of the numbers between the ends of the colours, from 0 to 1."""
        (low, high), values = self._range(drawing), self._numbers(drawing)
        return np.clip((values - low) / (high - low), 0, 1) if low < high else np.full(np.shape(values), 0.5)

    # Two features ----------------------------------------------------------------------------------------------------

    def _grid(self, grid):
        columns, rows = grid.sizes.shape
        sides = CELL * np.sqrt(grid.sizes / max(grid.sizes.max(), 1))  # the area is the number of rows of the data
        x, y = np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij")
        pen = line_pen(self.ground, 1)
        left, bottom = x - sides / 2, y - sides / 2
        filled = grid.sizes > 0
        if grid.means is not None:
            brushes = [self._color(share) for share in self._color_shares(grid)]
            self.chart.bars(_ends(left, sides, filled), _ends(bottom, sides, filled), pen, brushes=brushes)
        for number in range(len(grid.parts)):  # classes, side by side in each cell
            width = sides * grid.shares[..., number]
            present = filled & (width > 0)
            self.chart.bars(_ends(left, width, present), _ends(bottom, sides, present), pen, brush=self.hue(number))
            left = left + width
        self._label(*grid.sides)

    def _points(self, points):
        plain = not points.parts and points.values is None
        opacity = (PLAIN if plain else COLORED).opacity(len(points.x))
        if plain:
            self.chart.dots(points.x, points.y, faint(self.hue(0), opacity), 5)
        if points.values is not None:
            steps = (self._color_shares(points) * (STEPS - 1)).round().astype(int)
            order = np.argsort(np.abs(steps - STEPS // 2), kind="stable")  # the most extreme ones on top
            colors = [pg.mkBrush(faint(self._color(step / (STEPS - 1)), opacity)) for step in range(STEPS)]
            self.chart.dots(points.x[order], points.y[order], [colors[step] for step in steps[order]], 7)
        for number in range(len(points.parts)):
            members, color = points.codes == number, faint(self.hue(number), opacity)
            self.chart.dots(points.x[members], points.y[members], color, 7, symbol=SYMBOLS[number % len(SYMBOLS)])
        if points.correlation is not None and len(points.x) >= MIN_MEDIANS:
            bins = np.array_split(np.argsort(points.x, kind="stable"), MEDIANS)
            x = [np.median(points.x[rows]) for rows in bins]
            y = [np.median(points.y[rows]) for rows in bins]
            self.chart.line(x, y, line_pen(muted(self.palette(), 0.15), 2))
        self._label(*points.sides, points.x, points.y)

    # Mouse and screen readers -----------------------------------------------------------------------------------------

    def element_at(self, position):
        drawing = self.shown and self.shown.drawing
        if not isinstance(drawing, Grid):
            return None
        box = self.chart.vb
        if not box.sceneBoundingRect().contains(position):
            return None
        at = box.mapSceneToView(position)
        i, j = round(at.x()), round(at.y())
        inside = 0 <= i < drawing.sizes.shape[0] and 0 <= j < drawing.sizes.shape[1]
        return (i, j) if inside and drawing.sizes[i, j] else None

    def about(self, cell):
        drawing = self.shown.drawing
        cell_values = ", ".join(f"{side.title} = {side.names[i]}" for side, i in zip(drawing.sides, cell, strict=True))
        return f"{cell_values}: {counted(int(drawing.sizes[cell]), 'row')}, {drawing.inside(*cell)}"

    def describe(self):
        self.setAccessibleDescription(self.shown.described if self.shown else "")

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.shown is not None:
            self.draw()


def _ends(low: np.ndarray, size: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the chosen ranges."""
    return low[chosen], (low + size)[chosen]
