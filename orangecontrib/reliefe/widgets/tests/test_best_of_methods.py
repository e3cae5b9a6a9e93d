"""The tab *Best of methods* of Rank via ReliefE: p-values corrected for the number of ticked methods."""

from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt

from orangecontrib.reliefe.core import METHODS, best_of_methods
from orangecontrib.reliefe.orange.conversion import arrays, asked
from orangecontrib.reliefe.widgets.ranker.area import BEST_OF
from orangecontrib.reliefe.widgets.ranker.bestofmethods import TITLE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_pvalues import LIMIT, PValuesTest


class TestBestOfMethods(PValuesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = base.random_table(60, 5)

    def make(self, **settings):
        widget = super().make(**{"methods": ["relieff", "multisurf"], "p_values": True} | settings)
        widget.show()
        return widget

    def wait(self, widget=None):
        widget = widget or self.widget
        super().wait(widget)
        self.process_events(lambda: not widget.best_of_ticked.busy, timeout=LIMIT)
        super().wait(widget)

    def offered(self, widget):
        """Return True if the tab is there."""
        views = widget.area.views
        return views.tabs.isTabVisible([*views.pages].index(BEST_OF))

    def answer(self, widget):
        """Open the tab, and return all that is seen."""
        views = widget.area.views
        views.tabs.setCurrentIndex([*views.pages].index(BEST_OF))
        return self.seen(widget)

    def test_the_tab_needs_p_values_and_two_methods(self):
        self.assertTrue(self.offered(self.complete(self.table)))
        self.assertFalse(self.control(TITLE).isChecked())
        self.choose("p-values")
        self.assertFalse(self.offered(self.widget))
        one = self.make(methods=["relieff"])
        self.assertFalse(self.offered(self.complete(self.table, one)))
        of_orange = self.make(methods=["relieff", "orange.infogain"])
        self.assertFalse(self.offered(self.complete(self.table, of_orange)))

    def test_it_is_that_of_the_core_with_the_parameters_of_the_window(self):
        parameters = {"relieff": {"n_neighbors": 5}}
        widget = self.complete(self.table, self.make(parameters=parameters))
        self.choose(TITLE, widget=widget)
        self.wait(widget)
        data = arrays(self.table)
        expected = best_of_methods(data.X, data.y, [("relieff", {"n_neighbors": 5}), "multisurf"], **asked(data))
        page = widget.best_of_ticked.page
        columns = {field.title: [field.text_of(item) for item in range(5)] for field in page.model.fields}
        order = np.argsort(expected.p, kind="stable")
        self.assertEqual(columns["Feature"], [f"x{feature}" for feature in order])
        self.assertEqual(columns["p"], [f"{p:.2g}" for p in expected.p[order]])
        self.assertEqual(columns["family-wise"], [f"{p:.2g}" for p in expected.family_wise[order]])
        titles = [METHODS[ranking.method].title for ranking in expected.rankings]
        self.assertEqual(columns["Best method"], [titles[expected.best[feature]] for feature in order])
        self.assertIn(f"family-wise p = {expected.family_wise.min():.2g}", self.answer(widget))
        self.assertTrue(self.packed(widget)["best_of_ticked"]["ticked"])
        widget.send_report()
        self.assertIn("corrected for all 2 methods", widget.report_html)

    def test_unticking_stops_it(self):
        widget = self.complete(base.random_table(400, 30), self.make())
        self.choose(TITLE, widget=widget)
        self.process_events(lambda: "%" in self.control(TITLE, widget).text(), timeout=LIMIT)
        future = widget.best_of_ticked.task.future
        self.choose(TITLE, widget=widget)
        self.assertLess(self.wait_for_future(future), 1)
        self.assertFalse(widget.best_of_ticked.busy or widget.best_of_ticked.ticked)

    def test_other_methods_ask_again(self):
        widget = self.complete(self.table, self.make())
        self.choose(TITLE, widget=widget)
        self.wait(widget)
        self.assertIn("Best of ReliefF, MultiSURF:", self.answer(widget))
        widget.panel.list.by_name["surf"].setCheckState(Qt.Checked)
        self.wait(widget)
        self.assertIn("for all 3 methods", self.answer(widget))
        self.choose(TITLE, widget=widget)
        self.assertNotIn("family-wise p =", self.answer(widget))

    def test_a_failure_is_told(self):
        widget = self.complete(self.table, self.make())
        with patch("orangecontrib.reliefe.core.best_of_methods", side_effect=ValueError("no way")):
            self.choose(TITLE, widget=widget)
            self.wait(widget)
        self.assertIn("no way", self.answer(widget))
        self.assertIn("not here", self.control(TITLE, widget).text())
