"""The view of statistics: which differences between rankings are more than chance."""

import numpy as np
from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QPen, QPolygonF
from AnyQt.QtWidgets import QCheckBox, QDoubleSpinBox, QLabel, QStackedWidget

from ...core.words import percent
from ...orange.comparison.comparison import Comparison
from ...orange.comparison.data_sets import DataSets, gather, parsed
from ...orange.comparison.quality import AREA, Quality
from ...orange.comparison.quality_job import refusal
from ...orange.comparison.quality_table import MEASURES
from ...orange.comparison.statistical_tests import MeanRanks, Posterior, mean_ranks, pairs_of, posterior, too_few
from ...orange.stored_settings import between, number, one_of, string, switch
from ..charts.drawing import Drawing
from ..charts.legend import DASHED, SOLID
from ..utils.colors import faint, mix, muted
from ..utils.controls import choices, fill
from .matrix import PairsChart
from .quality import QualityView
from .view import Job, View

GAP = 8
TICK = 5
BAR = 10  # pixels from one bar to the next
NAMES_SHARE = 0.3  # share of the width that the names at a side may take
LINE = 1.45  # of a name, in heights of letters
NEAR_PIXELS = 12


class RankChart(Drawing):
    """Best at the left.  Rankings under one bar do not differ significantly; the ruler above is as long as the critical
    difference."""

    def __init__(self, parent=None):
        super().__init__("Mean ranks with their critical difference", parent)
        self.found: MeanRanks | None = None

    def show_ranks(self, found: MeanRanks | None) -> None:
        self.found = found
        if found is not None:
            order = np.argsort(found.diagram.ranks, kind="stable")
            self.note = ", ".join(f"{found.titles[i]} {found.diagram.ranks[i]:.2f}" for i in order)
        self.draw()

    @property
    def n_things(self):
        return len(self.found.titles) if self.found else 0

    def thing_at(self, place: QPointF) -> int | None:
        if self.found is None:
            return None
        ways = [self._way(thing) for thing in range(self.n_things)]
        near = [abs(way[2].y() - place.y()) for way in ways]
        inside = [
            thing for thing, way in enumerate(ways)
            if near[thing] < NEAR_PIXELS and (place.x() <= way[1].x()) == bool(self.found.diagram.left[thing])
        ]  # fmt: skip
        return min(inside, key=lambda thing: near[thing], default=None)

    def about(self, thing: int) -> str:
        d = self.found.diagram
        equal = np.abs(d.ranks - d.ranks[thing]) < d.difference
        others = [self.found.titles[i] for i in np.flatnonzero(equal) if i != thing]
        text = f"{self.found.titles[thing]}: mean rank {d.ranks[thing]:.2f}"
        return text + (f"; no significant difference to {', '.join(others)}" if others else "; differs from all others")

    # Places ----------------------------------------------------------------------------------------------------------

    def _names(self) -> float:
        width = self.canvas.size().width()
        widest = max(self.metrics.horizontalAdvance(self._text(i)) for i in range(self.n_things))
        return min(widest + 2 * GAP, NAMES_SHARE * width)

    def _text(self, thing: int) -> str:
        rank, title = f"{self.found.diagram.ranks[thing]:.2f}", self.found.titles[thing]
        return f"{title}  {rank}" if self.found.diagram.left[thing] else f"{rank}  {title}"

    def _x(self, rank: float) -> float:
        d, names = self.found.diagram, self._names()
        low, high = names + GAP, self.canvas.size().width() - names - GAP
        return low + (rank - d.low) / (d.high - d.low) * (high - low)

    def _axis(self) -> float:
        return GAP + 3.2 * self.metrics.height() + 2 * TICK

    def _way(self, thing: int) -> tuple[QPointF, QPointF, QPointF]:
        """From the axis down, and to the side."""
        d = self.found.diagram
        x, names = self._x(d.ranks[thing]), self._names()
        top = self._axis() + GAP + BAR * d.n_bar_lines + GAP
        space = self.canvas.size().height() - top - 2 * self.metrics.height()
        step = min(LINE * self.metrics.height(), space / (max(d.lines) + 1.5))
        y = top + step * (d.lines[thing] + 0.6)
        end = names if d.left[thing] else self.canvas.size().width() - names
        return QPointF(x, self._axis()), QPointF(x, y), QPointF(end, y)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        self._paint_axis(painter)
        d, axis = self.found.diagram, self._axis()
        for thing in range(self.n_things):
            self._paint_way(painter, thing)
        painter.setPen(QPen(self.text_color, 4, SOLID, Qt.FlatCap))
        for first, last, line in d.bars:
            y = axis + GAP + BAR * (line + 0.5)
            painter.drawLine(QPointF(self._x(first) - 4, y), QPointF(self._x(last) + 4, y))
        painter.setPen(muted(self.palette(), 0.25))
        of = "data sets" if self.found.independent else "folds of one data set"
        text = f"Mean ranks over {self.found.n:,} {of}, 1 is best"
        if np.isfinite(self.found.p_value):
            text += f"; Friedman's test: p = {self.found.p_value:.2g}"
        line = self.metrics.height()
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        self.write(painter, below, text, Qt.AlignLeft, Qt.ElideRight)

    def _paint_axis(self, painter):
        d = self.found.diagram
        y = self._axis()
        metrics = self.metrics
        painter.setPen(QPen(self.text_color, 1.2))
        painter.drawLine(QPointF(self._x(d.low), y), QPointF(self._x(d.high), y))
        for rank in range(d.low, d.high + 1):
            x = self._x(rank)
            painter.drawLine(QPointF(x, y), QPointF(x, y - TICK))
            label = QRectF(x - 30, y - TICK - metrics.height() - 1, 60, metrics.height())
            painter.drawText(label, Qt.AlignCenter, str(rank))
        left, wide = self._x(d.low), self._x(d.low + d.difference) - self._x(d.low)
        text = f"CD = {d.difference:.2f}"
        wide = min(wide, self.canvas.size().width() - left - 2 * GAP - metrics.horizontalAdvance(text))
        ruler = GAP + 0.7 * metrics.height()
        pen = QPen(muted(self.palette(), 0.25), 1.2)
        painter.setPen(pen)
        painter.drawLine(QPointF(left, ruler), QPointF(left + wide, ruler))
        for x in (left, left + wide):
            painter.drawLine(QPointF(x, ruler - TICK), QPointF(x, ruler + TICK))
        painter.drawText(QPointF(left + wide + GAP, ruler + metrics.ascent() / 2 - 1), text)

    def _paint_way(self, painter, thing):
        strong = thing == self.current
        color = self.text_color if strong else muted(self.palette(), 0.35)
        painter.setPen(QPen(color, 2 if strong else 1))
        way = self._way(thing)
        painter.drawPolyline(QPolygonF(list(way)))
        d, end = self.found.diagram, way[2]
        painter.setPen(self.text_color)
        painter.setFont(self.strong_font() if strong else self.font())
        height, width = self.metrics.height(), self._names() - GAP / 2
        left = d.left[thing]
        area = QRectF(0 if left else end.x() + GAP / 2, end.y() - height / 2, width, height)
        self.write(painter, area, self._text(thing), Qt.AlignRight if left else Qt.AlignLeft)
        painter.setFont(self.font())


TRIANGLE = 3**0.5 / 2
HUES = (0, 2, 1)  # of the first, of neither, of the second
DOT = 3
MAX_DOTS = 3000  # dots of a region
NEITHER = "Practically equal"


class TriangleChart(Drawing):
    """Each dot is a draw: the nearer to a corner, the more probable that outcome.  Lines divide the regions in which an
    outcome is the most probable one; the numbers are the shares of the dots there."""

    def __init__(self, parent=None):
        super().__init__("Posterior probabilities in a triangle", parent)
        self.found: Posterior | None = None
        self._points, self._largest = np.zeros((0, 2)), np.zeros(0, int)

    def show_posterior(self, found: Posterior | None) -> None:
        self.found = found
        if found is not None:
            from ...core.evaluation import in_triangle

            self._points, self._largest = in_triangle(found.found.draws), found.found.draws.argmax(axis=1)
            self.note = "; ".join(self.about(corner) for corner in range(3))
        self.draw()

    @property
    def n_things(self):
        return 3 if self.found else 0

    def thing_at(self, place: QPointF) -> int | None:
        if self.found is None:
            return None
        left, bottom, side = self._frame()
        x, y = (place.x() - left) / side, (bottom - place.y()) / side
        middle = 1 - x - y / (2 * TRIANGLE), y / TRIANGLE, x - y / (2 * TRIANGLE)
        return int(np.argmax(middle)) if min(middle) >= -0.15 else None

    def about(self, corner: int) -> str:
        found = self.found.found
        return f"{self._title(corner)}: probability {percent((found.first, found.rope, found.second)[corner], 1)}"

    def _title(self, corner: int) -> str:
        better = self.found.first if corner == 0 else self.found.second
        return f"{NEITHER} (\u00b1{self.found.rope:g})" if corner == 1 else f"{better} is better"

    # Places ----------------------------------------------------------------------------------------------------------

    def _frame(self) -> tuple[float, float, float]:
        width, height = self.canvas.size().width(), self.canvas.size().height()
        line = self.metrics.height()
        side = max(min(width - 4 * GAP, (height - 5.5 * line - 2 * GAP) / TRIANGLE), 20)
        return (width - side) / 2, height - 3.2 * line - GAP, side

    def _at(self, x: float, y: float) -> QPointF:
        left, bottom, side = self._frame()
        return QPointF(left + x * side, bottom - y * side)

    # Drawing ---------------------------------------------------------------------------------------------------------

    def paint_on(self, painter, room: QRectF):
        if self.found is None:
            return
        corners = self._at(0, 0), self._at(0.5, TRIANGLE), self._at(1, 0)
        painter.setPen(QPen(self.text_color, 1.2))
        painter.setBrush(Qt.NoBrush)
        painter.drawPolygon(QPolygonF(list(corners)))
        self._paint_cloud(painter)
        painter.setPen(QPen(muted(self.palette(), 0.35), 1, DASHED))
        center = self._at(0.5, TRIANGLE / 3)
        for x, y in ((0.25, TRIANGLE / 2), (0.75, TRIANGLE / 2), (0.5, 0)):
            painter.drawLine(center, self._at(x, y))
        self._paint_names(painter, room, corners)

    def _paint_cloud(self, painter):
        left, bottom, side = self._frame()
        for corner in range(3):
            pen = QPen(faint(self.hue(HUES[corner]), 90), DOT, SOLID, Qt.RoundCap)
            painter.setPen(pen)
            own = self._points[self._largest == corner][:MAX_DOTS]
            painter.drawPoints(QPolygonF([QPointF(left + x * side, bottom - y * side) for x, y in own]))

    def _paint_names(self, painter, room, corners):
        line = self.metrics.height()
        found = self.found.found
        width = room.width() / 2 - GAP
        places = (
            (QRectF(GAP, corners[0].y() + 4, width, 2 * line), Qt.AlignLeft),
            (QRectF(GAP, corners[1].y() - 2 * line - 4, room.width() - 2 * GAP, 2 * line), Qt.AlignHCenter),
            (QRectF(room.width() - GAP - width, corners[2].y() + 4, width, 2 * line), Qt.AlignRight),
        )
        shares = found.first, found.rope, found.second
        for corner, ((place, side), share) in enumerate(zip(places, shares, strict=True)):
            painter.setPen(mix(self.hue(HUES[corner]), self.text_color, 0.25))
            painter.setFont(self.strong_font())
            title = self.metrics.elidedText(self._title(corner), Qt.ElideMiddle, 0.9 * place.width())
            painter.drawText(place, side | Qt.AlignTop, f"{title}\n{percent(share, 1)}")
        painter.setFont(self.font())
        painter.setPen(muted(self.palette(), 0.25))
        text = f"{self.found.q:,} data sets, {self.found.m:,} folds each"
        below = QRectF(GAP, room.bottom() - line - 2, room.width() - 2 * GAP, line)
        self.write(painter, below, text, Qt.AlignHCenter, Qt.ElideRight)


PAIRS, RANKS, POSTERIOR = "pairs", "ranks", "posterior"
MODES = {
    PAIRS: ("Pairs", "Corrected resampled t-test of every two rankings on one data set"),
    RANKS: ("Mean ranks", "Friedman's and Nemenyi's tests over several data sets, and their critical difference"),
    POSTERIOR: ("Posterior", "Hierarchical Bayesian test of two rankings over several data sets"),
}
ROPE = 0.01
SAMPLING = "The posterior is being sampled"
DEPENDENT = (
    "Folds of one data set are not independent, so differences look more certain than they are. Connect evaluations "
    "of other data sets."
)
MANY = "The p-values are not corrected for the number of pairs."


class StatisticsView(View):
    """Compares what the view of quality measured here, and what it sent for other data sets."""

    title = "Statistics"
    tooltip = "Which differences are more than chance"
    needs = QualityView.title
    kept = {"mode": one_of(*MODES), "rope": number, "references": switch, "at": between(AREA), "first": string,
            "second": string}  # fmt: skip

    def __init__(self, settings: dict | None = None, parent=None):
        super().__init__(settings, parent)
        self.quality: Quality | None = None
        self.sets = DataSets()
        self._others = []
        self._unread = []
        self._posteriors: dict[tuple, Posterior | None] = {}
        self.pairs = PairsChart()
        self.ranks = RankChart()
        self.triangle = TriangleChart()
        self.charts, self.notes = QStackedWidget(), QLabel(wordWrap=True, textFormat=Qt.PlainText, margin=4)
        for chart in (self.pairs, self.ranks, self.triangle):
            self.charts.addWidget(chart)
        self._add_controls()
        self.set_body(self.charts, self.notes)
        self._show()

    def _add_controls(self):
        modes = [(text, mode, tip) for mode, (text, tip) in MODES.items()]
        self.mode = choices("Test", modes, self.settings.get("mode"))
        self.mode.setToolTip(MODES[self.mode.currentData()][1])
        self.at = choices("Number of best features", tip="Number of best features at which rankings are compared")
        self.first, self.second = (choices(f"{name} ranking") for name in ("First", "Second"))
        rope = "Differences up to this value count as equal, in units of the measure"
        self.rope = QDoubleSpinBox(minimum=0, maximum=1, decimals=3, singleStep=0.005, keyboardTracking=False,
                                   accessibleName="Region of practical equivalence", toolTip=rope)  # fmt: skip
        self.rope.setValue(self.settings.get("rope", ROPE))
        references = "Compare with the random ranking and the other references, too"
        kept = self.settings.get("references", True)
        self.references = QCheckBox("Re&ferences", checked=kept, toolTip=references)
        for text, widget in (("&Test", self.mode), ("&At", self.at), ("&Of", self.first), ("and", self.second),
                             ("&Equal up to", self.rope)):  # fmt: skip
            widget.label = self.add_control(text, widget)
        self.controls.addWidget(self.references)
        self.controls.addStretch()
        for combo in (self.mode, self.at, self.first, self.second):
            combo.activated.connect(self._changed)
        self.rope.valueChanged.connect(self._changed)
        self.references.clicked.connect(self._changed)

    # What the widget calls -------------------------------------------------------------------------------------------

    def set_comparison(self, comparison: Comparison | None) -> None:
        super().set_comparison(comparison)
        self.quality = None
        self._others, self._unread = parsed(comparison.evaluations if comparison else ())
        self._gather()

    def hear(self, title: str, result: Quality | None) -> None:
        if title == QualityView.title and result is not None:
            self.quality = result
            self._gather()

    def job(self, comparison: Comparison, settings: dict) -> Job | None:
        asked = self._asked()
        if self._mode != POSTERIOR or too_few(self.sets, POSTERIOR) or asked in self._posteriors:
            return None
        return lambda state, sets=self.sets: (asked, posterior(sets, *asked, state))

    def show_result(self, result: tuple | None) -> None:
        if result is not None:
            self._posteriors[result[0]] = result[1]
            self._show()

    def image_item(self) -> object | None:
        return self.charts.currentWidget() if self.drawn else None

    def caption(self) -> str:
        if not self.sets.qualities:
            return self.title
        quality = self.sets.qualities[-1]
        where = f"on {', '.join(self.sets.names)}" if self._mode != PAIRS else f"on {quality.name}"
        tip, notes = MODES[self._mode][1], self.notes.text()
        return f"{tip}. {MEASURES[quality.measure]}, {self.at.currentText().lower()}, {where}. {notes}".strip()

    # Help ------------------------------------------------------------------------------------------------------------

    @property
    def _mode(self) -> str:
        return self.mode.currentData()

    def _asked(self) -> tuple:
        return self.first.currentText(), self.second.currentText(), self.at.currentData(), self.rope.value()

    def _gather(self):
        before = self.sets
        self.sets = gather(self.quality, self._others, self.references.isChecked())
        if [*map(id, before.qualities)] != [*map(id, self.sets.qualities)]:
            self._posteriors = {}
        sizes = sorted({int(size) for quality in self.sets.qualities for size in quality.sizes})
        items = [("All numbers (area under the curve)", AREA), *((f"Best {size:,}", size) for size in sizes)]
        fill(self.at, items, self.settings.get("at", AREA))
        titles = [(title, title) for title in self.sets.titles]
        fill(self.first, titles, self.settings.get("first"))
        others = [title for title in titles if title[0] != self.first.currentText()]
        fill(self.second, others, self.settings.get("second"))
        self._show()

    def _changed(self, *_):
        settings = {"mode": self._mode, "rope": self.rope.value(), "references": self.references.isChecked()}
        if self.sets.titles:
            settings |= {"at": self.at.currentData(), "first": self.first.currentText()}
            settings["second"] = self.second.currentText()
        self.settings |= settings
        self.mode.setToolTip(MODES[self._mode][1])
        self._gather()
        self.change()

    # Showing ---------------------------------------------------------------------------------------------------------

    def _show(self):
        mode, sets = self._mode, self.sets
        for widget in (self.first, self.second):
            widget.setVisible(mode == POSTERIOR)
            widget.label.setVisible(mode == POSTERIOR)
        self.rope.setVisible(mode != RANKS)
        self.rope.label.setVisible(mode != RANKS)
        reason = too_few(sets, mode)
        if not sets.qualities:
            reason = refusal(self.comparison) or reason
        at = self.at.currentData()
        if not reason and mode == POSTERIOR and self._asked() not in self._posteriors:
            reason = SAMPLING
        shown = None if reason else self._found(mode, at)
        if not reason and shown is None:
            reason = "Too few folds in which all of these rankings are known"
        self.pairs.show_pairs(shown if mode == PAIRS else None)
        self.ranks.show_ranks(shown if mode == RANKS else None)
        self.triangle.show_posterior(shown if mode == POSTERIOR else None)
        self.charts.setCurrentIndex(list(MODES).index(mode))
        self.placeholder("\n".join([reason, *self._unread]) if reason else "")
        self.notes.setText(" ".join(self._notes(mode)))
        self.notes.setVisible(bool(self.notes.text()))

    def _found(self, mode, at):
        if mode == PAIRS:
            return pairs_of(self.sets, at, self.rope.value())
        return mean_ranks(self.sets, at) if mode == RANKS else self._posteriors[self._asked()]

    def _notes(self, mode):
        sets = self.sets
        if mode == RANKS and len(sets.qualities) == 1:
            yield DEPENDENT
        if mode == PAIRS and len(sets.titles) > 2:
            yield MANY
        if mode == PAIRS and len(sets.qualities) > 1:
            yield f"Only the last data set counts here: {sets.names[-1]}."
        yield from (f"{note.rstrip('.')}." for note in (*sets.notes, *self._unread))
