"""The whole widget: palettes, many features, report, keyboard, icons."""

import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence, QPalette
from AnyQt.QtWidgets import QApplication

from orangecontrib.reliefe import widgets
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.owsslrelief import OWSSLRelief
from orangecontrib.reliefe.widgets.owurelief import OWURelief
from orangecontrib.reliefe.widgets.ranker.view import TITLE_EXTRA_WIDTH, RankingView
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT
from orangecontrib.reliefe.widgets.utils import colors


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
        above_zero = int((self.leading.values > 0).sum())
        self.assertGreater(above_zero, 1000)
        self.assertEqual(len(self.out("features")), above_zero)

    def test_narrow_window(self):
        """The first sentence is whole, and the score is seen beside q: p gives way to it."""
        widget = self.ready(self.heart, self.make(p_values=True))
        self.process_events(lambda: not widget.tests.busy, timeout=LIMIT)
        self.settle(widget)
        table, conclusion, columns = widget.area.table, widget.area.conclusion, widget.area.model.fields
        number = {column.title: place for place, column in enumerate(columns)}
        widget.show()
        for width, has_p in ((1280, True), (760, False)):
            widget.resize(width, 560)
            self.process_events(lambda width=width: widget.width() == width, timeout=LIMIT)
            self.assertEqual(table.isColumnHidden(number["p"]), not has_p)
            self.assertFalse(table.isColumnHidden(number["q"]))
            self.assertEqual(table.horizontalScrollBar().maximum(), 0)
            self.assertGreaterEqual(conclusion.height(), conclusion.heightForWidth(conclusion.width()))

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
        self.assertTrue(area.plot.accessibleName())
        for part in (area.table, area.filter, area.plot.log_button, box.slider, box.spin, box.limit, box.leading):
            self.assertTrue(part.accessibleName(), part)
            self.assertTrue(part.toolTip() or part is area.table, part)
        self.assertTrue(self.widget.panel.list.accessibleName())

    def test_titles_have_room_where_there_is_any(self):
        self.tick("multisurf", "boostedrelief", "learnedrelief", "boostedlearnedrelief")
        self.ready(self.heart)
        table = RankingView(self.widget.area.model)
        header = table.horizontalHeader()
        self.assertEqual(header.textElideMode(), Qt.ElideMiddle)
        for width in (400, 700, 1300):
            table.resize(width, 400)
            table.grab()
            widths = [header.sectionSize(FIRST_SCORE + i) for i in range(4)]
            self.assertGreaterEqual(min(widths), 92)  # pixels of a short bar and its number
        for scores, width in zip(self.widget.area.model.columns, widths, strict=True):
            self.assertGreater(width, table.fontMetrics().horizontalAdvance(scores.title) + TITLE_EXTRA_WIDTH - 1)

    def test_scores_stay_equally_wide_when_another_leads(self):
        self.tick("multisurf", "relieff")
        self.ready(self.heart)
        table = RankingView(self.widget.area.model)
        table.resize(1300, 400)
        table.grab()
        for leading in (1, 0, 1):
            table.put_first(FIRST_SCORE + leading)
            widths = [table.columnWidth(FIRST_SCORE + i) for i in range(2)]
            self.assertEqual(np.ptp(widths), 0, widths)
            titles = {self.widget.area.model.headerData(FIRST_SCORE + i, Qt.Horizontal) for i in range(2)}
            self.assertEqual(titles, {"ReliefF", "MultiSURF"})  # not shortened

    def test_the_arrow_of_a_sorted_column_has_room_behind_its_title(self):
        self.ready(self.heart)
        model = self.widget.area.model
        for column in range(model.columnCount()):
            before = model.headerData(column, Qt.Horizontal)
            model.sort(column)
            after = model.headerData(column, Qt.Horizontal)
            right = bool(model.headerData(column, Qt.Horizontal, Qt.TextAlignmentRole) & Qt.AlignRight.value)
            self.assertEqual(after.endswith("\u2003"), right, after)
            self.assertEqual(after.strip(), before.strip())

    def test_tooltips_of_titles_have_no_formulas(self):
        self.ready(self.heart)
        tip = self.widget.area.model.headerData(FIRST_SCORE, Qt.Horizontal, Qt.ToolTipRole)
        self.assertIn("MultiSURF", tip)
        self.assertNotIn("n^2", tip)

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
