"""Tasks of four people, each done as that person does it: from a file or a table to the answer."""

import contextlib
import io
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pandas as pd
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.score import ANOVA
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from orangecontrib import reliefe
from orangecontrib.reliefe.command import cli
from orangecontrib.reliefe.core import estimators
from orangecontrib.reliefe.tests.genetics.studies import codes, write_bed
from orangecontrib.reliefe.widgets.owgenotypes import OWRankGenotypes
from orangecontrib.reliefe.widgets.owinteractions import OWFeatureInteractions
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.tests import base, computing
from orangecontrib.reliefe.widgets.tests.test_owrankingcomparison import ComparisonTest
from orangecontrib.reliefe.widgets.tests.test_pvalues import PValuesTest


def genes(n=60, p=120):
    """A table of expressions as text: genes 1 to 5 are higher in the ill."""
    ill = np.arange(n) % 2
    X = np.random.default_rng(0).normal(size=(n, p))
    X[:, :5] += 2 * ill[:, None]
    frame = pd.DataFrame(X.round(3), columns=[f"gene {j}" for j in range(1, p + 1)])
    frame.insert(0, "patient", [f"P{i}" for i in range(n)])
    return frame.assign(diagnosis=np.where(ill, "ill", "well"))


FIVE = {f"gene {j}" for j in range(1, 6)}


class TestBiologist(PValuesTest):
    """From a .csv to ten genes with p-values."""

    def test_command_and_widget(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = (os.path.join(folder, name) for name in ("genes.csv", "best.csv"))
            genes().to_csv(source, index=False)
            asked = ["rank", source, "--target", "diagnosis", "--significance", "--top", "10", "--output", target]
            with contextlib.redirect_stdout(io.StringIO()) as told:
                self.assertEqual(cli.main(asked), 0)
            written, data = pd.read_csv(target), Table(source)
        lines = told.getvalue().splitlines()
        by_chance = "on average less than 1 of these 5 by chance (FDR 10 %)"
        self.assertEqual(lines[0], f"5 of 120 features differ between ill and well; {by_chance}.")
        self.assertEqual(lines[1], "genes: 60 rows, 120 features, target diagnosis (2 classes: ill, well)")
        self.assertEqual(sum(" q 0." in line or " q 1 " in line for line in lines), 10)
        self.assertEqual({*written["feature"][:5]}, FIVE)
        self.assertTrue((written["q"][:5] <= 0.1).all() and (written["q"][5:] > 0.1).all())

        self.assertIsNone(data.domain.class_var)
        widget = self.widget = self.make()
        self.complete(data)
        self.assertIn("Choose one at the left", str(widget.Information.choose_target))
        box = widget.columns.targets
        box.setCurrentIndex(box.findData("diagnosis"))
        box.activated.emit(box.currentIndex())
        self.choose("p-values")
        self.wait()
        self.select_best(10, widget)
        self.wait()
        scores = self.out("scores")
        order = np.argsort(-scores.X[:, 0])
        self.assertEqual({*scores.get_column("Feature")[order[:5]]}, FIVE)
        np.testing.assert_array_equal(scores.get_column("q")[order] <= 0.1, np.arange(120) < 5)
        self.assertEqual(len(self.out("reduced").domain.attributes), 10)
        self.assertEqual(self.out("reduced").domain.class_var.name, "diagnosis")


class TestGeneticist(computing.ComputingTest):
    """From a .bed, .bim and .fam to a network with the pair that acts together."""

    kind = OWRankGenotypes

    def test_network(self):
        with tempfile.TemporaryDirectory() as folder:
            self.widget.sources.open_file(str(write_bed(Path(folder), codes(250, 150, seed=3))))
            self.settle()
            self.assertFalse(self.widget.Error.active)
            best = self.out("reduced")
        network = self.create_widget(OWFeatureInteractions)
        self.ready(best, network)
        self.assertFalse(network.Error.active)
        pairs = self.out("pairs", network)
        self.assertEqual({str(name) for name in pairs.metas[0]}, {"rs0", "rs1"})
        self.assertEqual(pairs[0, "Edge"], 1)
        self.assertIn("together", network.headline.beside.text())
        self.assertEqual({v.name for v in best.domain.attributes[:2]}, {"rs0", "rs1"})


class TestDataScientist(ComparisonTest):
    """From four methods to a classifier, and to one ranking."""

    def test_search_and_comparison(self):
        frame = genes(60, 20).drop(columns="patient")
        X, y = frame.drop(columns="diagnosis"), frame["diagnosis"]
        plain = [getattr(estimators, name)(n_features_to_select=5) for name in ("MultiSURF", "SURF")]
        near = [getattr(estimators, name)(n_features_to_select=5) for name in ("ReliefF", "BoostedRelief")]
        general = [estimators.ReliefRanker("relieff", n_features_to_select=5)]
        grid = [
            {"rank": plain},
            {"rank": near, "rank__n_neighbors": [3, 10]},
            {"rank": general, "rank__parameters": [{"n_neighbors": 5}]},
        ]
        search = GridSearchCV(Pipeline([("rank", near[0]), ("classify", KNeighborsClassifier())]), grid, cv=3)
        search.fit(X, y)
        self.assertEqual(len(search.cv_results_["params"]), 7)
        self.assertGreater(min(search.cv_results_["mean_test_score"]), 0.9)
        self.assertEqual({*search.best_estimator_[0].get_feature_names_out()}, FIVE)

        domain = Domain([ContinuousVariable(name) for name in X], DiscreteVariable("diagnosis", ("ill", "well")))
        data = Table.from_numpy(domain, X.to_numpy(), (y == "well").to_numpy().astype(float))
        self.widget = self.make(n_best=5)
        self.give([], [reliefe.MultiSURF(), reliefe.ReliefF(n_neighbors=10), reliefe.SURF(), ANOVA()], data)
        compared = self.widget.comparison
        self.assertEqual(compared.titles, ("MultiSURF", "ReliefF", "SURF", "ANOVA"))
        np.testing.assert_allclose(compared.scores[0], reliefe.rank(data, "multisurf").scores)
        self.assertIsNotNone(compared.scorer("MultiSURF"))
        self.assertEqual({v.name for v in self.out("reduced").domain.attributes}, FIVE)


class TestFewLabels(base.RankerTest):
    """From 1,000 rows with 50 labels to a ranking by all of them, and to the better one by the labelled ones alone."""

    def test_a_click_each(self):
        rng = np.random.default_rng(1)
        y = np.arange(1000.0) % 2
        X = rng.normal(size=(1000, 20))
        X[:, :4] += 2 * y[:, None]
        y[50:] = np.nan
        data = Table.from_numpy(
            Domain([ContinuousVariable(f"x{j}") for j in range(20)], DiscreteVariable("y", ("a", "b"))), X, y
        )
        quick = {"parameters": {"sslrelief": {"n_neighbors": 15}}}
        self.widget = self.ready(data, self.make(**quick))
        self.assertIn("50 of 1,000 rows have a target value. SSL-Relief uses the other rows",
                      str(self.widget.Information.few_labels))  # fmt: skip
        self.assertIn('href="sslrelief"', self.widget.suggested_method.text())
        self.widget.suggested_method.linkActivated.emit("sslrelief")
        self.settle()
        expected = reliefe.rank(data, "sslrelief", n_neighbors=15)
        self.assertEqual([v.name for v in self.out("scores").domain.attributes], ["MultiSURF", "SSL-Relief"])
        np.testing.assert_array_equal(self.out("scores").X[:, 1], expected.scores)
        self.assertEqual(self.leading.name, "sslrelief")
        best = {v.name for v in self.out("reduced").domain.attributes}
        self.assertEqual(best, {f"x{j}" for j in expected.ranking[:10] if expected.scores[j] > 0})
        self.assertFalse(
            self.widget.suggested_method.isVisibleTo(self.widget) or self.widget.Information.few_labels.is_shown()
        )

        ssl = self.ready(data, self.create_widget(OWSSLRelief, stored_settings=quick))
        self.assertEqual(ssl.panel.counts.text(), "50 of 1,000 rows labelled")
        self.assertIn("labelled rows alone predict about as well", str(ssl.Information.note_0))
        self.assertIn("quality 0.92, with unlabelled rows 0.96", ssl.suggested_method.text())
        self.select_best(4, ssl)
        ssl.suggested_method.linkActivated.emit("labelled")
        self.settle(ssl)
        self.assertEqual({v.name for v in self.out("reduced", ssl).domain.attributes}, {"x0", "x1", "x2", "x3"})
        self.assertFalse(ssl.suggested_method.isVisibleTo(ssl))
        for item in ssl.panel.list.by_name.values():  # without any column nothing leads
            item.setCheckState(Qt.Unchecked)
        self.settle(ssl)
        self.assertEqual((ssl.area.lead, ssl.suggested_method.isVisibleTo(ssl)), (None, False))

        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.ready(self.heart, self.create_widget(OWReliefE, stored_settings=stored))
        self.assertEqual(again.area.lead.name, "sslrelief")
        expected = reliefe.rank(self.heart, "sslrelief", n_neighbors=15)
        np.testing.assert_array_equal(self.out("scores", again).X[:, 1], expected.scores)


if __name__ == "__main__":
    unittest.main()
