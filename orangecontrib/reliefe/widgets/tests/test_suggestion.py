"""The line that suggests presence for counts: when it is there, what a click changes, and what takes it back."""

import unittest

import numpy as np
import scipy.sparse as sp
from AnyQt.QtWidgets import QLabel
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.orange.problem import problem
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker.countsline import SuggestionLine
from orangecontrib.reliefe.widgets.tests import base

COUNTS = {"diff": "presence"}


def words(n=40, p=12, seed=0):
    """Counts, most of them 0, with a class."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, p)) < 0.2, rng.integers(1, 50, (n, p)), 0).astype(float)
    domain = Domain([ContinuousVariable(f"w{i}") for i in range(p)], DiscreteVariable("class", ("no", "yes")))
    return Table.from_numpy(domain, X, (X[:, 0] > 0).astype(float))


def changed(data, X):
    return Table.from_numpy(data.domain, X, data.Y)


class TestRule(GuiTest):
    def setUp(self):
        self.line = SuggestionLine()

    def counts(self, data):
        self.line.set_problem(problem(data))
        return self.line.counts

    def test_counts_only(self):
        data = words()
        self.assertIsNotNone(self.counts(data))
        self.assertIsNotNone(self.counts(changed(data, sp.csr_matrix(data.X))))
        self.assertIsNone(self.counts(changed(data, data.X - 1)))  # below 0
        self.assertIsNone(self.counts(changed(data, np.maximum(data.X, 1))))  # no zeros
        self.assertIsNone(self.counts(Table("heart_disease")))
        self.assertIsNone(self.counts(data.transform(Domain((), data.domain.class_vars))))
        self.line.set_problem(None)
        self.assertIsNone(self.line.counts)

    def test_zeros_and_ones_need_no_presence(self):
        data = words()
        self.assertIsNone(self.counts(changed(data, (data.X > 0).astype(float))))
        many = words(p=1001)
        self.assertTrue(self.counts(changed(many, sp.csr_matrix(many.X > 0, dtype=float))).wide)

    def test_a_value_below_zero_far_behind(self):
        """The first rows are looked at before the others, and do not decide."""
        data = words(n=1200, p=1000)
        self.assertIsNotNone(self.counts(data))
        X = data.X.copy()
        X[-1, -1] = -1
        self.assertIsNone(self.counts(changed(data, X)))


class TestLine(base.RankerTest):
    def line(self, widget=None):
        return (widget or self.widget).panel.suggestion

    def click(self, link, widget=None):
        line = self.line(widget)
        self.assertIn(f'href="{link}"', line.text())
        line.linkActivated.emit(link)
        self.settle(widget)

    def test_nothing_changes_by_itself_and_a_click_takes_back(self):
        data = words()
        widget = self.ready(data)
        self.assertFalse(self.line().isHidden())
        self.assertEqual(widget.panel.parameters, {})
        before = widget.area.lead.values.copy()
        self.click("apply")
        self.assertEqual(widget.panel.parameters["multisurf"], COUNTS)
        self.assertIn("presence", widget.area.strip.label.toolTip())
        self.assertFalse(np.array_equal(widget.area.lead.values, before))
        self.click("back")
        self.assertEqual(widget.panel.parameters, {})
        np.testing.assert_array_equal(widget.area.lead.values, before)
        self.assertIn('href="apply"', self.line().text())

    def test_many_features_and_values_that_the_user_had(self):
        widget = self.make(methods=["relieff"], parameters={"relieff": {"diff": "rank", "n_neighbors": 3}})
        widget = self.ready(words(p=1001), widget)
        self.assertIn("cosine", self.line(widget).text())
        self.click("apply", widget)
        mine = {"n_neighbors": 3, "diff": "presence", "distance": "cosine"}
        self.assertEqual(widget.panel.parameters["relieff"], mine)
        self.click("back", widget)
        self.assertEqual(widget.panel.parameters["relieff"], {"diff": "rank", "n_neighbors": 3})

    def test_a_workflow_that_was_saved_with_it(self):
        widget = self.make(methods=["relieff"], parameters={"relieff": COUNTS})
        self.ready(words(), widget)
        self.click("back", widget)
        self.assertEqual(widget.panel.parameters, {})

    def test_the_form_and_the_line_agree(self):
        widget = self.make(methods=["relieff"], current="relieff")
        self.ready(words(), widget)
        widget.panel.form.change(COUNTS)
        self.settle(widget)
        self.assertIn('href="back"', self.line(widget).text())

    def test_only_where_it_is_of_use(self):
        self.ready(self.heart)
        self.assertTrue(self.line().isHidden())
        self.ready(words())
        self.assertFalse(self.line().isHidden())
        self.ready(None)
        self.assertTrue(self.line().isHidden())

    def test_other_rankers(self):
        for kind, method in ((OWURelief, "urelief"), (OWSSLRelief, "sslrelief")):
            parameters = {"sslrelief": {"n_neighbors": 15, "w0": 0.0, "w1": 1.0}} if kind is OWSSLRelief else {}
            widget = self.create_widget(kind, stored_settings={"parameters": parameters})
            self.ready(words(), widget)
            self.assertFalse(self.line(widget).isHidden())
            self.click("apply", widget)
            self.assertEqual(widget.panel.parameters[method]["diff"], "presence")

    def test_labels_stay_within_the_panel(self):
        """However wide the text is: it wraps."""
        widget = self.ready(words(p=1001))
        label = QLabel(self.line().text())
        self.assertLess(self.line().minimumSizeHint().width(), label.sizeHint().width())
        self.assertIsInstance(widget, OWReliefE)


if __name__ == "__main__":
    unittest.main()
