"""The life of a ranking: partial results, stop, failure, cache, settings."""

import ast
import gc
import threading
import time
import unittest
import weakref
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QCoreApplication, QEvent
from Orange.widgets.utils.concurrent import TaskState

from orangecontrib.reliefe import core, rank, refine
from orangecontrib.reliefe.core import Interrupted, request
from orangecontrib.reliefe.core.kernels import compilation
from orangecontrib.reliefe.core.kernels.compilation import COMPILATION, STARTUP, TOLD, clock
from orangecontrib.reliefe.orange.jobs import remaining
from orangecontrib.reliefe.orange.jobs.job import Job
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.jobs.run import run
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT
from orangecontrib.reliefe.widgets.utils.strip import BUTTON

REFINE = "orangecontrib.reliefe.core.refine"


class State:
    """Orange's task state without a thread."""

    def __init__(self, stop_at=None):
        self.texts, self.partial, self.shares, self.stop_at = [], [], [], stop_at

    def set_status(self, text):
        self.texts.append(text)

    def set_partial_result(self, result):
        self.partial.append(result)

    def set_progress_value(self, value):
        self.shares.append(value)

    def is_interruption_requested(self):
        return self.stop_at is not None and len(self.shares) >= self.stop_at


class TestRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = base.random_table(2000, 200)
        cls.job = Job.of("multisurf", {p.name: p.default for p in core.METHODS["multisurf"].parameters})

    def test_partial_rankings_come_first_and_the_last_is_that_of_rank(self):
        state = State()
        result = run(self.data, [self.job], Result(), state)
        rows = [partial.rankings[self.job].info["instances"] for partial in state.partial]
        self.assertEqual((rows[0], rows[-1]), (256, 2000))
        np.testing.assert_array_equal(result.rankings[self.job].scores, rank(self.data, "multisurf").scores)
        self.assertEqual(state.shares, sorted(state.shares))
        self.assertLess(state.shares[-1], 100)
        self.assertTrue(any("256 of 2,000 rows" in text for text in state.texts))

    def test_methods_take_turns(self):
        state = State()
        other = Job.of("surf", {p.name: p.default for p in core.METHODS["surf"].parameters})
        run(self.data, [self.job, other], Result(), state)
        self.assertEqual(len(state.partial[1].rankings), 2)
        self.assertFalse(state.partial[1].is_final(self.job))

    def test_what_is_known_is_not_computed(self):
        known = run(self.data, [self.job], Result(), State())
        with patch(REFINE) as refine:
            self.assertEqual(run(self.data, [self.job], known, State()).rankings, known.rankings)
            refine.assert_not_called()

    def test_a_ranking_from_fewer_rows_does_not_replace_one_from_more(self):
        state = State()
        run(self.data, [self.job], Result(), state)
        more = state.partial[-1]
        self.assertIs(more.with_ranking(self.job, state.partial[0].rankings[self.job]), more)

    def test_interruption(self):
        with self.assertRaises(Interrupted):
            run(self.data, [self.job], Result(), State(stop_at=1))

    def test_all_refuse(self):
        same = self.data[self.data.Y == 1]
        with self.assertRaisesRegex(ValueError, "class"):
            run(same, [self.job], Result(), State())


class TestRunning(base.RankerTest):
    def start(self):
        """Begin what takes a second or more, and wait for the first partial ranking."""
        self.send_signal(self.widget.Inputs.data, base.random_table(7000, 200))
        self.process_events(lambda: self.leading or self.widget.run_state != "running", timeout=LIMIT)
        self.assertEqual(self.widget.run_state, "running")
        return self.widget._ConcurrentMixin__task.future

    def test_stop_is_quick_and_keeps_what_there_is(self):
        future = self.start()
        self.widget.area.strip.button.click()
        self.assert_stopped(future)
        self.settle()
        self.assertEqual(self.widget.run_state, "stopped")
        self.assertFalse(self.widget.isInvalidated())
        self.assertEqual(len(self.out("scores")), 200)
        self.assertEqual(len(self.out("features")), 10)
        self.assertIn("stopped early", self.seen())
        self.assertEqual(self.widget.area.strip.button.text(), BUTTON["stopped"][0])

    def test_resume(self):
        self.start()
        self.widget.stop()
        self.widget.area.strip.button.click()
        self.assertEqual(self.widget.run_state, "running")
        self.settle()
        self.assertEqual(self.widget.run_state, "idle")
        self.assertFalse(self.leading.partial)
        self.assertTrue(self.widget.area.strip.button.isHidden())

    def test_new_data_replace_what_runs(self):
        self.start()
        self.ready(self.heart)
        self.assertEqual(len(self.out("scores")), 13)

    def test_data_may_go_while_it_runs(self):
        future = self.start()
        self.ready(None)
        self.assertIsNone(self.out("scores"))
        self.assert_stopped(future)
        self.assertEqual(self.widget.area.strip.label.text(), "")

    def test_deleting_ends_the_task(self):
        future = self.start()
        self.widget.onDeleteWidget()
        self.assertTrue(future.done())

    def test_failure_leaves_the_widget_usable(self):
        self.ready(self.heart)
        with patch(REFINE, side_effect=RuntimeError("no way")):
            self.ready(self.heart[:200])
        self.assertEqual(self.widget.run_state, "failed")
        self.assertIn("no way", str(self.widget.Error.unexpected))
        self.assertFalse(self.widget.isInvalidated())
        for name in ("reduced", "scores", "features"):
            self.assertIsNone(self.out(name))
        self.widget.area.strip.button.click()
        self.settle()
        self.assertFalse(self.widget.Error.active)
        self.assertEqual(len(self.out("scores")), 13)

    def change_parameter(self):
        """Another value for what has been ranked already."""
        self.tick("relieff")
        self.ready(self.heart)
        self.highlight("relieff")
        self.widget.panel.form.editors["n_neighbors"].setValue(3)

    def test_failure_after_a_change_of_parameters(self):
        self.change_parameter()
        with patch(REFINE, side_effect=RuntimeError("no way")):
            self.settle()
        self.assertEqual(self.widget.run_state, "failed")
        self.assertIsNone(self.out("scores"))
        self.assertEqual(self.widget.area.strip.label.text(), "No ranking")

    def test_stop_before_anything_is_known(self):
        self.change_parameter()
        self.widget.restart()
        self.widget.stop()
        self.settle()
        self.assertIsNone(self.out("scores"))
        self.assertFalse(self.widget.isInvalidated())
        self.widget.restart()
        self.settle()
        np.testing.assert_array_equal(self.out("scores").X[:, 0], rank(self.heart, "relieff", n_neighbors=3).scores)

    def test_an_error_in_a_handler_does_not_leave_the_widget_busy(self):
        with (
            patch("sys.excepthook") as hook,  # Qt aborts the process if nobody else takes the exception
            patch.object(self.widget, "_show_summary", side_effect=[None, None, RuntimeError("handler")]),
        ):
            self.ready(self.heart)
        self.assertEqual([str(call.args[1]) for call in hook.call_args_list], ["handler"])
        self.assertFalse(self.widget.isInvalidated())
        self.assertEqual(self.widget.processingState, 0)
        self.ready(self.heart)
        self.assertEqual(len(self.out("scores")), 13)

    def test_ticked_again_is_not_computed_again(self):
        self.tick("multisurf", "surf")
        self.ready(self.heart)
        with patch(REFINE) as refine:
            for names in (("surf",), ("multisurf", "surf")):
                self.tick(*names)
                self.settle()
                self.assertEqual(len(self.out("scores").domain.attributes), len(names))
            refine.assert_not_called()


class TestFirstSeconds(base.RankerTest):
    def test_a_window_without_scores_says_what_it_waits_for(self):
        widget, enough = self.widget, threading.Event()
        self.addCleanup(enough.set)

        def slow(table, jobs, known, state):
            state.set_status("MultiSURF: first rows")
            state.set_progress_value(20.0)
            enough.wait(60)
            return run(table, jobs, known, state)

        words = "Ranking 13 features of 303 rows by MultiSURF"
        widget.show()
        with patch.object(OWReliefE, "ranks", staticmethod(slow)), patch.object(remaining, "MIN_SPENT", 0.0):
            self.send_signal(widget.Inputs.data, self.heart)
            self.process_events(lambda: words in self.seen(), timeout=LIMIT)
            self.assertIn("The first scores appear", self.seen())
            self.process_events(lambda: self.seen().count("MultiSURF: first rows") == 2, timeout=LIMIT)
            enough.set()
            self.settle()
        self.assertNotIn(words, self.seen())

    def test_the_time_that_is_left(self):
        now = [100.0]
        with patch.object(remaining, "clock", lambda: now[0]):
            left = remaining.RemainingTime()
            found = []
            for seconds, percent in ((1, 5), (9, 10), (40, None), (100, None), (0, 50), (55, 60), (90, 99), (0, 0)):
                now[0] += seconds
                if percent is not None:
                    left.note(percent)
                found.append(left.text)
        self.assertEqual(found[:2], ["", "about 2 min left"])
        self.assertEqual(found[2:4], ["about 50 s left", "about 50 s left"])  # it waits for progress
        self.assertEqual(found[4:], ["about 2 min left", "about 2 min left", "", ""])


class TestAgreement(base.RankerTest):
    def test_the_line_begins_with_what_the_methods_share(self):
        self.tick("multisurf", "relieff")
        self.ready(base.random_table(40, 6))
        words = "Both methods have the same best"
        strip = self.widget.area.strip
        self.assertTrue(strip.label.text().startswith(words))
        self.assertIn(words, strip.label.toolTip())
        self.tick("multisurf")
        self.settle()
        self.assertTrue(strip.label.text().startswith("MultiSURF: 40 rows"))


class TestCompilation(base.RankerTest):
    def test_the_strip_says_so_while_kernels_are_compiled(self):
        widget, compiling, enough = self.widget, threading.Event(), threading.Event()

        def compiles(table, jobs, known, state):
            state.set_status("MultiSURF: first rows")
            COMPILATION.begin()
            compiling.set()
            enough.wait(60)
            COMPILATION.end()
            return run(table, jobs, known, state)

        label = widget.area.strip.label
        with patch.object(OWReliefE, "ranks", staticmethod(compiles)):
            self.send_signal(widget.Inputs.data, self.heart)
            self.process_events(compiling.is_set, timeout=LIMIT)
            self.process_events(lambda: label.text() == TOLD, timeout=LIMIT)
            self.assertIn("orange-reliefe warm", label.toolTip())
            enough.set()
            self.settle()
        self.assertIn("303 rows", label.text())
        self.assertNotIn("warm", label.toolTip())

    def test_the_time_of_compilation_is_told_once(self):
        class SlowCompiler(compilation.Stopwatch):
            def pause(self):
                super().pause()
                self.compile_seconds = 7.0

        with patch.object(request, "Stopwatch", SlowCompiler):
            self.ready(self.heart)
        self.assertRegex(self.widget.area.strip.label.text(), r" s \(first time: \+ 7 s\)")
        reopened = self.make(**self.packed())
        self.ready(self.heart, reopened)
        self.assertRegex(reopened.area.strip.label.text(), r"303 rows, .* s")
        self.assertNotIn("first time", reopened.area.strip.label.text())

    def test_what_umap_compiles_is_told_as_that_of_our_own_kernels(self):
        strip = self.widget.area.strip
        strip.set_state("running")
        strip.set_text("ReliefE: fitting the embedding")
        COMPILATION.begin()
        try:
            strip._look()
            self.assertEqual(strip.label.text(), TOLD)
        finally:
            COMPILATION.end()

    def test_the_work_of_others_is_not_counted(self):
        """Neither that of other methods, whose turn it is between two partial rankings, nor that of the compiler."""
        now = [0.0]
        table = base.random_table(2000, 200)
        with patch.object(compilation, "clock", lambda: now[0]):
            rankings = refine(table, "multisurf")
            self.assertFalse(next(rankings).info["final"])
            now[0] = 1000.0
            last = list(rankings)[-1]
        self.assertLess(abs(last.info["seconds"]), 1000)

    def test_a_null_level_is_not_given_up_since_it_was_compiled(self):
        with patch.object(STARTUP, "_seconds", STARTUP._seconds + 500):
            later = clock()
        self.assertLess(later, clock() - 400)


class TestMemory(base.RankerTest):
    def test_nothing_stays_of_data_that_are_gone(self):
        """After a ranking, after a stop, and after a failure."""
        widget, known = self.widget, []
        for seed, stop in ((0, False), (1, True), (2, False)):
            data = base.random_table(100, 6, seed)
            known.append(weakref.ref(data))
            self.send_signal(widget.Inputs.data, data, widget=widget)
            if stop:
                widget.stop()
            else:
                self.settle()
            del data
        with patch(REFINE, side_effect=RuntimeError("inside")):
            data = base.random_table(100, 6, 3)
            known.append(weakref.ref(data))
            self.ready(data)
            del data
        self.ready(self.heart[::5])
        self.process_events(lambda: not widget.findChildren(TaskState), timeout=LIMIT)
        self.assertEqual(widget.findChildren(TaskState), [])

        def kept():
            gc.collect()
            # Orange deletes a state that its thread releases last by such an event; without `exec` it is not delivered
            QCoreApplication.sendPostedEvents(None, QEvent.DeferredDelete)
            return [number for number, ref in enumerate(known) if ref() is not None]

        self.process_events(lambda: not kept(), timeout=LIMIT)  # the thread of the second one ends when it looks
        self.assertEqual(kept(), [])

    def test_a_stop_returns_nothing_and_keeps_no_exception(self):
        widget, started = self.widget, threading.Event()

        def work(state):
            started.set()
            while not state.is_interruption_requested():
                time.sleep(0.001)
            raise Interrupted

        widget.start(work)
        future = widget.task.future
        self.assertTrue(started.wait(60))
        widget.cancel()
        self.wait_for_future(future)
        self.assertIsNone(future.exception())

    def test_an_interruption_that_nobody_asked_for_is_a_failure(self):
        def work(state):
            raise Interrupted("from somewhere")

        widget = self.widget
        widget.start(work)
        self.process_events(lambda: widget.run_state == "failed", timeout=LIMIT)
        self.assertTrue(widget.Error.unexpected.is_shown())


class TestSettings(base.RankerTest):
    def test_settings_are_literals_and_come_back(self):
        self.tick("relieff", "surfstar")
        self.ready(self.heart)
        widget = self.widget
        self.highlight("relieff")
        widget.panel.form.more.click()
        for name, value in (("n_neighbors", 7), ("n_instances", 0.25), ("missing", "uniform"), ("sigma", 3.5)):
            widget.panel.form.editors[name].set_value(value)
            widget.panel.form.editors[name].changed.emit()
        widget.selection.set_threshold(0.125)
        widget.area.plot.log_button.click()
        widget.area.splitter.setSizes([300, 100])
        widget.area.splitter.splitterMoved.emit(300, 1)
        self.settle()
        stored = self.packed()
        self.assertEqual(ast.literal_eval(repr(stored)), stored)
        again = self.create_widget(OWReliefE, stored_settings=ast.literal_eval(repr(stored)))
        self.ready(self.heart, again)
        self.assertEqual(self.packed(again), stored)
        self.assertEqual(again.panel.current, "relieff")
        self.assertEqual(again.panel.parameters["relieff"]["n_instances"], 0.25)
        self.assertTrue(again.area.plot.log)
        np.testing.assert_array_equal(self.out("scores", again).X, self.out("scores").X)

    def test_unknown_names_and_impossible_values_are_ignored(self):
        stored = {
            "methods": ["multisurf", "of the future", 3],
            "current": "of the future",
            "leading": "of the future",
            "parameters": {
                "multisurf": {"unheard": 1, "missing": "what", "n_instances": "x", "ramp": (2, 1)},
                "new": 3,
            },
            "mode": "some day",
            "splitter": ["a", "b"],
            "n_best": -4,
        }
        widget = self.create_widget(OWReliefE, stored_settings=stored)
        self.ready(self.heart, widget)
        self.assertEqual(len(self.out("scores", widget).domain.attributes), 1)
        self.assertEqual(widget.panel.parameters, {})
        self.assertEqual(widget.selection.mode, "best")


if __name__ == "__main__":
    unittest.main()
