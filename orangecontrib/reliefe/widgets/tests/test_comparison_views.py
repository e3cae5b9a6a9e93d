"""The views of agreement and ranks."""

import time
import unittest
from unittest.mock import Mock

import numpy as np
import pyqtgraph as pg
import pytest
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import AGREEMENTS, compare, doublings
from orangecontrib.reliefe.orange.comparison.agreements import MEASURES, WITHOUT_SIZES, agreements, grid
from orangecontrib.reliefe.orange.comparison.comparison import Comparison
from orangecontrib.reliefe.orange.comparison.ranking_tree import tree_of
from orangecontrib.reliefe.widgets.comparison.agreement import ALIKE, ONE, AgreementView
from orangecontrib.reliefe.widgets.comparison.bump_chart import LINES
from orangecontrib.reliefe.widgets.comparison.bump_columns import columns, rank_ticks
from orangecontrib.reliefe.widgets.comparison.ranks import RanksView
from orangecontrib.reliefe.widgets.comparison.view import NO_RANKINGS, View
from orangecontrib.reliefe.widgets.tests.base import dark_palette


def rankings(t=4, p=30, seed=0):
    """t rankings that agree more or less."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=p) + random.normal(size=(t, p)) * np.linspace(0.1, 2, t)[:, None]
    return Comparison(tuple(f"x{i}" for i in range(p)), tuple(f"Ranking {i}" for i in range(t)), scores)


def state(interrupted=False):
    """State of a task that runs, or one that is to end."""
    made = Mock()
    made.is_interruption_requested.return_value = interrupted
    return made


class TestAgreements(unittest.TestCase):
    def test_measures_are_those_of_the_core(self):
        self.assertEqual(list(MEASURES), list(AGREEMENTS))
        self.assertEqual({*WITHOUT_SIZES}, {name for name, known in AGREEMENTS.items() if known.curve is None})

    def test_every_measure(self):
        c = rankings()
        for name in MEASURES:
            found = agreements(c, name, 5, state())
            whole = name in WITHOUT_SIZES
            np.testing.assert_allclose(found.at(5), compare(list(c.scores), name, None if whole else 5), atol=1e-12)
            np.testing.assert_array_equal(found.values, found.values.transpose(0, 2, 1))
            self.assertTrue(found.has(5))

    def test_area(self):
        c = rankings(3, 300)
        found = agreements(c, "fuji", 77, state())
        np.testing.assert_allclose(found.area, compare(list(c.scores), "fuji", np.array(doublings(300))), atol=1e-12)
        self.assertTrue(found.has(77))
        self.assertFalse(found.has(78))
        np.testing.assert_array_equal(found.at(78), found.at(77))

    def test_grid(self):
        np.testing.assert_array_equal(grid(5, 2), [1, 2, 3, 4, 5])
        found = grid(1000, 77)
        self.assertTrue({1, 2, 3, 4, 512, 768, 77, 1000} <= {*found.tolist()})
        self.assertTrue((np.diff(found) > 0).all())
        self.assertEqual(grid(100, 10_000)[-1], 100)

    def test_interrupted(self):
        with self.assertRaises(Interrupted):
            agreements(rankings(), "fuji", 5, state(interrupted=True))

    def test_constant_rankings_have_no_correlation(self):
        c = Comparison(("a", "b", "c"), ("A", "B"), np.array([[1.0, 1, 1], [1, 2, 3]]))
        self.assertTrue(np.isnan(agreements(c, "kendall", 1, state()).values[0, 0, 1]))

    @pytest.mark.slow
    def test_twenty_of_twenty_thousand_at_powers_of_two(self):
        c = rankings(20, 20_000)
        best = np.inf
        for _ in range(2):
            start = time.perf_counter()
            agreements(c, "fuji", 16, state())
            best = min(best, time.perf_counter() - start)
        self.assertLess(best, 6)  # 0.9 s alone; others may be at work here


class TestTree(unittest.TestCase):
    def test_likes_are_neighbours(self):
        agreement = np.eye(4)
        agreement[0, 2] = agreement[2, 0] = agreement[1, 3] = agreement[3, 1] = 0.9
        tree = tree_of(agreement)
        order = tree.order.tolist()
        self.assertEqual({frozenset(order[:2]), frozenset(order[2:])}, {frozenset({0, 2}), frozenset({1, 3})})
        self.assertEqual(len(tree.links), 3)
        self.assertTrue(all(0 <= y <= 1 for _, ys in tree.links for y in ys))

    def test_few_and_unknown(self):
        self.assertEqual(tree_of(np.eye(2)).links, ())
        self.assertEqual(sorted(tree_of(np.full((3, 3), np.nan)).order), [0, 1, 2])
        self.assertEqual(sorted(tree_of(np.ones((3, 3))).order), [0, 1, 2])


class ViewTest(GuiTest):
    """A view, and what it told."""

    kind = View

    def setUp(self):
        self.view = self.made()

    def made(self, **settings):
        view = self.kind(settings)
        view.resize(700, 450)
        self.told, self.changes = [], []
        view.picked.connect(self.told.append)
        view.changed.connect(lambda: self.changes.append(dict(view.settings)))
        self.addCleanup(view.deleteLater)
        return view

    def work(self):
        """Let the view have its job done."""
        job = self.view.job(self.view.comparison, self.view.settings)
        if job is not None:
            self.view.show_result(job(state()))
        return job

    def show(self, comparison):
        self.view.set_comparison(comparison)
        self.work()
        self.view.grab()  # draws
        return comparison


class TestView(ViewTest):
    def test_without_a_body_there_is_no_picture(self):
        self.view.placeholder("why")
        self.assertEqual((self.view.drawn, self.view.image_item(), self.view.reason.text()), (False, None, "why"))
        self.assertIsNone(self.view.job(rankings(), {}))
        self.assertIsNone(self.view.results())

    def test_settings_that_are_none(self):
        self.assertEqual(View("nonsense").settings, {})


class TestAgreementView(ViewTest):
    kind = AgreementView

    def test_reasons(self):
        self.assertEqual((self.view.drawn, self.view.reason.text()), (False, NO_RANKINGS))
        self.assertIsNone(self.view.image_item())
        self.show(rankings(1))
        self.assertEqual((self.view.drawn, self.view.reason.text()), (False, ONE))
        self.show(Comparison(("a", "b"), ("A", "B"), np.ones((2, 2))))
        self.assertEqual((self.view.drawn, self.view.reason.text()), (False, ALIKE))
        self.view.set_comparison(rankings())
        self.assertFalse(self.view.drawn)
        self.work()
        self.assertTrue(self.view.drawn)
        self.assertIs(self.view.image_item(), self.view.chart)
        self.view.set_comparison(None)
        self.assertFalse(self.view.drawn)

    def test_nothing_is_computed_twice(self):
        self.show(rankings())
        self.assertIsNone(self.work())
        self.view.measure.setCurrentIndex(self.view.measure.findData("kendall"))
        self.view.measure.activated.emit(self.view.measure.currentIndex())
        self.assertFalse(self.view.drawn)
        self.assertEqual(self.changes[-1]["measure"], "kendall")
        self.assertIsNotNone(self.work())
        self.assertFalse(self.view.spin.isEnabled())
        self.assertIsNone(self.view.chart.curve.scene())  # it is not shown
        self.assertIn("all features", self.view.caption())

    def test_n(self):
        c = self.show(rankings(4, 300))
        self.view.spin.setValue(77)
        self.assertEqual(self.changes[-1]["n"], 77)
        self.assertIsNotNone(self.work())
        expected = compare(list(c.scores), "fuji", 77)
        np.testing.assert_allclose(self.view.chart.values, expected, atol=1e-12)
        self.assertIn("best 77", self.view.caption())
        self.view.chart.n_moved.emit(10)
        self.assertEqual((self.view.spin.value(), self.view.n), (10, 10))

    def test_all_numbers(self):
        c = self.show(rankings(4, 300))
        self.view.all.click()
        np.testing.assert_allclose(
            self.view.chart.values, compare(list(c.scores), "fuji", np.array(doublings(300))), atol=1e-12
        )
        self.assertFalse(self.view.spin.isEnabled())
        self.assertEqual(self.changes[-1]["all"], True)

    def test_settings_come_back(self):
        self.view = self.made(measure="jaccard", n=7, all=False)
        self.show(rankings())
        self.assertEqual((self.view.measure.currentData(), self.view.n), ("jaccard", 7))
        self.assertEqual(self.view.chart.curve.getAxis("left").labelText, "Jaccard")
        self.view = self.made(measure="nonsense", n="many", all=3)
        self.show(rankings())
        self.assertEqual((self.view.measure.currentData(), self.view.n), ("fuji", 10))

    def test_keys_and_clicks_pick_common_features(self):
        c = self.show(rankings())
        chart = self.view.chart
        QTest.keyClick(chart, Qt.Key_Right)  # shows where one is
        self.assertEqual(chart.current, (0, 1))
        QTest.keyClick(chart, Qt.Key_Right)
        self.assertEqual(chart.current, (0, 2))
        i, j = chart.pair((0, 2))
        self.assertIn("in common", chart.accessibleDescription())
        QTest.keyClick(chart, Qt.Key_Space)
        common = {*c.orders[i, : self.view.n]} & {*c.orders[j, : self.view.n]}
        self.assertEqual({*self.told[-1]}, common)
        frame = chart.frame()
        middle = QPointF(frame.left + 1.5 * frame.width, frame.top + 1.5 * frame.height)
        place = chart.mapFromScene(chart.canvas.mapToScene(middle))
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, pos=place)
        k = chart.pair((1, 1))[0]
        self.assertEqual({*self.told[-1]}, {*c.orders[k, : self.view.n]})

    def test_one_feature_many_rankings_dark_and_small(self):
        self.show(rankings(2, 1))
        self.assertTrue(self.view.drawn)
        self.view.setPalette(dark_palette())
        self.show(rankings(30, 40))
        self.view.resize(300, 500)
        self.view.grab()
        self.view.chart.set_current((3, 4))
        self.view.grab()
        self.assertTrue(self.view.drawn)


class TestColumns(unittest.TestCase):
    def test_names_and_titles_fit(self):
        found = columns(1000, [100, 150], [80, 60, 90])
        self.assertGreaterEqual(found.name_room, 150)
        self.assertLess(found.side, 200)
        self.assertAlmostEqual(found.step, (1000 - 2 * found.side) / 2)
        self.assertAlmostEqual(found.ends[0], -found.side / found.step)
        self.assertEqual(found.title_room(1), int(found.step))
        self.assertEqual(found.title_room(1, 2), int(2 * found.step))  # titles on two lines, in turn
        self.assertGreaterEqual(columns(1000, [5], [160, 10]).side, 80)

    def test_long_names_leave_the_columns_room(self):
        self.assertGreaterEqual(columns(700, [900], [10] * 4).step, 80)
        self.assertLessEqual(columns(700, [900], [10] * 30).side, 0.22 * 700)
        self.assertTrue(columns(300, [50], [80] * 30).narrow)
        self.assertEqual(columns(300, [50], [80]).ends, (-0.5, 0.5))

    def test_ticks(self):
        self.assertEqual([rank for rank, _ in rank_ticks(13, False, 20)], [*range(1, 14)])
        self.assertEqual([rank for rank, _ in rank_ticks(13, False, 4)], [1, 5, 10])
        self.assertEqual([rank for rank, _ in rank_ticks(2, True, 4)], [1, 2, 5, 10, 20, 50, 100])


class TestRanksView(ViewTest):
    kind = RanksView

    def at(self, feature, column):
        """The place of a feature in a column."""
        chart = self.view.chart
        y = chart._y(np.array([feature]))[0, column]
        return chart.mapFromScene(chart.chart.vb.mapViewToScene(QPointF(column, y)))

    def test_reason(self):
        self.assertFalse(self.view.drawn)
        self.assertTrue(self.view.reason.text())
        self.show(rankings(1))
        self.assertTrue(self.view.drawn)
        self.view.set_comparison(None)
        self.assertFalse(self.view.drawn)

    def test_best_of_any(self):
        c = self.show(rankings(4, 300))
        self.view.spin.setValue(5)
        self.assertEqual(self.changes[-1], {"most": 5})
        self.assertEqual({*self.view.chart.features}, {*c.orders[:, :5].ravel()})
        self.assertIn("of 300 features", self.view.counts.text())
        self.view.spin.setValue(300)
        self.assertEqual(len(self.view.chart.features), 300)

    def test_not_more_lines_than_can_be_spread_out(self):
        self.view = self.made(most=5000)
        self.show(rankings(2, 5000))
        self.assertEqual(len(self.view.chart.features), LINES)

    def test_hover_click_and_brush(self):
        c = self.show(rankings(4, 30))
        chart, feature = self.view.chart, int(c.orders[2, 0])
        place = self.at(feature, 2)
        QTest.mouseMove(chart.viewport(), place)
        self.assertEqual(chart.feature_at(place), (feature, 2))
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, pos=place)
        self.assertEqual(self.told[-1], [feature])
        first, last = self.at(c.orders[1, 0], 1), self.at(c.orders[1, 3], 1)
        QTest.mousePress(chart.viewport(), Qt.LeftButton, pos=first)
        QTest.mouseRelease(chart.viewport(), Qt.LeftButton, pos=last)
        self.assertTrue({*c.orders[1, 1:3]} <= {*self.told[-1]} <= {*c.orders[1, :4]})

    def test_keys(self):
        c = self.show(rankings(3, 30))
        chart = self.view.chart
        for key in (Qt.Key_Down, Qt.Key_Down, Qt.Key_Right):
            QTest.keyClick(chart, key)
        feature = c.orders[0, 1]
        self.assertEqual((chart.current, chart.column), (feature, 1))
        self.assertIn(f"x{feature}", chart.accessibleDescription())
        QTest.keyClick(chart, Qt.Key_Space)
        self.assertEqual(self.told[-1], [feature])
        self.assertIn("Ranking 2: ", chart.tip())

    def test_control_adds_and_takes_away(self):
        c = self.show(rankings(3, 30))
        first, second = int(c.orders[0, 0]), int(c.orders[0, 1])
        mask = np.zeros(30, bool)
        mask[first] = True
        self.view.set_selected(mask)
        self.assertEqual(self.told, [])  # marking is no choice
        self.view.chart.chosen.emit([second], True)
        self.assertEqual(self.told[-1], sorted([first, second]))
        self.view.chart.chosen.emit([first], True)
        self.assertEqual(self.told[-1], [])

    def names(self):
        """Names beside the columns, and how far into the plot it reaches at the left and at the right."""
        chart = self.view.chart
        items = [item for item in chart.chart.items if isinstance(item, pg.TextItem) and item is not chart.label]
        box = chart.chart.vb.sceneBoundingRect()
        areas = [
            item.mapRectToScene(item.mapRectFromItem(item.textItem, item.textItem.boundingRect())) for item in items
        ]
        inside = [(area.left() - box.left(), box.right() - area.right()) for area in areas]
        return [item.toPlainText() for item in items], inside

    def test_names_have_room(self):
        long = "fasting blood sugar > 120 mg per decilitre of blood"
        for size in ((300, 240), (1000, 560), (1900, 900)):
            for t in (1, 2, 30):
                for of in ("gene {}", long + " {}", "x{}"):
                    c = rankings(t, 150)
                    names = tuple(map(of.format, range(150)))
                    self.view.resize(*size)
                    self.show(Comparison(names, c.titles, c.scores))
                    told, inside = self.names()
                    self.assertTrue(told)
                    self.assertGreaterEqual(np.min(inside), -0.5, (size, t, of))
                    if size[0] >= (1900 if of.startswith(long) else 1000) and t <= 5:
                        self.assertTrue({*told} <= {*names}, (size, t, of))

    def test_names_of_a_single_ranking_stand_at_one_side(self):
        c = self.show(rankings(1, 9))
        self.assertEqual(sorted(self.names()[0]), sorted(c.features))

    def test_another_font(self):
        self.show(rankings(2, 9))
        font = self.view.font()
        font.setPointSize(2 * font.pointSize())
        self.view.setFont(font)
        self.view.grab()
        self.assertGreaterEqual(np.min(self.names()[1]), -0.5)

    def test_what_is_told_is_plain_or_rich(self):
        c = rankings(2, 3)
        self.show(Comparison(("a > b", "c", "d"), ("<b>A</b>", "B"), c.scores))
        self.view.chart.set_current(0, 0)
        self.assertTrue(self.view.chart.accessibleDescription().startswith("a > b, <b>A</b>: "))
        self.assertTrue(self.view.chart.tip().startswith("a &gt; b<br>&lt;b&gt;A&lt;/b&gt;: "))

    def test_one_feature_one_ranking_dark_and_small(self):
        self.view.setPalette(dark_palette())
        self.show(rankings(1, 1))
        self.show(rankings(30, 200))
        self.view.resize(300, 240)
        self.view.grab()
        self.assertTrue(self.view.drawn)
        self.view.set_selected(np.ones(200, bool))
        self.view.grab()


if __name__ == "__main__":
    unittest.main()
