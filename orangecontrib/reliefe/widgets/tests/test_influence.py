"""The editor of the influence of unlabelled rows, and the texts about its choice."""

import unittest

from AnyQt.QtWidgets import QApplication
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.widgets.ssl.influence import InfluenceEditor, choice_text, tuning_rows
from orangecontrib.reliefe.widgets.tests import base

INFO = {"n_neighbors": 20, "w0": 0.25, "w1": 1.0, "nearest": [0.5, 2.0, [5, 3, 0, 1]],
        "tuning": [[15, 0.0, 0.5, 0.7], [20, 0.25, 1.0, 0.8]]}  # fmt: skip


class TestEditor(GuiTest):
    def setUp(self):
        self.editor, self.heard = InfluenceEditor(), []
        self.editor.changed.connect(lambda *values: self.heard.append(values))

    def test_by_hand_begins_with_what_was_chosen(self):
        self.editor.show_state("auto", "auto", True, INFO)
        self.assertEqual(self.editor.weights, (0.25, 1))
        self.editor.automatic.click()
        self.assertEqual(self.heard, [(0.25, 1)])
        self.editor.show_state(0.25, 1, True, None)
        self.assertTrue(self.editor.nearest.isEnabled())
        self.editor.automatic.click()
        self.assertEqual(self.heard[-1], ("auto", "auto"))

    def test_the_farthest_row_weighs_at_most_as_much_as_the_nearest(self):
        self.editor.show_state(0.25, 0.75, True, None)
        self.editor.farthest.setValue(0.9)
        self.assertEqual(self.heard[-1], (0.9, 0.9))
        self.editor.nearest.setValue(0.3)
        self.assertEqual(self.heard[-1], (0.3, 0.3))
        self.editor.nearest.setValue(1)
        self.assertEqual(self.heard[-1], (0.3, 1))
        self.assertEqual(self.editor.weights, (0.3, 1))

    def test_distances_are_said_in_words(self):
        self.assertEqual(self.editor.distances.text(), "")
        self.editor.show_state("auto", "auto", True, INFO)
        self.assertIn("0.5 to 2", self.editor.distances.text())
        self.editor.forget()
        self.assertEqual((self.editor.weights, self.editor.distances.text()), ((0, 1), ""))

    def test_texts(self):
        self.assertEqual(choice_text(None, True), "To be chosen by cross-validation")
        self.assertEqual(choice_text(None, False), "")
        self.assertEqual(
            choice_text(INFO, True), "Best of 2 settings: 20 neighbours, influence 0.25 to 1 (quality 0.800)"
        )
        self.assertIn("Too few", choice_text({**INFO, "tuning": None}, True))
        self.assertEqual(choice_text({**INFO, "tuning": None}, False), "")
        table = tuning_rows(INFO["tuning"])
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


if __name__ == "__main__":
    unittest.main()
