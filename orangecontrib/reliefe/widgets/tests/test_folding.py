"""Alike features folded under the best of them: the table, the selection and what is sent."""

import contextlib
import io
import unittest

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtTest import QTest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import NAME
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

COPIES = {"a": ("a1", "a2", "a3"), "b": ("b1",), "c": (), "d": ()}


def repeating(seed=0, n=120):
    """Features a to d, of which a and b have noisy copies, beside constants."""
    rng, names, columns = np.random.default_rng(seed), [], []
    for name, copies in COPIES.items():
        x = rng.normal(size=n)
        for place, each in enumerate((name, *copies)):
            names.append(each)
            columns.append(x + place * 0.05 * rng.normal(size=n))
    y = (columns[0] + columns[4] * 0.7 + rng.normal(size=n) * 0.3 > 0).astype(float)
    domain = Domain([ContinuousVariable(name) for name in names], DiscreteVariable("y", ("no", "yes")))
    return Table.from_numpy(domain, np.column_stack(columns), y)


class TestModel(unittest.TestCase):
    def setUp(self):
        self.model = RankingModel()
        self.model.set_features(["x", "u", "y", "v", "z"])
        self.model.set_columns([MethodScores("s", np.array([5.0, 4, 3, 2, 1]))])

    def shown(self):
        return [self.model.data(self.model.index(row, NAME)) for row in range(self.model.rowCount())]

    def test_groups_are_sorted_and_filtered_as_one(self):
        model = self.model
        model.fold(("x", "", "x", "u", "x"))
        self.assertEqual(self.shown(), ["x", "u"])
        self.assertEqual([model.marker(f) for f in range(5)], ["+2", "+1", "", "", ""])
        self.assertEqual(model.open_group(2, True), 0)
        self.assertIsNone(model.open_group(0, True))
        self.assertEqual(self.shown(), ["x", "\u2003y", "\u2003z", "u"])
        self.assertEqual(model.marker(0), "−2")
        model.sort(NAME, Qt.DescendingOrder)
        self.assertEqual(self.shown(), ["x", "\u2003z", "\u2003y", "u"])
        model.set_filter("v")  # found under the best of its group
        self.assertEqual(self.shown(), ["u", "\u2003v"])
        model.set_filter("y")
        model.open_group(0, False)
        self.assertEqual(self.shown(), ["x", "\u2003y"])
        model.set_filter("")
        self.assertEqual(self.shown(), ["x", "u"])
        model.hide(np.array([True, False, False, True, True]))
        model.open_group(0, True)
        self.assertEqual(self.shown(), ["x", "\u2003y", "u"])
        model.fold(())
        self.assertEqual(self.shown(), ["y", "u"])


class TestFolding(base.RankerTest):
    def setUp(self):
        super().setUp()
        self.data = repeating()
        self.ready(self.data)
        self.box, self.model = self.widget.selection.fold_box, self.widget.area.model
        self.lead = self.leading
        self.widget.show()

    def shown(self):
        return [self.model.names[f] for f in self.model.rows]

    def sent(self):
        self.settle()
        return [variable.name for variable in self.out("reduced").domain.attributes]

    def first(self):
        """Names of the best features of the groups, the best first."""
        groups = self.widget.result.rankings[self.widget.lead_job()].groups()
        names = [self.model.names[f] for f in self.lead.order]
        return [name for name in names if groups[self.model.names.index(name)] in ("", name)]

    def test_the_table_and_what_is_sent(self):
        first = self.first()
        self.assertEqual({name[0] for name in first}, {*COPIES})
        self.assertEqual(len(first), 4)
        self.box.click()
        self.assertTrue(self.widget.selection.fold_alike)
        self.assertEqual(self.shown(), first)
        label = self.widget.selection.group_label
        self.assertEqual((label.isHidden(), label.text()), (False, "2 groups: 6 features"))  # above zero
        positive = [name for name in first if self.lead.values[self.model.names.index(name)] > 0]
        self.assertEqual(sorted(self.sent()), sorted(positive))
        self.select_best(2)
        self.assertEqual(sorted(self.sent()), sorted(first[:2]))
        self.assertEqual(self.widget.area.plot._cut, ("best", int(self.lead.ranks[self.model.selected].max())))
        self.assertEqual(label.text(), "2 groups: 6 features")
        scores = self.out("scores")
        columns = (scores.get_column(name) for name in ("Feature", "Group", "Group size"))
        found = {name: (group, size) for name, group, size in zip(*columns, strict=True)}
        self.assertEqual((found["a2"], found["d"]), ((next(f for f in first if f[0] == "a"), 4), ("", 1)))
        self.widget.send_report()
        self.assertIn("2 of 8 features (2 groups: 6 features)", self.widget.report_html)
        self.widget.area.plot.cut_moved.emit(5)
        among = {self.model.names[f] for f in self.lead.order[:5]}
        self.assertEqual(self.widget.selection.n_best, len({*first} & among))
        self.choose("All")
        self.assertEqual(sorted(self.sent()), sorted(first))
        self.box.click()
        self.assertEqual(len(self.sent()), 8)
        self.assertTrue(label.isHidden())

    def test_it_is_remembered_and_waits_for_the_ranking(self):
        widget = self.ready(self.data, self.make(fold_alike=True))
        self.assertTrue(widget.selection.fold_box.isChecked())
        self.assertEqual(len(widget.area.model.rows), 4)
        self.ready(self.heart, widget)  # nothing is alike
        self.assertEqual(len(widget.area.model.rows), 13)
        self.assertTrue(widget.selection.group_label.isHidden())
        self.ready(None, widget)
        self.assertFalse(self.make(fold_alike="yes").selection.fold_alike)

    def test_mouse_and_keys_unfold(self):
        self.box.click()
        table, first = self.widget.area.table, self.shown()
        row = next(row for row, name in enumerate(first) if name[0] == "a")
        selected = self.model.selected.copy()
        cell = table.visualRect(self.model.index(row, NAME))
        QTest.mouseClick(table.viewport(), Qt.LeftButton, pos=QPoint(cell.right() - 6, cell.center().y()))
        self.assertEqual(len(self.shown()), 7)
        np.testing.assert_array_equal(self.model.selected, selected)  # the marker only unfolds
        self.assertEqual(table.currentIndex().row(), row)
        for _ in range(2):
            QTest.keyClick(table, Qt.Key_Down)
        self.assertEqual(self.shown()[table.currentIndex().row()][0], "a")
        QTest.keyClick(table, Qt.Key_Left)
        self.assertEqual((self.shown(), table.currentIndex().row()), (first, row))
        QTest.keyClick(table, Qt.Key_Right)
        self.assertEqual(len(self.shown()), 7)
        self.assertFalse(table.grab().isNull())
        self.widget.area.filter.setText("b1")
        self.assertEqual({name[0] for name in self.shown()}, {"b"})
        self.assertIn("b1", self.shown())
        self.widget.area.filter.clear()
        QTest.keyClick(table, Qt.Key_Left)
        self.widget.area.plot.clicked.emit(self.model.names.index("a3"))  # in a chart
        self.assertIn("a3", self.shown())
        self.assertEqual(self.sent(), ["a3"])
        self.assertIn(f"a3, selected, like {first[row]}", table.accessibleDescription())

    def test_script_and_preprocessor_give_the_same_list(self):
        self.box.click()
        selection = self.widget.selection
        tests, job = self.widget.tests, self.widget.lead_job()
        choices = {
            "best": lambda: selection.set_n(2), "share": lambda: selection.set_share(70.0),
            "from": lambda: selection.set_threshold(0.01), "fdr": lambda: selection.choose("fdr"),
            "all": lambda: selection.choose("all"),
        }  # fmt: skip
        for mode, choose in choices.items():
            with self.subTest(mode):
                choose()
                if mode == "fdr":  # the last shuffles are a partial result first, which is not sent
                    self.process_events(lambda: not tests.busy and tests.complete(job), timeout=LIMIT)
                sent = self.sent()
                kept = self.out("preprocessor")(self.data).domain.attributes
                self.assertEqual(sorted(variable.name for variable in kept), sorted(sent))
                script = self.widget.area.menu.script().replace(f"Table({self.data.name!r})", "data")
                with contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(script, {"data": self.data})
                self.assertEqual(sorted(printed.getvalue().split()), sorted(sent))


if __name__ == "__main__":
    unittest.main()
