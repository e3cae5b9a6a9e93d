"""The main area of Rank Genotypes: Manhattan and QQ plot, the best variants as a table, and one variant by class."""

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ...orange.genotypes.result import HEIGHTS, P, Q
from ...orange.genotypes.variant_counts import counts_of
from ..charts.chart_view import ChartView
from ..charts.quantiles import QuantilePlot
from ..utils.controls import QuietLabel, choices, placed
from .detail import VariantDetail
from .manhattanview import ManhattanView
from .variantstable import VariantsTable

HINT = "Click a point of the plot or a row of the table to see the genotypes of a variant by class"
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
        self.result = None
        self.plot = ManhattanView()
        self.quantiles = QuantilePlot(ABOUT_QQ)
        self.table = VariantsTable()
        self.detail = VariantDetail()
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
        self._is_wide, self.hint = None, QuietLabel(HINT)
        self.conclusion = QLabel(wordWrap=True, textFormat=Qt.PlainText, accessibleName="Conclusion", visible=False)
        self.conclusion.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.conclusion.setContentsMargins(8, 0, 4, 2)
        placed(QVBoxLayout(self), self.conclusion, (self.outer, 1), self.hint)
        self.table.variant_chosen.connect(self._choose)

    def sizeHint(self):
        """Return the size that is best. Overrides QWidget.sizeHint."""
        return QSize(760, 560)

    @property
    def figure(self) -> ChartView:
        """Plot that is shown, to be saved and reported."""
        view = self.stack.currentWidget()
        view.draw_if_stale()
        return view

    def views(self) -> list[ChartView]:
        """Plots for a report: Manhattan, and QQ if there are p-values."""
        tested = self.result is not None and self.result.scored.ranking.significance is not None
        views = [self.plot, self.quantiles] if tested else [self.plot]
        for view in views:
            view.draw_if_stale()
        return views

    def show_found(self, result, n_best: int) -> None:
        self.result = result if result is not None and result.scored is not None else None
        self._offer_heights()
        self.choose(None)
        text = "" if self.result is None else result.conclusion
        self.conclusion.setText(text)
        self.conclusion.setVisible(bool(text))
        self.plot.show_found(result, n_best)
        test = None if self.result is None else self.result.scored.ranking.significance
        if test is None:
            self.quantiles.show_p(None, ())
        else:
            self.quantiles.show_p(test.p, result.kept.data.variants.name, result.single_variants)
        self.table.model().show_best(result, n_best)

    def _plot_chosen(self, number):
        self.stack.setCurrentIndex(number)
        self._offer_heights()

    def _offer_heights(self):
        tested = self.result is not None and self.result.scored.ranking.significance is not None
        self.heights.setVisible(tested and self.stack.currentWidget() is self.plot)

    def choose(self, variant: int | None, reveal: bool = False) -> None:
        """Show this variant in all views; reveal: in the plot, wherever it is.  Emits nothing."""
        self.plot.choose(variant, reveal)
        self.quantiles.choose(variant)
        self.table.choose_variant(variant)
        shown = variant is not None and self.result is not None
        self.detail.show_counts(counts_of(self.result, variant) if shown else None)
        self.hint.setVisible(not shown)

    def _choose(self, variant):
        self.choose(variant, reveal=True)
        self.chosen.emit(variant)

    def resizeEvent(self, event):
        """Arrange table and detail by the width. Overrides QWidget.resizeEvent."""
        super().resizeEvent(event)
        is_wide = self.width() >= SIDE_BY_SIDE
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.lower.setOrientation(Qt.Horizontal if is_wide else Qt.Vertical)
            self.lower.setSizes([self.width() * 3 // 5, self.width() * 2 // 5] if is_wide else [self.height() // 2] * 2)
            self.outer.setSizes([self.height() // 2] * 2)
