"""The table's filter: words, wildcards, pasted lists; and features that are hidden since they tell nothing."""

import ast
import unittest
from itertools import combinations

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.reliefe.orange.name_filter import MAX_NAMES, matching, not_found
from orangecontrib.reliefe.widgets.owreliefe import OWReliefE
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.base import NAME

NAMES = ["rest SBP", "max HR", "thal", "rest ECG", "age, in years", "x1", "x10", "X2 (log)"]


def found(text, names=NAMES):
    mask, missing = matching(text, [name.casefold() for name in names])
    return [name for name, take in zip(names, mask, strict=True) if take], missing


class TestPatterns(unittest.TestCase):
    def test_nothing_is_all(self):
        self.assertEqual(found(" "), (NAMES, []))
        self.assertEqual(found("", []), ([], []))

    def test_all_words_must_occur_in_any_order(self):
        self.assertEqual(found("REST")[0], ["rest SBP", "rest ECG"])
        self.assertEqual(found("bp rest")[0], ["rest SBP"])
        self.assertEqual(found("rest  thal"), ([], []))

    def test_words_are_as_by_definition(self):
        words = ["re", "st", "a", "x", "1", "zz"]
        for pair in combinations(words, 2):
            expected = [name for name in NAMES if all(word in name.lower() for word in pair)]
            self.assertEqual(found(" ".join(pair))[0], expected)

    def test_wildcards_stand_for_whole_names(self):
        self.assertEqual(found("x*")[0], ["x1", "x10", "X2 (log)"])
        self.assertEqual(found("*1")[0], ["x1"])
        self.assertEqual(found("*e*g*")[0], ["rest ECG"])
        self.assertEqual(found("x* 10")[0], ["x10"])
        self.assertEqual(found("*(*")[0], ["X2 (log)"])  # no other sign has a meaning
        self.assertEqual(found("*")[0], NAMES)

    def test_lists_by_any_separator(self):
        for separator in ("\n", "\r\n", "\t", ",", ", ", ";", "\u2028"):
            self.assertEqual(found(f"THAL{separator}x1"), (["thal", "x1"], []), repr(separator))
            self.assertEqual(found(f"x1{separator}"), (["x1"], []), repr(separator))

    def test_names_of_a_list_that_are_not_there(self):
        self.assertEqual(found("x1\nTP53, brca1\tx10\nTP53"), (["x1", "x10"], ["TP53", "brca1"]))

    def test_lists_from_programs(self):
        self.assertEqual(found("['x1', 'max HR', \"gone\"]"), (["max HR", "x1"], ["gone"]))
        self.assertEqual(found("x1\nx2 (log)")[0], ["x1", "X2 (log)"])
        self.assertEqual(found("x1*; thal; y*"), (["thal", "x1", "x10"], ["y*"]))

    def test_names_with_commas(self):
        self.assertEqual(found("age, in")[0], ["age, in years"])
        self.assertEqual(found("age, in years\nx1")[0], ["age, in years", "x1"])

    def test_all_of_many(self):
        names = [f"gene {i}" for i in range(20_000)]
        self.assertEqual(found("\n".join(names), names), (names, []))

    def test_what_is_not_found_in_words(self):
        self.assertEqual(not_found([]), ("", ""))
        self.assertEqual(not_found(["a"]), ("1 name not found", "Not among the features: a"))
        text, tip = not_found([f"g{i}" for i in range(MAX_NAMES + 3)])
        self.assertEqual(text, f"{MAX_NAMES + 3} names not found")
        self.assertTrue(tip.endswith(" and 3 more"))


class FilterTest(base.RankerTest):
    def begin(self, data):
        self.tick("relieff")
        self.ready(data)
        self.widget.show()
        self.widget.activateWindow()
        QTest.qWaitForWindowActive(self.widget)
        self.area, self.model = self.widget.area, self.widget.area.model

    def shown(self, widget=None):
        model = (widget or self.widget).area.model
        return sorted(model.names[feature] for feature in model.rows)


class TestFilter(FilterTest):
    def setUp(self):
        super().setUp()
        self.begin(self.heart)

    def paste(self, text):
        self.area.filter.clear()
        QApplication.clipboard().setText(text)
        self.area.filter.setFocus()
        QTest.keySequence(self.area.filter, QKeySequence(QKeySequence.Paste))

    def test_typed_words(self):
        QTest.keyClicks(self.area.filter, "re hr")
        self.assertEqual(self.shown(), [])
        self.area.filter.clear()
        QTest.keyClicks(self.area.filter, "rest ecg")
        self.assertEqual(self.shown(), ["rest ECG"])

    def test_pasted_list(self):
        for separator in ("\n", "\t", ", ", ";"):
            self.paste(separator.join(["age", "Thal", "TP53"]))
            self.assertEqual(self.shown(), ["age", "thal"], repr(separator))
            self.assertTrue(self.area.counts.text().startswith("1 name not found, 2 of 13 shown"))
            self.assertIn("TP53", self.area.counts.toolTip())
        self.paste("age, thal")
        self.assertNotIn("not found", self.area.counts.text() + self.area.counts.toolTip())

    def test_long_lists_are_pasted_whole(self):
        self.paste("\n".join(["age", *(f"a name that is nowhere {i}" for i in range(3000)), "thal"]))
        self.assertEqual(self.shown(), ["age", "thal"])
        self.assertTrue(self.area.counts.text().startswith("3,000 names not found"))
        self.assertEqual(self.area.counts.minimumWidth(), 48)  # a long text does not widen the window

    def test_filter_does_not_select(self):
        before = self.out("features")
        self.paste("age\nthal")
        self.settle()
        self.assertEqual(self.out("features"), before)

    def test_other_data_are_filtered_by_the_same(self):
        self.paste("age, CRIM")
        self.ready(self.housing)
        self.assertEqual(self.shown(), ["AGE", "CRIM"])


class TestConstant(FilterTest):
    def setUp(self):
        super().setUp()
        X = np.random.default_rng(0).normal(size=(60, 6))
        X[:, 1], X[:, 4] = 3, np.nan
        variables = [ContinuousVariable(f"x{i}") for i in range(6)]
        domain = Domain(variables, DiscreteVariable("y", ("a", "b")))
        self.begin(Table.from_numpy(domain, X, (X[:, 0] > 0).astype(float)))

    def switch(self):
        """By the menu."""
        menu = self.area.menu
        menu._show(self.area.table.mapToGlobal(self.area.table.pos()), NAME)
        action = next(a for a in menu.menu.actions() if a.text().replace("&", "") == "Hide Constant Features")
        menu.menu.setActiveAction(action)
        QTest.keyClick(menu.menu, Qt.Key_Return)
        return action

    def test_switch_hides_and_tells(self):
        told = self.widget.Information
        self.assertEqual(len(self.shown()), 6)
        self.assertTrue(told.constant.is_shown())
        scores, chosen = self.out("scores"), self.out("features")
        self.assertTrue(self.switch().isChecked())
        self.assertEqual(self.shown(), ["x0", "x2", "x3", "x5"])
        self.assertTrue(told.hidden.is_shown())
        self.assertIn("2 features", str(told.hidden))
        self.assertFalse(told.constant.is_shown() or told.empty.is_shown())
        self.settle()
        self.assertIs(self.out("scores"), scores)
        self.assertIs(self.out("features"), chosen)
        self.assertFalse(self.switch().isChecked())
        self.assertEqual(len(self.shown()), 6)
        self.assertFalse(told.hidden.is_shown())
        self.assertTrue(told.constant.is_shown() and told.empty.is_shown())

    def test_hidden_features_are_still_sent(self):
        self.choose("All")
        self.switch()
        self.settle()
        self.assertEqual(len(self.out("features")), 6)
        self.assertEqual(len(self.out("scores")), 6)

    def test_it_is_remembered(self):
        self.switch()
        packed = self.widget.settingsHandler.pack_data(self.widget)
        self.assertIs(ast.literal_eval(repr(packed))["area"]["hide_constant"], True)
        again = self.create_widget(OWReliefE, stored_settings=packed)
        self.ready(self.widget.data, again)
        self.assertEqual(self.shown(again), ["x0", "x2", "x3", "x5"])
        self.assertTrue(again.Information.hidden.is_shown())
        self.assertIn("still ranked", str(again.Information.hidden))
        self.ready(self.heart, again)
        self.assertEqual(len(self.shown(again)), 13)
        self.assertFalse(again.Information.hidden.is_shown())

    def test_data_without_anything_else_are_shown(self):
        self.switch()
        domain = self.widget.data.domain
        self.ready(self.widget.data.transform(Domain([domain[1], domain[4]], domain.class_vars)))
        self.assertEqual(len(self.shown()), 2)
        self.assertTrue(self.widget.Warning.no_information.is_shown())
        self.assertFalse(self.widget.Information.hidden.is_shown())


if __name__ == "__main__":
    unittest.main()
