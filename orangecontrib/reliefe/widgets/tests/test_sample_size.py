"""The tab *Sample size* of Rank via ReliefE: discoveries that other studies would find again."""

from unittest.mock import patch

from orangecontrib.reliefe import power, rank
from orangecontrib.reliefe.orange.jobs import sample_size
from orangecontrib.reliefe.widgets.ranker.area import SAMPLE_SIZE
from orangecontrib.reliefe.widgets.ranker.samplesize import ROWS, WRONG_ROWS
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.test_pvalues import LIMIT, PValuesTest

TITLE = "Sample size"


class TestSampleSize(PValuesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = base.random_table(60, 12)

    def make(self, rows="30, 60", **settings):
        widget = super().make(**{"p_values": True, "sample_sizes": {"rows_text": rows}} | settings)
        widget.show()
        return widget

    def wait(self, widget=None):
        widget = widget or self.widget
        super().wait(widget)
        self.process_events(lambda: not widget.sample_sizes.busy, timeout=LIMIT)
        super().wait(widget)

    def answer(self, widget):
        """Open the tab, and return all that is seen."""
        views = widget.area.views
        place = [*views.pages].index(SAMPLE_SIZE)
        self.assertTrue(views.tabs.isTabVisible(place))
        views.tabs.setCurrentIndex(place)
        return self.seen(widget)

    def write(self, text, widget):
        """Write numbers of rows, and press Enter."""
        line = self.control(ROWS, widget)
        line.setText(text)
        line.editingFinished.emit()

    def test_it_is_that_of_the_core(self):
        widget = self.complete(self.table, self.make())
        self.assertFalse(self.control(TITLE, widget).isChecked())
        with patch.object(sample_size, "N_SETS", 3):
            self.choose(TITLE, widget=widget)
            self.wait(widget)
        expected = power(rank(self.table, "relieff", significance=True), n=[30, 60], n_sets=3)
        columns = {field.title: field for field in widget.sample_sizes.page.model.fields}
        self.assertEqual(columns["Feature"].values, list(expected.names))
        self.assertEqual(columns["60 rows"].values, expected.shares[1].tolist())
        self.assertEqual(columns["30 rows"].text_of(0), f"{100 * expected.shares[0, 0]:.0f} %")
        self.assertIn(f"{expected.expected[0]:.1f} with 30 rows", self.answer(widget))
        self.assertTrue(self.packed(widget)["sample_sizes"]["ticked"])
        widget.send_report()
        self.assertIn("Expected to be found again", widget.report_html)

    def test_numbers_of_rows(self):
        widget = self.complete(self.table, self.make(rows=""))
        self.assertEqual(widget.sample_sizes.sizes(), (60, 120, 240))
        self.write("40; 50", widget)
        self.assertIn(WRONG_ROWS, self.answer(widget))
        self.assertFalse(widget.sample_sizes.busy)
        self.write("19", widget)
        self.assertIn(WRONG_ROWS, self.answer(widget))
        self.write(" 50 30,50", widget)
        self.assertEqual(widget.sample_sizes.sizes(), (30, 50))
        self.assertEqual(self.packed(widget)["sample_sizes"]["rows_text"], " 50 30,50")

    def test_unticking_stops_it(self):
        widget = self.complete(self.table, self.make(rows="500"))
        self.choose(TITLE, widget=widget)
        self.process_events(lambda: "%" in self.control(TITLE, widget).text(), timeout=LIMIT)
        future = widget.sample_sizes.task.future
        self.choose(TITLE, widget=widget)
        self.assertLess(self.wait_for_future(future), 1)
        self.assertFalse(widget.sample_sizes.busy or widget.sample_sizes.ticked)

    def test_it_needs_p_values_and_takes_no_groups(self):
        widget = self.complete(self.table, self.make(p_values=False))
        views = widget.area.views
        self.assertFalse(views.tabs.isTabVisible([*views.pages].index(SAMPLE_SIZE)))
        adjusted = self.complete(self.table, self.make(covariates=["x3"]))
        self.choose(TITLE, widget=adjusted)
        self.assertIn("there is no sample size", self.answer(adjusted))
        self.assertFalse(adjusted.sample_sizes.busy)
