"""Attributes of features, as columns that are chosen in the menu, and in the scores."""

import unittest

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QContextMenuEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import Domain, Table

from orangecontrib.reliefe.widgets.ranker.measures import attributes_of
from orangecontrib.reliefe.widgets.table.model import natural_order
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME, RANK, VALUES

SYMBOLS = ("TP53", "BRCA2", "", "BRCA10", "EGFR")


def genes():
    """Five features with symbols, one of them without, and Entrez IDs of two."""
    data = base.random_table(60, 5)
    variables = [variable.copy() for variable in data.domain.attributes]
    for number, (variable, symbol) in enumerate(zip(variables, SYMBOLS, strict=True)):
        if symbol:
            variable.attributes["Symbol"] = symbol
        if number < 2:
            variable.attributes["Entrez ID"] = 7157 + number
    return Table.from_numpy(Domain(variables, data.domain.class_vars), data.X, data.Y)


class TestAttributes(unittest.TestCase):
    def test_those_that_at_least_one_feature_has(self):
        variables = genes().domain.attributes
        symbols, entrez = attributes_of(variables)
        self.assertEqual((symbols.title, symbols.values), ("Symbol", SYMBOLS))
        self.assertEqual((entrez.title, entrez.values), ("Entrez ID", ("7157", "7158", "", "", "")))
        self.assertEqual(attributes_of(Table("iris").domain.attributes), ())

    def test_order(self):
        places = natural_order(SYMBOLS)
        self.assertEqual(
            [SYMBOLS[f] for f in np.argsort(places, kind="stable")], ["BRCA2", "BRCA10", "EGFR", "TP53", ""]
        )
        self.assertEqual(list(natural_order(["b", "a", "b"])), [1, 0, 1])
        self.assertEqual(list(natural_order([])), [])


class TestColumns(base.RankerTest):
    def setUp(self):
        super().setUp()
        self.tick("multisurf", "relieff")
        self.ready(genes())
        self.widget.resize(1000, 600)
        self.widget.show()
        self.table, self.model = self.widget.area.table, self.widget.area.model

    def tearDown(self):
        self.widget.hide()
        super().tearDown()

    def open_menu(self):
        """The right mouse button on the header."""
        header = self.table.horizontalHeader()
        event = QContextMenuEvent(QContextMenuEvent.Mouse, QPoint(5, 5), header.viewport().mapToGlobal(QPoint(5, 5)))
        QApplication.sendEvent(header.viewport(), event)
        menu = self.widget.area.menu.menu
        self.assertTrue(menu.isVisible())
        shown = {action.text(): action.menu() for action in menu.actions() if action.isVisible()}
        return shown.get("Feature A&ttributes"), menu

    def toggle(self, name):
        listed, menu = self.open_menu()
        action = next(action for action in listed.actions() if action.text() == name)
        listed.popup(QPoint(5, 5))
        listed.setActiveAction(action)
        QTest.keyClick(listed, Qt.Key_Return)
        menu.close()
        self.process_events()

    def shown(self):
        """Titles from left to right."""
        header = self.table.horizontalHeader()
        columns = [header.logicalIndex(place) for place in range(header.count())]
        return [self.model.title(c).strip() for c in columns if not header.isSectionHidden(c)]

    def texts(self, column):
        return [self.model.index(row, column).data() for row in range(self.model.rowCount())]

    def test_none_at_first(self):
        self.assertEqual(self.shown(), ["#", "Feature", "ReliefF", "MultiSURF"])
        listed, menu = self.open_menu()
        self.assertEqual(
            [(a.text(), a.isChecked()) for a in listed.actions()], [("Symbol", False), ("Entrez ID", False)]
        )
        menu.close()

    def test_they_stand_beside_the_name_and_are_remembered(self):
        self.toggle("Symbol")
        self.assertEqual(self.shown(), ["#", "Feature", "Symbol", "ReliefF", "MultiSURF"])
        self.assertEqual(self.texts(FIRST_SCORE + 2), [SYMBOLS[f] for f in self.model.rows])
        self.toggle("Entrez ID")
        self.assertEqual(self.shown()[2:4], ["Symbol", "Entrez ID"])
        self.toggle("Symbol")
        self.assertEqual(self.shown()[1:4], ["Feature", "Entrez ID", "ReliefF"])
        self.assertEqual(self.widget.area.attribute_columns, ["Entrez ID"])
        self.ready(self.heart)  # which has none
        self.assertNotIn("Entrez ID", self.shown())
        self.ready(genes())
        self.assertIn("Entrez ID", self.shown())
        again = self.ready(genes(), self.make(attribute_columns=["Entrez ID"]))
        self.assertEqual([each.title for each in again.area.model.extra], ["Entrez ID"])

    def test_at_first_the_leading_score_sorts(self):
        again = self.ready(genes(), self.make(attribute_columns=["Symbol"]))
        np.testing.assert_array_equal(again.area.model.rows, again.area.lead.order)
        self.assertEqual(again.area.model.sorted_by[0], FIRST_SCORE)

    def test_more_scores_and_another_lead(self):
        self.toggle("Symbol")
        self.tick("multisurf", "relieff", "surf")
        self.settle()
        self.assertEqual(self.shown()[:3], ["#", "Feature", "Symbol"])
        self.widget.area.menu.lead_wanted.emit("surf")
        self.settle()
        self.assertEqual(self.shown()[:4], ["#", "Feature", "Symbol", "SURF"])
        self.table.grab()

    def test_sorting_by_one_leads_by_none(self):
        self.toggle("Symbol")
        before = self.leading.name
        header, column = self.table.horizontalHeader(), FIRST_SCORE + 2
        at = QPoint(header.sectionViewportPosition(column) + 8, 8)
        QTest.mouseClick(header.viewport(), Qt.LeftButton, Qt.NoModifier, at)
        if self.model.sorted_by[1] != Qt.AscendingOrder:
            QTest.mouseClick(header.viewport(), Qt.LeftButton, Qt.NoModifier, at)
        self.assertEqual(self.texts(column), ["BRCA2", "BRCA10", "EGFR", "TP53", ""])
        self.assertEqual(self.leading.name, before)
        self.tick("relieff")  # which moves the column
        self.settle()
        self.assertEqual(self.texts(FIRST_SCORE + 1), ["BRCA2", "BRCA10", "EGFR", "TP53", ""])
        self.toggle("Symbol")
        self.assertEqual(self.model.rows[0], self.leading.order[-1 if self.model.sorted_by[1]
                                                                         == Qt.AscendingOrder else 0])  # fmt: skip

    def test_copies_have_what_is_shown(self):
        self.toggle("Symbol")
        self.assertEqual(self.model.as_table([1])[0], ["Feature", "Symbol", "ReliefF", "MultiSURF"])
        self.assertEqual(self.model.as_table([1])[1][:2], ["x1", "BRCA2"])

    def test_scores_keep_all(self):
        scores = self.out("scores")
        self.assertEqual([v.name for v in scores.domain.metas], ["Feature", "Symbol", "Entrez ID"])
        self.assertEqual(list(scores.metas[:, 1]), list(SYMBOLS))
        self.assertEqual([v.name for v in scores.domain.attributes], ["ReliefF", "MultiSURF"])

    def test_names_that_are_taken(self):
        data = genes()
        data.domain.attributes[0].attributes |= {"Feature": "f", "ReliefF": 0.5}
        self.ready(data)
        names = [v.name for v in (*self.out("scores").domain.metas, *self.out("scores").domain.attributes)]
        self.assertEqual((len({*names}), len(names)), (7, 7))

    def test_no_entry_where_there_are_none(self):
        self.ready(self.heart)
        listed, menu = self.open_menu()
        self.assertIsNone(listed)
        menu.close()

    def test_other_columns_are_as_before(self):
        self.toggle("Symbol")
        for column in (RANK, NAME, VALUES):
            self.assertTrue(self.model.headerData(column, Qt.Horizontal))
        self.assertEqual(self.table.column_name(FIRST_SCORE + 2), "")
        self.assertIs(self.table.itemDelegateForColumn(FIRST_SCORE + 2), None)


if __name__ == "__main__":
    unittest.main()
