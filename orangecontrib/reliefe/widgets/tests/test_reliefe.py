"""ReliefE in the widget: embeddings, label sets, notes, convergence, and work that cannot be interrupted."""

import os
import sys
import threading
import unittest
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.jobs.run import run
from orangecontrib.reliefe.orange.ranker.parameter_values import valid_parameters
from orangecontrib.reliefe.widgets.ranker.messages import sentences
from orangecontrib.reliefe.widgets.ranker.methodlist import ABOUT
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_running import REFINE, State
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

PCA = {"reliefe": {"embedding": "pca"}}
RELEASED = threading.Event()  # lets rankings end that nothing can interrupt


def label_table(n=200, p=8, seed=0):
    """Three labels, each of which depends on one feature."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    domain = Domain([ContinuousVariable(f"x{i}") for i in range(p)],
                    [DiscreteVariable(f"label {i}", ("no", "yes")) for i in range(3)])  # fmt: skip
    return Table.from_numpy(domain, X, (X[:, :3] > 0.3).astype(float))


def job_of(name, **parameters):
    return Job.of(name, valid_parameters(core.METHODS[name], parameters))


def unstoppable(*args, **kwargs):
    """Rankings that do not ask whether to go on, until the test lets them end."""
    RELEASED.wait(LIMIT / 1000)
    yield core.rank(np.eye(4), np.array([0, 0, 1, 1]), "relieff")


class TestEmbedding(base.RankerTest):
    def ready_with(self, data, **settings):
        return self.ready(data, self.make(methods=["reliefe"], **settings))

    def test_scores_are_those_of_rank(self):
        widget = self.ready_with(self.heart, parameters=PCA)
        np.testing.assert_array_equal(
            self.out("scores", widget).X[:, 0], rank(self.heart, "reliefe", embedding="pca").scores
        )
        self.assertIn("d = 2", self.seen(widget))

    def test_the_quick_method_comes_first_and_leads(self):
        widget = self.make(methods=["reliefe", "multisurf"], parameters=PCA)
        state, jobs = State(), widget.panel.jobs()
        result = run(self.heart, jobs, Result(), state)
        self.assertEqual([next(iter(partial.rankings)).method for partial in state.partial], ["multisurf"] * 2)
        self.assertEqual(len(result.rankings), 2)
        self.ready(self.heart, widget)
        self.assertEqual([s.name for s in widget.area.model.columns], ["reliefe", "multisurf"])
        self.assertEqual((widget.area.lead.name, self.out("scorer", widget).name), ("multisurf", "MultiSURF"))
        self.choose("Leading score", "reliefe", widget)
        self.settle(widget)
        self.assertEqual((widget.area.lead.name, self.out("scorer", widget).name), ("reliefe", "ReliefE"))

    def test_the_strip_says_what_both_did(self):
        widget = self.ready(self.heart, self.make(methods=["reliefe", "multisurf"], parameters=PCA))
        text = widget.area.strip.label.text()
        self.assertLess(text.index("MultiSURF: 303 rows"), text.index("ReliefE: d = 2"))
        shared, *lines = widget.area.strip.label.toolTip().split("\n")
        self.assertIn("Both methods have the same best", shared)
        self.assertEqual(len(lines), 2)

    def test_status(self):
        state = State()
        run(self.heart, [job_of("reliefe", embedding="pca")], Result(), state)
        self.assertIn("ReliefE: fitting the embedding", state.texts)
        self.assertIn("ReliefE: comparing rows", state.texts)
        state = State()
        run(self.heart, [job_of("reliefe", embedding=None)], Result(), state)
        self.assertIn("ReliefE: first rows", state.texts)

    def test_the_first_umap_says_that_it_takes_time(self):
        state = State()
        with patch.dict("sys.modules"), patch(REFINE, side_effect=lambda *_, **__: iter([result])):
            sys.modules.pop("umap", None)
            result = core.rank(np.eye(4), np.array([0, 0, 1, 1]), "relieff")
            run(self.heart, [job_of("reliefe")], Result(), state)
        self.assertTrue(any("compiled" in text for text in state.texts))

    @unittest.skipIf(os.environ.get("NUMBA_DISABLE_JIT"), "UMAP takes minutes without compilation")
    def test_umap(self):
        small = self.heart[::6]
        widget = self.ready_with(small)
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], rank(small, "reliefe").scores)

    def test_what_umap_needs_is_said(self):
        missing = ValueError("UMAP cannot be used: install it")
        with patch("orangecontrib.reliefe.core.methods.reliefe_preparation.embed", side_effect=missing):
            widget = self.make(methods=["reliefe", "multisurf"])
            self.ready(self.heart, widget)
        self.assertIn("ReliefE: UMAP cannot be used", str(widget.Warning.method_failed))
        self.assertEqual(len(self.out("scores", widget).domain.attributes), 1)

    def test_coordinates_from_scripts_are_kept(self):
        points = np.random.default_rng(0).normal(size=(len(self.heart), 2))
        parameters = {"reliefe": {"embedding": points.tolist()}}
        widget = self.ready_with(self.heart, parameters=parameters)
        self.assertEqual(widget.panel.form.editors["embedding"].currentText(), "own coordinates")
        expected = rank(self.heart, "reliefe", embedding=points).scores
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], expected)
        self.ready(self.heart[:100], widget)
        self.assertIn("rows", str(widget.Error.failed))


class TestNotes(base.RankerTest):
    def texts(self, widget):
        return [str(m) for m in widget.Warning.active], [str(m) for m in widget.Information.active]

    def test_each_sentence_once(self):
        widget = self.make(methods=["reliefe", "multisurf", "surf"], parameters=PCA, n_best=1)
        data = Table("iris")
        with data.unlocked():
            data.Y[:7] = np.nan
        self.ready(data, widget)
        warnings, information = self.texts(widget)
        self.assertEqual(warnings, [])
        self.assertEqual(len(information), 2)
        self.assertTrue(information[0].startswith("7 rows without a target"))
        self.assertTrue(information[1].startswith("ReliefE: the dimension"))
        self.assertNotIn("left out", widget.area.strip.label.toolTip())

    def test_they_go_with_what_they_are_about(self):
        widget = self.make(methods=["reliefe"], parameters=PCA, n_best=1)
        few = "only 76 rows: with so few, rankings vary from sample to sample"
        self.ready(self.heart[::4], widget)
        self.assertEqual(self.texts(widget), ([few.capitalize()], []))
        widget.panel.list.tick(["reliefe", "surf"])
        widget.panel.list.ticks_changed.emit()
        self.settle(widget)
        self.assertEqual(self.texts(widget), ([f"ReliefE: {few}"], []))
        self.ready(self.heart, widget)
        self.assertEqual(self.texts(widget), ([], []))

    def test_a_note_of_some_methods_says_whose_it_is(self):
        notes = {"A": ["x is y.", "few rows"], "B": ["few rows"], "C": ["few rows", "x is y"]}
        self.assertEqual(sentences(notes), ["A, C: x is y", "Few rows"])
        self.assertEqual(sentences({}), [])


class TestLabelSets(base.RankerTest):
    def setUp(self):
        self.widget = self.make(methods=["reliefe", "multisurf"])

    def test_ranked_by_what_fits_and_the_rest_is_grey(self):
        data = label_table()
        self.ready(data)
        self.assertEqual([s.name for s in self.widget.area.model.columns], ["reliefe"])
        found = rank(data, "reliefe", embedding=None, n_neighbors=30)
        np.testing.assert_array_equal(self.out("scores").X[:, 0], found.scores)
        self.assertEqual(self.out("reduced").domain.class_vars, data.domain.class_vars)
        items = self.widget.panel.list
        relief = items.by_name["relief"]
        self.assertEqual(relief.data(ABOUT), "not for label sets")
        self.assertFalse(relief.flags() & Qt.ItemIsEnabled)

    def test_scores_of_each_label(self):
        data = label_table()
        self.ready(data)
        self.widget.panel.form.editors["per_target"].click()
        self.settle()
        scores = self.out("scores")
        titles = ["ReliefE", *(f"ReliefE (label {i})" for i in range(3))]
        self.assertEqual([v.name for v in scores.domain.attributes], titles)
        per_target = rank(data, "reliefe", embedding=None, n_neighbors=30, per_target=True).per_target
        np.testing.assert_array_equal(scores.X[:, 1:].T, per_target)
        self.assertEqual(list(scores.X[:, 1:].argmax(axis=0)), [0, 1, 2])
        model = self.widget.area.model
        self.assertIn("label 2: ", model.data(model.index(0, 1), Qt.ToolTipRole))

    def test_parameters_of_label_sets_are_shown_for_label_sets_only(self):
        editors = self.widget.panel.form.editors
        self.assertIn("target_distance", editors)
        self.ready(self.heart)
        self.assertNotIn("target_distance", self.widget.panel.form.editors)
        self.ready(label_table())
        self.assertIn("target_distance", self.widget.panel.form.editors)

    def test_without_a_method_that_is_ticked(self):
        widget = self.make(methods=["surf"], parameters={"reliefe": {"embedding": "pca"}})
        self.ready(label_table(), widget)
        self.assertEqual(widget.panel.active(), ["reliefe"])
        self.assertIsNotNone(self.out("scores", widget))


class TestConvergence(base.RankerTest):
    def test_curve_of_a_ranking_that_converges(self):
        data = base.random_table(2000, 12)
        widget = self.make(methods=["relieff"], parameters={"relieff": {"n_instances": "converge"}})
        self.ready(data, widget)
        info = rank(data, "relieff", n_instances="converge").info
        spark = widget.area.sparkline
        self.assertEqual(spark.points, [tuple(point) for point in info["convergence"]])
        self.assertFalse(spark.isHidden())
        self.assertIn("256 rows: ", spark.toolTip())
        spark.grab()
        self.ready(self.heart, self.widget)
        self.assertTrue(self.widget.area.sparkline.isHidden())

    def test_curve_of_partial_rankings(self):
        job, state = job_of("multisurf"), State()
        result = run(base.random_table(2000, 200), [job], Result(), state)
        ((rows, agreement),) = result.curves[job]
        self.assertEqual(rows, 2000)
        self.assertTrue(0 < agreement <= 1)
        again = run(base.random_table(2000, 200), [job], result, State())
        self.assertEqual(again.curves[job], result.curves[job])


class TestUnstoppable(base.RankerTest):
    """Behaviour of UMAP while it is compiled, without UMAP."""

    def start(self):
        RELEASED.clear()
        self.addCleanup(RELEASED.set)
        with patch(REFINE, side_effect=unstoppable):
            self.send_signal(self.widget.Inputs.data, self.heart)
            future = self.widget.task.future
            self.process_events(lambda: "rows" in self.widget.area.strip.label.text(), timeout=LIMIT)
        return future

    def test_stop_frees_the_widget_at_once(self):
        future = self.start()
        self.widget.area.strip.button.click()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertFalse(self.widget.isInvalidated())
        self.assertFalse(future.done())
        self.ready(self.heart[:100])
        self.assertFalse(future.done())
        self.assertEqual(self.widget.run_state, "idle")
        self.assertEqual(len(self.out("scores")), 13)
        RELEASED.set()
        self.wait_for_future(future)
        self.process_events()
        self.assertEqual(len(self.out("scores")), 13)

    def test_deleting_does_not_wait_long(self):
        widget, future = self.widget, self.start()
        before = threading.active_count()
        widget.onDeleteWidget()
        self.assertFalse(future.done())
        RELEASED.set()
        widget.deleteLater()
        self.process_events()
        self.wait_for_future(future)
        self.process_events(lambda: threading.active_count() < before, timeout=5000)


if __name__ == "__main__":
    unittest.main()
