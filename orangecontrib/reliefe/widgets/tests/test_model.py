"""The ranking as a Qt model: order, filter, selection, texts."""

import unittest

import numpy as np
from AnyQt.QtCore import Qt
from orangewidget.tests.base import GuiTest

from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.widgets.ranker.model import RankingModel
from orangecontrib.reliefe.widgets.table.model import Column, TableModel
from orangecontrib.reliefe.widgets.tests.base import FIRST_SCORE, NAME, RANK, VALUES


def model_of(*columns, names=None, n_values=None):
    p = len(columns[0])
    model = RankingModel()
    model.set_features(names or [f"x{i}" for i in range(p)], np.zeros(p), np.zeros(p) if n_values is None else n_values)
    model.set_columns([MethodScores(f"s{i}", np.array(c, float), f"Score {i}") for i, c in enumerate(columns)])
    return model


class TestScores(unittest.TestCase):
    def test_ties_go_to_the_lower_index(self):
        scores = MethodScores("s", np.array([1.0, 2, 2, 1]))
        self.assertEqual(list(scores.order), [1, 2, 0, 3])
        self.assertEqual(list(scores.ranks), [3, 1, 2, 4])

    def test_limits_contain_zero(self):
        self.assertEqual(MethodScores("s", np.array([2.0, 3])).limits, (0, 3))
        self.assertEqual(MethodScores("s", np.array([-2.0, np.nan])).limits, (-2, 0))
        self.assertEqual(MethodScores("s", np.array([])).limits, (0, 0))

    def test_text_has_three_digits_of_the_largest_score(self):
        scores = MethodScores("s", np.array([0.012345, -0.000012, -0.0123, np.nan, 0]))
        self.assertEqual([scores.text(i) for i in range(5)], ["0.0123", "0.0000", "−0.0123", "–", "0.0000"])
        self.assertEqual(MethodScores("s", np.zeros(2)).text(0), "0.00")


class TestRankingModel(GuiTest):
    def test_nan_is_last_in_both_directions(self):
        model = model_of([1, np.nan, 3, -2])
        model.sort(FIRST_SCORE, Qt.DescendingOrder)
        self.assertEqual(list(model.rows), [2, 0, 3, 1])
        model.sort(FIRST_SCORE, Qt.AscendingOrder)
        self.assertEqual(list(model.rows), [3, 0, 2, 1])

    def test_equal_scores_keep_the_order_of_the_data_in_both_directions(self):
        model = model_of([1, 2, 1, 2, 1])
        model.sort(FIRST_SCORE, Qt.DescendingOrder)
        self.assertEqual(list(model.rows), [1, 3, 0, 2, 4])
        model.sort(FIRST_SCORE, Qt.AscendingOrder)
        self.assertEqual(list(model.rows), [0, 2, 4, 1, 3])

    def test_names_sort_naturally(self):
        model = model_of([1, 2, 3, 4], names=["x10", "x2", "Y1", "3"])
        model.sort(NAME, Qt.AscendingOrder)
        self.assertEqual([model.names[f] for f in model.rows], ["3", "x2", "x10", "Y1"])
        model.sort(NAME, Qt.DescendingOrder)
        self.assertEqual([model.names[f] for f in model.rows], ["Y1", "x10", "x2", "3"])

    def test_names_with_odd_digits_sort(self):
        model = model_of([1, 2, 3], names=["x²", "x٣", ""])
        model.sort(NAME, Qt.AscendingOrder)
        self.assertEqual(sorted(model.rows), [0, 1, 2])

    def test_sort_by_rank_and_by_number_of_values(self):
        model = model_of([1, 3, 2], [3, 1, 2], n_values=[0, 5, 2])
        model.sort(RANK, Qt.AscendingOrder)
        self.assertEqual(list(model.rows), [1, 2, 0])
        model.sort(VALUES, Qt.DescendingOrder)
        self.assertEqual(list(model.rows), [1, 2, 0])
        self.assertEqual([model.data(model.index(r, VALUES)) for r in range(3)], ["5", "2", ""])

    def test_filter_keeps_the_order_and_the_selection(self):
        model = model_of([1, 2, 3], names=["Ab", "b", "c"])
        model.select(np.array([True, False, True]))
        model.set_filter(" B ")
        self.assertEqual(list(model.rows), [1, 0])
        self.assertEqual(list(model.selected), [True, False, True])
        model.set_filter("nothing like this")
        self.assertEqual(model.rowCount(), 0)
        model.set_filter("")
        self.assertEqual(list(model.rows), [2, 1, 0])

    def test_sorted_by_a_score_means_sorted_by_the_leading_one(self):
        model = model_of([1, 2, 3], [3, 2, 1])
        model.set_columns(model.columns, leading=1)
        self.assertEqual(list(model.rows), [0, 1, 2])
        self.assertEqual(model.sorted_by[0], FIRST_SCORE + 1)
        model.sort(NAME, Qt.DescendingOrder)
        model.set_columns(model.columns, leading=0)
        self.assertEqual(list(model.rows), [2, 1, 0])

    def test_a_partial_result_does_not_reset_the_view(self):
        model, resets = model_of([1, 2, 3]), []
        model.modelReset.connect(lambda: resets.append(1))
        model.set_columns([MethodScores("s0", np.array([3.0, 2, 1]))])
        self.assertEqual((resets, list(model.rows)), ([], [0, 1, 2]))
        model.set_columns([MethodScores("other", np.array([1.0, 2, 3]))])
        self.assertEqual((resets, list(model.rows)), ([1], [2, 1, 0]))

    def test_without_scores_rows_keep_the_order_of_the_data(self):
        model = model_of([1, 2, 3])
        model.set_columns([])
        self.assertEqual(list(model.rows), [0, 1, 2])
        self.assertEqual(model.data(model.index(0, RANK)), "")

    def test_tooltips_are_escaped_and_headers_say_what_is_partial(self):
        model = model_of([1], names=["a<b>"])
        self.assertIn("a&lt;b&gt;", model.data(model.index(0, NAME), Qt.ToolTipRole))
        model.set_columns([MethodScores("s", np.array([1.0]), "S", partial=True)])
        self.assertEqual(model.headerData(FIRST_SCORE, Qt.Horizontal), "S …")

    def test_selection_is_told_to_screen_readers(self):
        model = model_of([1, 2])
        model.select(np.array([False, True]))
        told = [model.data(model.index(row, NAME), Qt.AccessibleDescriptionRole) for row in range(2)]
        self.assertEqual(told, ["selected", "not selected"])


class TestTableModel(GuiTest):
    def test_columns_are_found_by_their_keys_wherever_they_stand(self):
        model = TableModel(by="b")
        first, second = Column("a", "A", ["x10", "", "x2"]), Column("b", "B", np.array([2.0, np.nan, 1]))
        model.fields = first, second
        model.rearrange()
        self.assertEqual((list(model.rows), model.sorted_by[0]), ([2, 0, 1], 1))
        model.fields = second, first
        model.rearrange()
        self.assertEqual((list(model.rows), model.sorted_by[0]), ([2, 0, 1], 0))
        model.sort(1, Qt.DescendingOrder)
        self.assertEqual((model.by, list(model.rows), model.row_of(1)), ("a", [0, 2, 1], 2))
        self.assertEqual(model.as_text([1, 2]), "B\tA\nnan\t\n1.0\tx2")
        model.fields = (second,)
        model.rearrange()
        self.assertEqual((list(model.rows), model.sorted_by[0]), ([0, 1, 2], -1))

    def test_an_attribute_by_the_name_of_a_method_or_of_a_column_is_another_column(self):
        model = RankingModel()
        names = ["s", "q", "#"]
        attributes = [Column(f"@{name}", name, ("b", "a")) for name in names]
        model.set_features(["x1", "x2"], np.zeros(2), np.zeros(2), attributes=attributes)
        model.show_attributes(names)
        model.set_columns([MethodScores("s", np.array([2.0, 1]), "S")])
        model.set_tests([Column("p: q", "q", ("1", "0"), order=np.array([0, 1]))])
        model.sort(FIRST_SCORE + 1, Qt.AscendingOrder)
        self.assertEqual((model.by, list(model.rows)), ("@s", [1, 0]))
        self.assertEqual(len({column.key for column in model.fields}), 8)


if __name__ == "__main__":
    unittest.main()
