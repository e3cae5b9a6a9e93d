"""The null level: what it is, when it is computed, where it is seen."""

import unittest
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe import core
from orangecontrib.reliefe.orange.ranker.scores import SHUFFLES, MethodScores
from orangecontrib.reliefe.widgets.ranker import followup as afterwards
from orangecontrib.reliefe.widgets.ranker.selection import SelectionBox
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT, owner_of


class TestInWidget(base.RankerTest):
    def shown(self, data, widget=None):
        """A widget on the screen, with the null level of these data if there is one without asking."""
        widget = widget or self.widget
        widget.show()
        self.ready(data, widget)
        self.wait_for_level(widget)
        return widget

    def wait_for_level(self, widget=None):
        nulls = (widget or self.widget).nulls
        self.process_events(lambda: not nulls.busy, timeout=LIMIT)

    def level(self, data, method="multisurf"):
        table = data.X, data.Y.astype(int)
        nominal = np.array([variable.is_discrete for variable in data.domain.attributes])
        return core.null_level(*table, method, nominal=nominal, n_shuffles=SHUFFLES).level

    def test_it_is_that_of_the_core_and_seen_everywhere(self):
        widget = self.shown(self.heart)
        lead, level = widget.area.lead, self.level(self.heart)
        self.assertEqual(lead.null, level)
        above = int((lead.values > level).sum())
        self.assertIn(f"{above} above the null level", widget.selection.hint.text())
        self.assertTrue(self.control("Null level", widget).isChecked())
        lines = [item for item in widget.area.plot.chart.items if getattr(item, "label", None) is not None]
        self.assertEqual([line.value() for line in lines], [level])
        self.assertIn(f"{level:.4g}", widget.area.model.headerData(3, Qt.Horizontal, Qt.ToolTipRole))
        widget.selection.hint.linkActivated.emit(str(above))
        self.settle()
        self.assertEqual(len(self.out("features")), above)
        widget.grab()
        widget.send_report()
        self.assertIn("Null level", widget.report_html)

    def test_there_is_none_beside_p_values(self):
        widget = self.shown(self.heart)
        level = widget.area.lead.null
        self.choose("p-values", widget=widget)
        self.settle()
        self.wait_for_level()
        self.assertIsNone(widget.area.lead.null)
        self.assertFalse(self.control("Null level", widget).isVisible())
        self.assertNotIn("null", widget.selection.hint.text())
        self.assertTrue(widget.nulls.ticked)  # the setting stays for other rankings
        self.choose("p-values", widget=widget)
        self.settle()
        self.wait_for_level()
        self.assertEqual(widget.area.lead.null, level)
        self.assertTrue(self.control("Null level", widget).isVisible())

    def test_widgets_that_nobody_sees_compute_none(self):
        self.ready(self.heart)
        self.assertFalse(self.widget.nulls.busy)
        self.assertIsNone(self.leading.null)
        self.widget.show()
        self.wait_for_level()
        self.assertIsNotNone(self.leading.null)

    def test_it_is_kept_until_there_are_other_data(self):
        widget = self.shown(self.heart)
        with patch.object(self.widget.nulls, "find") as find:
            self.tick("multisurf", "surf")
            self.choose("Leading score", "multisurf", widget)
            self.settle()
            find.assert_not_called()
        before = widget.area.lead.null
        self.shown(self.heart[:200])
        self.assertNotEqual(widget.area.lead.null, before)
        self.assertEqual(widget.area.lead.null, self.level(self.heart[:200]))

    def test_it_belongs_to_the_score_that_leads(self):
        self.tick("multisurf", "relieff")
        widget = self.shown(self.heart)
        for method in ("multisurf", "relieff"):
            self.choose("Leading score", method, widget)
            self.wait_for_level()
            self.assertEqual(widget.area.lead.null, self.level(self.heart, method))
        self.assertEqual(len([s for s in widget.area.model.columns if s.null is not None]), 2)

    def test_switched_off_it_stays_off(self):
        widget = self.shown(self.heart)
        self.choose("Null level", widget=widget)
        self.assertIsNone(widget.area.lead.null)
        self.assertFalse(widget.nulls.ticked)
        self.assertNotIn("null", widget.selection.hint.text())
        again = self.make(null_level=False)
        self.shown(self.heart, again)
        self.assertFalse(self.control("Null level", again).isChecked())
        self.assertIsNone(again.area.lead.null)
        self.choose("Null level", widget=again)
        self.wait_for_level(again)
        self.assertIsNotNone(again.area.lead.null)

    def test_what_takes_long_is_given_up_and_says_so_unless_it_was_asked_for(self):
        with patch.object(afterwards, "TRIAL", 0.0), patch.object(afterwards, "QUICK", 0.0):
            widget = self.shown(self.heart)
            box = self.control("Null level", widget)
            self.assertIn("about", box.text())
            self.assertFalse(box.isChecked())
            self.assertIsNone(widget.area.lead.null)
            box.click()
            self.assertTrue(box.isChecked())
            self.wait_for_level()
            self.assertIsNotNone(widget.area.lead.null)
            self.assertEqual(box.text(), "Null level")

    def test_it_can_be_stopped(self):
        self.widget.show()
        self.ready(base.random_table(3000, 100))
        self.assertTrue(self.widget.nulls.busy)
        future = self.widget.nulls.task.future
        self.process_events(lambda: "%" in self.control("Null level").text(), timeout=LIMIT)
        self.choose("Null level")
        self.assert_stopped(future)
        self.assertFalse(self.control("Null level").isChecked())
        self.assertEqual(self.control("Null level").text().split(" (")[0], "Null level")

    def test_a_new_ranking_comes_first(self):
        self.widget.show()
        self.ready(base.random_table(3000, 100))
        future = self.widget.nulls.task.future
        self.widget.restart_soon()
        self.settle()
        self.ready(self.heart)
        self.assert_stopped(future)
        self.wait_for_level()
        self.assertEqual(self.leading.null, self.level(self.heart))

    def test_failure_is_told_and_leaves_the_ranking(self):
        with patch("orangecontrib.reliefe.core.null_level", side_effect=ValueError("no way")):
            widget = self.shown(self.heart)
        self.assertEqual(self.control("Null level", widget).text(), "Null level: failed")
        self.assertIn("no way", self.control("Null level", widget).toolTip())
        self.assertEqual(len(self.out("scores")), 13)

    def test_deleting_ends_it(self):
        self.widget.show()
        self.ready(base.random_table(3000, 100))
        future = self.widget.nulls.task.future
        self.widget.onDeleteWidget()
        self.assert_stopped(future)


class TestSuggestions(GuiTest):
    def hint(self, values, null):
        box = SelectionBox(owner_of(SelectionBox))
        box.set_size(len(values))
        box.set_scores([MethodScores("s", np.array(values), "S", null=null)], 0)
        return box.hint

    def test_above_and_none_above(self):
        self.assertIn("2 above", self.hint([3.0, 2.0, 1.0], 1.5).text())
        hint = self.hint([3.0, 2.0, 1.0], 5.0)
        self.assertIn("None above the null level", hint.text())
        self.assertNotIn("href", hint.text())
        self.assertTrue(self.hint([3.0, 2.0, 1.0], None).isHidden())

    def test_bars_reach_to_a_level_above_all_scores(self):
        scores = MethodScores("s", np.array([1.0, -1.0]), null=4.0)
        self.assertEqual((scores.limits, scores.span, scores.above_null), ((-1.0, 1.0), (-1.0, 4.0), 0))


if __name__ == "__main__":
    unittest.main()
