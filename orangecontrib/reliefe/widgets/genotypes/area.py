"""The views of Rank Genotypes: Manhattan and QQ plot, the best variants as a table, and one variant by class."""

from dataclasses import dataclass
from html import escape

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...orange.genotypes.result import HEIGHTS, Found, P, Q
from ..charts.chart_view import ChartView
from ..charts.quantiles import QuantilePlot
from ..table.model import Column, TableModel
from ..table.view import ItemsView
from ..utils.controls import QuietLabel, choices, placed
from .manhattanview import ManhattanView

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
    def text(self) -> str:
        lines = [f"{self.title}: {self.facts}"]
        for name, *cells in self.rows:
            parts = (
                f"{WORDS.get(column, column)} {cell}" for column, cell in zip(self.columns[1:], cells, strict=True)
            )
            lines.append(f"{name}: {', '.join(parts)}")
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
    """Facts and counts of a variant; hidden as long as none is chosen."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.shown = None
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
        placed(QVBoxLayout(self), self.title, (self.table, 1), spacing=2).setContentsMargins(2, 2, 0, 0)
        self.show_counts(None)

    def show_counts(self, counts: Counts | None) -> None:
        self.shown = counts
        self.setVisible(counts is not None)
        if counts is None:
            return
        self.title.setText(f"<b>{escape(counts.title)}</b>: {escape(counts.facts)}")
        self.table.setAccessibleDescription(counts.text)
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


RANK, VARIANT, CHROMOSOME, POSITION, SHARE, SCORE = ("rank", "variant", "chromosome", "position", "frequency",
                                                         "score")  # fmt: skip
TESTS = {  # keys and titles of their columns
    "z": "Score minus its mean for shuffled phenotypes, in standard deviations",
    "p": "Probability of this z or more if the phenotype does not depend on the genotypes",
    "q": "False discovery rate if all variants down to this one are selected",
}
IMPORTANT = RANK, SCORE, CHROMOSOME, "q", "p", "z", POSITION, SHARE
WHOLE = RANK, POSITION  # numbers that are texts in full
ABOUT_TABLE = "The best variants, the best first; choose one to see its genotypes by class"


class VariantsModel(TableModel):
    """Items are the best variants, the best first: indices `best` (n,)."""

    def __init__(self, parent=None):
        super().__init__(parent, RANK)
        self.show_best(None, 0)

    def show_best(self, found, n: int) -> None:
        """List the n best variants of a `Found`; None, or one without scores: nothing."""
        self.beginResetModel()
        scored = None if found is None else found.scored
        self.best = np.zeros(0, int)
        columns = [()] * 6
        tests = {}
        number = ()
        if scored is not None:
            best = self.best = scored.order[:n]
            kept = found.kept
            test = scored.ranking.significance
            v = found.kept.data.variants
            columns = [scored.rank[best], v.name[best], v.chromosome[best], v.position[best]]
            columns += [kept.frequency[best], scored.ranking.scores[best]]
            tests = {} if test is None else {name: values[best] for name, values in test.columns.items()}
            number = kept.places.number[best]
        rank, name, chromosome, position, frequency, score = columns
        right = Qt.AlignRight
        self.fields = (
            Column(RANK, "#", rank, lambda i: f"{rank[i]:,}", "Rank, 1 is the best", right, widest="1,000,000"),
            Column(VARIANT, "Variant", name, tip="Name of the variant", widest="rs123456789"),
            Column(CHROMOSOME, "Chr.", chromosome, tip="Chromosome", widest="Chr. 22", order=np.asarray(number)),
            Column(POSITION, "Position", position, lambda i: f"{int(position[i]):,}" if position[i] else "",
                   "Base pairs along the chromosome", right, widest="249,250,621"),
            Column(SHARE, "Frequency", frequency, lambda i: _text(frequency[i], ".3f"),
                   "Frequency of the rarer allele, 0 to 0.5", right),
            Column(SCORE, "Score", score, lambda i: _text(round(score[i], 4) + 0.0, ".4f"),
                   "The higher, the more informative the variant is about the phenotype, alone or with other variants",
                   right, True, "-10.1234"),
            *(Column(key, key, values, lambda i, values=values: _text(values[i], ".3g"), TESTS[key], right, key == "z",
                     SHARE) for key, values in tests.items()),
        )  # fmt: skip
        self.arrange()
        self.endResetModel()

    def variant(self, row: int) -> int:
        return int(self.best[self.rows[row]])

    def item(self, variant: int | None) -> int | None:
        """Place of a variant among the best, or None if it is not listed."""
        found = np.flatnonzero(self.best == variant) if variant is not None else ()
        return int(found[0]) if len(found) else None

    def tip(self, item, column):
        if column.key in WHOLE or column.align == Qt.AlignLeft:
            return column.text_of(item)
        return f"{column.title}: {float(column.values[item])!r}"


def _text(value: float, form: str) -> str:
    return "\u2013" if np.isnan(value) else format(value, form)


class VariantsTable(ItemsView):
    """`variant_chosen`: the user went to the row of a variant."""

    variant_chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(VariantsModel(), IMPORTANT, 2, parent, accessibleName="Best variants")
        self.model().setParent(self)
        self.setAccessibleDescription(ABOUT_TABLE)
        self.setToolTip(ABOUT_TABLE)
        self.item_chosen.connect(self._item_chosen)

    def choose_variant(self, variant: int | None) -> None:
        """Mark the row of a variant; none if it is not listed.  Emits nothing."""
        self.choose(self.model().item(variant))

    def _item_chosen(self, item):
        self.variant_chosen.emit(int(self.model().best[item]))


ABOUT_QQ = "Sorted p-values against those of chance, 95 % of which lie in the band. Click a point for its genotypes"
PLOTS = (
    ("&1 Manhattan", "Scores along the chromosomes"),
    ("&2 QQ", "p-values against those of chance: whether populations or other confounders inflate them"),
)
HEIGHT_TIP = "Height of the points: p-value, false discovery rate, or score"
SIDE_BY_SIDE = 700  # pixels from which on a variant is beside the table, and not below


class GenotypesArea(QWidget):
    """`chosen`: index of the variant that the user chose in a view."""

    chosen = Signal(int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.found = None
        self.plot = ManhattanView()
        self.quantiles = QuantilePlot(ABOUT_QQ)
        self.table = VariantsTable()
        self.detail = Detail()
        self.tabs, self.stack = QTabBar(drawBase=False, expanding=False, accessibleName="Plot"), QStackedWidget()
        for number, (view, (title, tip)) in enumerate(zip((self.plot, self.quantiles), PLOTS, strict=True)):
            self.tabs.addTab(title)
            self.tabs.setTabToolTip(number, tip)
            self.stack.addWidget(view)
        self.plot.item_chosen.connect(self._choose)
        self.quantiles.item_chosen.connect(self._choose)
        self.tabs.currentChanged.connect(self._plot_chosen)
        titles = [*(f"\u2212log10 {name}" for name in (P, Q)), "Score"]
        self.heights = choices("Height of the points", zip(titles, HEIGHTS, strict=True), tip=HEIGHT_TIP)
        upper, top = QWidget(), placed(QHBoxLayout(), (self.tabs, 1), self.heights)
        placed(QVBoxLayout(upper), top, (self.stack, 1), spacing=0)
        self.outer, self.lower = QSplitter(Qt.Vertical), QSplitter()
        for splitter in (self.outer, self.lower):
            splitter.setChildrenCollapsible(False)
        self.lower.addWidget(self.table)
        self.lower.addWidget(self.detail)
        self.outer.addWidget(upper)
        self.outer.addWidget(self.lower)
        self._beside, self.hint = None, QuietLabel(HINT)
        placed(QVBoxLayout(self), (self.outer, 1), self.hint)
        self.table.variant_chosen.connect(self._choose)

    def sizeHint(self):
        return QSize(760, 560)

    @property
    def figure(self) -> ChartView:
        """Plot that is shown, to be saved and reported."""
        view = self.stack.currentWidget()
        view.draw_if_stale()
        return view

    def show_found(self, found, n_best: int) -> None:
        self.found = found if found is not None and found.scored is not None else None
        self._offer_heights()
        self.choose(None)
        self.plot.show_found(found, n_best)
        test = None if self.found is None else self.found.scored.ranking.significance
        if test is None:
            self.quantiles.show_p(None, ())
        else:
            self.quantiles.show_p(test.p, found.kept.data.variants.name, found.single_variants)
        self.table.model().show_best(found, n_best)

    def _plot_chosen(self, number):
        self.stack.setCurrentIndex(number)
        self._offer_heights()

    def _offer_heights(self):
        tested = self.found is not None and self.found.scored.ranking.significance is not None
        self.heights.setVisible(tested and self.stack.currentWidget() is self.plot)

    def choose(self, variant: int | None, reveal: bool = False) -> None:
        """Show this variant in all views; reveal: in the plot, wherever it is.  Emits nothing."""
        self.plot.choose(variant, reveal)
        self.quantiles.choose(variant)
        self.table.choose_variant(variant)
        shown = variant is not None and self.found is not None
        self.detail.show_counts(counts_of(self.found, variant) if shown else None)
        self.hint.setVisible(not shown)

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
