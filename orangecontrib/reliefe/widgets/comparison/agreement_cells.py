"""Table of the agreement of every two rankings with their tree above, painted by QPainter."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen

from ...orange.comparison.ranking_tree import RankingTree
from ..charts.cells import GAP
from ..charts.color_scale import ColorScale
from ..utils.colors import muted
from .pair_cells import PairCells

SWATCH = 9  # pixels of the square in the colour of a ranking
TREE = 34  # pixels of the tree above


class AgreementCells(PairCells):
    """Rankings in the order of a tree: those that agree are side by side.  A click on a title is one on the cell of a
    ranking with itself."""

    tree = RankingTree(np.zeros(0, int), ())
    swatches = SWATCH + GAP

    def show_values(self, titles: Sequence[str], values: np.ndarray, tree: RankingTree) -> None:
        """Show values (t, t), NaN where there is no agreement."""
        if tuple(titles[ranking] for ranking in tree.order) != tuple(self.titles):
            self.current = None
        self.titles = tuple(titles[ranking] for ranking in tree.order)
        self.values = values
        self.tree = tree
        self.top = TREE * bool(tree.links) + GAP
        finite_values = values[np.isfinite(values)]
        self.low = float(min(finite_values.min(initial=0), 0))
        self.draw()

    @property
    def scale(self) -> ColorScale:
        return ColorScale(self.low, 1.0, self.hue(0), self.palette())

    def pair(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The rankings that a cell compares."""
        return int(self.tree.order[cell[0]]), int(self.tree.order[cell[1]])

    def element_at(self, position):
        row = self.row_at(position)
        on_title = row is not None and 0 <= position.x() < self.frame().left
        return (row, row) if on_title else super().element_at(position)

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
        swatch_size = min(SWATCH, frame.height)
        for row, ranking in enumerate(order):
            y = frame.top + (row + 0.5) * frame.height
            swatch = QRectF(frame.left - GAP - swatch_size, y - swatch_size / 2, swatch_size, swatch_size)
            painter.fillRect(swatch, self.hue(ranking))
        area.setRight(scale.paint(painter, area))
        painter.setPen(self.text_color)
        about = self.about(self.current) if self.current else ""
        self.write(painter, area, about, Qt.AlignLeft | Qt.AlignVCenter, Qt.ElideRight)
