"""The views of agreement and ranks, in Ranking Comparison."""

import unittest

import numpy as np
from AnyQt.QtCore import QItemSelectionModel, QPointF, Qt
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtTest import QTest

from orangecontrib.reliefe.core.evaluation import AGREEMENTS, compare, doublings
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.tests.base import dark_palette, table_of_scores
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

AGREEMENT = "Agreement"
RANKS = "Ranks"


def rankings(t=4, p=30, seed=0):
    """A table of t rankings that agree more or less."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=p) + random.normal(size=(t, p)) * np.linspace(0.1, 2, t)[:, None]
    return table_of_scores([f"x{i}" for i in range(p)], {f"Ranking {i}": each for i, each in enumerate(scores)})


class ViewTest(WidgetTest):
    """Tests of one view of the window."""

    kind = OWRankingComparison
    title = AGREEMENT

    def setUp(self):
        super().setUp()
        self.start()

    def start(self, **settings):
        """Make the window anew, with stored settings of the view."""
        self.widget = self.make(tab=self.title, view_settings={self.title: settings})
        (self.view,) = (view for view in self.widget.area.views if view.title == self.title)

    def show(self, scores):
        """Send a table of scores; return the rankings that are compared."""
        self.send_signal(self.widget.Inputs.scores, scores, 0)
        self.settle()
        self.view.grab()  # draws
        return self.widget.area.comparison

    @property
    def stored(self):
        """Settings of the view as a workflow stores them."""
        return self.packed()["view_settings"][self.title]

    def selected(self):
        """Names of the features that are picked in the view."""
        return {*self.widget.selection.manual}


class TestAgreementView(ViewTest):
    def test_reasons(self):
        self.assertFalse(self.view.drawn)
        self.assertIn("There are no rankings yet.", self.view.reason.text())
        self.assertIsNone(self.view.image_item())
        self.show(rankings(1))
        self.assertFalse(self.view.drawn)
        self.assertIn("There is only one ranking.", self.view.reason.text())
        self.show(table_of_scores(["a", "b"], {"A": np.ones(2), "B": np.ones(2)}))
        self.assertFalse(self.view.drawn)
        self.assertIn("Every ranking has only equal scores", self.view.reason.text())
        self.show(rankings())
        self.assertTrue(self.view.drawn)
        self.assertIs(self.view.image_item(), self.view.chart)
        self.show(None)
        self.assertFalse(self.view.drawn)

    def test_every_measure(self):
        c = self.show(rankings(4, 100))
        box = self.view.measure
        self.assertEqual([box.itemData(row) for row in range(box.count())], list(AGREEMENTS))
        for name, measure in AGREEMENTS.items():
            box.setCurrentIndex(box.findData(name))
            box.activated.emit(box.currentIndex())
            self.settle()
            size = None if measure.curve is None else self.view.n
            expected = compare(list(c.scores), name, size)
            np.testing.assert_allclose(self.view.chart.values, expected, atol=1e-12, err_msg=name)

    def test_rankings_that_are_alike_are_neighbours(self):
        rng = np.random.default_rng(0)
        a, b = rng.normal(size=(2, 40))
        near = [a, b, a + 0.01 * rng.normal(size=40), b + 0.01 * rng.normal(size=40)]
        self.show(table_of_scores([f"x{i}" for i in range(40)], {f"R{i}": each for i, each in enumerate(near)}))
        places = [self.view.chart.pair((place, place))[0] for place in range(4)]
        self.assertEqual({frozenset(places[:2]), frozenset(places[2:])}, {frozenset({0, 2}), frozenset({1, 3})})

    def test_correlations_are_of_all_features(self):
        self.show(rankings())
        self.view.measure.setCurrentIndex(self.view.measure.findData("kendall"))
        self.view.measure.activated.emit(self.view.measure.currentIndex())
        self.settle()
        self.assertEqual(self.stored["measure"], "kendall")
        self.assertFalse(self.view.spin.isEnabled())
        self.assertIsNone(self.view.chart.curve.scene())  # it is not shown
        self.assertIn("all features", self.view.caption())

    def test_n(self):
        c = self.show(rankings(4, 300))
        self.view.spin.setValue(77)
        self.settle()
        self.assertEqual(self.stored["n"], 77)
        expected = compare(list(c.scores), "fuji", 77)
        np.testing.assert_allclose(self.view.chart.values, expected, atol=1e-12)
        self.assertIn("best 77", self.view.caption())
        self.view.chart.n_moved.emit(10)
        self.assertEqual((self.view.spin.value(), self.view.n), (10, 10))

    def test_all_numbers(self):
        c = self.show(rankings(4, 300))
        self.view.all.click()
        self.settle()
        np.testing.assert_allclose(
            self.view.chart.values, compare(list(c.scores), "fuji", np.array(doublings(300))), atol=1e-12
        )
        self.assertFalse(self.view.spin.isEnabled())
        self.assertEqual(self.stored["all"], True)

    def test_settings_come_back(self):
        self.start(measure="jaccard", n=7, all=False)
        self.show(rankings())
        self.assertEqual((self.view.measure.currentData(), self.view.n), ("jaccard", 7))
        self.assertEqual(self.view.chart.curve.getAxis("left").labelText, "Jaccard")
        self.start(measure="nonsense", n="many", all=3)
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
        self.assertEqual(self.selected(), {c.features[f] for f in common})
        frame = chart.frame()
        middle = QPointF(frame.left + 1.5 * frame.width, frame.top + 1.5 * frame.height)
        place = chart.mapFromScene(chart.canvas.mapToScene(middle))
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, pos=place)
        k = chart.pair((1, 1))[0]
        self.assertEqual(self.selected(), {c.features[f] for f in c.orders[k, : self.view.n]})

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
    title = RANKS

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
        self.show(None)
        self.assertFalse(self.view.drawn)

    def test_ranks_of_the_best_of_any(self):
        c = self.show(rankings(4, 300))
        self.view.spin.setValue(5)
        self.settle()
        self.assertEqual(self.stored, {"most": 5})
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
        self.widget.selection.choose_by_hand([c.features[first]])
        self.settle()
        row = self.view.model.row_of(second)
        index = self.view.model.index(row, 0)
        self.view.table.selectionModel().select(index, QItemSelectionModel.Select | QItemSelectionModel.Rows)
        self.assertEqual(self.selected(), {c.features[first], c.features[second]})
        self.view.table.sortByColumn(1, Qt.DescendingOrder)  # the selection stays with the features
        selected = {int(self.view.model.rows[i.row()]) for i in self.view.table.selectionModel().selectedRows()}
        self.assertEqual(selected, {first, second})
        self.view.table.copy()
        copied = QGuiApplication.clipboard().text().splitlines()
        self.assertEqual({line.split("\t")[0] for line in copied[1:]}, {c.features[first], c.features[second]})


if __name__ == "__main__":
    unittest.main()
