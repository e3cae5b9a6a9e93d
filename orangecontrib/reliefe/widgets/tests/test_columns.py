"""Columns of Open Data: a small histogram and the first ten values of each, computed for the page that is seen."""

import numpy as np
import scipy.sparse as sp
from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QApplication
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table

from orangecontrib.reliefe.orange.values.column_summary import MAX_BARS, MAX_ROWS, N_BINS, ColumnSummaries
from orangecontrib.reliefe.widgets.opendata.columnstable import BARS, FIRST, MISSING, NAME, ROLE, ColumnsTable
from orangecontrib.reliefe.widgets.owopendata import OWOpenData
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.tests.widgettest import WidgetTest


def mixed(n=60):
    """A number with gaps, a category of many values, a constant, a text, and classes of which some are unknown."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    x[::7] = np.nan
    letters = [chr(97 + i) for i in range(20)]
    domain = Domain(
        [ContinuousVariable("x"), DiscreteVariable("letter", letters), ContinuousVariable("same")],
        DiscreteVariable("ill", ("no", "yes")),
        [StringVariable("note")],
    )
    y = rng.integers(0, 2, n).astype(float)
    y[:5] = np.nan
    X = np.column_stack([x, rng.integers(0, 20, n), np.full(n, 3.0)])
    notes = np.array([["" if i % 3 else f"n{i % 9}"] for i in range(n)], object)
    return Table.from_numpy(domain, X, y, notes)


def wide(n=40, p=20_000):
    domain = Domain([ContinuousVariable(f"g{i}") for i in range(p)])
    return Table.from_numpy(domain, np.random.default_rng(0).normal(size=(n, p)))


class TestSummaries(WidgetTest):
    kind = OWOpenData

    def test_bars_count_rows_by_class_as_loops_do(self):
        data = mixed()
        summary = ColumnSummaries(data).of(1)
        x, y = data.X[:, 0], data.Y
        low, high = np.nanmin(x), np.nanmax(x)
        expected = np.zeros((N_BINS, 3), int)  # rows of unknown class are the last part
        for value, code in zip(x, y, strict=True):
            if not np.isnan(value):
                bar = min(int((value - low) / (high - low) * N_BINS), N_BINS - 1)
                expected[bar, 2 if np.isnan(code) else int(code)] += 1
        np.testing.assert_array_equal(summary.counts, expected)
        self.assertAlmostEqual(summary.missing, np.isnan(x).mean())
        self.assertIn("median", summary.about)

    def test_kinds_of_columns(self):
        summaries = ColumnSummaries(mixed())
        roles = [summaries.role(column) for column in range(5)]
        self.assertEqual(roles, ["target, category", "feature, number", "feature, category", "feature, number",
                                 "meta, text"])  # fmt: skip
        letters = summaries.of(2)
        self.assertEqual(len(letters.counts), MAX_BARS)
        self.assertEqual(letters.counts.sum(), 60)
        self.assertEqual(summaries.of(3).counts.shape[0], 1)
        notes = summaries.of(4)
        self.assertEqual((len(notes.counts), notes.about), (0, "3 different texts"))
        self.assertAlmostEqual(notes.missing, 2 / 3)

    def test_many_rows_are_sampled_and_sparse_columns_have_the_same_bars(self):
        rng = np.random.default_rng(0)
        X = np.where(rng.random((3 * MAX_ROWS, 2)) < 0.3, rng.random((3 * MAX_ROWS, 2)), 0)
        domain = Domain([ContinuousVariable("a"), ContinuousVariable("b")])
        dense = ColumnSummaries(Table.from_numpy(domain, X)).of(1)
        sparse = ColumnSummaries(Table.from_numpy(domain, sp.csr_matrix(X))).of(1)
        np.testing.assert_array_equal(sparse.counts, dense.counts)
        self.assertEqual(dense.counts.sum(), MAX_ROWS)

    def test_the_range_is_that_of_all_rows_of_which_some_are_counted(self):
        values = np.full(3 * MAX_ROWS, 0.5)
        values[::9] = 1.0
        values[1], values[2] = -7.0, 9.0  # not among the rows that are counted
        gaps = np.full(len(values), np.nan)
        gaps[1] = 4.0
        codes = (np.arange(len(values)) % 2).astype(float)
        domain = Domain([ContinuousVariable("x"), ContinuousVariable("gaps"), DiscreteVariable("kind", ("a", "b"))])
        summaries = ColumnSummaries(Table.from_numpy(domain, np.column_stack([values, gaps, codes])))
        self.assertEqual(summaries.of(0).about, "-7 to 9, median 0.5 (of 20,000 rows)")
        low_bar, high_bar = int(7.5 / 16 * N_BINS), int(8 / 16 * N_BINS)
        self.assertEqual(np.flatnonzero(summaries.of(0).counts).tolist(), [low_bar, high_bar])
        self.assertTrue(summaries.of(1).about.startswith("4 to 4, median 4"))
        self.assertEqual(summaries.of(1).missing, 1 - 1 / len(values))
        self.assertEqual(summaries.of(2).about, "a 50 %, b 50 % (of 20,000 rows)")

    def test_tables_without_rows_values_or_columns(self):
        data = mixed()
        self.assertEqual(ColumnSummaries(data[:0]).n_first, 0)
        self.assertEqual(ColumnSummaries(data[:0]).of(1).about, "no values")
        huge = Table.from_numpy(Domain([ContinuousVariable("x")]), np.array([[-1e308], [1e308]]))
        self.assertEqual(ColumnSummaries(huge).of(0).counts.sum(), 2)


class TestColumnsTable(WidgetTest):
    kind = OWOpenData

    def shown(self, data, suspects=()):
        table = ColumnsTable()
        self.addCleanup(table.deleteLater)
        table.resize(900, 400)
        table.show()
        table.show_table(data, suspects)
        QApplication.processEvents()
        table.grab()
        return table

    def test_only_the_page_that_is_seen_is_computed(self):
        table = self.shown(wide())
        computed = table.model.summaries._summaries
        self.assertEqual(table.model.rowCount(), 20_000)
        self.assertLess(len(computed), 60)
        table.view.scrollToBottom()
        table.grab()
        self.assertLess(len(computed), 120)
        self.assertIn(19_999, computed)

    def test_cells_show_the_first_ten_rows(self):
        data = mixed()
        model = self.shown(data).model
        self.assertEqual(model.columnCount(), FIRST + 10)
        texts = [[model.index(row, column).data() for column in range(FIRST + 10)] for row in range(5)]
        self.assertEqual([row[NAME] for row in texts], ["ill", "x", "letter", "same", "note"])
        self.assertEqual(texts[0][FIRST], "?")
        names = [row[NAME] for row in texts]
        self.assertEqual([row[FIRST + 9] for row in texts], [str(data[9][name]) for name in names])
        self.assertEqual((texts[1][MISSING], texts[2][MISSING]), ("15 %", "none"))
        self.assertEqual(texts[4][BARS], "3 different texts")
        self.assertEqual(texts[4][ROLE], "meta, text")
        self.assertEqual(model.headerData(FIRST, Qt.Horizontal), "row 1")

    def test_names_are_filtered_and_suspects_are_bold(self):
        table = self.shown(mixed(), {"letter"})
        table.filter.setText("LETT")
        self.assertEqual([table.model.index(0, NAME).data(), table.model.rowCount()], ["letter", 1])
        self.assertTrue(table.model.index(0, NAME).data(Qt.FontRole).bold())
        table.filter.setText("")
        self.assertEqual(table.model.rowCount(), 5)
        self.assertIsNone(table.model.index(0, NAME).data(Qt.FontRole))

    def test_colours_are_named_and_follow_the_palette(self):
        table = self.shown(mixed())
        light = table.legend.text()
        self.assertIn("no", light)
        table.setPalette(base.dark_palette())
        self.assertNotEqual(table.legend.text(), light)
        self.assertFalse(self.shown(wide(p=5)).legend.isVisible())
        self.shown(None)

    def test_the_window_shows_what_it_sends(self):
        widget = self.settle(self.widget)
        data = self.get_output(widget.Outputs.data)
        names = [variable.name for variable in (*data.domain.class_vars, *data.domain.attributes)]
        model = widget.table.model
        self.assertEqual([model.index(row, NAME).data() for row in range(model.rowCount())], names)
        widget.open_file("no such file.csv")
        self.settle(widget)
        self.assertEqual(model.rowCount(), 0)
