"""Summary of one column of a table: missing values, a small histogram by class, and first values as texts.

*Open Data* shows one for each column. A summary is computed when its row is drawn, so that tables of 20,000 columns
open at once.
"""

from typing import NamedTuple

import numpy as np
from Orange.data import Table, Variable

from ...core.words import counted, cut, percent
from .categories import frequent

N_BINS = 20  # of a number; chosen by eye
MAX_BARS = 12  # of a category: the most frequent values, and one bar for the rest; chosen by eye
MAX_CLASSES = 6  # that have colours, and one for the rest; chosen by eye
MAX_ROWS = 20_000  # whose values are counted, evenly spread; more take too long for a page of columns; chosen by eye
N_FIRST = 10  # rows of the preview
LONGEST_VALUE = 40  # letters of a text
ALL_ROWS = "rows"


class ColumnSummary(NamedTuple):
    """Summary of a column.

    Attributes
    ----------
    missing : float
        Share of the rows without a value.
    counts : (b, c) int array
        Numbers of rows by bar and class; no bars for texts and columns without values.
    about : str
        Range of a number over all rows, or frequent categories, or the number of different texts. It names the number
        of rows if the median or the categories are those of a sample.
    """

    missing: float
    counts: np.ndarray
    about: str


class ColumnSummaries:
    """Summaries of the columns of a table, each computed once.

    Parameters
    ----------
    table : Table
        The data. A single target of classes gives the parts of the bars.

    Attributes
    ----------
    variables : tuple of Variable
        All columns: targets, features, metas.
    """

    def __init__(self, table: Table):
        domain = table.domain
        self.variables: tuple[Variable, ...] = (*domain.class_vars, *domain.attributes, *domain.metas)
        self._table = table
        self._summaries: dict[int, ColumnSummary] = {}
        step = max(-(-len(table) // MAX_ROWS), 1)
        self._rows = slice(None, None, step)
        self.classes: tuple[str, ...] = (ALL_ROWS,)
        self._class_of = np.zeros(len(range(*self._rows.indices(len(table)))), np.int64)
        if len(domain.class_vars) == 1 and domain.class_vars[0].is_discrete:
            self._read_classes(domain.class_vars[0])

    def _read_classes(self, target: Variable) -> None:
        codes = self._table.get_column(target)[self._rows]
        is_known = ~np.isnan(codes)
        classes = frequent(codes[is_known], target.values, MAX_CLASSES)
        if classes.names:
            self.classes = classes.names
            self._class_of = np.full(len(codes), len(classes.names))
            self._class_of[is_known] = classes.codes

    def role(self, column: int) -> str:
        """Role and kind of a column in words."""
        variable = self.variables[column]
        n_targets = len(self._table.domain.class_vars)
        if column < n_targets:
            role = "target"
        elif column < n_targets + len(self._table.domain.attributes):
            role = "feature"
        else:
            role = "meta"
        if variable.is_discrete:
            kind = "category"
        elif variable.is_time:
            kind = "time"
        else:
            kind = "number" if variable.is_continuous else "text"
        return f"{role}, {kind}"

    def first_value(self, column: int, row: int) -> str:
        """Value of one of the first rows as a text; a question mark if it is missing."""
        variable = self.variables[column]
        return cut(variable.str_val(self._table[row][variable]), LONGEST_VALUE)

    @property
    def n_first(self) -> int:
        """Number of rows of the preview."""
        return min(N_FIRST, len(self._table))

    def of(self, column: int) -> ColumnSummary:
        """Summary of a column by its index."""
        if column not in self._summaries:
            self._summaries[column] = self._computed(self.variables[column])
        return self._summaries[column]

    def _computed(self, variable: Variable) -> ColumnSummary:
        values = self._table.get_column(variable)
        if variable.is_string:
            texts = np.array([str(value) if value else "" for value in values], object)
            is_missing = np.array([text in ("", "?", "nan") for text in texts], bool)
            n_different = len({*texts[~is_missing]})
            about = counted(n_different, "different text")
            return ColumnSummary(float(is_missing.mean()) if len(values) else 0.0, self._bars([], []), about)
        values = values.astype(float)
        missing = float(np.isnan(values).mean()) if len(values) else 0.0
        sampled = values[self._rows]
        is_known = np.isfinite(sampled)
        known_values = sampled[is_known]
        class_of = self._class_of[is_known]
        finite = values[np.isfinite(values)]
        if not len(finite):
            return ColumnSummary(missing, self._bars([], []), "no values")
        of_rows = f" (of {len(sampled):,} rows)" if len(sampled) < len(values) else ""
        if variable.is_discrete:
            categories = frequent(known_values, variable.values, MAX_BARS)
            counts = self._bars(categories.codes, class_of, len(categories.names))
            sizes = zip(categories.names, counts.sum(axis=1) / len(known_values), strict=True)
            about = ", ".join(f"{name} {percent(size)}" for name, size in sizes) or "no values"
            return ColumnSummary(missing, counts, f"{about}{of_rows}")
        low, high = float(finite.min()), float(finite.max())
        median = variable.str_val(np.median(known_values if len(known_values) else finite))
        about = f"{variable.str_val(low)} to {variable.str_val(high)}, median {median}{of_rows}"
        if not low < high or not np.isfinite(high - low):
            return ColumnSummary(missing, self._bars(np.zeros(len(known_values), int), class_of, 1), about)
        bins = np.minimum(((known_values - low) / (high - low) * N_BINS).astype(int), N_BINS - 1)
        return ColumnSummary(missing, self._bars(bins, class_of, N_BINS), about)

    def _bars(self, bars: object, class_of: object, n_bars: int = 0) -> np.ndarray:
        """Count rows (b, c) by bars and classes; rows of unknown class are the last part, if there are any."""
        n_classes = len(self.classes) + int((self._class_of == len(self.classes)).any())
        cells = np.asarray(bars, np.int64) * n_classes + np.asarray(class_of, np.int64)
        return np.bincount(cells, minlength=n_bars * n_classes).reshape(n_bars, n_classes)
