"""The view of scores over false discovery rates: what is drawn, and what the mouse and the keys select."""

import unittest

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPoint, QPointF, QRectF, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QWidget
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import core
from orangecontrib.reliefe.orange.plane import evenly_spaced
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.ranker.area import Views
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.ranker.plot import marks
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_pvalues import PValuesTest


def scores(p=40, real=5, level=0.1, seed=0):
    """Scores of p features, the first of which are real."""
    rng = np.random.default_rng(seed)
    values = np.r_[np.linspace(3, 2, real), rng.normal(size=p - real) * 0.2]
    q = np.r_[np.geomspace(0.001, 0.05, real), np.sort(rng.uniform(0.3, 1, p - real))]
    found = core.Significance(-q, q, q, np.clip(20 * q, 0, 1), q, 20, 0.0005)
    return MethodScores("s", values, "Score", significance=found, level=level)


class TestVolcano(PValuesTest):
    def setUp(self):
        super().setUp()
        self.view = self.widget.area.views.volcano
        self.view.selected_by_hand.disconnect()  # the window has no data
        self.view.setParent(None)
        self.addCleanup(self.view.deleteLater)
        self.view.resize(600, 300)
        self.view.show()
        self.chosen = []
        self.view.selected_by_hand.connect(self.chosen.append)

    def show(self, tested):
        p = len(tested.values)
        self.view.show_scores(tested, [f"x{i}" for i in range(p)], np.zeros(p, bool))
        QApplication.processEvents()
        self.view.grab()

    def at(self, feature):
        """Place of a feature in the widget."""
        return self.view.mapFromScene(QPointF(*self.view.pixels()[feature]))

    def test_nothing_without_significance(self):
        self.assertFalse(self.view.has_content)
        self.show(MethodScores("s", np.ones(3), "Score"))
        self.assertFalse(self.view.has_content)
        self.view.grab()
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=self.view.rect().center())
        QTest.keyClick(self.view, Qt.Key_Right)
        self.assertEqual(self.chosen, [])

    def test_places_are_score_and_logarithm_of_q(self):
        tested = scores()
        self.show(tested)
        for f in (0, 4, 20):
            place = self.view.chart.vb.mapViewToScene(QPointF(tested.values[f], -np.log10(tested.significance.q[f])))
            self.assertLess(np.abs(self.view.pixels()[f] - (place.x(), place.y())).max(), 1)
        names = [label.toPlainText() for label in self.view.point_names.labels]
        self.assertIn("x0", names)
        self.assertLessEqual({*names}, {f"x{i}" for i in range(5)})

    def test_names_cover_nothing(self):
        self.show(scores(400, 10))
        boxes = [label.sceneBoundingRect().adjusted(1, 5, -1, -5) for label in self.view.point_names.labels]
        self.assertGreater(len(boxes), 2)
        for i, box in enumerate(boxes):
            self.assertFalse(any(map(box.intersects, boxes[i + 1 :])))

    def test_lines(self):
        self.show(scores())
        lines = {item.label.format: item.value() for item in self.view.chart.items if getattr(item, "label", None)}
        self.assertEqual(lines["FDR 10 %"], 1)
        q = scores().significance.q  # 20 q <= .05 for the first alone
        self.assertAlmostEqual(lines["family-wise 5 %"], -np.log10(q[0] * q[1]) / 2)

    def test_click_and_control_click(self):
        self.show(scores())
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=self.at(0))
        self.assertEqual(np.flatnonzero(self.chosen[-1]).tolist(), [0])
        self.view.set_selected(self.chosen[-1])
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, Qt.ControlModifier, self.at(4))
        self.assertEqual(np.flatnonzero(self.chosen[-1]).tolist(), [0, 4])
        self.view.set_selected(self.chosen[-1])
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, Qt.ControlModifier, self.at(0))
        self.assertEqual(np.flatnonzero(self.chosen[-1]).tolist(), [4])

    def test_a_rectangle_selects_what_is_in_it(self):
        tested = scores()
        self.show(tested)
        pixels = self.view.pixels()
        area = QRectF(QPointF(*pixels[:5].min(axis=0)), QPointF(*pixels[:5].max(axis=0))).adjusted(-2, -2, 2, 2)
        np.testing.assert_array_equal(self.view.features_in(area), np.arange(40) < 5)
        first, last = self.view.mapFromScene(area.topLeft()), self.view.mapFromScene(area.bottomRight())
        QTest.mousePress(self.view.viewport(), Qt.LeftButton, pos=first)
        QTest.mouseMove(self.view.viewport(), last)
        QApplication.processEvents()
        self.assertTrue(self.view.rectangle.band.isVisible())
        QTest.mouseRelease(self.view.viewport(), Qt.LeftButton, pos=last)
        self.assertFalse(self.view.rectangle.band.isVisible())
        np.testing.assert_array_equal(self.chosen[-1], np.arange(40) < 5)

    def test_keys(self):
        self.show(scores())
        self.assertTrue(self.view.accessibleDescription().startswith("Left and Right go from feature to feature"))
        for _ in range(2):
            QTest.keyClick(self.view, Qt.Key_Right)
        self.assertEqual(self.view.current, 1)
        self.assertIn("x1", self.view.accessibleDescription())
        QTest.keyClick(self.view, Qt.Key_Space)
        self.assertEqual(np.flatnonzero(self.chosen[-1]).tolist(), [1])
        QTest.keyClick(self.view, Qt.Key_Left)
        QTest.keyClick(self.view, Qt.Key_Left)
        self.assertEqual(self.view.current, 0)
        self.view.set_selected(np.ones(40, bool))
        QTest.keyClick(self.view, Qt.Key_Return)
        self.assertEqual(np.flatnonzero(self.chosen[-1]).tolist(), [0])

    def test_many_features_are_thinned_and_none_is_lost_to_the_mouse(self):
        tested = scores(20_000, 30)
        self.show(tested)
        drawn = sum(len(item.data) for item in self.view.chart.items if isinstance(item, pg.ScatterPlotItem))
        self.assertLess(drawn, 20_000)
        self.assertEqual(self.view.element_at(QPointF(*self.view.pixels()[3])), 3)

    def test_constant_scores_and_unknown_ones(self):
        values = np.array([0.0, 0.0, np.nan])
        found = core.Significance(np.full(3, -np.inf), *np.ones((4, 3)), 20, 1.0)
        self.show(MethodScores("s", values, "Score", significance=found))
        self.assertEqual(self.view.element_at(QPointF(*self.view.pixels()[0])), 0)

    def test_dark_palette(self):
        self.show(scores())
        self.view.setPalette(base.dark_palette())
        self.view.grab()


class TestMarks(GuiTest):
    def test_a_line_below_the_last_real_rank(self):
        lines = {line.text: line for line in marks(scores(), float)}
        self.assertEqual((lines["FDR 10 %"].value, lines["FDR 10 %"].angle), (5.5, 90))
        self.assertEqual(marks(scores(level=0.0001), float), [])

    def test_points(self):
        self.assertEqual(evenly_spaced(3, 1000).tolist(), [0, 1, 2])
        many = evenly_spaced(5000, 1000)
        self.assertEqual((many[0], many[-1], len(many)), (0, 4999, 1000))
        self.assertEqual(len(evenly_spaced(0, 1000)), 0)


class TestTabs(GuiTest):
    def test_a_tab_that_comes_later_has_its_place(self):
        views = Views(RankingModel())
        later = []
        views.add("convergence", QWidget(), lambda: bool(later))
        views.add("neighbours", QWidget(), lambda: True)
        views.show()
        views.show_view()
        QApplication.processEvents()
        later.append(True)
        views.show_view()
        place = list(views.pages).index("convergence")
        self.assertFalse(views.tabs.tabRect(place).isEmpty())
        views.hide()


class TestInWidget(PValuesTest):
    def test_it_is_offered_with_p_values_and_selects(self):
        widget = self.complete(self.heart, self.make(view="volcano"))
        views = widget.area.views
        place = list(views.pages).index("volcano")
        self.assertFalse(views.tabs.isTabVisible(place))
        self.assertIs(views.stack.currentWidget(), views.pages["plot"][0])
        self.choose("All at FDR", widget=widget)  # which ticks p-values, too
        self.wait(widget)
        self.assertTrue(views.tabs.isTabVisible(place))
        self.assertIs(views.stack.currentWidget(), views.volcano)
        self.assertIs(widget.graph_name and views.figure, views.volcano)
        self.assertEqual(widget.selection.mode, "fdr")
        np.testing.assert_array_equal(views.volcano.selected, widget.area.lead.real)
        views.volcano.selected_by_hand.emit(np.arange(13) < 2)
        self.settle(widget)
        self.assertEqual(widget.selection.mode, "manual")
        self.assertEqual({v.name for v in self.out("features", widget)},
                         {v.name for v in self.heart.domain.attributes[:2]})  # fmt: skip

    def test_quantiles_select(self):
        widget = self.complete(self.heart, self.make(view="quantiles", p_values=True))
        widget.show()
        view = widget.area.views.quantiles
        self.assertIs(widget.area.views.figure, view)
        p = self.out("scores", widget).get_column("p")
        np.testing.assert_allclose(view.y, -np.log10(p))
        at = view.mapFromScene(view.chart.getViewBox().mapViewToScene(QPointF(view.x[3], view.y[3])))
        QTest.mouseClick(view.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(at))
        self.settle(widget)
        self.assertEqual([v.name for v in self.out("features", widget)], [self.heart.domain.attributes[3].name])
        self.assertTrue(view.callout.label.toPlainText().startswith(self.heart.domain.attributes[3].name))


if __name__ == "__main__":
    unittest.main()
