"""Stability of the best features: what it is, when it is computed, where it is seen."""

import unittest
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from Orange.data import Domain, Table
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import TopChances, distinct_rows
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker import followup as afterwards
from orangecontrib.reliefe.widgets.ranker import stability
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.ranker.stability import SAMPLES, find_chances, strata
from orangecontrib.reliefe.widgets.ranker.view import RankingView
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_running import State
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

RELIEFF = Job.of("relieff", {"n_neighbors": 5})


def chances_of(data, method, alike):
    samples = [data[distinct_rows(len(data), number, alike)] for number in range(SAMPLES)]
    return TopChances.of([rank(sample, method).scores for sample in samples])


class TestFind(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = base.random_table(60, 6)

    def test_the_best_feature_stays_and_parts_come_first(self):
        state = State()
        found = find_chances(self.data, RELIEFF, state)
        self.assertEqual(found(1)[0], 1)
        self.assertAlmostEqual(found(3).sum(), 3)
        self.assertEqual([len(part) for part in state.partial], [*range(stability.MIN_SAMPLES, SAMPLES)])
        self.assertEqual(state.shares, sorted(state.shares))
        self.assertLess(state.shares[-1], 100)
        np.testing.assert_array_equal(find_chances(self.data, RELIEFF, State())(2), found(2))

    def test_it_can_be_stopped(self):
        with self.assertRaises(Interrupted):
            find_chances(self.data, RELIEFF, State(stop_at=3))

    def test_no_class_is_lost(self):
        data = self.data.copy()
        with data.unlocked():
            data.Y[:] = 0
            data.Y[7] = 1
        self.assertEqual(len(find_chances(data, RELIEFF, State())), SAMPLES)

    def test_samples_with_too_few_rows_are_left_out(self):
        pair = Table("housing")[:2]
        self.assertIn(len(find_chances(pair, Job.of("rrelieff", {}), State())), range(1, SAMPLES))
        with self.assertRaisesRegex(ValueError, "at least two"):
            find_chances(pair[:1], Job.of("rrelieff", {}), State())

    @pytest.mark.slow
    def test_every_method_and_task(self):
        quick = {
            "reliefe": {"embedding": "pca"},
            "pct": {"n_trees": 5},
            "sslrelief": {"n_neighbors": 5, "w0": 0, "w1": 1},
        }
        tables = {"classification": self.data, "regression": Table("housing")[::8]}
        for method in (method for method in core.methods() if method.tasks != ("survival",)):
            for task in {*tables} & {*method.tasks} or {"unsupervised"}:
                data = tables.get(task, tables["regression"])
                given = method.defaults(task) | quick.get(method.name, {})
                values = {p.name: given.get(p.name, p.default) for p in method.parameters}
                with self.subTest(f"{method.name}, {task}"), patch.object(stability, "SAMPLES", 2):
                    found = find_chances(data, Job.of(method.name, values), State())
                    self.assertEqual(len(found), 2)
                    self.assertAlmostEqual(found(2).sum(), 2)

    def test_strata(self):
        zoo, housing = Table("zoo"), Table("housing")
        np.testing.assert_array_equal(strata(zoo), zoo.Y)
        self.assertFalse(strata(housing).any())
        self.assertIsNone(strata(zoo.transform(Domain(zoo.domain.attributes))))
        two = Domain(housing.domain.attributes[:5], housing.domain.attributes[5:7])
        Y = np.array([[np.nan, np.nan], [1, np.nan]])
        table = Table.from_numpy(two, np.zeros((2, 5)), Y)
        np.testing.assert_array_equal(strata(table), [True, False])
        self.assertIsNone(strata(SimpleNamespace(domain=two, Y=sp.csr_matrix(np.eye(2)))))


class TestShown(GuiTest):
    def test_model_and_cells(self):
        model = RankingModel()
        model.set_features(["a", "b", "c"], np.zeros(3), np.zeros(3))
        chances = TopChances.of([[3.0, 2, 1], [3, 1, 2], [3, 2, 1], [2, 1, 3]])
        each = (("label", np.zeros(3)),)
        model.set_columns([MethodScores("s", np.array([3.0, 2, 1]), "S", each=each, chances=chances)])
        model.set_top(1)
        np.testing.assert_array_equal(model.shares[0], [0.75, 0, 0.25])
        self.assertIsNone(model.shares[1])
        self.assertEqual(model.mean_share(), 0.75)
        model.set_top(2)
        np.testing.assert_array_equal(model.shares[0], [1, 0.5, 0.5])
        self.assertEqual(model.mean_share(), 0.75)
        self.assertIn("best 2 in 50 % of 4 samples", model.data(model.index(1, 1), Qt.ToolTipRole))
        view = RankingView(model)
        for width in (100, 300, 800):
            view.resize(width, 200)
            view.grab()
        model.set_columns([])
        self.assertIsNone(model.mean_share())


class TestInWidget(base.RankerTest):
    def shown(self, data, widget=None):
        widget = widget or self.widget
        widget.show()
        self.ready(data, widget)
        self.wait(widget)
        return widget

    def wait(self, widget=None):
        widget = widget or self.widget
        self.process_events(lambda: not (widget.nulls.busy or widget.stabilities.busy), timeout=LIMIT)

    def click(self, widget=None):
        (widget or self.widget).area.stability_box.click()

    def test_off_at_first_and_that_of_the_core_when_asked_for(self):
        widget = self.shown(self.heart)
        box, model = self.control("Stability", widget), widget.area.model
        self.assertFalse(box.isChecked())
        self.assertIsNone(model.columns[0].chances)
        self.click()
        self.assertTrue(box.isChecked())
        self.wait()
        expected = chances_of(self.heart, "multisurf", self.heart.Y)
        np.testing.assert_array_equal(model.shares[0], expected(10))
        mean = expected(10)[rank(self.heart, "multisurf").ranking[:10]].mean()
        self.assertEqual(box.text(), f"Stability: {100 * mean:.0f} %")
        widget.grab()
        widget.send_report()
        self.assertIn(f"{100 * mean:.0f} % of the best 10", widget.report_html)

    def test_it_follows_the_selection_without_new_work(self):
        widget = self.shown(self.heart, self.make(stability=True))
        with patch.object(widget.stabilities, "find") as again:
            self.select_best(3, widget)
            self.settle(widget)
            again.assert_not_called()
        chances = widget.area.lead.chances
        np.testing.assert_array_equal(widget.area.model.shares[0], chances(3))
        widget.selection.set_threshold(0.05)
        self.settle(widget)
        above = int((widget.area.lead.values >= 0.05).sum())
        np.testing.assert_array_equal(widget.area.model.shares[0], chances(above))

    def test_switched_off_and_on_nothing_is_lost(self):
        widget = self.shown(self.heart, self.make(stability=True))
        before = widget.area.lead.chances
        self.click(widget)
        self.assertIsNone(widget.area.lead.chances)
        self.assertEqual((self.control("Stability", widget).text(), widget.stabilities.ticked), ("Stability", False))
        self.click(widget)
        self.assertIs(widget.area.lead.chances, before)

    def test_closed_widgets_compute_none(self):
        widget = self.make(stability=True)
        self.ready(self.heart, widget)
        self.assertFalse(widget.stabilities.busy)

    def test_data_without_a_target(self):
        widget = self.create_widget(OWURelief, stored_settings={"stability": True})
        self.shown(self.heart, widget)
        self.assertEqual(len(widget.area.lead.chances), SAMPLES)

    def test_long_work_is_given_up_unless_it_was_asked_for(self):
        with patch.object(afterwards, "TRIAL", 0.0), patch.object(afterwards, "QUICK", 0.0):
            widget = self.shown(self.heart, self.make(stability=True, null_level=False))
            box = self.control("Stability", widget)
            self.assertFalse(box.isChecked())
            self.assertIn("about", box.text())
            self.click(widget)
            self.wait(widget)
        self.assertTrue(box.isChecked())
        self.assertEqual(len(widget.area.lead.chances), SAMPLES)

    def test_it_can_be_stopped_and_shows_how_far_it_is(self):
        widget = self.make(null_level=False)
        widget.show()
        self.ready(base.random_table(1500, 60), widget)
        self.click(widget)
        future = widget.stabilities.task.future
        self.process_events(lambda: self.control("Stability", widget).text().startswith("Stability: "), timeout=LIMIT)
        self.assertIn(f" of {SAMPLES}", self.control("Stability", widget).text())
        self.click(widget)
        self.assert_stopped(future)
        self.assertFalse(self.control("Stability", widget).isChecked())

    def test_failure_is_told_and_leaves_the_ranking(self):
        widget = self.shown(self.heart)
        with patch("orangecontrib.reliefe.orange.api.rank", side_effect=ValueError("no way")):
            self.click()
            self.wait()
        self.assertEqual(self.control("Stability", widget).text(), "Stability: failed")
        self.assertIn("no way", self.control("Stability", widget).toolTip())
        self.assertEqual(len(self.out("scores")), 13)

    def test_deleting_ends_it(self):
        widget = self.make(null_level=False)
        widget.show()
        self.ready(base.random_table(1500, 60), widget)
        self.click(widget)
        future = widget.stabilities.task.future
        widget.onDeleteWidget()
        self.assert_stopped(future)


if __name__ == "__main__":
    unittest.main()
