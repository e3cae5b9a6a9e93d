"""The views of agreement and ranks."""

import time
import unittest
from unittest.mock import Mock

import numpy as np
import pytest
from AnyQt.QtCore import QItemSelectionModel, QPointF, Qt
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtTest import QTest
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import AGREEMENTS, compare, doublings
from orangecontrib.reliefe.orange.comparison.agreements import MEASURES, WITHOUT_SIZES, agreements, grid
from orangecontrib.reliefe.orange.comparison.comparison import ComparedRankings
from orangecontrib.reliefe.orange.comparison.ranking_tree import tree_of
from orangecontrib.reliefe.widgets.comparison.agreement import ALIKE, ONE, AgreementView
from orangecontrib.reliefe.widgets.comparison.ranks import RanksView
from orangecontrib.reliefe.widgets.comparison.view import NO_RANKINGS, View
from orangecontrib.reliefe.widgets.tests.base import dark_palette


def rankings(t=4, p=30, seed=0):
    """t rankings that agree more or less."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=p) + random.normal(size=(t, p)) * np.linspace(0.1, 2, t)[:, None]
    return ComparedRankings(tuple(f"x{i}" for i in range(p)), tuple(f"Ranking {i}" for i in range(t)), scores)


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
        c = ComparedRankings(("a", "b", "c"), ("A", "B"), np.array([[1.0, 1, 1], [1, 2, 3]]))
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
        self.show(ComparedRankings(("a", "b"), ("A", "B"), np.ones((2, 2))))
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


class TestRanksView(ViewTest):
    kind = RanksView

    def cells(self):
        """Texts of the table, row by row."""
        model = self.view.model
        texts = [[model.index(row, column).data() for column in range(model.columnCount())]
                 for row in range(model.rowCount())]  # fmt: skip
        return [[model.headerData(column, Qt.Horizontal) for column in range(model.columnCount())], *texts]

    def test_reason(self):
        self.assertFalse(self.view.drawn)
        self.assertTrue(self.view.reason.text())
        self.show(rankings(1))
        self.assertTrue(self.view.drawn)
        self.view.set_comparison(None)
        self.assertFalse(self.view.drawn)

    def test_ranks_of_the_best_of_any(self):
        c = self.show(rankings(4, 300))
        self.view.spin.setValue(5)
        self.assertEqual(self.changes[-1], {"most": 5})
        titles, *rows = self.cells()
        self.assertEqual(titles, ["Feature", *c.titles])
        self.assertEqual({row[0] for row in rows}, {c.features[f] for f in c.orders[:, :5].ravel()})
        for name, *ranks in rows:
            feature = c.features.index(name)
            self.assertEqual(ranks, [str([*order].index(feature) + 1) for order in c.orders])
        self.assertIn(f"{len(rows)} of 300 features", self.view.counts.text())
        self.view.spin.setValue(300)
        self.assertEqual(self.view.model.rowCount(), 300)

    def test_a_click_on_a_title_sorts(self):
        c = self.show(rankings(3, 30))
        self.view.table.sortByColumn(2, Qt.AscendingOrder)
        self.assertEqual([row[2] for row in self.cells()[1:4]], ["1", "2", "3"])
        self.assertEqual(self.cells()[1][0], c.features[c.orders[1, 0]])

    def test_rows_are_selected(self):
        c = self.show(rankings(3, 30))
        first, second = (int(feature) for feature in c.orders[0, :2])
        mask = np.zeros(30, bool)
        mask[first] = True
        self.view.set_selected(mask)
        self.assertEqual(self.told, [])  # marking is no choice
        row = self.view.model.row_of(second)
        index = self.view.model.index(row, 0)
        self.view.table.selectionModel().select(index, QItemSelectionModel.Select | QItemSelectionModel.Rows)
        self.assertEqual(self.told[-1], sorted([first, second]))
        self.view.table.sortByColumn(1, Qt.DescendingOrder)  # the selection stays with the features
        selected = {int(self.view.model.rows[i.row()]) for i in self.view.table.selectionModel().selectedRows()}
        self.assertEqual(selected, {first})
        self.view.table.copy()
        copied = QGuiApplication.clipboard().text().splitlines()
        self.assertEqual(copied[1].split("\t")[0], c.features[first])


if __name__ == "__main__":
    unittest.main()
