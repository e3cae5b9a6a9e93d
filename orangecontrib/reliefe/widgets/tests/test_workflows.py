"""The example workflows run to their end."""

import ast
import re
import unittest
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from orangewidget.tests.base import GuiTest

from orangecontrib import reliefe
from orangecontrib.reliefe import explain, rank, tutorials
from orangecontrib.reliefe.widgets.tests.run_workflow import run

FOLDER = Path(tutorials.__file__).parent
OURS = "orangecontrib.reliefe."


class TestWorkflows(GuiTest):
    def test_each_is_run_by_a_test(self):
        """By a test of the widget that it is about, or of what its notes promise (`ranked` calls `run`)."""
        texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
        names = [path.name for path in FOLDER.glob("*.ows")]
        self.assertTrue(names)
        left = [n for n in names if not any(re.search(rf"(with run|self\.ranked)\(.*{n}", t) for t in texts)]
        self.assertEqual(left, [])

    def test_settings_are_literals(self):
        """Pickled settings may run code."""
        paths = sorted(Path(reliefe.__file__).parent.rglob("*.ows"))
        self.assertGreaterEqual(len(paths), 11)
        for path in paths:
            stored = list(ElementTree.parse(path).iter("properties"))
            self.assertTrue(stored, path.name)
            for properties in stored:
                self.assertEqual(properties.get("format"), "literal", path.name)
                self.assertIsInstance(ast.literal_eval(properties.text), dict)

    def test_data_are_those_of_the_package_or_of_orange(self):
        """So that the workflows run wherever they are opened, and need no path."""
        for path in FOLDER.glob("*.ows"):
            names = {node.get("qualified_name") for node in ElementTree.parse(path).iter("node")}
            stored = [ast.literal_eval(p.text) for p in ElementTree.parse(path).iter("properties")]
            genotypes = [settings.get("sources", {}).get("path", "") for settings in stored]
            if f"{OURS}widgets.owgenotypes.OWRankGenotypes" in names:
                self.assertTrue((FOLDER / max(genotypes)).is_file())
                self.assertFalse(Path(max(genotypes)).is_absolute())
            else:
                self.assertIn(f"{OURS}widgets.owopendata.OWOpenData", names)
            self.assertNotIn("Orange.widgets.data.owfile.OWFile", names)

    def test_all_are_explained(self):
        for path in FOLDER.glob("*.ows"):
            tree = ElementTree.parse(path)
            self.assertTrue(tree.getroot().get("title") and tree.getroot().get("description"), path.name)
            self.assertGreater(len(list(tree.iter("text"))), 2, path.name)

    def test_first_ranking(self):
        with run(FOLDER / "10-first-ranking.ows") as result:
            data = result.output("Open Data", "Data")
            reduced = result.output("Rank via ReliefE", "Reduced Data")
            scores = result.output("Rank via ReliefE", "Scores")
            self.assertEqual({*reduced.domain.attributes}, {*rank(data).best(5)})
            self.assertEqual(reduced.domain.class_vars, data.domain.class_vars)
            self.assertEqual((len(scores), len(scores.domain.attributes)), (13, 2))
            evaluation = result.output("Test and Score", "Evaluation Results")
            self.assertEqual(len(evaluation.actual), len(data))

    @pytest.mark.slow
    def test_reliefe(self):
        with run(FOLDER / "40-reliefe.ows") as result:
            data = result.output("Open Data", "Data")
            reduced = result.output("Rank via ReliefE", "Reduced Data")
            scores = result.output("Rank via ReliefE", "Scores")
            self.assertEqual({*reduced.domain.attributes}, {*rank(data, "reliefe", embedding="pca").best(10)})
            self.assertEqual([v.name for v in scores.domain.attributes], ["ReliefE", "MultiSURF"])

    def test_why_this_rank(self):
        with run(FOLDER / "21-why-this-rank.ows") as result:
            found = explain(rank(result.output("Open Data", "Data"), "relieff"), "chest pain")
            self.assertEqual((round(found.apart, 2), round(found.alike, 2), found.likely), (0.41, 0.23, (1, 5)))
            self.assertEqual([round(end, 2) for end in (found.difference, *found.interval)], [0.18, 0.1, 0.25])
            data, rows = result.output("Open Data", "Data"), result.output("Rank via ReliefE", "Selected Rows")
            np.testing.assert_array_equal(rows.ids, data.ids[np.concatenate(found.most())])

    def test_urelief(self):
        with run(FOLDER / "50-urelief.ows") as result:
            data = result.output("Open Data", "Data")
            reduced = result.output("URelief", "Reduced Data")
            self.assertEqual({*reduced.domain.attributes}, {*rank(data, "urelief").best(8)})
            self.assertEqual(reduced.domain.class_vars, data.domain.class_vars)

    @pytest.mark.slow
    def test_ssl_relief(self):
        with run(FOLDER / "60-ssl-relief.ows") as result:
            data = result.output("Heart Disease", "Data")
            self.assertEqual((len(data), int(np.isnan(data.Y).sum())), (303, 242))
            scores = result.output("SSL-Relief", "Scores")
            self.assertEqual([v.name for v in scores.domain.attributes], ["SSL-Relief", "Labelled only"])
            np.testing.assert_array_equal(scores.X[:, 0], rank(data, "sslrelief").scores)
            zoo = result.output("Zoo", "Data")
            expected = rank(zoo, "sslrelief", per_target=True)
            self.assertEqual(expected.info["task"], "hierarchical")
            found = result.output("Hierarchy", "Scores")
            np.testing.assert_array_equal(found.X[:, 1:12].T, expected.per_target)


if __name__ == "__main__":
    unittest.main()
