"""Tables of every two rankings: their agreement, and the differences of their quality."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen

from ...core.words import percent
from ...orange.comparison.statistical_tests import LEVEL, Pairs
from ..charts.cells import GAP, Cells, Frame
from ..charts.color_scale import ColorScale
from ..utils.colors import mix, muted

SWATCH = 9
TREE = 34  # pixels of the tree above
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


class PairCells(Cells):
    """Rows and columns are rankings; columns have the numbers that the rows have."""

    names = 0.55  # share of the width that titles may take
    tallest, widest = 96, 130  # pixels of a cell
    foot = 1  # lines of text below
    top = GAP  # pixels above the numbers
    swatches = 0  # pixels beside the titles

    titles: Sequence[str] = ()

    @property
    def shape(self):
        return len(self.titles), len(self.titles)

    def frame(self):
        size = self.canvas.size()
        metrics = self.metrics
        t = max(len(self.titles), 1)
        longest = max((metrics.horizontalAdvance(text) for text in self._numbered()), default=0)
        left = min(longest + self.swatches + 4 * GAP, self.names * size.width())
        top = self.top + metrics.height()
        width = min((size.width() - left - GAP) / t, self.widest)
        height = min((size.height() - top - self.foot * metrics.height() - 3 * GAP) / t, self.tallest)
        return Frame(left, top, max(width, 1), max(height, 1))

    def _numbered(self) -> list[str]:
        return [f"{number + 1}\u2002{title}" for number, title in enumerate(self.titles)]

    def paint_table(self, painter, frame: Frame, colors: np.ndarray, texts: Sequence, strong: object = ()) -> QRectF:
        """Paint all but the text below, for which it returns the area."""
        self.paint_cells(painter, frame, colors, texts, strong)
        self.paint_names(painter, frame, self._numbered(), GAP, self.swatches + 2 * GAP)
        self.paint_heads(painter, frame, [f"{number + 1}" for number in range(len(self.titles))], self.top)
        self.paint_current(painter, frame)
        size, high = self.canvas.size(), self.foot * self.metrics.height()
        below = min(frame.top + len(self.titles) * frame.height + 2 * GAP, size.height() - high - GAP)
        painter.setPen(self.text_color)
        return QRectF(GAP, below, size.width() - 2 * GAP, high)


class AgreementCells(PairCells):
    """Rankings in the order of a tree: those that agree are side by side.  A click on a title is one on the cell of a
    ranking with itself."""

    tree = Tree(np.zeros(0, int), ())
    swatches = SWATCH + GAP

    def show_values(self, titles: Sequence[str], values: np.ndarray, tree: Tree) -> None:
        """Show values (t, t), NaN where there is no agreement."""
        if tuple(titles[ranking] for ranking in tree.order) != tuple(self.titles):
            self.current = None
        self.titles = tuple(titles[ranking] for ranking in tree.order)
        self.values = values
        self.tree = tree
        self.top = TREE * bool(tree.links) + GAP
        known = values[np.isfinite(values)]
        self.low = float(min(known.min(initial=0), 0))
        self.draw()

    @property
    def scale(self) -> ColorScale:
        return ColorScale(self.low, 1.0, self.hue(0), self.palette())

    def pair(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The rankings that a cell compares."""
        return int(self.tree.order[cell[0]]), int(self.tree.order[cell[1]])

    def thing_at(self, place):
        row = self.row_at(place)
        on_title = row is not None and 0 <= place.x() < self.frame().left
        return (row, row) if on_title else super().thing_at(place)

    def paint_on(self, painter, room):
        if not self.titles:
            return
        frame = self.frame()
        order = self.tree.order
        scale = self.scale
        painter.setPen(QPen(muted(self.palette(), 0.35), 1))
        for x, y in self.tree.links:
            xs, ys = frame.left + (x + 0.5) * frame.width, TREE - (TREE - GAP) * y
            for begin, end in pairwise(map(QPointF, xs, ys)):
                painter.drawLine(begin, end)
        values = self.values[np.ix_(order, order)]
        colors = scale.colors(values)
        colors[~np.isfinite(values)] = muted(self.palette(), 0.8).getRgb()[:3]
        area = self.paint_table(painter, frame, colors, [[scale.text(value) for value in line] for line in values])
        side = min(SWATCH, frame.height)
        for row, ranking in enumerate(order):
            y = frame.top + (row + 0.5) * frame.height
            painter.fillRect(QRectF(frame.left - GAP - side, y - side / 2, side, side), self.hue(ranking))
        area.setRight(scale.paint(painter, area))
        painter.setPen(self.text_color)
        about = self.about(self.current) if self.current else ""
        self.write(painter, area, about, Qt.AlignLeft | Qt.AlignVCenter, Qt.ElideRight)


BETTER, WORSE = 0, 1  # hues
STRONGEST = 0.62  # share of the hue where it is certain


class PairsChart(PairCells):
    """Differences of rankings, which stand by their mean, best first."""

    names = 0.34
    tallest = 48
    widest = 120
    foot = 2
    note = (
        "Row minus column: the mean difference in test folds. Blue: the ranking of the row is better, orange: the "
        "ranking of the column; the stronger, the more probable. Bold: p < 0.05"
    )

    def __init__(self, parent=None):
        self.pairs: Pairs | None = None
        super().__init__("Differences of pairs of rankings", parent)

    @property
    def titles(self):
        return self.pairs.titles if self.pairs else ()

    def show_pairs(self, pairs: Pairs | None) -> None:
        self.pairs = pairs
        self.draw()

    def about(self, cell):
        pairs, (i, j) = self.pairs, cell
        if i == j:
            return f"{pairs.titles[i]}: mean {pairs.means[i]:.4f}"
        d = pairs.differences[i, j]
        return (
            f"{pairs.titles[i]} \u2212 {pairs.titles[j]}: {_signed(d.mean)} ({_signed(d.low)} to {_signed(d.high)}), "
            f"p = {d.p_value:.3g}; better {percent(d.first)}, practically equal {percent(d.rope)}, "
            f"worse {percent(d.second)}"
        )

    def paint_on(self, painter, room):
        if self.pairs is None:
            return
        pairs, k = self.pairs, len(self.titles)
        colors = np.tile(muted(self.palette(), 0.93).getRgb()[:3], (k, k, 1))
        texts = [[f"{mean:.3f}"] * k for mean in pairs.means]
        for (i, j), d in pairs.differences.items():
            better = d.first - d.second
            color = self.hue(BETTER if better > 0 else WORSE)
            colors[i, j] = mix(self.ground, color, STRONGEST * min(abs(better), 1.0)).getRgb()[:3]
            texts[i][j] = _signed(d.mean)
        strong = {pair for pair, d in pairs.differences.items() if d.p_value < LEVEL}
        area = self.paint_table(painter, self.frame(), colors, texts, strong)
        painter.setPen(muted(self.palette(), 0.25))
        about = self.about(self.current) if self.current else self.note
        painter.drawText(area, int(Qt.AlignLeft | Qt.AlignTop | Qt.TextWordWrap), about)


def _signed(value: float) -> str:
    """With a true minus sign, and no negative zero."""
    text = f"{round(value, 4) + 0.0:+.3f}"
    return text.replace("-", "\u2212") if float(text) else "0.000"
