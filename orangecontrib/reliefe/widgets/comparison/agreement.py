"""Agreement of rankings, computed in a thread: every two, at several numbers of best features."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QCheckBox, QSlider

from ...orange.comparison.comparison import Comparison
from ...orange.jobs.progress import raise_if_stopped
from ...orange.stored_settings import between, one_of, switch
from ..charts.chart import Chart, line_pen
from ..charts.legend import DASHED, Entry
from ..ranker.selection import STEPS, n_at, step_at
from ..utils.colors import faint, muted
from ..utils.controls import choices, spin
from .matrix import AgreementCells, Tree, tree_of
from .view import NO_RANKINGS, View

MEASURES = {  # as the core calls them: title, and what it is
    "fuji": ("FUJI", (
        "Fuzzy Jaccard index: a feature among the best of only one ranking counts in part, the more the higher it "
        "ranks in the other one"
    )),
    "jaccard": ("Jaccard", "Features among the best of both rankings, as a share of those among the best of either"),
    "overlap": ("Overlap", "Share of the best features that both rankings have in common"),
    "kuncheva": ("Kuncheva", "Overlap corrected for chance: 0 for random rankings"),
    "rbo": ("Rank-biased overlap", "Overlap of the best 1, 2, 3, ...; the first ones count most"),
    "spearman": ("Spearman", "Correlation of the ranks of all features"),
    "kendall": ("Kendall", "Pairs of features in the same order minus pairs in opposite order, as a share of all"),
    "weighted_kendall": ("Weighted Kendall", "Kendall's tau in which pairs of good features count more"),
}  # fmt: skip
WITHOUT_SIZES = ("spearman", "kendall", "weighted_kendall")
MAX_EVERY_SIZE = 64  # features up to which each number of best ones is computed, beyond: two for every doubling


@dataclass(frozen=True, eq=False)
class Agreements:
    """measure: of MEASURES.  sizes (s,): numbers of best features, s = 1 for a measure of all.  values (s, t, t)."""

    measure: str
    sizes: np.ndarray
    values: np.ndarray

    def at(self, n: int) -> np.ndarray:
        return self.values[max(int(np.searchsorted(self.sizes, n, side="right")) - 1, 0)]

    @cached_property
    def area(self) -> np.ndarray:
        """(t, t) mean of the averages of each two values that follow each other, at powers of two and all features."""
        powers = (self.sizes & (self.sizes - 1)) == 0
        powers[-1] = True
        values = self.values[powers]
        return (values[1:] + values[:-1]).mean(axis=0) / 2 if len(values) > 1 else values[0]

    def has(self, n: int) -> bool:
        return self.measure in WITHOUT_SIZES or n in self.sizes


def grid(p: int, n: int) -> np.ndarray:
    """(s,) numbers of best features at which to compare: all; of many powers of two, those between, n and p."""
    if p <= MAX_EVERY_SIZE:
        return np.arange(1, p + 1)
    powers = 2 ** np.arange(int(np.log2(p)) + 1)
    between = 3 * powers // 2
    return np.unique(np.r_[powers, between[between <= p], min(max(n, 1), p), p])


def agreements(comparison: Comparison, measure: str, n: int, state) -> Agreements:
    """Compare every two rankings; n: a number of best features that is wanted for sure."""
    # Here, and not above: SciPy is not to be loaded when Orange starts.
    from ...core.evaluation import AGREEMENTS
    from ...core.evaluation.ranking_lists import Listed

    state.set_status(f"{MEASURES[measure][0]}: comparing {len(comparison.titles):,} rankings")
    known = AGREEMENTS[measure]
    t = len(comparison.titles)
    p = len(comparison.features)
    sizes = grid(p, n) if known.curve else np.array([p])
    lists = [Listed.read(scores) for scores in comparison.scores]
    values = np.ones((len(sizes), t, t))
    pairs = list(combinations(range(t), 2))
    for number, (i, j) in enumerate(pairs):
        raise_if_stopped(state)
        a, b = lists[i], lists[j]
        values[:, i, j] = values[:, j, i] = known.curve(a, b, sizes) if known.curve else known.function(a, b)
        state.set_progress_value(100 * (number + 1) / len(pairs))
    return Agreements(measure, sizes, values)


MAX_LINES = 100  # pairs that are drawn as lines each; of more only the mean and the central part
CENTRAL = 0.1, 0.9
MIN_ASPECT = 1.25  # times as wide as high: from here on side by side


class AgreementChart(AgreementCells):
    """Hovering a cell, or moving with the keys, describes a pair and draws its curve; a click chooses it."""

    note = "Arrow keys move, Space selects the features that both rankings have among their best"
    chosen = Signal(int, int)  # two rankings
    n_moved = Signal(int)

    def __init__(self, parent=None):
        self.curve = Chart("Number of best features", "Agreement", log=(True, False))
        self.found = None
        self.n = 1
        self._area = False
        self._titles = ()
        self._places = None
        self._drawn, self._beside = None, None  # the pair that has a curve, and how the two are arranged
        super().__init__("Agreement of every two rankings", parent, (260, 200), (4, 6, 8, 4))
        self.line = pg.InfiniteLine(angle=90, movable=True)
        self.line.sigPositionChangeFinished.connect(lambda line: self.n_moved.emit(self._n_at(line.value())))
        self.scene().sigMouseClicked.connect(self._clicked_chart)
        self._arrange()

    def show_agreements(
        self, titles: Sequence[str], places: np.ndarray, found: Agreements, tree: Tree, n: int, area: bool
    ) -> None:
        """Draw these; places (t, p) of the features; n: whose agreement the cells show; area: under the curves."""
        self._titles = tuple(titles)
        self._places = places
        self.found = found
        self.n = n
        self._area = area
        self._arrange()
        self.show_values(titles, found.area if area else found.at(n), tree)

    @property
    def compared(self) -> tuple[int, int] | None:
        """The rankings of the current cell, None if they are one."""
        pair = self.current and self.pair(self.current)
        return pair if pair and pair[0] != pair[1] else None

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        super().draw()
        self._draw_curves()

    def mark(self):
        super().mark()
        if self.compared != self._drawn:
            self._draw_curves()

    def _draw_curves(self):
        found = self.found
        chart = self.curve
        self._drawn = self.compared
        shown = found is not None and len(found.sizes) > 1
        color = muted(self.palette(), 0.2)
        chart.restart(shown, self._entries(color) if shown else (), self.text_color)
        if not shown:
            return
        chart.setLabel("left", MEASURES[found.measure][0])
        x, above = np.log10(found.sizes), np.triu_indices(len(self._titles), 1)
        values = found.values[:, above[0], above[1]]  # (s, pairs)
        if values.shape[1] > MAX_LINES:
            chart.band(x, *np.quantile(values, CENTRAL, axis=1), faint(color, 50))
        for curve in values.T if 1 < values.shape[1] <= MAX_LINES else ():
            chart.line(x, curve, line_pen(faint(color, 70), 1))
        chart.line(x, values.mean(axis=1), line_pen(color, 2.2))
        if self._drawn and values.shape[1] > 1:
            chart.line(x, found.values[:, self._drawn[0], self._drawn[1]], line_pen(self.marked, 2.2))
        self.line.setVisible(not self._area)
        self.line.setPen(line_pen(muted(self.palette(), 0.3), 1.5, DASHED))
        self.line.setHoverPen(line_pen(self.marked, 2))
        self.line.setPos(np.log10(max(self.n, 1)))
        chart.put(self.line, z=10)
        chart.setXRange(0, x[-1], padding=0.03)
        chart.setYRange(min(float(np.nanmin(values, initial=0)), 0), 1.0, padding=0.03)

    def _entries(self, color):
        pairs = len(self._titles) * (len(self._titles) - 1) // 2
        entries = [Entry(f"mean of {pairs:,} pairs" if pairs > 1 else " and ".join(self._titles), color)]
        if self._drawn and pairs > 1:
            text = " and ".join(self._titles[ranking] for ranking in self._drawn)
            entries.append(Entry(text, self.marked, True))
        return entries

    def _arrange(self):
        """The curves beside or below the cells, or none where the measure has no numbers of features."""
        curves = self.found is None or len(self.found.sizes) > 1
        beside = curves and (self.width() > MIN_ASPECT * self.height())
        if self._beside == (curves, beside):
            return
        layout = self.layout_item
        for item in list(layout.items):
            layout.removeItem(item)
        layout.addItem(self.canvas, 0, 0)
        self.curve.setVisible(curves)
        if curves:
            layout.addItem(self.curve, *((0, 1) if beside else (1, 0)))
        grid = layout.layout
        for place in (0, 1):
            grid.setColumnStretchFactor(place, (6, 5)[place] if beside else 1 - place)
            grid.setRowStretchFactor(place, (3, 2)[place] if curves and not beside else 1 - place)
            grid.setColumnPreferredWidth(place, 100 * (beside or not place))
            grid.setRowPreferredHeight(place, 100 * ((curves and not beside) or not place))
        self._beside = curves, beside

    def about(self, cell):
        i, j = self.pair(cell)
        if i == j:
            return self._titles[i]
        value = self.values[i, j]
        text = self.scale.text(value) if np.isfinite(value) else "none, since one ranking has only equal scores"
        n = int(self.n)
        common = int(((self._places[i] < n) & (self._places[j] < n)).sum())
        return f"{text}, {common:,} of the best {n:,} in common: {self._titles[i]} and {self._titles[j]}"

    # What the user does ----------------------------------------------------------------------------------------------

    @property
    def begin(self):
        return 0, min(1, len(self._titles) - 1)

    def choose(self, cell):
        self.chosen.emit(*self.pair(cell))

    def _n_at(self, x) -> int:
        return int(np.clip(round(10**x), 1, self.found.sizes[-1]))

    def _clicked_chart(self, event):
        inside = self.curve.vb.sceneBoundingRect().contains(event.scenePos())
        if self.found is not None and self.curve.isVisible() and inside and not self._area:
            self.n_moved.emit(self._n_at(self.curve.vb.mapSceneToView(event.scenePos()).x()))

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        cell = self.thing_at(self.canvas_place(event))
        if event.button() == Qt.LeftButton and cell is not None:
            self.set_current(cell)
            self.choose(cell)

    def sizeHint(self):
        return QSize(700, 420)

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if hasattr(self, "line"):
            self._arrange()


USUAL_BEST, MAX_SHARE = 16, 3  # best features at first, but at most one in three
ONE = "There is only one ranking. Connect another one to see whether they agree"
ALIKE = "Every ranking has only equal scores, so there is no order to compare"


class AgreementView(View):
    """A clustered heat map of every two rankings, and curves over the number of best features."""

    title = "Agreement"
    tooltip = "How well the rankings agree"
    kept = {"measure": one_of(*MEASURES), "n": between(1), "all": switch}

    def __init__(self, settings=None, parent=None):
        super().__init__(settings, parent)
        self.found, self._of = None, None  # the agreements, and the comparison that they are of
        measures = [(title, name, tip) for name, (title, tip) in MEASURES.items()]
        self.measure = choices("Measure of agreement", measures, self.settings.get("measure"))
        amount = "Number of best features that are compared"
        self.slider = QSlider(Qt.Horizontal, minimum=0, maximum=STEPS, accessibleName=amount, toolTip=amount)
        self.spin = spin(amount, 1, 1, 1, amount)
        tip = "Mean agreement over all numbers of best features: area under the curve at powers of two"
        self.all = QCheckBox("&All numbers", checked=self.settings.get("all", False), toolTip=tip)
        self.add_control("&Measure", self.measure)
        self.label = self.add_control("Best &n", self.spin)
        self.controls.insertWidget(self.controls.count() - 1, self.slider, 1)
        self.controls.addWidget(self.all)
        self.chart = AgreementChart()
        self.set_body(self.chart)
        self.measure.activated.connect(self._measure_changed)
        self.slider.valueChanged.connect(lambda step: self._set_n(n_at(step, self.p)))
        self.spin.valueChanged.connect(self._set_n)
        self.all.clicked.connect(self._all_clicked)
        self.chart.n_moved.connect(self._set_n)
        self.chart.chosen.connect(self._chosen)
        self.set_comparison(None)

    @property
    def p(self) -> int:
        return len(self.comparison.features) if self.comparison else 0

    @property
    def n(self) -> int:
        n = self.settings.get("n", min(USUAL_BEST, -(-self.p // MAX_SHARE)))
        return min(n, max(self.p, 1)) or 1

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison):
        super().set_comparison(comparison)
        self.found = self._of = None
        self._show()

    def job(self, comparison: Comparison, settings: dict):
        measure = self.measure.currentData()
        done = self._of is comparison and self.found.measure == measure and self.found.has(self.n)
        if done or _reason(comparison):
            return None
        n = self.n
        return lambda state: agreements(comparison, measure, n, state)

    def show_result(self, result):
        self.found, self._of = result, self.comparison
        self._show()

    def caption(self):
        title = MEASURES[self.measure.currentData()][0]
        what = (
            "all features" if self._whole else "all numbers of best features" if self._all else f"the best {self.n:,}"
        )
        return f"Agreement of rankings: {title} of {what}"

    # What the user does ----------------------------------------------------------------------------------------------

    def _measure_changed(self):
        self._show()
        self.change(measure=self.measure.currentData())

    def _set_n(self, n):
        if n != self.settings.get("n") and self.p:
            self.settings["n"] = int(n)
            self._show()
            self.change(n=int(n))

    def _all_clicked(self):
        self.settings["all"] = self.all.isChecked()
        self._show()
        self.change(all=self.all.isChecked())

    def _chosen(self, i, j):
        """The features that both have among their best."""
        places = self.comparison.places
        self.picked.emit(np.flatnonzero((places[i] < self.n) & (places[j] < self.n)).tolist())

    # Drawing ---------------------------------------------------------------------------------------------------------

    @property
    def _whole(self) -> bool:
        return self.measure.currentData() in WITHOUT_SIZES

    @property
    def _all(self) -> bool:
        return self.all.isChecked() and not self._whole

    def _show(self):
        measured, reason = not self._whole, _reason(self.comparison)
        for part in (self.label, self.slider, self.spin):
            part.setEnabled(measured and not self._all and not reason)
        self.all.setEnabled(measured and not reason)
        with QSignalBlocker(self.spin), QSignalBlocker(self.slider):
            self.spin.setMaximum(max(self.p, 1))
            self.spin.setValue(self.n)
            self.slider.setValue(step_at(self.n, self.p))
        stale = self.found is None or self.found.measure != self.measure.currentData()
        self.placeholder(reason or ("Comparing \u2026" if stale else ""))
        if not reason and not stale:
            self._draw(self.found)

    def _draw(self, found: Agreements):
        comparison = self.comparison
        tree = tree_of(found.area)  # so that the order stays while n changes
        self.chart.show_agreements(comparison.titles, comparison.places, found, tree, self.n, self._all)


def _reason(comparison) -> str:
    if comparison is None or not comparison.titles:
        return NO_RANKINGS
    if len(comparison.titles) < 2:
        return ONE
    return ALIKE if comparison.constant.all() and len(comparison.features) > 1 else ""
