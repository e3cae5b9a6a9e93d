"""Fonts, titles and colours of charts by Orange's dialog."""

import unittest

from AnyQt.QtWidgets import QComboBox, QLineEdit, QSpinBox
from Orange.data import Table
from Orange.widgets.visualize.utils.customizableplot import Updater

from orangecontrib.reliefe.orange.stored_settings import visual
from orangecontrib.reliefe.widgets.owintrinsicdimension import OWIntrinsicDimension
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest
from orangecontrib.reliefe.widgets.utils.appearance import (
    ANNOTATIONS,
    AXIS_TICKS,
    COLORS,
    FIGURE,
    FONTS,
    GREYS,
    LABEL,
    LEGEND,
    TITLE,
    X_TITLE,
    StyledView,
)
from orangecontrib.reliefe.widgets.utils.colors import hue

NAME = "Fit, and dimension by number of rows"
TICKS = FONTS, AXIS_TICKS, Updater.SIZE_LABEL
ITALIC = FONTS, LABEL, Updater.IS_ITALIC_LABEL
HEAD = ANNOTATIONS, NAME, TITLE
BOTTOM = ANNOTATIONS, NAME, X_TITLE
SHADES = FIGURE, COLORS, COLORS
LETTERS = FONTS, LEGEND, Updater.SIZE_LABEL
CHANGED = {TICKS: 15, ITALIC: True, HEAD: "a <b", BOTTOM: "x & y", SHADES: GREYS, LETTERS: 14}


class TestVisualSettings(WidgetTest):
    def ranked(self, **settings):
        widget = self.create_widget(OWIntrinsicDimension, stored_settings=settings)
        widget.resize(900, 500)
        widget.show()
        self.send_signal(widget.Inputs.data, Table("iris"), widget=widget)
        self.wait_until_finished(widget=widget, timeout=60_000)
        self.process_events()
        return widget

    def assert_changed(self, chart):
        self.assertEqual(chart.title.item.toPlainText(), "a <b")
        fit = chart.fit
        self.assertEqual(fit.getAxis("bottom").label.toPlainText().strip(), "x & y")
        self.assertEqual(fit.getAxis("left").style["tickFont"].pointSize(), 15)
        self.assertEqual(chart.curve.titleLabel.item.font().pointSize(), 14)
        self.assertTrue(chart.font().italic())
        self.assertEqual(chart.hue(0), chart.text_color)
        self.assertEqual(chart.curve.above.entries[0].color, chart.text_color)

    def test_settings_are_shown_stored_and_restored(self):
        widget = self.ranked()
        self.assertIsNone(widget.chart.title)
        self.assertEqual(widget.chart.curve.above.entries[0].color, hue(0, widget.chart.palette()))
        for key, value in CHANGED.items():
            widget.set_visual_settings(key, value)
        self.process_events()
        self.assert_changed(widget.chart)
        widget.grab()
        stored = widget.settingsHandler.pack_data(widget)["visual_settings"]
        self.assertEqual(stored, CHANGED)
        self.assert_changed(self.ranked(visual_settings=stored).chart)
        widget.set_visual_settings(HEAD, "")
        widget.set_visual_settings(BOTTOM, "")
        self.assertIsNone(widget.chart.title)
        self.assertIn("distance", widget.chart.fit.getAxis("bottom").label.toPlainText())

    def test_the_dialog_is_made_when_it_is_opened(self):
        stored = {TICKS: 15, (FONTS, "of the future", "x"): 3, (ANNOTATIONS, NAME, TITLE): 7, SHADES: "Pink"}
        widget = self.ranked(visual_settings=stored)
        self.assertIsNone(widget._dialog)
        widget.openVisualSettingsClicked.emit()
        self.assertEqual(widget.visual_settings, {TICKS: 15})
        dialog = widget._dialog
        self.assertTrue(dialog.isVisible())
        self.assertIn(15, [spin.value() for spin in dialog.findChildren(QSpinBox)])
        dialog.findChildren(QLineEdit)[-3].setText("typed")
        self.assertEqual(widget.chart.title.item.toPlainText(), "typed")
        colors = next(box for box in dialog.findChildren(QComboBox) if box.findText(GREYS) >= 0)
        colors.setCurrentText(GREYS)
        self.assertEqual(widget.visual_settings[SHADES], GREYS)
        dialog.close()
        widget.openVisualSettingsClicked.emit()
        self.assertIs(widget._dialog, dialog)

    def test_settings_from_elsewhere(self):
        for wrong in (7, {"a": 1}, {("a", "b"): 1}, {("a", "b", "c"): [1]}, {("a", "b", 3): 1}):
            self.assertFalse(visual(wrong))
            widget = self.create_widget(OWIntrinsicDimension, stored_settings={"visual_settings": wrong})
            self.assertEqual(widget.visual_settings, {})

    def test_every_chart_of_a_widget_has_titles(self):
        for widget_class in (OWReliefE, OWRankingComparison):
            widget = self.create_widget(widget_class)
            names = [view.accessibleName() for view in widget.findChildren(StyledView)]
            self.assertGreater(len(names), 4)
            self.assertEqual(len(names), len({*names}))
            widget.openVisualSettingsClicked.emit()
            for name in names:
                widget.set_visual_settings((ANNOTATIONS, name, TITLE), name)
            self.process_events()
            for view in widget.findChildren(StyledView):
                self.assertEqual(view.title.item.toPlainText(), view.accessibleName())
            widget.grab()


if __name__ == "__main__":
    unittest.main()
