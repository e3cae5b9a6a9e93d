"""Open Data: files as other programs write them, every example, the first look, what is stored."""

import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
import openpyxl
from AnyQt.QtWidgets import QLabel
from Orange.data import Table

from orangecontrib.reliefe import read_table, tutorials
from orangecontrib.reliefe.orange import examples
from orangecontrib.reliefe.orange.examples import EXAMPLES, USUAL, Example, path_of
from orangecontrib.reliefe.widgets.opendata import readingbox
from orangecontrib.reliefe.widgets.owopendata import OWOpenData
from orangecontrib.reliefe.widgets.tests.run_workflow import run
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

LAB = "Laborwerte;;;\nGewicht;Alter;Visite;Diagnose\n" + "".join(
    f"{70 + i},5;{-99 if i == 3 else 40 + i % 7};{i + 1};{'krank' if i % 2 else 'gesund'}\n" for i in range(24)
)
OLD_WORKFLOW = """<?xml version='1.0' encoding='utf-8'?>
<scheme version="2.0" title="" description="">
<nodes><node id="0" name="Example Data" qualified_name="orangecontrib.reliefe.widgets.owexampledata.OWExampleData"
 project_name="Orange3-ReliefE" version="" title="Example Data" position="(150, 300)" /></nodes>
<links /><annotations /><thumbnail />
<node_properties><properties node_id="0" format="literal">{'example': 'zoo', '__version__': 1}</properties>
</node_properties>
</scheme>"""
GENES = "gene,s1,s2,s3,s4\ntp53,5,4,1,1\nbrca1,2,2,2,3\nclass,0,0,1,1\n"


class TestExamples(WidgetTest):
    kind = OWOpenData

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
        again = self.create_widget(OWOpenData, stored_settings=stored)
        self.assertEqual(self.out(again).name, "zoo")
        self.assertEqual(again.list.currentRow(), self.widget.list.currentRow())

    def test_unknown_names_are_no_paths(self):
        for wrong in ("of the future", "/etc/passwd", "../zoo", 3, None):
            widget = self.create_widget(OWOpenData, stored_settings={"example": wrong})
            self.assertEqual(widget.example, USUAL)
            self.assertEqual(self.out(widget).name, "heart_disease")

    def test_a_file_that_is_not_there(self):
        with patch.dict(examples.EXAMPLES, {USUAL: Example("none.tab", "None", "Nothing")}):
            widget = self.create_widget(OWOpenData)
            self.assertIsNone(self.out(widget))
            self.assertTrue(widget.Error.failed.is_shown())
        widget.list.setCurrentRow(3)
        self.assertIsNotNone(self.out(widget))
        self.assertFalse(widget.Error.active)

    def test_report(self):
        self.out()
        self.widget.send_report()
        self.assertIn("Heart disease", self.widget.report_html)

    def test_report_before_a_file_is_read(self):
        widget = self.create_widget(OWOpenData)
        widget.send_report()
        self.assertIn("Heart disease", widget.report_html)

    def test_names_for_those_who_do_not_see(self):
        self.assertTrue(self.widget.list.accessibleName())
        self.assertTrue(all(self.widget.list.item(i).toolTip() for i in range(len(EXAMPLES))))

    def test_workflows_that_were_saved_with_example_data_load(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "old.ows")
            path.write_text(OLD_WORKFLOW)
            with run(path) as result:
                self.assertEqual(result.output("Example Data", "Data").name, "zoo")


class TestFiles(WidgetTest):
    kind = OWOpenData

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def out(self, widget=None):
        return super().out("data", self.settle(widget))

    def open(self, text, name="lab.csv"):
        path = self.folder / name
        path.write_text(text)
        self.widget.open_file(str(path))
        return self.out()

    def pick(self, combo, text):
        combo.setCurrentIndex(combo.findText(text))
        combo.activated.emit(combo.currentIndex())
        return self.out()

    def test_a_file_is_read_as_on_the_command_line(self):
        data = self.open(LAB)
        self.assertEqual([v.name for v in data.domain.attributes], ["Gewicht", "Alter", "Visite", "Diagnose"])
        self.assertIn("Read with ';' between columns and decimal commas", self.widget.opened.notes)
        data = self.pick(self.widget.reading_box.targets, "Diagnose")
        expected = read_table(str(self.folder / "lab.csv"), ["Diagnose"])
        self.assertEqual(data.domain.class_var.name, "Diagnose")
        np.testing.assert_array_equal(data.X, expected.X[:, :3])

    def test_findings_have_buttons_that_act(self):
        self.open(LAB)
        self.pick(self.widget.reading_box.targets, "Diagnose")
        buttons = {button.text(): button for button in self.widget.look.buttons}
        self.assertEqual({*buttons}, {"Leave out", "Read as missing"})
        buttons["Leave out"].click()
        self.out()
        {button.text(): button for button in self.widget.look.buttons}["Read as missing"].click()
        data = self.out()
        self.assertEqual([v.name for v in data.domain.attributes], ["Gewicht", "Alter"])
        self.assertEqual(np.isnan(data.X).sum(), 1)
        self.assertFalse(self.widget.look.buttons)
        self.widget.look.undo.click()
        self.assertEqual(len(self.out().domain.attributes), 3)
        self.assertEqual(len(self.widget.look.buttons), 2)

    def test_options_of_reading(self):
        data = self.open(GENES, "genes.csv")
        self.assertEqual(len(data), 3)
        self.widget.reading_box.transpose.click()
        data = self.out()
        self.assertEqual([v.name for v in data.domain.attributes], ["tp53", "brca1"])
        self.assertEqual(data.domain.class_var.name, "class")
        self.widget.reading_box.lines.setValue(9)
        self.assertIsNone(self.out())
        self.assertIn("all of which are to be skipped", str(self.widget.Error.failed))
        self.widget.reading_box.lines.setValue(0)
        self.assertIsNotNone(self.out())
        self.assertFalse(self.widget.Error.failed.is_shown())

    def test_the_target_of_another_table(self):
        self.open("gene,s1,s2,s3,s4\ntp53,5,4,1,1\nbrca1,2,2,2,3\n", "genes.csv")
        self.widget.reading_box.transpose.click()
        self.out()
        samples = self.folder / "samples.csv"
        samples.write_text("sample,tissue\ns4,b\ns3,b\ns2,a\ns1,a\ns9,a\n")
        box = self.widget.reading_box
        with patch.object(readingbox.QFileDialog, "getOpenFileName", return_value=(str(samples), "")):
            box.table.click()
        data = self.pick(box.columns, "tissue")
        self.assertEqual(data.domain.class_var.name, "tissue")
        self.assertEqual([str(row.get_class()) for row in data], ["a", "a", "b", "b"])
        self.assertTrue(any("1 row of samples.csv" in note for note in self.widget.opened.notes))
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.create_widget(OWOpenData, stored_settings=stored)
        self.assertEqual(self.out(again).domain.class_var.name, "tissue")
        data = self.pick(box.columns, "none")
        self.assertIsNone(data.domain.class_var)

    def test_messages_name_controls_and_no_options(self):
        for text in (GENES.replace("0,0,1,1", "a,a,b,b"), "a,b\n1,2,3,4\n", LAB.replace(",5;", ",5 x;")):
            self.open(text, "genes.csv")
            shown = [*self.widget.opened.notes, str(self.widget.Error.failed) * self.widget.Error.failed.is_shown()]
            self.assertFalse([sentence for sentence in shown if "--" in sentence])
        self.open(GENES.replace("0,0,1,1", "a,a,b,b"), "genes.csv")
        self.assertIn("tick Rows are features", str(self.widget.Error.failed))
        labels = [label.text() for label in self.widget.look.widget().findChildren(QLabel)]
        self.assertTrue(any("tick Rows are features" in text for text in labels))

    def test_sheets_of_a_workbook(self):
        book = openpyxl.Workbook()
        book.active.title = "First"
        for name, sheet in (("x", book.active), ("z", book.create_sheet("Second"))):
            for row in ([name, "y"], *([i, "ab"[i % 2]] for i in range(12))):
                sheet.append(row)
        path = self.folder / "book.xlsx"
        book.save(path)
        self.widget.open_file(str(path))
        self.assertEqual(self.out().domain.attributes[0].name, "x")
        self.assertEqual(self.pick(self.widget.reading_box.sheets, "Second").domain.attributes[0].name, "z")

    def test_what_is_stored_and_that_a_file_may_move_with_its_workflow(self):
        self.open(LAB)
        self.pick(self.widget.reading_box.targets, "Diagnose")
        self.pick(self.widget.reading_box.decimal, "comma")
        stored = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(stored["reading"], {"decimal": ","})
        again = self.create_widget(OWOpenData, stored_settings=stored)
        self.assertEqual(self.out(again).domain.class_var.name, "Diagnose")
        self.assertEqual(again.reading_box.decimal.currentText(), "comma")
        stored["path"] = "/a/folder/that/is/gone/lab.csv"
        with patch.object(OWOpenData, "workflowEnv", lambda _: {"basedir": str(self.folder)}):
            moved = self.create_widget(OWOpenData, stored_settings=stored)
            self.assertEqual(len(self.out(moved)), 24)

    def test_stored_values_that_do_not_fit(self):
        for wrong in (
            {"trust": True},
            {"skip_lines": "3"},
            {"drop": [1]},
            {"beside": ["ab"]},
            {"beside": [["a"]]},
            3,
            {"header": 1},
        ):
            widget = self.create_widget(OWOpenData, stored_settings={"reading": wrong})
            self.assertEqual(widget.reading, {})

    def test_files_that_may_run_code_are_refused(self):
        Table("iris")[:20].save(str(self.folder / "data.pkl"))
        self.widget.open_file(str(self.folder / "data.pkl"))
        self.assertIsNone(self.out())
        self.assertTrue(self.widget.Error.failed.is_shown())

    def test_an_example_after_a_file(self):
        self.open(LAB)
        self.widget.list.setCurrentRow(list(EXAMPLES).index("zoo"))
        self.assertEqual(self.out().name, "zoo")
        self.assertFalse(self.widget.reading_box.isEnabled())


if __name__ == "__main__":
    unittest.main()
