"""The example workflow on a pair of markers among a thousand: its data, and what it shows."""

import unittest
from pathlib import Path

import numpy as np
from Orange.data import Table
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import rank, tutorials
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.tutorial_data import pair_of_snps

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

    def test_workflow(self):
        with run(FOLDER / "90-learned-space.ows") as result:
            self.assertEqual(result.troubles, [])
            best = result.output("Rank via ReliefE", "Reduced Data").domain.attributes
            scores = result.output("Rank via ReliefE", "Scores")
        self.assertEqual({v.name for v in best}, {"snp 14", "snp 742"})
        self.assertEqual([v.name for v in scores.domain.attributes], ["ReliefF", "Learned space"])
        order = np.sort(scores.X[:, 1])
        self.assertGreater(order[-2], 3 * order[-3])
        np.testing.assert_array_equal(scores.X[:, 1], rank(self.data, "learnedrelief").scores)
        places = [int((scores.X[:, 0] > scores.X[j, 0]).sum()) + 1 for j in self.pair]
        self.assertGreater(max(places), 300)


if __name__ == "__main__":
    unittest.main()
