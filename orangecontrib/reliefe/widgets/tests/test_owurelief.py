"""URelief: data without a target; targets that there are go on, and take no part."""

import unittest

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import Domain, Table

from orangecontrib.reliefe import core
from orangecontrib.reliefe.core import METHODS
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base

METHOD = "urelief"


def without_target(data):
    return data.transform(Domain(data.domain.attributes, (), data.domain.metas))


def expected(data, **parameters):
    nominal = np.array([v.is_discrete for v in data.domain.attributes])
    return core.rank(np.array(data.X), None, METHOD, nominal=nominal, **parameters).scores


class TestURelief(base.RankerTest):
    kind, usual = OWURelief, {}

    def test_data_without_a_target(self):
        data = without_target(self.heart)
        self.ready(data)
        scores = self.out("scores")
        self.assertEqual([v.name for v in scores.domain.attributes], [METHODS[METHOD].title])
        np.testing.assert_array_equal(scores.X[:, 0], expected(data))
        self.assertFalse(self.widget.Information.unused_target.is_shown())

    def test_targets_take_no_part_and_go_on(self):
        for data in (self.heart, self.housing):
            self.ready(base.with_metas(data))
            np.testing.assert_array_equal(self.out("scores").X[:, 0], expected(data))
            self.assertTrue(self.widget.Information.unused_target.is_shown())
            reduced = self.out("reduced")
            self.assertEqual(reduced.domain.class_vars, data.domain.class_vars)
            self.assertEqual(len(reduced.domain.metas), 3)
            np.testing.assert_array_equal(reduced.Y, data.Y)
        self.ready(None)
        self.assertFalse(self.widget.Information.active)
        self.assertIsNone(self.out("scores"))

    def test_rows_of_one_class_or_without_one_are_rows(self):
        data = self.heart[self.heart.Y == 0]
        with data.unlocked():
            data.Y[:20] = np.nan
        self.ready(data)
        self.assertFalse(self.widget.Error.active)
        np.testing.assert_array_equal(self.out("scores").X[:, 0], expected(data))

    def test_features_on_the_input(self):
        self.choose("All")
        self.ready(self.heart, features=self.heart.domain.attributes[2:5])
        self.assertEqual([v.name for v in self.out("features")], [v.name for v in self.heart.domain.attributes[2:5]])

    def test_methods_without_a_target(self):
        """Whatever the core has; one of them is ticked."""
        alone = [method.name for method in core.methods() if method.tasks == ("unsupervised",)]
        offered = [*alone, "turf", "vlsrelief", "ivlsrelief"]
        self.assertEqual(list(self.widget.panel.methods), offered)
        self.assertIn("laplacian", offered)
        self.assertFalse(self.widget.panel.list.isHidden())
        self.assertEqual(self.widget.panel.ticked, [METHOD])
        widget = self.ready(self.heart, self.make(methods=[]))
        self.assertEqual(widget.panel.active(), [METHOD])

    def test_filters_beside_it(self):
        settings = {"methods": [METHOD, "laplacian"], "parameters": {"laplacian": {"n_neighbors": 3}}}
        self.widget = self.make(**settings)
        self.ready(self.heart)
        scores = self.out("scores")
        self.assertEqual([v.name for v in scores.domain.attributes], ["URelief", "Laplacian Score"])
        nominal = np.array([v.is_discrete for v in self.heart.domain.attributes])
        found = core.rank(np.array(self.heart.X), None, "laplacian", nominal=nominal, n_neighbors=3)
        np.testing.assert_array_equal(scores.X[:, 1], found.scores)
        self.widget.panel.list.highlight("laplacian")
        editor = self.widget.panel.form.editors["bandwidth"]
        self.assertEqual(editor.value(), "median")
        editor.lineEdit().setText("2.5")
        editor.lineEdit().editingFinished.emit()
        self.assertEqual(self.widget.panel.job("laplacian").values["bandwidth"], 2.5)
        editor.lineEdit().setText("equal weights")
        editor.lineEdit().editingFinished.emit()
        self.assertIsNone(self.widget.panel.job("laplacian").values["bandwidth"])

    def test_parameters(self):
        self.ready(self.heart)
        self.widget.panel.form.editors["n_neighbors"].set_value(7)
        self.settle()
        np.testing.assert_array_equal(self.out("scores").X[:, 0], expected(self.heart, n_neighbors=7))
        self.assertEqual(self.widget.panel.parameters, {METHOD: {"n_neighbors": 7}})

    def test_no_null_level_where_there_is_nothing_to_shuffle(self):
        self.ready(self.heart)
        self.widget.show()
        self.process_events()
        self.assertFalse(self.widget.nulls.busy)
        self.assertTrue(self.control("Null level").isHidden())
        self.widget.hide()

    def test_no_features(self):
        self.ready(self.heart.transform(Domain((), self.heart.domain.class_var)))
        self.assertTrue(self.widget.Error.no_features.is_shown())
        self.assertIsNone(self.out("scores"))

    def test_tools_are_sent(self):
        self.assertEqual(self.out("scorer").name, METHODS[METHOD].title)
        self.assertIsNotNone(self.out("preprocessor"))

    def test_report_and_keys(self):
        self.ready(Table("iris"))
        self.widget.send_report()
        self.assertIn(METHODS[METHOD].title, self.widget.report_html)
        self.assertEqual(self.widget.area.table.focusPolicy() & Qt.TabFocus, Qt.TabFocus)


if __name__ == "__main__":
    unittest.main()
