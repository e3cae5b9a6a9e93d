"""Scores for each target: columns of the table, and the heat map."""

import unittest
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtTest import QTest
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.charts.color_scale import ColorScale, range_of
from orangecontrib.reliefe.widgets.ranker.area import Views
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE
from orangecontrib.reliefe.widgets.tests.test_reliefe import label_table
from orangecontrib.reliefe.widgets.utils.colors import hue, ink

SHOWN = {"methods": ["reliefe"], "parameters": {"reliefe": {"per_target": True}}}


def with_targets(p=40, t=4, seed=0):
    values = np.random.default_rng(seed).normal(size=(t, p))
    return MethodScores("s", values.mean(axis=0), "S", 2, each=tuple((f"t{i}", v) for i, v in enumerate(values)))


class TestColorScale(unittest.TestCase):
    def test_ends_and_zero(self):
        for palette in (QPalette(), base.dark_palette()):
            scale = ColorScale(*range_of(np.array([[-1.0, 2.0, np.nan]])), hue(1, palette), palette)
            self.assertEqual((scale.low, scale.high, scale.top), (-1, 2, 2))
            zero, high, unknown = (QColor(*map(int, c)) for c in scale.colors(np.array([0, 2, np.nan])))
            self.assertEqual(zero, palette.color(QPalette.Base))
            self.assertEqual(high, hue(1, palette))
            self.assertEqual(unknown, zero)
            self.assertNotEqual(ink(QColor("white")), ink(QColor("black")))

    def test_nothing_but_zero(self):
        scale = ColorScale(*range_of(np.zeros((2, 3))), hue(0, QPalette()), QPalette())
        self.assertEqual(scale.colors(np.zeros((2, 3))).shape, (2, 3, 3))
        self.assertEqual(ColorScale(*range_of(np.zeros((0, 0))), hue(0, QPalette()), QPalette()).top, 0)


class TestHeatMap(base.RankerTest):
    def setUp(self):
        super().setUp()
        self.map, self.scores = self.widget.area.views.heatmap, with_targets()
        self.map.clicked.disconnect()  # the window has no data
        self.map.setParent(None)
        self.addCleanup(self.map.deleteLater)
        self.map.resize(500, 260)
        self.values = np.array([values for _, values in self.scores.each])
        self.map.set_scores([f"x{i}" for i in range(40)], [f"t{i}" for i in range(4)], self.values)
        self.map.set_order(self.scores.order)
        self.map.show()
        self.map.grab()

    def place(self, row, column):
        frame = self.map.frame()
        return QPointF(frame.left + (column + 0.5) * frame.width, frame.top + (row + 0.5) * frame.height)

    def test_cells_are_where_they_are_painted(self):
        cells = self.map
        for row, column in ((0, 0), (3, 2), (cells.visible - 1, 3)):
            self.assertEqual(cells.element_at(self.place(row, column)), (row, column))
        for x, y in ((-5, -5), (490, 255), (5, 255)):
            self.assertIsNone(cells.element_at(QPointF(x, y)))
        picture = self.map.grab().toImage()
        best = np.unravel_index(self.values[:, self.scores.order[: cells.visible]].argmax(), (4, cells.visible))
        at = self.place(best[1], best[0]) - QPointF(cells.frame().width * 0.42, 0)
        expected = cells.scale.colors(self.values[best[0], self.scores.order[best[1]]])
        np.testing.assert_allclose(picture.pixelColor(at.toPoint()).getRgb()[:3], expected, atol=2)

    def test_the_current_cell_is_told(self):
        self.map.set_current((1, 2))
        feature = self.scores.order[1]
        value = self.values[2, feature]
        place = 1 + int((self.values[2] > value).sum())
        text = f"x{feature}, t2: {value:.4g}, rank {place}".replace("-", "−")
        self.assertEqual(self.map.about((1, 2)), text)
        self.map.grab()

    def test_keys(self):
        cells, told = self.map, []
        self.map.clicked.connect(told.append)
        for key, expected in (
            (Qt.Key_Down, (0, 0)), (Qt.Key_Down, (1, 0)), (Qt.Key_Right, (1, 1)), (Qt.Key_Up, (0, 1)),
            (Qt.Key_Up, (0, 1)), (Qt.Key_End, (39, 1)), (Qt.Key_PageUp, (40 - cells.visible, 1)), (Qt.Key_Home, (0, 1)),
            (Qt.Key_Left, (0, 0)), (Qt.Key_Left, (0, 0)), (Qt.Key_PageDown, (cells.visible - 1, 0)),
        ):  # fmt: skip
            QTest.keyClick(self.map, key)
            self.assertEqual(cells.current, expected)
            self.assertTrue(cells.first <= expected[0] < cells.first + cells.visible)
            self.assertEqual(self.map.accessibleDescription(), cells.about(expected))
        QTest.keyClick(self.map, Qt.Key_Space)
        self.assertEqual(told, [self.scores.order[cells.visible - 1]])

    def test_scrolling_ends(self):
        cells = self.map
        cells.scroll(1000)
        self.assertEqual(cells.first, 40 - cells.visible)
        self.map.resize(500, 2000)
        self.map.grab()
        self.assertEqual(cells.first, 0)

    def test_draws_anything(self):
        for p, t in ((1, 1), (3, 200), (300, 2), (5, 0), (0, 3)):
            values = np.random.default_rng(0).normal(size=(t, p))
            values[:, :1] = np.nan
            self.map.set_scores([f"feature {i}" * 5 for i in range(p)], [f"target {i}" * 3 for i in range(t)], values)
            self.map.set_order(np.arange(p), np.ones(p, bool))
            for size in ((200, 110), (900, 500), (0, 0)):
                self.map.resize(*size)
                self.map.grab()
                for key in (Qt.Key_Down, Qt.Key_End, Qt.Key_Space):
                    QTest.keyClick(self.map, key)


class TestModel(GuiTest):
    def setUp(self):
        self.model = RankingModel()
        self.model.set_features([f"x{i}" for i in range(40)], np.zeros(40), np.zeros(40))
        self.scores = with_targets()
        self.model.set_columns([self.scores, MethodScores("r", np.arange(40.0), "R")])

    def test_targets_come_after_the_methods(self):
        titles = [self.model.headerData(i, Qt.Horizontal) for i in range(self.model.columnCount())]
        self.assertEqual(titles[FIRST_SCORE:], ["S", "R", "t0", "t1", "t2", "t3"])

    def test_sorting_by_a_target_stays_and_does_not_lead(self):
        self.model.sort(FIRST_SCORE + 3, Qt.DescendingOrder)
        np.testing.assert_array_equal(self.model.rows, self.scores.details[1].order)
        self.model.set_columns([self.scores], 0)
        self.assertEqual((self.model.sorted_by[0], self.model.leading), (FIRST_SCORE + 2, 0))
        np.testing.assert_array_equal(self.model.rows, self.scores.details[1].order)
        self.model.set_columns([MethodScores("r", np.arange(40.0), "R")], 0)
        self.assertEqual(self.model.sorted_by[0], FIRST_SCORE)

    def test_views_show_the_map_where_there_are_targets(self):
        views = Views(self.model, "heatmap")
        self.assertTrue(views.tabs.isHidden())
        views.set_scores(self.model.columns, 1)
        self.assertFalse(views.tabs.isHidden())
        self.assertIs(views.figure, views.heatmap)
        views.tabs.setCurrentIndex(0)
        self.assertEqual((views.wanted, views.figure), ("plot", views.plot))
        self.model.set_filter("x1")
        np.testing.assert_array_equal(views.heatmap.rows, self.model.rows)
        self.assertEqual(Views(self.model, "of the future").wanted, "plot")


class TestInWidget(base.RankerTest):
    def test_map_follows_the_table_and_selects(self):
        widget = self.make(**SHOWN)
        self.ready(label_table(), widget)
        views, model = widget.area.views, widget.area.model
        self.assertFalse(views.tabs.isHidden())
        views.tabs.setCurrentIndex(1)
        self.assertEqual((widget.area.view, widget.area.figure), ("heatmap", views.heatmap))
        model.sort(FIRST_SCORE + 2, Qt.AscendingOrder)
        np.testing.assert_array_equal(views.heatmap.rows, model.rows)
        self.settle(widget)
        self.assertEqual(widget.area.lead.name, "reliefe")
        views.heatmap.clicked.emit(3)
        self.settle(widget)
        self.assertEqual([v.name for v in self.out("features", widget)], ["x3"])
        with patch.object(widget, "report_table"):
            widget.send_report()
        self.assertIn("<img", widget.report_html)
        self.ready(self.heart, widget)
        self.assertTrue(views.tabs.isHidden())
        self.assertEqual((widget.area.view, widget.area.figure), ("heatmap", views.plot))
        self.ready(label_table(), widget)
        self.assertIs(widget.area.figure, views.heatmap)
        widget.grab()


if __name__ == "__main__":
    unittest.main()
