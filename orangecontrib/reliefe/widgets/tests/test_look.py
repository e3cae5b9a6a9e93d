"""The whole widget: palettes, many features, report, keyboard, icons."""

import unittest
from pathlib import Path
from unittest.mock import patch

from AnyQt.QtGui import QKeySequence, QPalette
from AnyQt.QtWidgets import QApplication

from orangecontrib.reliefe import widgets
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.utils import colors
from orangecontrib.reliefe.widgets.utils.model import NAME


class TestWholeWidget(base.RankerTest):
    def test_dark_palette(self):
        self.ready(self.heart)
        saved = QApplication.palette()
        try:
            QApplication.setPalette(base.dark_palette())
            self.process_events()
            self.assertTrue(colors.is_dark(self.widget.palette()))
            button = self.widget.selection.buttons["best"]
            self.assertNotEqual(button.palette().color(QPalette.Base), self.widget.palette().color(QPalette.Base))
            self.widget.grab()
        finally:
            QApplication.setPalette(saved)
        self.process_events()
        self.assertEqual(button.palette().color(QPalette.Base), self.widget.palette().color(QPalette.Base))

    def test_twenty_thousand_features(self):
        self.tick("multisurf", "relieff")
        self.ready(base.random_table(60, 20_000))
        self.widget.grab()
        area = self.widget.area
        area.model.sort(NAME)
        area.filter.setText("x199")
        self.assertEqual(area.counts.text(), "111 of 20,000 shown, 10 of 20,000 selected")
        self.widget.selection.slider.setValue(1000)
        self.settle()
        self.assertEqual(len(self.out("features")), 20_000)

    def test_report(self):
        self.ready(self.heart)
        with patch.object(self.widget, "report_table") as table:
            self.widget.send_report()
        rows = table.call_args.args[1]
        self.assertEqual((rows[0], len(rows)), (["#", "Feature", "MultiSURF"], 14))
        self.widget.send_report()
        self.assertIn("MultiSURF", self.widget.report_html)

    def test_everything_that_can_be_reached_has_a_name(self):
        self.ready(self.heart)
        area, box = self.widget.area, self.widget.selection
        for part in (area.table, area.filter, area.plot.log_button, box.slider, box.spin, box.limit, box.leading):
            self.assertTrue(part.accessibleName(), part)
            self.assertTrue(part.toolTip() or part is area.table, part)
        self.assertTrue(self.widget.panel.list.accessibleName())

    def test_find_moves_to_the_filter(self):
        self.assertEqual(self.widget.area.find.key(), QKeySequence(QKeySequence.Find))
        self.widget.area.find.activated.emit()
        self.assertIs(self.widget.focusWidget(), self.widget.area.filter)

    def test_icons_exist_and_follow_the_palette(self):
        for name in (OWReliefE.icon, OWURelief.icon, OWSSLRelief.icon, widgets.ICON):
            text = (Path(widgets.__file__).parent / name).read_text(encoding="utf-8")
            self.assertIn('id="current-color-scheme"', text)
            self.assertIn("currentColor", text)


if __name__ == "__main__":
    unittest.main()
