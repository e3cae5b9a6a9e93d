"""Values of the current feature by class or target: what is counted, and the panel beside the table."""

import ast
import unittest
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import QCoreApplication, Qt
from AnyQt.QtTest import QTest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from orangecanvas.scheme.events import LinkEvent

from orangecontrib.reliefe import explain
from orangecontrib.reliefe.orange.values import of_table
from orangecontrib.reliefe.orange.values.association import association
from orangecontrib.reliefe.orange.values.of_table import ValuesOfTable
from orangecontrib.reliefe.orange.values.pictures import Bars, Boxes, Histogram, ScatterPoints
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker import valuespanel
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import NAME
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

KIND, SIZE, TWO = (
    DiscreteVariable("kind", ("a", "b", "c")),
    ContinuousVariable("size"),
    DiscreteVariable("y", ("n", "p")),
)
LABELS = [DiscreteVariable(f"label {i}", ("0", "1")) for i in range(3)]


def table(attributes, class_vars, X, Y=None):
    return Table.from_numpy(
        Domain(attributes, class_vars), np.array(X, float), None if Y is None else np.array(Y, float)
    )


class TestValues(unittest.TestCase):
    def test_numbers_by_class(self):
        data = table([SIZE], TWO, [[1], [2], [np.nan], [4], [5]], [0, 1, 0, 1, np.nan])
        shown = ValuesOfTable(data).of(0)
        self.assertIsInstance(shown.drawing, Boxes)
        self.assertEqual([(name, list(v)) for name, v in shown.drawing.groups], [("n", [1]), ("p", [2, 4])])
        self.assertEqual(shown.title, "size by y")
        self.assertEqual(shown.caption, "5 rows; missing values: 1 of size, 1 of y")
        self.assertEqual(shown.drawing.described(), "size. n: median 1 of 1 row; p: median 3 of 2 rows")
        self.assertEqual(shown.direction, "Higher in p (mean 3, against 1 in n; 1.41 standard deviations apart)")

    def test_categories_by_class(self):
        data = table([KIND], TWO, [[0], [2], [2], [2]], [0, 1, 1, 0])
        drawing = ValuesOfTable(data).of(0).drawing
        self.assertIsInstance(drawing, Bars)
        self.assertEqual((drawing.names, drawing.parts), (("a", "c"), ("n", "p")))  # no row has b
        np.testing.assert_array_equal(drawing.counts, [[1, 0], [1, 2]])
        self.assertEqual(drawing.described(), "a: 1 row, n 100 %; c: 3 rows, n 33 %, p 67 %")

    def test_numeric_target(self):
        data = table([SIZE, KIND], ContinuousVariable("t"), [[1, 0], [2, 1], [3, 1]], [10, 20, 30])
        values = ValuesOfTable(data)
        points, boxes = values.of(0).drawing, values.of(1).drawing
        self.assertIsInstance(points, ScatterPoints)
        np.testing.assert_array_equal([points.x, points.y], [[1, 2, 3], [10, 20, 30]])
        self.assertIsInstance(boxes, Boxes)
        self.assertEqual((boxes.axis, boxes.colored), ("t", False))
        self.assertEqual([(name, list(v)) for name, v in boxes.groups], [("a", [10]), ("b", [20, 30])])

    def test_label_sets_by_the_closest_label(self):
        rng = np.random.default_rng(1)
        Y = rng.integers(0, 2, (60, 3))
        data = table([SIZE], LABELS, rng.normal(size=(60, 1)) + 3 * Y[:, [1]], Y)
        shown = ValuesOfTable(data).of(0)
        self.assertEqual(shown.title, "size by label 1 (closest of 3 targets)")
        self.assertRegex(
            shown.direction,
            r"^Higher in rows with label 1 \(mean .*, against .* in rows without label 1; .* standard deviations apart",
        )
        self.assertEqual([name for name, _ in shown.drawing.groups], ["without label 1", "with label 1"])

    def test_without_a_target_or_any_known_one(self):
        X = [[1, 0], [2, 1], [2, np.nan], [3, 1]]
        for data in (table([SIZE, KIND], [], X), table([SIZE, KIND], TWO, X, [np.nan] * 4)):
            values = ValuesOfTable(data)
            histogram, bars = values.of(0).drawing, values.of(1).drawing
            self.assertIsInstance(histogram, Histogram)
            self.assertEqual((histogram.counts.sum(), *histogram.edges[[0, -1]]), (4, 1, 3))
            np.testing.assert_array_equal(bars.counts, [[1], [2]])
            self.assertEqual(values.of(1).caption, "4 rows; missing values: 1 of kind")

    def test_nothing_known(self):
        shown = ValuesOfTable(table([SIZE], TWO, [[np.nan], [np.nan]], [0, 1])).of(0)
        self.assertIsNone(shown.drawing)
        self.assertEqual(shown.caption, "2 rows; missing values: 2 of size")

    def test_large_tables_are_sampled_and_counted_whole(self):
        n = 12_000
        X = np.arange(n, dtype=float)[:, None]
        X[:7] = np.nan
        data = table([SIZE], TWO, X, np.arange(n) % 2)
        shown = ValuesOfTable(data).of(0)
        drawn = np.concatenate([v for _, v in shown.drawing.groups])
        self.assertLessEqual(len(drawn), of_table.MAX_ROWS)
        self.assertGreater(len(drawn), of_table.MAX_ROWS - 8)
        self.assertEqual(shown.caption, "5,000 of 12,000 rows, sampled; missing values: 7 of size")
        again = np.concatenate([v for _, v in ValuesOfTable(data).of(0).drawing.groups])
        np.testing.assert_array_equal(drawn, again)

    def test_rare_values_become_one(self):
        many = DiscreteVariable("many", [f"v{i}" for i in range(30)])
        codes = np.concatenate([np.arange(30), np.arange(5, 16)])
        drawing = ValuesOfTable(table([many], TWO, codes[:, None], codes % 2)).of(0).drawing
        self.assertEqual(drawing.names, (*[f"v{i}" for i in range(5, 16)], "19 more"))
        self.assertEqual(drawing.counts.sum(), len(codes))

    def test_sparse_is_as_dense(self):
        X = np.random.default_rng(0).integers(0, 3, (40, 2)).astype(float)
        dense = table([SIZE, KIND], TWO, X, X[:, 1] > 0)
        sparse = Table.from_numpy(dense.domain, sp.csr_matrix(X), dense.Y)
        for feature in range(2):
            a, b = (ValuesOfTable(data).of(feature) for data in (dense, sparse))
            self.assertEqual((a.title, a.caption, a.drawing.described()), (b.title, b.caption, b.drawing.described()))

    def test_association_is_as_by_definition(self):
        rng = np.random.default_rng(2)
        x, y = rng.normal(size=50), rng.integers(0, 3, 50)
        between = sum((y == c).sum() * (x[y == c].mean() - x.mean()) ** 2 for c in range(3))
        ratio = np.sqrt(between / sum((v - x.mean()) ** 2 for v in x))
        self.assertAlmostEqual(association(x, None, y, 3), ratio)
        self.assertAlmostEqual(association(y, 3, x, None), ratio)
        self.assertAlmostEqual(association(x, None, -2 * x, None), 1)
        self.assertAlmostEqual(association(y, 3, (y + 1) % 3, 3), 1)
        two = np.array([0, 0, 0, 1, 1, 1, 1, 1]), np.array([0, 0, 1, 0, 1, 1, 1, 1])
        self.assertAlmostEqual(association(two[0], 2, two[1], 2), abs(np.corrcoef(*two)[0, 1]))  # phi
        for constant in (
            association(x, None, 0 * x, None),
            association(0 * x, None, y, 3),
            association(0 * y, 1, y, 3),
        ):
            self.assertEqual(constant, 0)


class TestPanel(base.RankerTest):
    def setUp(self):
        super().setUp()
        self.open()

    def open(self, **settings):
        self.widget = self.make(**settings)
        self.tick("relieff")
        self.ready(self.heart)
        self.widget.resize(1280, 720)
        self.widget.show()
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        self.table, self.model, self.panel = self.widget.area.table, self.widget.area.model, self.widget.area.values

    def click(self, row, twice=False):
        place = self.table.visualRect(self.model.index(row, NAME)).center()
        act = QTest.mouseDClick if twice else QTest.mouseClick
        act(self.table.viewport(), Qt.LeftButton, Qt.NoModifier, place)

    def at(self, row):
        return self.model.names[self.model.rows[row]]

    def test_nothing_is_computed_until_it_is_opened(self):
        with patch.object(valuespanel, "ValuesOfTable", side_effect=ValuesOfTable) as computed:
            self.click(3)
            self.assertFalse(self.panel.isVisible())
            computed.assert_not_called()
            QTest.mouseClick(self.panel.box, Qt.LeftButton)
            self.assertTrue(self.panel.isVisible())
            self.assertEqual(computed.call_count, 1)
            self.click(4)
            self.assertEqual(computed.call_count, 1)

    def test_a_widget_that_is_not_shown_computes_nothing(self):
        with patch.object(valuespanel, "ValuesOfTable", side_effect=ValuesOfTable) as computed:
            widget = self.make(values_open=True)
            self.ready(self.heart, widget)
            computed.assert_not_called()
            widget.show()
            self.assertEqual(computed.call_count, 1)

    def test_enter_opens_and_the_rows_are_followed(self):
        self.click(2)
        QTest.keyClick(self.table, Qt.Key_Return)
        self.assertTrue(self.panel.isVisible())
        self.assertEqual(self.panel.title.text(), f"{self.at(2)} by diameter narrowing")
        QTest.keyClick(self.table, Qt.Key_Down)
        self.assertEqual(self.panel.title.text(), f"{self.at(3)} by diameter narrowing")
        self.assertIn("303 rows", self.panel.caption.text())
        self.assertRegex(self.panel.direction.text(), "^Higher in |more frequent in |hardly differ")
        self.assertIn("without adjustment", self.panel.direction.toolTip())
        self.assertTrue(self.widget.isVisible())  # the key was not for the window

    def test_two_clicks_open(self):
        self.click(1)
        self.assertFalse(self.panel.isVisible())
        self.click(1, twice=True)
        self.assertTrue(self.panel.isVisible())
        self.assertIn(self.at(1), self.panel.title.text())

    def test_menu_opens(self):
        self.click(5)
        menu = self.widget.area.menu
        menu._show(self.table.mapToGlobal(self.table.pos()), NAME)
        menu.menu.setActiveAction(next(a for a in menu.menu.actions() if a.text().replace("&", "") == "Show Values"))
        QTest.keyClick(menu.menu, Qt.Key_Return)
        self.assertIn(self.at(5), self.panel.title.text())

    def test_it_is_closed_and_remembers(self):
        self.assertFalse(self.widget.area.values_open)
        QTest.mouseClick(self.panel.box, Qt.LeftButton)
        self.assertTrue(self.widget.area.values_open)
        packed = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(ast.literal_eval(repr(packed))["area"]["values_open"], True)
        self.process_events()
        QTest.mouseClick(self.panel.closer, Qt.LeftButton)
        self.assertFalse(self.panel.isVisible())
        self.assertFalse(self.widget.area.values_open)
        self.assertFalse(self.panel.box.isChecked())
        self.open(values_open=True)
        self.assertTrue(self.panel.isVisible())

    def test_the_best_feature_is_shown_until_there_is_a_current_row(self):
        self.panel.box.click()
        best = self.model.names[self.leading.order[0]]
        self.assertIn(best, self.panel.title.text())

    def test_a_feature_stays_when_the_table_is_sorted_or_filtered(self):
        self.panel.box.click()
        self.click(2)
        name = self.at(2)
        self.table.sortByColumn(NAME, Qt.AscendingOrder)
        self.widget.area.filter.setText("zzz")
        self.assertIn(name, self.panel.title.text())

    def test_other_data(self):
        self.panel.box.click()
        self.click(2)
        self.ready(self.housing)
        best = self.model.names[self.leading.order[0]]
        self.assertEqual(self.panel.title.text(), f"{best} by MEDV")
        self.assertIsInstance(self.panel.chart.shown.drawing, ScatterPoints)
        self.send_signal(self.widget.Inputs.data, None)
        self.assertEqual(self.panel.title.text(), "")
        self.assertIsNone(self.panel.chart.shown)

    def why(self, widget):
        """Text of the reasons, once these are found."""
        self.process_events(lambda: "number" in widget.area.values.why.text(), timeout=LIMIT)
        return widget.area.values.why.text()

    def test_why_this_rank(self):
        self.panel.box.click()
        self.assertTrue(self.panel.why.isHidden())
        self.process_events()
        QTest.mouseClick(self.panel.why_box, Qt.LeftButton)
        self.assertTrue(self.widget.why.ticked)
        best = self.at(0)
        text = self.why(self.widget)
        ranking = self.widget.result.rankings[self.widget.lead_job()]
        found = explain(ranking, best)
        for part in (*found.sentences, f"for it: {found.most()[0][0] + 1},", "against it: "):
            self.assertIn(part, text)
        self.click(3)
        self.process_events(lambda: self.panel.why.text().startswith(self.at(3)), timeout=LIMIT)
        QTest.mouseClick(self.panel.why_box, Qt.LeftButton)
        self.process_events(self.panel.why.isHidden, timeout=LIMIT)
        self.send_signal(self.widget.Inputs.data, None)
        self.panel.why_box.click()
        self.assertEqual(self.panel.why.text(), "")

    def link(self, kind, name="Selected Rows"):
        link = SimpleNamespace(source_channel=SimpleNamespace(name=name))
        QCoreApplication.sendEvent(self.widget, LinkEvent(kind, link))
        self.process_events(lambda: not self.widget.why.busy, timeout=LIMIT)

    def test_rows_that_count_most_are_sent(self):
        self.click(2)
        self.widget.hide()
        self.link(LinkEvent.OutputLinkAdded, "Reduced Data")
        self.assertIsNone(self.out("rows"))
        self.link(LinkEvent.OutputLinkAdded)
        rows, found = self.out("rows"), explain(self.widget.result.rankings[self.widget.lead_job()], self.at(2))
        chosen = np.concatenate(found.most())
        np.testing.assert_array_equal(rows.ids, self.heart.ids[chosen])
        shares, side = (rows.get_column(name) for name in (f"Contribution to {self.at(2)}", "Side"))
        np.testing.assert_array_equal(shares, found.rows[chosen])
        self.assertEqual([rows.domain["Side"].values[int(code)] for code in side], ["for"] * 5 + ["against"] * 5)
        self.send_signal(self.widget.Inputs.data, self.housing)
        self.assertIsNone(self.out("rows"))  # of another data set; none of its features is current
        with patch("orangecontrib.reliefe.core.explain") as explained:
            self.link(LinkEvent.OutputLinkRemoved)
            self.ready(self.heart)
            self.click(1)
            explained.assert_not_called()

    def test_rows_of_the_best_feature_wait_for_the_commit_and_are_reported(self):
        self.widget.auto_apply = False
        self.panel.box.click()
        self.panel.why_box.click()
        text = self.why(self.widget)
        self.assertIsNone(self.out("rows"))
        self.widget.commit.now()
        self.assertIn(f"Contribution to {self.at(0)}", self.out("rows").domain)
        self.assertIn("These rows are sent as Selected Rows.", text)
        self.widget.send_report()
        self.assertIn("Rows that count most for it", self.widget.report_html)
        self.panel.why_box.click()
        self.widget.commit.now()
        self.assertIsNone(self.out("rows"))

    def test_why_says_that_it_takes_no_weights_of_rows(self):
        self.panel.box.click()
        self.panel.why_box.click()
        self.ready(base.with_weights(self.heart))
        self.process_events(lambda: "take no weights of rows" in self.panel.why.text(), timeout=LIMIT)
        self.ready(self.heart)
        self.assertIn("is number", self.why(self.widget))

    def test_why_that_fails_says_so(self):
        failing = "orangecontrib.reliefe.orange.ranking.explain_features"
        with patch(failing, side_effect=ValueError("broken on purpose")):
            self.panel.box.click()
            self.panel.why_box.click()
            self.process_events(lambda: "broken on purpose" in self.panel.why.text(), timeout=LIMIT)

    def test_unlabelled(self):
        widget = self.create_widget(OWURelief, stored_settings={"values_open": True})
        self.ready(self.heart, widget)
        widget.show()
        self.assertIn(type(widget.area.values.chart.shown.drawing), (Histogram, Bars))

    def test_what_is_drawn_is_told(self):
        self.panel.box.click()
        self.click([self.at(row) for row in range(13)].index("age"))
        told = self.panel.chart.accessibleDescription()
        for part in ("age by diameter narrowing", "median", "303 rows"):
            self.assertIn(part, told)
        items = [type(item).__name__ for item in self.panel.chart.chart.items]
        self.assertEqual(items.count("BarGraphItem"), 2)

    def test_every_kind_is_drawn_on_light_and_dark(self):
        data = [table([SIZE, KIND], TWO, [[1, 0], [2, 1]] * 40, [0, 1] * 40), self.housing[:, :3]]
        data += [table([SIZE, KIND], [], [[1, 0], [2, np.nan]]), table([SIZE], TWO, [[np.nan]] * 2, [0, 1])]
        chart = self.panel.chart
        for palette in (chart.palette(), base.dark_palette()):
            chart.setPalette(palette)
            for each in data:
                values = ValuesOfTable(each)
                for feature in range(len(each.domain.attributes)):
                    chart.show_values(values.of(feature))
                    drawn = values.of(feature).drawing is not None
                    self.assertEqual(len(chart.chart.items) > 0, drawn)
                    self.assertEqual(chart.chart.getAxis("bottom").isVisible(), drawn)

    def test_it_is_below_the_table_where_it_is_narrow(self):
        self.panel.box.click()
        split = self.panel.parent()
        self.assertEqual(split.orientation(), Qt.Horizontal)
        self.widget.resize(680, 720)
        self.process_events()
        self.assertEqual(split.orientation(), Qt.Vertical)
        for part in (self.table, self.panel):
            self.assertGreater(part.height(), 80)
            self.assertGreater(part.width(), 300)


if __name__ == "__main__":
    unittest.main()
