"""Parts of Feature Interactions: shortlists, layout, labels, the list of pairs, values of a pair, the network."""

import unittest
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPoint, QPointF, QRectF, Qt
from AnyQt.QtGui import QGuiApplication
from AnyQt.QtTest import QTest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import partners, rank
from orangecontrib.reliefe.orange.interactions.drawn_network import NetworkModel
from orangecontrib.reliefe.orange.interactions.layout import layout
from orangecontrib.reliefe.orange.interactions.shortlist import ScoresInput, Shortlist, missing_text
from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.orange.values.categories import frequent
from orangecontrib.reliefe.orange.values.of_table import ValuesOfTable
from orangecontrib.reliefe.orange.values.pictures import Grid, ScatterPoints
from orangecontrib.reliefe.widgets.interactions.labels import label_order, placed_labels
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest


def xor_table(n=150, p=6, seed=0):
    """Categories, of which "x1" and "x3" decide together."""
    X = np.random.default_rng(seed).integers(0, 2, (n, p)).astype(float)
    variables = [DiscreteVariable(f"x{i}", ("no", "yes")) for i in range(p)]
    domain = Domain(variables, DiscreteVariable("class", ("low", "high")))
    return Table.from_numpy(domain, X, (X[:, 1] + X[:, 3]) % 2)


def alone(part, *signals):
    """Return a part of the window that the other parts no longer listen to: these have no data."""
    for signal in signals:
        getattr(part, signal).disconnect()
    return part


class TestShortlist(unittest.TestCase):
    def setUp(self):
        self.variables = [ContinuousVariable(name) for name in "abcd"]

    def test_best_first_by_the_first_column_or_the_chosen_one(self):
        table = scores_table(
            ["d", "a", "x", "b"], {"One": [1, 3, 9, 2], "Two": [3, 1, 9, np.nan]}, {"q": [0.2, 0.01, 0, 1]}
        )
        scores = ScoresInput.read(table)
        self.assertEqual(list(scores.columns), ["One", "Two"])
        found = scores.shortlist("", self.variables)
        self.assertEqual((found.names, found.title), (("a", "b", "d"), "One"))
        np.testing.assert_array_equal(found.scores, [3, 2, 1])
        np.testing.assert_array_equal(found.q, [0.01, 1, 0.2])
        self.assertEqual(scores.shortlist("Two", self.variables).names, ("d", "a", "b"))
        self.assertEqual(len(found.best(2)), 2)

    def test_features_keep_their_order_and_get_the_scores_there_are(self):
        table = scores_table(["a", "b"], {"One": [1.0, 3.0]})
        found = ScoresInput.read(table).about(["c", "b"], "", self.variables)
        self.assertEqual(found.names, ("c", "b"))
        np.testing.assert_array_equal(found.scores, [np.nan, 3])
        self.assertIsNone(found.q)
        nothing = ScoresInput.read(None).about(["c", "b"], "", self.variables)
        np.testing.assert_array_equal(nothing.scores, [np.nan, np.nan])

    def test_tables_without_names_or_numbers(self):
        self.assertEqual(len(ScoresInput.read(Table("iris")[:, :4]).shortlist("", self.variables)), 0)
        self.assertEqual(missing_text(["a", "z", "z"], self.variables), "1 feature on the input is")
        self.assertEqual(missing_text(["a"], self.variables), "")

    def test_of_a_ranking(self):
        ranking = rank(Table("iris"), "relieff", significance=True)
        found = Shortlist.of_ranking(ranking)
        self.assertEqual(found.names, tuple(v.name for v in ranking.best(4)))
        np.testing.assert_array_equal(found.scores, np.sort(ranking.scores)[::-1])
        np.testing.assert_array_equal(found.q, ranking.significance.q[ranking.ranking])


class TestLayout(unittest.TestCase):
    def test_same_places_each_time_and_none_twice(self):
        edges = [(0, 1), (1, 2), (2, 0), (3, 4), (5, 6), (6, 7)]
        weights = [9, 5, 4, 3, 2, 1]
        places = layout(["x"] * 40, edges, weights)
        np.testing.assert_array_equal(places, layout(["x"] * 40, edges, weights))
        apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + np.eye(40)
        self.assertGreater(apart.min(), 0.2)
        lengths = [np.hypot(*(places[a] - places[b])) for a, b in edges]
        self.assertLess(max(lengths), 3)
        alone = sorted(set(range(40)) - {node for edge in edges for node in edge})
        self.assertGreater(places[alone, 1].min(), places[:8, 1].max())  # below the network

    def test_large_parts_and_nothing(self):
        ring = [(i, (i + 1) % 120) for i in range(120)]
        places = layout(["x"] * 120, ring, [1.0] * 120)
        np.testing.assert_array_equal(places, layout(["x"] * 120, ring, [1.0] * 120))
        self.assertTrue(np.isfinite(places).all())
        self.assertEqual(layout(["x"] * 0, (), ()).shape, (0, 2))
        self.assertEqual(len(np.unique(layout(["x"] * 7, (), ()), axis=0)), 7)
        long, short = (np.diff(layout([letters] * 7, (), ())[:2, 0]) for letters in ("x" * 15, "x"))
        self.assertGreater(long, 1.2 * short)  # names are below their nodes


class TestLabels(unittest.TestCase):
    def placed(self, centers, lines=(), below=None, forced=0, room=(0, 0, 200, 100)):
        m = len(centers)
        below = np.zeros(m, bool) if below is None else below
        sizes, lines = np.full((m, 2), (40.0, 10.0)), np.array(lines, float).reshape(-1, 4)
        return placed_labels(
            range(m), np.array(centers, float), np.full(m, 5.0), sizes, lines, below, QRectF(*room), forced
        )

    def test_they_cover_nothing(self):
        rng = np.random.default_rng(0)
        centers = rng.uniform(20, 180, (40, 2)) * (1, 0.5)
        found = self.placed(centers)
        self.assertGreater(len(found), 3)
        areas = list(found.values())
        self.assertFalse([1 for i, a in enumerate(areas) for b in areas[:i] if a.intersects(b)])
        for node, area in found.items():
            others = [QRectF(x - 5, y - 5, 10, 10) for i, (x, y) in enumerate(centers) if i != node]
            self.assertFalse(any(map(area.intersects, others)))

    def test_edges_are_avoided_where_possible(self):
        right = self.placed([(100, 50)])[0]
        self.assertGreater(right.left(), 100)
        left = self.placed([(100, 50)], lines=[(100, 50, 200, 50)])[0]
        self.assertLess(left.right(), 100)

    def test_all_with_partners_are_named_farther_away_if_need_be(self):
        rng = np.random.default_rng(0)
        centers = rng.uniform(150, 250, (25, 2))
        areas = list(self.placed(centers, room=(0, 0, 400, 400)).values())
        self.assertEqual(len(areas), 25)
        self.assertFalse([1 for i, a in enumerate(areas) for b in areas[:i] if a.intersects(b)])

    def test_forced_ones_are_written_and_others_left_out(self):
        room = 0, 0, 30, 12  # too small for any
        self.assertEqual(self.placed([(15, 6)], room=room), {})
        self.assertEqual(list(self.placed([(15, 6)], room=room, forced=1)), [0])

    def test_those_without_partners_are_below_or_nowhere(self):
        below = self.placed([(100, 50)], below=np.array([True]))[0]
        self.assertGreater(below.top(), 50)
        self.assertEqual(self.placed([(100, 95)], below=np.array([True])), {})

    def test_order(self):
        self.assertEqual(label_order(np.array([0, 2, 0, 1]), [2]), [2, 1, 3, 0])


class NetworkTest(WidgetTest):
    kind = OWFeatureInteractions

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = xor_table()
        cls.network = partners(cls.data, features=[v.name for v in cls.data.domain.attributes])


class TestPairs(NetworkTest):
    def setUp(self):
        super().setUp()
        self.list = alone(self.widget.area.list, "pair_chosen")
        self.list.show_network(self.network)
        self.model = self.list.model

    def shown(self, column):
        return [self.model.data(self.model.index(row, column)) for row in range(self.model.rowCount())]

    def test_edges_come_first_and_a_line_follows(self):
        self.assertEqual(self.model.rowCount(), 15)
        self.assertEqual((self.shown(0)[0], self.shown(1)[0]), ("x1", "x3"))
        lines = [self.model.data(self.model.index(row, 0), Qt.UserRole + 1) for row in range(15)]
        self.assertEqual(lines, [True] + [False] * 14)
        self.assertIsNone(self.model.data(self.model.index(0, 0), Qt.ForegroundRole))
        self.assertIsNotNone(self.model.data(self.model.index(1, 0), Qt.ForegroundRole))

    def test_sorting(self):
        z = self.model.numbers[self.model.rows, 0]
        self.assertTrue((np.diff(z) <= 0).all())
        self.model.sort(2, Qt.AscendingOrder)
        self.assertTrue((np.diff(self.model.numbers[self.model.rows, 0]) >= 0).all())
        self.assertFalse(self.model.data(self.model.index(13, 0), Qt.UserRole + 1))
        self.model.sort(0, Qt.AscendingOrder)
        self.assertEqual(self.shown(0), sorted(self.shown(0)))

    def test_filter(self):
        self.list.filter.setText("x3")
        self.assertEqual(self.model.rowCount(), 5)
        self.list.filter.setText("x3, x9")
        self.assertEqual(self.list.filter.accessibleDescription(), "1 name not found")
        self.list.filter.clear()
        self.assertEqual(self.model.rowCount(), 15)

    def test_the_chosen_row_stays_chosen(self):
        heard = []
        self.list.pair_chosen.connect(lambda *pair: heard.append(pair))
        self.list.choose(1, 3)
        self.assertEqual(heard, [])
        rows = self.list.table.selectionModel().selectedRows()
        self.assertEqual([self.model.pair(index.row()) for index in rows], [(1, 3)])
        self.model.sort(0, Qt.DescendingOrder)
        rows = self.list.table.selectionModel().selectedRows()
        self.assertEqual([self.model.pair(index.row()) for index in rows], [(1, 3)])
        self.list.table.setCurrentIndex(self.model.index(2, 0))
        self.assertEqual(heard, [self.model.pair(2)])

    def test_copy_and_save(self):
        self.list.table.copy()
        lines = QGuiApplication.clipboard().text().split("\n")
        self.assertEqual(len(lines), 16)
        self.assertEqual(lines[0].split("\t")[:3], ["Feature 1", "Feature 2", "z"])
        self.assertEqual(float(lines[1].split("\t")[2]), self.network.z[1, 3])
        self.list.table.selectRow(0)
        self.list.table.copy()
        self.assertEqual(len(QGuiApplication.clipboard().text().split("\n")), 2)
        told = []
        self.list.table.failed.connect(told.append)
        with patch("AnyQt.QtWidgets.QFileDialog.getSaveFileName", return_value=("/nowhere/at/all.csv", "")):
            self.list.table.actions()[1].trigger()
        self.assertIn("was not saved", told[0])

    def test_narrow_lists_keep_names_and_z(self):
        self.list.setParent(None)
        self.addCleanup(self.list.deleteLater)
        self.list.resize(220, 200)
        self.list.show()
        self.assertEqual([self.list.table.isColumnHidden(c) for c in range(6)], [False] * 3 + [True] * 3)
        self.list.resize(700, 200)
        self.assertFalse(any(map(self.list.table.isColumnHidden, range(6))))
        self.list.hide()


class TestDetail(NetworkTest):
    def setUp(self):
        super().setUp()
        self.detail = alone(self.widget.area.detail, "pair_chosen")
        self.detail.set_network(self.data, self.network)

    def test_pair(self):
        self.assertTrue(self.detail.isHidden())
        self.detail.show_pair(1, 3)
        self.assertFalse(self.detail.isHidden())
        self.assertIs(self.detail.currentWidget(), self.detail.pair)
        self.assertEqual(self.detail.title.text(), "x1 and x3 by class")
        first = self.detail.sentences.text().split("\n")[0].replace("\u00a0", " ")
        low, high = self.network.alone[1], self.network.alone[1] + self.network.gain[1, 3]
        self.assertEqual(
            first, f"x1 matters more among rows alike in x3: {low:.3f} \u2192 {high:.3f}".replace("-", "\u2212")
        )
        self.assertGreater(high, low + 0.1)
        drawing = self.detail.chart.shown.drawing
        np.testing.assert_array_equal(drawing.shares[:, :, 1], [[0, 1], [1, 0]])  # the XOR
        self.assertIn("low 100 %", self.detail.chart.accessibleDescription())
        self.detail.chart.grab()

    def test_node(self):
        self.detail.show_node(1)
        self.assertEqual(self.detail.partners.count(), 1)
        self.assertIn("alike in x3", self.detail.partners.item(0).text())
        heard = []
        self.detail.pair_chosen.connect(lambda *pair: heard.append(pair))
        self.detail.partners.itemActivated.emit(self.detail.partners.item(0))
        self.assertEqual(heard, [(1, 3)])
        self.detail.show_node(0)
        self.assertIn("No partner is above the level", self.detail.heading.text())
        self.assertEqual(self.detail.partners.count(), 5)

    def test_less(self):
        a, b = np.argwhere(self.network.gain == self.network.gain.min())[0]
        self.detail.show_pair(a, b)
        self.assertIn("matters less", self.detail.sentences.text())

    def test_target_of_several(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 3))
        labels = [DiscreteVariable(name, ("0", "1")) for name in ("one", "two")]
        Y = np.c_[rng.integers(0, 2, 200), X[:, 0] * X[:, 1] > 0].astype(float)
        data = Table.from_numpy(Domain([ContinuousVariable(n) for n in "abc"], labels), X, Y)
        self.detail.set_network(data, partners(data, features="abc"))
        self.detail.show_pair(0, 1)
        self.assertEqual((self.detail.targets.currentText(), self.detail.title.text()), ("two", "a and b by two"))
        self.assertEqual(self.detail.chart.shown.drawing.parts, ("without two", "with two"))
        self.detail.targets.activated.emit(0)
        self.assertEqual(self.detail.title.text(), "a and b by one")


class TestValues(WidgetTest):
    kind = OWFeatureInteractions

    def test_grid_of_classes_and_of_a_number(self):
        data = xor_table(80)
        shown = ValuesOfTable(data).of_pair("x0", "x1")
        self.assertIsInstance(shown.drawing, Grid)
        X = data.X
        for i in range(2):
            for j in range(2):
                rows = (X[:, 0] == i) & (X[:, 1] == j)
                self.assertEqual(shown.drawing.sizes[i, j], rows.sum())
                self.assertAlmostEqual(shown.drawing.shares[i, j, 1], data.Y[rows].mean())
        number = Table.from_numpy(Domain(data.domain.attributes, ContinuousVariable("y")), X, X[:, 0] + 2 * X[:, 1])
        grid = ValuesOfTable(number).of_pair("x0", "x1").drawing
        np.testing.assert_allclose(grid.means, [[0, 2], [1, 3]])
        self.assertIn("mean 3", grid.described())
        self.assertIn("mean 3", self.about(number, 1, 1))

    def about(self, data, i, j):
        chart = self.widget.area.detail.chart
        chart.show_values(ValuesOfTable(data).of_pair("x0", "x1"))
        chart.resize(400, 300)
        chart.grab()
        place = chart.chart.vb.mapViewToScene(QPointF(i, j))
        self.assertIsNone(chart.element_at(QPointF(-9, -9)))
        return chart.about(chart.element_at(place))

    def test_points_and_jitter(self):
        iris = Table("iris")
        shown = ValuesOfTable(iris).of_pair("sepal length", "petal length")
        self.assertIsInstance(shown.drawing, ScatterPoints)
        self.assertEqual(shown.drawing.parts, iris.domain.class_var.values)
        heart = Table("heart_disease")
        drawing = ValuesOfTable(heart).of_pair("gender", "age").drawing  # a category and a number
        self.assertEqual(drawing.sides[0].names, ("female", "male"))
        self.assertLess(np.abs(drawing.x - np.round(drawing.x)).max(), 0.5)
        self.assertGreater(len(np.unique(drawing.x)), 100)
        housing = Table("housing")
        values = ValuesOfTable(housing).of_pair("RM", "LSTAT").drawing
        np.testing.assert_array_equal(values.x, housing.get_column("RM"))
        np.testing.assert_array_equal(values.values, housing.Y)
        for data, pair in (
            (iris, ("sepal length", "petal length")),
            (heart, ("gender", "age")),
            (housing, ("RM", "CHAS")),
        ):
            chart = self.widget.area.detail.chart
            chart.show_values(ValuesOfTable(data).of_pair(*pair))
            chart.grab()
            self.assertTrue(chart.accessibleDescription())

    def test_unknown_values_and_samples(self):
        data = xor_table(60)
        with data.unlocked():
            data.X[::2, 0] = np.nan
        shown = ValuesOfTable(data).of_pair("x0", "x1")
        self.assertEqual(shown.drawing.sizes.sum(), 30)
        self.assertEqual(shown.caption, "30 rows; 30 with a missing value")
        self.assertIn("20 of 60 rows, sampled", ValuesOfTable(data, 20).of_pair("x1", "x2").caption)
        with data.unlocked():
            data.X[:, 0] = np.nan
        shown = ValuesOfTable(data).of_pair("x0", "x1")
        self.assertIsNone(shown.drawing)
        chart = self.widget.area.detail.chart
        chart.show_values(shown)
        chart.grab()

    def test_rare_values_become_one(self):
        codes, names = frequent(np.repeat(np.arange(12), np.arange(12, 0, -1)), [f"v{i}" for i in range(12)], 4)
        self.assertEqual(names, ("v0", "v1", "v2", "9 more"))
        self.assertEqual(np.bincount(codes).tolist(), [12, 11, 10, 45])


class TestNetworkView(WidgetTest):
    kind = OWFeatureInteractions

    def setUp(self):
        super().setUp()
        self.view = alone(self.widget.area.network, "node_chosen", "pair_chosen", "nothing_chosen", "node_moved")
        self.view.resize(400, 300)
        self.view.show()
        places = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
        pairs, z = np.array([[0, 1], [1, 3]]), np.array([9.0, 5])
        q = np.array([0.01, 0.05, 0.5, np.nan])
        self.model = NetworkModel(("a", "b", "c", "d"), np.array([4.0, 3, np.nan, -1]), q, places, pairs, z, "scores")
        self.view.show_network(self.model)
        self.heard = []
        self.view.node_chosen.connect(lambda *nodes: self.heard.append(nodes))
        self.view.pair_chosen.connect(lambda *nodes: self.heard.append(nodes))
        self.view.nothing_chosen.connect(lambda: self.heard.append(()))
        self.view.grab()

    def tearDown(self):
        self.view.hide()
        super().tearDown()

    def pixels(self, place):
        scene = self.view.canvas.mapToScene(self.view.camera.to_pixels(np.array(place, float)))
        return self.view.mapFromScene(scene)

    def test_sizes_widths_and_colours(self):
        radii = self.model.radii
        self.assertTrue(radii[0] > radii[1] > radii[3] > radii[2])
        self.assertGreater(self.model.widths[0], self.model.widths[1])
        self.assertEqual([self.view.color_of(node)[1] for node in range(4)], [True, True, False, True])
        self.assertIn("filled: q \u2264 10 %", self.view.key())
        self.assertIn("q = 0.01", self.view.about(0))
        self.assertEqual(self.view.about(4), "a and b: z = 9.0")

    def test_click_on_a_feature_an_edge_and_nothing(self):
        for place, expected in (((1, 0), (1,)), ((0.5, 0), (0, 1)), ((0.5, 0.5), ())):
            QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=self.pixels(place))
            self.assertEqual((self.heard[-1], self.view.chosen), (expected, expected))
        self.view.grab()

    def test_drag_moves_a_feature_or_the_picture(self):
        moved = []
        self.view.node_moved.connect(moved.append)
        start, end = self.pixels((0, 0)), self.pixels((0, 0)) + QPoint(-30, 20)
        QTest.mousePress(self.view.viewport(), Qt.LeftButton, pos=start)
        QTest.mouseMove(self.view.viewport(), end)
        QTest.mouseRelease(self.view.viewport(), Qt.LeftButton, pos=end)
        self.assertEqual((moved, self.heard), ([0], []))
        self.assertLess(self.view.places[0, 0], 0)
        np.testing.assert_array_equal(self.view.places[1:], self.model.places[1:])
        before = self.view.camera.offset
        start = self.pixels((0.5, 0.6))
        QTest.mousePress(self.view.viewport(), Qt.LeftButton, pos=start)
        QTest.mouseMove(self.view.viewport(), start + QPoint(25, 0))
        QTest.mouseRelease(self.view.viewport(), Qt.LeftButton, pos=start + QPoint(25, 0))
        self.assertAlmostEqual(self.view.camera.offset.x() - before.x(), 25)
        QTest.keyClick(self.view, Qt.Key_0)
        self.assertFalse(self.view.camera.is_moved)

    def test_keys(self):
        def keys(*all_of_them):
            for key in all_of_them:
                QTest.keyClick(self.view, *key)

        keys((Qt.Key_Right,), (Qt.Key_Right,))
        self.assertEqual(self.view.current, 1)
        keys((Qt.Key_Down,), (Qt.Key_Space,))
        self.assertEqual(self.heard, [(3,)])
        keys((Qt.Key_Escape,))
        self.assertEqual(self.heard[-1], ())
        scale = self.view.camera.scale
        keys((Qt.Key_Plus,))
        self.assertGreater(self.view.camera.scale, scale)
        keys((Qt.Key_Minus,), (Qt.Key_Minus,))
        self.assertLess(self.view.camera.scale, scale)
        keys((Qt.Key_Left, Qt.ShiftModifier))
        self.assertLess(self.view.places[3, 0], 1)
        offset = self.view.camera.offset
        keys((Qt.Key_Left, Qt.ControlModifier))
        self.assertGreater(self.view.camera.offset.x(), offset.x())

    def test_zoom_keeps_what_is_under_the_mouse(self):
        camera, at = self.view.camera, QPointF(120, 70)
        place = camera.to_point(at)
        camera.zoom(1.7, at)
        np.testing.assert_allclose(camera.to_point(at), place)

    def test_features_without_partners_can_be_hidden(self):
        self.assertEqual(self.view.shown_nodes.tolist(), [0, 1, 2, 3])
        self.view.show_alone(False)
        self.assertEqual(self.view.shown_nodes.tolist(), [0, 1, 3])
        nothing = NetworkModel(("a", "b"), np.zeros(2), None, np.array([[0.0, 0], [1, 0]]))
        self.view.show_network(nothing)
        self.assertEqual(self.view.shown_nodes.tolist(), [0, 1])
        self.view.grab()

    def test_all_in_the_grid_are_named(self):
        names = tuple(f"snp {number}" for number in range(100, 140))
        self.view.resize(330, 520)
        self.view.show_network(NetworkModel(names, np.r_[1, np.zeros(39)], None, layout(names, (), ())))
        self.view.grab()
        self.assertEqual(sorted(self.view._labels), list(range(40)))
        whole = 0.75 * self.view.metrics.horizontalAdvance(names[0])  # in smaller letters
        self.assertGreaterEqual(min(area.width() for area in self.view._labels.values()), whole - 2)

    def test_told_in_words(self):
        self.view.set_current(1)
        self.assertEqual(self.view.accessibleDescription(), "b, number 2, scores 3, q = 0.05, 2 partners")
        self.view.show_network(NetworkModel())
        self.assertEqual(self.view.n_elements, 0)
        QTest.keyClick(self.view, Qt.Key_Right)
        self.view.grab()


if __name__ == "__main__":
    unittest.main()
