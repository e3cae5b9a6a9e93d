"""Copy, save, hide a column, lead by a score: through the keys and the mouse of a shown widget."""

import ast
import csv
import io
import tempfile
import threading
import unittest
from contextlib import contextmanager, redirect_stdout
from html import unescape
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QContextMenuEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QFileDialog

from orangecontrib.reliefe import explain, rank
from orangecontrib.reliefe.orange import ranking as table_ranking
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME


class TestTableMenu(base.RankerTest):
    def setUp(self):
        super().setUp()
        self.tick("multisurf", "relieff")
        self.ready(self.heart)
        self.widget.resize(1000, 600)
        self.widget.show()
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        self.table, self.model = self.widget.area.table, self.widget.area.model
        QApplication.clipboard().setText("before")

    def open_menu(self, column=NAME, header=False):
        """The right mouse button above a column of the table, or of its header."""
        part = self.table.horizontalHeader() if header else self.table
        x = self.table.columnViewportPosition(column) + 5
        at = QPoint(x, 5)
        event = QContextMenuEvent(QContextMenuEvent.Mouse, at, part.viewport().mapToGlobal(at))
        QApplication.sendEvent(part.viewport(), event)
        menu = self.widget.area.menu.menu
        self.assertTrue(menu.isVisible())
        return menu

    def choose_entry(self, title, **where):
        """Choose an entry of the menu by the beginning of its title."""
        menu = self.open_menu(**where)
        action = next(a for a in menu.actions() if a.isVisible() and a.text().replace("&", "").startswith(title))
        self.assertTrue(action.isEnabled())
        menu.setActiveAction(action)
        QTest.keyClick(menu, Qt.Key_Return)

    def test_script_gives_the_same_list(self):
        self.select_best(4)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking.py"
            with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
                self.choose_entry("Save Script")
            self.choose_entry("Copy Script")
            text = QApplication.clipboard().text()
            self.assertEqual(path.read_text(encoding="utf-8"), text)
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(text, {})
        self.assertEqual(set(printed.getvalue().split("\n")[:-1]), set(self.widget.area.selected_names()))
        self.assertEqual(text.count("\n"), 6)

    def begin_page(self, path):
        """Ask for a web page, whose file is named."""
        with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
            self.choose_entry("Save Report as Web Page")

    @contextmanager
    def slow_reasons(self):
        """Reasons come only after the event that this yields; the thread looks for a stop meanwhile."""
        go_on, explain = threading.Event(), table_ranking.explain_features

        def wait(*arguments, progress, **options):
            while not go_on.wait(0.005):
                progress(0.25)
            return explain(*arguments, progress=progress, **options)

        with patch.object(table_ranking, "explain_features", wait):
            yield go_on
            go_on.set()

    def test_the_report_is_a_web_page_with_reasons(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking"
            self.begin_page(path)
            page = path.with_suffix(".html")
            self.process_events(page.exists)
            text = unescape(page.read_text(encoding="utf-8"))
        for said in "heart_disease", "Values of the best features", "ranking = rank(table", "(2 classes: ":
            self.assertIn(said, text)
        ranking = rank(self.heart, self.leading.name)
        for feature in ranking.best(10):
            self.assertIn(explain(ranking, feature).sentences[0], text)
        self.process_events(lambda: "Save Report as Web Page…" in self.titles())
        self.assertIn("ranking.html", self.seen())

    def test_a_web_page_that_takes_long_can_be_stopped(self):
        with tempfile.TemporaryDirectory() as folder, self.slow_reasons():
            path = Path(folder) / "ranking.html"
            self.begin_page(path)
            self.process_events(lambda: "Web page: reasons of the best ranks, " in self.seen())
            self.select_best(3)  # the window works meanwhile
            self.assertEqual(len(self.widget.area.selected_names()), 3)
            self.choose_entry("Stop Saving the Web Page")
            self.assertIn("was stopped", self.seen())
            self.assertIn("Save Report as Web Page…", self.titles())
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_other_data_end_a_web_page(self):
        with tempfile.TemporaryDirectory() as folder, self.slow_reasons():
            self.begin_page(Path(folder) / "ranking.html")
            self.process_events(lambda: "Web page: reasons" in self.seen())
            self.ready(self.housing)
            self.assertTrue(self.widget.Warning.not_saved.is_shown())
            self.assertNotIn("Stop Saving the Web Page", self.titles())
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_another_ranking_does_not_end_a_web_page(self):
        with tempfile.TemporaryDirectory() as folder, self.slow_reasons() as go_on:
            path = Path(folder) / "ranking.html"
            self.begin_page(path)
            self.process_events(lambda: "Web page: reasons" in self.seen())
            self.choose_entry("Lead by MultiSURF", column=FIRST_SCORE + 1)
            go_on.set()
            self.process_events(path.exists)
            self.assertIn("by ReliefF: near rows", path.read_text(encoding="utf-8"))

    def test_a_closed_window_writes_no_page(self):
        with tempfile.TemporaryDirectory() as folder, self.slow_reasons():
            self.begin_page(Path(folder) / "ranking.html")
            self.process_events(lambda: "Web page: reasons" in self.seen())
            self.widget.onDeleteWidget()
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_a_web_page_that_cannot_be_written_is_said(self):
        self.begin_page("/nowhere/at/all.html")
        self.process_events(self.widget.Warning.not_saved.is_shown)
        self.assertIn("The file was not saved", str(self.widget.Warning.not_saved))

    def test_a_web_page_without_reasons_where_rows_have_weights(self):
        self.ready(base.with_weights(self.heart))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking.html"
            self.begin_page(path)
            self.process_events(path.exists)
            self.assertNotIn("near rows of", path.read_text(encoding="utf-8"))

    def test_a_web_page_has_ranks_without_adjustment(self):
        self.widget.study.covariates = ["age"]
        self.widget.data_wanted()
        self.settle()
        self.process_events(self.widget.Information.adjustment.is_shown)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking.html"
            self.begin_page(path)
            self.process_events(path.exists)
            text = path.read_text(encoding="utf-8")
        self.assertIn('"title": "unadjusted rank"', text)
        ranking = rank(self.heart, self.leading.name, covariates=["age"])
        sentences = explain(ranking, ranking.best(1)[0], covariates=["age"]).sentences
        self.assertIn(sentences[0], unescape(text))

    def test_script_of_a_study_and_a_selection(self):
        self.widget.columns.left_out, self.widget.study.covariates = ["gender"], ["age"]
        self.widget.inputs_changed = True
        self.widget.handleNewSignals()
        self.settle()
        self.widget.selection.choose_by_hand(["thal", "chest pain"])
        printed, names = io.StringIO(), {}
        with redirect_stdout(printed):
            exec(self.widget.area.menu.script(), names)
        np.testing.assert_array_equal(names["ranking"].scores, self.leading.values)
        self.assertEqual(printed.getvalue().split("\n")[:-1], ["chest pain", "thal"])
        self.send_signal(self.widget.Inputs.data, None)
        self.assertEqual(self.widget.area.menu.script(), "")

    def titles(self, **where):
        return [a.text().replace("&", "") for a in self.open_menu(**where).actions() if a.isEnabled() and a.isVisible()]

    def saved(self):
        """Content of the file that the menu writes."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ranking.csv"
            with patch.object(QFileDialog, "getSaveFileName", return_value=(str(path), "")):
                self.choose_entry("Save Table as CSV")
            return path.read_bytes()

    def click(self, row, modifier=Qt.NoModifier):
        place = self.table.visualRect(self.model.index(row, NAME)).center()
        QTest.mouseClick(self.table.viewport(), Qt.LeftButton, modifier, place)

    def test_the_key_copies_rows_and_not_a_picture(self):
        self.click(0)
        self.click(2, Qt.ControlModifier)
        self.table.setFocus()
        QTest.keyClick(self.table, Qt.Key_C, Qt.ControlModifier)
        mime = QApplication.clipboard().mimeData()
        lines = [line.split("\t") for line in mime.text().split("\n")]
        self.assertFalse(mime.hasImage())
        self.assertEqual(lines[0], ["Feature", "ReliefF", "MultiSURF"])
        self.assertEqual([line[0] for line in lines[1:]], [self.model.names[f] for f in self.model.rows[[0, 2]]])
        self.assertEqual(float(lines[1][1]), self.model.scores[0].values[self.model.rows[0]])

    def test_elsewhere_the_key_copies_the_picture(self):
        self.widget.selection.setFocus()
        QTest.keyClick(self.widget.panel.list, Qt.Key_C, Qt.ControlModifier)
        self.assertTrue(QApplication.clipboard().mimeData().hasImage())

    def test_menu_copies(self):
        self.click(1)
        name = self.model.names[self.model.rows[1]]
        self.choose_entry("Copy Rows")
        self.assertTrue(QApplication.clipboard().text().split("\n")[1].startswith(name + "\t"))
        self.choose_entry("Copy Names")
        self.assertEqual(QApplication.clipboard().text(), name)
        self.choose_entry("Copy as Python")
        self.assertEqual(ast.literal_eval(QApplication.clipboard().text()), [name])
        self.choose_entry("Copy Names", header=True)
        self.assertEqual(QApplication.clipboard().text(), name)

    def test_csv_is_in_the_order_of_rank(self):
        self.table.sortByColumn(NAME, Qt.AscendingOrder)
        self.widget.area.filter.setText("a")
        rows = list(csv.reader(self.saved().decode().splitlines()))
        lead = self.leading
        self.assertEqual(rows[0], ["Rank", "Feature", "ReliefF", "MultiSURF"])
        self.assertEqual([row[1] for row in rows[1:]], [self.model.names[f] for f in lead.order])
        self.assertEqual([row[0] for row in rows[1:]], [str(rank) for rank in range(1, 14)])
        self.assertEqual(float(rows[1][2]), self.model.scores[0].values[lead.order[0]])

    def test_no_name_becomes_a_formula(self):
        self.model.names[0] = "=1+1"
        rows = [row[1] for row in csv.reader(self.saved().decode().splitlines())]
        self.assertIn("'=1+1", rows)
        self.model.select(np.arange(13) == 0)
        self.choose_entry("Copy Rows")
        self.assertIn("'=1+1", QApplication.clipboard().text())
        self.choose_entry("Copy Names")
        self.assertEqual(QApplication.clipboard().text(), "=1+1")

    def test_what_cannot_be_written_is_said(self):
        with patch.object(QFileDialog, "getSaveFileName", return_value=("/nowhere/at/all.csv", "")):
            self.choose_entry("Save Table as CSV")
        self.assertTrue(self.widget.Warning.not_saved.is_shown())
        self.saved()
        self.assertFalse(self.widget.Warning.not_saved.is_shown())
        with patch.object(QFileDialog, "getSaveFileName", return_value=("", "")):
            self.choose_entry("Save Table as CSV")
        self.assertFalse(self.widget.Warning.not_saved.is_shown())

    def test_hidden_columns_are_remembered_until_the_method_is_ticked_anew(self):
        column = FIRST_SCORE + 1
        self.choose_entry("Hide Column MultiSURF", column=column, header=True)
        self.assertTrue(self.table.isColumnHidden(column))
        self.assertEqual(self.widget.area.hidden_columns, ["p: kind", "multisurf"])
        again = self.make(methods=["multisurf", "relieff"], hidden_columns=["multisurf"])
        self.ready(self.heart, again)
        self.assertTrue(again.area.table.isColumnHidden(column))
        self.choose_entry("Show All Columns")
        self.assertFalse(self.table.isColumnHidden(column))
        self.choose_entry("Hide Column MultiSURF", column=column)
        self.tick("relieff")
        self.tick("relieff", "multisurf")
        self.settle()
        self.assertFalse(self.table.isColumnHidden(column))

    def test_p_and_q_are_shown_and_further_columns_by_the_menu(self):
        self.widget.resize(2000, 800)  # in a narrow table p would give way
        self.widget.area.p_box.click()
        self.process_events(lambda: self.model.column("p: kind") is not None, timeout=20_000)

        def tests():
            shown = [test for test in self.model.tests if not self.table.isColumnHidden(self.model.place(test.key))]
            return [test.title for test in shown]

        self.assertEqual(tests(), ["q", "p"])
        self.open_menu(header=True)
        columns = self.widget.area.menu.columns.actions()
        next(action for action in columns if action.text() == "kind").trigger()
        self.assertEqual(tests(), ["q", "kind", "p"])
        self.assertEqual(self.widget.area.hidden_columns, [])
        self.choose_entry("Hide Column p", column=self.model.place("p: p"), header=True)
        self.assertEqual(tests(), ["q", "kind"])

    def test_names_cannot_be_hidden(self):
        self.assertFalse(any(title.startswith(("Hide Column", "Lead")) for title in self.titles(column=NAME)))

    def test_lead_by_a_score_puts_it_first(self):
        header = self.table.horizontalHeader()
        self.assertEqual(self.leading.name, "relieff")
        self.choose_entry("Lead by MultiSURF", column=FIRST_SCORE + 1)
        self.assertEqual(self.leading.name, "multisurf")
        self.assertEqual(header.visualIndex(FIRST_SCORE + 1), FIRST_SCORE)
        self.assertNotIn("Lead by MultiSURF", self.titles(column=FIRST_SCORE + 1))

    def test_a_click_on_a_title_leads_and_moves_nothing(self):
        header = self.table.horizontalHeader()
        x = header.sectionViewportPosition(FIRST_SCORE + 1) + 20
        QTest.mouseClick(header.viewport(), Qt.LeftButton, Qt.NoModifier, QPoint(x, 8))
        self.assertEqual(self.leading.name, "multisurf")
        self.assertEqual(header.visualIndex(FIRST_SCORE + 1), FIRST_SCORE + 1)

    def test_no_menu_without_features(self):
        self.send_signal(self.widget.Inputs.data, None)
        event = QContextMenuEvent(QContextMenuEvent.Mouse, QPoint(5, 5))
        QApplication.sendEvent(self.table.viewport(), event)
        self.assertFalse(self.widget.area.menu.menu.isVisible())


if __name__ == "__main__":
    unittest.main()
