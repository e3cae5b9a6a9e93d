"""Data of example workflows, and what these show."""

import lzma
import unittest
from pathlib import Path

import numpy as np
import pytest
from Orange.data import Table
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import rank, replicate, tutorials
from orangecontrib.reliefe.orange.comparison.cohorts import cohort_tests
from orangecontrib.reliefe.widgets.tests.orange_tables import KINDS, yeast_experiments, zoo_types
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.tutorial_data import batches, cohort, pair_of_snps, times, visits

FOLDER = Path(tutorials.__file__).parent


class TestPairOfSnps(GuiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = Table(str(FOLDER / "pair-of-snps.tab.xz"))
        cls.X, cls.cases, cls.pair = pair_of_snps()

    def test_data_are_those_of_the_seed(self):
        np.testing.assert_array_equal(self.data.X, self.X)
        np.testing.assert_array_equal(self.data.Y == 1, self.cases)
        self.assertEqual(self.data.domain.class_var.values, ("control", "case"))
        self.assertEqual([self.data.domain.attributes[j].name for j in self.pair], ["snp 14", "snp 742"])

    @pytest.mark.slow
    def test_workflow(self):
        with run(FOLDER / "90-learned-space.ows") as result:
            best = result.output("Rank via ReliefE", "Reduced Data").domain.attributes
            scores = result.output("Rank via ReliefE", "Scores")
        self.assertEqual({v.name for v in best}, {"snp 14", "snp 742"})
        self.assertEqual([v.name for v in scores.domain.attributes], ["ReliefF", "Learned space"])
        order = np.sort(scores.X[:, 1])
        self.assertGreater(order[-2], 3 * order[-3])
        np.testing.assert_array_equal(scores.X[:, 1], rank(self.data, "learnedrelief").scores)
        places = [int((scores.X[:, 0] > scores.X[j, 0]).sum()) + 1 for j in self.pair]
        self.assertGreater(max(places), 300)


class TestStudies(GuiTest):
    """Data that are made, and what the notes say of them."""

    def test_data_are_those_of_the_seed(self):
        for make in (batches, times, visits):
            stored = (FOLDER / f"study-{make.__name__}.tab").read_text(encoding="utf-8")
            self.assertEqual(stored, make(), make.__name__)

        for number, name in enumerate(("first", "second"), 1):
            stored = (FOLDER / f"cohort-{name}.tab").read_text(encoding="utf-8")
            self.assertEqual(stored, cohort(number), name)

    def test_cohorts(self):
        with run(FOLDER / "22-two-cohorts.ows") as result:
            self.assertEqual(result.troubles, [])
            first = self.selected(result, "Ranking of the first")
            second = self.selected(result, "Ranking of the second")
            self.assertEqual(set(first), {f"gene {j}" for j in range(1, 7)})
            self.assertEqual(set(second), {f"gene {j}" for j in (1, 2, 3, 7, 8)})
            scores = [result.output(f"Ranking of the {name}", "Scores") for name in ("first", "second")]
            p_values = [tests.p for tests in cohort_tests(scores)]
            self.assertEqual(set(replicate(*p_values).replicated()), {"gene 1", "gene 2", "gene 3"})
            rankings = [rank(result.output(f"{name} cohort", "Data"), "multisurf") for name in ("First", "Second")]
            best = [{v.name for v in ranking.best(10)} for ranking in rankings]
            self.assertEqual(best[0] & best[1], {f"gene {j}" for j in (1, 2, 3, 9, 19, 20)})

    def selected(self, result, title):
        reduced = result.output(title, "Reduced Data")
        return [v.name for v in reduced.domain.attributes] if reduced is not None else []

    def test_batches(self):
        with run(FOLDER / "17-batches.ows") as result:
            self.assertEqual(result.troubles, [])
            self.assertEqual(set(self.selected(result, "Unadjusted")), {f"gene {j}" for j in range(1, 11)})
            self.assertEqual(set(self.selected(result, "Adjusted")), {"gene 1", "gene 2", "gene 3"})

    @pytest.mark.slow
    def test_times(self):
        with run(FOLDER / "18-times.ows") as result:
            self.assertEqual(result.troubles, [])
            best = rank(result.output("Open Data", "Data"), "multisurf").best(3)
            self.assertEqual({v.name for v in best}, {"gene 1", "gene 2", "gene 4"})
            self.assertLessEqual({"gene 1", "gene 2", "gene 4"}, set(self.selected(result, "MultiSURF")))
            cox = self.selected(result, "Cox Score Test")
            self.assertEqual({*cox} & {f"gene {j}" for j in range(1, 5)}, {"gene 1", "gene 2"})
            self.assertEqual(
                result.output("Ranking Comparison", "Evaluation").domain["Measure"].values, ("Concordance",)
            )

    def test_visits(self):
        with run(FOLDER / "19-visits.ows") as result:
            self.assertEqual(result.troubles, [])
            self.assertGreater(len(self.selected(result, "As if independent")), 20)
            self.assertEqual(self.selected(result, "Grouped by person"), [])


class TestTables(GuiTest):
    def test_yeast_experiments_are_those_of_orange(self):
        stored = lzma.decompress((FOLDER / "yeast-experiments.tab.xz").read_bytes()).decode()
        self.assertEqual(stored, yeast_experiments())
        data = Table(str(FOLDER / "yeast-experiments.tab.xz"))
        self.assertEqual(data.X.shape, (79, 186))
        self.assertEqual(data.domain.class_var.values, tuple(KINDS))
        self.assertEqual(np.bincount(data.Y.astype(int)).tolist(), [47, 11, 14, 7])

    def test_zoo_types_are_those_of_orange(self):
        self.assertEqual((FOLDER / "zoo-types.tab").read_text(encoding="utf-8"), zoo_types())
        data, zoo = Table(str(FOLDER / "zoo-types.tab")), Table("zoo")
        np.testing.assert_array_equal(data.Y, zoo.Y)
        np.testing.assert_array_equal(rank(data, "urelief").scores, rank(zoo, "urelief").scores)

    def test_mails(self):
        data = Table(str(FOLDER / "mails.tab.xz"))
        self.assertEqual(data.X.shape, (767, 54))
        self.assertEqual(np.bincount(data.Y.astype(int)).tolist(), [464, 303])  # 39 % as in all of Spambase
        self.assertTrue((data.X >= 0).all() and (data.X <= 100).all())


class TestWhatWorkflowsSay(GuiTest):
    """The notes promise what is so."""

    def ranked(self, name):
        with run(FOLDER / name) as result:
            self.assertEqual(result.troubles, [])
            scores = result.output("Rank via ReliefE", "Scores")
            tested = result.output("Test and Score", "Evaluation Results")
            best = result.output("Rank via ReliefE", "Reduced Data").domain.attributes
        self.assertIsNotNone(tested)
        return scores, [variable.name for variable in best]

    def test_regression(self):
        scores, best = self.ranked("11-regression.ows")
        self.assertEqual([v.name for v in scores.domain.attributes], ["RReliefF"])
        self.assertEqual(set(best), {v.name for v in rank(Table("housing"), "rrelieff").best(5)})
        self.assertLessEqual({"RM", "LSTAT"}, set(best))

    def test_text(self):
        scores, best = self.ranked("12-text.ows")
        self.assertEqual(len(scores), 54)
        self.assertEqual(len(best), 10)
        self.assertLessEqual({"george", "hp", "650"}, set(best))

    @pytest.mark.slow
    def test_genes(self):
        scores, best = self.ranked("13-genes.ows")
        self.assertEqual(len(scores), 186)
        self.assertEqual(len(best), 20)
        self.assertLessEqual({"YPL078C", "YGL031C"}, set(best))

    @pytest.mark.slow
    def test_p_values(self):
        with run(FOLDER / "14-p-values.ows") as result:
            data = result.output("Open Data", "Data")
            scores = result.output("Rank via ReliefE", "Scores")
            best = result.output("Rank via ReliefE", "Reduced Data").domain.attributes
            tested = result.output("Test and Score", "Evaluation Results")
        expected = rank(data, "relieff")
        np.testing.assert_array_equal(scores.X[:, 0], expected.scores)
        self.assertEqual(
            [v.name for v in scores.domain.metas], ["Feature", "z", "p", "q", "kind", "Group", "Group size"]
        )
        real = scores.get_column("q") <= 0.1
        self.assertEqual({v.name for v in best}, {*scores.get_column("Feature")[real]})
        self.assertTrue(93 < len(best) < 186)  # most of the genes
        self.assertEqual(len(tested.actual), 79)

    def test_clusters_are_annotated(self):
        with run(FOLDER / "50-urelief.ows") as result:
            stored = result.settings["Hierarchical Clustering"]["context_settings"]
        self.assertEqual([context.values["annotation"][0] for context in stored], ["type"])


if __name__ == "__main__":
    unittest.main()
