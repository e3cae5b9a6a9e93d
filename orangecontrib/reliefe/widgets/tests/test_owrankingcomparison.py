"""The widget Ranking Comparison."""

import os
import pickle
import tempfile
import time
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QFileDialog
from Orange.classification import NaiveBayesLearner
from Orange.data import Domain, Table
from Orange.evaluation import CrossValidation
from Orange.preprocess.score import ANOVA, InfoGain
from Orange.widgets.data.owrank import OWRank
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import MultiSURF, rank, tutorials
from orangecontrib.reliefe.core.evaluation import aggregate
from orangecontrib.reliefe.orange.scorers import scorer
from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.tests.base import dark_palette, random_table
from orangecontrib.reliefe.widgets.tests.comparing import ComparisonTest as SmallForests
from orangecontrib.reliefe.widgets.tests.comparing import Correlation
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.test_comparison_gather import Failing
from orangecontrib.reliefe.widgets.tests.test_study import times, visits
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils.colors import hue


class Slow(ANOVA):
    """Waits for the test to let it go on."""

    name = "Slow"
    held = True

    def __call__(self, data, feature=None):
        end = time.monotonic() + 20
        while self.held and time.monotonic() < end:
            time.sleep(0.005)
        return super().__call__(data, feature)


class ComparisonTest(WidgetTest):
    """Tests with tables of scores for data whose first feature tells the class."""

    kind = OWRankingComparison

    def setUp(self):
        self.data = random_table(60, 6)
        self.names = [v.name for v in self.data.domain.attributes]
        self.one = scores_table(self.names, {"One": np.array([6.0, 5, 4, 3, 2, 1])})
        self.two = scores_table(self.names, {"Two": np.array([6.0, 4, 5, 1, 2, 3]), "Three": np.arange(6.0)})

    def give(self, scores=(), scorers=(), data=None, learner=None, widget=None):
        """Send all of these, and wait."""
        widget = widget or self.widget
        inputs = widget.Inputs
        signals = [(inputs.data, data), (inputs.learner, learner)]
        signals += [(inputs.scores, table, number) for number, table in enumerate(scores)]
        signals += [(inputs.scorers, each, number) for number, each in enumerate(scorers)]
        self.send_signals_multi(signals, widget)
        return self.settle(widget)

    def send_signals_multi(self, signals, widget):
        for signal, value, *number in signals:
            if number:
                getattr(widget, signal.insert_handler)(number[0], value)
            else:
                getattr(widget, signal.handler)(value)
        widget.handleNewSignals()

    def show(self, title):
        """Choose a tab as the user does."""
        area = self.widget.area
        area.tabs.setCurrentIndex([view.title for view in area.views].index(title))
        self.settle()


FEW_FOLDS = {"Quality": {"n_folds": 2, "n_repeats": 1}}


class TestStudy(SmallForests, ComparisonTest):
    def test_covariates_and_a_group(self):
        data = visits()
        other = MultiSURF()
        self.widget = self.make(covariates=["batch", "ward"], group="person", view_settings=FEW_FOLDS)
        names = [v.name for v in data.domain.attributes]
        self.give([scores_table(names, {"MultiSURF": rank(data, "multisurf").scores})], [other, ANOVA()], data)
        expected = rank(data, "multisurf", covariates=["batch"], groups="person")
        comparison = self.widget.comparison
        self.assertEqual(comparison.titles, ("MultiSURF", "ANOVA"))
        self.assertEqual(comparison.features, tuple(v.name for v in expected.features))
        np.testing.assert_array_equal(comparison.scores[0], expected.scores)
        self.assertIsNone(other.covariates)
        self.assertIn("'ward'", str(self.widget.Warning.study_gone))
        self.assertIn("ANOVA", str(self.widget.Warning.unadjusted))
        self.assertIn("adjusted for batch", self.seen())
        self.assertIn("batch", [v.name for v in self.out("reduced").domain.metas])
        self.show("Quality")
        view = self.widget.area.view
        self.assertIn("Folds keep rows with the same person together.", view.notes.text())
        self.widget.study.groups.activated.emit(0)  # none
        self.settle()
        self.assertEqual(view.quality.notes, ())

    def test_the_study_of_a_scorer(self):
        data = visits()
        self.give([], [MultiSURF(covariates=["batch"], groups="person"), ANOVA()], data)
        expected = rank(data, "multisurf", covariates=["batch"], groups="person")
        np.testing.assert_array_equal(self.widget.comparison.scores[0], expected.scores)
        self.assertEqual(self.widget.comparison.group, "person")
        self.assertEqual(self.widget.study.known(), ((), ""))
        scores, kept = self.out("scorer")(data), self.out("preprocessor")(data)
        compared = [data.domain.index(name) for name in self.widget.comparison.features]
        np.testing.assert_array_equal(scores[compared], self.out("aggregated").X[:, 0])
        self.assertEqual(np.isinf(scores).sum(), len(scores) - len(compared))
        self.assertEqual(kept.domain.attributes, self.out("reduced").domain.attributes)

    def test_concordance_of_times(self):
        data, self.widget = times(200), self.make(view_settings=FEW_FOLDS)
        self.give([], [MultiSURF()], data)
        self.show("Quality")
        quality = self.widget.area.view.quality
        self.assertEqual(quality.measure, "concordance")
        self.assertGreater(quality.curve(quality.lines[0]).mean[0], 0.55)


class TestInputs(ComparisonTest):
    def test_nothing(self):
        self.give()
        for name in ("reduced", "features", "aggregated", "evaluation"):
            self.assertIsNone(self.out(name))
        for view in self.widget.area.views:
            self.assertFalse(view.drawn)
            self.assertTrue(view.reason.text())
        self.assertIsNone(self.widget.figure)
        self.widget.send_report()

    def test_tables_alone(self):
        self.give([self.one, self.two])
        self.assertEqual(self.widget.comparison.titles, ("One", "Two", "Three"))
        found = self.out("aggregated")
        expected = aggregate(self.widget.comparison.scores, "mean-rank").scores
        np.testing.assert_array_equal(found.X[:, 0], expected)
        self.assertEqual([str(row) for row in found.metas[:, 0]], self.names)
        self.assertIsNone(self.out("reduced"))
        self.assertTrue(self.widget.area.view.drawn)

    def test_with_data(self):
        self.widget = self.make(n_best=2)
        self.give([self.one, self.two], data=self.data)
        best = aggregate(self.widget.comparison.scores, "mean-rank").ranking[:2]
        names = {self.names[j] for j in best}
        self.assertEqual({v.name for v in self.out("features")}, names)
        reduced = self.out("reduced")
        self.assertEqual({v.name for v in reduced.domain.attributes}, names)
        self.assertEqual(reduced.domain.class_vars, self.data.domain.class_vars)
        self.give(data=None)
        self.widget.remove_scores(1)
        self.widget.remove_scores(0)
        self.widget.handleNewSignals()
        self.settle()
        self.assertIsNone(self.out("reduced"))
        self.assertIsNone(self.out("aggregated"))

    def test_oranges_rank(self):
        other = self.create_widget(OWRank)
        self.send_signal(other.Inputs.data, self.data, widget=other)
        self.wait_until_finished(other)
        table = self.get_output(other.Outputs.scores, widget=other)
        self.give([self.one, table], data=self.data)
        self.assertEqual(len(self.widget.comparison.titles), 1 + len(table.domain.attributes))

    def test_inputs_are_replaced_and_removed(self):
        self.give([self.one, self.two])
        self.widget.set_scores(0, self.two)
        self.widget.handleNewSignals()
        self.settle()
        self.assertEqual(self.widget.comparison.titles, ("Two", "Three", "Two (2)", "Three (2)"))
        self.widget.remove_scores(1)
        self.widget.handleNewSignals()
        self.settle()
        self.assertEqual(self.widget.comparison.titles, ("Two", "Three"))
        self.widget.insert_evaluation(0, self.one)
        self.widget.set_evaluation(0, self.two)
        self.widget.insert_scorer(0, ANOVA())
        self.widget.set_scorer(0, InfoGain())
        self.widget.handleNewSignals()
        self.settle()
        self.assertEqual(self.widget.comparison.evaluations, (self.two,))
        self.widget.remove_evaluation(0)
        self.widget.remove_scorer(0)
        self.widget.handleNewSignals()
        self.settle()
        self.assertEqual(self.widget.comparison.evaluations, ())


class TestMessages(ComparisonTest):
    def warnings(self):
        return [str(message) for message in self.widget.Warning.active]

    def test_one_ranking(self):
        self.give([self.one])
        self.assertTrue(self.widget.Information.one_ranking.is_shown())
        self.assertFalse(self.widget.area.view.drawn)
        self.widget.insert_scores(1, self.two)
        self.widget.handleNewSignals()
        self.settle()
        self.assertFalse(self.widget.Information.one_ranking.is_shown())

    def test_no_scores(self):
        self.give([Table("iris"), self.one])
        self.assertTrue(self.widget.Warning.no_rankings.is_shown())
        self.assertIn("iris", str(self.widget.Warning.no_rankings))
        self.assertEqual(self.widget.comparison.titles, ("One",))

    def test_different_features(self):
        other = scores_table(["x1", "x2", "y"], {"Other": np.array([1.0, 2, 3])})
        self.give([self.one, other])
        self.assertTrue(any("2 of 7 features" in text for text in self.warnings()))
        self.assertEqual(self.widget.comparison.features, ("x1", "x2"))
        self.give()
        for number in (1, 0):
            self.widget.remove_scores(number)
        self.widget.handleNewSignals()
        self.settle()
        self.assertEqual(self.warnings(), [])

    def test_constant_unknown_and_duplicates(self):
        flat = scores_table([*self.names[:5], "x0"], {"Flat": np.ones(6), "Holes": np.array([np.nan, 1, 2, 3, 4, 5])})
        self.give([self.one, flat])
        told = " ".join(self.warnings())
        for text in ("same score", "without a score", "several rows"):
            self.assertIn(text, told)

    def test_colors_of_the_list_are_those_of_the_views(self):
        none = scores_table(self.names, {"None": np.full(6, np.nan)})
        self.give([none, self.one, self.two], data=self.data)
        self.assertEqual(self.widget.comparison.titles, ("One", "Two", "Three"))

        def swatches():
            items = map(self.widget.list.item, range(4))
            return [item.icon().pixmap(10).toImage().pixelColor(5, 5) for item in items]

        palette = self.widget.palette()
        self.assertEqual([color.alpha() for color in swatches()], [0, 255, 255, 255])
        self.assertEqual([c.name() for c in swatches()[1:]], [hue(i, palette).name() for i in range(3)])
        self.widget.list.item(1).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertEqual([c.name() for c in swatches()[2:]], [hue(i, palette).name() for i in range(2)])
        self.assertEqual(swatches()[1].alpha(), 0)

    def test_one_common_feature(self):
        self.give([self.one, scores_table(["x3"], {"Other": np.ones(1)})])
        self.assertTrue(any("1 of 6 features is in" in text for text in self.warnings()))

    def test_scorers_need_data(self):
        self.give([self.one], [ANOVA()])
        self.assertTrue(self.widget.Information.scorers_need_data.is_shown())

    def test_a_scorer_fails(self):
        self.give([self.one], [Failing(), ANOVA()], self.data)
        self.assertTrue(self.widget.Warning.scorer_failed.is_shown())
        self.assertEqual(self.widget.comparison.titles, ("One", "ANOVA"))

    def test_all_scorers_fail(self):
        self.give([], [Failing()], self.data)
        self.assertTrue(self.widget.Warning.scorer_failed.is_shown())
        self.assertIsNone(self.widget.comparison)
        self.assertIsNone(self.out("aggregated"))


class TestScorers(ComparisonTest):
    def test_scorer_of_a_table_is_not_asked(self):
        table = scores_table(self.names, {"ANOVA": np.arange(6.0)})
        anova = ANOVA()
        self.give([table], [anova], self.data)
        self.assertEqual(self.widget.comparison.titles, ("ANOVA",))
        np.testing.assert_array_equal(self.widget.comparison.scores, [np.arange(6.0)])
        self.assertIs(self.widget.comparison.scorer("ANOVA"), anova)

    def test_stop_and_resume(self):
        slow = Slow()
        self.send_signals_multi(
            [(self.widget.Inputs.data, self.data), (self.widget.Inputs.scores, self.one, 0),
             (self.widget.Inputs.scorers, slow, 0)], self.widget,
        )  # fmt: skip
        self.assertEqual(self.widget.run_state, "running")
        self.widget.area.strip.button.click()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertIsNotNone(self.out("aggregated"))
        slow.held = False
        self.widget.area.strip.button.click()
        self.settle()
        self.assertEqual(self.widget.comparison.titles, ("One", "Slow"))

    def test_stability(self):
        self.widget.form.combo.setCurrentIndex(self.widget.form.combo.findData("stability"))
        self.widget.form.spin.setValue(2)
        self.give([self.one], [ANOVA()], self.data)
        self.settle()
        self.assertTrue(self.widget.stable.done)
        found = self.out("aggregated")
        self.assertEqual(found.domain.attributes[0].name, "Stability")
        self.assertEqual(found.X[0, 0], 1)
        self.assertIn("halves", self.seen())
        self.assertFalse(self.widget.Information.stability_needs.is_shown())

    def test_stability_without_scorers(self):
        self.widget = self.make(aggregation="stability")
        self.give([self.one, self.two], data=self.data)
        self.assertTrue(self.widget.Information.stability_needs.is_shown())
        self.assertEqual(self.out("aggregated").domain.attributes[0].name, "Mean rank")


class TestTools(ComparisonTest):
    def test_scores_and_selection_are_those_of_the_widget(self):
        for method, mode in (("best-rank", "share"), ("robust", "from"), ("stability", "best")):
            with self.subTest(method):
                self.widget = self.make(aggregation=method, n_stable=2, mode=mode, n_best=3, share=50.0, threshold=0.1)
                self.give([], [ANOVA(), scorer("multisurf")], self.data)
                found, domain = self.out("aggregated"), self.data.domain
                tools = pickle.loads(pickle.dumps((self.out("scorer"), self.out("preprocessor"))))
                np.testing.assert_array_equal(tools[0](self.data), found.X[:, 0])
                self.assertEqual(tools[1](self.data).domain, self.out("reduced").domain)
                turned = self.data.transform(Domain(domain.attributes[::-1], domain.class_vars))
                np.testing.assert_allclose(tools[0](turned), found.X[::-1, 0])
                kept = tools[1](turned).domain.attributes[::-1]  # of equal scores the same ones
                self.assertEqual(kept, self.out("reduced").domain.attributes)
                fewer = self.data.transform(Domain(domain.attributes[1:], domain.class_vars))
                with self.assertRaisesRegex(ValueError, f"lack {self.names[0]}.*Give data"):
                    tools[1](fewer)

    def test_cross_validation_ranks_training_rows_only(self):
        correlation, data = Correlation(), self.data
        self.give([], [correlation, ANOVA()], data)
        correlation.seen.clear()
        folds = CrossValidation(k=3)(data, [NaiveBayesLearner()], preprocessor=self.out("preprocessor"))
        tested = [set(data.ids[folds.row_indices[fold]]) for fold in folds.folds]
        self.assertEqual(correlation.seen, [set(data.ids) - rows for rows in tested])

    def test_scores_alone_are_refused(self):
        self.give([self.one], [ANOVA()], self.data)
        self.assertIsNone(self.out("scorer"))
        self.assertIsNone(self.out("preprocessor"))
        self.assertIn("One came without a scorer", str(self.widget.Information.fixed))
        self.widget.list.item(0).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertFalse(self.widget.Information.fixed.is_shown())
        made = self.out("scorer")
        np.testing.assert_array_equal(made(self.data), self.out("aggregated").X[:, 0])
        self.widget.commit.now()
        self.assertIs(self.out("scorer"), made)
        self.widget.selection.set_mode("manual")
        self.widget.selection.changed.emit()
        self.assertIsNotNone(self.out("scorer"))
        self.assertIsNone(self.out("preprocessor"))


class TestSelection(ComparisonTest):
    def setUp(self):
        super().setUp()
        self.give([self.one, self.two], data=self.data)

    def test_picked_in_a_view(self):
        self.widget.area.views[1].picked.emit([1, 3])
        self.assertEqual([v.name for v in self.out("features")], ["x1", "x3"])
        self.assertEqual((self.widget.selection.mode, self.widget.selection.manual), ("manual", ["x1", "x3"]))
        table = self.widget.area.views[1].table
        selected = {table.model().rows[index.row()] for index in table.selectionModel().selectedRows()}
        self.assertEqual(selected, {1, 3})

    def test_best_n(self):
        self.select_best(1)
        self.assertEqual([v.name for v in self.out("reduced").domain.attributes], ["x0"])
        self.choose("None")
        self.assertIsNone(self.out("reduced"))
        self.choose("All")
        self.assertEqual(len(self.out("features")), 6)

    def test_not_automatic(self):
        self.select_best(6)
        self.widget.controls.auto_apply.setChecked(False)
        self.select_best(1)
        self.assertEqual(len(self.out("features")), 6)
        self.widget.commit.now()
        self.assertEqual(len(self.out("features")), 1)

    def test_aggregation(self):
        form = self.widget.form
        form.combo.setCurrentIndex(form.combo.findData("robust"))
        form.combo.activated.emit(form.combo.currentIndex())
        self.settle()
        expected = aggregate(self.widget.comparison.scores, "robust").scores
        np.testing.assert_array_equal(self.out("aggregated").X[:, 0], expected)

    def test_a_ranking_is_left_out(self):
        self.widget.list.item(1).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertEqual(self.widget.comparison.titles, ("One", "Three"))
        self.assertEqual(self.widget.left_out, ["Two"])
        self.assertEqual(self.widget.list.count(), 3)
        for row in (0, 2):
            self.widget.list.item(row).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertIsNone(self.out("aggregated"))
        self.assertFalse(self.widget.area.view.drawn)

    def test_picked_features_that_are_gone_are_named(self):
        self.widget = self.make(mode="manual", manual=["x1", "gone"])
        self.give([self.one], data=self.data)
        self.assertEqual([v.name for v in self.out("features")], ["x1"])
        message = "Feature 'gone' of your selection is not in all rankings"
        self.assertEqual(str(self.widget.Warning.not_compared), message)

    def test_p_values_take_part_only_if_they_are_ticked(self):
        tests = {"z": np.arange(6.0), "p": np.arange(6.0) / 6}
        scores = scores_table(self.names, {"One": np.arange(6.0)}, tests)
        self.widget = self.make()
        self.give([scores], data=self.data)
        self.assertEqual(self.widget.comparison.titles, ("One",))
        self.assertEqual(self.widget.list.left_out(), ["z", "p (lower is better)"])
        self.widget.list.item(2).setCheckState(Qt.Checked)
        self.settle()
        self.assertEqual(self.widget.comparison.titles, ("One", "p (lower is better)"))
        self.assertEqual(self.widget.comparison.orders[1].tolist(), [0, 1, 2, 3, 4, 5])
        self.widget = self.make(added=self.widget.added, left_out=self.widget.left_out)
        self.give([scores], data=self.data)
        self.assertEqual(len(self.widget.comparison.titles), 2)


class TestViews(ComparisonTest):
    def test_each_has_picture_and_report(self):
        self.widget = self.make(view_settings=FEW_FOLDS)
        self.give([self.one], [ANOVA(), InfoGain()], self.data, NaiveBayesLearner())
        for view in self.widget.area.views[:3]:
            self.show(view.title)
            self.assertIs(self.widget.area.view, view)
            self.assertTrue(view.drawn, view.title)
            self.assertTrue(self.widget.figure is not None or view.model is not None)
            self.assertTrue(view.caption())
            self.widget.send_report()
            self.assertIn(view.title, self.widget.report_html)
        self.assertIsNotNone(self.out("evaluation"))
        self.widget.data = None
        self.widget.handleNewSignals()
        self.settle()
        self.assertIsNone(self.out("evaluation"))

    def test_web_page(self):
        """Ranks and scores of the ticked rankings; a name that cannot be written is a message."""
        button = self.widget.area.page_button
        self.assertFalse(button.isEnabled())
        self.give([self.one, self.two], data=self.data)
        with tempfile.TemporaryDirectory() as folder:
            self.save_page(os.path.join(folder, "both"))
            text = Path(folder, "both.html").read_text(encoding="utf-8")
            for said in ("rank by One", "score by Three", self.names[5]):
                self.assertIn(said, text)
            self.assertFalse(self.widget.Warning.not_saved.is_shown())
            self.save_page(os.path.join(folder, "no-such", "a.html"))
            self.assertTrue(self.widget.Warning.not_saved.is_shown())
            self.save_page(os.path.join(folder, "a.pdf"))
            self.assertIn("ends in .html", str(self.widget.Warning.not_saved))
            self.assertEqual(os.listdir(folder), ["both.html"])

    def save_page(self, path):
        """Save the comparison as the user does, in a file of this name."""
        with patch.object(QFileDialog, "getSaveFileName", return_value=(path, "")):
            self.widget.area.page_button.click()

    def test_what_a_view_needs_comes_first(self):
        self.widget = self.make(view_settings=FEW_FOLDS)
        self.give([], [ANOVA(), InfoGain()], self.data, NaiveBayesLearner())
        self.assertIsNone(self.out("evaluation"))
        self.show("Statistics")
        self.assertIsNotNone(self.out("evaluation"))

    @pytest.mark.slow
    def test_left_views_go_on(self):
        self.give([self.one, self.two], data=self.data)
        area = self.widget.area
        area.tabs.setCurrentIndex(2)
        self.assertEqual(self.widget.run_state, "running")
        area.tabs.setCurrentIndex(1)
        self.settle()
        self.assertIsNotNone(self.out("evaluation"))

    @pytest.mark.slow
    def test_stopped_views_stay_stopped(self):
        self.give([self.one, self.two], data=self.data)
        self.widget.area.tabs.setCurrentIndex(2)
        self.widget.area.strip.button.click()
        self.assertEqual(self.widget.run_state, "stopped")
        self.show("Ranks")
        self.show("Quality")
        self.assertNotEqual(self.widget.run_state, "running")
        self.widget.area.again()
        self.widget.restart()
        self.settle()
        self.assertTrue(self.widget.area.view.drawn)

    def test_tabs_without_anything_to_show_are_not_offered(self):
        area = self.widget.area
        titles = [view.title for view in area.views]

        def offered():
            return [title for number, title in enumerate(titles) if area.tabs.isTabVisible(number)]

        self.give([self.one, self.two])
        self.assertEqual(offered(), ["Agreement", "Ranks"])
        self.assertTrue(area.views[0].about.text().startswith("FUJI: fuzzy Jaccard index: a feature among the best of"))
        area.show_view("Quality")  # as a workflow may have stored
        self.assertEqual(area.view.title, "Agreement")
        self.give([self.one, self.two], data=self.data)
        self.assertEqual(offered(), ["Agreement", "Ranks", "Quality", "Statistics"])
        self.assertEqual(area.view.title, "Quality")

    def test_failure_is_shown_in_the_view(self):
        self.give([self.one, self.two])
        for error in (ValueError("cannot"), RuntimeError("broken")):
            self.widget._step = self.widget.area.views[0]
            self.widget.on_exception(error)
            self.assertEqual(self.widget.area.views[0].reason.text(), str(error))
            self.assertFalse(self.widget.area.views[0].drawn)
            known = isinstance(error, ValueError)
            self.assertEqual(self.widget.Error.failed.is_shown(), known)
            self.widget.Error.clear()

    @pytest.mark.slow
    def test_dark(self):
        self.give([self.one, self.two], data=self.data)
        self.widget.setPalette(dark_palette())
        for number in range(4):
            self.widget.area.tabs.setCurrentIndex(number)
            self.widget.grab()
        self.settle()

    def test_results_of_what_was_asked_before_do_not_count(self):
        self.give([self.one, self.two], data=self.data)
        view = self.widget.area.view
        for measure in ("weighted_kendall", "jaccard", "overlap", "kendall"):
            view.measure.setCurrentIndex(view.measure.findData(measure))
            view.measure.activated.emit(view.measure.currentIndex())
            self.process_events()
        self.widget.list.item(2).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertTrue(view.drawn)
        self.assertEqual((view.agreements.measure, view.agreements.values.shape[1:]), ("kendall", (2, 2)))


class TestWorkflow(GuiTest):
    @pytest.mark.slow
    def test_example(self):
        with run(Path(tutorials.__file__).parent / "80-ranking-comparison.ows") as result:
            scores = result.output("Ranking Comparison", "Aggregated Scores")
            reduced = result.output("Ranking Comparison", "Reduced Data")
            best = [str(row) for row in scores.metas[np.argsort(-scores.X[:, 0], kind="stable")[:5], 0]]
            self.assertEqual({v.name for v in reduced.domain.attributes}, {*best})
            self.assertEqual(len(reduced), 303)


class TestSettings(ComparisonTest):
    def test_come_back_as_literals(self):
        self.give([self.one, self.two], data=self.data)
        self.show("Ranks")
        self.widget.area.views[1].spin.setValue(3)
        self.widget.area.views[0].measure.setCurrentIndex(1)
        self.widget.area.views[0].measure.activated.emit(1)
        self.widget.area.views[1].picked.emit([2])
        self.widget.list.item(0).setCheckState(Qt.Unchecked)
        self.settle()
        stored = self.packed()
        self.assertEqual(stored["tab"], "Ranks")
        self.assertEqual(stored["view_settings"]["Ranks"], {"most": 3})
        self.widget = self.make(**stored)
        self.give([self.one, self.two], data=self.data)
        self.assertEqual(self.widget.area.view.title, "Ranks")
        self.assertEqual(self.widget.area.views[1].max_rows, 3)
        self.assertEqual(self.widget.comparison.titles, ("Two", "Three"))
        self.assertEqual([v.name for v in self.out("features")], ["x2"])

    def test_nonsense(self):
        self.widget = self.make(tab=3, view_settings=[1], aggregation="none", n_stable="x", left_out="A", mode="?",
                                manual=None, threshold="high")  # fmt: skip
        self.give([self.one, self.two], data=self.data)
        self.assertIsNotNone(self.out("aggregated"))
        self.packed()


if __name__ == "__main__":
    unittest.main()
