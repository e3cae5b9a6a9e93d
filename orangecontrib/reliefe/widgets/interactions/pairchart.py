"""Values of two features against the target, as far as a chart needs them: a grid of cells, or points."""

from dataclasses import dataclass
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPointF, QSize, Qt
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import QToolTip
from Orange.data import Table, Variable

from ...core.words import counted
from ..charts.points import LEFT, SQUARE, Chart, ChartView, Entry, line_pen
from ..ranker.featurevalues import LABEL, MOST_GROUPS, MOST_ROWS, association, frequent
from ..utils.colors import faint, hue, mix
from ..utils.markup import plain

FEW = 6  # values up to which a number is shown as a category
MOST_VALUES = 8  # of a category that are told apart: the most frequent ones
BINS = 3  # of a number, where it is asked which target belongs to a pair
JITTER = 0.3  # of the step between two values, to either side
TOLD = 9  # cells in a description


@dataclass(frozen=True, eq=False)
class Axis:
    """Title, and names of the values at 0, 1, ..., or () for numbers."""

    title: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of two categories: sizes (gx, gy); shares (gx, gy, c) of the classes `parts`, or means (gx, gy) of a number
    if there are none."""

    axes: tuple[Axis, Axis]
    sizes: np.ndarray
    parts: tuple[str, ...] = ()
    shares: np.ndarray | None = None
    means: np.ndarray | None = None

    def told(self) -> str:
        (first, second), texts = self.axes, []
        for cell in np.argsort(-self.sizes, axis=None, kind="stable")[:TOLD]:
            i, j = np.unravel_index(cell, self.sizes.shape)
            if self.sizes[i, j]:
                where = f"{first.title} {first.names[i]}, {second.title} {second.names[j]}"
                texts.append(f"{where}: {self._told_of(i, j)} of {counted(int(self.sizes[i, j]), 'row')}")
        return "; ".join(texts)

    def _told_of(self, i, j):
        if self.means is not None:
            return f"mean {self.means[i, j]:.4g}"
        shares = zip(self.parts, self.shares[i, j], strict=True)
        return ", ".join(f"{part} {100 * share:.0f} %" for part, share in shares if share)


@dataclass(frozen=True, eq=False)
class Points:
    """x, y (m,), moved a little where few values are; codes (m,) of the classes `parts`, or values (m,) of a number if
    there are none."""

    axes: tuple[Axis, Axis]
    x: np.ndarray
    y: np.ndarray
    parts: tuple[str, ...] = ()
    codes: np.ndarray | None = None
    values: np.ndarray | None = None

    def told(self) -> str:
        return f"{counted(len(self.x), 'row')}: {self.axes[0].title} to the right, {self.axes[1].title} upwards"


@dataclass(frozen=True, eq=False)
class PairValues:
    """Picture of two features; target: index of the one that it shows; drawing: None where no row knows all three."""

    title: str
    caption: str
    target: int = 0
    drawing: Grid | Points | None = None

    @property
    def told(self) -> str:
        return (
            f"{self.title}. {self.drawing.told()}. {self.caption}" if self.drawing else f"{self.title}. {self.caption}"
        )


class PairsOfTable:
    """Reads pairs of features of a table against its targets; rows beyond a limit are sampled, always the same."""

    def __init__(self, table: Table, most: int = MOST_ROWS):
        n = len(table)
        rows = None if n <= most else np.sort(np.random.default_rng(0).choice(n, most, replace=False))
        self._sample, self._n, self.targets = table if rows is None else table[rows], n, table.domain.class_vars

    def of(self, first: str, second: str, target: int | None = None) -> PairValues:
        """Picture of two features by their names and a target by its index; None: the one that they tell most of."""
        a, b = (self._sample.domain[name] for name in (first, second))
        x, y = self._column(a), self._column(b)
        place = self._closest(a, x, b, y) if target is None or not 0 <= target < len(self.targets) else target
        variable = self.targets[place]
        t = self._column(variable)
        known = np.isfinite(x) & np.isfinite(y) & np.isfinite(t)
        title, caption = f"{first} and {second} by {variable.name}", self._caption(int(known.sum()))
        if not known.any():
            return PairValues(title, caption, place)
        return PairValues(title, caption, place, self._drawing((a, x[known]), (b, y[known]), variable, t[known]))

    def _column(self, variable) -> np.ndarray:
        return self._sample.get_column(variable).astype(float)

    def _caption(self, known):
        n = len(self._sample)
        drawn = counted(known, "row") if n == self._n else f"{known:,} of {counted(self._n, 'row')}, sampled"
        return drawn if known == n else f"{drawn}; {n - known:,} with a missing value"

    def _closest(self, a, x, b, y) -> int:
        """Index of the target that goes together with both most closely."""
        found = []
        for variable in self.targets if len(self.targets) > 1 else ():
            t = self._column(variable)
            known = np.isfinite(x) & np.isfinite(y) & np.isfinite(t)
            cells = _binned(a, x[known]) * (MOST_GROUPS + 1) + _binned(b, y[known])
            groups, codes = np.unique(cells, return_inverse=True)
            of_target = len(variable.values) if variable.is_discrete else None
            found.append(association(codes.astype(float), max(len(groups), 1), t[known], of_target))
        return int(np.argmax(found)) if found else 0

    def _drawing(self, first, second, target: Variable, t) -> Grid | Points:
        axes, values = zip(*(_axis(*each) for each in (first, second)), strict=True)
        classes = _classes(target, t, several=len(self.targets) > 1)
        if all(axis.names for axis in axes):
            return _grid(axes, values, classes, t)
        rng = np.random.default_rng(0)
        x, y = (_moved(axis, each, rng) for axis, each in zip(axes, values, strict=True))
        if classes is None:
            return Points(axes, x, y, values=t)
        return Points(axes, x, y, classes[0], codes=classes[1])


def _axis(variable: Variable, x: np.ndarray) -> tuple[Axis, np.ndarray]:
    """Axis, and values on it: places of categories and of numbers that have few values."""
    if variable.is_discrete:
        codes, names = frequent(x, variable.values, MOST_VALUES)
        return Axis(variable.name, names), codes
    few = np.unique(x)
    if len(few) > FEW:
        return Axis(variable.name), x
    return Axis(variable.name, tuple(f"{value:g}" for value in few)), np.searchsorted(few, x)


def _moved(axis: Axis, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values moved at random where many rows have the same one, so that all are seen."""
    few = np.unique(x)
    if axis.names:
        return x + rng.uniform(-JITTER, JITTER, len(x))
    if len(few) < 2 or len(few) > len(x) / 3:
        return x
    return x + rng.uniform(-JITTER, JITTER, len(x)) * np.diff(few).min()


def _classes(target: Variable, t: np.ndarray, several: bool) -> tuple[tuple[str, ...], np.ndarray] | None:
    """Names of the classes and codes (m,); None for a number."""
    if not target.is_discrete:
        return None
    label = several and tuple(target.values) == LABEL
    classes = (f"without {target.name}", f"with {target.name}") if label else target.values
    codes, names = frequent(t, classes, MOST_VALUES)
    return names, codes


def _grid(axes, values, classes, t) -> Grid:
    shape = tuple(len(axis.names) for axis in axes)
    cells = values[0] * shape[1] + values[1]
    sizes = np.bincount(cells, minlength=np.prod(shape)).reshape(shape)
    if classes is None:
        sums = np.bincount(cells, t, minlength=np.prod(shape)).reshape(shape)
        return Grid(axes, sizes, means=sums / np.maximum(sizes, 1))
    parts, codes = classes
    counts = np.bincount(cells * len(parts) + codes, minlength=np.prod(shape) * len(parts)).reshape(*shape, len(parts))
    return Grid(axes, sizes, parts, counts / np.maximum(sizes, 1)[..., None])


def _binned(variable: Variable, x: np.ndarray) -> np.ndarray:
    if variable.is_discrete:
        return frequent(x, variable.values, MOST_VALUES)[0]
    return np.searchsorted(np.unique(np.quantile(x, np.linspace(0, 1, BINS + 1)[1:-1])), x) if len(x) else x.astype(int)


CELL = 0.94  # side of the largest cell, in steps
OPAQUE, DENSE, MANY = 200, 110, 600  # opacity of a point among few and among many; points that are many
NAMES = 0.3  # share of the width that names of values may take
PAD = 8
LOW, HIGH = 1, 0  # hues of the smallest and the largest value of a number
SYMBOLS = "o", "t1", "s", "d", "+", "star"  # of classes: a second key beside colours
STEPS = 21  # colours of numbers


class PairChart(ChartView):
    """Draws what `PairsOfTable` found; the description for screen readers says the same in words."""

    def __init__(self, parent=None):
        self.chart, self.shown = Chart("", ""), None
        super().__init__(self.chart, name="Values of both features", parent=parent)
        self.setMinimumSize(QSize(150, 120))
        self.setMouseTracking(True)

    def show_values(self, shown: PairValues | None) -> None:
        self.shown = shown
        self.setAccessibleDescription(shown.told if shown else "")
        self.draw()

    def draw(self) -> None:
        drawing = self.shown and self.shown.drawing
        self.chart.restart(drawing is not None, self._legend(drawing), self.palette().text().color())
        for side in ("left", "bottom"):
            self.chart.getAxis(side).setTicks(None)
        self.chart.getAxis("left").setWidth(LEFT)
        if drawing is None:
            return
        self._label_axes(drawing.axes)
        (self._grid if isinstance(drawing, Grid) else self._points)(drawing)

    def _legend(self, drawing) -> list[Entry]:
        if drawing is None:
            return []
        if drawing.parts:
            return [Entry(part, hue(place, self.palette()), symbol=SQUARE) for place, part in enumerate(drawing.parts)]
        low, high = self._range(drawing)
        return [Entry(f"{value:.4g}", self._color(share), symbol=SQUARE) for value, share in ((low, 0), (high, 1))]

    # Colours of numbers ----------------------------------------------------------------------------------------------

    @staticmethod
    def _range(drawing) -> tuple[float, float]:
        """Numbers with the colours of both ends: far values must not make all others alike."""
        values = drawing.values if isinstance(drawing, Points) else drawing.means[drawing.sizes > 0]
        low, high = np.quantile(values, (0.02, 0.98)) if isinstance(drawing, Points) else (values.min(), values.max())
        return float(low), float(high)

    def _color(self, share: float) -> QColor:
        """Colour of a number: 0 is the smallest, 1 the largest."""
        ground, palette = self.palette().base().color(), self.palette()
        end = hue(HIGH if share >= 0.5 else LOW, palette)
        return mix(mix(ground, palette.text().color(), 0.25), end, min(2 * abs(share - 0.5), 1.0))

    def _shares(self, drawing, values) -> np.ndarray:
        low, high = self._range(drawing)
        return np.clip((values - low) / (high - low), 0, 1) if low < high else np.full(np.shape(values), 0.5)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def _grid(self, grid):
        (gx, gy), side = grid.sizes.shape, CELL * np.sqrt(grid.sizes / max(grid.sizes.max(), 1))
        x, y = np.meshgrid(np.arange(gx), np.arange(gy), indexing="ij")
        there, pen = grid.sizes > 0, line_pen(self.palette().base().color(), 1)
        left = (x - side / 2)[there]
        if grid.means is not None:
            brushes = [self._color(share) for share in self._shares(grid, grid.means[there])]
            self._cells(left, left + side[there], y[there], side[there], brushes, pen)
        for place in range(len(grid.parts)):
            width = (side * grid.shares[..., place])[there]
            some = width > 0
            brush = [hue(place, self.palette())] * int(some.sum())
            self._cells(left[some], (left + width)[some], y[there][some], side[there][some], brush, pen)
            left = left + width
        self._fit()

    def _cells(self, x0, x1, y, high, brushes, pen):
        if len(x0):
            self.chart.addItem(
                pg.BarGraphItem(x0=x0, x1=x1, y0=y - high / 2, y1=y + high / 2, brushes=brushes, pen=pen)
            )

    def _points(self, points):
        opacity = OPAQUE if len(points.x) < MANY else DENSE
        if points.codes is None:
            steps = (self._shares(points, points.values) * (STEPS - 1)).round().astype(int)
            order = np.argsort(np.abs(steps - STEPS // 2), kind="stable")  # those that tell most on top
            colors = [pg.mkBrush(faint(self._color(step / (STEPS - 1)), opacity)) for step in range(STEPS)]
            look = {"brush": [colors[step] for step in steps[order]], "size": 7, "pen": None}
            self.chart.addItem(pg.ScatterPlotItem(points.x[order], points.y[order], **look))
        for place in range(len(points.parts)):
            own = points.codes == place
            look = {"brush": faint(hue(place, self.palette()), opacity), "size": 7, "pen": None}
            symbol = SYMBOLS[place % len(SYMBOLS)]
            self.chart.addItem(pg.ScatterPlotItem(points.x[own], points.y[own], symbol=symbol, **look))
        self._fit()

    def _fit(self):
        drawing, metrics = self.shown.drawing, self.fontMetrics()
        across, up = drawing.axes
        ends = (None, None) if isinstance(drawing, Grid) else (drawing.x, drawing.y)
        for axis, values, set_range in zip(
            drawing.axes, ends, (self.chart.setXRange, self.chart.setYRange), strict=True
        ):
            if axis.names:
                set_range(-0.55, len(axis.names) - 0.45, padding=0)
            else:
                low, high = float(values.min()), float(values.max())
                set_range(*(low, high) if low < high else (low - 0.5, low + 0.5), padding=0.04)
        taken = LEFT
        if up.names:
            room = int(NAMES * self.chart.size().width())
            names = [metrics.elidedText(name, Qt.ElideMiddle, room) for name in up.names]
            self.chart.getAxis("left").setTicks([list(enumerate(names))])
            taken = max(map(metrics.horizontalAdvance, names)) + 2 * PAD + metrics.height()
            self.chart.getAxis("left").setWidth(taken)
        if across.names:
            room = int((self.chart.size().width() - taken) / len(across.names)) - PAD
            names = [metrics.elidedText(name, Qt.ElideMiddle, max(room, PAD)) for name in across.names]
            self.chart.getAxis("bottom").setTicks([list(enumerate(names))])

    def _label_axes(self, axes):
        room = max(int(self.chart.size().width()) - LEFT, 40)
        elided = self.fontMetrics().elidedText
        self.chart.setLabel("bottom", escape(elided(axes[0].title, Qt.ElideMiddle, room)))
        self.chart.setLabel("left", escape(elided(axes[1].title, Qt.ElideMiddle, int(self.height() * 0.7))))

    # Looking closer --------------------------------------------------------------------------------------------------

    def about(self, place: QPointF) -> str:
        """Text about the cell at a place of the axes; empty where there is none."""
        drawing = self.shown and self.shown.drawing
        if not isinstance(drawing, Grid):
            return ""
        i, j = round(place.x()), round(place.y())
        inside = 0 <= i < drawing.sizes.shape[0] and 0 <= j < drawing.sizes.shape[1]
        if not inside or not drawing.sizes[i, j]:
            return ""
        first, second = drawing.axes
        where = f"{first.title} = {first.names[i]}, {second.title} = {second.names[j]}"
        if drawing.means is not None:
            what = f"mean {drawing.means[i, j]:.4g}"
        else:
            shares = zip(drawing.parts, drawing.shares[i, j], strict=True)
            what = ", ".join(f"{part} {100 * share:.0f} %" for part, share in shares if share)
        return f"{where}: {counted(int(drawing.sizes[i, j]), 'row')}, {what}"

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        box = self.chart.getViewBox()
        inside = box.sceneBoundingRect().contains(self.mapToScene(event.pos()))
        text = self.about(box.mapSceneToView(self.mapToScene(event.pos()))) if inside else ""
        QToolTip.showText(event.globalPos(), plain(text), self)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if self.shown is not None:
            self.draw()
