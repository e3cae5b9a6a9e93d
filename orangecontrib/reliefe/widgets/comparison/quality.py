"""The view of quality: how well the best features of each ranking predict, and how many are enough."""

from functools import partial

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QLabel, QSizePolicy, QSpinBox
from Orange.data import Table

from ...core.words import percent
from ...orange.comparison.comparison import Comparison
from ...orange.comparison.quality import REFERENCE, SEEN, Failure, Line, Quality
from ...orange.comparison.quality_job import MEASURES_OF, Request, refusal, run
from ...orange.comparison.quality_table import MEASURES, WHOLE, to_table
from ...orange.problem import task_of
from ...orange.stored_settings import between, string
from ..charts.chart import Chart, line_pen
from ..charts.curve_view import Curve, CurveView, Spot
from ..charts.end_labels import End
from ..charts.legend import DASHED, DIAMOND, DOTTED, MIXED, SOLID, Entry
from ..utils.colors import faint, mix, muted
from ..utils.controls import LinkLabel, choices, fill, spin
from ..utils.markup import plain
from .view import Job, View

ABOUT = "Arrow keys move along curves and between them, Space selects the best features there"
REFERENCE_STYLES = (DOTTED, MIXED, DASHED)
BANDS = 2  # rankings that all have an interval; of more only the leading one
MORE = {"seen": " (has seen the test rows)", "failed": " (failed)"}
WIDEST = 30  # characters of a title in the box


class QualityChart(CurveView):
    """Rankings in their hues, dashed if they have seen the test rows; references in grey; diamonds where it is enough.

    Hovering, or moving with the keys, shows the value; a click chooses.
    """

    chosen = Signal(str, int)  # title of a ranking, number of its best features
    reach = 24  # pixels

    def __init__(self, parent=None):
        self.quality: Quality | None = None
        self.lead = ""  # title of the leading ranking
        self.cut = 0  # number of features that is marked; 0: none
        super().__init__("Quality by number of features", ABOUT, parent)

    def make_charts(self):
        self.cut_line = pg.InfiniteLine(angle=90)
        return (Chart("Number of best features", ""),)

    def show_quality(self, quality: Quality | None, lead: str = "") -> None:
        """Draw these curves; lead: title of the one that is thick."""
        self.quality, self.lead = quality, lead
        self.draw()

    def set_cut(self, n: int) -> None:
        """Mark a number of features; 0: none."""
        self.cut = n
        self._place_cut()

    # Drawing ---------------------------------------------------------------------------------------------------------

    def draw(self):
        quality, palette = self.quality, self.palette()
        if quality is None:
            self.clear()
            return
        keys = [self._key(number) for number in range(len(quality.lines))]
        keys.append(Entry("enough: within a standard error of the best", muted(palette, 0.3), symbol=DIAMOND))
        self.chart.restart(True, keys, self.text_color)
        self.chart.setLabel("left", MEASURES[quality.measure])
        self.chart.getAxis("bottom").setTicks([[(np.log2(size), f"{size:,}") for size in quality.sizes]])
        known = quality.whole[~np.isnan(quality.whole)]
        if len(known):
            color, ends = muted(palette, 0.25), np.log2(quality.sizes[[0, -1]])
            self.chart.line(ends, [known.mean()] * 2, line_pen(color, 1, DASHED))  # names of curves are beyond
            self.chart.write(WHOLE.lower(), ends[0], known.mean(), color, (0, 1))
        for number, line in enumerate(quality.lines):
            self._draw_line(number, line)
        self.chart.put(self.cut_line)
        self.chart.enableAutoRange(axis="y")
        self.chart.vb.updateAutoRange()
        right = max(np.log2(quality.sizes[-1]), 0.5)
        self.chart.ends.show(self._ends(), (-0.03 * right, 1.03 * right), palette, self.font())
        self._place_cut()
        x = np.log2(quality.sizes)
        lines = enumerate(quality.lines)
        self.set_curves([Curve(x, self._mean(line), self._key(number).color) for number, line in lines])

    def _ends(self) -> list[End]:
        means = [self._mean(line) for line in self.quality.lines]
        last = [mean[np.isfinite(mean)][-1:] for mean in means]
        keys = [self._key(number)._replace(text=line.title) for number, line in enumerate(self.quality.lines)]
        return [End(key.text, key.color, float(y[0]), key.strong) for key, y in zip(keys, last, strict=True) if len(y)]

    def _draw_line(self, number: int, line: Line):
        key, mean = self._key(number), self._mean(line)
        known = np.isfinite(mean)
        if not known.any():
            return
        x = np.log2(self.quality.sizes)
        strong, reference = line.title == self.lead, line.kind == REFERENCE
        compared = sum(other.kind != REFERENCE for other in self.quality.lines)
        if not reference and (strong or compared <= BANDS):
            low, high = self.quality.interval(line)
            sure = np.isfinite(low)
            if sure.sum() > 1:
                self.chart.band(x[sure], low[sure], high[sure], faint(key.color, 60 if strong else 28), 1)
        pen = line_pen(key.color, 2.6 if strong else 1.4, key.style)
        self.chart.line(x[known], mean[known], pen, 10 if strong else 2 if reference else 5)
        n = None if reference else self.quality.enough(line)
        if n is not None:
            at = self.quality.sizes == n
            brush, pen = key.color if strong else self.ground, pg.mkPen(key.color, width=1.5)
            self.chart.dots(x[at], mean[at], brush, 13, 20 if strong else 15, symbol="d", pen=pen)

    def _key(self, number: int) -> Entry:
        line, palette = self.quality.lines[number], self.palette()
        if line.kind == REFERENCE:
            own = [other for other in self.quality.lines if other.kind == REFERENCE].index(line)
            return Entry(line.title, muted(palette, 0.2 + 0.15 * own), False, REFERENCE_STYLES[own % 3])
        more = MORE["seen"] if line.kind == SEEN else ""
        if len(line.values) and np.isnan(line.values).all():
            more = MORE["failed"]
        color = self.hue(number)
        if self.lead and line.title != self.lead:
            color = mix(color, self.ground, 0.15)
        return Entry(line.title + more, color, line.title == self.lead, DASHED if line.kind == SEEN else SOLID)

    def _mean(self, line: Line) -> np.ndarray:
        return self.quality.curve(line).mean if len(line.values) else np.full(len(self.quality.sizes), np.nan)

    def _place_cut(self):
        if not self.made:
            return
        self.cut_line.setVisible(self.quality is not None and self.cut > 0)
        if self.cut > 0:
            self.cut_line.setPen(line_pen(self.marked, 1.5, DASHED))
            self.cut_line.setValue(np.log2(self.cut))

    # Mouse and keys --------------------------------------------------------------------------------------------------

    def about(self, spot: Spot) -> str:
        quality, line = self.quality, self.quality.lines[spot.line]
        curve, (low, high) = quality.curve(line), quality.interval(line)
        text = f"{line.title}, best {quality.sizes[spot.place]:,}: {curve.mean[spot.place]:.3f}"
        if np.isfinite(low[spot.place]):
            text += f" ({low[spot.place]:.3f} to {high[spot.place]:.3f})"
        share = curve.relative[spot.place]
        known = quality.higher_is_better and np.isfinite(share)
        return text + (f", {percent(share)} of the value for all features" if known else "")

    def first_line(self):
        titles = [line.title for line in self.quality.lines]
        return titles.index(self.lead) if self.lead in titles else 0

    def choose(self, spot: Spot) -> None:
        """The user wants the best features at a point; a reference stands for the leading ranking."""
        line = self.quality.lines[spot.line]
        title = self.lead if line.kind == REFERENCE else line.title
        if title:
            self.chosen.emit(title, int(self.quality.sizes[spot.place]))


FOLDS, REPEATS = (2, 20), (1, 20)
WAITING = "No test fold is finished yet"
TIPS = {
    "lead": "The highlighted ranking, for which a number of features is suggested",
    "measure": "Measure of the quality of predictions on test rows",
    "n_folds": "Number of parts in cross-validation; each is the test set once",
    "n_repeats": "Number of cross-validations with different parts. More of them give narrower intervals",
}


class QualityView(View):
    """Everything is ranked and learned inside training folds; a ranking that came as scores has seen the test rows."""

    title = "Quality"
    tooltip = "How well the best features of each ranking predict"
    kept = {"n_folds": between(*FOLDS), "n_repeats": between(*REPEATS), "lead": string, "measure": string}

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(settings, parent)
        self.quality: Quality | None = None
        self._selected = np.zeros(0, bool)
        self._asked: tuple | None = None  # the comparison and the request that the quality is of
        self.chart, self.notes = QualityChart(), QLabel(wordWrap=True, textFormat=Qt.PlainText, margin=4)
        self._add_controls()
        self.set_body(self.chart, self.notes)
        self.chart.chosen.connect(self._choose)
        self._show()

    def _add_controls(self):
        self.lead, self.measure = choices("Leading ranking", tip=TIPS["lead"]), choices("Measure", tip=TIPS["measure"])
        self.folds = self._spin("n_folds", "Folds", *FOLDS)
        self.repeats = self._spin("n_repeats", "Repeats", *REPEATS)
        self.hint = LinkLabel()
        for text, widget in (("&Ranking", self.lead), ("&Measure", self.measure), ("&Folds", self.folds),
                             ("&Repeats", self.repeats)):  # fmt: skip
            self.add_control(text, widget)
            self.controls.addSpacing(6)
        for names in (self.lead, self.measure):
            names.setMinimumWidth(0)
            names.setSizePolicy(QSizePolicy.Minimum, QSizePolicy.Fixed)  # never cut
        self.controls.addStretch()
        self.layout().insertWidget(1, self.hint)
        self.hint.setContentsMargins(4, 0, 4, 0)
        self.lead.activated.connect(self._lead_chosen)
        self.measure.activated.connect(lambda: self.change(measure=self.measure.currentData()))
        self.hint.linkActivated.connect(lambda n: self._choose(self.lead.currentData(), int(n)))

    def _spin(self, name, title, low, high) -> QSpinBox:
        box = spin(title, getattr(self._request(self.settings), name), low, high, TIPS[name])
        box.valueChanged.connect(lambda value: self.change(**{name: value}))
        return box

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison: Comparison | None) -> None:
        super().set_comparison(comparison)
        self.quality, self._asked = None, None
        table = comparison.table if comparison else None
        measures = MEASURES_OF[task_of(table.domain)] if table is not None else ()
        titles = comparison.titles if comparison else ()
        short = [t if len(t) <= WIDEST else f"{t[: WIDEST // 2]}\u2026{t[1 - WIDEST // 2 :]}" for t in titles]
        fill(self.lead, zip(short, titles, map(plain, titles), strict=True), self.settings.get("lead"))
        fill(self.measure, [(MEASURES[measure], measure) for measure in measures], self.settings.get("measure"))
        self._show()

    def set_selected(self, mask: np.ndarray) -> None:
        self._selected = mask
        order = self._order(self.lead.currentData())
        n = int(np.count_nonzero(mask))
        self.chart.set_cut(n if order is not None and len(mask) == len(order) and mask[order[:n]].all() else 0)

    def job(self, comparison: Comparison, settings: dict) -> Job | None:
        request = self._request(settings)
        if refusal(comparison):
            return None
        known = self.quality if self._same(comparison, request) else None
        if known is not None and len(known.whole) == known.n_folds * request.n_repeats:
            return None
        self.quality, self._asked = known, (comparison, request)
        self._show()
        return partial(run, comparison, request, known)

    def show_result(self, result: Quality | None) -> None:
        if result is not None:
            self.quality = result
            self._show()

    def results(self) -> Table | None:
        return to_table(self.quality)

    def image_item(self) -> object | None:
        return self.chart if self.drawn else None

    def caption(self) -> str:
        if self.quality is None:
            return self.title
        q = self.quality
        folds = f"{len(q.whole):,} test folds of {q.n_folds}-fold cross-validation"
        return (
            f"{MEASURES[q.measure]} of {q.learner} with the best features of each ranking on {q.name}: means and "
            f"95 % intervals over {folds}. {self.notes.text()}".strip()
        )

    # Help ------------------------------------------------------------------------------------------------------------

    def _same(self, comparison, request) -> bool:
        return self._asked is not None and self._asked[0] is comparison and self._asked[1] == request

    def _request(self, settings: dict) -> Request:
        request = Request()._replace(**{name: settings[name] for name in ("n_folds", "n_repeats") if name in settings})
        measure = self.measure.currentData() if self.measure.count() else ""
        return request._replace(measure=measure or "")

    def _order(self, title: str) -> np.ndarray | None:
        if self.comparison is None or title not in self.comparison.titles:
            return None
        return self.comparison.orders[self.comparison.titles.index(title)]

    def _lead_chosen(self):
        self.settings["lead"] = self.lead.currentData()
        self.set_selected(self._selected)
        self._show()

    def _choose(self, title: str, n: int):
        order = self._order(title)
        if order is not None:
            self.lead.setCurrentIndex(self.lead.findData(title))
            self._lead_chosen()
            self.picked.emit([int(feature) for feature in order[:n]])

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show(self):
        quality, lead = self.quality, self.lead.currentData()
        reason = refusal(self.comparison)
        if not reason and (quality is None or not len(quality.whole)):
            reason = WAITING
        if not reason and np.isnan(quality.whole).all() and all(np.isnan(line.values).all() for line in quality.lines):
            reason = "\n".join(map(self._failed, quality.failures)) or "No test fold has a known target"
        self.chart.show_quality(None if reason else quality, lead)
        self.placeholder(reason)
        self.notes.setText(" ".join(self._notes()))
        self.notes.setVisible(bool(self.notes.text()))
        line = None if reason else quality.line(lead)
        n = quality.enough(line) if line is not None and len(line.values) else None
        self.hint.setToolTip("As few features as are within one standard error of the best mean of the leading ranking")
        self.hint.setVisible(n is not None)
        if n is not None:
            self.hint.set_links("Suggested: {}", (str(n), f"best {n:,}"))

    def _notes(self):
        if self.quality is None:
            return
        seen = [line.title for line in self.quality.lines if line.kind == SEEN]
        if seen:
            yield f"The scores of {', '.join(seen)} have seen the test rows, so their quality is probably too high."
            yield "For a fair comparison, connect the scorers."
        yield from (f"{note}." for note in self.quality.notes)
        yield from (self._failed(failure) for failure in self.quality.failures)

    def _failed(self, failure: Failure) -> str:
        done = len(self.quality.whole)
        n = len(failure.folds)
        own = self.quality.line(failure.who)
        where = "all folds" if n == done else f"{n} of {done} folds"
        lines = self.quality.lines if own is None else (own,)
        if n == done and not all(np.isnan(line.values).all() for line in lines):
            where += ", with some numbers of features"
        return f"{failure.who} failed in {where}: {failure.why.rstrip('.')}."
