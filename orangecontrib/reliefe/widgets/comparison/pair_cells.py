"""Base of tables of every two rankings, painted by QPainter: their agreement, and their differences."""

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QRectF

from ..charts.cells import GAP, CellGeometry, Cells


class PairCells(Cells):
    """Rows and columns are rankings; the heads of the columns are the numbers of the rows."""

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
        return CellGeometry(left, top, max(width, 1), max(height, 1))

    def _numbered(self) -> list[str]:
        return [f"{number + 1}\u2002{title}" for number, title in enumerate(self.titles)]

    def paint_table(
        self, painter, frame: CellGeometry, colors: np.ndarray, texts: Sequence, strong: object = ()
    ) -> QRectF:
        """Paint all but the text below, for which it returns the area."""
        self.paint_cells(painter, frame, colors, texts, strong)
        self.paint_names(painter, frame, self._numbered(), GAP, self.swatches + 2 * GAP)
        self.paint_heads(painter, frame, [f"{number + 1}" for number in range(len(self.titles))], self.top)
        self.paint_current(painter, frame)
        size, high = self.canvas.size(), self.foot * self.metrics.height()
        below = min(frame.top + len(self.titles) * frame.height + 2 * GAP, size.height() - high - GAP)
        painter.setPen(self.text_color)
        return QRectF(GAP, below, size.width() - 2 * GAP, high)
