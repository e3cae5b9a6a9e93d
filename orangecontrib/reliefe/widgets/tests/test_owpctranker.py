"""PCT Ranker: three scores of one ensemble that can be stopped, gone on with, and used as a model."""

import ast
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.widgets.evaluate.owpredictions import OWPredictions
from orangewidget.io import PdfFormat, PngFormat, SvgFormat
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import rank, tutorials, widgets
from orangecontrib.reliefe.orange.models import PCTLearner
from orangecontrib.reliefe.widgets.owpctranker import OWPCTRanker
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.pct.panel import SCORES
from orangecontrib.reliefe.widgets.ranker.area import CONVERGENCE, PLOT
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

FOLDER = Path(tutorials.__file__).parent
TITLES = ["Genie3", "Symbolic", "Random forest"]
FEW = {"parameters": {"pct": {"n_trees": 20}}}
SLOW = {"parameters": {"pct": {"n_trees": 100_000}}}


def hidden(data, share=0.75, seed=0):
    """The same with fewer labels."""
    data = data.copy()
    with data.unlocked():
        data.Y[np.random.default_rng(seed).permutation(len(data))[: round(share * len(data))]] = np.nan
    return data


def several(n=60, t=3, labels=True):
    """Six features; t targets, each of which follows one of them."""
    X = np.random.default_rng(t).normal(size=(n, 6))
    wanted = X[:, :t] + 0.01
    kinds = [DiscreteVariable(f"y{i}", ("no", "yes")) if labels else ContinuousVariable(f"y{i}") for i in range(t)]
    domain = Domain([ContinuousVariable(f"x{i}") for i in range(6)], kinds)
    return Table.from_numpy(domain, X, (wanted > 0).astype(float) if labels else wanted)


def without_target(data):
    return data.transform(Domain(data.domain.attributes))


class PCTTest(base.RankerTest):
    kind, usual = OWPCTRanker, FEW

    @property
    def shown(self):
        return [scores.name for scores in self.widget.area.model.columns]

    @property
    def trees(self):
        return self.widget.found["trees"]

    def assert_scores(self, data, **parameters):
        """The scores on the output are those of a script; per target too."""
        scores, place = self.out("scores"), 0
        for score in SCORES:
            expected = rank(data, "pct", score=score, **parameters)
            rows = [expected.scores, *([] if expected.per_target is None else expected.per_target)]
            np.testing.assert_allclose(scores.X[:, place : place + len(rows)].T, rows, rtol=1e-9, atol=1e-12)
            place += len(rows)
        self.assertEqual(place, scores.X.shape[1])

    def assert_nothing_wrong(self):
        self.assertFalse(self.widget.Error.active, [str(message) for message in self.widget.Error.active])


class TestScores(PCTTest):
    def test_three_scores_of_one_ensemble(self):
        with patch("orangecontrib.reliefe.core.Ensemble.of", side_effect=self.counted()):
            self.ready(self.heart)
        self.assertEqual(self.grown, 1)
        self.assertEqual(self.shown, list(SCORES))
        self.assertEqual([v.name for v in self.out("scores").domain.attributes], TITLES)
        self.assert_scores(self.heart, n_trees=20)
        self.assertEqual(self.leading.name, "genie3")
        self.assertEqual(len(self.out("features")), 10)
        self.assertEqual(self.widget.area.strip.label.text().count("20 trees"), 1)
        self.assert_nothing_wrong()

    def counted(self):
        from orangecontrib.reliefe.core import Ensemble

        make, self.grown = Ensemble.of, 0

        def of(*args, **kwargs):
            self.grown += 1
            return make(*args, **kwargs)

        return of

    @pytest.mark.slow
    def test_every_kind_of_target(self):
        for data in (self.housing, without_target(self.heart), hidden(self.housing)):
            self.ready(data)
            self.assert_scores(data, n_trees=20)
            self.assert_nothing_wrong()
        for data in (several(), several(labels=False), hidden(several(labels=False))):
            self.ready(data)
            self.assert_scores(data, n_trees=20, per_target=True)
            self.assert_nothing_wrong()

    @pytest.mark.slow
    def test_until_the_list_stands_still(self):
        self.widget = self.make(parameters={})
        self.ready(self.heart)
        self.assertEqual(self.trees, rank(self.heart, "pct", n_trees="auto").info["trees"])
        self.assert_scores(self.heart, n_trees=self.trees)
        editor = self.widget.panel.trees
        self.assertTrue(editor.automatic.isChecked() and not editor.spin.isEnabled())
        self.assertEqual(editor.spin.value(), self.trees)
        self.assertIn("is steady" if self.widget.found["has_converged"] else "agree by", editor.choice.text())
        self.assertEqual(self.widget.panel.parameters, {})

    def test_standard_errors(self):
        self.ready(self.heart)
        lead = self.leading
        np.testing.assert_array_equal(lead.errors, rank(self.heart, "pct", n_trees=20).info["standard_errors"])
        self.assertIn("±", self.widget.area.model.data(self.widget.area.model.index(0, 1), Qt.ToolTipRole))
        high = self.widget.area.plot.chart.vb.viewRange()[1][1]
        best = lead.order[0]
        self.assertGreater(high, lead.values[best] + lead.errors[best])

    def test_leading_score(self):
        self.ready(self.heart)
        self.choose("Leading score", "rforest")
        self.settle()
        expected = rank(self.heart, "pct", n_trees=20, score="rforest")
        self.assertEqual({*self.out("features")}, {*expected.best(10)})
        self.assertEqual(self.out("scorer").score, "rforest")

    def test_the_null_level_is_for_errors_only(self):
        self.ready(self.heart)
        self.assertTrue(self.control("Null level").isHidden())
        self.choose("Leading score", "rforest")
        self.widget.show()
        nulls = self.widget.nulls
        self.process_events(lambda: nulls.found(self.widget.lead_job()) is not None, timeout=LIMIT)
        self.assertFalse(self.control("Null level").isHidden())
        level = nulls.found(self.widget.lead_job()).level
        self.assertGreater(self.leading.values.max(), level)
        self.choose("Leading score", "genie3")
        self.assertTrue(self.control("Null level").isHidden())
        self.assertIsNone(self.leading.null)
        self.widget.hide()

    def test_the_scorer_is_that_of_the_ranking(self):
        self.ready(self.heart)
        scorer = self.out("scorer")
        np.testing.assert_allclose(scorer(self.heart), self.out("scores").X[:, 0])
        reduced = self.out("preprocessor")(self.heart)
        self.assertEqual({*reduced.domain.attributes}, {*self.out("features")})
        self.ready(None)
        self.assertIsNotNone(self.out("scorer"))
        self.assertIsNone(self.out("scores"))

    def test_features_on_the_input(self):
        some = self.heart.domain.attributes[:5]
        self.ready(self.heart, features=some)
        self.assert_scores(self.heart.transform(Domain(some, self.heart.domain.class_vars)), n_trees=20)

    def test_rank_via_reliefe_does_not_list_it(self):
        self.assertNotIn("pct", self.create_widget(OWReliefE).panel.methods)


class TestGrowth(PCTTest):
    def start(self, n=3000):
        """Begin what takes long, and wait for the first trees."""
        self.widget = self.make(**SLOW)
        self.send_signal(self.widget.Inputs.data, base.random_table(n, 20))
        self.process_events(lambda: self.leading or self.widget.run_state != "running", timeout=LIMIT)
        self.assertEqual(self.widget.run_state, "running")
        return self.widget.task.future

    def test_stop_keeps_what_is_grown(self):
        future = self.start()
        self.assertIn("of 100,000 trees", self.seen())
        self.widget.area.strip.button.click()
        self.assert_stopped(future)
        self.settle()
        self.assertEqual(self.widget.run_state, "stopped")
        ensemble = self.widget.result.forest.ensemble
        self.assertIn(ensemble.trees - self.trees, range(200))  # threads finish what they are at
        self.assertIn("stopped early", self.seen())
        self.assertEqual(len(self.out("scores")), 20)
        expected = rank(self.widget.problem.table, "pct", n_trees=self.trees)
        np.testing.assert_array_equal(self.out("scores").X[:, 0], expected.scores)

    def test_continue_after_a_stop(self):
        self.start()
        self.widget.stop()
        ensemble, before = self.widget.result.forest.ensemble, self.trees
        self.choose("Number of trees", before + 5)
        self.settle()
        self.assertIs(self.widget.result.forest.ensemble, ensemble)
        self.assertEqual((self.trees, self.widget.run_state), (before + 5, "idle"))
        self.assertFalse(self.leading.partial)

    def test_continue_grows_as_many_again(self):
        self.ready(self.heart)
        button, ensemble = self.widget.area.strip.button, self.widget.result.forest.ensemble
        self.assertEqual((button.isHidden(), button.text()), (False, "&Continue"))
        button.click()
        self.settle()
        self.assertIs(self.widget.result.forest.ensemble, ensemble)
        self.assert_scores(self.heart, n_trees=40)
        self.assertEqual(self.widget.panel.parameters, {"pct": {"n_trees": 40}})
        self.assertEqual(self.widget.panel.trees.spin.value(), 40)

    def test_missing_trees_are_grown_first(self):
        self.ready(self.heart)
        ensemble = self.widget.result.forest.ensemble
        del ensemble.forest.results[0, 5]  # as if its thread had been stopped
        self.assertEqual((ensemble.trees, ensemble.unbroken), (19, 5))
        self.choose("Number of trees", 21)
        self.settle()
        self.assertEqual((ensemble.trees, ensemble.unbroken), (21, 21))
        self.assert_scores(self.heart, n_trees=21)

    def test_what_is_sent_before_what_was_changed_is_grown(self):
        self.ready(self.heart)
        self.choose("Number of trees", 30)
        self.widget.commit.now()
        self.assertEqual(len(self.out("features")), 10)
        self.settle()
        self.assert_scores(self.heart, n_trees=30)
        self.assertIsNotNone(self.out("model"))

    def test_fewer_trees_are_the_first_ones(self):
        self.ready(self.heart)
        self.choose("Number of trees", 10)
        self.settle()
        self.assert_scores(self.heart, n_trees=10)
        self.assertEqual(self.widget.result.forest.ensemble.trees, 20)

    @pytest.mark.slow
    def test_continue_after_the_list_stands_still_sets_a_number(self):
        self.widget = self.make(parameters={})
        self.ready(self.heart)
        before = self.trees
        self.widget.area.strip.button.click()
        self.settle()
        self.assertEqual((self.trees, self.widget.panel.parameters), (2 * before, {"pct": {"n_trees": 2 * before}}))
        self.assertFalse(self.widget.panel.trees.automatic.isChecked())
        self.widget.panel.trees.automatic.click()
        self.settle()
        self.assertEqual(self.widget.panel.parameters, {})

    @pytest.mark.slow
    def test_stop_before_the_first_tree_shows_no_trees_of_other_parameters(self):
        self.ready(self.heart)
        self.widget.panel.supervision.automatic.click()
        self.process_events(lambda: self.widget.run_state == "running", timeout=LIMIT)
        self.widget.stop()
        self.assertEqual((self.widget.run_state, self.widget.found, self.shown), ("stopped", None, []))
        self.assertIn("To be chosen", self.widget.panel.supervision.choice.text())
        self.assertIsNone(self.out("scores"))
        self.widget.area.strip.button.click()
        self.settle()
        self.assertTrue(self.widget.found["tuning"])

    def test_stop_shows_no_more_trees_than_asked_for(self):
        self.ready(self.heart)
        self.choose("Number of trees", 10)
        self.process_events(lambda: self.widget.run_state == "running", timeout=LIMIT)
        self.widget.stop()
        self.assertEqual(self.trees, 10)

    def test_one_tree_of_one_feature(self):
        self.widget = self.make(parameters={"pct": {"n_trees": 1}})
        self.ready(self.heart, features=self.heart.domain.attributes[:1])
        self.assertIn("1 tree, 1 feature tried", self.seen())
        self.assertTrue(self.widget.panel.trees.choice.text().startswith("1 tree:"))

    def test_other_parameters_data_changed(self):
        self.ready(self.heart)
        ensemble = self.widget.result.forest.ensemble
        self.widget.panel.form.editors["min_leaf"].setValue(5)
        self.settle()
        self.assertIsNot(self.widget.result.forest.ensemble, ensemble)
        self.assert_scores(self.heart, n_trees=20, min_leaf=5)

    def test_data_may_change_and_go_while_it_grows(self):
        self.start()
        self.send_signal(self.widget.Inputs.data, self.housing)
        self.choose("Number of trees", 10)
        self.settle()
        self.assertEqual(len(self.out("scores")), 13)
        self.assertEqual(self.trees, 10)
        self.start()
        self.send_signal(self.widget.Inputs.data, None)
        self.assertIsNone(self.out("scores"))
        self.assertTrue(self.widget.area.strip.button.isHidden())


class TestSupervision(PCTTest):
    @property
    def editor(self):
        return self.widget.panel.supervision

    def test_half_where_some_rows_are_labelled(self):
        self.ready(hidden(self.heart))
        self.assertEqual((self.editor.spin.value(), self.editor.slider.value()), (0.5, 10))
        self.assertIn("only some rows", self.editor.choice.text())
        self.assertEqual(self.widget.panel.parameters, FEW["parameters"])
        self.assertIn("76 of 303 rows labelled", self.widget.panel.supervision_box.toolTip())

    @pytest.mark.slow
    def test_whole_where_all_are_and_none_where_none_is(self):
        self.ready(self.heart)
        self.assertEqual(self.editor.spin.value(), 1)
        for data in (without_target(self.heart), hidden(self.heart, 1)):
            self.ready(data)
            self.assertEqual(self.editor.spin.value(), 0)
            self.assertFalse(self.editor.slider.isEnabled() or self.editor.automatic.isEnabled())
        self.ready(None)
        self.assertTrue(self.editor.slider.isEnabled())

    def test_slider_and_number(self):
        data = hidden(self.heart)
        self.ready(data)
        self.editor.slider.setFocus()
        QTest.keyClick(self.editor.slider, Qt.Key_Right)
        self.settle()
        self.assertEqual((self.editor.spin.value(), self.widget.found["supervision"]), (0.55, 0.55))
        self.assert_scores(data, n_trees=20, supervision=0.55)
        self.editor.spin.setValue(0.27)
        self.settle()
        self.assertEqual(self.widget.panel.parameters["pct"], {"n_trees": 20, "supervision": 0.27})

    @pytest.mark.slow
    def test_choose_for_me(self):
        data = hidden(self.heart)
        self.ready(data)
        self.editor.automatic.click()
        self.assertIn("To be chosen", self.editor.choice.text())
        self.settle()
        info = rank(data, "pct", n_trees="auto", supervision="tuned").info
        self.assertEqual(self.widget.found["supervision"], info["supervision"])
        self.assertEqual(self.editor.spin.value(), info["supervision"])
        self.assertIn("Best of 11 weights", self.editor.choice.text())
        self.assertIn("Quality", self.editor.choice.toolTip())
        self.assertFalse(self.editor.slider.isEnabled())
        job = self.widget.lead_job()
        self.assertEqual((job.values["n_trees"], job.values["supervision"]), (20, info["supervision"]))
        self.editor.automatic.click()
        self.settle()
        self.assertEqual(self.widget.panel.parameters["pct"]["supervision"], info["supervision"])


class TestViews(PCTTest):
    def test_convergence(self):
        self.ready(self.heart)
        area, chart = self.widget.area, self.widget.convergence
        self.assertTrue(area.sparkline.isHidden())  # the chart shows it
        self.assertFalse(area.views.tabs.isHidden())
        self.assertFalse(area.views.tabs.isTabVisible(1))
        area.views.tabs.setCurrentIndex(list(area.views.pages).index("convergence"))
        self.assertEqual((area.view, area.figure), ("convergence", chart))
        lead = area.lead
        path = self.widget.result.paths[self.widget.panel.job("genie3")]
        self.assertEqual(list(path), [10, 20])
        np.testing.assert_allclose(path[10], rank(self.heart, "pct", n_trees=10).scores)
        np.testing.assert_array_equal(path[20], lead.values)
        self.assertEqual(len(chart.curves), 6)
        best = area.model.names[lead.order[0]]
        self.assertIn(f"after 20 trees: {best}", chart.accessibleDescription())
        QTest.keyClick(chart, Qt.Key_Right)
        self.assertEqual(chart.accessibleDescription(), f"{best}: {path[10][lead.order[0]]:.3g} after 10 trees")
        chart.set_current(None)
        self.choose("Leading score", "symbolic")
        self.assertEqual(chart._lead.name, "symbolic")
        self.widget.grab()
        self.ready(None)
        self.assertIs(area.figure, area.plot)
        self.assertEqual(self.widget.area.view, "convergence")
        other = self.make(view="convergence")
        self.ready(self.heart, other)
        self.assertIs(other.area.figure, other.convergence)

    def test_heat_map_of_several_targets(self):
        self.widget = self.make(view="heatmap")
        self.ready(several())
        self.assertIs(self.widget.area.figure, self.widget.area.heatmap)
        self.assertEqual(self.widget.area.heatmap.targets, ("y0", "y1", "y2"))
        self.ready(self.heart)
        self.assertIs(self.widget.area.figure, self.widget.area.plot)

    def test_other_rankers_have_no_convergence(self):
        widget = super().make()
        self.ready(self.heart, widget)
        self.assertTrue(self.create_widget(OWReliefE).area.views.tabs.isHidden())
        self.assertEqual(self.create_widget(OWReliefE).area.views.wanted, "plot")

    def test_dark_palette(self):
        self.widget = self.make(view="convergence")
        self.ready(hidden(self.heart))
        saved = QApplication.palette()
        try:
            QApplication.setPalette(base.dark_palette())
            self.process_events()
            self.widget.grab()
        finally:
            QApplication.setPalette(saved)

    def test_many_features(self):
        self.ready(base.random_table(40, 3000))
        self.widget.grab()
        self.assertEqual(self.leading.order[0], 0)


class TestState(PCTTest):
    def test_settings_are_literals(self):
        self.ready(hidden(self.heart))
        self.choose("Weight of the target", 0.25)
        self.widget.panel.form.editors["ensemble"].set_value("bagging")
        self.settle()
        self.assertFalse(self.widget.panel.form.editors["max_features"].isEnabled())
        stored = self.widget.settingsHandler.pack_data(self.widget)
        stored.pop("savedWidgetGeometry", None)
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        other = self.create_widget(OWPCTRanker, stored_settings=stored)
        self.assertEqual(other.panel.job("genie3"), self.widget.panel.job("genie3"))
        self.assertEqual(other.selection.mode, "best")

    def test_wrong_settings_give_way(self):
        for wrong in ({"n_trees": 0}, {"n_trees": "many"}, {"supervision": 2}, {"max_features": []}, {"ensemble": 1}):
            made = self.make(parameters={"pct": wrong})
            self.assertEqual(made.panel.parameters, {})

    def test_defaults_set_everything_back(self):
        self.widget = self.make(parameters={"pct": {"n_trees": 10, "supervision": 0.3, "min_leaf": 2}})
        self.ready(self.heart)
        self.widget.panel.form.set_defaults()
        self.settle()
        self.assertEqual(self.widget.panel.parameters, {})
        self.assertTrue(self.widget.panel.trees.automatic.isChecked())
        self.assertEqual(self.widget.panel.supervision.spin.value(), 1)

    def test_f_test(self):
        self.widget = self.make(more_open=True)
        self.ready(self.heart)
        before, field = self.widget.found["tested"], self.widget.panel.form.editors["f_test"]
        self.assertEqual((field.currentText(), field.value()), ("off", None))
        self.assertEqual([field.itemText(i) for i in range(4)], ["off", "0.001", "0.005", "0.01"])
        for text, value in (("0,01", 0.01), ("2", 0.01), ("some", 0.01), ("1", 1.0), ("0", 0.0), ("off", None)):
            field.setEditText(text)
            field.lineEdit().editingFinished.emit()
            self.settle()
            self.assertEqual(self.widget.panel.parameters["pct"].get("f_test"), value)
            self.assertEqual(self.widget.found["tested"] < before, value is not None, text)
            if text in ("0,01", "off"):
                again = self.make(parameters=self.widget.panel.parameters)
                self.assertEqual(again.panel.form.editors["f_test"].value(), value)
        self.assert_scores(self.heart, n_trees=20)

    def test_parameters_of_trees_are_shown_where_they_mean_something(self):
        for data, weights in ((self.heart, False), (several(), False), (without_target(self.heart), False)):
            self.ready(data)
            names = self.widget.panel.form.editors
            self.assertIn("pooled", names)
            self.assertEqual("label_weights" in names, weights)

    def test_sparse_data_without_a_target_are_refused_in_words_for_users(self):
        self.ready(without_target(self.heart).to_sparse())
        self.assertTrue(self.widget.Error.sparse.is_shown())
        self.assertFalse(self.widget.Error.failed.is_shown())
        self.assertIsNone(self.out("scores"))
        self.ready(self.heart)
        self.assert_nothing_wrong()

    def test_sparse_data(self):
        self.ready(self.heart)
        dense, predicted = self.out("scores"), self.out("model")(self.heart)
        self.ready(self.heart.to_sparse())
        self.assert_nothing_wrong()
        np.testing.assert_allclose(self.out("scores").X, dense.X, atol=1e-9)
        np.testing.assert_array_equal(self.out("model")(self.heart.to_sparse()), predicted)

    def test_every_view_can_be_saved(self):
        self.ready(self.heart)
        with TemporaryDirectory() as folder:
            for view, chart in ((PLOT, "ScorePlot"), (CONVERGENCE, "ConvergenceChart")):
                views = self.widget.area.views
                views.tabs.setCurrentIndex(list(views.pages).index(view))
                self.assertEqual(type(self.widget.area.figure).__name__, chart)
                for kind in (SvgFormat, PngFormat, PdfFormat):
                    path = Path(folder, view + kind.EXTENSIONS[0])
                    kind.write(str(path), self.widget.area.figure)
                    self.assertGreater(path.stat().st_size, 2000, path)

    def test_bad_input_is_told_and_forgotten(self):
        sparse = self.heart.to_sparse()
        one = self.heart[:1]
        infinite = self.housing.copy()
        with infinite.unlocked():
            infinite.X[3, 2] = np.inf
        for data in (one, infinite):
            self.ready(data)
            error = self.widget.Error
            self.assertTrue(any(e.is_shown() for e in (error.failed, error.one_class, error.one_row)), data)
            self.assertIsNone(self.out("scores"))
        self.ready(sparse)
        self.assertFalse(self.widget.Error.unexpected.is_shown())
        self.ready(self.heart)
        self.assert_nothing_wrong()
        self.assertEqual(len(self.out("scores")), 13)

    def test_no_features_and_constant_ones(self):
        self.ready(self.heart.transform(Domain([], self.heart.domain.class_vars)))
        self.assertTrue(self.widget.Error.no_features.is_shown())
        flat = self.heart.copy()
        with flat.unlocked():
            flat.X[:] = 1
        self.ready(flat)
        self.assert_nothing_wrong()
        self.assertFalse(self.out("scores").X.any())
        self.widget.grab()

    def test_report(self):
        self.ready(hidden(self.heart))
        self.widget.send_report()
        self.assertIn("76 of 303 rows labelled", self.widget.report_html)
        self.assertIn("20 trees", self.widget.report_html)

    def test_the_icon_follows_the_palette(self):
        text = (Path(widgets.__file__).parent / OWPCTRanker.icon).read_text(encoding="utf-8")
        self.assertIn('id="current-color-scheme"', text)
        self.assertIn("currentColor", text)

    def test_everything_that_can_be_reached_has_a_name(self):
        panel = self.widget.panel
        for part in (panel.trees.spin, panel.supervision.slider, panel.supervision.spin):
            self.assertTrue(part.accessibleName() and part.toolTip())
        self.assertFalse({"n_trees", "supervision", "score"} & panel.form.editors.keys())


class TestModel(PCTTest):
    def predicted(self, data):
        predictions = self.create_widget(OWPredictions)
        self.send_signal(predictions.Inputs.predictors, self.out("model"), 1, widget=predictions)
        self.send_signal(predictions.Inputs.data, data, widget=predictions)
        return self.get_output(predictions.Outputs.annotated, widget=predictions), predictions

    def test_predictions(self):
        for data, best in ((self.heart, 0.95), (hidden(self.heart, 0.5), 0.7)):
            self.ready(data)
            found, _ = self.predicted(data)
            column = found.get_column("PCT ensemble")
            self.assertGreater(np.mean(column == self.heart.Y), best)
        self.ready(self.housing)
        found, _ = self.predicted(self.housing)
        self.assertGreater(np.corrcoef(found.get_column("PCT ensemble"), self.housing.Y)[0, 1], 0.95)

    def test_the_model_has_the_trees_of_the_ranking(self):
        self.ready(self.heart)
        self.choose("Number of trees", 10)
        self.settle()
        model = self.out("model")
        np.testing.assert_array_equal(model(self.heart), PCTLearner(n_trees=10)(self.heart)(self.heart))
        self.choose("Leading score", "symbolic")
        self.settle()
        self.assertIs(self.out("model"), model)

    def test_several_targets(self):
        data = several(labels=False)
        self.ready(data)
        self.assertEqual(self.out("model")(data).shape, (60, 3))
        _, predictions = self.predicted(data)
        self.assertIn("Multiple targets", str(next(iter(predictions.Warning.active or predictions.Error.active))))

    def test_none_without_a_target(self):
        self.assertIsNone(self.out("model"))
        for data in (without_target(self.heart), hidden(self.heart, 1), None):
            self.ready(self.heart)
            self.assertIsNotNone(self.out("model"))
            self.ready(data)
            self.assertIsNone(self.out("model"))


@pytest.mark.slow
class TestWorkflows(GuiTest):
    def test_without_a_target(self):
        with run(FOLDER / "70-pct-unsupervised.ows") as result:
            data = result.output("Yeast and Noise", "Data")
            scores = result.output("PCT Ranker", "Scores")
            self.assertEqual([v.name for v in scores.domain.attributes], TITLES)
            best = result.output("PCT Ranker", "Reduced Data").domain.attributes
            self.assertFalse([v.name for v in best if v.name.startswith("shuffled")])
            self.assertEqual((len(data), len(best)), (186, 10))

    def test_few_rows_with_several_targets(self):
        with run(FOLDER / "71-pct-semi-supervised.ows") as result:
            data = result.output("Stress Tests", "Data")
            self.assertEqual(int(np.isnan(data.Y[:, 0]).sum()), 227)
            found = result.output("All Patients", "Scores")
            expected = rank(data, "pct", n_trees="auto", supervision=0.5, per_target=True)
            np.testing.assert_allclose(found.X[:, :4].T, [expected.scores, *expected.per_target])
            alone = result.output("Tested Patients", "Scores")
            self.assertFalse(np.allclose(alone.X[:, 0], found.X[:, 0]))

    def test_label_sets(self):
        with run(FOLDER / "72-pct-multi-label.ows") as result:
            best = result.output("PCT Ranker", "Reduced Data").domain
            self.assertEqual(
                ({v.name for v in best.attributes} >= {"legs", "breathes"}, len(best.class_vars)), (True, 4)
            )


if __name__ == "__main__":
    unittest.main()
