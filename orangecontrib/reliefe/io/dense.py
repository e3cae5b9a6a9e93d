"""Reader of dense rows, which list the values of all columns: ``5.1, 'Iris setosa', ?``.

`arff` makes one `Dense` for a file and adds chunks of its rows. Values are separated by commas, or by blanks in rows
without commas. A row may end with its weight in braces: ``5.1, yes, {2}``.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..core.data.limits import BYTES_PER_READ
from .collector import Collector, weight_of
from .columns import NAN, FileColumns, texts_of
from .tokens import BETWEEN, MISSING, Location, all_clean, between_blanks, cells, count, split, words

_WEIGHT = re.compile(r"\{\s*([\d.eE+-]+)\s*\}")


class Dense(Collector):
    """Rows that list the values of all columns."""

    def __init__(self, name: str, columns: FileColumns) -> None:
        super().__init__(name, columns)
        self._texts: dict[int, list[str | None]] = {j: [] for j in columns.texts}
        self._blocks: list[np.ndarray] = []  # each (rows, p)

    def values(self) -> np.ndarray:
        """Values (n, p) of all rows. Blocks are freed as they are copied, so that values are in memory once."""
        n = sum(map(len, self._blocks))
        values = np.empty((n, len(self.columns)))
        first = 0
        for k, block in enumerate(self._blocks):
            values[first : first + len(block)] = block
            first += len(block)
            self._blocks[k] = values[:0]
        return values

    def texts(self) -> dict[int, np.ndarray]:
        """Columns of texts, {index: (n,) object array}, None where a text is missing."""
        arrays = {}
        for j, texts in self._texts.items():
            arrays[j] = np.empty(len(texts), dtype=object)
            arrays[j][:] = texts
        return arrays

    def _read_all(self, rows: Sequence[str]) -> None:
        text = "\n" + "\n".join(rows)
        n = len(rows)
        p = len(self.columns)
        if len(text) > 2 * BYTES_PER_READ and text.count(",") > n * (p + 1):
            raise ValueError("where a line has many more values than there are columns, they are not kept")
        aligned = _align(cells(text), n, p)
        has_underscores = "_" in text
        if self.columns.numeric:
            block = self._numbers(aligned.cells, 0, has_underscores).reshape(n, p)
            self._store(block, aligned.weights)
            return

        # Decode column by column, and store when all of them are without error.
        by_column = np.full((p, n), NAN)
        texts: dict[int, list[Any]] = {}
        for j in range(p):
            column = aligned.cells[j::p]
            if j in self._texts:
                texts[j] = texts_of(all_clean(column))
            elif self.columns.codes[j] is None:
                by_column[j] = self._numbers(column, j, has_underscores)
            else:
                by_column[j] = self._decoded(column, j)
        for j, texts_of_column in texts.items():
            self._texts[j].extend(texts_of_column)
        self._store(np.ascontiguousarray(by_column.T), aligned.weights)

    def _store(self, block: np.ndarray, weights: np.ndarray) -> None:
        self._blocks.append(block)
        self._weights.append(weights)

    def _numbers(self, column: list[str], j: int, has_underscores: bool) -> np.ndarray:
        """Numbers of the cells of column `j`, NaN where they are missing; raises ValueError for other cells.

        Cells go to Python's `float` at once, unless some of them have underscores, which it accepts in numbers.
        """
        if not has_underscores:
            with suppress(ValueError):
                return np.fromiter(map(float, column), float, len(column))
            text = BETWEEN.join(column)
            if MISSING in text and "-?" not in text and "+?" not in text:
                with suppress(ValueError):
                    with_nan = text.replace(MISSING, "nan").split(BETWEEN)
                    return np.fromiter(map(float, with_nan), float, len(column))
        return self._decoded(column, j)

    def _decoded(self, column: list[str], j: int) -> np.ndarray:
        """Numbers or codes of the cells of column `j`; raises ValueError for a cell that is no value of it."""
        codes = self.columns.cached_codes(j)
        return np.fromiter(map(codes.__getitem__, column), float, len(column))

    def _read_row(self, row: str, location: Location) -> None:
        p = len(self.columns)
        # A row of one value, where there are several columns, has its values between blanks.
        total = count(row)
        has_commas = total > 1 or p == 1
        read = split if has_commas else words
        cells_of_row = list(islice(read(row, location), p + 1))
        if not has_commas:
            total = len(cells_of_row) if len(cells_of_row) <= p else sum(1 for _ in words(row, location))

        # A further value may be the weight of the row.
        weight = 1.0
        if total == p + 1:
            with suppress(ValueError):
                weight = _weight_in_braces(cells_of_row[p].token)
                total = p
        if total != p:
            column = cells_of_row[min(p, len(cells_of_row) - 1)].column if cells_of_row else 1
            raise location.error(column, f"the row has {total} values, but there are {p} attributes")

        values = np.full(p, NAN)
        for j, cell in enumerate(cells_of_row[:p]):
            if j in self._texts:
                self._texts[j] += texts_of([cell.token])
            else:
                values[j] = self.columns.value(j, cell, location)
        self._store(values[np.newaxis], np.array([weight]))


class AlignedCells(NamedTuple):
    """Cells of n rows that have p values each.

    Attributes
    ----------
    cells : list of str
        n * p cells as written, one row after another.
    weights : (n,) float64 array
        Weights of the rows, 1 where a row has none.
    """

    cells: list[str]
    weights: np.ndarray


def _align(raw_cells: list[str], n: int, p: int) -> AlignedCells:
    """Remove weights from the cells of n rows, and check that p cells are left in each.

    Parameters
    ----------
    raw_cells : list of str
        Texts between commas. The first cell of each row begins with an end of a line. If values are separated by
        blanks, these are whole rows.
    n, p : int
        Numbers of rows and of columns.

    Raises
    ------
    ValueError
        If a row has another number of values.
    """
    if len(raw_cells) == n * p and (p == 1 or [cell[:1] for cell in raw_cells[::p]].count("\n") == n):
        return AlignedCells(raw_cells, np.ones(n))

    # Bounds of the rows: [begin, end) are indices of cells.
    if len(raw_cells) == n:  # no row has a comma: values are separated by blanks, and "," ends a row
        raw_cells = between_blanks(raw_cells)
        if len(raw_cells) == n * (p + 1) and raw_cells[p :: p + 1].count(",") == n:
            del raw_cells[p :: p + 1]
            return AlignedCells(raw_cells, np.ones(n))
        ends = [k for k, cell in enumerate(raw_cells) if cell == ","]
        begins = [0, *(end + 1 for end in ends[:-1])]
    else:
        begins = [k for k, cell in enumerate(raw_cells) if cell[:1] == "\n"]
        ends = [*begins[1:], len(raw_cells)]

    aligned = []
    weights = np.ones(n)
    for k, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        if end - begin == p + 1:
            end -= 1
            weights[k] = _weight_in_braces(raw_cells[end])
        row = raw_cells[begin:end]
        if len(row) == 1 < p:
            row = between_blanks(row)[:-1]
        if len(row) != p:
            raise ValueError(f"a row has {len(row)} values")
        aligned += row
    return AlignedCells(aligned, weights)


def _weight_in_braces(text: str) -> float:
    """Return the weight in braces that a row ends with; raises ValueError for another text."""
    match = _WEIGHT.fullmatch(text.strip())
    if not match:
        raise ValueError("a weight is a number in braces")
    return weight_of(match[1])
