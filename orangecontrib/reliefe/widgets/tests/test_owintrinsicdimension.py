"""Intrinsic Dimension: estimates, messages, stop, settings, looks."""

import subprocess
import sys
import unittest
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import tutorials
from orangecontrib.reliefe.core import embedding
from orangecontrib.reliefe.core.data.table import DataTable
from orangecontrib.reliefe.core.embedding import Dimension
from orangecontrib.reliefe.orange import dimension
from orangecontrib.reliefe.orange.dimension import DimensionRequest, Estimates, Key, levels
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.tests import base, computing
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

ESTIMATE = "orangecontrib.reliefe.core.embedding.intrinsic_dimension"


def plane(n=400, p=6, d=2, seed=0):
    """Points of a d-dimensional plane in p dimensions."""
    rng = np.random.default_rng(seed)
    return Table.from_numpy(None, rng.random((n, d)) @ rng.normal(size=(d, p)))


class TestLevels(unittest.TestCase):
    def test_fractions_that_are_large_enough_and_all(self):
        self.assertEqual(levels(800), [100, 200, 400, 800])
        self.assertEqual(levels(60), [30, 60])
        self.assertEqual(levels(10), [10])

    def test_last_is_that_from_most_rows(self):
        found = {Key("twonn", 100): "all", Key("twonn", 50): "half", Key("mle", 50): "other"}
        self.assertEqual(Estimates(found=found).curve("twonn"), [(50, "half"), (100, "all")])
        self.assertEqual(Estimates(found=found).last("twonn"), "all")
        self.assertIsNone(Estimates().last("mle"))


class TestEstimates(computing.ComputingTest):
    kind = OWIntrinsicDimension

    def test_outputs(self):
        data = plane()
        self.ready(data)
        self.assertIs(self.out("data"), data)
        summary = self.out("summary")
        self.assertEqual([str(row["Estimator"]) for row in summary], list(dimension.ESTIMATORS.values()))
        self.assertEqual([v.name for v in summary.domain.attributes], list(dimension.COLUMNS))
        matrix = embedding.matrix(DataTable.read(data.X))
        for row, method in zip(summary, dimension.ESTIMATORS):
            found = embedding.intrinsic_dimension(matrix, method=method, n_resamples=dimension.RESAMPLES)
            expected = [found.estimate, *found.interval, 400, 0, found.r_squared]
            np.testing.assert_allclose(list(row)[: len(expected)], expected)
        self.assertEqual(self.widget.headline.large.text(), "2")
        self.assertEqual(self.widget.headline.beside.text(), "dimensions of 6 columns")

    def test_curve_from_few_rows_to_many(self):
        self.ready(plane())
        for method in dimension.ESTIMATORS:
            curve = self.widget.result.curve(method)
            self.assertEqual([rows for rows, _ in curve], [50, 100, 200, 400])
            self.assertEqual([found.interval is None for _, found in curve], [True, True, True, False])

    def test_the_leading_estimator_is_only_shown(self):
        self.ready(plane())
        box = self.widget.methods
        box.setCurrentIndex(1)
        with patch(ESTIMATE) as estimate:
            box.activated.emit(1)
            self.settle()
            estimate.assert_not_called()
        self.assertEqual(self.widget.method, "mle")
        self.assertIn("Maximum likelihood", self.widget.strip.label.text())

    def test_settings_reach_the_estimator(self):
        self.ready(plane())
        before = self.out("summary").X.copy()
        self.widget.tenth.click()
        self.settle()
        self.assertNotEqual(self.out("summary")[0, "Dimension"], before[0, 0])
        with patch(ESTIMATE, wraps=embedding.intrinsic_dimension) as estimate:
            self.widget.once.click()
            self.widget.seeds.setValue(7)
            self.settle()
        asked = estimate.call_args.kwargs
        self.assertEqual((asked["discard"], asked["dedupe"], asked["random_state"]), (0.1, False, 7))

    def test_large_data_are_sampled(self):
        self.ready(plane())
        self.widget.rows.setValue(200)
        self.settle()
        self.assertEqual(self.widget.result.last("twonn").rows, 200)
        self.assertIn("200 of 400", str(self.widget.Information.sample))
        first = self.out("summary").X.copy()
        self.widget.seeds.setValue(1)
        self.settle()
        self.assertFalse(np.array_equal(first, self.out("summary").X))
        self.widget.seeds.setValue(0)
        self.settle()
        np.testing.assert_array_equal(first, self.out("summary").X)

    def test_dense_and_sparse_agree(self):
        data = plane()
        self.ready(data)
        dense = self.out("summary").X.copy()
        self.ready(Table.from_numpy(data.domain, sp.csr_matrix(data.X)))
        np.testing.assert_allclose(self.out("summary").X, dense, rtol=1e-9)

    def test_nominal_and_missing(self):
        self.ready(Table("heart_disease"))
        self.assertEqual(len(self.out("summary")), 2)
        self.assertTrue(self.widget.Information.missing.is_shown())
        self.assertGreater(self.widget.result.columns, 13)


class TestMessages(computing.ComputingTest):
    kind = OWIntrinsicDimension

    def test_no_data(self):
        self.ready(plane(60))
        self.ready(None)
        self.assertIsNone(self.out("data"))
        self.assertIsNone(self.out("summary"))
        self.assertEqual(self.widget.headline.large.text(), "")
        self.assertFalse(self.widget.Warning.active)
        self.widget.grab()

    def test_no_features_and_too_few_rows(self):
        iris = Table("iris")
        for data, error in (
            (iris.transform(Domain([], iris.domain.class_var)), self.widget.Error.no_features),
            (iris[:2], self.widget.Error.too_few),
            (iris[:0], self.widget.Error.too_few),
        ):
            self.ready(data)
            self.assertTrue(error.is_shown())
            self.assertIsNone(self.out("summary"))
            self.assertIs(self.out("data"), data)
        self.ready(iris)
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.out("summary"))

    def test_equal_rows(self):
        data = plane(200)
        twice = Table.from_numpy(data.domain, np.vstack([data.X, data.X]))
        self.ready(twice)
        self.assertIn("200 rows", str(self.widget.Warning.duplicates))
        self.assertEqual(self.widget.result.last("twonn").dimension, 2)
        self.widget.once.click()
        self.settle()
        self.assertFalse(self.widget.Warning.duplicates.is_shown())
        self.assertIn("200 rows", str(self.widget.Warning.kept_duplicates))

    def test_only_equal_rows(self):
        self.ready(Table.from_numpy(plane(20).domain, np.repeat(plane(20).X[:1], 20, axis=0)))
        self.assertEqual(self.widget.headline.large.text(), "–")
        self.assertEqual([value.split()[0] for _, value in self.widget.headline.texts()], ["–"] * 2)
        self.assertIn("no estimate", self.widget.summary())
        self.assertTrue(self.widget.Warning.doubtful.is_shown())

    def test_the_input_is_summed_up(self):
        with patch.object(self.widget, "set_partial_input_summary") as told:
            self.ready(plane(60))
        self.assertEqual(told.call_args.args[1].summary, 60)

    def test_few_rows(self):
        self.ready(plane(19))
        self.assertEqual(self.widget.headline.large.text(), "–")
        self.ready(plane(60))
        self.assertTrue(self.widget.Warning.few_rows.is_shown())
        self.ready(plane(150))
        self.assertFalse(self.widget.Warning.few_rows.is_shown())

    def test_estimators_that_disagree_and_a_fit_that_is_none(self):
        """Clusters of near rows: the two nearest tell of the clusters, the ten nearest of what lies between."""
        rng = np.random.default_rng(0)
        centres = rng.normal(size=(150, 20))
        near = np.repeat(centres, 3, axis=0) + 1e-4 * rng.normal(size=(450, 20))
        self.ready(Table.from_numpy(None, near))
        self.assertTrue(self.widget.Warning.differ.is_shown())
        self.assertIn("more rows", str(self.widget.Warning.differ))
        self.assertIn(" to ", self.widget.headline.large.text())
        box = self.widget.methods
        box.setCurrentIndex(1)
        box.activated.emit(1)
        self.settle()
        last = self.widget.result.last("mle")
        self.assertLess(last.r_squared, 0.9)
        self.assertIn("top 10 %", str(self.widget.Warning.poor_fit))
        self.assertTrue(self.widget.Warning.poor_fit.is_shown())
        self.ready(plane(1000))
        self.assertFalse(self.widget.Warning.differ.is_shown())
        self.assertFalse(self.widget.Warning.poor_fit.is_shown())

    def test_no_share_is_below_0(self):
        poor = Dimension(108.0, 108, None, np.arange(3.0), np.arange(3.0), 108.0, -55.0, 900, 0, 0, "", "mle")
        found = {Key("twonn", 900): replace(poor, estimate=10.0, r_squared=0.95, method="twonn"), Key("mle", 900): poor}
        self.widget.result = Estimates(900, 900, 200, found=found)
        self.widget.data, self.widget.method = plane(), "mle"
        self.widget.show_views()
        self.assertNotIn("-", "".join(value for _, value in self.widget.headline.texts()))
        self.assertIn("10 by two nearest neighbours, 108", str(self.widget.Warning.differ))
        self.assertIn("r² 0.00", str(self.widget.Warning.poor_fit))
        self.assertEqual(self.widget.headline.large.text(), "10 to 108")
        self.widget.result = replace(self.widget.result, columns=6)  # of which there are no more dimensions
        self.widget.show_views()
        self.assertEqual(
            (self.widget.headline.large.text(), self.widget.headline.beside.text()), ("6", "dimensions of 6 columns")
        )
        table = dimension.summary_table(self.widget.result)
        np.testing.assert_array_equal(table.get_column("R2"), [0.95, 0])

    def test_degenerate(self):
        self.ready(Table.from_numpy(None, np.ones((50, 4))))
        self.assertTrue(self.widget.Warning.doubtful.is_shown())
        self.assertFalse(self.widget.Warning.few_rows.is_shown())
        self.assertTrue(np.isnan(self.out("summary")[0, "Dimension"]))
        self.widget.send_report()
        self.widget.grab()

    def test_nearly_full_dimension(self):
        self.ready(Table.from_numpy(None, np.random.default_rng(0).random((1000, 4))))
        self.assertTrue(self.widget.Warning.full.is_shown())
        self.ready(plane())
        self.assertFalse(self.widget.Warning.full.is_shown())

    def test_a_value_that_is_infinite(self):
        data = plane(50)
        with data.unlocked():
            data.X[3, 1] = np.inf
        self.ready(data)
        self.assertTrue(self.widget.Error.failed.is_shown())
        self.assertIsNone(self.out("summary"))
        self.assertFalse(self.widget.isInvalidated())

    def test_codes_without_a_value(self):
        """Refused as everywhere: such data are damaged."""
        domain = Domain([DiscreteVariable("color", ("red", "blue")), *map(ContinuousVariable, "abc")])
        for code in (2, -1, 0.5):
            values = np.random.default_rng(0).random((50, 4))
            values[:, 0] = np.arange(50) % 2
            values[7, 0] = code
            self.ready(Table.from_numpy(domain, values))
            self.assertTrue(self.widget.Error.failed.is_shown())
            self.assertIn("color", str(self.widget.Error.failed))
            self.assertIsNone(self.out("summary"))


class TestRunning(computing.ComputingTest):
    kind = OWIntrinsicDimension

    def start(self):
        """Begin what takes some seconds, and wait for the first estimate; kernels are compiled by then."""
        self.ready(plane(100))
        self.widget.rows.setValue(100_000)
        self.settle()
        self.send_signal(self.widget.Inputs.data, plane(20_000, 80, 5))
        self.process_events(lambda: self.widget.result.last("mle") is not None, timeout=LIMIT)
        self.assertEqual(self.widget.run_state, "running")
        return self.widget.task.future

    def test_stop_is_quick_and_keeps_what_there_is(self):
        future = self.start()
        self.widget.strip.button.click()
        self.assert_stopped(future)
        self.settle()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertFalse(self.widget.isInvalidated())
        self.assertLess(self.out("summary")[0, "Rows"], 20_000)
        self.assertIn("stopped early", self.widget.strip.label.text())

    def test_resume_computes_only_the_rest(self):
        future = self.start()
        self.widget.stop()
        self.wait_for_future(future)
        known = dict(self.widget.result.found)
        with patch(ESTIMATE, return_value=next(iter(known.values()))) as estimate:
            self.widget.strip.button.click()
            self.settle()
        self.assertEqual(estimate.call_count, 8 - len(known))
        self.assertEqual(self.widget.run_state, "idle")

    def test_deleting_ends_the_task(self):
        future = self.start()
        self.widget.onDeleteWidget()
        self.assertTrue(future.done())

    def test_failure_leaves_the_widget_usable(self):
        with patch(ESTIMATE, side_effect=RuntimeError("no way")):
            self.ready(plane(60))
        self.assertEqual(self.widget.run_state, "failed")
        self.assertIn("no way", str(self.widget.Error.unexpected))
        self.assertIsNone(self.out("summary"))
        self.assertFalse(self.widget.isInvalidated())
        self.widget.strip.button.click()
        self.settle()
        self.assertFalse(self.widget.Error.active)
        self.assertIsNotNone(self.out("summary"))


@pytest.mark.slow
class TestTutorial(GuiTest):
    def test_it_tells_the_truth(self):
        with run(Path(tutorials.__file__).parent / "20-intrinsic-dimension.ows") as result:
            for title in ("Intrinsic Dimension", "After PCA"):
                np.testing.assert_allclose(result.output(title, "Summary").get_column("Dimension"), 3, atol=0.5)
            self.assertEqual(len(result.output("After PCA", "Data").domain.attributes), 6)


class TestWidget(computing.ComputingTest):
    kind = OWIntrinsicDimension

    def test_settings_come_back(self):
        self.widget.tenth.click()
        self.widget.seeds.setValue(3)
        self.widget.rows.setValue(300)
        self.widget.methods.setCurrentIndex(1)
        self.widget.methods.activated.emit(1)
        self.ready(plane())
        again = self.create_widget(OWIntrinsicDimension, stored_settings=self.packed())
        self.ready(plane(), again)
        self.assertEqual(self.packed(again), self.packed())
        self.assertEqual((again.method, again.tenth.isChecked(), again.seeds.value()), ("mle", True, 3))
        np.testing.assert_array_equal(self.out("summary", again).X, self.out("summary").X)

    def test_settings_from_elsewhere(self):
        stored = {"method": "of the future", "max_rows": "x", "seed": None, "dedupe": 3, "discard_tenth": "no"}
        widget = self.create_widget(OWIntrinsicDimension, stored_settings=stored)
        self.assertIsNotNone(self.out("summary", self.ready(plane(60), widget)))
        self.assertEqual((widget.method, widget.max_rows), ("twonn", 5000))

    def test_names_for_those_who_do_not_see(self):
        for part in (self.widget.methods, self.widget.rows, self.widget.seeds, self.widget.chart):
            self.assertTrue(part.accessibleName(), part)
        for part in (self.widget.methods, self.widget.rows, self.widget.seeds, self.widget.tenth, self.widget.once):
            self.assertTrue(part.toolTip(), part)

    def test_curves_are_read_and_have_keys(self):
        self.ready(plane())
        chart, curve = self.widget.chart, self.widget.result.curve("twonn")
        rows, last = curve[-1]
        text = f"Two nearest neighbours: {last.estimate:.3g} from {rows:,} rows ("
        self.assertTrue(chart.accessibleDescription().startswith(text))
        QTest.keyClick(chart, Qt.Key_Right)
        rows, first = curve[0]
        text = f"Two nearest neighbours: {first.estimate:.3g} from {rows:,} rows"
        self.assertEqual((chart.accessibleDescription(), chart.callout.label.toPlainText()), (text, text))
        QTest.keyClick(chart, Qt.Key_Down)
        self.assertTrue(chart.accessibleDescription().startswith("Maximum likelihood: "))

    def test_report(self):
        self.ready(plane())
        with patch.object(self.widget, "report_plot") as plot:
            self.widget.send_report()
            plot.assert_called_once()
        self.widget.send_report()
        self.assertIn("Two nearest neighbours", self.widget.report_html)

    def test_dark_palette_and_shape(self):
        self.ready(plane())
        saved = QApplication.palette()
        try:
            QApplication.setPalette(base.dark_palette())
            self.process_events()
            self.widget.grab()
        finally:
            QApplication.setPalette(saved)
        for size in ((600, 900), (1200, 500)):
            self.widget.chart.resize(*size)
            self.widget.grab()
            chart = self.widget.chart
            rows = {row for row, _ in chart.cells_of(chart.charts).values()}
            self.assertEqual(len(rows), 2 if size[0] < size[1] else 1)

    def test_table_is_not_changed(self):
        domain = Domain([ContinuousVariable("x"), DiscreteVariable("c", ("a", "b"))])
        data = Table.from_numpy(domain, np.column_stack([np.arange(50.0), np.arange(50) % 2]))
        before = data.X.copy()
        self.ready(data)  # it is locked: writing would raise
        np.testing.assert_array_equal(data.X, before)

    def test_import_is_light(self):
        code = (
            "import sys; import Orange.widgets.widget, Orange.widgets.visualize.utils.plotutils, Orange.preprocess\n"
            "before = set(sys.modules)\n"
            "import orangecontrib.reliefe.widgets.owintrinsicdimension, orangecontrib.reliefe.widgets.owsparsify\n"
            "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
            "heavy = new & {'numba', 'umap', 'sklearn', 'scipy'}\n"
            "import orangecontrib.reliefe.widgets.owopendata, orangecontrib.reliefe.widgets.owreliefe\n"
            "from orangecontrib.reliefe.core import methods; methods()\n"
            "heavy |= {'numba', 'umap'} & set(sys.modules)\n"
            "sys.exit(', '.join(heavy) or 0)"
        )
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_request_is_a_plain_tuple(self):
        self.assertEqual(DimensionRequest(), (0.0, True, 5000, 0))


if __name__ == "__main__":
    unittest.main()
