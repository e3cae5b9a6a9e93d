"""Scores of Orange and of connected scorers, beside the methods."""

import ast
import threading
import unittest
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.classification import LogisticRegressionLearner, NaiveBayesLearner, RandomForestLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import score
from Orange.projection import PCA

from orangecontrib.reliefe import PermutationImportance
from orangecontrib.reliefe.core import Interrupted
from orangecontrib.reliefe.orange.jobs import scorer_job
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.jobs.run import run, run_with_scorers
from orangecontrib.reliefe.orange.jobs.scorer_job import ScorerJob, connected, scores_of, univariate
from orangecontrib.reliefe.orange.scorers import ReliefF
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

CHEAP = {"parameters": {"reliefe": {"embedding": None}, "pct": {"n_trees": 5}}}


class Broken(score.Scorer):
    """Fails in a way that nobody foresees."""

    name = "Broken"
    class_type = score.Variable

    def __call__(self, data, feature=None):
        raise KeyError("inside")


class Slow(Broken):
    """Waits until it is told to go on."""

    name = "Slow"

    def __init__(self):
        self.begun, self.enough = threading.Event(), threading.Event()

    def __call__(self, data, feature=None):
        self.begun.set()
        self.enough.wait(60)
        return np.arange(len(data.domain.attributes), dtype=float)


def job_of(scorer):
    """The job of a connected scorer."""
    return ScorerJob(connected([scorer], ())[0])


class TestScores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.heart, cls.housing = Table("heart_disease"), Table("housing")

    def test_scores_are_those_of_orange(self):
        for method in univariate():
            data = self.housing if "regression" in method.tasks else self.heart
            numeric = [v for v in data.domain.attributes if v.is_continuous]
            found = ScorerJob(method).rank(data, lambda share: None)
            for feature, value in zip(data.domain.attributes, found.scores, strict=True):
                if feature in numeric or method.scorer.feature_type is score.DiscreteVariable:
                    self.assertAlmostEqual(value / method.scorer(data, feature), 1, 12, (method.title, feature))
                else:
                    self.assertTrue(np.isnan(value), (method.title, feature))
            self.assertEqual((found.info["instances"], found.info["summary"]), (len(data), f"{len(data)} rows"))

    def test_in_parts_they_are_the_same(self):
        data = base.random_table(30, 7)
        for method in univariate():
            if "classification" in method.tasks:
                shares = []
                with patch.object(scorer_job, "BLOCK", 3):
                    found = ScorerJob(method).rank(data, shares.append)
                np.testing.assert_allclose(found.scores, method.scorer(data), rtol=1e-12)
                self.assertEqual(shares, [0, 3 / 7, 6 / 7])

    def test_learners_and_projections(self):
        forest = RandomForestLearner(random_state=0, n_estimators=5)
        np.testing.assert_array_equal(scores_of(forest, self.heart), forest.score_data(self.heart)[0])
        parts = LogisticRegressionLearner().score_data(Table("iris"))
        np.testing.assert_array_equal(scores_of(LogisticRegressionLearner(), Table("iris")), parts.mean(axis=0))
        self.assertEqual(scores_of(PCA(), self.housing).shape, (13,))
        again = job_of(forest).scorer()
        np.testing.assert_array_equal(again(self.heart), forest.score_data(self.heart)[0])
        self.assertEqual(again(self.heart, "age"), again(self.heart)[0])

    def test_what_does_not_fit_is_refused(self):
        wrong = SimpleNamespace(feature_type=None)
        with self.assertRaises(TypeError):
            scores_of(wrong, self.heart)
        with self.assertRaisesRegex(ValueError, "13 features"):
            scores_of(lambda data: np.zeros(4), self.heart)
        constant = Table("heart_disease")[:, ["gender", "thal", self.heart.domain.class_var]]
        anova = next(method for method in univariate() if method.title == "ANOVA")
        with self.assertRaisesRegex(ValueError, "no feature has a score"):
            ScorerJob(anova).rank(constant, lambda share: None)

    def test_titles_are_unique(self):
        titles = [method.title for method in connected([ReliefF(), ReliefF()], ["ReliefF"])]
        self.assertEqual(len({*titles, "ReliefF"}), 3)

    def test_null_level(self):
        gain = ScorerJob(univariate()[0])
        found = gain.null_level(self.heart, lambda share: None, 5)
        self.assertEqual((len(found.maxima), found.level), (5, found.maxima.max()))
        self.assertLess(found.level, np.nanmax(gain.rank(self.heart, lambda share: None).scores))
        self.assertEqual(found.level, gain.null_level(self.heart, lambda share: None, 5).level)

    def test_permuted_targets_keep_their_weights(self):
        """Orange's gain counts rows by their weights. Null gains were five times as large without them."""
        random = np.random.default_rng(0)
        gain = ScorerJob(univariate()[0])
        y = random.integers(0, 2, 80)
        features = [ContinuousVariable(f"x{j}") for j in range(20)]
        domain = Domain(features, DiscreteVariable("y", values=("a", "b")))
        table = Table.from_numpy(domain, random.normal(size=(80, 20)), y, W=np.where(y == 1, 5.0, 0.3))
        order = np.random.default_rng(0).permutation(80)
        expected = Table.from_numpy(domain, table.X, table.Y[order], W=table.W[order])
        level = gain.null_level(table, lambda share: None, 1).level
        self.assertAlmostEqual(level, univariate()[0].scorer(expected).max(), 12)


class State:
    """Orange's task state without a thread."""

    def __init__(self):
        self.partial, self.stop = [], False

    def set_status(self, text):
        pass

    def set_progress_value(self, value):
        pass

    def set_partial_result(self, result):
        self.partial.append(result)

    def is_interruption_requested(self):
        return self.stop


class TestBeside(unittest.TestCase):
    def test_neither_waits_for_the_other(self):
        slow, data, state = Slow(), base.random_table(40, 5), State()
        own = base.core_job("relieff")
        jobs = [own, job_of(slow), job_of(score.InfoGain())]

        def ranks(*args):
            self.assertTrue(slow.begun.wait(60))
            result = run(*args)
            slow.enough.set()
            return result

        result = run_with_scorers(ranks, data, jobs, Result(), state)
        self.assertTrue(all(map(result.is_final, jobs)))
        self.assertTrue(any(list(partial.rankings) == [own] for partial in state.partial))

    def test_a_stop_does_not_wait_for_a_scorer(self):
        slow, state = Slow(), State()
        job = job_of(slow)

        def ranks(*args):
            slow.begun.wait(60)
            raise Interrupted

        with self.assertRaises(Interrupted):
            run_with_scorers(ranks, base.random_table(40, 5), [base.core_job("relieff"), job], Result(), state)
        state.stop = True
        with self.assertRaises(Interrupted):
            run_with_scorers(run, base.random_table(40, 5), [job], Result(), state)
        slow.enough.set()

    def test_all_fail(self):
        with self.assertRaisesRegex(ValueError, "Broken: KeyError: 'inside'"):
            run_with_scorers(run, base.random_table(40, 5), [job_of(Broken())], Result(), State())


class TestGroup(base.RankerTest):
    def group(self, widget=None):
        """The fold, opened by a click."""
        group = (widget or self.widget).panel.scorers
        if not group.fold.isChecked():
            group.fold.click()
        return group

    def click(self, title, widget=None):
        """Tick or untick in the group by the keyboard."""
        listed = self.group(widget).list
        row = next(row for row in range(listed.count()) if listed.item(row).text() == title)
        listed.setCurrentRow(row)
        QTest.keyClick(listed, Qt.Key_Space)
        self.settle(widget)

    def titles(self, widget=None):
        return [v.name for v in self.out("scores", widget).domain.attributes]

    def test_further_columns_of_the_same_table(self):
        widget = self.ready(self.heart)
        chosen = {*self.out("features")}
        self.assertFalse(self.group().list.isHidden())
        self.assertEqual(self.group().list.selectedItems(), [])
        self.click("Information gain")
        self.click("ANOVA")
        self.assertEqual(self.titles(), ["MultiSURF", "Information gain", "ANOVA"])
        self.assertEqual({*self.out("features")}, chosen)  # as before: they stand beside
        np.testing.assert_array_equal(self.out("scores").X[:, 1], score.InfoGain()(self.heart))
        widget.area.table.sortByColumn(FIRST_SCORE + 1, Qt.DescendingOrder)
        self.select_best(2, widget)
        self.settle()
        self.assertEqual(widget.leading, "orange.infogain")
        self.assertEqual({v.name for v in self.out("features")}, {"thal", "chest pain"})
        reduced = self.out("preprocessor")(self.heart)
        self.assertEqual({v.name for v in reduced.domain.attributes}, {"thal", "chest pain"})
        self.assertIsInstance(self.out("scorer"), score.InfoGain)
        self.click("Information gain")
        self.assertEqual(self.titles(), ["MultiSURF", "ANOVA"])

    def test_they_stay_beside_any_choice_and_in_the_workflow(self):
        widget = self.ready(self.heart, self.create_widget(OWReliefE, stored_settings=CHEAP | {"preset": "quick"}))
        self.click("Gain ratio", widget)
        self.assertEqual(widget.panel.preset, "quick")
        stored = widget.settingsHandler.pack_data(widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        again = self.create_widget(OWReliefE, stored_settings=stored)
        self.assertFalse(again.panel.scorers.list.isHidden())
        self.ready(self.heart, again)
        self.assertEqual(self.titles(again), self.titles(widget))
        self.assertIn("Gain ratio", self.titles(again))
        self.ready(self.housing, again)
        self.assertNotIn("Gain ratio", self.titles(again))
        self.click("Univariate regression", again)
        self.assertIn("Univariate regression", self.titles(again))

    def test_scores_alone(self):
        widget = self.ready(self.heart)
        self.click("Gini decrease")
        self.tick()
        self.settle()
        self.assertEqual((self.titles(), widget.run_state), (["Gini decrease"], "idle"))
        self.ready(self.housing)
        self.assertEqual(self.titles(), ["MultiSURF"])  # or else there would be no ranking

    def test_all_rankers(self):
        for kind in (OWReliefE, OWSSLRelief, OWPCTRanker):
            widget = self.ready(self.heart, self.create_widget(kind, stored_settings=CHEAP))
            before = self.titles(widget)
            self.assertFalse(widget.panel.method_box.isHidden())
            self.click("Information gain", widget)
            self.assertEqual(self.titles(widget), [*before, "Information gain"])
            widget.area.table.sortByColumn(FIRST_SCORE + len(before), Qt.DescendingOrder)
            self.settle(widget)
            self.assertEqual(widget.area.lead.title, "Information gain")
            self.assertIsInstance(self.out("scorer", widget), score.InfoGain)
            self.click("Chi-squared", widget)
            self.assertEqual(self.titles(widget), [*before, "Information gain", "Chi-squared"])
            self.assertEqual(list(widget.Error.active), [])
            self.assertFalse(widget.Warning.method_failed.is_shown())
        widget = self.ready(self.heart, self.create_widget(OWURelief))
        self.assertTrue(widget.panel.scorers.isHidden())  # they need a target

    def test_the_forest_is_the_same_beside_scores(self):
        stored = {"parameters": {"pct": {"n_trees": 7}}}
        alone = self.ready(self.heart, self.create_widget(OWPCTRanker, stored_settings=stored))
        beside_it = self.create_widget(OWPCTRanker, stored_settings=stored | {"methods": ["pct", "orange.gini"]})
        self.ready(self.heart, beside_it)
        np.testing.assert_array_equal(self.out("scores", alone).X, self.out("scores", beside_it).X[:, :3])
        beside_it.area.table.sortByColumn(FIRST_SCORE + 3, Qt.DescendingOrder)
        self.settle(beside_it)
        beside_it.area.strip.button.click()  # twice as many trees
        self.settle(beside_it)
        self.assertEqual(beside_it.found["trees"], 14)
        self.assertEqual(len(self.titles(beside_it)), 4)

    def test_null_level_and_stability_of_a_score(self):
        widget = self.make(methods=["multisurf", "orange.infogain"], leading="orange.infogain", stability=True)
        widget.show()
        self.ready(self.heart, widget)
        job = widget.panel.job("orange.infogain")
        self.process_events(lambda: widget.nulls.found(job) and widget.stabilities.state(job)[1] == "Stability"
                            and widget.stabilities.found(job), timeout=LIMIT)  # fmt: skip
        self.assertGreater(widget.area.lead.null, 0)
        self.assertEqual(widget.area.lead.chances(3).shape, (13,))
        widget.hide()


class TestConnected(base.RankerTest):
    def connect(self, *these, widget=None):
        """Connect these, in turn, as further links."""
        widget = widget or self.widget
        for number, scorer in enumerate(these):
            self.send_signal(widget.Inputs.scorers, scorer, number, widget=widget)
        self.settle(widget)

    def titles(self, widget=None):
        return [v.name for v in self.out("scores", widget).domain.attributes]

    def test_it_is_ticked_and_does_not_data_changed(self):
        self.ready(self.heart)
        before = self.widget.result.rankings[self.widget.panel.job("multisurf")]
        forest = RandomForestLearner(random_state=0, n_estimators=5)
        forest.name = "Forest"
        self.connect(forest, ReliefF(n_neighbors=3))
        self.assertEqual(self.titles(), ["MultiSURF", "Forest", "ReliefF (1)"])
        self.assertIs(self.widget.result.rankings[self.widget.panel.job("multisurf")], before)
        np.testing.assert_array_equal(self.out("scores").X[:, 2], ReliefF(n_neighbors=3)(self.heart))
        self.widget.area.table.sortByColumn(FIRST_SCORE + 1, Qt.DescendingOrder)
        self.select_best(3)
        self.settle()
        reduced = self.out("preprocessor")(self.heart)
        self.assertEqual({*reduced.domain.attributes}, {*self.out("features")})
        self.send_signal(self.widget.Inputs.scorers, None, 0)
        self.settle()
        self.assertEqual(self.titles(), ["MultiSURF", "ReliefF (1)"])

    def test_permutation_importance_of_a_connected_model(self):
        self.ready(self.heart)
        self.send_signal(self.widget.Inputs.models, NaiveBayesLearner(), 0)
        self.settle()
        self.assertEqual(self.titles(), ["MultiSURF", "naive bayes, permuted"])
        expected = PermutationImportance(NaiveBayesLearner())(self.heart)
        np.testing.assert_array_equal(self.out("scores").X[:, 1], expected)
        self.ready(self.housing)
        self.assertEqual(self.titles()[:2], ["RReliefF", "MultiSURF"])  # and no importance of a model for classes
        self.send_signal(self.widget.Inputs.models, None, 0)
        self.ready(self.heart)
        self.assertEqual(self.titles(), ["MultiSURF"])

    def test_unticked_it_stays_so_in_the_workflow(self):
        self.ready(self.heart)
        self.connect(score.InfoGain())
        self.assertEqual(self.titles(), ["MultiSURF", "Info gain"])
        group = self.widget.panel.scorers.list
        row = next(row for row in range(group.count()) if group.item(row).text() == "Info gain")
        group.item(row).setCheckState(Qt.Unchecked)
        self.settle()
        self.assertEqual(self.titles(), ["MultiSURF"])
        again = self.make(unticked=self.widget.panel.unticked)
        self.connect(score.InfoGain(), widget=again)
        self.ready(self.heart, again)
        self.assertEqual(self.titles(again), ["MultiSURF"])

    def test_a_failure_names_the_scorer_and_harms_nobody(self):
        self.connect(Broken(), score.InfoGain(), score.UnivariateLinearRegression())
        self.ready(self.heart)
        self.assertEqual(self.titles(), ["MultiSURF", "Info gain"])
        self.assertEqual(str(self.widget.Warning.method_failed), "Broken: KeyError: 'inside'")
        self.ready(self.housing)
        self.assertEqual(self.titles(), ["RReliefF", "MultiSURF", "Univariate linear regression"])
        self.send_signal(self.widget.Inputs.scorers, None, 0)
        self.settle()
        self.assertFalse(self.widget.Warning.method_failed.is_shown())

    def test_others_are_there_and_sent_while_one_works(self):
        slow, widget = Slow(), self.widget
        self.send_signal(widget.Inputs.scorers, slow, 0)
        self.send_signal(widget.Inputs.data, self.heart)
        self.process_events(lambda: widget.area.lead is not None and slow.begun.is_set(), timeout=LIMIT)
        self.process_events(lambda: not widget.isInvalidated(), timeout=LIMIT)
        self.assertEqual(widget.run_state, "running")
        self.assertEqual(self.titles(), ["MultiSURF"])
        widget.area.strip.button.click()
        self.settle()
        self.assertEqual(self.titles(), ["MultiSURF"])
        slow.enough.set()
        widget.area.strip.button.click()
        self.settle()
        self.assertEqual(self.titles(), ["MultiSURF", "Slow"])

    def test_without_a_target(self):
        widget = self.create_widget(OWURelief)
        self.connect(PCA(), widget=widget)
        self.ready(self.heart, widget)
        self.assertFalse(widget.panel.scorers.isHidden())
        self.assertEqual(self.titles(widget), ["URelief", "PCA"])
        self.assertIn("PCA", widget.selection.leading.itemText(1))
        self.send_signal(widget.Inputs.scorers, None, 0, widget=widget)
        self.assertTrue(widget.panel.scorers.isHidden())


if __name__ == "__main__":
    unittest.main()
