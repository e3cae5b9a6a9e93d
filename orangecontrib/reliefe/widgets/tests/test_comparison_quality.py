"""Quality of rankings: what is computed in folds, how it travels, what the view shows and says."""

import unittest
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.base import Learner
from Orange.classification import LogisticRegressionLearner, NaiveBayesLearner
from Orange.data import DiscreteVariable, Domain, Table
from Orange.preprocess.score import ANOVA, InfoGain
from Orange.regression import LinearRegressionLearner
from Orange.widgets.tests.base import GuiTest
from scipy import sparse

from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.evaluation import folds, quality_curve
from orangecontrib.reliefe.orange.comparison import quality_job
from orangecontrib.reliefe.orange.comparison.comparison import ComparedRankings
from orangecontrib.reliefe.orange.comparison.quality import AREA
from orangecontrib.reliefe.orange.comparison.quality_job import QualityRequest, refusal, run
from orangecontrib.reliefe.orange.comparison.quality_table import from_table, to_table
from orangecontrib.reliefe.orange.comparison.scoring import scores_of
from orangecontrib.reliefe.widgets.charts.curve_view import Spot
from orangecontrib.reliefe.widgets.comparison.quality import QualityView
from orangecontrib.reliefe.widgets.comparison.quality_chart import ABOUT
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.comparing import (
    TARGETS,
    ComparisonTest,
    Correlation,
    State,
    comparison,
    measured,
    table,
)


class Fails(Learner):
    """Learns nothing from more than a given number of features."""

    def __init__(self, most=0, error=ValueError):
        super().__init__()
        self.most, self.error = most, error

    def __call__(self, data, progress_callback=None):
        if len(data.domain.attributes) > self.most:
            raise self.error("too wide")
        return LogisticRegressionLearner()(data)


class TestJob(ComparisonTest, unittest.TestCase):
    def test_scorers_see_training_rows_only(self):
        c, state = comparison(), State()
        quality = run(c, QualityRequest(2, 2), None, state)
        seen = c.scorers["Inside"].seen
        self.assertEqual((len(seen), {len(ids) for ids in seen}), (4, {20}))
        tests = [set(c.data.ids) - ids for ids in seen[:2]]
        self.assertEqual(set.union(*tests), set(c.data.ids))
        self.assertEqual(
            [line.kind for line in quality.lines],
            ["ranked in training folds", "has seen the test rows"] + 3 * ["reference"],
        )
        self.assertEqual([len(part.whole) for part in state.partial], [1, 2, 3, 4])
        self.assertTrue((np.diff(state.progress) > 0).all())

    def test_same_as_the_core(self):
        data = table(n=60)
        quality = measured(comparison(data), QualityRequest(3, 1, seed=4))
        parts = folds(60, 3, 4, data.Y)
        own = quality_curve(lambda X, y: np.arange(5, 0, -1.0), data.X, data.Y.astype(int), parts=parts)
        np.testing.assert_array_equal(quality.line("Fixed").values, own.values)
        np.testing.assert_array_equal(quality.whole, own.whole)
        self.assertEqual((quality.measure, quality.learner, quality.n_folds), ("accuracy", "logistic regression", 3))
        self.assertEqual(quality.sizes.tolist(), [1, 2, 4, 5])

    def test_every_task(self):
        measures = dict(zip(TARGETS, ("accuracy", "rrmse", "rrmse", "auprc", "reconstruction")))
        for task, measure in measures.items():
            with self.subTest(task):
                data = table(task, n=30)
                scorer = Correlation() if task != "unsupervised" else lambda rows: rows.X.std(axis=0)
                quality = measured(comparison(data, scorer=scorer))
                self.assertEqual((quality.measure, quality.failures), (measure, ()))
                self.assertTrue(all(np.isfinite(line.values).all() for line in quality.lines))
                self.assertEqual(len(quality.lines), 3 if task == "unsupervised" else 5)

    def test_learners_of_orange(self):
        data, parts = table(n=60), folds(60, 3, 0, table(n=60).Y)
        quality = measured(comparison(data, NaiveBayesLearner()))
        train, test = parts[0]
        rows = data.transform(Domain(data.domain.attributes[:1], data.domain.class_vars))
        expected = np.mean(data.Y[test] == NaiveBayesLearner()(rows[train])(rows[test]))
        self.assertEqual(quality.line("Fixed").values[0, 0], expected)
        self.assertEqual(quality.learner, "naive bayes")
        numbers = measured(comparison(table("regression"), LinearRegressionLearner()))
        self.assertLess(numbers.curve(numbers.line("Inside")).mean[1], 0.2)

    def test_a_learner_without_a_target_is_not_used(self):
        data = table("unsupervised")
        quality = measured(comparison(data, NaiveBayesLearner(), scorer=lambda rows: rows.X.std(axis=0)))
        self.assertEqual(quality.learner, "nearest row")
        self.assertIn("not used", quality.notes[0])

    @pytest.mark.slow
    def test_failing_learner_keeps_the_rest(self):
        for error in (ValueError, TypeError, MemoryError, ZeroDivisionError, KeyError):
            quality = measured(comparison(learner=Fails(2, error)))
            self.assertTrue(np.isfinite(quality.line("Inside").values[:, :2]).all())
            self.assertTrue(np.isnan(quality.line("Inside").values[:, 2:]).all())
            self.assertTrue(np.isnan(quality.whole).all())
            self.assertEqual([(f.who, f.folds) for f in quality.failures], [("fails", (0, 1, 2))])
            self.assertIn("too wide", quality.failures[0].why)
            self.assertIsNotNone(quality.enough(quality.line("Inside")))

    def test_failing_scorer_keeps_the_rest(self):
        data = Table("heart_disease")[::6]
        quality = measured(comparison(data, scorer=ANOVA(), Gain=InfoGain()))
        self.assertTrue(np.isnan(quality.line("Inside").values).all())
        self.assertTrue(np.isfinite(quality.line("Gain").values).all())
        self.assertEqual([f.who for f in quality.failures], ["Inside"])

    def test_stop_and_go_on(self):
        c, state = comparison(), State(stop_after=2)
        with self.assertRaises(Interrupted):
            run(c, QualityRequest(3, 1), None, state)
        known = state.partial[-1]
        rest = State()
        resumed = run(c, QualityRequest(3, 1), known, rest)
        self.assertEqual(len(rest.partial), 1)
        for line, other in zip(resumed.lines, measured(c).lines):
            np.testing.assert_array_equal(line.values, other.values)

    def test_names_of_references_are_free(self):
        c = comparison()
        c = ComparedRankings(c.features, ("F-score", "Fixed"), c.scores, {}, c.data)
        titles = measured(c).titles
        self.assertEqual(len(set(titles)), 5)

    def test_other_measures_and_unknown_targets(self):
        data = table()
        with data.unlocked():
            data.Y[:5] = np.nan
        quality = measured(comparison(data, NaiveBayesLearner()), QualityRequest(3, 1, "macro_f1"))
        self.assertEqual((quality.measure, quality.n_rows.sum()), ("macro_f1", 35))
        self.assertTrue(np.isfinite(quality.line("Fixed").values).all())

    def test_sparse_data(self):
        for task in ("classification", "unsupervised"):
            data = table(task)
            with data.unlocked():
                data.X = sparse.csr_matrix(np.where(data.X < 0.3, 0, data.X))
            quality = measured(comparison(data, scorer=lambda rows: np.asarray(rows.X.mean(axis=0)).ravel()))
            self.assertEqual(quality.failures, ())
            self.assertTrue(np.isfinite(quality.whole).all())

    def test_more_folds_than_rows(self):
        quality = measured(comparison(table(n=6)), QualityRequest(20, 1))
        self.assertEqual((quality.n_folds, len(quality.whole)), (6, 6))

    def test_reasons(self):
        one, none = table(), table()
        with one.unlocked(), none.unlocked():
            one.Y[:], none.Y[:] = 1, np.nan
        mixed = table("multi-target")
        y = DiscreteVariable("y3", ("a", "b", "c"))
        domain = Domain(mixed.domain.attributes, (*mixed.domain.class_vars, y))
        c = comparison()
        for case, part in (
            (None, "Connect rankings"), (ComparedRankings((), (), np.empty((0, 0))), "Connect rankings"),
            (ComparedRankings((), c.titles, np.empty((2, 0)), {}, c.data), "no feature in common"),
            (ComparedRankings(c.features, c.titles, c.scores), "Connect data"),
            (comparison(table()[:3]), "only 3 rows"),
            (comparison(one), "only one class"), (comparison(none), "unknown in all rows"),
            (comparison(mixed.transform(domain)), "all numbers"), (c, ""),
        ):  # fmt: skip
            reason = refusal(case)
            self.assertTrue(part in reason and bool(part) == bool(reason), reason)

    def test_scores_of_learners_and_of_several_rows(self):
        data = Table("iris")
        self.assertEqual(scores_of(LogisticRegressionLearner(), data).shape, (4,))
        self.assertEqual(scores_of(lambda _: [1, np.nan, 0, 2], data).tolist(), [1, -np.inf, 0, 2])
        with self.assertRaisesRegex(ValueError, "for 4 features"):
            scores_of(lambda _: [1.0], data)


class TestTable(ComparisonTest, unittest.TestCase):
    def test_there_and_back(self):
        quality = measured(comparison(learner=Fails(2)))
        sent = to_table(quality)
        self.assertEqual(sent.name, "Quality on made")
        self.assertEqual(len(sent), 3 * (5 * 4 + 1))
        (back,) = from_table(sent)
        for name in ("n_folds", "measure", "learner", "name", "titles", "higher_is_better"):
            self.assertEqual(getattr(back, name), getattr(quality, name))
        for name in ("sizes", "whole", "n_rows"):
            np.testing.assert_array_equal(getattr(back, name), getattr(quality, name))
        for line, other in zip(back.lines, quality.lines):
            self.assertEqual(line.kind, other.kind)
            np.testing.assert_array_equal(line.values, other.values)

    def test_several_data_sets_in_one_table(self):
        tables = []
        for name in ("first", "second"):
            data = table(seed=len(name))
            data.name = name
            tables.append(to_table(measured(comparison(data))))
        names = DiscreteVariable("Data set", ("first", "second"))  # as the widget Concatenate merges them
        metas = [names if v.name == "Data set" else v for v in tables[0].domain.metas]
        domain = Domain(tables[0].domain.attributes, metas=metas)
        found = from_table(Table.concatenate([rows.transform(domain) for rows in tables]))
        self.assertEqual([quality.name for quality in found], ["first", "second"])
        self.assertEqual([len(quality.whole) for quality in found], [3, 3])

    def test_nothing_and_foreign_tables(self):
        self.assertIsNone(to_table(None))
        with self.assertRaisesRegex(ValueError, "missing: Ranking"):
            from_table(Table("iris"))
        with self.assertRaisesRegex(ValueError, "no rows of a known measure"):
            from_table(to_table(measured())[:0])

    def test_scores_at_a_number_of_features(self):
        quality = measured()
        np.testing.assert_array_equal(quality.scores(3, ["Fixed"])[:, 0], quality.line("Fixed").values[:, 1])
        area = quality.scores(AREA, ["Fixed", "Inside"])
        self.assertEqual(area.shape, (3, 2))
        self.assertTrue((area[:, 1] > area[:, 0]).all())


class TestView(ComparisonTest, GuiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.usual, cls.known = comparison(), {}  # what was measured of it, by what was asked

    def setUp(self):
        self.view = QualityView()
        self.picked = []
        self.view.picked.connect(self.picked.append)

    def tearDown(self):
        self.view.deleteLater()

    def ready(self, c=None, view=None):
        view, shared = view or self.view, c is None
        c = self.usual if shared else c
        view.set_comparison(c)
        job = view.job(c, view.settings)
        request = job.args[1]
        view.show_result(self.known[request] if shared and request in self.known else job(State()))
        if shared:
            self.known[request] = view.quality
        return c

    def test_never_an_empty_picture_without_a_reason(self):
        self.assertFalse(self.view.drawn)
        self.assertIn("Connect rankings", self.view.reason.text())
        self.assertIsNone(self.view.image_item())
        self.assertIsNone(self.view.results())
        self.view.set_comparison(self.usual)
        self.assertIn("No test fold", self.view.reason.text())
        self.ready()
        self.assertTrue(self.view.drawn)
        low, high = self.view.quality.interval(self.view.quality.lines[0])
        self.assertTrue(low.min() >= 0 and high.max() <= 1)
        self.assertIs(self.view.image_item(), self.view.chart)
        self.assertIn("Classification accuracy of logistic regression", self.view.caption())
        self.view.set_comparison(None)
        self.assertFalse(self.view.drawn)

    def test_a_learner_that_always_fails_is_the_reason(self):
        self.ready(comparison(learner=Fails()))
        self.assertIn("fails failed in all folds: too wide", self.view.reason.text())
        self.assertFalse(self.view.drawn)

    def test_fixed_rankings_are_dashed_and_explained(self):
        self.ready()
        self.assertIn("The scores of Fixed have seen the test rows", self.view.notes.text())
        keys = self.view.chart.chart.above.entries
        self.assertEqual([key.style for key in keys[:2]], [Qt.SolidLine, Qt.DashLine])
        self.assertIn("seen", keys[1].text)

    def test_suggestion_and_click_pick_the_best(self):
        c = self.ready()
        n = self.view.quality.enough(self.view.quality.line("Inside"))
        self.view.hint.linkActivated.emit(str(n))
        self.assertEqual(self.picked, [c.orders[0][:n].tolist()])
        chart = self.view.chart
        self.view.resize(700, 500)
        self.view.show()
        self.process_events()
        x, y = np.log2(4), self.view.quality.curve(self.view.quality.line("Fixed")).mean[2]
        place = chart.chart.vb.mapViewToScene(QPointF(x, y))
        self.assertEqual(chart.element_at(place).point, 2)
        chart.set_current(Spot(1, 2))
        chart.choose(chart.current)
        self.assertEqual(self.picked[-1], [0, 1, 2, 3])
        self.assertEqual(self.view.lead.currentText(), "Fixed")
        self.assertIsNone(chart.element_at(QPointF(-5, -5)))

    def test_names_are_never_cut(self):
        c, long = comparison(), "Boosted Learned-Space Relief of the second laboratory"
        self.view.set_comparison(replace(c, titles=(long, "Boosted Learned-Space Relief")))
        box, metrics = self.view.lead, self.view.fontMetrics()
        self.assertEqual((box.currentData(), box.itemData(0, Qt.ToolTipRole)), (long, long))
        self.assertIn("\u2026", box.currentText())
        self.view.show()
        self.view.resize(10, 10)
        self.process_events()
        for box in (self.view.lead, self.view.measure):
            texts = [box.itemText(i) for i in range(box.count())]
            self.assertGreater(box.width(), max(map(metrics.horizontalAdvance, texts)))

    def test_keys(self):
        c = self.ready()
        chart = self.view.chart
        self.assertEqual(chart.accessibleDescription(), ABOUT)
        for key in (Qt.Key_Right, Qt.Key_Right, Qt.Key_Down, Qt.Key_Up, Qt.Key_Left, Qt.Key_Right):
            QTest.keyClick(chart, key)
        self.assertEqual(chart.current, Spot(0, 1))
        self.assertIn("Inside, best 2", chart.accessibleDescription())
        QTest.keyClick(chart, Qt.Key_Space)
        self.assertEqual(self.picked, [c.orders[0][:2].tolist()])
        QTest.keyClick(chart, Qt.Key_Up)
        self.assertEqual(chart.current.line, 4)
        QTest.keyClick(chart, Qt.Key_Return)
        self.assertEqual(self.picked[-1], c.orders[0][:2].tolist())  # a reference stands for the leading ranking

    def test_selection_is_marked_silently(self):
        c = self.ready()
        self.view.set_selected(np.isin(np.arange(5), c.orders[0][:3]))
        self.assertEqual(self.view.chart.n_marked, 3)
        self.view.set_selected(np.isin(np.arange(5), c.orders[0][1:3]))
        self.assertEqual(self.view.chart.n_marked, 0)
        self.assertEqual(self.picked, [])

    def test_the_mark_goes_with_the_leading_ranking(self):
        self.ready()
        view, order = self.view, self.view._order("Fixed")
        view._choose("Fixed", 2)
        view.set_selected(np.isin(np.arange(5), order[:2]))
        self.assertEqual(view.chart.n_marked, 2)
        view.lead.setCurrentIndex(view.lead.findText("Inside"))
        view.lead.activated.emit(view.lead.currentIndex())
        self.assertEqual(view.chart.n_marked, 0)
        view.lead.setCurrentIndex(view.lead.findText("Fixed"))
        view.lead.activated.emit(view.lead.currentIndex())
        self.assertEqual(view.chart.n_marked, 2)

    def test_a_learner_that_fails_only_with_many_features(self):
        self.ready(comparison(learner=Fails(2)))
        self.assertTrue(self.view.drawn)
        self.assertIn("failed in all folds, with some numbers of features: too wide", self.view.notes.text())

    def test_jobs(self):
        c = self.ready()
        self.assertIsNone(self.view.job(c, {}))  # all is done, but for settings from elsewhere
        changed = []
        self.view.changed.connect(lambda: changed.append(dict(self.view.settings)))
        self.view.repeats.setValue(3)
        self.assertEqual(changed, [{"n_repeats": 3}])
        job = self.view.job(c, self.view.settings)
        self.assertEqual(job.args[1].n_repeats, 3)
        self.assertIsNone(job.args[2])
        self.assertFalse(self.view.drawn)  # the old result is of other folds
        self.view.measure.setCurrentIndex(1)
        self.view.measure.activated.emit(1)
        self.assertEqual(self.view.job(c, self.view.settings).args[1].measure, "f1")
        self.assertIsNone(self.view.job(comparison(table()[:2]), {}))

    def test_going_on_after_a_stop(self):
        c, state = comparison(), State(stop_after=2)
        self.view.set_comparison(c)
        with self.assertRaises(Interrupted):
            self.view.job(c, {})(state)
        self.view.show_result(state.partial[-1])
        self.assertTrue(self.view.drawn)
        self.assertEqual(len(self.view.job(c, {}).args[2].whole), 2)
        self.assertIsNotNone(self.view.results())

    def test_settings_from_elsewhere(self):
        view = QualityView({"n_folds": "many", "n_repeats": 1000, "measure": 7, "lead": ["Fixed"]})
        self.ready(view=view)
        self.assertEqual((view.folds.value(), view.repeats.value(), view.lead.currentText()), (5, 2, "Inside"))
        view = QualityView({"n_folds": 3, "n_repeats": 1, "measure": "macro_f1", "lead": "Fixed"})
        self.ready(view=view)
        self.assertEqual((view.quality.measure, len(view.quality.whole), view.chart.lead), ("macro_f1", 3, "Fixed"))

    def test_looks(self):
        self.ready()
        saved = QApplication.palette()
        try:
            for palette in (saved, base.dark_palette()):
                QApplication.setPalette(palette)
                self.process_events()
                self.view.chart.set_current(Spot(0, 3))
                self.view.resize(300, 200)
                self.view.grab()
        finally:
            QApplication.setPalette(saved)

    def test_one_feature(self):
        data = table(p=4)
        data = data.transform(Domain(data.domain.attributes[3:], data.domain.class_vars))
        self.ready(comparison(data))
        self.assertTrue(self.view.drawn)
        self.view.grab()

    def process_events(self):
        for _ in range(3):
            QApplication.processEvents()


class TestCost(ComparisonTest, unittest.TestCase):
    def test_the_learner_learns_each_set_of_features_once(self):
        asked = []

        class Counts(NaiveBayesLearner):
            def __call__(self, data, progress_callback=None):
                asked.append(tuple(sorted(v.name for v in data.domain.attributes)))
                return super().__call__(data, progress_callback)

        with patch.object(quality_job, "MIN_DRAWS", 1):
            measured(comparison(learner=Counts()), QualityRequest(2, 1))
        self.assertLess(len(asked), 2 * (5 * 3 + 1))
        half = len(asked) // 2
        self.assertTrue(any(len(set(asked[:k])) == k for k in (half, half - 1, half + 1, half - 2, half + 2)))


if __name__ == "__main__":
    unittest.main()
