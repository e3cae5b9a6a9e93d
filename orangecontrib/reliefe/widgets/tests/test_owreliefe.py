"""Rank via ReliefE: what goes in, what comes out."""

import unittest

import numpy as np
from AnyQt.QtCore import Qt
from Orange.classification import NaiveBayesLearner
from Orange.evaluation import CA, CrossValidation

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import methods
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME, RANK


class TestOutputs(base.RankerTest):
    def test_scores_agree_with_rank(self):
        self.tick("multisurf", "relieff", "surf")
        self.ready(self.heart)
        scores = self.out("scores")
        self.assertEqual([v.name for v in scores.domain.attributes], ["ReliefF", "SURF", "MultiSURF"])
        self.assertEqual(list(scores.metas[:, 0]), [v.name for v in self.heart.domain.attributes])
        for column, method in enumerate(("relieff", "surf", "multisurf")):
            np.testing.assert_array_equal(scores.X[:, column], rank(self.heart, method).scores)

    def test_reduced_data_agree_with_rank(self):
        self.widget = self.make(n_best=4)
        self.ready(self.heart)
        best = rank(self.heart, "multisurf").best(4)
        self.assertEqual(set(self.out("reduced").domain.attributes), set(best))
        self.assertEqual(set(self.out("features")), set(best))

    def test_targets_and_metas_are_kept(self):
        data = base.with_metas(self.heart)
        reduced = self.out("reduced", self.ready(data))
        self.assertEqual(reduced.domain.class_vars, data.domain.class_vars)
        self.assertEqual(reduced.domain.metas, data.domain.metas)
        np.testing.assert_array_equal(reduced.metas, data.metas)

    def test_parameters_reach_the_ranking(self):
        self.tick("relieff")
        self.ready(self.heart)
        self.highlight("relieff")
        self.widget.panel.form.editors["n_neighbors"].set_value(25)
        self.settle()
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(self.heart, "relieff", n_neighbors=25).scores)
        self.assertEqual(self.widget.panel.parameters, {"relieff": {"n_neighbors": 25}})
        self.widget.panel.form.links.linkActivated.emit("defaults")
        self.settle()
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(self.heart, "relieff").scores)
        self.assertEqual(self.widget.panel.parameters, {})

    def test_scorer_and_preprocessor_work_in_cross_validation(self):
        self.widget = self.make(n_best=3)
        self.ready(self.heart)
        preprocessor, scorer = self.out("preprocessor"), self.out("scorer")
        self.assertEqual(len(preprocessor(self.heart).domain.attributes), 3)
        np.testing.assert_array_equal(scorer(self.heart), rank(self.heart, "multisurf").scores)
        results = CrossValidation(k=3)(self.heart, [NaiveBayesLearner()], preprocessor=preprocessor)
        self.assertGreater(CA(results)[0], 0.7)

    def test_preprocessor_repeats_the_threshold(self):
        self.ready(self.heart)
        for threshold in (0.05, 0.0):
            self.widget.selection.set_threshold(threshold)
            self.settle()
            wanted = [v.name for v in self.out("reduced").domain.attributes]
            found = self.out("preprocessor")(self.heart).domain.attributes
            self.assertEqual(sorted(wanted), sorted(v.name for v in found))
            self.assertLess(len(wanted), 13)

    def test_no_preprocessor_for_what_cannot_be_repeated(self):
        self.ready(self.heart)
        for mode in ("none", "all", "manual"):
            self.widget.selection.buttons[mode].click()
            self.settle()
            self.assertIsNone(self.out("preprocessor"))
            self.assertIsNotNone(self.out("scorer"))

    def test_tools_are_sent_without_data_and_not_twice(self):
        scorer = self.out("scorer")
        self.assertEqual(scorer.name, "MultiSURF")
        self.assertEqual(len(self.out("preprocessor")(self.heart).domain.attributes), 7)  # those above zero
        self.ready(self.heart)
        self.assertIs(self.out("scorer"), scorer)
        self.select_best(2)
        self.settle()
        self.assertIsNot(self.out("scorer"), scorer)

    def test_leading_score_decides(self):
        self.widget = self.make(n_best=1)
        self.tick("multisurf", "relieff")
        self.ready(self.heart)
        names = []
        for index in range(2):
            combo = self.widget.selection.leading
            combo.setCurrentIndex(index)
            combo.activated.emit(index)
            self.settle()
            names.append((self.widget.leading, self.out("scorer").name, self.out("features")[0].name))
        self.assertEqual(names[0], ("relieff", "ReliefF", rank(self.heart, "relieff").best(1)[0].name))
        self.assertEqual(names[1], ("multisurf", "MultiSURF", rank(self.heart, "multisurf").best(1)[0].name))

    def test_apply_by_hand(self):
        widget = self.make(auto_apply=False)
        self.ready(self.heart, widget)
        self.assertEqual(len(self.out("features", widget)), 7)  # new data go on at once
        self.select_best(3, widget)
        self.settle(widget)
        self.assertEqual(len(self.out("features", widget)), 7)
        widget.commit.now()
        self.assertEqual(len(self.out("features", widget)), 3)


class TestSelectionInWidget(base.RankerTest):
    def test_modes(self):
        self.ready(self.heart)
        for mode, size in (("none", None), ("all", 13), ("best", 7)):
            self.widget.selection.buttons[mode].click()
            self.settle()
            features = self.out("features")
            self.assertEqual(features and len(features), size)
        self.widget.selection.limit.setValue(0.05)
        self.settle()
        self.assertEqual(self.widget.selection.mode, "from")
        self.assertEqual(len(self.out("features")), int((rank(self.heart, "multisurf").scores >= 0.05).sum()))

    def test_manual_selection_survives_sort_filter_and_reopening(self):
        self.ready(self.heart)
        area = self.widget.area
        area.model.select(np.arange(13) % 4 == 0)
        area.selected_by_hand.emit()
        self.settle()
        chosen = ["age", "cholesterol", "exerc ind ang", "thal"]
        self.assertEqual((self.widget.selection.mode, self.widget.selection.manual), ("manual", chosen))
        area.model.sort(1)
        area.filter.setText("a")
        self.assertEqual(area.selected_names(), chosen)
        self.assertEqual([v.name for v in self.out("features")], chosen)
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.create_widget(OWReliefE, stored_settings=stored)
        self.ready(self.heart, again)
        self.assertEqual([v.name for v in self.out("features", again)], chosen)
        self.ready(self.housing, again)
        self.assertIsNone(self.out("features", again))
        self.ready(self.heart, again)
        self.assertEqual([v.name for v in self.out("features", again)], chosen)

    def test_sorting_by_a_score_makes_it_lead(self):
        self.tick("multisurf", "relieff")
        self.ready(self.heart)
        area = self.widget.area
        area.table.horizontalHeader().setSortIndicator(FIRST_SCORE + 1, Qt.DescendingOrder)
        self.settle()
        self.assertEqual((self.widget.leading, area.lead.name), ("multisurf", "multisurf"))
        self.assertTrue(area.model.selected[area.model.rows[:7]].all())
        self.assertEqual([area.model.data(area.model.index(row, RANK)) for row in range(2)], ["1", "2"])
        area.table.horizontalHeader().setSortIndicator(NAME, Qt.AscendingOrder)
        self.assertEqual(self.widget.leading, "multisurf")
        self.assertEqual(self.out("scorer").name, "MultiSURF")

    def test_plot_sets_the_cut(self):
        self.ready(self.heart)
        plot = self.widget.area.plot
        plot.n_line.setValue(4.5)
        plot.n_line.sigDragged.emit(plot.n_line)
        self.settle()
        self.assertEqual((self.widget.selection.n_best, len(self.out("features"))), (4, 4))
        plot.t_line.setValue(0.05)
        plot.t_line.sigDragged.emit(plot.t_line)
        self.assertEqual((self.widget.selection.mode, self.widget.selection.threshold), ("from", 0.05))
        plot.clicked.emit(2)
        self.settle()
        self.assertEqual([v.name for v in self.out("features")], ["chest pain"])


class TestStart(unittest.TestCase):
    def test_the_usual_methods_exist_and_fit_every_task(self):
        known = {method.name: method for method in methods()}
        tasks = {task for name in OWReliefE.usual for task in known[name].tasks}
        self.assertLessEqual({"classification", "regression"}, tasks)


if __name__ == "__main__":
    unittest.main()
