"""Open Data: files as other programs write them, every example, the first look, what is stored."""

import io
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import numpy as np
import openpyxl
import pandas as pd
import scipy.sparse as sp
from AnyQt.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from AnyQt.QtGui import QDragEnterEvent, QDropEvent
from AnyQt.QtWidgets import QFileDialog, QLabel
from Orange.data import Table
from scipy.io import mmwrite
from sklearn.datasets import dump_svmlight_file

import orangecontrib.reliefe
from orangecontrib.reliefe import rank, read_table, tutorials
from orangecontrib.reliefe.core import Finding
from orangecontrib.reliefe.widgets.owopendata import OpenDataDropHandler, OWOpenData
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest

RNG = np.random.default_rng(0)
LAB = "Laborwerte;;;\nGewicht;Alter;Visite;Diagnose\n" + "".join(
    f"{70 + i},5;{-99 if i == 3 else 40 + i % 7};{i + 1};{'krank' if i % 2 else 'gesund'}\n" for i in range(24)
)
GENES = "gene,s1,s2,s3,s4\ntp53,5,4,1,1\nbrca1,2,2,2,3\nclass,0,0,1,1\n"


class OpenDataTest(WidgetTest):
    kind = OWOpenData

    def choose_example(self, title):
        (item,) = self.widget.list.findItems(title, Qt.MatchExactly)
        self.widget.list.setCurrentItem(item)


class TestExamples(OpenDataTest):
    def out(self, widget=None):
        return super().out("data", self.settle(widget))

    def test_all_can_be_chosen(self):
        for row in range(self.widget.list.count()):
            self.widget.list.setCurrentRow(row)
            data, about = self.out(), self.widget.about.text().replace(",", "")
            self.assertTrue(about)
            if about[0].isdigit():
                self.assertEqual(about.split()[0], str(len(data)), data.name)

    def test_all_files_of_the_workflows_are_there(self):
        sent = set()
        for row in range(self.widget.list.count()):
            self.widget.list.setCurrentRow(row)
            sent.add(self.out().name.partition(".")[0])
        folder = Path(tutorials.__file__).parent
        files = {path.name.partition(".")[0] for path in (*folder.glob("*.tab"), *folder.glob("*.tab.*"))}
        self.assertGreater(len(files), 10)
        self.assertLessEqual(files, sent)

    def test_the_choice_is_stored(self):
        self.assertEqual(self.out().name, "heart_disease")
        self.choose_example("Zoo")
        stored = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(stored["example"], "zoo")
        again = self.create_widget(OWOpenData, stored_settings=stored)
        self.assertEqual(self.out(again).name, "zoo")
        self.assertEqual(again.list.currentRow(), self.widget.list.currentRow())

    def test_unknown_names_are_no_paths(self):
        for wrong in ("of the future", "/etc/passwd", "../zoo", 3, None):
            widget = self.create_widget(OWOpenData, stored_settings={"example": wrong})
            self.assertEqual(widget.example, "heart-disease")
            self.assertEqual(self.out(widget).name, "heart_disease")

    def test_a_file_that_is_not_there(self):
        with patch("orangecontrib.reliefe.widgets.owopendata.path_of", return_value=Path("none.tab")):
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
        self.assertTrue(all(self.widget.list.item(i).toolTip() for i in range(self.widget.list.count())))


class TestFiles(OpenDataTest):
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

    def open_path(self, name):
        self.widget.open_file(str(self.folder / name))
        return self.out()

    def pick(self, combo, text):
        combo.setCurrentIndex(combo.findText(text))
        combo.activated.emit(combo.currentIndex())
        return self.out()

    def test_a_file_is_read_as_on_the_command_line(self):
        data = self.open(LAB)
        self.assertEqual([v.name for v in data.domain.attributes], ["Gewicht", "Alter", "Visite", "Diagnose"])
        self.assertIn("Read with ';' between columns and decimal commas", self.widget.opened.notes)
        self.assertIn("If a column is the target, choose it as Target", self.widget.opened.notes)
        data = self.pick(self.widget.reading_box.targets, "Diagnose")
        self.assertNotIn("choose it as Target", self.seen())
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
        with patch.object(QFileDialog, "getOpenFileName", return_value=(str(samples), "")):
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
            {"join": "id"},
            3,
            {"header": 1},
        ):
            widget = self.create_widget(OWOpenData, stored_settings={"reading": wrong})
            self.assertEqual(widget.reading, {})

    def test_two_keys_of_another_table_are_a_question(self):
        order = RNG.permutation(24).tolist()
        rows = [f"{i},{i % 2 + RNG.normal(0, 0.1):.3f}" for i in range(24)]
        (self.folder / "x.csv").write_text("\n".join(["code,a", *rows]))
        rows = [f"{i},{order[i]},{'ab'[order[i] % 2]}" for i in range(24)]
        (self.folder / "y.csv").write_text("\n".join(["row,number,tissue", *rows]))
        self.open_path("x.csv")
        box = self.widget.reading_box
        box.open_table(str(self.folder / "y.csv"))
        self.assertIsNone(self.pick(box.columns, "tissue"))
        self.assertIn("could be joined in several ways", self.seen())
        self.assertIn("write in Joined by: 'code=", self.seen())
        box.join.setText("code=number")
        box.join.editingFinished.emit()
        data = self.out()
        self.assertEqual([str(row.get_class()) for row in data], ["ab"[row["a"] > 0.5] for row in data])
        self.assertEqual(self.widget.reading["join"], ["code=number"])
        again = self.create_widget(OWOpenData, stored_settings=self.widget.settingsHandler.pack_data(self.widget))
        self.assertEqual(again.reading_box.join.text(), "code=number")
        self.assertEqual(len(self.out(again)), 24)

    def test_sparse_files_stay_sparse(self):
        X = RNG.poisson(0.3, (24, 5)).astype(float)
        mmwrite(self.folder / "cells.mtx", sp.coo_matrix(X.T))
        (self.folder / "samples.tsv").write_text(
            "sample\ttissue\n" + "".join(f"s{i}\t{'ab'[i % 2]}\n" for i in range(24))
        )
        data = self.open_path("cells.mtx")
        self.assertEqual(data.X.shape, (5, 24))
        self.assertIn("The file has no target: choose Target in another table", self.widget.opened.notes)
        self.widget.reading_box.open_table(str(self.folder / "samples.tsv"))
        self.assertIsNone(self.pick(self.widget.reading_box.columns, "tissue"))
        self.assertIn("if the rows are features, tick Rows are features", self.seen())
        self.widget.reading_box.transpose.click()
        data = self.out()
        self.assertTrue(sp.issparse(data.X))
        np.testing.assert_array_equal(data.X.toarray(), X)
        self.assertEqual([str(row.get_class()) for row in data], ["a", "b"] * 12)
        self.assertIn("The 24 rows of samples.tsv are those of cells.mtx, in this order", self.seen())
        self.assertIn("values that are not listed are 0", self.seen())

    def test_rows_of_libsvm_bring_their_target(self):
        X = RNG.poisson(0.5, (24, 5)).astype(float)
        dump_svmlight_file(X, np.arange(24) % 2 * 2 - 1, str(self.folder / "words.libsvm"))
        data = self.open_path("words.libsvm")
        self.assertTrue(sp.issparse(data.X))
        np.testing.assert_array_equal(data.X.toarray(), X)
        self.assertEqual(data.domain.class_var.values, ("-1", "1"))
        np.testing.assert_array_equal(data.Y, np.arange(24) % 2)
        self.assertIn("Target: the number that begins each line", self.seen())
        data = self.pick(self.widget.reading_box.targets, "3")
        np.testing.assert_array_equal(data.Y, X[:, 3])
        np.testing.assert_array_equal(data.X.toarray(), X[:, [0, 1, 2, 4]])
        self.assertFalse(self.widget.reading_box.decimal.isVisibleTo(self.widget))

    def test_columns_of_parquet(self):
        days = np.datetime64("2024-05-01") + np.arange(24)
        numbers = RNG.normal(size=24)
        frame = pd.DataFrame(
            {
                "number": np.where(np.arange(24) == 3, np.nan, numbers),
                "grade": np.arange(24) % 3,
                "kind": [None if i == 5 else "bca"[i % 3] for i in range(24)],
                "is_old": np.arange(24) % 2 > 0,
                "day": days,
                "note": [f"note {i}" for i in range(24)],
                "Class": ["no", "yes"] * 12,
            }
        )
        frame.to_parquet(self.folder / "table.parquet")
        data = self.open_path("table.parquet")
        self.assertEqual([v.name for v in data.domain.attributes], ["number", "grade", "kind", "is_old", "day"])
        self.assertEqual([v.name for v in data.domain.metas], ["note"])
        self.assertIn("Target: the last column, 'Class', by its name", self.widget.opened.notes)
        for row, cells in zip(data, frame.itertuples(index=False), strict=True):
            self.assertEqual(str(row["Class"]), cells.Class)
            self.assertEqual(str(row["note"]), cells.note)
            self.assertEqual(str(row["kind"]), cells.kind or "?")
            self.assertEqual(str(row["is_old"]), str(cells.is_old))
            self.assertEqual(float(row["day"]), cells.day.timestamp())
            np.testing.assert_equal(float(row["number"]), cells.number)
        buttons = {button.text(): button for button in self.widget.look.buttons}
        buttons["Read as categories"].click()
        self.assertEqual(self.out().domain["grade"].values, ("0", "1", "2"))
        self.assertEqual([str(row["grade"]) for row in self.out()], [str(i % 3) for i in range(24)])
        self.assertEqual(self.pick(self.widget.reading_box.targets, "grade").domain.class_var.values, ("0", "1", "2"))

    def test_findings_act_on_files_that_are_no_text_tables(self):
        rows = "\n".join(f"{i},{-99 if i < 2 else 40 + i % 7},{'ab'[i % 2]}" for i in range(24))
        head = "@relation visits\n@attribute visit numeric\n@attribute age numeric\n@attribute class {a,b}\n@data\n"
        self.open(head + rows, "visits.arff")
        for text in ("Leave out", "Read as missing"):
            {button.text(): button for button in self.widget.look.buttons}[text].click()
            data = self.out()
        self.assertEqual([v.name for v in data.domain.attributes], ["age"])
        np.testing.assert_array_equal(np.isnan(data.X[:, 0]), np.arange(24) < 2)
        self.assertIn("2 cells with '-99' read as missing", self.widget.opened.notes)
        self.assertFalse(self.widget.look.buttons)

    def press(self, text):
        """Press the button of a finding; return what is sent then."""
        {button.text(): button for button in self.widget.look.buttons}[text].click()
        return self.out()

    def ranker_of(self, data, **settings):
        """Return Rank via ReliefE with data, when it has ranked them."""
        ranker = self.create_widget(OWReliefE, stored_settings={"methods": ["multisurf"], **settings})
        self.send_signal(ranker.Inputs.data, data, widget=ranker)
        return self.settle(ranker)

    def test_rows_of_a_person_are_kept_together_downstream(self):
        x = RNG.normal(size=48).round(3)
        rows = "".join(f"{i // 4},{x[i]},{RNG.normal():.3f},{'ab'[i // 4 % 2]}\n" for i in range(48))
        data = self.open("patient,x,z,class\n" + rows, "visits.csv")
        self.assertIn("patient", [v.name for v in data.domain.attributes])
        data = self.press("Keep together")
        self.assertEqual([v.name for v in data.domain.metas], ["patient"])
        self.assertIn("Rows with the same 'patient' belong together", self.seen())
        self.assertNotIn("if rows of one value", self.seen())
        ranker = self.ranker_of(data)
        expected = rank(data, "multisurf", groups="patient")
        np.testing.assert_array_equal(super().out("scores", ranker).X[:, 0], expected.scores)
        self.assertFalse(np.array_equal(expected.scores, rank(data, "multisurf").scores))
        self.assertIn("grouped by patient", self.seen(ranker))
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.out(self.create_widget(OWOpenData, stored_settings=stored))
        self.assertEqual([v.name for v in again.domain.metas], ["patient"])
        self.widget.look.undo.click()
        self.assertFalse(self.out().domain.metas)
        self.assertIn("no covariates, no group", self.seen(self.ranker_of(self.out())))

    def test_a_second_column_of_persons_does_not_replace_the_group(self):
        lines = [f"{i // 4},{i // 3},{RNG.normal():.3f},{'ab'[i // 12 % 2]}\n" for i in range(48)]
        self.open("patient,mouse_id,x,class\n" + "".join(lines), "visits.csv")
        self.press("Keep together")
        self.assertEqual(self.widget.opened.description.groups, [])
        self.assertNotIn("Keep together", {button.text() for button in self.widget.look.buttons})

    def test_columns_with_codes_of_missing_values_are_marked(self):
        lines = [f"{-99 if i < 3 else 20 + i % 50},{RNG.normal():.3f},{'ab'[i % 2]}\n" for i in range(48)]
        self.open("age,x,class\n" + "".join(lines), "ages.csv")
        self.assertEqual(self.widget.table.model.suspects, {"age"})

    def test_a_button_and_a_finding_on_codes_have_their_own_sentences(self):
        rows = "".join(f"{i // 4},0{1000 + 17 * (i % 20)},{RNG.normal():.3f},{'ab'[i // 4 % 2]}\n" for i in range(48))
        self.open("patient,postcode,x,class\n" + rows, "visits.csv")
        self.press("Keep together")
        self.assertIn("Rows with the same 'patient' belong together", self.seen())
        self.assertEqual(self.seen().count("follow a leading 0"), 1)

    def test_the_note_on_codes_stays_where_nothing_can_be_described(self):
        rows = "".join(f"0{1000 + 17 * (i % 20)},{RNG.normal():.3f},ill\n" for i in range(48))
        self.open("postcode,x,class\n" + rows, "ill.csv")
        self.assertIsNone(self.widget.opened.description)
        self.assertEqual(self.seen().count("follow a leading 0"), 1)

    def test_counts_are_compared_by_presence(self):
        X = RNG.poisson(0.2, (50, 12)) * RNG.integers(1, 9, (50, 12))
        y = np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")
        header = [*(f"w{f}" for f in range(12)), "class"]
        lines = [header, *([*map(str, row), label] for row, label in zip(X, y, strict=True))]
        data = self.open("\n".join(map(",".join, lines)), "words.csv")
        expected = rank(data, "multisurf", diff="presence").scores
        changed = self.press("By presence")
        np.testing.assert_array_equal(changed.X, data.X != 0)
        self.assertIn("rows are compared by presence", self.seen())
        self.assertNotIn("look like counts", self.seen())
        np.testing.assert_allclose(rank(changed, "multisurf").scores, expected, rtol=0, atol=1e-12)
        later = data[:5].transform(changed.domain)
        np.testing.assert_array_equal(later.X, data.X[:5] != 0)
        stored = self.widget.settingsHandler.pack_data(self.widget)
        again = self.out(self.create_widget(OWOpenData, stored_settings=stored))
        np.testing.assert_array_equal(again.X, changed.X)
        self.widget.look.undo.click()
        np.testing.assert_array_equal(self.out().X, data.X)

    def test_sparse_counts_by_presence_stay_sparse(self):
        X = sp.random_array((40, 30), density=0.1, format="csr", rng=np.random.default_rng(0))
        X.data = np.round(9 * X.data) + 1
        dump_svmlight_file(X, np.arange(40) % 2, str(self.folder / "counts.svm"), zero_based=False)
        data = self.open_path("counts.svm")
        changed = self.press("By presence")
        self.assertTrue(sp.issparse(changed.X))
        np.testing.assert_array_equal(changed.X.toarray(), data.X.toarray() != 0)
        later = data[:3].transform(changed.domain).X
        np.testing.assert_array_equal(later.toarray() if sp.issparse(later) else later, X.toarray()[:3] != 0)

    def test_attributes_of_a_column_stay_if_it_is_read_in_another_way(self):
        rows = [f"{i % 3}\t{i * i % 7}\t{'ab'[i % 2]}" for i in range(60)]
        head = ["code\tx\tkind", "c\tc\td", "unit=stage\tset=tissue\tclass"]
        self.open("\n".join([*head, *rows]), "codes.tab")
        changed = self.press("Read as categories").domain
        self.assertTrue(changed["code"].is_discrete)
        self.assertEqual((changed["code"].attributes, changed["x"].attributes), ({"unit": "stage"}, {"set": "tissue"}))
        counts = np.random.default_rng(0).poisson(0.2, (50, 9)) * 3
        head = [[*(f"w{f}" for f in range(9)), "kind"], [*"ccccccccc", "d"], [*["set=membrane"] * 9, "class"]]
        rows = ["\t".join(map(str, [*row, "ab"[i % 2]])) for i, row in enumerate(counts)]
        self.open("\n".join([*map("\t".join, head), *rows]), "counts.tab")
        self.assertEqual(self.press("By presence").domain["w0"].attributes, {"set": "membrane"})

    def test_a_batch_becomes_a_covariate_downstream(self):
        X = RNG.normal(size=(60, 24)) + 3 * (np.arange(60) % 2)[:, None]
        names = [f"g{f}" for f in range(24)]
        lines = [[*(f"{x:.4f}" for x in row), "AB"[i % 2], ["no", "yes"][i // 30]] for i, row in enumerate(X)]
        self.open("\n".join(map(",".join, [[*names, "plate", "class"], *lines])), "plates.csv")
        data = self.press("Adjust for it")
        self.assertEqual([v.name for v in data.domain.metas], ["plate"])
        self.assertNotIn("if it is a batch", self.seen())
        ranker = self.ranker_of(data)
        expected = rank(data, "multisurf", covariates="plate")
        np.testing.assert_array_equal(super().out("scores", ranker).X[:, 0], expected.scores)
        self.assertIn("adjusted for plate", self.seen(ranker))
        self.choose("Study", True, ranker)
        self.assertEqual(ranker.study.known(), (("plate",), ""))
        ranker.study.columns.ticked.emit("plate", False)
        self.settle(ranker)
        self.assertEqual(ranker.study.known(), ((), ""))
        self.widget.look.undo.click()
        self.assertFalse(self.out().domain.metas)

    def test_two_quick_clicks_on_a_button_are_one(self):
        X = RNG.normal(size=(60, 24)) + 3 * (np.arange(60) % 2)[:, None]
        names = [f"g{f}" for f in range(24)]
        lines = [[*(f"{x:.4f}" for x in row), "AB"[i % 2], ["no", "yes"][i // 30]] for i, row in enumerate(X)]
        self.open("\n".join(map(",".join, [[*names, "plate", "class"], *lines])), "plates.csv")
        button = {button.text(): button for button in self.widget.look.buttons}["Adjust for it"]
        button.click()
        button.click()
        self.assertEqual([v.name for v in self.out().domain.metas], ["plate"])
        self.assertEqual(self.widget.covariates, ["plate"])
        self.assertTrue(self.widget.look.undo.isEnabled())

    def test_turned_twice_quickly_is_turned(self):
        self.open("gene,s1,s2,s3,s4\ntp53,5,4,1,1\nbrca1,2,2,2,3\n", "genes.csv")
        turn = Finding("rows may be features", "transpose", ())
        self.widget.look.show_lines((), [turn])
        (button,) = self.widget.look.buttons
        button.click()
        button.click()
        self.out()
        self.assertTrue(self.widget.reading_box.transpose.isChecked())

    def test_a_time_and_its_event_become_the_target_downstream(self):
        days = RNG.integers(10, 900, 40)
        rows = "".join(f"{days[i]},{RNG.normal():.3f},{'dead' if i % 3 else 'alive'}\n" for i in range(40))
        self.open("days,x,death\n" + rows, "patients.csv")
        self.assertEqual({v.name for v in self.press("Read as times").domain.class_vars}, {"days", "death"})
        self.open("days,x,status\n" + rows, "patients.csv")
        self.pick(self.widget.reading_box.targets, "status")
        data = self.press("Read as times")
        self.assertEqual({v.name for v in data.domain.class_vars}, {"days", "status"})
        self.assertIn("The time is 'days', and the event 'status'", self.seen())
        self.assertIn("26 events ('dead'), 14 censored ('alive')", self.seen())
        ranker = self.ranker_of(data)
        self.assertEqual(ranker.problem.task, "survival")
        self.assertEqual([v.name for v in ranker.problem.features], ["x"])
        np.testing.assert_array_equal(super().out("scores", ranker).X[:, 0], rank(data, "multisurf").scores)
        self.assertEqual(self.widget.reading_box.targets.currentText(), "days until status")
        stored = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(len(self.out(self.create_widget(OWOpenData, stored_settings=stored)).domain.class_vars), 2)
        self.assertEqual(self.pick(self.widget.reading_box.targets, "status").domain.class_var.name, "status")
        frame = pd.read_csv(self.folder / "patients.csv")
        frame.to_parquet(self.folder / "patients.parquet")
        self.open_path("patients.parquet")
        self.pick(self.widget.reading_box.targets, "status")
        self.assertEqual({v.name for v in self.press("Read as times").domain.class_vars}, {"days", "status"})

    def test_a_number_with_few_values_becomes_classes(self):
        rows = "".join(f"{RNG.normal():.3f},{1 + i % 4}\n" for i in range(40))
        self.assertTrue(self.open("x,y\n" + rows).domain.class_var.is_continuous)
        self.assertEqual(self.press("Read as classes").domain.class_var.values, ("1", "2", "3", "4"))
        self.assertFalse(self.widget.look.buttons)

    def test_counts_name_the_control_of_the_ranker(self):
        rng = np.random.default_rng(4)
        rows = "".join(",".join(map(str, rng.poisson(0.2, 8))) + f",{'ab'[i % 2]}\n" for i in range(60))
        data = self.open(",".join(f"w{j}" for j in range(8)) + ",class\n" + rows)
        self.assertIn("By presence", self.seen())
        self.assertIn("Compare by presence", self.seen(self.ranker_of(data)))

    def test_findings_of_examples_have_buttons(self):
        self.choose_example("Study, visits")
        self.out()
        self.assertEqual([v.name for v in self.press("Keep together").domain.metas], ["visit", "person"])
        self.assertNotIn("left out", self.seen())
        self.choose_example("Zoo")
        self.assertEqual([v.name for v in self.out().domain.metas], ["name"])

    def test_scripts_of_rankers_read_the_file_again(self):
        rows = [f"{i % 7},5;{i * 5 % 11};{'dead' if i % 3 else 'alive'};{i + 9}" for i in range(24)]
        self.open("\n".join(["a;b;died;days", *rows]))
        with_class = self.pick(self.widget.reading_box.targets, "died")
        for data in (with_class, self.press("Read as times")):
            ranker = self.ranker_of(data)
            variables = {}
            with redirect_stdout(io.StringIO()):
                exec(ranker.area.menu.script(), variables)
            scores = self.get_output(ranker.Outputs.scores, widget=ranker)
            np.testing.assert_array_equal(variables["ranking"].scores, scores.X[:, 0])
            self.assertEqual(variables["table"].name, "lab")
        script = self.ranker_of(data[:20]).area.menu.script()  # other rows are not those of the file
        self.assertNotIn("read_table", script)

    def drop(self, *urls):
        """Drag files over the window, and drop them if it takes them; return True if it does."""
        mime = QMimeData()
        mime.setUrls(urls)
        pressed = Qt.LeftButton, Qt.NoModifier
        enter = QDragEnterEvent(QPoint(5, 5), Qt.CopyAction, mime, *pressed)
        enter.ignore()
        self.widget.dragEnterEvent(enter)
        if enter.isAccepted():
            self.widget.dropEvent(QDropEvent(QPointF(5, 5), Qt.CopyAction, mime, *pressed))
        return enter.isAccepted()

    def test_a_file_that_is_dropped_on_the_window(self):
        path = self.folder / "lab.csv"
        path.write_text(LAB)
        self.assertEqual(self.out().name, "heart_disease")
        for url in (QUrl("https://example.com/lab.csv"), QUrl.fromLocalFile(str(self.folder / "none.csv"))):
            self.assertFalse(self.drop(url))
        self.assertFalse(self.drop(QUrl.fromLocalFile(str(self.folder))))
        self.assertEqual(self.out().name, "heart_disease")
        self.assertTrue(self.drop(QUrl.fromLocalFile(str(path))))
        self.assertEqual(self.out().name, "lab")
        self.assertEqual(self.widget.folder, str(self.folder))
        picture = self.folder / "picture.png"
        picture.write_bytes(b"\x89PNG\r\n")
        self.assertTrue(self.drop(QUrl.fromLocalFile(str(picture))))
        self.assertIsNone(self.out())
        self.assertTrue(self.widget.Error.failed.is_shown())

    def test_a_file_that_is_dropped_on_the_canvas(self):
        handler = OpenDataDropHandler()
        for name, is_read in (
            ("lab.csv", True), ("lab.CSV", True), ("a.mtx.gz", True), ("a.parquet", True), ("a.arff", True),
            ("a.svm", True), ("a.xlsx", True), ("a.ows", False), ("a.png", False), ("a.pkl", False), ("a.py", False),
        ):  # fmt: skip
            path = self.folder / name
            path.write_text(LAB)
            self.assertEqual(handler.canDropFile(str(path)), is_read, name)
        self.assertFalse(handler.canDropFile(str(self.folder / "none.csv")))
        stored = handler.parametersFromFile(str(self.folder / "lab.csv"))
        self.assertEqual(self.out(self.create_widget(OWOpenData, stored_settings=stored)).name, "lab")
        setup = Path(orangecontrib.reliefe.__file__).parents[2] / "setup.py"
        if setup.exists():
            self.assertIn(f"{OpenDataDropHandler.__module__}:{OpenDataDropHandler.__name__}", setup.read_text())

    def test_files_of_other_kinds(self):
        self.assertIsNone(self.open("PLINK", "study.bed"))
        self.assertIn("study.bed has genotypes: open it in Rank Genotypes", self.seen())
        self.assertIsNone(self.open("$FL2", "survey.sav"))
        self.assertIn("survey.sav is a file of SPSS. Save it as CSV by two lines of Python", self.seen())
        self.assertIsNone(self.open("%PDF", "paper.pdf"))
        self.assertIn("paper.pdf is of a kind that is not read: save it as CSV. Files that are read: .csv", self.seen())

    def test_files_that_may_run_code_are_refused(self):
        Table("iris")[:20].save(str(self.folder / "data.pkl"))
        self.widget.open_file(str(self.folder / "data.pkl"))
        self.assertIsNone(self.out())
        self.assertTrue(self.widget.Error.failed.is_shown())

    def test_an_example_after_a_file(self):
        self.open(LAB)
        self.choose_example("Zoo")
        self.assertEqual(self.out().name, "zoo")
        self.assertFalse(self.widget.reading_box.isEnabled())


if __name__ == "__main__":
    unittest.main()
