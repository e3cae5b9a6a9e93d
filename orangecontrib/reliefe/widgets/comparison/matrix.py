"""Agreement of every two rankings as colours, those that agree side by side: the picture."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QFontMetrics, QPalette, QPen

from ..ranker.heatmap import Cells, ColorScale
from ..utils.colors import hue, ink, muted

GAP = 5  # pixels around the names
TALLEST, WIDEST = 60, 90  # pixels of a cell
NAMES = 0.45  # share of the width that names may take
TREE = 34  # pixels of the tree above
SWATCH = 9
MOST_ORDERED = 60  # rankings whose tree is turned for the best order: it takes their number cubed


class Tree(NamedTuple):
    """order (t,): of the rankings; links: for each (x, y) (4,), from the left foot over the bar to the right foot, x in
    places, y from 0 (equal) to 1."""

    order: np.ndarray
    links: Sequence[tuple[np.ndarray, np.ndarray]]


def tree_of(agreement: np.ndarray) -> Tree:
    """Clusters of rankings by average linkage; agreement (t, t): 1 for equal ones, NaN where there is none."""
    t = len(agreement)
    if t < 3:
        return Tree(np.arange(t), ())
    from scipy.cluster.hierarchy import dendrogram, linkage
    from scipy.spatial.distance import squareform

    distance = np.clip(np.nan_to_num(1 - agreement, nan=1.0), 0, None)
    np.fill_diagonal(distance, 0)
    links = linkage(squareform(distance, checks=False), "average", optimal_ordering=t <= MOST_ORDERED)
    drawn = dendrogram(links, no_plot=True)
    top = max(map(max, drawn["dcoord"])) or 1.0
    shapes = [
        ((np.array(x) - 5) / 10, np.array(y) / top) for x, y in zip(drawn["icoord"], drawn["dcoord"], strict=True)
    ]
    return Tree(np.array(drawn["leaves"]), shapes)


class Frame(NamedTuple):
    """Place of the cells: left, top, width and height of one."""

    left: float
    top: float
    width: float
    height: float


class Matrix(Cells):
    """Rows and columns are rankings in the order of the tree; columns have the numbers that the rows have.

    A line below tells the current cell, (row, column), and the scale explains the colours.
    """

    def __init__(self):
        super().__init__()
        self.titles, self.values, self.tree = (), np.zeros((0, 0)), Tree(np.zeros(0, int), ())
        self.told, self.scale = "", ColorScale(0.0, 1.0)

    # State -----------------------------------------------------------------------------------------------------------

    def set_values(self, titles: Sequence[str], values: np.ndarray, tree: Tree) -> None:
        """values: (t, t), NaN where there is no agreement."""
        if tuple(titles) != self.titles:
            self.current = None
        self.titles, self.values, self.tree = tuple(titles), values, tree
        known = values[np.isfinite(values)]
        self.scale = ColorScale(float(min(known.min(initial=0), 0)), 1.0, 0, self._palette)
        self.update()

    def set_current(self, cell: tuple[int, int] | None, told: str = "") -> None:
        self.current, self.told = cell, told
        self.update()

    def pair(self, cell: tuple[int, int]) -> tuple[int, int]:
        return int(self.tree.order[cell[0]]), int(self.tree.order[cell[1]])

    # Geometry --------------------------------------------------------------------------------------------------------

    def frame(self) -> Frame:
        metrics, t = QFontMetrics(self._font), max(len(self.titles), 1)
        longest = max(map(metrics.horizontalAdvance, self.titles), default=0)
        numbers = metrics.horizontalAdvance(f"{t} ") + SWATCH + 4 * GAP
        left = min(longest + numbers, NAMES * self.size().width())
        top = TREE * bool(self.tree.links) + metrics.height() + GAP
        width = min((self.size().width() - left - GAP) / t, WIDEST)
        height = min((self.size().height() - top - metrics.height() - 3 * GAP) / t, TALLEST)
        return Frame(left, top, max(width, 1), max(height, 1))

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """(row, column) of the cell at a place of the scene; names are cells of a ranking with itself."""
        frame, at, t = self.frame(), self.mapFromScene(place), len(self.titles)
        row = int(np.floor((at.y() - frame.top) / frame.height))
        column = int(np.floor((at.x() - frame.left) / frame.width)) if at.x() >= frame.left else row
        return (row, column) if 0 <= row < t and 0 <= column < t and at.x() >= 0 else None

    # Painting --------------------------------------------------------------------------------------------------------

    def paint(self, painter, *_):
        if not self.titles:
            return
        painter.setFont(self._font)
        frame = self.frame()
        self._paint_tree(painter, frame)
        self._paint_cells(painter, frame)
        self._paint_names(painter, frame)
        if self.current:
            self.paint_frame(painter, self.area(frame, *self.current))
        self._paint_foot(painter, frame)

    def _paint_tree(self, painter, frame):
        painter.setRenderHint(painter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(muted(self._palette, 0.35), 1))
        for x, y in self.tree.links:
            places = [
                QPointF(frame.left + (u + 0.5) * frame.width, TREE - (TREE - GAP) * v)
                for u, v in zip(x, y, strict=True)
            ]
            for begin, end in pairwise(places):
                painter.drawLine(begin, end)

    def _paint_cells(self, painter, frame):
        t, order, metrics = len(self.titles), self.tree.order, painter.fontMetrics()
        values = self.values[np.ix_(order, order)]
        colors, unknown = self.scale.colors(values), muted(self._palette, 0.8)
        roomy = metrics.horizontalAdvance(self.scale.text(-1.0)) + GAP <= frame.width
        written = roomy and metrics.height() <= frame.height
        painter.setPen(QPen(self._palette.color(QPalette.Base), 1))
        for row in range(t):
            for column in range(t):
                value = values[row, column]
                color = QColor(*map(int, colors[row, column])) if np.isfinite(value) else unknown
                area = self.area(frame, row, column)
                painter.fillRect(area, color)
                if min(frame[2:]) >= GAP:
                    painter.drawRect(area)
                if written:
                    painter.save()
                    painter.setPen(ink(color))
                    painter.drawText(area, int(Qt.AlignCenter), self.scale.text(value))
                    painter.restore()

    def _paint_names(self, painter, frame):
        """A number, the name and the ranking's colour in each row, the numbers above; not each where rows are low."""
        metrics, t = painter.fontMetrics(), len(self.titles)
        step = max(int(np.ceil(metrics.height() / frame.height)), 1)
        across = max(int(np.ceil(metrics.horizontalAdvance(f"{t} ") / frame.width)), 1)
        width = frame.left - SWATCH - 3 * GAP
        for place, ranking in enumerate(self.tree.order):
            y = frame.top + (place + 0.5) * frame.height
            side = min(SWATCH, frame.height)
            painter.fillRect(QRectF(frame.left - GAP - side, y - side / 2, side, side), hue(ranking, self._palette))
            painter.setPen(self._palette.color(QPalette.Text))
            if place % step == 0:
                number = f"{place + 1}\u2002"
                text = metrics.elidedText(number + self.titles[ranking], Qt.ElideMiddle, int(width))
                area = QRectF(GAP, y - metrics.height() / 2, width, metrics.height())
                painter.drawText(area, int(Qt.AlignRight | Qt.AlignVCenter), text)
            if place % across == 0:
                x, tall = frame.left + place * frame.width, metrics.height() + GAP
                area = QRectF(x, frame.top - tall, across * frame.width, tall)
                painter.drawText(area, int(Qt.AlignHCenter | Qt.AlignVCenter), str(place + 1))

    def _paint_foot(self, painter, frame):
        metrics, size, line = painter.fontMetrics(), self.size(), painter.fontMetrics().height()
        below = frame.top + len(self.titles) * frame.height + 2 * GAP
        area = QRectF(GAP, min(below, size.height() - line - GAP), size.width() - 2 * GAP, line)
        left = self.scale.paint(painter, area)
        painter.setPen(self._palette.color(QPalette.Text))
        text = metrics.elidedText(self.told, Qt.ElideRight, max(int(left - area.left()), 0))
        painter.drawText(area, int(Qt.AlignLeft | Qt.AlignVCenter), text)
