"""p-values in rankers: they come after the ranking, grow, stop, decide on the selection, and go out."""

import pickle
import unittest
from dataclasses import replace
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from Orange.classification import NaiveBayesLearner
from Orange.data import Domain, Table
from Orange.evaluation import CrossValidation
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.core.targets.facts import no_p_values
from orangecontrib.reliefe.core.words import sentence
from orangecontrib.reliefe.core.work import threads as parallel
from orangecontrib.reliefe.orange.conversion import arrays, asked
from orangecontrib.reliefe.orange.jobs import p_values, stored_results
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.p_values import N_MORE, Tested, find_p_values
from orangecontrib.reliefe.orange.jobs.scorer_job import ScorerJob, univariate
from orangecontrib.reliefe.orange.jobs.stored_results import restored_test
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker import pvalues
from orangecontrib.reliefe.widgets.ranker.measures import headline, shortage, significance_text
from orangecontrib.reliefe.widgets.ranker.significancepanel import SignificancePanel
from orangecontrib.reliefe.widgets.ranker.suggestedcount import SuggestedCount
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME
from orangecontrib.reliefe.widgets.tests.test_running import State
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

RELIEFF = Job.of("relieff", {"n_neighbors": 10})
TEST = "orangecontrib.reliefe.core.SignificanceTest.of"


def significance(data, method="relieff", **options):
    """That of the core."""
    data = arrays(data, method=method)
    return core.significance(data.X, data.y, method, **asked(data), **options)


def made_up(q, n_shuffles=20, smallest=0.001):
    """Significance with these q; p are as large, and the largest z is that of the smallest q."""
    q = np.array(q)
    return core.Significance(-q, q, q, q, q, n_shuffles, smallest)


class TestFind(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = base.random_table(60, 8)

    def test_partial_results_come_first_and_the_last_is_that_of_the_core(self):
        state = State()
        with patch.object(p_values, "EVERY", 0), patch.object(p_values, "PER_FEATURE", 0):
            found = find_p_values(self.data, RELIEFF, None, 12, state)
        self.assertEqual([part.significance.n_shuffles for part in state.partial], [*range(3, 13)])
        self.assertTrue(found.complete)
        self.assertFalse(state.partial[0].complete)
        expected = significance(self.data, n_shuffles=12)
        for name in ("z", "p", "q"):
            np.testing.assert_array_equal(getattr(found.significance, name), getattr(expected, name))
        self.assertEqual(state.shares, sorted(state.shares))

    def test_more_shuffles_keep_the_first(self):
        first = find_p_values(self.data, RELIEFF, None, 10, State())
        more = find_p_values(self.data, RELIEFF, first, 25, State())
        self.assertIs(more.test, first.test)
        np.testing.assert_array_equal(more.significance.p, significance(self.data, n_shuffles=25).p)

    def test_those_that_the_workflow_kept_are_not_shown_with_fewer(self):
        kept, state = Tested(significance(self.data, n_shuffles=8), 12), State()
        with patch.object(p_values, "EVERY", 0), patch.object(p_values, "PER_FEATURE", 0):
            find_p_values(self.data, RELIEFF, kept, 12, state)
        self.assertEqual([part.significance.n_shuffles for part in state.partial], [9, 10, 11, 12])

    def test_it_can_be_stopped_and_gone_on_with(self):
        state = State(stop_at=6)
        without_pause = patch.object(parallel, "PAUSE", 0)
        with patch.object(p_values, "EVERY", 0), without_pause, self.assertRaises(Interrupted):
            find_p_values(self.data, RELIEFF, None, 40, state)
        known = state.partial[-1] if state.partial else None
        found = find_p_values(self.data, RELIEFF, known, 40, State())
        np.testing.assert_array_equal(found.significance.p, significance(self.data, n_shuffles=40).p)

    def test_scores_of_orange(self):
        gain = next(method for method in univariate() if method.name == "orange.infogain")
        data = base.random_table(80, 5)
        with data.unlocked():
            data.Y[:4] = np.nan
        found = find_p_values(data, ScorerJob(gain), None, None, State()).significance
        self.assertEqual(found.n_shuffles, 199)
        self.assertLess(found.q[0], 0.05)
        self.assertGreater(found.q[1:].min(), 0.05)
        again = find_p_values(data, ScorerJob(gain), None, None, State()).significance
        np.testing.assert_array_equal(again.p, found.p)
        anova = next(method for method in univariate() if method.name == "orange.anova")
        heart = Table("heart_disease")[:100]
        some = find_p_values(heart, ScorerJob(anova), None, 20, State()).significance
        nominal = np.array([v.is_discrete for v in heart.domain.attributes])
        self.assertTrue((some.p[nominal] == 1).all())
        self.assertFalse((some.p[~nominal] == 1).all())


class TestWords(GuiTest):
    def test_headline(self):
        self.assertEqual(headline(made_up([0.01, 0.1, 0.5]), 0.1), "2 of 3 features at FDR 10 % (20 shuffles)")
        self.assertEqual(
            headline(made_up([0.3, 0.5], 7), 0.05, 20),
            "No feature stands out from shuffled targets at FDR 5 % (7 of 20 shuffles)",
        )

    def test_smallest_p(self):
        self.assertIn("use more shuffles", shortage(made_up([0.5] * 20, smallest=0.02), 0.1))
        self.assertEqual(shortage(made_up([0.5] * 20, smallest=0.004), 0.1), "")
        self.assertEqual(shortage(made_up([0.004, 0.004, 0.5], smallest=0.004), 0.1), "p can be no smaller than 0.004")

    def test_what_q_says(self):
        found = made_up([0.01, 0.04, 0.5], smallest=0.01)
        self.assertIn(
            "among the 2 features down to here, about 4 % are expected to be false discoveries",
            significance_text(found, 1),
        )
        self.assertIn("the smallest possible", significance_text(found, 0))
        self.assertIn("own_p = 0.04, by its own shuffles alone", significance_text(found, 1))
        self.assertNotIn("own shuffles", significance_text(made_up([0.01] * 20), 1))
        self.assertNotIn("the smallest possible", significance_text(found, 1))
        constant = core.Significance(*np.array([[-np.inf], [1], [1], [1], [1]]), 20, 1.0)
        self.assertIn("no z", significance_text(constant, 0))

    def test_number_of_discoveries(self):
        label = SuggestedCount()
        label.show_significance(made_up([0.01] * 41 + [0.9] * 9), 0.1)
        self.assertIn("41 stand out (false discovery rate 10 %)", label.text())
        label.show_significance(made_up([0.9]), 0.1)
        self.assertIn("None stands out", label.text())
        self.assertNotIn("href", label.text())
        label.show_significance(None, 0.1)
        self.assertTrue(label.isHidden())


class PValuesTest(base.RankerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.heart, cls.housing = cls.heart[::3], cls.housing[::6]  # rows are ranked again for each shuffle

    def make(self, kind=OWReliefE, **settings):
        usual = {"methods": ["relieff"]} if kind is OWReliefE else {}
        return self.create_widget(kind, stored_settings={**usual, **settings})

    def complete(self, data=None, widget=None):
        """Send data if there are any; wait for the ranking and its p-values."""
        widget = widget or self.widget
        if data is not None:
            self.ready(data, widget)
        self.wait(widget)
        return widget

    def wait(self, widget=None):
        widget = widget or self.widget
        self.settle(widget)
        self.process_events(lambda: not widget.tests.busy, timeout=LIMIT)
        self.settle(widget)

    def metas(self, widget=None):
        return [variable.name for variable in self.out("scores", widget).domain.metas]


class TestInWidget(PValuesTest):
    def test_off_at_first(self):
        widget = self.complete(self.heart)
        self.assertFalse(self.control("p-values", widget).isChecked())
        self.assertTrue(widget.area.significance.isHidden() and self.control("All at FDR", widget).isHidden())
        self.assertEqual(self.metas(), ["Feature"])
        self.assertEqual((widget.selection.mode, widget.area.model.tests), ("best", ()))

    def test_they_come_after_the_ranking_and_are_those_of_the_core(self):
        widget = self.widget
        self.choose("p-values")
        self.send_signal(widget.Inputs.data, self.heart)
        self.process_events(lambda: widget.run_state != "running", timeout=LIMIT)
        self.assertIsNotNone(widget.area.lead)  # the ranking is there, the p-values are not
        self.assertTrue(widget.tests.busy)
        model = widget.area.model
        self.assertEqual([test.title for test in model.tests], ["q", "p"])
        self.wait()
        expected, found = significance(self.heart), self.out("scores")
        self.assertEqual(self.metas(), ["Feature", "z", "p", "q", "kind"])
        for name in ("z", "p", "q"):
            np.testing.assert_array_equal(found.get_column(name), expected.columns[name])
        np.testing.assert_array_equal(found.X[:, 0], rank(self.heart, "relieff").scores)
        self.assertEqual(model.tests[0].text_of(0), f"{expected.q[0]:.2g}")
        line = widget.area.significance.label.text()
        self.assertTrue(line.startswith(f"ReliefF: {expected.n_shuffles} shuffles"), line)
        self.assertNotIn("FDR", line)  # the sentence above has the number of significant features
        self.assertFalse(widget.isInvalidated())

    def test_the_first_sentence_is_that_of_scripts(self):
        widget = self.complete(self.heart)
        shown = widget.area.conclusion
        self.assertTrue(shown.text().startswith("13 features ranked for 0 and 1 of diameter narrowing: "), shown.text())
        self.choose("p-values")
        self.wait()
        self.assertEqual(shown.text(), rank(self.heart, "relieff", significance=True).conclusion)
        self.send_signal(widget.Inputs.data, None)
        self.assertEqual(shown.text(), "")

    def test_the_selection_stays_where_it_is(self):
        widget = self.complete(self.heart)
        before = self.out("features")
        self.choose("p-values")
        self.wait()
        self.assertEqual(widget.selection.mode, "best")
        self.assertEqual(self.out("features"), before)
        self.assertFalse(self.control("All at FDR").isHidden())
        self.assertFalse(self.control("False discovery rate").isHidden())
        self.choose("All at FDR", widget=widget)
        self.wait()
        self.choose("p-values")
        self.assertEqual(widget.selection.mode, "best")
        self.wait()
        self.assertEqual(self.metas(), ["Feature"])

    def test_nothing_is_suggested_before_all_shuffles_are_made(self):
        widget, seen = self.make(p_values=True), []
        box = widget.suggested_count
        with patch.object(p_values, "EVERY", 0), patch.object(p_values, "PER_FEATURE", 0):
            widget.tests.changed.connect(lambda: seen.append((widget.tests.found(widget.lead_job()), box.isHidden())))
            self.complete(self.heart, widget)
        partial = [hidden for tested, hidden in seen if tested is not None and not tested.complete]
        self.assertTrue(partial and all(partial), seen)
        self.assertFalse(box.isHidden())

    def test_whoever_selects_by_them_gets_them(self):
        widget = self.complete(self.heart)
        self.choose("All at FDR", widget=widget)
        self.assertTrue(widget.tests.ticked and self.control("p-values", widget).isChecked())
        self.wait()
        self.assertEqual(len(self.out("features")), len(significance(self.heart).discoveries(0.1)))
        self.choose("False discovery rate", 0.01, widget)
        self.wait()
        self.assertEqual(widget.selection.level, 0.01)
        self.assertEqual(
            {v.name for v in self.out("features") or ()},
            {self.heart.domain.attributes[f].name for f in significance(self.heart).discoveries(0.01)},
        )

    def test_a_level_does_not_change_another_selection(self):
        widget = self.complete(self.heart, self.make(p_values=True, mode="all"))
        self.choose("False discovery rate", 0.05, widget)
        self.wait(widget)
        self.assertEqual((widget.selection.mode, widget.selection.level), ("all", 0.05))
        self.assertEqual(len(self.out("features", widget)), 13)

    def test_those_of_other_features_are_refused(self):
        """They were put beside the scores, and an event of the window failed."""
        widget = self.make(p_values=True)
        with patch.object(core.SignificanceTest, "result", lambda test: made_up([0.01, 0.5, 0.5, 0.5])):
            self.complete(self.heart, widget)
        self.assertIn("The result is of 4 features, and 13 are ranked", self.seen(widget))
        self.assertEqual(self.metas(widget), ["Feature"])
        self.assertEqual(len(self.out("scores", widget)), 13)
        self.assertFalse(widget.isInvalidated())

    def test_rankings_of_other_data_are_refused(self):
        widget = self.complete(self.heart)
        of_heart = widget.result
        self.complete(base.random_table(60, 4))
        widget.on_partial_result(of_heart)
        self.assertEqual(len(widget.area.lead.values), 4)
        self.assertIsNot(widget.result, of_heart)

    def test_nothing_is_sent_before_the_selection_is_known(self):
        widget = self.make(p_values=True, mode="fdr")
        with patch.object(widget.Outputs.reduced, "send") as send:
            self.send_signal(widget.Inputs.data, self.heart, widget=widget)
            self.process_events(lambda: widget.tests.busy, timeout=LIMIT)
            send.assert_not_called()
            self.assertTrue(widget.isInvalidated())
            self.wait(widget)
            send.assert_called_once()
        self.assertFalse(widget.isInvalidated())

    def test_more_shuffles(self):
        data = base.random_table(60, 150)
        widget = self.complete(data, self.make(p_values=True, mode="all"))
        job = widget.lead_job()
        few = widget.tests.found(job)
        self.assertEqual((few.significance.n_shuffles, few.n_requested), (20, 20))
        button = widget.area.significance.button
        self.assertEqual(button.text(), "&More shuffles")
        button.click()
        self.assertIs(widget.tests.found(job).significance, few.significance)  # until there are more
        self.wait(widget)
        many = widget.tests.found(job)
        self.assertIs(many.test, few.test)
        self.assertEqual(many.significance.n_shuffles, N_MORE)
        expected = significance(data, n_shuffles=N_MORE)
        np.testing.assert_array_equal(self.out("scores", widget).get_column("p"), expected.p)
        self.assertIn(f"ReliefF: {N_MORE} shuffles", self.seen(widget))

    def test_stop_keeps_what_there_is(self):
        data = base.random_table(600, 120)
        widget = self.make(p_values=True, mode="fdr")
        self.complete(data, widget)
        button = widget.area.significance.button
        with patch.object(p_values, "EVERY", 0), patch.object(p_values, "N_MORE", 5000):
            button.click()
            self.process_events(lambda: widget.area.lead.significance.n_shuffles > 20, timeout=LIMIT)
        future = widget.tests.task.future
        self.assertEqual(button.text(), "Sto&p")
        button.click()
        self.assert_stopped(future)
        self.assertFalse(widget.tests.busy)
        made = widget.area.lead.significance.n_shuffles
        self.assertTrue(20 < made < 5000)
        self.settle(widget)
        self.assertIn("p", self.metas(widget))
        expected = significance(data, n_shuffles=made)
        np.testing.assert_array_equal(widget.area.lead.significance.p, expected.p)
        self.assertEqual(button.text(), "Sh&uffle")
        self.assertFalse(widget.isInvalidated())
        widget.refresh()
        self.assertFalse(widget.tests.busy)  # it stays stopped
        button.click()
        self.assertTrue(widget.tests.busy)
        self.choose("p-values", widget=widget)

    def test_they_belong_to_the_score_that_leads_and_are_kept(self):
        widget = self.make(methods=["relieff", "multisurf"], p_values=True, leading="relieff")
        self.complete(self.heart, widget)
        np.testing.assert_array_equal(widget.area.lead.significance.p, significance(self.heart).p)
        self.choose("Leading score", "multisurf", widget)
        self.wait(widget)
        found = widget.area.lead.significance
        np.testing.assert_array_equal(found.p, significance(self.heart, "multisurf").p)
        with patch.object(pvalues, "find_p_values") as again:
            self.choose("Leading score", "relieff", widget)
            self.wait(widget)
            again.assert_not_called()
        np.testing.assert_array_equal(self.out("scores", widget).get_column("p"), significance(self.heart).p)

    def test_other_data(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        self.complete(self.housing, widget)
        self.assertIsNotNone(widget.area.lead.significance)
        self.assertEqual(len(widget.area.model.tests), 3)
        self.ready(None, widget)
        self.assertIsNone(self.out("scores", widget))
        self.assertEqual(widget.area.model.tests, ())
        self.complete(self.heart, widget)
        self.assertEqual(len(widget.area.model.tests), 3)

    def test_one_class_and_failure_are_told(self):
        widget = self.make(p_values=True, mode="fdr")
        self.ready(self.heart[self.heart.Y == 1], widget)
        self.assertTrue(widget.Error.one_class.is_shown())
        self.assertIsNone(self.out("scores", widget))
        self.assertFalse(widget.tests.busy or widget.isInvalidated())
        with patch(TEST, side_effect=ValueError("no way")):
            self.complete(self.heart, widget)
        self.assertIn("no way", self.seen(widget))
        self.assertEqual(len(self.out("scores", widget)), 13)
        self.assertIsNone(self.out("features", widget))
        self.assertFalse(widget.isInvalidated())
        widget.area.significance.button.click()
        self.wait(widget)
        self.assertIsNotNone(widget.area.lead.significance)

    def test_too_few_rows(self):
        rows = self.heart[[0, 1, 2]]
        widget = self.complete(rows, self.make(p_values=True, mode="fdr"))
        self.assertIn("None of 13 features stands out", self.seen(widget))
        self.assertIn("3 rows are too few for a test", widget.area.significance.label.toolTip())
        self.assertIsNone(self.out("features", widget))

    def test_deleting_ends_it(self):
        widget = self.make(p_values=True)
        self.ready(base.random_table(800, 60), widget)
        future = widget.tests.task.future
        widget.onDeleteWidget()
        self.assert_stopped(future)

    def test_z_on_demand(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        self.choose("Show z", widget=widget)
        self.assertEqual([test.title for test in widget.area.model.tests], ["q", "kind", "p", "z"])
        self.assertTrue(widget.tests.show_z)

    def test_report_and_meaning(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        widget.send_report()
        self.assertIn(headline(widget.area.lead.significance, 0.1), widget.report_html)
        widget.area.significance.label.linkActivated.emit("means")
        self.assertIn("families", widget.area.significance.meaning.text())
        widget.area.significance.meaning.close()

    def test_discoveries_are_a_click_away(self):
        widget = self.complete(self.heart, self.make(p_values=True, mode="all"))
        widget.suggested_count.linkActivated.emit("discoveries")
        self.settle(widget)
        self.assertEqual(widget.selection.mode, "fdr")
        self.assertEqual(len(self.out("features", widget)), len(significance(self.heart).discoveries()))


class TestPanel(GuiTest):
    def test_progress_before_the_first_shuffles(self):
        panel = SignificancePanel()
        panel.set_state(None, 0.1, True, "ReliefF & more")
        panel.set_progress(7)
        self.assertIn("ReliefF &amp; more: shuffling the target: 7 %", panel.label.text())
        few = Tested(made_up([0.01], 3), 30)
        panel.set_state(few, 0.1, True, "ReliefF")  # too few to say how many stand out
        panel.set_progress(9)
        self.assertIn("ReliefF: shuffling the target: 9 %", panel.label.text())
        panel.set_state(few, 0.1, False, "ReliefF")  # stopped
        self.assertIn("(3 of 30 shuffles)", panel.label.text())
        panel.set_state(Tested(made_up([0.01]), 30), 0.1, True, "ReliefF")
        self.assertIn("1 feature at family-wise 5 %", panel.label.toolTip())
        panel.set_progress(9)
        self.assertIn("20 of 30 shuffles", panel.label.text())


class TestOtherRankers(PValuesTest):
    def test_without_a_target_there_are_none(self):
        widget = self.make(OWURelief, p_values=True, mode="fdr")
        self.complete(self.heart, widget)
        self.assertTrue(self.control("p-values", widget).isHidden() and widget.area.significance.isHidden())
        self.assertTrue(self.control("All at FDR", widget).isHidden())
        self.assertFalse(widget.isInvalidated())
        self.assertEqual(self.metas(widget), ["Feature"])
        self.assertEqual(len(self.out("features", widget)), 10)  # as if FDR had never been chosen
        no_target = self.heart.transform(Domain(self.heart.domain.attributes))
        for kind in (OWSSLRelief, OWPCTRanker):
            widget = self.complete(no_target, self.make(kind, parameters={"pct": {"n_trees": 5}}))
            self.assertFalse(self.control("p-values", widget).isEnabled())
            self.assertEqual(self.control("p-values", widget).toolTip(), sentence(no_p_values()))
            self.assertTrue(widget.area.significance.isHidden())
            self.choose("All at FDR", widget=widget)
            self.wait(widget)
            self.assertIn(sentence(no_p_values()), self.seen(widget))
            self.assertTrue(widget.area.significance.button.isHidden())
            self.assertIsNone(self.out("features", widget))
            self.complete(self.heart, widget)
            self.assertTrue(self.control("p-values", widget).isEnabled())

    def test_few_labels(self):
        data = self.heart.copy()
        with data.unlocked():
            data.Y[::2] = np.nan
        widget = self.complete(data, self.make(OWSSLRelief, p_values=True))
        self.assertEqual(self.metas(widget), ["Feature", "z", "p", "q", "kind"])
        self.assertEqual(
            widget.lead_job().values["w0"], widget.result.rankings[widget.panel.job("sslrelief")].info["w0"]
        )

    def test_trees(self):
        widget = self.make(OWPCTRanker, p_values=True, parameters={"pct": {"n_trees": 5}})
        self.complete(self.heart[::3], widget)
        self.assertFalse(widget.area.lead.significance.closed_form)
        self.assertEqual(self.metas(widget), ["Feature", "z", "p", "q", "kind"])


class TestSettings(PValuesTest):
    def stored(self, widget):
        stored = widget.settingsHandler.pack_data(widget)
        stored.pop("savedWidgetGeometry", None)
        return stored

    def test_workflows_keep_them(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        stored = self.stored(widget)
        with patch.object(pvalues, "find_p_values") as again:
            reopened = self.create_widget(OWReliefE, stored_settings=dict(stored))
            self.complete(self.heart, reopened)
            again.assert_not_called()
        np.testing.assert_array_equal(self.out("scores", reopened).metas, self.out("scores", widget).metas)
        self.assertEqual(self.stored(reopened), stored)
        self.assertIn("More", reopened.area.significance.button.text())
        other = self.create_widget(OWReliefE, stored_settings=dict(stored))
        self.complete(self.heart[:200], other)
        np.testing.assert_array_equal(self.out("scores", other).get_column("p"), significance(self.heart[:200]).p)

    def test_stopped_ones_of_a_workflow_go_on_to_the_number_that_was_wanted(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        job = widget.lead_job()
        few = widget.tests.found(job)
        widget.tests.record(job).result = replace(few, n_requested=N_MORE)  # as if it had been stopped on the way
        reopened = self.create_widget(OWReliefE, stored_settings=self.stored(widget))
        self.complete(self.heart, reopened)
        tested = reopened.tests.found(reopened.lead_job())
        self.assertEqual((tested.significance.n_shuffles, tested.n_requested), (N_MORE, N_MORE))
        np.testing.assert_array_equal(tested.significance.p, significance(self.heart, n_shuffles=N_MORE).p)

    def test_many_features_are_not_kept(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        with patch.object(stored_results, "MAX_SCORES", 20):
            self.assertEqual(self.stored(widget)["tests"]["stored"], {})

    def test_what_another_hand_wrote_is_computed(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        stored = self.stored(widget)
        (key, kept), *_ = stored["tests"]["stored"]["rankings"].items()
        data, job = stored["tests"]["stored"]["data"], widget.lead_job()
        self.assertIsNotNone(restored_test(stored["tests"]["stored"], data, job, 13))
        wrong_parts = [("scores", stored_results.encoded(b"")), ("scores", "no text"), ("scores", kept["told"])]
        for part, wrong in (*wrong_parts, ("told", kept["scores"]), ("told", "")):
            tested = {**stored["tests"]["stored"], "rankings": {key: {**kept, part: wrong}}}
            self.assertIsNone(restored_test(tested, data, job, 13))
        again = self.create_widget(OWReliefE, stored_settings={**stored, "tests": {"ticked": True, "stored": tested}})
        self.complete(self.heart, again)
        np.testing.assert_array_equal(self.out("scores", again).metas, self.out("scores", widget).metas)

    def test_selection_in_each_fold(self):
        widget, some = self.complete(self.heart, self.make(p_values=True, mode="fdr")), self.heart[:60]
        preprocessor = self.out("preprocessor", widget)
        kept = preprocessor(some).domain.attributes
        real = significance(some).discoveries(0.1)
        self.assertEqual({v.name for v in kept}, {some.domain.attributes[f].name for f in real})
        again = pickle.loads(pickle.dumps(preprocessor))(some)
        self.assertEqual(again.domain.attributes, kept)
        results = CrossValidation(k=2)(some, [NaiveBayesLearner()], preprocessor=preprocessor)
        self.assertEqual(len(results.actual), 60)


class TestTable(PValuesTest):
    def test_what_is_above_the_level_is_dull_and_a_line_follows_the_rest(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        model, lead = widget.area.model, widget.area.lead
        for f in range(13):
            self.assertEqual(model.dull(f), lead.significance.q[f] > 0.1)
        last = np.flatnonzero(lead.real[model.rows])[-1]
        self.assertEqual(model.last_real(), last)
        model.sort(NAME)
        self.assertIsNone(model.last_real())
        q = model.place("p: q")
        model.sort(q, Qt.AscendingOrder)
        self.assertEqual(model.last_real(), int(lead.real.sum()) - 1)
        np.testing.assert_array_equal(model.rows, np.argsort(-lead.significance.z, kind="stable"))
        self.assertIn("are expected to be false discoveries", model.data(model.index(0, NAME), Qt.ToolTipRole))
        self.assertIn("false discovery", model.headerData(q, Qt.Horizontal, Qt.ToolTipRole).lower())
        widget.area.table.grab()

    def test_kinds_follow_the_level_and_go_out(self):
        widget = self.complete(self.heart[:60], self.make(p_values=True))
        model, found = widget.area.model, significance(self.heart[:60])
        self.choose("False discovery rate", 0.01, widget)
        self.wait(widget)
        kinds = found.kinds(0.01).tolist()
        self.assertNotEqual(kinds, found.kinds(0.1).tolist())
        column = model.column("p: kind")
        self.assertEqual(column.values, kinds)
        self.assertIn("FDR 1 %", column.tip)
        self.assertEqual(self.out("scores", widget).get_column("kind").tolist(), kinds)
        model.sort(model.place("p: kind"), Qt.AscendingOrder)
        self.assertIsNone(model.last_real())

    def test_new_p_values_keep_the_order(self):
        widget = self.complete(self.heart, self.make(p_values=True))
        model = widget.area.model
        model.sort(model.place("p: q"), Qt.AscendingOrder)
        self.choose("Show z", widget=widget)
        self.assertEqual(model.sorted_by, (model.place("p: q"), Qt.AscendingOrder))
        self.choose("False discovery rate", 0.01, widget)
        self.assertEqual(model.sorted_by, (model.place("p: q"), Qt.AscendingOrder))
        self.assertEqual(model.columnCount(), FIRST_SCORE + 1 + 4)


if __name__ == "__main__":
    unittest.main()
