"""Example Data: every table of the list, the one that is chosen, what is stored."""

import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
from Orange.data import Table

from orangecontrib.reliefe import tutorials
from orangecontrib.reliefe.widgets import owexampledata
from orangecontrib.reliefe.widgets.owexampledata import EXAMPLES, USUAL, Example, OWExampleData, path_of
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest


class TestExampleData(WidgetTest):
    kind = OWExampleData

    def out(self, widget=None):
        return super().out("data", self.settle(widget))

    def test_all_can_be_chosen(self):
        for row, (name, example) in enumerate(EXAMPLES.items()):
            self.widget.list.setCurrentRow(row)
            data, expected = self.out(), Table(str(path_of(example)))
            self.assertEqual(self.widget.example, name)
            self.assertEqual(self.widget.about.text(), example.about)
            self.assertEqual(data.domain, expected.domain)
            np.testing.assert_array_equal(data.X, expected.X)
            np.testing.assert_array_equal(data.Y, expected.Y)
            words = example.about.replace(",", "")
            if words[0].isdigit():
                self.assertEqual(words.split()[0], str(len(data)), example.title)

    def test_all_files_of_the_workflows_are_there(self):
        ours = {example.file for example in EXAMPLES.values() if not example.orange}
        folder = Path(tutorials.__file__).parent
        self.assertEqual(ours, {path.name for path in (*folder.glob("*.tab"), *folder.glob("*.tab.*"))})

    def test_the_choice_is_stored(self):
        self.assertEqual(self.out().name, "heart_disease")
        self.widget.list.setCurrentRow(list(EXAMPLES).index("zoo"))
        stored = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(stored["example"], "zoo")
        again = self.create_widget(OWExampleData, stored_settings=stored)
        self.assertEqual(self.out(again).name, "zoo")
        self.assertEqual(again.list.currentRow(), self.widget.list.currentRow())

    def test_unknown_names_are_no_paths(self):
        for wrong in ("of the future", "/etc/passwd", "../zoo", 3, None):
            widget = self.create_widget(OWExampleData, stored_settings={"example": wrong})
            self.assertEqual(widget.example, USUAL)
            self.assertEqual(self.out(widget).name, "heart_disease")

    def test_a_file_that_is_not_there(self):
        with patch.dict(owexampledata.EXAMPLES, {USUAL: Example("none.tab", "None", "Nothing")}):
            widget = self.create_widget(OWExampleData)
            self.assertIsNone(self.out(widget))
            self.assertTrue(widget.Error.unreadable.is_shown())
        widget.list.setCurrentRow(3)
        self.assertIsNotNone(self.out(widget))
        self.assertFalse(widget.Error.active)

    def test_report(self):
        self.out()
        self.widget.send_report()
        self.assertIn("Heart disease", self.widget.report_html)

    def test_names_for_those_who_do_not_see(self):
        self.assertTrue(self.widget.list.accessibleName())
        self.assertTrue(all(self.widget.list.item(i).toolTip() for i in range(len(EXAMPLES))))


if __name__ == "__main__":
    unittest.main()
