"""Features that are ranked as one in Rank via ReliefE."""

import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtWidgets import QFileDialog
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.orange.feature_groups import possible_groupings
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base

BOX = "Ranked as one"
PREFIX = "name before last ="
NAMES = ("colour=red", "age", "colour=green", "size=s", "colour=blue", "size=m", "height")
RANKED = ["colour", "age", "size", "height"]


def coded(n=60):
    """Two one-hot codes, the colour decides on the class, and two numbers; the numbers are of the panel "body"."""
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 3, n)
    size = rng.integers(0, 2, n)
    columns = [colour == 0, rng.normal(size=n), colour == 1, size == 0, colour == 2, size == 1, rng.normal(size=n)]
    features = [ContinuousVariable(name) for name in NAMES]
    for name in ("age", "height"):
        features[NAMES.index(name)].attributes["panel"] = "body"
    y = np.where(rng.random(n) < 0.1, 1 - (colour == 0), colour == 0)
    return Table.from_numpy(Domain(features, DiscreteVariable("ill", ("no", "yes"))), np.column_stack(columns), y)


class TestFeatureGroups(base.RankerTest):
    usual = {"methods": ["multisurf"]}

    def setUp(self):
        super().setUp()
        self.data = coded()

    def grouped(self, title=PREFIX, **settings):
        widget = self.ready(self.data, self.make(**settings))
        self.choose(BOX, title, widget)
        self.settle(widget)
        return widget

    def test_scores_are_those_of_the_groups(self):
        widget = self.grouped()
        expected = rank(self.data, "multisurf", feature_groups="prefix:=")
        self.assertEqual(widget.area.model.names, RANKED)
        scores = self.out("scores", widget)
        np.testing.assert_array_equal(scores.X[:, 0], expected.scores)
        self.assertEqual([str(name) for name in scores.get_column("Feature")], RANKED)
        self.assertEqual(
            [*scores.get_column("features")], ["colour=red, colour=green, colour=blue", "", "size=s, size=m", ""]
        )

    def test_outputs_have_the_features_of_the_selected_groups(self):
        widget = self.grouped()
        self.select_best(1, widget)
        of_colour = ["colour=red", "colour=green", "colour=blue"]
        self.assertEqual([v.name for v in self.out("reduced", widget).domain.attributes], of_colour)
        self.assertEqual([v.name for v in self.out("features", widget)], of_colour)
        self.assertEqual(
            [v.name for v in self.out("remaining", widget).domain.attributes], ["age", "size=s", "size=m", "height"]
        )
        marked = self.out("marked", widget).domain
        self.assertEqual([v.name for v in marked.attributes if "selected" in v.attributes], of_colour)
        score = float(self.out("scores", widget).X[0, 0])
        self.assertEqual([marked[name].attributes["MultiSURF"] for name in of_colour], 3 * [score])
        reduced = self.out("preprocessor", widget)(self.data[:40])
        self.assertEqual([v.name for v in reduced.domain.attributes], of_colour)
        spread = self.out("scorer", widget)(self.data)
        np.testing.assert_array_equal(spread[[0, 2, 4]], 3 * [score])

    def test_an_attribute_names_the_group(self):
        widget = self.grouped("same panel")
        self.assertEqual(widget.area.model.names, [name if name != "age" else "body" for name in NAMES[:-1]])
        expected = rank(self.data, "multisurf", feature_groups="panel")
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], expected.scores)

    def test_p_values_are_of_groups(self):
        widget = self.grouped(p_values=True)
        expected = rank(self.data, "multisurf", feature_groups="prefix:=", significance=True).significance
        self.process_events(lambda: widget.tests.complete(widget.lead_job()) is not None)
        self.settle(widget)
        scores = self.out("scores", widget)
        np.testing.assert_array_equal(scores.get_column("p"), expected.p)
        tested = rank(self.data, "multisurf", feature_groups="prefix:=", significance=True)
        model = widget.area.model
        self.assertEqual(model.rows.tolist(), tested.ranking.tolist())  # by z, whatever the scores are
        self.assertEqual([model.fields[0].text_of(item) for item in tested.ranking], ["1", "2", "3", "4"])
        widget.selection.choose("fdr")
        self.settle(widget)
        reduced = self.out("preprocessor", widget)(self.data)
        self.assertEqual(
            [v.name for v in reduced.domain.attributes], [v.name for v in self.out("reduced", widget).domain.attributes]
        )

    def test_the_order_by_z_is_that_of_all_outputs(self):
        """The best two groups by score are others than by z, with p-values made up."""
        order = np.array([1, 3, 0, 2])
        z = np.empty(4)
        z[order] = [4.0, 3.0, 2.0, 1.0]
        made_up = core.Significance(z, *[np.exp(-z)] * 4, 1_000, 0.001)
        result_of_test = core.SignificanceTest.result

        def result(test):
            """p-values of the four groups are made up; those of the seven features may come before."""
            found = result_of_test(test)
            return made_up if len(found.q) == 4 else found

        with patch.object(core.SignificanceTest, "result", result):
            widget = self.grouped(p_values=True)
            self.process_events(lambda: widget.tests.complete(widget.lead_job()) is not None)
            self.settle(widget)
            self.assertEqual(widget.area.model.rows.tolist(), order.tolist())
            self.select_best(2, widget)
            chosen = [RANKED[item] for item in np.flatnonzero(widget.area.model.selected)]
            scores = self.out("scores", widget).X[:, 0]
            best = [RANKED[item] for item in sorted(order[:2]) if scores[item] > 0]
            self.assertEqual(chosen, best)
            reduced = self.out("preprocessor", widget)(self.data)
            expected = self.out("reduced", widget).domain.attributes
            self.assertEqual([v.name for v in reduced.domain.attributes], [v.name for v in expected])

    def test_a_threshold_selects_groups_on_other_data(self):
        widget = self.grouped()
        widget.selection.set_threshold(0.05)
        self.settle(widget)
        self.assertEqual(widget.selection.mode, "from")
        self.assertEqual(
            self.out("preprocessor", widget)(self.data).domain.attributes, self.out("reduced", widget).domain.attributes
        )

    def test_methods_of_single_features_are_not_computed(self):
        widget = self.grouped(methods=["boostedrelief", "multisurf", "infogain"])
        self.assertEqual(widget.panel.active(), ["multisurf"])
        self.choose(BOX, "each alone", widget)
        self.settle(widget)
        self.assertEqual(widget.area.model.names, list(NAMES))

    def test_the_choice_is_kept_in_the_workflow_with_its_rankings(self):
        widget = self.grouped()
        packed = self.packed(widget)
        scores = self.out("scores", widget).X
        again = self.create_widget(OWReliefE, stored_settings=packed)
        self.ready(self.data, again)
        np.testing.assert_array_equal(self.out("scores", again).X, scores)
        self.assertTrue(again.result.rankings)
        self.ready(self.heart, again)
        self.assertIn("The features are ranked alone", str(again.Warning.groups_gone))
        self.assertTrue(again.Warning.groups_gone.is_shown())
        self.ready(self.data, again)
        self.assertEqual(again.area.model.names, RANKED)

    def test_a_group_lists_its_features_beside_the_table(self):
        widget = self.grouped(values_open=True)
        widget.show()
        widget.area.values._wanted = "size"
        widget.area.values._follow()
        self.assertEqual(widget.area.values.caption.text(), "2 features: 'size=s', 'size=m'")
        widget.area.values._wanted = "age"
        widget.area.values._follow()
        self.assertEqual(widget.area.values.title.text(), "age by ill")

    def test_the_script_repeats_the_selection(self):
        widget = self.grouped()
        self.select_best(2, widget)
        self.settle(widget)
        script = widget._writings().script
        self.assertIn("feature_groups='prefix:='", script)

    def test_the_web_page_has_the_groups(self):
        widget = self.grouped()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking.html"
            with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
                widget.area.menu.page_wanted.emit()
            self.process_events(path.exists)
            text = path.read_text(encoding="utf-8")
        self.assertIn("colour=red, colour=green, colour=blue</td>", text)
        self.assertIn("4 groups of 7 features were ranked", text)

    def test_groupings_that_are_offered(self):
        features = [ContinuousVariable(name) for name in ("a_1", "a_2", "b", "c=1", "c=2", "c")]
        self.assertEqual([grouping.rule for grouping in possible_groupings(features)], ["prefix:_"])
        for feature in features:
            feature.attributes["kind"] = "all"
        self.assertEqual([grouping.rule for grouping in possible_groupings(features)], ["prefix:_"])
        features[0].attributes["kind"] = "first"
        self.assertEqual([grouping.rule for grouping in possible_groupings(features)], ["kind", "prefix:_"])


if __name__ == "__main__":
    unittest.main()
