"""Outputs do not wait for the slowest method."""

import threading
import unittest
from unittest.mock import patch

import numpy as np

from orangecontrib.reliefe import rank
from orangecontrib.reliefe.orange import api
from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.orange.jobs.run import run
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE
from orangecontrib.reliefe.widgets.tests.test_reliefe import PCA, job_of
from orangecontrib.reliefe.widgets.tests.test_running import State
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT

REFINE = "orangecontrib.reliefe.orange.api.refine"


class TestOrder(unittest.TestCase):
    def test_the_fastest_come_first(self):
        """Many trees cost more than neighbours; an embedding comes last, UMAP's at the end."""
        jobs = [job_of("reliefe"), job_of("reliefe", embedding="pca"), job_of("pct", n_trees=1000), job_of("multisurf")]
        data, begun = base.random_table(60, 5), []

        def refused(table, method, **values):
            begun.append((method, values.get("embedding")))
            if method == "multisurf":
                return iter([rank(table, "multisurf")])
            raise ValueError("not now")

        with patch(REFINE, refused):
            run(data, jobs, Result(), State())
        expected = [("multisurf", None), ("pct", None), ("reliefe", "pca"), ("reliefe", "umap")]
        self.assertEqual(begun, expected)


class TestFirstResult(base.RankerTest):
    """ReliefE waits until it is let go on; all else is ranked as usual."""

    def setUp(self):
        super().setUp()
        self.go_on = threading.Event()
        self.addCleanup(self.go_on.set)
        refine = api.refine

        def held(table, method, **values):
            def rankings():
                self.go_on.wait(60)
                yield from refine(table, method, **values)

            return rankings() if method == "reliefe" else refine(table, method, **values)

        patcher = patch(REFINE, held)
        patcher.start()
        self.addCleanup(patcher.stop)

    def begin(self, **settings):
        """A widget that has ranked by MultiSURF, and embeds."""
        widget = self.make(methods=["reliefe", "multisurf"], parameters=PCA, **settings)
        self.send_signal(widget.Inputs.data, self.heart, widget=widget)
        self.process_events(lambda: widget.area.lead is not None, timeout=LIMIT)
        self.assertEqual(widget.run_state, "running")
        return widget

    def end(self, widget):
        self.go_on.set()
        self.settle(widget)
        self.assertEqual(widget.run_state, "idle")

    def test_outputs_go_out_while_the_embedding_is_made(self):
        widget = self.begin()
        best = {*rank(self.heart, "multisurf").best(7)}
        self.assertFalse(widget.isInvalidated())  # or what comes after would not be told
        self.assertEqual({*self.out("reduced", widget).domain.attributes}, best)
        self.assertEqual({*self.out("features", widget)}, best)
        self.assertEqual(self.out("scorer", widget).name, "MultiSURF")
        self.assertEqual([v.name for v in self.out("scores", widget).domain.attributes], ["MultiSURF"])
        reduced = self.out("reduced", widget)
        self.end(widget)
        self.assertEqual([v.name for v in self.out("scores", widget).domain.attributes], ["ReliefE", "MultiSURF"])
        self.assertIs(self.out("reduced", widget), reduced)  # nothing after it has to begin anew

    def test_a_change_of_the_selection_goes_out_as_well(self):
        widget = self.begin()
        widget.selection.spin.setValue(2)
        self.process_events(lambda: len(self.out("features", widget)) == 2, timeout=LIMIT)
        self.assertEqual(widget.run_state, "running")
        self.end(widget)
        self.assertEqual(len(self.out("features", widget)), 2)

    def test_outputs_wait_for_the_score_that_is_to_lead(self):
        widget = self.begin(leading="reliefe")
        self.assertTrue(widget.isInvalidated())
        self.assertIsNone(self.signal_manager.outputs.get((widget, "Reduced Data")))
        self.end(widget)
        found = rank(self.heart, "reliefe", embedding="pca")
        self.assertEqual(self.out("features", widget)[0].name, self.out("reduced", widget).domain.attributes[0].name)
        self.assertLessEqual({*self.out("features", widget)}, {*found.best(10)})

    def test_the_column_says_that_it_embeds(self):
        widget = self.begin()
        model = widget.area.model
        titles = [model.headerData(FIRST_SCORE + k, base.Qt.Horizontal) for k in range(len(model.columns))]
        self.assertEqual(titles, ["MultiSURF", "ReliefE: embedding …"])
        self.assertEqual(model.index(0, FIRST_SCORE + 1).data(), "–")
        self.assertEqual(widget.area.lead.name, "multisurf")
        widget.grab()
        widget.area.table.sortByColumn(FIRST_SCORE + 1, base.Qt.DescendingOrder)
        self.assertEqual(widget.area.lead.name, "multisurf")
        self.end(widget)
        self.assertEqual([s.title for s in model.columns], ["ReliefE", "MultiSURF"])
        self.assertEqual(widget.area.lead.name, "reliefe")  # whose header was clicked

    def test_a_stop_takes_the_empty_column_away(self):
        widget = self.begin()
        widget.stop()
        self.settle(widget)
        self.assertEqual([s.title for s in widget.area.model.columns], ["MultiSURF"])
        self.assertEqual([v.name for v in self.out("scores", widget).domain.attributes], ["MultiSURF"])
        self.assertFalse(widget.Warning.stopped.is_shown())  # that ranking is finished
        np.testing.assert_array_equal(self.out("scores", widget).X[:, 0], rank(self.heart, "multisurf").scores)


if __name__ == "__main__":
    unittest.main()
