"""The view Replication of Ranking Comparison: tables of scores with p-values, one for each cohort."""

import unittest

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.core import replicate
from orangecontrib.reliefe.orange.comparison.cohorts import cohort_tests
from orangecontrib.reliefe.orange.scores_table import scores_table
from orangecontrib.reliefe.widgets.comparison.replication import NEEDS
from orangecontrib.reliefe.widgets.tests.test_owrankingcomparison import ComparisonTest

A = {"x0": 0.001, "x1": 0.02, "x2": 0.04, "x3": 0.5, "x4": 0.001}
B = {"x0": 0.002, "x1": 0.6, "x2": 0.03, "x3": 0.001, "y": 0.2}


def scores(title, p_of_feature):
    values = np.array([*p_of_feature.values()])
    return scores_table([*p_of_feature], {title: -values}, {"z": -values, "p": values, "q": values})


class ReplicationTest(ComparisonTest):
    def setUp(self):
        super().setUp()
        self.view = next(view for view in self.widget.area.views if view.title == "Replication")

    def test_r_values_are_those_of_the_core(self):
        self.give([scores("MultiSURF", A), self.one, scores("ReliefF", B)])
        self.show("Replication")
        result = replicate(A, B)
        self.assertEqual([self.view.a.currentText(), self.view.b.currentText()], ["1: MultiSURF", "3: ReliefF"])
        numbers = np.column_stack([result.r, result.p_a, result.p_b])
        rows = [[result.features[j], *map(str, numbers[j].tolist())] for j in result.order]
        shown = self.view.table.model().as_table(range(4))
        self.assertEqual(shown, [["Feature", "r", "p in A", "p in B"], *rows])
        self.assertEqual(
            self.view.caption(),
            "1 of 4 features replicated at a false discovery rate of 10 %: x0. Only A has x4. Only B has y.",
        )
        self.assertEqual(self.view.notes.text(), self.view.caption())
        self.widget.send_report()

    def test_replicated_features_are_selected_and_sent(self):
        self.give([scores("MultiSURF", A), scores("ReliefF", B)], data=self.data)
        self.show("Replication")
        self.view.level.setCurrentIndex(self.view.level.findText("20 %"))
        self.view.level.activated.emit(self.view.level.currentIndex())
        self.view.button.click()
        self.settle()
        self.assertEqual([v.name for v in self.out("features")], ["x0", "x2"])

    def test_choices_are_kept(self):
        self.give([scores("One", A), scores("Two", B), scores("Three", A)])
        self.show("Replication")
        for combo, text in ((self.view.b, "3: Three"), (self.view.design, "B follows up A"), (self.view.level, "1 %")):
            combo.setCurrentIndex(combo.findText(text))
            combo.activated.emit(combo.currentIndex())
        widget = self.make(**self.packed())
        self.give([scores("One", A), scores("Two", B), scores("Three", A)], widget=widget)
        view = widget.area.view
        self.assertEqual(view.b.currentText(), "3: Three")
        self.assertTrue(np.array_equal(view.result.r, replicate(A, A, design="follow-up").r))
        self.assertIn("at a false discovery rate of 1 %", view.caption())
        widget.onDeleteWidget()

    def test_adafilter(self):
        self.give([scores("MultiSURF", A), scores("ReliefF", B)])
        self.show("Replication")
        self.view.design.setCurrentIndex(self.view.design.findText("Symmetric, AdaFilter"))
        self.view.design.activated.emit(self.view.design.currentIndex())
        result = replicate(A, B, method="adafilter")
        self.assertTrue(np.array_equal(self.view.result.r, result.r))
        self.assertIn("2 of 4 features replicated at a false discovery rate of 10 %: x0, x2.", self.view.caption())
        widget = self.make(**self.packed())
        self.give([scores("MultiSURF", A), scores("ReliefF", B)], widget=widget)
        self.assertEqual(widget.area.view.result.method, "adafilter")
        widget.onDeleteWidget()

    def test_what_is_missing_is_said(self):
        cases = {
            NEEDS: [scores("One", A), self.two],
            "the cohorts have no feature in common: 'x0' ..., and 'y' ...": [scores("One", A), scores("Two", {"y": 0})],
            "p of 'x0' in 2: Two must be from 0 to 1, not 2.0": [scores("One", A), scores("Two", {"x0": 2})],
        }
        for reason, tables in cases.items():
            with self.subTest(reason):
                self.widget = self.make()
                self.view = next(view for view in self.widget.area.views if view.title == "Replication")
                self.give(tables)
                self.show("Replication")
                self.assertEqual(self.view.reason.text(), reason)
                self.assertFalse(self.view.button.isEnabled())
        self.give([scores("One", A), scores("Two", B)])
        self.view.b.setCurrentIndex(0)
        self.view.b.activated.emit(0)
        self.assertEqual(self.view.reason.text(), "Choose two different cohorts")

    def test_tables_of_rankings(self):
        rows = np.arange(303) % 2 == 0
        data = Table("heart_disease")
        rankings = [rank(data[mask], "relieff", significance=20) for mask in (rows, ~rows)]
        first, second = cohort_tests([ranking.to_table() for ranking in rankings])
        self.assertEqual([first.title, second.title], ["1: ReliefF", "2: ReliefF"])
        tables = [ranking.to_table() for ranking in rankings]
        for table, name in zip(tables, ("Graz", "Wien"), strict=True):
            table.name = name
        titles = [cohort.title for cohort in cohort_tests(tables)]
        self.assertEqual(titles, ["1: ReliefF (Graz)", "2: ReliefF (Wien)"])
        self.assertEqual(list(first.p.values()), rankings[0].significance.p.tolist())
        result = replicate(*rankings)
        self.assertEqual(replicate(first.p, second.p).replicated(), result.replicated())
        self.assertIn("chest pain", result.replicated())


if __name__ == "__main__":
    unittest.main()
