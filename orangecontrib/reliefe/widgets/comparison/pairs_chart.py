"""Table of the differences in quality of every two rankings, painted by QPainter."""

import numpy as np
from AnyQt.QtCore import Qt

from ...core.words import percent
from ...orange.comparison.statistical_tests import LEVEL, Pairs
from ..utils.colors import mix, muted
from .pair_cells import PairCells

BETTER, WORSE = 0, 1  # hues of a row that is better or worse
STRONGEST = 0.62  # share of the hue where the difference is certain


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
        """Show differences; None: nothing."""
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
