"""The parts: table, editors, form, list of methods, plot, colours."""

import unittest
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPoint, QPointF, Qt
from AnyQt.QtGui import QColor, QFontMetricsF, QMouseEvent, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.core import METHODS, methods
from orangecontrib.reliefe.orange.ranker.parameter_values import valid_parameters
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.charts.chart import Chart
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.ranker.plot import RankAxis, ScorePlot
from orangecontrib.reliefe.widgets.ranker.view import TITLE_EXTRA_WIDTH, RankingView
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils import colors


class TestView(GuiTest):
    def setUp(self):
        self.model = RankingModel()
        self.view = RankingView(self.model)
        self.model.set_features([f"x{i}" for i in range(8)], np.zeros(8), np.zeros(8))
        self.model.set_columns([MethodScores("s", np.arange(8.0), "S")])  # so that x7 is in the first row
        self.view.resize(500, 400)
        self.view.grab()
        self.times = 0
        self.view.selected_by_hand.connect(self.count)

    def count(self):
        self.times += 1

    def click(self, row, modifier=Qt.NoModifier):
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, modifier, self.centre(row))

    def chosen(self):
        return [self.model.names[i] for i in np.flatnonzero(self.model.selected)]

    def test_click_control_and_shift(self):
        self.click(1)
        self.assertEqual(self.chosen(), ["x6"])
        self.click(3, Qt.ControlModifier)
        self.assertEqual(self.chosen(), ["x4", "x6"])
        self.click(3, Qt.ControlModifier)
        self.assertEqual(self.chosen(), ["x6"])
        self.click(5)
        self.click(7, Qt.ShiftModifier)
        self.assertEqual(self.chosen(), ["x0", "x1", "x2"])
        self.click(4, Qt.ShiftModifier)
        self.assertEqual(self.chosen(), ["x2", "x3"])
        self.assertEqual(self.times, 6)

    def centre(self, row):
        return self.view.visualRect(self.model.index(row, NAME)).center()

    def drag(self, start, end, modifier=Qt.NoModifier):
        """Drag with the left button from one point to another."""
        viewport = self.view.viewport()
        QTest.mousePress(viewport, Qt.LeftButton, modifier, start)
        points = QPointF(end), QPointF(viewport.mapToGlobal(end))
        QApplication.sendEvent(viewport, QMouseEvent(QEvent.MouseMove, *points, Qt.NoButton, Qt.LeftButton, modifier))
        QTest.mouseRelease(viewport, Qt.LeftButton, modifier, end)

    def test_drags_select_add_and_remove(self):
        self.drag(self.centre(1), self.centre(3))
        self.assertEqual(self.chosen(), ["x4", "x5", "x6"])
        self.drag(self.centre(6), self.centre(5), Qt.ControlModifier)
        self.assertEqual(self.chosen(), ["x1", "x2", "x4", "x5", "x6"])
        self.drag(self.centre(2), self.centre(5), Qt.ControlModifier)
        self.assertEqual(self.chosen(), ["x1", "x6"])
        self.drag(self.centre(3), self.centre(2), Qt.ShiftModifier)  # from the last click without Shift
        self.assertEqual(self.chosen(), ["x5"])

    def test_a_drag_from_below_the_rows_selects_nothing(self):
        self.click(1)
        self.drag(QPoint(10, 390), self.centre(3))
        self.assertEqual(self.chosen(), ["x6"])

    def test_click_below_the_rows_changes_nothing(self):
        self.click(1)
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(10, 390))
        self.assertEqual(self.chosen(), ["x6"])

    def test_keys(self):
        self.click(0)
        QTest.keyClick(self.view, Qt.Key_Down)
        self.assertEqual(self.chosen(), ["x6"])
        QTest.keyClick(self.view, Qt.Key_Down, Qt.ShiftModifier)
        self.assertEqual(self.chosen(), ["x5", "x6"])
        QTest.keyClick(self.view, Qt.Key_Space)
        self.assertEqual(self.chosen(), ["x6"])
        QTest.keyClick(self.view, Qt.Key_A, Qt.ControlModifier)
        self.assertEqual(len(self.chosen()), 8)

    def test_keys_in_an_empty_table(self):
        self.model.set_features([])
        for key in (Qt.Key_Down, Qt.Key_Space, Qt.Key_Home):
            QTest.keyClick(self.view, key)
        self.view.grab()

    def test_copy(self):
        self.model.set_columns([MethodScores("s", np.array([1 / 3] * 8), "S")])
        QTest.keyClick(self.view, Qt.Key_C, Qt.ControlModifier)
        lines = QApplication.clipboard().text().split("\n")
        self.assertEqual((lines[0], lines[1], len(lines)), ("Feature\tS", f"x0\t{1 / 3}", 9))
        self.click(1)
        self.assertEqual(self.model.as_text(self.model.chosen()), f"Feature\tS\nx1\t{1 / 3}")

    def test_scores_share_the_table(self):
        titles = "S", "A Score with a Title", "A Score with a Much Longer Title"
        self.model.set_columns([MethodScores(f"s{i}", np.arange(8.0), title) for i, title in enumerate(titles)])
        needed = [self.view.fontMetrics().horizontalAdvance(title) + TITLE_EXTRA_WIDTH for title in titles]
        narrow, others = self.score_widths(300)
        self.assertEqual(narrow, [92, 104, 104])
        # Titles first, and what remains goes to the narrowest.
        medium, _ = self.score_widths(others + 100 + sum(needed[1:]))
        self.assertEqual(medium, [100, *needed[1:]])
        wide, others = self.score_widths(3000)
        self.assertEqual(wide, [(3000 - others) // 3] * 3)

    def score_widths(self, table_width):
        """Return the widths of 3 scores in a table without its frame, and that of all other columns."""
        frame = self.view.width() - self.view.viewport().width()
        self.view.resize(table_width + frame, 300)
        self.view.grab()
        widths = [self.view.columnWidth(column) for column in range(FIRST_SCORE, FIRST_SCORE + 3)]
        return widths, self.view.horizontalHeader().length() - sum(widths)

    def test_columns_fit_when_narrow_and_with_many_scores(self):
        self.model.set_columns(
            [MethodScores(f"s{i}", np.linspace(-1, 1, 8) * 10.0**-i, f"Score {i}") for i in range(9)]
        )
        for width in (200, 500, 2000):
            self.view.resize(width, 300)
            self.view.grab()


class TestMethodPanel(GuiTest):
    def test_space_ticks(self):
        panel = base.method_panel(chosen=[], current="relieff")
        QTest.keyClick(panel.list, Qt.Key_Space)
        self.assertEqual(panel.ticked, ["relieff"])

    def test_grey_methods_are_ticked_but_not_active(self):
        panel = base.method_panel(chosen=["relieff", "rrelieff"])
        panel.set_task("classification")
        self.assertEqual((panel.ticked, panel.active()), (["relieff", "rrelieff"], ["relieff"]))
        panel.set_task("multi-label")
        fitting = [method.name for method in methods() if "multi-label" in method.tasks]
        self.assertEqual((panel.fitting(), len(panel.active())), (fitting, 1))
        panel.set_task("of the future")
        self.assertEqual((panel.fitting(), panel.active()), ([], []))
        panel.grab()

    def test_jobs_hold_all_parameters(self):
        panel = base.method_panel(chosen=["relieff"], parameters={"relieff": {"n_neighbors": 3}})
        (job,) = panel.jobs()
        self.assertEqual(job.values, valid_parameters(METHODS["relieff"], {"n_neighbors": 3}))
        self.assertEqual(hash(job), hash(panel.job("relieff")))


class TestPlot(GuiTest):
    def setUp(self):
        self.plot = ScorePlot()
        self.plot.resize(500, 250)
        rng = np.random.default_rng(0)
        self.columns = [MethodScores(f"s{i}", rng.normal(size=300) * 2**i, f"S{i}", i) for i in range(3)]
        self.names = [f"x{i}" for i in range(300)]

    def test_no_axes_without_data(self):
        self.plot.set_data([], 0, [])
        for width in (500, 300, 600):
            self.plot.resize(width, 200)
            self.plot.grab()
            self.assertFalse(any(self.plot.chart.getAxis(side).isVisible() for side in ("left", "bottom")))

    def test_draws_anything(self):
        constant = MethodScores("c", np.zeros(300), "C")
        negative = MethodScores("n", -np.ones(300), "N")
        for columns in ([], self.columns, [constant], [negative, constant], [MethodScores("n", np.full(300, np.nan))]):
            for mode in ("best", "from", "none"):
                self.plot.set_data(columns, 0, self.names)
                self.plot.set_cut(mode, 10, 0.1)
                self.plot.grab()

    def test_hover_and_click(self):
        self.plot.set_data(self.columns, 1, self.names)
        box = self.plot.chart.vb
        self.plot.grab()
        place = box.mapViewToScene(QPointF(np.log10(20), 2.0))
        self.assertEqual(self.plot.element_at(place).point, 19)
        self.plot.set_current(self.plot.element_at(place))
        self.assertIn("rank 20", self.plot.callout.label.textItem.toPlainText())
        self.plot.set_current(self.plot.element_at(QPointF(-50, -50)))
        self.assertFalse(self.plot.callout.label.isVisible())

    def test_keys_go_along_the_curves(self):
        self.plot.set_data(self.columns, 1, self.names)
        best = [self.names[scores.order[0]] for scores in self.columns]
        self.assertTrue(self.plot.accessibleDescription().startswith(f"S0: {best[0]} "))
        chosen = []
        self.plot.clicked.connect(chosen.append)
        for key, line, place in (
            (Qt.Key_Right, 1, 0), (Qt.Key_Right, 1, 1), (Qt.Key_Down, 2, 1), (Qt.Key_Left, 2, 0), (Qt.Key_Left, 2, 0)
        ):  # fmt: skip
            QTest.keyClick(self.plot, key)
            self.assertEqual(self.plot.current, (line, place))
        self.assertTrue(self.plot.accessibleDescription().startswith(best[2]))
        self.assertIn("(rank 1)", self.plot.callout.label.toPlainText())
        QTest.keyClick(self.plot, Qt.Key_Space)
        self.assertEqual(chosen, [self.columns[2].order[0]])

    def test_legend_says_what_is_stretched(self):
        self.plot.set_data(self.columns, 0, self.names)
        entries = self.plot.chart.above.entries
        self.assertEqual((entries[0].text, entries[0].strong, entries[1].strong), ("S0", True, False))
        self.assertIn("×", entries[1].text)
        self.plot.set_data(self.columns[:1], 0, self.names)
        self.assertEqual(self.plot.chart.above.entries, ())

    def test_legend_stands_above_the_curves(self):
        self.plot.set_data(self.columns, 0, self.names)
        self.plot.show()
        label = self.plot.chart.titleLabel
        for width, lines in ((700, 1), (260, 2)):
            self.plot.resize(width, 400)
            QApplication.processEvents()  # layouts come later
            self.assertEqual(label.text.count("<br>") + 1, lines)
            bottom = label.mapRectToScene(label.itemRect()).bottom()
            self.assertLessEqual(bottom, self.plot.chart.vb.sceneBoundingRect().top() + 1)
        self.plot.chart.above.fit(150, 60)
        self.assertIn("…", label.text)  # a small plot is for the curves

    def test_many_ranks_are_logarithmic_unless_the_user_says_otherwise(self):
        self.plot.set_data(self.columns, 0, self.names)
        self.assertTrue(self.plot.log)
        told = []
        self.plot.log_changed.connect(told.append)
        self.plot.log_button.click()
        self.assertEqual((self.plot.log, told), (False, [False]))
        for log in (True, False):
            self.plot._log = log
            for rank in (1, 2, 17, 300):
                self.assertEqual(self.plot._rank(self.plot._x(rank + 0.5)), rank)


class TestChart(GuiTest):
    def test_bands_have_an_area(self):
        chart = Chart("x", "y")
        chart.band([1, 2, 4], [0, 0, 0], [1, 2, 3], QColor("red"))
        (band,) = (item for item in chart.items if isinstance(item, pg.FillBetweenItem))
        self.assertTrue(band.path().contains(QPointF(3, 1)))
        self.assertFalse(band.path().contains(QPointF(1.5, 2)))


class TestRankAxis(GuiTest):
    def test_ranks_have_room(self):
        axis = RankAxis("bottom")
        axis.log = True
        metrics = QFontMetricsF(axis.font())
        for size in (150, 300, 600, 1200):
            ranks = [round(10**place) for place in axis.tickValues(0, np.log10(20_000), size)[0][1]]
            self.assertEqual([rank for rank in ranks if str(rank)[0] == "1"], [1, 10, 100, 1000, 10_000])
            for a, b in pairwise(ranks):
                width = (metrics.horizontalAdvance(f"{a:,}") + metrics.horizontalAdvance(f"{b:,}")) / 2
                self.assertTrue(size < 200 or np.log10(b / a) * size / np.log10(20_000) > width)
        self.assertIn(2, ranks)

    def test_few_ranks(self):
        axis = RankAxis("bottom")
        for features in (1, 2, 3):
            ticks = [tick for _, ticks in axis.tickValues(0.5, features + 0.5, 300) for tick in ticks]
            self.assertEqual(sorted({*range(1, features + 1)} - set(ticks)), [])


class TestBoxes(WidgetTest):
    kind = OWRankingComparison

    def test_boxes_are_seen_on_dark_palettes(self):
        rankings = self.widget.list
        for palette, seen in ((base.dark_palette(), True), (QPalette(), False)):
            rankings.setPalette(palette)
            rankings.set_titles(["Ticked", "Left out"], ["Left out"], ["Ticked"])
            rankings.resize(200, 80)
            with patch.object(type(rankings.itemDelegate()), "_frame") as frame:
                rankings.grab()
            self.assertEqual(frame.call_count, 2 * seen)
        rankings.setPalette(base.dark_palette())
        rankings.set_titles(["Left out"], ["Left out"])
        image = rankings.grab().toImage()
        row = rankings.visualItemRect(rankings.item(0))
        edge = [image.pixelColor(x, row.center().y()).lightness() for x in range(20)]
        self.assertGreater(max(edge) - min(edge), 60)


class TestColors(GuiTest):
    def test_ink_can_be_read(self):
        dark, light = colors.INKS
        for color, ink in (("#ffffff", dark), ("#000000", light), ("#5f92c8", dark), ("#2f6db5", light)):
            self.assertEqual(colors.ink(QColor(color)).name(), ink)


if __name__ == "__main__":
    unittest.main()
