"""Sparsify: the choice of epsilon, messages, stop, settings, looks."""

import time
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtGui import QValidator
from AnyQt.QtWidgets import QApplication
from Orange.data import Domain, Table
from Orange.evaluation import CA
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import tutorials
from orangecontrib.reliefe.core import embedding
from orangecontrib.reliefe.core.embedding import sparsify
from orangecontrib.reliefe.orange import sparsify_job
from orangecontrib.reliefe.orange.sparsification import Numeric
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.tests import base, computing
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

SPARSIFY = "orangecontrib.reliefe.core.embedding.sparsify"


class TestChoice(computing.SparsifyTest):
    def test_short_numbers(self):
        spin = self.widget.choice.spin
        spin.setValue(123456)
        self.assertEqual(spin.text(), "1.235e+05")
        self.assertEqual(spin.validate("2e-3", 0)[0], QValidator.Acceptable)
        self.assertEqual(spin.validate("2e", 0)[0], QValidator.Intermediate)
        spin.setValue(0.001)
        spin.stepBy(1)
        self.assertAlmostEqual(spin.value(), 0.0011)
        self.assertEqual(float(spin.fixup("x")), spin.value())

    def test_automatic_is_the_paper_s(self):
        data = computing.exponential()
        self.ready(data)
        numeric = Numeric.of(data)
        self.assertEqual(self.widget.result.sparsified.epsilon, embedding.sparsify(numeric.values).epsilon)
        self.assertTrue(self.widget.automatic)

    def test_slider_and_spin_are_one(self):
        self.ready(computing.exponential())
        box = self.widget.choice
        box.slider.setValue(250)
        self.assertFalse(self.widget.automatic)
        self.assertEqual(self.widget.epsilon, box.spin.value())
        self.assertEqual(self.widget.headline.large.text(), "")  # as long as nothing was made sparse
        self.settle()
        self.assertEqual(self.widget.result.sparsified.epsilon, self.widget.epsilon)
        box.auto.click()
        self.settle()
        self.assertTrue(self.widget.automatic)
        self.assertEqual(self.widget.result.sparsified.epsilon, self.widget.result.automatic)

    def test_the_data_are_read_once(self):
        self.ready(computing.exponential())
        with patch.object(Numeric, "of") as read:
            self.choose_epsilon(20.0)
            self.choose_epsilon(2.0)
            read.assert_not_called()
        self.widget.units.click()
        self.settle()
        self.assertIsNotNone(self.out("data"))

    def test_error_is_measured(self):
        data = computing.exponential()
        self.ready(data)
        self.choose_epsilon(20.0)
        numeric = Numeric.of(data)
        change = numeric.values - self.widget.result.sparsified.X.toarray()
        self.assertAlmostEqual(self.widget.result.error, np.linalg.norm(change, 2))
        self.assertAlmostEqual(self.widget.result.norm, np.linalg.norm(numeric.values, 2))

    def test_commit_waits_for_the_button(self):
        self.widget.auto_apply = False
        self.ready(computing.exponential())
        first = self.out("data")
        self.assertIsNotNone(first)  # new data go on at once
        self.choose_epsilon(20.0)
        self.assertIs(self.out("data"), first)
        self.widget.commit.now()
        self.assertLess(self.out("data").X.nnz, first.X.nnz)


class TestMessages(computing.SparsifyTest):
    def test_no_data(self):
        self.ready(computing.exponential())
        self.ready(None)
        for name in ("data", "preprocessor"):
            self.assertIsNone(self.out(name))
        self.assertFalse(self.widget.choice.slider.isEnabled())
        self.assertIn("Connect data", self.widget.stack.reason.text())
        self.widget.grab()

    def test_nothing_numeric_and_no_rows(self):
        iris, zoo = Table("iris"), Table("zoo")
        nominal = zoo.transform(Domain([v for v in zoo.domain.attributes if v.is_discrete]))
        for data, error in ((nominal, self.widget.Error.no_numeric), (iris[:0], self.widget.Error.no_rows)):
            self.ready(data)
            self.assertTrue(error.is_shown())
            self.assertIs(self.widget.stack.currentWidget(), self.widget.stack.reason)
            self.assertIn(str(error), self.widget.stack.reason.text())
            self.assertIsNone(self.out("data"))
            self.assertIsNone(self.out("preprocessor"))
        self.send_signal(self.widget.Inputs.data, iris)
        self.assertIn("will appear here", self.widget.stack.reason.text())
        self.settle()
        self.assertIs(self.widget.stack.currentWidget(), self.widget.chart)
        self.assertFalse(self.widget.Error.active)

    def test_only_zeros(self):
        data = Table.from_numpy(None, np.zeros((20, 3)))
        self.ready(data)
        self.assertTrue(self.widget.Warning.nothing.is_shown())
        self.assertEqual(self.out("data").X.nnz, 0)
        self.assertIs(self.out("preprocessor")(data), data)
        self.widget.grab()

    def test_constant_columns_and_unknown_ones(self):
        X = computing.exponential().X.copy()
        X[:, 0], X[:, 1] = 3, np.nan
        self.ready(Table.from_numpy(None, X))
        self.choose_epsilon(20.0)
        self.assertTrue(np.isnan(self.out("data").X.toarray()[:, 1]).all())

    def test_nothing_became_sparser(self):
        self.ready(computing.exponential())
        self.choose_epsilon(1e-6)
        self.assertTrue(self.widget.Warning.denser.is_shown())
        self.choose_epsilon(20.0)
        self.assertFalse(self.widget.Warning.denser.is_shown())

    def test_a_value_that_is_infinite(self):
        data = computing.exponential()
        with data.unlocked():
            data.X[3, 1] = np.inf
        self.ready(data)
        self.assertTrue(self.widget.Error.failed.is_shown())
        self.assertIsNone(self.out("data"))
        self.assertFalse(self.widget.isInvalidated())


class TestRunning(computing.SparsifyTest):
    def test_stop_keeps_what_there_is(self):
        def slow(result, seed, check):
            while True:
                check()
                time.sleep(0.002)

        with patch.object(sparsify_job, "_measured", slow):
            self.send_signal(self.widget.Inputs.data, computing.exponential())
            self.process_events(lambda: self.widget.result.sparsified is not None, timeout=LIMIT)
            self.assertEqual(self.widget.run_state, "running")
            future = self.widget.task.future
            self.widget.strip.button.click()
            self.assert_stopped(future)
        self.settle()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertIsNotNone(self.out("data"))
        self.assertTrue(np.isnan(self.widget.result.error))
        self.widget.strip.button.click()
        self.settle()
        self.assertFalse(np.isnan(self.widget.result.error))

    def test_failure_leaves_the_widget_usable(self):
        with patch(SPARSIFY, side_effect=RuntimeError("no way")):
            self.ready(computing.exponential())
        self.assertEqual(self.widget.run_state, "failed")
        self.assertIn("no way", str(self.widget.Error.unexpected))
        for name in ("data", "preprocessor"):
            self.assertIsNone(self.out(name))
        self.widget.strip.button.click()
        self.settle()
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.out("data"))


@pytest.mark.slow
class TestTutorial(GuiTest):
    def test_it_tells_the_truth(self):
        with run(Path(tutorials.__file__).parent / "30-sparsify.ows") as result:
            data, tool = result.output("Sparsify", "Data"), result.output("Sparsify", "Preprocessor")
            self.assertAlmostEqual(data.X.nnz / np.prod(data.X.shape), 1 / 7, 1)
            np.testing.assert_array_equal(tool(result.output("Impute", "Data")).X.toarray(), data.X.toarray())
            (linear, near), (linear_all, near_all) = (
                CA(result.output(title, "Evaluation Results")) for title in ("Tested on Sparse", "Tested on All")
            )
            self.assertLess(linear_all - linear, 0.03)
            self.assertGreater(near_all - near, 0.1)


class TestWidget(computing.SparsifyTest):
    def test_settings_come_back(self):
        self.widget.seeds.setValue(3)
        self.ready(computing.exponential())
        self.choose_epsilon(12.5)
        again = self.create_widget(OWSparsify, stored_settings=self.packed())
        self.ready(computing.exponential(), again)
        self.assertEqual(self.packed(again), self.packed())
        self.assertEqual((again.automatic, again.epsilon, again.seeds.value()), (False, 12.5, 3))
        np.testing.assert_array_equal(self.out("data", again).X.toarray(), self.out("data").X.toarray())

    def test_settings_from_elsewhere(self):
        for stored in (
            {"automatic": 1, "epsilon": "x", "seed": None, "scaled": 3},
            {"automatic": False, "epsilon": -1.0},
            {"automatic": False, "epsilon": 0},
            {"automatic": False, "epsilon": float("inf"), "seed": -4},
        ):
            widget = self.create_widget(OWSparsify, stored_settings=stored)
            self.assertIsNotNone(self.out("data", self.ready(computing.exponential(), widget)))

    def test_names_for_those_who_do_not_see(self):
        box = self.widget.choice
        for part in (box.slider, box.spin, self.widget.seeds):
            self.assertTrue(part.accessibleName(), part)
        for part in (box.slider, box.spin, box.auto, box.manual, self.widget.seeds, self.widget.units):
            self.assertTrue(part.toolTip(), part)

    def test_report(self):
        self.ready(computing.exponential())
        self.widget.send_report()
        self.assertIn("Threshold", self.widget.report_html)
        self.ready(None)
        self.widget.send_report()

    def test_dark_palette(self):
        self.ready(computing.exponential())
        saved = QApplication.palette()
        try:
            QApplication.setPalette(base.dark_palette())
            self.process_events()
            self.widget.grab()
        finally:
            QApplication.setPalette(saved)

    def test_error_bound_is_of_the_order_of_the_error(self):
        data = computing.exponential(200, 40)
        self.ready(data)
        self.choose_epsilon(10.0)
        self.assertLess(self.widget.result.error, 3 * self.widget.result.sparsified.epsilon)
        self.assertEqual(sparsify(Numeric.of(data).values, epsilon=10.0).error_bound, 10.0)


if __name__ == "__main__":
    unittest.main()
