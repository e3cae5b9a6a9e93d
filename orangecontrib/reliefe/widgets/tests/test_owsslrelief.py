"""SSL-Relief: all rows and the labelled ones beside each other, for any kind of target, with any share of labels."""

import ast
import unittest

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.orange.targets import mark
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

FIXED = {"n_neighbors": 5, "w0": 0.25, "w1": 0.75}
MANUAL = {"parameters": {"sslrelief": FIXED}}
TREE = ((), (0,), (0,), (), (1, 3))  # the last one has two parents


def hidden(data, share=0.8, seed=0):
    """The same with fewer labels."""
    data = data.copy()
    with data.unlocked():
        data.Y[np.random.default_rng(seed).permutation(len(data))[: round(share * len(data))]] = np.nan
    return data


def label_table(t, n=80, parents=None):
    """Six features, t labels; half of the rows have none."""
    rng = np.random.default_rng(t)
    X = rng.normal(size=(n, 6))
    variables = [DiscreteVariable(f"label {i}", ("no", "yes")) for i in range(t)]
    if parents is not None:
        mark(variables, parents)
    Y = (X[:, np.arange(t) % 6] > 0).astype(float)
    return hidden(Table.from_numpy(Domain([ContinuousVariable(f"x{i}") for i in range(6)], variables), X, Y), 0.5)


class SSLTest(base.RankerTest):
    kind, usual = OWSSLRelief, {}

    @property
    def shown(self):
        return [scores.name for scores in self.widget.area.model.columns]

    def info(self):
        return self.widget.result.rankings[self.widget.panel.job("sslrelief")].info

    def assert_nothing_wrong(self):
        for group in (self.widget.Error, self.widget.Warning):
            self.assertFalse(group.active, [str(message) for message in group.active])


class TestLabels(SSLTest):
    usual = MANUAL

    def test_what_was_chosen_is_shown(self):
        widget = self.widget = self.make(parameters={})
        data = hidden(self.heart)
        self.ready(data)
        found = rank(data, "sslrelief")
        np.testing.assert_array_equal(self.out("scores").X[:, 0], found.scores)
        alone = rank(data, "sslrelief", labelled_only=True)
        np.testing.assert_array_equal(self.out("scores").X[:, 1], alone.scores)
        editor = widget.panel.editor
        self.assertTrue(editor.automatic.isChecked() and not editor.nearest.isEnabled())
        self.assertEqual(editor.weights, (found.info["w0"], found.info["w1"]))
        self.assertIn("Distances of unlabelled rows", editor.distances.text())
        self.assertIn("Best of 45 settings", editor.choice.text())
        self.assertIn("and 37 more", editor.choice.toolTip())
        self.assertEqual(widget.panel.parameters, {})

    def test_all_labelled_and_none(self):
        self.ready(self.heart)
        self.assertEqual(self.shown, ["sslrelief"])
        self.assertEqual(self.widget.panel.counts.text(), "All 303 rows are labelled")
        self.assertFalse(self.widget.panel.editor.automatic.isEnabled())
        none = hidden(self.heart, 1)
        bare = self.heart.transform(Domain(self.heart.domain.attributes))
        expected = rank(bare, "urelief", n_neighbors=5).scores
        for data in (none, bare):
            self.ready(data)
            self.assertEqual(self.shown, ["sslrelief"])
            self.assertEqual(self.widget.panel.counts.text(), "None of 303 rows is labelled")
            np.testing.assert_array_equal(self.out("scores").X[:, 0], expected)
            self.assertTrue(self.control("Null level").isHidden())
            self.assert_nothing_wrong()
        self.ready(None)
        self.assertIsNone(self.out("scores"))
        self.assertEqual(self.widget.panel.counts.text(), "No data")
        self.widget.grab()

    def test_what_is_left_out_alone_can_fail_alone(self):
        data = hidden(self.housing, 1)
        with data.unlocked():
            data.Y[0] = 20
        self.ready(data)
        self.assertEqual(self.shown, ["sslrelief"])
        self.assertIn("only one row", str(self.widget.Warning.method_failed))
        self.assertTrue(self.widget.Warning.method_failed.is_shown())
        self.assertFalse(self.widget.Error.active)

    def test_few_labels_cannot_choose(self):
        self.widget = self.make(parameters={})
        self.ready(hidden(self.heart, 0.95))
        self.assertIn("Too few labelled rows to choose", self.widget.panel.editor.choice.text())
        self.assertIn("ewer than 20", " ".join(map(str, self.widget.Information.active)))

    def test_numbers(self):
        data = hidden(self.housing)
        self.ready(data)
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(data, "sslrelief", **FIXED).scores)

    def test_the_null_level_takes_what_was_chosen(self):
        self.widget = self.make(parameters={})
        self.ready(hidden(self.heart))
        job = self.widget.lead_job()
        self.assertEqual({name: job.values[name] for name in ("n_neighbors", "w0", "w1")},
                         {name: self.info()[name] for name in ("n_neighbors", "w0", "w1")})  # fmt: skip
        self.choose("Leading score", "labelled")
        job = self.widget.lead_job()
        alone = self.widget.result.rankings[self.widget.panel.job("labelled")].info["n_neighbors"]
        self.assertEqual((job.values["n_neighbors"], job.values["labelled_only"]), (alone, True))
        self.assertTrue(self.out("scorer").name)

    def test_stop_while_choosing(self):
        self.widget = self.make(parameters={})
        rng = np.random.default_rng(0)
        data = Table.from_numpy(None, rng.normal(size=(3000, 60)), rng.normal(size=3000))
        self.send_signal(self.widget.Inputs.data, hidden(data, 0.5))
        self.process_events(lambda: "trying" in self.widget.area.strip.label.text(), timeout=LIMIT)
        future = self.widget.task.future
        self.widget.area.strip.button.click()
        self.assert_stopped(future)
        self.assertEqual(self.shown, [])
        self.assertEqual(self.widget.area.strip.label.text(), "No ranking")
        self.ready(hidden(self.heart))
        self.assertEqual(self.shown, ["sslrelief", "labelled"])


class TestInfluence(SSLTest):
    def test_settings_round_trip_as_literals(self):
        self.ready(hidden(self.heart))
        editor = self.widget.panel.editor
        before = editor.weights
        editor.automatic.click()
        self.settle()
        self.assertEqual(self.widget.panel.parameters, {"sslrelief": dict(zip(("w0", "w1"), before, strict=True))})
        editor.nearest.setValue(1)
        self.settle()
        self.assertEqual((self.info()["w0"], self.info()["w1"]), (before[0], 1))
        stored = self.widget.settingsHandler.pack_data(self.widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        other = self.create_widget(OWSSLRelief, stored_settings=stored)
        self.ready(hidden(self.heart), other)
        self.assertEqual(other.panel.editor.weights, (before[0], 1))
        self.assertFalse(other.panel.editor.automatic.isChecked())
        editor.automatic.click()
        self.assertEqual(editor.choice.text(), "To be chosen by cross-validation")
        self.assertEqual(editor.weights, (before[0], 1))
        self.settle()
        self.assertEqual(self.widget.panel.parameters, {})
        self.assertEqual(editor.weights, before)
        self.send_signal(self.widget.Inputs.data, None)
        self.assertEqual((editor.weights, editor.distances.text()), ((0, 1), ""))

    def test_defaults_set_it_back(self):
        self.widget = self.make(**MANUAL)
        self.ready(hidden(self.heart))
        self.widget.panel.form.set_defaults()
        self.settle()
        self.assertTrue(self.widget.panel.editor.automatic.isChecked())
        self.assertEqual(self.widget.panel.parameters, {})

    def test_impossible_settings_give_way(self):
        for wrong in ({"w0": 0.9, "w1": 0.1}, {"w0": 0.5}, {"w1": 7}, {"w0": "high", "w1": None}):
            widget = self.make(parameters={"sslrelief": {"n_neighbors": 5, **wrong}})
            self.assertEqual(widget.panel.job("sslrelief").values["w0"], "auto")
            self.assertEqual(widget.panel.job("sslrelief").values["w1"], "auto")
            self.assertEqual(widget.panel.job("sslrelief").values["n_neighbors"], 5)

    def test_only_the_influence_of_all_rows_matters_to_them(self):
        job = self.make(**MANUAL).panel.job("labelled")
        self.assertEqual((job.values["w0"], job.values["labelled_only"]), ("auto", True))

    def test_no_fields_twice(self):
        self.assertFalse({"w0", "w1", "labelled_only"} & self.widget.panel.form.editors.keys())


class TestSeveral(SSLTest):
    usual = {"parameters": {"sslrelief": FIXED}}

    def test_label_sets(self):
        data = label_table(3)
        self.ready(data)
        expected = rank(data, "sslrelief", per_target=True, **FIXED)
        scores = self.out("scores")
        self.assertEqual(len(scores.domain.attributes), 5)
        np.testing.assert_array_equal(scores.X[:, 1:4].T, expected.per_target)
        self.assertEqual(scores.domain.attributes[4].name, "Labelled only")
        self.assertIs(self.widget.area.figure, self.widget.area.heatmap)
        self.assertEqual(self.widget.panel.counts.text(), "40 of 80 rows labelled")
        self.assertIn("label 2: 40", self.widget.panel.counts.toolTip())
        self.assertEqual(self.widget.panel.parameters, {"sslrelief": FIXED})

    def test_one_label_is_a_class(self):
        self.ready(label_table(1))
        self.assertEqual(self.widget.problem.task, "classification")
        self.assertFalse(self.info().get("labels"))
        self.assertFalse(self.widget.area.heatmap.targets)

    def test_many_labels_have_no_scores_of_their_own_unless_asked(self):
        self.ready(label_table(31))
        self.assertFalse(self.widget.area.heatmap.targets)
        switch = self.widget.panel.form.editors["per_target"]
        self.assertFalse(switch.value())
        switch.click()
        self.settle()
        self.assertTrue(self.widget.area.heatmap.targets)
        self.assertEqual(self.widget.panel.parameters, {"sslrelief": {**FIXED, "per_target": True}})

    def test_each_target_can_be_turned_off(self):
        self.ready(label_table(3))
        self.widget.panel.form.editors["per_target"].click()
        self.settle()
        self.assertFalse(self.widget.area.heatmap.targets)
        self.assertEqual(self.widget.panel.parameters, {"sslrelief": {**FIXED, "per_target": False}})
        self.ready(label_table(4))
        self.assertFalse(self.widget.area.heatmap.targets)

    def test_several_targets_with_unknown_values(self):
        attributes = self.heart.domain.attributes
        domain = Domain(attributes[1:-1], [self.heart.domain.class_var, attributes[0], attributes[-1]])
        data = hidden(self.heart.transform(domain), 0.6)
        with data.unlocked():
            data.Y[::3, 0] = np.nan
            data.Y[1::3, 1] = np.nan
        self.ready(data)
        expected = rank(data, "sslrelief", per_target=True, **FIXED)
        self.assertEqual(self.widget.problem.task, "multi-target")
        np.testing.assert_array_equal(self.out("scores").X[:, 0], expected.scores)
        np.testing.assert_array_equal(self.out("scores").X[:, 1:4].T, expected.per_target)
        known = [int((~np.isnan(column)).sum()) for column in data.Y.T]
        self.assertEqual(list(self.widget.problem.known), known)
        self.assertEqual(self.info()["labelled_per_target"], known)
        self.assertIn(f"thal: {known[2]}", self.widget.panel.counts.toolTip())
        self.assert_nothing_wrong()

    def test_sparse_targets(self):
        data = label_table(3)
        data = Table.from_numpy(data.domain, data.X, np.nan_to_num(data.Y))
        with data.unlocked():
            data.Y = data.to_sparse(sparse_class=True).Y
        self.ready(data)
        self.assertEqual((self.widget.problem.labelled, self.widget.problem.known), (80, (80, 80, 80)))
        self.assert_nothing_wrong()


class TestHierarchy(SSLTest):
    usual = {"parameters": {"sslrelief": FIXED}}

    def setUp(self):
        self.data = label_table(5, parents=TREE)

    def test_targets_are_filtered_by_name(self):
        self.ready(self.data)
        self.assertEqual((self.widget.problem.task, self.widget.problem.parents), ("hierarchical", TREE))
        views = self.widget.area.views
        everything = views.heatmap.targets
        self.assertEqual(len(everything), 5)
        views.target_filter.setText("LABEL 1")
        self.assertEqual(views.heatmap.targets, ("label 1",))
        np.testing.assert_array_equal(views.heatmap.values[0], dict(self.leading.each)["label 1"])
        views.target_filter.setText("no such label")
        self.assertEqual(views.heatmap.targets, ())
        views.heatmap.grab()
        views.show_view()
        self.assertTrue(views.target_filter.isVisibleTo(views))  # to be corrected
        views.target_filter.clear()
        self.assertEqual(views.heatmap.targets, everything)

    def test_the_filter_stays_while_parameters_change(self):
        self.ready(self.data)
        views = self.widget.area.views
        views.target_filter.setText("label 3")
        self.widget.panel.form.editors["n_neighbors"].set_value(7)
        self.settle()
        self.assertEqual(views.heatmap.targets, ("label 3",))
        self.ready(label_table(3))
        self.assertEqual(len(views.heatmap.targets), 3)
        self.assertEqual(views.target_filter.text(), "")

    def test_an_error_in_the_hierarchy_is_told(self):
        self.data.domain.class_vars[0].attributes["parents"] = "label 1"
        self.ready(self.data)
        self.assertIn("cycle", str(self.widget.Error.failed))
        self.assertTrue(self.widget.Error.failed.is_shown())
        self.ready(hidden(self.heart))
        self.assert_nothing_wrong()

    def test_other_rankers_show_the_labels_too(self):
        widget = self.create_widget(OWReliefE, stored_settings={"methods": ["rrelieff"], "view": "heatmap",
                                    "parameters": {"rrelieff": {"per_target": True}}})  # fmt: skip
        self.ready(self.data, widget)
        self.assertEqual(len(widget.area.heatmap.targets), 5)

    def test_report(self):
        self.ready(self.data)
        self.widget.send_report()
        self.assertIn("40 of 80 rows labelled", self.widget.report_html)
        self.assertIn("label 4: 40", self.widget.report_html)


class TestOffered(SSLTest):
    def test_methods_without_a_target_have_a_widget_of_their_own(self):
        methods = self.create_widget(OWReliefE).panel.methods
        self.assertFalse({"urelief", "laplacian", "pct"} & methods.keys())
        self.assertTrue({"sslrelief", "ssllaplacian"} < methods.keys())
        self.assertEqual(self.widget.panel.ticked, ["sslrelief"])

    def test_others_that_use_both_kinds_of_rows(self):
        """They follow from their tasks, and have no second column and no influence."""
        self.assertEqual(next(iter(self.widget.panel.list.methods)).name, "sslrelief")
        self.assertIn("ssllaplacian", self.widget.panel.methods)
        self.assertNotIn("pct", self.widget.panel.methods)
        data = hidden(self.heart, 0.5)
        for ticked, shown in (
            (["sslrelief", "ssllaplacian"], ["sslrelief", "ssllaplacian", "labelled"]),
            (["ssllaplacian"], ["ssllaplacian"]),
        ):
            self.widget = self.make(methods=ticked, **MANUAL)
            self.ready(data)
            self.assertEqual(self.shown, shown)
            place = shown.index("ssllaplacian")
            np.testing.assert_array_equal(self.out("scores").X[:, place], rank(data, "ssllaplacian").scores)
            self.assertFalse(self.widget.Error.active)
        self.assertTrue(self.widget.panel.editor.isHidden())
        self.widget.panel.list.highlight("sslrelief")
        self.assertFalse(self.widget.panel.editor.isHidden())

    def test_leading_is_offered_where_there_are_two(self):
        self.assertFalse(self.widget.selection.leading.isHidden())

    def test_tools_without_data(self):
        self.assertEqual(self.out("scorer").name, "SSL-Relief")
        self.assertIsNotNone(self.out("preprocessor"))


if __name__ == "__main__":
    unittest.main()
