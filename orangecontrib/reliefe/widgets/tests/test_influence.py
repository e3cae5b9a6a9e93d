"""The parts of SSL-Relief that stand for themselves: the range slider, the influence editor, the tree of labels."""

import unittest

from AnyQt.QtCore import QEvent, QPoint, QPointF, Qt
from AnyQt.QtGui import QFocusEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.widgets.ssl.influence import HIGH, LOW, InfluenceEditor, RangeSlider, choice_text, tried
from orangecontrib.reliefe.widgets.tests import base

INFO = {"n_neighbors": 20, "w0": 0.25, "w1": 1.0, "nearest": [0.5, 2.0, [5, 3, 0, 1]],
        "tuning": [[15, 0.0, 0.5, 0.7], [20, 0.25, 1.0, 0.8]]}  # fmt: skip


class TestRangeSlider(GuiTest):
    def setUp(self):
        self.slider = RangeSlider(("low end", "high end"), 10, 20)
        self.slider.resize(18, 130)
        self.heard = []
        self.slider.changed.connect(lambda *values: self.heard.append(values))

    def drag(self, begin, end):
        places = [QPoint(9, round(self.slider.place(value))) for value in (begin, end)]
        QTest.mousePress(self.slider, Qt.LeftButton, pos=places[0])
        QTest.mouseMove(self.slider, places[1])
        QTest.mouseRelease(self.slider, Qt.LeftButton, pos=places[1])

    def press(self, handle, *keys):
        self.slider._current = handle
        for key in keys:
            QTest.keyClick(self.slider, key)

    def test_places(self):
        self.assertEqual((self.slider.place(0), self.slider.place(1)), (110, 10))

    def test_clicks_move_the_nearer_handle(self):
        for value, expected in ((0.3, (0.3, 1)), (0.9, (0.3, 0.9)), (0.5, (0.5, 0.9))):
            QTest.mouseClick(self.slider, Qt.LeftButton, pos=QPoint(9, round(self.slider.place(value))))
            self.assertEqual(self.slider.values, expected)
        self.assertEqual(self.heard[-1], (0.5, 0.9))

    def test_handles_do_not_pass_each_other(self):
        self.slider.set_values(0.4, 0.6)
        self.drag(0.4, 0.9)
        self.assertEqual(self.slider.values, (0.6, 0.6))
        self.press(HIGH, Qt.Key_Home)
        self.assertEqual(self.slider.values, (0.6, 0.6))
        self.press(LOW, Qt.Key_Up, Qt.Key_End)
        self.assertEqual(self.slider.values, (0.6, 0.6))

    def test_handles_that_meet_can_be_parted(self):
        for both in (0.0, 0.5, 1.0):
            self.slider.set_values(both, both)
            self.drag(both, 0.8 if both < 1 else 0.2)
            self.assertNotEqual(*self.slider.values)

    def test_keys(self):
        self.slider.set_values(0.25, 0.75)
        self.press(HIGH, Qt.Key_Up, Qt.Key_PageUp)
        self.assertEqual(self.slider.values, (0.25, 1))
        self.press(LOW, Qt.Key_Down, Qt.Key_Left, Qt.Key_Home)
        self.assertEqual(self.slider.values, (0, 1))
        self.press(LOW, Qt.Key_A)
        self.assertEqual(self.heard[-1], (0, 1))

    def test_tab_goes_from_one_to_the_other_and_on(self):
        self.slider.show()
        QApplication.setActiveWindow(self.slider)
        self.slider.setFocus(Qt.TabFocusReason)
        QApplication.sendEvent(self.slider, QFocusEvent(QEvent.FocusIn, Qt.TabFocusReason))  # it may have had the focus
        if not self.slider.hasFocus():
            self.skipTest("no focus without a window manager")
        self.assertEqual(self.slider.accessibleName(), "low end")
        self.assertTrue(self.slider.focusNextPrevChild(True))
        self.assertEqual(self.slider.accessibleName(), "high end")
        self.slider.focusNextPrevChild(True)
        self.assertEqual(self.slider.accessibleName(), "high end")
        self.slider.grab()

    def test_setting_is_quiet(self):
        self.slider.set_values(0.1, 0.2)
        self.assertEqual(self.heard, [])
        self.assertIn("range from 0.1 to 0.2", self.slider.accessibleDescription())


class TestEditor(GuiTest):
    def setUp(self):
        self.editor, self.heard = InfluenceEditor(), []
        self.editor.changed.connect(lambda *values: self.heard.append(values))

    def test_by_hand_begins_with_what_was_chosen(self):
        self.editor.show_state("auto", "auto", True, INFO)
        self.assertEqual(self.editor.slider.values, (0.25, 1))
        self.assertEqual(self.editor.picture.counts, (5, 3, 0, 1))
        self.editor.automatic.click()
        self.assertEqual(self.heard, [(0.25, 1)])
        self.editor.show_state(0.25, 1, True, None)
        self.assertTrue(self.editor.slider.isEnabled())
        self.editor.automatic.click()
        self.assertEqual(self.heard[-1], ("auto", "auto"))

    def test_slider_and_picture_are_level(self):
        self.editor.resize(250, 220)
        self.editor.show()
        slider, picture = self.editor.slider, self.editor.picture
        self.assertEqual((slider.y(), slider.height()), (picture.y(), picture.height()))
        self.assertEqual(slider.place(0), picture.height() - picture.foot)

    def test_texts(self):
        self.assertEqual(choice_text(None, True), "To be chosen by cross-validation")
        self.assertEqual(choice_text(None, False), "")
        self.assertEqual(
            choice_text(INFO, True), "Best of 2 settings: 20 neighbours, influence 0.25 to 1 (quality 0.800)"
        )
        self.assertIn("Too few", choice_text({**INFO, "tuning": None}, True))
        self.assertEqual(choice_text({**INFO, "tuning": None}, False), "")
        table = tried(INFO["tuning"])
        self.assertLess(table.index("0.25 to 1"), table.index("0 to 0.5"))

    def test_looks(self):
        saved = QApplication.palette()
        try:
            for palette in (saved, base.dark_palette()):
                QApplication.setPalette(palette)
                for state in (("auto", "auto", True, INFO), (0.0, 0.0, True, None), ("auto", "auto", False, None)):
                    self.editor.show_state(*state)
                    self.editor.grab()
        finally:
            QApplication.setPalette(saved)

    def test_the_line_is_where_it_should_be(self):
        self.editor.show_state(0.0, 1.0, True, None)
        picture = self.editor.picture
        picture.resize(200, picture.height())
        image = picture.grab().toImage()
        column = [image.pixelColor(QPointF(110, y).toPoint()) for y in range(picture.height())]
        blue = [y for y, color in enumerate(column) if color.blue() > color.red() + 60]
        low, high = self.editor.slider.place(0), self.editor.slider.place(1)
        self.assertTrue(blue)
        self.assertTrue(high < min(blue) and max(blue) < low)


if __name__ == "__main__":
    unittest.main()
