"""Studies in Rank via ReliefE: covariates, a group, and times with censoring."""

import pickle
import threading
import time
import unittest
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe import core, rank
from orangecontrib.reliefe.core.studies.covariates import TooManyClasses
from orangecontrib.reliefe.core.targets.events import UnclearEvent
from orangecontrib.reliefe.orange.conversion import arrays, asked
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.progress import raise_if_stopped
from orangecontrib.reliefe.orange.jobs.reasons import reason
from orangecontrib.reliefe.orange.jobs.table_facts import fingerprint
from orangecontrib.reliefe.orange.problem import problem
from orangecontrib.reliefe.orange.study_roles import with_role
from orangecontrib.reliefe.orange.values.of_table import ValuesOfTable
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.ranker import followup
from orangecontrib.reliefe.widgets.ranker.everyk import base_job, find
from orangecontrib.reliefe.widgets.ranker.stability import find_chances
from orangecontrib.reliefe.widgets.ranker.unadjusted import UnadjustedRanks, find_unadjusted
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_running import State
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT


def visits(n=60, p=6):
    """Rows of people, two visits each; the batch acts on the first feature and on the class."""
    rng = np.random.default_rng(0)
    batch, X = rng.integers(0, 2, n), rng.normal(size=(n, p))
    X[:, 0] += 2 * batch
    y = (2 * batch + rng.logistic(size=n) > 1).astype(float)
    domain = Domain(
        [*(ContinuousVariable(f"x{i}") for i in range(p)), DiscreteVariable("batch", ("a", "b"))],
        DiscreteVariable("ill", ("no", "yes")),
        [StringVariable("person"), ContinuousVariable("age")],
    )
    metas = np.array([[f"p{i // 2}" for i in range(n)], rng.integers(20, 70, n)], dtype=object).T
    return Table.from_numpy(domain, np.column_stack([X, batch]), y, metas)


def times(n=50):
    """A time and an event, marked as Orange's survival analysis does; the first feature decides."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    event, time = DiscreteVariable("died", ("no", "yes")), ContinuousVariable("days")
    event.attributes["_time_to_event_var"], time.attributes["_time_to_event_var"] = "event", "time"
    Y = np.column_stack([rng.integers(0, 2, n), rng.exponential(size=n) * np.exp(-X[:, 0])])
    return Table.from_numpy(Domain([ContinuousVariable(f"x{i}") for i in range(4)], [event, time]), X, Y)


def messages(widget):
    return [str(message) for group in widget.message_groups for message in group.active]


class TestStudy(base.RankerTest):
    usual = {"methods": ["multisurf"]}

    def setUp(self):
        super().setUp()
        self.data = visits()

    def test_scores_are_those_of_the_core_and_the_columns_leave_the_ranking(self):
        widget = self.ready(self.data, self.make(covariates=["batch", "age"], group="person"))
        expected = rank(self.data, "multisurf", covariates=["batch", "age"], groups="person")
        self.assertEqual(widget.area.model.names, [f"x{i}" for i in range(6)])
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], expected.scores)
        self.assertFalse(np.array_equal(expected.scores, rank(self.data, "multisurf").scores[:6]))
        self.assertTrue(widget.area.strip.label.text().endswith("adjusted for batch, age"))
        self.assertIn("30 groups of rows that belong together", "\n".join(messages(widget)))
        reduced = self.out("reduced", widget).domain
        self.assertNotIn("batch", {v.name for v in reduced.attributes})
        self.assertEqual([v.name for v in reduced.metas], ["person", "age", "batch"])

    def test_a_group_that_the_data_mark_is_taken_until_the_user_chooses(self):
        marked = with_role(self.data, "person", "group")
        widget = self.ready(marked)
        expected = rank(self.data, "multisurf", groups="person")
        self.assertEqual(dict(zip(widget.area.model.names, self.out("scores", widget).X[:, 0], strict=True)),
                         dict(zip([v.name for v in expected.features], expected.scores, strict=True)))  # fmt: skip
        self.choose("Study", True, widget)
        self.assertEqual(self.control("Group of rows", widget).currentText(), "person")
        self.assertEqual(self.packed(widget)["study"]["group"], "")  # other data have groups of their own
        self.choose("Group of rows", "none", widget)
        self.settle(widget)
        self.assertNotIn("grouped by", self.seen(widget))
        again = self.ready(marked, self.create_widget(self.kind, stored_settings=self.packed(widget)))
        self.assertEqual(again.study.known()[1], "")
        self.choose("Group of rows", "person", widget)
        self.assertIn("grouped by person", self.seen(self.settle(widget)))
        self.assertFalse(self.data.domain["person"].attributes)

    def test_values_before_and_after_adjustment(self):
        widget = self.ready(self.data, self.make(covariates=["batch"], values_open=True))
        widget.show()
        panel = widget.area.values
        self.assertTrue(panel.adjusted.isVisible())
        panel._wanted = "x0"
        panel.adjusted.setChecked(True)
        x, batch = self.data.X[:, 0], self.data.X[:, 6]
        rest = x - np.where(batch == 1, x[batch == 1].mean(), x[batch == 0].mean())
        shown = panel.chart.shown
        self.assertEqual((shown.title, shown.drawing.axis), ("x0 by ill beyond batch", "x0 beyond batch"))
        for code, (name, values) in enumerate(shown.drawing.groups):
            self.assertEqual(name, ("no", "yes")[code])
            np.testing.assert_allclose(values, rest[code == self.data.Y], atol=1e-9)
        panel.adjusted.setChecked(False)
        self.assertEqual(panel.chart.shown.title, "x0 by ill")
        self.ready(self.heart, widget)
        self.assertFalse(panel.adjusted.isVisible())

    def test_values_of_numbers_times_and_categories_adjusted(self):
        data = self.data.transform(Domain(self.data.domain.attributes, self.data.domain["age"]))
        points = ValuesOfTable(data).adjusted(0, ["x1"]).drawing
        self.assertEqual([side.title for side in points.sides], ["x0 beyond x1", "age beyond x1"])
        self.assertAlmostEqual(np.corrcoef(points.x, data.X[:, 1])[0, 1], 0)
        self.assertAlmostEqual(points.y.mean(), 0)
        boxes = ValuesOfTable(self.data).adjusted(6, ["age"]).drawing
        self.assertEqual((boxes.axis, [name for name, _ in boxes.groups]), ("ill = yes beyond age", ["a", "b"]))
        self.assertGreater(boxes.groups[1][1].mean(), boxes.groups[0][1].mean() + 0.5)
        self.assertEqual(ValuesOfTable(times()).adjusted(1, ["x0"]).drawing.sides[1].title, "died beyond x0")
        with self.assertRaisesRegex(ValueError, "not for multi-target"):
            several = self.data.transform(Domain(self.data.domain.attributes[:3], self.data.domain.attributes[3:5]))
            ValuesOfTable(several).adjusted(0, ["x1"])

    def test_scorer_and_preprocessor_keep_the_study(self):
        widget = self.ready(self.data, self.make(covariates=["batch", "age"], group="person", n_best=1))
        half = self.data[:40]
        expected = rank(half, "multisurf", covariates=["batch", "age"], groups="person")
        np.testing.assert_array_equal(self.out("scorer", widget)(half), [*expected.scores, -np.inf])
        reduced = self.out("preprocessor", widget)(half).domain
        self.assertEqual(set(reduced.attributes), set(expected.best(1)))
        self.assertEqual([v.name for v in reduced.metas], ["person", "age", "batch"])
        widget = self.ready(self.data, self.make(methods=["learnedrelief"], covariates=["batch"], n_best=2))
        left = Domain(self.data.domain.attributes[:6], self.data.domain.class_vars)
        reduced = self.out("preprocessor", widget)(half).domain.attributes  # its scores are not adjusted
        self.assertEqual(set(reduced), set(rank(half.transform(left), "learnedrelief").best(2)))

    def test_the_user_chooses_by_name(self):
        widget = self.ready(self.data, self.make(study_open=True))
        box = widget.study
        self.assertEqual(box.columns.list.count(), 9)
        self.assertEqual(box.summary.text(), "no covariates, no group")
        box.columns.filter.setText("AT")
        shown = [box.columns.list.item(row).text() for row in range(9) if not box.columns.list.item(row).isHidden()]
        self.assertEqual(shown, ["batch"])
        box.columns.list.findItems("batch", Qt.MatchExactly)[0].setCheckState(Qt.Checked)
        self.settle(widget)
        self.assertEqual((widget.study.covariates, widget.study.group), (["batch"], ""))
        self.assertIn("adjusted for batch", self.seen(widget))
        box.groups.activated.emit(box.groups.findData("person"))
        self.assertEqual((widget.study.covariates, widget.study.group), (["batch"], "person"))
        self.assertEqual(box.summary.text(), "adjusted for batch, grouped by person")
        box.groups.activated.emit(box.groups.findData("batch"))  # a column is one thing only
        self.assertEqual((widget.study.covariates, widget.study.group), ([], "batch"))
        self.assertEqual(box.columns.list.findItems("batch", Qt.MatchExactly)[0].checkState(), Qt.Unchecked)
        box.columns.list.findItems("batch", Qt.MatchExactly)[0].setCheckState(Qt.Checked)
        self.assertEqual((widget.study.covariates, widget.study.group), (["batch"], ""))
        box.columns.list.findItems("batch", Qt.MatchExactly)[0].setCheckState(Qt.Unchecked)
        self.settle(widget)
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], rank(self.data, "multisurf").scores)

    def test_a_name_that_is_gone_is_told_and_the_rest_works(self):
        widget = self.ready(self.data, self.make(covariates=["batch", "site"], group="ward"))
        self.assertIn("Not in the data: 'site', 'ward'", str(widget.Warning.study_gone))
        np.testing.assert_array_equal(
            self.out("scores", widget).X[:, 0], rank(self.data, "multisurf", covariates=["batch"]).scores
        )
        self.ready(self.heart, widget)
        self.assertEqual(len(widget.area.model.names), 13)
        self.ready(self.data, widget)
        self.assertIn("adjusted for batch", self.seen(widget))  # it was kept meanwhile
        self.ready(None, widget)
        self.assertFalse(widget.Warning.study_gone.is_shown())

    def test_methods_without_adjustment_say_so(self):
        widget = self.ready(self.data, self.make(methods=["learnedrelief", "orange.gain"], covariates=["batch"]))
        told = "\n".join(messages(widget))
        self.assertIn("not adjusted for covariates, p-values are", told)
        self.assertNotIn("adjusted", widget.area.strip.label.text())
        left = self.data.transform(Domain(self.data.domain.attributes[:6], self.data.domain.class_vars))
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], rank(left, "learnedrelief").scores)

    def test_a_covariate_that_is_a_group(self):
        widget = self.ready(self.data, self.make(covariates=["person"]))
        self.assertIn("Then choose it as the group under Study", str(widget.Error.failed))
        self.assertIsNone(self.out("scores", widget))

    def test_advice_is_what_a_window_can_do(self):
        many = TooManyClasses("person", 40, 60)
        self.assertIn("in 60 rows: that is too many", reason(many))
        self.assertIn("choose it as the group under Study", reason(many))
        unclear = UnclearEvent("status", "a (3) and b (4)")
        self.assertIn("rename the event to event by Edit Domain", reason(unclear))
        for error in (many, unclear, ValueError("no rows")):
            self.assertNotIn("=...", reason(error))
            self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))  # workers of a cluster send them

    def test_everything_is_a_covariate(self):
        only = self.data.transform(Domain([self.data.domain["batch"]], self.data.domain.class_vars))
        widget = self.ready(only, self.make(covariates=["batch"]))
        self.assertTrue(widget.Error.no_features.is_shown())
        self.assertIsNone(self.out("scores", widget))

    def test_p_values_say_what_was_permuted_and_select_in_each_fold(self):
        widget = self.make(p_values=True, covariates=["batch"], group="person")
        self.ready(self.data, widget)
        self.process_events(lambda: widget.tests.complete(widget.lead_job()) is not None, timeout=LIMIT)
        self.settle(widget)
        data = arrays(self.data, method="multisurf", covariates=["batch"], groups="person")
        expected = core.significance(data.X, data.y, "multisurf", **asked(data))
        np.testing.assert_array_equal(self.out("scores", widget).get_column("p"), expected.p)
        self.assertIn(expected.notes[0], self.seen(widget))
        self.assertIn("keep their relation with batch", expected.notes[0])
        self.assertNotIn("kind", [v.name for v in self.out("scores", widget).domain.metas])
        widget.selection.choose("fdr")
        self.settle(widget)
        kept = self.out("preprocessor", widget)(self.data).domain.attributes
        self.assertEqual([v.name for v in kept], [f"x{i}" for i in np.flatnonzero(expected.q <= 0.1)])
        stored = widget.settingsHandler.pack_data(widget)
        again = self.ready(self.data, self.create_widget(OWReliefE, stored_settings=stored))
        self.assertEqual(again.study.known(), (("batch",), "person"))
        np.testing.assert_array_equal(self.out("scores", again).metas, self.out("scores", widget).metas)

    def test_stored_rankings_are_of_these_covariates(self):
        other = self.data.copy()
        with other.unlocked():
            other.metas[:, 1] = 30
        self.assertEqual(fingerprint(self.data), fingerprint(other))
        self.assertNotEqual(fingerprint(self.data, study=["age"]), fingerprint(other, study=["age"]))

    def test_curves_of_all_numbers_of_neighbours(self):
        data = problem(self.data, not_ranked=("batch",)).table
        job = base_job(Job.of("relieff", {"n_neighbors": 5}, ("batch",), "person"))
        curves = find(data, job, State())
        expected = rank(data, "relieff", n_neighbors=5, covariates=["batch"], groups="person").scores
        np.testing.assert_allclose(curves.scores(5), expected, atol=1e-9)

    def test_null_level_and_stability_are_of_the_study(self):
        table = problem(self.data, not_ranked=("batch",)).table
        job = Job.of("mutualinfo", {}, ("batch",), "person")
        data = arrays(table, covariates=["batch"], groups="person")
        expected = core.null_level(data.X, data.y, "mutualinfo", **asked(data), unadjusted=True, n_shuffles=3)
        np.testing.assert_array_equal(job.null_level(table, lambda share: None, 3).maxima, expected.maxima)
        samples = []
        with patch.object(Job, "rank", lambda job, table, progress: samples.append(table) or expected_ranking):
            expected_ranking = core.rank(data.X, data.y, "mutualinfo")
            find_chances(table, job, State())
        for sample in samples:
            counts = np.unique(sample.get_column("person").astype(str), return_counts=True)[1]
            self.assertEqual(set(counts), {2})

    def test_sparse_columns(self):
        data = self.data.transform(Domain(self.data.domain.attributes, self.data.domain.class_vars))
        data = Table.from_numpy(data.domain, sp.csr_matrix(data.X), data.Y)
        widget = self.ready(data, self.make(covariates=["batch"]))
        np.testing.assert_allclose(
            self.out("scores", widget).X[:, 0], rank(self.data, "multisurf", covariates=["batch"]).scores
        )


class TestPartlyLabelled(base.RankerTest):
    def test_a_group_in_ssl_relief(self):
        data = visits().copy()
        with data.unlocked():
            data.Y[::3] = np.nan
        chosen = {"n_neighbors": 5, "w0": 0.0, "w1": 1.0}
        settings = {"group": "person", "study_open": True, "parameters": {"sslrelief": chosen}}
        widget = self.ready(data, self.create_widget(OWSSLRelief, stored_settings=settings))
        self.assertTrue(widget.study.columns.isHidden())
        self.assertEqual(widget.study.summary.text(), "grouped by person")
        expected = rank(data, "sslrelief", groups="person", **chosen).scores
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], expected)
        widget.study.groups.activated.emit(0)
        self.settle(widget)
        self.assertFalse(np.array_equal(self.out("scores", widget).X[:, 0], expected))


class TestUnadjusted(base.RankerTest):
    usual = {"methods": ["multisurf"]}

    def ready_with_ranks(self, widget, data):
        widget.show()
        self.ready(data, widget)
        self.process_events(lambda: widget.area.model.beside, timeout=LIMIT)
        return widget.area.model.beside[0]

    def test_ranks_before_the_adjustment_and_what_fell(self):
        data = visits()
        widget = self.make(covariates=["batch"])
        column = self.ready_with_ranks(widget, data)
        names = widget.area.model.names
        plain = data[:, [*names, "ill"]]
        before, after = rank(plain, "multisurf").scores, rank(data, "multisurf", covariates="batch").scores
        np.testing.assert_array_equal(column.values, 1 + np.argsort(np.argsort(-before)))
        self.assertEqual(names[int(before.argmax())], "x0")
        now = int((after > after[0]).sum()) + 1
        self.assertIn(f"'x0' (rank 1, now {now})", str(widget.Information.adjustment))
        widget.send_report()
        self.assertIn("out of the best 2", widget.report_html)
        self.choose("Study", True, widget)
        widget.study.columns.ticked.emit("batch", False)
        self.settle(widget)
        self.assertFalse(widget.area.model.beside)
        self.assertFalse(widget.Information.adjustment.is_shown())

    def test_ranks_that_take_long_are_offered_and_can_be_stopped(self):
        enough = threading.Event()

        def slow(table, job, state):
            while not enough.is_set():
                state.set_progress_value(20.0)
                state.set_progress_value(20.5)
                raise_if_stopped(state)
                time.sleep(0.002)
            return find_unadjusted(table, job, state)

        widget = self.make(covariates=["batch"])
        self.addCleanup(enough.set)
        link = widget.unadjusted.link
        widget.show()
        with (
            patch.object(UnadjustedRanks, "find", staticmethod(slow)),
            patch.object(followup, "TRIAL", 0.0),
            patch.object(followup, "QUICK", 0.0),
        ):
            self.ready(visits(), widget)
            self.process_events(link.isVisible, timeout=LIMIT)
            self.assertRegex(link.text(), r"Compare with ranks without adjustment \(about \d+ s\)")
            self.assertFalse(widget.unadjusted.busy)
            link.linkActivated.emit("compare")
            self.process_events(lambda: "Ranks without adjustment: 2" in link.text(), timeout=LIMIT)
            link.linkActivated.emit("stop")
            self.assertIn("Compare with", link.text())
            self.assertFalse(widget.unadjusted.busy)
            link.linkActivated.emit("compare")
            enough.set()
            self.process_events(lambda: widget.area.model.beside, timeout=LIMIT)
        self.assertFalse(link.isVisible())
        self.assertIn("'x0' (rank 1, now", str(widget.Information.adjustment))

    def test_ranks_that_fail_can_be_tried_again(self):
        def fails(table, job, state):
            raise ValueError("no memory")

        widget = self.make(covariates=["batch"])
        link = widget.unadjusted.link
        widget.show()
        with patch.object(UnadjustedRanks, "find", staticmethod(fails)):
            self.ready(visits(), widget)
            self.process_events(link.isVisible, timeout=LIMIT)
        self.assertIn("failed", link.text())
        self.assertIn("no memory", link.toolTip())
        link.linkActivated.emit("compare")
        self.process_events(lambda: widget.area.model.beside, timeout=LIMIT)
        self.assertFalse(link.isVisible())

    def test_methods_that_do_not_adjust_have_none(self):
        widget = self.make(methods=["mutualinfo"], covariates=["batch"])
        widget.show()
        self.ready(visits(), widget)
        self.assertIsNone(widget.unadjusted.job())


class TestTimes(base.RankerTest):
    def test_times_with_censoring(self):
        data = times()
        self.assertEqual(problem(data).task, "survival")
        widget = self.create_widget(OWReliefE)
        self.ready(data, widget)
        self.assertEqual(list(widget.Error.active), [])
        self.assertEqual(widget.panel.active(), ["multisurf"])
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], rank(data, "multisurf").scores)
        with data.unlocked():
            data.Y[20:] = np.nan
        self.ready(data, widget)  # for SSL-Relief, times are no labels
        self.assertFalse(widget.suggested_method.isVisibleTo(widget) or widget.Information.few_labels.is_shown())

    def test_the_event_is_named_and_unmarked_times_get_advice(self):
        data, words = times(), ("DECEASED", "LIVING")
        event, time = DiscreteVariable("OS_STATUS", words), ContinuousVariable("OS_DAYS")
        for is_marked in True, False:
            if is_marked:
                event.attributes["_time_to_event_var"], time.attributes["_time_to_event_var"] = "event", "time"
            else:
                event, time = DiscreteVariable("OS_STATUS", words), ContinuousVariable("OS_DAYS")
            widget = self.create_widget(OWReliefE, {"methods": ["rrelieff"]})
            self.ready(Table.from_numpy(Domain(data.domain.attributes, [event, time]), data.X, data.Y), widget)
            said = "\n".join(messages(widget))
            self.assertEqual("'OS_DAYS' and 'OS_STATUS' look like a time and its event" in said, not is_marked)
            self.assertEqual("events ('DECEASED')" in widget.area.strip.label.text(), is_marked)

    def unmarked_times(self, words=("alive", "dead"), names=("days", "state"), features=(), metas=False):
        """The times of `times` without marks: as class variables, as metas, or the time as a feature."""
        data = times()
        time, event = ContinuousVariable(names[0]), DiscreteVariable(names[1], words)
        died, days = data.Y.T
        if metas:
            domain = Domain(data.domain.attributes, None, [event, time])
            return Table.from_numpy(domain, data.X, metas=np.column_stack([died, days]))
        if time.name in features:
            domain = Domain([*data.domain.attributes, time], event)
            return Table.from_numpy(domain, np.column_stack([data.X, days]), died)
        return Table.from_numpy(Domain(data.domain.attributes, [event, time]), data.X, data.Y)

    def assert_ranked_as_times(self, widget, data, time, event, **options):
        expected = rank(data, "multisurf", target=[time, event], task="survival", **options)
        np.testing.assert_array_equal(self.out("scores", widget).get_column("MultiSURF"), expected.scores)
        self.assertIn("events", widget.area.strip.label.text())

    def test_times_are_read_by_a_click_and_taken_back(self):
        for features in ((), ("days",)):
            with self.subTest(features=features):
                data = self.unmarked_times(features=features)
                widget = self.create_widget(OWReliefE, {"preset": "", "methods": ["multisurf", "rrelieff"]})
                widget.show()
                self.ready(data, widget)
                self.assertNotIn("events", widget.area.strip.label.text())  # nothing is read silently
                self.assertIn("'days' and 'state' look like a time and its event", self.seen(widget))
                widget.columns.hint.linkActivated.emit("times")
                self.settle(widget)
                self.assertNotIn("look like", self.seen(widget))
                self.assert_ranked_as_times(widget, data, "days", "state")
                script = widget._writings().script
                self.assertIn("target=['days', 'state'], task='survival'", script)
                widget.send_report()
                self.assertIn("task=&quot;survival&quot;", widget.report_html)
                self.assertFalse({*(v.name for v in self.out("scores", widget).domain.metas)} & {"days"})
                self.assertFalse(any("_time_to_event_var" in v.attributes for v in data.domain.variables))
                self.choose("Target", "", widget)
                self.settle(widget)
                self.assertIn("look like a time and its event", self.seen(widget))
                self.assertNotIn("events", widget.area.strip.label.text())

    def test_any_columns_become_times_and_workflows_keep_them(self):
        data = self.unmarked_times(("A", "B"), ("T", "delta"), metas=True)
        widget = self.create_widget(OWReliefE, {"methods": ["multisurf"]})
        widget.show()
        self.ready(data, widget)
        self.assertIsNone(self.out("scores", widget))
        for control, value in (("Target", "times until an event"), ("Time", "T"), ("Event", "delta")):
            self.choose(control, value, widget)
            self.settle(widget)
        self.assertIn("choose its value beside Event", str(widget.Error.failed))
        self.choose("Value of the event", "A", widget)
        self.settle(widget)
        self.assert_ranked_as_times(widget, data, "T", "delta", event_value="A")
        self.assertIn("event_value='A'", widget._writings().script)
        stored = widget.settingsHandler.pack_data(widget)
        again = self.create_widget(OWReliefE, stored)
        self.ready(data, again)
        self.assert_ranked_as_times(again, data, "T", "delta", event_value="A")
        self.choose("Value of the event", "B", again)
        self.settle(again)
        self.assert_ranked_as_times(again, data, "T", "delta", event_value="B")
        self.ready(visits(), again)  # has neither
        self.assertTrue(again.columns.isHidden())
        self.assertFalse(again.study.times.isHidden())
        again.study.times.linkActivated.emit("times")
        self.assertEqual(self.control("Time", again).currentText(), "choose")

    def test_a_text_says_whether_there_was_an_event(self):
        data = times()
        words = np.array(["lost", "relapse"], object)[data.Y[:, 0].astype(int)]
        domain = Domain(data.domain.attributes, None, [ContinuousVariable("months"), StringVariable("outcome")])
        data = Table.from_numpy(domain, data.X, metas=np.column_stack([data.Y[:, 1], words]))
        chosen = {"time_column": "months", "event_column": "outcome"}
        widget = self.create_widget(OWReliefE, {"methods": ["multisurf"], "columns": chosen})
        self.ready(data, widget)
        self.assert_ranked_as_times(widget, data, "months", "outcome")
        self.assertEqual([v.name for v in self.out("reduced", widget).domain.class_vars], ["months", "outcome"])


if __name__ == "__main__":
    unittest.main()
