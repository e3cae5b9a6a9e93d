"""Genotypes of one variant by class.  Knows nothing of widgets."""

from dataclasses import dataclass

import numpy as np
from AnyQt.QtCore import QEvent, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPalette
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..utils.colors import muted
from .job import Found
from .manhattanview import ManhattanView
from .variantstable import VariantsTable

UNKNOWN, FREQUENCY = "?", "Freq."  # columns
WORDS = {UNKNOWN: "unknown", FREQUENCY: "frequency of the counted allele"}
MOST_CLASSES = 30  # that are counted; the rarest others are left out


@dataclass(frozen=True)
class Counts:
    """Table of a variant: titles of the columns, and rows of texts, the first of which is a name."""

    title: str
    facts: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def told(self) -> str:
        lines = [f"{self.title}: {self.facts}"]
        for name, *cells in self.rows:
            told = (f"{WORDS.get(column, column)} {cell}" for column, cell in zip(self.columns[1:], cells, strict=True))
            lines.append(f"{name}: {', '.join(told)}")
        return ". ".join(lines)


def counts_of(found: Found, variant: int) -> Counts:
    """Numbers of people with each genotype, class by class; for a number, its mean for each genotype."""
    kept = found.kept
    codes, y = kept.data.codes.codes(variant, variant + 1)[:, 0], kept.phenotype
    v = kept.data.variants
    counted, other = str(v.counted[variant]), str(v.other[variant])
    named = counted and other and len(counted) + len(other) <= 8
    genotypes = (f"{other}/{other}", f"{other}/{counted}", f"{counted}/{counted}") if named else ("0", "1", "2")
    rows = _of_numbers(codes, y) if y.dtype.kind == "f" else _of_classes(codes, y)
    columns = ("Class", *genotypes, UNKNOWN, FREQUENCY)
    return Counts(str(v.name[variant]), _facts(found, variant, counted, other), columns, tuple(rows))


def _of_classes(codes, y):
    classes, sizes = np.unique(y, return_counts=True)
    for name in classes[np.sort(np.argsort(-sizes, kind="stable")[:MOST_CLASSES])].tolist():
        yield name, *_row(codes[y == name])
    yield "all", *_row(codes)


def _of_numbers(codes, y):
    means = [f"{y[codes == code].mean():.4g}" if (codes == code).any() else "\u2013" for code in (0, 1, 2, -1)]
    yield "mean", *means, ""
    yield "people", *_row(codes)


def _row(codes) -> tuple[str, ...]:
    sizes = [int((codes == code).sum()) for code in (0, 1, 2, -1)]
    known = sum(sizes[:3])
    share = f"{(sizes[1] + 2 * sizes[2]) / (2 * known):.3f}" if known else "\u2013"
    return *(f"{size:,}" for size in sizes), share


def _facts(found: Found, variant: int, counted: str, other: str) -> str:
    v, parts = found.kept.data.variants, []
    if v.chromosome[variant]:
        parts.append(f"chromosome {v.chromosome[variant]}")
    if v.position[variant]:
        parts.append(f"position {int(v.position[variant]):,}")
    if counted or other:
        parts.append(f"alleles {counted} (counted) and {other}")
    parts.append(f"frequency of the rarer {found.kept.frequency[variant]:.3f}")
    scored = found.scored
    parts.append(f"score {scored.ranking.scores[variant]:.4g}, rank {scored.rank[variant]:,} of {len(scored.rank):,}")
    test = scored.ranking.significance
    if test is not None:
        parts.append(f"p {test.p[variant]:.3g}, q {test.q[variant]:.3g}")
    return ", ".join(parts)


HINT = "Click a point of the plot or a row of the table to see the genotypes of a variant by class"
ABOUT = "Numbers of people with each genotype, and the frequency of the counted allele, by class"


class Detail(QWidget):
    """A hint, or facts and counts of a variant."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown, self._hint = None, ""
        self.title, self.table = QLabel(wordWrap=True), QTableWidget()
        self.title.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.table.setAccessibleName("Genotypes by class")
        self.table.setToolTip(ABOUT)
        self.table.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.NoSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.Stretch)
        self.table.horizontalHeader().setMinimumSectionSize(20)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.table, 1)
        self.show_counts(None)

    def set_ready(self, ready: bool) -> None:
        """Hint at what can be chosen, if there is anything."""
        self._hint = HINT if ready else ""

    def show_counts(self, counts: Counts | None) -> None:
        self.shown = counts
        self.table.setVisible(counts is not None)
        self.title.setText(f"<b>{_plain(counts.title)}</b>: {_plain(counts.facts)}" if counts else self._hint)
        self.title.setAlignment(Qt.AlignLeft | Qt.AlignTop if counts else Qt.AlignCenter)
        self.table.setAccessibleDescription(counts.told if counts else "")
        self._recolor()
        if counts is None:
            return
        self.table.setColumnCount(len(counts.columns))
        self.table.setRowCount(len(counts.rows))
        self.table.setHorizontalHeaderLabels(counts.columns)
        for j, column in enumerate(counts.columns):
            self.table.horizontalHeaderItem(j).setToolTip(WORDS.get(column, column).capitalize())
        for i, row in enumerate(counts.rows):
            for j, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignVCenter | (Qt.AlignRight if j else Qt.AlignLeft))
                item.setToolTip(f"{row[0]}, {counts.columns[j]}: {text}" if j else text)
                self.table.setItem(i, j, item)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "shown"):
            self._recolor()

    def _recolor(self):
        palette = QPalette(self.palette())
        if self.shown is None:
            palette.setColor(QPalette.WindowText, muted(self.palette(), 0.3))
        self.title.setPalette(palette)


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


SIDE_BY_SIDE = 700  # pixels from which on a variant is beside the table, and not below


class GenotypesArea(QWidget):
    """`chosen`: index of the variant that the user chose in a view."""

    chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.found = None
        self.plot, self.table, self.detail = ManhattanView(), VariantsTable(), Detail()
        self.outer, self.lower = QSplitter(Qt.Vertical), QSplitter()
        for splitter in (self.outer, self.lower):
            splitter.setChildrenCollapsible(False)
        self.lower.addWidget(self.table)
        self.lower.addWidget(self.detail)
        self.outer.addWidget(self.plot)
        self.outer.addWidget(self.lower)
        self._beside = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.outer)
        self.plot.variant_chosen.connect(self._choose)
        self.table.variant_chosen.connect(self._choose)

    def sizeHint(self):
        return QSize(760, 560)

    def show_found(self, found, n_best: int) -> None:
        self.found = found if found is not None and found.scored is not None else None
        self.detail.set_ready(self.found is not None)
        self.choose(None)
        self.plot.show_found(found, n_best)
        self.table.model().show_best(found, n_best)

    def choose(self, variant: int | None, reveal: bool = False) -> None:
        """Show this variant in all views; reveal: in the plot, wherever it is.  Emits nothing."""
        self.plot.choose(variant, reveal)
        self.table.choose_variant(variant)
        shown = variant is not None and self.found is not None
        self.detail.show_counts(counts_of(self.found, variant) if shown else None)

    def _choose(self, variant):
        self.choose(variant, reveal=True)
        self.chosen.emit(variant)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        beside = self.width() >= SIDE_BY_SIDE
        if beside != self._beside:
            self._beside = beside
            self.lower.setOrientation(Qt.Horizontal if beside else Qt.Vertical)
            self.lower.setSizes([self.width() * 3 // 5, self.width() * 2 // 5] if beside else [self.height() // 2] * 2)
            self.outer.setSizes([self.height() // 2] * 2)
